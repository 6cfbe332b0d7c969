//! Outcomes: the values of leaves, in some poset.

use meetjoin_lattice::Poset;

/// The outcomes of leaves, in some poset: the counterpart of `Valuation` for this algebra.
pub trait LeafOutcomes<N> {
    /// Their order. What lies above is better for MAX.
    type Order: Poset;

    /// The order.
    fn order(&self) -> &Self::Order;

    /// The outcome of a leaf. Called for leaves only.
    fn outcome(&self, node: &N) -> OutcomeOf<Self, N>;
}

/// The outcomes of a game's leaves.
pub type OutcomeOf<G, N> = <<G as LeafOutcomes<N>>::Order as Poset>::Elem;

impl<N, G: LeafOutcomes<N> + ?Sized> LeafOutcomes<N> for &G {
    type Order = G::Order;

    fn order(&self) -> &G::Order {
        (**self).order()
    }

    fn outcome(&self, node: &N) -> OutcomeOf<G, N> {
        (**self).outcome(node)
    }
}

/// A poset and a function for the outcomes of leaves: the shortest way to define outcomes. The
/// crate's page has an example.
#[derive(Clone, Copy, Debug)]
pub struct OutcomesBy<P, F> {
    order: P,
    outcome: F,
}

impl<P, F> OutcomesBy<P, F> {
    /// Outcomes in `order`; `outcome` is called for leaves only.
    pub fn new(order: P, outcome: F) -> Self {
        Self { order, outcome }
    }
}

impl<N, P: Poset, F: Fn(&N) -> P::Elem> LeafOutcomes<N> for OutcomesBy<P, F> {
    type Order = P;

    fn order(&self) -> &P {
        &self.order
    }

    fn outcome(&self, node: &N) -> P::Elem {
        (self.outcome)(node)
    }
}
