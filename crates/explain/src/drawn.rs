//! The first nodes of a problem with positions for drawing, in pages and in notebooks.

use std::collections::HashMap;

use meetjoin_dag::Kind;

use crate::layout::{Edge, Place, layered};
use crate::unfolded::with;
use meetjoin_solve::Instance;
use meetjoin_solve::request::Refused;
use meetjoin_solve::{Key, Nodes};

/// The distance between layers.
pub(crate) const LAYERS: f64 = 84.0;

/// The first nodes in breadth-first order, with positions.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The nodes, the root first.
    pub nodes: Vec<DrawnNode>,
    /// The edges among them, each once.
    pub edges: Vec<Edge>,
    /// The positions of the nodes.
    pub places: Vec<Place>,
    /// The width of the drawing.
    pub width: f64,
    /// The height of the drawing.
    pub height: f64,
    /// The number of edges to nodes that are not drawn.
    pub hidden: usize,
}

/// A node that is drawn.
#[derive(Clone, Debug)]
pub struct DrawnNode {
    /// Its key.
    pub(crate) node: Key,
    /// Its kind.
    pub kind: Kind,
    /// Its name as JSON.
    pub key: String,
    /// Its name for people.
    pub name: String,
    /// The value of a leaf for people.
    pub value: Option<String>,
}

/// The first nodes of a problem, at most `most`.
///
/// # Errors
/// If it has no nodes that can be identified.
pub fn drawn(instance: &dyn Instance, most: usize) -> Result<Drawn, Refused> {
    with(instance, |problem| first_nodes(problem, most))
}

/// The first nodes of a problem that is open already.
pub(crate) fn first_nodes(problem: &dyn Nodes, most: usize) -> Drawn {
    let mut numbers = HashMap::from([(problem.root(), 0)]);
    let mut nodes = vec![problem.root()];
    let mut edges: Vec<Edge> = Vec::new();
    let (mut next, mut children, mut hidden) = (0, Vec::new(), 0_usize);
    while let Some(&node) = nodes.get(next) {
        children.clear();
        problem.expand(node, &mut children);
        for child in &children {
            let to = match numbers.get(child) {
                Some(&to) => to,
                None if nodes.len() < most => {
                    numbers.insert(*child, nodes.len());
                    nodes.push(*child);
                    nodes.len() - 1
                }
                None => {
                    hidden += 1;
                    continue;
                }
            };
            if !edges.contains(&(next, to)) {
                edges.push((next, to));
            }
        }
        next += 1;
    }
    let (places, width, height) = layered(nodes.len(), &edges, LAYERS);
    let nodes = nodes.into_iter().map(|node| {
        let (name, kind) = (problem.name(node), problem.kind(node));
        DrawnNode {
            node,
            kind,
            key: name.json,
            name: name.text,
            value: (kind == Kind::Leaf).then(|| problem.value(&problem.leaf(node)).text()),
        }
    });
    Drawn {
        nodes: nodes.collect(),
        edges,
        places,
        width,
        height,
        hidden,
    }
}
