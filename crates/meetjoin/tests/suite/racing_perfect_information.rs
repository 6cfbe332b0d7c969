//! Racing with both hands known: winning hands by classes, bounds at every position, and MAX's
//! touching cards as one move, all against evaluation without any of them.

use std::collections::HashSet;

use meetjoin::dag::{
    AndOrDag, Heuristic, HiddenFamilies, HiddenSets, Kind, Rooted, Stakes, Valuation,
};
use meetjoin::games::{
    OneStrategy, PerfectInformation, Quotient, Racing, RacingHands, RacingPosition, Symmetric,
};
use meetjoin::lattice::{Budget, FixedBitSet, Lattice, Limits, Stop, Words, WorldSet};
use meetjoin::search::proof::Threshold;
use meetjoin::search::total_order::{Question, test};
use meetjoin::search::{Env, Store, Table, Window, alpha_beta_duo, minimax, minimax_cached};
use serde_json::json;

use crate::support::racing_cases;

/// Small deals: all goals, hands of up to five cards, decks from the smallest up.
fn small_deals(seeds: std::ops::Range<u64>) -> impl Iterator<Item = Racing> {
    let sizes = (1..=5_u8).flat_map(|hand| (2 * hand..=2 * hand + 4).map(move |deck| (deck, hand)));
    let goals = |(deck, hand)| (1..=hand + 1).map(move |goal| (deck, hand, goal));
    sizes.flat_map(goals).flat_map(move |(deck, hand, goal)| {
        seeds
            .clone()
            .map(move |seed| Racing::random(deck, goal, hand, seed).expect("a fine deal"))
    })
}

/// All positions that can be reached, leaves too.
fn reached(dag: &impl AndOrDag<Node = RacingPosition>) -> Vec<RacingPosition> {
    let mut nodes = vec![dag.root()];
    let mut seen: HashSet<_> = nodes.iter().copied().collect();
    let (mut next, mut children) = (0, Vec::new());
    while let Some(node) = nodes.get(next) {
        if dag.kind(node) != Kind::Leaf {
            dag.children(node, &mut children);
        }
        nodes.extend(children.drain(..).filter(|child| seen.insert(*child)));
        next += 1;
    }
    nodes
}

/// The hands of a set of worlds, ascending as numbers.
fn hands<B: WorldSet>(game: &Racing, set: &B) -> Vec<u64> {
    let worlds = game.worlds();
    let mut hands: Vec<u64> = set.ones().map(|world| worlds[world]).collect();
    hands.sort_unstable();
    hands
}

/// The winning hands by classes, after checks of the classes themselves.
fn by_classes(game: &Racing) -> Vec<u64> {
    let winning = game.winning_hands(&Budget::unlimited()).expect("no limit");
    for class in winning.classes() {
        assert_eq!(class.hands().count() as u64, class.count());
        let cards: u32 = class.counts().iter().map(|&count| u32::from(count)).sum();
        assert_eq!(cards as usize, game.hand().len() - 1);
    }
    let mut hands: Vec<u64> = winning.hands().collect();
    assert_eq!(hands.len() as u64, winning.count());
    hands.sort_unstable();
    hands
}

#[test]
fn winning_hands_are_the_value_in_sets() {
    let free = Budget::unlimited();
    let (mut deals, mut plain) = (0, 0);
    for game in small_deals(0..8) {
        let listed = RacingHands::new(&game);
        let stakes = Stakes::all(&listed);
        let sets = HiddenSets::<_, Words<4>>::new(&listed, &stakes).expect("few worlds");
        let cached = minimax_cached(&game, &sets, &mut Env::new(&free).with_store(Table::new()));
        let value = cached.exact().expect("no limit");
        assert_eq!(by_classes(&game), hands(&game, value), "{game:?}");
        let patience = Budget::visits_at_most(20_000);
        let unpruned = minimax(&game, &sets, &mut Env::new(&patience));
        if let Some(unpruned) = unpruned.exact() {
            assert_eq!(unpruned, value, "{game:?}");
            plain += 1;
        }
        deals += 1;
    }
    assert!(plain > 300 && deals > 700, "{plain} of {deals}");
}

