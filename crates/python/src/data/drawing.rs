//! Drawings as numbers: where things are. Python makes pictures of them.

use std::sync::Arc;

use meetjoin_dag::Kind;
use meetjoin_explain::drawn::Drawn;
use meetjoin_explain::hasse::{Hasse, elements, generated};
use meetjoin_explain::layout::{self, Place};
use meetjoin_lattice::{AnyElem, Budget, ElemOf, Lattice};
use meetjoin_solve::{Domain, Value};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::data::{lattice, value};
use crate::error::refused;
use crate::own::nesting::Nested;
use crate::own::own_lattice::{Element, InPython};
use crate::own::raised::watched;

type Node = (&'static str, String, Option<String>);
type Edges = Vec<(usize, usize)>;
type Places = Vec<(f64, f64)>;
/// Kind, name and value of each node; edges; places; width and height; edges to nodes that are not
/// there.
pub(crate) type Graph = (Vec<Node>, Edges, Places, (f64, f64), usize);
/// The text of each element; which covers which; places; width and height; whether it is the whole
/// lattice.
type Diagram = (Vec<String>, Edges, Places, (f64, f64), bool);

fn places(places: &[Place]) -> Places {
    places.iter().map(|place| (place.x, place.y)).collect()
}

pub(crate) fn graph(drawn: Drawn) -> Graph {
    let nodes = drawn.nodes.into_iter().map(|node| {
        let kind = match node.kind {
            Kind::Leaf => "leaf",
            Kind::And => "and",
            Kind::Or => "or",
        };
        (kind, node.name, node.value)
    });
    let (places, size) = (places(&drawn.places), (drawn.width, drawn.height));
    (nodes.collect(), drawn.edges, places, size, drawn.hidden)
}

/// Places of the nodes `0..count` below their parents, width and height of all.
#[pyfunction]
pub(crate) fn layered(count: usize, edges: Edges) -> PyResult<(Places, f64, f64)> {
    if !has_layers(count, &edges) {
        return Err(refused("what has a cycle has no layers"));
    }
    let (at, width, height) = layout::layered(count, &edges, LAYERS);
    Ok((places(&at), width, height))
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

/// How far apart layers are.
const LAYERS: f64 = 84.0;

/// Elements of a lattice of files or of one in Python: those that these generate, or the whole
/// lattice without any; at most so many. Elements of a lattice of files are given as JSON.
#[pyfunction]
pub(crate) fn hasse(
    lattice: &Bound<'_, PyAny>,
    given: Option<&Bound<'_, PyList>>,
    most: usize,
) -> PyResult<Diagram> {
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
        return diagram(any, elements, text, &budget);
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
        diagram(&own, elements, text, &budget)
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
    budget: &Budget,
) -> PyResult<Diagram> {
    let hasse = Hasse::of(lattice, elements, budget).map_err(refused)?;
    let texts = hasse.elements.iter().map(text);
    let (places, size) = (places(&hasse.places), (hasse.width, hasse.height));
    Ok((
        texts.collect::<PyResult<_>>()?,
        hasse.covers,
        places,
        size,
        whole,
    ))
}
