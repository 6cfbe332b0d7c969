//! The heaviest sets: those of the value by plain evaluation, for all weights; true bounds when
//! stopped anywhere.

use std::cmp::Reverse;

use meetjoin_families::heaviest::{Wanted, heaviest_of};
use meetjoin_families::{Heaviest, heaviest};
use meetjoin_lattice::{
    Antichain, Budget, Families, FixedBitSet, Limits, Stop, Weights, Words, WorldSet,
};
use meetjoin_search::{Counts, Env};
use meetjoin_search::{DenseStores, Tables};
use proptest::prelude::*;

use crate::support::family_game::{family_game, words};
use crate::support::graphs::any_graph;
use crate::support::{Game, and, families, game, leaf, or};

/// The maximal sets of the value with their weights, in the order of an answer.
fn ranked<B: WorldSet>(value: &Antichain<B>, weights: &Weights) -> Vec<(u64, B)> {
    let sets = value.maximal().iter();
    let mut sets: Vec<(u64, B)> = sets.map(|s| (weights.of_set(s), s.clone())).collect();
    sets.sort_by_key(|(weight, set)| (Reverse(*weight), set.ones().collect::<Vec<_>>()));
    sets
}

fn solve<B: WorldSet>(
    game: &Game<Families<B>>,
    weights: &Weights,
    most: usize,
    budget: &Budget,
) -> Heaviest<B> {
    let env = Env::new(budget).with_store(Tables);
    heaviest(game, game, weights, most, env)
}

/// Asks for any number of sets, with all kinds of caches.
fn check<B: WorldSet>(game: &Game<Families<B>>, weights: &Weights) {
    let free = Budget::unlimited();
    let ranked = ranked(&game.value(), weights);
    let bound = ranked.first().map_or(0, |(weight, _)| *weight);
    for most in [0, 1, 2, 3, 5, usize::MAX] {
        let found = solve(game, weights, most, &free);
        let count = ranked.len().min(most.max(1));
        assert_eq!(found.sets, ranked[..count], "the {most} heaviest");
        assert_eq!((found.bound, found.stop), (bound, None));
        let nodes = game.graph.node_count();
        let mut counts = Counts::default();
        let dense = DenseStores { nodes };
        let again = heaviest(
            game,
            game,
            weights,
            most,
            Env::new(&free).with_store(dense).with_observer(&mut counts),
        );
        assert_eq!(again, found, "always the same");
        assert!(counts.visits >= again.passes);
        let uncached = heaviest(game, game, weights, most, Env::new(&free));
        assert_eq!((uncached.sets, uncached.bound), (found.sets, found.bound));
    }
}

/// Small weights, for ties and for worlds that weigh nothing; and large ones.
fn weights(worlds: usize) -> impl Strategy<Value = Weights> {
    let weight = prop_oneof![3 => 0_u64..4, 1 => 0..u64::MAX / 64];
    let weights = prop::collection::vec(weight, worlds);
    weights.prop_map(|weights| Weights::new(weights).expect("the sum fits"))
}

/// Weights of worlds that are so far apart. Those between weigh 5 and are never won.
fn spread(weights: &Weights, apart: usize) -> Weights {
    let last = (weights.worlds() - 1) * apart;
    let weight = |world: usize| match world % apart {
        0 => weights.of_world(world / apart),
        _ => 5,
    };
    Weights::new((0..=last).map(weight)).expect("the sum fits")
}

