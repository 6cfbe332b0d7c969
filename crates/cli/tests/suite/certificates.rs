//! `--certificate`, `verify`, `--strategy` and `trace` as their users meet them.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::{Run, Scratch, in_one_line, meetjoin, refused};

fn run(args: &[&str]) -> Run {
    meetjoin(args, "")
}

fn json(run: &Run) -> Value {
    assert_eq!((run.status, &*run.err), (Some(0), ""), "{run:?}");
    serde_json::from_str(&run.out).expect("JSON")
}

const PROBLEM: &str = r#"{"format":"meetjoin-problem/1","lattice":{"type":"chain"},"root":"r","nodes":[{"id":"r","kind":"or","children":["a","b"]},{"id":"a","kind":"and","children":["x","y"]},{"id":"b","kind":"and","children":["y","c"]},{"id":"c","kind":"or","children":["z","w"]},{"id":"x","kind":"leaf","value":3},{"id":"y","kind":"leaf","value":7},{"id":"z","kind":"leaf","value":5},{"id":"w","kind":"leaf","value":9}]}"#;

#[test]
fn a_certificate_from_solve_to_verify() {
    let folder = Scratch::new("certificates");
    let problem = folder.file("problem.json", PROBLEM);
    for name in ["plain.cert", "packed.cert.gz"] {
        let certificate = folder.path(name);
        for algorithm in ["alpha-beta-duo", "sss-2", "df-pn"] {
            let solved = run(&[
                "solve",
                &problem,
                "--algorithm",
                algorithm,
                "--certificate",
                &certificate,
            ]);
            assert_eq!(solved.status, Some(0), "{solved:?}");
            let verified = run(&["verify", &problem, &certificate]);
            assert_eq!(verified.status, Some(0), "{verified:?}");
            assert!(verified.out.contains("value     7"), "{}", verified.out);
            let shown: Value = json(&run(&["verify", &problem, &certificate, "--json"]));
            assert_eq!(shown["format"], "meetjoin-verified/1");
            assert_eq!(
                (&shown["exact"], &shown["lower"], &shown["upper"]),
                (&true.into(), &7.into(), &7.into())
            );
        }
    }
    let packed = fs::read(folder.path("packed.cert.gz")).expect("written");
    assert!(packed.starts_with(&[0x1f, 0x8b]));
    // Of another problem, and of one with other values.
    let numbers = PROBLEM.replace(r#"{"type":"chain"}"#, r#"{"type":"divisors","n":315}"#);
    let numbers = folder.file("divisors.json", numbers);
    let wrong = run(&["verify", &numbers, &folder.path("plain.cert")]);
    assert!(refused(&wrong).contains("the certificate is wrong, or of another problem"));
    let other = folder.file("other.json", PROBLEM.replace("\"value\":9", "\"value\":6"));
    let wrong = run(&["verify", &other, &folder.path("plain.cert")]);
    assert!(refused(&wrong).contains("the certificate is wrong, or of another problem"));
    // Cut short, altered, absent.
    let text = fs::read_to_string(folder.path("plain.cert")).expect("written");
    for (text, why) in [
        (text[..text.len() - 10].to_owned(), "ends before its end"),
        (text.replace("\n7\n", "\n8\n"), "does not follow"),
        (
            text.replace("certificate/2", "certificate/7"),
            "another version",
        ),
    ] {
        let certificate = folder.file("wrong.cert", &text);
        let wrong = run(&["verify", &problem, &certificate]);
        let sentence = refused(&wrong);
        assert!(
            sentence.contains(why) && sentence.contains("wrong.cert"),
            "{sentence}"
        );
    }
    let absent = run(&["verify", &problem, &folder.path("none")]);
    assert!(refused(&absent).contains("there is no such file"));
    // A limit.
    let stopped = run(&[
        "verify",
        &problem,
        &folder.path("plain.cert"),
        "--max-visits",
        "1",
    ]);
    assert_eq!(stopped.status, Some(3), "{stopped:?}");
    assert!(
        stopped.err.contains("has not come to its end"),
        "{stopped:?}"
    );
}

/// A certificate belongs to a problem, however its file is written.
#[test]
fn certificates_outlive_the_form_of_the_file() {
    let folder = Scratch::new("certificates-forms");
    let problem = folder.file("problem.json", PROBLEM);
    let certificate = folder.path("c");
    let solved = run(&["solve", &problem, "--certificate", &certificate]);
    assert_eq!(solved.status, Some(0), "{solved:?}");
    let mut turned: Value = serde_json::from_str(PROBLEM).expect("JSON");
    turned["nodes"].as_array_mut().expect("nodes").reverse();
    turned["note"] = "a note".into();
    let noted = PROBLEM.replacen('{', "{\"note\":\"another\",", 1);
    let renamed = PROBLEM.replace("\"c\"", "\"see\"");
    let packed = folder.path("problem.mj");
    assert_eq!(run(&["convert", &problem, &packed]).status, Some(0));
    for other in [
        folder.file("turned.json", turned.to_string()),
        folder.file("noted.json", noted),
        folder.file("renamed.json", renamed),
        packed,
    ] {
        let verified = run(&["verify", &other, &certificate]);
        assert_eq!(verified.status, Some(0), "{other}: {verified:?}");
        assert!(verified.out.contains("value     7"), "{}", verified.out);
    }
}

/// Of a game the certificate is that of the graph that `convert` writes, if no bounds are taken
/// from the rules. (Connect Four leaves out moves.)
#[test]
fn certificates_of_games_are_those_of_their_graphs() {
    let folder = Scratch::new("certificates-games");
    for game in [
        &["tic-tac-toe", "--moves", "5137"][..],
        &["kalah", "--pits", "3", "--seeds", "2"],
        &[
            "hexapawn",
            "--columns",
            "3",
            "--rows",
            "4",
            "--lattice",
            "product",
        ],
        &[
            "racing",
            "--deck",
            "8",
            "--goal",
            "2",
            "--hand-size",
            "3",
            "--seed",
            "3",
            "--lattice",
            "families",
        ],
    ] {
        let certificate = folder.path("c");
        let compact = run(&[&["generate"], game, &["--compact"]].concat());
        let compact = folder.file("compact.json", compact.out);
        let solve = [
            "solve",
            &compact,
            "--without",
            "bounds",
            "--certificate",
            &certificate,
        ];
        let solved = run(&solve);
        assert_eq!(solved.status, Some(0), "{game:?}: {solved:?}");
        let whole = folder.path("whole.json");
        let converted = run(&["convert", &compact, &whole]);
        assert_eq!(converted.status, Some(0), "{game:?}: {converted:?}");
        for file in [&compact, &whole] {
            let verified = run(&["verify", file, &certificate]);
            assert_eq!(verified.status, Some(0), "{game:?} {file}: {verified:?}");
        }
    }
}

#[test]
fn proofs_games_and_bounds_are_certified() {
    let folder = Scratch::new("certified");
    let problem = folder.file("problem.json", PROBLEM);
    let certificate = folder.path("c");
    for (at_least, result) in [("7", "proved"), ("8", "disproved")] {
        let proved = run(&[
            "prove",
            &problem,
            "--at-least",
            at_least,
            "--certificate",
            &certificate,
        ]);
        assert_eq!(proved.status, Some(0), "{proved:?}");
        let shown: Value = json(&run(&["verify", &problem, &certificate, "--json"]));
        assert_eq!(shown["result"], result);
        assert_eq!(shown["at_least"].to_string(), at_least);
    }
    let games = [
        vec![
            "racing",
            "--deck",
            "10",
            "--goal",
            "2",
            "--hand-size",
            "4",
            "--seed",
            "3",
            "--lattice",
            "families",
        ],
        vec![
            "racing",
            "--deck",
            "10",
            "--goal",
            "2",
            "--hand-size",
            "4",
            "--seed",
            "3",
            "--lattice",
            "powerset",
        ],
        vec!["connect-four", "--columns", "4", "--rows", "4"],
        vec!["tic-tac-toe"],
        vec![
            "random",
            "--depth",
            "5",
            "--branching",
            "3",
            "--variables",
            "4",
            "--seed",
            "2",
            "--lattice",
            "families",
        ],
    ];
    for game in games {
        let compact = run(&[&["generate"], &game[..], &["--compact"]].concat());
        let file = folder.file("game.json", &compact.out);
        for without in [&[][..], &["--without", "bounds"]] {
            let solved = json(&run(&[
                &["solve", &file, "--json", "--certificate", &certificate],
                without,
            ]
            .concat()));
            let shown: Value = json(&run(&["verify", &file, &certificate, "--json"]));
            assert_eq!(shown["exact"], true, "{game:?}");
            assert!(without.is_empty() || shown["stated_bounds"] == 0, "{shown}");
            if game[0] != "racing" {
                // There values are shown as hands, and here as worlds.
                assert_eq!(shown["lower"], solved["value"], "{game:?}");
            }
        }
    }
}

/// The text of a game's file.
fn generated(folder: &Scratch, game: &str) -> String {
    let game: Vec<&str> = game.split(' ').collect();
    let made = run(&[&["generate"], &game[..], &["--compact"]].concat());
    folder.file("game.json", &made.out)
}

#[test]
fn stopped_searches_are_certified() {
    let folder = Scratch::new("stopped");
    let certificate = folder.path("s.cert");
    let game = "racing --deck 12 --goal 3 --hand-size 5 --seed 3 --lattice families";
    let game = generated(&folder, game);
    let problem = folder.file("problem.json", PROBLEM);
    for (file, limits) in [
        (&problem, &["--max-visits", "0"][..]),
        (&problem, &["--max-visits", "3"]),
        (&game, &["--max-visits", "0"]),
        (&game, &["--max-visits", "40", "--without", "bounds"]),
        (&game, &["--levels", "2"]),
        (&game, &["--max-seconds", "20"]),
    ] {
        let args = ["solve", file, "--certificate", &certificate];
        let solved = run(&[&args[..], limits].concat());
        let is_stopped = limits.contains(&"--max-visits");
        assert_eq!(
            solved.status,
            Some(if is_stopped { 3 } else { 0 }),
            "{solved:?}"
        );
        let verified = json(&run(&["verify", file, &certificate, "--json"]));
        assert_eq!(verified["exact"], !is_stopped, "{limits:?} {verified}");
        fs::remove_file(&certificate).expect("written");
    }
}

/// A family with more meet-primes above it than anybody can list has a refutation all the same.
#[test]
fn a_refutation_of_a_large_family() {
    let args =
        "racing --deck 20 --goal 5 --hand-size 7 --seed 3 --lattice families --json --refutation";
    let args: Vec<&str> = args.split(' ').collect();
    let found = json(&run(&args));
    let plan = &found["strategy"];
    assert_eq!(
        (&plan["player"], &plan["others"]),
        (&"MIN".into(), &Value::Null)
    );
    assert!(
        plan["nodes"]
            .as_array()
            .is_some_and(|nodes| nodes.len() > 100)
    );
}

/// Of a search with too many events a page has the first, and says so.
#[test]
fn long_searches_make_no_long_pages() {
    let folder = Scratch::new("long-pages");
    let page = folder.path("page.html");
    let game = "racing --deck 14 --goal 3 --hand-size 5 --seed 3 --lattice families";
    let game = generated(&folder, game);
    let traced = run(&[
        "trace",
        &game,
        "--html",
        &page,
        "--algorithm",
        "minimax-cached",
    ]);
    assert_eq!((traced.status, &*traced.err), (Some(0), ""), "{traced:?}");
    let text = fs::read_to_string(&page).expect("written");
    assert!(text.len() < 6 << 20, "{}", text.len());
    assert!(
        text.contains("all events of minimax-cached after the first "),
        "{}",
        text.len()
    );
}

#[test]
fn weights_and_packets_are_certified() {
    let folder = Scratch::new("weights");
    let certificate = folder.path("w.cert");
    let deal = "racing --deck 12 --goal 3 --hand 2,5,8,11 --lead 7 --lattice families";
    let deal: Vec<&str> = deal.split(' ').collect();
    let compact = run(&[&["generate"], &deal[..], &["--compact"]].concat());
    let file = folder.file("game.json", &compact.out);
    let weights: Vec<String> = (0..35).map(|hand| (hand % 4).to_string()).collect();
    let weights = folder.file("weights.json", format!("[{}]", weights.join(",")));
    for more in [
        &[][..],
        &["--weights", &weights],
        &["--top", "2"],
        &["--max-visits", "3"],
    ] {
        let found = run(&[
            &deal[..],
            more,
            &["--heaviest", "--json", "--certificate", &certificate],
        ]
        .concat());
        let found: Value = serde_json::from_str(&found.out).expect("JSON");
        let shown: Value = json(&run(&["verify", &file, &certificate, "--json"]));
        assert_eq!(shown["result"], "proved", "{shown}");
        let than = shown["no_heavier_than"].as_u64();
        if found["exact"] == true {
            assert_eq!(than, found["weight"].as_u64());
        } else {
            assert_eq!(than, found["bound"].as_u64());
        }
        let told = run(&["verify", &file, &certificate]);
        assert!(
            told.out.contains("no set over") && told.out.contains("result       proved"),
            "{told:?}"
        );
    }
    // Of the dominance algebra what is guaranteed.
    let game = "criteria --depth 4 --branching 2 --criteria 2 --most 9 --correlation anti-correlated --alternating --seed 1 --lattice dominance";
    let game: Vec<&str> = game.split(' ').collect();
    for form in [&["--compact"][..], &[]] {
        let file = folder.file(
            "criteria.json",
            run(&[&["generate"], &game[..], form].concat()).out,
        );
        for algorithm in ["bottom-up", "procedure-f-shallow", "procedure-f-deep"] {
            let args = [
                "packets",
                &file,
                "--algorithm",
                algorithm,
                "--certificate",
                &certificate,
            ];
            assert_eq!(run(&args).status, Some(0));
            let shown: Value = json(&run(&["verify", &file, &certificate, "--json"]));
            assert_eq!(shown["exact"], true, "{shown}");
        }
    }
}

#[test]
fn strategies_are_plans() {
    let folder = Scratch::new("strategies");
    let problem = folder.file("problem.json", PROBLEM);
    let plan = run(&["solve", &problem, "--strategy", "--max-seconds", "9"]).out;
    assert!(plan.ends_with("MAX makes sure of at least 7\nMAX plays b\n  if MIN plays y: the game is over\n  if MIN plays c: MAX plays w, and the game is over\n"), "{plan}");
    let plan = run(&["solve", &problem, "--refutation", "8"]).out;
    assert!(plan.ends_with("MIN makes sure of at most 7\nat first\n  if MAX plays a: MIN plays x, and the game is over\n  if MAX plays b: MIN plays y, and the game is over\n"), "{plan}");
    let found: Value = json(&run(&["solve", &problem, "--strategy", "5", "--json"]));
    assert_eq!(found["strategy"]["format"], "meetjoin-strategy/1");
    assert_eq!(found["strategy"]["guarantees"], 5);
    assert_eq!(
        found["strategy"]["nodes"][0]["moves"]
            .as_array()
            .map(Vec::len),
        Some(1)
    );
    let above = run(&["solve", &problem, "--strategy", "8"]);
    assert_eq!(
        refused(&above),
        "--strategy 8: no strategy guarantees it; strategies guarantee 7"
    );
    let below = run(&["solve", &problem, "--refutation", "6"]);
    let told = refused(&below);
    assert!(
        told.starts_with("--refutation 6: no strategy guarantees it"),
        "{told}"
    );
    for (name, begins) in [
        ("s.dot", "digraph {"),
        ("s.svg", "<svg xmlns"),
        ("s.json", "{\"format\":\"meetjoin-strategy/1\""),
        ("s.txt", "MAX makes sure"),
    ] {
        let file = folder.path(name);
        assert_eq!(
            run(&["solve", &problem, "--strategy", "--strategy-file", &file]).status,
            Some(0)
        );
        assert!(
            fs::read_to_string(&file)
                .expect("written")
                .starts_with(begins)
        );
    }
}

/// Values of many hands are asked for as they are printed, in several lines.
#[test]
fn strategies_are_asked_for_as_long_values_are_printed() {
    let folder = Scratch::new("by-hands");
    for [deck, hand, seed] in [["10", "2", "1"], ["16", "3", "1"], ["20", "3", "2"]] {
        let deal = ["--deck", deck, "--hand-size", hand, "--seed", seed];
        let racing = ["generate", "racing", "--lattice", "families", "--goal", "2"];
        let deal = run(&[&racing[..], &deal].concat()).out;
        let deal = folder.file("deal.json", &deal);
        let answer = run(&["solve", &deal]).out;
        let value = answer.strip_prefix("value  ").expect("a value");
        let plan = |of: &str| json(&run(&["solve", &deal, "--strategy", of, "--json"]));
        let whole = json(&run(&["solve", &deal, "--json"]));
        // A single set is what a strategy may be asked for.
        let Some(Value::Array(sets)) = whole.get("value") else {
            panic!("{whole}");
        };
        if let [set] = &sets[..] {
            let (printed, typed) = (plan(value), plan(&serde_json::json!([set]).to_string()));
            assert_eq!(printed["strategy"], typed["strategy"]);
        } else {
            let run = run(&["solve", &deal, "--strategy", value]);
            assert!(
                refused(&run).contains("it is not join-prime"),
                "{}",
                run.err
            );
        }
        // What is cut is said to be.
        let none = run(&["solve", &deal, "--strategy", "none"]);
        let told = refused(&none);
        let is_cut = told.contains("..");
        assert_eq!(
            is_cut,
            told.ends_with("; the answer without --strategy prints them whole")
        );
    }
}

/// What a plan is offered for is asked for as it is printed.
#[test]
fn strategies_are_asked_for_as_values_are_printed() {
    let folder = Scratch::new("by-name");
    let coat = folder.file(
        "coat.json",
        r#"{"format":"meetjoin-problem/1","lattice":{"type":"powerset","v":3},"worlds":["sun","wet","ice"],"root":"r","nodes":[{"id":"r","kind":"or","children":["hat","coat"]},{"id":"hat","kind":"leaf","value":[1]},{"id":"coat","kind":"leaf","value":[2]}]}"#,
    );
    let plan = in_one_line(&run(&["solve", &coat, "--strategy"]).out);
    let offered =
        "(the value has 1 more that a strategy guarantees; name one to see how, as --strategy '";
    let (told, rest) = plan.split_once(offered).expect("another is offered");
    let (name, _) = rest.split_once("')").expect("its name has an end");
    let bare = name.trim_matches(['{', '}']);
    assert!(["sun", "wet"].contains(&bare), "{name}");
    assert!(!told.contains(&format!("at least {name} ")), "{plan}");
    let sure = format!("MAX makes sure of at least {{{bare}}}\n");
    for name in [name, bare] {
        let plan = run(&["solve", &coat, "--strategy", name]).out;
        assert!(plan.contains(&sure), "{plan}");
    }
    let unknown = run(&["solve", &coat, "--strategy", "snow"]);
    assert_eq!(
        refused(&unknown),
        "--strategy snow: `snow` is not JSON text; strategies guarantee {sun} and {wet}"
    );
    // A plan is worth what its ends are together, whichever element it was made for.
    let trip = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/trip.json");
    for asked in [&["--strategy"][..], &["--strategy", "wet"]] {
        let plan = run(&[&["solve", trip][..], asked].concat()).out;
        let said = "MAX makes sure of at least {sun,wet}\nMAX plays car, whatever MIN plays, the game is over\n";
        assert!(plan.ends_with(said), "{plan}");
    }
    let table = folder.file(
        "table.json",
        r#"{"format": "meetjoin-problem/1", "lattice": {"type": "table", "elements": ["red", "green"], "covers": [["red", "green"]]}, "root": "r", "nodes": [{"id": "r", "kind": "or", "children": ["a"]}, {"id": "a", "kind": "leaf", "value": "green"}]}"#,
    );
    let plan = run(&["solve", &table, "--strategy", "green"]).out;
    assert!(
        plan.contains("MAX makes sure of at least green\n"),
        "{plan}"
    );
}

#[test]
fn an_explanation_follows_the_best_play() {
    let folder = Scratch::new("explained");
    let problem = folder.file("problem.json", PROBLEM);
    let told = run(&["solve", &problem, "--explain"]).out;
    let why = "r is worth 7: MAX plays b; a (3) would give less.\nb is worth 7: MIN plays y; c (9) would give more.\ny is an end, worth 7.\n";
    assert!(told.ends_with(why), "{told}");
    let found = json(&run(&["solve", &problem, "--explain", "--json"]));
    assert_eq!(found["explanation"].as_array().map(Vec::len), Some(3));
    // What was found before a limit fires is told.
    let stopped = run(&["solve", &problem, "--explain", "--max-visits", "5"]);
    assert_eq!(stopped.status, Some(3), "{stopped:?}");
    assert!(
        stopped
            .err
            .contains("the explanation is incomplete: the limit on visits"),
        "{stopped:?}"
    );
    // Where several moves matter, play goes on with one; moves that are as good are named together,
    // and so are moves without a choice.
    let sets = r#"{"format":"meetjoin-problem/1","lattice":{"type":"powerset","v":3},"root":"r","nodes":[{"id":"r","kind":"or","children":["a","b","c"]},{"id":"a","kind":"and","children":["x"]},{"id":"b","kind":"or","children":["y","y"]},{"id":"c","kind":"or","children":["z","y"]},{"id":"x","kind":"and","children":["w","v"]},{"id":"v","kind":"leaf","value":[1,2]},{"id":"w","kind":"leaf","value":[1,2]},{"id":"y","kind":"leaf","value":[3]},{"id":"z","kind":"leaf","value":[]}]}"#;
    let sets = folder.file("sets.json", sets);
    let told = in_one_line(&run(&["solve", &sets, "--explain"]).out);
    let why = "r is worth {1,2,3}: no move of MAX alone gives that, and a ({1,2}) and b ({3}) do together: which one is best depends on what is asked for. Say MAX plays a. a is worth {1,2}: MIN has one move, x. x is worth {1,2}: MIN plays w, and v would do as well. w is an end, worth {1,2}.";
    assert!(told.ends_with(why), "{told}");
    // A value that is a long list is told once.
    let told = run(&[
        "racing",
        "--deck",
        "10",
        "--goal",
        "2",
        "--hand-size",
        "4",
        "--seed",
        "1",
        "--lattice",
        "families",
        "--explain",
    ])
    .out;
    let told = told.split("\n\n").nth(1).expect("an explanation");
    let told = in_one_line(told);
    let (first, rest) = told.split_once(" MAX to play, 1:0").expect("sentences");
    assert!(
        first.contains("1 2 3 7")
            && first.contains(": MAX plays 6, and 5 and 4 would do as well; 10"),
        "{told}"
    );
    assert!(
        rest.contains("is worth that: ") && !rest.contains("1 2 3 7"),
        "{told}"
    );
}

#[test]
fn a_trace_is_a_page() {
    let folder = Scratch::new("traces");
    let problem = folder.file("problem.json", PROBLEM);
    let page = folder.path("page.html");
    let traced = run(&[
        "trace",
        &problem,
        "--html",
        &page,
        "--algorithm",
        "alpha-beta-duo,minimax",
    ]);
    assert_eq!(traced.status, Some(0), "{traced:?}");
    assert_eq!(traced.out, format!("written  {page}\n"));
    let text = fs::read_to_string(&page).expect("written");
    let data = text
        .split("id=\"data\">")
        .nth(1)
        .and_then(|rest| rest.split("</script>").next())
        .expect("data");
    let data: Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(data["nodes"].as_array().map(Vec::len), Some(8));
    assert_eq!(data["searches"].as_array().map(Vec::len), Some(2));
    // The words of the page do not say of a search without a cache that it remembers.
    let remembers = |search: usize| data["searches"][search]["remembers"].as_bool();
    assert_eq!((remembers(0), remembers(1)), (Some(true), Some(false)));
    assert_eq!(
        text.matches("http://").count() + text.matches("https://").count(),
        1,
        "the name of SVG alone"
    );
    // What is too large is drawn in part, and the page says so.
    let large = run(&[
        "generate",
        "random",
        "--depth",
        "9",
        "--branching",
        "8",
        "--variables",
        "9",
        "--seed",
        "1",
        "--lattice",
        "powerset",
    ]);
    let large = folder.file("large.json", &large.out);
    assert_eq!(run(&["trace", &large, "--html", &page]).status, Some(0));
    let text = fs::read_to_string(&page).expect("written");
    assert!(
        text.contains("all nodes but the first 400"),
        "{}",
        &text[..200]
    );
    let wrong = run(&[
        "trace",
        &problem,
        "--html",
        &page,
        "--algorithm",
        "minimax,minimax,minimax",
    ]);
    let sentence = refused(&wrong);
    assert!(sentence.contains("one search, or two"), "{sentence}");
    let wrong = run(&["trace", &problem, "--html", &page, "--algorithm", "magic"]);
    let sentence = refused(&wrong);
    assert!(
        sentence.contains("there is no algorithm \"magic\""),
        "{sentence}"
    );
}

/// The page in a real browser, where there is one: its script runs, a step is shown in words and in
/// the drawing, and nothing is asked of a network.
#[test]
fn a_trace_in_a_browser() {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = names.into_iter().find(|name| {
        let mut version = Command::new(name);
        version
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        version.status().is_ok_and(|status| status.success())
    });
    let Some(browser) = found else {
        println!("skipped: there is no browser");
        return;
    };
    let folder = Scratch::new("browser");
    let problem = folder.file("problem.json", PROBLEM);
    let page = folder.path("page.html");
    run(&[
        "trace",
        &problem,
        "--html",
        &page,
        "--algorithm",
        "alpha-beta-duo,minimax",
    ]);
    let dom = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--no-first-run",
            "--dump-dom",
        ])
        .arg(format!("--user-data-dir={}", folder.path("profile")))
        .arg(format!("file://{page}#step=4"))
        .output()
        .expect("the browser starts");
    let dom = String::from_utf8_lossy(&dom.stdout);
    assert!(
        dom.contains("Enters AND node b. The window is from 3 (alpha) to +inf (beta)."),
        "{dom}"
    );
    assert!(dom.contains("Reads leaf x, worth 3."), "{dom}");
    assert!(dom.contains("class=\"and circle seen path here\""), "{dom}");
    assert_eq!(dom.matches("<output>4 of ").count(), 2);
    // A name that holds the id is said once.
    assert!(dom.contains(">minimax</h2>") && !dom.contains("minimax (minimax)"));
}

