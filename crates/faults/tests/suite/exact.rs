//! Tiny and nearly certain events: every number is as exact as its parts, by rational arithmetic.

use std::fmt::Write as _;
use std::time::Duration;

use meetjoin_faults::{
    Asked, BigUint, CutsRequest, FaultTree, List, Model, ModelReader, Sets, State, find,
    find_in_model,
};
use meetjoin_lattice::{Budget, Limits};
use meetjoin_report::Meter;
use meetjoin_report::progress::Listener;
use rand::{RngExt as _, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

/// Relative errors that are allowed.
const ERROR: f64 = 1e-12;

/// The bits behind the point of every number below: no probability has a smaller one.
const BITS: u64 = 1 << 8;

/// A probability as a whole number of parts, 2^`BITS` of which are one.
fn parts(p: f64) -> BigUint {
    let mut p = p;
    let mut taken = 0;
    while p.fract() != 0.0 {
        p *= 2.0;
        taken += 1;
    }
    #[allow(clippy::cast_sign_loss)] // probabilities
    let whole = BigUint::from(p as u64);
    whole << (BITS - taken)
}

/// A quotient of two numbers, rounded twice.
fn quotient(a: &BigUint, b: &BigUint) -> f64 {
    if *a == BigUint::default() {
        return 0.0;
    }
    // 64 digits of the quotient, however small it is.
    let shift = b.bits() + 64 - a.bits().min(b.bits() + 64);
    let digits: BigUint = (a << shift) / b;
    let more = digits.bits().saturating_sub(64);
    let digits = u64::try_from(&(digits >> more)).expect("64 bits");
    digits as f64 * 2_f64.powi(more as i32 - shift as i32)
}

/// A tree as text, and whether its top occurs in each state, a bit an event.
struct Random {
    text: String,
    events: Vec<f64>,
    occurs: Vec<bool>,
}

fn random(rng: &mut ChaCha8Rng) -> Random {
    let events = rng.random_range(1..=5_usize);
    let states = 1_u32 << events;
    let probability = |rng: &mut ChaCha8Rng| {
        let tiny = [1e-30, 1e-16, 3e-15, 1e-12, 2e-10, 1e-7];
        let tiny = tiny[rng.random_range(0..tiny.len())];
        match rng.random_range(0..6) {
            0 | 1 => tiny,
            2 | 3 => 1.0 - [1e-12, 3e-14, 2e-10, 1e-5][rng.random_range(0..4)],
            4 => 1e-3,
            _ => 0.37,
        }
    };
    let events: Vec<f64> = (0..events).map(|_| probability(rng)).collect();
    // Functions so far, as their values in all states.
    let mut functions: Vec<Vec<bool>> = (0..events.len())
        .map(|event| (0..states).map(|state| state >> event & 1 == 1).collect())
        .collect();
    let mut names: Vec<String> = (0..events.len()).map(|event| format!("e{event}")).collect();
    let mut gates = Vec::new();
    for gate in 0..rng.random_range(1..=5_usize) {
        let count = rng.random_range(2..=3_usize);
        let mut arguments: Vec<usize> = (0..count)
            .map(|_| rng.random_range(0..names.len()))
            .collect();
        if gate > 0 {
            // All gates are needed.
            arguments[0] = names.len() - 1;
        }
        let kind = ["and", "or", "2 of", "not"][rng.random_range(0..4)];
        if kind == "not" {
            arguments.truncate(1);
        }
        let holds = |state: u32| {
            let true_ones = arguments
                .iter()
                .filter(|&&one| functions[one][state as usize]);
            let true_ones = true_ones.count();
            match kind {
                "and" => true_ones == arguments.len(),
                "or" => true_ones > 0,
                "not" => true_ones == 0,
                _ => true_ones >= 2,
            }
        };
        functions.push((0..states).map(holds).collect());
        let words: Vec<&str> = arguments.iter().map(|&one| &*names[one]).collect();
        gates.push(format!("g{gate} = {kind} {}\n", words.join(" ")));
        names.push(format!("g{gate}"));
    }
    // The top comes first.
    gates.reverse();
    let mut text: String = gates.concat();
    for (event, p) in events.iter().enumerate() {
        // One that no gate has would be refused.
        if text.contains(&format!(" e{event}")) {
            let _ = writeln!(text, "e{event} = {p:e}");
        }
    }
    let occurs = functions.pop().expect("there is a gate");
    Random {
        text,
        events,
        occurs,
    }
}

/// The weight of the states that count, where one event may be given.
fn weight(events: &[f64], given: Option<(usize, bool)>, counts: impl Fn(usize) -> bool) -> BigUint {
    let one = BigUint::from(1_u32) << BITS;
    let mut weights = vec![BigUint::from(1_u32)];
    for (event, &p) in events.iter().enumerate().rev() {
        let yes = match given {
            Some((other, occurs)) if other == event => {
                if occurs {
                    one.clone()
                } else {
                    BigUint::default()
                }
            }
            _ => parts(p),
        };
        let no = &one - &yes;
        // The states of the events from this one on.
        weights = weights
            .iter()
            .flat_map(|rest| [rest * &no, rest * &yes])
            .collect();
    }
    let counted = weights
        .into_iter()
        .enumerate()
        .filter(|(state, _)| counts(*state));
    counted.map(|(_, weight)| weight).sum()
}

fn close(found: f64, expected: f64, what: &str, text: &str) {
    let error = (found - expected).abs();
    assert!(
        error <= ERROR * expected.abs(),
        "{what}: {found:e}, and exactly {expected:e}\n{text}"
    );
}

fn request(sets: Sets, importance: bool, budget: &Budget) -> CutsRequest<'_> {
    CutsRequest {
        sets,
        limit_order: None,
        cut_off: None,
        list: List::BySize,
        importance,
        budget,
        meter: Meter::NONE,
        listener: Listener::NONE,
    }
}

