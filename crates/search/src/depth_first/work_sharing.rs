//! Work sharing among threads that search one graph: a depth-first search claims the nodes at which
//! it works, puts off those that others have claimed, and looks now and then whether others have
//! solved what it is working at.
//!
//! Idea: work is shared near the root, where nodes are large; where they are small, a thread has
//! done one before another could have helped. How deep that is differs from graph to graph and is
//! learned: the depth to which nodes are claimed grows as long as nodes there take many visits.
//!
//! The first child of a node is never put off: it is the one that most likely makes the others
//! superfluous, so all threads work on it (*young brothers wait*: Feldmann et al. 1989).

use std::hash::Hash;
use std::sync::Arc;

use ahash::RandomState;
use meetjoin_lattice::Budget;

use crate::caches::in_progress::InProgress;
use crate::caches::table::hasher;

/// The depth to which nodes are claimed at first.
const FIRST: usize = 6;
/// Nodes of the last depth that decide whether it is right.
const SAMPLE: u64 = 32;
/// It is too small if they took more visits than this on average,
const LARGE: u64 = 2048;
/// and too large if they took fewer than this.
const SMALL: u64 = 256;
/// Checkpoints between two looks at what other threads have solved.
const PATIENCE: u32 = 4;

/// What an open node has claimed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claim {
    /// 0 if nothing.
    key: u64,
    /// The visits when the node was opened, if that was counted.
    begun: Option<u64>,
}

impl Claim {
    pub(crate) const NONE: Self = Self {
        key: 0,
        begun: None,
    };

    /// Whether the node is one that threads share.
    #[inline]
    pub(crate) fn is_made(self) -> bool {
        self.begun.is_some()
    }
}

/// The claims of all threads, as one of them sees them.
pub(crate) struct WorkSharing {
    in_progress: Arc<InProgress>,
    hasher: RandomState,
    /// Nodes deeper than this are not claimed.
    deepest: usize,
    /// How many nodes of that depth were left, and the visits that they took.
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

    /// Claims a node that was opened at this depth, if it is not too deep and not claimed yet.
    #[cold]
    #[inline(never)]
    pub(crate) fn claim(&self, depth: usize, node: &impl Hash, budget: &Budget) -> Claim {
        if depth > self.deepest {
            return Claim::NONE;
        }
        self.claim_hash(depth, self.hasher.hash_one(node), budget)
    }

    /// Claims the node with this hash, if it is not too deep and not claimed yet.
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

    /// Takes back what a node of this depth has claimed, which is done.
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

    /// Takes a claim back.
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

    /// Whether nodes of this depth are claimed.
    pub(crate) fn shares(&self, depth: usize) -> bool {
        depth <= self.deepest
    }

    /// Whether somebody works at the node with this hash, a child of a node at this depth.
    pub(crate) fn is_claimed(&self, depth: usize, hash: u64) -> bool {
        depth < self.deepest && self.in_progress.is_claimed(hash.max(1))
    }

    /// Asked at checkpoints: is it time to see what others have settled?
    pub(crate) fn is_due(&mut self) -> bool {
        self.checkpoints += 1;
        self.checkpoints.is_multiple_of(PATIENCE)
    }
}
