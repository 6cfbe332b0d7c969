//! `meetjoin ending`: the last tricks of deals in Portable Bridge Notation, options, and bad input.

use serde_json::Value;

use crate::support::{Scratch, meetjoin, one_sentence};
#[cfg(unix)]
use crate::support::{command, finish, start};

/// The queen is on either side.
const GUESS: &str =
    "[Deal \"N:AJ2... Q98... KT3... 765...\"]\n[Declarer \"S\"]\n[Contract \"3NT\"]\n";

fn json(args: &[&str], file: &str) -> Value {
    let run = meetjoin(&[&["ending", "-", "--json"], args].concat(), file);
    assert_eq!((run.status, &*run.err), (Some(0), ""), "{args:?}");
    serde_json::from_str(&run.out).expect("JSON")
}

/// Whoever does not say how many tricks are needed is told how many there are.
#[test]
fn without_a_goal_the_goals_are_told() {
    let run = meetjoin(&["ending", "-"], GUESS);
    let said = "3 tricks are left; give the goal, from --tricks 1 to --tricks 3";
    assert_eq!(one_sentence(&run, 2), said);
    let last = "[Deal \"N:A... Q... K... 7...\"]\n[Declarer \"S\"]\n";
    let run = meetjoin(&["ending", "-"], last);
    let said = "1 trick is left; --tricks 1 finds the chance of it";
    assert_eq!(one_sentence(&run, 2), said);
    // What is wrong with the deal comes first.
    let run = meetjoin(&["ending", "-"], "[Deal \"N:A... Q... K... 7...\"]\n");
    assert!(
        one_sentence(&run, 2).contains("no declarer is named"),
        "{run:?}"
    );
}

#[test]
fn an_ending_is_solved() {
    let answer = json(&["--tricks", "3"], GUESS);
    assert_eq!(
        (&answer["format"], &answer["worlds"], &answer["denominator"]),
        (
            &Value::from("meetjoin-ending/1"),
            &Value::from(20),
            &Value::from(20)
        )
    );
    // The queen is caught if it lies where the finesse goes, or falls.
    assert!(
        answer["numerator"].as_u64() < answer["all_cards_seen"].as_u64(),
        "{answer}"
    );
    assert_eq!(answer["exact"], true);
    let text = meetjoin(&["ending", "-", "--tricks", "3", "--alpha-mu", "1"], GUESS).out;
    assert!(
        text.starts_with("tricks    3 of 3\nworlds    20\nchance    "),
        "{text}"
    );
    assert!(
        text.contains("\nline      South leads ")
            && text.contains("\nalpha-mu  1 trick ahead: expects "),
        "{text}"
    );
}

#[test]
fn what_is_known_changes_the_chances() {
    let numbers = |args: &[&str]| {
        let answer = json(&[&["--tricks", "3"], args].concat(), GUESS);
        (answer["numerator"].as_u64(), answer["denominator"].as_u64())
    };
    let (all, of) = numbers(&[]);
    assert!(all < of);
    assert_eq!(numbers(&["--west-length", "S=3"]), (all, of));
    let trumps = json(
        &["--tricks", "1", "--trumps", "h"],
        "[Deal \"N:2... 3.... A... .A..\"]\n[Declarer \"S\"]\n"
            .replace("3....", "3...")
            .as_str(),
    );
    assert!(trumps["numerator"].as_u64() < trumps["denominator"].as_u64());
    let none = json(
        &["--tricks", "1"],
        "[Deal \"N:2... 3... A... .A..\"]\n[Declarer \"S\"]\n",
    );
    assert_eq!(none["numerator"], none["denominator"]);
    let folder = Scratch::new("ending-weights");
    let file = folder.file("weights", "Q98... 3\n765... 1\n");
    assert_eq!(numbers(&["--weights", &file]), (Some(4), Some(4)));
    // One hand, its cards in two orders.
    let twice = folder.file("twice", "Q98... 1\n\n89Q... 2\n765... 3\n");
    let args = ["ending", "-", "--tricks", "3", "--weights", &twice];
    let run = meetjoin(&args, GUESS);
    assert!(
        one_sentence(&run, 2).contains("line 3: the hand Q98... stands on line 1 too"),
        "{}",
        run.err
    );
}

