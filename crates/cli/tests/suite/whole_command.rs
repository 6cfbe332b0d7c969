//! Limits and signals outside of searches: while a file is read, a game is made, an answer is
//! written.

use std::io::Write as _;
use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{
    Run, Scratch, algorithms_for_integers, algorithms_for_sets, answer, command, finish, ladder,
    meetjoin, one_sentence, solve, start,
};

/// What a limit of time allows in a test, where other tests take the processor too.
const SOON: Duration = Duration::from_secs(4);

/// A deal whose value in families has millions of sets.
const MILLIONS: [&str; 9] = [
    "racing",
    "--deck",
    "40",
    "--goal",
    "7",
    "--hand-size",
    "13",
    "--seed",
    "3",
];

/// A command that got the beginning of a problem and waits for the rest.
fn reading(args: &[&str]) -> (Child, usize) {
    let mut child = start(&mut command(args));
    let beginning = &ladder(60)[..500];
    let input = child.stdin.as_mut().expect("a pipe");
    input.write_all(beginning.as_bytes()).expect("a reader");
    (child, beginning.len())
}

#[test]
fn time_is_a_limit_of_reading() {
    for args in [
        &["solve", "-"][..],
        &["check", "-"],
        &["generate", "-", "--dot"],
        &["prove", "-", "--at-least", "1"],
        &["packets", "-"],
        &["cuts", "-"],
    ] {
        let started = Instant::now();
        let (child, bytes) = reading(&[args, &["--max-seconds", "0.1"]].concat());
        // The pipe stays open as long as the child runs.
        let run = wait(child);
        assert!(started.elapsed() < SOON, "{args:?}");
        let told = format!(
            "the time limit was reached while standard input was read, after {bytes} bytes"
        );
        assert_eq!(one_sentence(&run, 3), told, "{args:?}");
    }
}

