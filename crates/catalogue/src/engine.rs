//! An algorithm chosen at run time, as a value: a row of the table of `method`, or another
//! combination of parts.
//!
//! Problem: a command line, an experiment or a test wants "this algorithm", while the algorithms
//! are functions with caches of different types, and need lattices with different licences.
//!
//! Idea: one `match` over all methods for each kind of lattice, without a wildcard: a method that
//! is in the table and not here does not compile. Each falls back on the one for more general
//! lattices. Caches and bounds are optional at run time ([`Option`]), so each technique is compiled
//! once for a graph, a lattice and an observer. The cache is made here, since its values depend on
//! the method, and lives as long as the engine: a second search, from another root, can use its
//! entries.
//!
//! Cost: one call of a boxed closure per search; the search itself is compiled for its graph,
//! lattice and cache.
//!
//! ```
//! use meetjoin_catalogue::engine::{self, Task};
//! use meetjoin_catalogue::method::ALGORITHMS;
//! use meetjoin_dag::{AndOrDag, GraphBuilder, Problem};
//! use meetjoin_lattice::{Bool, Budget};
//! use meetjoin_search::{Counts, Tables};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut builder = GraphBuilder::new();
//! builder.or("r", ["x", "y"])?;
//! builder.leaf("x", true)?;
//! builder.leaf("y", false)?;
//! let problem = Problem::build(builder, "r", Bool)?;
//! let budget = Budget::unlimited();
//! let task = Task {
//!     dag: &problem,
//!     valuation: &problem,
//!     heuristic: None::<()>,
//!     stores: Tables,
//!     budget: &budget,
//!     proof_bytes: 1 << 20,
//! };
//! for algorithm in ALGORITHMS {
//!     if let Some(mut engine) = engine::distributive(algorithm, &task) {
//!         let mut counts = Counts::default();
//!         let solved = engine.search(problem.root(), &mut counts);
//!         assert_eq!(solved.outcome.exact(), Some(&true), "{} after {}", algorithm.id, counts.visits);
//!     }
//! }
//! # Ok(())
//! # }
//! ```

mod run;

use std::fmt::Debug;
use std::hash::Hash;

use meetjoin_dag::{AndOrDag, Heuristic, Rooted, Valuation};
use meetjoin_families::families::Memory;
use meetjoin_families::thresholds::MOST;
use meetjoin_families::{families_by_thresholds, solve_families};
use meetjoin_lattice::{
    Antichain, Budget, Chain, DistributiveLattice, ElemOf, Families, Lattice, Powerset, TotalOrder,
    WorldSet,
};
use meetjoin_search::proof::{
    BestFirstProver, DepthFirstProver, DfPn, Integer, ProofNumberSearch, ProofTable, Prover as _,
    by_worlds, multi_valued,
};
use meetjoin_search::pruning::{Rule, prune, shallow};
use meetjoin_search::total_order::{
    Guess, Halving, alpha_beta_informed, duo_bi, mtd_bi, mtd_f, nega_scout, scout, sss_2,
    sss_2_dual, sss_star, sss_star_dual,
};
use meetjoin_search::{
    Env, Observer, Outcome, Stores, Window, alpha_beta_cached, alpha_beta_duo_as, minimax_cached,
};

use crate::method::{Algorithm, Direction, Method, Proofs, Windows};
pub use run::{Engine, Solved};

/// A problem with the caches and limits for solving it.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a, D, V, H, S> {
    /// The graph.
    pub dag: &'a D,
    /// The values of its leaves.
    pub valuation: &'a V,
    /// Bounds known without search, if any; not all algorithms use them.
    pub heuristic: Option<H>,
    /// The factory of caches.
    pub stores: S,
    /// The limits, shared by all searches of the engine.
    pub budget: &'a Budget,
    /// The most bytes of a df-pn table.
    pub proof_bytes: usize,
}

/// The bounds on the types of a [`Task`], its only implementor, stated once for all functions that
/// make engines.
pub trait Job<'a>: 'a {
    /// The nodes of the graph.
    type Node: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    /// The graph.
    type Dag: AndOrDag<Node = Self::Node>;
    /// The lattice of the values.
    type Lattice: Lattice;
    /// The values of the leaves.
    type Values: Valuation<Self::Node, Lattice = Self::Lattice>;
    /// Bounds known without search.
    type Heuristic: Heuristic<Self::Node, Self::Lattice> + Copy + 'a;
    /// The factory of caches.
    type Stores: Stores<Self::Node> + Clone + 'a;

    /// The task.
    fn task(&self) -> &Task<'a, Self::Dag, Self::Values, Self::Heuristic, Self::Stores>;
}

