//! `meetjoin cuts`: fault trees from files to cut sets.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::support::{Run, algorithms_for_sets, answer as solved, meetjoin, refused};

const PLAIN: &str = "# two of three pumps, or a valve\ntop = or pumps valve\npumps = 2 of p1 p2 p3\np1 = 0.1\np2 = 0.1\np3 = 0.1\nvalve = 0.02\n";

const XML: &str = r#"<?xml version="1.0"?>
<opsa-mef>
<define-fault-tree name="plant">
  <define-gate name="top"><label>all</label><or><gate name="pumps"/><event name="valve"/></or></define-gate>
  <define-component name="station" role="private">
    <define-basic-event name="p1"><float value="0.1"/></define-basic-event>
    <define-gate name="inner"><atleast min="2"><basic-event name="p1"/><basic-event name="p2"/><basic-event name="p3"/></atleast></define-gate>
    <define-gate name="pumps" role="public"><and><gate name="inner"/><not><house-event name="off"/></not><constant value="true"/></and></define-gate>
  </define-component>
</define-fault-tree>
<model-data>
  <define-basic-event name="p2"><parameter name="p"/></define-basic-event>
  <define-basic-event name="p3"><parameter name="p"/></define-basic-event>
  <define-basic-event name="valve"><float value="0.02"/></define-basic-event>
  <define-house-event name="off"><constant value="false"/></define-house-event>
  <define-parameter name="p"><float value="0.1"/></define-parameter>
</model-data>
</opsa-mef>
"#;

fn cuts(tree: &str, args: &[&str]) -> Run {
    let args = [&["cuts", "-"], args].concat();
    meetjoin(&args, tree.as_bytes())
}

fn answer(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

#[test]
fn both_forms_say_the_same() {
    for (tree, p1) in [(PLAIN, "p1"), (XML, "plant.station.p1")] {
        let run = cuts(tree, &["--json", "--list", "--importance"]);
        assert_eq!(run.status, Some(0), "{run:?}");
        let answer = answer(&run);
        assert_eq!(answer["format"], "meetjoin-cuts/1");
        assert_eq!(answer["count"], "4");
        assert_eq!(answer["by_order"], json!([1, 3]));
        assert_eq!(answer["stop"], Value::Null);
        let p = answer["probability"].as_f64().expect("a number");
        assert!((p - (1.0 - 0.98 * (1.0 - 0.028))).abs() < 1e-12, "{p}");
        let sets = answer["sets"].as_array().expect("a list");
        assert_eq!(sets[0], json!(["valve"]));
        assert_eq!(sets.len(), 4);
        let pumps: Vec<&str> = sets[1..]
            .iter()
            .flat_map(|set| set.as_array().expect("a list"))
            .filter_map(Value::as_str)
            .collect();
        assert_eq!(
            pumps.iter().filter(|name| **name == p1).count(),
            2,
            "{pumps:?}"
        );
        assert_eq!(answer["importance"].as_array().map(Vec::len), Some(4));
    }
}

/// A gate of an event with this name, as XML has it, and of `c`.
fn xml(name: &str) -> String {
    format!(
        r#"<opsa-mef><define-fault-tree name="t"><define-gate name="top"><and><basic-event name="{name}"/><basic-event name="c"/></and></define-gate>
        <define-basic-event name="{name}"/><define-basic-event name="c"/></define-fault-tree></opsa-mef>"#
    )
}

#[test]
fn sets_as_csv_and_path_sets() {
    let run = cuts(PLAIN, &["--csv"]);
    assert_eq!(run.out, "valve\np1,p2\np1,p3\np2,p3\n");
    let run = cuts(PLAIN, &["--csv", "--paths"]);
    assert_eq!(run.out, "p1,p2,valve\np1,p3,valve\np2,p3,valve\n");
    let run = cuts(&xml("a,&quot;b"), &["--csv"]);
    assert_eq!(run.out, "\"a,\"\"b\",c\n");
    let run = cuts("top = xor a b", &["--csv", "--prime-implicants"]);
    assert_eq!(run.out, "a,-b\n-a,b\n");
    assert_eq!(cuts("top = xor a b", &["--csv"]).out, "a\nb\n");
}

/// What stands in a field of CSV.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut rest) = (Vec::new(), line);
    loop {
        let field;
        (field, rest) = if let Some(quoted) = rest.strip_prefix('"') {
            let mut end = 0;
            while let Some(more) = quoted[end..].find('"') {
                end += more;
                if !quoted[end..].starts_with("\"\"") {
                    break;
                }
                end += 2;
            }
            (quoted[..end].replace("\"\"", "\""), &quoted[end + 1..])
        } else {
            let end = rest.find(',').unwrap_or(rest.len());
            (rest[..end].to_owned(), &rest[end..])
        };
        fields.push(field);
        match rest.strip_prefix(',') {
            Some(more) => rest = more,
            None => return fields,
        }
    }
}