/// The end of a process whose input stays open.
fn wait(mut child: Child) -> Run {
    let input = child.stdin.take();
    let run = finish(child, b"");
    drop(input);
    run
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_while_a_file_is_read_ends_with_a_sentence() {
    for name in ["INT", "TERM", "HUP"] {
        let (child, bytes) = reading(&["solve", "-"]);
        // Until it has read what there is.
        sleep(Duration::from_millis(300));
        let kill = format!("kill -{name} {}", child.id());
        let status = std::process::Command::new("sh")
            .args(["-c", &kill])
            .status();
        assert!(status.expect("a shell").success());
        let told = format!("interrupted while standard input was read, after {bytes} bytes");
        assert_eq!(one_sentence(&wait(child), 130), told);
    }
}

#[test]
fn making_a_game_is_work_too() {
    // Half a billion edges.
    let args = [
        "generate",
        "random",
        "--depth",
        "22",
        "--branching",
        "10",
        "--variables",
        "4",
        "--seed",
        "1",
        "--lattice",
        "powerset",
    ];
    for limit in [["--max-seconds", "0.2"], ["--max-memory", "40M"]] {
        let started = Instant::now();
        let run = meetjoin(&[&args[..], &limit].concat(), "");
        assert!(started.elapsed() < SOON, "{limit:?}");
        assert_eq!(run.status, Some(3), "{}", run.err);
        assert!(
            run.err.contains("was reached while the game was expanded"),
            "{}",
            run.err
        );
    }
}

#[test]
fn limits_hold_where_a_value_has_millions_of_worlds() {
    for lattice in ["families", "powerset"] {
        for limit in [
            ["--max-seconds", "1"],
            ["--max-memory", "60M"],
            ["--max-visits", "10"],
        ] {
            let started = Instant::now();
            let rest = ["--lattice", lattice, "--json", "--algorithm", "alpha-beta"];
            let (run, most) = resident(&[&MILLIONS[..], &rest, &limit].concat());
            assert!(started.elapsed() < 5 * SOON, "{limit:?}");
            assert_eq!(run.status, Some(3), "{}", run.err);
            if limit[0] == "--max-memory" {
                let allowed = (60 << 20) * 11 / 10 + (32 << 20);
                assert!(most <= allowed, "{most} bytes for {limit:?}");
            }
            if run.err.is_empty() {
                let answer: Value = serde_json::from_str(&run.out).expect("JSON");
                assert_eq!(answer["exact"], false);
                assert_eq!(answer["upper"], "top");
                assert!(
                    answer["too_long"]["upper"].as_u64() > Some(100_000),
                    "{answer}"
                );
            } else {
                assert_ne!(limit[0], "--max-visits");
            }
        }
    }
}

#[test]
fn a_value_that_limits_leave_no_room_to_write_is_told_by_its_length() {
    let rest = ["--lattice", "powerset", "--json"];
    let limit = ["--max-memory", "400M"];
    let run = meetjoin(&[&MILLIONS[..], &rest, &limit].concat(), "");
    assert_eq!((run.status, &*run.err), (Some(3), ""));
    let answer: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(answer["stop"], "memory");
    let hands = &answer["game"]["winning"];
    assert!(hands.as_u64() > Some(1_000_000), "it was found: {answer}");
    let known = &answer["too_long"];
    assert_eq!((&known["lower"], &known["upper"]), (hands, hands));
}

#[test]
fn a_limit_before_the_first_visit_leaves_bounds_that_are_always_true() {
    for lattice in ["families", "powerset"] {
        let rest = ["--lattice", lattice, "--json", "--moves"];
        // Less than the list of hands takes.
        let limit = ["--max-memory", "50M"];
        let run = meetjoin(&[&MILLIONS[..], &rest, &limit].concat(), "");
        assert_eq!((run.status, &*run.err), (Some(3), ""));
        let answer: Value = serde_json::from_str(&run.out).expect("JSON");
        let moves = answer["moves"].as_array().expect("moves");
        assert_eq!(moves.len(), 13);
        for found in moves.iter().chain([&answer]) {
            assert_eq!(found["exact"], false);
            assert_eq!(found["value"], Value::Null);
            assert_eq!(
                (&found["lower"], &found["upper"]),
                (&"bottom".into(), &"top".into())
            );
            assert_eq!(found["stop"], "memory");
            assert_eq!(found["too_long"]["upper"], 9_657_700);
        }
        assert_eq!(answer["game"]["worlds"], 9_657_700);
        assert_eq!(answer["game"].get("sets").is_some(), lattice == "families");
        assert_eq!(answer["stats"]["visits"], 0);
    }
}

#[test]
fn with_little_memory_caches_forget_and_values_are_exact() {
    let deal = [
        "racing",
        "--deck",
        "18",
        "--goal",
        "4",
        "--hand-size",
        "6",
        "--seed",
        "1",
        "--algorithm",
        "alpha-beta-duo-plain",
        "--json",
        "--lattice",
    ];
    // What the searches take without a limit is 20 and 14 MiB.
    for (lattice, limits) in [("families", ["12M", "6M"]), ("powerset", ["9M", "5M"])] {
        let deal = [&deal[..], &[lattice]].concat();
        let solve = |limit: &[&str]| {
            let run = meetjoin(&[&deal[..], limit].concat(), "");
            assert_eq!((run.status, &*run.err), (Some(0), ""), "{limit:?}");
            serde_json::from_str::<Value>(&run.out).expect("JSON")
        };
        let free = solve(&[]);
        let entries = |answer: &Value| answer["stats"]["cache_entries"].as_u64();
        for limit in limits {
            let limited = solve(&["--max-memory", limit]);
            assert_eq!(limited["value"], free["value"], "{lattice} {limit}");
            assert!(
                entries(&limited) < entries(&free),
                "{lattice} {limit}: {limited}"
            );
        }
    }
}

/// A run, and the most bytes it had in memory, where the system tells.
fn resident(args: &[&str]) -> (Run, u64) {
    let child = start(&mut command(args));
    let status = format!("/proc/{}/status", child.id());
    let watch = std::thread::spawn(move || {
        let mut most = 0;
        while let Ok(status) = std::fs::read_to_string(&status) {
            let line = status.lines().find(|line| line.starts_with("VmHWM:"));
            let words = line.map(|line| line.split_whitespace().nth(1));
            let kib = words.flatten().and_then(|kib| kib.parse::<u64>().ok());
            // A process that has ended has no memory.
            let Some(kib) = kib else { break };
            most = most.max(kib << 10);
            sleep(Duration::from_millis(2));
        }
        most
    });
    let run = finish(child, b"");
    (run, watch.join().expect("no panic"))
}

#[test]
fn a_file_that_is_not_complete_is_removed() {
    let scratch = Scratch::new("unfinished");
    let events = scratch.path("events");
    // The search ends by itself at its limit, and the file is complete.
    let file = scratch.file("ladder.json", ladder(60));
    let args = [
        "--algorithm",
        "minimax",
        "--max-visits",
        "10000",
        "--events",
        &events,
    ];
    let run = meetjoin(&[&["solve", &file], &args[..]].concat(), "");
    assert_eq!((run.status, &*run.err), (Some(3), ""));
    let lines = std::fs::read_to_string(&events).expect("events");
    assert!(lines.ends_with('\n'));
    // The guard ends the command while nobody reads its answer, when the file is open.
    let rest = [
        "racing",
        "--deck",
        "20",
        "--goal",
        "5",
        "--hand-size",
        "7",
        "--seed",
        "1",
        "--lattice",
        "powerset",
        "--moves",
        "--json",
        "--max-seconds",
        "2",
        "--events",
        &events,
    ];
    let mut child = start(&mut command(&rest));
    let unread = child.stdout.take();
    let run = finish(child, b"");
    drop(unread);
    let told = "the time limit was reached while the answer was written";
    assert_eq!(one_sentence(&run, 3), told);
    assert!(!std::path::Path::new(&events).exists());
}

#[test]
fn watched_bounds_only_improve() {
    let ladder = ladder(60);
    for algorithm in algorithms_for_sets() {
        let args = [
            "--watch",
            "--json",
            "--algorithm",
            algorithm.id,
            "--max-visits",
            "200000",
        ];
        let run = solve(&ladder, &args);
        assert_eq!(run.err, "", "{}", algorithm.id);
        let lines: Vec<Value> = run
            .out
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        let (answer, watched) = lines.split_last().expect("an answer");
        let mut before: Option<(Vec<u64>, Vec<u64>)> = None;
        for line in watched.iter().chain([answer]) {
            let [lower, upper] = ["lower", "upper"].map(|side| set(&line[side]));
            if let Some((least, greatest)) = &before {
                assert!(
                    least.iter().all(|world| lower.contains(world)),
                    "{}",
                    run.out
                );
                assert!(
                    upper.iter().all(|world| greatest.contains(world)),
                    "{}",
                    run.out
                );
            }
            before = Some((lower, upper));
        }
        for pair in watched.windows(2) {
            assert_eq!(pair[0]["event"], "bounds");
            assert_ne!(
                (&pair[0]["lower"], &pair[0]["upper"]),
                (&pair[1]["lower"], &pair[1]["upper"])
            );
        }
    }
}

/// Searches that ask about one window after the other know less of the root in each: what is told
/// is true all the same.
#[test]
fn watched_bounds_of_numbers_are_true() {
    let board = r#"{"format":"meetjoin-problem/1","game":"connect-four","columns":5,"rows":4,"scoring":"distance","moves":"","lattice":{"type":"chain"}}"#;
    let value = answer(board, &[])["value"].as_i64().expect("a number");
    for algorithm in algorithms_for_integers() {
        let args = [
            "--watch",
            "--json",
            "--algorithm",
            algorithm.id,
            "--max-visits",
            "100000",
        ];
        let run = solve(board, &args);
        assert_eq!(run.err, "", "{}", algorithm.id);
        let mut before = (i64::MIN, i64::MAX);
        for line in run.out.lines() {
            let line: Value = serde_json::from_str(line).expect("JSON");
            let [lower, upper] =
                ["lower", "upper"].map(|side| line[side].as_i64().expect("a number"));
            assert!(lower <= value && value <= upper, "{}: {line}", algorithm.id);
            if line["event"] == "bounds" {
                assert!(
                    before.0 <= lower && upper <= before.1,
                    "{}: {line}",
                    algorithm.id
                );
                before = (lower, upper);
            }
        }
        assert_ne!(
            before,
            (i64::MIN, i64::MAX),
            "{} tells nothing",
            algorithm.id
        );
    }
}

fn set(value: &Value) -> Vec<u64> {
    let list = value.as_array().expect("a set");
    list.iter()
        .map(|world| world.as_u64().expect("a world"))
        .collect()
}
