//! The cards and points at the start of an ending, which begins with a lead.

use super::order::Card;

/// A hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrickHand {
    /// MAX sees it. She also plays it, if its points are hers.
    Seen(Vec<Card>),
    /// MAX does not see it. It has as many cards as her own hand.
    Hidden {
        /// Cards that it surely has.
        has: Vec<Card>,
        /// Cards that it surely does not have, such as all of a suit in which the player has shown
        /// out.
        lacks: Vec<Card>,
    },
}

/// An ending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrickDeal {
    /// The hands, in the order of the players.
    pub hands: Vec<TrickHand>,
    /// The cards that MAX has not seen. If they are more than the cards of the hidden hands, the
    /// rest is out of play.
    pub unseen: Vec<Card>,
    /// The leader, counted from 0.
    pub leader: usize,
    /// The points that MAX needs, including those that she has already.
    pub goal: Option<u32>,
    /// The points that MAX's side has already; they count for the goal only.
    pub before: u32,
    /// Whether a card of the suit that is to be broken was played.
    pub broken: bool,
}

impl TrickDeal {
    /// An ending in which MAX leads, with nothing won yet and nothing to be broken.
    pub fn new(hands: Vec<TrickHand>, unseen: Vec<Card>) -> Self {
        Self {
            hands,
            unseen,
            leader: 0,
            goal: None,
            before: 0,
            broken: true,
        }
    }
}
