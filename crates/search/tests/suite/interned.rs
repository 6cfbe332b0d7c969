//! Searches over ids: the values are those of plain evaluation, whatever room there is, stopped or not.

use std::hash::Hash;

use meetjoin_dag::{Graph, NodeId};
use meetjoin_lattice::{
    Budget, DistributiveLattice, FreeLattice, HeapBytes, Id, Interned, Interval, Limits,
    MemoryLimit, Room, Stop, Words,
};
use meetjoin_search::{
    Env, FailSoft, InternedBounds, Interning, Outcome, Table, Window, alpha_beta, alpha_beta_duo,
    alpha_beta_duo_published, minimax_cached,
};
use proptest::prelude::*;

use crate::agreement::any_graph;
use crate::support::{Algorithm, ENGINES, Game, Memory, Runs, families, sets};
use crate::thresholds::{family_game, words};

/// Searches without a cache get so many visits.
const PATIENCE: u64 = 20_000;

type Search<L> = fn(&Game<L>, &Interning<'_, Game<L>, &L>, &Interned<&L>, &Budget) -> Outcome<Id>;

/// Four algorithms over ids, with caches and without.
fn searches<L: DistributiveLattice<Elem: Hash + HeapBytes>>() -> [Search<L>; 4] {
    [
        |game, values, _, budget| {
            let mut env = Env::new(budget).with_store(Table::new());
            minimax_cached(game, values, &mut env)
        },
        |game, values, ids, budget| {
            let mut env = Env::new(budget);
            alpha_beta(game, values, &Window::full(ids), FailSoft, &mut env)
        },
        |game, values, ids, budget| {
            let mut env = Env::new(budget).with_store(Table::new());
            alpha_beta_duo_published(game, values, &Window::full(ids), &mut env)
        },
        |game, values, ids, budget| {
            let env = Env::new(budget).with_store(Table::new());
            let mut env = env.with_heuristic(InternedBounds::new(game, &game.lattice));
            alpha_beta_duo(game, values, &Window::full(ids), &mut env)
        },
    ]
}

/// What each search says of a game, in this room and with these budgets: true bounds at least.
fn outcomes<L: DistributiveLattice<Elem: Hash + HeapBytes>>(
    game: &Game<L>,
    room: Room,
    budget: impl Fn() -> Budget,
) -> Vec<Outcome<L::Elem>> {
    let value = game.value();
    let run = |search: Search<L>| {
        let ids = Interned::with_room(&game.lattice, room);
        let budget = budget();
        let values = Interning::new(game, &ids, &budget);
        let outcome = values.outcome(&search(game, &values, &ids, &budget));
        assert!(game.contains(&outcome.value, &value), "{outcome:?}");
        assert_eq!(outcome.stop.is_none(), outcome.exact().is_some());
        outcome
    };
    searches().map(run).into()
}

/// Compares searches over ids with plain evaluation: with room, with little, and those of the whole suite with ids at the leaves.
fn check<L: DistributiveLattice<Elem: Hash + HeapBytes>>(
    graph: Graph,
    lattice: L,
    elements: &[L::Elem],
) {
    let values = (0..graph.leaf_count()).map(|i| elements[i % elements.len()].clone());
    let mut game = Game {
        values: values.collect(),
        graph,
        lattice,
        bounds: None,
    };
    let value = game.value();
    let top = game.lattice.top();
    for with_bounds in [false, true] {
        if with_bounds {
            let bounds = game.all_values().into_iter();
            let above = |value| Interval::new(value, top.clone());
            game.bounds = Some(bounds.map(above).collect());
        }
        let patience = || Budget::visits_at_most(PATIENCE);
        for outcome in outcomes(&game, Room::default(), patience) {
            let known = outcome.exact() == Some(&value);
            assert!(known || outcome.stop == Some(Stop::Visits));
        }
        for bytes in [0, 3_000, 4_000, 8_000] {
            let room = Room { bytes, results: 64 };
            for outcome in outcomes(&game, room, patience) {
                assert!(outcome.exact().is_none_or(|exact| *exact == value));
            }
        }
    }
}

/// All engines of the suite on the same game with ids at its leaves.
fn check_engines<L: DistributiveLattice<Elem: Hash + HeapBytes>>(game: &Game<L>) {
    let free = Budget::unlimited();
    let ids = Interned::new(&game.lattice);
    let id = |element| ids.intern(element, &free).expect("no limit");
    let (leaves, value) = (game.values.iter().map(id).collect(), id(&game.value()));
    let game = Game {
        graph: game.graph.clone(),
        lattice: ids,
        values: leaves,
        bounds: None,
    };
    let full = Window::full(&game.lattice);
    for engine in ENGINES {
        let mut memory = Memory::<Id>::new(game.graph.node_count());
        let patience = Budget::visits_at_most(PATIENCE);
        let outcome = engine.run(&game, &full, &mut memory, &patience, (), ());
        if outcome.stop.is_some() && engine.is_uncached() {
            continue;
        }
        assert_eq!(outcome.exact(), Some(&value), "{engine:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn powersets(graph in any_graph(), words in prop::collection::vec(0..64_u64, 3..9)) {
        let elements: Vec<_> = words.into_iter().map(|w| Words([w])).collect();
        check(graph, sets(6), &elements);
    }

    #[test]
    fn families_of_sets(graph in any_graph(), words in words(5)) {
        let game = family_game::<Words<1>>(graph.clone(), 5, 1, &words);
        check_engines(&game);
        check(graph, families(5), &game.values);
    }

    #[test]
    fn free_lattices(graph in any_graph(), vectors in prop::collection::vec((-2..3_i64, -2..3_i64), 3..7)) {
        use meetjoin_lattice::Extended::Finite;
        let lattice = FreeLattice::of_vectors(2);
        let elements = vectors.iter().map(|&(a, b)| lattice.outcome([Finite(a), Finite(b)].into()));
        let elements: Vec<_> = elements.collect();
        check(graph, lattice, &elements);
    }

    #[test]
    fn stopped_at_any_visit_or_step(graph in any_graph(), words in words(5)) {
        let game = family_game::<Words<1>>(graph, 5, 1, &words);
        for limit in 0..60 {
            outcomes(&game, Room::default(), || Budget::visits_at_most(limit));
            let steps = || Budget::new(Limits { visits: Some(PATIENCE), steps: Some(limit), ..Limits::default() });
            outcomes(&game, Room::default(), steps);
        }
    }
}

#[test]
fn a_leaf_without_room_is_unknown_and_the_reason_is_told() {
    let mut rows = meetjoin_dag::Rows::new();
    let root: NodeId = rows.leaf().expect("room");
    let game = Game {
        graph: rows.finish(root).expect("one leaf"),
        lattice: sets(6),
        values: vec![Words([5])],
        bounds: None,
    };
    let none = Room {
        bytes: 0,
        results: 1,
    };
    for outcome in outcomes(&game, none, Budget::unlimited) {
        assert_eq!(outcome.stop, Some(Stop::Lattice));
    }
    // More leaves than the first chunk has places.
    let mut rows = meetjoin_dag::Rows::new();
    let leaves: Vec<NodeId> = (0..100).map(|_| rows.leaf().expect("room")).collect();
    let root = rows.or(leaves).expect("room");
    let game = Game {
        graph: rows.finish(root).expect("no cycle"),
        values: (0..100).map(|word| Words([word])).collect(),
        lattice: sets(8),
        bounds: None,
    };
    let full = || {
        let memory = Some(MemoryLimit {
            bytes: 1,
            used: || 1,
        });
        Budget::new(Limits {
            memory,
            ..Limits::default()
        })
    };
    for outcome in outcomes(&game, Room::default(), full) {
        assert_eq!(outcome.stop, Some(Stop::Memory));
    }
}
