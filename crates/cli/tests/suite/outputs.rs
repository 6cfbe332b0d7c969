//! Outputs that cannot be written: status 1 and a sentence that names the place; a reader that has
//! gone is no error.

#![cfg(target_os = "linux")]

use std::fs::{self, File, OpenOptions};
use std::io::Read;
use std::process::{Command, Stdio};
use std::thread;

use crate::support::{
    EXAMPLE, M3, Scratch, command, finish, ladder, leaf, meetjoin, one_sentence, refused, solve,
    start,
};

fn full() -> Stdio {
    let device = OpenOptions::new().write(true).open("/dev/full");
    Stdio::from(device.expect("Linux has it"))
}

const RANDOM: &[&str] = &[
    "generate",
    "random",
    "--depth",
    "12",
    "--branching",
    "4",
    "--variables",
    "10",
    "--lattice",
    "powerset",
    "--seed",
    "1",
];

#[test]
fn standard_output_that_is_full() {
    for args in [
        &["solve", "-"][..],
        &["solve", "-", "--json", "--moves"],
        &["solve", "-", "--max-visits", "1"],
        &["check", "-"],
        &["generate", "-"],
        &["generate", "-", "--dot"],
        &["algorithms"],
        &["--help"],
        &["--version"],
        RANDOM,
    ] {
        let mut command = command(args);
        let child = command
            .stdin(Stdio::piped())
            .stdout(full())
            .stderr(Stdio::piped())
            .spawn();
        let run = finish(child.expect("it starts"), EXAMPLE.as_bytes());
        let expected = "cannot write standard output: no space is left on the device";
        assert_eq!(one_sentence(&run, 1), expected, "{args:?}");
    }
}

#[test]
fn standard_error_that_is_full_changes_no_status() {
    for (args, status) in [
        (&["solve", "missing.json"][..], 2),
        (&["solve", "-", "--events", "/dev/full"], 1),
        (&["solve"], 2),
    ] {
        let mut command = command(args);
        let child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(full())
            .spawn();
        let run = finish(child.expect("it starts"), EXAMPLE.as_bytes());
        assert_eq!(run.status, Some(status), "{args:?}");
    }
}

#[test]
fn events_that_cannot_be_created() {
    let scratch = Scratch::new("events-nowhere");
    let file = scratch.file("file", "x");
    for (path, words) in [
        (scratch.path("missing/events"), "there is no such folder"),
        (scratch.path(""), "it is a folder"),
        (
            format!("{file}/events"),
            "a part of the path is a file, not a folder",
        ),
    ] {
        let run = solve(EXAMPLE, &["--events", &path]);
        let sentence = one_sentence(&run, 1);
        assert!(
            sentence.starts_with(&format!("cannot write {path}: ")),
            "{sentence}"
        );
        assert!(sentence.contains(words), "{sentence}");
    }
}

#[test]
fn events_that_cannot_be_finished_leave_the_answer() {
    // A short search is over when its events turn out not to fit; a long one is cancelled.
    for (problem, stop, algorithm) in [
        (EXAMPLE.to_owned(), "null", "alpha-beta-duo"),
        (ladder(60), "\"cancelled\"", "minimax"),
    ] {
        let args = ["--json", "--events", "/dev/full", "--algorithm", algorithm];
        let run = solve(&problem, &args);
        assert_eq!(run.status, Some(1));
        let expected = "meetjoin: cannot write /dev/full: no space is left on the device\n";
        assert_eq!(run.err, expected);
        assert!(
            run.out.contains(&format!("\"stop\":{stop},")),
            "{}",
            run.out
        );
        assert!(run.out.ends_with("}}\n"), "{}", run.out);
    }
}

