//! Whole files: keys in any order, the smallest graphs, long chains, numbers that turn into
//! decimals, the known answers.

use std::fmt::Write as _;
use std::path::PathBuf;

use meetjoin_dag::{AndOrDag, Graph, Kind, NodeId, NodeName, Problem, Statistics, Valuation};
use meetjoin_file::{print_value, read_problem, write_problem};
use meetjoin_lattice::{AnyElem, AnyLattice, Budget, Interval, Within};
use serde_json::Value;

fn read(file: &str) -> Problem<AnyLattice> {
    read_problem(file.as_bytes()).unwrap_or_else(|error| panic!("{error} in {file}"))
}

fn printed(problem: &Problem<AnyLattice>, value: &AnyElem) -> String {
    let mut out = String::new();
    print_value(problem.lattice(), value, &mut out);
    out
}

/// Values and bounds in the order of nodes, printed.
fn all_values(problem: &Problem<AnyLattice>) -> Vec<String> {
    let mut all = Vec::new();
    for node in problem.graph().nodes() {
        if problem.graph().kind(node) == Kind::Leaf {
            all.push(printed(problem, &problem.leaf(&node)));
        }
        if let Some(bounds) = problem.bounds_of(node) {
            let (lower, upper) = (bounds.lower(), bounds.upper());
            all.push(format!(
                "{}..{}",
                printed(problem, lower),
                printed(problem, upper)
            ));
        }
    }
    all
}

fn written(problem: &Problem<AnyLattice>) -> String {
    let mut file = Vec::new();
    write_problem(problem, &mut file).expect("memory takes it");
    String::from_utf8(file).expect("UTF-8")
}

/// The example of the format's description.
const EXAMPLE: &str = r#"{"format": "meetjoin-problem/1",
 "lattice": {"type": "powerset", "v": 4},
 "root": "r",
 "nodes": [
   {"id": "r", "kind": "or",  "children": ["a", "x"]},
   {"id": "a", "kind": "and", "children": ["x", "y", "y"], "lower": [], "upper": [1, 2]},
   {"id": "x", "kind": "leaf", "value": [1, 2]},
   {"id": "y", "kind": "leaf", "value": [2, 3]}]}"#;

#[test]
fn the_example_is_read_and_written() {
    let problem = read(EXAMPLE);
    let graph = problem.graph();
    let statistics = Statistics::of(graph);
    assert_eq!(
        (statistics.reachable, statistics.edges, statistics.paths),
        (4, 5, 4)
    );
    let mut name = String::new();
    problem
        .name(&graph.root(), &mut name)
        .expect("a string takes it");
    assert_eq!(name, "r");
    assert_eq!(all_values(&problem), ["[]..[1,2]", "[1,2]", "[2,3]"]);
    assert_eq!(
        written(&problem),
        r#"{"format":"meetjoin-problem/1",
 "lattice":{"type":"powerset","v":4},
 "root":"r",
 "nodes":[
  {"id":"r","kind":"or","children":["a","x"]},
  {"id":"a","kind":"and","children":["x","y","y"],"upper":[1,2]},
  {"id":"x","kind":"leaf","value":[1,2]},
  {"id":"y","kind":"leaf","value":[2,3]}]}
"#
    );
}

#[test]
fn probabilities_come_back() {
    let file = r#"{"format":"meetjoin-problem/1","lattice":{"type":"monotone","v":6},"probabilities":[0,1,1e-300,0.1,null,-0.0],"root":1,
        "nodes":[{"id":1,"kind":"leaf","value":[1,2]}]}"#;
    let problem = read(file);
    let known = [
        Some(0.0),
        Some(1.0),
        Some(1e-300),
        Some(0.1),
        None,
        Some(0.0),
    ];
    assert_eq!(problem.probabilities(), Some(&known[..]));
    let text = written(&problem);
    assert!(
        text.contains(r#""probabilities":[0.0,1.0,1e-300,0.1,null,0.0]"#),
        "{text}"
    );
    assert_eq!(read(&text).probabilities(), problem.probabilities());
}

#[test]
fn keys_come_in_any_order() {
    let keys = [
        r#""format":"meetjoin-problem/1""#,
        r#""lattice":{"v":2,"type":"families"}"#,
        r#""root":1"#,
        r#""nodes":[{"upper":[1],"children":["1"],"note":"n","id":1,"lower":"bottom","kind":"and"},{"value":[],"kind":"leaf","id":"1"}]"#,
        r#""worlds":["a","b"]"#,
        r#""note":"free text""#,
    ];
    let mut problems = Vec::new();
    // Every rotation of the keys and of the reversed keys.
    for reversed in [false, true] {
        for shift in 0..keys.len() {
            let mut order = keys.to_vec();
            order.rotate_left(shift);
            if reversed {
                order.reverse();
            }
            problems.push(read(&format!("{{{}}}", order.join(","))));
        }
    }
    let first = &problems[0];
    assert_eq!(all_values(first), ["[]..[[1]]", "[[]]"]);
    let names = vec![NodeName::from(1), NodeName::from("1")];
    assert_eq!(first.names(), &names.into());
    let worlds = first.world_names().expect("they have names");
    assert!(worlds.iter().eq(["a", "b"]));
    assert_eq!(first.note(), Some("free text"));
    assert!(problems.iter().all(|problem| problem == first));
    assert_eq!(&read(&written(first)), first);
}

