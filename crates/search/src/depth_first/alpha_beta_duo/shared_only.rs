//! Nodes that can be reached in one way only are not remembered: only other threads may look them
//! up again, and only large ones.

use meetjoin_dag::AndOrDag;

use crate::{Slot, Store};

/// The rule for which nodes are remembered.
pub(super) struct Remembered {
    /// Only those that can be reached in more than one way.
    pub(super) shared_only: bool,
    /// Whether an earlier search has left entries, which may be of any node.
    pub(super) goes_on: bool,
}

impl Remembered {
    /// Looks a node up, unless it cannot have an entry. `is_large` nodes may have entries of other
    /// threads.
    #[inline]
    pub(super) fn get<'s, D: AndOrDag, K, S: Store<D::Node, K>>(
        &self,
        dag: &D,
        store: &'s S,
        node: &D::Node,
        is_large: bool,
    ) -> (Slot, Option<S::Ref<'s>>) {
        if self.goes_on || self.keeps(dag, node, is_large) {
            store.get(node)
        } else {
            (Slot::NONE, None)
        }
    }

    #[inline]
    pub(super) fn keeps<D: AndOrDag>(&self, dag: &D, node: &D::Node, is_large: bool) -> bool {
        !self.shared_only || is_large || dag.is_shared(node)
    }
}
