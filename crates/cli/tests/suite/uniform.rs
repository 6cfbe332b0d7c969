//! `generate uniform`, and files of its keys.

use serde_json::Value;

use crate::support::{algorithms_for_integers, answer, meetjoin, one_sentence, refused};

/// What a run prints that must go well.
fn printed(args: &[&str], stdin: &str) -> String {
    let run = meetjoin(args, stdin);
    assert_eq!((run.status, &*run.err), (Some(0), ""), "{args:?}");
    run.out
}

fn uniform(more: &[&str]) -> String {
    let args = [
        "generate",
        "uniform",
        "--branching",
        "3",
        "--depth",
        "4",
        "--most",
        "20",
        "--seed",
        "7",
    ];
    printed(&[&args, more].concat(), "")
}

const FILE: &str = r#"{"format":"meetjoin-problem/1","game":"uniform","depth":4,"branching":3,"values":"incremental","most":20,"ordering":"best-first","seed":7,"bounds":5,"lattice":{"type":"chain"}}
"#;

#[test]
fn files_of_keys_are_the_same_trees() {
    for values in ["independent", "incremental"] {
        for ordering in ["random", "best-first"] {
            for bounds in [None, Some("0"), Some("5")] {
                let mut args = vec!["--values", values, "--ordering", ordering];
                args.extend(bounds.iter().flat_map(|slack| ["--bounds", slack]));
                let explicit = uniform(&args);
                let compact = uniform(&[&*args, &["--compact"]].concat());
                assert!(explicit.contains(r#""lattice":{"type":"chain"}"#));
                assert_eq!(compact.lines().count(), 1);
                assert_eq!(printed(&["generate", "-"], &compact), explicit);
                assert_eq!(printed(&["generate", "-"], &explicit), explicit);
                assert_eq!(printed(&["generate", "-", "--compact"], &compact), compact);
                let drawn = printed(&["generate", "-", "--dot"], &compact);
                assert!(drawn.starts_with("digraph {"));
                assert_eq!(uniform(&[&*args, &["--dot"]].concat()), drawn);
                for algorithm in algorithms_for_integers() {
                    let args = ["--algorithm", algorithm.id];
                    let (nodes, keys) = (answer(&explicit, &args), answer(&compact, &args));
                    assert_eq!(nodes["value"], keys["value"]);
                    assert_eq!(nodes["stats"]["visits"], keys["stats"]["visits"]);
                }
                let expected = match bounds {
                    None => "bounds     none in the file\n",
                    Some(_) => "bounds     all 40 admissible, consistent\n",
                };
                for file in [&explicit, &compact] {
                    let figures = printed(&["check", "-", "--bounds"], file);
                    assert!(figures.starts_with("nodes      121 (0 unreachable)\n"));
                    assert!(figures.ends_with(expected), "{figures}");
                }
            }
        }
    }
    let args = ["--values", "incremental", "--ordering", "best-first"];
    assert_eq!(
        uniform(&[&args[..], &["--bounds", "5", "--compact"]].concat()),
        FILE
    );
}

#[test]
fn the_order_of_children_and_bounds_keep_the_value() {
    let value = |more: &[&str]| answer(&uniform(more), &[])["value"].clone();
    let drawn = value(&[]);
    assert!(drawn.is_i64());
    assert_ne!(uniform(&[]), uniform(&["--ordering", "best-first"]));
    assert_eq!(value(&["--ordering", "best-first"]), drawn);
    assert_eq!(value(&["--bounds", "3"]), drawn);
}

/// Exact bounds leave nothing to search.
#[test]
fn bounds_save_visits() {
    let visits = |more: &[&str]| -> u64 {
        let answer: Value = answer(&uniform(more), &["--algorithm", "alpha-beta-duo"]);
        answer["stats"]["visits"].as_u64().expect("a count")
    };
    let (without, exact) = (visits(&[]), visits(&["--bounds", "0"]));
    assert!(exact < without, "{exact} {without}");
}

#[test]
fn wrong_parameters_and_keys_are_named() {
    for (bad, part) in [
        (["--branching", "0"], "branching factor"),
        (["--branching", "-1"], "'--branching <B>'"),
        (["--most", "4000000000"], "2^30"),
        (["--depth", "60"], "too large"),
        (["--values", "even"], "independent, incremental"),
        (["--ordering", "worst"], "random, best-first"),
        (["--bounds", "-1"], "'--bounds <SLACK>'"),
    ] {
        for compact in [&[][..], &["--compact"]] {
            let mut args = vec!["generate", "uniform", "--seed", "1"];
            let options = [
                ["--depth", "3"],
                ["--branching", "2"],
                ["--most", "9"],
                ["--values", "independent"],
                ["--ordering", "random"],
                ["--bounds", "1"],
            ];
            for option in options {
                args.extend(if option[0] == bad[0] { bad } else { option });
            }
            let run = meetjoin(&[&*args, compact].concat(), "");
            assert!(one_sentence(&run, 2).contains(part), "{part}: {}", run.err);
        }
    }
    for (from, to, part) in [
        (r#""depth":4,"#, "", "`uniform` needs the key `depth`"),
        (
            r#""ordering":"best-first","#,
            "",
            "needs the key `ordering`",
        ),
        (
            r#","lattice":{"type":"chain"}"#,
            "",
            "needs the key `lattice`",
        ),
        (
            r#""chain""#,
            r#""product""#,
            "`lattice`: unknown variant `product`",
        ),
        (r#""most":20"#, r#""most":-1"#, "`most`: "),
        (r#""most":20"#, r#""most":2000000000"#, "2^30"),
        (r#""bounds":5"#, r#""bounds":null"#, "`bounds`: "),
        (
            r#""bounds":5"#,
            r#""slack":5"#,
            "unknown key `slack` of the game `uniform`",
        ),
        (
            r#""incremental""#,
            r#""even""#,
            "`values`: unknown variant `even`",
        ),
        (r#""branching":3"#, r#""branching":0"#, "branching factor"),
    ] {
        assert!(FILE.contains(from), "{from}");
        let file = FILE.replacen(from, to, 1);
        for command in ["solve", "check"] {
            let sentence = refused(&meetjoin(&[command, "-"], &file)).to_owned();
            assert!(sentence.contains(part), "{part}: {sentence}");
        }
    }
}