/// The figures of Li et al. (2022) in the book are what `trace` writes.
#[test]
fn the_pages_of_the_book_are_true() {
    let folder = Scratch::new("figures");
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/figures");
    for figure in ["li-1-left", "li-1-right", "li-2-right"] {
        let of_book = |kind: &str| book.join(figure).with_extension(kind).display().to_string();
        let page = folder.path(figure);
        let traced = run(&[
            "trace",
            &of_book("json"),
            "--html",
            &page,
            "--algorithm",
            "alpha-beta,alpha-beta-duo-plain",
        ]);
        assert_eq!((traced.status, &*traced.err), (Some(0), ""));
        let [new, old] =
            [page, of_book("html")].map(|page| fs::read_to_string(page).expect("a page"));
        assert!(new == old, "write {} anew", of_book("html"));
    }
}

/// A certificate's path is tried before the search, and a file that may not grow is a sentence and
/// leaves nothing.
#[cfg(unix)]
#[test]
fn certificates_that_cannot_be_written_are_told() {
    let folder = Scratch::new("certificates-limits");
    let problem = folder.file("problem.json", PROBLEM);
    let nowhere = folder.path("no/such/folder/c");
    let solved = run(&["solve", &problem, "--certificate", &nowhere]);
    assert_eq!((solved.status, &*solved.out), (Some(1), ""), "{solved:?}");
    assert!(solved.err.contains("no/such/folder/c"), "{solved:?}");
    let certificate = folder.file("c", "the one before");
    let line = format!(
        "ulimit -f 1; exec {} solve {} --algorithm minimax --certificate {certificate}",
        env!("CARGO_BIN_EXE_meetjoin"),
        folder.file("large.json", large()),
    );
    let done = Command::new("bash").args(["-c", &line]).output();
    let done = done.expect("bash runs");
    let said = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(1), "{done:?}");
    assert!(
        said.starts_with("meetjoin: cannot write")
            && said.ends_with(": the file would exceed the greatest size of a file\n"),
        "{said}"
    );
    let left = fs::read_to_string(&certificate).expect("it is there");
    assert_eq!(left, "the one before");
    assert_eq!(fs::read_dir(folder.path(".")).expect("a folder").count(), 3);
}

