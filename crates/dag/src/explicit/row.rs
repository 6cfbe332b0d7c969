//! The row of one node, and the arrays of all nodes as a view.

use std::hint::black_box;
use std::ops::Range;

use zerocopy::{FromBytes, Immutable, IntoBytes};

use crate::arrays::node::NodeId;
use crate::traits::Kind;

/// What is known of a node without its children: all that a look at it needs, in eight bytes, so in
/// one line of the processor's cache.
///
/// In files these are two 32-bit numbers. The first says where the node's children begin; of a leaf
/// it is the ordinal. Of the second the lowest two bits are the kind (0 leaf, 1 AND, 2 OR), the
/// next says whether the node is a child more than once, and the other 29 how many children it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, Immutable, IntoBytes)]
#[repr(C)]
pub struct Row {
    pub(crate) start: u32,
    pub(crate) packed: u32,
}

/// Of the last two bits.
const LEAF: u32 = 0;
const AND: u32 = 1;
const OR: u32 = 2;
const KIND: u32 = 3;
/// Whether it is a child more than once. Known when the graph is finished.
pub(crate) const SHARED: u32 = 4;
const ONE_CHILD: u32 = 8;
/// The most children of one node.
pub(crate) const MOST_CHILDREN: u32 = u32::MAX / ONE_CHILD;

impl Row {
    pub(crate) fn new(kind: Kind, start: u32, children: u32) -> Self {
        let kind = match kind {
            Kind::Leaf => LEAF,
            Kind::And => AND,
            Kind::Or => OR,
        };
        Self {
            start,
            packed: (children * ONE_CHILD) | kind,
        }
    }

    /// A row as files have it: of a leaf `start` is its ordinal, and there are no children.
    pub fn of(kind: Kind, shared: bool, start: u32, children: u32) -> Self {
        let mut row = Self::new(kind, start, children);
        row.packed |= if shared { SHARED } else { 0 };
        row
    }

    /// As in a file.
    pub fn to_le_bytes(self) -> [u8; 8] {
        (u64::from(self.packed) << 32 | u64::from(self.start)).to_le_bytes()
    }

    #[inline]
    pub(crate) fn kind(self) -> Kind {
        match self.packed & KIND {
            LEAF => Kind::Leaf,
            AND => Kind::And,
            _ => Kind::Or,
        }
    }

    #[inline]
    fn is_leaf(self) -> bool {
        self.packed & KIND == LEAF
    }

    /// Its part of the children; of a leaf an empty one.
    #[inline]
    fn range(self) -> Range<usize> {
        if self.is_leaf() {
            return 0..0;
        }
        let start = self.start as usize;
        start..start + (self.packed / ONE_CHILD) as usize
    }
}

/// The arrays of a graph, or of one in the making.
#[derive(Clone, Copy)]
pub(crate) struct Table<'a> {
    pub(crate) nodes: &'a [Row],
    /// The rows of the inner nodes one after the other.
    pub(crate) children: &'a [NodeId],
}

impl<'a> Table<'a> {
    #[inline]
    pub(crate) fn kind(self, node: NodeId) -> Kind {
        self.nodes[node.index()].kind()
    }

    /// Whether the node is a child more than once.
    #[inline]
    pub(crate) fn is_shared(self, node: NodeId) -> bool {
        self.nodes[node.index()].packed & SHARED != 0
    }

    /// The children, if they lie where they should.
    #[inline]
    pub(crate) fn row(self, node: NodeId) -> &'a [NodeId] {
        &self.children[self.nodes[node.index()].range()]
    }

    /// The children of a node in arrays that somebody else wrote: none if the arrays do not fit.
    pub(crate) fn row_if_any(self, node: NodeId) -> &'a [NodeId] {
        let row = self.children.get(self.nodes[node.index()].range());
        row.unwrap_or_default()
    }

    /// Reads where the rows of these nodes begin. The reads do not depend on each other, so they
    /// wait for the memory together, and a search that comes to the nodes one after the other does
    /// not wait again.
    #[inline]
    pub(crate) fn prefetch(self, nodes: &[NodeId]) {
        let inner = nodes.iter().map(|node| self.nodes[node.index()]);
        let inner = inner.filter(|row| !row.is_leaf());
        let read = inner.filter_map(|row| self.children.get(row.start as usize));
        black_box(read.fold(0, |all, child| all ^ u32::from(*child)));
    }

    /// The ordinal of a leaf; `None` for an inner node.
    #[inline]
    pub(crate) fn leaf_ordinal(self, node: NodeId) -> Option<usize> {
        let row = self.nodes[node.index()];
        row.is_leaf().then_some(row.start as usize)
    }

    /// All nodes in the order of their definition.
    pub(crate) fn numbers(
        self,
    ) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        // There are fewer than 2^32.
        (0..self.nodes.len() as u32).map(NodeId::from)
    }
}
