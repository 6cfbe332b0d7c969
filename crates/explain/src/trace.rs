//! Searches as a page: the graph in layers, the lattice with the window in it, and each step of one
//! search or of two.
//!
//! Idea: the page has the events of a search and replays them. It is self-contained and needs no
//! network.
//!
//! Cost: a page holds the graph and the events. Graphs are drawn up to [`MOST_NODES`] nodes and
//! searches up to [`MOST_EVENTS`] events of a few megabytes, and the page states what is left out.

use meetjoin_catalogue::method::Algorithm;
use meetjoin_dag::Kind;
use meetjoin_file::Shape;
use meetjoin_lattice::{Budget, Stop};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::drawn::{DrawnNode, first_nodes};
use crate::hasse::{Hasse, generated};
use crate::layout::{Edge, Place};
use crate::unfolded::with;
use meetjoin_report::page::Page;
use meetjoin_report::{counted, raw};
use meetjoin_solve::Instance;
use meetjoin_solve::Nodes;
use meetjoin_solve::request::{Refused, Request};

/// The most nodes drawn, in breadth-first order.
pub const MOST_NODES: usize = 400;
/// The most events of a search in a page.
pub const MOST_EVENTS: usize = 20_000;
/// The most bytes of these events, as values can be long.
const MOST_BYTES: usize = 4 << 20;
/// The most elements drawn of a lattice.
const MOST_ELEMENTS: usize = 40;

#[derive(Serialize)]
struct Data {
    nodes: Vec<NodeData>,
    edges: Vec<Edge>,
    width: f64,
    height: f64,
    lattice: Option<LatticeData>,
    searches: Vec<Search>,
    left_out: Vec<String>,
}

#[derive(Serialize)]
struct NodeData {
    key: String,
    name: String,
    kind: &'static str,
    shape: &'static str,
    x: f64,
    y: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
}

#[derive(Serialize)]
struct LatticeData {
    /// Elements as in events, with a text for people and a position.
    elements: Vec<ElementData>,
    covers: Vec<Edge>,
    /// By element: the elements above or equal to it.
    above: Vec<Vec<usize>>,
    width: f64,
    height: f64,
}

#[derive(Serialize)]
struct ElementData {
    key: String,
    text: String,
    x: f64,
    y: f64,
}

#[derive(Serialize)]
struct Search {
    algorithm: &'static str,
    name: &'static str,
    /// Whether it has a cache.
    remembers: bool,
    value: String,
    events: Vec<Box<RawValue>>,
}

/// A page that shows one or two searches of a problem, side by side.
///
/// # Errors
/// If an algorithm does not run on the problem, or the problem has no nodes that can be drawn.
pub fn trace(
    instance: &dyn Instance,
    title: &str,
    algorithms: &[Algorithm],
    budget: &Budget,
) -> Result<String, Refused> {
    let mut left_out = Vec::new();
    let mut searches = Vec::new();
    for algorithm in algorithms {
        instance.admits(algorithm)?;
        let (mut events, mut bytes, mut is_all) = (Vec::new(), 0, true);
        let mut tell = |line: &str| {
            bytes += line.len();
            is_all = events.len() < MOST_EVENTS && bytes <= MOST_BYTES;
            if is_all {
                events.push(raw(line.trim_end()));
            }
            is_all
        };
        let mut request = Request::new(*algorithm, budget);
        request.events = Some(&mut tell);
        let answer = instance.solve(request)?;
        let value = match answer.root.value.exact() {
            Some(value) => value.text(),
            None => format!(
                "between {} and {}",
                answer.root.value.lower().text(),
                answer.root.value.upper().text()
            ),
        };
        if !is_all {
            let (id, count) = (algorithm.id, events.len());
            left_out.push(format!("all events of {id} after the first {count}"));
        }
        searches.push(Search {
            algorithm: algorithm.id,
            name: algorithm.name,
            remembers: algorithm.remembers_nodes(),
            value,
            events,
        });
    }
    let data = with(instance, |problem| {
        data(problem, searches, left_out, budget)
    })?;
    let json = serde_json::to_string(&data).map_err(Refused::problem)?;
    // The data must not end the script element.
    let json = json.replace('<', "\\u003c");
    let body = format!(
        "{}<script type=\"application/json\" id=\"data\">{json}</script>\n",
        include_str!("trace/body.html")
    );
    Ok(Page {
        title,
        body: &body,
        style: include_str!("trace/page.css"),
        script: include_str!("trace/page.js"),
    }
    .html())
}

fn data(
    problem: &dyn Nodes,
    searches: Vec<Search>,
    mut left_out: Vec<String>,
    budget: &Budget,
) -> Data {
    let drawn = first_nodes(problem, MOST_NODES);
    if drawn.hidden > 0 {
        left_out.push(format!(
            "all nodes but the first {MOST_NODES}, and {} to them",
            counted(drawn.hidden, "edge")
        ));
    }
    let lattice = lattice(problem, &drawn.nodes, budget).unwrap_or(None);
    if lattice.is_none() {
        left_out.push(format!("the lattice: the values of the drawn nodes have more than {MOST_ELEMENTS} joins and meets"));
    }
    let nodes = drawn.nodes.into_iter().zip(drawn.places);
    let nodes = nodes.map(|(node, Place { x, y })| NodeData {
        key: node.key,
        name: node.name,
        kind: match node.kind {
            Kind::Or => "or",
            Kind::And => "and",
            Kind::Leaf => "leaf",
        },
        shape: Shape::of(node.kind).name(),
        x,
        y,
        value: node.value,
    });
    Data {
        nodes: nodes.collect(),
        edges: drawn.edges,
        width: drawn.width,
        height: drawn.height,
        lattice,
        searches,
        left_out,
    }
}

/// The sublattice generated by the values of leaves, with bottom and top; `None` if it is too large
/// to be drawn.
fn lattice(
    problem: &dyn Nodes,
    nodes: &[DrawnNode],
    budget: &Budget,
) -> Result<Option<LatticeData>, Stop> {
    let lattice = problem.lattice();
    let leaves = nodes.iter().filter(|node| node.kind == Kind::Leaf);
    let values = leaves.map(|leaf| problem.leaf(leaf.node));
    let Some(elements) = generated(lattice, values, MOST_ELEMENTS, budget)? else {
        return Ok(None);
    };
    let hasse = Hasse::of(lattice, elements, budget)?;
    let elements = hasse
        .elements
        .iter()
        .zip(hasse.places)
        .map(|(element, Place { x, y })| {
            let value = problem.value(element);
            ElementData {
                key: value.json(),
                text: value.text(),
                x,
                y,
            }
        });
    Ok(Some(LatticeData {
        elements: elements.collect(),
        covers: hasse.covers,
        above: hasse.above,
        width: hasse.width,
        height: hasse.height,
    }))
}
