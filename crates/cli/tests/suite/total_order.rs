//! The algorithms for total orders through the binary: known calls as events, lattices that are
//! chains or not, limits, bounds.

use meetjoin_catalogue::method::Needs;
use serde_json::{Value, json};

use crate::support::{
    Scratch, algorithms_for_chains, algorithms_for_integers, answer, leaf, meetjoin, refused,
    solve, value,
};

/// A case of `informed.json` as a problem file: inner nodes have their bounds.
fn problem(case: &Value) -> String {
    let nodes = case["nodes"].as_array().expect("a list").iter();
    let nodes = nodes.map(|node| {
        if let Some(value) = node.get("leaf") {
            return json!({"id": node["id"], "kind": "leaf", "value": value});
        }
        let kind = if node["kind"] == "max" { "or" } else { "and" };
        let or = |end: &Value, infinite: &str| {
            if end.is_null() {
                json!(infinite)
            } else {
                end.clone()
            }
        };
        json!({"id": node["id"], "kind": kind, "children": node["children"],
            "lower": or(&node["L"], "-inf"), "upper": or(&node["U"], "+inf")})
    });
    let nodes: Vec<Value> = nodes.collect();
    let problem = json!({"format": "meetjoin-problem/1", "lattice": {"type": "chain"}, "root": case["root"], "nodes": nodes});
    problem.to_string()
}

fn events(problem: &str, algorithm: &str) -> Vec<Value> {
    let scratch = Scratch::new("total-order-events");
    let file = scratch.path("events");
    answer(problem, &["--algorithm", algorithm, "--events", &file]);
    let text = std::fs::read_to_string(file).expect("written");
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[test]
fn events_are_the_known_calls_of_informed_searches() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cases/informed.json");
    let text = std::fs::read_to_string(path).expect("the repository keeps a copy");
    let file: Value = serde_json::from_str(&text).expect("JSON");
    for case in file["cases"].as_array().expect("a list") {
        let (id, problem) = (&case["id"], problem(case));
        for algorithm in algorithms_for_integers() {
            let found: Value =
                serde_json::from_str(&value(&problem, &["--algorithm", algorithm.id]))
                    .expect("JSON");
            assert_eq!(found, case["value"], "{id} {}", algorithm.id);
        }
        let events_of = |algorithm| {
            let events = events(&problem, algorithm).into_iter();
            events
                .filter(|event| event["event"] == "enter")
                .collect::<Vec<Value>>()
        };
        let entered = events_of("alpha-beta-informed");
        let order: Vec<&Value> = entered.iter().map(|event| &event["node"]).collect();
        assert_eq!(json!(order), case["alphabeta_order"], "{id}");
        let entered = events_of("sss-2");
        let calls: Vec<Value> = entered
            .iter()
            .map(|event| {
                assert!(event.get("alpha").is_none() && event.get("beta").is_none());
                let call = if event["call"] == "expand" { "E" } else { "D" };
                json!([call, event["node"]])
            })
            .collect();
        let known = case["sss2_calls"].as_array().expect("a list").iter();
        let known: Vec<Value> = known.map(|call| json!([call[0], call[1]])).collect();
        assert_eq!(calls, known, "{id}");
    }
}

