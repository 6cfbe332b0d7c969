//! Games with hidden cards in files: what is found of them, and what is refused.

use serde_json::{Value, json};

use crate::support::{Scratch, algorithms_for_sets, answer, in_one_line, meetjoin, refused, solve};

/// Ace and queen over a king that may be anywhere: the finesse, or the drop.
const FINESSE: &str = include_str!("../../../../examples/finesse.json");

/// The file with a part of it replaced.
fn with(part: &str, other: &str) -> String {
    assert!(FINESSE.contains(part), "{part}");
    FINESSE.replacen(part, other, 1)
}

fn heaviest(problem: &str, args: &[&str]) -> Value {
    let run = solve(problem, &[&["--heaviest", "--json"], args].concat());
    assert_eq!((run.status, &*run.err), (Some(0), ""));
    serde_json::from_str(&run.out).expect("JSON")
}

#[test]
fn every_algorithm_finds_what_each_strategy_wins() {
    // Stakes: K5 with 1 and 2 tricks, then K, 5 and none.
    let finesse_or_drop = json!([[1, 2, 3, 4, 5, 7], [1, 3, 4, 5, 6, 7]]);
    for algorithm in algorithms_for_sets() {
        let run = solve(FINESSE, &["--json", "--algorithm", algorithm.id]);
        if run.status == Some(2) {
            // Those of sets alone are not for families.
            continue;
        }
        let answer: Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!(answer["value"], finesse_or_drop, "{}", algorithm.id);
    }
    assert_eq!(answer(FINESSE, &[])["value"], finesse_or_drop);
    // Who sees the cards takes two tricks but where West has none of them.
    let seen = with("\"families\"", "\"powerset\"");
    assert_eq!(answer(&seen, &[])["value"], json!([1, 2, 3, 4, 5, 6, 7]));
    // With the goal of two tricks worlds are stakes.
    let goal = with("\"start\"", "\"goals\": [2], \"start\"");
    assert_eq!(answer(&goal, &[])["value"], json!([[1, 2], [2, 3]]));
}

#[test]
fn people_read_points_by_world() {
    let run = solve(FINESSE, &["--explain", "--moves"]);
    assert_eq!((run.status, &*run.err), (Some(0), ""));
    let (finesse, drop) = (
        "{2 points in K5 | K; 1 in 5 | none}",
        "{2 points in K | 5; 1 in K5 | none}",
    );
    // A line for each of what two strategies are sure of, the second below the first.
    let lines: Vec<&str> = run.out.lines().collect();
    let value = lines.iter().position(|line| line.starts_with("value "));
    let value = value.expect("a value");
    assert!(lines[value].ends_with(finesse), "{}", run.out);
    assert_eq!(lines[value + 1].trim_start(), drop);
    let column = lines[value].find('{');
    assert_eq!(lines[value + 1].find('{'), column, "{}", run.out);
    // In a sentence they are in one line.
    let told = in_one_line(&run.out);
    assert!(told.contains(&format!("{finesse} {drop}")), "{told}");
    assert!(!run.out.contains("K5: 2"), "{}", run.out);
    // With one goal a stake is a draw, and a set of stakes a list of them.
    let goal = with("\"start\"", "\"goals\": [2], \"start\"");
    let run = solve(goal, &[]);
    assert!(run.out.contains("{K5,K} {K,5}"), "{}", run.out);
}

#[test]
fn worlds_weigh_what_the_file_says() {
    // The drop: one trick in each case, a second where the king is bare or with East alone.
    let found = heaviest(FINESSE, &["--strategy"]);
    assert_eq!(found["weight"], 24 + 26 + 26 + 24 + 26 + 26);
    assert_eq!(found["set"], json!([1, 3, 4, 5, 6, 7]));
    let text = found["strategy"].to_string();
    assert!(text.contains("ace") && !text.contains("queen"), "{text}");
    let other = with("\"K5\", \"weight\": 24", "\"K5\", \"weight\": 27");
    assert_eq!(heaviest(&other, &[])["set"], json!([1, 2, 3, 4, 5, 7]));
    // Weights of a request come before those of the file: one for each world, or for each stake.
    let scratch = Scratch::new("hidden-weights");
    for weights in ["[9,1,1,1]", "[9,9,1,1,1,1,1,1]"] {
        let file = scratch.file("weights", weights);
        let found = heaviest(FINESSE, &["--weights", &file]);
        assert_eq!(found["set"], json!([1, 2, 3, 4, 5, 7]), "{weights}");
    }
}

/// A value has a bit for each of up to 16,777,216 stakes, and a goal needs one for each world,
/// however many points there are.
#[test]
fn very_many_points_take_the_room_of_their_values() {
    let most = |points: u32, goals: &str| {
        let most = format!("\"most_points\": {points}, {goals} \"start\"");
        let problem = with("\"start\"", &most);
        let run = solve(problem, &["--max-memory", "1GiB"]);
        assert_eq!((run.status, &*run.err), (Some(0), ""), "{}", run.out);
        run.out
    };
    let points = "value  {2 points in K5 | K; 1 in 5 | none}\n";
    assert!(most(1_000_000, "").starts_with(points));
    let goal = "value  {K5,K} {K,5}\n";
    assert!(most(4_000_000_000, "\"goals\": [2],").starts_with(goal));
    let both = most(4_000_000_000, "\"goals\": [2, 1],");
    assert!(both.starts_with(points), "{both}");
}

