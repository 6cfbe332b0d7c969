//! The traits: [`Lattice`], its licences [`DistributiveLattice`] and [`TotalOrder`], and the helper
//! [`Within`].

use std::cmp::Ordering;
use std::fmt::Debug;

use crate::{Budget, Halves, Stop};

/// A bounded lattice: a set of elements with meet (greatest lower bound), join (least upper bound),
/// bottom and top.
///
/// The lattice is an *object* and its elements are plain data: it holds the width of a powerset,
/// the table of a finite lattice, or a store of shared values. Elements have one representation
/// each, so `==` is equality in the lattice. An element must only be given to the lattice that made
/// it, or to an equal one.
///
/// Operations take `&self`, so a lattice that is `Sync` serves many threads at once; one with a
/// table inside (hash-consing) keeps that table behind its own lock. [`crate::laws`] checks the
/// laws on any list of elements.
pub trait Lattice {
    /// An element. Threads can share it, and it borrows nothing.
    type Elem: Clone + Eq + Debug + Send + Sync + 'static;

    /// The least element.
    fn bottom(&self) -> Self::Elem;

    /// The greatest element.
    fn top(&self) -> Self::Elem;

    /// Returns whether `a` lies below or equals `b`.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends a long comparison.
    fn leq(&self, a: &Self::Elem, b: &Self::Elem, budget: &Budget) -> Result<bool, Stop>;

    /// Sets `a` to the join of `a` and `b`.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends a long operation; `a` then lies between its old value and the
    /// result, so a lower bound stays one.
    fn join_assign(&self, a: &mut Self::Elem, b: &Self::Elem, budget: &Budget) -> Result<(), Stop>;

    /// Sets `a` to the meet of `a` and `b`.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends a long operation; `a` then lies between the result and its old
    /// value, so an upper bound stays one.
    fn meet_assign(&self, a: &mut Self::Elem, b: &Self::Elem, budget: &Budget) -> Result<(), Stop>;

    /// The size of an element: a monotone map to the integers. Searches order children by it, and
    /// no value depends on it. Must be cheap.
    #[inline]
    fn rank(&self, _element: &Self::Elem) -> u64 {
        0
    }

    /// A shorter element that looks the same where it is shown; `None` if there is none, or none is
    /// looked for. Only lattices whose elements are lists have anything to shorten.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends a long operation.
    #[inline]
    fn shorten(
        &self,
        _a: &Self::Elem,
        _shown: Shown<'_, Self::Elem>,
        _budget: &Budget,
    ) -> Result<Option<Self::Elem>, Stop> {
        Ok(None)
    }
}

/// The part of an element that [`Lattice::shorten`] must keep.
#[derive(Debug)]
pub enum Shown<'a, E> {
    /// A lower bound: its join with `alpha`. It may become lower, for what `alpha` has need not be
    /// repeated. One that equals `upper` is the value itself and stays.
    Lower {
        /// An element below every answer that is asked for.
        alpha: &'a E,
        /// The upper bound of the same value.
        upper: &'a E,
    },
    /// An upper bound: its meet with `beta`. It may become higher, for elements need not be
    /// distinguished outside of `beta`. One that equals `lower` is the value itself and stays.
    Upper {
        /// An element above every answer that is asked for.
        beta: &'a E,
        /// The lower bound of the same value.
        lower: &'a E,
    },
    /// An item of a list that is shown by its meet with `within`. It may become higher, and need
    /// not become shorter: items that look alike become equal, which makes the list shorter.
    Item {
        /// The window of the items.
        within: &'a E,
    },
}

impl<E> Clone for Shown<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Shown<'_, E> {}

impl<'a, E> Shown<'a, E> {
    /// Maps the elements, if each has an image.
    #[inline]
    pub fn map<F>(self, image: impl Fn(&'a E) -> Option<&'a F>) -> Option<Shown<'a, F>> {
        Some(match self {
            Self::Lower { alpha, upper } => Shown::Lower {
                alpha: image(alpha)?,
                upper: image(upper)?,
            },
            Self::Upper { beta, lower } => Shown::Upper {
                beta: image(beta)?,
                lower: image(lower)?,
            },
            Self::Item { within } => Shown::Item {
                within: image(within)?,
            },
        })
    }

    /// The same in the dual; `None` for items of a list.
    #[inline]
    pub fn mirrored(self) -> Option<Self> {
        match self {
            Self::Lower { alpha, upper } => Some(Self::Upper {
                beta: alpha,
                lower: upper,
            }),
            Self::Upper { beta, lower } => Some(Self::Lower {
                alpha: beta,
                upper: lower,
            }),
            Self::Item { .. } => None,
        }
    }
}

/// The element type of a lattice.
pub type ElemOf<L> = <L as Lattice>::Elem;

/// A lattice in which meet distributes over join, and so join over meet.
///
/// This is the licence for every cut deeper than Ginsberg and Jaffray's shallow one (2002) and for
/// every cache that holds results of windowed searches: on the lattices M3 and N5 such a search
/// returns wrong values. Implement it only where the law holds; [`crate::laws::check_distributive`]
/// helps to find out.
pub trait DistributiveLattice: Lattice {}

