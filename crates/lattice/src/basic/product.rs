//! Products: several lattices at once, compared component by component: several criteria, each with
//! its own scale.
//!
//! Three forms of one construction: a pair `(A, B)`; an array `[L; K]` of lattices of one type,
//! whose elements are arrays without heap; and [`Product`], a list of lattices known at run time. A
//! product of distributive lattices is distributive.
//!
//! Cost: the sum of the factors' costs. If the budget ends an operation, some components have their
//! new values and the rest their old ones; such an element lies between old and new, as [`Lattice`]
//! requires.

use std::array;

use crate::{Budget, DistributiveLattice, Lattice, Shown, Stop};

impl<A: Lattice, B: Lattice> Lattice for (A, B) {
    type Elem = (A::Elem, B::Elem);

    fn bottom(&self) -> Self::Elem {
        (self.0.bottom(), self.1.bottom())
    }

    fn top(&self) -> Self::Elem {
        (self.0.top(), self.1.top())
    }

    fn leq(&self, a: &Self::Elem, b: &Self::Elem, budget: &Budget) -> Result<bool, Stop> {
        Ok(self.0.leq(&a.0, &b.0, budget)? && self.1.leq(&a.1, &b.1, budget)?)
    }

    fn join_assign(&self, a: &mut Self::Elem, b: &Self::Elem, budget: &Budget) -> Result<(), Stop> {
        self.0.join_assign(&mut a.0, &b.0, budget)?;
        self.1.join_assign(&mut a.1, &b.1, budget)
    }

    fn meet_assign(&self, a: &mut Self::Elem, b: &Self::Elem, budget: &Budget) -> Result<(), Stop> {
        self.0.meet_assign(&mut a.0, &b.0, budget)?;
        self.1.meet_assign(&mut a.1, &b.1, budget)
    }

    #[inline]
    fn rank(&self, a: &Self::Elem) -> u64 {
        self.0.rank(&a.0).saturating_add(self.1.rank(&a.1))
    }

    #[inline]
    fn shorten(
        &self,
        a: &Self::Elem,
        shown: Shown<'_, Self::Elem>,
        budget: &Budget,
    ) -> Result<Option<Self::Elem>, Stop> {
        let (Some(first), Some(second)) = (shown.map(|x| Some(&x.0)), shown.map(|x| Some(&x.1)))
        else {
            return Ok(None);
        };
        let first = self.0.shorten(&a.0, first, budget)?;
        let second = self.1.shorten(&a.1, second, budget)?;
        if first.is_none() && second.is_none() {
            return Ok(None);
        }
        let first = first.unwrap_or_else(|| a.0.clone());
        Ok(Some((first, second.unwrap_or_else(|| a.1.clone()))))
    }
}

impl<A: DistributiveLattice, B: DistributiveLattice> DistributiveLattice for (A, B) {}

/// Pairs each lattice with its components of `a` and `b`.
fn components<'a, L: Lattice>(
    lattices: &'a [L],
    a: &'a [L::Elem],
    b: &'a [L::Elem],
) -> impl Iterator<Item = (&'a L, &'a L::Elem, &'a L::Elem)> {
    lattices
        .iter()
        .zip(a.iter().zip(b))
        .map(|(l, (a, b))| (l, a, b))
}

