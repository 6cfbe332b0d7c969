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
        }
    }
}

impl<N, K: Eq + Hash, F: Fn(&N, &N) -> K> Order<N> for History<K, F> {
    fn arrange(&mut self, node: &N, kind: Kind, children: &mut [N]) {
        let count = |child: &N| {
            let key = ((self.key)(node, child), kind == Kind::And);
            self.counts.get(&key).copied().unwrap_or(0)
        };
        children.sort_by_cached_key(|child| Reverse(count(child)));
    }

    fn decided(&mut self, node: &N, kind: Kind, child: &N) {
        let key = ((self.key)(node, child), kind == Kind::And);
        *self.counts.entry(key).or_insert(0) += 1;
    }
}
