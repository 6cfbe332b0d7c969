//! What an exact answer looks like, for programs and for people.

use std::fmt::Write as _;

use serde_json::Value;

use crate::support::{
    EXAMPLE, algorithms_for_sets, answer, example_without_bounds, leaf, meetjoin, problem, solve,
};

/// The text with the number after each of these words replaced by `#`: what differs from run to
/// run.
fn masked(text: &str, before: &[&str]) -> String {
    before.iter().fold(text.to_owned(), |text, word| {
        let (head, tail) = text.split_once(word).expect("the word is there");
        let tail = tail.trim_start_matches(|c: char| c.is_ascii_digit() || ".e-".contains(c));
        format!("{head}{word}#{tail}")
    })
}

const NOISE: [&str; 2] = ["\"peak_memory_bytes\":", "\"seconds\":"];

#[test]
fn the_example_of_the_format() {
    let args = ["--json", "--algorithm", "alpha-beta-duo-plain"];
    let run = solve(example_without_bounds(), &args);
    assert_eq!((run.status, &*run.err), (Some(0), ""));
    let expected = concat!(
        r#"{"format":"meetjoin-answer/1","algorithm":"alpha-beta-duo-plain","exact":true,"#,
        r#""value":[1,2],"lower":[1,2],"upper":[1,2],"stop":null,"#,
        r#""stats":{"nodes":4,"visits":6,"leaves":4,"cutoffs":0,"cache_hits":0,"probes":0,"#,
        r#""relaxed_visits":0,"cache_entries":2,"peak_memory_bytes":#,"seconds":#}}"#,
        "\n"
    );
    assert_eq!(masked(&run.out, &NOISE), expected);
}

const KEYS: [&str; 8] = [
    "format",
    "algorithm",
    "exact",
    "value",
    "lower",
    "upper",
    "stop",
    "stats",
];
const STATS: [&str; 10] = [
    "nodes",
    "visits",
    "leaves",
    "cutoffs",
    "cache_hits",
    "probes",
    "relaxed_visits",
    "cache_entries",
    "peak_memory_bytes",
    "seconds",
];

/// That an object has these keys, no others, and in this order.
fn check_keys(object: &Value, text: &str, expected: &[&str]) {
    let found = object.as_object().expect("an object");
    assert_eq!(found.len(), expected.len(), "{text}");
    assert!(
        expected.iter().all(|key| found.contains_key(*key)),
        "{text}"
    );
    let places = expected.iter().map(|key| text.find(&format!("\"{key}\":")));
    assert!(places.is_sorted(), "{text}");
}