/// A member as a field or in a list has it: JSON as the answer for programs has it.
fn member(text: &str) -> Value {
    let (is_not, name) = match text.strip_prefix('-') {
        Some(name) => (true, name),
        None => (false, text),
    };
    let name = if name.starts_with('"') {
        serde_json::from_str(name).expect("a JSON string")
    } else {
        Value::from(name)
    };
    if is_not { json!({ "not": name }) } else { name }
}

/// An event whose name begins as a negation does is none: what is printed is read back.
#[test]
fn names_are_no_negations() {
    let g11 = "t = or -a x\nx = not a\na=0.5\n-a=0.25\n";
    let run = cuts(g11, &["--csv", "--prime-implicants"]);
    assert_eq!(run.out, "\"\"\"-a\"\"\"\n-a\n");
    for names in [
        ["-a", "a"],
        ["--a", "-a"],
        ["&quot;-a&quot;", "-a"],
        ["&quot;", "-&quot;"],
    ] {
        let [one, other] = names.map(|name| format!("<basic-event name=\"{name}\"/>"));
        let tree = format!(
            "<opsa-mef><define-fault-tree name=\"f\"><define-gate name=\"top\"><xor>{one}{other}</xor></define-gate>\
             <define-{}<define-{}</define-fault-tree></opsa-mef>",
            &one[1..],
            &other[1..]
        );
        let sets = answer(&cuts(&tree, &["--json", "--list", "--prime-implicants"]))["sets"].take();
        let lines = cuts(&tree, &["--csv", "--prime-implicants"]).out;
        let by_csv = lines
            .lines()
            .map(|line| -> Value { fields(line).iter().map(|field| member(field)).collect() });
        assert_eq!(by_csv.collect::<Value>(), sets, "{lines}");
        let text = cuts(&tree, &["--list", "--prime-implicants"]).out;
        let lines = text
            .lines()
            .filter_map(|line| line.strip_prefix('{')?.strip_suffix('}'));
        let by_list = lines.map(|line| -> Value { line.split(", ").map(member).collect() });
        assert_eq!(by_list.collect::<Value>(), sets, "{text}");
    }
}

