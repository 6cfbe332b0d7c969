//! A table of fixed size from nodes to proof and disproof numbers, which evicts the cheapest
//! entries.
//!
//! Problem: a depth-first proof search depends on its table, which must not exceed a given size.
//!
//! Idea: one array of slots, open addressing with linear probing. Beside its numbers an entry has
//! its *work*: how many nodes were expanded below it. When the table is full, the half with the
//! least work is evicted, because it is cheapest to find again (*SmallTreeGC*). An entry that is
//! proved or disproved counts as eight times its work, because nothing below it is searched again.
//!
//! Eviction works in place. One pass begins after an empty slot; each entry is removed and, if it
//! is kept, reinserted where a probe for it ends now. That is not after its old slot, and all slots
//! before are finished, so probe sequences stay unbroken without a second array.
//!
//! Invariant: an entry with a solved number is true of its node. Nodes are compared whole; a hash
//! never decides.
//!
//! Cost: at most the requested bytes, allocated at once (heap memory of nodes does not count). At
//! least [`LEAST_ENTRIES`] slots must fit. A slot is the node and 12 bytes, rounded up to the
//! node's alignment: 32 bytes for a node of 16. An eviction takes one pass over the array, after
//! insertions of at least three eighths of its slots.
//!
//! Source: garbage collection by the size of subtrees: Nagai (1999, 2002).

use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::Arc;

use ahash::RandomState;

use super::shared_part::SharedPart;
use crate::caches::in_progress::InProgress;
use crate::contracts::proof_numbers::ProofNumbers;
use crate::proof::claims::known::{Known, Worst};

/// The fewest slots of a table.
pub const LEAST_ENTRIES: usize = 8;

/// Why a table cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProofTableError {
    /// Too few bytes.
    #[error(
        "a table of proof numbers of these nodes takes {least} bytes at least, and not {bytes}"
    )]
    TooSmall {
        /// The bytes requested.
        bytes: usize,
        /// The fewest bytes.
        least: usize,
    },
    /// The allocation failed.
    #[error("there is no room for a table of {bytes} bytes")]
    NoRoom {
        /// The bytes requested.
        bytes: usize,
    },
}

#[derive(Clone, Debug)]
struct Entry<N> {
    node: N,
    known: Known,
}

/// A table of a fixed size from nodes to proof and disproof numbers. When it is full, it evicts the
/// half that took the least work to find.
///
/// A slot is the node and 12 bytes, rounded up to the node's alignment. Clones of a
/// [shared](Self::shared) table are handles to the same table.
#[derive(Clone, Debug)]
pub struct ProofTable<N> {
    form: Form<N>,
    hasher: RandomState,
}

#[derive(Clone, Debug)]
enum Form<N> {
    Own(Part<N>),
    Shared(SharedPart<N>),
}

impl<N: Clone + Eq + Hash> ProofTable<N> {
    /// A table of at most `bytes` bytes.
    ///
    /// # Errors
    /// If they are less than [`least_bytes`](Self::least_bytes), or cannot be allocated.
    ///
    /// ```
    /// use meetjoin_search::proof::ProofTable;
    ///
    /// let table = ProofTable::<u64>::with_bytes(16 << 20)?;
    /// assert!(table.is_empty());
    /// let error = ProofTable::<u64>::with_bytes(100).unwrap_err();
    /// let text = "a table of proof numbers of these nodes takes 192 bytes at least, and not 100";
    /// assert_eq!(error.to_string(), text);
    /// # Ok::<(), meetjoin_search::proof::ProofTableError>(())
    /// ```
    pub fn with_bytes(bytes: usize) -> Result<Self, ProofTableError> {
        Ok(Self {
            form: Form::Own(Part::with_bytes(bytes)?),
            hasher: crate::caches::table::hasher(),
        })
    }

    /// A table for several threads, each of which has a clone.
    ///
    /// # Errors
    /// If the bytes are less than [`least_bytes`](Self::least_bytes), or cannot be allocated.
    pub fn shared(bytes: usize) -> Result<Self, ProofTableError> {
        let least = Self::least_bytes();
        if bytes < least {
            return Err(ProofTableError::TooSmall { bytes, least });
        }
        let part = SharedPart::with_bytes(bytes).ok_or(ProofTableError::NoRoom { bytes })?;
        Ok(Self {
            form: Form::Shared(part),
            hasher: crate::caches::table::hasher(),
        })
    }

