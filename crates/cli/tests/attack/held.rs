//! Limits of time and memory: by how much each command goes over them. The worst that is allowed is
//! a tenth and 0.1 s, and a tenth and 32 MiB.

use std::fs::OpenOptions;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Attack, Run, check, finish, run, start, words};

/// Commands that would take long, or wait for ever, without a limit.
fn commands(attack: &Attack) -> Vec<(String, bool)> {
    let made = |name: &str, line: &str| {
        let run = run(attack, &words(line));
        assert_eq!(run.status, Some(0), "{line}: {}", run.err);
        attack.file(name, run.out)
    };
    let board = made("board.json", "generate connect-four --compact");
    let sets = made(
        "sets.json",
        "generate random --depth 15 --branching 4 --variables 10 --seed 1 --lattice families --compact",
    );
    let nodes = made(
        "nodes.json",
        "generate random --depth 12 --branching 4 --variables 9 --seed 1 --lattice families",
    );
    let large = made(
        "large.json",
        "generate uniform --depth 8 --branching 6 --most 1000 --seed 1",
    );
    let criteria = made(
        "criteria.json",
        "generate criteria --depth 8 --branching 4 --criteria 3 --most 1000 --seed 1 --lattice dominance --compact",
    );
    let tree = made(
        "tree.json",
        "generate fault-tree --events 2000 --gates 2000 --seed 1",
    );
    let deal = attack.file(
        "deal.pbn",
        "[Deal \"N:AQ4.A63.K4. KJ7.852.QT. T93.KT7.A2. 862.QJ9.J9.\"]\n[Declarer \"S\"]\n",
    );
    let [fifo, out] = ["fifo", "out"].map(|name| attack.path(name));
    if !std::path::Path::new(&fifo).exists() {
        let made = Command::new("mkfifo").arg(&fifo).status();
        assert!(made.expect("mkfifo is there").success());
    }
    let hosts = attack.file("hosts", "127.0.0.1:47110\n127.0.0.1:47111\n");
    let certificate = attack.path("certificate");
    let searches = [
        format!("solve {board} --json"),
        format!("solve {board} --algorithm minimax-cached"),
        format!("solve {board} --threads 2"),
        format!("solve {board} --certificate {out}"),
        format!("solve {sets} --json"),
        format!("solve {sets} --algorithm minimax"),
        format!("solve {sets} --explain"),
        format!("solve {nodes} --heaviest"),
        format!("solve {nodes} --moves --json"),
        "racing --deck 40 --goal 8 --hand-size 12 --seed 1 --lattice families".to_owned(),
        "random --depth 15 --branching 5 --variables 12 --seed 2 --lattice families".to_owned(),
        format!("packets {criteria}"),
        format!("packets {criteria} --algorithm procedure-f-shallow"),
        format!("prove {board} --at-least 1"),
        format!("prove {sets} --at-least [1,2,3]"),
        format!("cuts {tree}"),
        format!("cuts {tree} --csv"),
        format!("cuts {tree} --list --json"),
        "suit AQT98 -".to_owned(),
        format!("suit AT942 J863 --html {out}"),
        format!("ending {deal} --tricks 5"),
        format!("trace {nodes} --html {out}"),
        format!("check {large} --bounds"),
        format!("convert {large} {out}.mj"),
        "generate random --depth 24 --branching 8 --variables 60 --seed 1 --lattice families"
            .to_owned(),
        "play connect-four".to_owned(),
        "cluster solve connect-four".to_owned(),
        "cluster solve --workers 4 connect-four".to_owned(),
        format!("cluster solve --counts {large}"),
    ];
    let waits = [
        "solve FIFO",
        "prove FIFO --at-least 1",
        "packets FIFO",
        "cuts FIFO",
        "check FIFO",
        "convert FIFO -",
        "generate FIFO",
        "generate --from FIFO",
        "ending FIFO --tricks 2",
        "ending DEAL --tricks 2 --weights FIFO",
        "trace FIFO --html OUT",
        "trace NODES --html FIFO --max-visits 10",
        "verify FIFO CERTIFICATE",
        "verify NODES FIFO",
        "solve BOARD --events FIFO",
        "solve NODES --max-visits 10 --certificate FIFO",
        "solve NODES --heaviest --weights FIFO",
        "solve NODES --strategy-file FIFO",
        "prove NODES --at-least [1] --proof FIFO",
        "suit AQT98 5432 --html FIFO",
        "convert NODES FIFO",
        "cluster solve FIFO",
        "cluster solve --hosts FIFO --process 0 tic-tac-toe",
        "cluster solve --hosts HOSTS --process 0 --secret-file FIFO tic-tac-toe",
        "cluster solve --hosts HOSTS --process 0 tic-tac-toe",
        "cluster solve --hosts HOSTS --process 1 tic-tac-toe",
        "solve -",
        "cuts -",
        "cluster solve -",
    ];
    let names = [
        ("FIFO", &fifo),
        ("DEAL", &deal),
        ("NODES", &nodes),
        ("BOARD", &board),
        ("HOSTS", &hosts),
        ("OUT", &out),
        ("CERTIFICATE", &certificate),
    ];
    let filled = |line: &&str| {
        let words = line.split(' ').map(|word| {
            names
                .iter()
                .find(|(name, _)| *name == word)
                .map_or(word, |(_, path)| path)
        });
        words.collect::<Vec<_>>().join(" ")
    };
    let searches = searches.into_iter().map(|line| (line, true));
    searches
        .chain(waits.iter().map(|line| (filled(line), false)))
        .collect()
}

