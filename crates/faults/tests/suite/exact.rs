//! Tiny and nearly certain events: every number is as exact as its parts, by rational arithmetic.

use std::fmt::Write as _;
use std::time::Duration;

use meetjoin_faults::{
    Asked, BigUint, CutsRequest, FaultTree, List, Model, ModelReader, Sets, State, find,
    find_in_model, find_sequences,
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
            4 => [1e-3, 0.5][rng.random_range(0..2)],
            _ => [0.37, 0.0, 1.0][rng.random_range(0..3)],
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
        list: List::MostProbable(usize::MAX),
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
            let mut json = Vec::new();
            found.write_json(&mut json).expect("memory");
            let json: Value = serde_json::from_slice(&json).expect("JSON");
            close(number_of(&json["probability"]), p, "P(top)", &text);
            let products = json["set_probabilities"].as_array().expect("asked for");
            for (set, product) in json["sets"]
                .as_array()
                .expect("a list")
                .iter()
                .zip(products)
            {
                let expected = product_of(set, &events, sets == Sets::Paths);
                close(number_of(product), expected, "a set", &text);
            }
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
            let (sign, more) = if with >= without {
                (1.0, &with - &without)
            } else {
                (-1.0, &without - &with)
            };
            let birnbaum = sign * quotient(&more, &states);
            close(row.birnbaum, birnbaum, "Birnbaum", &text);
            // The part of the top that the event contributes is that for which it is to blame.
            let critical = ratio(&more, &top).map(|ratio| sign * q * ratio);
            same(row.critical, critical, "critical");
            same(row.fussell_vesely, critical, "Fussell-Vesely");
        }
        if number % 8 == 0 {
            written(&model, &tree, &text, p);
            let not = quotient(&weight(&events, None, |state| !occurs[state]), &states);
            in_sequences(&text, [p, not]);
        }
    }
}

fn number_of(json: &Value) -> f64 {
    json.as_f64().expect("a number")
}

/// How probable it is that all members of a set are as it says, or, of a path set, that none of
/// them occurs.
fn product_of(set: &Value, events: &[f64], of_paths: bool) -> f64 {
    let (mut product, mut one) = (BigUint::from(1_u32), BigUint::from(1_u32));
    for member in set.as_array().expect("a set") {
        let (name, negated) = match &member["not"] {
            Value::String(name) => (&name[..], true),
            _ => (member.as_str().expect("a name"), false),
        };
        let event: usize = name[1..].parse().expect("a number");
        let yes = parts(events[event]);
        one <<= BITS;
        product *= if negated == of_paths {
            yes
        } else {
            (BigUint::from(1_u32) << BITS) - yes
        };
    }
    quotient(&product, &one)
}

/// A tree as a functional event: it fails or does not.
fn in_sequences(text: &str, expected: [f64; 2]) {
    let mut xml = String::new();
    let mut top = "";
    for line in text.lines().rev() {
        let (name, is) = line.split_once(" = ").expect("a definition");
        let words: Vec<&str> = is.split(' ').collect();
        if name.starts_with('e') {
            let _ = write!(
                xml,
                "<define-basic-event name=\"{name}\"><float value=\"{is}\"/></define-basic-event>"
            );
            continue;
        }
        let (open, close, from) = match words[0] {
            "2" => ("atleast min=\"2\"", "atleast", 2),
            word => (word, word, 1),
        };
        let argument = |word: &&str| {
            let kind = if word.starts_with('e') {
                "basic-event"
            } else {
                "gate"
            };
            format!("<{kind} name=\"{word}\"/>")
        };
        let arguments: String = words[from..].iter().map(argument).collect();
        let _ = write!(
            xml,
            "<define-gate name=\"{name}\"><{open}>{arguments}</{close}></define-gate>"
        );
        top = name;
    }
    let path = |state: &str, formula: &str| {
        format!(
            "<path state=\"{state}\"><collect-formula>{formula}</collect-formula><sequence name=\"{state}\"/></path>"
        )
    };
    let gate = format!("<gate name=\"{top}\"/>");
    let paths = path("fails", &gate) + &path("works", &format!("<not>{gate}</not>"));
    let xml = format!(
        "<opsa-mef><define-initiating-event name=\"i\" event-tree=\"t\"/><define-event-tree name=\"t\"><define-functional-event name=\"f\"/><define-sequence name=\"fails\"/><define-sequence name=\"works\"/><initial-state><fork functional-event=\"f\">{paths}</fork></initial-state></define-event-tree><define-fault-tree name=\"m\">{xml}</define-fault-tree></opsa-mef>"
    );
    let mut reader = ModelReader::new();
    reader.read(xml.as_bytes()).expect("a model");
    let model = reader.finish(None).expect("a model");
    let budget = Budget::unlimited();
    let found = find_sequences(&model, 1.0, false, &budget, Listener::NONE).expect("sequences");
    let mut json = Vec::new();
    found.write_json(&mut json).expect("memory");
    let json: Value = serde_json::from_slice(&json).expect("JSON");
    for (sequence, expected) in found.sequences.iter().zip(expected) {
        let p = sequence.probability.expect("all events have one");
        close(p, expected, &sequence.name, text);
    }
    for (sequence, expected) in json["sequences"]
        .as_array()
        .expect("two")
        .iter()
        .zip(expected)
    {
        close(
            number_of(&sequence["probability"]),
            expected,
            "a sequence",
            text,
        );
    }
}

/// The same in JSON, and over time and in trials.
fn written(model: &Model, tree: &FaultTree, text: &str, p: f64) {
    let budget = Budget::unlimited();
    let asked = Asked {
        time_step: Some(10_000.0),
        uncertainty: Some((3, 0)),
        ..Asked::default()
    };
    let request = request(Sets::Cuts, true, &budget);
    let found = find_in_model((model, None, &State::default()), tree, request, asked);
    let found = found.expect("a tree");
    for &[time, at] in found.besides().curve.as_deref().expect("it was asked for") {
        close(at, p, &format!("P(top) at {time}"), text);
    }
    let trials = found.besides().uncertainty.as_ref().expect("asked for");
    close(trials.mean, p, "the mean", text);
    let mut json = Vec::new();
    found.write_json(&mut json).expect("memory");
    let json: Value = serde_json::from_slice(&json).expect("JSON");
    let rows = found.importance().expect("asked for").iter();
    for (row, json) in rows.zip(json["importance"].as_array().expect("asked for")) {
        close(number_of(&json["birnbaum"]), row.birnbaum, "JSON", text);
        for (key, found) in [
            ("critical", row.critical),
            ("diagnostic", row.diagnostic),
            ("fussell_vesely", row.fussell_vesely),
            ("risk_achievement", row.risk_achievement),
            ("risk_reduction", row.risk_reduction),
        ] {
            assert_eq!(json[key].is_null(), found.is_none(), "{key}");
            if let Some(found) = found {
                close(number_of(&json[key]), found, key, text);
            }
        }
    }
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
    let budget = Budget::unlimited();
    let found = find(&tree, request(Sets::Cuts, false, &budget)).expect("a tree");
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
