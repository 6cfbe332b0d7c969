//! Games: racing and random graphs, from the command line and from files of keys.

use serde_json::{Value, json};

use crate::support::{Run, Scratch, answer, meetjoin, one_sentence, refused};

/// A command line as one writes it.
fn run(line: &str, stdin: &str) -> Run {
    let args: Vec<&str> = line.split_whitespace().collect();
    meetjoin(&args, stdin)
}

/// What a run prints that must go well.
fn printed(line: &str, stdin: &str) -> String {
    let run = run(line, stdin);
    assert_eq!((run.status, &*run.err), (Some(0), ""), "{line}");
    run.out
}

fn json(line: &str) -> Value {
    let out = printed(&format!("{line} --json"), "");
    serde_json::from_str(&out).expect("an answer is JSON")
}

const SMALL: &str = "--deck 6 --goal 2 --hand 2,6 --lead 3";
const RANDOM: &str = "--depth 5 --branching 3 --variables 6 --seed 2";
const RACING_FILE: &str = r#"{"format":"meetjoin-problem/1","game":"racing","deck":6,"goal":2,"hand":[2,6],"lead":3,"lattice":{"type":"powerset"}}"#;
const RANDOM_FILE: &str = r#"{"format":"meetjoin-problem/1","game":"random","depth":5,"branching":3,"variables":6,"alternating":false,"seed":2,"lattice":{"type":"powerset"}}"#;

#[test]
fn known_answers_of_racing() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cases/racing.json");
    let text = std::fs::read_to_string(path).expect("the repository keeps a copy");
    let file: Value = serde_json::from_str(&text).expect("valid JSON");
    for case in file["cases"].as_array().expect("cases") {
        let hand = case["max_hand"].to_string();
        let deal = format!(
            "--deck {} --goal {} --hand {} --lead {}",
            case["d"],
            case["g"],
            hand.trim_matches(['[', ']']),
            case["first"]
        );
        let (sets, families) = (&case["set_value"], &case["family_value"]);
        for (lattice, value, facts) in [
            (
                "powerset",
                &sets["hands"],
                json!({"worlds": case["S_size"], "winning": sets["size"]}),
            ),
            (
                "families",
                &families["maximal_sets"],
                json!({"worlds": case["S_size"], "winning": families["largest"], "sets": families["count"]}),
            ),
        ] {
            for algorithm in [
                "minimax-cached",
                "alpha-beta-duo",
                "alpha-beta-duo-published",
                "alpha-beta-duo-plain",
            ] {
                let line = format!("racing {deal} --lattice {lattice} --algorithm {algorithm}");
                let answer = json(&line);
                assert_eq!(answer["value"], *value, "{line}");
                assert_eq!(answer["game"], facts, "{line}");
                assert_eq!(answer["lower"], *value, "{line}");
                assert!(answer["stats"]["nodes"].is_u64(), "{line}");
            }
        }
    }
}

#[test]
fn all_algorithms_agree_on_a_small_deal() {
    for (lattice, value) in [
        ("powerset", json!([[1, 3]])),
        ("families", json!([[[1, 3]]])),
    ] {
        for algorithm in crate::support::algorithms_for_sets() {
            let line = format!(
                "racing {SMALL} --lattice {lattice} --algorithm {}",
                algorithm.id
            );
            let answer = json(&line);
            assert_eq!(answer["value"], value, "{line}");
            let counted = answer["stats"]["nodes"].is_u64();
            assert_eq!(counted, algorithm.remembers_nodes(), "{line}");
            let text = printed(&format!("{line} -v"), "");
            let nodes = text.contains(" distinct node");
            assert_eq!(nodes, counted, "{text}");
            let counted = json(&format!("{line} --count-nodes"))["stats"]["nodes"].clone();
            // The default looks before it descends, and knows what perfect information says.
            let nodes = if algorithm.id == "alpha-beta-duo" {
                1..=1
            } else {
                11..=13
            };
            assert!(
                nodes.contains(&counted.as_u64().expect("a count")),
                "{line}"
            );
        }
    }
}

