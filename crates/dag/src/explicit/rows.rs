//! Builds a graph whose nodes already have dense numbers.
//!
//! Problem: generators number their nodes themselves, and hashing these numbers would cost more
//! than the rest of the construction.
//!
//! Idea: [`Rows`] are the final arrays while they grow, and a node's number is how many were pushed
//! before it. A child may be named before it is pushed. [`Rows::finish`] makes all checks, once,
//! and moves the arrays into a [`Graph`](crate::Graph).
//!
//! Limits: 2^32 - 1 nodes, 2^32 - 1 edges, 2^29 - 1 children of one node.
//!
//! Cost: `finish` takes one pass over the edges when numbers only grow, or only shrink, from
//! parents to children, which rules out cycles. Otherwise a depth-first search with an explicit
//! stack adds one more pass, a byte per node, and eight bytes per node on the path.

use crate::arrays::node::NodeId;
use crate::error::GraphError;
use crate::explicit::row::{MOST_CHILDREN, Row, SHARED, Table};
use crate::traits::Kind;

/// The rows of a graph under construction. See the [module page](self).
///
/// ```
/// use meetjoin_dag::{NodeId, Rows};
///
/// let mut rows = Rows::new();
/// let root = rows.or([NodeId::from(1), NodeId::from(2)])?; // node 0
/// rows.leaf()?;
/// rows.and([NodeId::from(1), NodeId::from(1)])?;
/// let graph = rows.finish(root)?;
/// assert_eq!((graph.node_count(), graph.edge_count()), (3, 4));
/// # Ok::<(), meetjoin_dag::GraphError<NodeId>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    nodes: Vec<Row>,
    /// The children of the inner nodes one after the other, and at the end the open row.
    children: Vec<NodeId>,
    /// Where the open row begins.
    open: usize,
    leaves: u32,
}

impl Default for Rows {
    fn default() -> Self {
        Self::new()
    }
}

impl Rows {
    /// An empty list of rows.
    pub fn new() -> Self {
        Self {
            nodes: Vec::new(),
            children: Vec::new(),
            open: 0,
            leaves: 0,
        }
    }

    /// An empty list of rows with room for this many nodes and edges.
    ///
    /// # Errors
    /// [`GraphError::NoMemory`] if there is no such room.
    pub fn with_capacity(nodes: usize, edges: usize) -> Result<Self, GraphError<NodeId>> {
        let mut rows = Self::new();
        let nodes = rows.nodes.try_reserve_exact(nodes);
        let edges = rows.children.try_reserve_exact(edges);
        nodes.and(edges).map_err(|_| GraphError::NoMemory)?;
        Ok(rows)
    }

    /// Adds a leaf.
    ///
    /// # Errors
    /// [`GraphError::TooLarge`], [`GraphError::NoMemory`].
    #[inline]
    pub fn leaf(&mut self) -> Result<NodeId, GraphError<NodeId>> {
        self.close(Kind::Leaf)
    }

    /// Adds an AND node. Its children may be added later.
    ///
    /// # Errors
    /// [`GraphError::Childless`], [`GraphError::TooLarge`], [`GraphError::NoMemory`]. Nothing is
    /// added then.
    pub fn and(
        &mut self,
        children: impl IntoIterator<Item = NodeId>,
    ) -> Result<NodeId, GraphError<NodeId>> {
        self.inner(Kind::And, children)
    }

    /// Adds an OR node. Its children may be added later.
    ///
    /// # Errors
    /// [`GraphError::Childless`], [`GraphError::TooLarge`], [`GraphError::NoMemory`]. Nothing is
    /// added then.
    pub fn or(
        &mut self,
        children: impl IntoIterator<Item = NodeId>,
    ) -> Result<NodeId, GraphError<NodeId>> {
        self.inner(Kind::Or, children)
    }

    #[inline]
    fn inner(
        &mut self,
        kind: Kind,
        children: impl IntoIterator<Item = NodeId>,
    ) -> Result<NodeId, GraphError<NodeId>> {
        for child in children {
            self.push_child(child)?;
        }
        self.close(kind)
    }

    /// Adds a child to the open row, which the next [`close`](Self::close) assigns to a node. On
    /// `Err` the open row is empty.
    #[inline]
    pub(crate) fn push_child(&mut self, child: NodeId) -> Result<(), GraphError<NodeId>> {
        if self.children.try_reserve(1).is_err() {
            self.discard_open_row();
            return Err(GraphError::NoMemory);
        }
        self.children.push(child);
        Ok(())
    }

    /// Empties the open row.
    pub(crate) fn discard_open_row(&mut self) {
        self.children.truncate(self.open);
    }

    /// Makes the open row a new node. A leaf gets its ordinal here. On `Err` the open row is empty.
    #[inline]
    pub(crate) fn close(&mut self, kind: Kind) -> Result<NodeId, GraphError<NodeId>> {
        let closed = self.try_close(kind);
        if closed.is_err() {
            self.discard_open_row();
        }
        closed
    }

