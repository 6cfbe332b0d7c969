//! A graph from nodes with names of any kind, in any order.
//!
//! Idea: every id gets a number when it is first mentioned, as a node or as a child; the module
//! `numbering` does the rest with numbers.
//!
//! Cost: one hash look-up for each mention. Memory: the ids, some 5 to 10 bytes of hash table per
//! id, and the arrays of the graph.

use std::fmt::Debug;
use std::hash::Hash;

use crate::error::GraphError;
use crate::explicit::graph::Graph;
use crate::explicit::interner::Interner;
use crate::explicit::numbering::{Mention, Numbering};
use crate::traits::Kind;

/// A graph with the names of its nodes and the values of its leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built<Id, Value> {
    /// The graph.
    pub graph: Graph,
    /// The id of each node, by its number.
    pub ids: Vec<Id>,
    /// The value of each leaf, by its ordinal ([`Graph::leaf_ordinal`]).
    pub values: Vec<Value>,
}

/// Collects nodes in any order. See the [module page](self).
///
/// A call that fails leaves the graph as it was.
#[derive(Clone, Debug)]
pub struct GraphBuilder<Id, Value> {
    ids: Interner<Id>,
    nodes: Numbering,
    values: Vec<Value>,
}

impl<Id: Clone + Eq + Hash + Debug, Value> Default for GraphBuilder<Id, Value> {
    fn default() -> Self {
        Self::new()
    }
}

impl<Id: Clone + Eq + Hash + Debug, Value> GraphBuilder<Id, Value> {
    /// An empty builder.
    pub fn new() -> Self {
        Self {
            ids: Interner::default(),
            nodes: Numbering::default(),
            values: Vec::new(),
        }
    }

    /// Defines a leaf.
    ///
    /// # Errors
    /// [`GraphError::Duplicate`], [`GraphError::TooLarge`].
    pub fn leaf(&mut self, id: impl Into<Id>, value: Value) -> Result<(), GraphError<Id>> {
        self.define(id.into(), Kind::Leaf, std::iter::empty::<Id>())?;
        self.values.push(value);
        Ok(())
    }

    /// Defines an AND node. Its children may be defined later.
    ///
    /// # Errors
    /// [`GraphError::Duplicate`], [`GraphError::Childless`], [`GraphError::TooLarge`].
    pub fn and(
        &mut self,
        id: impl Into<Id>,
        children: impl IntoIterator<Item: Into<Id>>,
    ) -> Result<(), GraphError<Id>> {
        self.define(id.into(), Kind::And, children)
    }

    /// Defines an OR node. Its children may be defined later.
    ///
    /// # Errors
    /// [`GraphError::Duplicate`], [`GraphError::Childless`], [`GraphError::TooLarge`].
    pub fn or(
        &mut self,
        id: impl Into<Id>,
        children: impl IntoIterator<Item: Into<Id>>,
    ) -> Result<(), GraphError<Id>> {
        self.define(id.into(), Kind::Or, children)
    }

    fn define(
        &mut self,
        id: Id,
        kind: Kind,
        children: impl IntoIterator<Item: Into<Id>>,
    ) -> Result<(), GraphError<Id>> {
        let node = self.mention(&id)?;
        // Checked first, because the children of a refused node should not even be mentioned.
        if self.nodes.is_defined(node) {
            return Err(GraphError::Duplicate(id));
        }
        for child in children {
            match self.mention(&child.into()) {
                Ok(child) => self
                    .nodes
                    .push_child(child)
                    .map_err(|_| GraphError::NoMemory)?,
                Err(error) => {
                    self.nodes.discard_open_row();
                    return Err(error);
                }
            }
        }
        let closed = self.nodes.close(node, kind);
        closed
            .map(|_| ())
            .map_err(|error| error.map(|_| id.clone()))
    }

    fn mention(&mut self, id: &Id) -> Result<Mention, GraphError<Id>> {
        let number = self.ids.intern(id, |other| other == id, || id.clone());
        number.map(Mention).ok_or(GraphError::TooLarge)
    }

    /// The graph below a root.
    ///
    /// # Errors
    /// [`GraphError::MissingRoot`], [`GraphError::MissingChild`], [`GraphError::Cycle`]; a cycle
    /// counts even where the root does not reach.
    pub fn build(self, root: &Id) -> Result<Built<Id, Value>, GraphError<Id>> {
        let found = self.ids.find(root, |id| id == root);
        let root = found.ok_or_else(|| GraphError::MissingRoot(root.clone()))?;
        // Frees the hash table before anything else is allocated.
        let ids = self.ids.into_things();
        let (graph, ids) = self.nodes.build(ids, Mention(root))?;
        Ok(Built {
            graph,
            ids,
            values: self.values,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrays::node::NodeId;

    type Builder = GraphBuilder<&'static str, i32>;

    const NOBODY: [&str; 0] = [];

    #[test]
    fn nodes_in_any_order_are_numbered_as_defined() {
        let mut builder = Builder::new();
        builder.or("r", ["a", "x"]).expect("new");
        builder.leaf("y", 7).expect("new");
        builder.leaf("x", 5).expect("new");
        builder.and("a", ["x", "y", "y"]).expect("new");
        let built = builder.build(&"r").expect("a graph");
        assert_eq!(built.ids, ["r", "y", "x", "a"]);
        assert_eq!(built.values, [7, 5]);
        let graph = built.graph;
        assert_eq!(graph.root().index(), 0);
        let row = |n: u32| -> Vec<usize> {
            let row = graph.row(NodeId::from(n));
            row.iter().map(|child| child.index()).collect()
        };
        assert_eq!(row(0), [3, 2]);
        assert_eq!(row(3), [2, 1, 1]);
        assert_eq!(graph.leaf_ordinal(NodeId::from(2)), Some(1));
    }

    #[test]
    fn every_error_names_its_nodes() {
        let mut builder = Builder::new();
        assert_eq!(builder.or("r", NOBODY), Err(GraphError::Childless("r")));
        builder.or("r", ["a", "b"]).expect("new");
        assert_eq!(builder.leaf("r", 0), Err(GraphError::Duplicate("r")));
        assert_eq!(builder.and("r", ["c"]), Err(GraphError::Duplicate("r")));
        builder.leaf("a", 1).expect("new");
        let missing = GraphError::MissingChild {
            parent: "r",
            child: "b",
        };
        assert_eq!(builder.clone().build(&"r"), Err(missing));
        for root in ["b", "c", "nowhere"] {
            let built = builder.clone().build(&root);
            assert_eq!(built, Err(GraphError::MissingRoot(root)));
        }
        builder.and("b", ["a", "r"]).expect("new");
        let built = builder.build(&"r");
        assert_eq!(built, Err(GraphError::Cycle(vec!["r", "b"])));
    }

    #[test]
    fn a_refused_call_leaves_no_trace_in_the_graph() {
        let mut builder = Builder::new();
        builder.leaf("x", 1).expect("new");
        builder.and("x", ["x", "z"]).expect_err("a duplicate");
        builder.or("y", NOBODY).expect_err("childless");
        builder.or("y", ["x"]).expect("new");
        let built = builder.build(&"y").expect("a graph");
        assert_eq!(built.ids, ["x", "y"]);
        assert_eq!(built.graph.edge_count(), 1);
    }
}
