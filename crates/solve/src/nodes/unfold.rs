//! Any problem as one kind of graph: nodes are numbers, values are those of files.
//!
//! Problem: strategies, certificates and their check are asked of every problem, and are not worth
//! a search compiled for each game and lattice.
//!
//! Idea: one object-safe trait, [`Unfold`], and one graph on top of it, `Unfolded`. The positions
//! of a game get their numbers when somebody first meets them.
//!
//! Cost: a dynamic call and a look-up for each question; each position that was met is kept.

use std::cell::RefCell;
use std::collections::HashMap;

use ahash::RandomState;
use meetjoin_dag::{AndOrDag, Kind, NodeId};
use meetjoin_lattice::{AnyElem, AnyLattice, Budget, Interval, Lattice};

use crate::answers::answer::NodeText;
use crate::answers::request::Refused;
use crate::answers::value::Value;
use crate::nodes::plan::StrategyNode;
pub use crate::nodes::side::Side;

/// The positions of a strategy, if there is one.
pub type Plan = Result<Option<Vec<StrategyNode>>, Refused>;

/// A problem, node by node.
pub trait Unfold {
    /// Where values live.
    fn lattice(&self) -> &AnyLattice;

    /// Where it begins.
    fn root(&self) -> NodeId;

    /// What a node is.
    fn kind(&self, node: NodeId) -> Kind;

    /// Appends the children of an inner node.
    fn children(&self, node: NodeId, out: &mut Vec<NodeId>);

    /// The value of a leaf.
    fn leaf(&self, node: NodeId) -> AnyElem;

    /// The bounds that the problem states of a node.
    fn stated(&self, node: NodeId) -> Option<Interval<AnyElem>>;

    /// The name of a node.
    fn name(&self, node: NodeId) -> NodeText;

    /// The name of the move from a node to one of its children.
    fn move_name(&self, from: NodeId, to: NodeId) -> String;

    /// A value as answers have it.
    fn value(&self, value: &AnyElem) -> Value;

    /// A strategy of MAX for a join-prime, where the problem has a shorter way to write one than
    /// with all nodes: its positions, or within them nothing if there is no strategy. Without
    /// `stated` bounds that the problem states do not help to find it.
    fn plan(&self, of: &AnyElem, stated: bool, budget: &Budget) -> Option<Plan> {
        let _ = (of, stated, budget);
        None
    }

    /// A value of an answer as an element of the lattice.
    fn element(&self, value: &Value) -> AnyElem {
        match value {
            Value::Element { element, .. } => element.clone(),
            Value::Sets { sets, .. } => {
                let (lattice, free) = (self.lattice(), Budget::unlimited());
                let sets = sets.iter().map(|set| lattice.set(set.iter().copied()));
                sets.flatten().fold(lattice.bottom(), |mut family, set| {
                    // Without limits there is no stop.
                    let _ = lattice.join_assign(&mut family, &set, &free);
                    family
                })
            }
            Value::End { top: false } => self.lattice().bottom(),
            Value::End { top: true } => self.lattice().top(),
        }
    }
}

/// A generated graph whose nodes get numbers as they are met.
pub(crate) struct Met<'a, D: AndOrDag> {
    dag: &'a D,
    lattice: AnyLattice,
    numbers: RefCell<Numbers<D::Node>>,
    leaf: Box<Of<'a, D, AnyElem>>,
    stated: Box<Of<'a, D, Option<Interval<AnyElem>>>>,
    value: Box<dyn Fn(&AnyElem) -> Value + 'a>,
    plan: Option<Box<PlanOf<'a>>>,
}

/// How a plan for an element is made.
type PlanOf<'a> = dyn Fn(&AnyElem, bool, &Budget) -> Plan + 'a;

/// What is known of a position.
type Of<'a, D, T> = dyn Fn(&<D as AndOrDag>::Node) -> T + 'a;

struct Numbers<N> {
    of: HashMap<N, u32, RandomState>,
    nodes: Vec<N>,
}

impl<'a, D: AndOrDag> Met<'a, D> {
    /// `leaf` gives values, `stated` known bounds, and `value` says how values are shown.
    pub(crate) fn new(
        dag: &'a D,
        lattice: AnyLattice,
        leaf: impl Fn(&D::Node) -> AnyElem + 'a,
        stated: impl Fn(&D::Node) -> Option<Interval<AnyElem>> + 'a,
        value: impl Fn(&AnyElem) -> Value + 'a,
    ) -> Self {
        let root = dag.root();
        let mut of = HashMap::with_hasher(RandomState::with_seeds(1, 2, 3, 4));
        of.insert(root.clone(), 0);
        Self {
            dag,
            lattice,
            numbers: RefCell::new(Numbers {
                of,
                nodes: vec![root],
            }),
            leaf: Box::new(leaf),
            stated: Box::new(stated),
            value: Box::new(value),
            plan: None,
        }
    }

    /// With a way of its own to make [plans](Unfold::plan).
    pub(crate) fn with_plan(mut self, plan: impl Fn(&AnyElem, bool, &Budget) -> Plan + 'a) -> Self {
        self.plan = Some(Box::new(plan));
        self
    }

    fn node(&self, number: NodeId) -> D::Node {
        self.numbers.borrow().nodes[number.index()].clone()
    }
}

impl<D: AndOrDag> Unfold for Met<'_, D> {
    fn lattice(&self) -> &AnyLattice {
        &self.lattice
    }

    fn root(&self) -> NodeId {
        NodeId::from(0)
    }

    fn kind(&self, node: NodeId) -> Kind {
        self.dag.kind(&self.node(node))
    }

    fn children(&self, node: NodeId, out: &mut Vec<NodeId>) {
        let mut children = Vec::new();
        self.dag.children(&self.node(node), &mut children);
        let Numbers { of, nodes } = &mut *self.numbers.borrow_mut();
        out.extend(children.into_iter().map(|child| {
            NodeId::from(*of.entry(child).or_insert_with_key(|child| {
                nodes.push(child.clone());
                // Memory ends before the numbers do.
                nodes.len() as u32 - 1
            }))
        }));
    }

    fn leaf(&self, node: NodeId) -> AnyElem {
        (self.leaf)(&self.node(node))
    }

    fn stated(&self, node: NodeId) -> Option<Interval<AnyElem>> {
        (self.stated)(&self.node(node))
    }

    fn name(&self, node: NodeId) -> NodeText {
        crate::searching::subject::position_name(self.dag, &self.node(node))
    }

    fn move_name(&self, from: NodeId, to: NodeId) -> String {
        let mut name = String::new();
        // Writing to a string cannot fail.
        let _ = self
            .dag
            .move_name(&self.node(from), &self.node(to), &mut name);
        name
    }

    fn value(&self, value: &AnyElem) -> Value {
        (self.value)(value)
    }

    fn plan(&self, of: &AnyElem, stated: bool, budget: &Budget) -> Option<Plan> {
        let plan = self.plan.as_ref()?;
        Some(plan(of, stated, budget))
    }
}