    #[inline]
    fn try_close(&mut self, kind: Kind) -> Result<NodeId, GraphError<NodeId>> {
        // The greatest number stays unused, so that the count of nodes fits 32 bits too.
        let number = u32::try_from(self.nodes.len())
            .ok()
            .filter(|&number| number < u32::MAX)
            .ok_or(GraphError::TooLarge)?;
        let room = self.nodes.try_reserve(1);
        room.map_err(|_| GraphError::NoMemory)?;
        let node = NodeId::from(number);
        let row = if kind == Kind::Leaf {
            self.discard_open_row();
            self.leaves += 1;
            Row::new(kind, self.leaves - 1, 0)
        } else {
            let end = u32::try_from(self.children.len()).map_err(|_| GraphError::TooLarge)?;
            // It begins no later than it ends.
            let start = self.open as u32;
            match end - start {
                0 => return Err(GraphError::Childless(node)),
                children @ 1..=MOST_CHILDREN => Row::new(kind, start, children),
                _ => return Err(GraphError::TooLarge),
            }
        };
        self.open = self.children.len();
        self.nodes.push(row);
        Ok(node)
    }

    /// The number of nodes.
    #[inline]
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// A view of the arrays.
    pub(crate) fn table(&self) -> Table<'_> {
        Table {
            nodes: &self.nodes,
            children: &self.children,
        }
    }

    /// The arrays, which must have been checked, and the number of leaves.
    pub(crate) fn into_parts(self) -> (Vec<Row>, Vec<NodeId>, u32) {
        (self.nodes, self.children, self.leaves)
    }

    /// Renumbers every child; `number[old]` is the new number.
    pub(crate) fn renumber_children(&mut self, number: &[u32]) {
        for child in &mut self.children {
            *child = NodeId::from(number[child.index()]);
        }
    }

    /// Renumbers every child; `None` if `number` gives none for one.
    pub(crate) fn try_renumber_children(
        &mut self,
        mut number: impl FnMut(u32) -> Option<u32>,
    ) -> Option<()> {
        for child in &mut self.children {
            *child = NodeId::from(number(u32::from(*child))?);
        }
        Some(())
    }

    /// Checks that the rows are a graph, and marks shared nodes.
    pub(crate) fn check(&mut self, root: NodeId) -> Result<(), GraphError<NodeId>> {
        if root.index() >= self.node_count() {
            return Err(GraphError::MissingRoot(root));
        }
        let mut all_grow = true;
        let mut all_shrink = true;
        for parent in self.table().numbers() {
            for &child in self.table().row(parent) {
                if child.index() >= self.node_count() {
                    return Err(GraphError::MissingChild { parent, child });
                }
                all_grow &= child > parent;
                all_shrink &= child < parent;
            }
        }
        if !all_grow
            && !all_shrink
            && let Some(cycle) = self.find_cycle()?
        {
            return Err(GraphError::Cycle(cycle));
        }
        self.discard_open_row();
        self.mark_shared()?;
        self.nodes.shrink_to_fit();
        self.children.shrink_to_fit();
        Ok(())
    }

    /// Marks shared nodes. Every child must exist.
    fn mark_shared(&mut self) -> Result<(), GraphError<NodeId>> {
        let mut is_child = filled(false, self.node_count())?;
        for child in &self.children {
            if std::mem::replace(&mut is_child[child.index()], true) {
                self.nodes[child.index()].packed |= SHARED;
            }
        }
        Ok(())
    }

    /// A cycle, if there is one, by depth-first search with colours. Every child must exist.
    fn find_cycle(&self) -> Result<Option<Vec<NodeId>>, GraphError<NodeId>> {
        #[derive(Clone, Copy, PartialEq)]
        enum Colour {
            New,
            OnPath,
            Done,
        }
        let mut colours = filled(Colour::New, self.node_count())?;
        // The path: each node with the number of its children taken so far.
        let mut path: Vec<(NodeId, u32)> = Vec::new();
        let table = self.table();
        for start in table.numbers() {
            if colours[start.index()] != Colour::New {
                continue;
            }
            colours[start.index()] = Colour::OnPath;
            path.push((start, 0));
            while let Some((node, taken)) = path.last_mut() {
                let Some(&child) = table.row(*node).get(*taken as usize) else {
                    colours[node.index()] = Colour::Done;
                    path.pop();
                    continue;
                };
                *taken += 1;
                match colours[child.index()] {
                    Colour::Done => {}
                    Colour::New => {
                        colours[child.index()] = Colour::OnPath;
                        path.try_reserve(1).map_err(|_| GraphError::NoMemory)?;
                        path.push((child, 0));
                    }
                    Colour::OnPath => {
                        let cycle = path.iter().map(|&(node, _)| node);
                        let cycle = cycle.skip_while(|node| *node != child);
                        return Ok(Some(cycle.collect()));
                    }
                }
            }
        }
        Ok(None)
    }
}

/// `count` copies of a value.
pub(crate) fn filled<T: Clone>(value: T, count: usize) -> Result<Vec<T>, GraphError<NodeId>> {
    let mut list = Vec::new();
    let room = list.try_reserve_exact(count);
    room.map_err(|_| GraphError::NoMemory)?;
    list.resize(count, value);
    Ok(list)
}
