//! Racing as one plans for it: MAX's cards have their names, and MIN's cards between two
//! neighbouring cards of hers are one reply.
//!
//! Problem: a plan that answers each card of MIN by itself says the same thing over and over:
//! 20,000 to 60,000 positions where a few hundred differ.
//!
//! Idea: the graph of [`RacingClasses`] without the quotient by touching cards of MAX, so that a
//! move of hers is a card that she holds. A reply is any card of a gap. A position stands for all
//! in which MIN has played as many cards of each gap.
//!
//! Invariant: a strategy in this graph that wins some classes of hands wins every hand of these
//! classes in the plain game. Which of a gap's cards MIN plays changes no trick, and she has a card
//! of a gap left if the hand that stands for her class has one.
//!
//! Cost: as the graph of classes.

use std::fmt;

use meetjoin_dag::{AndOrDag, Kind};

use super::{Racing, RacingClasses, RacingPosition, bit, cards, write_number};

/// A deal as one plans for it. See the [module page](self).
#[derive(Clone, Copy, Debug)]
pub struct RacingPlans<'a> {
    game: &'a Racing,
    classes: &'a RacingClasses<'a>,
}

impl<'a> RacingPlans<'a> {
    /// The plans of a deal.
    pub fn new(game: &'a Racing, classes: &'a RacingClasses<'a>) -> Self {
        Self { game, classes }
    }

    /// The cards by which play may come from one position to the next, from the highest down: one
    /// of MAX, or all of a gap that one of these hands of MIN holds.
    pub fn cards(&self, from: &RacingPosition, to: &RacingPosition, hands: u64) -> Vec<u8> {
        let Some(card) = self.game.played(from, to) else {
            return Vec::new();
        };
        if from.max_moves {
            return vec![card];
        }
        let gap = self.gap(card) & hands;
        let mut all: Vec<u8> = cards(gap).collect();
        all.reverse();
        all
    }

    /// The cards of MIN between the same cards of MAX as this one; none if it is hers.
    fn gap(&self, card: u8) -> u64 {
        let mut gaps = self.classes.gaps().iter();
        gaps.find(|gap| *gap & bit(card) != 0).copied().unwrap_or(0)
    }

    /// Which cards of each gap MIN has played, as far as that is known: the lead, and so many of
    /// the others.
    fn write_played(&self, played: u64, out: &mut dyn fmt::Write) -> fmt::Result {
        let lead = bit(self.game.lead);
        let mut between = "";
        for gap in self.classes.gaps() {
            let mut count = (gap & played).count_ones();
            if count == 0 {
                continue;
            }
            if gap & lead != 0 {
                write_number(between, self.game.lead, out)?;
                between = ", ";
                count -= 1;
            }
            let others = gap & !lead;
            if count > 0 {
                out.write_str(between)?;
                write_some(others, count, out)?;
                between = ", ";
            }
        }
        Ok(())
    }
}

/// "15", or "1 of 15 16 18".
fn write_some(cards: u64, count: u32, out: &mut dyn fmt::Write) -> fmt::Result {
    if count < cards.count_ones() {
        write!(out, "{count} of ")?;
    }
    let mut between = "";
    super::cards(cards).try_for_each(|card| {
        write_number(between, card, out)?;
        between = " ";
        Ok(())
    })
}

impl AndOrDag for RacingPlans<'_> {
    type Node = RacingPosition;

    fn root(&self) -> RacingPosition {
        let root = self.game.root();
        let table = match root.table {
            0 => 0,
            card => match self.gap(card) {
                0 => card,
                gap => gap.trailing_zeros() as u8 + 1,
            },
        };
        RacingPosition {
            min_played: self.classes.representative(root.min_played),
            table,
            ..root
        }
    }

    fn kind(&self, position: &RacingPosition) -> Kind {
        self.game.kind(position)
    }

    fn children(&self, position: &RacingPosition, out: &mut Vec<RacingPosition>) {
        if position.max_moves {
            self.game.children(position, out);
        } else {
            self.classes.replies(position, out);
        }
    }

    fn name(&self, position: &RacingPosition, out: &mut dyn fmt::Write) -> fmt::Result {
        self.game.write_score(position, out)?;
        out.write_str(", MIN has played ")?;
        self.write_played(position.min_played, out)?;
        if position.table == 0 {
            return Ok(());
        }
        out.write_str(", ")?;
        // One card: it is the lead.
        let first = position.min_played.is_power_of_two();
        match self.gap(position.table) {
            0 => write_number("", position.table, out)?,
            _ if first => write_number("", self.game.lead, out)?,
            gap => write_some(gap, 1, out)?,
        }
        out.write_str(" on the table")
    }
}
