//! The XML of ADTool: a file in the form of its manual, what is refused, and what we write.

use meetjoin_attacks::{AttackTree, AttackTreeParameters, Attribute, from_text, to_adtool};

use crate::known::json;

/// A bank account: an example of ADTool's manual, typed with values of ours.
const BANK: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<adtree>
  <node refinement="disjunctive">
    <label>Bank Account</label>
    <node refinement="conjunctive">
      <label>ATM</label>
      <comment>at the machine</comment>
      <parameter category="derived" domainId="MinCost1">60.0</parameter>
      <node refinement="disjunctive">
        <label>PIN</label>
        <node refinement="disjunctive">
          <label>Eavesdrop</label>
          <parameter category="basic" domainId="MinCost1">20.0</parameter>
          <parameter category="basic" domainId="ProbSucc2">0.3</parameter>
        </node>
        <node refinement="disjunctive">
          <label>Find Note</label>
          <parameter category="basic" domainId="MinCost1">10.0</parameter>
          <parameter category="basic" domainId="ProbSucc2">0.1</parameter>
          <node refinement="disjunctive" switchRole="yes">
            <label>Memorize</label>
            <parameter category="basic" domainId="MinCost1">5.0</parameter>
            <node refinement="disjunctive" switchRole="yes">
              <label>Force</label>
              <parameter category="basic" domainId="MinCost1">70.0</parameter>
              <parameter category="basic" domainId="ProbSucc2">0.9</parameter>
            </node>
          </node>
        </node>
      </node>
      <node refinement="disjunctive">
        <label>Card</label>
        <parameter category="basic" domainId="MinCost1">30.0</parameter>
        <parameter category="basic" domainId="ProbSucc2">0.5</parameter>
      </node>
    </node>
    <node refinement="conjunctive">
      <label>Online</label>
      <node refinement="disjunctive">
        <label>Password</label>
        <parameter category="basic" domainId="MinCost1">50.0</parameter>
        <parameter category="basic" domainId="ProbSucc2">0.6</parameter>
      </node>
      <node refinement="disjunctive">
        <label>Card</label>
      </node>
    </node>
  </node>
  <domain id="MinCost1">
    <class>lu.uni.adtool.domains.predefined.MinCost</class>
    <tool>ADTool</tool>
  </domain>
  <domain id="ProbSucc2">
    <class>lu.uni.adtool.domains.predefined.ProbSucc</class>
    <tool>ADTool</tool>
  </domain>
</adtree>
"#;

#[test]
fn a_file_of_adtool() {
    let tree = from_text(BANK, None, &[]).expect("a tree");
    let names: Vec<String> = tree
        .attributes()
        .iter()
        .map(|a| format!("{} {}", a.name, a.rule))
        .collect();
    assert_eq!(names, ["cost sum", "p product"]);
    let found = json(&tree, |request| {
        request.defences = true;
        request.pareto = vec!["cost".to_owned(), "p".to_owned()];
    });
    // Find Note and Card; Eavesdrop and Card; Password and Card.
    assert_eq!(found["count"], "3");
    let front: Vec<String> = found["front"]
        .as_array()
        .expect("a front")
        .iter()
        .map(|point| point["values"].to_string())
        .collect();
    assert_eq!(
        front,
        [
            r#"{"cost":40,"p":0.05}"#,
            r#"{"cost":50,"p":0.15}"#,
            r#"{"cost":80,"p":0.3}"#
        ]
    );
    let defended: Vec<String> = found["defence_front"]
        .as_array()
        .expect("a front")
        .iter()
        .map(|point| format!("{} {}", point["cost"], point["attack_cost"]))
        .collect();
    assert_eq!(defended, ["0 40", "5 50"]);
    assert!(found["block"].is_null());
}

/// What is written is read as a tree with the same answers.
#[test]
fn what_is_written_is_read() {
    let mut written = 0;
    for seed in 0..40 {
        let parameters = AttackTreeParameters {
            nodes: 30,
            sharing: 4,
            defences: 4,
            seed,
        };
        let tree = parameters.tree().expect("a tree");
        let Ok(text) = to_adtool(&tree) else { continue };
        let again = from_text(&text, None, &[]).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let [one, other] = [&tree, &again].map(|tree| {
            let found = json(tree, |request| {
                request.defences = true;
                request.pareto = ["cost", "skill", "p"].map(str::to_owned).to_vec();
            });
            let values =
                [&found["best"]["p"], &found["probability"]].map(serde_json::Value::as_f64);
            let [p, probability] = values;
            // The same to twelve digits, whatever the order of the factors.
            let round = |value: Option<f64>| value.map(|value| format!("{value:.12}"));
            let rest = ["count", "block"].map(|key| found[key].clone());
            let best = ["cost", "skill"].map(|key| found["best"][key].clone());
            (
                round(p),
                round(probability),
                best,
                rest[0].clone(),
                rest[1]["cost"].clone(),
            )
        });
        assert_eq!(one, other, "{text}");
        written += 1;
    }
    assert!(written > 5, "{written}");
}

