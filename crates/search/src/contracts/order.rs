//! The order in which the children of a node are visited.
//!
//! It changes how much is searched, never the value. Any `FnMut(&N, Kind, &mut [N])` is an order, a
//! pair of orders is one, and [`BestMoves`] learns from the depth-first searches for total orders.

mod best_moves;

use meetjoin_dag::Kind;

pub use best_moves::BestMoves;

/// Arranges the children of an inner node.
pub trait Order<N> {
    /// Permutes `children`, which come in the order of the graph.
    fn arrange(&mut self, node: &N, kind: Kind, children: &mut [N]);

    /// Called when `child` decided the value of `node`: it caused the cutoff, or has the node's
    /// value. Only depth-first searches of total orders, in which one child decides, call it.
    #[inline]
    fn decided(&mut self, _node: &N, _kind: Kind, _child: &N) {}

    /// Returns whether [`arrange`](Self::arrange) never changes anything, so that it need not be
    /// called.
    #[inline]
    fn is_natural(&self) -> bool {
        false
    }
}

/// The order of the graph.
impl<N> Order<N> for () {
    #[inline]
    fn arrange(&mut self, _: &N, _: Kind, _: &mut [N]) {}

    #[inline]
    fn is_natural(&self) -> bool {
        true
    }
}

impl<N, F: FnMut(&N, Kind, &mut [N])> Order<N> for F {
    #[inline]
    fn arrange(&mut self, node: &N, kind: Kind, children: &mut [N]) {
        self(node, kind, children);
    }
}

/// A borrowed order. (A reference cannot implement [`Order`], because closures do.)
#[derive(Debug)]
pub struct Lent<'a, R: ?Sized>(pub &'a mut R);

impl<N, R: Order<N> + ?Sized> Order<N> for Lent<'_, R> {
    #[inline]
    fn arrange(&mut self, node: &N, kind: Kind, children: &mut [N]) {
        self.0.arrange(node, kind, children);
    }

    #[inline]
    fn decided(&mut self, node: &N, kind: Kind, child: &N) {
        self.0.decided(node, kind, child);
    }

    #[inline]
    fn is_natural(&self) -> bool {
        self.0.is_natural()
    }
}

/// The first order, then the second, which has the last word.
///
/// `(by_rule, BestMoves::new(n))` puts the remembered child first and sorts the others by the rule.
impl<N, A: Order<N>, B: Order<N>> Order<N> for (A, B) {
    #[inline]
    fn arrange(&mut self, node: &N, kind: Kind, children: &mut [N]) {
        self.0.arrange(node, kind, children);
        self.1.arrange(node, kind, children);
    }

    #[inline]
    fn decided(&mut self, node: &N, kind: Kind, child: &N) {
        self.0.decided(node, kind, child);
        self.1.decided(node, kind, child);
    }

    #[inline]
    fn is_natural(&self) -> bool {
        self.0.is_natural() && self.1.is_natural()
    }
}
