//! A position of racing with MIN's hand known, as a question to the [`RankTable`].
//!
//! Problem: a search asks for each of all hands that MIN may still hold at a position, often
//! hundreds, who wins.
//!
//! Idea: the common part is computed once for the position: for each card, the number of MAX's
//! cards in play below it. Then the j-th lowest card of a hand stands at bit j + that number of the
//! pattern, and a hand takes one step for each of its cards.
//!
//! Cost: for a position one step for each card of the deck; for a hand one for each card that MIN
//! has left, and one or two looks into the table.

use meetjoin_lattice::{Budget, Stop};

use super::ranks::{RankTable, low_bits};
use crate::racing::{MOST_CARDS, Racing, RacingPosition, bit};

/// The part of a position that is common to all hands of MIN.
#[derive(Clone, Debug)]
pub(crate) struct BothHands {
    /// The cards of MIN that are out of play. The card on the table is in play.
    gone: u64,
    /// For card c, at c - 1, how many of MAX's cards in play are lower.
    below: [u8; MOST_CARDS as usize],
    /// The card on the table, or 0.
    table: u8,
    max_leads: bool,
    /// The number of tricks left, including one in progress.
    tricks: u8,
    /// The number of them that MAX needs.
    need: u8,
}

impl BothHands {
    pub(crate) fn new(game: &Racing, position: &RacingPosition) -> Self {
        let table = position.table;
        // The player to move has not played to the trick, so the other one leads if there is a card
        // on the table.
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

    /// The pattern of the cards in play by rank against this hand, which must be compatible with
    /// what MIN has played: 1 where MIN holds the card.
    #[inline]
    pub(crate) fn pattern(&self, hand: u64) -> u64 {
        let (mut mins, mut place, mut rest) = (0, 0, hand & !self.gone);
        while rest != 0 {
            let card = rest.trailing_zeros() as usize;
            mins |= 1 << (self.below[card] + place);
            place += 1;
            rest &= rest - 1;
        }
        mins
    }

    /// Returns whether MAX wins when both see all cards. The answer depends only on the pattern.
    ///
    /// # Errors
    /// When the budget ends it.
    pub(crate) fn max_wins(
        &self,
        mins: u64,
        table: &mut RankTable,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let counting = table.counting(self.tricks);
        if self.need == 0 || self.need > counting {
            return Ok(self.need == 0);
        }
        let maxs = !mins & low_bits(2 * u32::from(self.tricks));
        let (leads, need) = if self.max_leads {
            (maxs, self.need)
        } else {
            (mins, counting + 1 - self.need)
        };
        let leader_succeeds = if self.table == 0 {
            table.leader_takes(leads, self.tricks, need, budget)?
        } else {
            let card = self.place_of_led_card(leads, maxs);
            table.leader_takes_with(leads, self.tricks, card, need, budget)?
        };
        Ok(leader_succeeds == self.max_leads)
    }

    /// The number of remaining tricks that MIN takes with this pattern if the cards in play are
    /// paired in her best way.
    pub(crate) fn most_of_min(&self, mins: u64) -> u8 {
        let (mut taken, mut lower) = (0, 0_u8);
        for place in 0..2 * u32::from(self.tricks) {
            if mins >> place & 1 == 0 {
                lower += 1;
            } else if lower > 0 {
                lower -= 1;
                taken += 1;
            }
        }
        taken
    }

    /// The bit of the card on the table, or of an equivalent one, in the pattern.
    fn place_of_led_card(&self, leads: u64, maxs: u64) -> u32 {
        let below = self.below[usize::from(self.table) - 1];
        // The lowest of the leader's cards above so many of MAX's: her card itself, or a card of
        // MIN in the same gap.
        let mut lower = maxs;
        for _ in 0..below {
            lower &= lower.wrapping_sub(1);
        }
        let from = (maxs & !lower)
            .checked_ilog2()
            .map_or(0, |highest| highest + 1);
        (leads & !low_bits(from)).trailing_zeros()
    }
}
