//! `meetjoin cluster solve`: every lattice, counts that are known, and what is asked for on the way
//! up.

use serde_json::Value;

use crate::cluster::{BOARD, answer, found, solve};
use crate::support::{Scratch, meetjoin, value};

#[test]
fn every_lattice_of_files_goes() {
    let scratch = Scratch::new("cluster-all-lattices");
    let diamond = r#"{"type":"table","elements":["0","a","b","c","1"],"covers":[["0","a"],["0","b"],["0","c"],["a","1"],["b","1"],["c","1"]]}"#;
    // A lattice and the values of three leaves.
    for (lattice, x, y, z) in [
        (r#"{"type":"bool"}"#, "true", "false", "true"),
        (r#"{"type":"chain"}"#, "1.5", "2", r#""-inf""#),
        (r#"{"type":"powerset","v":4}"#, "[1,2,3]", "[2,3]", "[4]"),
        (
            r#"{"type":"families","v":4}"#,
            "[1,2,3]",
            "[[2],[3,4]]",
            r#""bottom""#,
        ),
        (r#"{"type":"monotone","v":4}"#, "[1,2]", "-3", "[[1],[4]]"),
        (r#"{"type":"divisors","n":60}"#, "12", "20", "15"),
        (r#"{"type":"dual","of":{"type":"chain"}}"#, "3", "5", "4"),
        (
            r#"{"type":"product","of":[{"type":"bool"},{"type":"chain"}]}"#,
            "[true,2]",
            "[false,7]",
            "[true,1]",
        ),
        (
            r#"{"type":"free","dims":2}"#,
            "[[[1,2]]]",
            "[3,1]",
            "[[[0,4],[5,0]]]",
        ),
        (
            r#"{"type":"table","size":3,"leq":[[1,1,1],[0,1,1],[0,0,1]]}"#,
            "1",
            "2",
            "0",
        ),
        (diamond, r#""a""#, r#""b""#, r#""c""#),
    ] {
        let inner = |id: &str, kind: &str, children: &str| {
            format!(r#"{{"id":"{id}","kind":"{kind}","children":{children}}}"#)
        };
        let leaf =
            |id: &str, value: &str| format!(r#"{{"id":"{id}","kind":"leaf","value":{value}}}"#);
        let nodes = [
            inner("r", "or", r#"["a","b","z"]"#),
            inner("a", "and", r#"["b","x"]"#),
            inner("b", "and", r#"["c","y"]"#),
            inner("c", "or", r#"["x","z"]"#),
            leaf("x", x),
            leaf("y", y),
            leaf("z", z),
        ]
        .join(",");
        let problem = format!(
            r#"{{"format":"meetjoin-problem/1","lattice":{lattice},"root":"r","nodes":[{nodes}]}}"#
        );
        let expected: Value =
            serde_json::from_str(&value(&problem, &["--algorithm", "minimax"])).expect("JSON");
        let run = solve(&["--workers", "2", &scratch.file("lattice.json", &problem)]);
        assert_eq!(answer(&run)["value"], expected, "{lattice}");
    }
}

/// Known: 161029 positions of Connect Four on 4 x 4 (Tromp), and 5478 of tic-tac-toe, 765 up to
/// symmetry.
#[test]
fn counts_are_those_that_are_known() {
    let nodes = |answer: &Value| -> Vec<u64> {
        let levels = answer["levels"].as_array().expect("a list");
        levels
            .iter()
            .map(|level| level["nodes"].as_u64().expect("a count"))
            .collect()
    };
    let answer_of = |args: &[&str]| answer(&solve(args));
    let board = answer_of(&[&["--counts"], &BOARD[..]].concat());
    assert_eq!(
        (board["value"].as_i64(), board["nodes"].as_u64()),
        (Some(0), Some(161_029))
    );
    let cells = answer_of(&["tic-tac-toe"]);
    assert_eq!(
        nodes(&cells),
        [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    );
    let few = answer_of(&["tic-tac-toe", "--up-to-symmetry"]);
    assert_eq!(few["nodes"].as_u64(), Some(765));
    // Images counted, positions up to symmetry are all positions, with the same values.
    let half = answer_of(&[&["--counts"], &BOARD[..], &["--up-to-symmetry"]].concat());
    assert_eq!(
        (half["nodes"].as_u64(), half["positions"].as_u64()),
        (Some(80_541), Some(161_029))
    );
    let cells = answer_of(&["--counts", "tic-tac-toe", "--up-to-symmetry"]);
    assert_eq!(cells["positions"].as_u64(), Some(5478));
    assert_eq!(board["positions"], Value::Null);
    let by_level = |answer: &Value, key: &str| -> Vec<Vec<(String, u64)>> {
        let levels = answer["levels"].as_array().expect("a list").iter();
        let of_level = |level: &Value| {
            let values = level["values"].as_array().expect("a list").iter();
            let pair = |one: &Value| (one["value"].to_string(), one[key].as_u64().expect("count"));
            let mut pairs: Vec<_> = values.map(pair).collect();
            pairs.sort();
            pairs
        };
        levels.map(of_level).collect()
    };
    assert_eq!(by_level(&half, "positions"), by_level(&board, "nodes"));
    let told = meetjoin(
        &[
            "cluster",
            "solve",
            "--counts",
            "-v",
            "tic-tac-toe",
            "--up-to-symmetry",
        ],
        "",
    );
    let last = "765 nodes, which stand for 5478 positions, on 10 levels";
    assert!(told.out.contains(last), "{told:?}");
    // From a beginning with another image, some images are not reached: positions are not counted.
    let begun = [
        &["--counts"],
        &BOARD[..],
        &["--up-to-symmetry", "--moves", "1"],
    ]
    .concat();
    assert_eq!(answer_of(&begun)["positions"], Value::Null);
    // Every node has one value.
    for level in board["levels"].as_array().expect("a list") {
        let values = level["values"].as_array().expect("a list");
        let sum: u64 = values
            .iter()
            .map(|value| value["nodes"].as_u64().expect("a count"))
            .sum();
        assert_eq!(Some(sum), level["nodes"].as_u64());
    }
    // Little memory changes nothing: levels go through the disk.
    let spilled = solve(&[&["--counts", "--memory", "40K"], &BOARD[..]].concat());
    assert_eq!(found(&spilled)["levels"], board["levels"]);
}

/// A node is asked for if it is no leaf and may change its parent's value still: with enough
/// children of each kind both save something.
#[test]
fn only_children_that_may_change_a_value_are_asked_for() {
    let scratch = Scratch::new("cluster-asked");
    let asked = |args: &[&str]| {
        let answer = answer(&solve(args));
        let count = |key: &str| answer["stats"][key].as_u64().expect("a count");
        (count("asked"), count("children"))
    };
    let one = asked(&BOARD);
    assert!(one.0 * 4 < one.1 * 3, "{one:?}");
    assert_eq!(asked(&[&["--workers", "3"], &BOARD[..]].concat()), one);
    // An AND node over a false leaf, and an OR node over two true inner nodes, of which the first
    // is enough.
    let leaf = |id: &str, value| format!(r#"{{"id":"{id}","kind":"leaf","value":{value}}}"#);
    let over = |id: &str, kind: &str, children: &str| {
        format!(r#"{{"id":"{id}","kind":"{kind}","children":{children}}}"#)
    };
    let nodes = [
        over("r", "or", r#"["a","b","c"]"#),
        over("a", "and", r#"["b","t","f"]"#),
        over("b", "or", r#"["t"]"#),
        over("c", "or", r#"["t"]"#),
        leaf("t", true),
        leaf("f", false),
    ];
    let file = scratch.file(
        "small.json",
        format!(
            r#"{{"format":"meetjoin-problem/1","lattice":{{"type":"bool"}},"root":"r","nodes":[{}]}}"#,
            nodes.join(",")
        ),
    );
    // Of eight children four are leaves; the leaf `f` saves `b` below `a`, and `b` saves `c` below
    // `r`.
    assert_eq!(asked(&[&file]), (2, 8));
}