#[test]
fn bounds_hold_at_every_position() {
    let free = Budget::unlimited();
    let (mut positions, mut exact, mut several) = (0, 0, 0);
    for game in small_deals(0..2) {
        let listed = RacingHands::new(&game);
        let stakes = Stakes::all(&listed);
        let families = HiddenFamilies::<_, Words<4>>::new(&listed, &stakes).expect("few worlds");
        let (sets, lattice) = (families.as_sets(), families.lattice());
        let mut of_sets = Env::new(&free).with_store(Table::new());
        minimax_cached(&game, sets, &mut of_sets);
        let mut of_families = Env::new(&free).with_store(Table::new());
        minimax_cached(&game, &families, &mut of_families);
        let mut bounds = PerfectInformation::new(sets);
        for position in reached(&game) {
            let set = bounds
                .seen(&position, &free)
                .expect("no limit")
                .expect("known");
            if game.kind(&position) == Kind::Leaf {
                assert_eq!(set, sets.leaf(&position));
                continue;
            }
            positions += 1;
            let value = of_sets.store.get(&position).1.expect("visited");
            assert_eq!(&set, value, "{game:?} {position:?}");
            let value = of_families.store.get(&position).1.expect("visited");
            let known = bounds.bounds(lattice, &position, &free);
            let known = known.expect("no limit").expect("something is known");
            assert!(
                lattice.leq(known.lower(), value, &free) == Ok(true),
                "{game:?} {position:?}"
            );
            assert!(
                lattice.leq(value, known.upper(), &free) == Ok(true),
                "{game:?} {position:?}"
            );
            exact += u32::from(known.exact().is_some());
            several += u32::from(value.maximal().len() > 1);
        }
    }
    assert!(
        positions - exact > 100 && several > 10,
        "{exact} of {positions}, {several}"
    );
    assert!(positions > 50_000, "{positions}");
}

#[test]
fn touching_cards_are_one_move_in_both_lattices() {
    let free = Budget::unlimited();
    let (mut positions, mut merged_positions) = (0, 0);
    for game in small_deals(0..2) {
        let listed = RacingHands::new(&game);
        let stakes = Stakes::all(&listed);
        let families = HiddenFamilies::<_, Words<4>>::new(&listed, &stakes).expect("few worlds");
        let sets = families.as_sets();
        let mut of_sets = Env::new(&free).with_store(Table::new());
        minimax_cached(&game, sets, &mut of_sets);
        let mut of_families = Env::new(&free).with_store(Table::new());
        minimax_cached(&game, &families, &mut of_families);
        for root in reached(&game) {
            let representative = game.canonical(&root);
            assert_eq!(game.canonical(&representative), representative);
            assert_eq!(game.kind(&representative), game.kind(&root));
            let [of_root, of_other] = [root, representative].map(|root| {
                let dag = &game;
                let rooted = Rooted { dag, root };
                let set = minimax_cached(&rooted, sets, &mut of_sets);
                (
                    *set.exact().expect("no limit"),
                    minimax_cached(&rooted, &families, &mut of_families),
                )
            });
            assert_eq!(of_root.0, of_other.0, "{game:?} {root:?}");
            assert_eq!(of_root.1.exact(), of_other.1.exact(), "{game:?} {root:?}");
            positions += 1;
        }
        let merged = Quotient(game.clone());
        let mut of_merged = Env::new(&free).with_store(Table::new());
        let value = minimax_cached(&merged, &families, &mut of_merged);
        let plain = minimax_cached(&game, &families, &mut of_families);
        assert_eq!(value.exact(), plain.exact(), "{game:?}");
        let mut of_merged = Env::new(&free).with_store(Table::new());
        let value = minimax_cached(&merged, sets, &mut of_merged);
        let plain = minimax_cached(&game, sets, &mut of_sets);
        assert_eq!(value.exact(), plain.exact(), "{game:?}");
        merged_positions += reached(&merged).len();
    }
    assert!(positions > 50_000 && 10 * merged_positions < 9 * positions);
}

