//! What is left of a game when its ending begins, at a lead.

use super::order::Card;

/// A hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrickHand {
    /// MAX sees it. She plays it too, if its points are hers.
    Seen(Vec<Card>),
    /// MAX does not see it: as many cards as she has.
    Hidden {
        /// Cards that it surely has.
        has: Vec<Card>,
        /// Cards that it surely has not: all of a suit in which the player has shown out.
        lacks: Vec<Card>,
    },
}

/// An ending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrickDeal {
    /// The hands, in the order of the players.
    pub hands: Vec<TrickHand>,
    /// The cards that MAX has not seen. If they are more than the hidden hands have, the rest is
    /// out of play.
    pub unseen: Vec<Card>,
    /// Who leads, counted from 0.
    pub leader: usize,
    /// The points that MAX needs, with those that she has.
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
