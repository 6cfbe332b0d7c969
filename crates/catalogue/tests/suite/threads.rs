//! Several threads on one search: the value is that of plain evaluation, and limits, cancellation
//! and panics end all of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use meetjoin_catalogue::engine::{self, Engine, Task};
use meetjoin_catalogue::method::{ALGORITHMS, Algorithm};
use meetjoin_dag::{Graph, NodeId};
use meetjoin_families::heaviest;
use meetjoin_families::heaviest::together as heaviest_together;
use meetjoin_lattice::Extended::Finite;
use meetjoin_lattice::{
    AnyElem, AnyLattice, Budget, Chain, DistributiveLattice, Families, Licensed, Limits, Stop,
    Weights, Words,
};
use meetjoin_search::proof::{DfPn, ProofTable, Threshold, df_pn};
use meetjoin_search::sharing::{SharedCaches, SharedStores, Sharing};
use meetjoin_search::threads::{race, together};
use meetjoin_search::{Env, Outcome, SharedTable, Tables, Window, alpha_beta_duo};
use proptest::prelude::*;

use crate::support::family_game::family_game;
use crate::support::graphs::any_graph;
use crate::support::large::large;
use crate::support::{Game, Sets, sets};

type TaskOf<'a, L> = Task<'a, Game<L>, Game<L>, (), Sharing<Tables>>;

/// A lattice with the algorithms that it has.
trait Engines: DistributiveLattice + Sync + Sized {
    fn engine<'a>(
        algorithm: &Algorithm,
        task: &TaskOf<'a, Self>,
    ) -> Option<Engine<'a, NodeId, Self::Elem, ()>> {
        engine::distributive(algorithm, task)
    }
}

impl Engines for Sets {}
impl Engines for Chain<i64> {}
impl Engines for Licensed {}
impl Engines for Families<Words<1>> {
    fn engine<'a>(
        algorithm: &Algorithm,
        task: &TaskOf<'a, Self>,
    ) -> Option<Engine<'a, NodeId, Self::Elem, ()>> {
        engine::families(algorithm, task)
    }
}

/// Solves on threads; two searches from the root, one after the other.
fn solve<L: Engines>(
    algorithm: &Algorithm,
    game: &Game<L>,
    (threads, bytes): (usize, Option<usize>),
    budget: &Budget,
) -> [Outcome<L::Elem>; 2] {
    let caches = Arc::new(SharedCaches::new(threads, bytes));
    [1, 2].map(|number| {
        let run = |budget: &Budget| {
            let stores = SharedStores::new(&caches);
            let task = Task {
                dag: game,
                valuation: game,
                heuristic: None,
                stores: Sharing::Shared(stores.clone(), Tables),
                budget,
                proof_bytes: 0,
            };
            let mut engine = L::engine(algorithm, &task).expect("it has the algorithm");
            stores.begin(number);
            let outcome = engine.search(game.graph.root(), &mut ()).outcome;
            let is_found = outcome.stop.is_none();
            (outcome, is_found)
        };
        let ran = race(budget, threads - 1, Duration::ZERO, run, run);
        together(&game.lattice, ran.own, ran.helped)
    })
}

fn on_threads() -> impl Iterator<Item = &'static Algorithm> {
    ALGORITHMS.iter().filter(|a| a.runs_on_threads())
}

/// Whether the lattice of a game has an algorithm.
fn has<L: Engines>(algorithm: &Algorithm, game: &Game<L>) -> bool {
    let budget = Budget::unlimited();
    let task = Task {
        dag: game,
        valuation: game,
        heuristic: None,
        stores: Sharing::Own(Tables),
        budget: &budget,
        proof_bytes: 0,
    };
    L::engine(algorithm, &task).is_some()
}

/// Every algorithm on one to four threads: all of the game, and stopped after `limit` visits.
fn check<L: Engines>(game: &Game<L>, limit: u64) {
    let value = game.value();
    for algorithm in on_threads() {
        if !has(algorithm, game) {
            continue;
        }
        for threads in 1..=4 {
            let what = format!("{} on {threads} threads", algorithm.id);
            let free = Budget::unlimited();
            for outcome in solve(algorithm, game, (threads, None), &free) {
                assert_eq!(outcome.exact(), Some(&value), "{what}");
            }
            // One that forgets nearly everything may take very long, too.
            for (bytes, visits) in [(None, limit), (Some(1 << 16), 20_000)] {
                let budget = Budget::visits_at_most(visits);
                for outcome in solve(algorithm, game, (threads, bytes), &budget) {
                    assert!(game.contains(&outcome.value, &value), "{what}: {outcome:?}");
                    let is_exact = outcome.exact().is_some();
                    assert_eq!(outcome.stop.is_none(), is_exact, "{what}: {outcome:?}");
                }
                assert!(budget.visits_made() <= visits, "{what}");
            }
        }
    }
}

