//! Lattices for which searches are compiled, and the algorithms that each has.

use meetjoin::dag::{AndOrDag, Valuation};
use meetjoin::lattice::{
    Antichain, Chain, DistributiveLattice, Families, FreeLattice, Interval, Lattice, Powerset,
    WorldSet,
};
use meetjoin::search::engine::{self, Engine, Task};
use meetjoin::search::method::Algorithm;
use meetjoin::search::proof::Integer;
use meetjoin::search::{Observer, Stores};

/// A lattice for which searches are compiled. One of your own has those for distributive lattices: `impl Compiled for MyLattice {}`.
pub trait Compiled: DistributiveLattice<Elem: 'static> {
    /// The algorithm, if it runs on this lattice.
    fn engine<'a, D, V, H, S, O>(
        algorithm: &Algorithm,
        task: &Task<'a, D, V, H, S>,
    ) -> Option<Engine<'a, D::Node, Self::Elem, O>>
    where
        D: AndOrDag<Node: 'a>,
        V: Valuation<D::Node, Lattice = Self>,
        H: Heuristic<D::Node, Self> + Copy + 'a,
        S: Stores<D::Node> + Clone + 'a,
        S::Store<Self::Elem>: 'a,
        S::Store<Interval<Self::Elem>>: 'a,
        O: Observer<D::Node, Self::Elem>,
    {
        engine::distributive(algorithm, task)
    }
}

/// Another strength of the lattice than the one that it has by default.
macro_rules! compiled {
    (($($generics:tt)*) $lattice:ty, $elem:ty, $engine:path) => {
        impl<$($generics)*> Compiled for $lattice {
            fn engine<'a, D, V, H, S, O>(
                algorithm: &Algorithm,
                task: &Task<'a, D, V, H, S>,
            ) -> Option<Engine<'a, D::Node, $elem, O>>
            where
                D: AndOrDag<Node: 'a>,
                V: Valuation<D::Node, Lattice = Self>,
                H: Heuristic<D::Node, Self> + Copy + 'a,
                S: Stores<D::Node> + Clone + 'a,
                S::Store<$elem>: 'a,
                S::Store<Interval<$elem>>: 'a,
                O: Observer<D::Node, $elem>,
            {
                $engine(algorithm, task)
            }
        }
    };
}

compiled!((T: Integer + 'static) Chain<T>, T, engine::integers);
compiled!((B: WorldSet + 'static) Powerset<B>, B, engine::sets);
compiled!((B: WorldSet + 'static) Families<B>, Antichain<B>, engine::families);
compiled!(() Licensed, AnyElem, engine::total_order);
impl Compiled for FreeLattice {}
impl<L: Compiled, const N: usize> Compiled for [L; N] {}

/// A lattice chosen at run time, for whatever it has been checked. See [`check`](Self::check).
#[derive(Clone, Debug)]
pub(crate) struct Licensed(AnyLattice);

impl Licensed {
    /// The lattice, if it has what is needed; else the sentence that says what it lacks.
    pub(crate) fn check(lattice: &AnyLattice, algorithm: &Algorithm) -> Result<(), Refused> {
        let lacks = |witness: &dyn Display| {
            let known = match lattice.check_distributive() {
                Ok(()) => Needs::Distributive,
                Err(_) => Needs::Lattice,
            };
            Refused::needs(algorithm, known, &format!(", and {witness}"))
        };
        match algorithm.needs() {
            Needs::Lattice => Ok(()),
            Needs::Distributive => lattice.check_distributive().map_err(|w| lacks(&w)),
            Needs::TotalOrder => lattice.check_total().map_err(|w| lacks(&w)),
            Needs::JoinPrimes => Err(Refused::no_claims(algorithm)),
        }
    }
}
