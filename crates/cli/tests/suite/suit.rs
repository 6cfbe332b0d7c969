//! `meetjoin suit`: the figures of the specification, options, and bad input.

use meetjoin_bridge::suit::book;
use meetjoin_bridge::two_hands;
use meetjoin_lattice::Budget;
use serde_json::Value;

use crate::support::{Scratch, in_one_line, meetjoin, one_sentence, refused};

fn printed(args: &[&str]) -> String {
    let run = meetjoin(&[&["suit"], args].concat(), "");
    assert_eq!((run.status, &*run.err), (Some(0), ""), "{args:?}");
    run.out
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&printed(&[args, &["--json"]].concat())).expect("JSON")
}

#[test]
fn the_table_of_all_goals() {
    let text = printed(&["AQT98", "5432"]);
    let lines: Vec<String> = text.lines().map(in_one_line).collect();
    let begins = [
        "north AQT98",
        "south 5432",
        "missing KJ76, 16 layouts, 12 that differ",
        "tricks 5 4 3 average line",
        "best 26.5652% 82.7826% 100% 4.0313",
    ];
    assert_eq!(lines[..5], begins);
    assert!(
        lines[5].starts_with("A 26.5652% 76.5652% 100% 4.0313 small from South to the queen;"),
        "{text}"
    );
    let second = "B 6.7826% 82.7826% 100% 3.8957 ";
    assert!(lines.iter().any(|line| line.starts_with(second)), "{text}");
    let table = json(&["AQT98", "5432"]);
    assert_eq!(
        (&table["format"], &table["stop"]),
        (&Value::from("meetjoin-suit/1"), &Value::Null)
    );
    assert_eq!(table["goals"][1]["numerator"], 8_609_888);
    assert_eq!(table["goals"].as_array().map(Vec::len), Some(6));
    assert_eq!(table["layouts"].as_array().map(Vec::len), Some(12));
}

#[test]
fn one_goal() {
    let text = printed(&["AQT98", "5432", "--tricks", "4"]);
    assert!(
        text.starts_with("chance    82.7826%  (476/575)\nin short  lead ")
            && text.contains("\nline      lead "),
        "{text}"
    );
    assert!(
        text.contains("fails     West void (4.7826%), West x (12.4348%)\n"),
        "{text}"
    );
    assert!(
        text.contains("\nbest for  West 0..13 vacant places (East 13), East 0..13 (West 13)\n"),
        "{text}"
    );
    let answer = json(&["aqt98", "5xxx", "--tricks", "4"]);
    assert_eq!(
        (
            &answer["goal"],
            &answer["numerator"],
            &answer["denominator"]
        ),
        (
            &Value::from(4),
            &Value::from(8_609_888),
            &Value::from(10_400_600)
        )
    );
    assert_eq!(
        (&answer["exact"], &answer["stop"]),
        (&Value::from(true), &Value::Null)
    );
    assert!(answer["line"]["strategy"]["then"].is_array());
}

#[test]
fn the_average() {
    let answer = json(&["AK32", "J98", "--average", "--leads"]);
    assert_eq!(
        (&answer["goal"], &answer["numerator"]),
        (&Value::from("average"), &Value::from(29_679_824))
    );
    assert_eq!(
        (&answer["leads"][0]["lead"], &answer["leads"][0]["from"]),
        (&Value::from("J"), &Value::from("South"))
    );
    let text = printed(&["AK32", "J98", "--average", "--table"]);
    assert!(
        text.starts_with("average   2.8537  (11486/4025)\nline      run the jack\n"),
        "{text}"
    );
    let equal = "Equal are 7654: a row stands for all layouts that differ in these alone.";
    let last = format!("QT7654  -         0.7453%  3\n{equal}\n");
    assert!(text.ends_with(&last), "{text}");
}