#[test]
fn answers_are_proved_expanded_and_certified() {
    let scratch = Scratch::new("hidden");
    let file = scratch.file("finesse.json", FINESSE);
    let certificate = scratch.path("finesse.cert");
    let run = meetjoin(&["solve", &file, "--certificate", &certificate], "");
    assert_eq!((run.status, &*run.err), (Some(0), ""));
    let verified = meetjoin(&["verify", &file, &certificate], "");
    assert_eq!(verified.status, Some(0), "{}", verified.err);
    let prove = |claim: &str| {
        let run = meetjoin(&["prove", &file, "--at-least", claim, "--json"], "");
        let proved: Value = serde_json::from_str(&run.out).expect("JSON");
        proved["result"].clone()
    };
    assert_eq!(prove("[2]"), "proved");
    assert_eq!(prove("[2,6]"), "disproved");
    // The same game with all its nodes has the same value, and its stakes have names.
    let all = meetjoin(&["generate", &file], "");
    assert_eq!((all.status, &*all.err), (Some(0), ""));
    assert!(all.out.contains("\"K5: 2\""), "{}", all.out);
    assert_eq!(
        answer(&all.out, &[])["value"],
        answer(FINESSE, &[])["value"]
    );
    // Its keys are a file again.
    let keys = meetjoin(&["generate", &file, "--compact"], "");
    assert_eq!(keys.out.lines().count(), 1, "{}", keys.out);
    assert_eq!(
        answer(&keys.out, &[])["value"],
        answer(FINESSE, &[])["value"]
    );
    // To one level MAX may peek from her first decision on.
    let run = solve(FINESSE, &["--levels", "1", "--json"]);
    let bound: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(bound["upper"], json!([[1, 2, 3, 4, 5, 6, 7]]));
    let run = solve(FINESSE, &["--levels", "2", "--json"]);
    let bound: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(bound["value"], answer(FINESSE, &[])["value"]);
}

/// A claim of weights is about those of the file, or of the request for each of its stakes.
#[test]
fn that_no_set_is_heavier_is_shown_by_the_weights_of_the_game() {
    let scratch = Scratch::new("hidden-no-heavier");
    let file = scratch.file("finesse.json", FINESSE);
    let certificate = scratch.path("finesse.cert");
    let of_request = scratch.file("weights", "[9,1,1,1]");
    let of_file = [24, 24, 26, 26, 26, 26, 24, 24];
    let of_draws = [9, 9, 1, 1, 1, 1, 1, 1];
    for (more, weights) in [
        (&[][..], of_file),
        (&["--weights", &of_request][..], of_draws),
    ] {
        let args = ["solve", &file, "--heaviest", "--json", "--certificate"];
        let run = meetjoin(&[&args[..], &[&certificate], more].concat(), "");
        assert_eq!((run.status, &*run.err), (Some(0), ""));
        let found: Value = serde_json::from_str(&run.out).expect("JSON");
        let text = std::fs::read_to_string(&certificate).expect("a certificate");
        let header: Value = text
            .lines()
            .nth(1)
            .expect("a header")
            .parse()
            .expect("JSON");
        let claim = json!({"than": found["weight"], "weights": weights});
        assert_eq!(header["no_heavier"], claim);
        let verified = meetjoin(&["verify", &file, &certificate, "--json"], "");
        let verified: Value = serde_json::from_str(&verified.out).expect("JSON");
        assert_eq!(verified["result"], "proved");
        assert_eq!(verified["no_heavier_than"], found["weight"]);
        // With one less it is not shown.
        let weight = found["weight"].as_u64().expect("a weight");
        let less = text.replacen(
            &format!("\"than\":{weight}"),
            &format!("\"than\":{}", weight - 1),
            1,
        );
        assert_ne!(less, text);
        let less = scratch.file("less.cert", less);
        let run = meetjoin(&["verify", &file, &less], "");
        assert_ne!(
            (run.status, run.out.contains("proved")),
            (Some(0), true),
            "{}",
            run.out
        );
    }
}

