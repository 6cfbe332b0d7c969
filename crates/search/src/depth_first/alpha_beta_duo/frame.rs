//! An open node of alpha-beta duo.

use meetjoin_dag::Kind;
use meetjoin_lattice::{Lattice, Stop, Within};

use crate::Slot;
use crate::depth_first::driver::Frame;

pub(super) struct Local<E> {
    pub(super) alpha: E,
    pub(super) beta: E,
    /// A lower bound of the node's value: the cached one, at an OR node joined with those of
    /// finished children.
    pub(super) lower: E,
    /// An upper bound of the node's value: the cached one, at an AND node met with those of
    /// finished children.
    pub(super) upper: E,
    /// The bound on the other side from finished children alone: an upper bound at OR nodes, a
    /// lower bound at AND nodes. It bounds the node's value only when all children are finished.
    pub(super) far: E,
    pub(super) slot: Slot,
}

impl<N, E> Frame<N, Local<E>> {
    /// Combines the interval of a child with the frame (lines 23 to 30 of Algorithm 2).
    #[inline]
    pub(super) fn absorb<L: Lattice<Elem = E>>(
        &mut self,
        l: Within<'_, L>,
        lower: &E,
        upper: &E,
    ) -> Result<(), Stop> {
        let local = &mut self.local;
        match self.kind {
            Kind::And => {
                l.meet(&mut local.upper, upper)?;
                l.meet(&mut local.far, lower)?;
                l.meet(&mut local.beta, upper)
            }
            Kind::Or | Kind::Leaf => {
                l.join(&mut local.lower, lower)?;
                l.join(&mut local.far, upper)?;
                l.join(&mut local.alpha, lower)
            }
        }
    }
}
