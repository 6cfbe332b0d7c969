//! `--heaviest`: sets with their weights, limits, and what is refused.

use std::fs;

use serde_json::{Value, json};

use crate::support::{meetjoin, one_sentence};

/// A choice between three sets of named worlds.
const CHOICE: &str = r#"{"format":"meetjoin-problem/1","lattice":{"type":"families","v":4},"root":"r",
    "worlds":["a","b","c","d"],"nodes":[{"id":"r","kind":"or","children":["x","y","z"]},
    {"id":"x","kind":"leaf","value":[[1,2,3]]},{"id":"y","kind":"leaf","value":[[3,4]]},
    {"id":"z","kind":"leaf","value":[[1,4]]}]}"#;

fn answer(args: &[&str], problem: &str) -> Value {
    let run = meetjoin(args, problem);
    assert_eq!((run.status, &*run.err), (Some(0), ""), "{args:?}");
    serde_json::from_str(&run.out).expect("JSON")
}

fn solve(args: &[&str]) -> Value {
    let all = [&["solve", "-", "--json", "--heaviest"], args].concat();
    answer(&all, CHOICE)
}

/// A file with this text, which is removed in the end.
struct Temporary(std::path::PathBuf);

impl Temporary {
    fn new(name: &str, text: &str) -> Self {
        let name = format!("meetjoin-heaviest-{}-{name}.json", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::write(&path, text).expect("a temporary file");
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a plain path")
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn a_problem() {
    let found = solve(&[]);
    assert_eq!(found["format"], "meetjoin-heaviest/1");
    let keys = ["exact", "weight", "set", "bound", "total", "stop", "sets"];
    let values = keys.map(|key| found[key].clone());
    let expected = [json!(true), json!(3), json!([1, 2, 3]), json!(3), json!(4)];
    assert_eq!(
        values,
        [&expected[..], &[Value::Null, Value::Null]].concat()[..]
    );
}

#[test]
fn weights_change_the_answer() {
    let weights = Temporary::new("weights", "[3,0,1,5]");
    let found = solve(&["--weights", weights.path(), "--top", "2"]);
    assert_eq!((&found["weight"], &found["total"]), (&json!(8), &json!(9)));
    let sets = json!([{"weight": 8, "set": [1, 4]}, {"weight": 6, "set": [3, 4]}]);
    assert_eq!(found["sets"], sets);
    let all = solve(&["--weights", weights.path(), "--top", "9"]);
    assert_eq!(all["sets"].as_array().expect("a list").len(), 3);
}

#[test]
fn for_people() {
    let run = meetjoin(&["solve", "-", "--heaviest", "--top", "2"], CHOICE);
    assert_eq!((run.status, &*run.err), (Some(0), ""));
    let start = "set     {a,b,c}\nweight  3 of 4\nset     {a,d}\nweight  2 of 4\nbound   3\n";
    assert_eq!(run.out, start);
}

#[test]
fn a_deal_of_racing() {
    let deal = [
        "racing",
        "--deck",
        "17",
        "--goal",
        "4",
        "--hand",
        "1,2,5,8,13,14,16",
        "--lead",
        "12",
        "--lattice",
        "families",
        "--heaviest",
        "--json",
    ];
    let found = answer(&[&deal[..], &["--top", "9"]].concat(), "");
    let sets = found["sets"].as_array().expect("a list").iter();
    let weights: Vec<&Value> = sets.map(|set| &set["weight"]).collect();
    assert_eq!(weights, [23, 18, 18, 18, 18, 11, 11, 11, 11]);
    let hand = found["set"][0].as_array().expect("a hand");
    assert!(hand.len() == 7 && hand.contains(&json!(12)));
    assert_eq!(found["total"], 84);
}

#[test]
fn a_limit_leaves_bounds() {
    let run = meetjoin(
        &[
            "racing",
            "--deck",
            "26",
            "--goal",
            "5",
            "--hand-size",
            "9",
            "--seed",
            "3",
            "--lattice",
            "families",
            "--heaviest",
            "--json",
            "--max-visits",
            "200",
        ],
        "",
    );
    assert_eq!((run.status, &*run.err), (Some(3), ""));
    let found: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(
        (&found["exact"], &found["stop"]),
        (&json!(false), &json!("visits"))
    );
    // It is 10547.
    assert!(found["bound"].as_u64() >= Some(10547), "{found}");
    assert!(found["weight"].as_u64() <= Some(10547), "{found}");
}

#[test]
fn what_is_refused() {
    let refused = |args: &[&str], problem: &str| {
        let run = meetjoin(args, problem);
        one_sentence(&run, 2).to_owned()
    };
    let solve = |args: &[&str]| refused(&[&["solve", "-", "--heaviest"], args].concat(), CHOICE);
    for (text, why) in [
        ("[1,2]", "2 weights for 4 worlds"),
        ("[1,2,-3,4]", "not a list of integers"),
        ("{}", "not a list of integers"),
        ("[18446744073709551615,1,0,0]", "add up to more than"),
    ] {
        let weights = Temporary::new("refused", text);
        let said = solve(&["--weights", weights.path()]);
        assert!(said.contains(why), "{said}");
    }
    assert!(solve(&["--weights", "/no/such/file"]).contains("there is no such file"));
    assert!(solve(&["--top", "0"]).contains("--top"));
    assert!(solve(&["--moves"]).contains("--moves"));
    assert!(solve(&["--algorithm", "minimax"]).contains("--algorithm"));
    let said = refused(&["solve", "-", "--top", "2"], CHOICE);
    assert!(said.contains("--heaviest"), "{said}");
    let sets = CHOICE
        .replace("families", "powerset")
        .replace("[[", "[")
        .replace("]]", "]");
    let said = refused(&["solve", "-", "--heaviest"], &sets);
    assert!(said.contains("families of sets"), "{said}");
}

#[test]
fn a_strategy_wins_the_heaviest_set() {
    let deal = "--deck 12 --goal 3 --hand 2,5,8,11 --lead 7 --lattice families --heaviest --strategy --json";
    let args: Vec<&str> = ["racing"].into_iter().chain(deal.split(' ')).collect();
    let run = meetjoin(&args, "");
    assert_eq!((run.status, &*run.err), (Some(0), ""));
    let answer: Value = serde_json::from_str(&run.out).expect("JSON");
    let nodes = answer["strategy"].as_array().expect("a strategy");
    for node in nodes {
        let next = node["next"].as_array().expect("places");
        match node["kind"].as_str() {
            Some("or") => assert_eq!(next.len(), 1, "{node}"),
            Some("and") => assert!(!next.is_empty(), "{node}"),
            kind => assert_eq!((kind, next.len()), (Some("leaf"), 0)),
        }
        let inside = |place: &Value| {
            place
                .as_u64()
                .is_some_and(|place| (place as usize) < nodes.len())
        };
        assert!(next.iter().all(inside), "{node}");
    }
    let without = meetjoin(&args[..args.len() - 2], "");
    assert!(!without.out.contains("strategy"), "{}", without.out);
}
