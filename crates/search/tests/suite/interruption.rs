//! Stops at every moment: the outcome contains the truth, the caches stay coherent, and the search
//! can be taken up again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use meetjoin_dag::NodeId;
use meetjoin_lattice::{
    Budget, Chain, ElemOf, Interval, Lattice, Limits, MemoryLimit, Stop, Words,
};
use meetjoin_search::{
    Counts, Env, Observer, Outcome, Progress, Store, Table, Window, alpha_beta_cached,
    alpha_beta_duo_plain, alpha_beta_duo_published, minimax_cached,
};
use proptest::prelude::*;

use crate::support::graphs::any_graph;
use crate::support::{
    Algorithm, ENGINES, Engine, Full, Game, Memory, Runs, chain_engines, families, sets,
};

pub fn check_outcome<L: Lattice>(
    game: &Game<L>,
    window: &Window<L::Elem>,
    outcome: &Outcome<L::Elem>,
    what: &str,
) {
    let value = game.value();
    assert!(
        game.contains(&outcome.value, &value),
        "{what}: {outcome:?} without {value:?}"
    );
    let clipped = game.clip(window, &value);
    assert!(
        game.contains(&outcome.clipped, &clipped),
        "{what}: {outcome:?} without {clipped:?}"
    );
    assert_eq!(
        outcome.stop.is_none(),
        outcome.clipped.exact().is_some(),
        "{what}: {outcome:?}"
    );
}

pub fn check_memory<L: Lattice>(game: &Game<L>, memory: &Memory<L::Elem>, what: &str) {
    for (node, value) in game.graph.nodes().zip(game.all_values()) {
        let exact = memory.exact.get(&node).1;
        assert!(exact.is_none_or(|known| *known == value), "{what}");
        for known in [memory.duo.get(&node).1, memory.dense.get(&node).1] {
            assert!(
                known.is_none_or(|known| game.contains(known, &value)),
                "{what}"
            );
        }
    }
}

/// Stops `engine` after every number of visits and takes it up again.
fn stop_everywhere<L: Lattice, E: Runs<L>>(
    engine: E,
    game: &Game<L>,
    window: &Window<ElemOf<L>>,
    stride: u64,
) {
    let free = Budget::unlimited();
    let nodes = game.graph.node_count();
    let mut counts = Counts::default();
    engine.run(
        game,
        window,
        &mut Memory::new(nodes),
        &free,
        &mut counts,
        (),
    );
    let all = counts.visits + counts.probes;
    for limit in (0..all).step_by(stride as usize) {
        let what = format!("{engine:?} after {limit} of {all} visits");
        let mut memory = Memory::new(nodes);
        let budget = Budget::visits_at_most(limit);
        let outcome = engine.run(game, window, &mut memory, &budget, (), ());
        check_outcome(game, window, &outcome, &what);
        if outcome.clipped.exact().is_none() {
            assert_eq!(outcome.stop, Some(Stop::Visits), "{what}");
        }
        check_memory(game, &memory, &what);
        let resumed = engine.run(game, window, &mut memory, &free, (), ());
        assert_eq!(resumed.stop, None, "{what}, resumed");
        check_outcome(game, window, &resumed, &what);
    }
    let budget = Budget::visits_at_most(all);
    let outcome = engine.run(game, window, &mut Memory::new(nodes), &budget, (), ());
    assert_eq!(
        outcome.stop, None,
        "{engine:?}: exactly as many visits as it takes"
    );
}

/// Paths multiply without a cache: looks at every visit of small searches, at some of long ones.
fn stop_at_strides<L: Lattice, E: Runs<L>>(
    engine: E,
    game: &Game<L>,
    full: &Window<ElemOf<L>>,
    narrow: &Window<ElemOf<L>>,
) {
    let mut counts = Counts::default();
    let cap = Budget::visits_at_most(200_000);
    let mut memory = Memory::new(game.graph.node_count());
    engine.run(game, full, &mut memory, &cap, &mut counts, ());
    let visits = counts.visits + counts.probes;
    if visits == 200_000 {
        return;
    }
    let stride = 1 + visits / 200;
    stop_everywhere(engine, game, full, stride);
    if engine.takes_window() {
        stop_everywhere(engine, game, narrow, stride);
    }
}

