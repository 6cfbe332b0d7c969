//! Plain text and fault trees: what is read, and what is refused with which sentence.

use meetjoin_attacks::{from_fault_tree, from_text};
use meetjoin_faults::fault_tree_from_text;

use crate::known::json;

/// Text, and the sentence with which it is refused.
const REFUSED: &[(&str, &str)] = &[
    ("", "there is no gate"),
    (
        "a = or b\nb = and a",
        "\"a\" depends on itself (line 1 column 1)",
    ),
    (
        "r = or a\nd counters a\nd = and a",
        "\"a\" depends on itself (line 1 column 8)",
    ),
    (
        "attribute cost sum\nr = or a b\na cost=1",
        "\"b\" has no value for the attribute \"cost\" (line 2 column 10)",
    ),
    (
        "attribute cost sum\nr = or a\na cost=1\ndefence d\nd counters a",
        "\"d\" has no value for the attribute \"cost\" (line 4 column 9)",
    ),
    (
        "attribute cost sum\nr = or a\na cost=-1",
        "the cost -1 of \"a\" is negative (line 3 column 3)",
    ),
    (
        "attribute cost sum\nr = or a\na cost=inf",
        "\"inf\" is not a finite number (line 3 column 8)",
    ),
    (
        "attribute skill max\nr = or a\na skill=NaN",
        "\"NaN\" is not a finite number (line 3 column 9)",
    ),
    (
        "attribute p product\nr = or a\na p=1.5",
        "the p 1.5 of \"a\" does not lie in 0..1 (line 3 column 3)",
    ),
    (
        "r = or a\nb counters a",
        "\"b\" counters \"a\", which is of its own side (line 1 column 8)",
    ),
    (
        "r = or a d\ndefence d",
        "the gate \"r\" is about \"d\", which is of the other side than its others (line 1 column 1)",
    ),
    (
        "r = or d\ndefence d",
        "the root \"r\" is the defender's (line 1 column 1)",
    ),
    (
        "r = or",
        "the gate \"r\" has no arguments (line 1 column 1)",
    ),
    (
        "r =",
        "\"r\" needs a gate after its =: or, and, K of, sand (line 1 column 1)",
    ),
    (
        "r = 3 of a b",
        "the gate \"r\" asks for at least 3 of 2 arguments (line 1 column 1)",
    ),
    (
        "r = 0 of a b",
        "the gate \"r\" asks for at least 0 of 2 arguments (line 1 column 1)",
    ),
    (
        "r = x of a b",
        "what stands before \"of\" must be a positive integer (line 1 column 5)",
    ),
    (
        "r = xor a b",
        "\"xor\" is a gate of fault trees, which `meetjoin cuts` reads; those of attack trees are or, and, K of, sand (line 1 column 5)",
    ),
    (
        "r = some a b",
        "the gates are or, and, K of, sand (line 1 column 5)",
    ),
    (
        "r = or and b",
        "\"and\" is not a name: a line has one gate, before its arguments (line 1 column 8)",
    ),
    (
        "r = sand 2 of a b",
        "\"of\" is not a name: a line has one gate, before its arguments (line 1 column 12)",
    ),
    (
        "r = or a b\n a = 0.5",
        "this is a line of a fault tree, and `meetjoin cuts` reads those (line 2 column 2)",
    ),
    (
        "r = nand a b\na = false",
        "this is a line of a fault tree, and `meetjoin cuts` reads those (line 2 column 1)",
    ),
    (
        "toplevel \"r\";\n\"r\" or \"a\" \"b\";",
        "this is a line of a fault tree, and `meetjoin cuts` reads those (line 1 column 1)",
    ),
    (
        "r = or a\ns = and b",
        "2 gates are used by no other (r, s): name the root with --top",
    ),
    (
        "r = or a\nr = and b",
        "\"r\" is defined twice (line 2 column 1)",
    ),
    (
        "r = or a, b",
        "the name \"a,\" has a mark that names do not have (line 1 column 9)",
    ),
    (
        "attribute cost avg\nr = or a",
        "the rules of attributes are sum, max, product (line 1 column 16)",
    ),
    (
        "attribute cost sum\nattribute cost max\nr = or a",
        "the attribute \"cost\" is declared twice (line 2 column 11)",
    ),
    (
        "r = or a\na cost=1",
        "there is no attribute \"cost\": declare it first (line 2 column 3)",
    ),
    (
        "attribute cost sum\nr = or a\na cost=1 cost=2",
        "\"a\" has two values for \"cost\" (line 3 column 10)",
    ),
    (
        "t = or a\nt damage=1 damage=3",
        "\"t\" has two values for \"damage\" (line 2 column 12)",
    ),
    (
        "attribute cost sum\nr = or a\na cost=1\na damage=1 damage=3",
        "\"a\" has two values for \"damage\" (line 4 column 12)",
    ),
    (
        "t = or a\nt damage=1\nt damage=3",
        "\"t\" has two values for \"damage\" (line 3 column 3)",
    ),
    (
        "t = or a\nt damage=1 2",
        "what follows a name is ATTRIBUTE=VALUE (line 2 column 12)",
    ),
    (
        "attribute cost sum\nr = or a\na cost=1\na cost=1",
        "\"a\" is defined twice (line 4 column 1)",
    ),
    (
        "attribute cost sum\nr = or a\na cost=x",
        "\"x\" is not a finite number (line 3 column 8)",
    ),
    (
        "attribute cost sum\nr = or a\na cost=1e400",
        "\"1e400\" is not a finite number (line 3 column 8)",
    ),
    (
        "attribute cost sum\nr = or a\na cost=1 2",
        "what follows a name is ATTRIBUTE=VALUE (line 3 column 10)",
    ),
    (
        "r = or a\nd damage=3\nd counters a\ndefence d",
        "the damage 3 of \"d\" is of the defender's side, which does none (line 2 column 3)",
    ),
    (
        "r = or a\nr damage=-3",
        "the damage -3 of \"r\" is negative or not finite (line 2 column 3)",
    ),
    (
        "attribute damage sum\nr = or a",
        "\"damage\" is no attribute of attacks: nodes have it (line 1 column 11)",
    ),
    (
        "attribute cost sum\nr = or a b\na cost=1e15\nb cost=0.001",
        "the values of \"cost\" have together more than 15 digits",
    ),
];

