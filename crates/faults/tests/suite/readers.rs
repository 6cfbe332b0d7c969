//! Plain text: what is read, and what is refused by its name and place.

use meetjoin_faults::fault_tree_from_text;

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