/// Component-wise `leq` of two lists.
fn all_leq<L: Lattice>(
    lattices: &[L],
    a: &[L::Elem],
    b: &[L::Elem],
    budget: &Budget,
) -> Result<bool, Stop> {
    for (lattice, a, b) in components(lattices, a, b) {
        if !lattice.leq(a, b, budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Component-wise join of two lists.
fn join_all<L: Lattice>(
    lattices: &[L],
    a: &mut [L::Elem],
    b: &[L::Elem],
    budget: &Budget,
) -> Result<(), Stop> {
    for (lattice, (a, b)) in lattices.iter().zip(a.iter_mut().zip(b)) {
        lattice.join_assign(a, b, budget)?;
    }
    Ok(())
}

/// Component-wise meet of two lists.
fn meet_all<L: Lattice>(
    lattices: &[L],
    a: &mut [L::Elem],
    b: &[L::Elem],
    budget: &Budget,
) -> Result<(), Stop> {
    for (lattice, (a, b)) in lattices.iter().zip(a.iter_mut().zip(b)) {
        lattice.meet_assign(a, b, budget)?;
    }
    Ok(())
}

/// The sum of the ranks of the components of a list.
#[inline]
fn rank_of_all<L: Lattice>(lattices: &[L], a: &[L::Elem]) -> u64 {
    let ranks = lattices.iter().zip(a).map(|(l, a)| l.rank(a));
    ranks.fold(0, u64::saturating_add)
}

/// Shortens each component of a list.
#[inline]
fn shorten_all<L: Lattice, E>(
    lattices: &[L],
    a: &E,
    shown: Shown<'_, E>,
    budget: &Budget,
) -> Result<Option<E>, Stop>
where
    E: Clone + AsRef<[L::Elem]> + AsMut<[L::Elem]>,
{
    let mut shorter: Option<E> = None;
    for (place, (lattice, component)) in lattices.iter().zip(a.as_ref()).enumerate() {
        let Some(shown) = shown.map(|x| x.as_ref().get(place)) else {
            break;
        };
        if let Some(component) = lattice.shorten(component, shown, budget)? {
            let list = shorter.get_or_insert_with(|| a.clone()).as_mut();
            list[place] = component;
        }
    }
    Ok(shorter)
}

impl<L: Lattice, const K: usize> Lattice for [L; K] {
    type Elem = [L::Elem; K];

    fn bottom(&self) -> Self::Elem {
        array::from_fn(|i| self[i].bottom())
    }

    fn top(&self) -> Self::Elem {
        array::from_fn(|i| self[i].top())
    }

    fn leq(&self, a: &Self::Elem, b: &Self::Elem, budget: &Budget) -> Result<bool, Stop> {
        all_leq(self, a, b, budget)
    }

    fn join_assign(&self, a: &mut Self::Elem, b: &Self::Elem, budget: &Budget) -> Result<(), Stop> {
        join_all(self, a, b, budget)
    }

    fn meet_assign(&self, a: &mut Self::Elem, b: &Self::Elem, budget: &Budget) -> Result<(), Stop> {
        meet_all(self, a, b, budget)
    }

    fn rank(&self, a: &Self::Elem) -> u64 {
        rank_of_all(self, a)
    }

    #[inline]
    fn shorten(
        &self,
        a: &Self::Elem,
        shown: Shown<'_, Self::Elem>,
        budget: &Budget,
    ) -> Result<Option<Self::Elem>, Stop> {
        shorten_all(self, a, shown, budget)
    }
}

impl<L: DistributiveLattice, const K: usize> DistributiveLattice for [L; K] {}

/// The product of a list of lattices of one type. Elements are lists of the same length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product<L> {
    factors: Box<[L]>,
}

impl<L: Lattice> Product<L> {
    /// The product of these lattices, in this order.
    pub fn new(factors: impl IntoIterator<Item = L>) -> Self {
        Self {
            factors: factors.into_iter().collect(),
        }
    }

    /// `k` copies of one lattice.
    pub fn power(factor: L, k: usize) -> Self
    where
        L: Clone,
    {
        Self::new(std::iter::repeat_n(factor, k))
    }

    /// The factors.
    pub fn factors(&self) -> &[L] {
        &self.factors
    }
}

impl<L: Lattice> Lattice for Product<L> {
    type Elem = Box<[L::Elem]>;

    fn bottom(&self) -> Self::Elem {
        self.factors.iter().map(L::bottom).collect()
    }

    fn top(&self) -> Self::Elem {
        self.factors.iter().map(L::top).collect()
    }

    fn leq(&self, a: &Self::Elem, b: &Self::Elem, budget: &Budget) -> Result<bool, Stop> {
        all_leq(&self.factors, a, b, budget)
    }

    fn join_assign(&self, a: &mut Self::Elem, b: &Self::Elem, budget: &Budget) -> Result<(), Stop> {
        join_all(&self.factors, a, b, budget)
    }

    fn meet_assign(&self, a: &mut Self::Elem, b: &Self::Elem, budget: &Budget) -> Result<(), Stop> {
        meet_all(&self.factors, a, b, budget)
    }

    fn rank(&self, a: &Self::Elem) -> u64 {
        rank_of_all(&self.factors, a)
    }

    #[inline]
    fn shorten(
        &self,
        a: &Self::Elem,
        shown: Shown<'_, Self::Elem>,
        budget: &Budget,
    ) -> Result<Option<Self::Elem>, Stop> {
        shorten_all(&self.factors, a, shown, budget)
    }
}

impl<L: DistributiveLattice> DistributiveLattice for Product<L> {}
