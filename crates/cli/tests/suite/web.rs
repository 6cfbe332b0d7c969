//! What the pages of the site are told is what the command prints, to the byte: the programs that
//! they ask, compiled for this machine.

use meetjoin_web::asking::{Answer, Memory};
use meetjoin_web::{bridge, faults, play, solve};
use serde_json::{Value, json};

use crate::support::{meetjoin, one_sentence};

/// A program says the same as the command: the same answer, the same sentence, which each may begin
/// with the option that it is about.
fn same(program: Answer, question: &Value, args: &[&str], input: &str) {
    let run = meetjoin(args, input);
    match program(question.to_string().as_bytes(), Memory::UNKNOWN) {
        Ok(answered) => {
            assert_eq!(answered.text, run.out, "{question}");
            let status = if answered.is_complete { 0 } else { 3 };
            assert_eq!(run.status, Some(status), "{question}");
        }
        Err(sentence) => {
            let said = one_sentence(&run, 2);
            let alone = sentence.split_once(": ").map_or(&*sentence, |(_, why)| why);
            assert!(
                said.contains(alone),
                "{question}: {sentence} and not {said}"
            );
        }
    }
}

fn suit(question: &Value, args: &[&str]) {
    let args = [&["suit", "--json"], args].concat();
    same(
        bridge::answer,
        &json!({ "ask": { "suit": question } }),
        &args,
        "",
    );
}

#[test]
fn a_suit_is_answered_as_by_the_command() {
    let hands = ["AQT98", "5432"];
    let with = |more: Value| {
        let mut question = json!({ "north": hands[0], "south": hands[1] });
        let (Some(fields), Some(more)) = (question.as_object_mut(), more.as_object()) else {
            unreachable!("both are objects");
        };
        fields.extend(more.clone());
        question
    };
    let ask = |more: Value, args: &[&str]| suit(&with(more), &[&hands, args].concat());
    ask(json!({}), &[]);
    ask(json!({ "tricks": 4 }), &["--tricks", "4"]);
    ask(
        json!({ "tricks": 4, "leads": true, "top": 2, "table": true }),
        &["--tricks", "4", "--leads", "--top", "2", "--table"],
    );
    ask(json!({ "average": true }), &["--average"]);
    ask(json!({ "vacant": [7, 12] }), &["--vacant", "7,12"]);
    ask(
        json!({ "west": "K", "east": "7" }),
        &["--west", "K", "--east", "7"],
    );
    ask(json!({ "west_length": [2, 3] }), &["--west-length", "2..3"]);
    ask(
        json!({ "entries": 1, "keep": "A" }),
        &["--entries", "1", "--keep", "A"],
    );
    ask(json!({ "matchpoints": true }), &["--matchpoints"]);
    ask(
        json!({ "imps": "4SV", "tricks": 4 }),
        &["--imps", "4SV", "--tricks", "4"],
    );
}

#[test]
fn what_is_no_suit_gets_the_sentence_of_the_command() {
    let ask = |north: &str, south: &str| {
        suit(&json!({ "north": north, "south": south }), &[north, south]);
    };
    ask("AKQJT98765432A", "-");
    ask("AQT98", "A432");
    ask("AQZ", "2");
    ask("-", "-");
    ask("xxxxxxxxxxxxxxx", "AK");
    ask("A\u{1F0A1}", "2");
    suit(
        &json!({ "north": "AQ", "south": "32", "tricks": 3 }),
        &["AQ", "32", "--tricks", "3"],
    );
    suit(
        &json!({ "north": "AQ", "south": "32", "west": "A" }),
        &["AQ", "32", "--west", "A"],
    );
    suit(
        &json!({ "north": "AQ", "south": "32", "imps": "9Z", "tricks": 1 }),
        &["AQ", "32", "--imps", "9Z", "--tricks", "1"],
    );
}

/// The queen is on either side.
const GUESS: &str =
    "[Deal \"N:AJ2.A.. Q98.3.. KT3.2.. 765.4..\"]\n[Declarer \"S\"]\n[Contract \"3NT\"]\n";

fn ending(deal: &str, question: &Value, args: &[&str]) {
    let mut question = question.clone();
    question["deal"] = deal.into();
    let args = [&["ending", "-", "--json"], args].concat();
    same(
        bridge::answer,
        &json!({ "ask": { "ending": question } }),
        &args,
        deal,
    );
}

#[test]
fn an_ending_is_answered_as_by_the_command() {
    for tricks in ["1", "3", "4", "0", "5"] {
        let goal: u8 = tricks.parse().expect("a number");
        ending(GUESS, &json!({ "tricks": goal }), &["--tricks", tricks]);
    }
    ending(
        GUESS,
        &json!({ "tricks": 3, "trumps": "H", "leader": "W", "declarer": "N" }),
        &[
            "--tricks",
            "3",
            "--trumps",
            "H",
            "--lead",
            "W",
            "--declarer",
            "N",
        ],
    );
    ending(
        GUESS,
        &json!({ "tricks": 4, "lengths": [["S", [2, 3]], ["H", [1, 1]]] }),
        &[
            "--tricks",
            "4",
            "--west-length",
            "S=2..3",
            "--west-length",
            "H=1",
        ],
    );
}

