//! Caches that forget when memory is short: values stay exact, and what is left in the caches is
//! true.

use std::cell::Cell;

use meetjoin_catalogue::engine::{self, Engine, Task};
use meetjoin_catalogue::method::{ALGORITHMS, Algorithm, Needs};
use meetjoin_dag::{Graph, NodeId, Rows};
use meetjoin_lattice::Extended::Finite;
use meetjoin_lattice::{
    AnyElem, AnyLattice, Bool, Budget, Chain, DistributiveLattice, Dual, ElemOf, Families,
    Licensed, Limits, MemoryLimit, TotalOrder, Words,
};
use meetjoin_search::{DenseStores, PositionTables, Tables};
use proptest::prelude::*;

use crate::support::graphs::any_graph;
use crate::support::{Game, Sets, families, sets};

/// The most visits of a search: what was forgotten has to be found again.
const PATIENCE: u64 = 2_000_000;
/// The same where the cache holds hardly anything.
const SHORT: u64 = 400_000;

/// A limit that is never passed; of so many looks one finds that there is enough.
fn short_of_memory(visits: u64) -> Budget {
    thread_local!(static ASKED: Cell<u64> = const { Cell::new(0) });
    Budget::new(Limits {
        visits: Some(visits),
        memory: Some(MemoryLimit {
            bytes: 1 << 40,
            used: || match ASKED.replace(ASKED.get() + 1) % 16 {
                0..9 => 0,
                _ => (1 << 40) - (1 << 30),
            },
        }),
        forget: true,
        ..Limits::default()
    })
}

type TaskOf<'a, L, S> = Task<'a, Game<L>, Game<L>, (), S>;
type EngineOf<'a, L> = Engine<'a, NodeId, ElemOf<L>, ()>;

/// A lattice with the algorithms that it has, with either kind of caches.
trait Engines: DistributiveLattice + Sized + 'static {
    fn with_tables<'a>(
        algorithm: &Algorithm,
        task: &TaskOf<'a, Self, Tables>,
    ) -> Option<EngineOf<'a, Self>>;

    fn with_arrays<'a>(
        algorithm: &Algorithm,
        task: &TaskOf<'a, Self, DenseStores>,
    ) -> Option<EngineOf<'a, Self>>;
}

macro_rules! engines {
    ($($lattice:ty: $engines:path),*) => {$(
        impl Engines for $lattice {
            fn with_tables<'a>(
                algorithm: &Algorithm,
                task: &TaskOf<'a, Self, Tables>,
            ) -> Option<EngineOf<'a, Self>> {
                $engines(algorithm, task)
            }

            fn with_arrays<'a>(
                algorithm: &Algorithm,
                task: &TaskOf<'a, Self, DenseStores>,
            ) -> Option<EngineOf<'a, Self>> {
                $engines(algorithm, task)
            }
        }
    )*};
}

engines!(Chain<i64>: engine::total_order, Sets: engine::distributive, Families<Words<1>>: engine::families);

/// How many algorithms find the value although they forget.
fn check<L: Engines, S: Clone>(
    game: &Game<L>,
    stores: &S,
    make: impl for<'a> Fn(&Algorithm, &TaskOf<'a, L, S>) -> Option<EngineOf<'a, L>>,
) -> usize {
    let (value, values) = (game.value(), game.all_values());
    let mut found = 0;
    for algorithm in ALGORITHMS.iter().filter(|a| a.cache) {
        let (free, budget) = (Budget::unlimited(), short_of_memory(PATIENCE));
        let of = |budget| Task {
            dag: game,
            valuation: game,
            heuristic: None,
            stores: stores.clone(),
            budget,
            proof_bytes: 0,
        };
        let Some(mut engine) = make(algorithm, &of(&free)) else {
            continue;
        };
        let all = engine.search(game.graph.root(), &mut ()).cache_entries;
        let mut engine = make(algorithm, &of(&budget)).expect("it has it");
        let solved = engine.search(game.graph.root(), &mut ());
        let (outcome, id) = (&solved.outcome, algorithm.id);
        assert!(game.contains(&outcome.value, &value), "{id}: {outcome:?}");
        assert_eq!(outcome.stop.is_none(), outcome.exact().is_some(), "{id}");
        assert!(solved.cache_entries <= all, "{id}");
        if let Some(entries) = engine.entries() {
            entries.each(&mut |node, lower, upper| {
                let value = &values[node.index()];
                assert!(game.leq(lower, value) && game.leq(value, upper), "{id}");
            });
        }
        found += usize::from(outcome.exact().is_some() && solved.cache_entries < all);
    }
    found
}

