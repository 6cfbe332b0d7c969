//! Runs that are killed and go on: whatever happens to the process or to the file, the answer is
//! right.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::support::{Scratch, command, finish, meetjoin, one_sentence, refused, start};

/// Takes some tenths of a second.
const BOARD: &str = r#"{"format":"meetjoin-problem/1","game":"connect-four","columns":5,"rows":4,"scoring":"distance","moves":"","lattice":{"type":"chain"}}"#;

fn json(out: &str) -> Value {
    serde_json::from_str(out).expect("JSON")
}

/// Problems of each kind: a board, a graph over sets, and hands.
fn problems(scratch: &Scratch) -> Vec<Vec<String>> {
    let board = scratch.file("board.json", BOARD);
    let generated = |name: &str, lattice: &str| {
        let args = [
            "generate",
            "random",
            "--depth",
            "12",
            "--branching",
            "6",
            "--variables",
            "8",
            "--seed",
            "4",
            "--lattice",
            lattice,
        ];
        scratch.file(name, meetjoin(&args, "").out)
    };
    let owned = |args: &[&str]| args.iter().map(|&arg| arg.to_owned()).collect::<Vec<_>>();
    vec![
        owned(&["solve", &board]),
        owned(&["solve", &board, "--algorithm", "mtd-f"]),
        owned(&["solve", &board, "--algorithm", "minimax-cached"]),
        owned(&["solve", &generated("sets.json", "powerset")]),
        owned(&[
            "solve",
            &generated("families.json", "families"),
            "--algorithm",
            "alpha-beta-duo-plain",
        ]),
        owned(&[
            "racing",
            "--deck",
            "16",
            "--goal",
            "4",
            "--hand-size",
            "6",
            "--seed",
            "1",
            "--lattice",
            "families",
            "--algorithm",
            "minimax-cached",
        ]),
        owned(&[
            "racing",
            "--deck",
            "18",
            "--goal",
            "4",
            "--hand-size",
            "6",
            "--seed",
            "1",
            "--lattice",
            "families",
        ]),
    ]
}

fn run(args: &[&str]) -> Value {
    let run = meetjoin(args, "");
    assert_eq!((run.status, &*run.err), (Some(0), ""), "{args:?}");
    json(&run.out)
}

#[test]
fn whenever_it_is_killed_it_goes_on() {
    let scratch = Scratch::new("killed");
    for (number, problem) in problems(&scratch).iter().enumerate() {
        let mut args: Vec<&str> = problem.iter().map(String::as_str).collect();
        args.push("--json");
        let plain = run(&args);
        let file = scratch.path(&format!("checkpoint-{number}"));
        args.extend(["--checkpoint", &file, "--every", "0.01", "--resume"]);
        for kill in 0..6_u64 {
            let mut child = start(&mut command(&args));
            // Any moments will do: before the first checkpoint, in the middle of one, after the
            // end.
            sleep(Duration::from_millis(7 + 29 * kill));
            // It may have ended.
            let _ = child.kill();
            let ended = finish(child, b"");
            assert!(ended.status.is_none_or(|status| status == 0), "{ended:?}");
        }
        let resumed = run(&args);
        assert_eq!(resumed["value"], plain["value"], "{args:?}");
        assert_eq!(resumed["checkpoint"]["damaged"], false);
        assert!(resumed["checkpoint"]["failure"].is_null(), "{resumed}");
        // All is known by now.
        let again = run(&args);
        assert_eq!(again["value"], plain["value"]);
        let [visits, all] = [&again, &plain].map(|answer| answer["stats"]["visits"].as_u64());
        assert!(visits <= all, "{args:?}: {visits:?} of {all:?}");
        assert_eq!(
            again["checkpoint"]["loaded"], resumed["checkpoint"]["saved"],
            "{args:?}"
        );
    }
}

