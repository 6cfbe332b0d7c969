//! Borders: places between the elements of a chain.
//!
//! Problem: the literature writes a null window as (m, m + 1) and the question "is the value
//! greater than m?" as "is it at least m + 1?". Only integers have a successor.
//!
//! Idea: a window does not end at an element but at a border, just below or just above an element.
//! Every value lies on one side of a border, so no comparison has a third case: "greater than m"
//! and "at least m" are the questions on which side of the border above m, or below m, the value
//! lies. An open window (alpha, beta) ends at the border above alpha and the one below beta, and a
//! null window is one whose two ends are the same border.

use std::cmp::Ordering;

use meetjoin_lattice::TotalOrder;

/// A place just below or just above an element of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Border<E> {
    at: E,
    above: bool,
}

impl<E> Border<E> {
    /// The border between all smaller elements and `at`.
    pub fn below(at: E) -> Self {
        Self { at, above: false }
    }

    /// The border between `at` and all greater elements.
    pub fn above(at: E) -> Self {
        Self { at, above: true }
    }

    /// The adjacent element.
    pub fn at(&self) -> &E {
        &self.at
    }

    /// Makes this the border above `at`, or below it.
    #[inline]
    pub(crate) fn set(&mut self, at: &E, above: bool)
    where
        E: Clone,
    {
        self.at.clone_from(at);
        self.above = above;
    }

    /// Makes this equal to another border.
    #[inline]
    pub(crate) fn set_to(&mut self, other: &Self)
    where
        E: Clone,
    {
        self.set(&other.at, other.above);
    }

    /// Returns whether `value` lies on the upper side.
    #[inline]
    pub fn is_below<L: TotalOrder<Elem = E>>(&self, lattice: &L, value: &E) -> bool {
        match lattice.compare(&self.at, value) {
            Ordering::Less => true,
            Ordering::Equal => !self.above,
            Ordering::Greater => false,
        }
    }

    /// Compares two borders by their places. Borders with no element between them may still differ:
    /// above 3 comes before below 4.
    #[inline]
    pub fn compare<L: TotalOrder<Elem = E>>(&self, lattice: &L, other: &Self) -> Ordering {
        let at = lattice.compare(&self.at, &other.at);
        at.then(self.above.cmp(&other.above))
    }
}

#[cfg(test)]
mod tests {
    use meetjoin_lattice::{Chain, Dual};

    use super::*;

    #[test]
    fn a_border_parts_the_chain() {
        let chain = Chain::new(0, 9).expect("in order");
        for (border, least) in [(Border::below(4), 4), (Border::above(4), 5)] {
            for value in 0..10 {
                assert_eq!(border.is_below(&chain, &value), value >= least);
            }
        }
        assert_eq!(
            Border::below(4).compare(&chain, &Border::above(4)),
            Ordering::Less
        );
        assert_eq!(
            Border::above(3).compare(&chain, &Border::below(4)),
            Ordering::Less
        );
    }

    #[test]
    fn in_a_dual_chain_below_is_greater() {
        let chain = Dual(Chain::new(0, 9).expect("in order"));
        assert!(Border::below(4).is_below(&chain, &4));
        assert!(Border::below(4).is_below(&chain, &3));
        assert!(!Border::below(4).is_below(&chain, &5));
    }
}
