//! Command lines that make no sense, and those that ask for help.

use meetjoin_catalogue::method::{ALGORITHMS, Needs};

use crate::support::{
    EXAMPLE, M3, Run, Scratch, algorithms, answer, meetjoin, problem, refused, solve,
};

#[test]
#[rustfmt::skip]
fn command_lines_that_make_no_sense() {
    let scratch = Scratch::new("usage");
    let file = scratch.file("p.json", EXAMPLE);
    let random = "generate random --depth 3 --branching 2 --variables 4 --lattice powerset --seed 1";
    for (line, parts) in [
        ("frobnicate", &["'frobnicate'"][..]),
        ("--frobnicate", &["'--frobnicate'"]),
        ("solve", &["<FILE>"]),
        ("solve FILE FILE", &["unexpected argument"]),
        ("solve FILE --frobnicate", &["'--frobnicate'"]),
        ("solve FILE --json --json", &["'--json", "multiple times"]),
        ("solve FILE --algorithm", &["'--algorithm <ID>'"]),
        ("solve FILE --algorithm chess", &["no algorithm \"chess\"", "alpha-beta-duo-plain"]),
        ("solve FILE --algorithm MINIMAX", &["no algorithm \"MINIMAX\"", "minimax-cached"]),
        ("solve FILE --algorithm=", &["no algorithm \"\""]),
        ("solve FILE --strategy-file s.png", &["unknown extension .png", "use .dot, .svg, .html, .json, .txt or", "'--strategy-file <FILE>'"]),
        ("solve FILE --certificate c.json", &["unknown extension .json", "use .cert, .txt, .gz or", "'--certificate <FILE>'"]),
        ("solve FILE --certificate c.json.gz", &["unknown extension .json", "use .cert, .txt, .gz or"]),
        ("prove FILE --at-least 1 --certificate c.json", &["unknown extension .json", "use .cert, .txt, .gz or"]),
        ("packets FILE --certificate c.json", &["unknown extension .json", "use .cert, .txt, .gz or"]),
        ("cuts FILE --picture x.png", &["unknown extension .png", "use .svg or no extension", "'--picture <FILE>'"]),
        ("cuts FILE --picture x.pdf", &["unknown extension .pdf", "use .svg or no extension"]),
        ("suit AQ 32 --picture x.png", &["unknown extension .png", "use .svg or no extension"]),
        ("play connect-four --picture x.png", &["unknown extension .png", "use .svg or no extension"]),
        ("cuts FILE --html x.pdf", &["unknown extension .pdf", "use .html, .htm or no extension"]),
        ("attacks FILE --html x.pdf", &["unknown extension .pdf", "use .html, .htm or"]),
        ("suit AQ 32 --html x.pdf", &["unknown extension .pdf", "use .html, .htm or"]),
        ("ending AJ2.A.. KT3.2.. Q98765.43.. --html x.pdf", &["unknown extension .pdf", "use .html, .htm or"]),
        ("trace FILE --html x.pdf", &["unknown extension .pdf", "use .html, .htm or"]),
        ("prove FILE --at-least 1 --proof p.svg", &["unknown extension .svg", "use .dot, .txt, .json or"]),
        ("convert FILE x.foo", &["unknown extension .foo", "use .mj, .json or", "'<TO>'"]),
        ("cuts FILE --limit-order 0", &["--limit-order: sets have at least one event"]),
        ("solve FILE --events=", &["'--events <FILE>'"]),
        ("solve FILE --max-visits", &["'--max-visits <N>'"]),
        ("solve FILE --max-visits -1", &["'-1'", "'--max-visits <N>'"]),
        ("solve FILE --max-visits 1.5", &["'1.5'", "'--max-visits <N>'"]),
        ("solve FILE --max-visits many", &["'many'", "'--max-visits <N>'"]),
        ("solve FILE --max-visits 18446744073709551616", &["'--max-visits <N>'", "too large"]),
        ("solve FILE --max-visits 1 --max-visits 2", &["'--max-visits <N>'", "multiple times"]),
        ("solve FILE --max-seconds -1", &["'-1'", "'--max-seconds <S>'", "seconds"]),
        ("solve FILE --max-seconds inf", &["'inf'", "'--max-seconds <S>'", "seconds"]),
        ("solve FILE --max-seconds nan", &["'nan'", "'--max-seconds <S>'", "seconds"]),
        ("solve FILE --max-seconds 1e30", &["'1e30'", "'--max-seconds <S>'", "seconds"]),
        ("solve FILE --max-seconds soon", &["'soon'", "'--max-seconds <S>'", "seconds"]),
        ("solve FILE --max-memory -1", &["'-1'", "'--max-memory <SIZE>'", "K, M, G or T"]),
        ("solve FILE --max-memory 1Q", &["'1Q'", "'--max-memory <SIZE>'", "K, M, G or T"]),
        ("solve FILE --max-memory 1e9", &["'1e9'", "'--max-memory <SIZE>'", "K, M, G or T"]),
        ("solve FILE --max-memory M", &["'M'", "'--max-memory <SIZE>'", "K, M, G or T"]),
        ("solve FILE --max-memory 99999999T", &["'99999999T'", "'--max-memory <SIZE>'"]),
        ("check", &["<FILE>"]),
        ("check FILE --json", &["'--json'"]),
        ("algorithms FILE", &["unexpected argument"]),
        ("generate", &["game", "problem file"]),
        ("generate --dot", &["game", "problem file"]),
        ("generate random", &["--depth", "--branching", "--variables", "--lattice", "--seed"]),
        ("generate FILE random", &["'random'"]),
        ("RANDOM --depth 4", &["'--depth <D>'", "multiple times"]),
        ("generate random --depth 0 --branching 2 --variables 4 --lattice powerset --seed 1", &["depth", "at least 1"]),
        ("generate random --depth -1 --branching 2 --variables 4 --lattice powerset --seed 1", &["'-1'", "'--depth <D>'"]),
        ("generate random --depth 3 --branching 0 --variables 4 --lattice powerset --seed 1", &["branching", "at least 1"]),
        ("generate random --depth 3 --branching x --variables 4 --lattice powerset --seed 1", &["'x'", "'--branching <B>'"]),
        ("generate random --depth 3 --branching 2 --variables 4294967296 --lattice powerset --seed 1", &["'4294967296'", "'--variables <V>'"]),
        ("generate random --depth 3 --branching 2 --variables 4 --lattice chain --seed 1", &["'chain'", "powerset, families"]),
        ("generate random --depth 3 --branching 2 --variables 4 --lattice powerset --seed -1", &["'-1'", "'--seed <N>'"]),
        ("generate random --depth 4000000000 --branching 4000000000 --variables 4 --lattice powerset --seed 1", &["depth 4000000000", "nodes"]),
    ] {
        let line = line.replace("RANDOM", random);
        let args: Vec<&str> = line.split_whitespace().map(|arg| if arg == "FILE" { &file } else { arg }).collect();
        let run = meetjoin(&args, "");
        let sentence = refused(&run);
        for part in parts {
            assert!(sentence.contains(part), "{part}: {sentence} for {line}");
        }
    }
    // A sentence stays on its line whatever stands in the arguments.
    for odd in ["--a\nb", "a\n\nb", "\u{1b}[31m"] {
        refused(&meetjoin(&["solve", &file, odd], ""));
        refused(&meetjoin(&["solve", &file, "--algorithm", odd], ""));
        refused(&meetjoin(&["solve", &file, "--max-memory", odd], ""));
    }
    refused(&meetjoin(&["solve", ""], ""));
}