/// A chain of gates whose certificate has more than a kilobyte.
#[cfg(unix)]
fn large() -> String {
    let node = |i: usize| {
        let kind = ["and", "or"][i % 2];
        format!(
            r#"{{"id":"n{i}","kind":"{kind}","children":["n{}","l{i}"]}},{{"id":"l{i}","kind":"leaf","value":{}}}"#,
            i + 1,
            [100, 1][i % 2]
        )
    };
    let nodes: Vec<String> = (0..500).map(node).collect();
    format!(
        r#"{{"format":"meetjoin-problem/1","lattice":{{"type":"chain"}},"root":"n0","nodes":[{},{{"id":"n500","kind":"leaf","value":7}}]}}"#,
        nodes.join(",")
    )
}

/// An exact answer whose certificate a limit or a signal stops: the answer, a sentence, status 3.
#[test]
fn a_certificate_that_is_stopped_leaves_the_answer() {
    let folder = Scratch::new("certificate-stopped");
    let board = r#"{"format":"meetjoin-problem/1","game":"connect-four","columns":5,"rows":4,"scoring":"distance","moves":"","lattice":{"type":"chain"}}"#;
    let (problem, path) = (folder.file("board.json", board), folder.path("c"));
    let value = json(&run(&["solve", &problem, "--json"]))["value"].clone();
    let mut stopped = 0;
    for size in ["1M", "2M", "4M", "6M", "8M"] {
        let run = run(&[
            "solve",
            &problem,
            "--json",
            "--certificate",
            &path,
            "--max-memory",
            size,
        ]);
        assert!(matches!(run.status, Some(0 | 3)), "{run:?}");
        let answer: Value = serde_json::from_str(&run.out).expect("JSON");
        if run.status == Some(3) && answer["exact"] == true {
            stopped += 1;
            assert_eq!(answer["value"], value);
            assert_eq!(
                run.err,
                "meetjoin: no certificate can be written: the memory limit was reached\n"
            );
        }
    }
    assert!(
        stopped > 0,
        "some size is between that of the search and that of the certificate"
    );
}
