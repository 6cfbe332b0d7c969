//! `--events`: every visit of a search in order. Worked out by hand on a graph with a cut and a
//! node that is found again.

use std::collections::HashSet;
use std::fs;

use serde_json::Value;

use crate::support::{
    EXAMPLE, Scratch, algorithms_for_sets, answer, example_without_bounds, leaf, solve,
};

/// r = a OR b OR a with a = {1,2} AND {2,3} = {2} and b = {2} AND {1,3} AND {3} = {}.
const SMALL: &str = r#"{"format":"meetjoin-problem/1","lattice":{"type":"powerset","v":3},"root":"r","nodes":[
    {"id":"r","kind":"or","children":["a",7,"a"]},
    {"id":"a","kind":"and","children":["x","y"]},
    {"id":7,"kind":"and","children":["p","q","s"]},
    {"id":"x","kind":"leaf","value":[1,2]},{"id":"y","kind":"leaf","value":[2,3]},
    {"id":"p","kind":"leaf","value":[2]},{"id":"q","kind":"leaf","value":[1,3]},{"id":"s","kind":"leaf","value":[3]}]}"#;

/// The events of a search, as short as they can be written: `+x a..b` enter with its window, `!x`
/// leaf, `x cut n`, `-x value` or `-x lower..upper`.
fn events(problem: &str, algorithm: &str) -> (Vec<String>, Value) {
    let scratch = Scratch::new(&format!("events-{algorithm}-{}", problem.len()));
    let path = scratch.path("events");
    let answer = answer(problem, &["--algorithm", algorithm, "--events", &path]);
    let text = fs::read_to_string(path).expect("events");
    (text.lines().map(short).collect(), answer)
}

fn short(line: &str) -> String {
    let event: Value = serde_json::from_str(line).expect("JSON lines");
    let part = |key: &str| event[key].to_string();
    let (text, keys): (String, &[&str]) = match event["event"].as_str() {
        Some("enter") if event["alpha"].is_null() => (format!("+{}", part("node")), &[]),
        Some("enter") => (
            format!("+{} {}..{}", part("node"), part("alpha"), part("beta")),
            &["alpha", "beta"],
        ),
        Some("leaf") => (format!("!{}", part("node")), &[]),
        Some("cutoff") => (
            format!("{} cut {}", part("node"), part("skipped")),
            &["skipped"],
        ),
        Some("exit") if event["value"].is_null() => (
            format!("-{} {}..{}", part("node"), part("lower"), part("upper")),
            &["lower", "upper"],
        ),
        Some("exit") => (format!("-{} {}", part("node"), part("value")), &["value"]),
        _ => panic!("no such event: {line}"),
    };
    // No key but these, in this order, and no space.
    let keys = ["event", "node"].iter().chain(keys);
    let whole: Vec<String> = keys.map(|key| format!("\"{key}\":{}", part(key))).collect();
    assert_eq!(line, format!("{{{}}}", whole.join(",")));
    text.replace('"', "")
}

/// The lines that are not blank, without their margins.
fn lines(text: &str) -> Vec<&str> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect()
}

#[test]
fn minimax_has_no_windows_and_skips_nothing() {
    let expected = "+r
        +a +x !x -x [1,2]..[1,2] +y !y -y [2,3]..[2,3] -a [2]..[2]
        +7 +p !p -p [2]..[2] +q !q -q [1,3]..[1,3] +s !s -s [3]..[3] -7 []..[]
        +a +x !x -x [1,2]..[1,2] +y !y -y [2,3]..[2,3] -a [2]..[2]
        -r [2]..[2]";
    check_words("minimax", expected);
    let expected = "+r
        +a +x !x -x [1,2]..[1,2] +y !y -y [2,3]..[2,3] -a [2]..[2]
        +7 +p !p -p [2]..[2] +q !q -q [1,3]..[1,3] +s !s -s [3]..[3] -7 []..[]
        +a -a [2]..[2]
        -r [2]..[2]";
    check_words("minimax-cached", expected);
}

fn check_words(algorithm: &str, expected: &str) {
    let (found, _) = events(SMALL, algorithm);
    let words: Vec<&str> = expected.split_whitespace().collect();
    let found = found.join(" ");
    assert_eq!(found.split(' ').collect::<Vec<_>>(), words, "{algorithm}");
}

#[test]
fn alpha_beta_writes_values_and_the_windows_of_callers() {
    let begin = "
        +r []..[1,2,3]
        +a []..[1,2,3]
        +x []..[1,2,3]
        !x
        -x [1,2]
        +y []..[1,2]
        !y
        -y [2,3]
        -a [2]
        +7 [2]..[1,2,3]
        +p [2]..[1,2,3]
        !p
        -p [2]
        7 cut 2
        -7 [2]
        +a [2]..[1,2,3]";
    let again = "
        +x [2]..[1,2,3]
        !x
        -x [1,2]
        +y [2]..[1,2]
        !y
        -y [2,3]";
    let end = "
        -a [2]
        -r [2]";
    let all = [begin, again, end].concat();
    assert_eq!(events(SMALL, "alpha-beta").0, lines(&all));
    // The cache knows `a`; nothing was cut below it.
    let all = [begin, end].concat();
    assert_eq!(events(SMALL, "alpha-beta-cached").0, lines(&all));
}

