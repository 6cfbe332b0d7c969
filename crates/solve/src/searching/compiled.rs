//! The lattices for which searches are compiled, and the algorithms compiled for each.

use std::fmt::Display;

use meetjoin_catalogue::engine::{self, EngineOf, Job};
use meetjoin_catalogue::method::{Algorithm, Method, Needs};
use meetjoin_file::Written;
use meetjoin_lattice::{
    Antichain, AnyElem, AnyLattice, Chain, DistributiveLattice, ElemOf, Families, FreeLattice,
    Lattice, Licensed, Powerset, WorldSet,
};
use meetjoin_search::Observer;
use meetjoin_search::proof::Integer;

use crate::answers::request::Refused;

/// A lattice for which searches are compiled. A lattice of your own gets those for distributive
/// lattices: `impl Compiled for MyLattice {}`.
pub trait Compiled: DistributiveLattice + Clone + Send + Sync + 'static {
    /// Returns whether this algorithm runs on the lattice itself. Otherwise it is tried on the
    /// lattice chosen at run time, which may pass the checks for it.
    ///
    /// # Errors
    /// If it cannot run at all.
    fn runs(&self, algorithm: &Algorithm) -> Result<bool, Refused> {
        match algorithm.needs() {
            Needs::Lattice | Needs::Distributive => Ok(true),
            Needs::TotalOrder => Ok(false),
            Needs::JoinPrimes => Err(Refused::no_claims(algorithm)),
        }
    }

    /// How elements are written for a [checkpoint](crate::Checkpoint), if they can be.
    fn written(&self) -> Option<&dyn Written<Elem = Self::Elem>> {
        None
    }

    /// The algorithm, if it runs on this lattice.
    fn engine<'a, J, O>(algorithm: &Algorithm, job: &J) -> Option<EngineOf<'a, J, O>>
    where
        J: Job<'a, Lattice = Self>,
        O: Observer<J::Node, Self::Elem>,
    {
        engine::distributive(algorithm, job)
    }
}

/// The algorithms compiled for a subject.
pub trait Engines<L: Lattice> {
    /// Returns whether the algorithm is one of them, if it runs on the lattice at all; `known`
    /// means that it has bounds known without search.
    fn has(_: &Algorithm, _known: bool) -> bool {
        true
    }

    /// The algorithm, if it is one of them.
    fn engine<'a, J, O>(algorithm: &Algorithm, job: &J) -> Option<EngineOf<'a, J, O>>
    where
        J: Job<'a, Lattice = L>,
        O: Observer<J::Node, L::Elem>;
}

/// All that run on its lattice.
pub struct All;
/// Those that Li et al. (2022) compare, and the default.
pub struct Published;
/// Those of [`Published`], and the other ones of sets and families except the default in families
/// without bounds.
pub struct Both;
/// Those made for sets. All others search the lattice chosen at run time: a meet of wide sets or of
/// families costs much more than the branch to it (at most 1.023 times the instructions).
pub(crate) struct OfSets;

macro_rules! engines {
    (
        ($($generics:tt)*) $engines:ty, $lattice:ty, $(if $has:expr,)?
        |$algorithm:ident, $job:ident| $engine:expr
    ) => {
        impl<$($generics)*> Engines<$lattice> for $engines {
            $(fn has(algorithm: &Algorithm, known: bool) -> bool {
                let has: fn(&Algorithm, bool) -> bool = $has;
                has(algorithm, known)
            })?

            fn engine<'a, J, O>($algorithm: &Algorithm, $job: &J) -> Option<EngineOf<'a, J, O>>
            where
                J: Job<'a, Lattice = $lattice>,
                O: Observer<J::Node, ElemOf<$lattice>>,
            {
                $engine
            }
        }
    };
}

engines!((L: Compiled) All, L, |algorithm, job| L::engine(algorithm, job));
engines!((L: Compiled) Published, L, |algorithm, job| engine::published(algorithm, job));
engines!((B: WorldSet + 'static) Both, Powerset<B>, |algorithm, job| {
    engine::distributive(algorithm, job).or_else(|| engine::proofs_of_sets(algorithm, job))
});
engines!((B: WorldSet + 'static) Both, Families<B>, |algorithm, job| {
    engine::distributive(algorithm, job).or_else(|| engine::thresholds(algorithm, job))
});
engines!((B: WorldSet + 'static) OfSets, Powerset<B>, if |asked, _| asked.needs() == Needs::JoinPrimes,
    |algorithm, job| engine::proofs_of_sets(algorithm, job)
);
engines!((B: WorldSet + 'static) OfSets, Families<B>, if |asked, known| match asked.method {
        Method::Duo(parts) => parts.bounds && !known,
        method => method == Method::Thresholds,
    },
    |algorithm, job| engine::families_of_their_own(algorithm, job)
);

/// Implements [`Compiled`] for a lattice with more algorithms than the default.
macro_rules! compiled {
    (
        ($($generics:tt)*) $lattice:ty, $elem:ty, $engine:path,
        |$this:ident, $algorithm:ident| $runs:expr
    ) => {
        impl<$($generics)*> Compiled for $lattice {
            fn written(&self) -> Option<&dyn Written<Elem = $elem>> {
                Some(self)
            }

            fn runs(&self, $algorithm: &Algorithm) -> Result<bool, Refused> {
                let $this = self;
                $runs
            }

            fn engine<'a, J, O>(algorithm: &Algorithm, job: &J) -> Option<EngineOf<'a, J, O>>
            where
                J: Job<'a, Lattice = Self>,
                O: Observer<J::Node, $elem>,
            {
                $engine(algorithm, job)
            }
        }
    };
}

compiled!((T: Integer + 'static) Chain<T>, T, engine::integers, |_this, algorithm| {
    match algorithm.method {
        Method::Thresholds => Err(Refused::no_claims(algorithm)),
        _ => Ok(true),
    }
});
compiled!((B: WorldSet + 'static) Powerset<B>, B, engine::sets, |_this, algorithm| {
    match algorithm.method {
        Method::Thresholds => Err(Refused::no_claims(algorithm)),
        _ => Ok(algorithm.needs() != Needs::TotalOrder),
    }
});
compiled!((B: WorldSet + 'static) Families<B>, Antichain<B>, engine::families, |_this, algorithm| {
    match algorithm.method {
        Method::Proofs(_) => Err(Refused::no_claims(algorithm)),
        _ => Ok(algorithm.needs() != Needs::TotalOrder),
    }
});
compiled!(() Licensed, AnyElem, engine::total_order, |this, algorithm| {
    licence(&this.0, algorithm).map(|()| true)
});
impl Compiled for FreeLattice {}
impl<L: Compiled, const N: usize> Compiled for [L; N] {}

/// Checks that a lattice chosen at run time has what an algorithm needs.
fn licence(lattice: &AnyLattice, algorithm: &Algorithm) -> Result<(), Refused> {
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
