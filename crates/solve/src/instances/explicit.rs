//! Explicit problems: chooses the compiled search by the lattice.
//!
//! Idea: important lattices have searches compiled for them; all others run on the lattice chosen
//! at run time, whose licence is a check ([`Licensed`]).

use std::convert::Infallible;
use std::iter::repeat_n;
use std::marker::PhantomData;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use meetjoin_catalogue::method::{Algorithm, Method};
use meetjoin_dag::{NodeId, Problem, Rooted};
use meetjoin_families::alpha_mu::families_to_depth;
use meetjoin_file::{read_value, write_compact};
use meetjoin_lattice::{
    AnyElem, AnyLattice, Birkhoff, Budget, Distributive, Families, Lattice, Licensed, Words,
    WorldSet,
};
use meetjoin_search::by_levels::{ByLevels, minimax_by_levels};
use meetjoin_search::{DenseStores, Tables};

use crate::answers::answer::{Answer, NodeText};
use crate::answers::levels;
use crate::answers::request::{CountNodes, PositionCache, Refused, Request};
use crate::answers::value::{Domain, Names, Value, Worlds};
use crate::asked::heaviest::{self, Heaviest, HeaviestRequest};
use crate::asked::prove::{self, Claim, Proved};
use crate::instances::instance::Instance;
use crate::nodes::listed::Listed;
use crate::nodes::view::Nodes;
use crate::searching::compiled::{All, Compiled, Engines, OfSets};
use crate::searching::run;
use crate::searching::subject::Subject;

/// A problem over the lattice of the search, with the algorithms compiled for it.
struct Explicit<L: Lattice, E = All> {
    problem: Problem<L>,
    /// The lattice of the problem's description.
    domain: Arc<Domain>,
    /// Converts values of the search to that lattice.
    as_any: AsAny<L::Elem>,
    /// Converts upper bounds of the search, if its lattice is larger than that one.
    upper_as_any: Option<AsAny<L::Elem>>,
    /// Converts values of that lattice to values of the search, if possible.
    of_any: Option<OfAny<L::Elem>>,
    engines: PhantomData<fn() -> E>,
}

type OfAny<E> = Arc<dyn Fn(AnyElem) -> Option<E> + Send + Sync>;
type AsAny<E> = Arc<dyn Fn(&E) -> AnyElem + Send + Sync>;

/// Prepares a problem for searches.
///
/// # Errors
/// If a value lies outside the lattice.
pub fn explicit(problem: Problem<AnyLattice>) -> Result<Box<dyn Instance>, Refused> {
    weighed(problem, None)
}

/// For each world of a game, its weight and its number of stakes.
pub type OfWorlds = Vec<(u64, usize)>;

/// Prepares a problem whose worlds have these weights, unless a request for the heaviest set has
/// others.
///
/// # Errors
/// If a value lies outside the lattice.
pub fn weighed(
    problem: Problem<AnyLattice>,
    of_worlds: Option<OfWorlds>,
) -> Result<Box<dyn Instance>, Refused> {
    let domain = Arc::new(Domain {
        lattice: problem.lattice().clone(),
        worlds: problem.world_names().cloned(),
    });
    macro_rules! compiled {
        ($lattice:expr, $variant:ident, $engines:ty) => {{
            let convert = |value| match value {
                AnyElem::$variant(value) => Ok(value),
                other => Err(outside(&other)),
            };
            Explicit {
                problem: problem.try_map($lattice, convert)?,
                domain,
                as_any: Arc::new(|value| AnyElem::$variant(value.clone())),
                upper_as_any: None,
                of_any: Some(Arc::new(move |value| convert(value).ok())),
                engines: PhantomData::<fn() -> $engines>,
            }
        }};
    }
    Ok(match problem.lattice().clone() {
        AnyLattice::Integers(chain) => Box::new(compiled!(chain, Integer, All)),
        AnyLattice::SmallPowerset(sets) => Box::new(compiled!(sets, SmallSet, All)),
        AnyLattice::Powerset(sets) => Box::new(compiled!(sets, Set, OfSets)),
        AnyLattice::SmallFamilies(families) => Box::new(InFamilies {
            explicit: compiled!(families, SmallFamily, OfSets),
            of_worlds,
        }),
        AnyLattice::Families(families) => Box::new(InFamilies {
            explicit: compiled!(families, Family, OfSets),
            of_worlds,
        }),
        AnyLattice::Finite(table) => {
            match Distributive::try_from(table).as_ref().map(Birkhoff::new) {
                Ok(Ok(sets)) => on_sets(problem, domain, sets)?,
                // Not distributive, or with too many join-irreducibles for a machine word.
                _ => Box::new(at_run_time(problem, &domain, |value| value)),
            }
        }
        _ => Box::new(at_run_time(problem, &domain, |value| value)),
    })
}

