//! Models that are wrong: one sentence each, with the place and the name.

use meetjoin_faults::{ModelReader, State, find_sequences};
use meetjoin_lattice::Budget;
use meetjoin_report::progress::Listener;

/// What is said of files, with the number of the file that is meant.
fn said(files: &[&str]) -> (Option<usize>, String) {
    let mut reader = ModelReader::new();
    let wrong = |wrong: meetjoin_faults::FaultTreeFileError| (wrong.file(), wrong.to_string());
    for file in files {
        if let Err(error) = reader.read(file.as_bytes()) {
            return wrong(error);
        }
    }
    let model = match reader.finish(None) {
        Ok(model) => model,
        Err(error) => return wrong(error),
    };
    if model.has_sequences() {
        let found = find_sequences(&model, 10.0, false, &Budget::unlimited(), Listener::NONE);
        return (None, found.expect_err("it is wrong").to_string());
    }
    wrong(model.tree(None, &State::at(10.0)).expect_err("it is wrong"))
}

fn of(inside: &str) -> String {
    format!("<opsa-mef>\n{inside}\n</opsa-mef>")
}

const TOP: &str = r#"<define-fault-tree name="t"><define-gate name="top"><event name="a"/></define-gate></define-fault-tree>"#;

fn event(expression: &str) -> String {
    of(&format!(
        "{TOP}<model-data>\n<define-basic-event name=\"a\">{expression}</define-basic-event></model-data>"
    ))
}

fn group(model: &str, members: &[&str], factors: &[f64]) -> String {
    let members: String = members
        .iter()
        .map(|m| format!("<basic-event name=\"{m}\"/>"))
        .collect();
    let factors: String = factors
        .iter()
        .map(|f| format!("<factor><float value=\"{f}\"/></factor>"))
        .collect();
    of(&format!(
        "{TOP}\n<define-CCF-group name=\"g\" model=\"{model}\"><members>{members}</members><distribution><float value=\"0.1\"/></distribution><factors>{factors}</factors></define-CCF-group>"
    ))
}

fn tree(inside: &str, more: &str) -> String {
    of(&format!(
        "<define-initiating-event name=\"i\" event-tree=\"e\"/>\n<define-event-tree name=\"e\"><define-functional-event name=\"f\"/><define-sequence name=\"s\"/>{inside}</define-event-tree>{more}"
    ))
}

/// What the first exchanges, the second asks for.
const G2: &str = r#"<opsa-mef><define-fault-tree name="f"><define-gate name="t"><and><basic-event name="a"/><basic-event name="b"/></and></define-gate></define-fault-tree>
<define-substitution name="s1"><hypothesis><basic-event name="a"/></hypothesis><source><basic-event name="b"/></source><target><basic-event name="c"/></target></define-substitution>
<define-substitution name="s2"><hypothesis><basic-event name="c"/></hypothesis><source><basic-event name="a"/></source><target><basic-event name="d"/></target></define-substitution>
<model-data><define-basic-event name="a"><float value="0.5"/></define-basic-event><define-basic-event name="b"><float value="0.5"/></define-basic-event><define-basic-event name="c"><float value="0.1"/></define-basic-event><define-basic-event name="d"><float value="0.1"/></define-basic-event></model-data></opsa-mef>"#;

/// A functional event that would be in two states.
const G5: &str = r#"<opsa-mef>
<define-initiating-event name="i" event-tree="t"/>
<define-event-tree name="t">
<define-functional-event name="f"/>
<define-sequence name="s"/>
<define-branch name="b"><fork functional-event="f"><path state="ko">
  <if><test-functional-event name="f" state="ko"/><collect-expression><float value="0.1"/></collect-expression><collect-expression><float value="0.7"/></collect-expression></if>
  <sequence name="s"/></path></fork></define-branch>
<initial-state><fork functional-event="f"><path state="ok"><branch name="b"/></path></fork></initial-state>
</define-event-tree>
</opsa-mef>"#;

