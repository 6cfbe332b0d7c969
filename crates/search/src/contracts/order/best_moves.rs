//! An order of children: the one that decided the node last time goes first.
//!
//! Problem: nodes are visited again, by a repeated trial, by the next search of a series, or by the
//! next depth. The child that decided then probably decides now.
//!
//! Idea: a direct-mapped table from nodes to children, in which a new entry replaces the old one in
//! its slot. Evictions affect the order of visits and nothing else. The table doubles when half of
//! it is in use, up to a given size, or until there is no memory for more.
//!
//! Source: Slate and Atkin (1977), Akl and Newborn (1977).

use std::hash::Hash;

use ahash::RandomState;
use meetjoin_dag::Kind;

use crate::Order;

/// The first size of the table.
const FIRST: usize = 1 << 10;

/// Remembers one child for each node, for as many nodes as there is room for.
///
/// ```
/// use meetjoin_dag::Kind;
/// use meetjoin_search::{BestMoves, Order};
///
/// let mut order = BestMoves::new(1 << 10);
/// order.decided(&"root", Kind::Or, &"c");
/// let mut children = ["a", "b", "c", "d"];
/// order.arrange(&"root", Kind::Or, &mut children);
/// assert_eq!(children, ["c", "a", "b", "d"]);
/// ```
#[derive(Clone, Debug)]
pub struct BestMoves<N> {
    /// A power of two of slots.
    places: Vec<Option<(N, N)>>,
    /// Slots in use.
    used: usize,
    most: usize,
    hasher: RandomState,
}

impl<N: Clone + Eq + Hash> BestMoves<N> {
    /// A table with as many slots as nodes, rounded up to a power of two. Nodes whose hashes select
    /// the same slot replace each other, so fewer nodes are remembered. A slot takes as much memory
    /// as two nodes.
    pub fn new(nodes: usize) -> Self {
        let most = nodes.max(1).checked_next_power_of_two();
        let most = most.unwrap_or(1 << (usize::BITS - 1));
        Self {
            places: vec![None; most.min(FIRST)],
            used: 0,
            most,
            hasher: crate::caches::table::hasher(),
        }
    }

    #[cold]
    fn grow(&mut self) {
        let mut larger = Vec::new();
        if larger.try_reserve_exact(2 * self.places.len()).is_err() {
            // There is no more memory, so this becomes the greatest size.
            self.most = self.places.len();
            return;
        }
        larger.resize(2 * self.places.len(), None);
        let old = std::mem::replace(&mut self.places, larger);
        self.used = 0;
        for (node, best) in old.into_iter().flatten() {
            self.put(node, best);
        }
    }

    fn put(&mut self, node: N, best: N) {
        let place = self.place(&node);
        let before = self.places[place].replace((node, best));
        self.used += usize::from(before.is_none());
    }

    fn place(&self, node: &N) -> usize {
        self.hasher.hash_one(node) as usize & (self.places.len() - 1)
    }

    /// The child remembered for a node.
    pub fn best(&self, node: &N) -> Option<&N> {
        match &self.places[self.place(node)] {
            Some((known, best)) if known == node => Some(best),
            _ => None,
        }
    }
}

impl<N: Clone + Eq + Hash> Order<N> for BestMoves<N> {
    fn arrange(&mut self, node: &N, _: Kind, children: &mut [N]) {
        let Some(best) = self.best(node) else { return };
        if let Some(place) = children.iter().position(|child| child == best) {
            children[..=place].rotate_right(1);
        }
    }

    fn decided(&mut self, node: &N, _: Kind, child: &N) {
        if 2 * self.used >= self.places.len() && self.places.len() < self.most {
            self.grow();
        }
        self.put(node.clone(), child.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_grows_up_to_its_size() {
        for (nodes, places) in [(0, 1), (1, 1), (3, 4), (5_000, 8_192)] {
            let mut order = BestMoves::new(nodes);
            for node in 0..20_000_u32 {
                order.decided(&node, Kind::Or, &(node + 1));
                assert_eq!(order.best(&node), Some(&(node + 1)));
            }
            assert_eq!(order.places.len(), places);
            let known = (0..20_000).filter(|node| order.best(node).is_some());
            assert_eq!(known.count(), order.used);
            assert!(2 * order.used >= places);
        }
    }
}
