//! `--without` and `--levels`: the same value in other ways, bounds of it, and what is refused.

use serde_json::Value;

use crate::support::{EXAMPLE, meetjoin, refused};

/// A choice between two strategies, one for each of two worlds, after a move of the opponent.
const CHOICE: &str = r#"{"format": "meetjoin-problem/1", "lattice": {"type": "families", "v": 2}, "root": "r", "nodes": [
    {"id": "r", "kind": "and", "children": ["choice", "all"]}, {"id": "choice", "kind": "or", "children": ["x", "y"]},
    {"id": "x", "kind": "leaf", "value": [[1]]}, {"id": "y", "kind": "leaf", "value": [[2]]},
    {"id": "all", "kind": "leaf", "value": [[1, 2]]}]}"#;

fn json(args: &[&str], input: &str) -> Value {
    let run = meetjoin(args, input);
    assert_eq!((run.status, &*run.err), (Some(0), ""), "{args:?}");
    serde_json::from_str(&run.out).expect("one JSON object")
}

#[test]
fn no_part_changes_a_value() {
    for input in [EXAMPLE, CHOICE] {
        let value = json(&["solve", "-", "--json"], input)["value"].clone();
        for parts in [
            "bounds",
            "look",
            "order",
            "shared-only",
            "narrow",
            "halving",
            "bounds,look,order,shared-only,narrow,halving",
        ] {
            let args = ["solve", "-", "--json", "--without", parts];
            assert_eq!(json(&args, input)["value"], value, "{parts}");
        }
    }
    let args = ["solve", "-", "--without", "look", "--algorithm", "minimax"];
    let run = meetjoin(&args, EXAMPLE);
    let said = refused(&run);
    assert!(said.contains("minimax has none of them"), "{said}");
}

#[test]
fn racing_without_bounds_has_the_same_value() {
    let deal = "racing --deck 14 --goal 3 --hand-size 6 --seed 2 --lattice families --json";
    let deal: Vec<&str> = deal.split(' ').collect();
    let (with, without) = (json(&deal, ""), {
        json(&[&deal[..], &["--without", "bounds"]].concat(), "")
    });
    assert_eq!(with["value"], without["value"]);
    let visits = |answer: &Value| answer["stats"]["visits"].as_u64().expect("a count");
    assert!(visits(&with) < visits(&without));
    // Bounds come closer with each level, and the last is the value.
    let mut upper = Value::Null;
    for levels in 0..=12 {
        let levels = levels.to_string();
        let answer = json(&[&deal[..], &["--levels", &levels]].concat(), "");
        assert_eq!(answer["stop"], Value::Null);
        upper = answer["upper"].clone();
    }
    assert_eq!(upper, with["value"]);
}

#[test]
fn levels_of_a_problem() {
    let at = |levels| json(&["solve", "-", "--json", "--levels", levels], CHOICE);
    let cut = at("1");
    assert_eq!(
        (&cut["exact"], &cut["value"]),
        (&Value::from(false), &Value::Null)
    );
    assert_eq!(cut["upper"], serde_json::json!([[1, 2]]));
    assert_eq!(cut["game"]["levels"], Value::from(1));
    let whole = at("2");
    assert_eq!(whole["exact"], Value::from(true));
    assert_eq!(whole["value"], serde_json::json!([[1], [2]]));
    let sets = CHOICE
        .replace("\"v\": 2", "\"v\": 6")
        .replace("[[1]]", "[[1, 5]]");
    let sets = sets
        .replace("[[2]]", "[[1, 2, 4]]")
        .replace("[[1, 2]]", "[[1, 2, 3, 4, 5, 6]]");
    let in_order = json(&["solve", "-", "--json", "--levels", "2"], &sets)["value"].clone();
    assert_eq!(in_order, serde_json::json!([[1, 2, 4], [1, 5]]));
    assert_eq!(in_order, json(&["solve", "-", "--json"], &sets)["value"]);
    let text = meetjoin(&["solve", "-", "--levels", "1"], CHOICE);
    assert!(text.out.contains("upper bound"), "{}", text.out);
    let run = meetjoin(&["solve", "-", "--levels", "1"], EXAMPLE);
    let said = refused(&run);
    assert!(
        said.contains("--levels bounds a value in families"),
        "{said}"
    );
    let connect = r#"{"format": "meetjoin-problem/1", "game": "connect-four", "columns": 4,
        "rows": 4, "scoring": "distance", "moves": "", "lattice": {"type": "chain"}}"#;
    for args in [&["--levels", "1"][..], &["--heaviest"]] {
        let run = meetjoin(&[&["solve", "-"], args].concat(), connect);
        let said = refused(&run);
        assert!(said.contains("families of sets"), "{said}");
    }
}
