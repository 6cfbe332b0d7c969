//! The heaviest uniform strategies of racing: known answers, and the whole value by plain
//! evaluation.

use std::cmp::Reverse;

use meetjoin::dag::{AndOrDag, Heuristic, HiddenFamilies, Kind, Played, Rooted, Stakes, Valuation};
use meetjoin::families::{Heaviest, heaviest};
use meetjoin::games::Racing;
use meetjoin::games::racing::{PerfectInformation, RacingHands, RacingPosition};
use meetjoin::lattice::{
    Antichain, Budget, Families, FixedBitSet, HeavyFamilies, Interval, Lattice, Weights, Words,
    WorldSet,
};
use meetjoin::search::Tables;
use meetjoin::search::{Env, Table, minimax_cached};
use serde_json::Value;

use crate::support::racing_cases;

/// The deals of the known answers, with the sizes of the maximal sets of their values, the largest
/// first.
fn cases() -> Vec<(Racing, Vec<u64>)> {
    let sized = |(game, case): (Racing, Value)| {
        let sets = case["family_value"]["maximal_sets"].as_array();
        let sets = sets.expect("a family").iter();
        let mut sizes: Vec<u64> = sets
            .map(|set| set.as_array().expect("a set").len() as u64)
            .collect();
        sizes.sort_by_key(|size| Reverse(*size));
        (game, sizes)
    };
    racing_cases().into_iter().map(sized).collect()
}

fn solve(game: &Racing, weights: &Weights, most: usize) -> Heaviest<FixedBitSet> {
    let listed = RacingHands::new(game);
    let stakes = Stakes::all(&listed);
    let families = HiddenFamilies::new(&listed, &stakes).expect("bit sets have no limit");
    let budget = Budget::unlimited();
    heaviest(
        game,
        &families,
        weights,
        most,
        Env::new(&budget).with_store(Tables),
    )
}

fn found_weights(found: &Heaviest<FixedBitSet>) -> Vec<u64> {
    found.sets.iter().map(|(weight, _)| *weight).collect()
}

/// The value, without pruning.
fn value(game: &Racing) -> Antichain<FixedBitSet> {
    let listed = RacingHands::new(game);
    let stakes = Stakes::all(&listed);
    let families =
        HiddenFamilies::<_, FixedBitSet>::new(&listed, &stakes).expect("bit sets have no limit");
    value_of(game, &families)
}

