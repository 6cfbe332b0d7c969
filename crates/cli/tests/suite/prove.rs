//! `meetjoin prove`, and whole values by claims.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::support::{answer, example_without_bounds, meetjoin, refused};

const ALGORITHMS: [&str; 3] = ["df-pn", "proof-number", "test"];

/// The JSON answer of a run that must end with a decision.
fn prove(problem: &str, at_least: &str, args: &[&str]) -> Value {
    let all = [&["prove", "-", "--json", "--at-least", at_least], args].concat();
    let run = meetjoin(&all, problem);
    assert_eq!((run.status, &*run.err), (Some(0), ""), "{all:?}");
    serde_json::from_str(&run.out).expect("JSON")
}

fn generated(args: &[&str]) -> String {
    let run = meetjoin(&[&["generate"], args].concat(), "");
    assert_eq!((run.status, &*run.err), (Some(0), ""), "{args:?}");
    run.out
}

/// Every claim about a value that is a number, near it.
fn check_number(problem: &str) {
    let value = answer(problem, &[])["value"].as_i64().expect("a number");
    for algorithm in ALGORITHMS {
        for (at_least, result) in [
            (value - 1, "proved"),
            (value, "proved"),
            (value + 1, "disproved"),
        ] {
            let found = prove(problem, &at_least.to_string(), &["--algorithm", algorithm]);
            assert_eq!(found["format"], "meetjoin-proof/1");
            assert_eq!(
                found["result"], result,
                "{algorithm}, {at_least} of {value}"
            );
            assert_eq!(
                (&found["algorithm"], &found["threshold"]),
                (&algorithm.into(), &at_least.into())
            );
            let numbers = (&found["proof_number"], &found["disproof_number"]);
            let (zero, infinity) = (Value::from(0), Value::Null);
            let expected = if result == "proved" {
                (&zero, &infinity)
            } else {
                (&infinity, &zero)
            };
            assert_eq!(numbers, expected);
        }
    }
    for algorithm in ["df-pn", "proof-number"] {
        let found = answer(problem, &["--algorithm", algorithm]);
        assert_eq!(found["value"], value, "{algorithm}");
    }
}

#[test]
fn numbers() {
    let uniform = ["uniform", "--branching", "3", "--depth", "4", "--seed", "5"];
    for more in [
        &["--most", "20"][..],
        &["--most", "1000000", "--values", "incremental"],
        &["--most", "30", "--bounds", "7"],
    ] {
        check_number(&generated(&[&uniform[..], more].concat()));
    }
}

#[test]
fn games_node_by_node_and_by_their_rules() {
    for game in [
        &[
            "connect-four",
            "--columns",
            "4",
            "--rows",
            "4",
            "--moves",
            "12",
        ][..],
        &["kalah", "--pits", "3", "--seeds", "2"],
    ] {
        let explicit = generated(game);
        let compact = generated(&[game, &["--compact"]].concat());
        check_number(&compact);
        let value = answer(&explicit, &[])["value"].to_string();
        for problem in [&explicit, &compact] {
            let found = prove(problem, &value, &["--max-memory", "64M"]);
            assert_eq!(found["result"], "proved");
        }
    }
}

#[test]
fn sets_families_and_tables() {
    let random = [
        "random",
        "--depth",
        "5",
        "--branching",
        "3",
        "--variables",
        "6",
        "--seed",
        "4",
    ];
    let sets = generated(&[&random[..], &["--lattice", "powerset"]].concat());
    let value = &answer(&sets, &[])["value"];
    for algorithm in ["df-pn", "proof-number"] {
        assert_eq!(answer(&sets, &["--algorithm", algorithm])["value"], *value);
    }
    let inside = |world: usize| {
        value
            .as_array()
            .is_some_and(|all| all.contains(&world.into()))
    };
    for world in 1..=6 {
        for algorithm in ALGORITHMS {
            let found = prove(&sets, &format!("[{world}]"), &["--algorithm", algorithm]);
            let result = if inside(world) { "proved" } else { "disproved" };
            assert_eq!(found["result"], result);
            // As it is printed, and without braces.
            for shown in [format!("{{{world}}}"), world.to_string()] {
                let same = prove(&sets, &shown, &["--algorithm", algorithm]);
                for key in ["threshold", "result", "visits"] {
                    assert_eq!(same[key], found[key], "{shown}: {key}");
                }
            }
        }
    }
    let families = generated(&[&random[..], &["--lattice", "families"]].concat());
    let value = &answer(&families, &[])["value"];
    assert_eq!(
        answer(&families, &["--algorithm", "thresholds"])["value"],
        *value
    );
    for set in value.as_array().expect("a family") {
        for algorithm in ALGORITHMS {
            let found = prove(&families, &format!("[{set}]"), &["--algorithm", algorithm]);
            assert_eq!(found["result"], "proved");
        }
    }
    let deal = [
        "racing",
        "--deck",
        "10",
        "--goal",
        "2",
        "--hand-size",
        "3",
        "--seed",
        "2",
    ];
    let deal = generated(&[&deal[..], &["--lattice", "families"]].concat());
    let value = &answer(&deal, &[])["value"];
    assert_eq!(
        answer(&deal, &["--algorithm", "thresholds"])["value"],
        *value
    );
}

