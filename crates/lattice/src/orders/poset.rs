//! Partially ordered sets, over which free distributive lattices are built: they compare and need
//! no meet or join.
//!
//! Problem: outcomes with several criteria, or of a user's own type, are only ordered: two of them
//! need not have a meet or a join. Antichains need only an order, too.
//!
//! Idea: [`Poset`] compares; [`MeetSemilattice`] also meets. Every [`Lattice`] whose elements have
//! an `Ord` is both, by blanket implementations; the methods have names of their own, so that calls
//! on a lattice stay unambiguous. Three posets that are no lattices live here: [`Vectors`] under
//! dominance, a [`FinitePoset`](crate::FinitePoset) given as a table, and [`Reversed`], any poset
//! upside down.
//!
//! A poset may also cast a *shadow*: a few integers that grow with the element. If a shadow is not
//! below another in every coordinate, neither is the element. Searches in large antichains skip
//! almost everything by shadows alone.
//!
//! Cost: one comparison of vectors takes a step for each criterion, one of a table looks up a bit.
//!
//! Source: game values in a partially ordered set: Dasgupta, Chakrabarti, DeSarkar (1996);
//! Couwenberg (2011).

use std::fmt::Debug;

use smallvec::{SmallVec, smallvec};

use crate::{Budget, Extended, Lattice, Shown, Stop};

/// An order-preserving image of an element: see [`Poset::shadow`].
pub type Shadow = [i64; 4];

/// The point under which an index stores an element: see [`Poset::place`].
pub type Place = [i64; 8];

/// A set with a partial order, finite or not, bounded or not.
///
/// ```
/// use meetjoin_lattice::{Budget, Disjunctive, Poset, Stop};
///
/// /// Numbers under "divides".
/// #[derive(Clone)]
/// struct Divides;
///
/// impl Poset for Divides {
///     type Elem = u64;
///     fn below(&self, a: &u64, b: &u64, _: &Budget) -> Result<bool, Stop> {
///         Ok(b % a == 0)
///     }
/// }
///
/// let free = Disjunctive::free_over(Divides);
/// let value = free.generated_by([2, 3, 6].map(|n| free.single(n)), &Budget::unlimited())?;
/// assert_eq!(value, free.outcome(6)); // 2 join 3 join 6
/// # Ok::<(), Stop>(())
/// ```
pub trait Poset {
    /// An element. `Ord` is any total order; it serves to have one representation of a set of
    /// elements, and need not agree with the partial order. Elements that lie below each other must
    /// be equal.
    type Elem: Clone + Ord + Debug + Send + Sync + 'static;

    /// Returns whether `a` lies below or equals `b`.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends a long comparison.
    fn below(&self, a: &Self::Elem, b: &Self::Elem, budget: &Budget) -> Result<bool, Stop>;

    /// The size of an element, for [`Lattice::rank`] of lattices built over the poset.
    #[inline]
    fn magnitude(&self, _: &Self::Elem) -> u64 {
        0
    }

    /// Returns whether elements cast shadows that tell them apart. Then large antichains are
    /// indexed; otherwise they are compared in pairs, which is faster where a comparison is as
    /// cheap as that of two sets.
    fn has_shadows(&self) -> bool {
        false
    }

    /// A few integers that grow with the element: if `a` lies below `b`, each coordinate of its
    /// shadow is at most that of `b`. The more elements it distinguishes, the faster large
    /// antichains are. The default is constant.
    fn shadow(&self, _: &Self::Elem) -> Shadow {
        Shadow::default()
    }

    /// The point under which an index stores the element. Used together with
    /// [`reach`](Self::reach), for posets whose order one shadow describes badly.
    fn place(&self, a: &Self::Elem) -> Place {
        filed(self.shadow(a), Shadow::default())
    }

    /// The points from which an index looks for elements above `a`: if `a` lies below `b`, one of
    /// these is at most `place(b)` in every coordinate.
    fn reach(&self, a: &Self::Elem) -> SmallVec<[Place; 2]> {
        smallvec![filed(self.shadow(a), Shadow::default())]
    }
}

/// Two shadows as one place.
pub(crate) fn filed(first: Shadow, second: Shadow) -> Place {
    let mut both = first.into_iter().chain(second);
    std::array::from_fn(|_| both.next().unwrap_or_default())
}

