//! An algorithm chosen at run time, as a value: a row of the table of
//! [`method`](crate::catalogue::method), or one with other parts.
//!
//! Problem: a command line, an experiment or a test wants "this algorithm", while the algorithms
//! are functions with caches of different values and demands of different strength on the lattice.
//!
//! Idea: one `match` over all methods for each strength of a lattice, without a wildcard: a method
//! that is in the table and not here does not compile. Each falls back on the one for weaker
//! lattices. With or without a cache, with or without bounds are values too ([`Option`]), so each
//! technique is compiled once for a graph, a lattice and an observer. The cache is made here, since
//! its values depend on the method, and lives as long as the engine: a second search, from another
//! root, finds what the first one left.
//!
//! Cost: one boxed call a search; the search itself is compiled for its graph, lattice and cache as
//! ever.
//!
//! ```
//! use meetjoin_dag::{AndOrDag, GraphBuilder, Problem};
//! use meetjoin_lattice::{Bool, Budget};
//! use meetjoin_search::engine::{self, Task};
//! use meetjoin_search::{Counts, Tables, method::ALGORITHMS};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut builder = GraphBuilder::new();
//! builder.or("r", ["x", "y"])?;
//! builder.leaf("x", true)?;
//! builder.leaf("y", false)?;
//! let problem = Problem::build(builder, "r", Bool)?;
//! let budget = Budget::unlimited();
//! let task = Task { dag: &problem, valuation: &problem, heuristic: None::<()>, stores: Tables, budget: &budget, proof_bytes: 1 << 20 };
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

use meetjoin_dag::{AndOrDag, Heuristic, Rooted, Valuation};
use meetjoin_lattice::{
    Antichain, Budget, Chain, DistributiveLattice, ElemOf, Families, Interval, Powerset,
    TotalOrder, WorldSet,
};

use crate::caches::stores::Stores;
use crate::catalogue::method::{Algorithm, Direction, Method, Proofs, Windows};
use crate::contracts::env::Env;
use crate::contracts::observer::Observer;
use crate::contracts::outcome::{Outcome, Window};
use crate::depth_first::alpha_beta::alpha_beta_cached;
use crate::depth_first::alpha_beta_duo::alpha_beta_duo_as;
use crate::depth_first::minimax::minimax_cached;
use crate::depth_first::pruning::{Rule, prune, shallow};
use crate::proof::{
    BestFirstProver, DepthFirstProver, DfPn, Integer, ProofNumberSearch, ProofTable, Prover as _,
    by_worlds, multi_valued,
};
use crate::set_families::families::Memory;
use crate::set_families::families::solve_families;
use crate::set_families::thresholds::{MOST, families_by_thresholds};
use crate::total_order::{
    Guess, alpha_beta_informed, mtd_bi, mtd_f, nega_scout, scout, sss_2, sss_2_dual, sss_star,
    sss_star_dual,
};
pub use run::{Engine, Solved};

/// What is to be solved, and with what.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a, D, V, H, S> {
    /// The graph.
    pub dag: &'a D,
    /// The values of its leaves.
    pub valuation: &'a V,
    /// Bounds known without search, if there are any; used by algorithms that can.
    pub heuristic: Option<H>,
    /// Where caches come from.
    pub stores: S,
    /// The limits, shared by all searches of the engine.
    pub budget: &'a Budget,
    /// The most bytes of a table of df-pn.
    pub proof_bytes: usize,
}

impl<'a, D, V, H, S> Task<'a, D, V, H, S> {
    /// What every search takes.
    fn parts(&self) -> (&'a D, &'a V, &'a Budget) {
        (self.dag, self.valuation, self.budget)
    }
}

/// What a search works with.
fn tools<H, S, O>(budget: &Budget, heuristic: H, store: S, observer: O) -> Env<'_, S, H, O> {
    Env::new(budget)
        .with_heuristic(heuristic)
        .with_store(store)
        .with_observer(observer)
}

/// The engine on the graph of a task, over its lattice.
type EngineOf<'a, D, V, O> =
    Engine<'a, <D as AndOrDag>::Node, ElemOf<<V as Valuation<<D as AndOrDag>::Node>>::Lattice>, O>;

/// Minimax, with a cache or without.
fn minimax<'a, D, V, H, S, O>(
    algorithm: &Algorithm,
    task: &Task<'a, D, V, H, S>,
) -> EngineOf<'a, D, V, O>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    S: Stores<D::Node>,
    S::Store<ElemOf<V::Lattice>>: 'a,
    O: Observer<D::Node, ElemOf<V::Lattice>>,
{
    let (dag, valuation, budget) = task.parts();
    let store = algorithm.cache.then(|| task.stores.store());
    Engine::cached(store, move |root, store, observer: &mut O| {
        let root = Rooted { dag, root };
        let env = &mut tools(budget, (), store, observer);
        minimax_cached(&root, valuation, env)
    })
}