#[test]
fn every_chain_will_do_and_nothing_else() {
    for (lattice, value) in [
        (r#"{"type":"bool"}"#, "true"),
        (r#"{"type":"chain","lo":0,"hi":9}"#, "7"),
        (r#"{"type":"chain"}"#, "2.5"),
        (r#"{"type":"powerset","v":1}"#, "[1]"),
        (r#"{"type":"families","v":1}"#, "[1]"),
        (r#"{"type":"divisors","n":64}"#, "4"),
        (r#"{"type":"dual","of":{"type":"chain"}}"#, "-3"),
        (
            r#"{"type":"product","of":[{"type":"chain"},{"type":"powerset","v":0}]}"#,
            "[3,[]]",
        ),
        (r#"{"type":"free","dims":1}"#, "[5]"),
        (
            r#"{"type":"table","elements":["a","b","c"],"covers":[["a","b"],["b","c"]]}"#,
            "\"b\"",
        ),
    ] {
        for algorithm in algorithms_for_chains() {
            answer(&leaf(lattice, value), &["--algorithm", algorithm.id]);
        }
    }
    for (lattice, value, witness) in [
        (
            r#"{"type":"powerset","v":2}"#,
            "[1]",
            "[1] and [2] are incomparable",
        ),
        (
            r#"{"type":"families","v":9}"#,
            "[1]",
            "[[1]] and [[2]] are incomparable",
        ),
        (
            r#"{"type":"divisors","n":12}"#,
            "4",
            "2 and 3 are incomparable",
        ),
        (
            r#"{"type":"product","dims":2}"#,
            "[1,2]",
            "factor 1 alone and what is best in factor 2 alone",
        ),
        (
            r#"{"type":"free","dims":2}"#,
            "[1,2]",
            "[1,0] and [0,1] are incomparable",
        ),
    ] {
        for algorithm in algorithms_for_chains() {
            let run = solve(leaf(lattice, value), &["--algorithm", algorithm.id]);
            let sentence = refused(&run);
            for part in [
                algorithm.id,
                "needs a TotalOrder",
                witness,
                "alpha-beta-duo",
            ] {
                assert!(sentence.contains(part), "{part}: {sentence}");
            }
        }
    }
}

#[test]
fn a_game_over_sets_says_that_it_is_no_chain() {
    let deal =
        "racing --deck 6 --goal 2 --hand 1,3,5 --lead 2 --lattice powerset --algorithm mtd-f";
    let run = meetjoin(&deal.split(' ').collect::<Vec<_>>(), "");
    let sentence = refused(&run);
    assert!(
        sentence.contains("mtd-f needs a TotalOrder, which the lattice of this game is not"),
        "{sentence}"
    );
}

/// A search that is stopped has true bounds, and SSS-2 has its milestones.
#[test]
fn limits_leave_bounds() {
    let tree = "generate uniform --branching 4 --depth 5 --most 1000 --seed 3";
    let run = meetjoin(&tree.split(' ').collect::<Vec<_>>(), "");
    let exact: Value = serde_json::from_str(&value(&run.out, &[])).expect("JSON");
    let exact = exact.as_i64().expect("an integer");
    let end = |bound: &Value, infinite: i64| bound.as_i64().unwrap_or(infinite);
    let mut milestones = 0;
    for algorithm in algorithms_for_chains() {
        assert_eq!(algorithm.needs(), Needs::TotalOrder);
        for visits in ["0", "1", "40", "200", "400"] {
            let run = solve(
                &run.out,
                &[
                    "--json",
                    "--algorithm",
                    algorithm.id,
                    "--max-visits",
                    visits,
                ],
            );
            let over = run.status == Some(0) && visits == "400";
            assert!(over || run.status == Some(3), "{} {run:?}", algorithm.id);
            let answer: Value = serde_json::from_str(&run.out).expect("JSON");
            let (lower, upper) = (
                end(&answer["lower"], i64::MIN),
                end(&answer["upper"], i64::MAX),
            );
            assert!(lower <= exact && exact <= upper, "{}", run.out);
            milestones += u32::from(algorithm.id == "sss-2" && upper < i64::MAX);
        }
    }
    assert!(milestones > 0, "SSS-2 is anytime");
}

/// Bounds that are not true, and a limit that fires before the search is through: no crossed
/// interval is printed.
#[test]
fn crossed_bounds_are_no_answer() {
    let problem = r#"{"format":"meetjoin-problem/1","lattice":{"type":"chain"},"root":"r","nodes":[
        {"id":"r","kind":"or","children":["a","b"],"lower":6,"upper":9},
        {"id":"a","kind":"and","children":["x","y"],"lower":1,"upper":3},
        {"id":"b","kind":"and","children":["x","z"],"lower":0,"upper":2},
        {"id":"x","kind":"leaf","value":3},{"id":"y","kind":"leaf","value":4},{"id":"z","kind":"leaf","value":2}]}"#;
    for algorithm in ["sss-2", "sss-2-cached", "sss-2-dual", "sss-star"] {
        for visits in ["1", "2", "3", "4", "5", "6", "7", "100"] {
            let run = solve(
                problem,
                &["--json", "--algorithm", algorithm, "--max-visits", visits],
            );
            if run.status == Some(2) {
                assert!(refused(&run).contains("contradict each other"), "{run:?}");
                continue;
            }
            let answer: Value = serde_json::from_str(&run.out).expect("JSON");
            let end = |bound: &Value, infinite: i64| bound.as_i64().unwrap_or(infinite);
            let (lower, upper) = (
                end(&answer["lower"], i64::MIN),
                end(&answer["upper"], i64::MAX),
            );
            assert!(lower <= upper, "{algorithm} {visits}: {}", run.out);
        }
    }
}