/// Text that is put for a part of the file, and the sentence with which that is refused.
#[test]
fn bad_files_are_one_sentence_with_the_place() {
    let cases = [
        (
            "</adtree>",
            "<node><label>x</label></node></adtree>",
            "there are two roots in <adtree> (line 57 column 1)",
        ),
        (
            "<label>PIN</label>",
            "",
            "a node has no label (line 9 column 7)",
        ),
        (
            "<label>Memorize</label>",
            "<label>Card</label>",
            "the role of \"Card\" changes: it stands on both sides (line 31 column 7)",
        ),
        (
            "0.6<",
            "1.6<",
            "the p 1.6 of \"Password\" does not lie in 0..1 (line 42 column 9)",
        ),
        (
            "50.0<",
            "-50.0<",
            "the cost -50 of \"Password\" is negative (line 41 column 9)",
        ),
        (
            "50.0<",
            "Infinity<",
            "\"Infinity\" is not a finite number (line 41 column 9)",
        ),
        (
            "refinement=\"conjunctive\"",
            "refinement=\"xor\"",
            "the refinement \"xor\" is not disjunctive, conjunctive or sequential (line 5 column 5)",
        ),
        (
            "<comment>",
            "<remark/><comment>",
            "<node> has no <remark> (line 7 column 7)",
        ),
        (
            "predefined.MinCost",
            "predefined.Guess",
            "the domain \"MinCost1\" is not known: say what it is with --attribute MinCost1=sum|max|product (line 49 column 3)",
        ),
        (
            "id=\"ProbSucc2\"",
            "id=\"MinCost1\"",
            "the domain \"MinCost1\" is defined twice (line 53 column 3)",
        ),
        (
            "<adtree>",
            "<adtree colour=\"red\">",
            "<adtree> has no attribute \"colour\" (line 2 column 9)",
        ),
        (
            "refinement=\"conjunctive\"",
            "refinement=\"conjunctive\" switchrole=\"yes\"",
            "<node> has no attribute \"switchrole\" (did you mean `switchRole`?) (line 5 column 36)",
        ),
        (
            "<comment>",
            "and then <comment>",
            "<node> has no text, as \"and then\" (line 6 column 25)",
        ),
        (
            "<label>PIN</label>",
            "<label>PIN</label><label>pin</label>",
            "<node> has a second <label> (line 10 column 27)",
        ),
        (
            "50.0<",
            "50.0<x/><",
            "<parameter> has no <x> (line 41 column 61)",
        ),
        (
            "50.0<",
            "H<",
            "\"H\" is not a finite number (line 41 column 9)",
        ),
        (
            "category=\"basic\"",
            "category=\"Derived\"",
            "the category \"Derived\" is not basic or derived (line 13 column 11)",
        ),
        (
            "<adtree>",
            "<adtree xmlns=\"other\">",
            "<adtree> of the name space \"other\" is not known (line 2 column 1)",
        ),
        (
            "UTF-8",
            "ISO-8859-1",
            "the encoding \"iso-8859-1\" is not read here, but UTF-8 (line 1 column 1)",
        ),
        (
            "<adtree>",
            "<tree>",
            "this is no XML: expected 'tree' tag, not 'adtree' at 57:1 (line 57 column 1)",
        ),
    ];
    let said = cases.map(|(old, new, sentence)| {
        let text = BANK.replacen(old, new, 1);
        let error = from_text(&text, None, &[]).expect_err(sentence);
        error.to_string()
    });
    assert_eq!(said, cases.map(|(_, _, sentence)| sentence));
    let missing = BANK.replacen(
        "<parameter category=\"basic\" domainId=\"ProbSucc2\">0.6</parameter>",
        "",
        1,
    );
    let error = from_text(&missing, None, &[]).expect_err("a missing value");
    assert!(
        error
            .to_string()
            .starts_with("\"Password\" has no value for the attribute \"p\" (line "),
        "{error}"
    );
}

fn given(all: &[&str]) -> Vec<Attribute> {
    let all = all.iter().map(|text| text.parse());
    all.collect::<Result<_, _>>().expect("NAME=RULE")
}

#[test]
fn unknown_domains_are_said() {
    let text = BANK.replace("predefined.MinCost", "predefined.Guess");
    let tree = from_text(&text, None, &given(&["Guess=max"])).expect("a tree");
    let found = json(&tree, |_| ());
    assert_eq!(found["best"]["Guess"], 30);
}

