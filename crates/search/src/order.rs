//! The order in which the children of a node are visited.
//!
//! It changes how much is searched, never the value. Any `FnMut(&N, Kind, &mut [N])` is an order.

use meetjoin_dag::Kind;

/// Arranges the children of an inner node.
pub trait Order<N> {
    /// Permutes `children`, which come in the order of the graph.
    fn arrange(&mut self, node: &N, kind: Kind, children: &mut [N]);

    /// Learns that `child` decided the value of `node`: it caused the cutoff, or is worth as much as the node. Told by the searches for total
    /// orders, in which one child decides.
    #[inline]
    fn decided(&mut self, _node: &N, _kind: Kind, _child: &N) {}
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
