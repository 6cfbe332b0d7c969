//! A graph seen through another one is asked for everything that it knows: nothing fails where a
//! wrapper forgets a hint, only searches are slower.

use std::cell::RefCell;
use std::fmt::{self, Write};

use meetjoin_dag::{AndOrDag, Kind, Rooted, Valuation};
use meetjoin_lattice::Bool;

/// A graph of one leaf that writes down what it is asked.
#[derive(Default)]
struct Probe {
    asked: RefCell<Vec<&'static str>>,
}

impl Probe {
    fn asked(&self, what: &'static str) {
        self.asked.borrow_mut().push(what);
    }
}

impl AndOrDag for Probe {
    type Node = u8;

    fn root(&self) -> u8 {
        self.asked("root");
        0
    }

    fn kind(&self, _: &u8) -> Kind {
        self.asked("kind");
        Kind::Leaf
    }

    fn children(&self, _: &u8, _: &mut Vec<u8>) {
        self.asked("children");
    }

    fn is_shared(&self, _: &u8) -> bool {
        self.asked("is_shared");
        false
    }

    fn prefetch(&self, _: &[u8]) {
        self.asked("prefetch");
    }

    fn name(&self, _: &u8, out: &mut dyn Write) -> fmt::Result {
        self.asked("name");
        out.write_str("leaf")
    }

    fn move_name(&self, _: &u8, _: &u8, out: &mut dyn Write) -> fmt::Result {
        self.asked("move_name");
        out.write_str("move")
    }
}

impl Valuation<u8> for Probe {
    type Lattice = Bool;

    fn lattice(&self) -> &Bool {
        self.asked("lattice");
        &Bool
    }

    fn leaf(&self, _: &u8) -> bool {
        self.asked("leaf");
        true
    }

    fn never_bottom(&self) -> bool {
        self.asked("never_bottom");
        true
    }
}

/// Asks everything of the graph, but its root.
fn ask<D: AndOrDag<Node = u8>>(dag: &D) {
    dag.kind(&0);
    dag.children(&0, &mut Vec::new());
    assert!(!dag.is_shared(&0));
    dag.prefetch(&[0]);
    let mut name = String::new();
    dag.name(&0, &mut name).expect("a string");
    dag.move_name(&0, &0, &mut name).expect("a string");
    assert_eq!(name, "leafmove");
}

const ALL: [&str; 6] = [
    "kind",
    "children",
    "is_shared",
    "prefetch",
    "name",
    "move_name",
];

#[test]
fn a_graph_is_asked_through_its_wrappers() {
    let probe = Probe::default();
    ask(&&probe);
    assert_eq!(probe.asked.take(), ALL);
    ask(&Rooted {
        dag: &probe,
        root: 0,
    });
    assert_eq!(probe.asked.take(), ALL);
}

fn ask_values<V: Valuation<u8, Lattice = Bool>>(values: &V) {
    values.lattice();
    assert!(values.leaf(&0) && values.never_bottom());
}

#[test]
fn values_are_asked_through_a_reference() {
    let probe = Probe::default();
    ask_values(&&probe);
    assert_eq!(probe.asked.take(), ["lattice", "leaf", "never_bottom"]);
}