/// What is said of domains is about one that is not known, and is said once.
#[test]
fn nothing_is_said_of_domains_in_vain() {
    let unknown = BANK.replace("predefined.MinCost", "predefined.Guess");
    let cases: [(&str, &[&str], &str); 5] = [
        (
            &unknown,
            &["MinCost1=sum", "D9=max"],
            "there is no domain \"D9\"",
        ),
        (
            &unknown,
            &["MinCost1=sum", "ProbSuc2=max"],
            "there is no domain \"ProbSuc2\" (did you mean `ProbSucc2`?)",
        ),
        (
            &unknown,
            &["MinCost1=sum", "MinCost1=max"],
            "it is said twice what the domain \"MinCost1\" is: --attribute MinCost1=sum, --attribute MinCost1=max (line 49 column 3)",
        ),
        (
            &unknown,
            &["Guess=sum", "MinCost1=sum"],
            "it is said twice what the domain \"MinCost1\" is: --attribute Guess=sum, --attribute MinCost1=sum (line 49 column 3)",
        ),
        (
            BANK,
            &["MinCost1=max"],
            "the domain \"MinCost1\" is known (cost, sum), and --attribute MinCost1=max is for those that are not (line 49 column 3)",
        ),
    ];
    for (text, said, sentence) in cases {
        let error = from_text(text, None, &given(said)).expect_err(sentence);
        assert_eq!(error.to_string(), sentence);
    }
}

/// A label that is countered at one place and not at another.
#[test]
fn a_countermeasure_may_stand_at_one_place() {
    let text = "<adtree><node refinement=\"disjunctive\"><label>r</label>\
        <node refinement=\"conjunctive\"><label>x</label>\
          <node><label>a</label><node switchRole=\"yes\"><label>d</label></node></node>\
          <node><label>b</label></node></node>\
        <node refinement=\"conjunctive\"><label>y</label>\
          <node><label>a</label></node><node><label>c</label></node></node>\
        </node></adtree>";
    let tree = from_text(text, None, &[]).expect("a tree");
    assert_eq!(json(&tree, |_| ())["count"], "2");
    assert!(
        tree.nodes()
            .iter()
            .any(|node| node.name == "a against d" && node.counters.len() == 1)
    );
}

/// The name of the gate that stands for a label with its countermeasure is no label of the file.
#[test]
fn a_label_may_read_like_one_with_a_countermeasure() {
    let text = |last: &str| {
        format!(
            "<adtree><node><label>r</label>\
             <node refinement=\"conjunctive\"><label>x</label>\
               <node><label>a</label><node switchRole=\"yes\"><label>d</label></node></node>\
               <node><label>b</label></node></node>\
             <node refinement=\"conjunctive\"><label>y</label>\
               <node><label>a</label></node><node><label>{last}</label></node></node>\
             </node></adtree>"
        )
    };
    for last in ["c", "a against d"] {
        let tree = from_text(&text(last), None, &[]).expect("a tree");
        assert_eq!(json(&tree, |_| ())["count"], "2", "{last}");
    }
}

/// A comment or an entity within a value or a label does not end it.
#[test]
fn values_and_labels_are_read_whole() {
    let text = "<adtree><node><label>r</label><node><label>a<!-- the first -->1</label>\
        <parameter domainId=\"MinCost1\">1<!-- and -->&#48;0</parameter></node></node></adtree>";
    let tree = from_text(text, None, &[]).expect("a tree");
    assert!(tree.nodes().iter().any(|node| node.name == "a1"));
    assert_eq!(json(&tree, |_| ())["best"]["cost"], 100.0);
}

/// Two attributes of one class, of which the second is known by its id.
#[test]
fn two_attributes_of_one_class_are_written_and_read() {
    let text = "attribute MinCost2 sum\nattribute cost sum\ntop = and a b\n\
                a cost=1 MinCost2=5\nb cost=2 MinCost2=7\n";
    let tree = from_text(text, None, &[]).expect("a tree");
    let written = to_adtool(&tree).expect("both have a class");
    let again = from_text(&written, None, &[]).unwrap_or_else(|error| panic!("{error}: {written}"));
    let best = |tree: &AttackTree| json(tree, |_| ())["best"].clone();
    for tree in [&tree, &again] {
        let best = best(tree);
        let best = best.as_object().expect("an object");
        let mut values: Vec<f64> = best
            .values()
            .filter_map(serde_json::Value::as_f64)
            .collect();
        values.sort_by(f64::total_cmp);
        assert_eq!(values, [3.0, 12.0], "{written}");
    }
}

/// What ADTool would read as another tree is not written.
#[test]
fn what_adtool_has_not_is_not_written() {
    for (text, sentence) in [
        (
            "attribute MinCost max\ntop = and a b\na MinCost=2\nb MinCost=4\n",
            "the attribute \"MinCost\" has the name of a domain of ADTool, which combines values by sum",
        ),
        (
            "attribute cost sum\ntop = or a b\na cost=2 damage=3\nb cost=4\n",
            "\"a\" has a damage, which ADTool does not support",
        ),
    ] {
        let tree = from_text(text, None, &[]).expect("a tree");
        assert_eq!(to_adtool(&tree).expect_err(sentence).to_string(), sentence);
    }
}
