//! Positions of any board game as one type.
//!
//! Problem: a search is compiled for each type of nodes, so once for each game.
//!
//! Idea: all positions of board games fit into sixteen bytes. One search over packed positions
//! serves all games, and each game unpacks them as needed.
//!
//! Invariant: a packed position has the same hash as the position itself, so that tables evict the
//! same entries.

use std::hash::{Hash, Hasher};

use meetjoin_dag::AndOrDag;

use crate::boards::connect_four::stones::CELLS;

/// A position of any board game, as bytes, so that table entries with small values need no padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedPosition([u8; 16]);

/// The byte that selects how the others are hashed. No game uses it.
const FORM: usize = 14;
/// The position of that byte in the second word.
const SHIFT: usize = 8 * (FORM - 8);
const BYTES: u8 = 0;
const STONES: u8 = 1;
const PAIR: u8 = 2;

impl PackedPosition {
    /// Sixteen bytes of which the last but one is 0.
    #[inline]
    pub(crate) fn of_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    #[inline]
    pub(crate) fn bytes(self) -> [u8; 16] {
        self.0
    }

    /// The mover's stones, which leave that byte free, and all stones with their flags.
    #[inline]
    pub(crate) fn of_stones(mover: u64, all: u64) -> Self {
        Self::of_words(all, mover, STONES)
    }

    #[inline]
    pub(crate) fn stones(self) -> (u64, u64) {
        let (all, mover) = self.words();
        (mover & !(0xff << SHIFT), all)
    }

    /// Two small numbers.
    #[inline]
    pub(crate) fn of_pair(one: u16, other: u16) -> Self {
        Self::of_words(one.into(), other.into(), PAIR)
    }

    #[inline]
    pub(crate) fn pair(self) -> (u16, u16) {
        let (one, other) = self.words();
        (one as u16, other as u16)
    }

    #[inline]
    fn of_words(first: u64, second: u64, form: u8) -> Self {
        let second = second | u64::from(form) << SHIFT;
        Self((u128::from(second) << 64 | u128::from(first)).to_le_bytes())
    }

    #[inline]
    fn words(self) -> (u64, u64) {
        let all = u128::from_le_bytes(self.0);
        (all as u64, (all >> 64) as u64)
    }
}

impl Hash for PackedPosition {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.0[FORM] {
            BYTES => self.bytes().hash(state),
            STONES => {
                let (mover, all) = self.stones();
                state.write_u64(mover + (all & CELLS));
            }
            _ => self.pair().hash(state),
        }
    }
}

/// A game whose positions can be packed.
pub trait Packs: AndOrDag {
    /// The position in sixteen bytes.
    fn pack(position: &Self::Node) -> PackedPosition;

    /// Unpacks a position that this game has packed.
    fn unpack(packed: &PackedPosition) -> Self::Node;

    /// Appends the [children](AndOrDag::children), packed.
    fn expand(&self, position: &Self::Node, out: &mut Vec<PackedPosition>);
}