/// Every width of sets: up to 64 worlds, up to 1024, more.
#[test]
fn few_and_many_worlds() {
    for (deck, hand, worlds) in [(12, 4, 35), (14, 4, 84), (20, 6, 1287)] {
        let deal = format!("--deck {deck} --goal 2 --hand-size {hand} --seed 3");
        let sets = json(&format!("racing {deal} --lattice powerset"));
        assert_eq!(sets["game"]["worlds"], worlds);
        let line = format!("racing {deal} --lattice families --algorithm minimax-cached");
        let families = json(&line);
        assert_eq!(families["game"]["worlds"], worlds);
        // The union of the families value is the powerset value.
        let maximal = families["value"].as_array().expect("sets");
        let hands = maximal
            .iter()
            .flat_map(|set| set.as_array().expect("hands"));
        let mut union: Vec<Vec<u64>> = hands
            .map(|hand| serde_json::from_value(hand.clone()).expect("cards"))
            .collect();
        union.sort();
        union.dedup();
        assert_eq!(json!(union), sets["value"], "{line}");
    }
}

#[test]
fn the_text_is_for_people() {
    let text = printed(
        &format!("racing {SMALL} --lattice families --moves --algorithm minimax-cached"),
        "",
    );
    let line = |key: &str| {
        let line = text.lines().find(|line| line.starts_with(key));
        line.and_then(|line| line.rsplit("  ").next())
    };
    assert_eq!(line("value"), Some("{1 3}"), "{text}");
    assert_eq!(line("worlds"), Some("3"));
    assert_eq!(line("winning"), Some("1"));
    assert_eq!(line("sets"), Some("1"));
    let high = "move MAX to play, 1:0, MAX holds 2, MIN has played 3";
    assert_eq!(line(high), Some("{1 3}"));
    let low = "move MIN to play, 0:1, MAX holds 6, MIN has played 3";
    assert_eq!(line(low), Some("{}"));
    let long = printed(
        "racing --deck 14 --goal 1 --hand 14,1,2 --lead 3 --lattice powerset",
        "",
    );
    let shown = "{3 4 5, 3 4 6, 3 4 7, 3 4 8, 3 4 9, 3 4 10, .. and 39 more}";
    assert!(long.contains(shown), "{long}");
    let none = printed(
        "racing --deck 4 --goal 2 --hand 1,2 --lead 3 --lattice families",
        "",
    );
    assert!(none.starts_with("value    {}\n"), "{none}");
}

#[test]
fn limits_leave_facts_open() {
    let run = run(
        &format!(
            "racing {SMALL} --lattice families --json --max-visits 2 --algorithm alpha-beta-duo-plain"
        ),
        "",
    );
    assert_eq!((run.status, &*run.err), (Some(3), ""));
    let answer: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(answer["stop"], "visits");
    assert_eq!(answer["value"], Value::Null);
    let facts = json!({"worlds": 3, "winning": null, "sets": null});
    assert_eq!(answer["game"], facts);
    assert_eq!(answer["upper"], json!([[[1, 3], [3, 4], [3, 5]]]));
    assert_eq!(answer["lower"], json!([]));
}

#[test]
fn moves_and_events_name_positions() {
    let scratch = Scratch::new("game-events");
    let events = scratch.path("events");
    let line = format!("racing {SMALL} --lattice powerset --moves --events {events}");
    let answer = json(&line);
    let high = "MAX to play, 1:0, MAX holds 2, MIN has played 3";
    let low = "MIN to play, 0:1, MAX holds 6, MIN has played 3";
    for (place, child, value) in [(0, high, json!([[1, 3]])), (1, low, json!([]))] {
        assert_eq!(answer["moves"][place]["child"], child);
        assert_eq!(answer["moves"][place]["value"], value);
    }
    let text = std::fs::read_to_string(&events).expect("events");
    let events: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let root = "MAX to play, 0:0, MAX holds 6 2, MIN has played 3, 3 on the table";
    let top = json!([[1, 3], [3, 4], [3, 5]]);
    assert_eq!(
        events[0],
        json!({"event": "enter", "node": root, "alpha": [], "beta": top})
    );
    let value = json!([[1, 3]]);
    assert_eq!(
        events.last(),
        Some(&json!({"event": "exit", "node": root, "lower": value, "upper": value}))
    );
    let entered = events.iter().filter(|event| event["event"] == "enter");
    assert_eq!(answer["stats"]["visits"], entered.count());
}