/// Searches a distributive table as sets of join-irreducibles.
fn on_sets(
    problem: Problem<AnyLattice>,
    domain: Arc<Domain>,
    sets: Birkhoff<Words<1>>,
) -> Result<Box<dyn Instance>, Refused> {
    let known = sets.clone();
    let convert = move |value: AnyElem| match &value {
        AnyElem::Element(element) => {
            let set = known.set(*element).copied();
            set.ok_or_else(|| outside(&value))
        }
        other => Err(outside(other)),
    };
    let powerset = sets.powerset().clone();
    let problem = problem.try_map(powerset, convert)?;
    // Bounds of a stopped search are sets of join-irreducibles that need not be down-sets.
    let element = |found: Option<u32>| {
        AnyElem::Element(found.unwrap_or_else(|| {
            unreachable!(
                "the worlds of these sets stand for join-irreducibles, and any have a join"
            )
        }))
    };
    let (below, of) = (sets.clone(), sets.clone());
    Ok(Box::new(Explicit {
        problem,
        domain,
        as_any: Arc::new(move |set| element(sets.least_above(set))),
        upper_as_any: Some(Arc::new(move |set| element(below.greatest_below(set)))),
        of_any: Some(Arc::new(move |value| match value {
            AnyElem::Element(element) => of.set(element).copied(),
            _ => None,
        })),
        engines: PhantomData::<fn() -> All>,
    }))
}

/// Searches the lattice chosen at run time; `any` converts its values.
fn at_run_time<L: Lattice>(
    problem: Problem<L>,
    domain: &Arc<Domain>,
    any: impl Fn(L::Elem) -> AnyElem + Send + Sync + 'static,
) -> Explicit<Licensed> {
    let lattice = Licensed(domain.lattice.clone());
    let problem = problem.try_map(lattice, move |value| Ok::<_, Infallible>(any(value)));
    Explicit {
        problem: problem.unwrap_or_else(|never| match never {}),
        domain: Arc::clone(domain),
        as_any: Arc::new(AnyElem::clone),
        upper_as_any: None,
        of_any: Some(Arc::new(Some)),
        engines: PhantomData,
    }
}

/// Solves such a problem. (Compiled here, and not for each lattice of one's own.)
fn solve_at_run_time(
    problem: &Explicit<Licensed>,
    request: Request<'_>,
) -> Result<Answer, Refused> {
    run::solve(problem, request)
}

/// A problem over a lattice of one's own. Values are written in the lattice `any`, to which
/// `as_any` converts them.
pub fn explicit_over<L: Compiled>(
    problem: Problem<L>,
    any: AnyLattice,
    as_any: impl Fn(&L::Elem) -> AnyElem + Send + Sync + 'static,
) -> Box<dyn Instance> {
    let worlds = problem.world_names().cloned();
    let lattice = any;
    Box::new(Explicit {
        problem,
        domain: Arc::new(Domain { lattice, worlds }),
        as_any: Arc::new(as_any),
        upper_as_any: None,
        of_any: None,
        engines: PhantomData::<fn() -> All>,
    })
}

