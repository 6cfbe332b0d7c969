//! Work sharing among threads that search one graph: a depth-first search claims the nodes it works
//! on, defers those claimed by other threads, and checks now and then whether other threads have
//! solved an open node.
//!
//! Idea: work is shared near the root, where nodes are large; small nodes are finished before
//! another thread could help. The right depth differs from graph to graph and is learned: the depth
//! to which nodes are claimed grows as long as nodes there take many visits.
//!
//! The first child of a node is never deferred: it most likely makes the others superfluous, so all
//! threads work on it (*young brothers wait*: Feldmann et al. 1989).

use std::hash::Hash;
use std::sync::Arc;

use ahash::RandomState;
use meetjoin_lattice::Budget;

use crate::caches::in_progress::InProgress;
use crate::caches::table::hasher;

/// The initial depth to which nodes are claimed.
const FIRST: usize = 6;
/// The number of nodes of the last depth after which it is adjusted.
const SAMPLE: u64 = 32;
/// The depth grows if they took more visits than this on average,
const LARGE: u64 = 2048;
/// and shrinks if they took fewer than this.
const SMALL: u64 = 256;
/// Checkpoints between two checks of what other threads have solved.
const PATIENCE: u32 = 4;

/// The claim of an open node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claim {
    /// 0 without a claim.
    key: u64,
    /// The visits when the node was opened, if that was counted.
    begun: Option<u64>,
}

impl Claim {
    pub(crate) const NONE: Self = Self {
        key: 0,
        begun: None,
    };

    /// Returns whether the node is claimed, so that threads share it.
    #[inline]
    pub(crate) fn is_made(self) -> bool {
        self.begun.is_some()
    }
}

/// The claims of all threads, as seen by one of them.
pub(crate) struct WorkSharing {
    in_progress: Arc<InProgress>,
    hasher: RandomState,
    /// Nodes deeper than this are not claimed.
    deepest: usize,
    /// The number of nodes of that depth that were left, and their visits.
    left: u64,
    visits: u64,
    checkpoints: u32,
}

impl WorkSharing {
    pub(crate) fn new(in_progress: &Arc<InProgress>) -> Self {
        Self {
            in_progress: Arc::clone(in_progress),
            hasher: hasher(),
            deepest: FIRST,
            left: 0,
            visits: 0,
            checkpoints: 0,
        }
    }

    /// Claims a node that was opened at this depth, unless it is too deep or claimed already.
    #[cold]
    #[inline(never)]
    pub(crate) fn claim(&self, depth: usize, node: &impl Hash, budget: &Budget) -> Claim {
        if depth > self.deepest {
            return Claim::NONE;
        }
        self.claim_hash(depth, self.hasher.hash_one(node), budget)
    }

    /// Claims the node with this hash, unless it is too deep or claimed already.
    pub(crate) fn claim_hash(&self, depth: usize, hash: u64, budget: &Budget) -> Claim {
        if depth > self.deepest {
            return Claim::NONE;
        }
        let key = hash.max(1);
        Claim {
            key: if self.in_progress.claim(key) { key } else { 0 },
            begun: Some(budget.visits_made()),
        }
    }

    /// Releases the claim of a finished node of this depth.
    #[cold]
    #[inline(never)]
    pub(crate) fn release(&mut self, depth: usize, claim: &mut Claim, budget: &Budget) {
        self.forget(claim);
        if depth == self.deepest
            && let Some(begun) = claim.begun
        {
            self.left += 1;
            self.visits += budget.visits_made() - begun;
            if self.left == SAMPLE {
                match self.visits / SAMPLE {
                    LARGE.. => self.deepest += 1,
                    ..SMALL => self.deepest = (self.deepest - 1).max(1),
                    _ => {}
                }
                (self.left, self.visits) = (0, 0);
            }
        }
    }

    /// Releases a claim without counting the node.
    pub(crate) fn forget(&self, claim: &mut Claim) {
        if claim.key != 0 {
            self.in_progress.release(claim.key);
            claim.key = 0;
        }
    }

    /// Moves the first unclaimed child of a node at this depth to the front.
    #[cold]
    #[inline(never)]
    pub(crate) fn unclaimed_first<N: Hash>(&self, depth: usize, children: &mut [N]) {
        if depth >= self.deepest || children.len() < 2 {
            return;
        }
        let free = |child: &N| !self.is_claimed(depth, self.hasher.hash_one(child));
        if let Some(free) = children.iter().position(free) {
            children[..=free].rotate_right(1);
        }
    }

    /// Returns whether nodes of this depth are claimed.
    pub(crate) fn shares(&self, depth: usize) -> bool {
        depth <= self.deepest
    }

    /// Returns whether a thread works on the node with this hash, a child of a node at this depth.
    pub(crate) fn is_claimed(&self, depth: usize, hash: u64) -> bool {
        depth < self.deepest && self.in_progress.is_claimed(hash.max(1))
    }

    /// Called at checkpoints: is it time to check what other threads have solved?
    pub(crate) fn is_due(&mut self) -> bool {
        self.checkpoints += 1;
        self.checkpoints.is_multiple_of(PATIENCE)
    }
}