/// The measures stand behind the names, within a terminal, in the order of the page.
#[test]
fn importance_as_a_table() {
    let long = "a-name-that-is-longer-than-any-column-between-the-numbers-and-the-edge";
    let tree = format!("{PLAIN}top2 = or top rest\nrest = and {long} p1\n{long} = 1e-101\n");
    let scratch = crate::support::Scratch::new("importance");
    let page = scratch.path("page.html");
    let run = cuts(&tree, &["--importance", "--html", &page]);
    assert_eq!(run.status, Some(0), "{run:?}");
    let (_, table) = run.out.split_once("\nevent").expect("a table");
    let (table, _) = table.split_once("\n\n").unwrap_or((table, ""));
    let mut lines = table.lines();
    let head: Vec<&str> = lines.next().expect("a head").split_whitespace().collect();
    assert_eq!(head, ["P(event)", "MIF", "CIF", "DIF", "FV", "RAW", "RRW"]);
    let json = answer(&cuts(&tree, &["--importance", "--json"]));
    let measures = json["importance"].as_array().expect("a list");
    let (mut order, mut name): (Vec<&str>, _) = (Vec::new(), None);
    for line in lines.take_while(|line| !line.starts_with("written")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (numbers, own) = match (&words[..], name) {
            ([only], _) => {
                name = Some(*only);
                continue;
            }
            (numbers, Some(name)) if numbers.len() == 7 => (numbers, name),
            ([name, numbers @ ..], _) => (numbers, *name),
            ([], _) => continue,
        };
        assert!(line.chars().count() <= 80, "{line}");
        name = None;
        order.push(own);
        let of = measures
            .iter()
            .find(|of| of["event"] == own)
            .expect("it is known");
        let keys = [
            "probability",
            "birnbaum",
            "critical",
            "diagnostic",
            "fussell_vesely",
            "risk_achievement",
            "risk_reduction",
        ];
        for (number, key) in numbers.iter().zip(keys) {
            assert_eq!(
                *number,
                format!("{:.3e}", of[key].as_f64().expect("a number")),
                "{line}"
            );
        }
    }
    assert_eq!(order.len(), measures.len(), "{table}");
    let html = std::fs::read_to_string(&page).expect("a page");
    let (_, bars) = html.split_once("id=\"bars\"").expect("bars");
    let (bars, _) = bars.split_once("</ul>").expect("an end");
    let names = bars.split("<span class=\"name\">").skip(1);
    let names: Vec<&str> = names.filter_map(|part| part.split('<').next()).collect();
    assert_eq!(order, names);
    assert_eq!((order[0], order[4]), ("valve", long), "{table}");
}

/// A tree of the other kind is recognised, with the command that reads it.
#[test]
fn attack_trees_are_for_another_command() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/");
    for (command, file, said) in [
        ("cuts", "office.txt", "`meetjoin attacks` reads those"),
        ("cuts", "house.txt", "`meetjoin attacks` reads those"),
        ("sequences", "office.txt", "`meetjoin attacks` reads those"),
        ("attacks", "plant.txt", "`meetjoin cuts` reads those"),
        (
            "attacks",
            "cooling.xml",
            "`meetjoin cuts` reads it as a fault tree",
        ),
    ] {
        let run = meetjoin(&[command, &format!("{examples}{file}")], "");
        let said_of = refused(&run);
        assert!(said_of.contains(said), "{command} {file}: {said_of}");
    }
    for line in [
        "attribute cost sum",
        "defence camera",
        "defence camera cost=5",
        "camera counters b",
        "c = sand a b",
        "b damage=3",
    ] {
        let run = cuts(&format!("t = or a b\n {line}\n"), &[]);
        let said = refused(&run);
        let expected = "this is a line of an attack tree, and `meetjoin attacks` reads those (line 2 column 2)";
        assert!(said.ends_with(expected), "{said}");
        // What is right besides is no attack tree.
        let run = cuts("defence = or attribute counters\nattribute = 0.5\n", &[]);
        assert_eq!(run.status, Some(0), "{run:?}");
    }
    let run = cuts("<?xml version='1.0'?>\n<adtree><node/></adtree>", &[]);
    let said = refused(&run);
    let expected =
        "this is an attack tree of ADTool, and `meetjoin attacks` reads it (line 2 column 1)";
    assert!(said.ends_with(expected), "{said}");
}

#[test]
fn a_report_in_the_open_psa_format() {
    let run = cuts(PLAIN, &["--open-psa"]);
    assert_eq!((run.status, &*run.err), (Some(0), ""));
    assert!(run.out.starts_with("<?xml version=\"1.0\""), "{}", run.out);
    for part in [
        r#"<sum-of-products name="top" basic-events="4" products="4" probability="4.744"#,
        r#"<product order="1" probability="2e-2"><basic-event name="valve"/></product>"#,
        r#"<product order="2" probability="1.0000000000000002e-2"><basic-event name="p1"/><basic-event name="p2"/></product>"#,
    ] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
    // Names are escaped, negations are marked, and what has no probability says none.
    let run = cuts(&xml("a&amp;&lt;b"), &["--open-psa"]);
    let product =
        r#"<product order="2"><basic-event name="a&amp;&lt;b"/><basic-event name="c"/></product>"#;
    assert!(run.out.contains(product), "{}", run.out);
    let run = cuts(
        "top = and a c\nc = not d",
        &["--open-psa", "--prime-implicants"],
    );
    let product =
        r#"<product order="2"><basic-event name="a"/><not><basic-event name="d"/></not></product>"#;
    assert!(run.out.contains(product), "{}", run.out);
    let run = cuts(PLAIN, &["--open-psa", "--max-seconds", "0"]);
    assert_eq!(run.status, Some(3));
    assert!(
        run.out.contains("<warning>The probability lies between"),
        "{}",
        run.out
    );
    assert!(run.out.ends_with("</report>\n"), "{}", run.out);
}