impl<L: Compiled, E: Engines<L>> Explicit<L, E> {
    /// Returns whether an algorithm runs on this lattice, and not on the one chosen at run time.
    fn runs_here(&self, algorithm: &Algorithm) -> Result<bool, Refused> {
        let here = self.problem.lattice().runs(algorithm)?;
        Ok(here && E::has(algorithm, self.problem.has_bounds()) || {
            Licensed::runs(&Licensed(self.domain.lattice.clone()), algorithm)?;
            false
        })
    }
}

impl<L: Compiled, E: Engines<L>> Subject for Explicit<L, E> {
    type Dag = Problem<L>;
    type Values = Problem<L>;
    type Lattice = L;
    type Engines = E;
    type Stores = DenseStores;
    type Known<'s>
        = &'s Problem<L>
    where
        Self: 's;
    type Bounds<'s, 'k>
        = &'s Problem<L>
    where
        Self: 's,
        's: 'k;
    type Distinct = FixedBitSet;

    fn dag(&self) -> &Problem<L> {
        &self.problem
    }

    fn values(&self) -> &Problem<L> {
        &self.problem
    }

    fn stores(&self, _: PositionCache, _: &Budget) -> DenseStores {
        DenseStores {
            nodes: self.problem.graph().node_count(),
        }
    }

    fn known(&self, _: &Algorithm) -> &Problem<L> {
        &self.problem
    }

    fn bounds<'s, 'k>(known: &'k &'s Problem<L>) -> Option<&'s Problem<L>>
    where
        Self: 's,
        's: 'k,
    {
        known.has_bounds().then_some(*known)
    }

    fn node_count(&self) -> Option<usize> {
        Some(self.problem.graph().node_count())
    }

    fn distinct(&self, count: CountNodes, _: &Algorithm) -> Option<FixedBitSet> {
        let bits = || FixedBitSet::with_capacity(self.problem.graph().node_count());
        (count != CountNodes::Never).then(bits)
    }

    fn by_levels(
        &self,
        root: &NodeId,
        threads: usize,
        budget: &Budget,
    ) -> Option<ByLevels<NodeId, L::Elem>> {
        let (dag, root) = (&self.problem, *root);
        let (below, count) = (Rooted { dag, root }, dag.graph().node_count());
        Some(minimax_by_levels(&below, count, dag, threads, budget))
    }

    fn number(&self, node: &NodeId) -> Option<u128> {
        Some(u32::from(*node).into())
    }

    fn numbered(&self, number: u128) -> Option<NodeId> {
        let node = NodeId::from(u32::try_from(number).ok()?);
        (node.index() < self.problem.graph().node_count()).then_some(node)
    }

    /// Written in the problem's lattice, so a checkpoint serves every algorithm, whatever lattice
    /// it searches in.
    fn write_bound(&self, bound: &L::Elem, is_upper: bool, out: &mut String) -> bool {
        let as_any = match &self.upper_as_any {
            Some(upper) if is_upper => upper,
            _ => &self.as_any,
        };
        write_compact(&self.domain.lattice, &as_any(bound), out);
        self.of_any.is_some()
    }

    fn read_bound(&self, text: &str) -> Option<L::Elem> {
        let of_any = self.of_any.as_ref()?;
        of_any(read_value(&self.domain.lattice, text).ok()?)
    }

    fn name(&self, node: &NodeId) -> NodeText {
        (&*self.problem.node_name(*node)).into()
    }

    fn value(&self, value: &L::Elem) -> Value {
        Value::of((self.as_any)(value), &self.domain)
    }

    fn length(&self, value: &L::Elem) -> usize {
        match (self.as_any)(value) {
            AnyElem::SmallSet(set) => WorldSet::count(&set),
            AnyElem::Set(set) => WorldSet::count(&set),
            AnyElem::SmallFamily(family) => family.maximal().iter().map(WorldSet::count).sum(),
            AnyElem::Family(family) => family.maximal().iter().map(WorldSet::count).sum(),
            _ => 1,
        }
    }

    fn upper(&self, bound: &L::Elem) -> Value {
        let as_any = self.upper_as_any.as_ref().unwrap_or(&self.as_any);
        Value::of(as_any(bound), &self.domain)
    }
}