/// All deals of a deck without cards out of play: one hand of MIN, and every order of ranks.
fn all_orders(held: u8, goals: std::ops::RangeInclusive<u8>) -> impl Iterator<Item = Racing> {
    let sets = (0..1_u32 << (2 * held)).filter(move |set| set.count_ones() == u32::from(held));
    let deals = sets.flat_map(move |set| (1..=2 * held).map(move |lead| (set, lead)));
    let deals = deals.filter(|(set, lead)| set >> (lead - 1) & 1 == 0);
    deals.flat_map(move |(set, lead)| {
        let cards = (1..=2 * held).filter(|card| set >> (card - 1) & 1 == 1);
        let hand: Vec<u8> = cards.collect();
        let deal = move |goal| Racing::new(2 * held, goal, &hand, lead).expect("a fine deal");
        goals.clone().map(deal)
    })
}

#[test]
fn every_order_of_eight_cards_and_fewer() {
    let free = Budget::unlimited();
    let mut won = [0; 5];
    for game in (1..=4).flat_map(|held| all_orders(held, 1..=held + 1)) {
        let listed = RacingHands::new(&game);
        let stakes = Stakes::all(&listed);
        let sets = HiddenSets::<_, Words<1>>::new(&listed, &stakes).expect("one world");
        let outcome = minimax(&game, &sets, &mut Env::new(&free));
        let value = outcome.exact().expect("no limit");
        assert_eq!(by_classes(&game), hands(&game, value), "{game:?}");
        won[game.hand().len()] += value.ones().count();
    }
    assert!(won[1..].iter().all(|&won| won > 0), "{won:?}");
}

#[test]
fn every_order_of_ten_cards() {
    let free = Budget::unlimited();
    for game in all_orders(5, 2..=3) {
        let listed = RacingHands::new(&game);
        let stakes = Stakes::all(&listed);
        let sets = HiddenSets::<_, Words<1>>::new(&listed, &stakes).expect("one world");
        let mut env = Env::new(&free).with_store(Table::new());
        let outcome = minimax_cached(&game, &sets, &mut env);
        let value = outcome.exact().expect("no limit");
        assert_eq!(by_classes(&game), hands(&game, value), "{game:?}");
    }
}

/// Hands so large that patterns are looked up in hash tables, with a goal so small that evaluation
/// without tables is possible.
#[test]
fn large_hands_and_a_small_goal() {
    let free = Budget::unlimited();
    for (goal, seed) in [(1, 1), (2, 2), (2, 3)] {
        let game = Racing::random(29, goal, 14, seed).expect("a fine deal");
        let listed = RacingHands::new(&game);
        let stakes = Stakes::all(&listed);
        let sets = HiddenSets::<_, Words<1>>::new(&listed, &stakes).expect("14 worlds");
        let mut env = Env::new(&free).with_store(Table::new());
        let outcome = minimax_cached(&game, &sets, &mut env);
        let value = outcome.exact().expect("no limit");
        assert_eq!(by_classes(&game), hands(&game, value), "{game:?}");
    }
}

/// The cards of a hand, ascending.
fn cards(hand: u64) -> Vec<u32> {
    (1..=64)
        .filter(|card| hand >> (card - 1) & 1 == 1)
        .collect()
}

#[test]
fn known_answers_by_classes_and_with_bounds() {
    for (game, case) in racing_cases() {
        let mut won: Vec<_> = by_classes(&game).into_iter().map(cards).collect();
        won.sort();
        assert_eq!(json!(won), case["set_value"]["hands"], "{}", case["id"]);
        let listed = RacingHands::new(&game);
        let stakes = Stakes::all(&listed);
        let families = HiddenFamilies::<_, FixedBitSet>::new(&listed, &stakes).expect("no limit");
        let window = Window::full(families.lattice());
        let merged = Quotient(game.clone());
        let bounds = PerfectInformation::new(families.as_sets());
        let limited = Budget::visits_at_most(300_000);
        let mut env = Env::new(&limited)
            .with_store(Table::new())
            .with_heuristic(bounds);
        let outcome = alpha_beta_duo(&merged, &families, &window, &mut env);
        let value = outcome.exact().expect("few visits").maximal().iter();
        let worlds = game.worlds();
        let set = |set: &FixedBitSet| set.ones().map(|world| cards(worlds[world])).collect();
        let mut maximal: Vec<Vec<_>> = value.map(set).collect();
        maximal.sort();
        let expected = &case["family_value"]["maximal_sets"];
        assert_eq!(&json!(maximal), expected, "{}", case["id"]);
    }
}

