//! `meetjoin convert`, and every command on a binary problem file.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{EXAMPLE, Scratch, ladder, leaf, meetjoin, problem, refused};

/// A problem as a binary file.
fn converted(scratch: &Scratch, name: &str, json: &str) -> String {
    let (from, to) = (
        scratch.file(&format!("{name}.json"), json),
        scratch.path(&format!("{name}.mj")),
    );
    let run = meetjoin(&["convert", &from, &to], "");
    assert_eq!(
        (run.status, &*run.out, &*run.err),
        (Some(0), "", ""),
        "{json}"
    );
    to
}

/// What a run says, without time and memory, and its exit status.
fn said(args: &[&str]) -> (Option<i32>, String) {
    let run = meetjoin(args, "");
    let Ok(mut answer) = serde_json::from_str::<Value>(&run.out) else {
        return (run.status, run.out + &run.err);
    };
    for stats in ["seconds", "peak_memory_bytes"] {
        answer["stats"][stats] = Value::Null;
    }
    (run.status, answer.to_string())
}

const SETS: &str = r#"{"type":"powerset","v":4}"#;

#[test]
fn there_and_back_is_the_same_file() {
    let scratch = Scratch::new("convert");
    for json in [EXAMPLE.to_owned(), ladder(30), leaf(SETS, "[1]")] {
        let binary = converted(&scratch, "a", &json);
        assert!(
            fs::read(&binary)
                .expect("it is there")
                .starts_with(b"\x89MJP\r\n\x1a\n")
        );
        let again = scratch.path("again.json");
        let run = meetjoin(&["convert", &binary, &again], "");
        assert_eq!((run.status, &*run.err), (Some(0), ""));
        let printed = meetjoin(&["convert", &binary, "-"], "").out;
        assert_eq!(fs::read_to_string(&again).expect("it is there"), printed);
        assert_eq!(printed, meetjoin(&["generate", "-"], &json).out);
        assert!(
            fs::read_dir(Path::new(&binary).parent().expect("a folder"))
                .expect("it is there")
                .count()
                <= 3,
            "nothing is left behind"
        );
    }
}

#[test]
fn every_command_answers_as_it_does_on_json() {
    let scratch = Scratch::new("answers");
    let families = problem(
        r#"{"type":"families","v":3}"#,
        r#"{"id":1,"kind":"and","children":[2,"z"]},{"id":2,"kind":"or","children":["x","z"]},
           {"id":"x","kind":"leaf","value":[1,2]},{"id":"z","kind":"leaf","value":[[2,3],[1]]}"#,
    );
    let chain = problem(
        r#"{"type":"chain","lo":0,"hi":9}"#,
        r#"{"id":3,"kind":"leaf","value":4},{"id":4,"kind":"leaf","value":7},
           {"id":2,"kind":"or","children":[3,4],"lower":5},{"id":1,"kind":"and","children":[2,3,4]}"#,
    );
    let table = problem(
        crate::support::M3,
        r#"{"id":1,"kind":"or","children":[2,3]},{"id":2,"kind":"leaf","value":"a"},{"id":3,"kind":"leaf","value":"b"}"#,
    );
    for (json, prime) in [
        (EXAMPLE, "[2]"),
        (&families, "[[2]]"),
        (&chain, "4"),
        (&table, "\"a\""),
    ] {
        let binary = converted(&scratch, "p", json);
        let file = scratch.path("p.json");
        let mut commands: Vec<Vec<&str>> = vec![
            vec!["check"],
            vec!["check", "--bounds"],
            vec!["prove", "--json", "--at-least", prime],
            vec![
                "prove",
                "--json",
                "--algorithm",
                "proof-number",
                "--at-least",
                prime,
            ],
            vec!["solve", "--json", "--moves"],
            vec!["solve", "--json", "--explain"],
            vec!["solve", "--json", "--strategy"],
            vec!["solve", "--heaviest", "--json"],
            vec!["generate", "--dot"],
            vec!["packets"],
        ];
        let algorithms = meetjoin_catalogue::method::ALGORITHMS;
        commands.extend(
            algorithms
                .iter()
                .map(|algorithm| vec!["solve", "--json", "--algorithm", algorithm.id]),
        );
        for command in commands {
            let of = |file: &str| {
                let (status, said) = said(&[&[command[0], file], &command[1..]].concat());
                (status, said.replace(file, "FILE"))
            };
            // Where a file has its nodes from the leaves up, drawings and orders of lists differ.
            if command[0] != "generate" {
                assert_eq!(of(&binary), of(&file), "{command:?} {json}");
            }
            if command[0] == "solve" || command[0] == "prove" {
                let trusting = [&command[..], &["--trust"]].concat();
                let (status, said) = said(&[&[trusting[0], &binary], &trusting[1..]].concat());
                assert_eq!(
                    (status, said.replace(&binary, "FILE")),
                    of(&file),
                    "{command:?} {json}"
                );
            }
        }
    }
}

