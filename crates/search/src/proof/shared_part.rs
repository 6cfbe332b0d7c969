//! The slots of a table of proof numbers that threads share.
//!
//! Cost: the bytes that were asked for, at once, and at least one line of slots (`slots.rs`). A slot is the node, 12 bytes for its numbers, 8 for a lock and one for a tag, rounded up to
//! how the node is aligned: 41 bytes for a node of 16.

use std::hash::Hash;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use ahash::RandomState;

use super::known::{Known, Worst};
use crate::others::Others;
use crate::slots::{LINE, Slots};

/// Entries that a thread makes before it counts them.
const UNCOUNTED: usize = 64;

/// The table, as one of the threads has it.
#[derive(Debug)]
pub(super) struct SharedPart<N> {
    inner: Arc<Inner<N>>,
    /// Entries made that are not counted yet.
    new: usize,
}

#[derive(Debug)]
struct Inner<N> {
    slots: Slots<N, Known>,
    used: AtomicUsize,
    collections: AtomicU64,
    /// Held by the thread that forgets.
    forgetting: Mutex<()>,
    others: Arc<Others>,
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
        self.inner.used.fetch_add(self.new, Ordering::Relaxed);
    }
}

impl<N: Clone + Eq + Hash> SharedPart<N> {
    /// A table of about so many bytes, if they can be had.
    pub(super) fn with_bytes(bytes: usize) -> Option<Self> {
        let lines = bytes / Slots::<N, Known>::bytes(1);
        Some(Self {
            inner: Arc::new(Inner {
                slots: Slots::new(lines.max(1), None)?,
                used: AtomicUsize::new(0),
                collections: AtomicU64::new(0),
                forgetting: Mutex::new(()),
                others: Arc::new(Others::new()),
            }),
            new: 0,
        })
    }

    pub(super) fn used(&self) -> usize {
        self.inner.used.load(Ordering::Relaxed) + self.new
    }

    /// How many slots may be used: seven of eight.
    pub(super) fn most(&self) -> usize {
        self.inner.slots.lines() * LINE / 8 * 7
    }

    pub(super) fn collections(&self) -> u64 {
        self.inner.collections.load(Ordering::Relaxed)
    }

    pub(super) fn others(&self) -> &Arc<Others> {
        &self.inner.others
    }

    #[inline]
    pub(super) fn get(&self, hash: u64, node: &N) -> Option<Known> {
        self.inner.slots.read(hash, node, |known| *known)
    }

    #[inline]
    pub(super) fn put(&mut self, hasher: &RandomState, hash: u64, node: &N, entry: Known) {
        let keep = |known: &Known| known.numbers.is_solved() && !entry.numbers.is_solved();
        let is_new = self.inner.slots.put(hash, node, entry, keep);
        self.new += usize::from(is_new);
        if self.new >= UNCOUNTED {
            let new = std::mem::take(&mut self.new);
            let used = new + self.inner.used.fetch_add(new, Ordering::Relaxed);
            if used >= self.most() {
                self.collect(hasher);
            }
        }
    }

    /// Forgets the half of the entries that is worth least, unless another thread does.
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

    pub(super) fn retain(&self, hasher: &RandomState, mut keep: impl FnMut(&Known) -> bool) {
        let hash = |node: &N| hasher.hash_one(node);
        let forgotten = self.inner.slots.retain(hash, |_, known| keep(known));
        self.inner.used.fetch_sub(forgotten, Ordering::Relaxed);
    }
}
