//! Moves that have decided often go first, whatever the position.
//!
//! Problem: a move that refutes one position often refutes its neighbours, which no table of positions knows.
//!
//! Idea: what a move is depends on the game, so the user says it: a function from a node and its child to a key (the column of a stone, the card
//! played). Each key has a count of the nodes it has decided, and children are sorted by it; those with equal counts stay in their order.
//!
//! Cost: a look-up for each child of each node that is opened, and a sort.
//!
//! Source: Schaeffer (1983, 1989), with a weight of 1 for each decision.

use std::cmp::Reverse;
use std::fmt::{self, Debug};
use std::hash::Hash;

use ahash::RandomState;
use hashbrown::HashMap;
use meetjoin_dag::Kind;

use crate::Order;

/// So many children are sorted without asking for memory.
const FEW: usize = 16;

/// Counts how often each move has decided.
///
/// ```
/// use meetjoin_dag::Kind;
/// use meetjoin_search::{History, Order};
///
/// // Nodes are numbers, and a move adds its last digit.
/// let mut order = History::new(|node: &u32, child: &u32| child - node);
/// order.decided(&10, Kind::Or, &13);
/// let mut children = [21, 22, 23];
/// order.arrange(&20, Kind::Or, &mut children);
/// assert_eq!(children, [23, 21, 22]);
/// ```
#[derive(Clone)]
pub struct History<K, F> {
    counts: HashMap<(K, bool), u64, RandomState>,
    key: F,
    /// The counts of the children that are being arranged.
    scratch: Vec<u64>,
}

impl<K, F> Debug for History<K, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "History of {} moves", self.counts.len())
    }
}

impl<K, F> History<K, F> {
    /// With the function that says which move leads from a node to its child. The two players have counts of their own.
    pub fn new<N>(key: F) -> Self
    where
        F: Fn(&N, &N) -> K,
    {
        Self {
            counts: HashMap::with_hasher(crate::table::hasher()),
            key,
            scratch: Vec::new(),
        }
    }
}

impl<N, K: Eq + Hash, F: Fn(&N, &N) -> K> Order<N> for History<K, F> {
    fn arrange(&mut self, node: &N, kind: Kind, children: &mut [N]) {
        let Self {
            counts,
            key,
            scratch,
        } = self;
        let count = |child: &N| {
            let key = (key(node, child), kind == Kind::And);
            counts.get(&key).copied().unwrap_or(0)
        };
        if children.len() > FEW {
            children.sort_by_cached_key(|child| Reverse(count(child)));
            return;
        }
        // By insertion, for this is done at every node.
        scratch.clear();
        for place in 0..children.len() {
            let own = count(&children[place]);
            let to = scratch.partition_point(|other| *other >= own);
            scratch.insert(to, own);
            children[to..=place].rotate_right(1);
        }
    }

    fn decided(&mut self, node: &N, kind: Kind, child: &N) {
        let key = ((self.key)(node, child), kind == Kind::And);
        *self.counts.entry(key).or_insert(0) += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_children_and_many_are_sorted_alike() {
        for children in [0, 1, 2, FEW, FEW + 1, 3 * FEW] {
            let mut order = History::new(|_: &usize, child: &usize| child % 7);
            for decided in [3, 5, 3, 0, 5, 3] {
                order.decided(&0, Kind::Or, &decided);
            }
            let mut arranged: Vec<usize> = (0..children).collect();
            let mut expected = arranged.clone();
            let count = |child: &usize| [1, 0, 0, 3, 0, 2, 0][child % 7];
            expected.sort_by_key(|child| Reverse(count(child)));
            order.arrange(&0, Kind::Or, &mut arranged);
            assert_eq!(arranged, expected);
        }
    }
}
