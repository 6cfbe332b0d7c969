//! The explicit graph, in compressed rows.
//!
//! Problem: a graph of ten million nodes must fit in memory, and a visit should touch few cache
//! lines.
//!
//! Idea: nodes are dense numbers in the order of their definition. A node is eight bytes: its kind,
//! whether it is shared, and the position and number of its children in a common array. So a search
//! needs one cache line before it goes on to the children. A leaf has, in place of children, a
//! *leaf ordinal* in `0..leaf_count`, so that the values of the leaves are one dense array and no
//! map from nodes to values is needed.
//!
//! Invariant: every inner node has a child, every child exists, there is no cycle. [`Rows::finish`]
//! checks it for a graph that is made here. For a graph in a file [`Graph::check_form`] can check
//! it; without the check, [`Graph::row`] returns valid children all the same.
//!
//! Cost: 8 bytes a node, 4 bytes an edge.

use std::borrow::Cow;
use std::fmt;

use crate::arrays::frozen::Frozen;
use crate::arrays::node::NodeId;
use crate::error::GraphError;
use crate::explicit::form::{self, FormError};
use crate::explicit::row::{Row, Table};
use crate::explicit::rows::Rows;
use crate::traits::{AndOrDag, Kind};

/// An explicit graph. See the [module page](self); [`GraphBuilder`](crate::GraphBuilder) and
/// [`Rows`] make one.
#[derive(Clone, Debug)]
pub struct Graph {
    root: NodeId,
    nodes: Frozen<Row>,
    children: Frozen<NodeId>,
    leaves: u32,
    /// Whether the arrays are untrusted: then children are made valid as they are read.
    foreign: bool,
}

impl Graph {
    /// A graph from untrusted arrays, such as those of a file. Children must have larger numbers
    /// than their parents, so the last node is a leaf.
    ///
    /// Only checks of constant time are made here; [`check_form`](Self::check_form) checks the
    /// arrays. Without it, a search of invalid arrays may find a wrong value, but ends: an invalid
    /// child is replaced by the nearest valid one.
    ///
    /// # Errors
    /// [`FormError`] if the parts do not fit together.
    pub fn of_arrays(
        root: NodeId,
        nodes: Frozen<Row>,
        children: Frozen<NodeId>,
        leaves: u32,
    ) -> Result<Self, FormError> {
        if nodes.len() >= u32::MAX as usize {
            return Err(FormError::Counts);
        }
        if root.index() >= nodes.len() {
            return Err(FormError::Root(root));
        }
        if nodes.last().is_none_or(|last| last.kind() != Kind::Leaf) {
            return Err(FormError::LastNode);
        }
        Ok(Self {
            root,
            nodes,
            children,
            leaves,
            foreign: true,
        })
    }

    /// Checks that the arrays are those of a graph, each part in its place, and every child after
    /// its parents.
    ///
    /// Cost: one pass over nodes and edges, and a bit per node.
    ///
    /// # Errors
    /// The first node that is invalid.
    pub fn check_form(&self) -> Result<(), FormError> {
        form::check(self.table(), self.leaves)
    }

    #[inline]
    fn table(&self) -> Table<'_> {
        Table {
            nodes: &self.nodes,
            children: &self.children,
        }
    }

    /// The children of an inner node in untrusted arrays: at least one, and all of them after the
    /// node.
    #[inline(never)]
    fn fitting_children(&self, node: NodeId, out: &mut Vec<NodeId>) {
        // The last node is a leaf, so `node` is another one.
        let last = self.nodes.len() as u32 - 1;
        let first = u32::from(node).saturating_add(1).min(last);
        let row = self.table().row_if_any(node);
        if row.is_empty() {
            out.push(NodeId::from(last));
        }
        let fits = |child: &NodeId| NodeId::from(u32::from(*child).clamp(first, last));
        out.extend(row.iter().map(fits));
    }

    /// The number of nodes, unreachable ones included.
    #[inline]
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The number of edges; a repeated child counts each time.
    pub fn edge_count(&self) -> usize {
        self.children.len()
    }

    /// The number of leaves: the length of an array of their values.
    pub fn leaf_count(&self) -> usize {
        self.leaves as usize
    }

    /// The root.
    #[inline]
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// The kind of the node.
    #[inline]
    pub fn kind(&self, node: NodeId) -> Kind {
        self.table().kind(node)
    }

    /// Returns whether the node is a child more than once, of one node or of several.
    #[inline]
    pub fn is_shared(&self, node: NodeId) -> bool {
        self.table().is_shared(node)
    }

    /// The children of a node in order; none for a leaf.
    pub fn row(&self, node: NodeId) -> Cow<'_, [NodeId]> {
        if self.foreign && self.kind(node) != Kind::Leaf {
            let mut row = Vec::new();
            self.fitting_children(node, &mut row);
            return Cow::Owned(row);
        }
        Cow::Borrowed(self.table().row(node))
    }

    /// The ordinal of a leaf, its place in an array of values; `None` for an inner node.
    #[inline]
    pub fn leaf_ordinal(&self, node: NodeId) -> Option<usize> {
        self.table().leaf_ordinal(node)
    }

    /// All nodes in the order of their definition.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        self.table().numbers()
    }
}

/// Compares the arrays, wherever they lie.
impl PartialEq for Graph {
    fn eq(&self, other: &Self) -> bool {
        (self.root, &self.nodes, &self.children) == (other.root, &other.nodes, &other.children)
    }
}

impl Eq for Graph {}

impl AndOrDag for Graph {
    type Node = NodeId;

    #[inline]
    fn root(&self) -> NodeId {
        self.root
    }

    #[inline]
    fn kind(&self, node: &NodeId) -> Kind {
        self.table().kind(*node)
    }

    #[inline]
    fn children(&self, node: &NodeId, out: &mut Vec<NodeId>) {
        if self.foreign {
            return self.fitting_children(*node, out);
        }
        out.extend_from_slice(self.table().row(*node));
    }

    #[inline]
    fn is_shared(&self, node: &NodeId) -> bool {
        self.table().is_shared(*node)
    }

    #[inline]
    fn prefetch(&self, nodes: &[NodeId]) {
        self.table().prefetch(nodes);
    }

    fn name(&self, node: &NodeId, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(out, "{node}")
    }
}

impl Rows {
    /// Checks the rows and makes them a graph.
    ///
    /// # Errors
    /// [`GraphError::MissingRoot`], [`GraphError::MissingChild`], [`GraphError::Cycle`]; a cycle
    /// counts even where the root does not reach.
    pub fn finish(mut self, root: NodeId) -> Result<Graph, GraphError<NodeId>> {
        self.check(root)?;
        let (nodes, children, leaves) = self.into_parts();
        Ok(Graph {
            root,
            nodes: nodes.into(),
            children: children.into(),
            leaves,
            foreign: false,
        })
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
        assert!(graph.row(NodeId::from(0)).is_empty());
        assert_eq!(
            *graph.row(NodeId::from(1)),
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
}
