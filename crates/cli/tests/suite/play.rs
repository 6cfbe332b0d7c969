//! `meetjoin play`, and board games as problems.

use std::collections::HashMap;

use meetjoin_games::{ConnectFour, Kalah, random_play};
use serde_json::Value;

use crate::support::{algorithms_for_chains, answer, meetjoin, refused};

/// What a run prints that must go well.
fn printed(args: &[&str], stdin: &str) -> String {
    let run = meetjoin(args, stdin);
    assert_eq!((run.status, &*run.err), (Some(0), ""), "{args:?}");
    run.out
}

fn play(args: &[&str]) -> Value {
    let out = printed(&[&["play"], args, &["--json"]].concat(), "");
    serde_json::from_str(&out).expect("JSON")
}

/// The board games with what makes them small.
const SMALL: [&[&str]; 6] = [
    &["tic-tac-toe"],
    &["tic-tac-toe", "--moves", "51"],
    &["connect-four", "--columns", "4", "--rows", "3"],
    &[
        "connect-four",
        "--columns",
        "4",
        "--rows",
        "4",
        "--scoring",
        "outcome",
        "--moves",
        "1121",
    ],
    &["kalah", "--pits", "2", "--seeds", "3"],
    &[
        "kalah",
        "--pits",
        "3",
        "--seeds",
        "1",
        "--capture",
        "seeds",
        "--moves",
        "1",
    ],
];

#[test]
fn values_and_moves_are_those_of_the_problem_node_by_node() {
    for game in SMALL {
        let json = play(game);
        let explicit = printed(&[&["generate"], game].concat(), "");
        let solved = answer(&explicit, &["--algorithm", "minimax-cached", "--moves"]);
        assert_eq!(json["exact"], true);
        assert_eq!(json["value"], solved["value"], "{game:?}");
        assert_eq!(json["lower"], solved["value"]);
        assert_eq!(json["stop"], Value::Null);
        let values = |found: &Value| {
            let moves = found["moves"].as_array().expect("moves");
            let values = moves
                .iter()
                .map(|one| one["value"].as_i64().expect("exact"));
            let mut values: Vec<i64> = values.collect();
            values.sort_unstable();
            values
        };
        assert_eq!(values(&json), values(&solved), "{game:?}");
    }
}

#[test]
fn the_best_line_is_played_to_the_end_and_keeps_its_value() {
    for game in SMALL {
        let first = play(game);
        let before = game.iter().skip_while(|word| **word != "--moves").nth(1);
        let mut moves = before.map_or(String::new(), |moves| (*moves).to_owned());
        for number in first["line"].as_array().expect("a line") {
            moves.push_str(&number.to_string());
            let mut args: Vec<&str> = game.to_vec();
            if let Some(place) = args.iter().position(|word| *word == "--moves") {
                args.truncate(place);
            }
            args.extend(["--moves", &moves]);
            assert_eq!(play(&args)["value"], first["value"], "{args:?}");
        }
        let mut args: Vec<&str> = game
            .iter()
            .copied()
            .take_while(|w| *w != "--moves")
            .collect();
        args.extend(["--moves", &moves]);
        let last = play(&args);
        assert_eq!(last["to_move"], Value::Null, "{args:?}");
        assert_eq!(last["moves"], Value::Array(Vec::new()));
    }
}

/// A limit may end the search for the line after that for the value.
#[test]
fn a_best_line_that_does_not_end_with_the_game_says_so() {
    let position = "play connect-four --columns 5 --rows 4 --moves 3122352335 --max-visits";
    let lines = ["242", "100000"].map(|visits| {
        let args: Vec<&str> = position.split(' ').chain([visits]).collect();
        let out = meetjoin(&args, "").out;
        assert!(out.contains("value      -1"), "{out}");
        let line = out.lines().find_map(|line| line.strip_prefix("best line "));
        line.expect("a line").trim().to_owned()
    });
    let [begun, whole] = lines;
    let begun = begun.strip_suffix(", as far as it is known");
    let begun = begun.expect("its mark");
    assert!(
        whole.starts_with(begun) && whole.len() > begun.len(),
        "{begun}; {whole}"
    );
    assert!(
        whole.split(' ').all(|word| word.parse::<u32>().is_ok()),
        "{whole}"
    );
}

