//! The in-progress table: nodes that other threads are working on.
//!
//! Problem: threads that search one graph from one root with a shared store would all follow the
//! same path, and do the same work at the same time.
//!
//! Idea: a thread claims the nodes it is working on, and other threads that have a choice take
//! their siblings first. When they come back to a claimed node, it is in the store, or they help
//! with it. No thread waits for another.
//!
//! Invariant: claims affect the order of visits and no value. So a lost claim costs time only, and
//! a hash may stand for a node.
//!
//! Cost: an atomic read for each child that might be deferred, and two atomic writes for each
//! claimed node. So small nodes are not claimed.
//!
//! Source: Weill (1996), ABDADA; here, as in Kerrigan's simplification, claims have a small table
//! of their own.

use std::sync::atomic::{AtomicU64, Ordering};

/// The number of cells: a power of two, far more than the claims held at a time.
const CELLS: usize = 1 << 10;
/// Cells in a cache line; each claim has a line of its own.
const LINE: usize = 8;

/// The claims of all threads that share a store.
#[derive(Debug)]
pub struct InProgress {
    /// The key of a claimed node, or 0.
    cells: Box<[AtomicU64]>,
}

impl InProgress {
    /// No claims.
    pub(crate) fn new() -> Self {
        Self {
            cells: (0..CELLS * LINE).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    fn cell(&self, key: u64) -> &AtomicU64 {
        // A remainder is smaller than the number of cells.
        &self.cells[(key % CELLS as u64) as usize * LINE]
    }

    /// Claims the node with this key, which is not 0. Returns `false` if it, or another node with
    /// the same cell, is claimed already.
    pub(crate) fn claim(&self, key: u64) -> bool {
        let cell = self.cell(key);
        cell.load(Ordering::Relaxed) == 0
            && cell
                .compare_exchange(0, key, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
    }

    /// Releases a claim.
    pub(crate) fn release(&self, key: u64) {
        self.cell(key).store(0, Ordering::Relaxed);
    }

    /// Returns whether a thread has claimed the node.
    pub(crate) fn is_claimed(&self, key: u64) -> bool {
        self.cell(key).load(Ordering::Relaxed) == key
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_made_once_and_taken_back() {
        let in_progress = InProgress::new();
        assert!(!in_progress.is_claimed(7));
        assert!(in_progress.claim(7) && in_progress.is_claimed(7));
        assert!(!in_progress.claim(7));
        // Another node with the same cell: it cannot be claimed, and does not count as claimed.
        let other = 7 + CELLS as u64;
        assert!(!in_progress.claim(other) && !in_progress.is_claimed(other));
        in_progress.release(7);
        assert!(!in_progress.is_claimed(7) && in_progress.claim(other));
    }
}