#[test]
fn help_and_versions_are_no_errors() {
    for line in [
        "--help",
        "-h",
        "help",
        "help solve",
        "help --help",
        "help -h",
        "help solve --help",
        "solve --help",
        "check --help",
        "generate --help",
        "generate random --help",
        "generate racing --help",
        "generate uniform --help",
        "racing --help",
        "random --help",
        "algorithms --help",
        "--version",
        "-V",
    ] {
        let args: Vec<&str> = line.split_whitespace().collect();
        let run = meetjoin(&args, "");
        assert_eq!((run.status, &*run.err), (Some(0), ""), "{line}");
        assert!(
            run.out.starts_with("meetjoin ") || run.out.contains("Usage: meetjoin"),
            "{line}"
        );
    }
    let version = meetjoin(&["--version"], "").out;
    assert_eq!(version, format!("meetjoin {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_table_of_algorithms_has_every_id() {
    let run = meetjoin(&["algorithms"], "");
    assert_eq!((run.status, &*run.err), (Some(0), ""));
    let starts = ["id", "lattice must be", "memory"].map(|column| {
        let header = run.out.lines().next().expect("a header");
        header.find(column).expect("a column")
    });
    // A row for each, and below it what is indented.
    let mut rows: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in run.out.lines() {
        match (line.strip_prefix("  "), rows.last_mut()) {
            (Some(below), Some((_, all))) => all.push(below.trim()),
            _ => rows.push((line, Vec::new())),
        }
    }
    assert_eq!(rows.len(), ALGORITHMS.len() + 1, "{}", run.out);
    assert_eq!(rows[0].1, ["name: source"]);
    for ((row, below), algorithm) in rows[1..].iter().zip(ALGORITHMS) {
        let cell = |column: usize| {
            row[starts[column]..]
                .split("  ")
                .next()
                .expect("a cell")
                .trim()
        };
        assert_eq!(cell(0), algorithm.id);
        assert_eq!(cell(1), algorithm.needs().trait_name());
        let rest = [&[cell(2)][..], below].concat().join(" ");
        let told = [
            algorithm.memory(),
            " ",
            algorithm.name,
            ": ",
            algorithm.source,
        ]
        .concat();
        assert_eq!(rest, told);
    }
    for id in [
        "minimax",
        "minimax-cached",
        "shallow",
        "deep",
        "couwenberg",
        "strong",
        "alpha-beta",
        "alpha-beta-cached",
        "alpha-beta-duo",
        "alpha-beta-duo-published",
        "alpha-beta-duo-plain",
    ] {
        assert!(algorithms().any(|algorithm| algorithm.id == id), "{id}");
    }
}

#[cfg(unix)]
#[test]
fn arguments_need_not_be_text() {
    use std::os::unix::ffi::OsStrExt;
    let mut command = crate::support::command(&["solve"]);
    command.arg(std::ffi::OsStr::from_bytes(b"\xff.json"));
    let run = crate::support::finish(crate::support::start(&mut command), b"");
    crate::support::one_sentence(&run, 2);
}

/// A word that goes on and on is told by its beginning.
#[test]
fn long_words_are_cut() {
    let long = "é".repeat(20_000);
    for args in [
        &["solve", EXAMPLE, &long][..],
        &["solve", "-", "--algorithm", &long],
        &[&long],
    ] {
        let run = meetjoin(args, "");
        let sentence = refused(&run);
        assert!(
            sentence.contains("éé..") && sentence.len() < 5000,
            "{sentence}"
        );
    }
}

#[test]
fn lattices_that_an_algorithm_may_not_run_on() {
    let nodes = r#"{"id":1,"kind":"or","children":[2,3]},{"id":2,"kind":"leaf","value":"a"},{"id":3,"kind":"leaf","value":"b"}"#;
    let m3 = problem(M3, nodes);
    for algorithm in algorithms() {
        let args = ["--algorithm", algorithm.id];
        if algorithm.needs() == Needs::Lattice {
            assert_eq!(answer(&m3, &args)["value"], "1");
            continue;
        }
        if algorithm.needs() == Needs::TotalOrder {
            let run = solve(&m3, &args);
            let sentence = refused(&run);
            for part in [
                algorithm.id,
                "needs a TotalOrder",
                "no total order: a and b are incomparable",
                "--algorithm minimax or minimax-cached or shallow would work",
            ] {
                assert!(sentence.contains(part), "{part}: {sentence}");
            }
            continue;
        }
        if algorithm.needs() == Needs::JoinPrimes {
            let run = solve(&m3, &args);
            let sentence = refused(&run);
            for part in [algorithm.id, "whole values", "meetjoin prove"] {
                assert!(sentence.contains(part), "{part}: {sentence}");
            }
            continue;
        }
        check_m3(&solve(&m3, &args), algorithm.id);
    }
    check_m3(&solve(&m3, &[]), "alpha-beta-duo");
    // The same nodes are fine in a table that is distributive.
    let square = m3
        .replace(r#""b","c","#, r#""b","#)
        .replace(r#",["0","c"]"#, "");
    let square = square.replace(r#",["c","1"]"#, "");
    assert_eq!(answer(&square, &[])["value"], "1");
}

fn check_m3(run: &Run, id: &str) {
    let sentence = refused(run);
    for part in [
        "standard input: ",
        id,
        "DistributiveLattice",
        "not distributive",
        "are an M3",
        "--algorithm minimax or minimax-cached or shallow would work",
    ] {
        assert!(sentence.contains(part), "{part}: {sentence}");
    }
}