/// The algorithm, if it runs on every lattice.
pub fn any_lattice<'a, D, V, H, S, O>(
    algorithm: &Algorithm,
    task: &Task<'a, D, V, H, S>,
) -> Option<EngineOf<'a, D, V, O>>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    S: Stores<D::Node>,
    S::Store<ElemOf<V::Lattice>>: 'a,
    O: Observer<D::Node, ElemOf<V::Lattice>>,
{
    let (dag, valuation, budget) = task.parts();
    match algorithm.method {
        Method::Minimax => Some(minimax(algorithm, task)),
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

/// The algorithm, if it is one of those that Li et al. (2022) compare, or the default.
pub fn published<'a, D, V, H, S, O>(
    algorithm: &Algorithm,
    task: &Task<'a, D, V, H, S>,
) -> Option<EngineOf<'a, D, V, O>>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    V::Lattice: DistributiveLattice,
    ElemOf<V::Lattice>: 'a,
    H: Heuristic<D::Node, V::Lattice> + Copy + 'a,
    S: Stores<D::Node>,
    S::Store<ElemOf<V::Lattice>>: 'a,
    S::Store<Interval<ElemOf<V::Lattice>>>: 'a,
    O: Observer<D::Node, ElemOf<V::Lattice>>,
{
    let (dag, valuation, budget) = task.parts();
    let heuristic = task.heuristic.filter(|_| algorithm.bounds);
    let window = Window::full(valuation.lattice());
    Some(match algorithm.method {
        Method::Minimax => minimax(algorithm, task),
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
pub fn pruned<'a, D, V, H, S, O>(
    algorithm: &Algorithm,
    task: &Task<'a, D, V, H, S>,
) -> Option<EngineOf<'a, D, V, O>>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    V::Lattice: DistributiveLattice,
    O: Observer<D::Node, ElemOf<V::Lattice>>,
{
    let (dag, valuation, budget) = task.parts();
    let Method::Prune(rule) = algorithm.method else {
        return None;
    };
    Some(Engine::uncached(move |root, observer: &mut O| {
        let root = Rooted { dag, root };
        prune(&root, valuation, rule, &mut tools(budget, (), (), observer))
    }))
}

/// The algorithm, if it runs on every distributive lattice.
pub fn distributive<'a, D, V, H, S, O>(
    algorithm: &Algorithm,
    task: &Task<'a, D, V, H, S>,
) -> Option<EngineOf<'a, D, V, O>>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    V::Lattice: DistributiveLattice,
    ElemOf<V::Lattice>: 'a,
    H: Heuristic<D::Node, V::Lattice> + Copy + 'a,
    S: Stores<D::Node>,
    S::Store<ElemOf<V::Lattice>>: 'a,
    S::Store<Interval<ElemOf<V::Lattice>>>: 'a,
    O: Observer<D::Node, ElemOf<V::Lattice>>,
{
    published(algorithm, task).or_else(|| pruned(algorithm, task))
}

/// The algorithm, if it runs on every total order.
pub fn total_order<'a, D, V, H, S, O>(
    algorithm: &Algorithm,
    task: &Task<'a, D, V, H, S>,
) -> Option<EngineOf<'a, D, V, O>>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    V::Lattice: TotalOrder,
    ElemOf<V::Lattice>: 'a,
    H: Heuristic<D::Node, V::Lattice> + Copy + 'a,
    S: Stores<D::Node>,
    S::Store<ElemOf<V::Lattice>>: 'a,
    S::Store<Interval<ElemOf<V::Lattice>>>: 'a,
    O: Observer<D::Node, ElemOf<V::Lattice>>,
{
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
        Method::Minimax
        | Method::Prune(_)
        | Method::AlphaBeta
        | Method::Duo(_)
        | Method::Proofs(_)
        | Method::Thresholds => return distributive(algorithm, task),
    })
}

/// The algorithm, if it runs on chains of integers. `None` also if there are too few bytes for a
/// table of df-pn.
pub fn integers<'a, D, V, T, H, S, O>(
    algorithm: &Algorithm,
    task: &Task<'a, D, V, H, S>,
) -> Option<EngineOf<'a, D, V, O>>
where
    D: AndOrDag,
    D::Node: 'a,
    T: Integer + 'a,
    V: Valuation<D::Node, Lattice = Chain<T>>,
    H: Heuristic<D::Node, Chain<T>> + Copy + 'a,
    S: Stores<D::Node>,
    S::Store<T>: 'a,
    S::Store<Interval<T>>: 'a,
    O: Observer<D::Node, T>,
{
    proofs_of_integers(algorithm, task).or_else(|| total_order(algorithm, task))
}

/// The search for a proof of one threshold after the other, if the algorithm is one.
pub fn proofs_of_integers<'a, D, V, T, H, S, O>(
    algorithm: &Algorithm,
    task: &Task<'a, D, V, H, S>,
) -> Option<EngineOf<'a, D, V, O>>
where
    D: AndOrDag,
    D::Node: 'a,
    T: Integer + 'a,
    V: Valuation<D::Node, Lattice = Chain<T>>,
    H: Heuristic<D::Node, Chain<T>> + Copy + 'a,
    O: Observer<D::Node, T>,
{
    let Method::Proofs(search) = algorithm.method else {
        return None;
    };
    let Task { dag, valuation, .. } = *task;
    let guess = T::try_from(0).unwrap_or(*valuation.lattice().lo());
    proofs(search, task, move |root, prover, env| {
        let root = Rooted { dag, root };
        match prover {
            Prover::Best(prover) => multi_valued(&root, valuation, guess, prover, env),
            Prover::Depth(prover) => multi_valued(&root, valuation, guess, prover, env),
        }
    })
}

