//! `meetjoin cluster solve`: the same values as `meetjoin solve`, with any number of workers and
//! processes, and whatever happens to them.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU16, Ordering};
use std::thread;
use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;

use crate::support::{
    EXAMPLE, Run, Scratch, command, finish, meetjoin, one_sentence, refused, some_at_once, start,
    value,
};

/// A board of Connect Four whose 17 levels take long enough to be interrupted.
pub const BOARD: [&str; 7] = [
    "connect-four",
    "--columns",
    "4",
    "--rows",
    "4",
    "--scoring",
    "outcome",
];

/// The answer of a run that succeeds.
pub fn answer(run: &Run) -> Value {
    assert_eq!((run.status, &*run.err), (Some(0), ""), "{run:?}");
    serde_json::from_str(&run.out).expect("an answer is JSON")
}

/// The same without what depends on the run.
pub fn found(run: &Run) -> Value {
    let mut answer = answer(run);
    answer["stats"].take();
    answer
}

/// A hosts file with so many free ports of this machine.
fn hosts(scratch: &Scratch, processes: usize) -> String {
    let mut text = String::from("# processes\n");
    for _ in 0..processes {
        let _ = writeln!(text, "127.0.0.1:{}", free_port());
    }
    scratch.file("hosts", text)
}

/// A port that no test was given before. It lies below those that systems choose by themselves, so
/// that nobody takes it until its process listens, neither another test nor a connection. Nobody
/// listens there to try it, either: a process that another test starts has copies of all files of
/// this one for a moment, and who calls then would be answered by nobody.
fn free_port() -> u16 {
    static GIVEN: AtomicU16 = AtomicU16::new(0);
    loop {
        let given = u32::from(GIVEN.fetch_add(1, Ordering::Relaxed));
        let port = 10_000 + (std::process::id() * 97 + given) % 20_000;
        let port = port as u16;
        if TcpStream::connect(("127.0.0.1", port)).is_err() {
            return port;
        }
    }
}

/// `cluster solve --json` with these arguments.
pub fn solve(args: &[&str]) -> Run {
    meetjoin(&[&["cluster", "solve", "--json"], args].concat(), "")
}

/// Starts process `process` of a run.
fn begin(hosts: &str, process: usize, args: &[&str]) -> Child {
    let process = process.to_string();
    let first = [
        "cluster",
        "solve",
        "--json",
        "--hosts",
        hosts,
        "--process",
        &process,
    ];
    start(&mut command(&[&first, args].concat()))
}

#[test]
fn values_are_those_of_solve_in_every_lattice_and_game() {
    let scratch = Scratch::new("cluster-lattices");
    let games = [
        "random --depth 6 --branching 3 --variables 5 --lattice powerset --seed 1",
        "random --depth 6 --branching 3 --variables 4 --lattice families --seed 2",
        "criteria --depth 4 --branching 3 --criteria 2 --most 9 --seed 3 --lattice free",
        "criteria --depth 4 --branching 3 --criteria 3 --most 9 --seed 3 --lattice product",
        "uniform --depth 6 --branching 3 --most 50 --seed 4",
        "fault-tree --events 12 --gates 15 --seed 5",
        "hexapawn --columns 3 --rows 3 --lattice free",
        "hexapawn --columns 3 --rows 3 --lattice product",
        "racing --deck 8 --goal 2 --hand-size 3 --seed 6 --lattice families",
        "racing --deck 9 --goal 2 --hand-size 4 --seed 7 --lattice powerset",
        "connect-four --columns 4 --rows 3",
        "kalah --pits 3 --seeds 2",
        "tic-tac-toe",
    ];
    for (i, game) in games.iter().enumerate() {
        let words: Vec<&str> = game.split(' ').collect();
        let generated = meetjoin(&[&["generate"], &words[..]].concat(), "");
        assert_eq!((generated.status, &*generated.err), (Some(0), ""), "{game}");
        let file = scratch.file(&format!("{i}.json"), &generated.out);
        let compact = meetjoin(&[&["generate"], &words[..], &["--compact"]].concat(), "");
        let of_nodes = (&[&*file][..], value(&generated.out, &[]));
        let of_game = (&words[..], value(&compact.out, &[]));
        for (problem, expected) in [of_nodes, of_game] {
            let expected: Value = serde_json::from_str(&expected).expect("JSON");
            for workers in ["1", "2", "4"] {
                let run = solve(&[&["--workers", workers], problem].concat());
                assert_eq!(answer(&run)["value"], expected, "{workers} {problem:?}");
            }
        }
    }
}

