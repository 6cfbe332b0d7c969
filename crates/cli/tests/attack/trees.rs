//! Random fault trees against enumeration of all states of their events: probability, minimal cut
//! sets, importance.

use std::fmt::Write as _;

use serde_json::Value;

use crate::support::{Attack, Numbers, check, json, run, words};

/// A gate: how many of its arguments must occur. Arguments are events, by numbers below the number
/// of events, and gates, by numbers from there on; those of a gate come later.
struct Gate {
    least: usize,
    arguments: Vec<usize>,
}

struct Tree {
    probabilities: Vec<f64>,
    gates: Vec<Gate>,
}

impl Tree {
    fn random(numbers: &mut Numbers) -> Self {
        let (events, gates) = (2 + numbers.below(9), 1 + numbers.below(9));
        let probability = |numbers: &mut Numbers| match numbers.below(12) {
            0 => 0.0,
            1 => 1.0,
            _ => numbers.below(1001) as f64 / 1000.0,
        };
        let probabilities = (0..events).map(|_| probability(numbers)).collect();
        let gate = |place: usize, numbers: &mut Numbers| {
            let mut arguments = Vec::new();
            // Each gate is an argument of the one before it, so that there is one top.
            if place + 1 < gates {
                arguments.push(events + place + 1);
            }
            for _ in 0..=numbers.below(4) {
                let later = gates - place - 1;
                let argument = numbers.below(events + later);
                let argument = if argument < events {
                    argument
                } else {
                    argument + place + 1
                };
                if !arguments.contains(&argument) {
                    arguments.push(argument);
                }
            }
            let least = match numbers.below(3) {
                0 => 1,
                1 => arguments.len(),
                _ => 1 + numbers.below(arguments.len()),
            };
            Gate { least, arguments }
        };
        let gates = (0..gates).map(|place| gate(place, numbers)).collect();
        Self {
            probabilities,
            gates,
        }
    }

    fn text(&self) -> String {
        let events = self.probabilities.len();
        let name = |argument: usize| match argument.checked_sub(events) {
            None => format!("e{argument}"),
            Some(gate) => format!("g{gate}"),
        };
        let mut text = String::new();
        let mut mentioned = vec![false; events];
        for (place, gate) in self.gates.iter().enumerate() {
            let arguments: Vec<String> = gate.arguments.iter().map(|a| name(*a)).collect();
            let (least, all) = (gate.least, arguments.len());
            let connective = match () {
                () if least == 1 => "or".to_owned(),
                () if least == all => "and".to_owned(),
                () => format!("{least} of"),
            };
            let _ = writeln!(text, "g{place} = {connective} {}", arguments.join(" "));
            for argument in gate.arguments.iter().filter(|argument| **argument < events) {
                mentioned[*argument] = true;
            }
        }
        for (event, probability) in self.probabilities.iter().enumerate() {
            if mentioned[event] {
                let _ = writeln!(text, "e{event} = {probability}");
            }
        }
        text
    }

    /// Whether the top occurs if these events do.
    fn occurs(&self, state: usize) -> bool {
        let events = self.probabilities.len();
        let mut gates = vec![false; self.gates.len()];
        for (place, gate) in self.gates.iter().enumerate().rev() {
            let occurs = |argument: &&usize| match argument.checked_sub(events) {
                None => state >> **argument & 1 == 1,
                Some(gate) => gates[gate],
            };
            gates[place] = gate.arguments.iter().filter(occurs).count() >= gate.least;
        }
        gates[0]
    }

    /// The probability of the top where some events are given one of their own.
    fn probability(&self, given: &[f64]) -> f64 {
        let states = 0..1_usize << given.len();
        let weight = |state: usize| -> f64 {
            let of_event = given.iter().enumerate();
            of_event
                .map(|(event, p)| if state >> event & 1 == 1 { *p } else { 1.0 - p })
                .product()
        };
        states.filter(|state| self.occurs(*state)).map(weight).sum()
    }

    /// Minimal cut sets as sets of bits.
    fn cuts(&self) -> Vec<usize> {
        let states = 0..1_usize << self.probabilities.len();
        let all: Vec<bool> = states.clone().map(|state| self.occurs(state)).collect();
        let is_minimal = |state: &usize| {
            all[*state]
                && (0..usize::BITS).all(|bit| {
                    let less = state & !(1_usize << bit);
                    less == *state || !all[less]
                })
        };
        states.filter(is_minimal).collect()
    }
}

/// Equal but for rounding.
fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 + 1e-9 * a.abs().max(b.abs())
}

#[test]
#[ignore = "goes on for as long as it is given"]
fn fault_trees_are_as_enumeration_says() {
    let mut attack = Attack::new("fault-trees");
    while attack.goes_on() {
        let tree = Tree::random(&mut attack.numbers);
        let file = attack.file("tree.txt", tree.text());
        let args = words(&format!("cuts {file} --top g0 --json --list --importance"));
        let found = run(&attack, &args);
        check(&attack, &args, &found);
        assert_eq!(found.status, Some(0), "{}: {}", attack.place(), found.err);
        let answer = json(&found);
        let bits = |set: &Value| -> usize {
            let names = set.as_array().expect("a set").iter();
            let event = |name: &Value| name.as_str()?.strip_prefix('e')?.parse::<usize>().ok();
            names.map(|name| 1 << event(name).expect("an event")).sum()
        };
        let mut sets: Vec<usize> = answer["sets"]
            .as_array()
            .expect("sets")
            .iter()
            .map(bits)
            .collect();
        sets.sort_unstable();
        assert_eq!(sets, tree.cuts(), "{}\n{}", attack.place(), tree.text());
        let top = tree.probability(&tree.probabilities);
        let said = answer["probability"].as_f64().expect("a probability");
        assert!(near(said, top), "{}: {said} {top}", attack.place());
        for row in answer["importance"].as_array().expect("a list") {
            let name = row["event"]
                .as_str()
                .and_then(|name| name.strip_prefix('e'));
            let event: usize = name.and_then(|name| name.parse().ok()).expect("an event");
            let given = |probability: f64| {
                let mut given = tree.probabilities.clone();
                given[event] = probability;
                tree.probability(&given)
            };
            let (with, without) = (given(1.0), given(0.0));
            let ratio = |a: f64, b: f64| (b > 0.0).then(|| a / b);
            for (key, expected) in [
                ("birnbaum", Some(with - without)),
                ("fussell_vesely", ratio(top - without, top)),
                ("risk_achievement", ratio(with, top)),
                ("risk_reduction", ratio(top, without)),
            ] {
                let said = row[key].as_f64();
                let agrees = match (said, expected) {
                    (Some(said), Some(expected)) => near(said, expected),
                    (said, expected) => said == expected,
                };
                assert!(
                    agrees,
                    "{}: {key} of e{event} is {said:?} and not {expected:?}\n{}",
                    attack.place(),
                    tree.text()
                );
            }
        }
    }
}
