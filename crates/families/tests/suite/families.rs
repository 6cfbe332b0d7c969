//! The default in families of sets: equal to plain evaluation on every way it may take, from every
//! root, true bounds when stopped anywhere.

use meetjoin_dag::{Rooted, Rows};
use meetjoin_families::families::{FEW, Memory, WORLDS};
use meetjoin_families::solve_families;
use meetjoin_lattice::{Antichain, Budget, Families, FixedBitSet, Limits, Stop, Words, WorldSet};
use meetjoin_search::Tables;
use meetjoin_search::{Counts, Duo, Env, Outcome, minimax};
use proptest::prelude::*;

use crate::support::blown_up::blown_up;
use crate::support::family_game::{family_game, words};
use crate::support::graphs::any_graph;
use crate::support::{Game, game, leaf, or};

fn solve<B: WorldSet>(game: &Game<Families<B>>, budget: &Budget) -> Outcome<Antichain<B>> {
    let mut memory = Memory::new(&Tables);
    let root = game.graph.root();
    let from = Rooted { dag: game, root };
    solve_families(
        &from,
        game,
        &mut memory,
        &Tables,
        Duo::default(),
        budget,
        &mut Counts::default(),
    )
}

/// From each node, with one memory for all; with every part of the searches, and with none.
fn check<B: WorldSet>(game: &Game<Families<B>>) {
    let budget = Budget::unlimited();
    assert_eq!(solve(game, &budget).exact(), Some(&game.value()));
    for how in [Duo::default(), Duo::PLAIN] {
        let mut memory = Memory::new(&Tables);
        for root in game.graph.nodes().rev() {
            let from = Rooted { dag: game, root };
            let value = minimax(&from, game, &mut Env::new(&budget));
            let value = value.exact().expect("no limit");
            let mut counts = Counts::default();
            let observer = &mut counts;
            let outcome = solve_families(&from, game, &mut memory, &Tables, how, &budget, observer);
            assert_eq!(outcome.exact(), Some(value));
            assert!(counts.visits > 0);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn few_worlds(graph in any_graph(), words in words(4)) {
        check(&family_game::<Words<1>>(graph, 4, 1, &words));
    }

    #[test]
    fn all_subsets_at_once(graph in any_graph(), words in words(WORLDS as u32)) {
        check(&family_game::<Words<1>>(graph, WORLDS, 1, &words));
    }

    #[test]
    fn by_the_border(graph in any_graph(), words in words(12)) {
        check(&family_game::<Words<1>>(graph.clone(), 12, 1, &words));
        check(&family_game::<FixedBitSet>(graph, 12, 20, &words));
    }

    #[test]
    fn by_bounds(graph in any_graph(), words in words(7)) {
        check(&blown_up(graph, 7, FEW + 1, &words));
    }

    #[test]
    fn a_stop_in_any_turn_leaves_true_bounds(graph in any_graph(), words in words(12)) {
        stop_everywhere(&family_game::<Words<1>>(graph, 12, 1, &words));
    }

    #[test]
    fn a_stop_anywhere_leaves_true_bounds(graph in any_graph(), words in words(7)) {
        stop_everywhere(&family_game::<Words<1>>(graph.clone(), 7, 1, &words));
        stop_everywhere(&blown_up(graph, 7, FEW + 1, &words));
    }
}

fn stop_everywhere<B: WorldSet>(game: &Game<Families<B>>) {
    let value = game.value();
    let free = Budget::unlimited();
    solve(game, &free);
    let (visits, steps) = (free.visits_made(), free.steps_made());
    let by_visits = (0..visits).step_by(1 + visits as usize / 100);
    let by_visits = by_visits.map(|limit| (Budget::visits_at_most(limit), Stop::Visits));
    let by_steps = (0..steps).step_by(1 + steps as usize / 100).map(|limit| {
        let limits = Limits {
            steps: Some(limit),
            ..Limits::default()
        };
        (Budget::new(limits), Stop::Time)
    });
    for (budget, reason) in by_visits.chain(by_steps) {
        let outcome = solve(game, &budget);
        let known = &outcome.value;
        assert!(game.contains(known, &value), "{known:?} without {value:?}");
        assert_eq!(outcome.clipped, outcome.value);
        match outcome.exact() {
            Some(exact) => assert_eq!((exact, outcome.stop), (&value, None)),
            None => assert_eq!(outcome.stop, Some(reason)),
        }
    }
    let exactly = solve(game, &Budget::visits_at_most(visits));
    assert_eq!(
        exactly.exact(),
        Some(&value),
        "exactly as many visits as it takes"
    );
}

/// Four sets of hundreds of worlds: the union is not the value, and the border has millions of
/// sets.
#[test]
fn a_border_that_nobody_could_list() {
    let lattice = Families::<FixedBitSet>::of_worlds(400).expect("it fits");
    let set = |part: usize| {
        let worlds = (0..400).filter(|world| world / 100 != part);
        leaf(lattice.principal(lattice.base().set(worlds).expect("worlds exist")))
    };
    let game = game(lattice.clone(), or([set(0), set(1), set(2), set(3)]));
    let value = game.value();
    assert_eq!(value.maximal().len(), 4);
    let outcome = solve(&game, &Budget::visits_at_most(100));
    assert_eq!(outcome.exact(), Some(&value));
}

/// One OR over 17 leaves, each of which lacks two of 34 worlds: 2^17 minimal sets are outside, and
/// the value is there at once.
#[test]
fn a_small_value_with_a_large_border() {
    let lattice = Families::<FixedBitSet>::of_worlds(34).expect("it fits");
    let lacking = |pair: usize| {
        let worlds = (0..34).filter(|world| world / 2 != pair);
        leaf(lattice.principal(lattice.base().set(worlds).expect("worlds exist")))
    };
    let game = game(lattice.clone(), or((0..17).map(lacking)));
    let outcome = solve(&game, &Budget::visits_at_most(1000));
    assert_eq!(outcome.exact(), Some(&game.value()));
}

/// Bounds are asked for from node after node, so every node is remembered, also one that has a
/// single parent.
#[test]
fn on_a_long_chain_each_node_is_searched_once() {
    const LENGTH: u64 = 2000;
    let mut rows = Rows::new();
    let [mut below, other] = [rows.leaf(), rows.leaf()].map(|leaf| leaf.expect("few"));
    below = rows.or([below, other]).expect("few");
    for _ in 0..LENGTH {
        below = rows.or([below]).expect("few");
    }
    let graph = rows.finish(below).expect("a graph");
    assert!(!graph.is_shared(graph.root()));
    let families = Families::<Words<1>>::of_worlds(2).expect("it fits");
    let values = [0b01, 0b10].map(|set| {
        families
            .generated_by([Words([set])], &Budget::unlimited())
            .expect("no limit")
    });
    let game = Game {
        graph,
        lattice: families,
        values: values.to_vec(),
        bounds: None,
    };
    let (budget, mut counts) = (Budget::unlimited(), Counts::default());
    let mut memory = Memory::new(&Tables);
    let outcome = solve_families(
        &game,
        &game,
        &mut memory,
        &Tables,
        Duo::default(),
        &budget,
        &mut counts,
    );
    assert_eq!(outcome.exact(), Some(&game.value()));
    let all = counts.visits + counts.relaxed_visits;
    assert!(all < 4 * LENGTH, "{counts:?}");
}