    /// The fewest bytes that make a table.
    pub const fn least_bytes() -> usize {
        LEAST_ENTRIES * size_of::<Option<Entry<N>>>()
    }

    /// The number of entries, except up to 64 of each other thread that are not counted yet.
    pub fn len(&self) -> usize {
        match &self.form {
            Form::Own(part) => part.used,
            Form::Shared(part) => part.used(),
        }
    }

    /// Returns whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The most entries.
    pub fn capacity(&self) -> usize {
        match &self.form {
            Form::Own(part) => part.most,
            Form::Shared(part) => part.most(),
        }
    }

    /// The number of times the table was full and evicted half of its entries.
    pub fn collections(&self) -> u64 {
        match &self.form {
            Form::Own(part) => part.collections,
            Form::Shared(part) => part.collections(),
        }
    }

    /// The numbers of a node, if they are remembered.
    pub fn numbers_of(&self, node: &N) -> Option<ProofNumbers> {
        self.get(self.hash(node), node).map(|known| known.numbers)
    }

    #[inline]
    pub(crate) fn hash(&self, node: &N) -> u64 {
        self.hasher.hash_one(node)
    }

    #[inline]
    pub(crate) fn get(&self, hash: u64, node: &N) -> Option<Known> {
        match &self.form {
            Form::Own(part) => part.get(hash, node),
            Form::Shared(part) => part.get(hash, node),
        }
    }

    /// Stores the numbers of a node, and the work that they took; older ones are replaced. But in a
    /// shared table an open node's numbers never replace those of a solved one.
    #[inline]
    pub(crate) fn put(&mut self, hash: u64, node: &N, numbers: ProofNumbers, work: u32) {
        let work = NonZeroU32::new(work).unwrap_or(NonZeroU32::MIN);
        let entry = Known { numbers, work };
        match &mut self.form {
            Form::Own(part) => part.put(&self.hasher, hash, node, entry),
            Form::Shared(part) => part.put(&self.hasher, hash, node, entry),
        }
    }

    /// Forgets all nodes with this answer. Numbers of open nodes stay: they only guide.
    pub(crate) fn forget(&mut self, answer: bool) {
        let answer = ProofNumbers::solved(answer);
        match &mut self.form {
            Form::Own(part) => part.retain(&self.hasher, |known| known.numbers != answer),
            Form::Shared(part) => part.retain(&self.hasher, |known| known.numbers != answer),
        }
    }

    /// The in-progress table of the threads that share the table, if they do.
    pub(crate) fn in_progress(&self) -> Option<&Arc<InProgress>> {
        match &self.form {
            Form::Own(_) => None,
            Form::Shared(part) => Some(part.in_progress()),
        }
    }
}

/// The slots of a table of one thread.
#[derive(Clone, Debug)]
struct Part<N> {
    slots: Box<[Option<Entry<N>>]>,
    used: usize,
    /// The most slots in use: seven of eight.
    most: usize,
    collections: u64,
}

impl<N: Clone + Eq + Hash> Part<N> {
    fn with_bytes(bytes: usize) -> Result<Self, ProofTableError> {
        let least = ProofTable::<N>::least_bytes();
        if bytes < least {
            return Err(ProofTableError::TooSmall { bytes, least });
        }
        let count = bytes / size_of::<Option<Entry<N>>>();
        let mut slots = Vec::new();
        if slots.try_reserve_exact(count).is_err() {
            return Err(ProofTableError::NoRoom { bytes });
        }
        slots.resize_with(count, || None);
        Ok(Self {
            slots: slots.into_boxed_slice(),
            used: 0,
            most: count / 8 * 7,
            collections: 0,
        })
    }

