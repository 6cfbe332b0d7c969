//! Drawings as SVG, made where those of pages are made.

use std::sync::Arc;

use meetjoin_dag::Kind;
use meetjoin_explain::drawn::Drawn;
use meetjoin_explain::hasse::{Hasse, elements, generated};
use meetjoin_explain::picture::{self, PictureNode};
use meetjoin_lattice::{AnyElem, Budget, ElemOf, Lattice};
use meetjoin_solve::{Domain, Value};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::data::{lattice, value};
use crate::error::refused;
use crate::own::nesting::Nested;
use crate::own::own_lattice::{Element, InPython};
use crate::own::raised::watched;

type Node = (String, String, Option<String>);
type Edges = Vec<(usize, usize)>;
/// Kind, name and value of each node; edges; edges to nodes that are not there.
pub(crate) type Graph = (Vec<Node>, Edges, usize);
/// SVG, and what it leaves out.
type Drawing = (String, Option<String>);

pub(crate) fn graph(drawn: Drawn) -> Graph {
    let nodes = drawn.nodes.into_iter().map(|node| {
        let kind = match node.kind {
            Kind::Leaf => "leaf",
            Kind::And => "and",
            Kind::Or => "or",
        };
        (kind.to_owned(), node.name, node.value)
    });
    (nodes.collect(), drawn.edges, drawn.hidden)
}

/// Draws nodes in layers, each below its parents; so many edges lead to others.
#[pyfunction]
pub(crate) fn graph_picture(nodes: Vec<Node>, edges: Edges, hidden: usize) -> PyResult<Drawing> {
    if !has_layers(nodes.len(), &edges) {
        return Err(refused("what has a cycle has no layers"));
    }
    let nodes = nodes.into_iter().map(|(kind, name, value)| {
        let kind = match &*kind {
            "or" => Kind::Or,
            "and" => Kind::And,
            _ => Kind::Leaf,
        };
        PictureNode { kind, name, value }
    });
    let nodes: Vec<PictureNode> = nodes.collect();
    let picture = picture::graph(&nodes, &edges, hidden);
    Ok((picture.svg(), picture.below.into_iter().next()))
}

/// Whether edges are between nodes and no line of them comes back: takes away what no edge leads
/// to, again and again.
fn has_layers(count: usize, edges: &Edges) -> bool {
    let (mut above, mut below) = (vec![0; count], vec![Vec::new(); count]);
    for &(from, to) in edges {
        if from >= count || to >= count {
            return false;
        }
        above[to] += 1;
        below[from].push(to);
    }
    let mut free: Vec<usize> = (0..count).filter(|&node| above[node] == 0).collect();
    let mut taken = 0;
    while let Some(node) = free.pop() {
        taken += 1;
        for &to in &below[node] {
            above[to] -= 1;
            if above[to] == 0 {
                free.push(to);
            }
        }
    }
    taken == count
}

/// Elements of a lattice of files or of one in Python: those that these generate, or the whole
/// lattice without any; at most so many. Elements of a lattice of files are given as JSON.
#[pyfunction]
pub(crate) fn hasse(
    lattice: &Bound<'_, PyAny>,
    given: Option<&Bound<'_, PyList>>,
    most: usize,
) -> PyResult<Drawing> {
    let budget = Budget::unlimited();
    if let Ok(built_in) = lattice.cast::<lattice::Lattice>() {
        let any = &built_in.get().0;
        let domain = Arc::new(Domain {
            lattice: any.clone(),
            worlds: None,
        });
        let text = |element: &AnyElem| {
            let (element, domain) = (element.clone(), Arc::clone(&domain));
            Ok(Value::Element { element, domain }.text())
        };
        let elements = if let Some(given) = given {
            given_elements(any, value::read_all(any, given)?, most, &budget)?
        } else {
            elements(any, most, &budget).map_err(refused)?
        };
        return diagram(any, elements, text, most, &budget);
    }
    let _nested = Nested::enter()?;
    let own = InPython::new(lattice)?;
    let given = given
        .into_iter()
        .flatten()
        .map(|element| Element::new(&element));
    let given: Vec<Element> = given.collect();
    let cancel = Arc::default();
    let (drawn, raised) = watched(&cancel, || {
        let text = |element: &Element| Ok(element.0.bind(lattice.py()).str()?.to_string());
        let elements = given_elements(&own, given, most, &budget)?;
        diagram(&own, elements, text, most, &budget)
    });
    raised.map_or(drawn, Err)
}

/// What these elements generate, or these alone with bottom and top, if that is more than `most`.
fn given_elements<L: Lattice>(
    lattice: &L,
    given: Vec<ElemOf<L>>,
    most: usize,
    budget: &Budget,
) -> PyResult<(Vec<ElemOf<L>>, bool)> {
    if let Some(elements) = generated(lattice, given.clone(), most, budget).map_err(refused)? {
        return Ok((elements, true));
    }
    let mut some = vec![lattice.bottom()];
    for element in [lattice.top()].into_iter().chain(given) {
        if some.len() < most && !some.contains(&element) {
            some.push(element);
        }
    }
    Ok((some, false))
}

fn diagram<L: Lattice>(
    lattice: &L,
    (elements, whole): (Vec<ElemOf<L>>, bool),
    text: impl Fn(&ElemOf<L>) -> PyResult<String>,
    most: usize,
    budget: &Budget,
) -> PyResult<Drawing> {
    let hasse = Hasse::of(lattice, elements, budget).map_err(refused)?;
    let texts = hasse.elements.iter().map(text);
    let texts: Vec<String> = texts.collect::<PyResult<_>>()?;
    let left_out = (!whole).then(|| {
        let drawn = texts.len();
        format!("{drawn} of its elements are drawn; it has more than {most}")
    });
    let size = (hasse.width, hasse.height);
    let picture = picture::hasse(&texts, &hasse.covers, &hasse.places, size, left_out.clone());
    Ok((picture.svg(), left_out))
}