/// A lattice in which any two elements are comparable: a chain.
pub trait TotalOrder: DistributiveLattice {
    /// Compares in the order of the lattice, which for a dual chain is the reverse of the order of
    /// the numbers.
    fn compare(&self, a: &Self::Elem, b: &Self::Elem) -> Ordering;

    /// A good element at which a search splits the range from `lower` to `upper`, of which the
    /// first is less; the ends count as well. A hint: `None` where the chain has no good one.
    fn split(&self, _lower: &Self::Elem, _upper: &Self::Elem) -> Option<Self::Elem> {
        None
    }

    /// [`split`](Self::split) as two neighbours, for a search whose windows end at elements. A
    /// hint: `None` where the chain does not know neighbours or cannot count the steps between
    /// `lower` and `upper`.
    fn halves(&self, _lower: &Self::Elem, _upper: &Self::Elem) -> Option<Halves<Self::Elem>> {
        None
    }
}

/// A lattice together with a budget, so that formulas read like the paper:
/// `l.join(&mut alpha, &value)?`.
#[derive(Debug)]
pub struct Within<'a, L> {
    /// The lattice.
    pub lattice: &'a L,
    /// The budget of its operations.
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

    /// Returns whether `a <= b`.
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

    /// Makes `a` shorter if possible, and keeps what is shown of it.
    #[inline]
    pub fn shorten(self, a: &mut L::Elem, shown: Shown<'_, L::Elem>) -> Result<(), Stop> {
        if let Some(shorter) = self.lattice.shorten(a, shown, self.budget)? {
            *a = shorter;
        }
        Ok(())
    }

    /// `upper meet (lower join value)`: the part of `value` that a window shows (Li et al. 2022,
    /// Corollaries 1 and 2).
    pub fn clip(self, lower: &L::Elem, value: &L::Elem, upper: &L::Elem) -> Result<L::Elem, Stop> {
        let mut clipped = value.clone();
        self.join(&mut clipped, lower)?;
        self.meet(&mut clipped, upper)?;
        Ok(clipped)
    }
}

/// What is known of a value: the value itself, or a lower and an upper bound that differ.
#[derive(Debug, PartialEq, Eq, Hash)]
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

impl<E: Clone> Clone for Interval<E> {
    #[inline]
    fn clone(&self) -> Self {
        match self {
            Self::Exact(value) => Self::Exact(value.clone()),
            Self::Between { lower, upper } => Self::Between {
                lower: lower.clone(),
                upper: upper.clone(),
            },
        }
    }

    /// Reuses the heap memory of the values of `self`.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (Self::Exact(value), Self::Exact(of_source)) => value.clone_from(of_source),
            (
                Self::Between { lower, upper },
                Self::Between {
                    lower: lower_of_source,
                    upper: upper_of_source,
                },
            ) => {
                lower.clone_from(lower_of_source);
                upper.clone_from(upper_of_source);
            }
            (this, source) => *this = source.clone(),
        }
    }
}

impl<E: Eq> Interval<E> {
    /// The interval from `lower` to `upper`; exact if they are equal. The bounds are compared here,
    /// once.
    #[inline]
    pub fn new(lower: E, upper: E) -> Self {
        if lower == upper {
            Self::Exact(lower)
        } else {
            Self::Between { lower, upper }
        }
    }
}

impl<E> Interval<E> {
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

/// Implements `Lattice` for a wrapper by delegating every method to the lattice inside.
macro_rules! same_lattice {
    ($self:ident, $inner:expr) => {
        type Elem = L::Elem;

        #[inline]
        fn bottom(&$self) -> L::Elem {
            $inner.bottom()
        }

        #[inline]
        fn top(&$self) -> L::Elem {
            $inner.top()
        }

        #[inline]
        fn leq(&$self, a: &L::Elem, b: &L::Elem, budget: &Budget) -> Result<bool, Stop> {
            $inner.leq(a, b, budget)
        }

        #[inline]
        fn join_assign(&$self, a: &mut L::Elem, b: &L::Elem, budget: &Budget) -> Result<(), Stop> {
            $inner.join_assign(a, b, budget)
        }

        #[inline]
        fn meet_assign(&$self, a: &mut L::Elem, b: &L::Elem, budget: &Budget) -> Result<(), Stop> {
            $inner.meet_assign(a, b, budget)
        }

        #[inline]
        fn rank(&$self, a: &L::Elem) -> u64 {
            $inner.rank(a)
        }

        #[inline]
        fn shorten(
            &$self,
            a: &L::Elem,
            shown: Shown<'_, L::Elem>,
            budget: &Budget,
        ) -> Result<Option<L::Elem>, Stop> {
            $inner.shorten(a, shown, budget)
        }
    };
}
pub(crate) use same_lattice;

impl<L: Lattice + ?Sized> Lattice for &L {
    same_lattice!(self, (**self));
}

impl<L: DistributiveLattice + ?Sized> DistributiveLattice for &L {}

impl<L: TotalOrder + ?Sized> TotalOrder for &L {
    fn compare(&self, a: &L::Elem, b: &L::Elem) -> Ordering {
        (**self).compare(a, b)
    }

    fn split(&self, lower: &L::Elem, upper: &L::Elem) -> Option<L::Elem> {
        (**self).split(lower, upper)
    }

    fn halves(&self, lower: &L::Elem, upper: &L::Elem) -> Option<Halves<L::Elem>> {
        (**self).halves(lower, upper)
    }
}
