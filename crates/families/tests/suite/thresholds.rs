//! Values by thresholds: equal to plain evaluation, for any number of questions at once; true
//! bounds when stopped anywhere.

use meetjoin_families::{ByThresholds, families_by_thresholds};
use meetjoin_lattice::{
    Antichain, Budget, Families, FixedBitSet, Lattice, Limits, Stop, Words, WorldSet,
};
use meetjoin_search::{DenseStores, Tables};
use proptest::prelude::*;

use crate::support::family_game::{family_game, words};
use crate::support::graphs::any_graph;
use crate::support::{Game, and, families, game, leaf, or};

fn solve<B: WorldSet>(
    game: &Game<Families<B>>,
    at_once: usize,
    budget: &Budget,
) -> ByThresholds<Antichain<B>> {
    families_by_thresholds(game, game, &Tables, at_once, budget, &mut ())
}

/// Solves with several numbers of questions at once, and with no cache and an array as caches.
fn check<B: WorldSet>(game: &Game<Families<B>>) {
    let value = game.value();
    let free = Budget::unlimited();
    let nodes = game.graph.node_count();
    for at_once in [0, 1, 2, 64, 65, 200, 512, usize::MAX] {
        let solved = solve(game, at_once, &free);
        assert_eq!(solved.outcome.exact(), Some(&value), "{at_once} at once");
        assert_eq!(solved.outcome.stop, None);
        assert!(solved.passes > 1 && solved.questions > 0);
        let batches = solved.passes - 1;
        assert!(solved.questions >= batches);
        assert!(solved.questions <= batches.saturating_mul(at_once.clamp(1, 512) as u64));
        assert_eq!(solved.first_decided, solved.questions == 1);
        assert_eq!(solved, solve(game, at_once, &free), "always the same");
        let dense =
            families_by_thresholds(game, game, &DenseStores { nodes }, at_once, &free, &mut ());
        assert_eq!(dense, solved);
    }
    check_bound(game, &value);
}

/// One question at a time: no more than the border allows, and no less.
fn check_bound<B: WorldSet>(game: &Game<Families<B>>, value: &Antichain<B>) {
    let budget = Budget::unlimited();
    let union = value
        .maximal()
        .iter()
        .fold(game.lattice.base().bottom(), |mut union, set| {
            union.union_with(set);
            union
        });
    let outside = game
        .lattice
        .minimal_outside(value, &budget)
        .expect("no limit");
    // Of the sets outside, those within the union.
    let outside = outside.iter().filter(|set| set.is_subset(&union)).count();
    let border = (value.maximal().len() + outside) as u64;
    let solved = solve(game, 1, &budget);
    let worlds = union.ones().count() as u64;
    assert!(solved.questions >= border, "{solved:?}");
    assert!(solved.questions <= (2 * worlds + 1) * border, "{solved:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn few_worlds(graph in any_graph(), words in words(4)) {
        check(&family_game::<Words<1>>(graph, 4, 1, &words));
    }

    #[test]
    fn more_worlds(graph in any_graph(), words in words(9)) {
        check(&family_game::<Words<1>>(graph, 9, 1, &words));
    }

    #[test]
    fn worlds_beyond_one_machine_word(graph in any_graph(), words in words(7)) {
        check(&family_game::<Words<2>>(graph.clone(), 7, 15, &words));
        check(&family_game::<FixedBitSet>(graph, 7, 30, &words));
    }

    #[test]
    fn large_sets(
        graph in any_graph(),
        lacking in prop::collection::vec(prop::collection::vec(0_u32..12, 0..4), 1..9),
    ) {
        // Each leaf is worth all worlds but a few, which makes wide borders.
        let word = |lacking: &Vec<u32>| {
            lacking.iter().fold(u64::from(u32::MAX) >> 20, |word, world| word & !(1 << world))
        };
        let words: Vec<Vec<u64>> = lacking.iter().map(|lacking| vec![word(lacking)]).collect();
        check(&family_game::<Words<1>>(graph, 12, 1, &words));
    }

    #[test]
    fn a_stop_at_any_visit_leaves_true_bounds(graph in any_graph(), words in words(5)) {
        let game = family_game::<Words<1>>(graph, 5, 1, &words);
        for at_once in [1, 2, 64] {
            stop_everywhere(&game, at_once);
        }
    }
}