#[test]
fn proofs_are_written() {
    let folder = std::env::temp_dir().join(format!("meetjoin-prove-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let problem = example_without_bounds();
    for algorithm in ["df-pn", "proof-number"] {
        for (at_least, result) in [("[1]", "proved"), ("[3]", "disproved")] {
            let json = folder.join("proof.json");
            let file = json.to_str().expect("UTF-8");
            let found = prove(
                &problem,
                at_least,
                &["--algorithm", algorithm, "--proof", file],
            );
            let text = std::fs::read_to_string(&json).expect("the proof");
            let proof: Value = serde_json::from_str(&text).expect("JSON");
            assert_eq!(proof["format"], "meetjoin-proof-graph/1");
            assert_eq!(
                (&proof["result"], &found["result"]),
                (&result.into(), &result.into())
            );
            let nodes = proof["nodes"].as_array().expect("nodes");
            assert_eq!(found["proof_nodes"], nodes.len());
            let known: HashMap<&str, &Value> = nodes
                .iter()
                .map(|node| (node["id"].as_str().expect("a name"), node))
                .collect();
            for node in nodes {
                let children = node["children"].as_array();
                assert_eq!(children.is_none(), node["kind"] == "leaf");
                let mut children = children.into_iter().flatten();
                assert!(children.all(|child| known.contains_key(child.as_str().expect("a name"))));
            }
            let dot = folder.join("proof.dot");
            let file = dot.to_str().expect("UTF-8");
            prove(
                &problem,
                at_least,
                &["--algorithm", algorithm, "--proof", file],
            );
            let text = std::fs::read_to_string(&dot).expect("the drawing");
            assert!(text.starts_with("digraph {"));
            let leaf = if result == "proved" {
                "\\nat least {1}"
            } else {
                "not at least {3}"
            };
            assert!(text.contains(leaf), "{text}");
            let words = folder.join("proof.txt");
            let file = words.to_str().expect("UTF-8");
            prove(
                &problem,
                at_least,
                &["--algorithm", algorithm, "--proof", file],
            );
            let text = std::fs::read_to_string(&words).expect("the strategy");
            let expected = if result == "proved" {
                "MAX keeps it at least {1}\nr: MAX moves to\n  x: the game is over\n"
            } else {
                "MIN keeps it not at least {3}\nr: MAX may move to\n  a: MIN moves to\n    x: the game is over\n  x: the game is over\n"
            };
            assert_eq!(text, expected);
        }
    }
    std::fs::remove_dir_all(&folder).expect("its own folder");
}

#[test]
fn limits_say_unknown_with_the_numbers() {
    let game = generated(&["connect-four", "--columns", "6", "--rows", "5", "--compact"]);
    for algorithm in ["df-pn", "proof-number"] {
        let args = [
            "prove",
            "-",
            "--at-least",
            "1",
            "--algorithm",
            algorithm,
            "--max-visits",
            "1000",
            "--json",
        ];
        let run = meetjoin(&args, &game);
        assert_eq!(run.status, Some(3), "{run:?}");
        let found: Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!(
            (&found["result"], &found["stop"]),
            (&"unknown".into(), &"visits".into())
        );
        assert!(found["proof_number"].as_u64() > Some(0));
        assert!(found["disproof_number"].as_u64() > Some(0));
        let run = meetjoin(&args[..args.len() - 1], &game);
        assert!(run.out.contains("\nto prove "), "{run:?}");
        let args = [
            "solve",
            "-",
            "--algorithm",
            algorithm,
            "--max-visits",
            "1000",
        ];
        assert_eq!(meetjoin(&args, &game).status, Some(3));
    }
}

#[test]
fn a_table_of_a_megabyte_is_enough() {
    let game = generated(&["connect-four", "--columns", "5", "--rows", "4", "--compact"]);
    let found = prove(&game, "1", &["--max-memory", "1M"]);
    assert_eq!(found["result"], "disproved");
    assert!(found["stats"]["peak_memory_bytes"].as_u64() < Some(1 << 20));
}

/// Of functions of events one asks for the choices of all events.
#[test]
fn choices_of_all_events_are_asked_for() {
    let leaf = |id: &str, value| json!({"id": id, "kind": "leaf", "value": value});
    let root = json!({"id": "r", "kind": "or", "children": ["a", "b"]});
    let problem = json!({
        "format": "meetjoin-problem/1",
        "lattice": {"type": "monotone", "v": 2},
        "root": "r",
        "nodes": [root, leaf("a", json!([[1, 2]])), leaf("b", json!([[1, -2]]))],
    });
    let problem = problem.to_string();
    for (point, result) in [
        ("[[1,2]]", "proved"),
        ("[[1,-2]]", "proved"),
        ("[[-1,2]]", "disproved"),
        ("[[-1,-2]]", "disproved"),
    ] {
        assert_eq!(prove(&problem, point, &[])["result"], result, "{point}");
    }
    let run = meetjoin(&["prove", "-", "--at-least", "[1]"], &problem);
    assert!(refused(&run).contains("which are [[1,2]] and [[1,-2]]"));
    let wide = problem.replace("\"v\":2", "\"v\":60");
    let run = meetjoin(&["prove", "-", "--at-least", "[1]"], &wide);
    assert!(
        refused(&run).contains("it is not join-prime, and to list those below it takes too long")
    );
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let problem = example_without_bounds();
    for (args, why) in [
        (
            &["--at-least", "[1,2]"][..],
            "it is not join-prime; ask for each of the greatest join-primes below it, which are [1] and [2]",
        ),
        (
            &["--at-least", "\"bottom\""],
            "every value is at least the bottom",
        ),
        (
            &["--at-least", "7"],
            "is not an ascending list of distinct integers from 1 to 4",
        ),
        (&["--at-least", "["], "JSON"),
        (
            &["--at-least", "{1,2}"],
            "it is not join-prime; ask for each of the greatest join-primes below it, which are [1] and [2]",
        ),
        (&["--at-least", "{5}"], "JSON"),
        (&[], "--at-least"),
        (
            &["--at-least", "[1]", "--max-memory", "100"],
            "takes 128 bytes at least, and not ",
        ),
        (
            &[
                "--at-least",
                "[1]",
                "--algorithm",
                "test",
                "--proof",
                "x.json",
            ],
            "test keeps no proof",
        ),
        (&["--at-least", "[1]", "--algorithm", "minimax"], "minimax"),
    ] {
        let run = meetjoin(&[&["prove", "-"], args].concat(), &problem);
        let message = refused(&run);
        assert!(message.contains(why), "{args:?}: {message}");
    }
    let run = meetjoin(&["solve", "-", "--algorithm", "thresholds"], &problem);
    assert!(refused(&run).contains("df-pn finds those of integers and sets"));
    let free = generated(&["hexapawn", "--lattice", "free"]);
    let run = meetjoin(&["solve", "-", "--algorithm", "df-pn"], &free);
    assert!(refused(&run).contains("meetjoin prove asks for one join-prime of any lattice"));
}

#[test]
fn the_answer_is_printed_even_if_its_proof_cannot_be_written() {
    let problem = example_without_bounds();
    // Where it can be known before the search, nothing is searched.
    for (path, is_answered) in [("/dev/full", true), ("no/such/folder/x.json", false)] {
        let args = ["prove", "-", "--at-least", "[1]", "--proof", path];
        let run = meetjoin(&args, &problem);
        assert_eq!(run.status, Some(1), "{run:?}");
        assert_eq!(run.out.contains("proved"), is_answered, "{run:?}");
        assert!(run.err.contains(path), "{run:?}");
    }
}