#[test]
fn bad_input_is_one_sentence_with_the_place() {
    for &(text, sentence) in REFUSED {
        match from_text(text, None, &[]) {
            Ok(tree) => panic!("{text:?} is read as {tree:?}"),
            Err(error) => assert_eq!(error.to_string(), sentence, "{text:?}"),
        }
    }
    let error = from_text("r", None, &[]).expect_err("no line");
    assert!(
        error.to_string().starts_with("a line is NAME = "),
        "{error}"
    );
    let error = from_text("r = or a", Some("a"), &[]).expect_err("no gate");
    assert_eq!(error.to_string(), "there is no gate \"a\"");
}

#[test]
fn a_mark_of_byte_order_is_no_letter() {
    assert!(from_text("\u{feff}r = or a", None, &[]).is_ok());
    let error = from_text("\u{feff}r = xor a", None, &[]).expect_err("no gate");
    assert!(error.to_string().ends_with("(line 1 column 5)"), "{error}");
}

#[test]
fn a_gate_of_values_is_refused() {
    let text = "attribute cost sum\nr = or a\nr cost=3\na cost=1";
    let error = from_text(text, None, &[]).expect_err("a gate");
    assert_eq!(
        error.to_string(),
        "\"r\" is defined twice (line 3 column 1)"
    );
}

#[test]
fn the_root_may_be_named() {
    let text = "r = or a\ns = and b c # not asked about";
    let tree = from_text(text, Some("s"), &[]).expect("a tree");
    let found = json(&tree, |_| ());
    assert_eq!(
        (&found["count"], found["unused"].to_string()),
        (&"1".into(), "[\"r\",\"a\"]".to_owned())
    );
}

/// A hundred thousand gates, one below the other, of both sides in turn.
#[test]
fn depth_is_no_limit() {
    use std::fmt::Write as _;
    let mut text =
        "attribute cost sum\ndefence d cost=1\ng0 = or a\na cost=1\nd counters a\n".to_owned();
    for gate in 1..100_000 {
        let _ = writeln!(
            text,
            "g{gate} = {} g{} b{gate}\nb{gate} cost=1",
            ["and", "or"][gate % 2],
            gate - 1
        );
    }
    let tree = from_text(&text, None, &[]).expect("a tree");
    let found = json(&tree, |request| request.defences = true);
    assert_eq!(found["best"]["cost"], 1);
}

#[test]
fn fault_trees_are_attack_trees() {
    let text = "top = or pump both\npump = 2 of p1 p2 p3\nboth = and valve h1\np1 = 0.5\np2 = 0.5\np3 = 0.5\nvalve = 0.25\nh1 = true";
    let faults = fault_tree_from_text(text, None).expect("a fault tree");
    let tree = from_fault_tree(&faults, &[]).expect("an attack tree");
    let found = json(&tree, |_| ());
    assert_eq!(found["count"], "4");
    assert_eq!(found["probability"], 0.625);
    assert_eq!(found["best"]["p"], 0.25);
    // Of constants there are those that the file mentions, and not one more.
    assert_eq!(found["unused"].to_string(), "[]");
    let names = tree.nodes().iter().map(|node| node.name.as_str());
    let constants: Vec<&str> = names
        .filter(|name| ["true", "false"].contains(name))
        .collect();
    assert_eq!(constants, ["true"]);
    let text = "top = and a n\nn = not b";
    let faults = fault_tree_from_text(text, None).expect("a fault tree");
    let error = from_fault_tree(&faults, &[]).expect_err("a negation");
    assert_eq!(
        error.to_string(),
        "the gate \"n\" is a \"not\" gate, and attack trees have only AND, OR and K-of-N gates; \
         `meetjoin cuts` reads it as a fault tree"
    );
    // A formula without a name is known by the gate that it is in.
    let formula =
        "<or><event name=\"a\"/><and><not><event name=\"b\"/></not><event name=\"a\"/></and></or>";
    let text = format!(
        "<opsa-mef><define-fault-tree name=\"t\"><define-gate name=\"top\">{formula}</define-gate>\
         <define-basic-event name=\"a\"/><define-basic-event name=\"b\"/></define-fault-tree></opsa-mef>"
    );
    let faults = fault_tree_from_text(&text, None).expect("a fault tree");
    let said = from_fault_tree(&faults, &[])
        .expect_err("a negation")
        .to_string();
    assert!(
        said.starts_with("a formula in the gate \"top\" is a \"not\" gate, "),
        "{said}"
    );
}
