//! Join-primes: the elements t for which "is the value at least t?" can be answered node by node.
//!
//! Problem: a proof of "the value is at least t" needs no lattice if the question can be passed
//! down the graph unchanged: at an OR node some child must be at least t, at an AND node every
//! child. For most t that is wrong, because a join can be above t although none of its parts is.
//!
//! Idea: an element t is *join-prime* if it is not the bottom, and `t <= a join b` gives `t <= a`
//! or `t <= b`. For such t, and for no others, `v -> (t <= v)` is a homomorphism into the two truth
//! values, so "t <= v(n)?" is a Boolean AND-OR question, in any lattice. Join-primes t1, .., tk
//! give a homomorphism into the subsets of k. In the distributive lattices of this crate they
//! determine a value: each element is the join of the join-primes below it. [`JoinPrimes`] finds
//! the greatest of them. [`MeetPrimes`] is the same upside down, and what [`Dual`] needs.
//!
//! | lattice | join-primes | meet-primes |
//! |---|---|---|
//! | truth values, chains | all but the bottom | all but the top |
//! | sets of worlds | one world | all worlds but one |
//! | families of sets | one maximal set, the empty set too | the sets that do not contain some Y |
//! | down-sets | one maximal element | |
//! | free lattice | one packet, the empty one too | one clause, the empty one too |
//! | functions of events | true at one point | true at all points but one |
//! | products | a join-prime of one factor, the bottom of the others | the same with tops |
//! | divisors of n | prime powers | n over a prime power |
//! | table | by test | by test |
//!
//! In a table that is not distributive the join-primes below v need not join to v: M3 has none at
//! all.
//!
//! Cost: the size of the answer, with exceptions: the meet-primes of families and of the free
//! lattice are another normal form, which can be exponentially larger, and so are the points of a
//! function; divisors have to be factored; a table of n elements takes n^2 look-ups for a list.
//!
//! Source: Birkhoff (1937); join-primes as thresholds in a table of one's own: the errata chapter.

use std::fmt::Debug;

use crate::basic::factors::prime_powers;
use crate::diagram::Function;
use crate::run_time::any::with_each_lattice;
use crate::{
    Antichain, AnyElem, AnyLattice, Bool, Budget, Chain, Distributive, Divisors, DownSets, Dual,
    Families, FiniteLattice, Lattice, MeetSemilattice, Monotone, Packets, Poset, Powerset, Product,
    Stop, Total, WorldSet,
};

/// A lattice that knows its join-primes. See the [module page](self).
///
/// ```
/// use meetjoin_lattice::{Budget, Families, JoinPrimes, Words};
///
/// let families = Families::<Words<1>>::of_worlds(3)?;
/// let budget = Budget::unlimited();
/// let value = families.generated_by([Words([0b011]), Words([0b110])], &budget)?;
/// assert!(!families.is_join_prime(&value, &budget)?);
/// let parts = families.join_primes_below(&value, &budget)?;
/// assert_eq!(parts, [Words([0b011]), Words([0b110])].map(|set| families.principal(set)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait JoinPrimes: Lattice {
    /// Returns whether `t` is join-prime.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    fn is_join_prime(&self, t: &Self::Elem, budget: &Budget) -> Result<bool, Stop>;

    /// The maximal join-primes at or below `v`, always in the same order. Their join is `v` if the
    /// lattice is distributive.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    fn join_primes_below(&self, v: &Self::Elem, budget: &Budget) -> Result<Vec<Self::Elem>, Stop>;
}

/// A lattice that knows its meet-primes: the join-primes of its dual. See the [module page](self).
pub trait MeetPrimes: Lattice {
    /// Returns whether `t` is meet-prime: not the top, and `a meet b <= t` gives `a <= t` or
    /// `b <= t`.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    fn is_meet_prime(&self, t: &Self::Elem, budget: &Budget) -> Result<bool, Stop>;

    /// The minimal meet-primes at or above `v`, always in the same order. Their meet is `v` if the
    /// lattice is distributive.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    fn meet_primes_above(&self, v: &Self::Elem, budget: &Budget) -> Result<Vec<Self::Elem>, Stop>;
}

