//! Searches that are stopped: status 3, the reason, and bounds that hold the value.

use std::fs;

use serde_json::Value;

use crate::support::{EXAMPLE, algorithms_for_sets, ladder, refused, solve};

/// Three ways to {1, 2}, one of them shared; there is something to cut and something to find again.
const SMALL: &str = r#"{"format":"meetjoin-problem/1","lattice":{"type":"powerset","v":3},"root":"r","nodes":[
    {"id":"r","kind":"or","children":["a","b","a"]},
    {"id":"a","kind":"and","children":["x","y"]},
    {"id":"b","kind":"and","children":["p","q","s"]},
    {"id":"x","kind":"leaf","value":[1,2]},{"id":"y","kind":"leaf","value":[2,3]},
    {"id":"p","kind":"leaf","value":[2]},{"id":"q","kind":"leaf","value":[1,3]},{"id":"s","kind":"leaf","value":[3]}]}"#;

fn set(value: &Value) -> Vec<u64> {
    let list = value.as_array().expect("a set");
    list.iter()
        .map(|world| world.as_u64().expect("a world"))
        .collect()
}

/// That the set between the bounds is `value`.
fn check_bounds(found: &Value, value: &[u64]) {
    let (lower, upper) = (set(&found["lower"]), set(&found["upper"]));
    assert!(lower.iter().all(|world| value.contains(world)), "{found}");
    assert!(value.iter().all(|world| upper.contains(world)), "{found}");
    assert_eq!(found["exact"], lower == upper, "{found}");
    assert_eq!(found["value"].is_null(), lower != upper, "{found}");
}

#[test]
fn any_number_of_visits_gives_true_bounds() {
    for algorithm in algorithms_for_sets() {
        let mut finished = false;
        for visits in 0..100 {
            let limit = visits.to_string();
            let args = [
                "--json",
                "--moves",
                "--algorithm",
                algorithm.id,
                "--max-visits",
                &limit,
            ];
            let run = solve(SMALL, &args);
            let answer: Value = serde_json::from_str(&run.out).expect("JSON");
            assert_eq!(run.err, "");
            check_bounds(&answer, &[2]);
            let moves = answer["moves"].as_array().expect("moves");
            assert_eq!(moves.len(), 2);
            check_bounds(&moves[0], &[2]);
            check_bounds(&moves[1], &[]);
            let stats = &answer["stats"];
            let spent = stats["visits"].as_u64().unwrap() + stats["probes"].as_u64().unwrap();
            assert!(spent <= visits, "{answer}");
            let all = || std::iter::once(&answer).chain(moves);
            let stopped = all().any(|found| !found["stop"].is_null());
            assert!(
                all().all(|found| found["stop"].is_null() == (found["exact"] == true)),
                "{answer}"
            );
            assert!(all().all(|found| found["stop"].is_null() || found["stop"] == "visits"));
            assert_eq!(run.status, Some(if stopped { 3 } else { 0 }), "{answer}");
            if !stopped {
                finished = true;
                break;
            }
            if answer["exact"] == false {
                assert_eq!(
                    stats["nodes"].as_u64().map(|nodes| nodes <= visits),
                    Some(true)
                );
            }
        }
        assert!(finished, "{}", algorithm.id);
    }
}

