//! An open node as a rule sees it.

use meetjoin_dag::Kind;
use meetjoin_lattice::{ElemOf, Lattice, Stop, Within};

use crate::Window;
use crate::depth_first::driver::{self, Frame};

/// An open node.
pub(super) type Open<N, L> = Frame<N, Local<ElemOf<L>>>;

pub(super) struct Local<E> {
    /// Meet or join of the results of finished children.
    pub(super) value: E,
    /// Alpha and beta of the nodes above, for the rule that passes them down. They do not change
    /// while the node is open, as the values above do not.
    pub(super) inherited: Window<E>,
}

impl<N, E> Frame<N, Local<E>> {
    /// Returns whether the value of this node has reached `bar`: risen to it at an OR node, fallen
    /// to it at an AND node.
    #[inline]
    pub(super) fn reaches<L: Lattice<Elem = E>>(
        &self,
        l: Within<'_, L>,
        bar: &E,
    ) -> Result<bool, Stop> {
        match self.kind {
            Kind::And => l.leq(&self.local.value, bar),
            Kind::Or | Kind::Leaf => l.leq(bar, &self.local.value),
        }
    }

    /// Combines the value of this node with `value`.
    #[inline]
    pub(super) fn combine<L: Lattice<Elem = E>>(
        &self,
        l: Within<'_, L>,
        value: &mut E,
    ) -> Result<(), Stop> {
        driver::combine(l, self.kind, value, &self.local.value)
    }
}