#[test]
fn a_stop_at_any_step_leaves_true_tables() {
    let game = Racing::random(18, 4, 7, 3).expect("a fine deal");
    let steps = |steps| {
        Budget::new(Limits {
            steps: Some(steps),
            ..Limits::default()
        })
    };
    let free = Budget::unlimited();
    let all = game.winning_hands(&free).expect("no limit");
    for limit in 0..free.steps_made() {
        assert_eq!(game.winning_hands(&steps(limit)), Err(Stop::Time));
    }
    assert_eq!(game.winning_hands(&steps(free.steps_made())), Ok(all));
    // One table through all interruptions.
    let listed = RacingHands::new(&game);
    let stakes = Stakes::all(&listed);
    let sets = HiddenSets::<_, Words<4>>::new(&listed, &stakes).expect("few worlds");
    let mut bounds = PerfectInformation::new(&sets);
    let (mut limit, mut stopped) = (0, 0);
    let mut children = vec![game.root()];
    game.children(&game.root(), &mut children);
    for position in children {
        let value = loop {
            match bounds.seen(&position, &steps(limit)) {
                Ok(value) => break value,
                Err(stop) => assert_eq!(stop, Stop::Time),
            }
            (limit, stopped) = (limit + 1, stopped + 1);
        };
        let fresh = PerfectInformation::new(&sets).seen(&position, &free);
        assert_eq!(Ok(value), fresh);
        limit = 0;
    }
    assert!(stopped > 30, "{stopped}");
    let stopped = bounds.seen(&game.root(), &steps(0));
    assert_eq!(stopped, Err(Stop::Time));
}

/// Every set of a value and the union of them, asked at every position, and by TEST at the root.
#[test]
fn one_strategy_for_a_set_of_worlds() {
    let free = Budget::unlimited();
    let (mut known, mut unknown, mut yes, mut no) = (0, 0, 0, 0);
    for game in small_deals(2..4).filter(|game| game.hand().len() > 2) {
        let listed = RacingHands::new(&game);
        let stakes = Stakes::all(&listed);
        let families = HiddenFamilies::<_, Words<4>>::new(&listed, &stakes).expect("few worlds");
        let (sets, lattice) = (families.as_sets(), families.lattice());
        let mut plain = Env::new(&free).with_store(Table::new());
        let value = minimax_cached(&game, &families, &mut plain);
        let value = value.exact().expect("no limit");
        let union = PerfectInformation::new(sets).seen(&game.root(), &free);
        let union = union.expect("no limit");
        let asked = value.maximal().iter().copied().chain(union);
        let positions = reached(&game);
        for asked in asked.chain([sets.lattice().top()]) {
            let claim = lattice.principal(asked);
            let mut bounds = OneStrategy::new(sets, asked);
            for position in &positions {
                let value = match plain.store.get(position).1 {
                    Some(value) => value.clone(),
                    None => families.leaf(position),
                };
                let truth = lattice.leq(&claim, &value, &free).expect("no limit");
                if let Some(answer) = bounds.answer(position, &free).expect("no limit") {
                    assert_eq!(answer, truth, "{game:?} {position:?}");
                    known += 1;
                } else {
                    assert_ne!(game.kind(position), Kind::Leaf);
                    unknown += 1;
                }
            }
            let truth = lattice.leq(&claim, value, &free).expect("no limit");
            let threshold = Threshold::new(&families, claim);
            let mut env = Env::new(&free)
                .with_store(Table::new())
                .with_heuristic(bounds);
            let merged = Quotient(game.clone());
            let tested = test(&merged, &threshold, Question::AtLeast(true), &mut env);
            assert_eq!(tested.answer, Some(truth), "{game:?}");
            *(if truth { &mut yes } else { &mut no }) += 1;
        }
    }
    assert!(known > 10_000 && unknown > 100, "{known}, {unknown}");
    assert!(yes > 100 && no > 100, "{yes}, {no}");
}
