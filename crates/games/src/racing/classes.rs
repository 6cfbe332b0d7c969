//! Racing up to interchangeable cards: hands of MIN by classes, and one move for each gap.
//!
//! Problem: MIN's cards between two neighbouring cards of MAX are equivalent. A deck of 30 cards
//! with 10 in a hand has 92,378 hands of MIN, and sets of so many worlds are expensive, but usually
//! only about a thousand *classes* of hands with the same number of cards in each gap. And a plan
//! that answers each card of MIN separately repeats itself: it has 20,000 to 60,000 positions, of
//! which a few hundred differ.
//!
//! Idea: MIN plays the lowest card of a gap first, and a class is represented by the hand that has
//! the lowest cards of each gap. So positions, worlds, leaves and bounds from perfect information
//! are those of the plain game over fewer hands: a class can still be MIN's after he has played so
//! many cards of each gap exactly if its representative holds the cards that stand for them. On the
//! table the lowest card of the gap stands for all of them. Touching cards of MAX are one move
//! (`touching.rs`), unless a plan needs their names.
//!
//! Invariant: the value in sets, with classes expanded into hands, is that of the plain game, and
//! so is the heaviest weight of a set in families if the hands of a class weigh the same. The value
//! in families is below that of the plain game: a uniform strategy may tell interchangeable cards
//! apart, and then wins a set of hands that is no union of classes; some union of classes that is
//! won weighs as much. A strategy that wins some classes wins every hand of them: which of a gap's
//! cards MIN plays changes no trick, and he has a card of a gap left if the hand that stands for
//! his class has one.
//!
//! Cost: a move of MIN takes a step for each gap, one of MAX for each of her cards.
//!
//! Source: the errata chapter, on the benchmarks, for averaging strategies over exchanges of cards.

use std::fmt;

use meetjoin_dag::AndOrDag;
use meetjoin_lattice::Budget;

use super::hands::Alike;
use super::winning_hands::{Classes, choose, lowest};
use super::{Racing, RacingHands, RacingPosition, bit, cards, write_number};
use crate::contracts::quotient::Symmetric;

impl RacingHands {
    /// A deal up to interchangeable cards: the worlds are classes of hands, weighted by their
    /// numbers of hands.
    pub fn classes(deal: &Racing) -> Self {
        let mut gaps = deal.gaps();
        gaps.retain(|gap| *gap != 0);
        let lead = bit(deal.lead);
        let others: Vec<u64> = gaps.iter().map(|gap| gap & !lead).collect();
        let mut taken = Classes::new(&others, deal.hand.len() as u32 - 1);
        let mut classes: Vec<(u64, u64)> = Vec::new();
        let mut more = true;
        while more {
            let (mut hand, mut count) = (0, 1);
            for (gap, &taken) in gaps.iter().zip(&taken.counts) {
                let led = gap & lead;
                hand |= lowest(*gap, u32::from(taken) + led.count_ones());
                count *= choose((gap & !led).count_ones().into(), taken.into());
            }
            classes.push((hand, count));
            more = taken.advance();
        }
        classes.sort_unstable_by(|(a, _), (b, _)| cards(*a).cmp(cards(*b)));
        let (hands, counts) = classes.into_iter().unzip();
        let alike = Alike {
            gaps,
            counts,
            touching: true,
        };
        let made = Self::of(deal, hands, Some(alike), &Budget::unlimited());
        made.unwrap_or_else(|_| unreachable!("there is no limit"))
    }

    /// The same worlds, but with a move of MAX for each card, as plans need.
    #[must_use]
    pub fn with_named_cards(mut self) -> Self {
        if let Some(alike) = &mut self.alike {
            alike.touching = false;
        }
        self
    }

    /// The number of hands in each class; empty if worlds are hands.
    pub fn counts(&self) -> &[u64] {
        self.alike.as_ref().map_or(&[], |alike| &alike.counts)
    }

    /// The world of each of the hands that MIN may hold, in the order of [`Racing::worlds`].
    pub fn of_worlds(&self) -> Vec<usize> {
        let worlds = self.deal.worlds().into_iter();
        worlds.map(|hand| self.class(hand)).collect()
    }

    /// The world of a hand of MIN, a set of cards (bit c - 1 for card c).
    pub fn class(&self, hand: u64) -> usize {
        let hand = match &self.alike {
            None => hand,
            Some(alike) => alike.representative(hand),
        };
        (self.hands()).partition_point(|other| cards(*other).lt(cards(hand)))
    }