impl<'a, D, V, H, S> Job<'a> for Task<'a, D, V, H, S>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    H: Heuristic<D::Node, V::Lattice> + Copy + 'a,
    S: Stores<D::Node> + Clone + 'a,
{
    type Node = D::Node;
    type Dag = D;
    type Lattice = V::Lattice;
    type Values = V;
    type Heuristic = H;
    type Stores = S;

    fn task(&self) -> &Self {
        self
    }
}

/// The values of a job.
pub type Elem<'a, J> = ElemOf<<J as Job<'a>>::Lattice>;
/// An engine for a job.
pub type EngineOf<'a, J, O> = Engine<'a, <J as Job<'a>>::Node, Elem<'a, J>, O>;

impl<'a, D, V, H, S> Task<'a, D, V, H, S> {
    /// The arguments that every search takes.
    fn parts(&self) -> (&'a D, &'a V, &'a Budget) {
        (self.dag, self.valuation, self.budget)
    }
}

/// The environment of a search.
fn tools<H, S, O>(budget: &Budget, heuristic: H, store: S, observer: O) -> Env<'_, S, H, O> {
    Env::new(budget)
        .with_heuristic(heuristic)
        .with_store(store)
        .with_observer(observer)
}

/// Minimax, with a cache or without.
fn minimax<'a, J, O>(algorithm: &Algorithm, job: &J) -> EngineOf<'a, J, O>
where
    J: Job<'a>,
    O: Observer<J::Node, Elem<'a, J>>,
{
    let task = job.task();
    let (dag, valuation, budget) = task.parts();
    let store = algorithm.cache.then(|| task.stores.store());
    Engine::cached(store, move |root, store, observer: &mut O| {
        let root = Rooted { dag, root };
        let env = &mut tools(budget, (), store, observer);
        minimax_cached(&root, valuation, env)
    })
}

/// The algorithm, if it runs on every lattice.
pub fn any_lattice<'a, J, O>(algorithm: &Algorithm, job: &J) -> Option<EngineOf<'a, J, O>>
where
    J: Job<'a>,
    O: Observer<J::Node, Elem<'a, J>>,
{
    let (dag, valuation, budget) = job.task().parts();
    match algorithm.method {
        Method::Minimax => Some(minimax(algorithm, job)),
        Method::Prune(Rule::Shallow) => Some(Engine::uncached(move |root, observer: &mut O| {
            let root = Rooted { dag, root };
            shallow(&root, valuation, &mut tools(budget, (), (), observer))
        })),
        Method::Prune(Rule::Deep | Rule::Couwenberg | Rule::Strong)
        | Method::AlphaBeta
        | Method::Duo(_)
        | Method::Window(_)
        | Method::SolutionTree(_)
        | Method::Tips(_)
        | Method::Proofs(_)
        | Method::Thresholds => None,
    }
}

/// The algorithm, if it is the default or one of those that Li et al. (2022) compare.
pub fn published<'a, J, O>(algorithm: &Algorithm, job: &J) -> Option<EngineOf<'a, J, O>>
where
    J: Job<'a, Lattice: DistributiveLattice>,
    O: Observer<J::Node, Elem<'a, J>>,
{
    let task = job.task();
    let (dag, valuation, budget) = task.parts();
    let heuristic = task.heuristic.filter(|_| algorithm.bounds);
    let window = Window::full(valuation.lattice());
    Some(match algorithm.method {
        Method::Minimax => minimax(algorithm, job),
        Method::AlphaBeta => {
            let store = algorithm.cache.then(|| task.stores.store());
            Engine::cached(store, move |root, store, observer: &mut O| {
                let root = Rooted { dag, root };
                let env = &mut tools(budget, heuristic, store, observer);
                alpha_beta_cached(&root, valuation, &window, env)
            })
        }
        Method::Duo(parts) => {
            let store = Some(task.stores.store());
            Engine::cached(store, move |root, store, observer: &mut O| {
                let root = Rooted { dag, root };
                let env = &mut tools(budget, heuristic, store, observer);
                alpha_beta_duo_as(&root, valuation, &window, parts.duo, env)
            })
        }
        Method::Prune(_)
        | Method::Window(_)
        | Method::SolutionTree(_)
        | Method::Tips(_)
        | Method::Proofs(_)
        | Method::Thresholds => return None,
    })
}

/// The pruning rule, if the algorithm is one.
pub fn pruned<'a, J, O>(algorithm: &Algorithm, job: &J) -> Option<EngineOf<'a, J, O>>
where
    J: Job<'a, Lattice: DistributiveLattice>,
    O: Observer<J::Node, Elem<'a, J>>,
{
    let (dag, valuation, budget) = job.task().parts();
    let Method::Prune(rule) = algorithm.method else {
        return None;
    };
    Some(Engine::uncached(move |root, observer: &mut O| {
        let root = Rooted { dag, root };
        prune(&root, valuation, rule, &mut tools(budget, (), (), observer))
    }))
}

