//! The traits: [`Lattice`], its licences [`DistributiveLattice`] and [`TotalOrder`], and the helper [`Within`].

use std::cmp::Ordering;
use std::fmt::Debug;

use crate::{Budget, Stop};

/// A bounded lattice: a set of elements with meet (greatest lower bound), join (least upper bound), bottom and top.
///
/// The lattice is an *object* and its elements are plain data: a powerset whose width is known at run time has a top, a finite lattice
/// has its table, a store of shared values has a place to live. Elements have one representation each, so `==` is equality in the
/// lattice. An element must only be given to the lattice that made it, or to an equal one.
///
/// Operations take `&self`, so a lattice that is `Sync` serves many threads at once; one with a table inside (hash-consing) keeps that
/// table behind its own lock. [`crate::laws`] checks the laws on any list of elements.
pub trait Lattice {
    /// An element.
    type Elem: Clone + Eq + Debug;

    /// The least element.
    fn bottom(&self) -> Self::Elem;

    /// The greatest element.
    fn top(&self) -> Self::Elem;

    /// Whether `a` lies below or equals `b`.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends a long comparison.
    fn leq(&self, a: &Self::Elem, b: &Self::Elem, budget: &Budget) -> Result<bool, Stop>;

    /// Sets `a` to the join of `a` and `b`.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends a long operation; `a` then lies between its old value and the result, so a lower bound stays one.
    fn join_assign(&self, a: &mut Self::Elem, b: &Self::Elem, budget: &Budget) -> Result<(), Stop>;

    /// Sets `a` to the meet of `a` and `b`.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends a long operation; `a` then lies between the result and its old value, so an upper bound stays one.
    fn meet_assign(&self, a: &mut Self::Elem, b: &Self::Elem, budget: &Budget) -> Result<(), Stop>;

    /// How large an element is: a number that does not fall from an element to one above it. Searches take the more promising child first by
    /// it, and no value depends on it. Must be cheap.
    #[inline]
    fn rank(&self, _element: &Self::Elem) -> u64 {
        0
    }

    /// How long an element is, written down: for a list the number of its items, otherwise 1.
    #[inline]
    fn length(&self, _element: &Self::Elem) -> usize {
        1
    }

    /// May lower `a` to any element with the same join with `other`, if that is no longer: what `other` says need not be said twice. By default
    /// nothing is done.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends a long operation; `a` is then as it was.
    #[inline]
    fn drop_beside(
        &self,
        _a: &mut Self::Elem,
        _other: &Self::Elem,
        _budget: &Budget,
    ) -> Result<(), Stop> {
        Ok(())
    }

    /// May raise `a` to any element with the same meet with `other`, if that is no longer: what lies outside of `other` need not be told apart.
    /// By default nothing is done.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends a long operation; `a` is then as it was.
    #[inline]
    fn raise_outside(
        &self,
        _a: &mut Self::Elem,
        _other: &Self::Elem,
        _budget: &Budget,
    ) -> Result<(), Stop> {
        Ok(())
    }

    /// How many bytes an element holds on the heap besides its own size, about: what a store of elements has to count. 0 where nobody says.
    #[inline]
    fn heap_bytes(&self, _element: &Self::Elem) -> u64 {
        0
    }
}

/// The element type of a lattice.
pub type ElemOf<L> = <L as Lattice>::Elem;

/// A lattice in which meet distributes over join, and so join over meet.
///
/// This is the licence for every cut deeper than Ginsberg and Jaffray's shallow one (2002) and for every cache that holds results of
/// windowed searches: on the lattices M3 and N5 such a search returns wrong values. Implement it only where the law holds;
/// [`crate::laws::check_distributive`] helps to find out.
pub trait DistributiveLattice: Lattice {}

/// A lattice in which any two elements are comparable: a chain.
pub trait TotalOrder: DistributiveLattice {
    /// Compares in the order of the lattice, which for a dual chain is the reverse of the order of the numbers.
    fn compare(&self, a: &Self::Elem, b: &Self::Elem) -> Ordering;
}

/// A lattice together with a budget, so that formulas read like the paper: `l.join(&mut alpha, &value)?`.
#[derive(Debug)]
pub struct Within<'a, L> {
    /// The lattice.
    pub lattice: &'a L,
    /// What its operations may cost.
    pub budget: &'a Budget,
}

impl<L> Clone for Within<'_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for Within<'_, L> {}

impl<'a, L: Lattice> Within<'a, L> {
    /// The lattice with this budget.
    pub fn new(lattice: &'a L, budget: &'a Budget) -> Self {
        Self { lattice, budget }
    }

    /// The least element.
    #[inline]
    pub fn bottom(self) -> L::Elem {
        self.lattice.bottom()
    }