#[test]
fn bad_deals_are_one_sentence() {
    let said = |file: &str, args: &[&str]| {
        let all = [&["ending", "-", "--tricks", "1"], args].concat();
        one_sentence(&meetjoin(&all, file), 2).to_owned()
    };
    let deal = |deal: &str| format!("[Deal \"{deal}\"]\n[Declarer \"S\"]\n");
    assert!(said("", &[]).contains("there is no tag [Deal"));
    assert!(
        said(&deal("N:AA... 3... 4... 5..."), &[]).contains("the hand AA... has the card SA twice")
    );
    assert!(
        said(&deal("N:A... A... 4... 5..."), &[]).contains("North and East both have the card SA")
    );
    assert!(
        said(&deal("N:AK... 3... 42... 5..."), &[]).contains("South has 2 cards and West has 1")
    );
    assert!(
        said(&deal("N:AK... 3... 4... 5..."), &[]).contains("South has 1 card and North has 2")
    );
    assert!(said(&deal("N:... ... ... ..."), &[]).contains("the deal is finished"));
    assert!(
        said(&deal("N:- 3... 4... 5..."), &[]).contains("the hand of North is not in the deal")
    );
    assert!(
        said(&deal("N:A... - 4... -"), &[]).contains("the defenders' cards are not in the deal")
    );
    assert!(said(&deal("N:A... 23... 4... 5..."), &[]).contains("has 2"));
    assert!(
        said(&deal("N:A... 2356... 4... -"), &[]).contains("the defenders have 4 cards together")
    );
    assert!(
        said(&deal("N:A... 3... 4... 5..."), &["--declarer", "Q"]).contains("there is no player")
    );
    assert!(said("[Deal \"N:A... 3... 4... 5...\"]", &[]).contains("no declarer is named"));
    assert!(said(&deal("N:A... 3... 4... 5..."), &["--west-length", "S=3"]).contains("no layout"));
    assert!(
        said(&deal("N:A... 3... 4... 5..."), &["--trumps", "X"]).contains("does not name trumps")
    );
    let many = "AKQJT9876... .AKQJT9876.. ..AKQJT9876. ...AKQJT9876";
    assert!(said(&deal(&format!("N:{many}")), &[]).contains("no more than 8"));
    let run = meetjoin(&["ending", "-", "--tricks", "4"], GUESS);
    assert_eq!(
        one_sentence(&run, 2),
        "the goal must be 1 to 3 here, not 4 tricks"
    );
    assert!(said("", &["--weights", "nowhere"]).contains("there is no tag"));
    assert!(said("nonsense", &[]).contains("line 1: \"nonsense\" is neither a tag"));
}

/// A brace begins JSON, and a comment of the notation.
#[test]
fn a_file_may_begin_with_a_comment() {
    let commented = format!("{{ the queen is on either side }}\n{GUESS}");
    assert_eq!(
        json(&["--tricks", "3"], &commented),
        json(&["--tricks", "3"], GUESS)
    );
    let said = |file: &str| {
        let run = meetjoin(&["ending", "-", "--tricks", "3"], file);
        one_sentence(&run, 2).to_owned()
    };
    let skat = "{ \"rules\": \"skat\" }\n";
    assert!(said(skat).contains("it is JSON, not a deal"));
    assert!(said("{ no deal }\n").contains("there is no tag [Deal"));
    assert!(said("{ no end\n").contains("line 1: the comment that begins here has no end"));
}

#[test]
fn hands_stand_on_the_command_line() {
    let hands = ["AJ2...", "KT3...", "Q98765..."];
    let of_hands = |more: &[&str]| {
        let args = [&["ending"], &hands[..], &["--tricks", "3"], more].concat();
        meetjoin(&args, "")
    };
    let of_file = meetjoin(&["ending", "-", "--tricks", "3"], GUESS);
    assert_eq!(of_hands(&[]).out, of_file.out);
    let north = of_hands(&["--declarer", "N", "--json"]);
    assert!(north.out.contains("\"turn\":\"North\""), "{north:?}");
    let said = |args: &[&str]| {
        let run = meetjoin(&[&["ending", "--tricks", "1"], args].concat(), "");
        one_sentence(&run, 2).to_owned()
    };
    assert!(said(&["A...", "2..."]).starts_with("give three hands: North's, South's"));
    assert!(said(&["A..."]).starts_with("give three hands: North's, South's"));
    assert!(said(&["A", "2...", "34..."]).contains("not of four suits"));
    assert!(said(&["A...", "A...", "34..."]).contains("both have the card SA"));
    assert!(said(&["A...", "2...", "345..."]).contains("the defenders have 3 cards together"));
    assert!(said(&["A...", "2...", "34...", "5..."]).starts_with("give three hands"));
}

