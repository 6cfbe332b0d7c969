//! Heuristics for racing: knowledge of positions without search.

pub(crate) mod both_hands;
pub mod bounds;
pub mod decided;
pub(crate) mod imagined_hand;
pub mod one_strategy;
pub(crate) mod ranks;

use meetjoin_dag::HiddenSets;
use meetjoin_lattice::WorldSet;

use super::RacingHands;

/// The values of a deal in sets, which know the hand of each world.
type Sets<'a, B> = HiddenSets<'a, RacingHands, B>;

/// The hand at an index of sets of stakes, each of which is one world.
fn hand<B: WorldSet>(sets: &Sets<'_, B>, place: usize) -> u64 {
    sets.game().hands()[place]
}
