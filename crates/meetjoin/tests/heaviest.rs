//! The heaviest uniform strategies of racing: known answers, and the whole value by plain evaluation.

use std::cmp::Reverse;

use meetjoin::games::{Racing, RacingFamilies};
use meetjoin::lattice::{Antichain, Budget, FixedBitSet, Weights, WorldSet};
use meetjoin::search::engine::Tables;
use meetjoin::search::{Env, Heaviest, Table, heaviest, minimax_cached};
use serde_json::Value;

/// The deals of the known answers, with the sizes of the maximal sets of their values, the largest first.
fn cases() -> Vec<(Racing, Vec<u64>)> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let paths = ["../shared/cases", "cases"].map(|folder| format!("{root}/{folder}/racing.json"));
    let text = paths
        .iter()
        .find_map(|path| std::fs::read_to_string(path).ok());
    let text = text.expect("the repository keeps a copy of the known answers");
    let file: Value = serde_json::from_str(&text).expect("valid JSON");
    let number = |value: &Value| u8::try_from(value.as_u64().expect("a number")).expect("small");
    let case = |case: &Value| {
        let hand = case["max_hand"].as_array().expect("a hand").iter();
        let hand: Vec<u8> = hand.map(number).collect();
        let (deck, goal, lead) = (&case["d"], &case["g"], &case["first"]);
        let game = Racing::new(number(deck), number(goal), &hand, number(lead));
        let sets = case["family_value"]["maximal_sets"].as_array();
        let sets = sets.expect("a family").iter();
        let mut sizes: Vec<u64> = sets
            .map(|set| set.as_array().expect("a set").len() as u64)
            .collect();
        sizes.sort_by_key(|size| Reverse(*size));
        (game.expect("a fine deal"), sizes)
    };
    let cases = file["cases"].as_array().expect("cases");
    cases.iter().map(case).collect()
}

fn solve(game: &Racing, weights: &Weights, most: usize) -> Heaviest<FixedBitSet> {
    let families = RacingFamilies::new(game).expect("bit sets have no limit");
    let budget = Budget::unlimited();
    heaviest(
        game,
        &families,
        (),
        weights,
        most,
        &Tables,
        &budget,
        &mut (),
    )
}

fn found_weights(found: &Heaviest<FixedBitSet>) -> Vec<u64> {
    found.sets.iter().map(|(weight, _)| *weight).collect()
}

/// The value, without pruning.
fn value(game: &Racing) -> Antichain<FixedBitSet> {
    let families = RacingFamilies::<FixedBitSet>::new(game).expect("bit sets have no limit");
    let budget = Budget::unlimited();
    let mut env = Env::new(&budget).with_store(Table::new());
    let outcome = minimax_cached(game, &families, &mut env);
    outcome.exact().expect("no limit").clone()
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
