//! The first 256 bytes of a file, and the order of its sections.

use std::ops::Range;

use zerocopy::little_endian::{I64, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// The first bytes. No text begins like this, and conversions of line ends damage it.
pub const MAGIC: [u8; 8] = *b"\x89MJP\r\n\x1a\n";
/// The version of the layout.
pub(super) const VERSION: u32 = 1;
/// Sections are aligned to this many bytes: a cache line, and enough for every number.
pub(super) const ALIGNMENT: u64 = 64;

/// The sections, in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    /// [`Row`](meetjoin_dag::Row) by node: two 32-bit numbers.
    Nodes,
    /// Numbers of nodes, 32 bits each: the children of the inner nodes one after the other.
    Children,
    /// Words of 64 bits, `width` for each leaf by its ordinal.
    Values,
    /// 64-bit numbers: where the names end, or the names.
    Names,
    /// The bytes of the names.
    NameBytes,
    /// 64-bit numbers: where each text ends.
    TextEnds,
    /// The texts, which are values as JSON.
    Texts,
    /// Triples of 64-bit numbers, ascending by the first: a node, and the numbers of the texts that
    /// are its bounds.
    Bounds,
    /// JSON: lattice, names of worlds, note.
    Meta,
}

pub(super) const SECTIONS: usize = 9;

/// All sections in order.
pub(super) const SECTIONS_IN_ORDER: [Section; SECTIONS] = [
    Section::Nodes,
    Section::Children,
    Section::Values,
    Section::Names,
    Section::NameBytes,
    Section::TextEnds,
    Section::Texts,
    Section::Bounds,
    Section::Meta,
];

/// Values are encoded in the words themselves.
pub(super) const WORDS: u8 = 0;
/// Values are indices of texts.
pub(super) const TEXTS: u8 = 1;

/// Nodes are named by consecutive integers.
pub(super) const NAMES_FROM: u8 = 0;
/// Names are 64-bit integers.
pub(super) const NAMES_INTEGERS: u8 = 1;
/// Names are bytes.
pub(super) const NAMES_BYTES: u8 = 2;

/// No leaf is worth the bottom.
pub(super) const NEVER_BOTTOM: u8 = 1;

#[derive(Clone, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(super) struct Header {
    pub(super) magic: [u8; 8],
    pub(super) version: U32,
    /// CRC-32 of the header, where this is zero.
    pub(super) own_sum: U32,
    /// The length of the whole file.
    pub(super) length: U64,
    /// CRC-32 of everything after the header.
    pub(super) body_sum: U32,
    pub(super) root: U32,
    pub(super) nodes: U32,
    pub(super) leaves: U32,
    pub(super) edges: U32,
    /// The number of words in a value.
    pub(super) width: U32,
    pub(super) values: u8,
    pub(super) names: u8,
    pub(super) flags: u8,
    pub(super) zeros: [u8; 5],
    /// The name of the first node, if names are consecutive.
    pub(super) first_name: I64,
    /// The positions and lengths of the sections, in bytes.
    pub(super) sections: [[U64; 2]; SECTIONS],
    pub(super) more_zeros: [u8; 48],
}

/// The length of the header.
pub(super) const HEADER: usize = size_of::<Header>();
const _: () = assert!(HEADER == 256, "the table in the book says so");

impl Header {
    /// The checksum that the header should have.
    pub(super) fn sum(&self) -> u32 {
        let mut unsummed = self.clone();
        unsummed.own_sum = U32::ZERO;
        crc32fast::hash(unsummed.as_bytes())
    }

    /// The range of a section, if it is aligned, and lies within the file and after the header.
    pub(super) fn section(&self, section: Section) -> Option<Range<usize>> {
        let [begin, length] = self.sections[section as usize].map(U64::get);
        let end = begin.checked_add(length)?;
        let fits =
            begin >= HEADER as u64 && begin.is_multiple_of(ALIGNMENT) && end <= self.length.get();
        fits.then_some(usize::try_from(begin).ok()?..usize::try_from(end).ok()?)
    }
}