    /// The greatest element.
    #[inline]
    pub fn top(self) -> L::Elem {
        self.lattice.top()
    }

    /// Whether `a <= b`.
    #[inline]
    pub fn leq(self, a: &L::Elem, b: &L::Elem) -> Result<bool, Stop> {
        self.lattice.leq(a, b, self.budget)
    }

    /// `a := a join b`.
    #[inline]
    pub fn join(self, a: &mut L::Elem, b: &L::Elem) -> Result<(), Stop> {
        self.lattice.join_assign(a, b, self.budget)
    }

    /// `a := a meet b`.
    #[inline]
    pub fn meet(self, a: &mut L::Elem, b: &L::Elem) -> Result<(), Stop> {
        self.lattice.meet_assign(a, b, self.budget)
    }

    /// Lowers `a`, where `a join other` stays the same and it becomes shorter.
    #[inline]
    pub fn drop_beside(self, a: &mut L::Elem, other: &L::Elem) -> Result<(), Stop> {
        self.lattice.drop_beside(a, other, self.budget)
    }

    /// Raises `a`, where `a meet other` stays the same and it becomes shorter.
    #[inline]
    pub fn raise_outside(self, a: &mut L::Elem, other: &L::Elem) -> Result<(), Stop> {
        self.lattice.raise_outside(a, other, self.budget)
    }

    /// `upper meet (lower join value)`: the part of `value` that a window shows (Li et al. 2022, Corollaries 1 and 2).
    pub fn clip(self, lower: &L::Elem, value: &L::Elem, upper: &L::Elem) -> Result<L::Elem, Stop> {
        let mut clipped = value.clone();
        self.join(&mut clipped, lower)?;
        self.meet(&mut clipped, upper)?;
        Ok(clipped)
    }
}

/// What is known of a value: the value itself, or a lower and an upper bound that differ.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Interval<E> {
    /// The value.
    Exact(E),
    /// The value lies in `lower..=upper`, and the two differ.
    Between {
        /// A lower bound.
        lower: E,
        /// An upper bound.
        upper: E,
    },
}

impl<E: Eq> Interval<E> {
    /// The interval from `lower` to `upper`; exact if they are equal. The bounds are compared here, once.
    #[inline]
    pub fn new(lower: E, upper: E) -> Self {
        if lower == upper {
            Self::Exact(lower)
        } else {
            Self::Between { lower, upper }
        }
    }

    /// The value, if it is known exactly.
    #[inline]
    pub fn exact(&self) -> Option<&E> {
        match self {
            Self::Exact(value) => Some(value),
            Self::Between { .. } => None,
        }
    }

    /// The lower bound.
    #[inline]
    pub fn lower(&self) -> &E {
        match self {
            Self::Exact(value) => value,
            Self::Between { lower, .. } => lower,
        }
    }

    /// The upper bound.
    #[inline]
    pub fn upper(&self) -> &E {
        match self {
            Self::Exact(value) => value,
            Self::Between { upper, .. } => upper,
        }
    }
}

impl<L: Lattice + ?Sized> Lattice for &L {
    type Elem = L::Elem;

    fn rank(&self, element: &L::Elem) -> u64 {
        (**self).rank(element)
    }

    fn drop_beside(&self, a: &mut L::Elem, other: &L::Elem, budget: &Budget) -> Result<(), Stop> {
        (**self).drop_beside(a, other, budget)
    }

    fn length(&self, a: &L::Elem) -> usize {
        (**self).length(a)
    }

    fn raise_outside(&self, a: &mut L::Elem, other: &L::Elem, budget: &Budget) -> Result<(), Stop> {
        (**self).raise_outside(a, other, budget)
    }

    fn heap_bytes(&self, element: &L::Elem) -> u64 {
        (**self).heap_bytes(element)
    }

    fn bottom(&self) -> L::Elem {
        (**self).bottom()
    }

    fn top(&self) -> L::Elem {
        (**self).top()
    }

    #[inline]
    fn leq(&self, a: &L::Elem, b: &L::Elem, budget: &Budget) -> Result<bool, Stop> {
        (**self).leq(a, b, budget)
    }

    #[inline]
    fn join_assign(&self, a: &mut L::Elem, b: &L::Elem, budget: &Budget) -> Result<(), Stop> {
        (**self).join_assign(a, b, budget)
    }

    #[inline]
    fn meet_assign(&self, a: &mut L::Elem, b: &L::Elem, budget: &Budget) -> Result<(), Stop> {
        (**self).meet_assign(a, b, budget)
    }
}

impl<L: DistributiveLattice + ?Sized> DistributiveLattice for &L {}

impl<L: TotalOrder + ?Sized> TotalOrder for &L {
    fn compare(&self, a: &L::Elem, b: &L::Elem) -> Ordering {
        (**self).compare(a, b)
    }
}