#[test]
fn every_algorithm_answers_in_the_same_shape() {
    for algorithm in algorithms_for_sets() {
        for problem in [EXAMPLE.to_owned(), leaf(r#"{"type":"chain"}"#, "7")] {
            let run = solve(&problem, &["--json", "--algorithm", algorithm.id]);
            assert_eq!((run.status, &*run.err), (Some(0), ""), "{}", algorithm.id);
            assert_eq!(run.out.lines().count(), 1, "{}", run.out);
            let answer: Value = serde_json::from_str(&run.out).expect("JSON");
            check_keys(&answer, &run.out, &KEYS);
            check_keys(&answer["stats"], &run.out, &STATS);
            assert_eq!(answer["format"], "meetjoin-answer/1");
            assert_eq!(answer["algorithm"], algorithm.id);
            assert_eq!(answer["stop"], Value::Null);
            for key in ["lower", "upper"] {
                assert_eq!(answer[key], answer["value"], "{}", run.out);
            }
            let stats = &answer["stats"];
            assert!(stats["seconds"].is_f64() && stats["peak_memory_bytes"].as_u64() > Some(0));
            for count in &STATS[..8] {
                assert!(stats[count].is_u64(), "{count}: {}", run.out);
            }
        }
    }
}

/// Counters of the example without bounds, worked out by hand: nodes, visits, leaves, cutoffs,
/// hits, entries. There is nothing to cut.
#[test]
fn every_algorithm_counts_as_the_format_says() {
    let twice = example_without_bounds().replace(r#"["a", "x"]"#, r#"["a", "x", "a"]"#);
    for (id, once, again) in [
        // Without a cache, `a` and what is below it are visited again.
        ("minimax", [4, 6, 4, 0, 0, 0], [4, 10, 7, 0, 0, 0]),
        ("minimax-cached", [4, 6, 4, 0, 0, 2], [4, 7, 4, 0, 1, 2]),
        // The second time alpha is [1,2], and `a` is cut after its child x, which holds beta at
        // [1,2].
        ("alpha-beta", [4, 6, 4, 0, 0, 0], [4, 8, 5, 1, 0, 0]),
        // So say all rules: the root has [1,2] then, and x lies below it.
        ("shallow", [4, 6, 4, 0, 0, 0], [4, 8, 5, 1, 0, 0]),
        ("deep", [4, 6, 4, 0, 0, 0], [4, 8, 5, 1, 0, 0]),
        ("couwenberg", [4, 6, 4, 0, 0, 0], [4, 8, 5, 1, 0, 0]),
        ("strong", [4, 6, 4, 0, 0, 0], [4, 8, 5, 1, 0, 0]),
        ("alpha-beta-cached", [4, 6, 4, 0, 0, 2], [4, 7, 4, 0, 1, 2]),
        (
            "alpha-beta-duo-plain",
            [4, 6, 4, 0, 0, 2],
            [4, 7, 4, 0, 1, 2],
        ),
    ] {
        for (problem, expected) in [(example_without_bounds(), once), (twice.clone(), again)] {
            let answer = answer(&problem, &["--algorithm", id]);
            let keys = [
                "nodes",
                "visits",
                "leaves",
                "cutoffs",
                "cache_hits",
                "cache_entries",
            ];
            let found = keys.map(|key| answer["stats"][key].as_u64().expect("a count"));
            assert_eq!(found, expected, "{id} on {problem}");
        }
    }
}

#[test]
fn bounds_of_inner_nodes_save_visits_where_they_are_used() {
    // r = a OR b; a is the top, as its lower bound says; so nothing else needs a look.
    let nodes = r#"{"id":1,"kind":"or","children":[2,3],"lower":[1,2]},
        {"id":2,"kind":"or","children":[3,4]},
        {"id":3,"kind":"leaf","value":[1]},{"id":4,"kind":"leaf","value":[2]}"#;
    let problem = problem(r#"{"type":"powerset","v":2}"#, &nodes.replace('\n', ""));
    for algorithm in algorithms_for_sets() {
        let answer = answer(&problem, &["--algorithm", algorithm.id]);
        assert_eq!(answer["value"].to_string(), "[1,2]");
        let visits = answer["stats"]["visits"].as_u64();
        assert_eq!(visits == Some(1), algorithm.bounds, "{answer}");
    }
}

#[test]
fn people_get_aligned_lines() {
    let args = ["--moves", "--algorithm", "minimax-cached"];
    let run = solve(example_without_bounds(), &args);
    assert_eq!((run.status, &*run.err), (Some(0), ""));
    assert_eq!(run.out, "value   {1,2}\nmove a  {2}\nmove x  {1,2}\n");
    let run = solve(example_without_bounds(), &[&["-v"], &args[..]].concat());
    let expected = "\
value        {1,2}
move a       {2}
move x       {1,2}
algorithm    minimax-cached
visits       6 (4 distinct nodes, 4 leaves)
cutoffs      0
cache        2 entries, 0 hits, # MiB
time         # s
peak memory  # MiB
";
    assert_eq!(
        masked(&run.out, &["hits, ", "time         ", "memory  "]),
        expected
    );
    // Probes are shown where there are any.
    let run = solve(EXAMPLE, &["-v", "--algorithm", "alpha-beta-duo-published"]);
    assert!(run.out.contains("\nprobes       5\n"), "{}", run.out);
}

#[test]
fn names_cannot_break_the_lines() {
    let nodes = r#"{"id":1,"kind":"or","children":["a\nb\u001b[31m"]},
        {"id":"a\nb\u001b[31m","kind":"leaf","value":[1]}"#;
    let problem = problem(r#"{"type":"powerset","v":1}"#, &nodes.replace("},\n", "},"));
    let problem = problem.replace("\"root\"", r#""worlds":["x\ny"],"root""#);
    let run = solve(&problem, &["--moves"]);
    let fine = |c: char| c == '\n' || !c.is_control();
    assert!(run.out.chars().all(fine), "{:?}", run.out);
    assert!(
        run.out.contains(r#"{"x\ny"}"#) && run.out.contains(r"move a\nb\u{1b}[31m"),
        "{}",
        run.out
    );
}

#[test]
fn moves_are_the_values_of_the_children() {
    // The repeated child is one move.
    let again = example_without_bounds().replace(r#"["a", "x"]"#, r#"["a", "x", "a"]"#);
    for algorithm in algorithms_for_sets() {
        let plain = answer(&again, &["--algorithm", algorithm.id]);
        let answer = answer(&again, &["--moves", "--algorithm", algorithm.id]);
        let moves = concat!(
            r#"[{"child":"a","exact":true,"lower":[2],"stop":null,"upper":[2],"value":[2]},"#,
            r#"{"child":"x","exact":true,"lower":[1,2],"stop":null,"upper":[1,2],"value":[1,2]}]"#,
        );
        assert_eq!(answer["moves"].to_string(), moves, "{}", algorithm.id);
        // The counters are those of the root's search.
        for count in &STATS[..7] {
            assert_eq!(answer["stats"][count], plain["stats"][count], "{count}");
        }
    }
    let lone = answer(&leaf(r#"{"type":"bool"}"#, "true"), &["--moves"]);
    assert_eq!(lone["moves"].to_string(), "[]");
    // Ids keep their type.
    let nodes = r#"{"id":1,"kind":"or","children":[-5,"1"]},{"id":-5,"kind":"leaf","value":true},{"id":"1","kind":"leaf","value":false}"#;
    let ids = answer(&problem(r#"{"type":"bool"}"#, nodes), &["--moves"]);
    assert_eq!(
        (&ids["moves"][0]["child"], &ids["moves"][1]["child"]),
        (&(-5).into(), &"1".into())
    );
}

#[test]
fn many_moves_take_no_time() {
    const MANY: usize = 100_000;
    let children = vec!["2"; MANY].join(",");
    let (mut all, mut leaves) = (String::new(), String::new());
    for i in 2..MANY {
        let _ = write!(all, ",{i}");
        let _ = write!(leaves, r#",{{"id":{i},"kind":"leaf","value":{i}}}"#);
    }
    let nodes = format!(r#"{{"id":1,"kind":"or","children":[{children}{all}]}}{leaves}"#);
    let answer = answer(&problem(r#"{"type":"chain"}"#, &nodes), &["--moves"]);
    assert_eq!(answer["value"], MANY - 1);
    assert_eq!(answer["moves"].as_array().map(Vec::len), Some(MANY - 2));
}

#[test]
fn notes_and_unreachable_nodes_change_nothing() {
    let noted = EXAMPLE
        .replace("\"root\"", "\"note\": \"an example\", \"root\"")
        .replace(r#""id": "x","#, r#""note": "shared", "id": "x","#)
        .replace(
            r#""nodes": ["#,
            r#""nodes": [{"id": 1, "kind": "or", "children": ["y", "y"]},"#,
        );
    assert_eq!(noted.matches("note").count(), 2);
    let (plain, noted) = (answer(EXAMPLE, &[]), answer(&noted, &[]));
    for key in KEYS.iter().filter(|key| **key != "stats") {
        assert_eq!(plain[key], noted[key]);
    }
    for count in &STATS[..8] {
        assert_eq!(plain["stats"][count], noted["stats"][count], "{count}");
    }
}

#[test]
fn the_second_version_says_nothing_twice() {
    let run = solve(EXAMPLE, &["--json=2", "--moves"]);
    assert_eq!((run.status, &*run.err), (Some(0), ""));
    let answer: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(answer["format"], "meetjoin-answer/2");
    assert_eq!(
        (answer["exact"].as_bool(), answer["value"].to_string()),
        (Some(true), "[1,2]".to_owned())
    );
    assert_eq!(
        (
            answer.get("lower"),
            answer.get("upper"),
            answer.get("worlds")
        ),
        (None, None, None)
    );
    assert_eq!(
        answer["moves"][1].to_string(),
        r#"{"child":"x","exact":true,"stop":null,"value":[1,2]}"#
    );
    let stopped = solve(
        EXAMPLE,
        &["--json=2", "--max-visits", "1", "--without", "bounds,look"],
    );
    let answer: Value = serde_json::from_str(&stopped.out).expect("JSON");
    assert_eq!(
        (stopped.status, answer["exact"].as_bool()),
        (Some(3), Some(false))
    );
    assert!(answer["lower"].is_array() && answer["upper"].is_array() && answer["value"].is_null());
    assert_eq!(solve(EXAMPLE, &["--json=3"]).status, Some(2));

    // Hands that come back are listed once, and their places say the same.
    let deal = [
        "racing",
        "--deck",
        "18",
        "--goal",
        "4",
        "--hand",
        "2,5,8,11,14,17",
        "--lead",
        "1",
        "--lattice",
        "families",
    ];
    let [one, two] = ["--json=1", "--json=2"].map(|json| {
        let run = meetjoin(&[&deal[..], &[json]].concat(), "");
        assert_eq!((run.status, &*run.err), (Some(0), ""));
        serde_json::from_str::<Value>(&run.out).expect("JSON")
    });
    let worlds = two["worlds"]
        .as_array()
        .expect("many sets of the same hands");
    let sets = two["value"]
        .as_array()
        .expect("a family")
        .iter()
        .map(|set| {
            let places = set.as_array().expect("a set").iter();
            places
                .map(|place| worlds[place.as_u64().expect("a place") as usize].clone())
                .collect()
        });
    assert_eq!(Value::Array(sets.map(Value::Array).collect()), one["value"]);
    assert_eq!(one["stats"]["visits"], two["stats"]["visits"]);
}