    /// Where probes for a hash begin.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.slots.len() as u128) >> 64) as usize
    }

    /// The slot of a node, or the empty slot where it would go. There always is an empty one.
    #[inline]
    fn probe(&self, hash: u64, node: &N) -> usize {
        let mut at = self.home(hash);
        while let Some(entry) = &self.slots[at] {
            if entry.node == *node {
                break;
            }
            at += 1;
            if at == self.slots.len() {
                at = 0;
            }
        }
        at
    }

    #[inline]
    fn get(&self, hash: u64, node: &N) -> Option<Known> {
        let entry = self.slots[self.probe(hash, node)].as_ref()?;
        Some(entry.known)
    }

    #[inline]
    fn put(&mut self, hasher: &RandomState, hash: u64, node: &N, known: Known) {
        let mut at = self.probe(hash, node);
        if self.slots[at].is_none() {
            if self.used >= self.most {
                self.collect(hasher);
                at = self.probe(hash, node);
            }
            self.used += 1;
        }
        self.slots[at] = Some(Entry {
            node: node.clone(),
            known,
        });
    }

    /// Evicts the half of the entries with the lowest ranks.
    #[cold]
    fn collect(&mut self, hasher: &RandomState) {
        self.collections += 1;
        let all = self.slots.iter().flatten();
        let mut worst = Worst::half(|count| all.for_each(|entry| count(&entry.known)));
        self.retain(hasher, |known| !worst.takes(known));
    }

    /// Drops the entries that `keep` rejects, and moves the others to where probes find them.
    fn retain(&mut self, hasher: &RandomState, mut keep: impl FnMut(&Known) -> bool) {
        let count = self.slots.len();
        let empty = self.slots.iter().position(Option::is_none);
        let start = empty.map_or(0, |at| at + 1);
        for at in (start..count).chain(0..start) {
            let Some(entry) = self.slots[at].take() else {
                continue;
            };
            if keep(&entry.known) {
                let hash = hasher.hash_one(&entry.node);
                let at = self.probe(hash, &entry.node);
                self.slots[at] = Some(entry);
            } else {
                self.used -= 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(entries: usize) -> ProofTable<u64> {
        let slot = size_of::<Option<Entry<u64>>>();
        ProofTable::with_bytes(entries * slot).expect("enough")
    }

    #[test]
    fn a_slot_is_a_node_and_twelve_bytes() {
        assert_eq!(size_of::<Option<Entry<u32>>>(), 16);
        assert_eq!(size_of::<Option<Entry<(u64, u64)>>>(), 32);
    }

    #[test]
    fn too_small_a_table_says_what_is_least() {
        let least = ProofTable::<u64>::least_bytes();
        assert!(ProofTable::<u64>::with_bytes(least).is_ok());
        let error = ProofTable::<u64>::with_bytes(least - 1).unwrap_err();
        let bytes = least - 1;
        assert_eq!(error, ProofTableError::TooSmall { bytes, least });
        let error = ProofTable::<u64>::with_bytes(usize::MAX).unwrap_err();
        assert_eq!(error, ProofTableError::NoRoom { bytes: usize::MAX });
    }

    #[test]
    fn what_is_remembered_is_what_was_put_last() {
        for entries in [8, 9, 64, 1000] {
            let mut table = table(entries);
            for node in 0..5000_u64 {
                let numbers = ProofNumbers {
                    proof: 1 + node as u32,
                    disproof: 7,
                };
                for numbers in [ProofNumbers::OPEN, numbers] {
                    table.put(table.hash(&node), &node, numbers, node as u32 % 50);
                    assert_eq!(table.numbers_of(&node), Some(numbers));
                }
                assert!(table.len() <= table.capacity());
            }
            let known = (0..5000).filter_map(|node| Some((node, table.numbers_of(&node)?)));
            let known: Vec<_> = known.collect();
            assert_eq!(known.len(), table.len());
            assert!(
                known
                    .iter()
                    .all(|(node, known)| known.proof == 1 + *node as u32)
            );
            assert!(table.collections() > 0 && table.len() > table.capacity() / 4);
        }
    }

    #[test]
    fn the_cheapest_half_is_forgotten_and_solved_entries_stay_longer() {
        let mut table = table(80);
        for node in 0..70_u64 {
            let solved = node >= 60;
            let numbers = if solved {
                ProofNumbers::solved(true)
            } else {
                ProofNumbers::OPEN
            };
            let work = if node < 30 { 1 } else { 4 };
            table.put(
                table.hash(&node),
                &node,
                numbers,
                if solved { 1 } else { work },
            );
        }
        table.put(table.hash(&70), &70, ProofNumbers::OPEN, 1);
        assert_eq!((table.collections(), table.len()), (1, 36));
        assert!((0..30).all(|node| table.numbers_of(&node).is_none()));
        assert!((60..71).all(|node| table.numbers_of(&node).is_some()));
    }
}
