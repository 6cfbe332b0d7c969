//! Choosing between packets: `Compare` with a preference, and a preference that chooses a given
//! packet.
//!
//! Problem: a player who knows her own preferences, but not the opponent's, must choose a set of
//! outcomes from which the opponent will take one.
//!
//! Idea: the worst outcome of a packet is what it guarantees, so compare the worst; where they tie,
//! drop all outcomes of that rank and go on. A packet with outcomes left over is better. The
//! preference is a total preorder that respects dominance: a better outcome under dominance is
//! strictly preferred, incomparable ones may tie.
//!
//! The paper chooses at random where packets tie. Here the first in sorted order is chosen, and the
//! others are reported.
//!
//! Every packet of a minimal expression is the choice of some preference (Theorem 2.7), namely
//! [`Favouring`]. The converse, that no preference needs an absorbed packet (Theorem 2.6), fails
//! for preferences with ties.
//!
//! Cost: a comparison of packets of k outcomes takes up to k² comparisons of outcomes.
//!
//! Source: Dasgupta, Chakrabarti, DeSarkar (1996), section 2.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use meetjoin_lattice::{Poset, Stop};

use crate::bottom_up::RootPackets;
use crate::packets::{Algebra, Expression, Packet};
use crate::player::Player;

/// The preference of a player: a total preorder of outcomes.
pub trait Preference<X: ?Sized> {
    /// `Greater` if the owner prefers `a` to `b`, `Equal` if she is indifferent.
    fn compare(&self, a: &X, b: &X) -> Ordering;
}

impl<X: ?Sized, F: Fn(&X, &X) -> Ordering> Preference<X> for F {
    fn compare(&self, a: &X, b: &X) -> Ordering {
        self(a, b)
    }
}

/// A preference that does not fit the outcomes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PreferenceError {
    /// No criterion is named.
    #[error("a preference needs at least one criterion")]
    Empty,
    /// A weight of zero makes outcomes tie of which one dominates the other.
    #[error(
        "the weight of criterion {criterion} is 0, so the preference does not respect dominance"
    )]
    ZeroWeight {
        /// Counted from 1.
        criterion: usize,
    },
    /// A weight beyond 32 bits.
    #[error("a weight has at most 32 bits")]
    LargeWeight,
    /// A weighted sum that contradicts dominance, in a sentence with two outcomes that show it.
    #[error("{0}")]
    Contradicts(String),
    /// More or fewer weights than criteria.
    #[error("the outcomes have {}, but there {}", counted(*.criteria, "criterion", "criteria"), given(*.weights))]
    Count {
        /// Criteria of the outcomes.
        criteria: usize,
        /// Weights given.
        weights: usize,
    },
    /// A criterion that the outcomes do not have.
    #[error("there is no criterion {criterion}: the outcomes have {criteria}")]
    NoCriterion {
        /// Counted from 1.
        criterion: usize,
        /// Criteria of the outcomes.
        criteria: usize,
    },
    /// A criterion that is named twice.
    #[error("criterion {criterion} is named twice")]
    Twice {
        /// Counted from 1.
        criterion: usize,
    },
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn given(weights: usize) -> String {
    let is = if weights == 1 { "is" } else { "are" };
    format!("{is} {}", counted(weights, "weight", "weights"))
}

/// A lexicographic order of the criteria. MAX maximizes each, MIN minimizes each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lexicographic {
    player: Player,
    /// All criteria, counted from 0.
    criteria: Box<[usize]>,
}

impl Lexicographic {
    /// `first` are the criteria that come first, counted from 1. The others follow in their own
    /// order, so that dominance is respected.
    ///
    /// # Errors
    /// If a criterion does not exist or is named twice, or none is named.
    pub fn new(player: Player, criteria: usize, first: &[usize]) -> Result<Self, PreferenceError> {
        if first.is_empty() {
            return Err(PreferenceError::Empty);
        }
        let mut order = Vec::with_capacity(criteria);
        for &criterion in first {
            if criterion == 0 || criterion > criteria {
                return Err(PreferenceError::NoCriterion {
                    criterion,
                    criteria,
                });
            }
            if order.contains(&(criterion - 1)) {
                return Err(PreferenceError::Twice { criterion });
            }
            order.push(criterion - 1);
        }
        let rest: Vec<usize> = (0..criteria).filter(|c| !order.contains(c)).collect();
        order.extend(rest);
        Ok(Self {
            player,
            criteria: order.into(),
        })
    }
}

