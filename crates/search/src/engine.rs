//! An algorithm chosen at run time by its id in the [`catalogue`](crate::catalogue).
//!
//! Problem: a command line, an experiment or a test wants "this algorithm, by name", while the algorithms are functions with caches of
//! different values and demands of different strength on the lattice.
//!
//! Idea: one line an algorithm, in the function for the weakest lattices it runs on; each function falls back on the one for weaker demands.
//! The cache is made here, since its values depend on the algorithm, and lives as long as the engine: a second search, from another
//! root, finds what the first one left.
//!
//! Cost: one boxed call a search; the search itself is compiled for its graph, lattice and cache as ever.
//!
//! ```
//! use meetjoin_dag::{AndOrDag, GraphBuilder, Problem};
//! use meetjoin_lattice::{Bool, Budget};
//! use meetjoin_search::engine::{self, Tables, Task};
//! use meetjoin_search::{Counts, Duo, catalogue::ALGORITHMS};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut builder = GraphBuilder::new();
//! builder.or("r", ["x", "y"])?;
//! builder.leaf("x", true)?;
//! builder.leaf("y", false)?;
//! let problem = Problem::build(builder, "r", Bool)?;
//! let budget = Budget::unlimited();
//! let task = Task { dag: &problem, valuation: &problem, heuristic: (), stores: Tables, budget: &budget, duo: Duo::default() };
//! for algorithm in ALGORITHMS {
//!     if let Some(mut engine) = engine::distributive(algorithm.id, &task) {
//!         let mut counts = Counts::default();
//!         let solved = engine.search(problem.root(), &mut counts);
//!         assert_eq!(solved.outcome.exact(), Some(&true), "{} after {}", algorithm.id, counts.visits);
//!     }
//! }
//! # Ok(())
//! # }
//! ```

use std::fmt::{self, Debug};
use std::hash::Hash;

use meetjoin_dag::{AndOrDag, DenseNode, Heuristic, Rooted, Valuation};
use meetjoin_lattice::{
    Antichain, Budget, Chain, DistributiveLattice, ElemOf, Families, Interval, Powerset,
    TotalOrder, WorldSet,
};

use crate::families::Memory;
use crate::proof::{
    BestFirstProver, DepthFirstProver, DfPn, Integer, ProofNumberSearch, ProofTable, Prover,
    by_worlds, multi_valued,
};
use crate::thresholds::families_by_thresholds;
use crate::total_order::{
    Guess, NegaScout, alpha_beta_informed, mtd_f, nega_scout, scout, sss_2, sss_2_dual, sss_star,
    sss_star_dual,
};
use crate::{
    Dense, Duo, Env, FromHeuristic, Observer, Outcome, Store, Table, Window, alpha_beta,
    alpha_beta_cached, alpha_beta_duo_as, alpha_beta_duo_plain, alpha_beta_duo_published, minimax,
    minimax_cached, pruning, solve_families,
};

/// Makes caches, whatever their values.
pub trait Stores<N> {
    /// A cache of values `T`.
    type Store<T>: Store<N, T>;

    /// An empty cache.
    fn store<T>(&self) -> Self::Store<T>;
}

/// No caches.
impl<N> Stores<N> for () {
    type Store<T> = ();

    fn store<T>(&self) {}
}

/// Hash tables, for any nodes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tables;

impl<N: Clone + Eq + Hash> Stores<N> for Tables {
    type Store<T> = Table<N, T>;

    fn store<T>(&self) -> Table<N, T> {
        Table::new()
    }
}

/// Arrays, for the nodes `0..nodes` of an explicit graph.
#[derive(Clone, Copy, Debug)]
pub struct DenseStores {
    /// How many nodes the graph has.
    pub nodes: usize,
}

impl<N: DenseNode> Stores<N> for DenseStores {
    type Store<T> = Dense<N, T>;

    fn store<T>(&self) -> Dense<N, T> {
        Dense::new(self.nodes)
    }
}

/// What is to be solved, and with what.
#[derive(Debug)]
pub struct Task<'a, D, V, H, S> {
    /// The graph.
    pub dag: &'a D,
    /// The values of its leaves.
    pub valuation: &'a V,
    /// Bounds known without search; used by algorithms that can.
    pub heuristic: H,
    /// Where caches come from.
    pub stores: S,
    /// The limits, shared by all searches of the engine.
    pub budget: &'a Budget,
    /// The parts of the default, in all its searches.
    pub duo: Duo,
}