#[test]
fn an_edge_may_pass_over_levels_and_lead_to_one_node_twice() {
    let scratch = Scratch::new("cluster-example");
    let file = scratch.file("example.json", EXAMPLE);
    let run = solve(&[
        "--workers",
        "2",
        "--counts",
        "--at",
        "a",
        "--at",
        "a,y",
        &file,
    ]);
    let answer = answer(&run);
    assert_eq!(answer["value"].to_string(), "[1,2]");
    let levels = answer["levels"].to_string();
    let expected = r#"[{"level":0,"nodes":1,"values":[{"nodes":1,"value":[1,2]}]},{"level":1,"nodes":1,"values":[{"nodes":1,"value":[2]}]},{"level":2,"nodes":2,"values":[{"nodes":1,"value":[1,2]},{"nodes":1,"value":[2,3]}]}]"#;
    assert_eq!(levels, expected);
    let lines = answer["lines"].as_array().expect("a list");
    let of = |i: usize, key: &str| lines[i][key].to_string();
    assert_eq!(
        (of(0, "node"), of(0, "value")),
        (r#""r""#.into(), "[1,2]".into())
    );
    assert_eq!(
        (of(1, "node"), of(1, "value")),
        (r#""a""#.into(), "[2]".into())
    );
    assert_eq!(
        (of(2, "node"), of(2, "value")),
        (r#""y""#.into(), "[2,3]".into())
    );
    // Of two values that are incomparable neither is worth more.
    let best = |i: usize| -> Vec<bool> {
        let children = lines[i]["children"].as_array().expect("a list");
        children.iter().map(|child| child["best"] == true).collect()
    };
    assert_eq!(
        (best(0), best(1)),
        (vec![false, true], vec![true, true, true])
    );
    let wrong = solve(&["--at", "a,z", &file]);
    assert!(
        refused(&wrong).contains(r#"move 2, "z", is none of the moves of a; there are x, y, y"#)
    );
}

#[test]
fn processes_find_what_one_process_finds() {
    let scratch = Scratch::new("cluster-processes");
    let alone = found(&solve(&[&["--counts"], &BOARD[..]].concat()));
    for (processes, workers) in [(2, "1"), (2, "2"), (3, "1")] {
        let hosts = hosts(&scratch, processes);
        let args = [&["--counts", "--workers", workers], &BOARD[..]].concat();
        let runs: Vec<Child> = (0..processes).map(|i| begin(&hosts, i, &args)).collect();
        for run in runs {
            assert_eq!(found(&finish(run, b"")), alone);
        }
        // In one folder.
        let folder = scratch.path(&format!("folder-{processes}-{workers}"));
        let args = [&["--folder", &*folder], &args[..]].concat();
        let runs: Vec<Child> = (0..processes).map(|i| begin(&hosts, i, &args)).collect();
        for run in runs {
            assert_eq!(found(&finish(run, b"")), alone);
        }
    }
}

#[test]
fn a_process_that_does_not_answer_is_named_in_time() {
    let scratch = Scratch::new("cluster-patience");
    let hosts = hosts(&scratch, 2);
    for process in 0..2 {
        let run = finish(
            begin(&hosts, process, &["--patience", "0.5", "tic-tac-toe"]),
            b"",
        );
        let other = 1 - process;
        let sentence = refused(&run);
        assert!(
            sentence.contains(&format!("process {other} at 127.0.0.1:")),
            "{sentence}"
        );
        assert!(
            sentence.contains("did not answer within 0.5 s"),
            "{sentence}"
        );
    }
}

#[test]
fn workers_of_another_problem_or_version_are_refused() {
    let scratch = Scratch::new("cluster-others");
    let hosts = hosts(&scratch, 2);
    let one = begin(&hosts, 0, &["tic-tac-toe"]);
    let other = begin(&hosts, 1, &BOARD);
    for run in [one, other] {
        let run = finish(run, b"");
        let sentence = refused(&run);
        // One of them may be gone before the other has heard it.
        assert!(
            sentence.contains("works on another problem") || sentence.contains("did not answer"),
            "{sentence}"
        );
    }
    let one = begin(&hosts, 0, &["--workers", "2", "tic-tac-toe"]);
    let other = begin(&hosts, 1, &["tic-tac-toe"]);
    let runs = [one, other].map(|run| finish(run, b""));
    assert!(
        runs.iter()
            .any(|run| refused(run).contains("has --workers")),
        "{runs:?}"
    );
    let one = begin(&hosts, 0, &["--counts", "tic-tac-toe"]);
    let other = begin(&hosts, 1, &["tic-tac-toe"]);
    let runs = [one, other].map(|run| finish(run, b""));
    assert!(
        runs.iter()
            .any(|run| refused(run).contains("has other --counts or --at")),
        "{runs:?}"
    );
    // A process of another version.
    let run = begin(&hosts, 0, &["tic-tac-toe"]);
    let stream = knock(&hosts, 0);
    let line = greeted(&stream, b"").expect("there is no secret");
    let mut hello: Value = serde_json::from_str(&line).expect("as JSON");
    hello["meetjoin"] = "0.0.0".into();
    hello["process"] = 1.into();
    writeln!(&stream, "{hello}").expect("it listens");
    let run = finish(run, b"");
    assert!(
        refused(&run).contains("process 1 has version 0.0.0 of meetjoin"),
        "{run:?}"
    );
}

/// What a process says of itself to a caller who knows this secret.
fn greeted(mut stream: &TcpStream, secret: &[u8]) -> Option<String> {
    let (own, mut other) = ([7; 32], [0; 32]);
    stream.write_all(&own).ok()?;
    stream.read_exact(&mut other).ok()?;
    let code = |end: &[u8], first: &[u8], second: &[u8]| {
        let mut code = Hmac::<Sha256>::new_from_slice(secret).expect("any length");
        for part in [end, first, second] {
            code.update(part);
        }
        code.finalize().into_bytes()
    };
    stream.write_all(&code(b"caller", &own, &other)).ok()?;
    let mut answer = [0; 32];
    stream.read_exact(&mut answer).ok()?;
    assert_eq!(answer[..], code(b"listener", &other, &own)[..]);
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).ok()?;
    (!line.is_empty()).then_some(line)
}

/// The same, and then this says that it is process 1 of the run. The key of what it says next.
fn trusted(stream: &TcpStream, secret: &[u8]) -> [u8; 32] {
    // Greeted as `greeted` does, but byte by byte: what comes next is not to be lost.
    let (own, mut other, mut answer) = ([7; 32], [0; 32], [0; 32]);
    let code = |what: &[u8], first: &[u8], second: &[u8]| {
        let mut code = Hmac::<Sha256>::new_from_slice(secret).expect("any length");
        for part in [what, first, second] {
            code.update(part);
        }
        <[u8; 32]>::from(code.finalize().into_bytes())
    };
    let mut way = stream;
    way.write_all(&own).expect("it listens");
    way.read_exact(&mut other).expect("a number");
    way.write_all(&code(b"caller", &own, &other))
        .expect("it listens");
    way.read_exact(&mut answer).expect("a code");
    let mut line = String::new();
    while !line.ends_with('\n') {
        let mut byte = [0];
        way.read_exact(&mut byte).expect("a line");
        line.push(char::from(byte[0]));
    }
    let mut hello: Value = serde_json::from_str(&line).expect("as JSON");
    hello["process"] = 1.into();
    hello["holds"] = "".into();
    writeln!(way, "{hello}").expect("it listens");
    code(b"key of what is sent", &own, &other)
}

/// A block as a partner sends it.
fn sealed(key: &[u8; 32], number: u64, text: &[u8]) -> Vec<u8> {
    let mut code = Hmac::<Sha256>::new_from_slice(key).expect("any length");
    code.update(&number.to_le_bytes());
    code.update(&(text.len() as u64).to_le_bytes());
    code.update(text);
    let code = code.finalize().into_bytes();
    [&(text.len() as u32).to_le_bytes(), &code[..], text].concat()
}

/// A message of timely dataflow: channel, sender, first and end of its addressees, length, and the
/// message itself.
fn message(head: [u64; 5], text: &[u8]) -> Vec<u8> {
    let head = head.into_iter().chain([0]);
    let head: Vec<u8> = head.flat_map(u64::to_be_bytes).collect();
    [&head, text].concat()
}

/// What is sent by who has this key.
type Sent<'a> = &'a (dyn Fn(&[u8; 32]) -> Vec<u8> + Sync);

/// Who has passed the greeting and then breaks is told of in a sentence, whatever it sends.
#[test]
fn a_partner_that_breaks_is_told_of() {
    let secret = b"0123456789abcdef";
    let text = [7; 100];
    let none = |_: &[u8; 32]| Vec::new();
    let cases: &[(&str, Sent<'_>)] = &[
        ("process 1 has left the run", &none),
        ("it ends in the middle", &|_| vec![1, 2, 3]),
        ("a block has no length", &|_| vec![0; 4000]),
        ("a block has no length", &|_| vec![255; 4000]),
        ("not the code", &|_| {
            [&[9, 0, 0, 0], &[1; 3000][..]].concat()
        }),
        ("not the code", &|key| sealed(key, 1, &text)),
        ("it ends in the middle", &|key| {
            sealed(key, 0, &text)[..99].to_vec()
        }),
        ("a worker of another process", &|key| {
            sealed(key, 0, &message([0, 0, 0, 1, 100], &text))
        }),
        ("a worker that is not here", &|key| {
            sealed(key, 0, &message([0, 1, 1, 2, 100], &text))
        }),
        ("a worker that is not here", &|key| {
            sealed(key, 0, &message([0, 1, 0, u64::MAX, 100], &text))
        }),
        ("a channel that there is not", &|key| {
            sealed(key, 0, &message([1 << 40, 1, 0, 1, 100], &text))
        }),
        ("empty, or longer than any", &|key| {
            sealed(key, 0, &message([0, 1, 0, 1, u64::MAX], &text))
        }),
        ("empty, or longer than any", &|key| {
            sealed(key, 0, &message([0, 1, 0, 1, 0], &text))
        }),
        ("after the last message", &|key| sealed(key, 0, &[0; 4000])),
    ];
    let said = |sent: Sent<'_>| {
        let scratch = Scratch::new("cluster-broken");
        let (file, hosts) = (scratch.file("secret", secret), hosts(&scratch, 2));
        let args = ["--secret-file", &file, "--max-seconds", "30", "tic-tac-toe"];
        let run = begin(&hosts, 0, &args);
        let stream = knock(&hosts, 0);
        let key = trusted(&stream, secret);
        let _ = (&stream).write_all(&sent(&key));
        let _ = stream.shutdown(std::net::Shutdown::Write);
        one_sentence(&finish(run, b""), 1).to_owned()
    };
    some_at_once(cases, |(expected, sent)| {
        let sentence = said(*sent);
        assert!(sentence.contains(expected), "{expected}: {sentence}");
    });
    // As it should be, but for what it says, on each channel that may be there.
    let sentences = Mutex::new(Vec::new());
    some_at_once(&[0, 1, 2, 3, 4, 5], |channel| {
        let values = message([*channel, 1, 0, 1, 100], &[255; 100]);
        let sentence = said(&|key| sealed(key, 0, &values));
        sentences.lock().expect("no panic").push(sentence);
    });
    let sentences = sentences.into_inner().expect("no panic");
    assert!(
        sentences
            .iter()
            .any(|sentence| sentence.starts_with("the run was aborted")),
        "{sentences:?}"
    );
}

/// A connection to a process of a hosts file, as soon as it listens.
fn knock(hosts: &str, process: usize) -> TcpStream {
    let text = fs::read_to_string(hosts).expect("a hosts file");
    let address = text.lines().nth(1 + process).expect("an address");
    loop {
        match TcpStream::connect(address) {
            Ok(stream) => return stream,
            Err(_) => thread::sleep(Duration::from_millis(5)),
        }
    }
}

#[test]
fn strangers_hold_nobody_up_and_are_told_nothing() {
    let scratch = Scratch::new("cluster-strangers");
    let hosts = hosts(&scratch, 2);
    let secret = scratch.file("secret", "0123456789abcdef\n");
    let alone = found(&solve(&["tic-tac-toe"]));
    let args = ["--patience", "20", "--secret-file", &secret, "tic-tac-toe"];
    let run = begin(&hosts, 0, &args);
    // More than are greeted at a time.
    let silent: Vec<TcpStream> = (0..70).map(|_| knock(&hosts, 0)).collect();
    // A byte at a time.
    let slow = knock(&hosts, 0);
    let dripping = thread::spawn(move || {
        while (&slow).write_all(&[1]).is_ok() {
            thread::sleep(Duration::from_millis(200));
        }
    });
    // What it says comes back to it.
    let mirror = knock(&hosts, 0);
    let mut told = 0;
    let mut bytes = [0; 1 << 12];
    mirror
        .set_read_timeout(Some(Duration::from_secs(12)))
        .expect("a socket");
    loop {
        match (&mirror).read(&mut bytes) {
            Ok(read @ 1..) => {
                told += read;
                let _ = (&mirror).write_all(&bytes[..read]);
            }
            // The end of another test's child: a read with a timeout is not begun again.
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            _ => break,
        }
    }
    assert_eq!(told, 64, "a number and a code, and nothing of the run");
    // Who knows another secret, or none.
    for wrong in [&b"fedcba9876543210"[..], b""] {
        let stranger = knock(&hosts, 0);
        let told = std::panic::catch_unwind(|| greeted(&stranger, wrong));
        assert!(!matches!(told, Ok(Some(_))));
    }
    let partner = begin(&hosts, 1, &args);
    for run in [run, partner] {
        assert_eq!(found(&finish(run, b"")), alone);
    }
    drop(silent);
    dripping.join().expect("it ends with the run");
}

#[test]
fn secrets_are_the_same_or_nobody_plays() {
    let scratch = Scratch::new("cluster-secrets");
    let hosts = hosts(&scratch, 2);
    let one = scratch.file("one", "0123456789abcdef");
    let other = scratch.file("other", "0123456789abcdeg");
    let run = |process, secret: &str| {
        let args = ["--patience", "1", "--secret-file", secret, "tic-tac-toe"];
        begin(&hosts, process, &args)
    };
    let runs = [run(0, &one), run(1, &other)].map(|run| finish(run, b""));
    assert!(refused(&runs[0]).contains("process 1 at"), "{runs:?}");
    assert!(
        refused(&runs[1]).contains("the same --secret-file?")
            || refused(&runs[1]).contains("did not answer"),
        "{runs:?}"
    );
    let short = scratch.file("short", "0123456789\n");
    let run = finish(run(0, &short), b"");
    assert!(
        refused(&run).contains("a secret has at least 16 bytes"),
        "{run:?}"
    );
}

#[test]
fn a_folder_is_for_one_run_and_one_problem() {
    let scratch = Scratch::new("cluster-folder");
    let (folder, hosts) = (scratch.path("folder"), hosts(&scratch, 2));
    // It has the folder, and waits for another process.
    let waits = begin(
        &hosts,
        0,
        &["--folder", &folder, "--patience", "2", "tic-tac-toe"],
    );
    while fs::read_to_string(scratch.path("folder/run.json")).is_err() {
        thread::sleep(Duration::from_millis(5));
    }
    let second = solve(&["--folder", &folder, "tic-tac-toe"]);
    assert!(
        refused(&second).contains("another run is at work in the folder"),
        "{second:?}"
    );
    assert_eq!(finish(waits, b"").status, Some(2));
    assert_eq!(solve(&["--folder", &folder, "tic-tac-toe"]).status, Some(0));
    let other = solve(&[&["--folder", &folder], &BOARD[..]].concat());
    assert!(
        refused(&other).contains("has the levels of another problem"),
        "{other:?}"
    );
    // An answer that is there is read.
    let again = answer(&solve(&[
        "--folder",
        &folder,
        "--workers",
        "3",
        "tic-tac-toe",
    ]));
    assert_eq!(again["stats"]["evaluated_before"], 10);
    assert_eq!(again["value"], 0);
}

/// Pseudo-random numbers, the same in every run.
fn numbers(seed: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(seed), |n| {
        Some(
            n.wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407),
        )
    })
    .skip(1)
    .map(|n| n >> 33)
}

/// At 20 random moments, or as many as the variable `KILLS` says.
#[test]
fn a_run_that_is_killed_goes_on_from_the_last_level() {
    let scratch = Scratch::new("cluster-killed");
    let folder = scratch.path("folder");
    let whole = found(&solve(&[&["--counts"], &BOARD[..]].concat()));
    let mut moments = numbers(1);
    let wanted = std::env::var("KILLS").map_or(20, |kills| kills.parse().expect("a number"));
    let (mut kills, mut runs) = (0, 0);
    while kills < wanted {
        runs += 1;
        assert!(runs < 100 * wanted, "runs end before they can be killed");
        let mut moment = || moments.next().expect("there are always more");
        let workers = (moment() % 4 + 1).to_string();
        let args = [
            "cluster",
            "solve",
            "--json",
            "--counts",
            "--folder",
            &folder,
            "--workers",
            &workers,
        ];
        let mut run = start(&mut command(&[&args, &BOARD[..]].concat()));
        thread::sleep(Duration::from_millis(moment() % 150));
        if run.try_wait().expect("its own child").is_none() {
            run.kill().expect("its own child");
            kills += 1;
            let _ = run.wait();
            continue;
        }
        assert_eq!(found(&finish(run, b"")), whole);
        fs::remove_dir_all(&folder).expect("its own folder");
    }
    let last = solve(
        &[
            &["--counts", "--folder", &*folder, "--workers", "3"],
            &BOARD[..],
        ]
        .concat(),
    );
    assert_eq!(found(&last), whole);
}

#[test]
fn who_is_left_when_a_process_is_killed_says_so() {
    let scratch = Scratch::new("cluster-left");
    let (folder, hosts) = (scratch.path("folder"), hosts(&scratch, 2));
    let board = ["connect-four", "--columns", "5", "--rows", "4"];
    let args = [&["--folder", &*folder], &board[..]].concat();
    let one = begin(&hosts, 0, &args);
    let mut other = begin(&hosts, 1, &args);
    while !folder_has(&scratch, "level-00003.") {
        thread::sleep(Duration::from_millis(1));
    }
    other.kill().expect("its own child");
    let _ = other.wait();
    let run = finish(one, b"");
    assert!(
        one_sentence(&run, 1).contains("process 1 has left the run"),
        "{run:?}"
    );
    let resumed = answer(&solve(&args));
    assert_eq!(resumed["value"], 0);
    assert!(
        resumed["stats"]["expanded_before"].as_u64() >= Some(3),
        "{resumed}"
    );
}

fn folder_has(scratch: &Scratch, prefix: &str) -> bool {
    let files = fs::read_dir(scratch.path("folder"));
    let names = files.into_iter().flatten().flatten();
    names
        .filter_map(|file| file.file_name().into_string().ok())
        .any(|name| name.starts_with(prefix))
}

/// The level files of a folder.
fn level_files(folder: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).expect("a folder").flatten();
    let mut files: Vec<PathBuf> = files.map(|file| file.path()).collect();
    files.retain(|path| {
        path.extension()
            .is_some_and(|e| e == "keys" || e == "values")
    });
    files.sort();
    files
}

