//! MAX's touching cards: cards with no card of MIN in play between them are equivalent.
//!
//! Problem: with a hand like 13 14 16, when MIN has played the 15, MAX has one move and not three.
//! A search that tries all of them searches the same game three times.
//!
//! Idea: split MAX's hand where a card that MIN may still hold, or has on the table, lies between
//! two of her cards. Within a part only the number of cards matters. The representative of a
//! position holds the lowest cards of each part, and the card that she has on the table is the next
//! one. So [`Quotient`](crate::Quotient) of a deal is the game in which touching cards are one
//! move.
//!
//! Invariant: the value is the same in every lattice, because what MIN has played stays as it is:
//! the worlds of both games correspond one to one, and so do the strategies. Cards that are out of
//! play never come back, so parts only merge.
//!
//! Cost: a step for each card of MAX's hand.

use super::{Racing, RacingPosition, bit};
use crate::contracts::quotient::Symmetric;

impl Racing {
    /// The cards of MIN that may be in play: unseen ones, and the one on the table.
    pub(super) fn live_foreign(&self, position: &RacingPosition) -> u64 {
        let unseen = self.foreign & !position.min_played;
        match position.table {
            0 => unseen,
            table => unseen | self.foreign & bit(table),
        }
    }

    /// Returns whether no card that may be in play lies between MAX's cards, so that all of them
    /// are equivalent.
    pub(super) fn is_forced(&self, position: &RacingPosition) -> bool {
        let places = self.hand.iter().enumerate();
        let left = places.filter(|(place, _)| position.max_left >> place & 1 == 1);
        let left = left.fold(0, |cards, (_, &card)| cards | bit(card));
        if left == 0 {
            return true;
        }
        let lowest_up = u64::MAX << left.trailing_zeros();
        let up_to_highest = u64::MAX >> left.leading_zeros();
        self.live_foreign(position) & lowest_up & up_to_highest == 0
    }
}

impl Symmetric for Racing {
    fn canonical(&self, position: &RacingPosition) -> RacingPosition {
        let live = self.live_foreign(position);
        let mut canonical = RacingPosition {
            max_left: 0,
            ..*position
        };
        // Indices go from the highest card down, and parts are processed in that order.
        let mut begin = 0;
        while begin < self.hand.len() {
            let above = bit(self.hand[begin]) - 1;
            let part = self.hand[begin..].iter();
            let touches = |&&card: &&u8| live & above & !(bit(card) - 1) == 0;
            let end = begin + part.take_while(touches).count();
            let places = begin..end;
            let table = places.clone().find(|&i| self.hand[i] == position.table);
            let left = places
                .clone()
                .filter(|i| position.max_left >> i & 1 == 1)
                .count();
            places
                .rev()
                .take(left)
                .for_each(|i| canonical.max_left |= 1 << i);
            if table.is_some() {
                canonical.table = self.hand[end.saturating_sub(left + 1)];
            }
            begin = end;
        }
        canonical
    }
}
