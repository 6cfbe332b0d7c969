//! The child that decided a node last time goes first.
//!
//! Problem: nodes are visited again, by a repeated trial, by the next search of a series, or by the next depth. The child that decided then
//! probably decides now.
//!
//! Idea: a table from nodes to children, of a fixed size, in which a newer entry replaces an older one in the same place. Forgetting changes the
//! order of visits and nothing else.
//!
//! Source: Slate and Atkin (1977), Akl and Newborn (1977).

use std::hash::Hash;

use ahash::RandomState;
use meetjoin_dag::Kind;

use crate::Order;

/// Remembers one child for each of so many nodes.
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
    places: Box<[Option<(N, N)>]>,
    hasher: RandomState,
}

impl<N: Clone + Eq + Hash> BestMoves<N> {
    /// Room for at least so many nodes; the places are taken as they are needed by `N`, twice each.
    pub fn new(nodes: usize) -> Self {
        let places = (0..nodes.max(1).next_power_of_two()).map(|_| None);
        Self {
            places: places.collect(),
            hasher: crate::table::hasher(),
        }
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
        let place = self.place(node);
        self.places[place] = Some((node.clone(), child.clone()));
    }
}