#[test]
fn events_that_cannot_be_finished_are_removed() {
    let scratch = Scratch::new("events-half");
    let (problem, events) = (scratch.file("p.json", ladder(60)), scratch.path("events"));
    // No file may grow beyond some blocks, and the signal that says so is ignored.
    let script = format!(
        "trap '' XFSZ; ulimit -f 200; exec {} solve {problem} --algorithm minimax --events {events}",
        env!("CARGO_BIN_EXE_meetjoin")
    );
    let run = finish(start(Command::new("sh").args(["-c", &script])), b"");
    assert_eq!(run.status, Some(1), "{run:?}");
    assert!(
        run.err
            .starts_with(&format!("meetjoin: cannot write {events}: ")),
        "{run:?}"
    );
    assert_eq!(run.err.lines().count(), 1);
    assert!(run.out.starts_with("lower bound"), "{run:?}");
    assert!(!fs::exists(&events).expect("a readable directory"));
}

#[test]
fn bad_input_leaves_no_events() {
    let scratch = Scratch::new("events-bad-input");
    let (events, old) = (scratch.path("events"), scratch.file("old", "as it was"));
    let nand = EXAMPLE.replace("\"and\"", "\"nand\"");
    let m3 = leaf(M3, "\"a\"");
    for (problem, args) in [
        (&nand, &[][..]),
        (&m3, &[]),
        (&EXAMPLE.to_owned(), &["--algorithm", "chess"]),
        (&EXAMPLE.to_owned(), &["--max-visits", "x"]),
    ] {
        refused(&solve(problem, &[&["--events", &events], args].concat()));
        assert!(!fs::exists(&events).expect("a readable directory"));
        refused(&solve(problem, &[&["--events", &old], args].concat()));
        assert_eq!(fs::read_to_string(&old).expect("the old file"), "as it was");
    }
}

#[test]
fn events_never_overwrite_the_problem() {
    let scratch = Scratch::new("events-own");
    let problem = scratch.file("p.json", EXAMPLE);
    let link = scratch.path("link.json");
    std::os::unix::fs::symlink(&problem, &link).expect("a link");
    let hard = scratch.path("hard.json");
    fs::hard_link(&problem, &hard).expect("a hard link");
    for (from, to) in [
        (&problem, &problem),
        (&problem, &link),
        (&link, &problem),
        (&problem, &hard),
    ] {
        let run = meetjoin(&["solve", from, "--events", to], "");
        assert!(
            refused(&run).contains("would overwrite an input"),
            "{run:?}"
        );
        assert_eq!(fs::read_to_string(&problem).expect("the problem"), EXAMPLE);
    }
    let mut from_stdin = command(&["solve", "-", "--events", &problem]);
    from_stdin.stdin(File::open(&problem).expect("the problem"));
    let run = from_stdin.output().expect("it runs");
    assert_eq!(run.status.code(), Some(2));
    assert_eq!(fs::read_to_string(&problem).expect("the problem"), EXAMPLE);
}

#[test]
fn no_output_overwrites_what_is_read() {
    let scratch = Scratch::new("outputs-own");
    // Names without extensions, as each output has its own.
    let problem = scratch.file("p", EXAMPLE);
    let tree = scratch.file("t", "top = or a b\n");
    let attack = scratch.file("a", "top = or a b\n");
    for (args, read) in [
        (
            &["solve", &problem, "--certificate", &problem][..],
            &problem,
        ),
        (&["solve", &problem, "--strategy-file", &problem], &problem),
        (
            &["prove", &problem, "--at-least", "[2]", "--proof", &problem],
            &problem,
        ),
        (
            &[
                "prove",
                &problem,
                "--at-least",
                "[2]",
                "--certificate",
                &problem,
            ],
            &problem,
        ),
        (&["trace", &problem, "--html", &problem], &problem),
        (&["cuts", &tree, "--html", &tree], &tree),
        (&["cuts", &tree, "--picture", &tree], &tree),
        (&["attacks", &attack, "--html", &attack], &attack),
        (&["convert", &problem, &problem], &problem),
    ] {
        let before = fs::read(read).expect("the problem");
        let run = meetjoin(args, "");
        let expected = format!("{read} would overwrite an input");
        assert_eq!(refused(&run), expected, "{args:?}");
        assert_eq!(fs::read(read).expect("the problem"), before, "{args:?}");
    }
}

