//! Which nodes other threads are working at.
//!
//! Problem: threads that search one graph from one root, sharing a store, would all take the same
//! way, and do everything at the same time.
//!
//! Idea: a thread says at which nodes it is working, and another one that has the choice takes
//! their siblings first. When it comes back to them, they are in the store, or it helps with them.
//! That is all the coordination there is: no thread waits for another.
//!
//! Invariant: it decides an order, and no value. So a claim that is lost costs time only, and a
//! hash may stand for a node.
//!
//! Cost: an atomic read for each child that might be put off, and two atomic writes for each node
//! that is claimed. So small nodes are not claimed at all.
//!
//! Source: Weill (1996), ABDADA; here, as in Kerrigan's simplification of it, claims have a small
//! table of their own.

use std::sync::atomic::{AtomicU64, Ordering};

/// Cells: a power of two, far more than threads have claims at a time.
const CELLS: usize = 1 << 10;
/// Cells that share a line of the processor's cache; a claim takes one line.
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
        // The remainder is smaller than the number of cells.
        &self.cells[(key % CELLS as u64) as usize * LINE]
    }

    /// Claims the node with this key, which is not 0. `false` if somebody has claimed it, or
    /// another node with that cell.
    pub(crate) fn claim(&self, key: u64) -> bool {
        let cell = self.cell(key);
        cell.load(Ordering::Relaxed) == 0
            && cell
                .compare_exchange(0, key, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
    }

    /// Takes back a claim that was made.
    pub(crate) fn release(&self, key: u64) {
        self.cell(key).store(0, Ordering::Relaxed);
    }

    /// Whether somebody has claimed the node.
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
        // Another node with the same cell: neither claimed nor taken for the first.
        let other = 7 + CELLS as u64;
        assert!(!in_progress.claim(other) && !in_progress.is_claimed(other));
        in_progress.release(7);
        assert!(!in_progress.is_claimed(7) && in_progress.claim(other));
    }
}
