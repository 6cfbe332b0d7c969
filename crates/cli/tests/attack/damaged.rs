//! All kinds of files, damaged: bits turned, pieces cut off, put in, taken out or moved. No run may
//! panic, and where a checksum or the checker of certificates stands before an answer, no answer
//! may be wrong.

use crate::support::{Attack, Numbers, check, json, run, words};

/// A leaf-rich problem over integers, of some kilobytes with all its nodes.
const GAME: &str = "uniform --depth 4 --branching 3 --values incremental --most 100 --seed 5";
const TREE: &str = "top = or pump both\npump = 2 of p1 p2 p3\nboth = and valve h1\np1 = 0.01\np2 = 0.02\nh1 = true\n";
const MODEL: &str = r#"<?xml version="1.0"?>
<opsa-mef><define-fault-tree name="t"><define-gate name="top"><or><event name="a"/><gate name="g"/></or></define-gate>
<define-gate name="g"><atleast min="2"><event name="a"/><event name="b"/><event name="c"/></atleast></define-gate>
<define-basic-event name="a"><float value="0.1"/></define-basic-event></define-fault-tree>
<model-data><define-basic-event name="b"><float value="0.2"/></define-basic-event></model-data></opsa-mef>
"#;
const DEAL: &str = "% PBN 2.1\n[Event \"x\"]\n[Deal \"N:AJ2... Q98... KT3... 765...\"]\n{so}\n[Declarer \"S\"]\n[Contract \"3NT\"]\n[Play \"W\"]\n*\n";
const SETS: &str = r#"{"format":"meetjoin-problem/1","lattice":{"type":"families","v":4},"root":"r","note":"n","nodes":[{"id":"r","kind":"or","children":["a","x"]},{"id":"a","kind":"and","children":["x","y","y"]},{"id":"x","kind":"leaf","value":[[1,2],[3]]},{"id":"y","kind":"leaf","value":[2,3]}]}"#;

/// What is done to a file.
fn damage(bytes: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=numbers.below(3) {
        let place = numbers.below(bytes.len());
        let length = 1 + numbers.below(40).min(bytes.len() - place.min(bytes.len()));
        let piece: Vec<u8> = bytes.iter().skip(place).take(length).copied().collect();
        match numbers.below(7) {
            0 | 1 if !bytes.is_empty() => bytes[place] ^= 1 << numbers.below(8),
            2 => bytes.truncate(place),
            3 => {
                let new: Vec<u8> = (0..length).map(|_| numbers.next() as u8).collect();
                bytes.splice(place..place, new);
            }
            4 => {
                let end = (place + length).min(bytes.len());
                bytes.drain(place..end);
            }
            5 => bytes.extend(piece),
            _ => {
                bytes.splice(place..place, piece);
            }
        }
    }
    bytes
}