fn play<L: Engines>(graph: Graph, lattice: L, elements: &[L::Elem], limit: u64) {
    let values = (0..graph.leaf_count()).map(|i| elements[i % elements.len()].clone());
    let game = Game {
        values: values.collect(),
        graph,
        lattice,
        bounds: None,
    };
    check(&game, limit);
}

/// The heaviest sets, on one to four threads.
fn check_heaviest(game: &Game<Families<Words<1>>>, weights: &Weights, limit: u64) {
    let ask = |threads: usize, budget: &Budget| {
        let caches = Arc::new(SharedCaches::new(threads, None));
        let run = |budget: &Budget| {
            let stores = SharedStores::new(&caches);
            stores.begin(1);
            let env = Env::new(budget).with_store(Sharing::Shared(stores, Tables));
            let found = heaviest(game, game, weights, 3, env);
            let is_found = found.stop.is_none();
            (found, is_found)
        };
        let ran = race(budget, threads - 1, Duration::ZERO, run, run);
        heaviest_together(ran.own, ran.helped)
    };
    let free = Budget::unlimited();
    let env = Env::new(&free).with_store(Tables);
    let one = heaviest(game, game, weights, 3, env);
    let value = game.value();
    for threads in 1..=4 {
        let many = ask(threads, &free);
        assert_eq!((&many.sets, many.bound), (&one.sets, one.bound));
        let budget = Budget::visits_at_most(limit);
        let stopped = ask(threads, &budget);
        assert!(budget.visits_made() <= limit);
        assert!(stopped.bound >= one.bound);
        for (weight, set) in &stopped.sets {
            assert_eq!(*weight, weights.of_set(set));
            let family = game.lattice.principal(*set);
            assert!(game.leq(&family, &value), "{set:?} is won");
        }
    }
}

