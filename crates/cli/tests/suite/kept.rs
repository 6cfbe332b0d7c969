//! What is kept on disk: a search that is stopped anywhere goes on under any algorithm, a cluster
//! from any level, and a certificate reads back, over every lattice and every way to make one of
//! others. All is compared with plain evaluation.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use meetjoin_catalogue::method::{ALGORITHMS, Algorithm, algorithm};
use meetjoin_dataflow::Settings;
use meetjoin_explain::{verify, write_certificate};
use meetjoin_lattice::{Budget, Limits};
use meetjoin_problems::Source;
use meetjoin_solve::{Checkpoint, Instance, Request};

use crate::support::{Scratch, meetjoin, one_sentence, some_at_once};

/// Lattices with values from which leaves are drawn. Bottom and top are drawn besides.
const LATTICES: &[(&str, &[&str])] = &[
    (r#"{"type":"bool"}"#, &[]),
    (r#"{"type":"chain"}"#, &["-3", "0", "4"]),
    (r#"{"type":"chain","lo":-0.5}"#, &["0.25", "7.0"]),
    (r#"{"type":"powerset","v":1}"#, &[]),
    (r#"{"type":"powerset","v":4}"#, &["[]", "[1,2]", "[2,4]"]),
    (
        r#"{"type":"powerset","v":66}"#,
        &["[]", "[1,65]", "[65,66]"],
    ),
    (r#"{"type":"families","v":1}"#, &["[]"]),
    (
        r#"{"type":"families","v":3}"#,
        &["[]", "[1]", "[[2],[1,3]]"],
    ),
    (
        r#"{"type":"families","v":66}"#,
        &["[]", "[1]", "[[2],[1,66]]"],
    ),
    (
        r#"{"type":"monotone","v":3}"#,
        &["1", "-2", "[[1,2],[3]]", "[[]]"],
    ),
    (r#"{"type":"divisors","n":60}"#, &["4", "6", "5"]),
    (r#"{"type":"free","dims":2}"#, &["[0,2]", "[2,0]", "[1,1]"]),
    (
        r#"{"type":"table","elements":["f","0","a","3"],"covers":[["f","0"],["f","a"],["0","3"],["a","3"]]}"#,
        &["\"0\"", "\"a\""],
    ),
    (
        r#"{"type":"table","elements":["0","a","b","c","1"],"covers":[["0","a"],["0","b"],["0","c"],["a","1"],["b","1"],["c","1"]]}"#,
        &["\"a\"", "\"b\"", "\"c\""],
    ),
];

/// All of them, all of their duals, and products of some of both.
fn lattices() -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for (lattice, values) in LATTICES {
        let values = values.iter().map(|value| (*value).to_owned());
        let values: Vec<String> = ["\"bottom\"", "\"top\""]
            .map(str::to_owned)
            .into_iter()
            .chain(values)
            .collect();
        found.push(((*lattice).to_owned(), values));
    }
    let simple = found.clone();
    for (lattice, values) in &simple {
        found.push((
            format!(r#"{{"type":"dual","of":{lattice}}}"#),
            values.clone(),
        ));
    }
    let parts: Vec<_> = found
        .iter()
        .enumerate()
        .filter(|(place, _)| [1, 7, 9, 21, 23].contains(place))
        .map(|(_, part)| part.clone())
        .collect();
    for (place, (lattice, values)) in parts.iter().enumerate() {
        let (other, others) = &parts[(place + 1) % parts.len()];
        let lattice = format!(r#"{{"type":"product","of":[{lattice},{other}]}}"#);
        let pairs = (0..12).map(|pair| {
            format!(
                "[{},{}]",
                values[pair % values.len()],
                others[pair / 2 % others.len()]
            )
        });
        let values: Vec<String> = pairs.collect();
        found.push((
            format!(r#"{{"type":"dual","of":{lattice}}}"#),
            values.clone(),
        ));
        found.push((lattice, values));
    }
    found
}

/// Numbers that look random, the same each time.
struct Draws(u64);

impl Draws {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }
}

/// A graph whose leaves have these values.
fn problem(lattice: &str, values: &[String], seed: u64) -> String {
    let mut draws = Draws(seed);
    let mut text =
        format!(r#"{{"format":"meetjoin-problem/1","lattice":{lattice},"root":13,"nodes":["#);
    for node in 0..14 {
        if node < 5 {
            let value = &values[draws.below(values.len())];
            let _ = write!(text, r#"{{"id":{node},"kind":"leaf","value":{value}}},"#);
        } else {
            let kind = ["and", "or"][draws.below(2)];
            let mut children: Vec<usize> = (0..=1 + draws.below(2))
                .map(|_| draws.below(node))
                .collect();
            children.push(node - 1);
            let _ = write!(
                text,
                r#"{{"id":{node},"kind":"{kind}","children":{children:?}}},"#
            );
        }
    }
    text.pop();
    text + "]}"
}

/// Problems over all lattices, with seeds as their numbers.
fn problems() -> impl Iterator<Item = String> {
    (0..)
        .zip(lattices())
        .flat_map(|(place, (lattice, values))| {
            [17, 91].map(|seed| problem(&lattice, &values, seed * 1_000 + place))
        })
}

fn source(text: &str) -> Source {
    Source::read(text.as_bytes()).expect("a problem")
}

/// The value of the root, or nothing if it was not found within so many visits.
fn value(
    instance: &dyn Instance,
    algorithm: Algorithm,
    visits: Option<u64>,
    checkpoint: Option<Checkpoint>,
) -> Option<String> {
    let limits = Limits {
        visits,
        ..Limits::default()
    };
    let budget = Budget::new(limits);
    let answer = instance.solve(Request {
        checkpoint,
        ..Request::new(algorithm, &budget)
    });
    let answer = answer.expect("an answer");
    if let Some(kept) = &answer.checkpoint {
        assert!(!kept.damaged && kept.failure.is_none(), "{kept:?}");
    }
    answer.root.value.exact().map(meetjoin_solve::Value::json)
}

fn plainly(text: &str) -> String {
    let instance = source(text).instance().expect("a problem");
    let minimax = *algorithm("minimax").expect("plain evaluation");
    value(&*instance, minimax, None, None).expect("no limit")
}

/// Stops each algorithm after so many visits as `next` says, goes on under another one each time,
/// and under all of them once. How often a search went on.
fn stop_and_go_on(path: &Path, text: &str, next: impl Fn(u64) -> u64) -> usize {
    let expected = plainly(text);
    let digest = source(text).digest_of_entries();
    let ask = |resume| Checkpoint {
        path: path.to_owned(),
        digest: digest.clone(),
        // At the end only.
        every: Duration::from_secs(3600),
        resume,
    };
    let instance = source(text).instance().expect("a problem");
    // Those that may: the others say that they remember nothing.
    let budget = Budget::unlimited();
    let may = |algorithm: &&Algorithm| {
        let _ = fs::remove_file(path);
        let checkpoint = Some(ask(false));
        let request = Request {
            checkpoint,
            ..Request::new(**algorithm, &budget)
        };
        instance.solve(request).is_ok()
    };
    let algorithms: Vec<Algorithm> = ALGORITHMS.iter().filter(may).copied().collect();
    assert!(!algorithms.is_empty(), "{text}");
    let (mut turn, mut resumed) = (0, 0);
    for first in &algorithms {
        let mut visits = 1;
        loop {
            let _ = fs::remove_file(path);
            let found = value(&*instance, *first, Some(visits), Some(ask(false)));
            let all = visits == 5 || found.is_some();
            for _ in 0..if all { algorithms.len() } else { 1 } {
                turn += 1;
                let then = algorithms[turn % algorithms.len()];
                let kept = fs::read(path).expect("a checkpoint");
                let value = value(&*instance, then, None, Some(ask(true)));
                assert_eq!(
                    value.as_ref(),
                    Some(&expected),
                    "{} stopped after {visits} visits, then {}: {text}",
                    first.id,
                    then.id
                );
                fs::write(path, kept).expect("a file");
                resumed += 1;
            }
            if let Some(found) = found {
                assert_eq!(found, expected, "{}: {text}", first.id);
                break;
            }
            visits = next(visits);
        }
    }
    resumed
}

#[test]
fn stopped_anywhere_a_search_goes_on_under_every_algorithm() {
    let scratch = Scratch::in_memory("kept-checkpoints");
    let resumed = AtomicUsize::new(0);
    let problems: Vec<_> = problems().enumerate().collect();
    some_at_once(&problems, |(number, text)| {
        let path = PathBuf::from(scratch.path(&number.to_string()));
        let times = stop_and_go_on(&path, text, |visits| visits + 1);
        resumed.fetch_add(times, Ordering::Relaxed);
    });
    let resumed = resumed.into_inner();
    assert!(resumed > 5_000, "{resumed}");
}

/// Games whose positions have numbers; the others have no checkpoints.
#[test]
fn games_go_on_too() {
    let scratch = Scratch::in_memory("kept-games");
    let path = PathBuf::from(scratch.path("checkpoint"));
    let mut resumed = 0;
    for game in [
        "connect-four --columns 3 --rows 3",
        "connect-four --columns 4 --rows 2 --scoring outcome",
        "kalah --pits 2 --seeds 2",
        "tic-tac-toe --moves 519",
        "racing --deck 8 --goal 2 --hand-size 3 --seed 6 --lattice families",
        "racing --deck 9 --goal 2 --hand-size 4 --seed 7 --lattice powerset",
        "random --depth 5 --branching 3 --variables 4 --lattice families --seed 2",
        "uniform --depth 5 --branching 3 --most 50 --seed 4",
        "fault-tree --events 8 --gates 8 --seed 5",
        "criteria --depth 3 --branching 3 --criteria 2 --most 9 --seed 3 --lattice free",
        "criteria --depth 3 --branching 3 --criteria 3 --most 9 --seed 3 --lattice product",
    ] {
        let args: Vec<&str> = ["generate"].into_iter().chain(game.split(' ')).collect();
        let mut text = meetjoin(&[&args[..], &["--compact"]].concat(), "").out;
        if !has_checkpoints(&text) {
            text = meetjoin(&args, "").out;
        }
        assert!(has_checkpoints(&text), "{game}");
        resumed += stop_and_go_on(&path, &text, |visits| visits + visits / 4 + 1);
    }
    assert!(resumed > 1_000, "{resumed}");
}

/// Whether the default has a checkpoint of the problem.
fn has_checkpoints(text: &str) -> bool {
    let scratch = Scratch::new("kept-whether");
    let budget = Budget::unlimited();
    let checkpoint = Checkpoint {
        path: scratch.path("checkpoint").into(),
        digest: source(text).digest_of_entries(),
        every: Duration::from_secs(3600),
        resume: false,
    };
    let request = Request {
        checkpoint: Some(checkpoint),
        ..Request::new(*algorithm("alpha-beta-duo").expect("the default"), &budget)
    };
    let instance = source(text).instance().expect("a problem");
    instance.solve(request).is_ok()
}

/// Solves a problem level by level in a folder.
fn by_levels(text: &str, folder: &Path) -> (String, [u32; 2], usize) {
    let (problem, source) = (source(text).layered().expect("levels"), source(text));
    let settings = Settings {
        workers: 2,
        hosts: None,
        folder: folder.to_owned(),
        memory: 1 << 20,
        limits: Limits::default(),
        counts: true,
        lines: vec![Vec::new()],
    };
    let solution = meetjoin_dataflow::solve(Arc::clone(&problem), &source.digest(), settings);
    let solution = solution.expect("a solution");
    for line in &solution.lines {
        assert_eq!(line.value, solution.value);
    }
    (solution.value.json, solution.before, solution.levels.len())
}

#[test]
fn a_cluster_goes_on_from_every_level() {
    let scratch = Scratch::new("kept-levels");
    for (number, text) in problems().enumerate() {
        let expected = plainly(&text);
        let folder = PathBuf::from(scratch.path(&number.to_string()));
        let (found, _, levels) = by_levels(&text, &folder);
        assert_eq!(found, expected, "{text}");
        // Without the levels above one of them, all of which have values, it goes on from there.
        for above in 1..levels.min(4 + number % 3) {
            for entry in fs::read_dir(&folder).expect("a folder").flatten() {
                let name = entry.file_name().into_string().expect("a name");
                let level = name
                    .strip_prefix("level-")
                    .and_then(|name| name[..5].parse().ok());
                if level.is_some_and(|level: usize| level < above) && name.ends_with("values") {
                    fs::remove_file(entry.path()).expect("it was there");
                }
            }
            let (found, before, _) = by_levels(&text, &folder);
            assert_eq!(found, expected, "from level {above}: {text}");
            assert_eq!(
                before[1] as usize,
                levels - above,
                "levels with values: {text}"
            );
        }
        fs::remove_dir_all(&folder).expect("it was there");
    }
}

#[test]
fn a_certificate_reads_back() {
    for text in problems() {
        let (source, instance) = (source(&text), source(&text).instance().expect("a problem"));
        let budget = Budget::unlimited();
        let minimax = *algorithm("minimax-cached").expect("with a cache");
        let answer = instance
            .solve(Request::new(minimax, &budget))
            .expect("an answer");
        let mut file = Vec::new();
        let written = write_certificate(
            &*instance,
            source.digest(),
            &answer.root.value,
            true,
            &budget,
            &mut file,
        );
        assert!(written.is_ok(), "{written:?}: {text}");
        let verified = verify(&*instance, &*file, &budget);
        let verified = verified.unwrap_or_else(|why| panic!("{why}: {text}"));
        assert_eq!(
            verified.value.exact().map(meetjoin_solve::Value::json),
            Some(plainly(&text)),
            "{text}"
        );
    }
}

#[test]
fn files_of_version_1_are_refused() {
    let scratch = Scratch::new("kept-versions");
    let text = problem(
        r#"{"type":"bool"}"#,
        &["true".to_owned(), "false".to_owned()],
        1,
    );
    let (problem, checkpoint) = (scratch.file("p.json", &text), scratch.path("checkpoint"));
    let args = ["solve", &problem, "--checkpoint", &checkpoint];
    assert_eq!(meetjoin(&args, "").status, Some(0));
    let mut file = fs::read(&checkpoint).expect("a checkpoint");
    file[15] = b'1';
    let mut sum = flate2::Crc::new();
    sum.update(&file[..80]);
    file[80..84].copy_from_slice(&sum.sum().to_le_bytes());
    fs::write(&checkpoint, &file).expect("a file");
    let run = meetjoin(&[&args[..], &["--resume"]].concat(), "");
    assert!(one_sentence(&run, 2).ends_with("--resume: this is a checkpoint of another version, which this program does not read: remove it and begin anew"));
    assert_eq!(fs::read(&checkpoint).expect("it stays"), file);
}

#[test]
fn the_defects_that_were_found() {
    let scratch = Scratch::new("kept-defects");
    for (number, (text, expected)) in [
        (
            r#"{"format":"meetjoin-problem/1","lattice":{"type":"monotone","v":2},"root":"r","nodes":[
            {"id":"r","kind":"and","children":["a","b"]},{"id":"a","kind":"or","children":["x","y"]},{"id":"b","kind":"or","children":["y","x"]},
            {"id":"x","kind":"and","children":["e","n"]},{"id":"y","kind":"leaf","value":"bottom"},{"id":"e","kind":"leaf","value":1},{"id":"n","kind":"leaf","value":-1}]}"#,
            "[]",
        ),
        (
            r#"{"format":"meetjoin-problem/1","lattice":{"type":"families","v":2},"root":"r","nodes":[
            {"id":"r","kind":"and","children":["x","y"]},{"id":"x","kind":"leaf","value":[1]},{"id":"y","kind":"leaf","value":"bottom"}]}"#,
            "[]",
        ),
        (
            r#"{"format":"meetjoin-problem/1","lattice":{"type":"product","of":[{"type":"monotone","v":2},{"type":"chain","lo":0,"hi":5}]},"root":"r","nodes":[
            {"id":"r","kind":"or","children":["x","h"]},{"id":"x","kind":"leaf","value":[1,0]},{"id":"h","kind":"and","children":["k","o"]},
            {"id":"o","kind":"leaf","value":["top",3]},{"id":"k","kind":"and","children":["n","m"]},{"id":"n","kind":"leaf","value":[2,4]},{"id":"m","kind":"leaf","value":[-2,2]}]}"#,
            "[[[1]],2]",
        ),
    ].into_iter().enumerate() {
        let (problem, checkpoint) = (scratch.file("p.json", text), scratch.path(&format!("{number}")));
        for more in [&[][..], &["--checkpoint", &checkpoint], &["--checkpoint", &checkpoint, "--resume"]] {
            let run = meetjoin(&[&["solve", &problem, "--json"], more].concat(), "");
            let answer: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
            assert_eq!(answer["value"].to_string(), expected, "{more:?}");
        }
        let run = meetjoin(&["cluster", "solve", &problem, "--json"], "");
        let answer: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!(answer["value"].to_string(), expected, "by levels");
    }
}

/// 2^28 minimal sets, in diagrams of at most 56 nodes.
#[test]
fn values_with_very_many_sets_are_kept() {
    let scratch = Scratch::new("kept-many");
    let sides = [("A", "p", "q"), ("B", "r", "s")];
    let mut tree = String::from("top = and A B\n");
    for (side, one, other) in sides {
        let gates: Vec<String> = (0..14).map(|gate| format!("{side}{gate}")).collect();
        let _ = writeln!(tree, "{side} = and {}", gates.join(" "));
        for gate in 0..14 {
            let _ = writeln!(tree, "{side}{gate} = or {one}{gate} {other}{gate}");
        }
    }
    let tree = scratch.file("tree.txt", tree);
    let generated = meetjoin(&["generate", "--from", &tree], "");
    assert_eq!(generated.status, Some(0), "{}", generated.err);
    let problem = scratch.file("p.json", &generated.out);
    let expected = r#"{"count":"268435456"}"#;
    let value = |args: &[&str]| {
        let run = meetjoin(&[args, &["--json"]].concat(), "");
        assert_eq!(run.status, Some(0), "{}", run.err);
        let answer: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
        if let Some(kept) = answer.get("checkpoint") {
            assert_eq!(kept["damaged"], false, "{kept}");
        }
        answer["value"].to_string()
    };
    let (file, folder) = (scratch.path("checkpoint"), scratch.path("levels"));
    let kept = [
        "solve",
        &problem,
        "--algorithm",
        "minimax-cached",
        "--checkpoint",
        &file,
    ];
    assert_eq!(value(&kept), expected);
    assert_eq!(value(&[&kept[..], &["--resume"]].concat()), expected);
    let levels = ["cluster", "solve", &problem, "--folder", &folder];
    assert_eq!(value(&levels), expected);
    // All levels are there, and their values are taken from the files.
    assert_eq!(value(&levels), expected);
    let certificate = scratch.path("certificate");
    let limited = [
        "solve",
        &problem,
        "--max-memory",
        "100M",
        "--certificate",
        &certificate,
    ];
    assert_eq!(value(&limited), expected);
    let verified = meetjoin(&["verify", &problem, &certificate, "--json"], "");
    let verified: serde_json::Value = serde_json::from_str(&verified.out).expect("JSON");
    assert_eq!(
        (&verified["exact"], verified["lower"].to_string()),
        (&true.into(), expected.to_owned())
    );
}