#[test]
fn what_is_wrong_is_told_by_name() {
    let wrong = |part: &str, other: &str, sentence: &str| {
        let run = solve(with(part, other), &[]);
        let said = refused(&run);
        assert_eq!(
            said.strip_prefix("standard input: ").unwrap_or(said),
            sentence
        );
    };
    let none = "\"none\", \"weight\": 24";
    let whole = "not a whole number from 0 to 18446744073709551615";
    wrong(
        none,
        "\"none\", \"weight\": -1",
        &format!("draw \"none\": the weight -1 is {whole}"),
    );
    wrong(
        none,
        "\"none\", \"weight\": 0.5",
        &format!("draw \"none\": the weight 0.5 is {whole}"),
    );
    wrong(
        none,
        "\"none\", \"weight\": 18446744073709551615",
        "the weights add up to more than 18446744073709551615",
    );
    wrong(
        none,
        "\"none\", \"mass\": 1",
        "draw 4: unknown field `mass`, expected `name` or `weight`",
    );
    wrong(
        "{\"name\": \"none\", \"weight\": 24}",
        "\"none\"",
        "draw 4: invalid type: string \"none\", expected an object with the name of a draw",
    );
    wrong(
        "{\"to\": \"other suit\", \"in\": [\"none\"]}",
        "\"other suit\"",
        "position \"AQ opposite 2\": invalid type: string \"other suit\", expected an object that says where a move leads, as in {\"to\": \"king\"}",
    );
    wrong(
        "{\"id\": \"other suit\", \"over\": 1}",
        "\"other suit\"",
        "position 7: invalid type: string \"other suit\", expected an object with the id of a position",
    );
    wrong(
        "\"id\": \"other suit\", \"over\": 1",
        "\"id\": \"other suit\", \"max\": [\"AQ opposite 2\"]",
        "the nodes form a cycle: \"AQ opposite 2\" -> \"other suit\" -> \"AQ opposite 2\"",
    );
    wrong(
        "\"none\", \"weight\"",
        "\"K\", \"weight\"",
        "two worlds have the name \"K\"",
    );
    wrong(
        "\"in\": [\"none\"]",
        "\"in\": [\"nobody\"]",
        "position \"AQ opposite 2\": the move to \"other suit\" is in \"nobody\", and no draw has that name",
    );
    wrong(
        "\"in\": [\"none\"]",
        "\"in\": []",
        "at AQ opposite 2 the move other suit is possible in no world",
    );
    wrong(
        "\"in\": [\"none\"]",
        "\"in\": [\"5\"]",
        "at AQ opposite 2 MIN has no move in world none",
    );
    wrong(
        "[1, 2, 2, 1]",
        "[1, 2, 2]",
        "node \"ace\" has the points of 3 worlds, and there are 4",
    );
    wrong(
        "[1, 2, 2, 1]",
        "[1, 2, -2, 1]",
        "position \"ace\": the number of points -2 is not a whole number from 0 to 4294967295",
    );
    wrong(
        "\"id\": \"ace\"",
        "\"id\": \"queen\"",
        "node \"queen\" is defined twice",
    );
    wrong(
        "\"id\": \"ace\", \"over\"",
        "\"id\": \"ace\", \"ends\"",
        "position \"ace\": unknown field `ends`, expected one of `id`, `max`, `min`, `over`",
    );
    wrong(
        "\"max\": [\"queen\", \"ace\"]",
        "\"max\": [\"queen\", \"ace\"], \"over\": 1",
        "position \"five\": it needs exactly one of the keys `max`, `min` and `over`",
    );
    wrong(
        "\"max\": [\"queen\", \"ace\"]",
        "\"max\": [\"queen\", \"jack\"]",
        "node \"five\" has the child \"jack\", which is not defined",
    );
    wrong(
        "\"max\": [\"ace on king\"]",
        "\"max\": [\"queen\"]",
        "node \"queen\" comes after two moves, one at \"king\" and one at \"five\": what both have seen differs, so these are two nodes",
    );
    wrong(
        "\"start\": \"AQ opposite 2\"",
        "\"start\": \"AQ\"",
        "the root \"AQ\" is not defined",
    );
    wrong(
        "\"start\"",
        "\"goals\": [3], \"start\"",
        "the goal of 3 points is outside 1..2",
    );
    // What may be left out is not `null`.
    for key in ["goals", "most_points"] {
        let what = match key {
            "goals" => "`goals`: invalid type: null, expected a sequence",
            _ => "the number of points null is not a whole number from 0 to 4294967295",
        };
        wrong("\"start\"", &format!("\"{key}\": null, \"start\""), what);
    }
    wrong(
        none,
        "\"none\", \"weight\": null",
        "draw \"none\": the weight null is not a whole number from 0 to 18446744073709551615",
    );
    wrong(
        "\"in\": [\"none\"]",
        "\"in\": null",
        "position \"AQ opposite 2\": invalid type: null, expected a sequence",
    );
    wrong(
        "\"id\": \"ace\", \"over\"",
        "\"id\": \"ace\", \"max\": null, \"over\"",
        "position \"ace\": invalid type: null, expected a sequence",
    );
    wrong(
        "\"start\"",
        "\"goals\": [], \"start\"",
        "`goals` has no goal; without it every point counts",
    );
    wrong(
        "\"start\"",
        "\"most_points\": 1, \"start\"",
        "at ace on king MAX has 2 points in world K5, and the most are 1",
    );
    wrong(
        "\"over\": 2",
        "\"over\": 4294967295",
        "4 worlds with up to 4294967295 points each are more than 16777216 stakes",
    );
    wrong(
        "\"start\"",
        "\"colour\": 1, \"start\"",
        "unknown key `colour` of the game `hidden`",
    );
    wrong(
        "\"start\": \"AQ opposite 2\",",
        "",
        "the game `hidden` needs the key `start`",
    );
}