/// A poset with a greatest element in which any two elements have a greatest lower bound.
pub trait MeetSemilattice: Poset {
    /// The greatest element.
    fn greatest(&self) -> Self::Elem;

    /// Sets `a` to the greatest lower bound of `a` and `b`.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends a long operation; `a` then lies between the result and its old
    /// value.
    fn meet_into(&self, a: &mut Self::Elem, b: &Self::Elem, budget: &Budget) -> Result<(), Stop>;

    /// Any element above `a` with the same meet with `other`; `None`, the default, stands for `a`
    /// itself. Used for [`Lattice::shorten`] of lattices built over the semilattice.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends a long operation.
    #[inline]
    fn raised(
        &self,
        _a: &Self::Elem,
        _other: &Self::Elem,
        _: &Budget,
    ) -> Result<Option<Self::Elem>, Stop> {
        Ok(None)
    }
}

impl<L: Lattice<Elem: Ord>> Poset for L {
    type Elem = L::Elem;

    #[inline]
    fn below(&self, a: &L::Elem, b: &L::Elem, budget: &Budget) -> Result<bool, Stop> {
        self.leq(a, b, budget)
    }

    #[inline]
    fn magnitude(&self, element: &L::Elem) -> u64 {
        self.rank(element)
    }
}

impl<L: Lattice<Elem: Ord>> MeetSemilattice for L {
    #[inline]
    fn greatest(&self) -> L::Elem {
        self.top()
    }

    #[inline]
    fn meet_into(&self, a: &mut L::Elem, b: &L::Elem, budget: &Budget) -> Result<(), Stop> {
        self.meet_assign(a, b, budget)
    }

    #[inline]
    fn raised(
        &self,
        a: &L::Elem,
        other: &L::Elem,
        budget: &Budget,
    ) -> Result<Option<L::Elem>, Stop> {
        self.shorten(a, Shown::Item { within: other }, budget)
    }
}

/// A poset upside down. ([`Dual`](crate::Dual) does that for lattices.)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reversed<P>(pub P);

impl<P: Poset> Poset for Reversed<P> {
    type Elem = P::Elem;

    #[inline]
    fn below(&self, a: &P::Elem, b: &P::Elem, budget: &Budget) -> Result<bool, Stop> {
        self.0.below(b, a, budget)
    }

    fn has_shadows(&self) -> bool {
        self.0.has_shadows()
    }

    fn shadow(&self, a: &P::Elem) -> Shadow {
        // Reverses the order of all integers, without overflow.
        self.0.shadow(a).map(|n| !n)
    }
}

/// Vectors of integers under dominance: a lies below b if it does so in every component. Infinities
/// are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vectors {
    dims: usize,
}

impl Vectors {
    /// The vectors of `dims` integers. All vectors that are compared must have that length.
    pub fn new(dims: usize) -> Self {
        Self { dims }
    }

    /// The number of components of a vector.
    pub fn dims(&self) -> usize {
        self.dims
    }
}

impl Poset for Vectors {
    type Elem = Box<[Extended]>;

    #[inline]
    fn below(&self, a: &Box<[Extended]>, b: &Box<[Extended]>, _: &Budget) -> Result<bool, Stop> {
        debug_assert!(a.len() == self.dims && b.len() == self.dims);
        Ok(a.iter().zip(b).all(|(a, b)| a <= b))
    }

    fn has_shadows(&self) -> bool {
        true
    }

    fn shadow(&self, a: &Box<[Extended]>) -> Shadow {
        shadow_of(a.iter().map(|component| match component {
            Extended::NegInf => i64::MIN,
            Extended::Finite(number) => *number,
            Extended::PosInf => i64::MAX,
        }))
    }
}

/// A shadow of a vector under dominance: up to four components as they are; if there are more, the
/// sums of every fourth.
pub fn shadow_of(vector: impl IntoIterator<Item = i64>) -> Shadow {
    let mut shadow = Shadow::default();
    let places = shadow.len();
    for (i, number) in vector.into_iter().enumerate() {
        let sum = &mut shadow[i % places];
        *sum = sum.saturating_add(number);
    }
    shadow
}