#[test]
fn an_ending_has_a_page() {
    let folder = Scratch::new("ending-page");
    let page = folder.path("ending.html");
    let args = [
        "ending",
        "AJ2.A..",
        "KT3.2..",
        "Q98765.43..",
        "--tricks",
        "4",
        "--html",
        &page,
    ];
    let run = meetjoin(&args, "");
    assert_eq!((run.status, &*run.err), (Some(0), ""));
    let html = std::fs::read_to_string(&page).expect("a page");
    for part in [
        "<span class=\"big\">57.1%</span> for 4 tricks of 4 <span class=\"quiet\">(exactly 40 of 70)",
        "South leads H2",
        "<summary>",
        "Layouts that the line leaves lost",
        "Layouts that the line leaves won",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    // Each layout once: those that are won weigh as much as the chance says.
    let (lost, won) = html.split_once("leaves won</p>").expect("two tables");
    let rows = |part: &str| part.matches("<td class=\"words\">").count();
    let hands = 2;
    assert_eq!(rows(won), 40, "{won}");
    assert_eq!(rows(lost) - 4 * hands, 30, "{lost}");
    assert!(!html.contains("://"), "a page needs no network");
    let nowhere = folder.path("missing/ending.html");
    let run = meetjoin(&[&args[..7], &[&nowhere]].concat(), "");
    assert!(
        one_sentence(&run, 1).contains("there is no such folder"),
        "{run:?}"
    );
}

/// How many worlds a line of the answer counts.
fn share(out: &str, key: &str) -> Option<u64> {
    let line = out.lines().find(|line| line.starts_with(key));
    let (_, part) = line.and_then(|line| line.split_once('('))?;
    part.split('/').next()?.parse().ok()
}

#[cfg(unix)]
#[test]
fn a_signal_stops_a_search_with_bounds() {
    // Minutes, if nothing stops it.
    let hands = "ending KJ97.Q42.K. A32.KJ85.2. QT8654.AT9763.AQJ9. --tricks 5";
    let child = start(&mut command(&hands.split(' ').collect::<Vec<_>>()));
    std::thread::sleep(std::time::Duration::from_secs(1));
    let mut kill = std::process::Command::new("kill");
    let sent = kill.args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill is there").success());
    let run = finish(child, b"");
    assert_eq!((run.status, &*run.err), (Some(3), ""), "{run:?}");
    let stopped = "\nstopped   the computation was cancelled\n";
    assert!(run.out.contains(stopped), "{run:?}");
    let (chance, bound) = (share(&run.out, "chance"), share(&run.out, "at most"));
    assert!(chance.is_some() && chance < bound, "{run:?}");
    // A line is shown where something is won by it.
    let has_line = run.out.contains("\nline      South leads ");
    assert_eq!(has_line, chance > Some(0), "{run:?}");
}

#[test]
fn a_search_that_is_stopped_prints_the_line_that_it_knows() {
    let hands = "ending KJ9.Q42.. A32.KJ8.. QT8764.AT9765.. --tricks 5 --max-visits";
    // The first limit with which something is won, and not all is known.
    let limits = ["250", "500", "1000", "2000", "4000", "8000", "16000"];
    let mut runs = limits.into_iter().map(|limit| {
        let args: Vec<&str> = hands.split(' ').chain([limit]).collect();
        (meetjoin(&args, ""), args)
    });
    let found = runs.find(|(run, _)| run.status == Some(3) && share(&run.out, "chance") > Some(0));
    let (run, args) = found.expect("a search that is stopped has won something");
    assert_eq!(run.err, "", "{run:?}");
    let (chance, bound) = (share(&run.out, "chance"), share(&run.out, "at most"));
    assert!(chance < bound, "{run:?}");
    assert!(
        run.out
            .contains("stopped   the limit on visits was reached\n"),
        "{run:?}"
    );
    assert!(run.out.contains("line      South leads "), "{run:?}");
    let json = meetjoin(&[&args[..], &["--json"]].concat(), "").out;
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["exact"], Value::from(false));
    assert_eq!(json["line"][0]["turn"], Value::from("South"));
}

/// What is won with all cards seen is said if all layouts were looked at, and else not at all.
#[test]
fn what_is_not_known_is_not_said() {
    let hands = "ending K965.876.T. J83.AQ3.85. Q42AT7.KJ42T95.9J3. --tricks 4 --max-seconds 1";
    let args: Vec<&str> = hands.split(' ').collect();
    let run = meetjoin(&args, "");
    assert_eq!((run.status, &*run.err), (Some(3), ""), "{run:?}");
    let known = share(&run.out, "seen");
    assert!(known.is_none_or(|seen| seen == 4_113), "{run:?}");
    let json = meetjoin(&[&args[..], &["--json"]].concat(), "").out;
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let seen = &json["all_cards_seen"];
    assert!(seen.is_null() || *seen == 4_113, "{json}");
    assert!(json["bound"].as_u64() >= json["numerator"].as_u64());
}

/// A strategy of more nodes than are written takes longer than the search.
#[test]
fn an_answer_does_not_wait_for_its_line() {
    let hands = "ending QJT54.T5.. 762.982.8. AK398.KQ76AJ43.6. --trumps S --tricks 3";
    let args: Vec<&str> = hands.split(' ').collect();
    for seconds in ["1", "3"] {
        let limited = [&args[..], &["--max-seconds", seconds, "--json"]].concat();
        let run = meetjoin(&limited, "");
        assert_eq!(run.err, "", "{run:?}");
        let json: Value = serde_json::from_str(&run.out).expect("JSON");
        let exact = json["exact"] == true;
        assert_eq!(run.status, Some(if exact { 0 } else { 3 }), "{json}");
        assert!(
            json["numerator"].as_u64() <= Some(3_283) && (!exact || json["numerator"] == 3_283)
        );
        assert!(exact || json["bound"].as_u64() >= Some(3_283), "{json}");
    }
}