/// Both traits of a wrapper, by delegation to the lattice inside.
macro_rules! delegate {
    ([$($generics:tt)*] $wrapper:ty, $inner:ident, $get:expr) => {
        impl<$($generics)* $inner: JoinPrimes> JoinPrimes for $wrapper {
            fn is_join_prime(&self, t: &Self::Elem, budget: &Budget) -> Result<bool, Stop> {
                $get(self).is_join_prime(t, budget)
            }

            fn join_primes_below(
                &self,
                v: &Self::Elem,
                budget: &Budget,
            ) -> Result<Vec<Self::Elem>, Stop> {
                $get(self).join_primes_below(v, budget)
            }
        }

        impl<$($generics)* $inner: MeetPrimes> MeetPrimes for $wrapper {
            fn is_meet_prime(&self, t: &Self::Elem, budget: &Budget) -> Result<bool, Stop> {
                $get(self).is_meet_prime(t, budget)
            }

            fn meet_primes_above(
                &self,
                v: &Self::Elem,
                budget: &Budget,
            ) -> Result<Vec<Self::Elem>, Stop> {
                $get(self).meet_primes_above(v, budget)
            }
        }
    };
}

delegate!(['a,] &'a L, L, |l: &&'a L| *l);
delegate!([] Distributive<L>, L, Distributive::get);
delegate!([] Total<L>, L, Total::get);

impl<L: MeetPrimes> JoinPrimes for Dual<L> {
    fn is_join_prime(&self, t: &L::Elem, budget: &Budget) -> Result<bool, Stop> {
        self.0.is_meet_prime(t, budget)
    }

    fn join_primes_below(&self, v: &L::Elem, budget: &Budget) -> Result<Vec<L::Elem>, Stop> {
        self.0.meet_primes_above(v, budget)
    }
}

impl<L: JoinPrimes> MeetPrimes for Dual<L> {
    fn is_meet_prime(&self, t: &L::Elem, budget: &Budget) -> Result<bool, Stop> {
        self.0.is_join_prime(t, budget)
    }

    fn meet_primes_above(&self, v: &L::Elem, budget: &Budget) -> Result<Vec<L::Elem>, Stop> {
        self.0.join_primes_below(v, budget)
    }
}

/// The element itself, unless it is `excluded`.
fn unless<E: Clone + PartialEq>(element: &E, excluded: &E) -> Vec<E> {
    let kept = (element != excluded).then(|| element.clone());
    kept.into_iter().collect()
}

impl JoinPrimes for Bool {
    fn is_join_prime(&self, t: &bool, _: &Budget) -> Result<bool, Stop> {
        Ok(*t)
    }

    fn join_primes_below(&self, v: &bool, _: &Budget) -> Result<Vec<bool>, Stop> {
        Ok(unless(v, &self.bottom()))
    }
}

impl MeetPrimes for Bool {
    fn is_meet_prime(&self, t: &bool, _: &Budget) -> Result<bool, Stop> {
        Ok(!*t)
    }

    fn meet_primes_above(&self, v: &bool, _: &Budget) -> Result<Vec<bool>, Stop> {
        Ok(unless(v, &self.top()))
    }
}

impl<T: Ord + Clone + Debug + Send + Sync + 'static> JoinPrimes for Chain<T> {
    fn is_join_prime(&self, t: &T, _: &Budget) -> Result<bool, Stop> {
        Ok(t != self.lo())
    }

    fn join_primes_below(&self, v: &T, _: &Budget) -> Result<Vec<T>, Stop> {
        Ok(unless(v, self.lo()))
    }
}

impl<T: Ord + Clone + Debug + Send + Sync + 'static> MeetPrimes for Chain<T> {
    fn is_meet_prime(&self, t: &T, _: &Budget) -> Result<bool, Stop> {
        Ok(t != self.hi())
    }

    fn meet_primes_above(&self, v: &T, _: &Budget) -> Result<Vec<T>, Stop> {
        Ok(unless(v, self.hi()))
    }
}

/// The complement of a set.
fn complement<B: WorldSet>(powerset: &Powerset<B>, set: &B) -> B {
    let mut rest = powerset.top();
    rest.subtract(set);
    rest
}

/// Returns whether a set has exactly one world.
fn is_single<B: WorldSet>(set: &B) -> bool {
    let mut ones = set.ones();
    ones.next().is_some() && ones.next().is_none()
}

