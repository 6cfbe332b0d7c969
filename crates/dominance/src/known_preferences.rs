//! Preferences at inner nodes: right if those of both players are known, wrong if only one's own
//! are.
//!
//! Problem: a player who knows what she wants is tempted to choose by it at every node of the tree.
//! If the opponent's preferences are known too, that is just backward induction
//! ([`known_preferences`]). If they are not, the opponent does not know hers either and plays
//! against all of her packets, so discarding some at inner nodes misjudges moves (Example 2.3).
//! [`inner_preference`] does this wrong thing, and compares the result with the algebra's.
//!
//! In the antichain reading Example 2.3 itself is a tie: move b is better there because of the
//! outcome (120,20) of the set {(120,20),(50,20)}, which the opponent would never choose.
//!
//! Source: Dasgupta, Chakrabarti, DeSarkar (1996), section 2.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use meetjoin_dag::{AndOrDag, Kind};
use meetjoin_lattice::{Budget, Stop};

use crate::bottom_up::{RootPackets, root_packets, root_packets_by};
use crate::compare::{Preference, choose, compare_packets};
use crate::fold::Fold;
use crate::outcomes::{LeafOutcomes, OutcomeOf};
use crate::packets::{Algebra, Expression};
use crate::player::Player;

/// The outcome of a game in which both players know both preferences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<X> {
    /// The outcome.
    pub outcome: X,
    /// Whether a player was indifferent somewhere on the way to it. Then the first outcome in
    /// sorted order was taken; another choice could suit the opponent better or worse.
    pub tied: bool,
}

/// The outcome when each player moves by a preference of her own, both known to both. Each node is
/// evaluated once.
///
/// # Errors
/// When the budget ends it.
pub fn known_preferences<D, G>(
    dag: &D,
    leaves: &G,
    of_max: &impl Preference<OutcomeOf<G, D::Node>>,
    of_min: &impl Preference<OutcomeOf<G, D::Node>>,
    budget: &Budget,
) -> Result<Line<OutcomeOf<G, D::Node>>, Stop>
where
    D: AndOrDag,
    G: LeafOutcomes<D::Node>,
{
    let mut fold: Fold<_, Line<_>> = Fold::new();
    let line = fold.of(dag, &dag.root(), budget, |node, kind, below| {
        let mut best: Option<Line<OutcomeOf<G, D::Node>>> = None;
        for line in below {
            let Some(best) = &mut best else {
                best = Some((**line).clone());
                continue;
            };
            let order = match Player::of(kind) {
                Player::Max => of_max.compare(&line.outcome, &best.outcome),
                Player::Min => of_min.compare(&line.outcome, &best.outcome),
            };
            match order {
                Ordering::Less => {}
                Ordering::Greater => *best = (**line).clone(),
                Ordering::Equal => {
                    let tied = best.tied || line.tied || best.outcome != line.outcome;
                    if line.outcome < best.outcome {
                        best.outcome = line.outcome.clone();
                    }
                    best.tied = tied;
                }
            }
        }
        Ok(best.unwrap_or_else(|| Line {
            outcome: leaves.outcome(node),
            tied: false,
        }))
    })?;
    Ok((*line).clone())
}

/// The effect of a player using her own preference at her inner nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InnerPreference<N, X> {
    /// The apparent packets of the moves.
    pub seeming: RootPackets<N, X>,
    /// The real packets of the moves.
    pub real: RootPackets<N, X>,
    /// The index of the first move that appears best.
    pub chosen: usize,
    /// The moves that are really best.
    pub best: BTreeSet<usize>,
    /// Whether the chosen move is really worse than the best, by the same preference.
    pub worse: bool,
}

/// The answer for a graph and the outcomes of its leaves.
pub type InnerPreferenceOf<D, G> =
    InnerPreference<<D as AndOrDag>::Node, OutcomeOf<G, <D as AndOrDag>::Node>>;

/// Chooses the root's move by the preference of the player there: once with that preference applied
/// at all of her nodes, and once by the algebra. `None` if the root is a leaf.
///
/// # Errors
/// When the budget ends it.
pub fn inner_preference<D, G>(
    dag: &D,
    leaves: &G,
    preference: &impl Preference<OutcomeOf<G, D::Node>>,
    budget: &Budget,
) -> Result<Option<InnerPreferenceOf<D, G>>, Stop>
where
    D: AndOrDag,
    G: LeafOutcomes<D::Node>,
{
    let algebra = Algebra::new(leaves.order(), budget);
    let player = Player::of(dag.kind(&dag.root()));
    let seeming = root_packets_by(dag, budget, algebra, |node, kind, below| {
        if kind == Kind::Leaf {
            return Ok(Expression::outcome(player, leaves.outcome(node)));
        }
        let mut sum = Expression::empty(Player::of(kind));
        for child in below {
            algebra.add(&mut sum, child)?;
        }
        match choose(preference, &sum) {
            Some(choice) if sum.player() == player => {
                algebra.absorb(player, [choice.packet.clone()])
            }
            _ => Ok(sum),
        }
    });
    let real = root_packets(dag, leaves, budget);
    if let Some(stop) = seeming.stop.or(real.stop) {
        return Err(stop);
    }
    let Some((chosen, _)) = best_moves(preference, &seeming) else {
        return Ok(None);
    };
    let best = best_moves(preference, &real).map_or_else(BTreeSet::new, |(_, best)| best);
    Ok(Some(InnerPreference {
        worse: !best.contains(&chosen),
        seeming,
        real,
        chosen,
        best,
    }))
}

/// The first of the best moves and all of them, each move judged by its own best packet.
fn best_moves<N, X>(
    preference: &impl Preference<X>,
    root: &RootPackets<N, X>,
) -> Option<(usize, BTreeSet<usize>)> {
    let moves = root.moves.iter().enumerate();
    let choices = moves.filter_map(|(place, r#move)| {
        let choice = choose(preference, r#move.packets.as_ref()?)?;
        Some((place, choice.packet))
    });
    let choices: Vec<_> = choices.collect();
    let &(_, mut top) = choices.first()?;
    for (_, packet) in &choices {
        if compare_packets(preference, packet, top) == Ordering::Greater {
            top = packet;
        }
    }
    let best: BTreeSet<usize> = choices
        .iter()
        .filter(|(_, packet)| compare_packets(preference, packet, top).is_eq())
        .map(|(place, _)| *place)
        .collect();
    Some((*best.first()?, best))
}
