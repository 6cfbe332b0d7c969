//! `meetjoin packets`, `generate criteria` and `generate hexapawn`.

use serde_json::{Value, json};

use crate::support::{Run, Scratch, in_one_line, meetjoin, one_sentence, refused};

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

/// A problem file from a nested tree: objects with `kind` and `children`, vectors as leaves. The
/// nodes are 0, 1, .. depth first.
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
                // Each move is searched again.
                let total = case["total_leaves"].as_u64().map(|total| 2 * total);
                assert!(leaves <= total, "{case}");
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
    // Sums of more than 64 bits are integers too.
    let large = CHOICE
        .replace("5,0", "9223372036854775807,0")
        .replace("0,5", "9223372036854775807,0");
    let large = packets(&large, &["--json", "--weigh", "4,1"]).out;
    assert!(
        large.contains("\"weighed\":36893488147419103228"),
        "{large}"
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
        (["--prefer", "1"], "2 criteria, but there is 1 weight"),
        (
            ["--prefer", "-1,1,1"],
            "2 criteria, but there are 3 weights",
        ),
        (
            ["--prefer", "0,1"],
            "is indifferent between (0,0) and (1,0), though (1,0) dominates",
        ),
        (
            ["--prefer", "1,-1"],
            "prefers (0,0) to (0,1), though (0,1) dominates",
        ),
        (["--prefer", "1,0.5"], "0.5"),
        (["--prefer", "5000000000,1"], "5000000000"),
        (
            ["--weigh", "-1,1"],
            "puts (0,0) above (1,0), though (1,0) dominates",
        ),
        (["--lexicographic", "3"], "no criterion 3"),
        (["--lexicographic", "1,1"], "criterion 1 is named twice"),
        (["--weigh", "1,2,3"], "2 criteria, but there are 3 weights"),
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
fn a_preference_that_contradicts_dominance_is_shown_on_outcomes_of_the_file() {
    let file = CHOICE.replace("[2,2]", "[1,5]");
    for (args, part) in [
        (
            ["--prefer", "0,1"],
            "is indifferent between (0,5) and (1,5), though (1,5) dominates;",
        ),
        (
            ["--prefer", "-1,1"],
            "prefers (0,5) to (1,5), though (1,5) dominates;",
        ),
        (
            ["--weigh", "-1,1"],
            "puts (0,5) above (1,5), though (1,5) dominates;",
        ),
    ] {
        let run = packets(&file, &args);
        let sentence = refused(&run);
        assert!(sentence.contains(part), "{part}: {sentence}");
    }
    // MIN, who moves at the root, wants less.
    let file = file.replace(r#""root":"r""#, r#""root":"s""#).replace(
        r#""nodes":["#,
        r#""nodes":[{"id":"s","kind":"and","children":["r"]},"#,
    );
    let run = packets(&file, &["--prefer", "-1,1"]);
    let sentence = refused(&run);
    let part = "prefers (1,5) to (0,5), though (1,5) dominates, and MIN wants less;";
    assert!(sentence.contains(part), "{sentence}");
}

/// Deep pruning finds {(0,3),(1,0)} here, which no move has.
fn deep_adds() -> String {
    let max = |children: Value| json!({"kind": "max", "children": children});
    let min = |children: Value| json!({"kind": "min", "children": children});
    let tree = max(json!([
        [0, 2],
        min(json!([
            max(json!([[1, 0], [0, 3]])),
            max(json!([[1, 0], min(json!([[0, 1]]))])),
        ])),
    ]));
    problem("dominance", &json!(2), &tree)
}

#[test]
fn deep_pruning_is_said_to_be_inexact_and_gives_no_choice() {
    let file = deep_adds();
    let deep = ["--algorithm", "procedure-f-deep"];
    for wish in [["--prefer", "2,2"], ["--lexicographic", "1"]] {
        let run = packets(&file, &[deep, wish].concat());
        let sentence = refused(&run);
        for part in [
            wish[0],
            "needs exact packets",
            "--algorithm bottom-up or procedure-f-shallow would work",
        ] {
            assert!(sentence.contains(part), "{part}: {sentence}");
        }
        let shallow = ["--algorithm", "procedure-f-shallow"];
        let exact = answer(&file, &[shallow, wish].concat());
        assert!(exact["choice"].is_object(), "{exact}");
    }
    assert_eq!(
        answer(&file, &deep)["packets"],
        json!([[[0, 2]], [[0, 3], [1, 0]], [[1, 0]]])
    );
    assert_eq!(answer(&file, &[])["packets"], json!([[[0, 2]], [[1, 0]]]));
    let text = packets(&file, &deep).out;
    let (_, note) = text.split_once("\nnote ").expect("a note");
    let note = in_one_line(note);
    for part in [
        "as a lattice element only",
        "missing or superfluous",
        "procedure-f-shallow is exact",
    ] {
        assert!(note.contains(part), "{text}");
    }
    assert!(!text.contains("can hold"), "{text}");
    // A weighted sum is right.
    for weights in ["2,2", "1,0", "1,3"] {
        let weigh = ["--weigh", weights];
        let weighed = |args: &[&str]| answer(&file, &[args, &weigh].concat())["weighed"].clone();
        assert_eq!(weighed(&deep), weighed(&[]));
    }
}

#[test]
fn events_are_the_rows_of_table_1() {
    let scratch = Scratch::new("packets-events");
    let events = scratch.path("events");
    answer(
        CHOICE,
        &["--algorithm", "procedure-f-shallow", "--events", &events],
    );
    let expected = r#"{"event":"enter","node":"r","alpha":[],"beta":[]}
{"event":"leaf","node":"safe"}
{"event":"update","node":"r","packets":[[[2,2]]],"alpha":[[[2,2]]],"beta":[]}
{"event":"enter","node":"free","alpha":[[[2,2]]],"beta":[]}
{"event":"leaf","node":1}
{"event":"update","node":"free","packets":[[[0,5]]],"alpha":[[[2,2]]],"beta":[[[0,5]]]}
{"event":"leaf","node":2}
{"event":"exit","node":"free","packets":[[[0,5]],[[5,0]]],"alpha":[[[2,2]]],"beta":[[[0,5]],[[5,0]]]}
{"event":"update","node":"r","packets":[[[0,5],[5,0]],[[2,2]]],"alpha":[[[0,5],[5,0]],[[2,2]]],"beta":[]}
{"event":"leaf","node":"safe"}
{"event":"exit","node":"r","packets":[[[0,5],[5,0]],[[2,2]]],"alpha":[[[0,5],[5,0]],[[2,2]]],"beta":[]}
"#;
    let written = std::fs::read_to_string(&events).expect("the events");
    assert_eq!(written, expected);
    // MAX has (2,2), so a node where MIN can have (1,1) is cut.
    let cut = CHOICE.replace("[0,5]", "[1,1]");
    let args = ["--algorithm", "procedure-f-deep", "--events", &events];
    answer(&cut, &args);
    let written = std::fs::read_to_string(&events).expect("the events");
    let line = r#"{"event":"cut","node":"free","child":[[[1,1]]],"alpha":[[[2,2]]],"beta":[],"skipped":1}"#;
    assert!(written.lines().any(|l| l == line), "{written}");
    // A file that cannot be written leaves the answer.
    let run = packets(
        CHOICE,
        &["--algorithm", "procedure-f-deep", "--events", "/dev/full"],
    );
    assert_eq!(run.status, Some(1));
    assert!(run.err.contains("cannot write /dev/full"), "{}", run.err);
    assert!(run.out.contains("\nmove free  1 packet\n"), "{}", run.out);
    let run = packets(CHOICE, &["--events", &events]);
    let none = refused(&run);
    assert!(none.contains("--events needs --algorithm"), "{none}");
    let problem = scratch.file("p.json", CHOICE);
    let args = [
        "packets",
        &problem,
        "--algorithm",
        "procedure-f-shallow",
        "--events",
        &problem,
    ];
    assert!(refused(&meetjoin(&args, "")).contains("would overwrite an input"));
    assert_eq!(
        std::fs::read_to_string(&problem).expect("the problem"),
        CHOICE
    );
}

#[test]
fn everything_that_was_visited_is_counted() {
    let stats = |algorithm: &str| {
        let answer = answer(CHOICE, &["--algorithm", algorithm]);
        let count = |key: &str| answer["stats"][key].as_u64();
        (count("visits"), count("leaves"))
    };
    // Five nodes. Procedure F visits r, safe, free, 1, 2, safe, and then each move again.
    assert_eq!(stats("bottom-up"), (Some(5), Some(3)));
    assert_eq!(stats("procedure-f-shallow"), (Some(11), Some(8)));
}

#[test]
fn a_stop_leaves_no_wish_without_a_word() {
    for algorithm in ["bottom-up", "procedure-f-shallow"] {
        let args = [
            "--prefer",
            "1,1",
            "--weigh",
            "1,1",
            "--max-visits",
            "2",
            "--algorithm",
            algorithm,
        ];
        let run = packets(CHOICE, &[&args[..], &["--json"]].concat());
        assert_eq!(run.status, Some(3));
        let answer: Value = serde_json::from_str(&run.out).expect("JSON");
        let answer = answer.as_object().expect("an object");
        for key in ["choice", "weighed"] {
            assert_eq!(answer.get(key), Some(&Value::Null), "{algorithm}: {key}");
        }
        let text = packets(CHOICE, &args).out;
        for key in ["preferred", "weighed"] {
            let line = text.lines().find(|line| line.starts_with(key));
            let line = line.expect("a line");
            assert!(
                line.ends_with("not known: the search was stopped before"),
                "{text}"
            );
        }
    }
    // A root that is a leaf has no moves.
    let leaf = CHOICE.replace(r#""root":"r""#, r#""root":1"#);
    assert_eq!(
        answer(&leaf, &["--prefer", "1,1"]).get("choice"),
        Some(&Value::Null)
    );
    let text = packets(&leaf, &["--prefer", "1,1"]).out;
    assert!(text.contains("no move: the root is a leaf"), "{text}");
}

/// Twelve moves with twelve outcomes each: a product of 12^12 packets at one node.
#[test]
fn a_product_stops_when_it_is_told() {
    let moves = (0..12).map(|m| {
        let outcome = |o: i64| {
            let i = 12 * m + o;
            json!([i * 37 % 144, 144 - i * 37 % 144, i * i % 7])
        };
        json!({"kind": "max", "children": (0..12).map(outcome).collect::<Value>()})
    });
    let min = json!({"kind": "min", "children": moves.collect::<Value>()});
    let tree = json!({"kind": "max", "children": [min]});
    let file = problem("dominance", &json!(3), &tree);
    for (limit, word) in [
        (["--max-seconds", "1"], "time"),
        (["--max-memory", "100M"], "memory"),
    ] {
        let started = std::time::Instant::now();
        let run = packets(&file, &[&limit[..], &["--json"]].concat());
        assert_eq!(run.status, Some(3), "{}", run.err);
        let answer: Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!(answer["stop"], word);
        if word == "time" {
            let took = started.elapsed().as_secs_f64();
            assert!(took < 3.0, "{took}");
        } else {
            let peak = answer["stats"]["peak_memory_bytes"].as_u64();
            assert!(peak < Some(101 << 20), "{peak:?}");
        }
    }
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

#[test]
fn hexapawn_is_generated() {
    let board = |lattice: &str, more: &[&str]| {
        let args = ["generate", "hexapawn", "--lattice", lattice];
        let run = meetjoin(&[&args, more].concat(), "");
        assert_eq!(
            (run.status, &*run.err),
            (Some(0), ""),
            "{lattice}: {more:?}"
        );
        run.out
    };
    // As in the example of the library, on three columns and four rows.
    let size = ["--columns", "3", "--rows", "4"];
    let file = board("dominance", &size);
    let choice = |first: &str| answer(&file, &["--lexicographic", first])["choice"].clone();
    let (captures, losses) = (choice("1"), choice("2"));
    assert_eq!(captures["child"], "ppp/.../P../.PP, MIN to move");
    assert_eq!(captures["packet"], json!([[0, 0], [1, -1], [2, -2]]));
    assert_eq!(losses["child"], "ppp/.../.P./P.P, MIN to move");
    assert_eq!(losses["packet"], json!([[0, -1]]));
    let compact = board("dominance", &[&size[..], &["--compact"]].concat());
    assert_eq!(
        compact,
        "{\"format\":\"meetjoin-problem/1\",\"game\":\"hexapawn\",\"columns\":3,\"rows\":4,\"lattice\":{\"type\":\"dominance\"}}\n"
    );
    assert_eq!(meetjoin(&["generate", "-"], &compact).out, file);
    assert_eq!(
        answer(&compact, &[])["packets"],
        json!([[[0, -1]], [[0, 0], [1, -1], [2, -2]]])
    );
    let check = meetjoin(&["check", "-"], board("free", &[]));
    assert!(check.out.starts_with("nodes      71 "), "{}", check.out);
    for (lattice, value) in [("free", json!([[[1, -1]]])), ("product", json!([1, -1]))] {
        for more in [&[][..], &["--compact"]] {
            let run = meetjoin(&["solve", "-", "--json"], board(lattice, more));
            let solved: Value = serde_json::from_str(&run.out).expect("JSON");
            assert_eq!(solved["value"], value, "{lattice}");
        }
    }
    assert!(board("free", &["--dot"]).starts_with("digraph"));
    let dominance = board("dominance", &["--compact"]);
    let run = meetjoin(&["solve", "-"], &dominance);
    let sentence = refused(&run);
    assert!(sentence.contains("`dominance` is no lattice"), "{sentence}");
    for (size, part) in [
        (["--columns", "0"], "at least 1 column and 2 rows"),
        (["--rows", "40"], "more than 64 cells"),
    ] {
        let args = ["generate", "hexapawn", "--lattice", "free"];
        let run = meetjoin(&[&args[..], &size].concat(), "");
        assert!(one_sentence(&run, 2).contains(part), "{part}: {}", run.err);
    }
}
