//! Bounds of a position of racing from perfect information: its value in sets of worlds, and bounds
//! on its value in families.
//!
//! Problem: a search in families of sets of worlds is hopeless without bounds, and a search in sets
//! repeats at each position what the order of the cards already decides.
//!
//! Idea: the value of a position in sets of worlds has all hands that are incompatible with what
//! MIN has played, and those compatible ones against which MAX wins when both see all cards. A
//! table of ranks that all positions share decides which. Taking the union maps families to sets
//! and preserves meet and join, so in families that set is an upper bound. Often it is the value
//! itself: if MAX beats a hand that she imagines to be as strong as each of those that she beats,
//! or if no card that may be in play comes between the cards that MAX holds, because then all her
//! strategies are the same. Otherwise the incompatible hands, which constrain nothing, are a lower
//! bound.
//!
//! A strategy that imagines a weaker hand and beats only some would be a larger lower bound. In an
//! experiment the largest such set saved visits on each of 14 deals that needed a search, but one
//! of them took ten times as long: joins of such sets from many positions are large antichains.
//!
//! Invariant: bounds are true of the position, whatever the window.
//!
//! Cost: an intersection of sets for each card that MIN has played, and some steps for each
//! compatible hand and card. A hand that is no stronger is no harder to beat, so the lowest and the
//! highest compatible hand are tried first, and often decide.
//!
//! Source: union as a homomorphism from families to sets: the errata chapter. The order of ranks:
//! `ranks.rs`. Strategies for many hands: `imagined_hand.rs`.

use meetjoin_dag::{HiddenSets, PerfectInformation as Bounds, Seen, SeesAll, Valuation};
use meetjoin_lattice::{Budget, Lattice, Stop, WorldSet};

use super::both_hands::BothHands;
use super::imagined_hand::as_strong_as_both;
use super::ranks::RankTable;
use super::{Sets, hand};
use crate::racing::{RacingHands, RacingPosition};

/// Bounds on the positions of a deal, for the worlds of a valuation.
pub type PerfectInformation<'a, B> = Bounds<SeenHands<'a, B>>;

/// What MAX wins when she may use MIN's hand. See the [module page](self).
#[derive(Clone, Debug)]
pub struct SeenHands<'a, B: WorldSet> {
    sets: &'a Sets<'a, B>,
    table: RankTable,
}

impl<'a, B: WorldSet> From<&'a HiddenSets<'a, RacingHands, B>> for SeenHands<'a, B> {
    fn from(sets: &'a HiddenSets<'a, RacingHands, B>) -> Self {
        Self {
            table: RankTable::of(sets.game().deal()),
            sets,
        }
    }
}

/// The parts of the value of a position in sets of worlds.
struct Won<B> {
    hands: BothHands,
    incompatible: B,
    /// The compatible worlds that MAX wins.
    compatible: B,
}

impl<B: WorldSet> SeenHands<'_, B> {
    /// Finds the winning ones of the compatible worlds, within `universe` if there is one.
    fn won(
        &mut self,
        position: &RacingPosition,
        universe: Option<&B>,
        budget: &Budget,
    ) -> Result<Won<B>, Stop> {
        let mut rest = self.sets.possible(position);
        let mut incompatible = self.sets.lattice().top();
        incompatible.subtract(&rest);
        let hands = BothHands::new(self.sets.game().deal(), position);
        let mut last = None;
        let mut wins = |world: usize| {
            budget.steps(1)?;
            // Neighbours in the list of worlds often have the same pattern.
            let pattern = hands.pattern(hand(self.sets, world));
            match last {
                Some((same, answer)) if same == pattern => Ok(answer),
                _ => {
                    let answer = hands.max_wins(pattern, &mut self.table, budget)?;
                    last = Some((pattern, answer));
                    Ok(answer)
                }
            }
        };
        let mut compatible = self.sets.lattice().bottom();
        // Worlds are sorted by their lists of cards, so the first compatible one has the lowest
        // cards and the last one the highest.
        let ends = (rest.ones().next(), rest.ones().last());
        if let (Some(lowest), Some(highest)) = ends
            && wins(lowest)?
        {
            let all = wins(highest)?;
            if let Some(universe) = universe {
                rest.intersect_with(universe);
            }
            if all {
                compatible = rest;
            } else {
                for world in rest.ones() {
                    if wins(world)? {
                        compatible.insert(world);
                    }
                }
            }
        }
        Ok(Won {
            hands,
            incompatible,
            compatible,
        })
    }
}

impl<B: WorldSet> SeesAll<RacingPosition, B> for SeenHands<'_, B> {
    fn seen(
        &mut self,
        position: &RacingPosition,
        universe: Option<&B>,
        budget: &Budget,
    ) -> Result<Option<Seen<B>>, Stop> {
        let won = self.won(position, universe, budget)?;
        let patterns = won
            .compatible
            .ones()
            .map(|world| won.hands.pattern(hand(self.sets, world)));
        let imagined = patterns.reduce(as_strong_as_both);
        let by_one = match imagined {
            Some(hand) if !self.sets.game().deal().is_forced(position) => {
                won.hands.max_wins(hand, &mut self.table, budget)?
            }
            _ => true,
        };
        let mut all = won.incompatible.clone();
        all.union_with(&won.compatible);
        Ok(Some(Seen {
            impossible: won.incompatible,
            won: all,
            is_exact: universe.is_none(),
            by_one,
        }))
    }
}