#[test]
fn the_most_probable_and_what_is_cut_off() {
    let run = cuts(
        PLAIN,
        &["--json", "--most-probable", "2", "--limit-order", "2"],
    );
    let answer = answer(&run);
    assert_eq!(answer["sets"][0], json!(["valve"]));
    assert_eq!(
        answer["set_probabilities"].as_array().map(Vec::len),
        Some(2)
    );
    assert_eq!(cuts(PLAIN, &["--csv", "--limit-order", "1"]).out, "valve\n");
    let cut = cuts(
        "top = or a b c\na = 0.3\nb = 0.2\nc = 0.1",
        &["--json", "--cut-off", "0.2"],
    );
    assert_eq!(self::answer(&cut)["count"], "2");
}

#[test]
fn tops_that_are_no_gates_or_constant() {
    for (tree, count) in [
        ("top = or a", "1"),
        ("top = and a true", "1"),
        ("top = or a true", "1"),
        ("top = and a false", "0"),
        ("top = not a", "1"),
    ] {
        let run = cuts(tree, &["--json"]);
        assert_eq!(answer(&run)["count"], count, "{tree}: {run:?}");
    }
    assert_eq!(
        cuts("x = or a b\ny = and a b", &["--top", "y", "--csv"]).out,
        "a,b\n"
    );
}