#[test]
fn two_outputs_are_two_files() {
    let scratch = Scratch::new("outputs-two");
    let [one, same] = ["one", "./one"].map(|name| scratch.path(name));
    for other in ["--strategy-file", "--events", "--checkpoint"] {
        let run = solve(EXAMPLE, &["--certificate", &one, other, &same]);
        assert!(
            refused(&run).contains("is named for two outputs"),
            "{run:?}"
        );
        assert!(!fs::exists(&one).expect("a readable directory"), "{other}");
    }
    let both = ["--certificate", "/dev/null", "--strategy-file", "/dev/null"];
    assert_eq!(solve(EXAMPLE, &both).status, Some(0));
}

#[test]
fn a_dash_is_no_output_beside_an_answer() {
    let scratch = Scratch::new("outputs-dash");
    let tree = scratch.file("p.txt", "top = or a b\n");
    let problem = scratch.file("p.json", EXAMPLE);
    for args in [
        &["solve", &problem, "--certificate", "-"][..],
        &["solve", &problem, "--strategy-file", "-"],
        &["solve", &problem, "--events", "-"],
        &["solve", &problem, "--checkpoint", "-"],
        &["prove", &problem, "--at-least", "[2]", "--proof", "-"],
        &["trace", &problem, "--html", "-"],
        &["cuts", &tree, "--picture", "-"],
    ] {
        let mut run = command(args);
        run.current_dir(scratch.path("."));
        let run = run.output().expect("it runs");
        let error = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{args:?} {error}");
        assert!(error.contains("name a file (./- for"), "{args:?} {error}");
        assert!(!fs::exists(scratch.path("-")).expect("a readable directory"));
    }
    let run = meetjoin(&["convert", &problem, "-"], "");
    assert_eq!(run.status, Some(0), "{run:?}");
}

#[test]
fn a_page_that_cannot_be_written_leaves_the_answer() {
    let scratch = Scratch::new("outputs-full");
    let tree = scratch.file("p.txt", "top = or a b\n");
    let attack = scratch.file("a.txt", "top = or a b\n");
    let ending = "ending AJ2.A.. KT3.2.. Q98765.43.. --tricks 4";
    let ending: Vec<&str> = ending.split(' ').collect();
    let four = ["play", "connect-four", "--columns", "2", "--rows", "2"];
    for (args, output) in [
        (&["cuts", &tree][..], "--html"),
        (&["cuts", &tree], "--picture"),
        (&["attacks", &attack], "--html"),
        (&ending, "--html"),
        (&["suit", "AQ", "32"], "--html"),
        (&["suit", "AQ", "32"], "--picture"),
        (&four, "--picture"),
    ] {
        let answer = meetjoin(args, "").out;
        let run = meetjoin(&[args, &[output, "/dev/full"]].concat(), "");
        let expected = "meetjoin: cannot write /dev/full: no space is left on the device\n";
        assert_eq!((run.status, &*run.err), (Some(1), expected), "{args:?}");
        let first = |out: &str| out.lines().next().map(str::to_owned);
        assert!(
            !answer.is_empty() && first(&run.out) == first(&answer),
            "{run:?}"
        );
        let run = meetjoin(&[args, &[output, "/missing/page"]].concat(), "");
        one_sentence(&run, 1);
        assert_eq!(run.out, "", "the path is tried before the work: {args:?}");
    }
}

#[test]
fn standard_input_is_one_file() {
    let expected = "standard input, `-`, is one file, and cannot be given twice";
    assert_eq!(refused(&meetjoin(&["verify", "-", "-"], EXAMPLE)), expected);
    let deal = fs::read("../../examples/guess.pbn").expect("an example");
    let run = meetjoin(&["ending", "-", "--tricks", "4", "--weights", "-"], deal);
    assert_eq!(refused(&run), expected);
}

