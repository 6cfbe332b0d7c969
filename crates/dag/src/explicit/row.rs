//! The row of one node, and a view of the arrays of all nodes.

use std::hint::black_box;
use std::ops::Range;

use zerocopy::{FromBytes, Immutable, IntoBytes};

use crate::arrays::node::NodeId;
use crate::traits::Kind;

/// A node without its list of children, in eight bytes, so in one cache line.
///
/// In files these are two 32-bit numbers. The first is the index of the node's first child; of a
/// leaf, the ordinal. In the second, the lowest two bits are the kind (0 leaf, 1 AND, 2 OR), the
/// next bit says whether the node is a child more than once, and the upper 29 are the number of
/// children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, Immutable, IntoBytes)]
#[repr(C)]
pub struct Row {
    pub(crate) start: u32,
    pub(crate) packed: u32,
}

/// The kinds: values of the lowest two bits.
const LEAF: u32 = 0;
const AND: u32 = 1;
const OR: u32 = 2;
const KIND: u32 = 3;
/// The bit of nodes that are a child more than once. Set when the graph is finished.
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

    /// A row as in files: of a leaf, `start` is the ordinal and `children` is 0.
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

    /// Its range in the array of children; empty for a leaf.
    #[inline]
    fn range(self) -> Range<usize> {
        if self.is_leaf() {
            return 0..0;
        }
        let start = self.start as usize;
        start..start + (self.packed / ONE_CHILD) as usize
    }
}

/// The arrays of a graph, finished or not.
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

    /// Returns whether the node is a child more than once.
    #[inline]
    pub(crate) fn is_shared(self, node: NodeId) -> bool {
        self.nodes[node.index()].packed & SHARED != 0
    }

    /// The children, if they lie within the array.
    #[inline]
    pub(crate) fn row(self, node: NodeId) -> &'a [NodeId] {
        &self.children[self.nodes[node.index()].range()]
    }

    /// The children of a node in untrusted arrays: none if the arrays do not fit.
    pub(crate) fn row_if_any(self, node: NodeId) -> &'a [NodeId] {
        let row = self.children.get(self.nodes[node.index()].range());
        row.unwrap_or_default()
    }

    /// Reads the rows of these nodes. The reads are independent, so their cache misses overlap, and
    /// a search that visits the nodes later does not wait again.
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
