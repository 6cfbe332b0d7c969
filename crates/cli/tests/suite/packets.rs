//! `meetjoin packets`, and `generate criteria`.

use serde_json::{Value, json};

use crate::support::{Run, meetjoin, one_sentence, refused};

fn packets(file: &str, args: &[&str]) -> Run {
    let mut all = vec!["packets", "-"];
    all.extend_from_slice(args);
    meetjoin(&all, file)
}

fn answer(file: &str, args: &[&str]) -> Value {
    let mut all = vec!["--json"];
    all.extend_from_slice(args);
    let run = packets(file, &all);
    assert_eq!((run.status, &*run.err), (Some(0), ""), "{args:?}: {file}");
    serde_json::from_str(&run.out).expect("one JSON object")
}

/// A problem file from a nested tree: objects with `kind` and `children`, vectors as leaves. The nodes are 0, 1, .. depth first.
fn problem(kind: &str, dims: &Value, tree: &Value) -> String {
    fn push(tree: &Value, nodes: &mut Vec<Value>) -> usize {
        let id = nodes.len();
        nodes.push(Value::Null);
        nodes[id] = if let Some(outcome) = tree.as_array() {
            json!({"id": id, "kind": "leaf", "value": outcome})
        } else {
            let children = tree["children"].as_array().expect("a list").iter();
            let children: Vec<usize> = children.map(|child| push(child, nodes)).collect();
            let kind = if tree["kind"] == "max" { "or" } else { "and" };
            json!({"id": id, "kind": kind, "children": children})
        };
        id
    }
    let mut nodes = Vec::new();
    push(tree, &mut nodes);
    let lattice = json!({"type": kind, "dims": dims});
    json!({"format": "meetjoin-problem/1", "lattice": lattice, "root": 0, "nodes": nodes})
        .to_string()
}

#[test]
fn known_answers() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cases/dasgupta.json");
    let text = std::fs::read_to_string(path).expect("the repository keeps a copy");
    let file: Value = serde_json::from_str(&text).expect("valid JSON");
    for case in file["cases"].as_array().expect("a list") {
        let dominance = problem("dominance", &case["K"], &case["tree"]);
        for algorithm in ["bottom-up", "procedure-f-shallow"] {
            let answer = answer(&dominance, &["--algorithm", algorithm]);
            assert_eq!(
                answer["packets"], case["expected_antichain"],
                "{algorithm}: {case}"
            );
            assert_eq!(answer["algorithm"], algorithm);
            let moves = answer["moves"].as_array().expect("a list").len();
            assert_eq!(moves > 0, case["tree"]["kind"] == "max", "{case}");
            let leaves = answer["stats"]["leaves"].as_u64();
            if algorithm == "bottom-up" {
                assert_eq!(leaves, case["total_leaves"].as_u64(), "{case}");
            } else {
                assert!(leaves <= case["total_leaves"].as_u64(), "{case}");
            }
        }
        // As a lattice element deep pruning is exact, and so is `solve` on the same file.
        let free = problem("free", &case["K"], &case["tree"]);
        let run = meetjoin(&["solve", "-", "--json"], &free);
        let solved: Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!(solved["value"], case["expected_lattice_dnf"], "{case}");
    }
}

/// MAX may take (2,2), or leave MIN the choice between (0,5) and (5,0).
const CHOICE: &str = r#"{"format":"meetjoin-problem/1","lattice":{"type":"dominance","dims":2},"root":"r","nodes":[
    {"id":"r","kind":"or","children":["safe","free","safe"]},
    {"id":"safe","kind":"leaf","value":[2,2]},
    {"id":"free","kind":"and","children":[1,2]},
    {"id":1,"kind":"leaf","value":[0,5]},
    {"id":2,"kind":"leaf","value":[5,0]}]}"#;

#[test]
fn moves_have_their_packets() {
    for algorithm in ["bottom-up", "procedure-f-shallow", "procedure-f-deep"] {
        let answer = answer(CHOICE, &["--algorithm", algorithm]);
        assert_eq!(answer["packets"], json!([[[0, 5], [5, 0]], [[2, 2]]]));
        let moves = json!([
            {"child": "safe", "packets": [[[2, 2]]]},
            {"child": "free", "packets": [[[0, 5], [5, 0]]]},
        ]);
        assert_eq!(answer["moves"], moves, "{algorithm}");
        assert_eq!(answer["stop"], Value::Null);
    }
    let run = packets(CHOICE, &[]);
    for line in ["{(0,5), (5,0)}", "move safe  1 packet", "{(2,2)}"] {
        assert!(run.out.contains(line), "{line}: {}", run.out);
    }
}

#[test]
fn preferences_choose_moves() {
    let choice = |args: &[&str]| answer(CHOICE, args)["choice"].clone();
    let safe = json!({"child": "safe", "packet": [[2, 2]], "tied": []});
    let free = json!({"child": "free", "packet": [[0, 5], [5, 0]], "tied": []});
    // By the sum, the worst of (0,5) and (5,0) is 5, and 4 of (2,2).
    assert_eq!(choice(&["--prefer", "1,1"]), free);
    // Weighed 4 to 1 the worst is 5, and 10.
    assert_eq!(choice(&["--prefer", "4,1"]), safe);
    assert_eq!(choice(&["--lexicographic", "2"]), safe);
    assert_eq!(choice(&[]), Value::Null);
    let weighed = |weights: &str| answer(CHOICE, &["--weigh", weights])["weighed"].clone();
    assert_eq!(
        [weighed("1,1"), weighed("4,1"), weighed("0,1")],
        [json!(5), json!(10), json!(2)]
    );
    let text = packets(CHOICE, &["--prefer", "4,1", "--weigh", "4,1"]).out;
    assert!(
        text.contains("move safe for {(2,2)}") && text.contains("weighed"),
        "{text}"
    );
}