#[test]
fn readers_that_leave_early() {
    // More than a pipe holds, of which someone reads the beginning.
    let mut child = start(&mut command(RANDOM));
    let mut begin = [0; 100];
    let mut stdout = child.stdout.take().expect("a pipe");
    stdout.read_exact(&mut begin).expect("there is more");
    drop(stdout);
    let run = finish(child, b"");
    assert_eq!((run.status, &*run.err), (Some(0), ""));
    // Nobody reads anything: the pipe is closed before the problem is there.
    for args in [
        &["solve", "-"][..],
        &["solve", "-", "--json"],
        &["check", "-"],
        &["generate", "-"],
    ] {
        let mut child = start(&mut command(args));
        drop(child.stdout.take());
        let run = finish(child, EXAMPLE.as_bytes());
        assert_eq!((run.status, &*run.err), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn a_reader_of_events_that_leaves_early_does_not_stop_the_search() {
    let scratch = Scratch::new("events-pipe");
    let pipe = scratch.path("pipe");
    let made = finish(start(Command::new("mkfifo").arg(&pipe)), b"");
    assert_eq!(made.status, Some(0));
    let problem = scratch.file("p.json", ladder(12));
    let args = [
        "solve",
        &problem,
        "--json",
        "--algorithm",
        "minimax",
        "--events",
        &pipe,
    ];
    let child = start(&mut command(&args));
    // In a thread of its own: if nobody comes to write, it waits for ever.
    let reader = thread::spawn(move || {
        let mut begin = [0; 10];
        let mut reader = File::open(&pipe).expect("the other end");
        reader.read_exact(&mut begin).expect("there is more");
        begin
    });
    let run = finish(child, b"");
    assert_eq!((run.status, &*run.err), (Some(0), ""));
    assert!(
        run.out.contains("\"exact\":true,\"value\":[1,3]"),
        "{}",
        run.out
    );
    assert_eq!(&reader.join().expect("no panic"), b"{\"event\":\"");
}

/// Nothing is read, searched or printed for an output that cannot be written anyway.
#[test]
fn paths_are_tried_before_the_work() {
    let scratch = Scratch::new("outputs-tried");
    let long = scratch.file("long.json", ladder(60));
    let short = scratch.file("short.json", EXAMPLE);
    let criteria = meetjoin(
        &[
            "generate",
            "hexapawn",
            "--columns",
            "3",
            "--rows",
            "3",
            "--lattice",
            "dominance",
        ],
        "",
    );
    let criteria = scratch.file("criteria.json", criteria.out);
    let (missing, folder) = (scratch.path("missing/out"), scratch.path(""));
    for path in [&missing, &folder] {
        for args in [
            &[
                "solve",
                &long,
                "--algorithm",
                "minimax",
                "--certificate",
                path,
            ][..],
            &[
                "solve",
                &long,
                "--algorithm",
                "minimax",
                "--strategy-file",
                path,
            ],
            &["solve", &long, "--algorithm", "minimax", "--events", path],
            &[
                "prove",
                &long,
                "--at-least",
                "[2]",
                "--algorithm",
                "test",
                "--proof",
                path,
            ],
            &["prove", &long, "--at-least", "[2]", "--certificate", path],
            &["packets", &criteria, "--certificate", path],
            &["trace", &short, "--html", path],
            &["suit", "AQT98", "5432", "--html", path],
            &["convert", &short, path],
        ] {
            let run = meetjoin(args, "");
            let sentence = one_sentence(&run, 1);
            assert!(
                sentence.starts_with(&format!("cannot write {path}: ")),
                "{args:?}: {sentence}"
            );
        }
        let run = meetjoin(&["solve", &short, "--checkpoint", path], "");
        assert!(
            run.out.is_empty() && run.err.lines().count() == 1,
            "{run:?}"
        );
        assert!(matches!(run.status, Some(1 | 2)), "{run:?}");
    }
    // A device is no path that cannot be written; what becomes of it is told after the answer.
    let run = meetjoin(
        &["prove", &short, "--at-least", "[1]", "--proof", "/dev/full"],
        "",
    );
    assert_eq!(run.status, Some(1));
    assert!(
        !run.out.is_empty() && run.err.contains("/dev/full"),
        "{run:?}"
    );
}