#[test]
#[rustfmt::skip]
fn bad_files() {
    let opsa = |inner: &str| format!("<opsa-mef>\n<define-fault-tree name=\"t\">\n{inner}\n</define-fault-tree></opsa-mef>");
    let gate = |formula: &str| opsa(&format!("<define-gate name=\"g\">{formula}</define-gate>"));
    let at = "(line ";
    for (tree, parts) in [
        ("top = or a b\nb = and top a".to_owned(), &["\"top\"", "depends on itself", "(line 1 column 1)"][..]),
        ("top = or a b\ntop = and a b".to_owned(), &["\"top\"", "twice", "(line 2 column 1)"]),
        ("top = or a\na = 1.5".to_owned(), &["1.5", "\"a\"", "(line 2 column 1)"]),
        ("top = 4 of a b c".to_owned(), &["at least 4 of 3", at]),
        ("top = or a\n what is this".to_owned(), &["NAME = ", "(line 2 column 2)"]),
        ("top = maybe a b".to_owned(), &["connectives", at]),
        ("x = or a b\ny = and a b".to_owned(), &["--top", "x, y"]),
        (String::new(), &["no gate"]),
        ("<opsa-mef><model-data></opsa-mef>".to_owned(), &["XML", "(line 1 "]),
        ("<!DOCTYPE x SYSTEM \"http://example.org/x\">\n<opsa-mef/>".to_owned(), &["DTD", "(line 1 column 1)"]),
        ("<?xml version=\"1.0\"?>\n<!DOCTYPE a [<!ENTITY b \"c\">]>\n<opsa-mef/>".to_owned(), &["DTD", "(line 2 column 1)"]),
        ("<mef/>".to_owned(), &["<mef>", "opsa-mef", at]),
        (gate("<or><basic-event name=\"x\"/></or>"), &["no basic event \"x\"", "(line 3 "]),
        (gate("<or><gate name=\"g\"/></or>"), &["\"g\"", "depends on itself", "(line 3 column 1)"]),
        (gate("<atleast min=\"3\"><event name=\"g\"/></atleast>"), &["at least 3 of 1", at]),
        (gate("<atleast min=\"many\"><event name=\"g\"/></atleast>"), &["min=\"many\"", at]),
        (gate("<atleast><event name=\"g\"/></atleast>"), &["needs the attribute \"min\"", at]),
        (gate("<maybe/>"), &["<maybe>", at]),
        (gate("<or><event/></or>"), &["needs the attribute \"name\"", at]),
        (gate(""), &["no formula", at]),
        (gate("<or/>"), &["0 arguments", at]),
        (opsa("<define-basic-event name=\"e\"><float value=\"x\"/></define-basic-event>"), &["value=\"x\"", at]),
        (opsa("<define-basic-event name=\"e\"><weibull/></define-basic-event>"), &["<weibull>", at]),
        (opsa("<define-basic-event name=\"e\"><float value=\"-0.1\"/></define-basic-event><define-gate name=\"g\"><event name=\"e\"/></define-gate>"), &["-0.1", "\"e\"", at]),
        (opsa("<define-parameter name=\"p\"><parameter name=\"p\"/></define-parameter><define-basic-event name=\"e\"><parameter name=\"p\"/></define-basic-event>"), &["itself", at]),
        (opsa("<define-gate name=\"a\" role=\"secret\"><event name=\"b\"/></define-gate>"), &["role=\"secret\"", at]),
    ] {
        let run = cuts(&tree, &[]);
        let sentence = refused(&run);
        for part in parts {
            assert!(sentence.contains(part), "{part}: {sentence}\n{tree}");
        }
    }
    let run = cuts("top = or a b", &["--importance"]);
    assert!(refused(&run).contains("\"a\" has no probability"), "{run:?}");
    assert!(refused(&cuts(PLAIN, &["--cut-off", "2"])).contains("0..1"));
    assert!(refused(&cuts(PLAIN, &["--top", "none"])).contains("no gate \"none\""));
    let near = cuts("plant = or a b", &["--top", "plnt"]);
    assert!(refused(&near).ends_with("no gate \"plnt\" (did you mean `plant`?)"));
}

#[test]
fn a_limit_says_what_is_known() {
    let run = cuts(PLAIN, &["--json", "--max-seconds", "0"]);
    assert_eq!(run.status, Some(3), "{run:?}");
    let answer = answer(&run);
    assert_eq!(answer["stop"], "time");
    let end = |key: &str| answer["probability"][key].as_f64().expect("a number");
    let top = 1.0 - 0.98 * (1.0 - 0.028);
    assert!(end("lower") < top && top < end("upper"), "{run:?}");
}

/// Half of a ring of events, for each half: a hard tree, of which little is known after a while.
fn hard() -> String {
    let size = 60;
    let mut tree = String::from("top = 30 of");
    for gate in 0..size {
        write!(tree, " g{gate}").expect("a string");
    }
    for gate in 0..size {
        let far = (gate * 7 + 13) % size;
        write!(tree, "\ng{gate} = and e{gate} e{far}\ne{gate} = 0.3").expect("a string");
    }
    tree
}

/// Importance takes P(top), and bounds of it have none: what is known is printed, and that it is
/// not all.
#[test]
fn importance_is_given_where_the_tree_is_solved() {
    let stopped = ["--importance", "--max-seconds", "0"];
    let run = cuts(PLAIN, &stopped);
    assert_eq!((run.status, &*run.err), (Some(3), ""));
    let unknown = "importance              unknown, for the tree is not solved within the limits\n";
    assert!(
        run.out.contains("P(top)                  from "),
        "{}",
        run.out
    );
    assert!(
        run.out.contains(unknown) && !run.out.contains("Birnbaum"),
        "{}",
        run.out
    );
    let run = cuts(PLAIN, &[&stopped[..], &["--json"]].concat());
    assert_eq!(run.status, Some(3), "{run:?}");
    let stopped = answer(&run);
    assert_eq!(stopped["importance"], Value::Null);
    assert!(stopped.get("importance").is_some(), "{stopped}");
    assert!(stopped["probability"]["upper"].is_number(), "{stopped}");
    // No limit stops what is asked for sets alone, and the tree is not solved all the same.
    let run = cuts(&hard(), &["--json", "--importance", "--limit-order", "2"]);
    let sentence = "meetjoin: the tree is not solved within the limits, and what is asked for needs \
                    all of it\n";
    assert_eq!((run.status, &*run.err), (Some(3), sentence));
    let bounded = answer(&run);
    assert_eq!(
        (&bounded["stop"], &bounded["importance"]),
        (&Value::Null, &Value::Null)
    );
    assert!(bounded["probability"]["upper"].is_number(), "{bounded}");
}

