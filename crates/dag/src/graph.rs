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

use crate::error::GraphError;
use crate::node::NodeId;
use crate::rows::Rows;
use crate::traits::{AndOrDag, Kind};

/// An explicit graph. See the [module page](self); [`GraphBuilder`](crate::GraphBuilder) and [`Rows`] make one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    root: NodeId,
    rows: Rows,
}

impl Graph {
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
        self.rows.numbers()
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

impl Rows {
    /// The graph, if it is one.
    ///
    /// # Errors
    /// [`GraphError::MissingRoot`], [`GraphError::MissingChild`], [`GraphError::Cycle`]; a cycle counts even where the root does not reach.
    pub fn finish(mut self, root: NodeId) -> Result<Graph, GraphError<NodeId>> {
        self.check(root)?;
        Ok(Graph { root, rows: self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_for_which_there_is_no_memory_are_refused_at_once() {
        for (nodes, edges) in [(usize::MAX, 0), (0, usize::MAX / 4), (1 << 56, 1 << 56)] {
            let rows = Rows::with_capacity(nodes, edges);
            assert_eq!(rows, Err(GraphError::NoMemory), "{nodes}, {edges}");
        }
    }

    fn diamond() -> Graph {
        let mut rows = Rows::new();
        let leaf = rows.leaf().expect("room");
        let and = rows.and([leaf, leaf]).expect("a fine row");
        let root = rows.or([and, leaf, NodeId::from(3)]).expect("a fine row");
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
        assert_eq!(graph.root(), NodeId::from(2));
        assert_eq!(graph.row(NodeId::from(0)), []);
        assert_eq!(
            graph.row(NodeId::from(1)),
            [NodeId::from(0), NodeId::from(0)]
        );
        let ordinals: Vec<_> = graph.nodes().map(|n| graph.leaf_ordinal(n)).collect();
        assert_eq!(ordinals, [Some(0), None, None, Some(1)]);
        let kinds: Vec<_> = graph.nodes().map(|n| graph.kind(n)).collect();
        assert_eq!(kinds, [Kind::Leaf, Kind::And, Kind::Or, Kind::Leaf]);
    }

    #[test]
    fn as_a_dag_it_says_the_same() {
        let graph = diamond();
        let mut children = vec![NodeId::from(9)];
        AndOrDag::children(&graph, &NodeId::from(2), &mut children);
        AndOrDag::children(&graph, &NodeId::from(0), &mut children);
        assert_eq!(
            children,
            [
                NodeId::from(9),
                NodeId::from(1),
                NodeId::from(0),
                NodeId::from(3)
            ]
        );
        let mut name = String::new();
        graph
            .name(&NodeId::from(2), &mut name)
            .expect("a string takes it");
        assert_eq!(name, "2");
    }

    #[test]
    fn another_root_must_exist() {
        let moved = diamond().with_root(NodeId::from(1)).expect("it exists");
        assert_eq!(moved.root(), NodeId::from(1));
        assert_eq!(diamond().with_root(NodeId::from(4)), None);
    }
}