/// The same for hands or classes of hands.
fn value_of<D, B>(game: &D, families: &HiddenFamilies<'_, RacingHands, B>) -> Antichain<B>
where
    D: AndOrDag<Node = RacingPosition>,
    B: WorldSet,
{
    let budget = Budget::unlimited();
    let mut env = Env::new(&budget).with_store(Table::new());
    let outcome = minimax_cached(game, families, &mut env);
    outcome.exact().expect("no limit").clone()
}

/// The weights of classes when each hand weighs 1.
fn class_weights(classes: &RacingHands) -> Weights {
    let weights = Weights::new(classes.counts().iter().copied());
    weights.expect("no more than the hands")
}

/// By classes, with what perfect information says.
fn solve_classes(classes: &RacingHands, budget: &Budget) -> Heaviest<FixedBitSet> {
    let stakes = Stakes::all(classes);
    let families = HiddenFamilies::new(classes, &stakes).expect("bit sets have no limit");
    let known = PerfectInformation::new(families.as_sets());
    let weights = class_weights(classes);
    heaviest(
        &Played(classes),
        &families,
        &weights,
        1,
        Env::new(budget).with_store(Tables).with_heuristic(known),
    )
}

/// The hands of the classes of a set.
fn spread(classes: &RacingHands, set: &FixedBitSet) -> FixedBitSet {
    let of_worlds = classes.of_worlds();
    let mut hands = <FixedBitSet as WorldSet>::empty(of_worlds.len());
    for (world, class) in of_worlds.iter().enumerate() {
        if WorldSet::ones(set).any(|one| one == *class) {
            WorldSet::insert(&mut hands, world);
        }
    }
    hands
}

/// Many small deals, of all shapes.
fn small_deals() -> impl Iterator<Item = Racing> {
    (1..=240_u64).map(|seed| {
        let size = 2 + (seed % 4) as u8;
        let deck = 2 * size + (seed / 4 % 5) as u8;
        let goal = 1 + (seed / 20 % u64::from(size)) as u8;
        Racing::random(deck, goal, size, seed).expect("a fine deal")
    })
}

#[test]
fn known_answers() {
    for (game, sizes) in cases() {
        let weights = Weights::equal(game.worlds().len());
        for most in [1, 2, usize::MAX] {
            let found = solve(&game, &weights, most);
            let count = sizes.len().min(most);
            assert_eq!(found_weights(&found), sizes[..count], "{game:?}");
            assert_eq!((found.bound, found.stop), (sizes[0], None));
        }
    }
}

#[test]
fn weights_that_differ() {
    for (game, sizes) in cases() {
        if sizes.len() < 2 {
            continue;
        }
        let value = value(&game);
        let worlds = game.worlds().len() as u64;
        for seed in 1..5_u64 {
            let weights = (0..worlds).map(|world| world * seed * 7919 % 13);
            let weights = Weights::new(weights).expect("they are small");
            let mut all: Vec<(u64, &FixedBitSet)> = value
                .maximal()
                .iter()
                .map(|set| (weights.of_set(set), set))
                .collect();
            all.sort_by_key(|(weight, set)| (Reverse(*weight), set.ones().collect::<Vec<_>>()));
            let found = solve(&game, &weights, usize::MAX);
            let found: Vec<(u64, &FixedBitSet)> = found
                .sets
                .iter()
                .map(|(weight, set)| (*weight, set))
                .collect();
            assert_eq!(found, all, "{game:?}");
        }
    }
}

#[test]
fn a_deal_whose_sets_tell_interchangeable_cards_apart() {
    let game = Racing::new(17, 4, &[1, 2, 5, 8, 13, 14, 16], 12).expect("a fine deal");
    let weights = Weights::equal(game.worlds().len());
    let found = solve(&game, &weights, usize::MAX);
    assert_eq!(found_weights(&found), [23, 18, 18, 18, 18, 11, 11, 11, 11]);
    let first = solve(&game, &weights, 1);
    assert_eq!(first.sets, found.sets[..1]);
    assert_eq!(WorldSet::ones(&first.sets[0].1).count(), 23);
}

#[test]
fn classes_of_hands_have_the_weights_of_hands() {
    for game in small_deals() {
        let value = value(&game);
        let sets = value.maximal().iter();
        let largest = sets.map(|set| WorldSet::ones(set).count() as u64).max();
        let classes = RacingHands::classes(&game);
        assert_eq!(classes.counts().iter().sum::<u64>(), game.world_count());
        let budget = Budget::unlimited();
        let found = solve_classes(&classes, &budget);
        let (weight, set) = &found.sets[0];
        assert_eq!((Some(*weight), found.stop), (largest, None), "{game:?}");
        assert_eq!(found.bound, *weight);
        let hands = spread(&classes, set);
        assert_eq!(WorldSet::ones(&hands).count() as u64, *weight);
        let families = Families::<FixedBitSet>::of_worlds(game.worlds().len()).expect("no limit");
        let won = families.leq(&families.principal(hands), &value, &budget);
        assert!(won.expect("no limit"), "{game:?}");
        // Without knowledge of the game, and with plain evaluation.
        let stakes = Stakes::all(&classes);
        let of_classes = HiddenFamilies::new(&classes, &stakes).expect("no limit");
        let weights = class_weights(&classes);
        let unknowing = heaviest(
            &Played(&classes),
            &of_classes,
            &weights,
            1,
            Env::new(&budget).with_store(Tables),
        );
        assert_eq!(unknowing.sets[0].0, *weight, "{game:?}");
        let by_classes: Antichain<FixedBitSet> = value_of(&Played(&classes), &of_classes);
        let sets = by_classes.maximal().iter();
        assert_eq!(sets.map(|set| weights.of_set(set)).max(), largest);
    }
}

#[test]
fn what_is_known_changes_nothing() {
    for (game, sizes) in cases() {
        let weights = Weights::equal(game.worlds().len());
        let listed = RacingHands::new(&game);
        let stakes = Stakes::all(&listed);
        let families = HiddenFamilies::new(&listed, &stakes).expect("bit sets have no limit");
        let budget = Budget::unlimited();
        for most in [1, 3, usize::MAX] {
            let known = PerfectInformation::new(families.as_sets());
            let found: Heaviest<FixedBitSet> = heaviest(
                &game,
                &families,
                &weights,
                most,
                Env::new(&budget).with_store(Tables).with_heuristic(known),
            );
            let unknowing = solve(&game, &weights, most);
            assert_eq!((found.sets, found.bound), (unknowing.sets, sizes[0]));
        }
        let classes = RacingHands::classes(&game);
        assert_eq!(solve_classes(&classes, &budget).bound, sizes[0], "{game:?}");
    }
}

/// Every position of small deals by classes: the value lies between the bounds, also within a
/// universe and above a threshold.
#[test]
fn bounds_of_classes_are_true_at_every_position() {
    for game in small_deals().step_by(3) {
        let classes = RacingHands::classes(&game);
        if classes.counts().len() > 64 {
            continue;
        }
        let stakes = Stakes::all(&classes);
        let families = HiddenFamilies::<_, Words<1>>::new(&classes, &stakes).expect("they fit");
        let dag = Played(&classes);
        let weights = class_weights(&classes);
        let budget = Budget::unlimited();
        let universe = Words([0x5bd1_e995_9e37_79b9]);
        let plain = families.lattice();
        let threshold = weights.of_set(&universe) / 2;
        let heavy = HeavyFamilies::new(plain, universe, &weights, threshold);
        let mut known = PerfectInformation::new(families.as_sets());
        let mut open = vec![dag.root()];
        let mut seen = std::collections::HashSet::new();
        while let Some(position) = open.pop() {
            if dag.kind(&position) == Kind::Leaf || !seen.insert(position) {
                continue;
            }
            dag.children(&position, &mut open);
            let below = Rooted {
                dag: &dag,
                root: position,
            };
            let value = value_of(&below, &families);
            let bounds = known.bounds(plain, &position, &budget);
            holds(plain, bounds.expect("no limit").as_ref(), &value);
            let value = heavy.heavy_part(&value, &budget).expect("no limit");
            let bounds = known.bounds(&heavy, &position, &budget);
            holds(&heavy, bounds.expect("no limit").as_ref(), &value);
        }
    }
}

fn holds<L: Lattice>(lattice: &L, bounds: Option<&Interval<L::Elem>>, value: &L::Elem) {
    let budget = Budget::unlimited();
    let bounds = bounds.expect("something is known");
    let leq = |a, b| lattice.leq(a, b, &budget).expect("no limit");
    assert!(leq(bounds.lower(), value) && leq(value, bounds.upper()));
}

#[test]
fn a_stop_anywhere_leaves_true_bounds() {
    let deals = [
        Racing::new(17, 4, &[1, 2, 5, 8, 13, 14, 16], 12),
        Racing::random(14, 2, 5, 3),
        Racing::random(16, 3, 6, 1),
    ];
    for game in deals {
        let game = game.expect("a fine deal");
        let classes = RacingHands::classes(&game);
        let free = Budget::unlimited();
        let solved = solve_classes(&classes, &free);
        let visits = free.visits_made();
        for limit in (0..visits).step_by(1 + visits as usize / 60) {
            let found = solve_classes(&classes, &Budget::visits_at_most(limit));
            assert!(found.bound >= solved.bound);
            for (weight, _) in &found.sets {
                assert!(*weight <= solved.bound);
            }
            if found.stop.is_none() {
                assert_eq!(found.sets, solved.sets);
            }
        }
    }
}