#[test]
fn a_limit_of_memory_says_what_is_known() {
    let tree = hard();
    let run = cuts(&tree, &["--json", "--list", "--max-memory", "4MiB"]);
    assert_eq!(run.status, Some(3), "{}", run.err);
    let answer = answer(&run);
    assert_eq!(answer["stop"], "memory");
    let end = |key: &str| answer["probability"][key].as_f64().expect("a number");
    assert!(0.0 <= end("lower") && end("lower") < end("upper") && end("upper") <= 1.0);
}

fn generated(args: &[&str]) -> String {
    let run = meetjoin(&[&["generate"], args].concat(), "");
    assert_eq!((run.status, &*run.err), (Some(0), ""), "{args:?}");
    run.out
}

/// The minimal sets that `cuts` lists, as names in order.
fn names_of_cuts(tree: &str) -> Vec<Vec<String>> {
    let answer = answer(&cuts(tree, &["--json", "--list"]));
    let sets: Vec<Vec<String>> = serde_json::from_value(answer["sets"].clone()).expect("names");
    sorted(sets)
}

/// The value of a problem by an algorithm, in the same form.
fn names_of_value(problem: &str, algorithm: &str) -> Vec<Vec<String>> {
    let file: Value = serde_json::from_str(problem).expect("a problem");
    let answer = solved(problem, &["--algorithm", algorithm]);
    let sets: Vec<Vec<usize>> = serde_json::from_value(answer["value"].clone()).expect("sets");
    let name = |event: usize| {
        file["worlds"][event - 1]
            .as_str()
            .expect("a name")
            .to_owned()
    };
    sorted(
        sets.into_iter()
            .map(|set| set.into_iter().map(name).collect())
            .collect(),
    )
}

fn sorted(mut sets: Vec<Vec<String>>) -> Vec<Vec<String>> {
    for set in &mut sets {
        set.sort();
    }
    sets.sort();
    sets
}

