//! Entries of a table of proof numbers, and which are evicted first.
//!
//! Idea: a table that is full forgets the half that took the least work to find, because it is
//! found again with the least (*SmallTreeGC*). An entry that is proved or disproved counts as eight
//! times its work, because it is never looked below again. Work counts by its bits, so that one
//! pass finds the border.
//!
//! Source: Nagai (1999, 2002).

use std::num::NonZeroU32;

use crate::contracts::proof_numbers::ProofNumbers;

/// What a table says of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) numbers: ProofNumbers,
    /// Nodes expanded below it and remembered.
    pub(crate) work: NonZeroU32,
}

/// Ranks of entries, by the bits of their work.
const RANKS: usize = 36;

impl Known {
    /// What an entry is worth: three bits more if it is solved.
    fn rank(&self) -> usize {
        let bits = u32::BITS - self.work.leading_zeros();
        let solved = if self.numbers.is_solved() { 3 } else { 0 };
        (bits + solved) as usize
    }
}

/// The half of some entries that is worth least.
pub(crate) struct Worst {
    /// All ranks below this belong to it,
    border: usize,
    /// and so many of those at it, of so many. They are taken evenly from all: a part of a table
    /// that stays full beside one that is emptied would make long probes.
    some: usize,
    of: usize,
    debt: usize,
}

impl Worst {
    /// That of the entries that `each` shows.
    pub(crate) fn half(each: impl FnOnce(&mut dyn FnMut(&Known))) -> Self {
        let mut counts = [0_usize; RANKS];
        each(&mut |entry| counts[entry.rank()] += 1);
        let mut some = counts.iter().sum::<usize>().div_ceil(2);
        let mut border = 0;
        while some > counts[border] {
            some -= counts[border];
            border += 1;
        }
        Self {
            border,
            some,
            of: counts[border],
            debt: 0,
        }
    }

    /// Whether this entry, the next of all, belongs to it.
    pub(crate) fn takes(&mut self, entry: &Known) -> bool {
        let rank = entry.rank();
        if rank == self.border {
            self.debt += self.some;
            if self.debt >= self.of {
                self.debt -= self.of;
                return true;
            }
        }
        rank < self.border
    }
}
