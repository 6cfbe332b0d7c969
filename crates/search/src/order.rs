//! The order in which the children of a node are visited.
//!
//! It changes how much is searched, never the value. Any `FnMut(&N, Kind, &mut [N])` is an order.

use meetjoin_dag::Kind;

/// Arranges the children of an inner node.
pub trait Order<N> {
    /// Permutes `children`, which come in the order of the graph.
    fn arrange(&mut self, node: &N, kind: Kind, children: &mut [N]);
}

/// The order of the graph.
impl<N> Order<N> for () {
    #[inline]
    fn arrange(&mut self, _: &N, _: Kind, _: &mut [N]) {}
}

impl<N, F: FnMut(&N, Kind, &mut [N])> Order<N> for F {
    #[inline]
    fn arrange(&mut self, node: &N, kind: Kind, children: &mut [N]) {
        self(node, kind, children);
    }
}
