//! The slots of a shared table of proof numbers.
//!
//! Cost: the requested bytes, allocated at once, but at least one line of slots (`slots.rs`). A
//! slot is the node, 12 bytes for its numbers and 8 for a lock, rounded up to the node's alignment,
//! and a tag of one byte: 41 bytes for a node of 16.

use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use ahash::RandomState;

use crate::caches::in_progress::InProgress;
use crate::caches::slots::{Count, LINE, Slots};
use crate::proof::claims::known::{Known, Worst};

/// New entries of a thread before it adds them to the common count.
const UNCOUNTED: usize = 64;

/// The table, as one of the threads uses it.
#[derive(Debug)]
pub(crate) struct SharedPart<N> {
    inner: Arc<Inner<N>>,
    /// New entries not yet in the common count.
    new: usize,
}

#[derive(Debug)]
struct Inner<N> {
    slots: Slots<N, Known>,
    used: Count,
    collections: AtomicU64,
    /// Locked by the thread that evicts.
    forgetting: Mutex<()>,
    in_progress: Arc<InProgress>,
}

impl<N> Clone for SharedPart<N> {
    fn clone(&self) -> Self {
        Self {
            inner: Arc::clone(&self.inner),
            new: 0,
        }
    }
}

impl<N> Drop for SharedPart<N> {
    fn drop(&mut self) {
        self.inner.used.add(self.new);
    }
}

impl<N: Clone + Eq + Hash> SharedPart<N> {
    /// A table of about `bytes` bytes, if they can be allocated.
    pub(crate) fn with_bytes(bytes: usize) -> Option<Self> {
        let lines = bytes / Slots::<N, Known>::bytes(1);
        Some(Self {
            inner: Arc::new(Inner {
                slots: Slots::new(lines.max(1), None)?,
                used: Count::default(),
                collections: AtomicU64::new(0),
                forgetting: Mutex::new(()),
                in_progress: Arc::new(InProgress::new()),
            }),
            new: 0,
        })
    }

    pub(crate) fn used(&self) -> usize {
        self.inner.used.get() + self.new
    }

    /// The most slots in use: seven of eight.
    pub(crate) fn most(&self) -> usize {
        self.inner.slots.lines() * LINE / 8 * 7
    }

    pub(crate) fn collections(&self) -> u64 {
        self.inner.collections.load(Ordering::Relaxed)
    }

    pub(crate) fn in_progress(&self) -> &Arc<InProgress> {
        &self.inner.in_progress
    }

    #[inline]
    pub(crate) fn get(&self, hash: u64, node: &N) -> Option<Known> {
        self.inner.slots.read(hash, node, |known| *known)
    }

    #[inline]
    pub(crate) fn put(&mut self, hasher: &RandomState, hash: u64, node: &N, entry: Known) {
        let keep = |known: &Known| known.numbers.is_solved() && !entry.numbers.is_solved();
        let is_new = self.inner.slots.put(hash, node, entry, keep);
        self.new += usize::from(is_new);
        if self.new >= UNCOUNTED {
            self.inner.used.add(std::mem::take(&mut self.new));
            if self.inner.used.get() >= self.most() {
                self.collect(hasher);
            }
        }
    }

    /// Evicts the half of the entries with the lowest ranks, unless another thread is doing so.
    #[cold]
    fn collect(&self, hasher: &RandomState) {
        let Ok(_forgetting) = self.inner.forgetting.try_lock() else {
            return;
        };
        let slots = &self.inner.slots;
        let mut worst = Worst::half(|count| slots.each(&mut |_, known| count(known)));
        self.retain(hasher, |known| !worst.takes(known));
        self.inner.collections.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn retain(&self, hasher: &RandomState, mut keep: impl FnMut(&Known) -> bool) {
        let hash = |node: &N| hasher.hash_one(node);
        let forgotten = self.inner.slots.retain(hash, |_, known| keep(known));
        self.inner.used.subtract(forgotten);
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;
    use std::thread;

    use super::*;
    use crate::contracts::proof_numbers::ProofNumbers;

    fn known(work: u32) -> Known {
        Known {
            numbers: ProofNumbers::solved(work.is_multiple_of(2)),
            work: NonZeroU32::MIN.saturating_add(work),
        }
    }

    #[test]
    fn the_cheapest_half_is_forgotten_and_what_is_kept_is_true() {
        let hasher = crate::caches::table::hasher();
        let mut table = SharedPart::<u64>::with_bytes(100_000).expect("there is memory");
        let most = table.most() as u32;
        // Each costs as much as the one before and one more, and one collection follows the most
        // that may be used.
        for work in 0..most + 2 * UNCOUNTED as u32 {
            let node = u64::from(work);
            table.put(&hasher, hasher.hash_one(node), &node, known(work));
        }
        assert_eq!(table.collections(), 1);
        let get = |work: u32| table.get(hasher.hash_one(u64::from(work)), &u64::from(work));
        let is_known = |work: &u32| get(*work).is_some();
        let all = 0..most + 2 * UNCOUNTED as u32;
        assert!(
            all.clone()
                .all(|work| get(work).is_none_or(|found| found == known(work)))
        );
        assert_eq!(all.filter(is_known).count(), table.used());
        // Only the bits of the work count: the median has 11.
        assert!((2 << 10..3 << 10).contains(&most), "{most}");
        assert_eq!((0..(1 << 10) - 1).find(is_known), None);
        assert!(((2 << 10) - 1..most).all(|work| is_known(&work)));
    }

    #[test]
    fn what_is_forgotten_before_it_was_counted_does_no_harm() {
        let hasher = crate::caches::table::hasher();
        let mut table = SharedPart::<u64>::with_bytes(1).expect("there is memory");
        for node in 0..UNCOUNTED as u64 / 2 {
            table.put(&hasher, hasher.hash_one(node), &node, known(1));
        }
        table.retain(&hasher, |_| false);
        assert!(table.used() <= UNCOUNTED);
        let of_another = table.clone();
        drop(table);
        assert_eq!(of_another.used(), 0);
    }

    #[test]
    fn threads_that_forget_meanwhile_keep_what_is_true() {
        let hasher = crate::caches::table::hasher();
        let table = SharedPart::<u64>::with_bytes(20_000).expect("there is memory");
        thread::scope(|scope| {
            for _ in 0..3 {
                let (mut table, hasher) = (table.clone(), hasher.clone());
                scope.spawn(move || {
                    for node in 0..20_000_u64 {
                        let hash = hasher.hash_one(node);
                        table.put(&hasher, hash, &node, known(node as u32));
                        let found = table.get(hash, &node);
                        assert!(found.is_none_or(|found| found == known(node as u32)));
                    }
                });
            }
        });
        assert!(table.collections() > 1 && table.used() <= table.most() + 3 * UNCOUNTED);
    }
}