impl<T: Ord> Preference<Arc<[T]>> for Lexicographic {
    fn compare(&self, a: &Arc<[T]>, b: &Arc<[T]>) -> Ordering {
        let by_criterion = self.criteria.iter().map(|&c| a.get(c).cmp(&b.get(c)));
        let first = by_criterion.into_iter().find(|order| order.is_ne());
        oriented(self.player, first.unwrap_or(Ordering::Equal))
    }
}

/// The order from the player's view: reversed for MIN.
pub(crate) fn oriented(player: Player, order: Ordering) -> Ordering {
    match player {
        Player::Max => order,
        Player::Min => order.reverse(),
    }
}

/// Two of these outcomes on which the player's preference contradicts dominance, if there are any:
/// the first is better under dominance for the player, and not preferred. `None` means that the
/// preference respects dominance among these outcomes. All pairs are compared.
///
/// # Errors
/// When the budget ends it.
pub fn contradiction<'a, X: PartialEq, P: Poset<Elem = X>>(
    algebra: Algebra<'_, P>,
    player: Player,
    preference: &impl Preference<X>,
    outcomes: &'a [X],
) -> Result<Option<(&'a X, &'a X)>, Stop> {
    for a in outcomes {
        algebra.budget().steps(outcomes.len() as u64)?;
        for b in outcomes {
            if a != b
                && algebra.at_least(player, a, b)?
                && preference.compare(a, b) != Ordering::Greater
            {
                return Ok(Some((a, b)));
            }
        }
    }
    Ok(None)
}

/// `Compare` of the paper: `Greater` if the owner of the preference chooses `a` over `b`, `Equal`
/// if they tie. Both must be packets of the owner.
pub fn compare_packets<X>(
    preference: &impl Preference<X>,
    a: &Packet<X>,
    b: &Packet<X>,
) -> Ordering {
    let mut a: Vec<&X> = a.outcomes().iter().collect();
    let mut b: Vec<&X> = b.outcomes().iter().collect();
    loop {
        let (Some(worst_a), Some(worst_b)) = (worst(preference, &a), worst(preference, &b)) else {
            // The packet with outcomes left may still yield a better one.
            return a.len().cmp(&b.len());
        };
        let order = preference.compare(a[worst_a], b[worst_b]);
        if order.is_ne() {
            return order;
        }
        drop_rank(preference, &mut a, worst_a);
        drop_rank(preference, &mut b, worst_b);
    }
}

/// The index of a least preferred outcome.
fn worst<X>(preference: &impl Preference<X>, outcomes: &[&X]) -> Option<usize> {
    (0..outcomes.len()).reduce(|worst, next| {
        match preference.compare(outcomes[next], outcomes[worst]) {
            Ordering::Less => next,
            Ordering::Equal | Ordering::Greater => worst,
        }
    })
}

/// Drops the outcome at `place` and all outcomes that tie with it. It always drops that one, so
/// that the comparison ends even if the preference is no preorder.
fn drop_rank<X>(preference: &impl Preference<X>, outcomes: &mut Vec<&X>, place: usize) {
    let dropped = outcomes.remove(place);
    outcomes.retain(|outcome| preference.compare(outcome, dropped).is_ne());
}

/// The packet chosen by a preference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice<'a, X> {
    /// The first of the best packets, in sorted order.
    pub packet: &'a Packet<X>,
    /// The other packets that are as good.
    pub tied: Vec<&'a Packet<X>>,
}

/// The best packet of an expression, for a preference of its player. `None` if there are no
/// packets.
pub fn choose<'a, X>(
    preference: &impl Preference<X>,
    expression: &'a Expression<X>,
) -> Option<Choice<'a, X>> {
    let (packet, rest) = expression.packets().split_first()?;
    let mut choice = Choice {
        packet,
        tied: Vec::new(),
    };
    for packet in rest {
        match compare_packets(preference, packet, choice.packet) {
            Ordering::Less => {}
            Ordering::Equal => choice.tied.push(packet),
            Ordering::Greater => {
                choice = Choice {
                    packet,
                    tied: Vec::new(),
                }
            }
        }
    }
    Some(choice)
}

/// The move chosen by a preference at the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveChoice<'a, X> {
    /// The best packet of all moves.
    pub packet: &'a Packet<X>,
    /// The index of the first move that offers it.
    pub r#move: usize,
    /// The indices of the other moves that offer this packet, or one that is as good, ascending.
    pub tied_moves: Vec<usize>,
    /// The other packets that are as good.
    pub tied_packets: Vec<&'a Packet<X>>,
}