#[test]
fn files_that_were_altered_are_found_out() {
    let scratch = Scratch::new("cluster-altered");
    let folder = scratch.path("folder");
    let args = [
        "--counts",
        "--folder",
        &folder,
        "connect-four",
        "--columns",
        "4",
        "--rows",
        "3",
    ];
    let whole = found(&solve(&args));
    let files = level_files(&folder);
    let mut numbers = numbers(2);
    let (mut right, mut told) = (0, 0);
    for file in files.iter().step_by(3) {
        for way in 0..3 {
            let good = fs::read(file).expect("a level file");
            let mut bad = good.clone();
            let place = numbers.next().expect("there are always more") as usize % good.len();
            match way {
                0 => bad.truncate(place),
                1 => bad[place] ^= 1 << (place % 8),
                // The first byte after the header, which is of a part unless the level is empty.
                _ => {
                    let line = good.iter().position(|byte| *byte == b'\n');
                    bad[line.expect("a header") + 1] ^= 1;
                    if file.extension().is_some_and(|e| e == "keys") {
                        // Without them keys are read again.
                        let values = files
                            .iter()
                            .filter(|file| file.extension().is_some_and(|e| e == "values"));
                        values.for_each(|file| fs::remove_file(file).expect("its own file"));
                    }
                }
            }
            fs::write(file, bad).expect("its own file");
            let run = solve(&args);
            if run.status == Some(0) {
                assert_eq!(found(&run), whole, "{} {way}", file.display());
                right += 1;
            } else {
                let sentence = one_sentence(&run, 1);
                let name = file
                    .file_name()
                    .and_then(|name| name.to_str())
                    .expect("UTF-8");
                assert!(
                    sentence.contains(name) && sentence.contains("is damaged"),
                    "{sentence}"
                );
                told += 1;
                fs::remove_file(file).expect("as the sentence says");
                assert_eq!(found(&solve(&args)), whole);
            }
            fs::write(file, good).expect("its own file");
        }
    }
    assert!(right > 5 && told > 5, "{right} {told}");
}

