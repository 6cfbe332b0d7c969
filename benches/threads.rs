//! Two threads against one on the same search, and one thread with a store for several against one with its own.
//!
//! Run with `cargo bench -p meetjoin-benches --bench threads [-- NAME]`. The three forms take turns, and the least of each counts. On a machine that does
//! other things too, wall time says little of threads; so the time that a thread has had a processor is shown beside it, of the thread that had it longest
//! (where `/proc` says it). No thread waits for another, so that is the wall time on a machine with free processors.

use std::fs;
use std::sync::Arc;
use std::time::Instant;

use meetjoin::dag::{AndOrDag, Graph, Kind, NodeId, Valuation};
use meetjoin::games::{ConnectFour, RandomDag, RandomParameters};
use meetjoin::lattice::{Budget, Families, Lattice, Powerset, Words};
use meetjoin::search::engine::{self, Engine, Task};
use meetjoin::search::method::algorithm;
use meetjoin::search::sharing::{SharedCaches, SharedStores, Sharing};
use meetjoin::search::threads::{race, together};
use meetjoin::search::{DenseStores, Tables};

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
        out.extend_from_slice(self.graph.row(*node));
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

/// Nanoseconds for which this thread has had a processor.
fn on_processor() -> u64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = text.split(' ').next().and_then(|n| n.parse().ok());
    first.unwrap_or(0)
}

/// What a run took: seconds on the clock, and on a processor the longest thread; visits of all.
struct Took {
    wall: f64,
    processor: f64,
    visits: u64,
}

/// The three forms: threads, and whether the store is one for several.
const FORMS: [(usize, bool); 3] = [(1, false), (1, true), (2, true)];
const ROUNDS: usize = 5;

/// Searches in turns by an engine, and prints what it took.
macro_rules! compare {
    ($name:expr, $game:expr, $stores:expr, $engine:path, $id:literal) => {{
        let (game, mut took) = ($game, Vec::new());
        let algorithm = algorithm($id).expect("it is in the table");
        let mut value = None;
        for round in 0..ROUNDS * FORMS.len() {
            let (threads, shares) = FORMS[round % FORMS.len()];
            let caches = Arc::new(SharedCaches::new(threads, None));
            let search = |budget: &Budget| {
                let begun = on_processor();
                let shared = SharedStores::new(&caches);
                let stores = if shares {
                    Sharing::Shared(shared.clone())
                } else {
                    Sharing::Own($stores)
                };
                let task = Task {
                    dag: game,
                    valuation: game,
                    heuristic: None::<()>,
                    stores,
                    budget,
                    proof_bytes: 0,
                };
                let engine: Option<Engine<'_, _, _, ()>> = $engine(algorithm, &task);
                let mut engine = engine.expect("it has the algorithm");
                shared.begin(1);
                let outcome = engine.search(game.root(), &mut ()).outcome;
                drop(engine);
                let is_found = outcome.stop.is_none();
                ((outcome, on_processor() - begun), is_found)
            };
            let (budget, begun) = (Budget::unlimited(), Instant::now());
            let ran = race(&budget, threads - 1, search, search);
            let wall = begun.elapsed().as_secs_f64();
            let (outcomes, times): (Vec<_>, Vec<u64>) = ran.helped.into_iter().unzip();
            let processor = times.into_iter().fold(ran.own.1, u64::max) as f64 / 1e9;
            let outcome = together(game.lattice(), ran.own.0, outcomes);
            let found = outcome.exact().cloned().expect("there is no limit");
            assert_eq!(*value.get_or_insert(found.clone()), found, "one value");
            took.push(Took {
                wall,
                processor,
                visits: budget.visits_made(),
            });
        }
        print(&format!("{}, {}", $name, $id), &took);
    }};
}

fn print(name: &str, took: &[Took]) {
    let least = |form: usize, of: fn(&Took) -> f64| {
        let rounds = took.iter().skip(form).step_by(FORMS.len());
        rounds.map(of).fold(f64::INFINITY, f64::min)
    };
    let [alone, shared, two] = [0, 1, 2].map(|form| least(form, |took| took.processor));
    let [alone_wall, _, two_wall] = [0, 1, 2].map(|form| least(form, |took| took.wall));
    let [visits, visits_of_two] = [0, 2].map(|form| least(form, |took| took.visits as f64));
    println!(
        "{name}: one thread {alone:.3} s, with a store for several {:.3} of it; two threads {two:.3} s, {:.2} times as fast (wall {:.2}), {:.3} of the visits",
        shared / alone,
        alone / two,
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
        let game = random((20, 10, true), sets(), of_set);
        let stores = dense(&game.graph);
        compare!(
            "sets, d = 20",
            &game,
            stores,
            engine::published,
            "alpha-beta-duo"
        );
        compare!(
            "sets, d = 20",
            &game,
            stores,
            engine::published,
            "minimax-cached"
        );
    }
    if is_meant("families") {
        let game = random((20, 8, false), families(8), of_family);
        let stores = dense(&game.graph);
        compare!(
            "families, d = 20, v = 8",
            &game,
            stores,
            engine::families,
            "alpha-beta-duo"
        );
    }
    if is_meant("thresholds") {
        let game = random((15, 20, true), families(20), of_family);
        let stores = dense(&game.graph);
        compare!(
            "families, d = 15, v = 20",
            &game,
            stores,
            engine::families,
            "thresholds"
        );
        compare!(
            "families, d = 15, v = 20",
            &game,
            stores,
            engine::families,
            "alpha-beta-duo"
        );
    }
    if is_meant("connect") {
        let game = ConnectFour::new(5, 6).expect("a small board");
        compare!(
            "Connect Four, 5x6",
            &game,
            Tables,
            engine::total_order,
            "alpha-beta-duo"
        );
    }
}
