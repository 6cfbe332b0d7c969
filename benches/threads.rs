//! Two threads against one on the same search, and one thread with a shared store against one with
//! a private one.
//!
//! Run with `cargo bench -p meetjoin-benches --bench threads [-- NAME]`. The three forms take
//! turns, and the minimum of each counts. On a busy machine wall time says little about threads, so
//! CPU time is measured (where `/proc` has it): the maximum over threads, which is the wall time on
//! a machine with free processors, since no thread waits for another; and half of the sum, which is
//! the wall time with perfect balance.

use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use meetjoin_catalogue::engine::{self, Engine, Task};
use meetjoin_catalogue::method::algorithm;
use meetjoin_dag::{AndOrDag, Graph, Kind, NodeId, Valuation};
use meetjoin_families::heaviest;
use meetjoin_games::{ConnectFour, RandomDag, RandomParameters};
use meetjoin_lattice::{Budget, Families, Lattice, Powerset, Weights, Words};
use meetjoin_search::proof::{DfPn, ProofTable, Threshold, df_pn};
use meetjoin_search::sharing::{SharedCaches, SharedStores, Sharing};
use meetjoin_search::threads::race;
use meetjoin_search::{DenseStores, Env, Tables};

/// A random graph with values at its leaves.
struct Instance<L: Lattice> {
    graph: Graph,
    lattice: L,
    leaves: Vec<L::Elem>,
}

impl<L: Lattice> AndOrDag for Instance<L> {
    type Node = NodeId;

    fn root(&self) -> NodeId {
        self.graph.root()
    }

    #[inline]
    fn kind(&self, node: &NodeId) -> Kind {
        self.graph.kind(*node)
    }

    #[inline]
    fn children(&self, node: &NodeId, out: &mut Vec<NodeId>) {
        out.extend_from_slice(&self.graph.row(*node));
    }

    #[inline]
    fn is_shared(&self, node: &NodeId) -> bool {
        self.graph.is_shared(*node)
    }
}

impl<L: Lattice> Valuation<NodeId> for Instance<L> {
    type Lattice = L;

    fn lattice(&self) -> &L {
        &self.lattice
    }

    #[inline]
    fn leaf(&self, node: &NodeId) -> L::Elem {
        let ordinal = self.graph.leaf_ordinal(*node);
        ordinal.map_or_else(|| self.lattice.bottom(), |i| self.leaves[i].clone())
    }
}

fn random<L: Lattice>(
    (depth, variables, alternating): (u32, u32, bool),
    lattice: L,
    leaf: impl Fn(&L, Words<1>) -> L::Elem,
) -> Instance<L> {
    let dag = RandomDag::new(RandomParameters {
        depth,
        branching: 4,
        variables,
        alternating,
        seed: 1,
    });
    let dag = dag.expect("the parameters work");
    let word = |set: &mut dyn Iterator<Item = usize>| Words([set.map(|i| 1 << i).sum()]);
    let (graph, leaves) = dag.into_parts(|set| leaf(&lattice, word(set)));
    Instance {
        graph,
        lattice,
        leaves,
    }
}

/// The CPU time of this thread in nanoseconds.
fn on_processor() -> u64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = text.split(' ').next().and_then(|n| n.parse().ok());
    first.unwrap_or(0)
}

/// The cost of a run: wall time; CPU time of the longest thread and of all; visits of all.
struct Took {
    wall: f64,
    longest: f64,
    total: f64,
    visits: u64,
}

/// The three forms: threads, and whether the store is one for several.
const FORMS: [(usize, bool); 3] = [(1, false), (1, true), (2, true)];
const ROUNDS: usize = 3;

/// Runs a search in turns in the three forms, and prints its costs. `search` makes the state shared
/// by a round, and from that the search of one thread.
fn compare<C: Sync, T: PartialEq + Send>(
    name: &str,
    shared: impl Fn(usize) -> C,
    search: impl Fn(&C, bool, &Budget) -> Option<T> + Sync,
) {
    let (mut took, mut value) = (Vec::new(), None);
    for round in 0..ROUNDS * FORMS.len() {
        let (threads, shares) = FORMS[round % FORMS.len()];
        let common = shared(threads);
        let run = |budget: &Budget| {
            let begun = on_processor();
            let found = search(&common, shares, budget);
            let is_found = found.is_some();
            ((found, on_processor() - begun), is_found)
        };
        let (budget, begun) = (Budget::unlimited(), Instant::now());
        let ran = race(&budget, threads - 1, Duration::ZERO, run, run);
        let wall = begun.elapsed().as_secs_f64();
        let (mut longest, mut total) = (0, 0);
        for (found, time) in std::iter::once(ran.own).chain(ran.helped) {
            longest = longest.max(time);
            total += time;
            if let Some(found) = found {
                let before = value.replace(found);
                assert!(before.is_none() || before == value, "one value");
            }
        }
        took.push(Took {
            wall,
            longest: longest as f64 / 1e9,
            total: total as f64 / 1e9,
            visits: budget.visits_made(),
        });
    }
    print(name, &took);
}

