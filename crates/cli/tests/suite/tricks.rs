//! Games of tricks in files: `ending --rules`, and as problems.

use serde_json::{Value, json};

use crate::support::{Scratch, meetjoin, refused};

const SKAT: &str = include_str!("../../../../examples/skat.json");
const SCHNAPSEN: &str = include_str!("../../../../examples/schnapsen.json");

fn ending(args: &[&str]) -> Value {
    let run = meetjoin(&[&["ending", "--json"], args].concat(), "");
    assert_eq!((run.status, &*run.err), (Some(0), ""), "{args:?}");
    serde_json::from_str(&run.out).expect("JSON")
}

/// The file with a key replaced, or without it.
fn with(key: &str, value: Option<Value>) -> String {
    let mut file: Value = serde_json::from_str(SKAT).expect("JSON");
    let keys = file.as_object_mut().expect("an object");
    match value {
        Some(value) => keys.insert(key.to_owned(), value),
        None => keys.remove(key),
    };
    file.to_string()
}

#[test]
fn an_ending_has_the_same_value_for_every_command() {
    let scratch = Scratch::new("tricks");
    let file = scratch.file("skat.json", SKAT);
    let found = ending(&["--rules", "file", &file, "--alpha-mu", "9"]);
    assert_eq!(found["format"], "meetjoin-tricks/1");
    assert_eq!(
        (&found["exact"], &found["of"]),
        (&json!(true), &json!("points"))
    );
    let run = meetjoin(&["solve", "--heaviest", "--json", &file], "");
    assert_eq!(run.status, Some(0), "{}", run.err);
    let solved: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(solved["weight"], found["numerator"]);
    let cards = found["cards"].as_array().expect("cards");
    let worth = |card: &Value, key: &str| card[key].as_u64().expect("a number");
    let best = cards.iter().map(|card| worth(card, "worth")).max();
    assert_eq!(best, found["numerator"].as_u64());
    for card in cards {
        // Alpha-mu to the end is exact.
        assert_eq!(card["alpha_mu"], card["worth"]);
        assert!(worth(card, "seen") >= worth(card, "worth"));
    }
}

/// Plays the strategy of an answer against all that it says can follow; the points of cards that
/// MAX gets, at least.
#[test]
fn a_strategy_answers_everything_and_ends() {
    let scratch = Scratch::new("tricks-line");
    let file = scratch.file("skat.json", SKAT);
    let found = ending(&["--rules", "file", &file]);
    let line = found["line"].as_array().expect("a strategy");
    for (place, node) in line.iter().enumerate() {
        let next = node["next"].as_array().expect("cards");
        assert!(!next.is_empty());
        if node["turn"] == "declarer" {
            assert_eq!(next.len(), 1, "{node}");
        }
        for card in next {
            let to = card[1].as_u64();
            assert!(to.is_none_or(|to| to as usize > place && (to as usize) < line.len()));
        }
    }
}

#[test]
fn rules_come_by_name_from_a_file_or_with_the_ending() {
    let scratch = Scratch::new("tricks-rules");
    let with_them = scratch.file("with.json", SKAT);
    let without = scratch.file("without.json", with("rules", None));
    let own = ending(&["--rules", "file", &with_them]);
    assert_eq!(ending(&["--rules", "skat", &without]), own);
    let rules = scratch.file("schnapsen.json", SCHNAPSEN);
    let closed = json!({"hands": {"she": "SA ST HA"}, "unseen": "SK HT HK DA", "goal": 30});
    let closed = scratch.file("closed.json", closed.to_string());
    let found = ending(&["--rules", &rules, &closed]);
    assert_eq!(
        (&found["of"], &found["worlds"]),
        (&json!("goal"), &json!(4))
    );
    assert_eq!(found["left"], 3);
    let text = meetjoin(&["ending", "--rules", &rules, &closed], "").out;
    assert!(
        text.contains("\nchance    ") && text.contains("\nleads     "),
        "{text}"
    );
}