/// The worlds of a set, each as a set.
fn singles<B: WorldSet>(powerset: &Powerset<B>, set: &B) -> Vec<B> {
    let single = |world| {
        let mut single = powerset.bottom();
        single.insert(world);
        single
    };
    set.ones().map(single).collect()
}

impl<B: WorldSet> JoinPrimes for Powerset<B> {
    fn is_join_prime(&self, t: &B, _: &Budget) -> Result<bool, Stop> {
        Ok(is_single(t))
    }

    fn join_primes_below(&self, v: &B, budget: &Budget) -> Result<Vec<B>, Stop> {
        budget.steps(self.worlds() as u64)?;
        Ok(singles(self, v))
    }
}

impl<B: WorldSet> MeetPrimes for Powerset<B> {
    fn is_meet_prime(&self, t: &B, _: &Budget) -> Result<bool, Stop> {
        Ok(is_single(&complement(self, t)))
    }

    fn meet_primes_above(&self, v: &B, budget: &Budget) -> Result<Vec<B>, Stop> {
        budget.steps(self.worlds() as u64)?;
        let missing = singles(self, &complement(self, v));
        Ok(missing.iter().map(|set| complement(self, set)).collect())
    }
}

impl<M: MeetSemilattice> JoinPrimes for DownSets<M> {
    fn is_join_prime(&self, t: &Self::Elem, _: &Budget) -> Result<bool, Stop> {
        Ok(t.maximal().len() == 1)
    }

    fn join_primes_below(&self, v: &Self::Elem, budget: &Budget) -> Result<Vec<Self::Elem>, Stop> {
        budget.steps(v.maximal().len() as u64)?;
        let elements = v.maximal().iter();
        Ok(elements.map(|x| self.principal(x.clone())).collect())
    }
}

impl<B: WorldSet> MeetPrimes for Families<B> {
    /// The maximal sets that do not contain Y lack one world of Y each, so the worlds that they
    /// lack make up Y.
    fn is_meet_prime(&self, t: &Self::Elem, budget: &Budget) -> Result<bool, Stop> {
        let mut lacking = self.base().bottom();
        for set in t.maximal() {
            budget.steps(1)?;
            lacking.union_with(&complement(self.base(), set));
        }
        Ok(self.not_containing(&lacking, budget)? == *t)
    }

    fn meet_primes_above(&self, v: &Self::Elem, budget: &Budget) -> Result<Vec<Self::Elem>, Stop> {
        let outside = self.minimal_outside(v, budget)?;
        let sets = outside.iter();
        sets.map(|set| self.not_containing(set, budget)).collect()
    }
}

impl<P: Poset + Clone> MeetPrimes for DownSets<Packets<P>> {
    fn is_meet_prime(&self, t: &Self::Elem, budget: &Budget) -> Result<bool, Stop> {
        // It must be a join of outcomes: each packet has one outcome. No packet at all is the empty
        // join.
        budget.steps(t.maximal().len() as u64)?;
        let mut packets = t.maximal().iter();
        Ok(packets.all(|packet| packet.maximal().len() == 1))
    }

    fn meet_primes_above(&self, v: &Self::Elem, budget: &Budget) -> Result<Vec<Self::Elem>, Stop> {
        let clauses = self.to_conjunctive(v, budget)?;
        let clauses = clauses.maximal().iter();
        let join = |clause: &Antichain<P::Elem>| {
            let outcomes = clause.maximal().iter().cloned();
            self.generated_by(outcomes.map(|x| self.single(x)), budget)
        };
        clauses.map(join).collect()
    }
}

/// Both traits of a pair: join-primes with bottoms, meet-primes with tops in the other factor.
macro_rules! pair {
    ($Primes:ident, $is_prime:ident, $primes:ident, $extreme:ident) => {
        impl<A: $Primes, B: $Primes> $Primes for (A, B) {
            fn $is_prime(&self, t: &Self::Elem, budget: &Budget) -> Result<bool, Stop> {
                let (a, b) = (t.0 == self.0.$extreme(), t.1 == self.1.$extreme());
                Ok(b && self.0.$is_prime(&t.0, budget)? || a && self.1.$is_prime(&t.1, budget)?)
            }

            fn $primes(&self, v: &Self::Elem, budget: &Budget) -> Result<Vec<Self::Elem>, Stop> {
                let first = self.0.$primes(&v.0, budget)?.into_iter();
                let second = self.1.$primes(&v.1, budget)?.into_iter();
                let first = first.map(|a| (a, self.1.$extreme()));
                Ok(first
                    .chain(second.map(|b| (self.0.$extreme(), b)))
                    .collect())
            }
        }
    };
}

