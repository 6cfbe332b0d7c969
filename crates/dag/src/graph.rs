//! The explicit graph, in compressed rows.
//!
//! Problem: a graph of ten million nodes must fit in memory and in as few cache lines as a visit can do with.
//!
//! Idea: nodes are dense numbers in the order of their definition. A node is eight bytes: its kind, whether it is shared, and where in a common
//! array its children lie and how many there are. So one line of the processor's cache says all that a search asks before it goes on to the children.
//! A leaf has no children, and its *leaf ordinal* in their place, a number in `0..leaf_count`, so that the values
//! of the leaves are one dense array and nobody needs a map from nodes to values.
//!
//! Invariant: every inner node has a child, every child exists, there is no cycle. Only [`Rows::finish`] makes a graph, and it checks.
//!
//! Cost: 8 bytes a node, 4 bytes an edge.

use std::fmt;

use crate::rows::Rows;
use crate::{AndOrDag, Kind};

/// A node of an explicit graph: its number in the order of definition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The number, as an index into arrays.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<u32> for NodeId {
    #[inline]
    fn from(number: u32) -> Self {
        Self(number)
    }
}

impl From<NodeId> for u32 {
    #[inline]
    fn from(node: NodeId) -> Self {
        node.0
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

/// The number alone, because messages about graphs print nodes this way.
impl fmt::Debug for NodeId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

/// Nodes that are dense numbers, so that a search can keep an array where it would keep a hash table.
pub trait DenseNode {
    /// A number of its own for each node; the numbers in use are small.
    fn index(&self) -> usize;
}

impl DenseNode for NodeId {
    #[inline]
    fn index(&self) -> usize {
        self.0 as usize
    }
}

/// An explicit graph. See the [module page](self); [`GraphBuilder`](crate::GraphBuilder) and [`Rows`] make one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    root: NodeId,
    rows: Rows,
}

impl Graph {
    /// Wraps rows that have been checked.
    pub(crate) fn from_checked(root: NodeId, rows: Rows) -> Self {
        Self { root, rows }
    }

    /// How many nodes there are, unreachable ones included.
    #[inline]
    pub fn node_count(&self) -> usize {
        self.rows.node_count()
    }

    /// How many edges there are; a repeated child counts each time.
    pub fn edge_count(&self) -> usize {
        self.rows.edge_count()
    }

    /// How many leaves there are: the length of an array of their values.
    pub fn leaf_count(&self) -> usize {
        self.rows.leaf_count()
    }

    /// Where the search begins.
    #[inline]
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// What the node is.
    #[inline]
    pub fn kind(&self, node: NodeId) -> Kind {
        self.rows.kind(node)
    }

    /// Whether the node is a child more than once, of one node or of several.
    #[inline]
    pub fn is_shared(&self, node: NodeId) -> bool {
        self.rows.is_shared(node)
    }

    /// The children of a node in order; none for a leaf.
    #[inline]
    pub fn row(&self, node: NodeId) -> &[NodeId] {
        self.rows.row(node)
    }

    /// The ordinal of a leaf, its place in an array of values; `None` for an inner node.
    #[inline]
    pub fn leaf_ordinal(&self, node: NodeId) -> Option<usize> {
        self.rows.leaf_ordinal(node)
    }

    /// All nodes in the order of their definition.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        (0..self.node_count()).map(|number| NodeId(number as u32))
    }

    /// The same graph searched from another node.
    ///
    /// A number that is no node of this graph gives `None`.
    #[must_use]
    pub fn with_root(mut self, root: NodeId) -> Option<Self> {
        self.root = root;
        (root.index() < self.node_count()).then_some(self)
    }
}

impl AndOrDag for Graph {
    type Node = NodeId;

    #[inline]
    fn root(&self) -> NodeId {
        self.root
    }

    #[inline]
    fn kind(&self, node: &NodeId) -> Kind {
        self.rows.kind(*node)
    }

    #[inline]
    fn children(&self, node: &NodeId, out: &mut Vec<NodeId>) {
        out.extend_from_slice(self.rows.row(*node));
    }

    #[inline]
    fn is_shared(&self, node: &NodeId) -> bool {
        self.rows.is_shared(*node)
    }

    #[inline]
    fn prefetch(&self, nodes: &[NodeId]) {
        self.rows.prefetch(nodes);
    }

    fn name(&self, node: &NodeId, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(out, "{node}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diamond() -> Graph {
        let mut rows = Rows::new();
        let leaf = rows.leaf().expect("room");
        let and = rows.and([leaf, leaf]).expect("a fine row");
        let root = rows.or([and, leaf, NodeId(3)]).expect("a fine row");
        rows.leaf().expect("room");
        rows.finish(root).expect("a fine graph")
    }

    #[test]
    fn accessors_agree_with_what_was_put_in() {
        let graph = diamond();
        assert_eq!(
            (graph.node_count(), graph.edge_count(), graph.leaf_count()),
            (4, 5, 2)
        );
        assert_eq!(graph.root(), NodeId(2));
        assert_eq!(graph.row(NodeId(0)), []);
        assert_eq!(graph.row(NodeId(1)), [NodeId(0), NodeId(0)]);
        let ordinals: Vec<_> = graph.nodes().map(|n| graph.leaf_ordinal(n)).collect();
        assert_eq!(ordinals, [Some(0), None, None, Some(1)]);
        let kinds: Vec<_> = graph.nodes().map(|n| graph.kind(n)).collect();
        assert_eq!(kinds, [Kind::Leaf, Kind::And, Kind::Or, Kind::Leaf]);
    }

    #[test]
    fn as_a_dag_it_says_the_same() {
        let graph = diamond();
        let mut children = vec![NodeId(9)];
        AndOrDag::children(&graph, &NodeId(2), &mut children);
        AndOrDag::children(&graph, &NodeId(0), &mut children);
        assert_eq!(children, [NodeId(9), NodeId(1), NodeId(0), NodeId(3)]);
        let mut name = String::new();
        graph
            .name(&NodeId(2), &mut name)
            .expect("a string takes it");
        assert_eq!(name, "2");
    }

    #[test]
    fn another_root_must_exist() {
        let moved = diamond().with_root(NodeId(1)).expect("it exists");
        assert_eq!(moved.root(), NodeId(1));
        assert_eq!(diamond().with_root(NodeId(4)), None);
    }
}