/// A uniform strategy that loses few worlds at each leaf, so that sets are large.
fn lacking() -> impl Strategy<Value = Vec<Vec<u64>>> {
    let lacking = prop::collection::vec(prop::collection::vec(0_u32..12, 0..4), 1..9);
    lacking.prop_map(|leaves| {
        let word = |lacking: &Vec<u32>| {
            lacking
                .iter()
                .fold(0xfff, |word, world| word & !(1 << world))
        };
        leaves.iter().map(|leaf| vec![word(leaf)]).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn few_worlds(graph in any_graph(), words in words(5), weights in weights(5)) {
        let game = family_game::<Words<1>>(graph, 5, 1, &words);
        check(&game, &weights);
        check(&game, &Weights::equal(5));
    }

    #[test]
    fn more_worlds(graph in any_graph(), words in words(10), weights in weights(10)) {
        check(&family_game::<Words<1>>(graph, 10, 1, &words), &weights);
    }

    #[test]
    fn large_sets(graph in any_graph(), words in lacking(), weights in weights(12)) {
        let game = family_game::<Words<1>>(graph, 12, 1, &words);
        check(&game, &weights);
        check(&game, &Weights::equal(12));
    }

    #[test]
    fn worlds_of_two_machine_words(
        graph in any_graph(), words in words(7), weights in weights(7),
    ) {
        check(&family_game::<Words<2>>(graph, 7, 15, &words), &spread(&weights, 15));
    }

    #[test]
    fn worlds_of_any_number(graph in any_graph(), words in words(7), weights in weights(7)) {
        check(&family_game::<FixedBitSet>(graph, 7, 30, &words), &spread(&weights, 30));
    }

    #[test]
    fn a_stop_anywhere_leaves_true_bounds(
        graph in any_graph(), words in words(6), weights in weights(6), most in 1_usize..4,
    ) {
        stop_everywhere(&family_game(graph, 6, 1, &words), &weights, most);
    }
}

/// Stops after each number of visits, and at many steps inside operations.
fn stop_everywhere(game: &Game<Families<Words<1>>>, weights: &Weights, most: usize) {
    let value = game.value();
    let ranked = ranked(&value, weights);
    let free = Budget::unlimited();
    let solved = solve(game, weights, most, &free);
    let (visits, steps) = (free.visits_made(), free.steps_made());
    let by_visits = (0..visits).step_by(1 + visits as usize / 200);
    let by_visits = by_visits.map(|limit| (Budget::visits_at_most(limit), Stop::Visits));
    let by_steps = (0..steps).step_by(1 + steps as usize / 200).map(|limit| {
        let limits = Limits {
            steps: Some(limit),
            ..Limits::default()
        };
        (Budget::new(limits), Stop::Time)
    });
    for (budget, reason) in by_visits.chain(by_steps) {
        let stopped = solve(game, weights, most, &budget);
        if stopped.stop.is_none() {
            assert_eq!(stopped.sets, solved.sets);
            continue;
        }
        assert_eq!(stopped.stop, Some(reason));
        let heaviest = ranked.first().map_or(0, |(weight, _)| *weight);
        assert!(stopped.bound >= heaviest, "{stopped:?} of {ranked:?}");
        for (weight, set) in &stopped.sets {
            assert_eq!(*weight, weights.of_set(set));
            assert!(*weight <= stopped.bound);
            let family = game.lattice.principal(*set);
            assert!(game.leq(&family, &value), "{set:?} is not won");
        }
        if stopped.sets.len() > 1 {
            assert_eq!(stopped.sets, ranked[..stopped.sets.len()]);
        }
    }
    let exactly = solve(game, weights, most, &Budget::visits_at_most(visits));
    assert_eq!(exactly, solved, "exactly as many visits as it takes");
}

fn family(sets: &[&[usize]]) -> Antichain<Words<1>> {
    let lattice = families(6);
    let sets = sets.iter().map(|set| {
        let set = lattice.base().set(set.iter().copied());
        set.expect("worlds exist")
    });
    let family = lattice.generated_by(sets, &Budget::unlimited());
    family.expect("no limit")
}

#[test]
fn no_set_the_empty_set_and_sets_that_weigh_nothing() {
    let nothing = Weights::new([0; 6]).expect("it fits");
    for (sets, weights, expected) in [
        (&[][..], Weights::equal(6), &[][..]),
        (&[&[][..]], Weights::equal(6), &[0]),
        (&[&[1], &[2, 3]], nothing, &[0, 0]),
    ] {
        let value = family(sets);
        let game = game(families(6), leaf(value.clone()));
        let found = solve(&game, &weights, 9, &Budget::unlimited());
        let found: Vec<u64> = found.sets.iter().map(|(weight, _)| *weight).collect();
        assert_eq!(found, expected, "{value:?}");
    }
}

#[test]
fn of_equal_weight_the_first_list_of_worlds_comes_first() {
    let value = family(&[&[1, 2], &[0, 5], &[0, 3, 4], &[1, 3, 4]]);
    let game = game(families(6), or([leaf(value), leaf(family(&[]))]));
    let found = solve(&game, &Weights::equal(6), 9, &Budget::unlimited());
    let found: Vec<Vec<usize>> = found.sets.iter().map(|(_, s)| s.ones().collect()).collect();
    assert_eq!(
        found,
        [vec![0, 3, 4], vec![1, 3, 4], vec![0, 5], vec![1, 2]]
    );
}

#[test]
fn the_union_is_one_pass_where_it_is_won() {
    let all = family(&[&[0, 1, 2, 3]]);
    let game = game(
        families(6),
        and([leaf(all.clone()), or([leaf(all), leaf(family(&[&[0]]))])]),
    );
    let found = solve(&game, &Weights::equal(6), 1, &Budget::unlimited());
    assert_eq!((found.bound, found.passes), (4, 1));
}

/// The union weighs 4, no set more than 2, which is known from elsewhere: a question for more ends
/// with it, and so does a search that is stopped at once.
#[test]
fn a_bound_from_elsewhere_is_not_lost() {
    let value = family(&[&[0, 1], &[2, 3]]);
    let game = game(families(6), or([leaf(value), leaf(family(&[]))]));
    for (more_than, visits) in [(Some(2), u64::MAX), (Some(3), u64::MAX), (None, 0)] {
        let budget = Budget::visits_at_most(visits);
        let wanted = Wanted {
            at_most: Some(2),
            more_than,
            ..Wanted::most(1)
        };
        let env = Env::new(&budget).with_store(Tables);
        let found = heaviest_of(&game, &game, &Weights::equal(6), wanted, env);
        assert!(found.sets.is_empty(), "{wanted:?}");
        assert_eq!((found.bound, found.stop.is_some()), (2, visits == 0));
    }
}
