//! The dual of a lattice: the same elements, the order turned round, meet and join exchanged.

use std::cmp::Ordering;

use crate::{Budget, DistributiveLattice, Lattice, Stop, TotalOrder};

/// The dual of `L`. Its own dual is `L` again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dual<L>(pub L);

impl<L: Lattice> Lattice for Dual<L> {
    type Elem = L::Elem;

    #[inline]
    fn bottom(&self) -> L::Elem {
        self.0.top()
    }

    #[inline]
    fn top(&self) -> L::Elem {
        self.0.bottom()
    }

    #[inline]
    fn leq(&self, a: &L::Elem, b: &L::Elem, budget: &Budget) -> Result<bool, Stop> {
        self.0.leq(b, a, budget)
    }

    #[inline]
    fn join_assign(&self, a: &mut L::Elem, b: &L::Elem, budget: &Budget) -> Result<(), Stop> {
        self.0.meet_assign(a, b, budget)
    }

    #[inline]
    fn meet_assign(&self, a: &mut L::Elem, b: &L::Elem, budget: &Budget) -> Result<(), Stop> {
        self.0.join_assign(a, b, budget)
    }

    #[inline]
    fn rank(&self, element: &L::Elem) -> u64 {
        u64::MAX - self.0.rank(element)
    }

    fn length(&self, element: &L::Elem) -> usize {
        self.0.length(element)
    }

    fn drop_beside(&self, a: &mut L::Elem, other: &L::Elem, budget: &Budget) -> Result<(), Stop> {
        self.0.raise_outside(a, other, budget)
    }

    fn raise_outside(&self, a: &mut L::Elem, other: &L::Elem, budget: &Budget) -> Result<(), Stop> {
        self.0.drop_beside(a, other, budget)
    }

    fn heap_bytes(&self, element: &L::Elem) -> u64 {
        self.0.heap_bytes(element)
    }
}

impl<L: DistributiveLattice> DistributiveLattice for Dual<L> {}

impl<L: TotalOrder> TotalOrder for Dual<L> {
    fn compare(&self, a: &L::Elem, b: &L::Elem) -> Ordering {
        self.0.compare(b, a)
    }
}