#[test]
fn what_is_known_and_what_is_not_allowed() {
    let numerator = |args: &[&str]| {
        json(&[&["KQT2", "543", "--tricks", "3"], args].concat())["numerator"].as_u64()
    };
    assert_eq!(numerator(&["--vacant", "7,13"]), Some(14_665));
    assert!(numerator(&["--lead", "NK"]) < numerator(&[]));
    assert!(numerator(&["--entries", "0"]) <= numerator(&[]));
    let sure = json(&["AQ", "32", "--tricks", "2", "--west", "K"]);
    assert_eq!(sure["numerator"], sure["denominator"]);
    let known = json(&[
        "AQ",
        "32",
        "--tricks",
        "2",
        "--west-length",
        "0..1",
        "--east",
        "K",
    ]);
    assert_eq!(known["numerator"], 0);
    let kept = json(&["AQ", "32", "--average", "--keep", "Q"]);
    assert_eq!(kept["average"], 1.0);
}

#[test]
fn lines_are_compared() {
    let none = json(&["AJ98", "K32", "--matchpoints"]);
    assert_eq!(
        (&none["compare"], &none["best"]),
        (&Value::from("matchpoints"), &Value::Null)
    );
    let cycle = none["cycle"].as_array().expect("a cycle");
    assert!(cycle.len() >= 2);
    let place = |name: &Value| {
        name.as_str()
            .map_or(0, |name| usize::from(name.as_bytes()[0] - b'A'))
    };
    let (first, second) = (place(&cycle[0]), place(&cycle[1]));
    assert!(none["margins"][second][first].as_i64() > Some(0), "{none}");
    assert_eq!(
        none["margins"][first][second].as_i64(),
        none["margins"][second][first].as_i64().map(|m| -m)
    );
    let text = printed(&["AJ98", "K32", "--matchpoints"]);
    assert!(text.contains("\nbest      none: "), "{text}");
    let text = printed(&["AQT98", "5432", "--tricks", "4", "--imps", "4sv", "--table"]);
    assert!(text.contains("\nbest      B: no line beats it\n"), "{text}");
    let game = json(&["AQT98", "5432", "--tricks", "4", "--imps", "4S"]);
    assert_eq!(
        (&game["compare"], &game["best"]),
        (&Value::from("imps"), &Value::from("B"))
    );
    let top = json(&["AK32", "J98", "--tricks", "3", "--top", "2"]);
    assert_eq!(top["top"][0]["numerator"], top["numerator"]);
    assert!(top["top"][1]["numerator"].as_u64() <= top["numerator"].as_u64());
}

