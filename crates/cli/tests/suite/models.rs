//! `meetjoin cuts` and `meetjoin sequences` on models in several files.

use serde_json::Value;

use crate::support::{Run, Scratch, in_one_line, meetjoin, refused};

const COOLING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/cooling.xml");

fn answer(run: &Run) -> Value {
    assert_eq!(run.status, Some(0), "{run:?}");
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn a_model_in_several_files_and_in_any_order() {
    let scratch = Scratch::new("models");
    let tree = scratch.file("tree.xml", r#"<opsa-mef><define-fault-tree name="t"><define-gate name="top"><and><event name="a"/><event name="b"/></and></define-gate></define-fault-tree></opsa-mef>"#);
    let data = scratch.file("data.xml", r#"<opsa-mef><model-data><define-basic-event name="a"><exponential><float value="0.01"/><system-mission-time/></exponential></define-basic-event><define-basic-event name="b"><float value="0.5"/></define-basic-event></model-data></opsa-mef>"#);
    for files in [[&tree, &data], [&data, &tree]] {
        let run = meetjoin(
            &[
                "cuts",
                files[0],
                files[1],
                "--json",
                "--mission-time",
                "100",
            ],
            b"",
        );
        let answer = answer(&run);
        let expected = 0.5 * (1.0 - (-1.0_f64).exp());
        assert!(
            (number(&answer["probability"]) - expected).abs() < 1e-15,
            "{answer}"
        );
        assert_eq!(answer["mission_time"], 100.0);
    }
    // The file that is wrong is named, and not the first.
    let bad = scratch.file(
        "bad.xml",
        "<opsa-mef>\n<model-data><define-basic-event name=\"a\"/></model-data></opsa-mef>",
    );
    let run = meetjoin(&["cuts", &tree, &data, &bad], b"");
    let said = refused(&run);
    assert!(
        said.contains("bad.xml: \"a\" is defined twice (line 2 column 13)"),
        "{said}"
    );
}

/// A file that is empty by mistake is no part of a model that says nothing, and standard input is
/// read once.
#[test]
fn files_of_a_model_that_say_nothing() {
    let scratch = Scratch::new("empty");
    for (name, text) in [("empty.txt", ""), ("bare.txt", "\n# gates\n\n")] {
        let file = scratch.file(name, text);
        for args in [&["cuts", COOLING, &file], &["sequences", &file, COOLING]] {
            let run = meetjoin(args, b"");
            let said = refused(&run);
            let expected = format!("{name}: there is no gate and no event");
            assert!(said.ends_with(&expected), "{said}");
        }
    }
    for command in ["cuts", "sequences"] {
        let run = meetjoin(&[command, "-", COOLING, "-"], b"");
        let expected = "standard input, `-`, is one file, and cannot be given twice";
        assert_eq!(refused(&run), expected);
    }
}

#[test]
fn what_is_asked_of_a_model() {
    let run = meetjoin(
        &[
            "cuts",
            COOLING,
            "--json",
            "--ccf",
            "--importance",
            "--time-step",
            "2190",
            "--sil",
            "--uncertainty",
            "5000",
            "--seed",
            "7",
        ],
        b"",
    );
    let all = answer(&run);
    let p = number(&all["probability"]);
    let curve = all["curve"].as_array().expect("a list");
    assert_eq!(curve.len(), 5);
    assert_eq!(curve[4][0], 8760.0);
    assert!((number(&curve[4][1]) - p).abs() < 1e-12 * p, "{curve:?}");
    let uncertainty = &all["uncertainty"];
    for key in ["trials", "mean", "standard_deviation", "error_factor"] {
        assert!(number(&uncertainty[key]) > 0.0, "{key}");
    }
    for key in ["interval", "quantiles", "histogram"] {
        assert!(uncertainty[key].is_array(), "{key}");
    }
    let mean = number(&uncertainty["mean"]);
    assert!(mean > p / 2.0 && mean < p * 2.0, "{mean} {p}");
    assert!(number(&all["sil"]["pfd_average"]) > 0.0);
    let first = &all["importance"][0];
    let (own, top) = (number(&first["probability"]), number(&first["birnbaum"]));
    assert!((number(&first["critical"]) - own * top / p).abs() < 1e-12);
    assert!(
        (number(&first["diagnostic"]) - own * number(&first["risk_achievement"])).abs() < 1e-12
    );
    // A seed makes the same numbers once more.
    let again = meetjoin(
        &[
            "cuts",
            COOLING,
            "--json",
            "--ccf",
            "--uncertainty",
            "5000",
            "--seed",
            "7",
        ],
        b"",
    );
    assert_eq!(&answer(&again)["uncertainty"], uncertainty);
}

#[test]
fn a_curve_as_lines_and_as_a_picture() {
    let scratch = Scratch::new("picture");
    let picture = scratch.path("curve.svg");
    let run = meetjoin(
        &[
            "cuts",
            COOLING,
            "--csv",
            "--time-step",
            "4380",
            "--picture",
            &picture,
        ],
        b"",
    );
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!((lines[0], lines.len()), ("time,probability", 4), "{run:?}");
    assert!(
        lines[1].starts_with("0,0e0") && lines[3].starts_with("8760,"),
        "{run:?}"
    );
    let svg = std::fs::read_to_string(picture).expect("a picture");
    assert!(
        svg.starts_with("<svg ") && svg.contains("<polyline") && svg.trim_end().ends_with("</svg>")
    );
    assert!(svg.contains("<title>P(top) over time</title>"), "{svg}");
    assert!(svg.contains("prefers-color-scheme: dark"), "{svg}");
}

/// The points are in the picture, so they are not a table too; what programs read has them still.
#[test]
fn a_curve_in_a_file_is_no_table() {
    let scratch = Scratch::new("no-table");
    let (picture, page) = (scratch.path("curve.svg"), scratch.path("page.html"));
    let asked = ["cuts", COOLING, "--time-step", "24"];
    let alone = meetjoin(&asked, b"");
    let is_point = |line: &&str| {
        line.split_whitespace()
            .nth(1)
            .is_some_and(|p| p.contains("e-"))
    };
    let points = |run: &Run| run.out.lines().filter(is_point).count();
    assert!(points(&alone) > 360, "{alone:?}");
    for (option, file) in [("--picture", &picture), ("--html", &page)] {
        let run = meetjoin(&[&asked[..], &[option, file]].concat(), b"");
        assert_eq!((run.status, &*run.err), (Some(0), ""), "{run:?}");
        assert!(points(&run) < 5, "{run:?}");
        let line = format!("over time 366 points in {file} ");
        assert!(in_one_line(&run.out).contains(&line), "{run:?}");
        assert!(
            run.out.ends_with(&format!("\nwritten  {file}\n")),
            "{run:?}"
        );
        let json = meetjoin(&[&asked[..], &[option, file, "--json"]].concat(), b"");
        let curve = &answer(&json)["curve"];
        assert_eq!(curve.as_array().map(Vec::len), Some(366));
    }
}

#[test]
fn a_picture_without_times_is_that_of_the_tree() {
    let scratch = Scratch::new("tree-picture");
    let picture = scratch.path("tree.svg");
    for (more, names, other) in [
        (
            &[][..],
            ["no-cooling", "train-2", "valve-1"],
            "Fussell-Vesely",
        ),
        (
            &["--importance"],
            ["Fussell-Vesely", "train-2", "valve-1"],
            "[pump-1 pump-2]",
        ),
        (
            &["--ccf"],
            ["[pump-1 pump-2]", "train-2", "valve-1"],
            "Fussell-Vesely",
        ),
    ] {
        let run = meetjoin(
            &[&["cuts", COOLING, "--picture", &picture], more].concat(),
            b"",
        );
        assert_eq!((run.status, &*run.err), (Some(0), ""), "{run:?}");
        let svg = std::fs::read_to_string(&picture).expect("a picture");
        roxmltree::Document::parse(&svg).expect("SVG is XML");
        assert!(
            svg.contains("<title>Fault tree no-cooling</title>"),
            "{svg}"
        );
        for name in names {
            assert!(svg.contains(name), "{name}: {svg}");
        }
        assert!(!svg.contains(other), "{other}: {svg}");
        let p = run.out.lines().find_map(|line| line.strip_prefix("P(top)"));
        let p = p.expect("P(top)").trim();
        assert!(svg.contains(&format!(">P(top) {p}; ")), "{svg}");
    }
}

#[test]
fn a_page_beside_the_answer() {
    let scratch = Scratch::new("page");
    let page = scratch.path("cooling.html");
    let run = meetjoin(&["cuts", COOLING, "--json", "--ccf", "--html", &page], b"");
    let p = number(&answer(&run)["probability"]);
    let text = std::fs::read_to_string(&page).expect("a page");
    assert!(text.starts_with("<!DOCTYPE html>"), "{text}");
    assert!(text.contains("<title>Fault tree no-cooling</title>"));
    assert!(
        text.contains(&format!("<span class=\"big\">{p:.6e}</span>")),
        "{text}"
    );
    assert!(
        text.contains("<strong>5</strong> minimal cut sets"),
        "{text}"
    );
    // A path that cannot be written is said before the work.
    let nowhere = scratch.path("no/such/folder.html");
    let run = meetjoin(&["cuts", COOLING, "--html", &nowhere], b"");
    assert_eq!((run.status, &*run.out), (Some(1), ""), "{run:?}");
    assert!(run.err.contains("folder.html"), "{run:?}");
}

#[test]
fn sequences_of_event_trees() {
    let run = meetjoin(&["sequences", COOLING, "--json", "--list"], b"");
    let all = answer(&run);
    assert_eq!(all["format"], "meetjoin-sequences/1");
    let sequences = all["sequences"].as_array().expect("a list");
    let names: Vec<&str> = sequences
        .iter()
        .filter_map(|s| s["name"].as_str())
        .collect();
    assert_eq!(names, ["safe", "wet", "damage"]);
    let keys: Vec<&str> = sequences[0]
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect();
    for key in [
        "event_tree",
        "initiating_event",
        "alignment",
        "phase",
        "name",
        "probability",
        "count",
    ] {
        assert!(keys.contains(&key), "{key} of {keys:?}");
    }
    let sum: f64 = sequences.iter().map(|s| number(&s["probability"])).sum();
    assert!((sum - 1.0).abs() < 1e-12, "{sum}");
    assert_eq!(sequences[2]["count"], "4");
    assert_eq!(sequences[2]["sets"].as_array().map(Vec::len), Some(4));
    let text = meetjoin(&["sequences", COOLING], b"").out;
    assert!(text.contains("safe (after-a-leak, after leak)"), "{text}");
    let run = meetjoin(&["sequences", "-"], b"<opsa-mef/>");
    let said = refused(&run);
    assert!(
        said.contains("no initiating event leads into an event tree"),
        "{said}"
    );
}

#[test]
fn what_cannot_be_asked() {
    for (args, expected) in [
        (
            &["--mission-time", "-1"][..],
            "--mission-time -1 is no time",
        ),
        (
            &["--time-step", "0"],
            "--time-step: a time step must be above 0",
        ),
        (&["--uncertainty", "0"], "--uncertainty: there must be 1 to"),
    ] {
        let run = meetjoin(&[&["cuts", COOLING], args].concat(), b"");
        let said = refused(&run);
        assert!(said.contains(expected), "{said}");
    }
    let run = meetjoin(&["cuts", "-", "--ccf"], b"top = or a b\n");
    let said = refused(&run);
    assert!(said.contains("--ccf: the model has no group"), "{said}");
    let dynamic = b"toplevel \"a\"; \"a\" pand \"b\" \"c\"; \"b\" prob=0.1; \"c\" prob=0.1;";
    let run = meetjoin(&["cuts", "-"], dynamic);
    let said = refused(&run);
    assert!(said.contains("the gate \"pand\" is dynamic"), "{said}");
}

/// Groups that an answer leaves out are told, and not where they are counted.
#[test]
fn groups_that_are_left_out_are_told() {
    let run = meetjoin(&["cuts", COOLING], b"");
    let told = "\ncommon causes     1 group is ignored (use --ccf)\n";
    assert!(run.out.contains(told), "{}", run.out);
    let run = meetjoin(&["cuts", COOLING, "--ccf"], b"");
    assert!(run.out.contains("P(top)") && !run.out.contains("common causes"));
    let run = meetjoin(&["sequences", COOLING], b"");
    let told = "\ncommon causes: 1 group is ignored (use --ccf)\n";
    assert!(run.out.ends_with(told), "{}", run.out);
    let run = meetjoin(&["sequences", COOLING, "--ccf"], b"");
    assert!(run.out.contains("damage") && !run.out.contains("common causes"));
    let scratch = Scratch::new("left-out");
    let page = scratch.path("page.html");
    for (args, is_told) in [(&[][..], true), (&["--ccf"], false)] {
        let run = meetjoin(&[&["cuts", COOLING, "--html", &page], args].concat(), b"");
        assert_eq!(run.status, Some(0), "{run:?}");
        let html = std::fs::read_to_string(&page).expect("a page");
        let told = "<p>Common causes: 1 group is ignored.</p>";
        assert_eq!(html.contains(told), is_told);
    }
    let run = meetjoin(&["cuts", "-"], b"top = or a b\n");
    assert!(run.out.contains("minimal cut sets") && !run.out.contains("common causes"));
}

/// A slip in a tree as text is answered with what was meant.
#[test]
fn slips_in_a_line_are_seen() {
    for (text, said) in [
        (
            "top = AND a b\n",
            "the connectives are and, or, K of, not, xor, nand, nor (did you mean `and`?)",
        ),
        (
            "top = a or b\n",
            "nor, and the connective stands before its arguments",
        ),
        ("top = sometimes a b\n", "not, xor, nand, nor"),
        (
            "top = or a b\na = 1e-5/h\n",
            "rates take an Open-PSA or a Galileo file",
        ),
    ] {
        let run = meetjoin(&["cuts", "-"], text.as_bytes());
        let words = refused(&run);
        assert!(words.contains(said), "{text}: {words}");
    }
}
