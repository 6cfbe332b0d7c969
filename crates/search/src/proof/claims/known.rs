//! Entries of a table of proof numbers, and the order of eviction.
//!
//! Idea: a full table evicts the half of its entries that took the least work to find, because
//! these are cheapest to find again (*SmallTreeGC*). An entry that is proved or disproved counts as
//! eight times its work, because nothing below it is searched again. Only the number of bits of the
//! work counts, so that one pass finds the median.
//!
//! Source: Nagai (1999, 2002).

use std::num::NonZeroU32;

use crate::contracts::proof_numbers::ProofNumbers;

/// An entry of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) numbers: ProofNumbers,
    /// The number of nodes expanded below it so far.
    pub(crate) work: NonZeroU32,
}

/// The number of ranks: bits of the work, and three more.
const RANKS: usize = 36;

impl Known {
    /// The rank of an entry: the bits of its work, and three more if it is solved.
    fn rank(&self) -> usize {
        let bits = u32::BITS - self.work.leading_zeros();
        let solved = if self.numbers.is_solved() { 3 } else { 0 };
        (bits + solved) as usize
    }
}

/// Selects the half of the entries with the lowest ranks.
pub(crate) struct Worst {
    /// All lower ranks belong to it,
    border: usize,
    /// and this share of the entries at that rank. They are taken evenly from the table: a part
    /// that stays full would make long probes.
    some: usize,
    of: usize,
    debt: usize,
}

impl Worst {
    /// The lower half of the entries that `each` shows.
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

    /// Returns whether the next entry belongs to it.
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
