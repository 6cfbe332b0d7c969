//! The drawing of a graph, as text.

use std::fmt::Write as _;
use std::io::Write as _;

use meetjoin_dag::{NodeId, Problem};
use meetjoin_file::{Dot, read_problem, write_readable};
use meetjoin_lattice::AnyLattice;

const FILE: &str = r#"{"format":"meetjoin-problem/1","root":"r","worlds":["♠A","\"q\"","\\l","<&amp;>"],
 "lattice":{"type":"powerset","v":4},"nodes":[
 {"id":"nobody","kind":"and","children":["y"]},
 {"id":"y","kind":"leaf","value":[2,3,4]},
 {"id":"r","kind":"or","children":["a","say \"hi\"\n\\N","x"]},
 {"id":"a","kind":"and","children":["x","y","y",7]},
 {"id":"say \"hi\"\n\\N","kind":"and","children":["x"]},
 {"id":7,"kind":"leaf","value":[]},
 {"id":"x","kind":"leaf","value":[1,2]}]}"#;

const DRAWING: &str = r#"digraph {
  graph [ordering=out];
  node [width=0.3, height=0.3, margin=0.05];
  n0 [shape=square, label="r"];
  n0 -> n1;
  n0 -> n2;
  n0 -> n3;
  n1 [shape=circle, label="a"];
  n1 -> n3;
  n1 -> n4;
  n1 -> n4;
  n1 -> n5;
  n2 [shape=circle, label="say \"hi\"\n\\N"];
  n2 -> n3;
  n3 [shape=plaintext, label="x\n{♠A,\"\\\"q\\\"\"}"];
  n4 [shape=plaintext, label="y\n{\"\\\"q\\\"\",\\l,\"<&amp;amp;>\"}"];
  n5 [shape=plaintext, label="7\n{}"];
}
"#;

fn value(
    problem: &Problem<AnyLattice>,
    leaf: NodeId,
    out: &mut dyn std::fmt::Write,
) -> std::fmt::Result {
    let mut text = String::new();
    if let Some(ordinal) = problem.graph().leaf_ordinal(leaf) {
        let value = &problem.values().get(ordinal);
        write_readable(problem.lattice(), value, problem.world_names(), &mut text);
    }
    out.write_str(&text)
}

#[test]
fn what_the_root_reaches_is_drawn_in_order() {
    let problem = read_problem(FILE.as_bytes()).expect("a problem");
    let dot = Dot::new(&problem, |&leaf, out: &mut dyn std::fmt::Write| {
        value(&problem, leaf, out)
    });
    let mut text = String::new();
    write!(text, "{dot}").expect("a string takes it");
    assert_eq!(text, DRAWING);
    let mut bytes = Vec::new();
    write!(bytes, "{dot}").expect("memory takes it");
    assert_eq!(bytes, DRAWING.as_bytes());
}
