//! Bounds at every position for the question whether one uniform strategy of MAX wins in all of
//! some worlds.
//!
//! Problem: the value in families is often one set, all hands that MAX beats with perfect
//! information. To test that, a search needs no antichains, only yes and no at each position; but
//! without bounds of inner positions it has to reach the end of the game everywhere.
//!
//! Idea: only the asked worlds count that are compatible with what MIN has played. The answer is
//! yes if MAX beats a hand that she imagines to be as strong as each of theirs, and no if she loses
//! against one of them with perfect information. Otherwise nothing is known.
//!
//! Invariant: bounds are true of the position's answer to the question whether the set of these
//! worlds is in its value in families.
//!
//! Cost: an intersection of sets for each card that MIN has played, some steps for each of the
//! worlds and card, and at most one query of the table of ranks for each.
//!
//! Source: `imagined_hand.rs` for yes. A set that one strategy wins is won with perfect
//! information, for no.

use meetjoin_dag::{Heuristic, HiddenSets};
use meetjoin_lattice::{Bool, Budget, Interval, Stop, WorldSet};

use super::both_hands::BothHands;
use super::imagined_hand::as_strong_as_both;
use super::ranks::RankTable;
use super::{Sets, hand};
use crate::racing::{RacingHands, RacingPosition};

/// Bounds on the question whether one strategy wins in all worlds of a set. See the
/// [module page](self).
#[derive(Clone, Debug)]
pub struct OneStrategy<'a, B: WorldSet> {
    sets: &'a Sets<'a, B>,
    table: RankTable,
    asked: B,
}

impl<'a, B: WorldSet> OneStrategy<'a, B> {
    /// The question for the worlds in `asked`. As a claim, it is that the value in families is at
    /// least the family of that set.
    pub fn new(sets: &'a HiddenSets<'a, RacingHands, B>, asked: B) -> Self {
        Self {
            table: RankTable::of(sets.game().deal()),
            sets,
            asked,
        }
    }

    /// The answer at a position, if it takes no search.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn answer(
        &mut self,
        position: &RacingPosition,
        budget: &Budget,
    ) -> Result<Option<bool>, Stop> {
        let mut asked = self.sets.possible(position);
        asked.intersect_with(&self.asked);
        let hands = BothHands::new(self.sets.game().deal(), position);
        let mut patterns: Vec<u64> = Vec::new();
        for world in asked.ones() {
            budget.steps(1)?;
            let pattern = hands.pattern(hand(self.sets, world));
            if patterns.last() != Some(&pattern) {
                patterns.push(pattern);
            }
        }
        let Some(imagined) = patterns.iter().copied().reduce(as_strong_as_both) else {
            return Ok(Some(true));
        };
        if hands.max_wins(imagined, &mut self.table, budget)? {
            return Ok(Some(true));
        }
        // The strongest hands are at the end.
        for &pattern in patterns.iter().rev() {
            if !hands.max_wins(pattern, &mut self.table, budget)? {
                return Ok(Some(false));
            }
        }
        Ok(self.sets.game().deal().is_forced(position).then_some(true))
    }
}

impl<B: WorldSet> Heuristic<RacingPosition, Bool> for OneStrategy<'_, B> {
    fn bounds(
        &mut self,
        _: &Bool,
        position: &RacingPosition,
        budget: &Budget,
    ) -> Result<Option<Interval<bool>>, Stop> {
        let answer = self.answer(position, budget)?;
        Ok(answer.map(Interval::Exact))
    }
}