#[test]
fn files_of_keys_are_the_same_games() {
    for game in SMALL {
        let generate = [&["generate"], game].concat();
        let explicit = printed(&generate, "");
        let compact = printed(&[&generate[..], &["--compact"]].concat(), "");
        assert_eq!(compact.lines().count(), 1);
        assert_eq!(printed(&["generate", "-"], &compact), explicit);
        assert_eq!(printed(&["generate", "-", "--compact"], &compact), compact);
        let drawn = printed(&["generate", "-", "--dot"], &compact);
        assert!(drawn.starts_with("digraph {"));
        let value = &answer(&explicit, &[])["value"];
        for algorithm in algorithms_for_chains() {
            let patience = ["--algorithm", algorithm.id, "--max-visits", "3000000"];
            let found = answer_or_stop(&compact, &patience);
            if found["exact"] == true {
                assert_eq!(found["value"], *value, "{} of {game:?}", algorithm.id);
            } else {
                assert!(!algorithm.remembers_nodes(), "{} of {game:?}", algorithm.id);
            }
        }
        if game[0] != "kalah" {
            let quotient = [&generate[..], &["--up-to-symmetry"]].concat();
            let fewer = printed(&quotient, "");
            assert!(fewer.lines().count() <= explicit.lines().count());
            assert_eq!(answer(&fewer, &[])["value"], *value);
            let keys = printed(&[&quotient[..], &["--compact"]].concat(), "");
            assert_eq!(printed(&["generate", "-"], &keys), fewer);
            assert_eq!(answer(&keys, &["--algorithm", "mtd-f"])["value"], *value);
        }
    }
}

/// The answer of a run that may end at a limit.
fn answer_or_stop(problem: &str, args: &[&str]) -> Value {
    let run = meetjoin(&[&["solve", "-", "--json"], args].concat(), problem);
    assert!(matches!(run.status, Some(0 | 3)), "{run:?}");
    serde_json::from_str(&run.out).expect("JSON")
}

#[test]
fn tic_tac_toe_up_to_symmetry_has_765_positions() {
    let generate = ["generate", "tic-tac-toe"];
    let nodes = |problem: &str| {
        let checked = printed(&["check", "-"], problem);
        let count = checked.split_whitespace().nth(1);
        count.and_then(|count| count.parse::<u32>().ok())
    };
    assert_eq!(nodes(&printed(&generate, "")), Some(5478));
    let quotient = [&generate[..], &["--up-to-symmetry"]].concat();
    assert_eq!(nodes(&printed(&quotient, "")), Some(765));
}