/// The same for lattices of sets.
pub fn sets<'a, D, V, B, H, S, O>(
    algorithm: &Algorithm,
    task: &Task<'a, D, V, H, S>,
) -> Option<EngineOf<'a, D, V, O>>
where
    D: AndOrDag,
    D::Node: 'a,
    B: WorldSet + 'a,
    V: Valuation<D::Node, Lattice = Powerset<B>>,
    H: Heuristic<D::Node, Powerset<B>> + Copy + 'a,
    S: Stores<D::Node>,
    S::Store<B>: 'a,
    S::Store<Interval<B>>: 'a,
    O: Observer<D::Node, B>,
{
    proofs_of_sets(algorithm, task).or_else(|| distributive(algorithm, task))
}

/// The search for a proof for each world, if the algorithm is one.
pub fn proofs_of_sets<'a, D, V, B, H, S, O>(
    algorithm: &Algorithm,
    task: &Task<'a, D, V, H, S>,
) -> Option<EngineOf<'a, D, V, O>>
where
    D: AndOrDag,
    D::Node: 'a,
    B: WorldSet + 'a,
    V: Valuation<D::Node, Lattice = Powerset<B>>,
    H: Heuristic<D::Node, Powerset<B>> + Copy + 'a,
    O: Observer<D::Node, B>,
{
    let Method::Proofs(search) = algorithm.method else {
        return None;
    };
    let Task { dag, valuation, .. } = *task;
    proofs(search, task, move |root, prover, env| {
        let root = Rooted { dag, root };
        match prover {
            Prover::Best(prover) => by_worlds(&root, valuation, prover, env),
            Prover::Depth(prover) => by_worlds(&root, valuation, prover, env),
        }
    })
}

/// Thresholds, if the algorithm is that.
pub fn thresholds<'a, D, V, B, H, S, O>(
    algorithm: &Algorithm,
    task: &Task<'a, D, V, H, S>,
) -> Option<EngineOf<'a, D, V, O>>
where
    D: AndOrDag,
    B: WorldSet + 'a,
    V: Valuation<D::Node, Lattice = Families<B>>,
    S: Stores<D::Node> + Clone + 'a,
    O: Observer<D::Node, Antichain<B>>,
{
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
/// known without search, and the default with all its parts, which finds its own
/// ([`solve_families`]) unless some are known already.
pub fn families_of_their_own<'a, D, V, B, H, S, O>(
    algorithm: &Algorithm,
    task: &Task<'a, D, V, H, S>,
) -> Option<EngineOf<'a, D, V, O>>
where
    D: AndOrDag,
    D::Node: 'a,
    B: WorldSet + 'a,
    V: Valuation<D::Node, Lattice = Families<B>>,
    S: Stores<D::Node> + Clone + 'a,
    O: Observer<D::Node, Antichain<B>>,
{
    let (dag, valuation, budget) = task.parts();
    let stores = task.stores.clone();
    match algorithm.method {
        Method::Duo(parts) if parts.bounds && task.heuristic.is_none() => {
            let memory = Memory::new(&stores);
            let search = move |memory: &mut Memory<D::Node, B, S>, root, watch: &mut O| {
                let (root, duo) = (Rooted { dag, root }, parts.duo);
                let outcome = solve_families(&root, valuation, memory, &stores, duo, budget, watch);
                Solved {
                    outcome,
                    cache_entries: memory.len(),
                }
            };
            Some(Engine::with(memory, search))
        }
        _ => thresholds(algorithm, task),
    }
}

/// The algorithm, if it runs on families of sets.
pub fn families<'a, D, V, B, H, S, O>(
    algorithm: &Algorithm,
    task: &Task<'a, D, V, H, S>,
) -> Option<EngineOf<'a, D, V, O>>
where
    D: AndOrDag,
    D::Node: 'a,
    B: WorldSet + 'a,
    V: Valuation<D::Node, Lattice = Families<B>>,
    H: Heuristic<D::Node, Families<B>> + Copy + 'a,
    S: Stores<D::Node> + Clone + 'a,
    O: Observer<D::Node, Antichain<B>>,
{
    families_of_their_own(algorithm, task).or_else(|| distributive(algorithm, task))
}

/// One of the two searches for proofs.
enum Prover<'p, N> {
    Best(&'p mut BestFirstProver<N>),
    Depth(&'p mut DepthFirstProver<N>),
}

/// The engine that gives `value` a prover.
fn proofs<'a, D, V, E, H, S, O>(
    search: Proofs,
    task: &Task<'a, D, V, H, S>,
    value: impl Fn(D::Node, Prover<'_, D::Node>, &mut Env<'_, (), Option<H>, &mut O>) -> Outcome<E> + 'a,
) -> Option<Engine<'a, D::Node, E, O>>
where
    D: AndOrDag,
    D::Node: 'a,
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