/// The algorithm, if it runs on every distributive lattice.
pub fn distributive<'a, J, O>(algorithm: &Algorithm, job: &J) -> Option<EngineOf<'a, J, O>>
where
    J: Job<'a, Lattice: DistributiveLattice>,
    O: Observer<J::Node, Elem<'a, J>>,
{
    published(algorithm, job).or_else(|| pruned(algorithm, job))
}

/// The algorithm, if it runs on every total order.
pub fn total_order<'a, J, O>(algorithm: &Algorithm, job: &J) -> Option<EngineOf<'a, J, O>>
where
    J: Job<'a, Lattice: TotalOrder>,
    O: Observer<J::Node, Elem<'a, J>>,
{
    let task = job.task();
    let (dag, valuation, budget) = task.parts();
    let heuristic = task.heuristic.filter(|_| algorithm.bounds);
    let store = || algorithm.cache.then(|| task.stores.store());
    let window = Window::full(valuation.lattice());
    Some(match algorithm.method {
        Method::Window(windows) => Engine::cached(store(), move |root, store, observer: &mut O| {
            let root = Rooted { dag, root };
            let env = &mut tools(budget, heuristic, store, observer);
            match windows {
                Windows::AlphaBeta => alpha_beta_informed(&root, valuation, &window, env),
                Windows::Scout => scout(&root, valuation, env),
                Windows::NegaScout => nega_scout(&root, valuation, &window, env),
                Windows::MtdF(Direction::Above) => mtd_f(&root, valuation, Guess::Top, env),
                Windows::MtdF(Direction::Below) => mtd_f(&root, valuation, Guess::Bottom, env),
                Windows::MtdBi => mtd_bi(&root, valuation, None, env),
            }
        }),
        Method::SolutionTree(from) => {
            Engine::cached(store(), move |root, store, observer: &mut O| {
                let root = Rooted { dag, root };
                let env = &mut tools(budget, heuristic, store, observer);
                match from {
                    Direction::Above => sss_2(&root, valuation, env).outcome,
                    Direction::Below => sss_2_dual(&root, valuation, env).outcome,
                }
            })
        }
        Method::Tips(from) => Engine::uncached(move |root, observer: &mut O| {
            let root = Rooted { dag, root };
            let env = &mut tools(budget, heuristic, (), observer);
            match from {
                Direction::Above => sss_star(&root, valuation, env).outcome,
                Direction::Below => sss_star_dual(&root, valuation, env).outcome,
            }
        }),
        Method::Duo(parts) if parts.halving => {
            let store = Some(task.stores.store());
            Engine::cached(store, move |root, store, observer: &mut O| {
                let root = Rooted { dag, root };
                let env = &mut tools(budget, heuristic, store, observer);
                duo_bi(&root, valuation, parts.duo, Halving::default(), env)
            })
        }
        Method::Minimax
        | Method::Prune(_)
        | Method::AlphaBeta
        | Method::Duo(_)
        | Method::Proofs(_)
        | Method::Thresholds => return distributive(algorithm, job),
    })
}

/// The algorithm, if it runs on chains of integers. `None` also if there are too few bytes for a
/// df-pn table.
pub fn integers<'a, J, T, O>(algorithm: &Algorithm, job: &J) -> Option<EngineOf<'a, J, O>>
where
    J: Job<'a, Lattice = Chain<T>>,
    T: Integer,
    O: Observer<J::Node, T>,
{
    proofs_of_integers(algorithm, job).or_else(|| total_order(algorithm, job))
}

/// The search that proves one threshold after the other, if the algorithm is one.
pub fn proofs_of_integers<'a, J, T, O>(algorithm: &Algorithm, job: &J) -> Option<EngineOf<'a, J, O>>
where
    J: Job<'a, Lattice = Chain<T>>,
    T: Integer,
    O: Observer<J::Node, T>,
{
    let Method::Proofs(search) = algorithm.method else {
        return None;
    };
    let task = job.task();
    let (dag, valuation, _) = task.parts();
    let guess = T::try_from(0).unwrap_or(*valuation.lattice().lo());
    proofs(search, task, move |root, prover, env| {
        let root = Rooted { dag, root };
        match prover {
            Prover::Best(prover) => multi_valued(&root, valuation, guess, prover, env),
            Prover::Depth(prover) => multi_valued(&root, valuation, guess, prover, env),
        }
    })
}

/// The algorithm, if it runs on powersets. `None` also if there are too few bytes for a df-pn
/// table.
pub fn sets<'a, J, B, O>(algorithm: &Algorithm, job: &J) -> Option<EngineOf<'a, J, O>>
where
    J: Job<'a, Lattice = Powerset<B>>,
    B: WorldSet,
    O: Observer<J::Node, B>,
{
    proofs_of_sets(algorithm, job).or_else(|| distributive(algorithm, job))
}

