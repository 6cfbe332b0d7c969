//! Validates untrusted graph arrays.

use crate::arrays::node::NodeId;
use crate::explicit::row::{Row, SHARED, Table};
use crate::traits::Kind;

/// Why arrays are not a graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormError {
    /// Numbers are limited to 32 bits.
    #[error("there are more than {} nodes", u32::MAX - 1)]
    Counts,
    /// The root is no node.
    #[error("the root {0} is no node")]
    Root(NodeId),
    /// Children come after their parents, so the last node must be a leaf.
    #[error("the last node is no leaf")]
    LastNode,
    /// A node is neither leaf nor AND nor OR, or its children do not directly follow those of the
    /// inner node before.
    #[error("node number {0} has a kind, an ordinal or a place of its children that cannot be")]
    Row(NodeId),
    /// A child does not exist, or does not come after its parent. Every cycle has such a child.
    #[error(
        "node number {parent} has the child number {child}, which is not among the nodes behind it"
    )]
    Child {
        /// The node.
        parent: NodeId,
        /// The child.
        child: NodeId,
    },
    /// A node is wrongly marked as shared or not shared.
    #[error("node number {0} is marked as shared and is not, or is shared and not marked")]
    Shared(NodeId),
    /// The numbers of children or of leaves do not add up.
    #[error("the nodes have other numbers of children and of leaves than the file says")]
    Totals,
    /// There is not enough memory for a bit for each node.
    #[error("there is not enough memory for a bit for each node of the graph")]
    NoMemory,
}

/// Checks the arrays.
pub(crate) fn check(table: Table<'_>, leaves: u32) -> Result<(), FormError> {
    let count = table.nodes.len();
    let mut seen = Bits::of(count)?;
    let mut shared = Bits::of(count)?;
    let (mut next_leaf, mut next_child) = (0, 0);
    for node in table.numbers() {
        let row = table.nodes[node.index()];
        let children = table.row_if_any(node);
        // A row must be exactly what [`Rows`](super::rows::Rows) would write, so that each graph
        // has one encoding.
        let expected = match row.kind() {
            Kind::Leaf => Row::new(Kind::Leaf, next_leaf, 0),
            kind => Row::new(kind, next_child, children.len() as u32),
        };
        let unmarked = Row {
            packed: row.packed & !SHARED,
            ..row
        };
        if unmarked != expected || (row.kind() != Kind::Leaf && children.is_empty()) {
            return Err(FormError::Row(node));
        }
        match row.kind() {
            Kind::Leaf => next_leaf += 1,
            _ => next_child += children.len() as u32,
        }
        for &child in children {
            if child <= node || child.index() >= count {
                return Err(FormError::Child {
                    parent: node,
                    child,
                });
            }
            if seen.set(child) {
                shared.set(child);
            }
        }
    }
    if next_leaf != leaves || next_child as usize != table.children.len() {
        return Err(FormError::Totals);
    }
    let wrong = |node: &NodeId| table.is_shared(*node) != shared.has(*node);
    match table.numbers().find(wrong) {
        Some(node) => Err(FormError::Shared(node)),
        None => Ok(()),
    }
}

/// A bit for each node.
struct Bits(Vec<u64>);

impl Bits {
    fn of(nodes: usize) -> Result<Self, FormError> {
        let mut words = Vec::new();
        let room = words.try_reserve_exact(nodes.div_ceil(64));
        room.map_err(|_| FormError::NoMemory)?;
        words.resize(nodes.div_ceil(64), 0);
        Ok(Self(words))
    }

    /// Sets a bit; returns whether it was set before.
    fn set(&mut self, node: NodeId) -> bool {
        let (word, bit) = (&mut self.0[node.index() / 64], 1 << (node.index() % 64));
        let before = *word & bit != 0;
        *word |= bit;
        before
    }

    fn has(&self, node: NodeId) -> bool {
        self.0[node.index() / 64] >> (node.index() % 64) & 1 == 1
    }
}
