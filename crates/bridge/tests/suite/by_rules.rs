//! A suit by its rules alone, as any game with hidden cards, against its table of tricks.
//!
//! What the table saves: `cargo test --release -p meetjoin-bridge --test suite -- --ignored
//! --nocapture by_rules` shows it.

use std::time::Instant;

use meetjoin_bridge::play::bounds::SeenSuit;
use meetjoin_bridge::suit::{Goal, Solver};
use meetjoin_bridge::{
    DoubleDummy, Knowledge, Layout, SeenCards, Suit, SuitFamilies, SuitGame, SuitPosition,
    two_hands,
};
use meetjoin_dag::{AndOrDag, Valuation, check_hidden};
use meetjoin_families::cores::heaviest_by_cores;
use meetjoin_families::heaviest;
use meetjoin_families::heaviest::KnownOfNodes;
use meetjoin_families::perfect_information::HiddenBounds;
use meetjoin_lattice::{Budget, Words, WorldSet};
use meetjoin_search::strategy::Guarantees;
use meetjoin_search::{Counts, Env, Tables};

fn suits() -> Vec<Suit> {
    let hands = [
        ("AQT98", "5432"),
        ("KT32", "A954"),
        ("AJ9", "K432"),
        ("AKJ43", "752"),
        ("Q94", "K852"),
        ("AQ9", "432"),
        ("KJ532", "64"),
        ("AT982", "K3"),
        ("QJ32", "A4"),
        ("J432", "Q95"),
        ("AKT9", "543"),
        ("KQ97", "A43"),
        ("A9842", "J5"),
        ("Q862", "KJ"),
        ("AQJT2", "3"),
    ];
    let suit = |(north, south): &(&str, &str)| {
        let (north, south) = two_hands(north, south).expect("two hands");
        Suit::new(north, south, Knowledge::default()).expect("a suit")
    };
    hands.iter().map(suit).collect()
}

/// What is found: the heaviest sets, and how heavy any set is at most.
type Answer = (Vec<Vec<u32>>, u64);

/// The heaviest sets, visits, and seconds with bounds from a heuristic.
fn heaviest_with<B: WorldSet>(
    values: &SuitFamilies<'_, B>,
    known: impl KnownOfNodes<SuitPosition, B>,
) -> (Answer, u64, f64) {
    let (game, stakes) = (values.as_sets().game(), values.as_sets().stakes());
    let weights = stakes.weights(game).expect("they fit");
    let budget = Budget::unlimited();
    let begun = Instant::now();
    let mut counts = Counts::default();
    let env = Env::new(&budget).with_store(Tables).with_heuristic(known);
    let found = heaviest(game, values, &weights, 1, env.with_observer(&mut counts));
    let seconds = begun.elapsed().as_secs_f64();
    let sets = found.sets.iter().map(|(_, set)| stakes.of(set)).collect();
    ((sets, found.bound), counts.visits, seconds)
}

/// With the table of tricks, and by the rules alone.
fn compared<B: WorldSet>(game: &SuitGame<'_>) -> [(Answer, u64, f64); 2] {
    let mut table = DoubleDummy::new();
    let stakes = table.stakes(game);
    let values = SuitFamilies::<B>::new(game, &stakes).expect("it fits");
    let by_table = heaviest_with(&values, SeenCards::new((&values, &mut table)));
    let by_rules = heaviest_with(&values, HiddenBounds::new(values.as_sets()));
    [by_table, by_rules]
}

/// Both ways find the same for these suits. Visits and seconds of each: of goals, and of averages.
fn sums(suits: &[Suit]) -> [[(u64, f64); 2]; 2] {
    let mut sums = [[(0, 0.0); 2]; 2];
    for suit in suits {
        let goals = (1..=suit.tricks()).map(|goal| SuitGame::goal(suit, goal));
        let games = goals.map(|game| (0, game));
        for (kind, game) in games.chain([(1, SuitGame::all_tricks(suit))]) {
            check_hidden(&game, &Budget::unlimited()).expect("a game with hidden cards");
            let runs = match DoubleDummy::new().stakes(&game).len() {
                0..=64 => compared::<Words<1>>(&game),
                65..=256 => compared::<Words<4>>(&game),
                _ => compared::<Words<16>>(&game),
            };
            assert_eq!(runs[0].0, runs[1].0);
            for (sum, run) in sums[kind].iter_mut().zip(&runs) {
                sum.0 += run.1;
                sum.1 += run.2;
            }
        }
    }
    sums
}

#[test]
fn a_suit_is_a_game_with_hidden_cards() {
    for ways in sums(&suits()[..4]) {
        assert!(ways.iter().all(|way| way.0 > 0));
    }
}

