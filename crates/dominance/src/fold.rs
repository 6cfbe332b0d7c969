//! A fold over a graph: computes the value of each node once, from the values of its children.
//!
//! Idea: depth-first with an explicit stack and a table of finished nodes. The table stays when the
//! budget stops the fold, so a second call goes on from there, and the finished moves of a root are
//! known.
//!
//! Cost: one visit for each node, one value for each node in memory.

use std::hash::Hash;
use std::rc::Rc;

use ahash::RandomState;
use hashbrown::HashMap;
use meetjoin_dag::{AndOrDag, Kind};
use meetjoin_lattice::{Budget, Stop};

/// The values of finished nodes.
pub(crate) struct Fold<N, V> {
    done: HashMap<N, Rc<V>, RandomState>,
}

/// An open node with its children, `children[next]` in progress.
struct Open<N> {
    node: N,
    kind: Kind,
    children: Vec<N>,
    next: usize,
}

impl<N: Clone + Eq + Hash> Open<N> {
    fn new<D: AndOrDag<Node = N>>(dag: &D, node: N, budget: &Budget) -> Result<Self, Stop> {
        budget.visit()?;
        let kind = dag.kind(&node);
        let mut children = Vec::new();
        if kind != Kind::Leaf {
            dag.children(&node, &mut children);
        }
        Ok(Self {
            node,
            kind,
            children,
            next: 0,
        })
    }
}

impl<N: Clone + Eq + Hash, V> Fold<N, V> {
    pub(crate) fn new() -> Self {
        // The table is never iterated over, so its hash keys do not matter.
        Self {
            done: HashMap::with_hasher(RandomState::with_seeds(
                0x9e37_79b9_7f4a_7c15,
                0xbf58_476d_1ce4_e5b9,
                0x94d0_49bb_1331_11eb,
                0x2545_f491_4f6c_dd1d,
            )),
        }
    }

    /// The value of `start`. `value` computes the value of a node from those of its children; a
    /// leaf has none.
    pub(crate) fn of<D: AndOrDag<Node = N>>(
        &mut self,
        dag: &D,
        start: &N,
        budget: &Budget,
        mut value: impl FnMut(&N, Kind, &[Rc<V>]) -> Result<V, Stop>,
    ) -> Result<Rc<V>, Stop> {
        if let Some(done) = self.done.get(start) {
            return Ok(Rc::clone(done));
        }
        let mut top = Open::new(dag, start.clone(), budget)?;
        let mut above = Vec::new();
        loop {
            if let Some(child) = top.children.get(top.next) {
                top.next += 1;
                if !self.done.contains_key(child) {
                    let child = Open::new(dag, child.clone(), budget)?;
                    above.push(std::mem::replace(&mut top, child));
                }
                continue;
            }
            let below = top.children.iter().filter_map(|child| self.done.get(child));
            let below: Vec<Rc<V>> = below.cloned().collect();
            let made = Rc::new(value(&top.node, top.kind, &below)?);
            self.done.insert(top.node, Rc::clone(&made));
            match above.pop() {
                Some(parent) => top = parent,
                None => return Ok(made),
            }
        }
    }
}
