//! Problems with all their nodes: one match over lattices.
//!
//! Idea: the lattices that matter get searches compiled for them; all others run on the lattice chosen at run time, whose licence for what an
//! algorithm needs is a check ([`Licensed`]).

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt::{self, Display};
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use meetjoin::dag::{AndOrDag, Graph, Heuristic, Kind, NodeId, NodeName, Problem, Valuation};
use meetjoin::file::{write_name, write_readable, write_value};
use meetjoin::lattice::{
    AnyElem, AnyLattice, Antichain, Birkhoff, Bool, Budget, Chain, Distributive,
    DistributiveLattice, ElemOf, Extended, Families, Interval, Lattice, Powerset, Stop, Total,
    TotalOrder, Words, WorldSet,
};
use meetjoin::search::alpha_mu::families_to_depth;
use meetjoin::search::engine::{self, Engine, Task};
use meetjoin::search::method::{Algorithm, Method, Needs};
use meetjoin::search::{DenseStores, Observer, Stores, Tables};

use crate::answer::{Answer, NodeText};
use crate::heaviest::{self, Heaviest, HeaviestRequest};
use crate::instance::Instance;
use crate::levels;
use crate::prove::{self, Claim, Proved, Shown};
use crate::request::{CountNodes, Refused, Request};
use crate::run;
use crate::subject::{Compiled, Subject, compiled};
use crate::value::{Domain, Names, Value, Worlds};

/// A problem over the lattice that a search runs on.
struct Explicit<L: Lattice> {
    problem: Problem<L>,
    /// The lattice that the problem was described with.
    domain: Arc<Domain>,
    /// Makes a value of the search one of that lattice.
    as_any: AsAny<L::Elem>,
}

type AsAny<E> = Box<dyn Fn(&E) -> AnyElem>;

/// Makes a problem ready to be searched.
///
/// # Errors
/// If a value lies outside the lattice.
pub fn explicit(problem: Problem<AnyLattice>) -> Result<Box<dyn Instance>, Refused> {
    let domain = Arc::new(Domain {
        lattice: problem.lattice().clone(),
        worlds: problem.worlds().map(<[String]>::to_vec),
    });
    macro_rules! compiled {
        ($lattice:expr, $variant:ident) => {{
            let convert = |value| match value {
                AnyElem::$variant(value) => Ok(value),
                other => Err(outside(&other)),
            };
            Ok(Box::new(Explicit {
                problem: problem.try_map($lattice, convert)?,
                domain,
                as_any: Box::new(|value| AnyElem::$variant(value.clone())),
            }))
        }};
    }
    match problem.lattice().clone() {
        AnyLattice::Integers(chain) => compiled!(chain, Integer),
        AnyLattice::SmallPowerset(sets) => compiled!(sets, SmallSet),
        AnyLattice::Powerset(sets) => compiled!(sets, Set),
        AnyLattice::SmallFamilies(families) => compiled!(families, SmallFamily),
        AnyLattice::Families(families) => compiled!(families, Family),
        AnyLattice::Finite(table) => {
            match Distributive::try_from(table).as_ref().map(Birkhoff::new) {
                Ok(Ok(sets)) => on_sets(problem, domain, sets),
                // Not distributive, or with too many join-irreducibles for a machine word.
                _ => Ok(Box::new(at_run_time(problem, domain))),
            }
        }
        _ => Ok(Box::new(at_run_time(problem, domain))),
    }
}

/// A problem over a lattice of one's own, for which searches are compiled where this is called. `any` is the lattice that writes values, and `as_any` makes
/// them its own.
pub fn explicit_over<L: DistributiveLattice<Elem: 'static> + 'static>(
    problem: Problem<L>,
    any: AnyLattice,
    as_any: impl Fn(&L::Elem) -> AnyElem + 'static,
) -> Box<dyn Instance> {
    let lattice = problem.lattice();
    let domain = Arc::new(Domain {
        lattice: any,
        worlds: problem.worlds().map(<[String]>::to_vec),
    });
    let _ = lattice;
    todo_own(problem, domain, Box::new(as_any))
}

fn outside(value: &AnyElem) -> Refused {
    Refused::Argument(format!("{value:?} is outside the lattice"))
}