#[test]
fn a_run_that_a_limit_stopped_goes_on() {
    let scratch = Scratch::new("stopped");
    let board = scratch.file("board.json", BOARD);
    let file = scratch.path("checkpoint");
    let plain = run(&["solve", &board, "--json"]);
    let first = ["solve", &board, "--json", "--checkpoint", &file];
    let args = [&first[..], &["--max-visits", "20000"]].concat();
    let stopped = meetjoin(&args, "");
    assert_eq!(stopped.status, Some(3));
    let saved = json(&stopped.out)["checkpoint"]["saved"].as_u64();
    assert!(saved > Some(1_000), "{saved:?}");
    // What is there is not overwritten by mistake.
    assert!(
        refused(&meetjoin(&first, "")).ends_with("continue from it with --resume, or remove it")
    );
    let resumed = run(&[&first[..], &["--resume"]].concat());
    assert_eq!(resumed["checkpoint"]["loaded"].as_u64(), saved);
    assert_eq!(resumed["value"], plain["value"]);
    let [visits, all] =
        [&resumed, &plain].map(|answer| answer["stats"]["visits"].as_u64().expect("a number"));
    assert!(visits + 3_000 < all, "{visits} of {all}");
}

#[test]
fn of_a_damaged_file_the_rest_is_used() {
    let scratch = Scratch::new("damaged");
    let board = scratch.file("board.json", BOARD);
    let file = scratch.path("checkpoint");
    let args = ["solve", &board, "--json", "--checkpoint", &file, "--resume"];
    let plain = run(&args);
    let whole = fs::read(&file).expect("a checkpoint");
    let mut used = 0;
    for part in 1..8 {
        let place = whole.len() * part / 8;
        let mut altered = whole.clone();
        altered[place] ^= 0x10;
        for damaged in [&whole[..place], &altered] {
            fs::write(&file, damaged).expect("a file");
            let resumed = run(&args);
            assert_eq!(resumed["value"], plain["value"]);
            assert_eq!(resumed["checkpoint"]["damaged"], true);
            used += resumed["checkpoint"]["loaded"].as_u64().expect("a number");
        }
    }
    assert!(used > 0);
    for nothing in [&b""[..], b"meetjoin-check/1", &whole[1..]] {
        fs::write(&file, nothing).expect("a file");
        let told = meetjoin(&args, "");
        assert!(
            refused(&told)
                .ends_with("--resume: this is no checkpoint, or its first bytes are altered")
        );
    }
    fs::write(&file, &whole).expect("a file");
    let other = scratch.file("other.json", BOARD.replace("\"rows\":4", "\"rows\":3"));
    let told = meetjoin(&["solve", &other, "--checkpoint", &file, "--resume"], "");
    assert!(refused(&told).ends_with("--resume: this is a checkpoint of another problem"));
}

#[test]
fn what_cannot_be_written_is_told_and_the_answer_is_there() {
    let scratch = Scratch::new("unwritable");
    let board = scratch.file("board.json", BOARD);
    // Where nothing can be written from the beginning, nothing is searched.
    let nowhere = scratch.path("no/such/folder");
    let run = meetjoin(&["solve", &board, "--json", "--checkpoint", &nowhere], "");
    assert!(
        one_sentence(&run, 1).starts_with(&format!("cannot write {nowhere}")),
        "{run:?}"
    );
    // A file may be made, and nothing fits into it.
    let file = scratch.path("full");
    let line = format!(
        "ulimit -f 0; exec {} solve {board} --json --checkpoint {file}",
        env!("CARGO_BIN_EXE_meetjoin")
    );
    let run = finish(
        start(std::process::Command::new("bash").args(["-c", &line])),
        b"",
    );
    assert_eq!(run.status, Some(1), "{run:?}");
    assert_eq!(json(&run.out)["exact"], true);
    assert!(
        run.err.contains("the last checkpoint cannot be written"),
        "{}",
        run.err
    );
    let run = meetjoin(
        &[
            "solve",
            &board,
            "--algorithm",
            "sss-star",
            "--checkpoint",
            &file,
        ],
        "",
    );
    assert!(refused(&run).ends_with("--checkpoint: the algorithm remembers no bounds of nodes"));
}

