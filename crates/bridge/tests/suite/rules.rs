//! Single suits at bridge against what others have printed, and what independent programs have
//! computed.

use meetjoin_bridge::{
    Card, DoubleDummy, Knowledge, Layout, SeenCards, Suit, SuitFamilies, SuitGame, two_hands,
};
use meetjoin_dag::Valuation;
use meetjoin_families::families::Memory;
use meetjoin_families::heaviest::{Wanted, heaviest_of};
use meetjoin_families::{heaviest, solve_families};
use meetjoin_lattice::{Budget, Words, WorldSet};
use meetjoin_search::strategy::{Guarantees, strategy};
use meetjoin_search::{Duo, Env, Tables};
use serde_json::Value;

type Set = Words<8>;

fn cases() -> Value {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../cases/bridge_suits_visible.json"
    );
    let text = std::fs::read_to_string(file).expect("the file is there");
    serde_json::from_str(&text).expect("it is JSON")
}

fn suit(case: &Value) -> Suit {
    let text = |key: &str| case[key].as_str().expect("text");
    let (north, south) = two_hands(text("north"), text("south")).expect("two hands");
    let mut knowledge = Knowledge::default();
    if let Some(places) = case.get("vacant") {
        let place = |i: usize| places[i].as_u64().expect("a number") as u8;
        knowledge.places = (place(0), place(1));
    }
    Suit::new(north, south, knowledge).expect("a suit")
}

/// The game for the goal of a case.
fn game<'a>(suit: &'a Suit, case: &Value) -> SuitGame<'a> {
    match case["goal"].as_u64() {
        Some(goal) => SuitGame::goal(suit, goal as u8),
        None => SuitGame::all_tricks(suit),
    }
}

#[test]
fn every_visible_case_is_exact_by_the_heaviest_set() {
    for case in cases()["cases"].as_array().expect("cases") {
        let suit = suit(case);
        let game = game(&suit, case);
        let mut table = DoubleDummy::new();
        let stakes = table.stakes(&game);
        let values = SuitFamilies::<Set>::new(&game, &stakes).expect("it fits");
        let weights = stakes.weights(&game).expect("they fit");
        let budget = Budget::unlimited();
        let known = SeenCards::new((&values, &mut table));
        let env = Env::new(&budget).with_store(Tables).with_heuristic(known);
        let found = heaviest(&game, &values, &weights, 1, env);
        let weight = found.sets.first().map_or(0, |(weight, _)| *weight);
        assert_eq!(Some(weight), case["numerator"].as_u64(), "{}", case["id"]);
        assert_eq!(
            Some(suit.total_weight()),
            case["denominator"].as_u64(),
            "{}",
            case["id"]
        );
    }
}

#[test]
fn whether_any_set_is_heavier_is_found_out() {
    for case in cases()["cases"].as_array().expect("cases").iter().take(30) {
        let suit = suit(case);
        let game = game(&suit, case);
        let mut table = DoubleDummy::new();
        let stakes = table.stakes(&game);
        let values = SuitFamilies::<Set>::new(&game, &stakes).expect("it fits");
        let weights = stakes.weights(&game).expect("they fit");
        let budget = Budget::unlimited();
        let mut found = |more_than: u64| {
            let known = SeenCards::new((&values, &mut table));
            let env = Env::new(&budget).with_store(Tables).with_heuristic(known);
            let wanted = Wanted {
                more_than: Some(more_than),
                ..Wanted::most(1)
            };
            heaviest_of(&game, &values, &weights, wanted, env)
        };
        let best = case["numerator"].as_u64().expect("a number");
        let none = found(best);
        assert_eq!((none.sets.len(), none.stop), (0, None), "{}", case["id"]);
        assert!(none.bound <= best);
        if let Some(less) = best.checked_sub(1) {
            let some = found(less);
            let weight = some.sets.first().map(|(weight, _)| *weight);
            assert_eq!(weight, Some(best), "{}", case["id"]);
            assert!(some.bound >= best);
            let some = found(less / 2);
            let weight = some.sets.first().map(|(weight, _)| *weight);
            assert!(weight.is_some_and(|weight| (less / 2 + 1..=best).contains(&weight)));
        }
    }
}

/// Whether one strategy guarantees each layout so many tricks; the strategy is played out.
fn can_be_guaranteed(suit: &Suit, guarantees: &[u8]) -> bool {
    let game = SuitGame::all_tricks(suit);
    let mut table = DoubleDummy::new();
    let stakes = table.stakes(&game);
    let values = SuitFamilies::<Set>::new(&game, &stakes).expect("it fits");
    let mut set = Set::empty(stakes.len());
    let mut wanted: usize = guarantees.iter().map(|tricks| usize::from(*tricks)).sum();
    for (place, stake) in stakes.iter().enumerate() {
        if stake.more_than < guarantees[stake.world].into() {
            set.insert(place);
            wanted -= 1;
        }
    }
    if wanted > 0 {
        return false; // not even if all cards are seen
    }
    let claim = values.lattice().principal(set);
    let known = SeenCards::new((&values, &mut table));
    let mut holds = Guarantees::new(&game, &values, claim.clone(), known, &Tables);
    let found = strategy(&game, &mut holds, &mut (), &Budget::unlimited()).expect("no limit");
    if let Some(found) = &found {
        assert_eq!(found.check(&game, &values, &claim), Ok(()));
    }
    found.is_some()
}

