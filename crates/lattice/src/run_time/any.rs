//! A lattice chosen at run time: one type for every lattice a problem file can name.
//!
//! Problem: a file says which lattice its values come from, so some code must work with any
//! lattice. Monomorphising every algorithm for every lattice, and every product of lattices, is
//! neither possible nor useful.
//!
//! Idea: one enum of lattices, one enum of elements. A program that wants speed converts the values
//! once to a concrete lattice and searches there; everything else, and every check, runs here. The
//! price is a branch at each operation.
//!
//! Invariant: operations get elements of their own lattice. Mixing kinds is a bug of the caller: it
//! panics in debug builds and leaves the element unchanged otherwise.
//!
//! The licence: whether [`AnyLattice`] is distributive is known at run time only, so it is a
//! checked conversion into [`Distributive`].

use fixedbitset::FixedBitSet;

use crate::diagram::Function;
use crate::{
    Antichain, Bool, Budget, Chain, Decimal, Distributive, Divisors, Dual, Extended, Families,
    FiniteLattice, FreeLattice, Lattice, Monotone, NotDistributive, Powerset, Product, Shown, Stop,
    Words, WorldSet,
};

/// A lattice known at run time. Matches on it need no wildcard, so that the compiler asks for an
/// arm where a lattice is added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnyLattice {
    /// `false` below `true`.
    Bool(Bool),
    /// Integers, perhaps with infinities.
    Integers(Chain<Extended>),
    /// Decimals, perhaps with infinities.
    Decimals(Chain<Decimal>),
    /// Sets of at most 64 worlds.
    SmallPowerset(Powerset<Words<1>>),
    /// Sets of any number of worlds.
    Powerset(Powerset<FixedBitSet>),
    /// Families of sets of at most 64 worlds.
    SmallFamilies(Families<Words<1>>),
    /// Families of sets of any number of worlds.
    Families(Families<FixedBitSet>),
    /// Several lattices at once.
    Product(Product<AnyLattice>),
    /// The divisors of a number.
    Divisors(Divisors),
    /// A lattice upside down.
    Dual(Box<Dual<AnyLattice>>),
    /// A table.
    Finite(FiniteLattice),
    /// The free distributive lattice over vectors.
    Free(FreeLattice),
    /// The free distributive lattice over events, as diagrams.
    Monotone(Monotone),
}

/// An element of an [`AnyLattice`]. The elements of a dual are those of the lattice it turns round.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AnyElem {
    /// Of [`AnyLattice::Bool`].
    Bool(bool),
    /// Of [`AnyLattice::Integers`].
    Integer(Extended),
    /// Of [`AnyLattice::Decimals`].
    Decimal(Decimal),
    /// Of [`AnyLattice::SmallPowerset`].
    SmallSet(Words<1>),
    /// Of [`AnyLattice::Powerset`].
    Set(FixedBitSet),
    /// Of [`AnyLattice::SmallFamilies`].
    SmallFamily(Antichain<Words<1>>),
    /// Of [`AnyLattice::Families`].
    Family(Antichain<FixedBitSet>),
    /// Of [`AnyLattice::Product`].
    Tuple(Box<[AnyElem]>),
    /// Of [`AnyLattice::Divisors`].
    Divisor(u64),
    /// Of [`AnyLattice::Finite`].
    Element(u32),
    /// Of [`AnyLattice::Free`].
    Free(Antichain<Antichain<Box<[Extended]>>>),
    /// Of [`AnyLattice::Monotone`].
    Function(Function),
}

impl AnyLattice {
    /// Powerset of `worlds` worlds in the smaller representation that holds it.
    pub fn powerset(worlds: usize) -> Self {
        match Powerset::new(worlds) {
            Ok(small) => Self::SmallPowerset(small),
            Err(_) => Self::Powerset(
                Powerset::new(worlds).unwrap_or_else(|_| unreachable!("bit sets have no limit")),
            ),
        }
    }