/// Layers of many nodes, OR and AND in turn, each with three children in the layer below.
fn layers(seed: u64) -> Graph {
    let mut rows = Rows::new();
    let mut below: Vec<NodeId> = (0..64).map(|_| rows.leaf().expect("room")).collect();
    for layer in 0..14_u64 {
        let node = |i: u64| {
            let child =
                |k| below[bits(seed << 40 | layer << 20 | i << 4 | k, 32) as usize % below.len()];
            let row: Vec<NodeId> = (0..3).map(child).collect();
            let node = if layer % 2 == 0 {
                rows.or(row)
            } else {
                rows.and(row)
            };
            node.expect("room")
        };
        let width = if layer < 13 { 600 } else { 1 };
        below = (0..width).map(node).collect();
    }
    rows.finish(below[0]).expect("children come before parents")
}

/// The same with both kinds of caches, on some graphs.
fn check_both<L: Engines + Clone>(lattice: &L, value: impl Fn(u64) -> L::Elem) -> usize {
    let check = |seed| {
        let graph = layers(seed);
        let nodes = graph.node_count();
        let game = Game {
            values: (0..graph.leaf_count()).map(|i| value(i as u64)).collect(),
            graph,
            lattice: lattice.clone(),
            bounds: None,
        };
        check(&game, &Tables, L::with_tables) + check(&game, &DenseStores { nodes }, L::with_arrays)
    };
    (1..4).map(check).sum()
}

/// Some bits for each number.
fn bits(of: u64, count: u32) -> u64 {
    of.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - count)
}

#[test]
fn integers_stay_exact() {
    let found = check_both(&Chain::new(i64::MIN, i64::MAX).expect("in order"), |i| {
        (i * 7 % 50).cast_signed()
    });
    assert!(found > 10, "{found}");
}

#[test]
fn sets_stay_exact() {
    let found = check_both(&sets(20), |i| Words([bits(i, 20)]));
    assert!(found > 10, "{found}");
}

#[test]
fn families_stay_exact() {
    let lattice = families(6);
    let found = check_both(&lattice, |i| lattice.principal(Words([bits(i, 6)])));
    assert!(found > 5, "{found}");
}

/// With a cache that forgets nearly everything, every algorithm of the catalogue ends and finds the
/// value.
fn check_forgetting<L: TotalOrder>(game: &Game<L>) {
    let value = game.value();
    for bytes in [0, 1 << 8, 1 << 10] {
        let in_chains = |algorithm: &&Algorithm| algorithm.needs() != Needs::JoinPrimes;
        for algorithm in ALGORITHMS.iter().filter(|a| a.cache).filter(in_chains) {
            let budget = Budget::visits_at_most(SHORT);
            let task = Task {
                dag: game,
                valuation: game,
                heuristic: None::<()>,
                stores: PositionTables { bytes: Some(bytes) },
                budget: &budget,
                proof_bytes: bytes,
            };
            let mut engine = engine::total_order(algorithm, &task).expect("in the catalogue");
            let outcome = engine.search(game.graph.root(), &mut ()).outcome;
            assert!(game.contains(&outcome.value, &value), "{}", algorithm.id);
            // Where paths multiply, a cache that forgets is none.
            if outcome.stop.is_none() {
                assert_eq!(outcome.exact(), Some(&value), "{}", algorithm.id);
            }
        }
    }
}

fn play<L: TotalOrder>(graph: Graph, lattice: L, elements: &[L::Elem]) {
    let values = (0..graph.leaf_count()).map(|i| elements[i % elements.len()].clone());
    check_forgetting(&Game {
        values: values.collect(),
        graph,
        lattice,
        bounds: None,
    });
}

/// [`play`] in a lattice chosen at run time, so that the searches are compiled once for both.
fn play_any(graph: Graph, lattice: AnyLattice, elements: impl Iterator<Item = AnyElem>) {
    lattice.check_total().expect("a chain");
    play(graph, Licensed(lattice), &elements.collect::<Vec<_>>());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn bool_games(graph in any_graph(), seed: Vec<bool>) {
        let elements = [true, false, true].into_iter().chain(seed);
        play_any(graph, AnyLattice::Bool(Bool), elements.map(AnyElem::Bool));
    }

    #[test]
    fn chains_and_their_duals(graph in any_graph(), elements in prop::collection::vec(-5..5_i64, 3..9)) {
        let integers = AnyLattice::Integers(Chain::new(Finite(-5), Finite(5)).expect("in order"));
        let dual = AnyLattice::Dual(Box::new(Dual(integers)));
        play_any(graph.clone(), dual, elements.iter().map(|&n| AnyElem::Integer(Finite(n))));
        play(graph, Chain::new(-5, 5).expect("in order"), &elements);
    }
}