/// Stops after every number of visits, and at every few steps inside the work between passes.
fn stop_everywhere(game: &Game<Families<Words<1>>>, at_once: usize) {
    let value = game.value();
    let free = Budget::unlimited();
    let solved = solve(game, at_once, &free);
    let (visits, steps) = (free.visits_made(), free.steps_made());
    let by_visits = (0..visits).step_by(1 + visits as usize / 150);
    let by_visits = by_visits.map(|limit| (Budget::visits_at_most(limit), Stop::Visits));
    let by_steps = (0..steps).step_by(1 + steps as usize / 150).map(|limit| {
        let limits = Limits {
            steps: Some(limit),
            ..Limits::default()
        };
        (Budget::new(limits), Stop::Time)
    });
    for (budget, reason) in by_visits.chain(by_steps) {
        let stopped = solve(game, at_once, &budget);
        let outcome = &stopped.outcome;
        assert!(
            game.contains(&outcome.value, &value),
            "{stopped:?} without {value:?}"
        );
        assert_eq!(outcome.clipped, outcome.value);
        match outcome.exact() {
            Some(exact) => assert_eq!((exact, outcome.stop), (&value, None)),
            None => assert_eq!(outcome.stop, Some(reason)),
        }
        assert!(stopped.passes <= solved.passes && stopped.questions <= solved.questions);
        assert!(!stopped.first_decided || solved.first_decided);
    }
    let exactly = solve(game, at_once, &Budget::visits_at_most(visits));
    assert_eq!(exactly, solved, "exactly as many visits as it takes");
}

fn small(sets: &[&[usize]]) -> Antichain<Words<1>> {
    let lattice = families(6);
    let sets = sets
        .iter()
        .map(|set| lattice.base().set(set.iter().copied()));
    let sets = sets.map(|set| set.expect("worlds exist"));
    lattice
        .generated_by(sets, &Budget::unlimited())
        .expect("no limit")
}

#[test]
fn a_value_of_one_set_takes_one_question() {
    let families = families(6);
    for (value, questions) in [
        (small(&[&[0, 1, 2, 3, 4, 5]]), 1),
        (small(&[&[1, 4]]), 1),
        (small(&[&[]]), 1),
        (small(&[]), 1),
    ] {
        let game = game(
            families.clone(),
            or([leaf(value.clone()), leaf(small(&[]))]),
        );
        let solved = solve(&game, 64, &Budget::unlimited());
        assert_eq!(solved.outcome.exact(), Some(&value));
        assert_eq!((solved.passes, solved.questions), (2, questions));
        assert!(solved.first_decided);
    }
}

#[test]
fn a_choice_between_two_sets_is_seen() {
    let families = families(6);
    let tree = or([
        leaf(small(&[&[0, 1, 2]])),
        and([leaf(small(&[&[2, 3], &[4]])), leaf(small(&[&[2, 3, 4]]))]),
    ]);
    let solved = solve(&game(families, tree), 64, &Budget::unlimited());
    let value = small(&[&[0, 1, 2], &[2, 3], &[4]]);
    assert_eq!(solved.outcome.exact(), Some(&value));
    assert!(!solved.first_decided);
}

#[test]
fn without_any_visit_nothing_is_known() {
    let families = families(6);
    let game = game(
        families.clone(),
        or([leaf(small(&[&[1]])), leaf(small(&[]))]),
    );
    let stopped = solve(&game, 64, &Budget::visits_at_most(0));
    assert_eq!((stopped.passes, stopped.questions), (0, 0));
    assert_eq!(*stopped.outcome.value.lower(), families.bottom());
    assert_eq!(*stopped.outcome.value.upper(), families.top());
    // With the union alone, the upper bound is the union as one set.
    let stopped = solve(&game, 64, &Budget::visits_at_most(1));
    assert_eq!(*stopped.outcome.value.upper(), small(&[&[1]]));
}

/// Two sets to choose from that lack 9 of 200 worlds each: 81 pairs are outside.
#[test]
fn hundreds_of_worlds() {
    let lattice = Families::<Words<4>>::of_worlds(200).expect("it fits");
    let set = |lacking: std::ops::Range<usize>| {
        let worlds = (0..200).filter(|world| !lacking.contains(world));
        leaf(lattice.principal(lattice.base().set(worlds).expect("worlds exist")))
    };
    let game = game(lattice.clone(), or([set(20..29), set(150..159)]));
    let value = game.value();
    for at_once in [64, 512] {
        let solved = solve(&game, at_once, &Budget::unlimited());
        assert_eq!(solved.outcome.exact(), Some(&value));
    }
}
