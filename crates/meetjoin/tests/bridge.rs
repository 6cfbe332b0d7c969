//! Single suits at bridge against the figures that others have printed, and that independent programs have computed.

use std::time::Instant;
use meetjoin::games::bridge::*;
use meetjoin::lattice::{Budget, Weights, Words};
use meetjoin::search::{Counts as Visits, Env, Tables, heaviest};
use serde_json::Value;

fn cases() -> Value {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cases/bridge_suits_visible.json");
    let text = std::fs::read_to_string(file).expect("the file is there");
    serde_json::from_str(&text).expect("it is JSON")
}

#[test]
fn every_visible_case_is_exact() {
    let mut slow = Vec::new();
    for case in cases()["cases"].as_array().expect("cases") {
        let text = |key: &str| case[key].as_str().expect("text");
        let (north, south) = two_hands(text("north"), text("south")).expect("two hands");
        let mut knowledge = Knowledge::default();
        if let Some(places) = case.get("vacant") {
            let place = |i: usize| places[i].as_u64().expect("a number") as u8;
            knowledge.places = (place(0), place(1));
        }
        let begin = Instant::now();
        let suit = Suit::new(north, south, knowledge).expect("a suit");
        let game = match case["goal"].as_u64() {
            Some(goal) => SuitGame::goal(&suit, goal as u8),
            None => SuitGame::all_tricks(&suit),
        };
        let mut table = DoubleDummy::new();
        let worlds = SuitWorlds::new(&game, &mut table);
        let values = SuitFamilies::<Words<16>>::new(&game, &worlds).expect("it fits");
        let weights = worlds.worlds().iter().map(|w| suit.layouts()[w.layout].weight);
        let weights = Weights::new(weights).expect("they fit");
        let budget = Budget::unlimited();
        let mut counts = Visits::default();
        let env = Env::new(&budget).with_store(Tables).with_heuristic(SeenCards::new(&values, &mut table)).with_observer(&mut counts);
        let found = heaviest(&game, &values, &weights, 1, env);
        let weight = found.sets.first().map_or(0, |(weight, _)| *weight);
        slow.push((begin.elapsed().as_micros(), text("id").to_owned(), found.passes, counts.visits, found.relaxed_visits, worlds.worlds().len()));
        assert_eq!(Some(weight), case["numerator"].as_u64(), "{}", text("id"));
        assert_eq!(Some(suit.total_weight()), case["denominator"].as_u64(), "{}", text("id"));
    }
    slow.sort(); slow.reverse();
    println!("median {:?}", slow[slow.len() / 2]);
    for s in &slow[..25] { println!("{s:?}"); }
}