    /// Families over `worlds` worlds in the smaller representation that holds them.
    pub fn families(worlds: usize) -> Self {
        match Families::of_worlds(worlds) {
            Ok(small) => Self::SmallFamilies(small),
            Err(_) => Self::Families(
                Families::of_worlds(worlds)
                    .unwrap_or_else(|_| unreachable!("bit sets have no limit")),
            ),
        }
    }

    /// The element that stands for a set of worlds, numbered from 0: the set itself in a powerset,
    /// all its subsets among families. `None` for a world that does not exist, and for other
    /// lattices.
    pub fn set(&self, worlds: impl IntoIterator<Item = usize>) -> Option<AnyElem> {
        match self {
            Self::SmallPowerset(sets) => sets.set(worlds).map(AnyElem::SmallSet),
            Self::Powerset(sets) => sets.set(worlds).map(AnyElem::Set),
            Self::SmallFamilies(families) => {
                let set = families.base().set(worlds)?;
                Some(AnyElem::SmallFamily(families.principal(set)))
            }
            Self::Families(families) => {
                let set = families.base().set(worlds)?;
                Some(AnyElem::Family(families.principal(set)))
            }
            _ => None,
        }
    }

    /// The element that stands for a set of any representation, over as many worlds or fewer.
    pub fn set_of<B: WorldSet>(&self, set: &B) -> Option<AnyElem> {
        fn same<A: WorldSet, B: WorldSet>(sets: &Powerset<A>, set: &B) -> Option<A> {
            let last = set.words().zip(0..).filter(|(word, _)| *word != 0).last();
            let length = last.map_or(0, |(word, place)| {
                64 * place + 64 - word.leading_zeros() as usize
            });
            (length <= sets.worlds()).then(|| {
                let mut same = A::empty(sets.worlds());
                for (place, word) in set.words().enumerate() {
                    same.insert_word(place, word);
                }
                same
            })
        }
        match self {
            Self::SmallPowerset(sets) => same(sets, set).map(AnyElem::SmallSet),
            Self::Powerset(sets) => same(sets, set).map(AnyElem::Set),
            Self::SmallFamilies(families) => {
                let set = same(families.base(), set)?;
                Some(AnyElem::SmallFamily(families.principal(set)))
            }
            Self::Families(families) => {
                let set = same(families.base(), set)?;
                Some(AnyElem::Family(families.principal(set)))
            }
            _ => None,
        }
    }

    /// Checks that the lattice is distributive.
    ///
    /// # Errors
    /// Three elements of a table in it that break the law.
    pub fn check_distributive(&self) -> Result<(), NotDistributive> {
        match self {
            Self::Product(product) => product
                .factors()
                .iter()
                .try_for_each(Self::check_distributive),
            Self::Dual(dual) => dual.0.check_distributive(),
            Self::Finite(finite) => finite.check_distributive(),
            _ => Ok(()),
        }
    }
}

impl TryFrom<AnyLattice> for Distributive<AnyLattice> {
    type Error = NotDistributive;

    fn try_from(lattice: AnyLattice) -> Result<Self, NotDistributive> {
        lattice.check_distributive()?;
        Ok(Self::checked(lattice))
    }
}

/// Calls a macro with the tokens given and a list of the lattices with elements of their own, each
/// with the name of its elements: the only such list.
macro_rules! with_each_lattice {
    ($name:ident!($($given:tt)*)) => {
        $name! { $($given)* [
            Bool Bool, Integers Integer, Decimals Decimal, SmallPowerset SmallSet, Powerset Set,
            SmallFamilies SmallFamily, Families Family, Product Tuple, Divisors Divisor,
            Finite Element, Free Free, Monotone Function
        ] }
    };
}
pub(crate) use with_each_lattice;

