//! A common view of the nodes of any problem.
//!
//! Problem: strategies, certificates, explanations, drawings and runs on many machines need single
//! nodes. Compiling them for each game and lattice is not worthwhile, and a node that is sent to
//! another machine or to disk has to be data.
//!
//! Idea: one object-safe trait, [`Nodes`]. A node is a number of at most 128 bits, its [`Key`]: in
//! an explicit graph the number of the node, in a game that of the position. Values are those of
//! files. There is one implementation for explicit graphs (`listed`); games have theirs in
//! `meetjoin-problems`.
//!
//! Cost: a dynamic call for each question, and in a game the decoding of a position from its
//! number.

use meetjoin_dag::Kind;
use meetjoin_lattice::{AnyElem, AnyLattice, Budget, Interval, Lattice as _};

use crate::answers::answer::NodeText;
use crate::answers::request::Refused;
use crate::answers::value::Value;
use crate::nodes::plan::StrategyNode;

/// The number of a node.
pub type Key = u128;

/// The positions of a strategy, if there is one.
pub type Plan = Result<Option<Vec<StrategyNode>>, Refused>;

/// A problem, node by node, for one thread. Results for keys of no node are unspecified; no panic.
pub trait Nodes {
    /// The lattice of the values.
    fn lattice(&self) -> &AnyLattice;

    /// The root.
    fn root(&self) -> Key;

    /// The kind of a node.
    fn kind(&self, node: Key) -> Kind;

    /// The kind of a node. Appends the keys of its children.
    fn expand(&self, node: Key, children: &mut Vec<Key>) -> Kind;

    /// The value of a leaf.
    fn leaf(&self, node: Key) -> AnyElem;

    /// The name of a node.
    fn name(&self, node: Key) -> NodeText;

    /// The name of the move from a node to one of its children.
    fn move_name(&self, from: Key, to: Key) -> String;

    /// A value in the form of answers.
    fn value(&self, value: &AnyElem) -> Value;

    /// The bounds that the problem states for a node.
    fn stated(&self, _node: Key) -> Option<Interval<AnyElem>> {
        None
    }

    /// A strategy of MAX for a join-prime, if the problem has shorter strategies than with all
    /// nodes: its positions, or an inner `None` if there is no strategy. Without `stated`, bounds
    /// that the problem states are not used to find it.
    fn plan(&self, of: &AnyElem, stated: bool, budget: &Budget) -> Option<Plan> {
        let _ = (of, stated, budget);
        None
    }

    /// The level of a child of a node on level `parent`.
    fn level(&self, parent: u32, _child: Key) -> u32 {
        parent + 1
    }

    /// The number of symmetric positions that the node stands for, all with the same value.
    fn images(&self, _node: Key) -> u64 {
        1
    }

    /// A value of an answer as an element of the lattice.
    fn element(&self, value: &Value) -> AnyElem {
        match value {
            Value::Element { element, .. } => element.clone(),
            Value::Sets { sets, .. } => {
                let (lattice, free) = (self.lattice(), Budget::unlimited());
                let sets = sets.iter().map(|set| lattice.set(set.iter().copied()));
                sets.flatten().fold(lattice.bottom(), |mut family, set| {
                    // Without limits nothing stops it.
                    let _ = lattice.join_assign(&mut family, &set, &free);
                    family
                })
            }
            Value::End { top: false } => self.lattice().bottom(),
            Value::End { top: true } => self.lattice().top(),
        }
    }
}