impl<L: Compiled, E: Engines<L>> Instance for Explicit<L, E> {
    fn admits(&self, algorithm: &Algorithm) -> Result<(), Refused> {
        self.runs_here(algorithm).map(drop)
    }

    fn solve(&self, mut request: Request<'_>) -> Result<Answer, Refused> {
        if let (Method::Duo(parts), Some(_)) = (&mut request.algorithm.method, &request.events) {
            // Events are of one search, so cheaper questions, which are other searches, are left
            // out.
            parts.bounds = false;
            parts.halving = false;
        }
        if self.runs_here(&request.algorithm)? {
            run::solve(self, request)
        } else {
            let as_any = Arc::clone(&self.as_any);
            let any = move |value| as_any(&value);
            solve_at_run_time(
                &at_run_time(self.problem.clone(), &self.domain, any),
                request,
            )
        }
    }

    fn prove(&self, claim: Claim<'_>) -> Result<Proved, Refused> {
        prove::explicit(&self.problem, &self.domain, &*self.as_any, claim)
    }

    /// Values are those of the problem's lattice.
    fn with_nodes(&self, see: &mut dyn FnMut(&dyn Nodes)) -> Result<(), Refused> {
        see(&Listed {
            problem: &self.problem,
            domain: &self.domain,
            as_any: &*self.as_any,
            levels: &[],
        });
        Ok(())
    }
}

/// A problem over families of sets, which answers more questions.
struct InFamilies<B: WorldSet> {
    explicit: Explicit<Families<B>, OfSets>,
    of_worlds: Option<OfWorlds>,
}

impl<B: WorldSet> InFamilies<B> {
    fn names(&self) -> Arc<dyn Names> {
        let problem = &self.explicit.problem;
        let worlds = problem.lattice().worlds();
        Arc::new(Worlds::new(worlds, problem.world_names()))
    }
}

impl<B: WorldSet + 'static> Instance for InFamilies<B> {
    fn admits(&self, algorithm: &Algorithm) -> Result<(), Refused> {
        self.explicit.admits(algorithm)
    }

    fn solve(&self, request: Request<'_>) -> Result<Answer, Refused> {
        self.explicit.solve(request)
    }

    fn prove(&self, claim: Claim<'_>) -> Result<Proved, Refused> {
        self.explicit.prove(claim)
    }

    fn with_nodes(&self, see: &mut dyn FnMut(&dyn Nodes)) -> Result<(), Refused> {
        self.explicit.with_nodes(see)
    }

    /// Weights may be given for worlds or for stakes.
    fn heaviest(&self, mut request: HeaviestRequest<'_>) -> Result<Heaviest, Refused> {
        if let Some(worlds) = &self.of_worlds {
            let own = || worlds.iter().map(|(weight, _)| *weight).collect();
            let mut weights: Vec<u64> = request.weights.take().unwrap_or_else(own);
            if weights.len() == worlds.len() {
                let stakes = weights.iter().zip(worlds);
                let stakes = stakes.flat_map(|(weight, (_, places))| repeat_n(*weight, *places));
                weights = stakes.collect();
            }
            request.weights = Some(weights);
        }
        let problem = &self.explicit.problem;
        let weights = request.weights(problem.lattice().worlds())?;
        let stores = DenseStores {
            nodes: problem.graph().node_count(),
        };
        let names = &self.names();
        Ok(heaviest::find(
            problem,
            problem,
            (),
            &weights,
            &stores,
            names,
            &request,
        ))
    }

    fn to_levels(&self, levels: u32, request: Request<'_>) -> Result<Answer, Refused> {
        let problem = &self.explicit.problem;
        Ok(levels::find(
            levels,
            &self.names(),
            &request,
            |budget, counts| families_to_depth(problem, problem, levels, &Tables, budget, counts),
        ))
    }
}

fn outside(value: &AnyElem) -> Refused {
    Refused::Argument(format!("{value:?} is outside the lattice"))
}
