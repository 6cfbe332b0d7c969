//! Models: what is read, and what is refused by its name and place.

use std::time::Duration;

use meetjoin_faults::{Analysis, BigUint, Sets, fault_tree_from_text};
use meetjoin_lattice::{Budget, Limits, Stop};

#[test]
fn what_is_not_understood_is_refused_by_its_place() {
    for (text, expected) in [
        (
            "top = or a, b\na = 0.1\n",
            r#"the name "a," has a mark that names do not have; arguments stand between spaces (line 1 column 11)"#,
        ),
        (
            "top = or a b\nc = 0.1\n",
            r#"no gate mentions "c" (line 2 column 1)"#,
        ),
        (
            "top = or a b\nc = true\n",
            r#"no gate mentions "c" (line 2 column 1)"#,
        ),
        (
            "top = or (a b)\n",
            r#"the name "(a" has a mark that names do not have; arguments stand between spaces (line 1 column 10)"#,
        ),
        (
            "top = and a&b c\n",
            r#"the name "a&b" has a mark that names do not have; arguments stand between spaces (line 1 column 12)"#,
        ),
        (
            "t;p = and a b\n",
            r#"the name "t;p" has a mark that names do not have; arguments stand between spaces (line 1 column 2)"#,
        ),
    ] {
        let error = fault_tree_from_text(text, None).expect_err("not understood");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn names_are_any_other_text() {
    let text =
        "top = or pump-1 valve/2 Ünit.3 a'b\npump-1 = 0.1 # a comment, with commas (and more)\n";
    let tree = fault_tree_from_text(text, None).expect("a tree");
    let names: Vec<&str> = tree.events().iter().map(|event| &*event.name).collect();
    assert_eq!(names, ["pump-1", "valve/2", "Ünit.3", "a'b"]);
    // What is asked about need not be mentioned.
    assert!(fault_tree_from_text("top = or a b\nc = 0.1\n", Some("c")).is_ok());
}

/// A model of two events under a gate, with these places filled in.
fn model(gate: &str, inside: &str, after: &str) -> String {
    let events = r#"<define-basic-event name="a"><float value="0.1"/></define-basic-event>
<define-basic-event name="b"><float value="0.1"/></define-basic-event>"#;
    format!(
        r#"<opsa-mef>
<define-fault-tree name="t"><define-gate name="top">{gate}</define-gate>{inside}</define-fault-tree>
<model-data>{events}</model-data>
{after}
</opsa-mef>"#
    )
}

const AND: &str = r#"<and><event name="a"/><event name="b"/></and>"#;

#[test]
fn what_a_model_says_besides_is_refused_by_its_place() {
    let read = |text: &str| fault_tree_from_text(text, None);
    assert!(read(&model(AND, "", "")).is_ok());
    for (gate, inside, after, expected, mark) in [
        (
            AND,
            "",
            r#"<define-CCF-group name="c" model="beta-factor"><members><basic-event name="a"/><basic-event name="b"/></members></define-CCF-group>"#,
            r#"the group "c" has no distribution"#,
            "<define-CCF",
        ),
        (
            AND,
            "",
            r#"<include file="more.xml"/>"#,
            "<include> in <opsa-mef> is not read here",
            "<include",
        ),
        (
            AND,
            "",
            r#"<define-substitution name="s"/>"#,
            r#"the substitution "s" needs a hypothesis and a target"#,
            "<define-sub",
        ),
        (
            AND,
            "",
            r#"<define-event-tree name="e"/>"#,
            r#"the event tree "e" has no initial state"#,
            "<define-event-tree",
        ),
        (
            AND,
            r#"<define-basic-evnt name="c"/>"#,
            "",
            "<define-basic-evnt> in <define-fault-tree> is not read here (did you mean `define-basic-event`?)",
            "<define-basic-evnt",
        ),
        (
            r#"<atleast min="1" max="1"><event name="a"/><event name="b"/></atleast>"#,
            "",
            "",
            r#"the attribute "max" of <atleast> is not read here"#,
            "max=",
        ),
        (
            r#"<and>not<event name="a"/><event name="b"/></and>"#,
            "",
            "",
            "text in <and> is not read here",
            "not<",
        ),
        (
            r#"<and><event name="a"><not/></event><event name="b"/></and>"#,
            "",
            "",
            "<not> in <event> is not read here",
            "<not/>",
        ),
        (
            AND,
            r#"<define-component name="c" rol="private"/>"#,
            "",
            r#"the attribute "rol" of <define-component> is not read here (did you mean `role`?)"#,
            "rol=",
        ),
    ] {
        let text = model(gate, inside, after);
        let before = &text[..text.find(mark).expect("the mark")];
        let (line, column) = (
            before.matches('\n').count() + 1,
            before.len() - before.rfind('\n').map_or(0, |end| end + 1) + 1,
        );
        let error = read(&text).expect_err("not understood");
        let expected = format!("{expected} (line {line} column {column})");
        assert_eq!(error.to_string(), expected);
    }
}

/// What would cost its square is refused before it does.
#[test]
fn what_is_too_long_is_refused() {
    let read = |text: &str| {
        let wrong = fault_tree_from_text(text, None).expect_err("too long");
        wrong.to_string()
    };
    let attributes: Vec<String> = (0..100_000).map(|i| format!(" xmlns:a{i}='>'")).collect();
    let attributes = attributes.concat();
    let many = model(AND, &format!("<define-gate name=\"h\"{attributes}/>"), "");
    assert!(read(&many).contains("more than 1000 name spaces"));
    let deep = 40_000;
    let open: Vec<String> = (0..deep)
        .map(|i| format!("<define-component name=\"c{i}\">"))
        .collect();
    let open = open.concat();
    let nested = format!("{open}{}", "</define-component>".repeat(deep));
    assert!(read(&model(AND, &nested, "")).contains("more than 4096 bytes"));
    // Quotes, comments and the like are no attributes.
    let quotes = "<!-- \"\" ' -->".repeat(2000) + "<?x \"a\" \"b\"?>";
    assert!(fault_tree_from_text(&model(AND, &quotes, ""), None).is_ok());
}

#[test]
fn what_is_wrong_with_the_xml_is_said_to_the_end() {
    let wrong = fault_tree_from_text(r#"<opsa-mef name="a" name="b"></opsa-mef>"#, None);
    let said = wrong.expect_err("twice").to_string();
    assert_eq!(
        said,
        "this is no XML: attribute 'name' is already defined (line 1 column 20)"
    );
}

#[test]
fn other_name_spaces_and_roles_are_refused() {
    let read = |text: &str| fault_tree_from_text(text, None).map_err(|wrong| wrong.to_string());
    let foreign = model(AND, r#"<x:label xmlns:x="urn:x">a note</x:label>"#, "");
    assert!(
        read(&foreign)
            .expect_err("foreign")
            .contains("another name space")
    );
    let event = r#"<model-data><define-basic-event name="z" role="secret"><float value="0.1"/></define-basic-event></model-data>"#;
    assert!(
        read(&model(AND, "", event))
            .expect_err("a role")
            .contains("role=\"secret\"")
    );
}

/// A chain of gates is as much work as it is long.
#[test]
fn long_chains_take_no_square() {
    let chain = |kinds: [&str; 2], gates: usize| {
        let gate = |i: usize| format!("g{i} = {} e{i} g{}\n", kinds[i % 2], i + 1);
        let all: String = (0..gates).map(gate).collect();
        fault_tree_from_text(&format!("{all}g{gates} = or x y\n"), None).expect("a tree")
    };
    // Made once for each end, this had 450 million arguments.
    let tree = chain(["or", "or"], 30_000);
    let budget = Budget::unlimited();
    let analysis = Analysis::of(&tree, Sets::Cuts, &budget);
    assert_eq!(analysis.modules.len(), 1);
    let tree = chain(["or", "and"], 30_000);
    let analysis = Analysis::of(&tree, Sets::Cuts, &budget);
    let counts = analysis.by_order(&budget).expect("no limit");
    assert_eq!(
        counts
            .iter()
            .filter(|count| **count != 0_u32.into())
            .count(),
        15_001
    );
    // With lists over the whole formula for each of its modules, these had 60 billion places.
    let tree = chain(["or", "and"], 200_000);
    let analysis = Analysis::of(&tree, Sets::Cuts, &budget);
    assert_eq!(analysis.modules.len(), 200_001);
    // Their sets of each order are a square of numbers, of which a limit leaves some out.
    let limits = Limits {
        steps: Some(1 << 20),
        ..Limits::default()
    };
    let limited = Budget::new(limits);
    assert_eq!(analysis.by_order(&limited), Err(Stop::Time));
    assert!(limited.steps_made() < 1 << 21);
    // And a limit of time does not begin with every module that is left.
    let limits = Limits {
        time: Some(Duration::ZERO),
        ..Limits::default()
    };
    let stopped = Analysis::of(&tree, Sets::Cuts, &Budget::new(limits));
    assert_eq!(stopped.stop, Some(Stop::Time));
    assert!(stopped.modules.len() < analysis.modules.len());
    let events = vec![0.5; tree.events().len()];
    let [exact, bounds] =
        [&analysis, &stopped].map(|found| found.probability(&events, &budget).expect("no limit"));
    assert!(bounds.0 <= exact.0 && exact.0 == exact.1 && exact.1 <= bounds.1);
}

/// Many factors are as much work as they are products.
#[test]
fn many_factors_take_no_square() {
    const FACTORS: usize = 100_000;
    let products = |i: usize| format!("p{i} = and a{i} b{i}\nq{i} = and a{i} c{i}\n");
    let mut text: String = (0..FACTORS).map(products).collect();
    text += "top = or";
    for i in 0..FACTORS {
        text += &format!(" p{i} q{i}");
    }
    let tree = fault_tree_from_text(&text, None).expect("a tree");
    let budget = Budget::unlimited();
    // Counted anew for each of them, these had 40 billion arguments.
    let analysis = Analysis::of(&tree, Sets::Cuts, &budget);
    let counts = analysis.by_order(&budget).expect("no limit");
    assert_eq!(counts, [0_usize, 0, 2 * FACTORS].map(BigUint::from));
}

#[test]
fn labels_attributes_and_the_place_of_a_schema_say_nothing_of_the_model() {
    let text = model(
        AND,
        r#"<label>words</label><attributes><attribute name="n" value="v" type="t"/></attributes>"#,
        "",
    );
    let schema = r#"<opsa-mef xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="mef.xsd">"#;
    let text = text.replace("<opsa-mef>", schema);
    assert!(fault_tree_from_text(&text, None).is_ok());
}

/// What an event tree or a substitution asks about a gate makes it no part of another.
#[test]
fn event_trees_use_no_gates() {
    let after = r#"<define-initiating-event name="i" event-tree="e"/><define-event-tree name="e"><define-sequence name="s"/><initial-state><collect-formula><not><gate name="top"/></not></collect-formula><sequence name="s"/></initial-state></define-event-tree>"#;
    let inside = r#"<define-gate name="inner"><not><gate name="top"/></not></define-gate>"#;
    let top = |text: &str| {
        let tree = fault_tree_from_text(text, None).expect("one top");
        match tree.top() {
            meetjoin_faults::tree::Argument::Gate(gate) => tree.gates()[gate as usize].name.clone(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(top(&model(AND, "", after)).as_deref(), Some("top"));
    assert_eq!(top(&model(AND, inside, after)).as_deref(), Some("inner"));
}