    /// The cards by which play may come from one position to the next, from the highest down: one
    /// of MAX, or all of a gap that one of these hands of MIN holds.
    pub fn cards(&self, from: &RacingPosition, to: &RacingPosition, hands: u64) -> Vec<u8> {
        let Some(card) = self.deal.played(from, to) else {
            return Vec::new();
        };
        match &self.alike {
            Some(alike) if !from.max_moves => {
                let mut all: Vec<u8> = cards(alike.gap(card) & hands).collect();
                all.reverse();
                all
            }
            _ => vec![card],
        }
    }
}

impl Alike {
    /// The cards of MIN between the same cards of MAX as this one; empty if it is MAX's.
    fn gap(&self, card: u8) -> u64 {
        let mut gaps = self.gaps.iter();
        gaps.find(|gap| *gap & bit(card) != 0).copied().unwrap_or(0)
    }

    /// The lowest cards of each gap, with the same number in each.
    fn representative(&self, cards: u64) -> u64 {
        let gaps = self.gaps.iter();
        gaps.fold(0, |all, gap| all | lowest(*gap, (gap & cards).count_ones()))
    }

    /// The position that represents one of the plain game.
    pub(super) fn representative_of(&self, deal: &Racing, of: &RacingPosition) -> RacingPosition {
        let table = match of.table {
            0 => 0,
            card => match self.gap(card) {
                0 => card,
                gap => gap.trailing_zeros() as u8 + 1,
            },
        };
        let position = RacingPosition {
            min_played: self.representative(of.min_played),
            table,
            ..*of
        };
        self.merged(deal, position)
    }

    /// The position, up to touching cards if these are one move.
    fn merged(&self, deal: &Racing, position: RacingPosition) -> RacingPosition {
        if self.touching {
            deal.canonical(&position)
        } else {
            position
        }
    }

    /// A move of MAX for each card, or each part of touching cards, and one of MIN for each gap,
    /// from the highest down.
    pub(super) fn moves(
        &self,
        deal: &Racing,
        position: &RacingPosition,
        out: &mut Vec<RacingPosition>,
    ) {
        if !position.max_moves {
            for gap in self.gaps.iter().rev() {
                let unseen = gap & !position.min_played;
                if unseen != 0 {
                    let mut next = *position;
                    next.min_played |= lowest(unseen, 1);
                    next.play(gap.trailing_zeros() as u8 + 1, false);
                    out.push(self.merged(deal, next));
                }
            }
            return;
        }
        if !self.touching {
            deal.children(position, out);
            return;
        }
        let live = deal.live_foreign(position);
        let mut above: Option<u8> = None;
        for (place, &card) in deal.hand.iter().enumerate() {
            if position.max_left >> place & 1 == 0 {
                continue;
            }
            let between = above.map(|above| (bit(above) - 1) & !(bit(card) - 1));
            if between.is_none_or(|between| live & between != 0) {
                out.push(deal.canonical(&deal.after_max(position, place)));
            }
            above = Some(card);
        }
    }

    /// Writes the cards of each gap that MIN has played, as far as they are determined: the lead,
    /// and the number of others.
    pub(super) fn write_name(
        &self,
        deal: &Racing,
        position: &RacingPosition,
        out: &mut dyn fmt::Write,
    ) -> fmt::Result {
        deal.write_score(position, out)?;
        out.write_str(", MIN has played ")?;
        let (lead, played) = (bit(deal.lead), position.min_played);
        let mut between = "";
        for gap in &self.gaps {
            let mut count = (gap & played).count_ones();
            if count == 0 {
                continue;
            }
            if gap & lead != 0 {
                write_number(between, deal.lead, out)?;
                between = ", ";
                count -= 1;
            }
            if count > 0 {
                out.write_str(between)?;
                write_some(gap & !lead, count, out)?;
                between = ", ";
            }
        }
        if position.table == 0 {
            return Ok(());
        }
        out.write_str(", ")?;
        // A single card is the lead.
        let first = played.is_power_of_two();
        match self.gap(position.table) {
            0 => write_number("", position.table, out)?,
            _ if first => write_number("", deal.lead, out)?,
            gap => write_some(gap, 1, out)?,
        }
        out.write_str(" on the table")
    }
}

/// Writes "15", or "1 of 15 16 18".
fn write_some(of: u64, count: u32, out: &mut dyn fmt::Write) -> fmt::Result {
    if count < of.count_ones() {
        write!(out, "{count} of ")?;
    }
    let mut between = "";
    cards(of).try_for_each(|card| {
        write_number(between, card, out)?;
        between = " ";
        Ok(())
    })
}
