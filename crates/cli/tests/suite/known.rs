//! Values worked out by hand, in every lattice, under every algorithm that may run on it.

use std::fmt::Write as _;

use meetjoin_catalogue::method::Needs;

use crate::support::{M3, algorithms, leaf, meetjoin, problem, solve, value};

/// A tree of leaves, ANDs and ORs.
struct Tree {
    kind: &'static str,
    value: &'static str,
    children: Vec<Tree>,
}

impl From<&'static str> for Tree {
    fn from(value: &'static str) -> Self {
        let (kind, children) = ("leaf", Vec::new());
        Tree {
            kind,
            value,
            children,
        }
    }
}

impl Tree {
    fn inner(kind: &'static str, children: Vec<Tree>) -> Self {
        Tree {
            kind,
            value: "",
            children,
        }
    }

    /// As a problem whose nodes are numbered in the order in which they stand.
    fn problem(&self, lattice: &str) -> String {
        let (mut nodes, mut next) = (Vec::new(), 1);
        self.push(&mut nodes, &mut next);
        problem(lattice, &nodes.join(","))
    }

    fn push(&self, nodes: &mut Vec<String>, next: &mut u32) -> u32 {
        let id = *next;
        *next += 1;
        let children: Vec<String> = self
            .children
            .iter()
            .map(|child| child.push(nodes, next).to_string())
            .collect();
        let mut node = format!(r#"{{"id":{id},"kind":"{}","#, self.kind);
        let _ = if children.is_empty() {
            write!(node, r#""value":{}}}"#, self.value)
        } else {
            write!(node, r#""children":[{}]}}"#, children.join(","))
        };
        nodes.push(node);
        id
    }
}

macro_rules! and { ($($child:expr),*) => { Tree::inner("and", vec![$(Tree::from($child)),*]) } }
macro_rules! or { ($($child:expr),*) => { Tree::inner("or", vec![$(Tree::from($child)),*]) } }

const BOOL: &str = r#"{"type":"bool"}"#;
const CHAIN: &str = r#"{"type":"chain"}"#;
const ENDS: &str = r#"{"type":"chain","lo":-3,"hi":9}"#;
const SETS: &str = r#"{"type":"powerset","v":3}"#;
const WIDE: &str = r#"{"type":"powerset","v":1100}"#;
const FAMILIES: &str = r#"{"type":"families","v":3}"#;
const POINTS: &str = r#"{"type":"product","dims":2}"#;
const PAIRS: &str = r#"{"type":"product","of":[{"type":"chain"},{"type":"powerset","v":2}]}"#;
const DIVISORS: &str = r#"{"type":"divisors","n":60}"#;
const DUAL_SETS: &str = r#"{"type":"dual","of":{"type":"powerset","v":3}}"#;
const DUAL_CHAIN: &str = r#"{"type":"dual","of":{"type":"chain"}}"#;
const DUAL_FAMILIES: &str = r#"{"type":"dual","of":{"type":"families","v":2}}"#;
const TWICE_DUAL: &str = r#"{"type":"dual","of":{"type":"dual","of":{"type":"divisors","n":60}}}"#;
const FREE: &str = r#"{"type":"free","dims":2}"#;
const SQUARE: &str = r#"{"type":"table","elements":["0","a","b","1"],
    "covers":[["0","a"],["0","b"],["a","1"],["b","1"]]}"#;
/// 0 < 1 < 2 < 4 and 0 < 3 < 4.
const N5: &str = r#"{"type":"table","size":5,"leq":[[1,1,1,1,1],[0,1,1,0,1],[0,0,1,0,1],[0,0,0,1,1],[0,0,0,0,1]]}"#;

/// Lattice, tree, printed value.
#[rustfmt::skip]
fn rows() -> Vec<(&'static str, Tree, &'static str)> {
    vec![
        (BOOL, or!["false", and!["true", "true"]], "true"),
        (BOOL, and!["\"top\"", or!["\"bottom\"", "false"]], "false"),
        (CHAIN, or!["-7", and!["3", "12"]], "3"),
        (CHAIN, and!["9223372036854775807", or!["-9223372036854775808"]], "-9223372036854775808"),
        (CHAIN, and!["\"+inf\"", "5"], "5"),
        (CHAIN, or!["\"-inf\"", "\"bottom\""], "\"-inf\""),
        (CHAIN, or!["\"top\"", "5"], "\"+inf\""),
        // One decimal makes all of them decimals.
        (CHAIN, or!["1", and!["2.5", "30"]], "2.5"),
        (CHAIN, and!["7", "7.25"], "7.0"),
        (CHAIN, or!["0.1", "1e-7"], "0.1"),
        (CHAIN, or!["1e300", "-0.0"], "1e300"),
        // Every bit is read and written back.
        (CHAIN, and!["-4.68887317872344e-302", "1.5"], "-4.68887317872344e-302"),
        (CHAIN, and!["-0.0", "\"+inf\""], "0.0"),
        (CHAIN, or!["\"-inf\"", and!["0.5", "\"bottom\""]], "\"-inf\""),
        // The ends of a chain are its bottom and top.
        (ENDS, and!["\"top\"", "9"], "9"),
        (ENDS, or!["\"bottom\"", "-3"], "-3"),
        (ENDS, or!["0.5", "\"bottom\""], "0.5"),
        (ENDS, and!["\"top\"", or!["8.5", "\"top\""]], "9.0"),
        (SETS, or!["[1]", and!["[1,2]", "[2,3]"]], "[1,2]"),
        (SETS, and!["[1]", "[2]"], "[]"),
        (SETS, or!["[]", and!["\"top\"", "[3]"]], "[3]"),
        (WIDE, or!["[1,1100]", and!["[2,65,129,1024,1025]", "[65,1025]"]], "[1,65,1025,1100]"),
        // A family is printed by its maximal sets: none is `[]`, the family of the empty set
        // `[[]]`.
        (FAMILIES, and!["[1]", "[2]"], "[[]]"),
        (FAMILIES, and!["\"bottom\"", "[1]"], "[]"),
        (FAMILIES, or!["\"bottom\"", "[]"], "[[]]"),
        (FAMILIES, or!["[1]", "[[]]"], "[[1]]"),
        (FAMILIES, and!["[[1,2],[3]]", "[[2,3],[1]]"], "[[1],[2],[3]]"),
        (FAMILIES, or!["[2,3]", and!["[1,2]", "[[1,3],[2]]"]], "[[1],[2,3]]"),
        (FAMILIES, or!["\"top\"", "[1]"], "[[1,2,3]]"),
        (POINTS, or![and!["[5,1]", "[4,8]"], "[2,2]"], "[4,2]"),
        (POINTS, and!["[\"-inf\",4]", "\"top\""], "[\"-inf\",4]"),
        (r#"{"type":"product","dims":2,"lo":0,"hi":9}"#, or!["\"bottom\"", "[0,3]"], "[0,3]"),
        (r#"{"type":"product","dims":0}"#, or!["[]", "\"bottom\""], "[]"),
        (PAIRS, or!["[1,[1]]", "[0,[2]]"], "[1,[1,2]]"),
        (PAIRS, and!["[1,[1]]", "[0.5,[2]]"], "[0.5,[]]"),
        (PAIRS, and!["[\"top\",[1,2]]", "\"top\""], "[\"+inf\",[1,2]]"),
        (DIVISORS, or!["4", "6"], "12"),
        (DIVISORS, and!["4", "6", or!["1", "\"top\""]], "2"),
        (DUAL_SETS, and!["[1]", "[2]"], "[1,2]"),
        (DUAL_SETS, or!["[1,2]", "[2,3]", "\"bottom\""], "[2]"),
        (DUAL_CHAIN, and!["3", or!["7", "5"]], "5"),
        (DUAL_CHAIN, or!["\"bottom\"", "\"+inf\""], "\"+inf\""),
        (DUAL_FAMILIES, or!["\"bottom\"", "[[1,2]]"], "[[1,2]]"),
        (DUAL_FAMILIES, and!["\"top\"", "\"top\""], "[]"),
        (TWICE_DUAL, or!["4", and!["6", "10"]], "4"),
        // A packet is the meet of its outcomes, a value the join of its packets.
        (FREE, or!["[1,2]", "[3,4]"], "[[[3,4]]]"),
        (FREE, and!["[1,2]", "[3,4]"], "[[[1,2]]]"),
        (FREE, and!["[3,2]", "[1,4]"], "[[[1,4],[3,2]]]"),
        (FREE, or!["[3,2]", "[1,4]"], "[[[1,4]],[[3,2]]]"),
        (FREE, and![or!["[1,4]", "[3,2]"], "[2,2]"], "[[[2,2]]]"),
        (FREE, and![or!["[1,4]", "[3,2]"], "[2,3]"], "[[[1,4],[2,3]],[[2,3],[3,2]]]"),
        (FREE, or!["[]", and!["\"bottom\"", "[1,1]"]], "[]"),
        (FREE, and!["[[]]", "\"top\""], "[[]]"),
        (SQUARE, or!["\"a\"", "\"b\""], "\"1\""),
        (SQUARE, and!["\"a\"", or!["\"b\"", "\"bottom\""]], "\"0\""),
        // Where nothing is distributive: these two would be equal.
        (M3, and!["\"a\"", or!["\"b\"", "\"c\""]], "\"a\""),
        (M3, or![and!["\"a\"", "\"b\""], and!["\"a\"", "\"c\""]], "\"0\""),
        (N5, or!["1", and!["2", "3"]], "1"),
        (N5, and!["2", or!["1", "3"]], "2"),
    ]
}

#[test]
fn values_are_those_found_by_hand() {
    for (lattice, tree, expected) in rows() {
        let problem = tree.problem(lattice);
        let distributive = lattice != M3 && lattice != N5;
        for algorithm in algorithms() {
            let runs = match algorithm.needs() {
                Needs::Lattice => true,
                Needs::Distributive => distributive,
                Needs::TotalOrder => [BOOL, CHAIN, ENDS, DUAL_CHAIN].contains(&lattice),
                Needs::JoinPrimes => false,
            };
            if runs {
                let found = value(&problem, &["--algorithm", algorithm.id]);
                assert_eq!(found, expected, "{} on {problem}", algorithm.id);
            }
        }
    }
}

#[test]
fn a_problem_written_again_is_the_same_problem() {
    for (lattice, tree, expected) in rows() {
        let first = meetjoin(&["generate", "-"], tree.problem(lattice));
        assert_eq!(first.status, Some(0), "{first:?}");
        let second = meetjoin(&["generate", "-"], &first.out);
        assert_eq!(first.out, second.out, "writing is idempotent");
        let again = value(&second.out, &["--algorithm", "minimax"]);
        assert_eq!(again, expected, "{}", second.out);
    }
}

#[test]
fn people_read_names_and_plain_numbers() {
    let named = |v: &str, worlds: &str| {
        let problem = leaf(r#"{"type":"LATTICE","v":3}"#, v).replace("LATTICE", worlds);
        problem.replace("\"root\"", r#""worlds":["north","east wind","Süd"],"root""#)
    };
    for (problem, expected) in [
        (named("[1,3]", "powerset"), "{north,Süd}"),
        (named("[]", "powerset"), "{}"),
        (named("[[2],[1,3]]", "families"), "{north,Süd} {east wind}"),
        (named("[]", "families"), "{}"),
        (named("\"bottom\"", "families"), "no set"),
        (leaf(FAMILIES, "[[3],[1,2]]"), "{1,2} {3}"),
        (leaf(CHAIN, "\"+inf\""), "+inf"),
        (leaf(CHAIN, "2.50"), "2.5"),
        (leaf(PAIRS, "[-1,[2]]"), "(-1,{2})"),
        (leaf(SQUARE, "\"a\""), "a"),
        (
            leaf(FREE, "[[[1,2],[2,1]],[[3,0]]]"),
            "{(1,2) (2,1)} {(3,0)}",
        ),
        (leaf(FREE, "\"bottom\""), "no packet"),
        (leaf(FREE, "\"top\""), "the empty packet"),
        (leaf(DUAL_FAMILIES, "\"top\""), "no set"),
    ] {
        let run = solve(&problem, &[]);
        let value = run
            .out
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("value "));
        assert_eq!(value.map(str::trim), Some(expected), "{problem}");
    }
}