fn read(text: &str) -> (Model, FaultTree) {
    let mut reader = ModelReader::new();
    reader.read(text.as_bytes()).expect("a tree");
    let model = reader.finish(None).expect("a tree");
    let tree = model.tree(None, &State::default()).expect("a tree");
    (model, tree)
}

#[test]
fn every_number_is_exact_for_tiny_and_for_nearly_certain_events() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let budget = Budget::unlimited();
    for number in 0..10_000 {
        let Random {
            text,
            events,
            occurs,
        } = random(&mut rng);
        let (model, tree) = read(&text);
        let states = weight(&events, None, |_| true);
        let of = |given| weight(&events, given, |state| occurs[state]);
        let p = quotient(&of(None), &states);
        for sets in [Sets::Cuts, Sets::Paths, Sets::PrimeImplicants] {
            let found = find(&tree, request(sets, false, &budget)).expect("a tree");
            let (lower, upper) = found.probability().expect("all have one");
            close(lower, p, "P(top)", &text);
            close(upper, p, "P(top)", &text);
        }
        let found = find(&tree, request(Sets::Cuts, true, &budget)).expect("a tree");
        for row in found.importance().expect("it is solved") {
            let name = &tree.events()[row.event as usize].name;
            let event: usize = name[1..].parse().expect("a number");
            let [with, without] = [true, false].map(|occurs| of(Some((event, occurs))));
            let (top, q) = (of(None), events[event]);
            let ratio =
                |a: &BigUint, b: &BigUint| (*b != BigUint::default()).then(|| quotient(a, b));
            let same = |found: Option<f64>, expected: Option<f64>, what: &str| {
                assert_eq!(found.is_some(), expected.is_some(), "{what} {name}\n{text}");
                if let (Some(found), Some(expected)) = (found, expected) {
                    close(found, expected, &format!("{what} {name}"), &text);
                }
            };
            same(row.risk_achievement, ratio(&with, &top), "risk achievement");
            same(row.risk_reduction, ratio(&top, &without), "risk reduction");
            let diagnostic = ratio(&with, &top).map(|ratio| q * ratio);
            same(row.diagnostic, diagnostic, "diagnostic");
            // With negations the parts of a difference may have both signs; it is as exact as the
            // greater part.
            let is_monotone = (0..occurs.len()).all(|state| {
                (0..events.len()).all(|event| occurs[state | 1 << event] || !occurs[state])
            });
            if is_monotone {
                let more = &with - &without;
                close(row.birnbaum, quotient(&more, &states), "Birnbaum", &text);
                let critical = ratio(&more, &top).map(|ratio| q * ratio);
                same(row.critical, critical, "critical");
                same(
                    row.fussell_vesely,
                    ratio(&(&top - &without), &top),
                    "Fussell-Vesely",
                );
            }
        }
        if number % 8 == 0 {
            written(&model, &tree, &text, p);
        }
    }
}

/// The same in JSON, and over time.
fn written(model: &Model, tree: &FaultTree, text: &str, p: f64) {
    let budget = Budget::unlimited();
    let asked = Asked {
        time_step: Some(10_000.0),
        ..Asked::default()
    };
    let request = request(Sets::Cuts, false, &budget);
    let found = find_in_model((model, None, &State::default()), tree, request, asked);
    let found = found.expect("a tree");
    for &[time, at] in found.besides().curve.as_deref().expect("it was asked for") {
        close(at, p, &format!("P(top) at {time}"), text);
    }
    let mut json = Vec::new();
    found.write_json(&mut json).expect("memory");
    let json: Value = serde_json::from_slice(&json).expect("JSON");
    close(
        json["probability"].as_f64().expect("a number"),
        p,
        "JSON",
        text,
    );
}

/// Gates in a chain over fifty events, which is simple at once however long it is. If the work grew
/// with the square of the length, it would take minutes.
#[test]
fn long_chains_of_gates_are_made_simple() {
    let mut text = String::new();
    for gate in 0..100_000 {
        let kind = ["and", "or"][gate % 2];
        let _ = writeln!(text, "g{gate} = {kind} e{} g{}", gate % 50, gate + 1);
    }
    text.push_str("g100000 = and e0 e1\n");
    for event in 0..50 {
        let _ = writeln!(text, "e{event} = 0.1");
    }
    let (_, tree) = read(&text);
    let budget = Budget::new(Limits {
        time: Some(Duration::from_secs(60)),
        ..Limits::default()
    });
    let found = find(&tree, request(Sets::Cuts, false, &budget)).expect("a tree");
    assert!(found.is_complete());
    assert_eq!(found.count(), BigUint::from(25_u32));
    // Without time there are bounds all the same.
    let budget = Budget::new(Limits {
        time: Some(Duration::ZERO),
        ..Limits::default()
    });
    let found = find(&tree, request(Sets::Cuts, false, &budget)).expect("a tree");
    assert!(!found.is_complete());
    let (lower, upper) = found.probability().expect("all have one");
    assert!(lower <= upper && lower <= 0.1 && upper >= 0.01);
}