/// The bottom or top of the lattice, wrapped as an element.
macro_rules! extreme {
    ($lattice:expr, $method:ident) => {
        with_each_lattice!(extreme!(@ $lattice, $method,))
    };
    (@ $lattice:expr, $method:ident, [$($variant:ident $elem:ident),*]) => {
        match $lattice {
            $(AnyLattice::$variant(l) => AnyElem::$elem(l.$method()),)*
            AnyLattice::Dual(l) => l.$method(),
        }
    };
}

/// Delegates an operation on two elements to their lattice.
macro_rules! operation {
    ($lattice:ident, $method:ident, $a:ident, $b:ident, $budget:expr, $mismatch:expr) => {
        with_each_lattice!(operation!(@ $lattice, $method, $a, $b, $budget, $mismatch,))
    };
    (@ $lattice:ident, $method:ident, $a:ident, $b:ident, $budget:expr, $mismatch:expr,
     [$($variant:ident $elem:ident),*]) => {{
        match $lattice {
            $(AnyLattice::$variant(l) => {
                if let AnyElem::$elem(a) = $a
                    && let AnyElem::$elem(b) = $b
                {
                    return l.$method(a, b, $budget);
                }
            })*
            AnyLattice::Dual(l) => return l.$method($a, $b, $budget),
        }
        debug_assert!(false, "{:?} and {:?} are no elements of {:?}", $a, $b, $lattice);
        Ok($mismatch)
    }};
}

impl Lattice for AnyLattice {
    type Elem = AnyElem;

    fn bottom(&self) -> AnyElem {
        extreme!(self, bottom)
    }

    fn top(&self) -> AnyElem {
        extreme!(self, top)
    }

    fn leq(&self, a: &AnyElem, b: &AnyElem, budget: &Budget) -> Result<bool, Stop> {
        operation!(self, leq, a, b, budget, false)
    }

    fn join_assign(&self, a: &mut AnyElem, b: &AnyElem, budget: &Budget) -> Result<(), Stop> {
        operation!(self, join_assign, a, b, budget, ())
    }

    fn meet_assign(&self, a: &mut AnyElem, b: &AnyElem, budget: &Budget) -> Result<(), Stop> {
        operation!(self, meet_assign, a, b, budget, ())
    }

    fn rank(&self, a: &AnyElem) -> u64 {
        match (self, a) {
            (Self::SmallPowerset(l), AnyElem::SmallSet(a)) => l.rank(a),
            (Self::Powerset(l), AnyElem::Set(a)) => l.rank(a),
            (Self::SmallFamilies(l), AnyElem::SmallFamily(a)) => l.rank(a),
            (Self::Families(l), AnyElem::Family(a)) => l.rank(a),
            (Self::Product(l), AnyElem::Tuple(a)) => l.rank(a),
            (Self::Free(l), AnyElem::Free(a)) => l.rank(a),
            (Self::Dual(l), a) => l.rank(a),
            _ => 0,
        }
    }

    fn shorten(
        &self,
        a: &AnyElem,
        shown: Shown<'_, AnyElem>,
        budget: &Budget,
    ) -> Result<Option<AnyElem>, Stop> {
        /// By a lattice whose elements are lists.
        macro_rules! by {
            ($lattice:expr, $kind:path, $a:expr) => {{
                let shown = shown.map(|x| match x {
                    $kind(x) => Some(x),
                    _ => None,
                });
                let Some(shown) = shown else {
                    return Ok(None);
                };
                Ok($lattice.shorten($a, shown, budget)?.map($kind))
            }};
        }
        match (self, a) {
            (Self::SmallFamilies(l), AnyElem::SmallFamily(a)) => by!(l, AnyElem::SmallFamily, a),
            (Self::Families(l), AnyElem::Family(a)) => by!(l, AnyElem::Family, a),
            (Self::Product(l), AnyElem::Tuple(a)) => by!(l, AnyElem::Tuple, a),
            (Self::Free(l), AnyElem::Free(a)) => by!(l, AnyElem::Free, a),
            (Self::Dual(l), a) => l.shorten(a, shown, budget),
            _ => Ok(None),
        }
    }
}
