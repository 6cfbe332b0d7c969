//! Weighted sums of the criteria: as a preference, and as the value of the game in which only the
//! sum counts.
//!
//! A preference must respect dominance strictly, so its weights are positive. The value of a game
//! needs less: a sum with weights from 0 on is indifferent between some outcomes, but contradicts
//! no dominance. Other weights are refused with two outcomes that show the contradiction.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use meetjoin_lattice::{Budget, Limits};

use crate::compare::{Preference, PreferenceError, contradiction, oriented};
use crate::outcomes::LeafOutcomes as _;
use crate::packets::{Algebra, Expression};
use crate::player::Player;
use crate::vectors::{VectorGame, outcome_text};

type Outcome = Arc<[i64]>;

/// The weighted sum of an outcome. Sums beyond 128 bits, which no weights of 32 bits have, are
/// saturated.
pub fn weighted_sum<W: Copy + Into<i128>>(weights: &[W], outcome: &[i64]) -> i128 {
    let terms = weights.iter().zip(outcome);
    terms
        .map(|(&weight, &number)| weight.into() * i128::from(number))
        .fold(0, i128::saturating_add)
}

/// The weighted sum of the criteria, with positive weights. MAX maximizes it, MIN minimizes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weighted {
    player: Player,
    weights: Box<[u32]>,
}

impl Weighted {
    /// Weights for outcomes with `criteria` criteria.
    ///
    /// # Errors
    /// If they are not as many as the criteria, or one is 0.
    pub fn new(
        player: Player,
        criteria: usize,
        weights: impl Into<Box<[u32]>>,
    ) -> Result<Self, PreferenceError> {
        let weights = weights.into();
        if weights.is_empty() {
            return Err(PreferenceError::Empty);
        }
        check_count(criteria, weights.len())?;
        match weights.iter().position(|&weight| weight == 0) {
            Some(place) => Err(PreferenceError::ZeroWeight {
                criterion: place + 1,
            }),
            None => Ok(Self { player, weights }),
        }
    }

    /// Weights for the outcomes of a game. Weights that are not positive are refused with two
    /// outcomes that show the contradiction, of the game if some do.
    ///
    /// # Errors
    /// If the weights are not as many as the criteria, or one is not positive or has more than 32
    /// bits.
    pub fn of_game(
        player: Player,
        game: &VectorGame,
        weights: &[i64],
    ) -> Result<Self, PreferenceError> {
        // A negative weight is refused as 0 is.
        let of_32_bits = |&weight: &i64| u32::try_from(weight.max(0));
        let positive: Result<Vec<u32>, _> = weights.iter().map(of_32_bits).collect();
        let positive = positive.map_err(|_| PreferenceError::LargeWeight)?;
        match Self::new(player, game.criteria(), positive) {
            Err(PreferenceError::ZeroWeight { .. }) => {}
            done => return done,
        }
        let preference = |a: &Outcome, b: &Outcome| {
            let order = weighted_sum(weights, a).cmp(&weighted_sum(weights, b));
            oriented(player, order)
        };
        let (better, worse) = contradicted(player, game, &preference);
        let (upper, wants) = match player {
            Player::Max => (&better, ""),
            Player::Min => (&worse, ", and MIN wants less"),
        };
        let upper = outcome_text(upper);
        let is_indifferent = preference(&better, &worse).is_eq();
        let (better, worse) = (outcome_text(&better), outcome_text(&worse));
        let does = if is_indifferent {
            format!("is indifferent between {worse} and {better}")
        } else {
            format!("prefers {worse} to {better}")
        };
        Err(PreferenceError::Contradicts(format!(
            "this preference {does}, though {upper} dominates{wants}; weights must be positive"
        )))
    }
}

impl Preference<Outcome> for Weighted {
    fn compare(&self, a: &Outcome, b: &Outcome) -> Ordering {
        // At most 2^95 for each criterion, so the sum of 2^32 of them fits.
        let order = weighted_sum(&self.weights, a).cmp(&weighted_sum(&self.weights, b));
        oriented(self.player, order)
    }
}

/// Checks whether a weighted sum respects dominance among the outcomes of a game, as its value has
/// to. Unlike a preference it may be indifferent between an outcome and a better one.
///
/// # Errors
/// If the weights are not as many as the criteria, or one is negative.
pub fn check_weights(game: &VectorGame, weights: &[i64]) -> Result<(), PreferenceError> {
    check_count(game.criteria(), weights.len())?;
    if weights.iter().all(|&weight| weight >= 0) {
        return Ok(());
    }
    let preference = |a: &Outcome, b: &Outcome| {
        if weighted_sum(weights, a) < weighted_sum(weights, b) {
            Ordering::Less
        } else {
            Ordering::Greater
        }
    };
    let (better, worse) = contradicted(Player::Max, game, &preference);
    let (upper, lower) = (outcome_text(&better), outcome_text(&worse));
    Err(PreferenceError::Contradicts(format!(
        "this sum puts {lower} above {upper}, though {upper} dominates; weights must not be negative"
    )))
}

/// The most that MAX can guarantee of a weighted sum by one of these packets: over the packets, the
/// greatest of their least sums. `None` if there are no packets.
///
/// For the packets of a root and weights that [fit](check_weights), this is the value of the game
/// in which each leaf is worth its sum.
pub fn guaranteed_sum(of_max: &Expression<Outcome>, weights: &[i64]) -> Option<i128> {
    let least = of_max.packets().iter().filter_map(|packet| {
        let sums = packet.outcomes().iter();
        sums.map(|outcome| weighted_sum(weights, outcome)).min()
    });
    least.max()
}

fn check_count(criteria: usize, weights: usize) -> Result<(), PreferenceError> {
    if weights == criteria {
        return Ok(());
    }
    Err(PreferenceError::Count { criteria, weights })
}

/// The most comparisons to find two outcomes of the game itself.
const COMPARISONS: u64 = 10_000_000;

/// Two outcomes on which a preference contradicts dominance, the better one first: of the game, or
/// else one that is 1 in the criterion at fault and one that is 0.
fn contradicted(
    player: Player,
    game: &VectorGame,
    preference: &impl Preference<Outcome>,
) -> (Outcome, Outcome) {
    let criteria = game.criteria();
    let zero: Outcome = vec![0; criteria].into();
    let one = |place: usize| (0..criteria).map(|c| i64::from(c == place)).collect();
    let of_game: BTreeSet<Outcome> = game.vectors().iter().cloned().collect();
    let of_game: Vec<Outcome> = of_game.into_iter().collect();
    let budget = Budget::new(Limits {
        steps: Some(COMPARISONS),
        ..Limits::default()
    });
    let algebra = Algebra::new(game.order(), &budget);
    if let Ok(Some((a, b))) = contradiction(algebra, player, preference, &of_game) {
        return (a.clone(), b.clone());
    }
    let pair = |place: usize| match player {
        Player::Max => (one(place), zero.clone()),
        Player::Min => (zero.clone(), one(place)),
    };
    let at_fault = |(a, b): &(Outcome, Outcome)| preference.compare(a, b).is_le();
    let pair_at_fault = (0..criteria).map(pair).find(at_fault);
    pair_at_fault.unwrap_or_else(|| pair(0))
}