pair!(JoinPrimes, is_join_prime, join_primes_below, bottom);
pair!(MeetPrimes, is_meet_prime, meet_primes_above, top);

/// Both traits of a list of factors, whose elements are lists.
macro_rules! list {
    ($Primes:ident, $is_prime:ident, $primes:ident, $extreme:ident) => {
        impl<L: $Primes, const K: usize> $Primes for [L; K] {
            fn $is_prime(&self, t: &Self::Elem, budget: &Budget) -> Result<bool, Stop> {
                list!(@is self, t, $is_prime, $extreme, budget)
            }

            fn $primes(&self, v: &Self::Elem, budget: &Budget) -> Result<Vec<Self::Elem>, Stop> {
                list!(@all self, self, v, $primes, $extreme, budget)
            }
        }

        impl<L: $Primes> $Primes for Product<L> {
            fn $is_prime(&self, t: &Self::Elem, budget: &Budget) -> Result<bool, Stop> {
                list!(@is self.factors(), t, $is_prime, $extreme, budget)
            }

            fn $primes(&self, v: &Self::Elem, budget: &Budget) -> Result<Vec<Self::Elem>, Stop> {
                list!(@all self, self.factors(), v, $primes, $extreme, budget)
            }
        }
    };
    (@is $factors:expr, $t:ident, $is_prime:ident, $extreme:ident, $budget:ident) => {{
        let components = $factors.iter().zip($t.iter());
        let mut rest = components.filter(|(factor, t)| **t != factor.$extreme());
        match (rest.next(), rest.next()) {
            (Some((factor, t)), None) => factor.$is_prime(t, $budget),
            _ => Ok(false),
        }
    }};
    (@all $product:expr, $factors:expr, $v:ident, $primes:ident, $extreme:ident, $budget:ident) => {{
        let mut all = Vec::new();
        for (place, (factor, v)) in $factors.iter().zip($v.iter()).enumerate() {
            for prime in factor.$primes(v, $budget)? {
                $budget.steps($v.len() as u64)?;
                let mut tuple = $product.$extreme();
                tuple[place] = prime;
                all.push(tuple);
            }
        }
        Ok(all)
    }};
}

list!(JoinPrimes, is_join_prime, join_primes_below, bottom);
list!(MeetPrimes, is_meet_prime, meet_primes_above, top);

impl JoinPrimes for Divisors {
    fn is_join_prime(&self, t: &u64, budget: &Budget) -> Result<bool, Stop> {
        Ok(prime_powers(*t, budget)?.len() == 1)
    }

    fn join_primes_below(&self, v: &u64, budget: &Budget) -> Result<Vec<u64>, Stop> {
        prime_powers(*v, budget)
    }
}

/// `d -> n / d` reverses the order of the divisors.
impl MeetPrimes for Divisors {
    fn is_meet_prime(&self, t: &u64, budget: &Budget) -> Result<bool, Stop> {
        let mirrored = self.n().checked_div(*t).unwrap_or_default();
        self.is_join_prime(&mirrored, budget)
    }

    fn meet_primes_above(&self, v: &u64, budget: &Budget) -> Result<Vec<u64>, Stop> {
        let mirrored = self.n().checked_div(*v).unwrap_or_default();
        let powers = prime_powers(mirrored, budget)?;
        Ok(powers.into_iter().map(|power| self.n() / power).collect())
    }
}

/// Returns whether `t` is join-prime: whether it does not lie below the join of all elements that
/// it does not lie below. In a dual: meet-prime.
fn is_prime_by_test<L: Lattice<Elem = u32>>(
    lattice: &L,
    size: usize,
    t: u32,
    budget: &Budget,
) -> Result<bool, Stop> {
    budget.steps(size as u64)?;
    let mut others = lattice.bottom();
    for x in 0..size as u32 {
        if !lattice.leq(&t, &x, budget)? {
            lattice.join_assign(&mut others, &x, budget)?;
        }
    }
    Ok(!lattice.leq(&t, &others, budget)?)
}