#[test]
fn a_search_that_was_stopped_knows_strategies_up_to_there() {
    // MAX has a move that is worth 3 and one that is worth 7.
    let small = fs::read_to_string("../../examples/small.json").expect("an example");
    for (visits, option) in [
        ("0", "--strategy"),
        ("2", "--strategy"),
        ("2", "--refutation"),
    ] {
        let run = solve(&small, &[option, "--max-visits", visits, "--json"]);
        assert_eq!(run.status, Some(3));
        assert!(run.err.contains("no strategy is known: "), "{run:?}");
        assert!(run.out.contains(r#""exact":false"#), "{run:?}");
    }
    let some = solve(&small, &["--strategy", "--max-visits", "5"]);
    assert_eq!(some.status, Some(3));
    assert!(
        some.out.contains("MAX makes sure of at least 3\n"),
        "{some:?}"
    );
    assert!(
        some.out.ends_with("strategies may guarantee more)\n"),
        "{some:?}"
    );
    let some = solve(&small, &["--strategy", "--max-visits", "5", "--json"]);
    assert!(some.out.contains(r#""others":null"#), "{some:?}");
    let asked = solve(&small, &["--strategy", "x", "--max-visits", "0"]);
    assert!(
        refused(&asked).contains("the search was stopped before"),
        "{asked:?}"
    );
}

#[test]
fn children_of_wide_nodes_take_no_square() {
    const MANY: usize = 100_000;
    let ids: Vec<String> = (1..=MANY).map(|id| id.to_string()).collect();
    let leaves: Vec<String> = ids
        .iter()
        .map(|id| format!(r#"{{"id":{id},"kind":"leaf","value":{id}}}"#))
        .collect();
    let root = format!(r#"{{"id":0,"kind":"and","children":[{}]}}"#, ids.join(","));
    let wide = format!(
        r#"{{"format":"meetjoin-problem/1","lattice":{{"type":"chain"}},"root":0,"nodes":[{root},{}]}}"#,
        leaves.join(",")
    );
    let run = solve(&wide, &["--strategy", "--explain", "--max-seconds", "60"]);
    assert_eq!((run.status, &*run.err), (Some(0), ""));
}

#[test]
fn every_limit_has_its_word() {
    for (limit, value, word, words) in [
        (
            "--max-visits",
            "0",
            "visits",
            "the limit on visits was reached",
        ),
        (
            "--max-visits",
            "1",
            "visits",
            "the limit on visits was reached",
        ),
        ("--max-seconds", "0", "time", "the time limit was reached"),
        (
            "--max-memory",
            "1K",
            "memory",
            "the memory limit was reached",
        ),
        (
            "--max-memory",
            "0",
            "memory",
            "the memory limit was reached",
        ),
    ] {
        for algorithm in algorithms_for_sets() {
            let args = ["--algorithm", algorithm.id, limit, value];
            let run = solve(EXAMPLE, &args);
            assert_eq!((run.status, &*run.err), (Some(3), ""), "{args:?}");
            let head: Vec<&str> = run.out.lines().take(3).collect();
            assert!(head[0].starts_with("lower bound  {"), "{}", run.out);
            assert!(head[1].starts_with("upper bound  {"), "{}", run.out);
            assert_eq!(head[2], format!("stopped      {words}"));
            let run = solve(EXAMPLE, &[&["--json"], &args[..]].concat());
            assert_eq!(run.status, Some(3));
            let answer: Value = serde_json::from_str(&run.out).expect("JSON");
            assert_eq!(answer["stop"], word);
            check_bounds(&answer, &[1, 2]);
        }
    }
}

#[test]
fn limits_that_are_not_reached_do_nothing() {
    for args in [
        ["--max-visits", "18446744073709551615"],
        ["--max-seconds", "1e18"],
        ["--max-seconds", "600.5"],
        ["--max-memory", "1.5GiB"],
        ["--max-memory", "16000000T"],
    ] {
        let run = solve(EXAMPLE, &args);
        assert_eq!((run.status, &*run.err), (Some(0), ""), "{args:?}");
        assert!(run.out.starts_with("value  {1,2}\n"), "{}", run.out);
    }
}

#[test]
fn limits_stop_searches_that_would_never_end() {
    let ladder = ladder(60);
    for (limit, value, word) in [
        ("--max-visits", "12345", "visits"),
        ("--max-seconds", "0.05", "time"),
    ] {
        let args = ["--json", "--algorithm", "minimax", limit, value];
        let run = solve(&ladder, &args);
        assert_eq!((run.status, &*run.err), (Some(3), ""));
        let answer: Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!(answer["stop"], word);
        assert_eq!(answer["exact"], false);
        check_bounds(&answer, &[1, 3]);
        if word == "visits" {
            assert_eq!(answer["stats"]["visits"], 12345);
        }
    }
}

#[cfg(target_os = "linux")]
mod signals {
    use std::fs;
    use std::process::{Child, Command};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    use serde_json::Value;

    use super::check_bounds;
    use crate::support::{Run, Scratch, command, finish, ladder, start};

    /// Starts `solve` on a ladder that would take years.
    fn endless(scratch: &Scratch, args: &[&str]) -> Child {
        let file = scratch.file("ladder.json", ladder(60));
        let mut child = start(&mut command(&[&["solve", &file], args].concat()));
        busy(&mut child);
        child
    }

    /// Waits until a command searches: what is before that takes no hundredth of a second.
    fn busy(child: &mut Child) {
        let stat = format!("/proc/{}/stat", child.id());
        let hundredths = || {
            let stat = fs::read_to_string(&stat).ok()?;
            stat.split_whitespace().nth(13)?.parse().ok()
        };
        while hundredths().is_none_or(|spent: u32| spent < 5) {
            let ended = child.try_wait().expect("its own child");
            assert!(ended.is_none(), "it ended by itself");
            sleep(Duration::from_millis(1));
        }
    }

    fn kill(name: &str, child: &Child) {
        let kill = format!("kill -{name} {}", child.id());
        let status = Command::new("sh").args(["-c", &kill]).status();
        assert!(status.expect("a shell").success());
    }

    /// Whoever plays waits for a move, and not for bounds.
    #[test]
    fn a_game_ends_where_the_program_thinks() {
        let games = [
            "play connect-four --interactive --side min --max-seconds 1000",
            "play racing --deck 34 --goal 6 --hand-size 11 --seed 1 --max-seconds 1000",
        ];
        for line in games {
            let args: Vec<&str> = line.split(' ').collect();
            let mut child = start(&mut command(&args));
            busy(&mut child);
            kill("INT", &child);
            let run = finish(child, b"");
            let why = "meetjoin: interrupted while the program thought about a move\n";
            assert_eq!((run.status, &*run.err), (Some(130), why), "{run:?}");
        }
    }

    fn signal(name: &str, child: Child) -> Run {
        let sent = Instant::now();
        kill(name, &child);
        let run = finish(child, b"");
        assert!(sent.elapsed() < Duration::from_secs(2));
        assert_eq!((run.status, &*run.err), (Some(3), ""), "{run:?}");
        run
    }

    #[test]
    fn people_get_the_bounds() {
        let scratch = Scratch::new("signal-text");
        for name in ["INT", "TERM", "HUP"] {
            let run = signal(name, endless(&scratch, &["--algorithm", "minimax"]));
            let words: Vec<&str> = run.out.lines().map(|line| &line[..11]).collect();
            assert_eq!(words[..3], ["lower bound", "upper bound", "stopped    "]);
            assert!(
                run.out.contains("the computation was cancelled"),
                "{}",
                run.out
            );
        }
    }

    #[test]
    fn programs_get_the_bounds_and_the_events_so_far() {
        let scratch = Scratch::new("signal-json");
        let events = scratch.path("events");
        let args = [
            "--json",
            "--moves",
            "--algorithm",
            "minimax",
            "--events",
            &events,
        ];
        let run = signal("INT", endless(&scratch, &args));
        let answer: Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!(answer["stop"], "cancelled");
        check_bounds(&answer, &[1, 3]);
        assert_eq!(answer["moves"][0]["stop"], "cancelled");
        check_bounds(&answer["moves"][0], &[1, 3]);
        let events = fs::read_to_string(events).expect("events");
        let last = events.lines().next_back().expect("an event");
        let last: Value = serde_json::from_str(last).expect("whole lines");
        assert!(last["node"].is_u64(), "{last}");
        let enters = events.matches("\"enter\"").count();
        assert_eq!(answer["stats"]["visits"], enters);
    }
}

/// OR(AND(y, c), OR(y, x), x): stopped before the last child, a leaf, is visited, the lower bound
/// takes it in all the same.
#[test]
fn bounds_take_in_what_is_known_without_a_visit() {
    let problem = r#"{"format":"meetjoin-problem/1","lattice":{"type":"powerset","v":4},"root":"r","nodes":[
        {"id":"r","kind":"or","children":["a","b","x"]},{"id":"a","kind":"and","children":["y","c"]},
        {"id":"b","kind":"or","children":["y","x"]},{"id":"c","kind":"or","children":["z","x"]},
        {"id":"x","kind":"leaf","value":[1,2]},{"id":"y","kind":"leaf","value":[2,3]},{"id":"z","kind":"leaf","value":[3]}]}"#;
    for algorithm in algorithms_for_sets() {
        let run = solve(
            problem,
            &["--algorithm", algorithm.id, "--max-visits", "3", "--json"],
        );
        assert_eq!(run.status, Some(3), "{}", algorithm.id);
        let found: Value = serde_json::from_str(&run.out).expect("JSON");
        check_bounds(&found, &[1, 2, 3]);
        let lower = set(&found["lower"]);
        assert!(
            lower.contains(&1) && lower.contains(&2),
            "{}: {found}",
            algorithm.id
        );
    }
}