#[test]
fn hands_on_the_command_line_are_the_ending_of_the_file() {
    let scratch = Scratch::new("tricks-hands");
    let file = scratch.file("skat.json", SKAT);
    let own = ending(&["--rules", "file", &file]);
    let hands = ["declarer=CJ D10 S10", "left=? -C"];
    let unseen = ["--unseen", "SJ,HA,DA D7 SK S7", "--trumps", "H"];
    let args = |more: &[&'static str]| [&["--rules", "skat"], &hands[..], &unseen, more].concat();
    assert_eq!(ending(&args(&[])), own);
    assert_eq!(ending(&args(&["--lead", "declarer"])), own);
    // Options come before what the file says, and mean what its keys mean.
    let goal = ending(&args(&["--goal", "30", "--before", "9", "--lead", "left"]));
    let options = ["--goal", "30", "--before", "9", "--lead", "left"];
    let same = ending(&[&["--rules", "file", &file], &options[..]].concat());
    assert_eq!((&goal["of"], &goal), (&json!("goal"), &same));
    let mut keys: Value = serde_json::from_str(SKAT).expect("JSON");
    keys["leader"] = json!("left");
    keys["goal"] = json!(30);
    keys["before"] = json!(9);
    let keys = scratch.file("goal.json", keys.to_string());
    assert_eq!(ending(&["--rules", "file", &keys]), goal);
    // A heart may be led only where one was played.
    let hearts = [
        "--rules",
        "hearts",
        "South=HA C2",
        "--unseen",
        "C3 C4 D2 D3 D4 H2",
    ];
    let leads = |more: &[&str]| {
        let found = ending(&[&hearts[..], more].concat());
        found["cards"].as_array().expect("cards").len()
    };
    assert_eq!((leads(&[]), leads(&["--unbroken"])), (2, 1));
}

/// Who lacks a suit may have a trump on which that suit is printed, and who lacks trumps has no
/// such card.
#[test]
fn a_trump_counts_as_a_trump() {
    let worlds = |left: &str| {
        let left = format!("left=? {left}");
        let run = [
            &[
                "--rules",
                "skat",
                "--trumps",
                "H",
                "--unseen",
                "SJ HA DA D7 SK S7",
            ][..],
            &["declarer=CJ D10 S10", &left],
        ];
        ending(&run.concat())["worlds"].as_u64().expect("a number")
    };
    // Three cards of six; SK and S7 are spades, SJ and HA trumps.
    assert_eq!(worlds(""), 20);
    assert_eq!(worlds("-S"), 4);
    assert_eq!(worlds("SJ -S"), 3);
    assert_eq!(worlds("-H"), 4);
}

#[test]
fn what_is_wrong_with_hands_is_said() {
    let said = |args: &[&str]| {
        let run = meetjoin(&[&["ending"], args].concat(), "");
        refused(&run).to_owned()
    };
    let unseen = ["--unseen", "SJ HA DA D7 SK S7"];
    for (hands, wanted) in [
        (
            &["declarer=CJ D10 SX"][..],
            "hands.declarer: \"SX\" is no card of this game",
        ),
        (
            &["declarer=CJ D10 HA"],
            "HA is in the hand of declarer and in the unseen cards",
        ),
        (&["me=CJ"], "hands: \"me\" is no player of this game"),
        (&["declarer=CJ", "declarer=D10"], "declarer has two hands"),
        (&["declarer=CJ", "D10"], "\"D10\" is not a hand by player"),
        (&["left=CJ"], "the hand of declarer is hidden"),
        (
            &["declarer=CJ D10 S10", "--trumps", "X"],
            "trumps: \"X\" is no suit of this game",
        ),
        (
            &["declarer=CJ D10 S10", "--lead", "N"],
            "leader: \"N\" is no player of this game",
        ),
        (&["declarer=CJ D10 S10", "--goal", "-1"], "'-1'"),
        (&["declarer=CJ D10 S10", "--tricks", "1"], "--tricks"),
    ] {
        let why = said(&[&["--rules", "skat"], hands, &unseen].concat());
        assert!(why.contains(wanted), "{why}");
    }
    let why = said(&["--rules", "skat", "declarer=CJ D10 S10"]);
    assert!(
        why.contains("the hidden hands have 6 cards together, and 0 cards"),
        "{why}"
    );
    let why = said(&["--rules", "file", "declarer=CJ D10 S10"]);
    assert!(why.contains("rules: they are missing"), "{why}");
    // Without rules the options of bridge are what they were.
    let hands = ["AJ2.A..", "KT3.2..", "Q98765.43..", "--tricks", "4"];
    for (option, wanted) in [
        ("--lead", "there is no player"),
        ("--trumps", "does not name trumps"),
    ] {
        let why = said(&[&hands[..], &[option, "left"]].concat());
        assert!(why.contains(wanted) && why.contains(option), "{why}");
    }
    let why = said(&[&hands[..], &["--goal", "1"]].concat());
    assert!(why.contains("--rules"), "{why}");
}

#[test]
fn limits_end_a_search_and_what_is_known_is_printed() {
    let scratch = Scratch::new("tricks-limits");
    let file = scratch.file("skat.json", SKAT);
    let run = meetjoin(
        &[
            "ending",
            "--rules",
            "file",
            &file,
            "--json",
            "--max-visits",
            "3",
        ],
        "",
    );
    assert_eq!(run.status, Some(3));
    let found: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(
        (&found["exact"], &found["line"]),
        (&json!(false), &Value::Null)
    );
    assert!(found["bound"].as_u64() >= found["numerator"].as_u64());
}

/// Values of points are sets of stakes, a bit for each point and world. Where they are many, a
/// search still ends at its limit with what is known, and a small one ends by itself.
#[test]
fn very_many_stakes_leave_limits_as_they_are() {
    let scratch = Scratch::new("tricks-stakes");
    // 252 worlds with up to 71 points each, and more positions than can be looked at.
    let mut keys: Value = serde_json::from_str(SKAT).expect("JSON");
    keys["hands"] = json!({"declarer": "CJ D10 S10 C7 C8"});
    keys["unseen"] = json!("D7 D8 DJ DQ DK DA H7 H8 H9 HJ");
    let large = scratch.file("large.json", keys.to_string());
    let limit = ["--max-memory", "200M", "--json"];
    let run = meetjoin(
        &[&["ending", "--rules", "file", &large], &limit[..]].concat(),
        "",
    );
    assert_eq!((run.status, &*run.err), (Some(3), ""));
    let found: Value = serde_json::from_str(&run.out).expect("JSON");
    assert!(found["bound"].as_u64() >= found["numerator"].as_u64());
    assert_eq!(found["stop"], "memory");
    // Points by the ten thousand.
    let mut rules: Value = serde_json::from_str(SCHNAPSEN).expect("JSON");
    rules["points"] = json!({"cards": {"SA": 30_000, "HA": 20_000}});
    let rules = scratch.file("rules.json", rules.to_string());
    let hands = ["she=SA ST HA", "--unseen", "SK HT HK DA"];
    let found = ending(&[&["--rules", &rules], &hands[..]].concat());
    assert_eq!(
        (&found["numerator"], &found["worlds"]),
        (&json!(200_000), &json!(4))
    );
    let hands = [
        "she=SA ST SK SQ SJ HA",
        "--unseen",
        "CJ CQ CK CT CA HT HK HQ HJ DA DT DK",
    ];
    let run = meetjoin(&[&["ending", "--rules", &rules], &hands[..]].concat(), "");
    assert_eq!(
        refused(&run),
        "924 worlds with up to 50000 points each are more than 16777216 stakes"
    );
}

#[test]
fn what_is_wrong_with_own_rules_is_said_with_its_key() {
    let scratch = Scratch::new("tricks-own-rules");
    let schnapsen = |key: &str, value: Value| {
        let mut rules: Value = serde_json::from_str(SCHNAPSEN).expect("JSON");
        rules[key] = value;
        rules
    };
    for (rules, said) in [
        (
            json!(3),
            "`rules`: invalid type: integer `3`, expected the name of a game, or an object with all rules",
        ),
        (json!({}), "`rules`: missing field `players`"),
        (
            schnapsen("aims", json!("most")),
            "`rules`: unknown field `aims`, expected one of `players`",
        ),
        (
            schnapsen("aim", json!("all")),
            "`rules`: aim: unknown variant `all`, expected one of `most`, `fewest`, `exactly`",
        ),
        (
            schnapsen("must_follow", json!("yes")),
            "`rules`: must_follow: invalid type: string \"yes\", expected a boolean",
        ),
        (
            schnapsen("points", json!({"ranks": {"A": -1}})),
            "`rules`: points: ranks: A: invalid value: integer `-1`, expected u32",
        ),
        (
            schnapsen("points", json!(11)),
            "`rules`: points: invalid type: integer `11`, expected an object",
        ),
    ] {
        let file = json!({
            "format": "meetjoin-problem/1", "game": "tricks", "lattice": {"type": "families"},
            "rules": rules, "hands": {"she": "SA ST HA"}, "unseen": "SK HT HK DA",
        });
        let file = scratch.file("file.json", file.to_string());
        for command in [&["solve", &file][..], &["ending", "--rules", "file", &file]] {
            let run = meetjoin(command, "");
            let why = refused(&run);
            assert!(why.contains(said) && why.contains("file.json"), "{why}");
        }
    }
    let file = scratch.file("hands.json", with("hands", Some(json!({"declarer": 3}))));
    let run = meetjoin(&["ending", "--rules", "file", &file], "");
    let said = "`hands`: declarer: invalid type: integer `3`, expected a string";
    assert!(refused(&run).contains(said), "{}", run.err);
    let file = scratch.file("goal.json", with("goal", Some(json!(-1))));
    let run = meetjoin(&["ending", "--rules", "file", &file], "");
    let said = "`goal`: invalid value: integer `-1`, expected u32";
    assert!(refused(&run).contains(said), "{}", run.err);
    let run = meetjoin(&["ending", "--rules", "skat", "CJ"], "");
    let said = "\"CJ\" is neither an existing file nor a hand by player";
    assert!(refused(&run).contains(said), "{}", run.err);
}

#[test]
fn what_is_wrong_is_said_with_its_name_and_place() {
    let scratch = Scratch::new("tricks-wrong");
    let named = |given: &str, text: &str| {
        let file = scratch.file("wrong.json", text);
        refused(&meetjoin(&["ending", "--rules", given, &file], "")).to_owned()
    };
    for (text, said) in [
        (
            with("rules", Some(json!("skaat"))),
            "there is no game \"skaat\"",
        ),
        (with("rules", None), "rules: they are missing"),
        (
            with("trumps", Some(json!("X"))),
            "trumps: \"X\" is no suit of this game",
        ),
        (
            with("leader", Some(json!("me"))),
            "leader: \"me\" is no player of this game",
        ),
        (
            with("hands", Some(json!({"declarer": "CJ D10 SX"}))),
            "hands.declarer: \"SX\" is no card of this game",
        ),
        (
            with("hands", Some(json!({"declarer": "CJ D10 HA"}))),
            "HA is in the hand of declarer and in the unseen cards",
        ),
        (
            with("unseen", Some(json!("SJ HA"))),
            "the hidden hands have 6 cards together",
        ),
        (
            with("goals", Some(json!(1))),
            "unknown key `goals` of the game `tricks`",
        ),
        (
            with("broken", Some(json!(false))),
            "broken: in these rules no suit is to be broken",
        ),
        (
            with("goal", None).replacen('{', "{\"before\": 5, ", 1),
            "before: 5 points count for a goal, and there is none",
        ),
        (
            SKAT.replacen('{', "{\"goal\": 1, \"goal\": 2, ", 1),
            "the key `goal` appears twice",
        ),
        (
            SKAT.replacen(
                "\"hands\": {",
                "\"hands\": {\"left\": \"? -C\", \"left\": \"?\", ",
                1,
            ),
            "`hands`: the key `left` appears twice",
        ),
        (
            with(
                "rules",
                Some(json!({"points": {"ranks": {"A": 11, "B": 4}}})),
            )
            .replace("\"B\":4", "\"A\":4"),
            "`rules`: points: ranks: the key `A` appears twice",
        ),
    ] {
        let why = named("file", &text);
        assert!(why.contains(said) && why.contains("wrong.json"), "{why}");
    }
    let why = named("skat", SKAT);
    assert!(
        why.contains("the rules are given twice, beside the ending and in it"),
        "{why}"
    );
    let why = named("poker", SKAT);
    assert!(
        why.contains("\"poker\" is neither a file of rules nor a game"),
        "{why}"
    );
    let rules = scratch.file("rules.json", SCHNAPSEN.replace("\"S\"]", "\"S\", \"S\"]"));
    let why = named(&rules, &with("rules", None));
    assert!(why.contains("suit \"S\" is there twice"), "{why}");
    let file = scratch.file("skat.json", SKAT);
    let run = meetjoin(&["ending", "--rules", "file", "--tricks", "2", &file], "");
    let why = refused(&run);
    assert!(why.contains("--tricks"), "{why}");
    let run = meetjoin(&["ending", &file], "");
    let why = refused(&run);
    assert!(why.contains("--tricks"), "{why}");
}
