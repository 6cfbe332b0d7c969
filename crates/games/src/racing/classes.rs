//! Racing in which cards that can be exchanged for one another are one card: hands of MIN by
//! classes, and one move for each gap.
//!
//! Problem: MIN's cards between two neighbouring cards of MAX are worth the same. A deck of 30
//! cards with 10 in a hand has 92,378 hands of MIN, and sets of so many worlds are dear, but mostly
//! a thousand or so *classes* of hands with the same number of cards in each gap.
//!
//! Idea: MIN plays the lowest card of a gap first, and a class is represented by the hand that has
//! the lowest cards of each gap. So positions, worlds, leaves and what perfect information says are
//! those of the plain game over fewer hands: a class can still be MIN's after he has played so many
//! cards of each gap exactly if its representative holds the cards that stand for them. On the
//! table the lowest card of the gap stands for all. Touching cards of MAX are one move
//! (`touching.rs`).
//!
//! Invariant: the value in sets, with classes spread out into hands, is that of the plain game, and
//! so is the heaviest weight of a set in families if the hands of a class weigh the same. The whole
//! value in families is below that of the plain game: a uniform strategy may tell interchangeable
//! cards apart, and then wins a set of hands that is no union of classes; some union of classes
//! that is won weighs as much.
//!
//! Cost: a position is 16 bytes; a move of MIN takes a step for each gap, one of MAX for each of
//! her cards.
//!
//! Source: the averaging of strategies over exchanges of cards: the errata chapter, on the
//! benchmarks.

use std::fmt;

use meetjoin_dag::{AndOrDag, Kind};
use meetjoin_lattice::{TooManyWorlds, WorldSet};

use super::winning_hands::{Classes, choose, lowest};
use super::{Racing, RacingFamilies, RacingPosition, RacingSets, bit, cards};
use crate::contracts::quotient::Symmetric;

/// A deal up to interchangeable cards, as a graph whose worlds are classes of hands. See the
/// [module page](self).
#[derive(Clone, Debug)]
pub struct RacingClasses<'a> {
    game: &'a Racing,
    /// The cards that MAX does not hold, in each gap that has any, from the lowest up.
    gaps: Vec<u64>,
    /// The hand that stands for each class, in ascending order of their ascending lists of cards.
    representatives: Vec<u64>,
    /// How many hands each class has.
    counts: Vec<u64>,
}

impl<'a> RacingClasses<'a> {
    /// The classes of a deal.
    pub fn new(game: &'a Racing) -> Self {
        let mut gaps = game.gaps();
        gaps.retain(|gap| *gap != 0);
        let lead = bit(game.lead);
        let others: Vec<u64> = gaps.iter().map(|gap| gap & !lead).collect();
        let mut taken = Classes::new(&others, game.hand.len() as u32 - 1);
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
        classes.sort_by(|(a, _), (b, _)| cards(*a).cmp(cards(*b)));
        let (representatives, counts) = classes.into_iter().unzip();
        Self {
            game,
            gaps,
            representatives,
            counts,
        }
    }

    /// How many hands each class has.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The class of each of the [`worlds`](Racing::worlds), in their order.
    pub fn of_worlds(&self) -> Vec<usize> {
        let worlds = self.game.worlds().into_iter();
        worlds.map(|hand| self.class(hand)).collect()
    }

    /// The class of a hand of MIN, a set of cards (bit c - 1 for card c).
    pub fn class(&self, hand: u64) -> usize {
        let hand = self.representative(hand);
        let classes = &self.representatives;
        classes.partition_point(|other| cards(*other).lt(cards(hand)))
    }

    /// The families of classes that one uniform strategy wins which does not tell interchangeable
    /// cards apart.
    ///
    /// # Errors
    /// If the representation cannot hold so many classes.
    pub fn families<B: WorldSet>(&self) -> Result<RacingFamilies<'a, B>, TooManyWorlds> {
        let sets = RacingSets::over(self.game, self.representatives.clone())?;
        Ok(RacingFamilies::of(sets))
    }

    /// The cards that MAX does not hold, in each gap that has any, from the lowest up.
    pub(super) fn gaps(&self) -> &[u64] {
        &self.gaps
    }

    /// The lowest cards of each gap, as many as are there.
    pub(super) fn representative(&self, cards: u64) -> u64 {
        let gaps = self.gaps.iter();
        gaps.fold(0, |all, gap| all | lowest(*gap, (gap & cards).count_ones()))
    }

    /// A move of MAX for each part of touching cards.
    fn moves_of_max(&self, position: &RacingPosition, out: &mut Vec<RacingPosition>) {
        let live = self.game.live_foreign(position);
        let mut above: Option<u8> = None;
        for (place, &card) in self.game.hand.iter().enumerate() {
            if position.max_left >> place & 1 == 0 {
                continue;
            }
            let between = above.map(|above| (bit(above) - 1) & !(bit(card) - 1));
            if between.is_none_or(|between| live & between != 0) {
                let next = self.game.after_max(position, place);
                out.push(self.game.canonical(&next));
            }
            above = Some(card);
        }
    }

    /// A move of MIN for each gap, from the highest down.
    pub(super) fn replies(&self, position: &RacingPosition, out: &mut Vec<RacingPosition>) {
        for gap in self.gaps.iter().rev() {
            let unseen = gap & !position.min_played;
            if unseen != 0 {
                let mut next = *position;
                next.min_played |= lowest(unseen, 1);
                next.play(gap.trailing_zeros() as u8 + 1, false);
                out.push(next);
            }
        }
    }
}

impl AndOrDag for RacingClasses<'_> {
    type Node = RacingPosition;

    fn root(&self) -> RacingPosition {
        let played = self.representative(bit(self.game.lead));
        let root = RacingPosition {
            min_played: played,
            table: played.trailing_zeros() as u8 + 1,
            ..self.game.first()
        };
        self.game.canonical(&root)
    }

    #[inline]
    fn kind(&self, position: &RacingPosition) -> Kind {
        self.game.kind(position)
    }

    fn children(&self, position: &RacingPosition, out: &mut Vec<RacingPosition>) {
        if position.max_moves {
            self.moves_of_max(position, out);
        } else {
            let begin = out.len();
            self.replies(position, out);
            for next in &mut out[begin..] {
                *next = self.game.canonical(next);
            }
        }
    }

    fn name(&self, position: &RacingPosition, out: &mut dyn fmt::Write) -> fmt::Result {
        self.game.name(position, out)
    }
}