fn sets_game(graph: meetjoin_dag::Graph, words: &[u64]) -> Game<crate::support::Sets> {
    let values = (0..graph.leaf_count()).map(|i| Words([words[i % words.len()]]));
    Game {
        values: values.collect(),
        graph,
        lattice: sets(5),
        bounds: None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn at_every_single_visit(
        graph in any_graph(),
        words in prop::collection::vec(0..32_u64, 1..8),
        (alpha, beta) in (0..32_u64, 0..32_u64),
        bounded: bool,
    ) {
        let mut game = sets_game(graph, &words);
        if bounded {
            let loosen = |v: Words<1>| Interval::new(Words([v.0[0] & alpha]), Words([v.0[0] | beta]));
            game.bounds = Some(game.all_values().into_iter().map(loosen).collect());
        }
        let full = Window::full(&game.lattice);
        let narrow = Window { alpha: Words([alpha]), beta: Words([beta]) };
        for engine in ENGINES {
            stop_at_strides(engine, &game, &full, &narrow);
        }
    }

    #[test]
    fn at_every_single_visit_in_a_chain(
        graph in any_graph(),
        numbers in prop::collection::vec(-9..10_i64, 1..8),
        (alpha, beta) in (-9..10_i64, -9..10_i64),
        bounded: bool,
    ) {
        let lattice = Chain::new(-9, 9).expect("in order");
        let values = (0..graph.leaf_count()).map(|i| numbers[i % numbers.len()]);
        let mut game = Game { values: values.collect(), graph, lattice, bounds: None };
        if bounded {
            let loosen = |v: i64| Interval::new(v.min(alpha), v.max(beta));
            game.bounds = Some(game.all_values().into_iter().map(loosen).collect());
        }
        let full = Window::full(&lattice);
        let narrow = Window { alpha, beta };
        for engine in chain_engines() {
            stop_at_strides(engine, &game, &full, &narrow);
        }
    }

    /// A store that takes no more entries stops a search wherever it leaves a node, with that
    /// node's result in nobody's frame.
    #[test]
    fn at_every_entry_of_a_full_store(
        graph in any_graph(),
        numbers in prop::collection::vec(-9..10_i64, 1..8),
        (alpha, beta) in (-9..10_i64, -9..10_i64),
    ) {
        let lattice = Chain::new(-9, 9).expect("in order");
        let values = (0..graph.leaf_count()).map(|i| numbers[i % numbers.len()]);
        let game = Game { values: values.collect(), graph, lattice, bounds: None };
        let values = game.all_values();
        let full = Window::full(&lattice);
        let narrow = Window { alpha, beta };
        let free = Budget::visits_at_most(5_000);
        for window in [&full, &narrow] {
            for room in 0..60 {
                let intervals = || Full { store: Table::<NodeId, Interval<i64>>::new(), room };
                let exact = || Full { store: Table::<NodeId, i64>::new(), room };
                let env = || Env::new(&free);
                let (g, w) = (&game, window);
                let outcomes = [
                    alpha_beta_duo_plain(g, g, w, &mut env().with_store(intervals())),
                    alpha_beta_duo_published(g, g, w, &mut env().with_store(intervals())),
                    alpha_beta_cached(g, g, w, &mut env().with_store(exact())),
                ];
                for outcome in outcomes {
                    check_outcome(&game, window, &outcome, &format!("room for {room}"));
                }
                let outcome = minimax_cached(g, g, &mut env().with_store(exact()));
                check_outcome(&game, &full, &outcome, &format!("room for {room}"));
            }
        }
        for engine in chain_engines().into_iter().filter(|engine| engine.cached) {
            for window in [&full, &narrow] {
                if !engine.takes_window() && window != &full {
                    continue;
                }
                for room in 0..60 {
                    let store = Full { store: Table::<NodeId, Interval<i64>>::new(), room };
                    let mut env = Env::new(&free).with_store(store).with_heuristic(&game);
                    let outcome = engine.algorithm.run(&game, window, &mut env);
                    let what = format!("{engine:?} with room for {room}");
                    check_outcome(&game, window, &outcome, &what);
                    for (node, value) in game.graph.nodes().zip(&values) {
                        let known = env.store.get(&node).1;
                        assert!(known.is_none_or(|known| game.contains(known, value)), "{what}");
                    }
                    if outcome.stop.is_none() {
                        break;
                    }
                }
            }
        }
    }

    /// Limits that fire *inside* meets and joins of families, leaves and probes in between.
    #[test]
    fn in_the_middle_of_lattice_operations(
        graph in any_graph(),
        words in prop::collection::vec(prop::collection::vec(0..64_u64, 1..6), 2..8),
    ) {
        let lattice = families(6);
        let free = Budget::unlimited();
        let family = |i: usize| {
            let sets = words[i % words.len()].iter().map(|&w| Words([w]));
            lattice.generated_by(sets, &free).expect("no limit")
        };
        let game = Game {
            values: (0..graph.leaf_count()).map(family).collect(),
            bounds: None,
            lattice: lattice.clone(),
            graph,
        };
        let (full, narrow) = (Window::full(&lattice), Window { alpha: family(0), beta: family(1) });
        for engine in ENGINES {
            for window in [&full, &narrow] {
                if !engine.takes_window() && window != &full {
                    continue;
                }
                for steps in (0..40).chain((40..2000).step_by(61)) {
                    let budget = Budget::new(Limits { steps: Some(steps), visits: Some(5000), ..Limits::default() });
                    let mut memory = Memory::new(game.graph.node_count());
                    let outcome = engine.run(&game, window, &mut memory, &budget, (), ());
                    let what = format!("{engine:?} after {steps} steps");
                    check_outcome(&game, window, &outcome, &what);
                    check_memory(&game, &memory, &what);
                    if outcome.stop.is_none() {
                        break;
                    }
                }
            }
        }
    }
}

/// A store that may not grow stops the search with bounds, not with a wrong value.
#[test]
fn a_memory_limit_stops_with_bounds() {
    let inner: Vec<_> = (0..400_u16)
        .map(|i| {
            (
                i % 2 == 0,
                0,
                vec![i.wrapping_mul(7919), i.wrapping_mul(31), i],
            )
        })
        .collect();
    let game = sets_game(
        crate::support::graphs::graph(&inner, 50, 2),
        &[1, 6, 9, 20, 31, 12],
    );
    let full = Window::full(&game.lattice);
    for engine in [
        Engine::MinimaxCached,
        Engine::DuoPlain,
        Engine::DuoPublished,
        Engine::Duo,
    ] {
        let budget = Budget::new(Limits {
            memory: Some(MemoryLimit {
                bytes: 12_000,
                used: || 0,
            }),
            ..Limits::default()
        });
        let mut memory = Memory::new(game.graph.node_count());
        let outcome = engine.run(&game, &full, &mut memory, &budget, (), ());
        assert_eq!(outcome.stop, Some(Stop::Memory), "{engine:?}");
        check_outcome(&game, &full, &outcome, "memory");
        check_memory(&game, &memory, "memory");
    }
}

/// Cancels from the observer and watches the bounds that progress reports on the way.
struct Watch {
    reports: Vec<(Words<1>, Words<1>)>,
    cancel: Arc<AtomicBool>,
    after: usize,
}

impl Observer<NodeId, Words<1>> for Watch {
    fn wants_progress(&mut self) -> bool {
        true
    }

    fn progress(&mut self, progress: Progress<'_, Words<1>>) {
        self.reports.push((*progress.lower, *progress.upper));
        if self.reports.len() == self.after {
            self.cancel.store(true, Ordering::Relaxed);
        }
    }
}

#[test]
fn progress_reports_true_bounds_and_a_cancelled_search_keeps_them() {
    let inner: Vec<_> = (0..3000_u16)
        .map(|i| {
            (
                i % 3 == 0,
                0,
                vec![i.wrapping_mul(7919), i.wrapping_mul(31), i, i / 2],
            )
        })
        .collect();
    let game = sets_game(
        crate::support::graphs::graph(&inner, 200, 2),
        &[1, 6, 9, 20, 31, 12],
    );
    let (value, full) = (game.value(), Window::full(&game.lattice));
    for engine in [Engine::MinimaxCached, Engine::Minimax, Engine::DuoPlain] {
        let cancel = Arc::new(AtomicBool::new(false));
        let mut watch = Watch {
            reports: Vec::new(),
            cancel: Arc::clone(&cancel),
            after: 5,
        };
        let budget = Budget::new(Limits {
            cancel: Some(cancel),
            ..Limits::default()
        });
        let mut memory = Memory::new(game.graph.node_count());
        let outcome = engine.run(&game, &full, &mut memory, &budget, &mut watch, ());
        assert_eq!(outcome.stop, Some(Stop::Cancelled), "{engine:?}");
        check_outcome(&game, &full, &outcome, "cancelled");
        assert_eq!(watch.reports.len(), 5);
        for &(lower, upper) in &watch.reports {
            assert!(
                game.leq(&lower, &value) && game.leq(&value, &upper),
                "{engine:?}"
            );
        }
    }
}