#[test]
fn limits_and_wrong_arguments_are_sentences() {
    let scratch = Scratch::new("cluster-arguments");
    let folder = scratch.path("folder");
    let args = ["--folder", &*folder, "--max-seconds", "0", "tic-tac-toe"];
    let run = solve(&args);
    assert!(
        one_sentence(&run, 3).contains("the same command goes on from them"),
        "{run:?}"
    );
    assert_eq!(
        answer(&solve(&["--folder", &folder, "tic-tac-toe"]))["value"],
        0
    );
    // Levels that nobody keeps.
    let run = solve(&["--max-seconds", "0", "tic-tac-toe"]);
    assert!(
        one_sentence(&run, 3).contains("with --folder DIR the levels so far would stay"),
        "{run:?}"
    );
    let empty = scratch.file("empty", "# nobody\n");
    let twice = scratch.file("twice", "localhost:4000\nlocalhost:4000\n");
    let no_port = scratch.file("no-port", "localhost\n");
    for (args, why) in [
        (
            &["--hosts", &*empty, "--process", "0", "tic-tac-toe"][..],
            "the hosts are 0",
        ),
        (
            &["--hosts", &no_port, "--process", "0", "tic-tac-toe"],
            "is no address",
        ),
        (
            &["--hosts", &twice, "--process", "0", "tic-tac-toe"],
            "stands there twice",
        ),
        (&["--hosts", &empty, "tic-tac-toe"], "--process"),
        (&["--workers", "0", "tic-tac-toe"], "--workers"),
        (&["--workers", "5000", "tic-tac-toe"], "1 to 1024 workers"),
        (&["--at", "10", "tic-tac-toe"], "there are 1, 2, 3"),
        (&["--folder", &no_port, "tic-tac-toe"], "no-port"),
        (
            &["--hosts", "absent", "--process", "0", "tic-tac-toe"],
            "absent: there is no such file",
        ),
        (
            &[
                "hexapawn",
                "--columns",
                "3",
                "--rows",
                "3",
                "--lattice",
                "dominance",
            ],
            "dominance",
        ),
    ] {
        let run = solve(args);
        assert!(
            run.err.contains(why) && matches!(run.status, Some(1 | 2)),
            "{args:?}: {run:?}"
        );
        let status = run.status.unwrap_or(2);
        one_sentence(&run, status);
    }
}

