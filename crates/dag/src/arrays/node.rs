//! The nodes of explicit graphs: dense numbers.

use std::fmt;

use zerocopy::{FromBytes, Immutable, IntoBytes};

/// A node of an explicit graph: its number in the order of definition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, FromBytes, Immutable, IntoBytes)]
#[repr(transparent)]
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

/// Prints the number alone, as messages about graphs show nodes.
impl fmt::Debug for NodeId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

/// Nodes that are dense numbers, so that a search can use an array in place of a hash table.
pub trait DenseNode: Sized {
    /// A unique small number for each node.
    fn index(&self) -> usize;

    /// The node with a number, if there is one.
    fn of_index(index: usize) -> Option<Self>;
}

impl DenseNode for NodeId {
    #[inline]
    fn index(&self) -> usize {
        self.0 as usize
    }

    #[inline]
    fn of_index(index: usize) -> Option<Self> {
        u32::try_from(index).ok().map(Self)
    }
}