/// What an engine says of a root.
#[derive(Clone, Debug)]
pub struct Solved<E> {
    /// The value, or bounds.
    pub outcome: Outcome<E>,
    /// Entries in the cache afterwards; 0 without a cache.
    pub cache_entries: usize,
}

/// A search from any node of a graph, which tells observers `O`. It keeps its cache from call to call.
pub struct Engine<'a, N, E, O>(Box<Search<'a, N, E, O>>);

type Search<'a, N, E, O> = dyn FnMut(N, &mut O) -> Solved<E> + 'a;

impl<N, E, O> Debug for Engine<'_, N, E, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Engine")
    }
}

impl<'a, N, E, O> Engine<'a, N, E, O> {
    /// The value of `root`.
    pub fn search(&mut self, root: N, observer: &mut O) -> Solved<E> {
        (self.0)(root, observer)
    }

    fn new(search: impl FnMut(N, &mut O) -> Solved<E> + 'a) -> Self {
        Self(Box::new(search))
    }

    /// An engine without a cache.
    fn uncached(mut search: impl FnMut(N, &mut O) -> Outcome<E> + 'a) -> Self {
        Self::new(move |root, observer| Solved {
            outcome: search(root, observer),
            cache_entries: 0,
        })
    }

    /// An engine with a cache.
    fn cached<T, S: Store<N, T> + 'a>(
        mut store: S,
        mut search: impl FnMut(N, &mut S, &mut O) -> Outcome<E> + 'a,
    ) -> Self {
        Self::new(move |root, observer| Solved {
            outcome: search(root, &mut store, observer),
            cache_entries: store.len(),
        })
    }
}

/// The engine on the graph of a task, over its lattice.
type EngineOf<'a, D, V, O> =
    Engine<'a, <D as AndOrDag>::Node, ElemOf<<V as Valuation<<D as AndOrDag>::Node>>::Lattice>, O>;

/// The algorithm with this id, if it runs on every lattice.
pub fn any_lattice<'a, D, V, H, S, O>(
    id: &str,
    task: &Task<'a, D, V, H, S>,
) -> Option<EngineOf<'a, D, V, O>>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    S: Stores<D::Node>,
    S::Store<ElemOf<V::Lattice>>: 'a,
    O: Observer<D::Node, ElemOf<V::Lattice>>,
{
    let Task {
        dag,
        valuation,
        budget,
        ..
    } = *task;
    let at = move |root| Rooted { dag, root };
    let env = move || Env::new(budget);
    Some(match id {
        "minimax" => Engine::uncached(move |root, observer: &mut O| {
            minimax(&at(root), valuation, &mut env().with_observer(observer))
        }),
        "shallow" => Engine::uncached(move |root, observer: &mut O| {
            pruning::shallow(&at(root), valuation, &mut env().with_observer(observer))
        }),
        "minimax-cached" => {
            Engine::cached(task.stores.store(), move |root, store, observer: &mut O| {
                let mut env = env().with_observer(observer).with_store(store);
                minimax_cached(&at(root), valuation, &mut env)
            })
        }
        _ => return None,
    })
}

/// The algorithm with this id, if it runs on every distributive lattice.
pub fn distributive<'a, D, V, H, S, O>(
    id: &str,
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
    let Task {
        dag,
        valuation,
        heuristic,
        budget,
        duo,
        ..
    } = *task;
    let at = move |root| Rooted { dag, root };
    let window = Window::full(valuation.lattice());
    macro_rules! cached {
        ($algorithm:ident) => {
            Engine::cached(task.stores.store(), move |root, store, observer: &mut O| {
                let env = Env::new(budget).with_heuristic(heuristic);
                let mut env = env.with_observer(observer).with_store(store);
                $algorithm(&at(root), valuation, &window, &mut env)
            })
        };
    }
    macro_rules! pruned {
        ($rule:ident) => {
            Engine::uncached(move |root, observer: &mut O| {
                let mut env = Env::new(budget).with_observer(observer);
                pruning::$rule(&at(root), valuation, &mut env)
            })
        };
    }
    Some(match id {
        "deep" => pruned!(deep),
        "couwenberg" => pruned!(couwenberg),
        "strong" => pruned!(strong),
        "alpha-beta" => Engine::uncached(move |root, observer: &mut O| {
            let mut env = Env::new(budget).with_observer(observer);
            let initial = FromHeuristic(heuristic);
            alpha_beta(&at(root), valuation, &window, initial, &mut env)
        }),
        "alpha-beta-cached" => cached!(alpha_beta_cached),
        "alpha-beta-duo" => {
            Engine::cached(task.stores.store(), move |root, store, observer: &mut O| {
                let env = Env::new(budget).with_heuristic(heuristic);
                let mut env = env.with_observer(observer).with_store(store);
                alpha_beta_duo_as(&at(root), valuation, &window, duo, &mut env)
            })
        }
        "alpha-beta-duo-published" => cached!(alpha_beta_duo_published),
        "alpha-beta-duo-plain" => cached!(alpha_beta_duo_plain),
        _ => return any_lattice(id, task),
    })
}

