//! Attacks as persistent sets: a set is empty, a leaf, or a union of two sets, and parts are
//! shared.

use std::cell::RefCell;

/// A set of leaves of some [`Witnesses`].
pub type Witness = u32;

/// No leaf.
pub const NOTHING: Witness = 0;

/// Marks a leaf: the first of the pair is this, the second is the node.
const LEAF: u32 = u32::MAX;

/// All sets that were put together.
#[derive(Debug, Default)]
pub struct Witnesses {
    parts: RefCell<Vec<[u32; 2]>>,
}

impl Witnesses {
    fn push(&self, part: [u32; 2]) -> Witness {
        let mut parts = self.parts.borrow_mut();
        parts.push(part);
        parts.len() as Witness
    }

    /// One leaf.
    pub fn leaf(&self, node: u32) -> Witness {
        self.push([LEAF, node])
    }

    /// The union of two sets.
    pub fn join(&self, a: Witness, b: Witness) -> Witness {
        match (a, b) {
            (NOTHING, other) | (other, NOTHING) => other,
            both => self.push([both.0, both.1]),
        }
    }

    /// The leaves of a set, in order, each once.
    pub fn leaves(&self, witness: Witness) -> Vec<u32> {
        let parts = self.parts.borrow();
        let mut open = vec![witness];
        let mut leaves = Vec::new();
        while let Some(witness) = open.pop() {
            if witness == NOTHING {
                continue;
            }
            match parts[witness as usize - 1] {
                [LEAF, node] => leaves.push(node),
                [a, b] => open.extend([a, b]),
            }
        }
        leaves.sort_unstable();
        leaves.dedup();
        leaves
    }

    /// How many sets there are.
    pub fn len(&self) -> usize {
        self.parts.borrow().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