/// The search that proves each world by itself, if the algorithm is one.
pub fn proofs_of_sets<'a, J, B, O>(algorithm: &Algorithm, job: &J) -> Option<EngineOf<'a, J, O>>
where
    J: Job<'a, Lattice = Powerset<B>>,
    B: WorldSet,
    O: Observer<J::Node, B>,
{
    let Method::Proofs(search) = algorithm.method else {
        return None;
    };
    let task = job.task();
    let (dag, valuation, _) = task.parts();
    proofs(search, task, move |root, prover, env| {
        let root = Rooted { dag, root };
        match prover {
            Prover::Best(prover) => by_worlds(&root, valuation, prover, env),
            Prover::Depth(prover) => by_worlds(&root, valuation, prover, env),
        }
    })
}

/// The search by thresholds, if the algorithm is that.
pub fn thresholds<'a, J, B, O>(algorithm: &Algorithm, job: &J) -> Option<EngineOf<'a, J, O>>
where
    J: Job<'a, Lattice = Families<B>>,
    B: WorldSet,
    O: Observer<J::Node, Antichain<B>>,
{
    let task = job.task();
    let (dag, valuation, budget) = task.parts();
    let stores = task.stores.clone();
    (algorithm.method == Method::Thresholds).then(|| {
        Engine::uncached(move |root, observer: &mut O| {
            let root = Rooted { dag, root };
            families_by_thresholds(&root, valuation, &stores, MOST, budget, observer).outcome
        })
    })
}

/// The algorithm, if it is one of those made for families of sets: thresholds, which use no bounds
/// known without search, or the default with all its parts, which finds bounds by itself
/// ([`solve_families`]) unless some are given.
pub fn families_of_their_own<'a, J, B, O>(
    algorithm: &Algorithm,
    job: &J,
) -> Option<EngineOf<'a, J, O>>
where
    J: Job<'a, Lattice = Families<B>>,
    B: WorldSet,
    O: Observer<J::Node, Antichain<B>>,
{
    let task = job.task();
    let (dag, valuation, budget) = task.parts();
    let stores = task.stores.clone();
    match algorithm.method {
        Method::Duo(parts) if parts.bounds && task.heuristic.is_none() => {
            let memory = Memory::new(&stores);
            let search = move |memory: &mut Memory<J::Node, B, J::Stores>, root, watch: &mut O| {
                let (root, duo) = (Rooted { dag, root }, parts.duo);
                let outcome = solve_families(&root, valuation, memory, &stores, duo, budget, watch);
                Solved {
                    outcome,
                    cache_entries: memory.len(),
                }
            };
            Some(Engine::with(memory, search))
        }
        _ => thresholds(algorithm, job),
    }
}

/// The algorithm, if it runs on families of sets.
pub fn families<'a, J, B, O>(algorithm: &Algorithm, job: &J) -> Option<EngineOf<'a, J, O>>
where
    J: Job<'a, Lattice = Families<B>>,
    B: WorldSet,
    O: Observer<J::Node, Antichain<B>>,
{
    families_of_their_own(algorithm, job).or_else(|| distributive(algorithm, job))
}

/// Either of the two proof searches.
enum Prover<'p, N> {
    Best(&'p mut BestFirstProver<N>),
    Depth(&'p mut DepthFirstProver<N>),
}

/// The engine for `value`, which gets a prover.
fn proofs<'a, D, V, N, E, H, S, O>(
    search: Proofs,
    task: &Task<'a, D, V, H, S>,
    value: impl Fn(N, Prover<'_, N>, &mut Env<'_, (), Option<H>, &mut O>) -> Outcome<E> + 'a,
) -> Option<Engine<'a, N, E, O>>
where
    N: Clone + Eq + Hash + Debug + 'a,
    H: Copy + 'a,
{
    let env = Env::new(task.budget).with_heuristic(task.heuristic);
    Some(match search {
        Proofs::BestFirst => {
            let mut prover = BestFirstProver::new(ProofNumberSearch::default());
            Engine::new(move |root, observer: &mut O| {
                let mut env = env.with_observer(observer);
                Solved {
                    outcome: value(root, Prover::Best(&mut prover), &mut env),
                    cache_entries: prover.entries(),
                }
            })
        }
        Proofs::DepthFirst => {
            let (how, table) = (
                DfPn::default(),
                ProofTable::with_bytes(task.proof_bytes).ok()?,
            );
            let mut prover = DepthFirstProver { how, table };
            Engine::new(move |root, observer: &mut O| {
                let mut env = env.with_observer(observer);
                Solved {
                    outcome: value(root, Prover::Depth(&mut prover), &mut env),
                    cache_entries: prover.entries(),
                }
            })
        }
    })
}