/// Runs a command with limits, and with an input that never comes to an end.
fn limited(attack: &Attack, line: &str, limits: &str) -> (Vec<String>, Run) {
    // The limits belong before a game.
    let mut args = words(line);
    let at = if args[0] == "cluster" { 2 } else { 1 };
    if args[0] == "play" {
        args.extend(words(limits));
    } else {
        args.splice(at..at, words(limits));
    }
    let begun = Instant::now();
    let mut child = start(attack, "held", &args, Stdio::piped());
    // Held until the end, and nothing is written.
    let input = child.stdin.take();
    let run = finish(attack, "held", child, begun);
    drop(input);
    (args, run)
}

#[test]
#[ignore = "goes on for as long as it is given"]
fn limits_hold() {
    const LIMITS: [f64; 3] = [0.3, 1.0, 2.0];
    const SIZES: [u64; 2] = [50, 100];
    let mut attack = Attack::new("limits");
    let commands = commands(&attack);
    let mut over = Vec::new();
    // Everything once, however little time there is.
    println!("| command | limit | took | over | resident, MiB |");
    println!("|---|---|---|---|---|");
    let shown = |line: &str, attack: &Attack| line.replace(&attack.path(""), "");
    for (line, _) in &commands {
        let seconds = *attack.numbers.one(&LIMITS);
        let allowed = seconds * 1.1 + 0.1;
        // A machine that is busy may let a process wait: what counts is the best of three.
        let mut took = f64::INFINITY;
        for _ in 0..3 {
            let (args, found) = limited(&attack, line, &format!("--max-seconds {seconds}"));
            check(&attack, &args, &found);
            took = took.min(found.took.as_secs_f64());
            if took <= allowed {
                break;
            }
        }
        let (line, more) = (shown(line, &attack), took - seconds);
        println!("| `{line}` | {seconds} s | {took:.2} s | {more:.2} s | |");
        if took > allowed {
            over.push(format!("{line}: {took:.2} s for {seconds} s"));
        }
    }
    for (line, _) in commands.iter().filter(|(_, searches)| *searches) {
        let size = *attack.numbers.one(&SIZES);
        let (args, found) = limited(
            &attack,
            line,
            &format!("--max-memory {size}M --max-seconds 6"),
        );
        check(&attack, &args, &found);
        let resident = found.resident >> 20;
        let allowed = size * 11 / 10 + 32;
        let line = shown(line, &attack);
        let took = found.took.as_secs_f64();
        println!("| `{line}` | {size} MiB | {took:.2} s | | {resident} |");
        if resident > allowed {
            over.push(format!("{line}: {resident} MiB for {size} MiB"));
        }
    }
    assert!(over.is_empty(), "{}:\n{}", attack.place(), over.join("\n"));
}

/// A signal ends each wait, and each search.
#[test]
#[ignore = "goes on for as long as it is given"]
fn signals_are_heard() {
    let mut attack = Attack::new("signals");
    let commands = commands(&attack);
    for (line, searches) in &commands {
        let (begun, args) = (Instant::now(), words(line));
        // A writer that writes nothing, so that the wait is for bytes and not for a writer.
        let fifo = attack.path("fifo");
        let writer = attack.numbers.happens(2) && !searches;
        let _writer = writer.then(|| OpenOptions::new().read(true).write(true).open(&fifo));
        let mut child = start(&attack, "heard", &args, Stdio::piped());
        let _input = child.stdin.take();
        std::thread::sleep(Duration::from_millis(
            150 + attack.numbers.below(200) as u64,
        ));
        let signal = *attack.numbers.one(&["INT", "TERM", "HUP"]);
        let sent = Command::new("kill")
            .args([format!("-{signal}"), child.id().to_string()])
            .stderr(Stdio::null())
            .status();
        sent.expect("kill is there");
        let from = Instant::now();
        let found = finish(&attack, "heard", child, begun);
        check(&attack, &args, &found);
        let took = from.elapsed();
        // A search may wait for who reads its events.
        let searches = *searches || line.contains("--events");
        let allowed = Duration::from_secs(if searches { 12 } else { 1 });
        assert!(
            took < allowed,
            "{}: {line} {took:?} after {signal}",
            attack.place()
        );
    }
}