#[test]
#[ignore = "shows figures"]
fn what_a_suit_by_rules_costs() {
    println!("{:?}", sums(&suits()));
}

/// What the heaviest set weighs by cores is what it weighs by families, and one strategy wins it.
#[test]
fn cores_and_families_find_sets_of_the_same_weight() {
    let mut with_cores = 0;
    for suit in suits() {
        for goal in 0..=suit.tricks() {
            let game = match goal {
                0 => SuitGame::all_tricks(&suit),
                _ => SuitGame::goal(&suit, goal),
            };
            let mut table = DoubleDummy::new();
            let stakes = table.stakes(&game);
            let values = SuitFamilies::<Words<16>>::new(&game, &stakes).expect("they fit");
            let seen = SeenCards::new((&values, &mut table));
            let ((_, weight), ..) = heaviest_with(&values, seen);
            let weights = stakes.weights(&game).expect("they fit");
            let budget = Budget::unlimited();
            let by_cores = |more_than, table: &mut DoubleDummy| {
                let seen = SeenSuit::from((&values, table));
                heaviest_by_cores(values.as_sets(), &weights, more_than, seen, &budget)
            };
            let found = by_cores(None, &mut table);
            assert_eq!((found.bound, found.stop), (weight, None), "{suit:?} {goal}");
            with_cores += usize::from(found.cores > 0);
            let (weighs, set) = found.set.expect("nothing stopped it");
            assert_eq!((weighs, weights.of_set(&set)), (weight, weight));
            let claim = values.lattice().principal(set);
            let seen = SeenCards::new((&values, &mut table));
            let mut won = Guarantees::new(&game, &values, claim, seen, &Tables);
            assert_eq!(
                won.holds(&game.root(), &budget),
                Ok(true),
                "{suit:?} {goal}"
            );
            // None is heavier than the heaviest, and some is than what is lighter.
            let none = by_cores(Some(weight), &mut table);
            assert!(none.bound <= weight && none.stop.is_none());
            if weight > 0 {
                let some = by_cores(Some(weight - 1), &mut table);
                assert_eq!(some.set.map(|(weighs, _)| weighs), Some(weight));
            }
        }
    }
    assert!(with_cores > 40, "{with_cores}");
}

/// What is won after a lead if all cards are seen is what is won where every card is known.
#[test]
fn leads_are_worth_what_somebody_takes_who_sees_all_cards() {
    let budget = Budget::unlimited();
    let (mut won, mut lost) = (0, 0);
    for suit in &suits()[..6] {
        let mut solver = Solver::new(suit, &budget);
        for (hand, card, _) in solver.first_leads() {
            for tricks in 1..=suit.tricks() {
                let is_won = |layout: &&Layout| {
                    let (west, east) = suit.cards_of(layout);
                    let known = suit.with(Knowledge {
                        west,
                        east,
                        lead: Some((hand, card)),
                        ..Knowledge::default()
                    });
                    let known = known.expect("all cards are known");
                    let chance = Solver::new(&known, &budget).greatest(Goal::Tricks(tricks));
                    chance.weight == chance.total
                };
                let all = suit.layouts().iter();
                let expected: u64 = all.filter(is_won).map(|one| one.weight).sum();
                assert_eq!(
                    solver.seen_after((hand, card), tricks),
                    expected,
                    "{suit:?}"
                );
                won += u32::from(expected > 0);
                lost += u32::from(expected < suit.total_weight());
            }
        }
    }
    assert!(won > 50 && lost > 50, "{won} {lost}");
}

/// A search for cores that is stopped has bounds of the answer.
#[test]
fn a_search_for_cores_that_is_stopped_encloses_the_answer() {
    let (north, south) = two_hands("KT75", "Q93").expect("two hands");
    let suit = Suit::new(north, south, Knowledge::default()).expect("a suit");
    let game = SuitGame::goal(&suit, 3);
    let mut table = DoubleDummy::new();
    let stakes = table.stakes(&game);
    let values = SuitFamilies::<Words<1>>::new(&game, &stakes).expect("they fit");
    let weights = stakes.weights(&game).expect("they fit");
    let mut stopped = 0;
    for visits in [0, 1, 10, 100, 1000, 3000, 1 << 20] {
        let budget = Budget::visits_at_most(visits);
        let seen = SeenSuit::from((&values, &mut table));
        let found = heaviest_by_cores(values.as_sets(), &weights, None, seen, &budget);
        let weight = found.set.map_or(0, |(weight, _)| weight);
        assert!(weight <= 4_318_510 && 4_318_510 <= found.bound, "{visits}");
        stopped += u32::from(found.stop.is_some());
    }
    assert!((5..7).contains(&stopped), "{stopped}");
}
