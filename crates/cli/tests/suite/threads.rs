//! `--threads`: the same values, limits that hold for all threads together, and refusals in a
//! sentence.

use serde_json::Value;

use crate::support::{Scratch, algorithms, answer, meetjoin, refused, solve};

/// A problem in the format of files.
fn generated(line: &str) -> String {
    let args: Vec<&str> = line.split(' ').collect();
    let run = meetjoin(&args, "");
    assert_eq!(run.status, Some(0), "{}", run.err);
    run.out
}

#[test]
fn threads_find_the_same_values() {
    for line in [
        "generate random --depth 9 --branching 4 --variables 10 --alternating --seed 3 --lattice powerset",
        "generate random --depth 9 --branching 4 --variables 12 --seed 3 --lattice families",
        "generate uniform --depth 7 --branching 4 --most 50 --seed 3",
        "generate connect-four --columns 4 --rows 4 --compact",
        "generate racing --deck 14 --goal 3 --hand-size 4 --seed 3 --lattice families",
    ] {
        let problem = generated(line);
        let one = answer(&problem, &["--moves"]);
        for threads in ["2", "3", "4"] {
            let many = answer(&problem, &["--moves", "--threads", threads]);
            assert_eq!(many["value"], one["value"], "{line}");
            assert_eq!(many["moves"], one["moves"], "{line}");
            assert_eq!(many["exact"], true, "{line}");
            assert!(many["stats"]["visits"].as_u64() >= Some(1), "{line}");
            assert!(many["stats"]["nodes"].is_u64() == one["stats"]["nodes"].is_u64());
        }
    }
}

#[test]
fn threads_together_keep_the_limit_on_visits() {
    let problem = generated(
        "generate random --depth 9 --branching 4 --variables 10 --alternating --seed 3 --lattice powerset",
    );
    let value = answer(&problem, &[])["value"].clone();
    let set = |value: &Value| -> Vec<u64> {
        let worlds = value.as_array().expect("a set").iter();
        worlds
            .map(|world| world.as_u64().expect("a world"))
            .collect()
    };
    for limit in [0, 1, 100, 1_000, 2_500] {
        for threads in ["2", "4"] {
            let limit_text = limit.to_string();
            let args = ["--threads", threads, "--max-visits", &limit_text];
            let run = solve(&problem, &[&args, &["--json"][..]].concat());
            let found: Value = serde_json::from_str(&run.out).expect("an answer is JSON");
            let count = |key: &str| found["stats"][key].as_u64().expect("a count");
            assert!(count("visits") + count("probes") <= limit, "{found}");
            let (lower, upper) = (set(&found["lower"]), set(&found["upper"]));
            let value = set(&value);
            assert!(lower.iter().all(|world| value.contains(world)), "{found}");
            assert!(value.iter().all(|world| upper.contains(world)), "{found}");
            if found["exact"] == false {
                assert_eq!((run.status, &found["stop"]), (Some(3), &"visits".into()));
            }
        }
    }
}

#[test]
fn what_has_one_thread_says_so() {
    let problem = generated("generate uniform --depth 3 --branching 2 --most 9 --seed 3");
    for algorithm in algorithms() {
        let args = ["solve", "-", "--algorithm", algorithm.id, "--threads", "2"];
        let run = meetjoin(&args, &problem);
        if algorithm.runs_on_threads() && algorithm.id != "thresholds" {
            assert_eq!(run.status, Some(0), "{}", run.err);
        } else {
            let sentence = refused(&run);
            assert!(sentence.contains(algorithm.id), "{sentence}");
        }
    }
    let scratch = Scratch::new("threads");
    let events = scratch.path("events");
    let run = meetjoin(
        &["solve", "-", "--threads", "2", "--events", &events],
        &problem,
    );
    assert!(refused(&run).contains("--events"), "{}", run.err);
    let all = meetjoin(&["solve", "-", "--threads", "all"], &problem);
    assert_eq!(all.status, Some(0), "{}", all.err);
    for bad in ["0", "-1", "two", "1025", "99999999999999999999"] {
        refused(&meetjoin(&["solve", "-", "--threads", bad], &problem));
    }
}

#[test]
fn heaviest_sets_and_claims_on_threads() {
    let problem = generated(
        "generate random --depth 9 --branching 4 --variables 12 --seed 3 --lattice families",
    );
    let heaviest = |threads: &str| {
        let run = solve(&problem, &["--heaviest", "--json", "--threads", threads]);
        assert_eq!((run.status, &*run.err), (Some(0), ""));
        let answer: Value = serde_json::from_str(&run.out).expect("an answer is JSON");
        [
            answer["weight"].clone(),
            answer["set"].clone(),
            answer["bound"].clone(),
        ]
    };
    assert_eq!(heaviest("3"), heaviest("1"));
    let problem = generated("generate uniform --depth 7 --branching 4 --most 50 --seed 3");
    let value = answer(&problem, &[])["value"].as_i64().expect("an integer");
    for (at_least, result) in [(value, "proved"), (value + 1, "disproved")] {
        let at_least = at_least.to_string();
        let args = [
            "prove",
            "-",
            "--json",
            "--at-least",
            &at_least,
            "--threads",
            "2",
        ];
        let run = meetjoin(&args, &problem);
        assert_eq!((run.status, &*run.err), (Some(0), ""));
        let proved: Value = serde_json::from_str(&run.out).expect("an answer is JSON");
        assert_eq!(proved["result"], result, "{proved}");
        for other in ["proof-number", "test"] {
            let run = meetjoin(&[&args[..], &["--algorithm", other]].concat(), &problem);
            assert!(refused(&run).contains(other), "{}", run.err);
        }
    }
}

#[test]
fn play_on_threads_finds_the_same_values() {
    let played = |args: &str| -> Value {
        let args: Vec<&str> = args.split(' ').collect();
        let run = meetjoin(&[&["play"], &args[..], &["--json"]].concat(), "");
        assert_eq!((run.status, &*run.err), (Some(0), ""));
        serde_json::from_str(&run.out).expect("an answer is JSON")
    };
    // The last takes longer than helpers wait.
    for game in [
        "tic-tac-toe",
        "connect-four --columns 5 --rows 5 --moves 332",
        "connect-four --columns 5 --rows 4 --depth 8",
        "kalah --pits 3 --seeds 3",
    ] {
        let (one, two) = (played(game), played(&format!("{game} --threads 2")));
        for key in ["value", "exact", "estimate", "depth", "moves"] {
            assert_eq!(one[key], two[key], "{game}: {key}");
        }
        assert_eq!(
            one["line"].as_array().is_some(),
            two["line"].as_array().is_some()
        );
    }
    let limited = meetjoin(
        &[
            "play",
            "connect-four",
            "--threads",
            "2",
            "--max-visits",
            "5000",
            "--json",
        ],
        "",
    );
    assert_eq!(limited.status, Some(3), "{}", limited.err);
    let found: Value = serde_json::from_str(&limited.out).expect("an answer is JSON");
    assert!(found["stats"]["visits"].as_u64() <= Some(5000), "{found}");
    // A game against the program, which thinks on two threads.
    let game = "play connect-four --columns 4 --rows 4 --threads 2 --interactive --max-seconds 1";
    let args: Vec<&str> = game.split(' ').collect();
    let run = meetjoin(&args, "1\nh\nq\n");
    assert_eq!((run.status, &*run.err), (Some(0), ""));
    assert!(run.out.contains("MIN plays column"), "{}", run.out);
}