#[test]
fn one_sentence_each() {
    let number = "<float value=\"0.5\"/>";
    let cases: Vec<(String, &str)> = vec![
        (
            of(TOP),
            r#"there is no gate or event "a" (line 2 column 53)"#,
        ),
        (
            event(number).replace(
                "<model-data>",
                &format!(
                    "<model-data><define-basic-event name=\"a\">{number}</define-basic-event>"
                ),
            ),
            r#""a" is defined twice (line 3 column 1)"#,
        ),
        (
            event("<float value=\"1.5\"/>"),
            r#"the probability 1.5 of "a" does not lie in 0..1 (line 3 column 1)"#,
        ),
        (
            event("<float value=\"x\"/>"),
            r#"value="x" of <float> is not a number (line 3 column 30)"#,
        ),
        (
            event("<parameter name=\"p\"/>"),
            r#"there is no parameter "p" (line 3 column 30)"#,
        ),
        (
            event(&format!("<div>{number}<float value=\"0\"/></div>")),
            r#"the probability of "a" has no value: <div> of 0.5, 0 has none (line 3 column 30)"#,
        ),
        (
            event("<exponential><float value=\"-1\"/><system-mission-time/></exponential>"),
            r#"the probability of "a" has no value: <exponential> of -1, 10 has none (line 3 column 30)"#,
        ),
        (
            event(&format!("<exponential>{number}</exponential>")),
            "<exponential> of 1 expression is not read here (line 3 column 30)",
        ),
        (
            event("<system-mission-time unit=\"years\"/>"),
            r#"the mission time is in hours, and not in "years" (line 3 column 30)"#,
        ),
        (
            of(&format!(
                "{TOP}<model-data><define-basic-event name=\"a\"><parameter name=\"p\"/></define-basic-event>\n<define-parameter name=\"p\"><parameter name=\"q\"/></define-parameter><define-parameter name=\"q\"><parameter name=\"p\"/></define-parameter></model-data>"
            )),
            r#"the parameter "q" depends on itself through "p" (line 3 column 68)"#,
        ),
        (
            of(&format!(
                "{TOP}<model-data><define-basic-event name=\"a\"><parameter name=\"p\" unit=\"years\"/></define-basic-event><define-parameter name=\"p\" unit=\"hours\">{number}</define-parameter></model-data>"
            )),
            r#"the parameter "p" is in "hours", and not in "years" (line 2 column 145)"#,
        ),
        (
            event("<extern-function name=\"f\"/>"),
            "<extern-function> in <define-basic-event> is not read here: code of others is not run (line 3 column 30)",
        ),
        (
            of("<define-extern-library name=\"l\" path=\"lib\"/>"),
            "<define-extern-library> in <opsa-mef> is not read here: code of others is not run (line 2 column 1)",
        ),
        (
            group("beta-factor", &["a"], &[0.1]),
            r#"the group "g" has 1 member; a common cause has two or more (line 3 column 1)"#,
        ),
        (
            group("phi-factor", &["a", "b"], &[0.5, 0.4]),
            r#"the factors of the group "g" sum to 0.9, not to 1 (line 3 column 1)"#,
        ),
        (
            group("alpha-factor", &["a", "b"], &[0.5, 0.4]),
            r#"the factors of the group "g" sum to 0.9, not to 1 (line 3 column 1)"#,
        ),
        (
            group("MGL", &["a", "b"], &[1.5]),
            r#"the factor 1.5 of level 2 of the group "g" does not lie in 0..1 (line 3 column 1)"#,
        ),
        (
            group("MGL", &["a", "b"], &[0.1, 0.2]),
            r#"the group "g" of 2 members needs factors of the levels 2, 3, .. up to 2 at most (line 3 column 1)"#,
        ),
        (
            tree(
                "<initial-state><fork functional-event=\"f\"><path state=\"x\"/></fork></initial-state>",
                "",
            ),
            r#"the path for "x" leads to no fork, branch or sequence (line 3 column 133)"#,
        ),
        (
            tree("", ""),
            r#"the event tree "e" has no initial state (line 3 column 1)"#,
        ),
        (
            tree("<initial-state><sequence name=\"x\"/></initial-state>", ""),
            r#"there is no sequence "x" in the event tree "e" (line 3 column 91)"#,
        ),
        (
            tree(
                "<define-branch name=\"b\"><branch name=\"b\"/></define-branch><initial-state><branch name=\"b\"/></initial-state>",
                "",
            ),
            r#"the branch "b" of the event tree "e" leads to itself (line 3 column 91)"#,
        ),
        (
            of(
                "<define-initiating-event name=\"i\" event-tree=\"e\"/>\n<define-event-tree name=\"e\"><define-sequence name=\"s\"><event-tree name=\"e\"/></define-sequence><initial-state><sequence name=\"s\"/></initial-state></define-event-tree>",
            ),
            r#"the event tree "e" depends on itself (line 3 column 1)"#,
        ),
        (
            of("<define-initiating-event name=\"i\" event-tree=\"x\"/>"),
            r#"there is no event tree "x" (line 2 column 1)"#,
        ),
        (
            tree(
                "<initial-state><if><test-functional-event name=\"f\" state=\"x\"/><block/></if><sequence name=\"s\"/></initial-state>",
                "",
            ),
            r#"no fork of "f" has a path for the state "x" (line 3 column 110)"#,
        ),
        (
            tree(
                "<initial-state><rule name=\"r\"/><sequence name=\"s\"/></initial-state>",
                "<define-rule name=\"r\"><rule name=\"r\"/></define-rule>",
            ),
            r#"the rule "r" depends on itself (line 3 column 200)"#,
        ),
        (
            tree(
                "<initial-state><collect-expression><float value=\"1\"/></collect-expression><collect-formula><constant value=\"true\"/></collect-formula><sequence name=\"s\"/></initial-state>",
                "",
            ),
            r#"the sequence "s" of the event tree "e" collects formulas and expressions; one or the other is read (line 3 column 1)"#,
        ),
        (
            tree(
                "<initial-state><if><test-initiating-event name=\"x\"/><block/></if><sequence name=\"s\"/></initial-state>",
                "",
            ),
            r#"there is no initiating event "x" (line 3 column 110)"#,
        ),
        (
            tree(
                "<initial-state><collect-expression><float value=\"1.5\"/></collect-expression><sequence name=\"s\"/></initial-state>",
                "",
            ),
            r#"the ways to the sequence "s" of the event tree "e" have the probability 1.5 together, above 1 (line 3 column 1)"#,
        ),
        (
            tree(
                "<initial-state><collect-expression><float value=\"-1\"/></collect-expression><collect-expression><float value=\"-0.5\"/></collect-expression><sequence name=\"s\"/></initial-state>",
                "",
            ),
            "a factor of a probability is -1, below 0 (line 3 column 126)",
        ),
        (
            event(number).replace("</model-data>", &format!("</model-data>\n{}", "<define-substitution name=\"s\"><hypothesis><event name=\"a\"/></hypothesis><target><constant value=\"false\"/></target></define-substitution>\n".repeat(2))),
            r#"the substitution "s" is defined twice (line 5 column 1)"#,
        ),
        (
            event("<test-initiating-event name=\"i\"/>"),
            r#"the probability of "a" depends on a test of an event tree, which no event has (line 3 column 1)"#,
        ),
        (
            of(
                "<define-alignment name=\"al\"><define-phase name=\"p\" time-fraction=\"0.5\"/></define-alignment>",
            ),
            r#"the phases of the alignment "al" take 0.5 of the time, not 1 (line 2 column 1)"#,
        ),
        (
            of("<define-alignment name=\"al\"></define-alignment>"),
            r#"the alignment "al" has no phase (line 2 column 1)"#,
        ),
        (
            event("<float value=\" \"/>"),
            r#"the attribute "value" of <float> is empty (line 3 column 30)"#,
        ),
        (
            of("<define-fault-tree name=\"\"/>"),
            r#"the attribute "name" of <define-fault-tree> is empty (line 2 column 1)"#,
        ),
        (
            event("<float/>"),
            r#"<float> needs the attribute "value" (line 3 column 30)"#,
        ),
        (
            "top = or a\na = nan\n".to_owned(),
            r#""nan" is not a finite number (line 2 column 5)"#,
        ),
        (
            event("<mod><float value=\"5.5\"/><float value=\"2\"/></mod>"),
            r#"the probability of "a" has no value: <mod> of 5.5, 2 has none (line 3 column 30)"#,
        ),
        (
            event(
                "<lognormal-deviate><float value=\"0.01\"/><float value=\"3\"/><float value=\"0.4\"/></lognormal-deviate>",
            ),
            r#"the probability of "a" has no value: <lognormal-deviate> of 0.01, 3, 0.4 has none (line 3 column 30)"#,
        ),
        (
            "toplevel \"a\"; \"a\" or \"b\"; \"b\" lambda=-1;".to_owned(),
            r#""lambda=-1" of "b": a rate is 0 or more (line 1 column 27)"#,
        ),
        (
            "toplevel \"a\"; \"a\" or \"b\"; \"b\" rate=1 shape=0;".to_owned(),
            r#""shape=0" of "b": a shape is more than 0 (line 1 column 27)"#,
        ),
        (
            "toplevel \"a\"; \"a\" or \"b\"; \"b\" shape=2;".to_owned(),
            r#""b" needs either prob, or lambda or rate, optionally with shape (line 1 column 27)"#,
        ),
        (
            of("<define-fault-tree name=\"a\u{1}\"/>"),
            "this is no XML: the character U+0001 cannot stand in it (line 2 column 1)",
        ),
        (
            of("<define-fault-tree name=\"a&#x1;\"/>"),
            "this is no XML: the character U+0001 cannot stand in it (line 2 column 20)",
        ),
        (
            of("<define-fault-tree name=\"t\"><label>\u{1b}</label></define-fault-tree>"),
            "this is no XML: the character U+001B cannot stand in it (line 2 column 36)",
        ),
        (
            of("<!-- \u{b} -->"),
            "this is no XML: the character U+000B cannot stand in it (line 2 column 1)",
        ),
        (
            "<opsa-mef><define-fault-tree name=\"t\">".to_owned(),
            "this is no XML: the file ends within <define-fault-tree> (line 1 column 39)",
        ),
        (
            "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><opsa-mef/>".to_owned(),
            r#"the encoding "iso-8859-1" is not read here, but UTF-8 (line 1 column 1)"#,
        ),
        (
            "<!DOCTYPE a [<!ENTITY b \"bb\">]><opsa-mef/>".to_owned(),
            "documents with a DTD are not read (line 1 column 1)",
        ),
        (
            of("<define-fault-tree name=\"t\"><label>&bomb;</label></define-fault-tree>"),
            "this is no XML: at 1..5: unrecognized entity `bomb` (line 2 column 36)",
        ),
        (
            G2.to_owned(),
            r#""a" is a source of the substitution "s2" and in the hypothesis of "s1", so sets would depend on which comes first, and the format gives no order (line 2 column 1)"#,
        ),
        (
            G5.to_owned(),
            r#"the functional event "f" of the event tree "t" forks here, and again on a path from here: it would be in two states (line 9 column 1)"#,
        ),
        (
            event("<float value=\"1e400\"/>"),
            r#"value="1e400" of <float> is not a finite number (line 3 column 30)"#,
        ),
        (
            "<opsa-mef xmlns=\"urn:x\"><define-fault-tree name=\"t\"/></opsa-mef>".to_owned(),
            "<opsa-mef> is of another name space and not read here (line 1 column 1)",
        ),
        (
            "<x:opsa-mef xmlns:x=\"urn:x\"/>".to_owned(),
            "<x:opsa-mef> is of another name space and not read here (line 1 column 1)",
        ),
        (
            "t = or a\na = 1e400".to_owned(),
            r#""1e400" is not a finite number (line 2 column 5)"#,
        ),
        (
            "t = or and b".to_owned(),
            r#""and" is not a name: a line has one connective, before its arguments (line 1 column 8)"#,
        ),
        (
            "t = or a 2 of b c".to_owned(),
            r#""of" is not a name: a line has one connective, before its arguments (line 1 column 12)"#,
        ),
        (
            "nor = or a b".to_owned(),
            r#""nor" is not a name: a line has one connective, before its arguments (line 1 column 1)"#,
        ),
        (
            "toplevel \"a\"; \"a\" wsp \"b\" \"c\"; \"b\" lambda=1; \"c\" lambda=1;".to_owned(),
            "the gate \"wsp\" is dynamic: it asks in which order parts fail, which takes a tool for Markov models or simulation, and not one for cut sets (line 1 column 19)",
        ),
    ];
    let mut wrong = Vec::new();
    for (text, expected) in &cases {
        let (_, found) = said(&[text]);
        if found != *expected {
            wrong.push(format!("{found}\n  and not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_file_is_told() {
    let other = of(
        "<model-data><define-basic-event name=\"a\"><float value=\"2\"/></define-basic-event></model-data>",
    );
    let (file, found) = said(&[&of(TOP), &other]);
    assert_eq!(file, Some(1), "{found}");
}

/// What is deep or long takes neither a stack nor a square.
#[test]
fn deep_models() {
    let deep = 100_000;
    let not = format!(
        "{}<event name=\"a\"/>{}",
        "<not>".repeat(deep),
        "</not>".repeat(deep)
    );
    let text = of(&format!(
        "<define-fault-tree name=\"t\"><define-gate name=\"top\">{not}</define-gate></define-fault-tree><model-data><define-basic-event name=\"a\">{}<float value=\"0.25\"/>{}</define-basic-event></model-data>",
        "<neg>".repeat(deep),
        "</neg>".repeat(deep)
    ));
    let mut reader = ModelReader::new();
    reader.read(text.as_bytes()).expect("it is read");
    let model = reader.finish(None).expect("a model");
    let tree = model.tree(None, &State::default()).expect("a tree");
    assert_eq!(tree.events()[0].probability, Some(0.25));
}

#[test]
fn deep_instructions_are_refused() {
    let deep = 100_000;
    let test = "<if><bool value=\"true\"/>";
    let nested = format!("{}<block/>{}", test.repeat(deep), "</if>".repeat(deep));
    let text = tree(
        &format!("<initial-state>{nested}<sequence name=\"s\"/></initial-state>"),
        "",
    );
    let (_, found) = said(&[&text]);
    assert!(
        found.contains("more than 1000 deep in each other (line 3"),
        "{found}"
    );
}

#[test]
fn galileo() {
    let text = "/* a plant */ toplevel \"S\";\n\"S\" or \"V\" \"P\"; // gates\n\"P\" 2of3 \"p1\" \"p2\" \"p3\";\n\"V\" prob=0.02;\n\"p1\" lambda=0.1 dorm=0.5;\n\"p2\" rate = 0.1;\np3 lambda=0.1 shape=1;\n";
    let mut reader = ModelReader::new();
    reader.read(text.as_bytes()).expect("it is read");
    let model = reader.finish(None).expect("a model");
    let tree = model.tree(None, &State::at(2.0)).expect("a tree");
    let p = 1.0 - (-0.2_f64).exp();
    let budget = Budget::unlimited();
    let analysis = meetjoin_faults::Analysis::of(&tree, meetjoin_faults::Sets::Cuts, &budget);
    let events: Vec<f64> = tree
        .events()
        .iter()
        .map(|e| e.probability.expect("known"))
        .collect();
    let found = analysis.probability(&events, &budget).expect("no limit").0;
    let expected = 1.0 - 0.98 * (1.0 - (3.0 * p * p - 2.0 * p * p * p));
    assert!((found - expected).abs() < 1e-14, "{found} {expected}");
}

/// A name of which a letter is wrong, wherever a file mentions one.
#[test]
fn the_name_that_was_meant_is_told() {
    let cooling = |from: &str, to: &str| {
        let text = include_str!("../../../../examples/cooling.xml");
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    };
    let galileo = "toplevel \"t\";\n\"t\" or \"a\" \"b\";\n\"a\" prob=0.1;\n\"b\" lamda=0.1;\n";
    for (text, expected) in [
        (
            cooling(
                "<basic-event name=\"pump-1\"/><basic-event name=\"v",
                "<basic-event name=\"pmp-1\"/><basic-event name=\"v",
            ),
            r#"there is no basic event "pmp-1" (did you mean `pump-1`?)"#,
        ),
        (
            cooling("<gate name=\"train-1\"/>", "<gate name=\"tran-1\"/>"),
            r#"there is no gate "tran-1" (did you mean `train-1`?)"#,
        ),
        (
            cooling("<gate name=\"train-1\"/>", "<event name=\"tran-1\"/>"),
            r#"there is no gate or event "tran-1" (did you mean `train-1`?)"#,
        ),
        (
            cooling(
                "<parameter name=\"pump-rate\"/>",
                "<parameter name=\"pump-rat\"/>",
            ),
            r#"there is no parameter "pump-rat" (did you mean `pump-rate`?)"#,
        ),
        (
            cooling("event-tree=\"after-a-leak\"", "event-tree=\"after-leak\""),
            r#"there is no event tree "after-leak" (did you mean `after-a-leak`?)"#,
        ),
        (
            cooling(
                "functional-event=\"sprinkler\"",
                "functional-event=\"sprinklers\"",
            ),
            r#"there is no functional event "sprinklers" in the event tree "after-a-leak" (did you mean `sprinkler`?)"#,
        ),
        (
            cooling(
                "<sequence name=\"damage\"/>",
                "<sequence name=\"damages\"/>",
            ),
            r#"there is no sequence "damages" in the event tree "after-a-leak" (did you mean `damage`?)"#,
        ),
        (
            cooling(
                "<sequence name=\"damage\"/>",
                "<rule name=\"lat\"/><sequence name=\"damage\"/>",
            )
            .replace(
                "</opsa-mef>",
                "<define-rule name=\"late\"><block/></define-rule></opsa-mef>",
            ),
            r#"there is no rule "lat" (did you mean `late`?)"#,
        ),
        (
            cooling(
                "<basic-event name=\"pump-1\"/>",
                "<basic-evnt name=\"pump-1\"/>",
            ),
            "<basic-evnt> in <or> is not read here (did you mean `basic-event`?)",
        ),
        (
            cooling("unit=", "units="),
            r#"the attribute "units" of <define-parameter> is not read here (did you mean `unit`?)"#,
        ),
        (
            "top = or pumps valve\npump = 0.1\nvalve = 0.1\n".to_owned(),
            r#"no gate mentions "pump" (did you mean `pumps`?)"#,
        ),
        (
            "top = or pmps valve\npumps = or a b\nvalve = 0.1\n".to_owned(),
            r#"2 gates are no arguments of others (top, pumps): name one with --top; for "pmps", did you mean `pumps`?"#,
        ),
        (
            galileo.to_owned(),
            r#""lamda=0.1" of "b" is not read here (did you mean `lambda`?)"#,
        ),
    ] {
        let (_, said) = said(&[&text]);
        assert!(said.starts_with(expected), "{said}");
    }
    // A name that is near to none stands alone.
    let text = cooling("<gate name=\"train-1\"/>", "<gate name=\"mill\"/>");
    assert!(
        said(&[&text])
            .1
            .starts_with("there is no gate \"mill\" (line")
    );
}