#[test]
fn what_is_no_deal_gets_the_sentence_of_the_command() {
    for deal in [
        "",
        "[Deal \"N:A... A... K... Q...\"]",
        "[Deal \"N:A... K... Q... J...\"]",
        "[Deal \"N:A... - Q... -\"]\n[Declarer \"S\"]",
        "[Deal \"N:AK... Q... J... T...\"]\n[Declarer \"S\"]",
        "[Deal \"X:A... Q... J... T...\"]\n[Declarer \"S\"]",
        "[Deal \"N:A..\"]",
        "\u{0}\u{1}\u{2} \u{fffd}",
    ] {
        ending(deal, &json!({ "tricks": 1 }), &["--tricks", "1"]);
    }
}

/// An answer about a tree or a graph, without what it cost.
fn without_costs(text: &str) -> String {
    let (head, _) = text.split_once(",\"stats\"").unwrap_or((text, ""));
    head.to_owned()
}

/// The same for answers that say what they cost; the file comes behind the question.
fn same_about(program: Answer, question: &Value, args: &[&str], file: &str) {
    let run = meetjoin(args, file);
    let input = format!("{question}\n{file}");
    match program(input.as_bytes(), Memory::UNKNOWN) {
        Ok(answered) => {
            let (said, printed) = (without_costs(&answered.text), without_costs(&run.out));
            assert_eq!(said, printed, "{question}");
            let status = if answered.is_complete { 0 } else { 3 };
            assert_eq!(run.status, Some(status), "{question}");
        }
        Err(sentence) => {
            let said = one_sentence(&run, 2);
            assert!(
                said.ends_with(&sentence),
                "{question}: {sentence} and not {said}"
            );
        }
    }
}

#[test]
fn trees_are_answered_as_by_the_command() {
    let ask = |question: Value, args: &[&str], file: &str| {
        let args = [args, &["--json", "-"]].concat();
        same_about(faults::answer, &json!({ "ask": question }), &args, file);
    };
    let plant = include_str!("../../../../examples/plant.txt");
    let cooling = include_str!("../../../../examples/cooling.xml");
    let office = include_str!("../../../../examples/office.txt");
    ask(
        json!({ "cuts": { "list": true, "importance": true } }),
        &["cuts", "--list", "--importance"],
        plant,
    );
    ask(
        json!({ "cuts": { "sets": "paths", "most_probable": 3 } }),
        &["cuts", "--paths", "--most-probable", "3"],
        plant,
    );
    ask(
        json!({ "cuts": { "ccf": true, "mission_time": 4380, "time_step": 730, "sil": true, "uncertainty": 20, "seed": 3 } }),
        &[
            "cuts",
            "--ccf",
            "--mission-time",
            "4380",
            "--time-step",
            "730",
            "--sil",
            "--uncertainty",
            "20",
            "--seed",
            "3",
        ],
        cooling,
    );
    ask(json!({ "cuts": {} }), &["cuts"], "top = 2 off a b\n");
    ask(
        json!({ "attacks": { "pareto": ["cost", "p"], "cheapest": 2 } }),
        &["attacks", "--pareto", "cost,p", "--cheapest", "2"],
        office,
    );
    ask(
        json!({ "attacks": { "defences": true, "budget": 9, "stopping": 20 } }),
        &["attacks", "--defences", "--budget", "9", "--stopping", "20"],
        office,
    );
    ask(
        json!({ "attacks": { "pareto": ["cost", "fame"] } }),
        &["attacks", "--pareto", "cost,fame"],
        office,
    );
}

#[test]
fn graphs_and_positions_are_answered_as_by_the_command() {
    let example = include_str!("../../../../examples/example.json");
    same_about(
        solve::answer,
        &json!({ "ask": { "graph": { "moves": true, "algorithm": "alpha-beta" } } }),
        &[
            "solve",
            "--json",
            "--moves",
            "--algorithm",
            "alpha-beta",
            "-",
        ],
        example,
    );
    same_about(
        solve::answer,
        &json!({ "ask": { "graph": {} } }),
        &["solve", "--json", "-"],
        "{\"format\":\"meetjoin-problem/1\"}",
    );
    same_about(
        play::answer,
        &json!({ "ask": { "board": { "game": "kalah", "pits": 3, "seeds": 2, "moves": "", "lattice": { "type": "chain" } } } }),
        &["play", "kalah", "--pits", "3", "--seeds", "2", "--json"],
        "",
    );
}