/// The algorithm with this id, if it runs on every total order.
pub fn total_order<'a, D, V, H, S, O>(
    id: &str,
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
    let Task {
        dag,
        valuation,
        heuristic,
        budget,
        ..
    } = *task;
    let at = move |root| Rooted { dag, root };
    let window = Window::full(valuation.lattice());
    // `$env` has a cache or not, and bounds or not; the search is the same.
    macro_rules! uncached {
        ($bounds:expr, |$root:ident, $env:ident| $search:expr) => {
            Engine::uncached(move |root, observer: &mut O| {
                let ($root, env) = (at(root), Env::new(budget).with_heuristic($bounds));
                let $env = &mut env.with_observer(observer);
                $search
            })
        };
    }
    macro_rules! cached {
        ($bounds:expr, |$root:ident, $env:ident| $search:expr) => {
            Engine::cached(task.stores.store(), move |root, store, observer: &mut O| {
                let ($root, env) = (at(root), Env::new(budget).with_heuristic($bounds));
                let $env = &mut env.with_observer(observer).with_store(store);
                $search
            })
        };
    }
    Some(match id {
        "scout" => uncached!((), |root, env| scout(&root, valuation, env)),
        "scout-cached" => cached!((), |root, env| scout(&root, valuation, env)),
        "alpha-beta-informed" => uncached!(heuristic, |root, env| {
            alpha_beta_informed(&root, valuation, &window, env)
        }),
        "alpha-beta-informed-cached" => cached!(heuristic, |root, env| {
            alpha_beta_informed(&root, valuation, &window, env)
        }),
        "nega-scout" => uncached!((), |root, env| {
            nega_scout(&root, valuation, &window, NegaScout::default(), env)
        }),
        "nega-scout-cached" => cached!((), |root, env| {
            nega_scout(&root, valuation, &window, NegaScout::default(), env)
        }),
        "mtd-f" => cached!((), |root, env| mtd_f(&root, valuation, Guess::Top, env)),
        "mtd-f-dual" => cached!((), |root, env| mtd_f(&root, valuation, Guess::Bottom, env)),
        "sss-2" => uncached!(heuristic, |root, env| sss_2(&root, valuation, env).outcome),
        "sss-2-cached" => cached!(heuristic, |root, env| sss_2(&root, valuation, env).outcome),
        "sss-2-dual" => uncached!(heuristic, |root, env| {
            sss_2_dual(&root, valuation, env).outcome
        }),
        "sss-star" => uncached!(heuristic, |root, env| {
            sss_star(&root, valuation, env).outcome
        }),
        "sss-star-dual" => uncached!(heuristic, |root, env| {
            sss_star_dual(&root, valuation, env).outcome
        }),
        _ => return distributive(id, task),
    })
}

/// The algorithm of [`PROOFS`](crate::catalogue::PROOFS) with this id, if it runs on chains of integers. A table of df-pn takes at most so many bytes;
/// `None` if they are too few.
pub fn integers<'a, D, V, T, H, S, O>(
    id: &str,
    task: &Task<'a, D, V, H, S>,
    bytes: usize,
) -> Option<EngineOf<'a, D, V, O>>
where
    D: AndOrDag,
    D::Node: 'a,
    T: Integer + 'a,
    V: Valuation<D::Node, Lattice = Chain<T>>,
    H: Heuristic<D::Node, Chain<T>> + Copy + 'a,
    O: Observer<D::Node, T>,
{
    let Task {
        dag,
        valuation,
        heuristic,
        budget,
        ..
    } = *task;
    let guess = T::try_from(0).unwrap_or(*valuation.lattice().lo());
    proved(id, bytes, budget, heuristic, move |root, prover, env| {
        let root = Rooted { dag, root };
        match prover {
            Either::Best(prover) => multi_valued(&root, valuation, guess, prover, env),
            Either::Depth(prover) => multi_valued(&root, valuation, guess, prover, env),
        }
    })
}