#[test]
fn packets_and_cuts_take_binary_files_too() {
    let scratch = Scratch::new("kinds");
    let outcomes = problem(
        r#"{"type":"dominance","dims":2}"#,
        r#"{"id":1,"kind":"or","children":[2,3]},{"id":2,"kind":"leaf","value":[1,5]},{"id":3,"kind":"leaf","value":[4,2]}"#,
    );
    let binary = converted(&scratch, "d", &outcomes);
    let json = scratch.path("d.json");
    assert_eq!(
        said(&["packets", "--json", &binary]),
        said(&["packets", "--json", &json])
    );
    let events = problem(
        r#"{"type":"monotone","v":3}"#,
        r#"{"id":1,"kind":"or","children":[2,3]},{"id":2,"kind":"leaf","value":[1,2]},{"id":3,"kind":"leaf","value":[[3]]}"#,
    );
    let binary = converted(&scratch, "m", &events);
    let json = scratch.path("m.json");
    assert_eq!(
        said(&["cuts", "--json", &binary]),
        said(&["cuts", "--json", &json])
    );
    assert_eq!(
        said(&["solve", "--json", &binary]),
        said(&["solve", "--json", &json])
    );
}

#[test]
fn certificates_hold_for_the_file_they_were_made_for() {
    let scratch = Scratch::new("certificate");
    let binary = converted(&scratch, "a", EXAMPLE);
    let certificate = scratch.path("a.cert");
    let run = meetjoin(&["solve", &binary, "--certificate", &certificate], "");
    assert_eq!((run.status, &*run.err), (Some(0), ""));
    assert_eq!(
        meetjoin(&["verify", &binary, &certificate], "").status,
        Some(0)
    );
    // Its nodes are in order already, so the JSON it came from is the same problem.
    assert_eq!(
        meetjoin(&["verify", &scratch.path("a.json"), &certificate], "").status,
        Some(0)
    );
}

#[test]
fn games_are_written_with_their_nodes() {
    let scratch = Scratch::new("game");
    let game = r#"{"format":"meetjoin-problem/1","game":"random","depth":4,"branching":2,"variables":5,"alternating":true,"seed":1,"lattice":{"type":"powerset"}}"#;
    let binary = converted(&scratch, "g", game);
    let [of_game, of_file] = [scratch.path("g.json"), binary].map(|file| {
        let run = meetjoin(&["solve", "--json", &file], "");
        let answer: Value = serde_json::from_str(&run.out).expect("JSON");
        answer["value"].clone()
    });
    assert_eq!(of_game, of_file);
}

#[test]
fn what_is_wrong_is_said_in_one_sentence() {
    let scratch = Scratch::new("wrong");
    let binary = converted(&scratch, "a", EXAMPLE);
    let bytes = fs::read(&binary).expect("it is there");
    for length in [8, 100, 256, bytes.len() - 1] {
        let cut = scratch.file("cut.mj", &bytes[..length]);
        for args in [
            &["solve", &cut][..],
            &["solve", "--trust", &cut],
            &["check", &cut],
            &["prove", &cut, "--at-least", "[1]"],
        ] {
            let run = meetjoin(args, "");
            assert!(
                refused(&run)
                    .starts_with(&format!("{cut}: the binary problem file cannot be used: ")),
                "{run:?}"
            );
        }
        let run = meetjoin(&["solve", "-"], &bytes[..length]);
        assert!(
            refused(&run).starts_with("standard input: the binary problem file cannot be used: "),
            "{run:?}"
        );
    }
    // What lies behind the header is not looked at in trust, and nothing breaks.
    let mut altered = bytes.clone();
    for place in 256..bytes.len() {
        altered[place] ^= 0x55;
        let file = scratch.file("altered.mj", &altered);
        refused(&meetjoin(&["solve", &file], ""));
        let run = meetjoin(&["solve", "--trust", &file], "");
        assert!(
            matches!(run.status, Some(0 | 2)) && !run.err.contains("panicked"),
            "{place}: {run:?}"
        );
        altered[place] = bytes[place];
    }
    let nowhere = scratch.path("no/such/folder.mj");
    let run = meetjoin(&["convert", &binary, &nowhere], "");
    assert_eq!(run.status, Some(1), "{run:?}");
    refused(&meetjoin(
        &["convert", &scratch.path("nothing.json"), &nowhere],
        "",
    ));
}

#[test]
fn a_pipe_is_read_into_memory() {
    let scratch = Scratch::new("pipe");
    let bytes = fs::read(converted(&scratch, "a", EXAMPLE)).expect("it is there");
    let run = meetjoin(&["solve", "-"], &bytes);
    assert_eq!((run.status, &*run.err), (Some(0), ""));
    assert_eq!(
        meetjoin(&["check", "-"], &bytes).out,
        meetjoin(&["check", "-"], EXAMPLE).out
    );
}
