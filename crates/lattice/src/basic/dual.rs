//! The dual of a lattice: the same elements, the order turned round, meet and join exchanged.

use std::cmp::Ordering;

use crate::{Budget, DistributiveLattice, Halves, Lattice, Shown, Stop, TotalOrder};

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

    #[inline]
    fn shorten(
        &self,
        a: &L::Elem,
        shown: Shown<'_, L::Elem>,
        budget: &Budget,
    ) -> Result<Option<L::Elem>, Stop> {
        match shown.mirrored() {
            Some(shown) => self.0.shorten(a, shown, budget),
            None => Ok(None),
        }
    }
}

impl<L: DistributiveLattice> DistributiveLattice for Dual<L> {}

impl<L: TotalOrder> TotalOrder for Dual<L> {
    fn compare(&self, a: &L::Elem, b: &L::Elem) -> Ordering {
        self.0.compare(b, a)
    }

    fn split(&self, lower: &L::Elem, upper: &L::Elem) -> Option<L::Elem> {
        self.0.split(upper, lower)
    }

    fn halves(&self, lower: &L::Elem, upper: &L::Elem) -> Option<Halves<L::Elem>> {
        Some(self.0.halves(upper, lower)?.mirrored())
    }
}