/// A deal of the published size in memory that any machine has.
#[test]
fn a_deal_of_924_worlds_fits_in_400_megabytes() {
    let answer = json(
        "racing --deck 20 --goal 5 --hand 2,4,9,13,15,16,17 --lead 7 --lattice powerset \
         --algorithm minimax-cached --max-memory 400000000",
    );
    assert_eq!(answer["exact"], true);
    assert_eq!(answer["game"]["worlds"], 924);
    let peak = answer["stats"]["peak_memory_bytes"].as_u64();
    assert!(peak.is_some_and(|bytes| bytes < 400_000_000), "{peak:?}");
}

#[test]
fn a_seed_draws_one_deal() {
    let line = "generate racing --deck 20 --goal 5 --hand-size 7 --seed 1 --lattice families";
    let expected = "{\"format\":\"meetjoin-problem/1\",\"game\":\"racing\",\"deck\":20,\"goal\":5,\
        \"hand\":[5,8,9,11,12,14,20],\"lead\":10,\"lattice\":{\"type\":\"families\"}}\n";
    assert_eq!(printed(&format!("{line} --compact"), ""), expected);
    assert_eq!(printed("generate - --compact", expected), expected);
}

/// Everything but memory and time.
fn comparable(mut answer: Value) -> Value {
    for key in ["peak_memory_bytes", "seconds"] {
        answer["stats"][key] = Value::Null;
    }
    answer
}

