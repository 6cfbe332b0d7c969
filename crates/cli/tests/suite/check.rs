//! `meetjoin check`: figures of the graph, and whether bounds are true.

use crate::support::{EXAMPLE, M3, Scratch, leaf, meetjoin, problem, refused, solve};

const SETS: &str = r#"{"type":"powerset","v":3}"#;
const LEAVES: &str =
    r#"{"id":"x","kind":"leaf","value":[1,2]},{"id":"y","kind":"leaf","value":[2,3]}"#;

fn check(problem: &str, args: &[&str]) -> String {
    let run = meetjoin(&[&["check", "-"], args].concat(), problem);
    assert_eq!((run.status, &*run.err), (Some(0), ""), "{problem}");
    run.out
}

#[test]
fn figures_of_the_example() {
    let figures = "\
nodes      4 (0 unreachable)
reachable  4: 1 AND, 1 OR, 2 leaves
edges      5
depth      2
width      2
in-degree  at most 2, mean 1.67; 1: 1, 2: 2, 3+: 0 nodes
paths      4
";
    assert_eq!(check(EXAMPLE, &[]), figures);
    let bounds = "bounds     all 1 admissible, consistent\n";
    assert_eq!(check(EXAMPLE, &["--bounds"]), format!("{figures}{bounds}"));
}

#[test]
fn unreachable_nodes_are_counted_and_otherwise_ignored() {
    let nodes = format!(
        r#"{{"id":1,"kind":"or","children":["x"]}},{LEAVES},{{"id":2,"kind":"and","children":["y",1]}}"#
    );
    let text = check(&problem(SETS, &nodes), &[]);
    assert!(
        text.starts_with("nodes      4 (2 unreachable)\nreachable  2: 0 AND, 1 OR, 1 leaves\n"),
        "{text}"
    );
    assert!(
        text.contains("\nedges      1\n") && text.ends_with("\npaths      1\n"),
        "{text}"
    );
}

#[test]
fn a_lone_leaf_and_a_long_ladder() {
    let text = check(&leaf(M3, "\"a\""), &["--bounds"]);
    assert!(text.contains("\ndepth      0\nwidth      1\n"), "{text}");
    assert!(
        text.ends_with("\npaths      1\nbounds     none in the file\n"),
        "{text}"
    );
    let text = check(&crate::support::ladder(60), &[]);
    assert!(
        text.ends_with(&format!("\npaths      {}\n", 1_u64 << 60)),
        "{text}"
    );
    let text = check(&crate::support::ladder(200), &[]);
    assert!(
        text.ends_with(&format!("\npaths      {} or more\n", u128::MAX)),
        "{text}"
    );
}

/// r = a OR y = {2,3}, a = x AND y = {2}, with these bounds of r and a.
fn bounded(root: &str, a: &str) -> String {
    let nodes = format!(
        r#"{{"id":1,"kind":"or","children":["a","y"]{root}}},{{"id":"a","kind":"and","children":["x","y"]{a}}},{LEAVES}"#
    );
    problem(SETS, &nodes)
}

#[test]
fn true_bounds_are_counted_and_judged() {
    for (root, a, expected) in [
        ("", "", "none in the file"),
        (
            r#","lower":"bottom""#,
            r#","upper":"top""#,
            "none in the file",
        ),
        (r#","lower":[2]"#, "", "all 1 admissible, consistent"),
        (
            r#","lower":[3],"upper":[2,3]"#,
            r#","lower":[2],"upper":[2]"#,
            "all 2 admissible, consistent",
        ),
        // At an OR node no child's upper bound may lie above the node's; `a` has none, so it is the
        // top.
        (
            r#","upper":[2,3]"#,
            "",
            r#"all 1 admissible, not consistent: child "a" of node 1 has weaker ones"#,
        ),
        (
            r#","upper":[2,3]"#,
            r#","upper":[1,2]"#,
            r#"all 2 admissible, not consistent: child "a" of node 1 has weaker ones"#,
        ),
        (
            r#","upper":[2,3]"#,
            r#","upper":[2,3]"#,
            "all 2 admissible, consistent",
        ),
    ] {
        let text = check(&bounded(root, a), &["--bounds"]);
        assert_eq!(
            text.lines().next_back(),
            Some(&*format!("bounds     {expected}"))
        );
    }
    // At an AND node no child's lower bound may lie below the node's.
    let nodes = format!(
        r#"{{"id":1,"kind":"and","children":["b","y"],"lower":[2]}},{{"id":"b","kind":"or","children":["x"]}},{LEAVES}"#
    );
    let text = check(&problem(SETS, &nodes), &["--bounds"]);
    assert!(
        text.ends_with("not consistent: child \"b\" of node 1 has weaker ones\n"),
        "{text}"
    );
}

#[test]
fn false_bounds_are_refused_with_their_node() {
    let scratch = Scratch::new("check-bounds");
    for (root, a, expected) in [
        (
            r#","lower":[1]"#,
            "",
            "node 1: the lower bound [1] is not below its value [2,3]",
        ),
        (
            "",
            r#","lower":[2,3]"#,
            r#"node "a": the lower bound [2,3] is not below its value [2]"#,
        ),
        (
            r#","upper":[3]"#,
            "",
            "node 1: the upper bound [3] is not above its value [2,3]",
        ),
        (
            "",
            r#","upper":[]"#,
            r#"node "a": the upper bound [] is not above its value [2]"#,
        ),
    ] {
        let problem = bounded(root, a);
        let run = meetjoin(&["check", "-", "--bounds"], &problem);
        assert_eq!(refused(&run), format!("standard input: {expected}"));
        let file = scratch.file("p.json", &problem);
        let run = meetjoin(&["check", "--bounds", &file], "");
        assert_eq!(refused(&run), format!("{file}: {expected}"));
        // Without the option nobody looks.
        check(&problem, &[]);
    }
}

#[test]
fn bounds_are_judged_in_any_lattice() {
    let nodes = |lower: &str| {
        format!(
            r#"{{"id":1,"kind":"or","children":[2,3],"lower":"{lower}"}},{{"id":2,"kind":"leaf","value":"a"}},{{"id":3,"kind":"leaf","value":"b"}}"#
        )
    };
    let text = check(&problem(M3, &nodes("c")), &["--bounds"]);
    assert!(
        text.ends_with("bounds     all 1 admissible, consistent\n"),
        "{text}"
    );
    let meet = problem(M3, &nodes("c")).replace("\"or\"", "\"and\"");
    let run = meetjoin(&["check", "-", "--bounds"], &meet);
    let expected = r#"standard input: node 1: the lower bound "c" is not below its value "0""#;
    assert_eq!(refused(&run), expected);
}

/// Bounds that contradict each other are bad input, not an answer, wherever a search can see it.
#[test]
fn bounds_that_contradict_each_other_are_no_answer() {
    let problem = r#"{"format":"meetjoin-problem/1","lattice":{"type":"powerset","v":4},"root":"r","nodes":[
        {"id":"r","kind":"or","children":["a","x"],"lower":[4]},{"id":"a","kind":"and","children":["x","y"],"upper":[1]},
        {"id":"x","kind":"leaf","value":[1,2]},{"id":"y","kind":"leaf","value":[2,3]}]}"#;
    for args in [&[][..], &["--json"], &["--moves"]] {
        let sentence = refused(&solve(problem, args)).to_owned();
        assert!(sentence.contains("contradict each other"), "{sentence}");
    }
}
