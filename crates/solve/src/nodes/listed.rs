//! The nodes of an explicit problem.

use std::sync::Arc;

use meetjoin_dag::{Kind, NodeId, Problem, Valuation as _};
use meetjoin_lattice::{AnyElem, AnyLattice, Interval, Lattice};

use crate::answers::answer::NodeText;
use crate::answers::value::{Domain, Value, shown};
use crate::nodes::view::{Key, Nodes};

/// An explicit problem over the lattice of the search.
pub(crate) struct Listed<'a, L: Lattice> {
    pub(crate) problem: &'a Problem<L>,
    /// The lattice of the problem's description.
    pub(crate) domain: &'a Arc<Domain>,
    /// Converts values of the search to that lattice.
    pub(crate) as_any: &'a dyn Fn(&L::Elem) -> AnyElem,
    /// The level of each node, if levels are needed.
    pub(crate) levels: &'a [u32],
}

impl<L: Lattice> Listed<'_, L> {
    /// A key of no node stands for the root.
    fn node(&self, key: Key) -> NodeId {
        let graph = self.problem.graph();
        let known = u32::try_from(key).ok().map(NodeId::from);
        known
            .filter(|node| node.index() < graph.node_count())
            .unwrap_or_else(|| graph.root())
    }
}

/// The key of a node.
fn key(node: NodeId) -> Key {
    u32::from(node).into()
}

impl<L: Lattice> Nodes for Listed<'_, L> {
    fn lattice(&self) -> &AnyLattice {
        &self.domain.lattice
    }

    fn root(&self) -> Key {
        key(self.problem.graph().root())
    }

    fn kind(&self, node: Key) -> Kind {
        self.problem.graph().kind(self.node(node))
    }

    fn expand(&self, node: Key, children: &mut Vec<Key>) -> Kind {
        let (node, graph) = (self.node(node), self.problem.graph());
        children.extend(graph.row(node).iter().map(|child| key(*child)));
        graph.kind(node)
    }

    fn leaf(&self, node: Key) -> AnyElem {
        let node = self.node(node);
        if self.problem.graph().kind(node) == Kind::Leaf {
            (self.as_any)(&self.problem.leaf(&node))
        } else {
            self.domain.lattice.bottom()
        }
    }

    fn name(&self, node: Key) -> NodeText {
        (&*self.problem.node_name(self.node(node))).into()
    }

    fn move_name(&self, _: Key, to: Key) -> String {
        self.problem.node_name(self.node(to)).to_string()
    }

    fn value(&self, value: &AnyElem) -> Value {
        Value::of(value.clone(), self.domain)
    }

    fn stated(&self, node: Key) -> Option<Interval<AnyElem>> {
        let stated = self.problem.bounds_of(self.node(node))?;
        Some(shown(stated, self.as_any))
    }

    fn level(&self, parent: u32, child: Key) -> u32 {
        let level = self.levels.get(self.node(child).index());
        level.copied().unwrap_or(parent + 1)
    }
}

/// The longest distance of each node from the root, by taking nodes in topological order.
pub(crate) fn longest_distances(problem: &Problem<AnyLattice>) -> Vec<u32> {
    let graph = problem.graph();
    let mut edges_to = vec![0_u32; graph.node_count()];
    let mut reached = vec![false; graph.node_count()];
    let mut open = vec![graph.root()];
    reached[graph.root().index()] = true;
    while let Some(node) = open.pop() {
        for child in &*graph.row(node) {
            edges_to[child.index()] += 1;
            if !std::mem::replace(&mut reached[child.index()], true) {
                open.push(*child);
            }
        }
    }
    let mut levels = vec![0; graph.node_count()];
    open.push(graph.root());
    while let Some(node) = open.pop() {
        let below = levels[node.index()] + 1;
        for child in &*graph.row(node) {
            let child = child.index();
            levels[child] = below.max(levels[child]);
            edges_to[child] -= 1;
            if edges_to[child] == 0 {
                open.push(NodeId::from(child as u32));
            }
        }
    }
    levels
}