/// Like `compare`, for an engine.
macro_rules! engines {
    ($name:expr, $game:expr, $stores:expr, $engine:path, $id:literal) => {{
        let (game, algorithm) = ($game, algorithm($id).expect("it is in the table"));
        compare(
            &format!("{}, {}", $name, $id),
            |threads| Arc::new(SharedCaches::new(threads, None)),
            |caches, shares, budget| {
                let stores = stores_of(caches, shares, $stores);
                let task = Task {
                    dag: game,
                    valuation: game,
                    heuristic: None::<()>,
                    stores: stores.clone(),
                    budget,
                    proof_bytes: 0,
                };
                let engine: Option<Engine<'_, _, _, ()>> = $engine(algorithm, &task);
                let mut engine = engine.expect("it has the algorithm");
                if let Sharing::Shared(shared, _) = &stores {
                    shared.begin(1);
                }
                let outcome = engine.search(game.root(), &mut ()).outcome;
                outcome.exact().cloned()
            },
        );
    }};
}

fn stores_of<S>(caches: &Arc<SharedCaches>, shares: bool, own: S) -> Sharing<S> {
    if shares {
        Sharing::Shared(SharedStores::new(caches), own)
    } else {
        Sharing::Own(own)
    }
}

fn print(name: &str, took: &[Took]) {
    let least = |form: usize, of: fn(&Took) -> f64| {
        let rounds = took.iter().skip(form).step_by(FORMS.len());
        rounds.map(of).fold(f64::INFINITY, f64::min)
    };
    let [alone, shared, two] = [0, 1, 2].map(|form| least(form, |took| took.longest));
    let both = least(2, |took| took.total) / 2.0;
    let [alone_wall, _, two_wall] = [0, 1, 2].map(|form| least(form, |took| took.wall));
    let [visits, visits_of_two] = [0, 2].map(|form| least(form, |took| took.visits as f64));
    println!(
        "{name}: one thread {alone:.3} s, with a store for several {:.2} of it; two threads are {:.2} to {:.2} times as fast (wall {:.2}), and make {:.3} of the visits",
        shared / alone,
        alone / two,
        alone / both,
        alone_wall / two_wall,
        visits_of_two / visits,
    );
}

fn main() {
    let name = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let is_meant = |id: &str| name.as_deref().is_none_or(|name| id.contains(name));
    let sets = || Powerset::<Words<1>>::new(10).expect("ten worlds fit");
    let families = |worlds| Families::<Words<1>>::of_worlds(worlds).expect("they fit");
    let of_set = |_: &_, set| set;
    let of_family = |families: &Families<Words<1>>, set| families.principal(set);
    let dense = |graph: &Graph| DenseStores {
        nodes: graph.node_count(),
    };
    if is_meant("sets") {
        let game = &random((18, 10, true), sets(), of_set);
        let stores = dense(&game.graph);
        engines!(
            "sets, d = 18",
            game,
            stores,
            engine::published,
            "alpha-beta-duo"
        );
        engines!(
            "sets, d = 18",
            game,
            stores,
            engine::published,
            "minimax-cached"
        );
    }
    if is_meant("families") {
        let game = &random((18, 8, false), families(8), of_family);
        let stores = dense(&game.graph);
        engines!(
            "families, d = 18, v = 8",
            game,
            stores,
            engine::families,
            "alpha-beta-duo"
        );
    }
    if is_meant("thresholds") {
        let game = &random((15, 20, true), families(20), of_family);
        let stores = dense(&game.graph);
        engines!(
            "families, d = 15, v = 20",
            game,
            stores,
            engine::families,
            "thresholds"
        );
        let weights = Weights::equal(20);
        compare(
            "families, d = 15, v = 20, heaviest",
            |threads| Arc::new(SharedCaches::new(threads, None)),
            |caches, shares, budget| {
                let env = Env::new(budget).with_store(stores_of(caches, shares, stores));
                let found = heaviest(game, game, &weights, 1, env);
                found.stop.is_none().then_some(found.sets)
            },
        );
    }
    if is_meant("connect") {
        let game = &ConnectFour::new(5, 6).expect("a small board");
        engines!(
            "Connect Four, 5x6",
            game,
            Tables,
            engine::total_order,
            "alpha-beta-duo"
        );
    }
    if is_meant("proof") {
        let game = &ConnectFour::new(5, 5).expect("a small board");
        let claim = Threshold::new(game, 1);
        let table = |shares| {
            if shares {
                ProofTable::shared(64 << 20)
            } else {
                ProofTable::with_bytes(64 << 20)
            }
        };
        compare(
            "Connect Four, 5x5, can the first player win, df-pn",
            |_| table(true).expect("there is room"),
            |shared, shares, budget| {
                let own = (!shares).then(|| table(false).expect("there is room"));
                let store = own.unwrap_or_else(|| shared.clone());
                let mut env = Env::new(budget).with_store(store);
                df_pn(game, &claim, DfPn::default(), &mut env)
                    .verdict
                    .answer()
            },
        );
    }
}