/// A kind of file: what is damaged, and what is asked of it, `FILE` being its name.
struct Kind {
    name: &'static str,
    bytes: Vec<u8>,
    command: String,
    /// What stands before an answer, if anything does.
    guard: Guard,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Guard {
    /// Whatever is well formed is believed.
    None,
    /// An answer is the one of the intact file.
    Same,
    /// Bounds that are shown are true.
    Bounds,
}

fn kinds(attack: &Attack) -> Vec<Kind> {
    let made = |line: &str| {
        let args = words(line);
        let run = run(attack, &args);
        assert_eq!(run.status, Some(0), "{line}: {}", run.err);
        run.out
    };
    let problem = attack.file("p.json", made(&format!("generate {GAME}")));
    let sets = attack.file("sets.json", SETS);
    let mapped = attack.path("p.mj");
    let [certificate, packed, checkpoint, folder] =
        ["c", "c.gz", "k", "levels"].map(|name| attack.path(name));
    made(&format!("convert {problem} {mapped}"));
    made(&format!("solve {problem} --certificate {certificate}"));
    made(&format!("solve {problem} --certificate {packed}"));
    made(&format!(
        "solve {problem} --algorithm minimax-cached --checkpoint {checkpoint}"
    ));
    made(&format!("cluster solve --folder {folder} {problem}"));
    let deal = attack.file("deal.pbn", DEAL);
    let bytes = |path: &str| std::fs::read(path).expect("it was written");
    let kind = |name, bytes: Vec<u8>, command: &str, guard| Kind {
        name,
        bytes,
        command: command.to_owned(),
        guard,
    };
    let mut kinds = vec![
        kind("json", bytes(&problem), "solve FILE --json", Guard::None),
        kind(
            "json of sets",
            bytes(&sets),
            "solve FILE --json --moves",
            Guard::None,
        ),
        kind(
            "json, checked",
            bytes(&sets),
            "check FILE --bounds",
            Guard::None,
        ),
        kind("binary", bytes(&mapped), "solve FILE --json", Guard::Same),
        // What it says may be wrong, but it may not fall.
        kind(
            "binary, trusted",
            bytes(&mapped),
            "solve FILE --json --trust",
            Guard::None,
        ),
        kind(
            "certificate",
            bytes(&certificate),
            &format!("verify {problem} FILE --json"),
            Guard::Bounds,
        ),
        kind(
            "certificate, packed",
            bytes(&packed),
            &format!("verify {problem} FILE --json"),
            Guard::Bounds,
        ),
        kind(
            "checkpoint",
            bytes(&checkpoint),
            &format!(
                "solve {problem} --json --algorithm minimax-cached --checkpoint FILE --resume"
            ),
            Guard::Same,
        ),
        kind(
            "fault tree",
            TREE.into(),
            "cuts FILE --json --importance",
            Guard::None,
        ),
        kind(
            "Open-PSA",
            MODEL.into(),
            "cuts FILE --json --importance",
            Guard::None,
        ),
        kind(
            "deal",
            DEAL.into(),
            "ending FILE --tricks 2 --json",
            Guard::None,
        ),
        kind(
            "weights of hands",
            "Q98... 3\n765... 1\n".into(),
            &format!("ending {deal} --tricks 2 --weights FILE --json"),
            Guard::None,
        ),
        kind(
            "weights",
            "[1,2,3,4]\n".into(),
            &format!("solve {sets} --heaviest --weights FILE"),
            Guard::None,
        ),
        kind(
            "hosts",
            "127.0.0.1:1\n127.0.0.1:2\n".into(),
            "cluster solve --hosts FILE --process 0 --max-seconds 0.2 --patience 0.1 tic-tac-toe",
            Guard::None,
        ),
    ];
    let mut levels: Vec<_> = std::fs::read_dir(&folder)
        .expect("a folder")
        .flatten()
        .collect();
    levels.sort_by_key(std::fs::DirEntry::file_name);
    for level in levels {
        let path = level.path();
        let name = path.to_str().expect("UTF-8");
        let ending = path.extension().and_then(|ending| ending.to_str());
        if matches!(ending, Some("keys" | "values" | "json")) {
            // Damaged where it lies.
            let command = format!("cluster solve --json --folder {folder} {problem} LEVEL {name}");
            kinds.push(kind("level", bytes(name), &command, Guard::Same));
        }
    }
    kinds
}

#[test]
#[ignore = "goes on for as long as it is given"]
fn damaged_files_are_refused_or_answered_rightly() {
    let mut attack = Attack::new("damaged-files");
    let kinds = kinds(&attack);
    let problem = attack.path("p.json");
    let value = json(&run(&attack, &words(&format!("solve {problem} --json"))))["value"].clone();
    let value = value.as_i64().expect("an integer");
    let folder = attack.path("levels");
    while attack.goes_on() {
        let place = attack.numbers.below(kinds.len());
        let kind = &kinds[place];
        let bytes = damage(&kind.bytes, &mut attack.numbers);
        let (command, file) = if let Some((command, level)) = kind.command.split_once(" LEVEL ") {
            std::fs::write(level, &bytes).expect("its own file");
            (command.to_owned(), level.to_owned())
        } else {
            let file = attack.file("damaged", &bytes);
            (kind.command.replace("FILE", &file), file)
        };
        let args = [words(&command), words("--max-seconds 5 --max-memory 1G")];
        let args = if kind.name.starts_with("level") || kind.name == "hosts" {
            words(&command)
        } else {
            args.concat()
        };
        let found = run(&attack, &args);
        check(&attack, &args, &found);
        let what = || format!("{} ({}, {file}): {}", attack.place(), kind.name, found.out);
        if found.status == Some(0) && kind.guard != Guard::None {
            let answer = json(&found);
            // An end of the lattice is no number.
            let bound = |key: &str| answer[key].as_i64();
            let is_right = if kind.guard == Guard::Same {
                bound("value") == Some(value)
            } else {
                bound("lower").is_none_or(|lower| lower <= value)
                    && bound("upper").is_none_or(|upper| upper >= value)
            };
            assert!(is_right, "a wrong answer: {}", what());
        }
        if kind.name == "level" {
            // What was refused is taken away, as the sentence says; nothing is left of this round.
            let _ = std::fs::remove_dir_all(&folder);
            let args = words(&format!("cluster solve --json --folder {folder} {problem}"));
            let whole = run(&attack, &args);
            assert_eq!(json(&whole)["value"].as_i64(), Some(value), "{}", what());
        }
    }
}
