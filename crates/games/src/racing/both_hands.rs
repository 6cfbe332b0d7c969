//! A position of racing once MIN's hand is known: which question to the [`RankTable`] decides it.
//!
//! Problem: a search meets a position together with all hands that MIN may still hold, often hundreds, and asks of each who wins.
//!
//! Idea: what the hands share is computed once for the position: for each card, how many of MAX's cards in play lie below it. Then the
//! j-th lowest card of a hand stands at bit j + that number of the pattern, and a hand takes one step for each of its cards.
//!
//! Cost: for a position one step for each card of the deck; for a hand one for each card that MIN has left, and one or two looks into the table.

use meetjoin_lattice::{Budget, Stop};

use super::ranks::{RankTable, low_bits};
use super::{MOST_CARDS, Racing, RacingPosition, bit};

/// What all hands of MIN have in common at a position.
#[derive(Clone, Debug)]
pub(super) struct BothHands {
    /// The cards of MIN that are out of play. The card on the table is in play.
    gone: u64,
    /// For card c, at c - 1, how many of MAX's cards in play are lower.
    below: [u8; MOST_CARDS as usize],
    /// The card that waits for an answer, or 0.
    table: u8,
    max_leads: bool,
    /// Tricks left, with the one that has begun.
    tricks: u8,
    /// How many of them MAX needs.
    need: u8,
}

impl BothHands {
    pub(super) fn new(game: &Racing, position: &RacingPosition) -> Self {
        let table = position.table;
        // Who moves has not played to the trick, so the other has led, unless nobody has.
        let max_leads = position.max_moves == (table == 0);
        let max_led = max_leads && table != 0;
        let gone = match table {
            0 => position.min_played,
            _ if max_led => position.min_played,
            _ => position.min_played & !bit(table),
        };
        let places = game.hand.iter().enumerate();
        let left = places.filter(|(place, _)| position.max_left >> place & 1 == 1);
        let mut maxs = left.fold(0, |cards, (_, &card)| cards | bit(card));
        if max_led {
            maxs |= bit(table);
        }
        let mut below = [0; MOST_CARDS as usize];
        let mut lower = 0;
        for (card, below) in below.iter_mut().enumerate() {
            *below = lower;
            lower += (maxs >> card & 1) as u8;
        }
        let played = position.max_tricks.saturating_add(position.min_tricks);
        Self {
            gone,
            below,
            table,
            max_leads,
            tricks: (game.hand.len() as u8).saturating_sub(played),
            need: game.goal.saturating_sub(position.max_tricks),
        }
    }

    /// Whether MAX wins against this hand, one that is compatible with what MIN has played, when both see all cards.
    ///
    /// # Errors
    /// When the budget ends it.
    pub(super) fn max_wins(
        &self,
        hand: u64,
        table: &mut RankTable,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let counting = table.counting(self.tricks);
        if self.need == 0 || self.need > counting {
            return Ok(self.need == 0);
        }
        let in_play = hand & !self.gone;
        let (mut mins, mut place, mut rest) = (0, 0, in_play);
        while rest != 0 {
            let card = rest.trailing_zeros() as usize;
            mins |= 1 << (self.below[card] + place);
            place += 1;
            rest &= rest - 1;
        }
        let (leads, need) = if self.max_leads {
            (!mins & low_bits(2 * u32::from(self.tricks)), self.need)
        } else {
            (mins, counting + 1 - self.need)
        };
        let leader_succeeds = if self.table == 0 {
            table.leader_takes(leads, self.tricks, need, budget)?
        } else {
            let lower = (in_play & (bit(self.table) - 1)).count_ones();
            let card = lower + u32::from(self.below[usize::from(self.table) - 1]);
            table.leader_takes_with(leads, self.tricks, card, need, budget)?
        };
        Ok(leader_succeeds == self.max_leads)
    }
}