#[test]
fn files_of_keys_are_the_same_problems() {
    for (game, args, file) in [
        ("racing", SMALL, RACING_FILE),
        ("random", RANDOM, RANDOM_FILE),
    ] {
        for lattice in ["powerset", "families"] {
            let file = file.replace("powerset", lattice);
            let line = format!("{game} {args} --lattice {lattice}");
            let direct = comparable(json(&line));
            assert_eq!(comparable(answer(&file, &[])), direct, "{line}");
            let compact = printed(&format!("generate {line} --compact"), "");
            assert_eq!(compact, format!("{file}\n"));
            // The keys may stand in any order.
            let keys = file[1..file.len() - 1].replace(",\"", "\n\"");
            let mut keys: Vec<&str> = keys.lines().collect();
            keys.reverse();
            let turned = format!("{{{}}}", keys.join(","));
            assert_eq!(comparable(answer(&turned, &[])), direct, "{turned}");
            // With all nodes it has the same value, and the same graph.
            let explicit = printed(&format!("generate {line}"), "");
            assert_eq!(printed("generate -", &file), explicit);
            assert_eq!(printed("generate -", &explicit), explicit);
            assert_eq!(printed("check -", &file), printed("check -", &explicit));
            let sets = answer(&explicit, &[]);
            let plain = json(&format!("{line} --algorithm alpha-beta-duo-plain"));
            let plain_sets = answer(&explicit, &["--algorithm", "alpha-beta-duo-plain"]);
            for counter in ["nodes", "visits", "leaves", "cutoffs"] {
                let (one, other) = (&plain_sets["stats"][counter], &plain["stats"][counter]);
                assert_eq!(one, other, "{line}");
            }
            if game == "random" {
                assert_eq!(comparable(sets), direct);
            } else {
                let winning = if lattice == "powerset" {
                    json!([1])
                } else {
                    json!([[1]])
                };
                assert_eq!(sets["value"], winning);
                assert!(explicit.contains(r#""worlds":["1 3","3 4","3 5"]"#));
            }
            let drawn = printed("generate - --dot", &file);
            assert_eq!(drawn, printed("generate - --dot", &explicit));
            assert!(drawn.starts_with("digraph {"));
            let bounds = printed("check - --bounds", &file);
            assert!(
                bounds.ends_with("bounds     none in the file\n"),
                "{bounds}"
            );
        }
    }
}

#[test]
fn wrong_keys_are_named() {
    let without = |file: &str, part: &str| {
        assert!(file.contains(part), "{part} in {file}");
        file.replacen(part, "", 1)
    };
    let with = |file: &str, part: &str| file.replacen('{', &format!("{{{part},"), 1);
    let other = |from: &str, to: &str| {
        assert!(RACING_FILE.contains(from), "{from}");
        RACING_FILE.replacen(from, to, 1)
    };
    for (file, parts) in [
        (
            with(RACING_FILE, r#""colour":1"#),
            &["unknown key `colour`", "`racing`"][..],
        ),
        (
            with(RANDOM_FILE, r#""deck":9"#),
            &["unknown key `deck`", "`random`"],
        ),
        (with(RACING_FILE, r#""root":1"#), &["unknown key `root`"]),
        (with(RACING_FILE, r#""nodes":[]"#), &["`nodes`", "`game`"]),
        (with(RACING_FILE, r#""deck":6"#), &["`deck` appears twice"]),
        (
            without(RACING_FILE, r#""deck":6,"#),
            &["`racing`", "needs the key `deck`"],
        ),
        (
            without(RACING_FILE, r#""lead":3,"#),
            &["needs the key `lead`"],
        ),
        (
            without(RACING_FILE, r#","lattice":{"type":"powerset"}"#),
            &["needs the key `lattice`"],
        ),
        (
            without(RANDOM_FILE, r#""alternating":false,"#),
            &["`random`", "needs the key `alternating`"],
        ),
        (
            without(RANDOM_FILE, r#""format":"meetjoin-problem/1","#),
            &["no key `format`"],
        ),
        (other(r#""deck":6"#, r#""deck":300"#), &["`deck`", "300"]),
        (other(r#""deck":6"#, r#""deck":65"#), &["deck of 65 cards"]),
        (
            other(r#""deck":6"#, r#""deck":"6""#),
            &["`deck`", "invalid type"],
        ),
        (other("[2,6]", "[2,7]"), &["card 7", "deck 1..6"]),
        (other("[2,6]", "2"), &["`hand`", "invalid type"]),
        (
            other(r#"{"type":"powerset"}"#, r#"{"type":"bool"}"#),
            &["`lattice`", "`bool`"],
        ),
        (
            other(r#"{"type":"powerset"}"#, r#"{"type":"powerset","v":3}"#),
            &["`lattice`", "`v`"],
        ),
        (
            RANDOM_FILE.replace(r#""depth":5"#, r#""depth":0"#),
            &["depth", "at least 1"],
        ),
        (
            RANDOM_FILE
                .replace("racing", "chess")
                .replace("random", "chess"),
            &["unknown game `chess`"],
        ),
    ] {
        for command in ["solve -", "check -", "generate -", "generate - --compact"] {
            let run = run(command, &file);
            let sentence = refused(&run);
            assert!(sentence.starts_with("standard input: "), "{sentence}");
            for part in parts {
                assert!(sentence.contains(part), "{part}: {sentence} for {file}");
            }
        }
    }
    let run = run("generate - --compact", crate::support::EXAMPLE);
    assert!(refused(&run).contains("written as its keys"));
}

#[test]
#[rustfmt::skip]
fn deals_and_options_that_make_no_sense() {
    for (line, parts) in [
        ("racing", &["--deck", "--goal", "--lattice"][..]),
        ("racing --deck 6 --goal 2 --lattice powerset", &["--hand and --lead", "--hand-size and --seed"]),
        ("racing --deck 6 --goal 2 --hand 2,6 --lattice powerset", &["--hand and --lead"]),
        ("racing --deck 6 --goal 2 --hand 2,6 --lead 3 --seed 1 --lattice powerset", &["--hand and --lead"]),
        ("racing --deck 6 --goal 2 --hand-size 2 --lattice powerset", &["--hand-size and --seed"]),
        ("racing --deck 65 --goal 2 --hand 2,6 --lead 3 --lattice powerset", &["deck of 65 cards", "64"]),
        ("racing --deck 256 --goal 2 --hand 2,6 --lead 3 --lattice powerset", &["'256'", "'--deck <D>'"]),
        ("racing --deck 3 --goal 2 --hand 1,2 --lead 3 --lattice powerset", &["deck of 3 cards", "two hands of 2"]),
        ("racing --deck 6 --goal 0 --hand 2,6 --lead 3 --lattice powerset", &["goal", "at least 1"]),
        ("racing --deck 6 --goal 2 --hand 2,7 --lead 3 --lattice powerset", &["card 7"]),
        ("racing --deck 6 --goal 2 --hand 0,6 --lead 3 --lattice powerset", &["card 0", "deck 1..6"]),
        ("racing --deck 6 --goal 2 --hand 2,6 --lead 7 --lattice powerset", &["card 7", "deck 1..6"]),
        ("racing --deck 13 --goal 2 --hand-size 7 --seed 1 --lattice powerset", &["deck of 13 cards", "two hands of 7"]),
        ("racing --deck 6 --goal 0 --hand-size 2 --seed 1 --lattice powerset", &["goal", "at least 1"]),
        ("racing --deck 6 --goal 2 --hand 2,2 --lead 3 --lattice powerset", &["card 2 twice"]),
        ("racing --deck 6 --goal 2 --hand 2,6 --lead 6 --lattice powerset", &["lead card 6"]),
        ("racing --deck 6 --goal 2 --hand 2,x --lead 3 --lattice powerset", &["'x'", "'--hand <CARDS>'"]),
        ("racing --deck 6 --goal 2 --hand -2 --lead 3 --lattice powerset", &["'-2'", "'--hand <CARDS>'"]),
        ("racing --deck 6 --goal 2 --hand-size 0 --seed 1 --lattice powerset", &["hand of 0 cards"]),
        ("racing --deck 6 --goal 2 --hand-size 255 --seed 1 --lattice powerset", &["hand of 255 cards"]),
        ("racing --deck 64 --goal 2 --hand-size 18 --seed 1 --lattice powerset", &["1103068603890 hands"]),
        ("racing --deck 6 --goal 2 --hand 2,6 --lead 3 --lattice chain", &["'chain'", "powerset, families"]),
        ("racing --deck 6 --goal 2 --hand 2,6 --lead 3 --lattice powerset --algorithm chess", &["no algorithm \"chess\""]),
        ("random --depth 0 --branching 2 --variables 4 --lattice powerset --seed 1", &["depth", "at least 1"]),
        ("random --depth 3 --branching 0 --variables 4 --lattice powerset --seed 1", &["branching", "at least 1"]),
        ("random --depth 1000 --branching 2 --variables 4 --lattice powerset --seed 1", &["depth 1000", "layer 21", "32 bits"]),
        ("random --depth 27 --branching 4 --variables 4 --lattice powerset --seed 1", &["depth 27", "nodes or edges", "32 bits"]),
        ("generate racing --deck 6 --goal 2 --hand 2,6 --lead 6 --lattice powerset --compact", &["lead card 6"]),
        ("generate racing --deck 6 --goal 2 --hand 2,6 --lead 3 --lattice powerset --compact --dot", &["--dot", "--compact"]),
        ("generate random --depth 0 --branching 2 --variables 4 --lattice powerset --seed 1 --compact", &["depth", "at least 1"]),
    ] {
        let run = run(line, "");
        let sentence = one_sentence(&run, 2);
        for part in parts {
            assert!(sentence.contains(part), "{part}: {sentence} for {line}");
        }
    }
}