#[test]
fn a_page_for_players() {
    let folder = Scratch::new("suit-page");
    let file = folder.path("suit.html");
    let path = file.as_str();
    let text = printed(&["AQT98", "5432", "--tricks", "4", "--html", path]);
    assert!(text.starts_with("chance    82.7826%"), "{text}");
    let page = std::fs::read_to_string(&file).expect("the page is there");
    for part in [
        "<title>AQT98 opposite 5432</title>",
        "<span class=\"big\">82.8%</span> for 4 tricks, line B <span class=\"quiet\">(exactly 476/575)</span>",
        "<td>82.8%</td><td>476/575</td>",
        "<td class=\"good\">82.8% (476/575)</td>",
        "<td>+13.6% (",
        "<details open><summary>lead small",
        "<svg",
        "role=\"img\"",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(
        !page.contains("82.7826") && !page.contains("12.4348"),
        "one decimal, and the fraction"
    );
    // It asks for nothing from elsewhere, and what opens is closed.
    assert!(!page.contains("http:") && !page.contains("https:") && !page.contains(" src="));
    for tag in ["details", "div", "table", "tr", "svg", "figure", "main"] {
        let (open, close) = (format!("<{tag}"), format!("</{tag}>"));
        let opened =
            page.matches(&format!("{open}>")).count() + page.matches(&format!("{open} ")).count();
        assert_eq!(opened, page.matches(&close).count(), "{tag}");
    }
    printed(&["AJ98", "K32", "--html", path]);
    let said = one_sentence(&meetjoin(&["suit", "-", "--html", path], ""), 2).to_owned();
    assert!(
        said.starts_with("--html and --picture show one suit"),
        "{said}"
    );
}

#[test]
fn a_book_answers_without_a_search() {
    let folder = Scratch::new("suit-book");
    let path = folder.path("suits.npy");
    let budget = Budget::unlimited();
    let rows = [("AQT98", "5432"), ("AQ", "32")].map(|(north, south)| {
        let (north, south) = two_hands(north, south).expect("two hands");
        let values = book::values(north, south, &budget).expect("no limit");
        book::Row {
            north,
            south,
            values,
        }
    });
    let mut bytes = Vec::new();
    book::write(&mut bytes, rows).expect("written");
    std::fs::write(&path, &bytes).expect("a file for tests");
    let text = printed(&["5432", "AQT98", "--book", &path]);
    assert!(
        text.contains("26.5652%  82.7826%  100%      4.0313"),
        "{text}"
    );
    let own = json(&["AQ", "32", "--tricks", "2"]);
    let known = json(&["AQ", "32", "--tricks", "2", "--book", &path]);
    for key in [
        "format",
        "goal",
        "numerator",
        "denominator",
        "exact",
        "stop",
    ] {
        assert_eq!(own[key], known[key], "{key}");
    }
    let run = meetjoin(&["suit", "-", "--book", &path], "AQ 32 1\nAQT98 5432\n");
    assert_eq!((run.status, run.out.lines().count()), (Some(0), 2));
    let said =
        |args: &[&str]| one_sentence(&meetjoin(&[&["suit"], args].concat(), ""), 2).to_owned();
    assert!(
        said(&["AJ", "32", "--book", &path])
            .ends_with("the book does not have the suit AJ opposite 32")
    );
    assert!(said(&["AQ", "32", "--book", "nowhere"]).starts_with("nowhere: "));
    assert!(said(&["AQ", "32", "--book", &path, "--vacant", "5,5"]).contains("excludes --vacant"));
    std::fs::write(&path, &bytes[..700.min(bytes.len() - 1)]).expect("a file for tests");
    assert!(said(&["AQ", "32", "--book", &path]).contains("not a book of suits"));
}

#[test]
fn suits_from_standard_input() {
    let run = meetjoin(&["suit", "-"], "AQ 32 2\n\nAK32 J98\n- AK2\n");
    assert_eq!((run.status, &*run.err), (Some(0), ""));
    let answers: Vec<Value> = run
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(answers.len(), 3);
    assert_eq!(
        (&answers[0]["goal"], &answers[0]["numerator"]),
        (&Value::from(2), &Value::from(5_200_300))
    );
    assert_eq!(answers[1]["goals"][0]["numerator"], 864_994);
    let wrong = meetjoin(&["suit", "-"], "AQ 32 2\nAQ AJ\n");
    assert_eq!((wrong.status, wrong.out.lines().count()), (Some(2), 1));
    assert_eq!(
        wrong.err,
        "meetjoin: standard input, line 2: North and South both have the card A\n"
    );
    for option in ["--average", "--matchpoints", "--tricks=1"] {
        let run = meetjoin(&["suit", "-", option], "AQ3 42 2\n");
        let name = option.split('=').next().expect("a name");
        let said =
            format!("standard input, line 1: the number of tricks cannot be used with {name}");
        assert_eq!(refused(&run), said, "{option}");
    }
}

#[test]
fn a_limit_leaves_a_chance_and_a_bound() {
    let run = meetjoin(
        &[
            "suit",
            "AJ73",
            "Q95",
            "--tricks",
            "3",
            "--json",
            "--max-visits",
            "5000",
        ],
        "",
    );
    assert_eq!(run.status, Some(3));
    let answer: Value = serde_json::from_str(&run.out).expect("JSON");
    let (reached, bound) = (answer["numerator"].as_u64(), answer["bound"].as_u64());
    assert!(
        reached <= Some(7_341_790) && bound >= Some(7_341_790),
        "{}",
        run.out
    );
    assert_eq!(answer["stop"], "visits");
}

/// What begins like an option is one, and `-` is no card at all.
#[test]
fn options_are_not_taken_for_hands() {
    let run = meetjoin(&["suit", "AQT98", "--xx"], "");
    assert_eq!(run.status, Some(2), "{}", run.err);
    assert!(
        run.err.contains("unexpected argument '--xx'"),
        "{}",
        run.err
    );
    assert!(printed(&["AQT98", "-"]).contains("\nsouth     -"));
}

#[test]
fn bad_input_is_one_sentence() {
    let said =
        |args: &[&str]| one_sentence(&meetjoin(&[&["suit"], args].concat(), ""), 2).to_owned();
    assert_eq!(said(&["AA", "2"]), "North has the card A twice");
    assert!(said(&["A1", "2"]).starts_with("there is no card '1'"));
    assert_eq!(said(&["-", "-"]), "neither North nor South has a card");
    assert!(said(&["AKQJT98765432", "-"]).starts_with("no card is missing"));
    assert!(said(&["AKQJT98765432", "xx"]).contains("15 cards"));
    assert_eq!(
        said(&["AK"]),
        "give the cards of North and South, - for none"
    );
    assert!(
        said(&["AK", "Q", "--tricks", "9"])
            .starts_with("the goal must be 1 to 2 for this suit, not 9")
    );
    assert!(said(&["AK", "Q2", "--vacant", "3,99"]).contains("does not give the vacant places"));
    assert_eq!(
        said(&["AK", "Q2", "--west", "A"]),
        "the card A is not missing: declarer has it"
    );
    assert_eq!(
        said(&["AK", "Q2", "--lead", "S3"]),
        "South has no card 3 to lead"
    );
    assert_eq!(
        said(&["AK", "Q2", "--vacant", "1,1"]),
        "no layout of the missing cards agrees with what is known"
    );
    assert!(said(&["AK", "Q2", "--top", "2"]).starts_with("--top: it needs a goal"));
    assert!(said(&["AK", "Q2", "--tricks", "1", "--imps", "4"]).contains("is not a contract"));
    assert!(
        said(&["AK", "Q2", "--tricks", "1", "--imps", "7NT"]).contains("would leave 14 tricks")
    );
    assert!(said(&["AK", "Q2", "--imps", "4S"]).contains("--tricks"));
    assert_eq!(
        said(&["AQ", "32", "--keep", "J"]),
        "neither North nor South has the card J"
    );
}

#[test]
fn a_suit_has_a_picture() {
    let folder = Scratch::new("suit-picture");
    let file = folder.path("suit.svg");
    for more in [&[][..], &["--tricks", "4"]] {
        let args = [&["suit", "AQT98", "5432", "--picture", &*file], more].concat();
        let run = meetjoin(&args, "");
        assert_eq!((run.status, &*run.err), (Some(0), ""), "{run:?}");
        let svg = std::fs::read_to_string(&file).expect("a picture");
        roxmltree::Document::parse(&svg).expect("XML");
        let chances =
            ["26.6%", "82.8%", "100%"].map(|chance| svg.find(&format!(">{chance}</text>")));
        assert!(chances.is_sorted() && chances[0].is_some(), "{svg}");
        // The bars are as long as the chances are great.
        for (percent, width) in [(26.5652, "58.4"), (82.7826, "182.1"), (100.0, "220.0")] {
            assert_eq!(format!("{:.1}", 2.2 * percent), width);
            assert!(
                svg.contains(&format!("width=\"{width}\"")),
                "{width}: {svg}"
            );
        }
        assert!(svg.contains("AQT98 opposite 5432"), "{svg}");
    }
}