#[test]
fn depths_are_marked() {
    let position = ["connect-four", "--moves", "4453"];
    let json = play(&[&position[..], &["--depth", "6"]].concat());
    assert_eq!(
        (&json["exact"], &json["value"]),
        (&Value::from(false), &Value::Null)
    );
    assert!(json["estimate"].is_i64());
    assert_eq!(json["depth"], 6);
    assert_eq!(
        (json["lower"].as_i64(), json["upper"].as_i64()),
        (Some(-18), Some(18))
    );
    assert_eq!(json["line"].as_array().map(Vec::len), Some(6));
    let moves = json["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 7);
    assert!(moves.iter().all(|one| one["depth"] == 5));
    let best = moves
        .iter()
        .filter_map(|one| one["estimate"].as_i64())
        .max();
    assert_eq!(best, json["estimate"].as_i64());
    let text = printed(
        &["play", "connect-four", "--moves", "4453", "--depth", "1"],
        "",
    );
    assert!(text.contains(", judged after 1 move\n"), "{text}");
    // A win within the horizon is no estimate: MAX has three stones in the lowest row.
    let json = play(&["connect-four", "--moves", "33445", "--depth", "4"]);
    assert_eq!(
        (&json["exact"], &json["value"]),
        (&Value::from(true), &Value::from(18))
    );
    // Neither is a game that ends before.
    let json = play(&["tic-tac-toe", "--moves", "519", "--depth", "9"]);
    assert_eq!(
        (&json["exact"], &json["value"]),
        (&Value::from(true), &Value::from(0))
    );
    // An outcome stays an outcome.
    let outcome = ["connect-four", "--moves", "33445", "--scoring", "outcome"];
    let json = play(&[&outcome[..], &["--depth", "4"]].concat());
    assert_eq!(json["value"], 1);
}

/// What a root or a move is worth on the scale of the judged game, where wins are so much further
/// from 0.
fn judged(found: &Value, further: i64) -> i64 {
    let value = found["value"].as_i64();
    value
        .map(|value| value + further * value.signum())
        .or_else(|| found["estimate"].as_i64())
        .expect("no limit")
}

/// Whether a position is worth what its best move is, and its best line begins with such a move.
fn agrees(game: &str, moves: &str, depth: u32, further: i64) {
    let json = play(&[game, "--moves", moves, "--depth", &depth.to_string()]);
    let judged = |found| judged(found, further);
    let what = format!("{game} {moves} to depth {depth}");
    let all = json["moves"].as_array().expect("moves");
    let values = all.iter().map(judged);
    let best = if json["to_move"] == "MAX" {
        values.max()
    } else {
        values.min()
    };
    assert_eq!(best, Some(judged(&json)), "{what}");
    let first = json["line"].as_array().and_then(|line| line.first());
    let first = first.and_then(|first| all.iter().find(|one| one["move"] == *first));
    let first = first.expect("a best move");
    assert_eq!(judged(first), judged(&json), "{what}");
    assert_eq!(first["exact"], json["exact"], "{what}");
}

#[test]
fn at_each_depth_a_position_is_worth_what_its_best_move_is() {
    let empty = ConnectFour::new(7, 6).expect("a board");
    let start = Kalah::new(6, 4).expect("a game");
    for seed in 0..24 {
        let moves = random_play(&empty, 5 + seed as usize, seed).expect("a position");
        let sown = random_play(&start, 4 + seed as usize, seed).expect("a position");
        for depth in 1..=6 {
            agrees("connect-four", &moves, depth, 100);
            agrees("kalah", &sown, depth, 0);
        }
    }
}

#[test]
fn a_move_that_loses_at_once_is_no_estimate() {
    let depth = ["--depth", "1"];
    let json = play(&[&["connect-four", "--moves", "552526245737335"], &depth[..]].concat());
    // MAX wins in column 2 unless MIN takes it.
    assert_eq!(json["line"], Value::from([2].as_slice()));
    for one in json["moves"].as_array().expect("moves") {
        assert_eq!(one["exact"], one["move"] != 2, "{one}");
        assert!(one["move"] == 2 || one["value"] == 13, "{one}");
    }
    // Nothing helps.
    let json = play(&[&["connect-four", "--moves", "334755355"], &depth[..]].concat());
    assert_eq!(json["value"], 16);
    let moves = json["moves"].as_array().expect("moves");
    assert!(moves.iter().all(|one| one["value"] == 16), "{json}");
}

#[test]
fn a_value_that_is_decided_ends_the_deepening_and_its_line_ends_the_game() {
    let before = "52145716626125";
    let game = ["connect-four", "--moves", before];
    let json = play(&[&game[..], &["--depth", "9"]].concat());
    assert_eq!(json["value"], 10);
    for (moves, first) in [(before, json), {
        let moves = "33445";
        (
            moves,
            play(&["connect-four", "--moves", moves, "--depth", "4"]),
        )
    }] {
        let line = first["line"].as_array().expect("a line").iter();
        let line: String = line.map(ToString::to_string).collect();
        let moves = format!("{moves}{line}");
        let last = play(&["connect-four", "--moves", &moves]);
        assert_eq!(last["to_move"], Value::Null, "{moves}");
        assert_eq!(last["value"], first["value"], "{moves}");
        let position = last["position"].as_str().expect("a name");
        assert!(position.ends_with(", over"), "{position}");
    }
    // To depth 40 it would take years.
    let interactive = ["--depth", "40", "--interactive", "--side", "min"];
    let out = printed(&[&["play"], &game[..], &interactive[..]].concat(), "q\n");
    assert!(out.contains("(10: MAX wins with stone 23)."), "{out}");
}

#[test]
fn values_are_explained() {
    let value = |args: &[&str]| {
        let text = printed(&[&["play"], args].concat(), "");
        let line = text.lines().find(|line| line.starts_with("value"));
        line.expect("a value")
            .split_whitespace()
            .skip(1)
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(
        value(&["connect-four", "--moves", "33445"]),
        "18: MAX wins with stone 7"
    );
    assert_eq!(
        value(&["connect-four", "--moves", "14747474"]),
        "-18: MIN wins with stone 8"
    );
    assert_eq!(
        value(&["kalah", "--pits", "4", "--seeds", "3"]),
        "8: MAX wins by 8"
    );
    assert_eq!(value(&["tic-tac-toe", "--moves", "52"]), "1: MAX wins");
    assert_eq!(value(&["tic-tac-toe"]), "0: a draw");
    let text = printed(
        &[
            "play", "kalah", "--pits", "3", "--seeds", "3", "--moves", "1",
        ],
        "",
    );
    let board = "         3   2   1   MIN's pits\n         3   3   3\n  [ 0]              [ 1]\n         0   4   4\n         1   2   3   MAX's pits\n";
    assert!(text.starts_with(board), "{text}");
}

#[test]
fn limits_keep_what_is_known() {
    for limit in [["--max-visits", "1000"], ["--max-seconds", "0.05"]] {
        let args = [&["play", "connect-four", "--json"], &limit[..]].concat();
        let run = meetjoin(&args, "");
        assert_eq!(run.status, Some(3), "{run:?}");
        let json: Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!(json["exact"], false);
        assert!(json["lower"].as_i64() <= json["upper"].as_i64());
        assert!(json["stop"].is_string());
        assert_eq!(json["moves"].as_array().map(Vec::len), Some(7));
    }
    // What is known without search is said.
    for limit in [["--max-visits", "1"], ["--max-visits", "0"]] {
        let game = ["play", "connect-four", "--moves", "121212", "--json"];
        let run = meetjoin(&[&game[..], &limit[..]].concat(), "");
        let json: Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!(
            (&json["value"], &json["line"][0]),
            (&Value::from(18), &Value::from(1))
        );
        for one in json["moves"].as_array().expect("moves") {
            let value = match one["move"].as_i64() {
                Some(1) => Value::from(18),
                Some(2) => Value::Null,
                _ => Value::from(-18),
            };
            assert_eq!(one["value"], value, "{one}");
            let ends = (one["lower"].as_i64(), one["upper"].as_i64());
            assert!(
                one["exact"] == true || ends == (Some(-17), Some(16)),
                "{one}"
            );
        }
    }
    for depth in [&[][..], &["--depth", "3"]] {
        let limit = ["--max-visits", "0", "--json"];
        let game = ["play", "kalah", "--moves", "3612345"];
        let run = meetjoin(&[&game[..], &limit[..], depth].concat(), "");
        assert_eq!(run.status, Some(3), "{run:?}");
        let json: Value = serde_json::from_str(&run.out).expect("JSON");
        for one in json["moves"].as_array().expect("moves") {
            assert!(one["lower"].as_i64() > Some(-48), "{one}");
        }
    }
    // The depths that were finished count.
    let args = [
        "play",
        "connect-four",
        "--depth",
        "40",
        "--max-visits",
        "20000",
        "--json",
    ];
    let run = meetjoin(&args, "");
    assert_eq!(run.status, Some(3));
    let json: Value = serde_json::from_str(&run.out).expect("JSON");
    assert!(
        json["depth"]
            .as_u64()
            .is_some_and(|depth| (3..40).contains(&depth))
    );
    assert_eq!(json["stop"], "visits");
}

#[test]
fn a_small_table_forgets_and_the_value_stays() {
    let game = ["kalah", "--pits", "4", "--seeds", "3"];
    let roomy = play(&game);
    let tight = play(&[&game[..], &["--max-memory", "1M"]].concat());
    assert_eq!(
        (&roomy["value"], &tight["value"]),
        (&Value::from(8), &Value::from(8))
    );
    let entries = |json: &Value| json["stats"]["cache_entries"].as_u64().expect("a number");
    assert!(entries(&tight) < entries(&roomy) / 4);
    assert!(tight["stats"]["peak_memory_bytes"].as_u64() < Some(1 << 20));
    let file = printed(
        &[
            "generate",
            "kalah",
            "--pits",
            "4",
            "--seeds",
            "3",
            "--compact",
        ],
        "",
    );
    for algorithm in ["alpha-beta-duo", "mtd-f", "nega-scout-cached"] {
        let args = ["--algorithm", algorithm, "--max-memory", "2M"];
        assert_eq!(answer(&file, &args)["value"], 8, "{algorithm}");
    }
}

#[test]
fn what_cannot_be_played_is_refused() {
    let refusals = [
        (
            "connect-four --moves 4449",
            "move 4, '9', is none of the columns 1 to 7; the position is ......./......./......./...X.../...O.../...X..., MIN to move",
        ),
        (
            "connect-four --rows 2 --moves 111",
            "move 3, column 1: the column is full; the position is O....../X......, MAX to move",
        ),
        (
            "kalah --pits 3 --seeds 3 --moves 11",
            "move 2, pit 1: the pit is empty; the position is 0 4 4 [1] 3 3 3 [0], MAX to move",
        ),
        (
            "tic-tac-toe --moves 14253 --depth 0",
            "invalid value '0' for '--depth <N>'",
        ),
        (
            "tic-tac-toe --moves 142536",
            "move 6, cell 6: the game is over; the position is XXX/OO./..., over",
        ),
        (
            "tic-tac-toe --moves -1",
            "move 1, '-', is none of the cells 1 to 9",
        ),
        (
            "connect-four --columns 8",
            "a board has 1 to 7 columns and 1 to 6 rows, and not 8 and 6",
        ),
        ("kalah --pits 7", "a player has 1 to 6 pits, and not 7"),
        (
            "kalah --seeds 22",
            "there are 1 to 255 seeds in all, and not 2 times 6 times 22",
        ),
        ("kalah --seeds -1", "invalid value '-1' for '--seeds <N>'"),
        ("tic-tac-toe --side max", "--interactive"),
    ];
    for (args, why) in refusals {
        let args: Vec<&str> = std::iter::once("play").chain(args.split(' ')).collect();
        let run = meetjoin(&args, "");
        let message = refused(&run);
        assert!(message.contains(why), "{args:?}: {message}");
    }
    let files = HashMap::from([
        (
            r#"{"format":"meetjoin-problem/1","game":"connect-four","moves":"8","lattice":{"type":"chain"}}"#,
            "move 1, '8', is none of the columns 1 to 7",
        ),
        (
            r#"{"format":"meetjoin-problem/1","game":"kalah","pits":2,"lattice":{"type":"chain"}}"#,
            "the game `kalah` needs the key `seeds`",
        ),
        (
            r#"{"format":"meetjoin-problem/1","game":"kalah","pits":2,"seeds":1,"up_to_symmetry":true,"lattice":{"type":"chain"}}"#,
            "unknown key `up_to_symmetry` of the game `kalah`",
        ),
        (
            r#"{"format":"meetjoin-problem/1","game":"tic-tac-toe","lattice":{"type":"powerset"}}"#,
            "chain",
        ),
    ]);
    for (file, why) in files {
        let run = meetjoin(&["solve", "-"], file);
        let message = refused(&run);
        assert!(message.contains(why), "{message}");
    }
    let run = meetjoin(&["generate", "connect-four"], "");
    assert!(
        refused(&run).contains("more than 1048576 positions"),
        "{run:?}"
    );
}

#[test]
fn a_person_plays_against_the_program() {
    let game = ["play", "tic-tac-toe", "--interactive"];
    // The person takes the first free cell each time; cells that are taken are refused and asked
    // for again.
    let out = printed(&game, "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    assert!(
        out.starts_with("You are MAX. Name a cell from 1 to 9."),
        "{out}"
    );
    assert!(out.contains(": the cell is taken."), "{out}");
    let end = out.lines().last().expect("an end");
    assert!(
        end == "The game is over: MIN wins." || end == "The game is over: a draw.",
        "{out}"
    );
    // As MIN: the program begins, and is never beaten.
    let out = printed(
        &[&game[..], &["--side", "min"]].concat(),
        "9\n8\n7\n6\n5\n4\n3\n2\n1\n",
    );
    assert!(out.contains("MAX plays cell "), "{out}");
    assert!(!out.contains("MIN wins"), "{out}");
    // Hints, taking back, nonsense, leaving, and the end of the input.
    let out = printed(&game, "h\n1\nu\nwhat\n10\n0\nq\n1\n");
    assert!(out.contains("(0: a draw)"), "{out}");
    assert!(out.contains("nor h, u or q."), "{out}");
    for number in ["10", "0"] {
        let why = format!("cell {number} is none of the cells 1 to 9.");
        assert!(out.contains(&why), "{out}");
    }
    assert!(out.ends_with("MAX's cell: "), "{out}");
    assert!(printed(&game, "").ends_with("MAX's cell: \n"));
    // A line without an end, and what is no text, are nonsense, and the game goes on.
    let long = "1".repeat(3_000_000);
    let out = printed(&game, &format!("{long}\n1\nq\n"));
    assert_eq!(out.matches("nor h, u or q.").count(), 1, "{out}");
    assert!(out.contains("MIN plays cell "), "{out}");
    let exact = " ".repeat(1023);
    let out = printed(&game, &format!("{exact}\n{exact}1\n1\nq\n"));
    assert_eq!(out.matches("nor h, u or q.").count(), 2, "{out}");
    let run = meetjoin(&game, b"\xff\xfe\n1\nq\n");
    assert_eq!((run.status, &*run.err), (Some(0), ""));
    assert_eq!(run.out.matches("nor h, u or q.").count(), 1, "{run:?}");
    assert!(run.out.contains("MIN plays cell "), "{run:?}");
    // A depth, and a time.
    let depth = ["play", "connect-four", "--interactive", "--depth", "4"];
    let out = printed(&depth, "4\n");
    assert!(out.contains("judged after 4 moves)."), "{out}");
    let time = [
        "play",
        "kalah",
        "--interactive",
        "--max-seconds",
        "0.05",
        "--side",
        "min",
    ];
    let out = printed(&time, "");
    assert!(out.contains("MAX plays pit "), "{out}");
    // A game that is over already.
    let over = ["play", "tic-tac-toe", "--interactive", "--moves", "14253"];
    assert!(printed(&over, "").ends_with("The game is over: MAX wins.\n"));
}

/// A deal of racing that is played in the terminal.
const RACE: [&str; 10] = [
    "play",
    "racing",
    "--deck",
    "12",
    "--goal",
    "3",
    "--hand-size",
    "4",
    "--seed",
    "3",
];

#[test]
fn racing_is_played_to_its_end() {
    // MIN holds 1 10 11 12 and has led 12. What MAX has in mind is shown; a card that is not held,
    // a hint and a card taken back change nothing.
    let out = printed(&RACE, "8\nh\n11\nu\n11\n10\n1\n");
    assert!(out.starts_with("You are MIN."), "{out}");
    assert!(out.contains("You hold 1 10 11 12.\n"), "{out}");
    assert!(out.contains("card 8: MIN does not hold it.\n"), "{out}");
    assert!(out.contains("3 of the 35 hands that MIN may hold"), "{out}");
    assert!(out.contains("* 11: MAX is sure of no hand"), "{out}");
    assert!(
        out.ends_with("The game is over: MIN wins. MIN was dealt 1 10 11 12.\n"),
        "{out}"
    );
    // The same as MAX: MIN's hand is not shown before the end.
    let out = printed(
        &[&RACE[..], &["--side", "max", "--min-hand", "1,3,5,12"]].concat(),
        "2\nx\nq\n",
    );
    assert!(out.starts_with("You are MAX."), "{out}");
    assert!(out.contains("That is not a card from 1 to 12"), "{out}");
    assert!(
        !out.contains("1 3 5 12") || out.contains("{1 3 5 12"),
        "{out}"
    );
}

/// Without a limit of its own a move takes two seconds: this one would take minutes.
#[test]
fn racing_has_time_for_a_move() {
    let deal = "play racing --deck 34 --goal 6 --hand-size 11 --seed 1";
    let args: Vec<&str> = deal.split(' ').collect();
    let out = printed(&args, "q\n");
    assert!(out.contains("MAX is at least sure of no hand"), "{out}");
    assert!(out.contains("MAX plays "), "{out}");
}

/// Bounds with more than a million hands are not listed where a limit has come.
#[test]
fn racing_has_memory_for_a_move() {
    let deal = "play racing --deck 36 --goal 6 --hand-size 12 --seed 5";
    let limits = "--max-visits 1 --max-seconds 1000 --max-memory 150M";
    let args: Vec<&str> = deal.split(' ').chain(limits.split(' ')).collect();
    let out = printed(&args, "q\n");
    assert!(out.contains("MAX plays "), "{out}");
}

#[test]
fn a_deal_that_cannot_be_played_is_refused() {
    let wrong = [&RACE[..], &["--min-hand", "1,2,3,12"]].concat();
    let run = meetjoin(&wrong, "");
    assert_eq!(run.status, Some(2));
    assert!(run.err.contains("MIN cannot hold 1 2 3 12"), "{}", run.err);
}

#[test]
fn a_position_of_connect_four_has_a_picture() {
    let folder = crate::support::Scratch::new("play-picture");
    let file = folder.path("board.svg");
    let args = "play connect-four --columns 6 --rows 5 --moves 3323 --picture";
    let args: Vec<&str> = args.split(' ').chain([&*file]).collect();
    let run = meetjoin(&args, "");
    assert_eq!((run.status, &*run.err), (Some(0), ""), "{run:?}");
    let svg = std::fs::read_to_string(&file).expect("a picture");
    let picture = roxmltree::Document::parse(&svg).expect("XML");
    let with = |name: &str, attribute: &str, value: &str| {
        let nodes = picture
            .descendants()
            .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", name)));
        nodes
            .filter(|node| node.attribute(attribute) == Some(value))
            .count()
    };
    // A disc for each cell, of which four hold a stone, and what each column is worth.
    assert_eq!(with("circle", "r", "17"), 30, "{svg}");
    assert_eq!(with("circle", "fill", "#1d4f9c"), 2 + 1, "{svg}");
    assert_eq!(with("circle", "fill", "#b3261e"), 2 + 1, "{svg}");
    assert_eq!(with("text", "font-size", "15"), 6, "{svg}");
    assert_eq!(with("text", "font-weight", "700"), 1, "{svg}");
    for words in ["Value 12: MAX wins with stone 7", "font-weight=\"700\">12<"] {
        assert!(svg.contains(words), "{words}: {svg}");
    }
    let kalah = meetjoin(&["play", "kalah", "--pits", "1", "--picture", &file], "");
    let sentence = crate::support::one_sentence(&kalah, 2);
    assert!(
        sentence.contains("of Connect Four, and of no other game"),
        "{kalah:?}"
    );
}
