//! Any problem level by level, with numbers for nodes: what many machines evaluate from the leaves
//! up.
//!
//! Problem: a node that goes to another machine and to disk has to be data, and whoever evaluates
//! it there is to be compiled once and not for each game and lattice.
//!
//! Idea: a node is its level and a number of at most 128 bits, its *key*. Every edge leads to a
//! later level, so levels can be expanded from the root on, and evaluated from the last one back.
//! In a game a level is the number of moves; a position that is reached after different numbers of
//! moves is a node of each of these levels. In a graph with all its nodes a level is the longest
//! distance from the root, and an edge may pass over levels.
//!
//! Cost: a dynamic call for each node.

use std::sync::Arc;

use meetjoin_dag::{AndOrDag, Kind, NodeId, Problem};
use meetjoin_games::Numbered;
use meetjoin_lattice::{AnyElem, AnyLattice, Lattice as _};

use crate::answers::answer::NodeText;
use crate::answers::value::{Domain, Value};
use crate::searching::subject::position_name;

/// A node: its level, counted from the root, and its key.
pub type Place = (u32, u128);

/// A problem level by level, for all threads.
pub trait Layered: Send + Sync {
    /// Where values live.
    fn lattice(&self) -> &AnyLattice;

    /// Every key is below 2 to this power.
    fn key_bits(&self) -> u32;

    /// Whether an edge may pass over levels.
    fn skips(&self) -> bool {
        false
    }

    /// Whether a node may stand for several positions, whose number [`Nodes::positions`] knows.
    fn is_up_to_symmetry(&self) -> bool {
        false
    }

    /// Its nodes, for one thread.
    fn nodes(&self) -> Box<dyn Nodes + '_>;
}

/// The nodes of a problem. Of keys of no node nothing is said, but that they do no harm.
pub trait Nodes {
    /// The key of the root, whose level is 0.
    fn root(&self) -> u128;

    /// What a node is. The keys of its children are appended.
    fn expand(&mut self, node: u128, children: &mut Vec<u128>) -> Kind;

    /// What a node is, without its children.
    fn kind(&self, node: u128) -> Kind;

    /// The level of a child of a node on level `parent`.
    fn level(&self, parent: u32, _child: u128) -> u32 {
        parent + 1
    }

    /// How many positions the node stands for, all with the same value: more than one where of
    /// images of each other one is kept.
    fn positions(&self, _node: u128) -> u64 {
        1
    }

    /// The value of a leaf.
    fn leaf(&self, node: u128) -> AnyElem;

    /// The name of a node.
    fn name(&self, node: u128) -> NodeText;

    /// The name of the move from a node to one of its children.
    fn move_name(&self, from: u128, to: u128) -> String;

    /// A value as answers have it.
    fn value(&self, value: &AnyElem) -> Value;
}

/// The positions of a game, by their numbers.
pub(crate) struct Positions<'a, D: AndOrDag, G> {
    dag: &'a D,
    /// Knows the numbers.
    game: &'a G,
    leaf: Box<OfLeaf<'a, D>>,
    value: Box<dyn Fn(&AnyElem) -> Value + 'a>,
    images: Box<OfImages<'a, D>>,
    children: Vec<D::Node>,
}

/// The values of leaves.
type OfLeaf<'a, D> = dyn Fn(&<D as AndOrDag>::Node) -> AnyElem + 'a;
/// How many images nodes have.
type OfImages<'a, D> = dyn Fn(&<D as AndOrDag>::Node) -> Option<u32> + 'a;

impl<'a, D: AndOrDag, G> Positions<'a, D, G> {
    /// `leaf` gives values, and `value` says how they are shown.
    pub(crate) fn new(
        dag: &'a D,
        game: &'a G,
        leaf: impl Fn(&D::Node) -> AnyElem + 'a,
        value: impl Fn(&AnyElem) -> Value + 'a,
    ) -> Self {
        Self {
            dag,
            game,
            leaf: Box::new(leaf),
            value: Box::new(value),
            images: Box::new(|_| None),
            children: Vec::new(),
        }
    }

    /// The same where nodes stand for their images, which are as many.
    pub(crate) fn with_images(self, images: impl Fn(&D::Node) -> Option<u32> + 'a) -> Self {
        Self {
            images: Box::new(images),
            ..self
        }
    }
}