#[test]
fn every_algorithm_for_distributive_lattices_finds_the_cut_sets() {
    for seed in ["1", "2", "3", "18446744073709551615"] {
        let random = [
            "fault-tree",
            "--events",
            "9",
            "--gates",
            "9",
            "--seed",
            seed,
        ];
        let problem = generated(&random);
        assert_eq!(problem, generated(&random));
        assert!(problem.contains(r#""lattice":{"type":"monotone","v":"#));
        let found = names_of_cuts(&problem);
        // The short form is the same tree.
        assert_eq!(
            found,
            names_of_cuts(&generated(&[&random[..], &["--compact"]].concat()))
        );
        for algorithm in algorithms_for_sets() {
            assert_eq!(
                names_of_value(&problem, algorithm.id),
                found,
                "{} on seed {seed}",
                algorithm.id
            );
        }
    }
}

/// P(top), the importance of events by name, and the most probable sets, with twelve digits.
fn measures(tree: &str) -> Vec<String> {
    let run = cuts(tree, &["--json", "--importance", "--most-probable", "3"]);
    assert_eq!(run.status, Some(0), "{run:?}");
    let answer = answer(&run);
    let digits = |value: &Value| format!("{:.12e}", value.as_f64().expect("a number"));
    let mut found = vec![digits(&answer["probability"])];
    for event in answer["importance"].as_array().expect("a list") {
        found.push(format!(
            "{} {} {}",
            event["event"],
            digits(&event["birnbaum"]),
            digits(&event["risk_achievement"])
        ));
    }
    found.extend(
        answer["set_probabilities"]
            .as_array()
            .expect("a list")
            .iter()
            .map(digits),
    );
    found.sort();
    found
}

#[test]
fn events_without_a_probability_stay_without_one() {
    let run = meetjoin(
        &["generate", "--from", "-"],
        "top = and a b c\na = 0.5\nb = 1",
    );
    assert!(
        run.out.contains(r#""probabilities":[0.5,1.0,null]"#),
        "{run:?}"
    );
    assert_eq!(
        answer(&cuts(&run.out, &["--json"]))["probability"],
        Value::Null
    );
    let refusal = cuts(&run.out, &["--importance"]);
    assert!(
        refused(&refusal).contains("\"c\" has no probability"),
        "{refusal:?}"
    );
    let none = meetjoin(&["generate", "--from", "-"], "top = and a b");
    assert!(!none.out.contains("probabilities"), "{none:?}");
}

/// What the top does not depend on may have no probability, whatever is asked for.
#[test]
fn events_on_which_the_top_does_not_depend() {
    let of_other_gate = "t = or a b\na = 0.1\nb = 0.2\nu = and t c";
    for (tree, p) in [
        (of_other_gate, 0.28),
        ("t = 0 of a b", 1.0),
        ("t = or a h\nh = true", 1.0),
        ("t = or a g\na = 0.25\ng = and h b\nh = false", 0.25),
    ] {
        let all = ["--importance", "--most-probable", "3"];
        let run = cuts(tree, &[&["--json", "--top", "t"], &all[..]].concat());
        assert_eq!((run.status, &*run.err), (Some(0), ""), "{tree}");
        let found = answer(&run)["probability"].as_f64().expect("a number");
        assert!((found - p).abs() < 1e-12, "{tree}: {found}");
        let run = cuts(tree, &["--json", "--top", "t", "--paths"]);
        let found = answer(&run)["probability"].as_f64().expect("a number");
        assert!((found - p).abs() < 1e-12, "{tree}, paths: {found}");
    }
    let unknown = cuts(of_other_gate, &["--top", "u", "--time-step", "4380"]);
    assert!(
        refused(&unknown).contains("\"c\" has no probability"),
        "{unknown:?}"
    );
    // An event that no gate of a model mentions, and one of which another sequence is made.
    let model = "<opsa-mef>
        <define-initiating-event name=\"i\" event-tree=\"e\"/>
        <define-event-tree name=\"e\"><define-functional-event name=\"f\"/>
          <define-sequence name=\"s\"/><define-sequence name=\"r\"/>
          <initial-state><fork functional-event=\"f\">
            <path state=\"1\"><collect-formula><gate name=\"g\"/></collect-formula>
              <sequence name=\"s\"/></path>
            <path state=\"2\"><collect-formula><basic-event name=\"b\"/></collect-formula>
              <sequence name=\"r\"/></path>
          </fork></initial-state></define-event-tree>
        <define-gate name=\"g\"><or><basic-event name=\"a\"/>
          <and><basic-event name=\"b\"/><constant value=\"false\"/></and></or></define-gate>
        <define-basic-event name=\"a\"><float value=\"0.5\"/></define-basic-event>
        <define-basic-event name=\"b\"/><define-basic-event name=\"zz\"/></opsa-mef>";
    for more in [
        &["--importance"][..],
        &["--time-step", "4380"],
        &["--uncertainty", "8"],
    ] {
        let run = cuts(model, &[&["--json"], more].concat());
        assert_eq!((run.status, &*run.err), (Some(0), ""), "{more:?}");
        assert_eq!(answer(&run)["probability"], 0.5);
    }
    let run = meetjoin(&["sequences", "-", "--json"], model);
    let sequences = &answer(&run)["sequences"];
    assert_eq!(
        (&sequences[0]["name"], &sequences[0]["probability"]),
        (&json!("s"), &json!(0.5))
    );
    assert_eq!(
        (&sequences[1]["name"], &sequences[1]["probability"]),
        (&json!("r"), &Value::Null)
    );
}

/// They visit nothing, so a limit on visits would limit nothing.
#[test]
fn no_visits_are_counted() {
    for command in ["cuts", "sequences"] {
        let run = meetjoin(&[command, "-", "--max-visits", "0"], PLAIN);
        assert!(refused(&run).contains("'--max-visits'"), "{run:?}");
    }
}

#[test]
fn a_fault_tree_as_a_problem() {
    for tree in [PLAIN, XML] {
        let run = meetjoin(&["generate", "--from", "-"], tree);
        assert_eq!((run.status, &*run.err), (Some(0), ""));
        assert_eq!(meetjoin(&["check", "-"], &run.out).status, Some(0));
        let found = names_of_cuts(tree);
        assert_eq!(names_of_cuts(&run.out), found);
        assert_eq!(measures(&run.out), measures(tree));
        // And once more, from a problem file.
        let again = meetjoin(&["generate", "--from", "-"], &run.out);
        assert_eq!(measures(&again.out), measures(tree));
        for algorithm in algorithms_for_sets() {
            assert_eq!(
                names_of_value(&run.out, algorithm.id),
                found,
                "{}",
                algorithm.id
            );
        }
    }
    // Negations are pushed down to the events.
    let run = meetjoin(&["generate", "--from", "-"], "top = xor a b");
    assert_eq!(solved(&run.out, &[])["value"], json!([[-1, 2], [1, -2]]));
    let run = meetjoin(
        &["generate", "--from", "-", "--top", "y"],
        "x = or a b\ny = and a b",
    );
    assert_eq!(solved(&run.out, &[])["value"], json!([[1, 2]]));
    let run = meetjoin(&["generate", "--from", "-"], "top = 4 of a b c");
    assert!(
        refused(&run).contains("at least 4 of 3 arguments (line 1 column 1)"),
        "{run:?}"
    );
    // A random tree has its probabilities, as keys and with all nodes.
    let random = [
        "generate",
        "fault-tree",
        "--events",
        "9",
        "--gates",
        "9",
        "--seed",
        "4",
    ];
    let expanded = meetjoin(&random, "");
    let compact = meetjoin(&[&random[..], &["--compact"]].concat(), "");
    assert_eq!(measures(&expanded.out), measures(&compact.out));
    let run = meetjoin(
        &[
            "generate",
            "fault-tree",
            "--events",
            "0",
            "--gates",
            "1",
            "--seed",
            "1",
        ],
        "",
    );
    assert!(refused(&run).contains("at least 1 event"), "{run:?}");
}

#[test]
fn deep_trees_and_deep_files() {
    let mut tree = String::from("g0 = or a b\n");
    for gate in 1..20_000 {
        let connective = if gate % 2 == 0 { "or" } else { "and" };
        writeln!(tree, "g{gate} = {connective} g{} e{gate}", gate - 1).expect("a string");
    }
    let run = cuts(&tree, &["--json"]);
    assert_eq!(answer(&run)["count"], "10001", "{}", run.err);
    let depth = 20_000;
    let nested = format!(
        "<opsa-mef><define-gate name=\"g\">{}<event name=\"e\"/>{}</define-gate><define-basic-event name=\"e\"/></opsa-mef>",
        "<or>".repeat(depth),
        "</or>".repeat(depth)
    );
    let run = cuts(&nested, &["--json"]);
    assert_eq!(answer(&run)["count"], "1", "{}", run.err);
}

/// A list of sets alone does not say that it is short, so a sentence does.
#[test]
fn a_short_list_is_told() {
    let pairs = |k: &str| {
        (0..40)
            .map(|i| format!("p{i} = {k} a{i} b{i}\n"))
            .collect::<Vec<_>>()
    };
    let names: Vec<String> = (0..40).map(|i| format!("p{i}")).collect();
    let tree = format!("top = and {}\n{}", names.join(" "), pairs("or").concat());
    let run = cuts(&tree, &["--csv", "--max-seconds", "0.1"]);
    assert_eq!(run.status, Some(3), "{}", run.err);
    assert!(
        run.err
            .starts_with("meetjoin: the time limit was reached; the sets that are printed"),
        "{}",
        run.err
    );
}
