//! One view of the nodes of any problem.
//!
//! Problem: strategies, certificates, explanations, drawings and runs on many machines ask about
//! single nodes. They are not worth a search compiled for each game and lattice, and a node that
//! goes to another machine and to disk has to be data.
//!
//! Idea: one object-safe trait, [`Nodes`]. A node is a number of at most 128 bits, its [`Key`]: in
//! a graph with all its nodes the number of the node, in a game that of the position
//! ([`Numbered`](meetjoin_games::Numbered)). Values are those of files. A graph answers for itself
//! (`listed`), and so does a game (`positions`); nobody else implements it.
//!
//! Cost: a dynamic call for each question, and in a game a position made of its number.

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
    /// Where values live.
    fn lattice(&self) -> &AnyLattice;

    /// Where it begins.
    fn root(&self) -> Key;

    /// What a node is.
    fn kind(&self, node: Key) -> Kind;

    /// What a node is. The keys of its children are appended.
    fn expand(&self, node: Key, children: &mut Vec<Key>) -> Kind;

    /// The value of a leaf.
    fn leaf(&self, node: Key) -> AnyElem;

    /// The name of a node.
    fn name(&self, node: Key) -> NodeText;

    /// The name of the move from a node to one of its children.
    fn move_name(&self, from: Key, to: Key) -> String;

    /// A value as answers have it.
    fn value(&self, value: &AnyElem) -> Value;

    /// The bounds that the problem states of a node.
    fn stated(&self, _node: Key) -> Option<Interval<AnyElem>> {
        None
    }

    /// A strategy of MAX for a join-prime, where the problem has a shorter way to write one than
    /// with all nodes: its positions, or within them nothing if there is no strategy. Without
    /// `stated` bounds that the problem states do not help to find it.
    fn plan(&self, of: &AnyElem, stated: bool, budget: &Budget) -> Option<Plan> {
        let _ = (of, stated, budget);
        None
    }

    /// The level of a child of a node on level `parent`, where every edge leads to a later level.
    fn level(&self, parent: u32, _child: Key) -> u32 {
        parent + 1
    }

    /// How many positions the node stands for, all with the same value: more than one where of
    /// images of each other one is kept.
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
