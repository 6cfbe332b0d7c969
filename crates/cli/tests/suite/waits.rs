//! Whatever a command waits for, the clock and signals end the wait.

use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{
    EXAMPLE, Run, Scratch, command, finish, meetjoin, one_sentence, refused, some_at_once,
};

const DEAL: &str = "[Deal \"N:AJ2... Q98... KT3... 765...\"]\n[Declarer \"S\"]\n";

/// A folder with a pipe that nobody writes to and nobody reads.
fn scratch() -> Scratch {
    let scratch = Scratch::new("waits");
    let made = Command::new("mkfifo").arg(scratch.path("PIPE")).status();
    assert!(made.expect("mkfifo is there").success());
    scratch.file("PROBLEM", EXAMPLE);
    scratch.file("DEAL", DEAL);
    scratch.file("HOSTS", "127.0.0.1:1\n127.0.0.1:2\n");
    scratch
}

/// Words in capitals are files of the folder.
fn args(scratch: &Scratch, line: &str) -> Vec<String> {
    let is_file = |word: &str| word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase());
    let word = |word: &str| match word {
        "AQTX" => word.to_owned(),
        word if is_file(word) => scratch.path(word),
        word => word.to_owned(),
    };
    line.split(' ').map(word).collect()
}

/// Runs a command whose standard input stays open and empty, and does something meanwhile.
fn run(args: &[String], meanwhile: impl FnOnce(u32)) -> Run {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut child = command(&args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let input = child.stdin.take();
    meanwhile(child.id());
    let run = finish(child, b"");
    drop(input);
    run
}

/// Before an answer.
const WAITS: &[&str] = &[
    "solve PIPE",
    "solve -",
    "prove PIPE --at-least 1",
    "packets PIPE",
    "cuts PIPE",
    "cuts -",
    "check PIPE",
    "convert PIPE -",
    "generate PIPE",
    "generate --from PIPE",
    "ending PIPE --tricks 2",
    "ending DEAL --tricks 2 --weights PIPE",
    "trace PIPE --html OUT",
    "trace PROBLEM --html PIPE",
    "verify PIPE CERTIFICATE",
    "verify PROBLEM PIPE",
    "solve PROBLEM --events PIPE",
    "solve PROBLEM --heaviest --weights PIPE",
    "solve PROBLEM --strategy-file PIPE",
    "suit AQTX 5432 --html PIPE",
    "convert PROBLEM PIPE",
    "cluster solve PIPE",
    "cluster solve -",
    "cluster solve --hosts PIPE --process 0 tic-tac-toe",
    "cluster solve --hosts HOSTS --process 0 --secret-file PIPE tic-tac-toe",
];

/// Each wait with its own pipe.
fn each_wait(check: impl Fn(&Scratch, usize, &str) + Sync) {
    let numbered: Vec<_> = WAITS.iter().enumerate().collect();
    some_at_once(&numbered, |(number, line)| check(&scratch(), *number, line));
}

#[test]
fn every_wait_is_under_the_clock() {
    each_wait(|scratch, _, line| {
        let mut args = args(scratch, line);
        let at = if args[0] == "cluster" { 2 } else { 1 };
        args.splice(at..at, ["--max-seconds".to_owned(), "0.1".to_owned()]);
        let begun = Instant::now();
        let run = run(&args, |_| {});
        one_sentence(&run, 3);
        assert!(begun.elapsed() < Duration::from_secs(2), "{line}");
    });
}

#[test]
fn every_wait_hears_signals() {
    each_wait(|scratch, number, line| {
        let signal = ["INT", "TERM", "HUP"][number % 3];
        // One is enough, unless it comes in a search, which it cancels, and the wait after that.
        let begun = Instant::now();
        let run = run(&args(scratch, line), |process| {
            for pause in [200, 400] {
                thread::sleep(Duration::from_millis(pause));
                // It may have ended.
                let sent = Command::new("kill")
                    .args([format!("-{signal}"), process.to_string()])
                    .stderr(Stdio::null())
                    .status();
                sent.expect("kill is there");
            }
        });
        let is_ended = matches!(run.status, Some(3 | 130)) && run.err.lines().count() == 1;
        assert!(is_ended, "{line}: {run:?}");
        assert!(begun.elapsed() < Duration::from_secs(5), "{line}");
    });
}

/// After an answer that is printed.
#[test]
fn an_answer_is_there_before_its_proof_is_waited_for() {
    let scratch = scratch();
    for line in [
        "solve PROBLEM --max-seconds 0.2 --certificate PIPE",
        "prove PROBLEM --at-least [1] --max-seconds 0.2 --proof PIPE",
        "prove PROBLEM --at-least [1] --max-seconds 0.2 --certificate PIPE",
    ] {
        let run = run(&args(&scratch, line), |_| {});
        assert_eq!(run.status, Some(3), "{line}: {run:?}");
        assert!(
            !run.out.is_empty() && run.err.lines().count() == 1,
            "{line}: {run:?}"
        );
    }
}

/// What has to be read at several places, or takes a name when it is complete, is no pipe.
#[test]
fn checkpoints_and_books_are_ordinary_files() {
    let scratch = scratch();
    for line in [
        "solve PROBLEM --checkpoint PIPE --resume",
        "solve PROBLEM --checkpoint PIPE",
        "suit AQTX 5432 --book PIPE",
    ] {
        let args = args(&scratch, line);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let run = meetjoin(&args, "");
        let sentence = refused(&run);
        assert!(
            sentence.contains("is not a regular file"),
            "{line}: {sentence}"
        );
    }
}