/// A file with this lattice at this place and leaves with these values under one OR node.
fn with_values(lattice: &str, values: &[&str], late: bool) -> String {
    let leaves = values.iter().enumerate();
    let leaves = leaves.fold(String::new(), |mut text, (id, value)| {
        let _ = write!(text, ",{{\"id\":{id},\"kind\":\"leaf\",\"value\":{value}}}");
        text
    });
    let ids: Vec<String> = (0..values.len()).map(|id| id.to_string()).collect();
    let nodes = format!(
        r#""nodes":[{{"id":"r","kind":"or","children":[{}],"upper":"top","lower":{}}}{leaves}]"#,
        ids.join(","),
        values[0],
    );
    let lattice = format!(r#""lattice":{lattice}"#);
    let (first, second) = if late {
        (nodes, lattice)
    } else {
        (lattice, nodes)
    };
    format!(r#"{{"format":"meetjoin-problem/1","root":"r",{first},{second}}}"#)
}

#[test]
fn one_decimal_makes_a_chain_decimal() {
    let chain = r#"{"type":"chain","lo":-5}"#;
    let dual = r#"{"type":"dual","of":{"type":"chain"}}"#;
    let product = r#"{"type":"product","of":[{"type":"chain"},{"type":"chain"}]}"#;
    let cases: &[(&str, &[&str], &[&str])] = &[
        (
            chain,
            &["1", "-5", "\"+inf\""],
            &["1..\"+inf\"", "1", "-5", "\"+inf\""],
        ),
        (chain, &["1", "2.50"], &["1.0..\"+inf\"", "1.0", "2.5"]),
        (
            chain,
            &["2.0", "1", "\"bottom\""],
            &["2.0..\"+inf\"", "2.0", "1.0", "-5.0"],
        ),
        (dual, &["1", "1e2"], &["1.0..\"-inf\"", "1.0", "100.0"]),
        // Each factor decides for itself.
        (
            product,
            &["[1,2]", "[3,0.5]"],
            &["[1,2.0]..[\"+inf\",\"+inf\"]", "[1,2.0]", "[3,0.5]"],
        ),
    ];
    for (lattice, values, expected) in cases {
        for late in [false, true] {
            let file = with_values(lattice, values, late);
            let problem = read(&file);
            assert_eq!(all_values(&problem), *expected, "{file}");
            assert_eq!(read(&written(&problem)), problem, "{file}");
        }
    }
    let bound = r#"{"format":"meetjoin-problem/1","root":1,"lattice":{"type":"chain"},"nodes":[
        {"id":1,"kind":"or","children":[2],"upper":7.5},{"id":2,"kind":"leaf","value":7}]}"#;
    assert_eq!(all_values(&read(bound)), ["\"-inf\"..7.5", "7.0"]);
}

#[test]
fn bounds_that_say_nothing_are_none() {
    for (bounds, expected) in [
        ("", None),
        (r#","lower":[],"upper":[1]"#, None),
        (r#","lower":"bottom""#, None),
        (r#","lower":[1]"#, Some("[1]..[1]")),
        (r#","upper":[]"#, Some("[]..[]")),
    ] {
        let file = format!(
            r#"{{"format":"meetjoin-problem/1","root":1,"lattice":{{"type":"powerset","v":1}},"nodes":[
            {{"id":1,"kind":"or","children":[2]{bounds}}},{{"id":2,"kind":"leaf","value":[]}}]}}"#
        );
        let problem = read(&file);
        assert_eq!(problem.has_bounds(), expected.is_some());
        let exact = problem.bounds_of(problem.graph().root());
        assert!(exact.is_none_or(|bounds| matches!(bounds, Interval::Exact(_))));
        assert_eq!(
            all_values(&problem).first().map(String::as_str),
            expected.or(Some("[]"))
        );
        assert_eq!(read(&written(&problem)), problem);
    }
}

#[test]
fn the_smallest_graphs() {
    let leaf = read(
        r#"{"format":"meetjoin-problem/1","root":-7,"lattice":{"type":"bool"},"nodes":[{"id":-7,"kind":"leaf","value":true}]}"#,
    );
    assert_eq!(leaf.graph().node_count(), 1);
    assert_eq!(*leaf.node_name(NodeId::from(0)), NodeName::Int(-7));
    assert_eq!(read(&written(&leaf)), leaf);
    let unreachable = read(
        r#"{"format":"meetjoin-problem/1","root":"","lattice":{"type":"powerset","v":0},"nodes":[
        {"id":0,"kind":"and","children":[""]},{"id":"","kind":"leaf","value":[]}]}"#,
    );
    assert_eq!(Statistics::of(unreachable.graph()).unreachable, 1);
    assert_eq!(read(&written(&unreachable)), unreachable);
}