/// Sends a signal to a process.
#[cfg(unix)]
fn signal(child: &Child, name: &str) {
    let sent = std::process::Command::new("kill")
        .args([format!("-{name}"), child.id().to_string()])
        .status();
    assert!(sent.expect("kill is there").success());
}

/// A hosts file or a secret that nobody writes is under the clock, too.
#[cfg(unix)]
#[test]
fn files_that_nobody_writes_are_under_the_clock() {
    let scratch = Scratch::new("cluster-fifo");
    let fifo = scratch.path("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.expect("mkfifo is there").success());
    let own = hosts(&scratch, 2);
    for files in [
        &["--hosts", &*fifo][..],
        &["--hosts", &own, "--secret-file", &fifo],
    ] {
        let args = [
            files,
            &["--process", "0", "--max-seconds", "0.3", "tic-tac-toe"],
        ]
        .concat();
        let run = solve(&args);
        assert!(one_sentence(&run, 3).contains("fifo was read"), "{run:?}");
    }
}

/// What a limit of time says: the search ends by itself, or the command does in a step that cannot.
#[cfg(unix)]
fn is_of_the_clock(sentence: &str) -> bool {
    sentence.starts_with("stopped (time)") || sentence.starts_with("the time limit was reached")
}

/// Whatever a process waits for, a signal ends it with its sentence, and so does the limit of time.
/// Who heard neither would wait for longer than a test may take.
#[cfg(unix)]
#[test]
fn who_waits_for_another_process_hears_signals_and_the_clock() {
    let scratch = Scratch::new("cluster-signals");
    let ends = |child: Child| one_sentence(&finish(child, b""), 3).to_owned();
    let resumes = "with --folder DIR the levels so far would stay";
    // Process 0 listens for the other, process 1 calls it; nobody is there.
    for process in [0, 1] {
        for name in ["INT", "TERM"] {
            let hosts = hosts(&scratch, 2);
            let child = begin(&hosts, process, &["--patience", "600", "tic-tac-toe"]);
            knock(&hosts, process);
            signal(&child, name);
            let sentence = ends(child);
            let is_told = sentence.starts_with("stopped (cancelled)");
            assert!(is_told && sentence.contains(resumes), "{sentence}");
        }
        let hosts = hosts(&scratch, 2);
        let args = ["--patience", "600", "--max-seconds", "0.5", "tic-tac-toe"];
        let sentence = ends(begin(&hosts, process, &args));
        assert!(is_of_the_clock(&sentence), "{sentence}");
    }
    // A stranger calls and says nothing.
    let waiting = hosts(&scratch, 2);
    let child = begin(&waiting, 0, &["--patience", "600", "tic-tac-toe"]);
    let stranger = knock(&waiting, 0);
    signal(&child, "INT");
    let sentence = ends(child);
    assert!(sentence.starts_with("stopped (cancelled)"), "{sentence}");
    drop(stranger);
    // A partner that stands still in the middle of a run.
    for limit in [None, Some("1.5")] {
        let hosts = hosts(&scratch, 2);
        let board = ["connect-four", "--columns", "5", "--rows", "5"];
        let args: Vec<&str> = limit
            .map(|limit| ["--max-seconds", limit])
            .into_iter()
            .flatten()
            .chain(board)
            .collect();
        // One that is killed cannot remove a folder of its own.
        let folder = scratch.path(&format!("of-partner-{limit:?}"));
        let args_of_partner = [&["--folder", &folder][..], &board].concat();
        let mut partner = begin(&hosts, 1, &args_of_partner);
        let child = begin(&hosts, 0, &args);
        let began = || Path::new(&folder).join("level-00003.1-of-2.keys").exists();
        while !began() && partner.try_wait().expect("its own child").is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        signal(&partner, "STOP");
        if limit.is_none() {
            signal(&child, "INT");
        }
        let sentence = ends(child);
        let is_told = match limit {
            None => sentence.starts_with("stopped (cancelled)") && sentence.contains(resumes),
            Some(_) => is_of_the_clock(&sentence),
        };
        assert!(is_told, "{sentence}");
        // It may have ended by itself, if the other's time was over before.
        let _ = partner.kill();
        partner.wait().expect("its own child");
    }
}

/// Without --folder nothing is left behind, however a run ends.
#[cfg(unix)]
#[test]
fn a_temporary_folder_goes_with_its_run() {
    let scratch = Scratch::new("cluster-temporary");
    let temporary = scratch.path("temporary");
    fs::create_dir(&temporary).expect("a new folder");
    let left = || fs::read_dir(&temporary).expect("it is there").count();
    let solve = |args: &[&str]| {
        let mut run = command(&[&["cluster", "solve", "--json"], args].concat());
        start(run.env("TMPDIR", &temporary))
    };
    assert_eq!(answer(&finish(solve(&["tic-tac-toe"]), b""))["value"], 0);
    assert_eq!(left(), 0);
    let run = finish(solve(&["--max-seconds", "0", "tic-tac-toe"]), b"");
    one_sentence(&run, 3);
    assert_eq!(left(), 0);
    let child = solve(&BOARD);
    let has_begun = || {
        let mut folders = fs::read_dir(&temporary).expect("it is there").flatten();
        folders.any(|folder| folder.path().join("run.json").exists())
    };
    while !has_begun() {
        thread::sleep(Duration::from_millis(1));
    }
    signal(&child, "INT");
    let run = finish(child, b"");
    assert!(matches!(run.status, Some(0 | 3)), "{run:?}");
    assert_eq!(left(), 0);
}
