//! The first nodes of a problem with places on a page: what is drawn of it, in pages and in
//! notebooks.

use std::collections::HashMap;

use meetjoin_dag::Kind;

use crate::layout::{Edge, Place, layered};
use crate::unfolded::with;
use meetjoin_solve::Instance;
use meetjoin_solve::request::Refused;
use meetjoin_solve::{Key, Nodes};

/// How far apart layers are.
pub(crate) const LAYERS: f64 = 84.0;

/// The first nodes that a breadth-first walk meets.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The nodes, the root first.
    pub nodes: Vec<DrawnNode>,
    /// From parents to children among them, each once.
    pub edges: Vec<Edge>,
    /// Where the nodes are.
    pub places: Vec<Place>,
    /// How wide it is.
    pub width: f64,
    /// How high it is.
    pub height: f64,
    /// Edges that lead from these nodes to others.
    pub hidden: usize,
}

/// A node that is drawn.
#[derive(Clone, Debug)]
pub struct DrawnNode {
    /// Its number.
    pub(crate) node: Key,
    /// What it is.
    pub kind: Kind,
    /// Its name as JSON.
    pub key: String,
    /// Its name for people.
    pub name: String,
    /// The value of a leaf for people.
    pub value: Option<String>,
}

/// The first nodes of a problem, at most so many.
///
/// # Errors
/// If it has no nodes of which one could speak.
pub fn drawn(instance: &dyn Instance, most: usize) -> Result<Drawn, Refused> {
    with(instance, |problem| first_nodes(problem, most))
}

/// The first nodes of a problem that is seen already.
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
