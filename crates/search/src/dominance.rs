//! Dominance algebra: game trees whose outcomes are only partially ordered, and players who do not weigh the criteria beforehand.
//!
//! Problem: with several criteria a position has no single value. What a player can guarantee is a *set* of outcomes, from which the
//! opponent chooses by preferences that nobody knows; and there are several such sets, from which the player chooses.
//!
//! Idea: a [`Packet`] is such a set, an [`Expression`] the packets that a player has at a node. Packets that are inferior under every
//! preference are absorbed. OR nodes are MAX's, AND nodes MIN's.
//!
//! We build the *antichain reading*: a packet keeps only the outcomes that are worst for its owner (the minimal ones for MAX, the maximal
//! ones for MIN). It is no lattice: `a` does not absorb `{a, b}`, and an expression turned into one for the opponent and back need not be
//! the same. So it has a fold of its own and no part in the lattice searches. What stays if one also absorbs every superset is an
//! element of the free distributive lattice: [`Algebra::normal_form`].
//!
//! | file | holds |
//! |---|---|
//! | [`packets`] | the algebra |
//! | [`mod@bottom_up`] | every packet of every move, without pruning |
//! | [`procedure_f`] | pruning: shallow (exact), deep (exact as a lattice element only) |
//! | [`compare`] | choosing between packets by a preference; the preference that picks a given packet |
//! | [`mod@known_preferences`] | both preferences known: an ordinary search; one's own preference at inner nodes: a mistake, measured |
//!
//! Source: Dasgupta, Chakrabarti, DeSarkar (1996), with the corrections of the errata chapter.

pub mod bottom_up;
mod choices;
pub mod compare;
mod fold;
pub mod known_preferences;
pub mod packets;
pub mod procedure_f;
pub mod vectors;

use meetjoin_dag::Kind;
use meetjoin_lattice::Poset;

pub use bottom_up::{RootMove, RootPackets, bottom_up, root_packets};
pub use compare::{
    Choice, Favouring, Lexicographic, MoveChoice, NotOffered, Preference, PreferenceError,
    Weighted, choose, choose_move, compare_packets, contradiction,
};
pub use known_preferences::{
    InnerPreference, InnerPreferenceOf, Line, inner_preference, known_preferences,
};
pub use packets::{Algebra, Expression, Packet};
pub use procedure_f::{
    Event, LatticeOnly, Observe, Searched, procedure_f_deep_lattice_only, procedure_f_shallow,
};
pub use vectors::{Dominance, VectorGame, VectorGameError};

/// The outcomes of leaves, in some poset: to this algebra what `Valuation` is to a lattice search.
pub trait LeafOutcomes<N> {
    /// The order they live in. What lies above is better for MAX.
    type Order: Poset;

    /// The order.
    fn order(&self) -> &Self::Order;

    /// The outcome of a leaf. Asked of leaves only.
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

/// A poset and the outcome of each leaf as a function: the shortest way to say what the leaves of a game are worth.
///
/// ```
/// use meetjoin_dag::{GraphBuilder, NodeId};
/// use meetjoin_lattice::{Budget, FinitePoset};
/// use meetjoin_search::dominance::{OutcomesBy, bottom_up};
///
/// // I choose a road, the weather chooses a day. Late or wet is worse than neither and better than both.
/// let days = ["both", "late", "wet", "neither"];
/// let covers = [("both", "late"), ("both", "wet"), ("late", "neither"), ("wet", "neither")];
/// let order = FinitePoset::from_covers(&days, &covers)?;
/// let mut builder = GraphBuilder::new();
/// builder.or("road", ["pass", "valley"])?;
/// builder.and("pass", ["sun", "fog"])?;
/// builder.leaf("sun", 2)?;
/// builder.leaf("fog", 1)?;
/// builder.leaf("valley", 0)?;
/// let built = builder.build(&"road")?;
/// let day = |leaf: &NodeId| built.values[built.graph.leaf_ordinal(*leaf).expect("a leaf")];
/// let packets = bottom_up(&built.graph, &OutcomesBy::new(order, day), &Budget::unlimited())?;
/// assert_eq!(packets.packets().len(), 1);
/// assert_eq!(packets.packets()[0].outcomes(), [1, 2]); // late or wet
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OutcomesBy<P, F> {
    order: P,
    outcome: F,
}

impl<P, F> OutcomesBy<P, F> {
    /// Outcomes in `order`; `outcome` is asked of leaves only.
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

/// Whose packets they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// Moves at OR nodes and wants outcomes that dominate.
    Max,
    /// Moves at AND nodes and wants outcomes that are dominated.
    Min,
}

impl Player {
    /// The other one.
    #[must_use]
    pub fn opponent(self) -> Self {
        match self {
            Self::Max => Self::Min,
            Self::Min => Self::Max,
        }
    }

    /// Who moves at a node of this kind. A leaf counts as MAX's, where it matters at all.
    pub fn of(kind: Kind) -> Self {
        match kind {
            Kind::And => Self::Min,
            Kind::Or | Kind::Leaf => Self::Max,
        }
    }
}