#[test]
fn limits_hold_where_checkpoints_are_written() {
    let scratch = Scratch::new("limits");
    let file = scratch.path("checkpoint");
    // However long a pause is, and while the problem is read too.
    let args = [
        "solve",
        "-",
        "--checkpoint",
        &file,
        "--every",
        "1e19",
        "--moves",
        "--json",
    ];
    let run = meetjoin(&args, BOARD);
    assert_eq!((run.status, &*run.err), (Some(0), ""));
    assert_eq!(json(&run.out)["checkpoint"]["checkpoints"], 1);
    let mut child = start(&mut command(
        &[&args[..], &["--resume", "--max-seconds", "0.1"]].concat(),
    ));
    let input = child.stdin.take();
    let run = finish(child, b"");
    drop(input);
    assert_eq!(
        one_sentence(&run, 3),
        "the time limit was reached while standard input was read"
    );
}

#[test]
fn one_checkpoint_serves_all_positions_of_a_game() {
    let scratch = Scratch::new("neighbours");
    let checkpoint = scratch.path("warm");
    let at = |moves: &str| {
        let text = BOARD.replace(r#""moves":"""#, &format!(r#""moves":"{moves}""#));
        scratch.file(&format!("board-{moves}.json"), text)
    };
    let solved = run(&["solve", &at(""), "--json", "--checkpoint", &checkpoint]);
    assert_eq!(solved["checkpoint"]["damaged"], false);
    let (mut cold, mut warm) = (0, 0);
    for moves in ["1", "3", "31", "333", "12345"] {
        let args = ["solve", &at(moves), "--json"];
        let plain = run(&args);
        let resumed = run(&[&args[..], &["--checkpoint", &checkpoint, "--resume"]].concat());
        assert_eq!(resumed["value"], plain["value"], "{moves}");
        let [alone, less] = [&plain, &resumed].map(|answer| answer["stats"]["visits"].as_u64());
        assert!(less < alone, "{moves}: {less:?} of {alone:?}");
        cold += alone.expect("a count");
        warm += less.expect("a count");
    }
    assert!(2 * warm < cold, "{warm} of {cold}");
    // Another game.
    let other = BOARD.replace("distance", "outcome");
    let args = [
        "solve",
        &scratch.file("other.json", other),
        "--checkpoint",
        &checkpoint,
        "--resume",
    ];
    let other = meetjoin(&args, "");
    assert!(one_sentence(&other, 2).contains("another problem"));
}

/// Two runs that keep checkpoints under one name: the second is refused, and the first goes on.
#[test]
fn a_checkpoint_is_of_one_run_at_a_time() {
    let scratch = Scratch::new("checkpoint-lock");
    let file = scratch.path("checkpoint");
    let slow = BOARD
        .replace("\"rows\":4", "\"rows\":6")
        .replace("\"columns\":5", "\"columns\":7");
    let slow = scratch.file("slow.json", slow);
    let args = ["solve", &slow, "--checkpoint", &file, "--every", "0.05"];
    let first = start(&mut command(&[&args[..], &["--max-seconds", "2"]].concat()));
    while !fs::exists(&file).expect("a folder") {
        sleep(Duration::from_millis(10));
    }
    let second = meetjoin(&[&args[..], &["--resume"]].concat(), "");
    let sentence = refused(&second);
    assert!(
        sentence.contains("another run keeps its checkpoints there"),
        "{sentence}"
    );
    let first = finish(first, b"");
    assert_eq!(first.status, Some(3), "{first:?}");
    assert!(!fs::exists(scratch.path("checkpoint.lock")).expect("a folder"));
    assert!(!fs::exists(scratch.path("checkpoint.part")).expect("a folder"));
}
