//! Nodes that can be reached in one way only are not remembered: nobody asks for them again, but
//! other threads of large ones.

use meetjoin_dag::AndOrDag;

use crate::{Slot, Store};

/// Which nodes are remembered.
pub(super) struct Remembered {
    /// Only those that can be reached in more than one way.
    pub(super) shared_only: bool,
    /// Whether a search before this one has left anything: then it may be of any node.
    pub(super) goes_on: bool,
}

impl Remembered {
    /// Looks a node up, unless nothing can be known of it. `is_large`: other threads may have left
    /// it.
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