#[test]
fn alpha_beta_duo_writes_both_bounds() {
    let expected = "
        +r []..[1,2,3]
        +a []..[1,2,3]
        +x []..[1,2,3]
        !x
        -x [1,2]..[1,2]
        +y []..[1,2]
        !y
        -y [2,3]..[2,3]
        -a [2]..[2]
        +7 [2]..[1,2,3]
        +p [2]..[1,2,3]
        !p
        -p [2]..[2]
        7 cut 2
        -7 []..[2]
        +a [2]..[1,2,3]
        -a [2]..[2]
        -r [2]..[2]";
    assert_eq!(events(SMALL, "alpha-beta-duo-plain").0, lines(expected));
    // The refinement looks at the leaves that were skipped.
    let refined = expected.replace("-7 []..[2]", "-7 []..[]");
    assert_eq!(events(SMALL, "alpha-beta-duo-published").0, lines(&refined));
}

#[test]
fn bounds_of_the_file_show_in_the_windows() {
    // The upper bound [1,2] of `a` is its beta, so x is entered with it.
    let expected = "
        +r []..[1,2,3,4]
        +a []..[1,2,3,4]
        +x []..[1,2]
        !x
        -x [1,2]..[1,2]
        +y []..[1,2]
        !y
        -y [2,3]..[2,3]
        +y []..[2]
        !y
        -y [2,3]..[2,3]
        -a [2]..[2]
        +x [2]..[1,2,3,4]
        !x
        -x [1,2]..[1,2]
        -r [1,2]..[1,2]";
    assert_eq!(events(EXAMPLE, "alpha-beta-duo-plain").0, lines(expected));
    let without = expected.replace("+x []..[1,2]", "+x []..[1,2,3,4]");
    let (found, _) = events(&example_without_bounds(), "alpha-beta-duo-plain");
    assert_eq!(found, lines(&without));
}

/// Without events the default would ask whether the value is above the middle of these bounds.
#[test]
fn the_default_enters_a_chain_once_through_the_full_window() {
    let problem = r#"{"format":"meetjoin-problem/1","lattice":{"type":"chain","lo":0,"hi":100},"root":"r","nodes":[
        {"id":"r","kind":"or","children":["a","b"],"lower":0,"upper":40},
        {"id":"a","kind":"and","children":["x","y"]},{"id":"b","kind":"and","children":["y","z"]},
        {"id":"x","kind":"leaf","value":30},{"id":"y","kind":"leaf","value":20},{"id":"z","kind":"leaf","value":25}]}"#;
    let (events, answer) = events(problem, "alpha-beta-duo");
    assert_eq!(answer["value"], 20);
    let of_root: Vec<&String> = events
        .iter()
        .filter(|event| event.starts_with("+r "))
        .collect();
    assert_eq!(of_root, ["+r 0..100"]);
}

#[test]
fn a_root_that_is_a_leaf_is_three_events() {
    let problem = leaf(r#"{"type":"chain","lo":0}"#, "2.5");
    let leaf =
        |window: &str, exit: &str| vec![format!("+1{window}"), "!1".into(), format!("-1 {exit}")];
    let full = " 0.0..+inf";
    for (id, expected) in [
        ("minimax", leaf("", "2.5..2.5")),
        ("alpha-beta", leaf(full, "2.5")),
        ("alpha-beta-duo", leaf(full, "2.5..2.5")),
    ] {
        assert_eq!(events(&problem, id).0, expected);
    }
}

#[test]
fn events_count_what_the_answer_counts_and_change_nothing() {
    for algorithm in algorithms_for_sets() {
        let (found, with) = events(SMALL, algorithm.id);
        let count = |begin: char| {
            found
                .iter()
                .filter(|event| event.starts_with(begin))
                .count()
        };
        let cuts = found.iter().filter(|event| event.contains(" cut ")).count();
        let nodes: HashSet<&str> = found
            .iter()
            .filter_map(|event| event.strip_prefix('+'))
            .collect();
        let nodes: HashSet<&str> = nodes
            .iter()
            .filter_map(|event| event.split(' ').next())
            .collect();
        let stats = &with["stats"];
        assert_eq!(stats["visits"], count('+'));
        assert_eq!(stats["visits"], count('-'), "every node is left");
        assert_eq!(stats["leaves"], count('!'));
        assert_eq!(stats["cutoffs"], cuts);
        assert_eq!(stats["nodes"], nodes.len());
        let without = answer(SMALL, &["--algorithm", algorithm.id]);
        for key in [
            "nodes",
            "visits",
            "leaves",
            "cutoffs",
            "cache_hits",
            "probes",
            "cache_entries",
        ] {
            assert_eq!(stats[key], without["stats"][key], "{} {key}", algorithm.id);
        }
    }
}

#[test]
fn events_replace_an_old_file_and_end_where_the_search_does() {
    let scratch = Scratch::new("events-old");
    let path = scratch.file("events", "old\n".repeat(1000));
    let run = solve(
        SMALL,
        &[
            "--algorithm",
            "minimax",
            "--max-visits",
            "3",
            "--events",
            &path,
        ],
    );
    assert_eq!(run.status, Some(3));
    let text = fs::read_to_string(path).expect("events");
    let found: Vec<String> = text.lines().map(short).collect();
    // The third visit is the last; what it brings counts.
    assert_eq!(found, ["+r", "+a", "+x", "!x", "-x [1,2]..[1,2]"]);
}