/// A thread with the stack that threads usually have.
fn in_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 20);
    let thread = thread.spawn(test).expect("a thread");
    thread.join().expect("no panic");
}

#[test]
fn a_chain_of_a_million_nodes_needs_no_stack() {
    in_a_small_stack(|| {
        let nodes = 1_000_000;
        // From both ends to the middle, so that the search for cycles has to walk.
        let mut file = String::from(
            r#"{"format":"meetjoin-problem/1","root":0,"lattice":{"type":"bool"},"nodes":["#,
        );
        for i in 0..nodes - 1 {
            let id = if i % 2 == 0 { i / 2 } else { nodes - 2 - i / 2 };
            let child = id + 1;
            let _ = write!(file, r#"{{"id":{id},"kind":"and","children":[{child}]}},"#);
        }
        let last = nodes - 1;
        let _ = write!(file, r#"{{"id":{last},"kind":"leaf","value":true}}]}}"#);
        let problem = read(&file);
        let statistics = Statistics::of(problem.graph());
        assert_eq!((statistics.depth, statistics.width), (nodes - 1, 1));
        let twice = problem.clone();
        assert_eq!(twice, problem);
        let circle = file.replace(
            r#""kind":"leaf","value":true"#,
            r#""kind":"or","children":[0]"#,
        );
        let error = read_problem(circle.as_bytes()).expect_err("a cycle");
        assert!(error.to_string().contains("7 -> (999984 more) -> 999992"));
    });
}

/// The value of the root by plain evaluation in topological order, to see that the values are those
/// the file means.
fn evaluate(problem: &Problem<AnyLattice>) -> AnyElem {
    let graph: &Graph = problem.graph();
    let budget = Budget::unlimited();
    let lattice = Within::new(problem.lattice(), &budget);
    let mut values: Vec<Option<AnyElem>> = vec![None; graph.node_count()];
    let mut stack = vec![graph.root()];
    while let Some(&node) = stack.last() {
        let row = graph.row(node);
        let open = row.iter().copied();
        let before = stack.len();
        stack.extend(open.filter(|child| values[child.index()].is_none()));
        if stack.len() > before {
            continue;
        }
        let mut value = match graph.kind(node) {
            Kind::Leaf => problem.leaf(&node),
            Kind::And => lattice.top(),
            Kind::Or => lattice.bottom(),
        };
        for child in graph.row(node).iter() {
            let child = values[child.index()].as_ref().expect("evaluated");
            let done = match graph.kind(node) {
                Kind::Or => lattice.join(&mut value, child),
                _ => lattice.meet(&mut value, child),
            };
            done.expect("no limit");
        }
        values[node.index()] = Some(value);
        stack.pop();
    }
    values.swap_remove(graph.root().index()).expect("evaluated")
}

#[test]
fn the_known_answers_are_read_and_written() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../cases/explicit.json");
    let text = std::fs::read_to_string(path).expect("the known answers");
    let mut file: Value = serde_json::from_str(&text).expect("JSON");
    let cases = file["cases"].as_array_mut().expect("a list of cases");
    assert_eq!(cases.len(), 55);
    for case in cases {
        // What the cases say besides is not part of the format.
        let case = case.as_object_mut().expect("a case");
        let id = case.remove("id").expect("an id");
        let expected = case.remove("expected").expect("an answer");
        let problem = read(&Value::Object(case.clone()).to_string());
        let root = evaluate(&problem);
        let answer: Value = serde_json::from_str(&printed(&problem, &root)).expect("JSON");
        assert_eq!(answer, expected, "{id}");
        assert_eq!(read(&written(&problem)), problem, "{id}");
    }
}

#[test]
fn a_ladder_has_more_paths_than_can_be_counted() {
    let mut file = String::from(
        r#"{"format":"meetjoin-problem/1","root":0,"lattice":{"type":"bool"},"nodes":["#,
    );
    for id in 0..200 {
        let child = id + 1;
        let _ = write!(
            file,
            r#"{{"id":{id},"kind":"or","children":[{child},{child}]}},"#
        );
    }
    file.push_str(r#"{"id":200,"kind":"leaf","value":true}]}"#);
    let statistics = Statistics::of(read(&file).graph());
    assert_eq!((statistics.paths, statistics.edges), (u128::MAX, 400));
}