/// The maximal elements at or below `v` that pass the test, ascending by number.
fn maximal_primes<L: Lattice<Elem = u32>>(
    lattice: &L,
    size: usize,
    v: u32,
    budget: &Budget,
) -> Result<Vec<u32>, Stop> {
    let mut primes: Vec<u32> = Vec::new();
    for t in 0..size as u32 {
        if lattice.leq(&t, &v, budget)? && is_prime_by_test(lattice, size, t, budget)? {
            primes.push(t);
        }
    }
    let mut maximal = Vec::new();
    for t in &primes {
        budget.steps(primes.len() as u64)?;
        let mut above = 0;
        for other in &primes {
            above += u32::from(lattice.leq(t, other, budget)?);
        }
        // Nothing else lies above it.
        if above == 1 {
            maximal.push(*t);
        }
    }
    Ok(maximal)
}

impl JoinPrimes for FiniteLattice {
    fn is_join_prime(&self, t: &u32, budget: &Budget) -> Result<bool, Stop> {
        is_prime_by_test(self, self.size(), *t, budget)
    }

    fn join_primes_below(&self, v: &u32, budget: &Budget) -> Result<Vec<u32>, Stop> {
        maximal_primes(self, self.size(), *v, budget)
    }
}

impl MeetPrimes for FiniteLattice {
    fn is_meet_prime(&self, t: &u32, budget: &Budget) -> Result<bool, Stop> {
        is_prime_by_test(&Dual(self), self.size(), *t, budget)
    }

    fn meet_primes_above(&self, v: &u32, budget: &Budget) -> Result<Vec<u32>, Stop> {
        maximal_primes(&Dual(self), self.size(), *v, budget)
    }
}

/// True at one point. (With negations the lattice is a Boolean one, and these are its atoms.)
impl JoinPrimes for Monotone {
    fn is_join_prime(&self, t: &Function, _: &Budget) -> Result<bool, Stop> {
        Ok(self.is_point(*t, true))
    }

    fn join_primes_below(&self, v: &Function, budget: &Budget) -> Result<Vec<Function>, Stop> {
        self.points(*v, true, budget)
    }
}

/// True everywhere but at one point.
impl MeetPrimes for Monotone {
    fn is_meet_prime(&self, t: &Function, _: &Budget) -> Result<bool, Stop> {
        Ok(self.is_point(*t, false))
    }

    fn meet_primes_above(&self, v: &Function, budget: &Budget) -> Result<Vec<Function>, Stop> {
        self.points(*v, false, budget)
    }
}

/// Both traits of the lattice chosen at run time, by delegation to its variant.
macro_rules! any {
    ($Primes:ident, $is_prime:ident, $primes:ident, [$($variant:ident $elem:ident),*]) => {
        impl $Primes for AnyLattice {
            fn $is_prime(&self, t: &AnyElem, budget: &Budget) -> Result<bool, Stop> {
                match self {
                    $(Self::$variant(l) => {
                        if let AnyElem::$elem(t) = t {
                            return l.$is_prime(t, budget);
                        }
                    })*
                    Self::Dual(l) => return l.$is_prime(t, budget),
                }
                debug_assert!(false, "{t:?} is no element of {self:?}");
                Ok(false)
            }

            fn $primes(&self, v: &AnyElem, budget: &Budget) -> Result<Vec<AnyElem>, Stop> {
                match self {
                    $(Self::$variant(l) => {
                        if let AnyElem::$elem(v) = v {
                            let primes = l.$primes(v, budget)?.into_iter();
                            return Ok(primes.map(AnyElem::$elem).collect());
                        }
                    })*
                    Self::Dual(l) => return l.$primes(v, budget),
                }
                debug_assert!(false, "{v:?} is no element of {self:?}");
                Ok(Vec::new())
            }
        }
    };
}

with_each_lattice!(any!(JoinPrimes, is_join_prime, join_primes_below,));
with_each_lattice!(any!(MeetPrimes, is_meet_prime, meet_primes_above,));