impl<D: AndOrDag, G: Numbered<Node = D::Node>> Nodes for Positions<'_, D, G> {
    fn root(&self) -> u128 {
        self.game.number(&self.dag.root())
    }

    fn expand(&mut self, node: u128, children: &mut Vec<u128>) -> Kind {
        let position = self.game.position(node);
        let kind = self.dag.kind(&position);
        if kind != Kind::Leaf {
            self.dag.children(&position, &mut self.children);
            let numbers = self.children.drain(..);
            children.extend(numbers.map(|child| self.game.number(&child)));
        }
        kind
    }

    fn kind(&self, node: u128) -> Kind {
        self.dag.kind(&self.game.position(node))
    }

    fn positions(&self, node: u128) -> u64 {
        (self.images)(&self.game.position(node)).map_or(1, u64::from)
    }

    fn leaf(&self, node: u128) -> AnyElem {
        (self.leaf)(&self.game.position(node))
    }

    fn name(&self, node: u128) -> NodeText {
        position_name(self.dag, &self.game.position(node))
    }

    fn move_name(&self, from: u128, to: u128) -> String {
        let mut name = String::new();
        let (from, to) = (self.game.position(from), self.game.position(to));
        // Writing to a string cannot fail.
        let _ = self.dag.move_name(&from, &to, &mut name);
        name
    }

    fn value(&self, value: &AnyElem) -> Value {
        (self.value)(value)
    }
}

/// A problem with all its nodes.
struct Explicit {
    problem: Problem<AnyLattice>,
    domain: Arc<Domain>,
    /// The longest distance from the root; 0 for nodes that it does not reach.
    levels: Vec<u32>,
}

/// A problem with all its nodes, level by level.
pub(crate) fn explicit(problem: Problem<AnyLattice>) -> Arc<dyn Layered> {
    let domain = Arc::new(Domain {
        lattice: problem.lattice().clone(),
        worlds: problem.worlds().map(<[String]>::to_vec),
    });
    let levels = longest_distances(&problem);
    Arc::new(Explicit {
        problem,
        domain,
        levels,
    })
}

/// How far each node is from the root at most: nodes are taken when all edges to them from above
/// have been followed.
fn longest_distances(problem: &Problem<AnyLattice>) -> Vec<u32> {
    let graph = problem.graph();
    let mut edges_to = vec![0_u32; graph.node_count()];
    let mut reached = vec![false; graph.node_count()];
    let mut open = vec![graph.root()];
    reached[graph.root().index()] = true;
    while let Some(node) = open.pop() {
        for child in &*graph.row(node) {
            edges_to[child.index()] += 1;
            if !std::mem::replace(&mut reached[child.index()], true) {
                open.push(*child);
            }
        }
    }
    let mut levels = vec![0; graph.node_count()];
    open.push(graph.root());
    while let Some(node) = open.pop() {
        let below = levels[node.index()] + 1;
        for child in &*graph.row(node) {
            let child = child.index();
            levels[child] = below.max(levels[child]);
            edges_to[child] -= 1;
            if edges_to[child] == 0 {
                open.push(NodeId::from(child as u32));
            }
        }
    }
    levels
}

impl Layered for Explicit {
    fn lattice(&self) -> &AnyLattice {
        self.problem.lattice()
    }

    fn key_bits(&self) -> u32 {
        u32::BITS
    }

    fn skips(&self) -> bool {
        true
    }

    fn nodes(&self) -> Box<dyn Nodes + '_> {
        Box::new(self)
    }
}

impl Explicit {
    /// A key that belongs to no node is taken for the root.
    fn node(&self, key: u128) -> NodeId {
        let known = u32::try_from(key).ok().map(NodeId::from);
        known
            .filter(|node| node.index() < self.levels.len())
            .unwrap_or_else(|| self.problem.graph().root())
    }
}

impl Nodes for &Explicit {
    fn root(&self) -> u128 {
        u32::from(self.problem.graph().root()).into()
    }

    fn expand(&mut self, node: u128, children: &mut Vec<u128>) -> Kind {
        let node = self.node(node);
        let row = self.problem.graph().row(node);
        children.extend(row.iter().map(|child| u128::from(u32::from(*child))));
        self.problem.graph().kind(node)
    }

    fn kind(&self, node: u128) -> Kind {
        self.problem.graph().kind(self.node(node))
    }

    fn level(&self, _: u32, child: u128) -> u32 {
        self.levels[self.node(child).index()]
    }

    fn leaf(&self, node: u128) -> AnyElem {
        let ordinal = self.problem.graph().leaf_ordinal(self.node(node));
        ordinal.map_or_else(
            || self.problem.lattice().bottom(),
            |ordinal| self.problem.values().get(ordinal),
        )
    }

    fn name(&self, node: u128) -> NodeText {
        (&*self.problem.node_name(self.node(node))).into()
    }

    fn move_name(&self, _: u128, to: u128) -> String {
        self.problem.node_name(self.node(to)).to_string()
    }

    fn value(&self, value: &AnyElem) -> Value {
        Value::Element {
            element: value.clone(),
            domain: Arc::clone(&self.domain),
        }
    }
}
