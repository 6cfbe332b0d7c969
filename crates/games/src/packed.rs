//! Positions of any board game as one type.
//!
//! Problem: a search is compiled for its nodes, so once for each game.
//!
//! Idea: all positions of board games fit into two words. A search over these is one for all games, and the game makes a position of the words when it is asked.
//!
//! Invariant: a packed position is hashed as the position itself, so that tables which forget by hashes forget the same.

use std::hash::{Hash, Hasher};

use meetjoin_dag::AndOrDag;

use crate::connect_four::stones::CELLS;

/// A position of any board game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedPosition {
    first: u64,
    /// A byte that no game uses says how the words are hashed.
    second: u64,
}

/// Where that byte begins.
const FORM: u32 = 48;
const BYTES: u64 = 0;
const STONES: u64 = 1 << FORM;
const PAIR: u64 = 2 << FORM;
const FORMS: u64 = 0xff << FORM;

impl PackedPosition {
    /// Sixteen bytes of which the last but one is 0.
    #[inline]
    pub(crate) fn of_bytes(bytes: [u8; 16]) -> Self {
        let all = u128::from_le_bytes(bytes);
        Self {
            first: all as u64,
            second: (all >> 64) as u64 | BYTES,
        }
    }

    #[inline]
    pub(crate) fn bytes(self) -> [u8; 16] {
        (u128::from(self.second) << 64 | u128::from(self.first)).to_le_bytes()
    }

    /// The stones of the mover, and all with what is noted beside them.
    #[inline]
    pub(crate) fn of_stones(mover: u64, all: u64) -> Self {
        Self {
            first: all,
            second: mover | STONES,
        }
    }

    #[inline]
    pub(crate) fn stones(self) -> (u64, u64) {
        (self.second & !FORMS, self.first)
    }

    /// Two small numbers.
    #[inline]
    pub(crate) fn of_pair(one: u16, other: u16) -> Self {
        Self {
            first: one.into(),
            second: u64::from(other) | PAIR,
        }
    }

    #[inline]
    pub(crate) fn pair(self) -> (u16, u16) {
        (self.first as u16, self.second as u16)
    }
}

impl Hash for PackedPosition {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.second & FORMS {
            STONES => {
                let (mover, all) = self.stones();
                state.write_u64(mover + (all & CELLS));
            }
            PAIR => self.pair().hash(state),
            _ => self.bytes().hash(state),
        }
    }
}

/// A game whose positions can be packed.
pub trait Packs: AndOrDag {
    /// The position in two words.
    fn pack(position: &Self::Node) -> PackedPosition;

    /// The position that was packed so by this game.
    fn unpack(packed: &PackedPosition) -> Self::Node;

    /// Appends the [children](AndOrDag::children), packed.
    fn expand(&self, position: &Self::Node, out: &mut Vec<PackedPosition>);
}
