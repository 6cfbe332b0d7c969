//! Racing with both hands known: winning hands by classes, bounds at every position, and MAX's touching cards as one move, all against
//! evaluation without any of them.

use std::collections::HashSet;

use meetjoin::dag::{AndOrDag, Heuristic, Kind, Rooted, Valuation};
use meetjoin::games::{
    PerfectInformation, Quotient, Racing, RacingFamilies, RacingPosition, RacingSets, Symmetric,
};
use meetjoin::lattice::{Budget, Lattice, Words, WorldSet};
use meetjoin::search::{Env, Store, Table, minimax, minimax_cached};

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
        let sets = RacingSets::<Words<4>>::new(&game).expect("few worlds");
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
    let (mut exact, mut singletons, mut positions) = (0, 0, 0);
    for game in small_deals(0..2) {
        let families = RacingFamilies::<Words<4>>::new(&game).expect("few worlds");
        let (sets, lattice) = (families.as_sets(), families.lattice());
        let mut of_sets = Env::new(&free).with_store(Table::new());
        minimax_cached(&game, sets, &mut of_sets);
        let mut of_families = Env::new(&free).with_store(Table::new());
        minimax_cached(&game, &families, &mut of_families);
        let mut bounds = PerfectInformation::new(sets);
        let mut wide = PerfectInformation::new(sets).with_most_singletons(usize::MAX);
        for position in reached(&game) {
            let set = bounds.value(&position, &free).expect("no limit");
            if game.kind(&position) == Kind::Leaf {
                assert_eq!(set, sets.leaf(&position));
                continue;
            }
            positions += 1;
            let value = of_sets.store.get(&position).1.expect("visited");
            assert_eq!(&set, value, "{game:?} {position:?}");
            let value = of_families.store.get(&position).1.expect("visited");
            for bounds in [&mut bounds, &mut wide] {
                let known = bounds.bounds(lattice, &position, &free);
                let known = known.expect("no limit").expect("something is known");
                let leq = |a, b| lattice.leq(a, b, &free).expect("no limit");
                assert!(leq(known.lower(), value), "{game:?} {position:?}");
                assert!(leq(value, known.upper()), "{game:?} {position:?}");
                exact += u32::from(known.exact().is_some());
                singletons += u32::from(known.lower().maximal().len() > 1);
            }
        }
    }
    assert!(exact > 1000 && singletons > 1000, "{exact}, {singletons}");
    assert!(positions > 50_000, "{positions}");
}

#[test]
fn touching_cards_are_one_move_in_both_lattices() {
    let free = Budget::unlimited();
    let (mut positions, mut merged_positions) = (0, 0);
    for game in small_deals(0..2) {
        let families = RacingFamilies::<Words<4>>::new(&game).expect("few worlds");
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