/// A claim by df-pn, on one to four threads, with a table that is large enough and one that is not.
fn check_df_pn(game: &Game<Chain<i64>>, at_least: i64, limit: u64) {
    let claim = Threshold::new(game, at_least);
    let holds = game.value() >= at_least;
    for threads in 1..=4 {
        for (bytes, visits) in [(1 << 20, u64::MAX), (1 << 14, u64::MAX), (1 << 20, limit)] {
            let table = ProofTable::shared(bytes).expect("there is room");
            let budget = Budget::visits_at_most(visits);
            let run = |budget: &Budget| {
                let mut env = Env::new(budget).with_store(table.clone());
                let decision = df_pn(game, &claim, DfPn::default(), &mut env);
                (decision, decision.stop.is_none())
            };
            let ran = race(&budget, threads - 1, Duration::ZERO, run, run);
            let decisions = [&[ran.own][..], &ran.helped].concat();
            let answers = decisions.iter().filter_map(|d| d.verdict.answer());
            assert!(answers.clone().all(|answer| answer == holds));
            assert!(visits < u64::MAX || answers.count() > 0);
            assert!(budget.visits_made() <= visits);
            for (node, value) in game.graph.nodes().zip(game.all_values()) {
                let known = table.numbers_of(&node).and_then(|n| n.verdict().answer());
                assert!(known.is_none_or(|answer| answer == (value >= at_least)));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn sets_on_threads(graph in any_graph(), words in prop::collection::vec(0..64_u64, 3..9), limit in 0..200_u64) {
        let elements: Vec<_> = words.into_iter().map(|w| Words([w])).collect();
        play(graph, sets(6), &elements, limit);
    }

    #[test]
    fn chains_on_threads(graph in any_graph(), elements in prop::collection::vec(-5..5_i64, 3..9), limit in 0..200_u64) {
        play(graph, Chain::new(-5, 5).expect("in order"), &elements, limit);
    }

    #[test]
    fn a_lattice_of_files_on_threads(graph in any_graph(), elements in prop::collection::vec(-5..5_i64, 3..9), limit in 0..200_u64) {
        let lattice = AnyLattice::Integers(Chain::new(Finite(-5), Finite(5)).expect("in order"));
        let elements: Vec<_> = elements.into_iter().map(|n| AnyElem::Integer(Finite(n))).collect();
        play(graph, Licensed(lattice), &elements, limit);
    }

    #[test]
    fn families_on_threads(graph in any_graph(), words in prop::collection::vec(prop::collection::vec(0..32_u64, 0..4), 3..9), limit in 0..400_u64) {
        check(&family_game::<Words<1>>(graph.clone(), 5, 1, &words), limit);
    }

    #[test]
    fn heaviest_sets_on_threads(graph in any_graph(), words in prop::collection::vec(prop::collection::vec(0..64_u64, 0..4), 3..9), weights in prop::collection::vec(0..9_u64, 6), limit in 0..400_u64) {
        let weights = Weights::new(weights).expect("small");
        check_heaviest(&family_game(graph, 6, 1, &words), &weights, limit);
    }

    #[test]
    fn claims_on_threads(graph in any_graph(), elements in prop::collection::vec(-5..5_i64, 3..9), at_least in -4..6_i64, limit in 0..60_u64) {
        let values = (0..graph.leaf_count()).map(|i| elements[i % elements.len()]).collect();
        let lattice = Chain::new(-5, 5).expect("in order");
        check_df_pn(&Game { values, graph, lattice, bounds: None }, at_least, limit);
    }

    /// More than nine worlds: searches take turns, and there are many questions.
    #[test]
    fn wide_families_on_threads(graph in any_graph(), words in prop::collection::vec(prop::collection::vec(0..16_384_u64, 0..6), 3..9), limit in 0..4_000_u64) {
        check(&family_game::<Words<1>>(graph.clone(), 14, 1, &words), limit);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn large_graphs_on_threads(seed in 1..u64::MAX, limit in 0..20_000_u64) {
        let word = |i: u64| seed.wrapping_mul(2 * i + 1) >> 7;
        let elements: Vec<_> = (0..40).map(|i| Words([(word(i) & word(i + 40)) % 1024])).collect();
        play(large(seed), sets(10), &elements, limit);
        let numbers: Vec<_> = (0..40).map(|i| (word(i) % 100).cast_signed()).collect();
        play(large(seed), Chain::new(0, 100).expect("in order"), &numbers, limit);
        let words: Vec<Vec<u64>> = (0..40).map(|i| vec![word(i) % 32, word(i + 40) % 32]).collect();
        check(&family_game::<Words<1>>(large(seed), 5, 1, &words), limit);
        check_heaviest(&family_game(large(seed), 5, 1, &words), &Weights::equal(5), limit);
        let (graph, lattice) = (large(seed), Chain::new(0, 100).expect("in order"));
        let values = (0..graph.leaf_count()).map(|i| numbers[i % 40]).collect();
        check_df_pn(&Game { values, graph, lattice, bounds: None }, (word(3) % 100).cast_signed() + 1, limit / 10);
    }
}

#[test]
fn a_set_flag_ends_all_threads() {
    let flag = Arc::new(AtomicBool::new(false));
    let game = family_game::<Words<1>>(large(7), 12, 1, &[vec![77, 3500], vec![4000, 91]]);
    let value = game.value();
    for algorithm in on_threads().filter(|algorithm| has(algorithm, &game)) {
        for threads in 1..=4 {
            let budget = Budget::new(Limits {
                cancel: Some(Arc::clone(&flag)),
                ..Limits::default()
            });
            flag.store(true, Ordering::Relaxed);
            for outcome in solve(algorithm, &game, (threads, None), &budget) {
                assert_eq!(outcome.stop, Some(Stop::Cancelled), "{}", algorithm.id);
                assert!(game.contains(&outcome.value, &value));
            }
            // In the middle of the search.
            flag.store(false, Ordering::Relaxed);
            let flag = &flag;
            std::thread::scope(|scope| {
                scope.spawn(move || {
                    std::thread::sleep(Duration::from_micros(300));
                    flag.store(true, Ordering::Relaxed);
                });
                for outcome in solve(algorithm, &game, (threads, None), &budget) {
                    assert!(game.contains(&outcome.value, &value));
                }
            });
        }
    }
}

#[test]
fn an_environment_with_a_shared_table() {
    let elements: Vec<_> = (0..40).map(|i| Words([i * i % 64])).collect();
    let graph = large(3);
    let game = Game {
        values: (0..graph.leaf_count()).map(|i| elements[i % 40]).collect(),
        graph,
        lattice: sets(6),
        bounds: None,
    };
    let (store, window) = (SharedTable::new(None), Window::full(&game.lattice));
    let run = |budget: &Budget| {
        let mut env = Env::new(budget).with_store(store.view());
        let outcome = alpha_beta_duo(&game, &game, &window, &mut env);
        let is_found = outcome.stop.is_none();
        (outcome, is_found)
    };
    let ran = race(&Budget::unlimited(), 2, Duration::ZERO, run, run);
    let outcome = together(&game.lattice, ran.own, ran.helped);
    assert_eq!(outcome.exact(), Some(&game.value()));
}