/// Whether a vector is guaranteed by a strategy, and no greater one is.
fn is_maximal(suit: &Suit, guarantees: &[u8]) -> bool {
    let more = |place: usize| {
        let mut more = guarantees.to_vec();
        more[place] += 1;
        can_be_guaranteed(suit, &more)
    };
    can_be_guaranteed(suit, guarantees) && !(0..guarantees.len()).any(more)
}

#[test]
fn the_vectors_of_the_cases_are_all_there_are() {
    for case in cases()["vectors"].as_array().expect("vectors") {
        let suit = suit(case);
        let layouts = case["layouts"].as_array().expect("layouts");
        // Layouts of the file by those of the suit.
        let place = |layout: usize| {
            let (west, _) = suit.cards_of(&suit.layouts()[layout]);
            let west = west.to_string();
            let found = layouts.iter().position(|other| other["west"] == *west);
            found.unwrap_or_else(|| panic!("no layout {west}"))
        };
        let places: Vec<usize> = (0..suit.layouts().len()).map(place).collect();
        let game = SuitGame::all_tricks(&suit);
        let stakes = DoubleDummy::new().stakes(&game);
        let values = SuitFamilies::<Set>::new(&game, &stakes).expect("it fits");
        let mut memory = Memory::new(&Tables);
        let budget = Budget::unlimited();
        let outcome = solve_families(
            &game,
            &values,
            &mut memory,
            &Tables,
            Duo::DEFAULT,
            &budget,
            &mut (),
        );
        let family = outcome.exact().expect("no limit");
        let vector = |set: &Set| {
            let mut vector = vec![0_u64; layouts.len()];
            for (layout, tricks) in stakes.of(set).into_iter().enumerate() {
                vector[places[layout]] = tricks.into();
            }
            vector
        };
        let mut found: Vec<Vec<u64>> = family.maximal().iter().map(vector).collect();
        found.sort_unstable();
        let listed = case["maximal"]
            .as_array()
            .expect("vectors")
            .iter()
            .map(|vector| {
                let numbers = vector.as_array().expect("numbers").iter();
                numbers
                    .map(|number| number.as_u64().expect("a number"))
                    .collect()
            });
        let mut listed: Vec<Vec<u64>> = listed.collect();
        listed.sort_unstable();
        assert_eq!(found, listed, "{} {}", case["north"], case["south"]);
    }
}

/// A line of the file is a vector by layouts if it treats equal cards alike. Cards that it does not
/// name are x.
fn by_layouts(suit: &Suit, line: &Value) -> Option<Vec<u8>> {
    let listed = line["tricks_by_east"].as_object().expect("tricks");
    let is_named = |letter: char| listed.keys().any(|east| east.contains(letter));
    let named_of = |east: &str, letters: &str| {
        letters
            .chars()
            .filter(|letter| east.contains(*letter))
            .count()
    };
    let tricks_of = |layout: &Layout| {
        let mut small = 0;
        let mut kinds: Vec<(String, usize)> = Vec::new();
        for (kind, cards) in suit.kinds().iter().enumerate() {
            let of_east = usize::from(cards.count() - layout.west.of(kind));
            let named: String = cards
                .descending()
                .map(Card::letter)
                .filter(|letter| is_named(*letter))
                .collect();
            if named.is_empty() {
                small += of_east;
            } else {
                assert_eq!(
                    named.len(),
                    usize::from(cards.count()),
                    "a kind is named as a whole"
                );
                kinds.push((named, of_east));
            }
        }
        let matching = listed.iter().filter(|(east, _)| {
            let named = kinds
                .iter()
                .all(|(letters, count)| named_of(east, letters) == *count);
            named && east.matches('x').count() == small
        });
        let tricks: Vec<u64> = matching
            .map(|(_, tricks)| tricks.as_u64().expect("a number"))
            .collect();
        assert!(!tricks.is_empty(), "{line}");
        tricks
            .iter()
            .all(|other| *other == tricks[0])
            .then_some(tricks[0] as u8)
    };
    suit.layouts().iter().map(tricks_of).collect()
}

#[test]
fn the_lines_of_the_cases_are_maximal_if_they_treat_equal_cards_alike() {
    let mut alike = 0;
    for line in cases()["lines"].as_array().expect("lines") {
        let suit = suit(line);
        if let Some(guarantees) = by_layouts(&suit, line) {
            alike += 1;
            assert!(is_maximal(&suit, &guarantees), "{line}");
        }
    }
    assert!(alike >= 20, "{alike}");
}
