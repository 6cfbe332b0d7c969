//! The known answers of independent programs, asked through the command.

use std::collections::HashSet;
use std::fs;

use meetjoin_catalogue::method::Needs;
use serde_json::{Map, Value, json};

use crate::support::{Scratch, algorithms, answer, value};

/// The cases of a file, each split into a problem file and the rest.
fn load(file: &str) -> Vec<(String, Map<String, Value>)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cases/").to_owned() + file;
    let text = fs::read_to_string(path).expect("the repository keeps a copy");
    let text: Value = serde_json::from_str(&text).expect("valid JSON");
    let cases = text["cases"].as_array().expect("a list of cases").clone();
    let split = cases.into_iter().map(|case| {
        let Value::Object(mut rest) = case else {
            panic!("a case is an object")
        };
        let mut problem = json!({"format": "meetjoin-problem/1"});
        for key in ["lattice", "root", "nodes"] {
            problem[key] = rest.remove(key).expect("a problem has it");
        }
        (problem.to_string(), rest)
    });
    split.collect()
}

/// Whether an algorithm with these needs may run on the lattice of a problem.
fn fits(needs: Needs, problem: &str) -> bool {
    let problem: Value = serde_json::from_str(problem).expect("JSON");
    let lattice = &problem["lattice"];
    let broken = ["M3", "N5", "Part4", "closure"];
    let distributive = !lattice["name"]
        .as_str()
        .is_some_and(|name| broken.contains(&name));
    match needs {
        Needs::Lattice => true,
        Needs::Distributive => distributive,
        Needs::TotalOrder => lattice["type"] == "chain" || lattice["type"] == "bool",
        Needs::JoinPrimes => false,
    }
}

/// Algorithms that visit a node once for every path to it, at least where there is something to
/// cut.
const MANY_VISITS: [&str; 14] = [
    "minimax",
    "shallow",
    "deep",
    "couwenberg",
    "strong",
    "alpha-beta",
    "alpha-beta-cached",
    "scout",
    "alpha-beta-informed",
    "nega-scout",
    "sss-2",
    "sss-2-dual",
    "sss-star",
    "sss-star-dual",
];

#[test]
fn explicit_problems_have_the_known_values() {
    let mut solved = 0;
    for (problem, rest) in load("explicit.json") {
        let (id, expected) = (&rest["id"], rest["expected"].to_string());
        let ladder = rest["note"]
            .as_str()
            .is_some_and(|note| note.starts_with("ladder"));
        for algorithm in algorithms() {
            // 2^60 paths: only a cache of everything gets through.
            if ladder && MANY_VISITS.contains(&algorithm.id) || !fits(algorithm.needs(), &problem) {
                continue;
            }
            let value = value(&problem, &["--algorithm", algorithm.id]);
            assert_eq!(value, expected, "{id} {}", algorithm.id);
            solved += 1;
        }
    }
    assert!(solved > 300, "{solved}");
}

#[test]
fn events_are_the_known_calls_of_algorithms_1_and_2() {
    let scratch = Scratch::new("li-dag");
    for (problem, rest) in load("li_dag.json") {
        for (algorithm, short) in [("alpha-beta", "AB"), ("alpha-beta-duo-plain", "ABD")] {
            let path = scratch.path(algorithm);
            let answer = answer(&problem, &["--algorithm", algorithm, "--events", &path]);
            let events = fs::read_to_string(path).expect("events");
            let entered = events.lines().filter(|line| line.contains("\"enter\""));
            let nodes = entered.map(|line| {
                let event: Value = serde_json::from_str(line).expect("JSON lines");
                event["node"].to_string()
            });
            let nodes: Vec<String> = nodes.collect();
            let distinct = nodes.iter().collect::<HashSet<_>>().len();
            let id = &rest["id"];
            assert_eq!(answer["value"], rest["value"], "{id} {algorithm}");
            assert_eq!(
                rest[&format!("{short}_calls")],
                nodes.len(),
                "{id} {algorithm}"
            );
            assert_eq!(
                rest[&format!("{short}_distinct")],
                distinct,
                "{id} {algorithm}"
            );
            assert_eq!(answer["stats"]["visits"], nodes.len(), "{id} {algorithm}");
            assert_eq!(answer["stats"]["nodes"], distinct, "{id} {algorithm}");
            if short == "ABD" {
                let cache = rest["ABD_cache"].as_array().map(Vec::len);
                assert_eq!(
                    Some(answer["stats"]["cache_entries"].to_string()),
                    cache.map(|n| n.to_string())
                );
            }
        }
    }
}