#[test]
fn wishes_that_do_not_fit_are_refused() {
    for (args, part) in [
        (["--prefer", "1"], "2 criteria and 1 weights"),
        (["--prefer", "0,1"], "criterion 1 is 0"),
        (["--prefer", "1,-1"], "-1"),
        (["--lexicographic", "3"], "no criterion 3"),
        (["--lexicographic", "1,1"], "criterion 1 is named twice"),
        (["--weigh", "1,2,3"], "2 criteria and 3 weights"),
        (["--algorithm", "alpha-beta"], "alpha-beta"),
    ] {
        let run = packets(CHOICE, &args);
        let sentence = refused(&run);
        assert!(sentence.contains(part), "{part}: {sentence}");
    }
    let both = packets(CHOICE, &["--prefer", "1,1", "--lexicographic", "1"]);
    assert!(refused(&both).contains("cannot be used with"));
}

#[test]
fn files_that_have_no_packets_are_refused() {
    let change = |from: &str, to: &str| CHOICE.replace(from, to);
    for (file, part) in [
        (
            change("dominance", "free"),
            "packets need the lattice type `dominance`",
        ),
        (
            change("[0,5]", "[0,5,1]"),
            "node 1: the value `[0,5,1]` is not a list of 2 64-bit integers",
        ),
        (change("[0,5]", "[0,1e400]"), "is not a list of 2"),
        (change("[0,5]", "[0,0.5]"), "is not a list of 2"),
        (change("[0,5]", "\"top\""), "is not a list of 2"),
        (change("[0,5]", "[]"), "is not a list of 2"),
        (
            change("\"dims\":2", "\"dims\":0"),
            "`dims` of the lattice is `0`",
        ),
        (change(",\"dims\":2", ""), "no key `dims`"),
        (
            change("\"kind\":\"and\"", "\"kind\":\"and\",\"lower\":[0,0]"),
            "have no bounds",
        ),
    ] {
        let run = packets(&file, &[]);
        let sentence = refused(&run);
        assert!(sentence.contains(part), "{part}: {sentence}");
    }
    let solved = meetjoin(&["solve", "-"], CHOICE);
    assert!(refused(&solved).contains("meetjoin packets"));
}

/// A tree whose packets are many: a limit leaves what was found.
#[test]
fn a_limit_leaves_what_was_found() {
    let tree = [
        "generate",
        "criteria",
        "--depth",
        "4",
        "--branching",
        "2",
        "--criteria",
        "3",
        "--most",
        "99",
        "--correlation",
        "anti-correlated",
        "--alternating",
        "--lattice",
        "dominance",
        "--seed",
        "1",
    ];
    let file = meetjoin(&tree, "").out;
    for algorithm in ["bottom-up", "procedure-f-shallow"] {
        let run = packets(
            &file,
            &["--algorithm", algorithm, "--max-visits", "20", "--json"],
        );
        assert_eq!(run.status, Some(3), "{}", run.err);
        let answer: Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!(
            (&answer["stop"], &answer["packets"]),
            (&json!("visits"), &Value::Null)
        );
        assert!(answer["guaranteed"].is_array(), "{answer}");
    }
}

#[test]
fn trees_with_criteria_are_generated() {
    let tree = |lattice: &str, more: &[&str]| {
        let mut args = vec![
            "generate",
            "criteria",
            "--depth",
            "3",
            "--branching",
            "2",
            "--criteria",
            "2",
            "--most",
            "9",
            "--correlation",
            "anti-correlated",
            "--lattice",
            lattice,
            "--seed",
            "7",
        ];
        args.extend_from_slice(more);
        let run = meetjoin(&args, "");
        assert_eq!((run.status, &*run.err), (Some(0), ""));
        run.out
    };
    let (explicit, compact) = (tree("dominance", &[]), tree("dominance", &["--compact"]));
    assert!(compact.contains("\"game\":\"criteria\"") && compact.lines().count() == 1);
    assert_eq!(
        answer(&explicit, &[])["packets"],
        answer(&compact, &[])["packets"]
    );
    assert_eq!(meetjoin(&["generate", "-"], &compact).out, explicit);
    assert_eq!(meetjoin(&["generate", "-"], &explicit).out, explicit);
    assert!(tree("dominance", &["--dot"]).starts_with("digraph"));
    let free = meetjoin(&["solve", "-", "--json"], tree("free", &[]));
    let free_compact = meetjoin(&["solve", "-", "--json"], tree("free", &["--compact"]));
    let value = |run: &Run| -> Value {
        let answer: Value = serde_json::from_str(&run.out).expect("JSON");
        answer["value"].clone()
    };
    assert_eq!(value(&free), value(&free_compact));
    let product = meetjoin(&["solve", "-", "--json"], tree("product", &[]));
    assert_eq!(value(&product).as_array().map(Vec::len), Some(2));
    let refused = meetjoin(&["solve", "-"], &compact);
    assert!(one_sentence(&refused, 2).contains("`dominance` is no lattice"));
    for (bad, part) in [
        (["--branching", "0"], "branching factor"),
        (["--criteria", "0"], "at least one criterion"),
        (["--most", "4000000000"], "2^30"),
        (["--depth", "60"], "too large"),
    ] {
        let mut args = vec!["generate", "criteria", "--lattice", "free", "--seed", "1"];
        for option in [
            ["--depth", "3"],
            ["--branching", "2"],
            ["--criteria", "2"],
            ["--most", "9"],
        ] {
            args.extend(if option[0] == bad[0] { bad } else { option });
        }
        let run = meetjoin(&args, "");
        assert!(one_sentence(&run, 2).contains(part), "{part}: {}", run.err);
    }
}
