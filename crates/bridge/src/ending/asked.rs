//! What is asked of an ending: who plays, trumps, how the defenders' suits are divided, a goal.

use meetjoin_report::counted;

use crate::play::{Deal, DealHand, Seat};

use super::game::{Ending, EndingError};

/// What is asked of an ending. For fields that are none the deal decides.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Who plays the contract.
    pub declarer: Option<Seat>,
    /// Who leads to the next trick; declarer, if the deal does not say it either.
    pub leader: Option<Seat>,
    /// Trumps: a suit, or none; none too if there is no contract.
    pub trumps: Option<Option<u8>>,
    /// The goal: at least this many tricks.
    pub tricks: u8,
    /// The fewest and the most cards of suits that the defender before dummy has.
    pub lengths: Vec<(u8, (u8, u8))>,
    /// Tricks to look ahead with `alpha_mu`, if asked for.
    pub ahead: Option<u32>,
}

/// Something that cannot be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AskedError {
    /// Neither the question nor the deal names a declarer.
    #[error("no declarer is named; add --declarer N, E, S or W")]
    NoDeclarer,
    /// The deal is no ending.
    #[error(transparent)]
    Ending(#[from] EndingError),
    /// More tricks than there are.
    #[error("the goal must be 1 to {left} here, not {}", counted(*.tricks, "trick"))]
    Goal {
        /// The goal.
        tricks: u8,
        /// The tricks that are left.
        left: u8,
    },
}

impl Asked {
    /// The declarer of a deal.
    ///
    /// # Errors
    /// If neither the question nor the deal names a declarer.
    pub fn declarer_of(&self, deal: &Deal) -> Result<Seat, AskedError> {
        let declarer = self.declarer.or(deal.declarer);
        declarer.ok_or(AskedError::NoDeclarer)
    }

    /// The trumps of a deal, if there are any.
    pub fn trumps_of(&self, deal: &Deal) -> Option<u8> {
        self.trumps.or(deal.trumps).flatten()
    }

    /// The ending, with weights of the hands of the defender before dummy.
    pub fn ending(
        &self,
        deal: &Deal,
        weigh: impl Fn(DealHand) -> u64,
    ) -> Result<Ending, AskedError> {
        let declarer = self.declarer_of(deal)?;
        let leader = self.leader.or(deal.leader).unwrap_or(declarer);
        let trumps = self.trumps_of(deal);
        let fits = |hand: DealHand| {
            self.lengths.iter().all(|(suit, (least, most))| {
                let length = hand.cards().filter(|card| card.suit() == *suit).count();
                (usize::from(*least)..=usize::from(*most)).contains(&length)
            })
        };
        let weigh = |hand| {
            let weight = weigh(hand);
            if fits(hand) { weight } else { 0 }
        };
        Ok(Ending::new(deal, declarer, leader, trumps, weigh)?)
    }

    /// Checks that the goal is no more than the tricks that are left.
    pub fn check(&self, found: &Ending) -> Result<(), AskedError> {
        let left = found.tricks();
        if self.tricks == 0 || self.tricks > left {
            let tricks = self.tricks;
            return Err(AskedError::Goal { tricks, left });
        }
        Ok(())
    }
}
