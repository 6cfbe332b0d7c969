//! What a limit leaves: attacks that exist, and what no attack betters.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use meetjoin_attacks::{AttackTree, from_text};
use meetjoin_lattice::{Budget, Limits, Stop};
use serde_json::Value;

use crate::known::{asked, json};

/// The answer of a search that ends before it begins.
fn stopped(tree: &AttackTree, pareto: &[String]) -> Value {
    let budget = Budget::new(Limits {
        cancel: Some(Arc::new(AtomicBool::new(true))),
        ..Limits::default()
    });
    let (found, stop) = asked(tree, &budget, |request| request.pareto = pareto.to_vec());
    assert_eq!(stop, Some(Stop::Cancelled));
    found
}

/// Trees in which time adds in sequences.
const SEQUENCES: &[&str] = &[
    include_str!("../../../../examples/office.txt"),
    "attribute time max
    attribute cost sum
    shared = and first second
    first = sand a either
    second = 2 of b either third
    third = sand c c
    either = or b slow
    slow = sand a c
    a time=0.1 cost=7
    b time=0.7 cost=2
    c time=0.2 cost=1
    ",
];

#[test]
fn every_attribute_has_a_bound() {
    for text in SEQUENCES {
        let tree = from_text(text, None, &[]).expect("a tree");
        let names = tree.attributes().iter();
        let names: Vec<String> = names.map(|attribute| attribute.name.clone()).collect();
        let exact = json(&tree, |request| request.pareto.clone_from(&names));
        let found = stopped(&tree, &names);
        for name in &names {
            let [exact, reached, bound] = [
                &exact["best"],
                &found["best"],
                &found["best_is_no_better_than"],
            ]
            .map(|of| of[name].as_f64().expect(name));
            let is_between = if name == "p" {
                reached <= exact && exact <= bound
            } else {
                bound <= exact && exact <= reached
            };
            assert!(is_between, "{name}: {bound} {exact} {reached}");
        }
        // What is said of time is the truth already.
        assert_eq!(found["best"]["time"], exact["best"]["time"]);
        // The front that is reached has true values: no vector of the front is worse.
        assert_eq!(found["front_is"], "reached");
        let value = |point: &Value, name: &str| point["values"][name].as_f64().expect(name);
        let points = |answer: &Value| answer["front"].as_array().expect("a front").clone();
        for point in points(&found) {
            let is_no_worse = |best: &Value| {
                let mut names = names.iter();
                names.all(|name| {
                    let (best, reached) = (value(best, name), value(&point, name));
                    if name == "p" {
                        best >= reached
                    } else {
                        best <= reached
                    }
                })
            };
            assert!(points(&exact).iter().any(is_no_worse), "{point}");
        }
    }
}