/// The root's packets are not those of its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no move has the packet that the preference chooses: a choice needs exact packets, of the root and of every move"
)]
pub struct NotOffered;

/// The best packet at the root and the move that leads to it, for a preference of the player there.
/// `None` if the packets are not all known, or the root is a leaf.
///
/// # Errors
/// If no move has that packet. That is impossible with packets from
/// [`root_packets`](crate::root_packets), but possible with those of deep pruning.
pub fn choose_move<'a, N, X: Ord>(
    preference: &impl Preference<X>,
    root: &'a RootPackets<N, X>,
) -> Result<Option<MoveChoice<'a, X>>, NotOffered> {
    let packets = root.packets.as_ref().filter(|_| !root.moves.is_empty());
    let Some(Choice { packet, tied }) = packets.and_then(|packets| choose(preference, packets))
    else {
        return Ok(None);
    };
    let r#move = *root.moves_with(packet).first().ok_or(NotOffered)?;
    // Includes moves whose packets were absorbed at the root but are as good for this preference.
    let is_as_good = |other: &usize| {
        let packets = root.moves[*other].packets.as_ref();
        let best = packets.and_then(|packets| choose(preference, packets));
        *other != r#move
            && best.is_some_and(|best| compare_packets(preference, best.packet, packet).is_eq())
    };
    let tied_moves = (0..root.moves.len()).filter(is_as_good).collect();
    Ok(Some(MoveChoice {
        packet,
        r#move,
        tied_moves,
        tied_packets: tied,
    }))
}

/// A preference that strictly prefers a given packet of a minimal expression, by the proof of
/// Theorem 2.7.
///
/// Outcomes that are not at least as good as some outcome of the packet come last. Next are the
/// outcomes that the packet shares with smaller packets, all tied; then the rest of the packet, all
/// tied, which is not empty because the packet is no union of smaller ones; then everything else.
/// Within the first and the last class, an outcome ranks by how many of the others it is at least
/// as good as, so dominance is respected everywhere.
///
/// It ranks a finite set of outcomes in advance, because a total preorder that extends a poset
/// cannot be computed from comparisons alone. All other outcomes come last and are tied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Favouring<X> {
    /// The class, and the rank in it.
    ranks: BTreeMap<X, (Class, usize)>,
}

/// The class of an outcome relative to the packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Below,
    Shared,
    Own,
    Above,
}

impl<X: Clone + Ord> Favouring<X> {
    /// The preference for the packet at this index of the expression, over the outcomes of the
    /// expression and `others`. `None` if there is no such packet.
    ///
    /// With n outcomes it takes n² comparisons.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn new<P: Poset<Elem = X>>(
        algebra: Algebra<'_, P>,
        expression: &Expression<X>,
        place: usize,
        others: impl IntoIterator<Item = X>,
    ) -> Result<Option<Self>, Stop> {
        let Some(packet) = expression.packets().get(place) else {
            return Ok(None);
        };
        let player = expression.player();
        let mut outcomes: BTreeSet<X> = others.into_iter().collect();
        let mut shared = BTreeSet::new();
        for other in expression.packets() {
            algebra.budget().steps(other.outcomes().len() as u64)?;
            outcomes.extend(other.outcomes().iter().cloned());
            if other != packet && other.is_subset(packet) {
                shared.extend(other.outcomes());
            }
        }
        let mut ranks = BTreeMap::new();
        for x in &outcomes {
            algebra.budget().steps(outcomes.len() as u64)?;
            let (mut class, mut rank) = (Class::Below, 0);
            for y in &outcomes {
                if algebra.at_least(player, x, y)? {
                    rank += 1;
                    if packet.outcomes().binary_search(y).is_ok() {
                        class = Class::Above;
                    }
                }
            }
            if packet.outcomes().binary_search(x).is_ok() {
                let is_shared = shared.contains(x);
                class = if is_shared { Class::Shared } else { Class::Own };
                rank = 0;
            }
            ranks.insert(x.clone(), (class, rank));
        }
        Ok(Some(Self { ranks }))
    }
}

impl<X: Ord> Preference<X> for Favouring<X> {
    fn compare(&self, a: &X, b: &X) -> Ordering {
        self.ranks.get(a).cmp(&self.ranks.get(b))
    }
}