/// The same for lattices of sets.
pub fn sets<'a, D, V, B, H, S, O>(
    id: &str,
    task: &Task<'a, D, V, H, S>,
    bytes: usize,
) -> Option<EngineOf<'a, D, V, O>>
where
    D: AndOrDag,
    D::Node: 'a,
    B: WorldSet + 'a,
    V: Valuation<D::Node, Lattice = Powerset<B>>,
    H: Heuristic<D::Node, Powerset<B>> + Copy + 'a,
    O: Observer<D::Node, B>,
{
    let Task {
        dag,
        valuation,
        heuristic,
        budget,
        ..
    } = *task;
    proved(id, bytes, budget, heuristic, move |root, prover, env| {
        let root = Rooted { dag, root };
        match prover {
            Either::Best(prover) => by_worlds(&root, valuation, prover, env),
            Either::Depth(prover) => by_worlds(&root, valuation, prover, env),
        }
    })
}

/// The algorithm with this id, if it runs on families of sets: those of [`distributive`], where the default is [`solve_families`], and thresholds. Bounds
/// known without search are not used by these two; where there are any, [`distributive`] has the default that does.
pub fn families<'a, D, V, B, H, S, O>(
    id: &str,
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
    let Task {
        dag,
        valuation,
        budget,
        duo,
        ..
    } = *task;
    let stores = task.stores.clone();
    Some(match id {
        "alpha-beta-duo" => {
            let mut memory = Memory::new(&stores);
            Engine::new(move |root, observer: &mut O| {
                let root = Rooted { dag, root };
                let outcome = solve_families(
                    &root,
                    valuation,
                    &mut memory,
                    &stores,
                    duo,
                    budget,
                    observer,
                );
                Solved {
                    outcome,
                    cache_entries: memory.len(),
                }
            })
        }
        "thresholds" => return thresholds(id, task),
        _ => return distributive(id, task),
    })
}

/// The algorithm with this id, if it finds values in families of sets by thresholds.
pub fn thresholds<'a, D, V, B, H, S, O>(
    id: &str,
    task: &Task<'a, D, V, H, S>,
) -> Option<EngineOf<'a, D, V, O>>
where
    D: AndOrDag,
    B: WorldSet + 'a,
    V: Valuation<D::Node, Lattice = Families<B>>,
    S: Stores<D::Node> + Clone + 'a,
    O: Observer<D::Node, Antichain<B>>,
{
    let Task {
        dag,
        valuation,
        budget,
        ..
    } = *task;
    let stores = task.stores.clone();
    (id == "thresholds").then(|| {
        Engine::uncached(move |root, observer: &mut O| {
            let root = Rooted { dag, root };
            families_by_thresholds(&root, valuation, &stores, 512, budget, observer).outcome
        })
    })
}

/// One of the two searches for proofs.
enum Either<'p, N> {
    Best(&'p mut BestFirstProver<N>),
    Depth(&'p mut DepthFirstProver<N>),
}

/// The engine that gives `search` the prover with this id.
fn proved<'a, N, E, H, O>(
    id: &str,
    bytes: usize,
    budget: &'a Budget,
    heuristic: H,
    search: impl Fn(N, Either<'_, N>, &mut Env<'_, (), H, &mut O>) -> Outcome<E> + 'a,
) -> Option<Engine<'a, N, E, O>>
where
    N: Clone + Eq + Hash + 'a,
    H: Copy + 'a,
{
    Some(match id {
        "proof-number" => {
            let mut prover = BestFirstProver::new(ProofNumberSearch::default());
            Engine::new(move |root, observer: &mut O| {
                let env = Env::new(budget).with_heuristic(heuristic);
                let mut env = env.with_observer(observer);
                Solved {
                    outcome: search(root, Either::Best(&mut prover), &mut env),
                    cache_entries: prover.entries(),
                }
            })
        }
        "df-pn" => {
            let (how, table) = (DfPn::default(), ProofTable::with_bytes(bytes).ok()?);
            let mut prover = DepthFirstProver { how, table };
            Engine::new(move |root, observer: &mut O| {
                let env = Env::new(budget).with_heuristic(heuristic);
                let mut env = env.with_observer(observer);
                Solved {
                    outcome: search(root, Either::Depth(&mut prover), &mut env),
                    cache_entries: prover.entries(),
                }
            })
        }
        _ => return None,
    })
}
