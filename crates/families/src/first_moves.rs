//! First moves of a game with hidden cards: what each is worth, and its estimates by perfect
//! information and alpha-mu.
//!
//! Problem: programs choose a card by perfect information Monte Carlo (PIMC): the move that is best
//! on average over worlds if all cards are seen after it. Alpha-mu assumes that only after some
//! more moves. Both can be wrong, and the exact worth shows by how much.
//!
//! Idea: the worth of a move is the heaviest set of stakes after it; PIMC's estimate is the weight
//! of the stakes that MAX wins after it when she sees all cards; that of alpha-mu is the heaviest
//! set of the game cut at a depth, where sets won with all cards seen stand in for what follows.
//!
//! Invariant: no estimate is less than the worth, and a deeper one is no greater than a shallower.
//!
//! Cost: a search for the heaviest set for each move and each depth. Values with all cards seen are
//! computed once.
//!
//! Source: averaging: Levy (1989), Ginsberg (2001); what goes wrong: Frank, Basin (1998); alpha-mu:
//! Cazenave, Ventos (2021).

use std::cell::RefCell;

use meetjoin_dag::{Heuristic, HiddenFamilies, HiddenGame, Played, Rooted, Valuation};
use meetjoin_lattice::{
    Antichain, Budget, HeavyFamilies, Interval, Powerset, Stop, Weights, WorldSet,
};
use meetjoin_search::{At, Env, Horizon, Tables};

use super::heaviest::{Heaviest, Wanted, heaviest_of};
use super::perfect_information::HiddenBounds;

/// A first move. All numbers are weights of stakes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstMove<P> {
    /// The position after it.
    pub position: P,
    /// The weight that one strategy guarantees after it.
    pub worth: u64,
    /// The weight that MAX wins after it when she sees all cards: the estimate of PIMC.
    pub seen: u64,
    /// The estimates of alpha-mu, for each depth.
    pub ahead: Vec<u64>,
}

/// Each first move of a game at whose start MAX moves. `depths` are those of alpha-mu, in moves
/// from the start.
///
/// # Errors
/// When the budget ends it.
pub fn first_moves<G: HiddenGame, B: WorldSet>(
    values: &HiddenFamilies<'_, G, B>,
    weights: &Weights,
    depths: &[u32],
    budget: &Budget,
) -> Result<Vec<FirstMove<G::Position>>, Stop> {
    let game = values.as_sets().game();
    let families = values.lattice();
    let known = RefCell::new(HiddenBounds::new(values.as_sets()));
    let seen = |position: &G::Position| {
        let seen = known.borrow_mut().seen(position, budget)?;
        // A search over all worlds always knows.
        Ok::<B, Stop>(seen.unwrap_or_else(|| B::full(weights.worlds())))
    };
    let mut positions = Vec::new();
    game.moves(&game.start(), &mut positions);
    let mut found = Vec::new();
    for position in positions {
        let dag = Rooted {
            dag: &Played(game),
            root: position.clone(),
        };
        let mut ahead = Vec::new();
        for depth in depths {
            // If the search with all cards seen is stopped, so is the search around it.
            let at_depth = |position: &G::Position| match seen(position) {
                Ok(set) => families.principal(set),
                Err(_) => families.principal(B::full(weights.worlds())),
            };
            let cut = Horizon::new(&dag, values, at_depth, depth.saturating_sub(1));
            let env = Env::new(budget).with_store(Tables);
            let env = env.with_heuristic(KnownAt(&known));
            let best = heaviest_of(&cut, &cut, weights, Wanted::most(1), env);
            ahead.push(weight(&best)?);
        }
        let env = Env::new(budget).with_store(Tables).with_heuristic(&known);
        let best = heaviest_of(&dag, values, weights, Wanted::most(1), env);
        found.push(FirstMove {
            worth: weight(&best)?,
            seen: weights.of_set(&seen(&position)?),
            ahead,
            position,
        });
    }
    // A set of a position at a depth may be too large where its search was stopped.
    budget.fired().map_or(Ok(found), Err)
}

/// The loss from choosing a move whose estimate is greatest, averaged over ties.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chosen {
    /// The share of these moves that are worse than the best move.
    pub worse: f64,
    /// The weight that they lose on average.
    pub lost: f64,
}

impl Chosen {
    /// The loss among moves given by worth and estimate; 0 without moves.
    pub fn among(moves: impl Iterator<Item = (u64, u64)> + Clone) -> Self {
        let best = moves.clone().map(|(worth, _)| worth).max().unwrap_or(0);
        let most = moves.clone().map(|(_, estimate)| estimate).max();
        let chosen = moves.filter(|(_, estimate)| Some(*estimate) == most);
        let lost: Vec<u64> = chosen.map(|(worth, _)| best - worth).collect();
        let among = lost.len().max(1) as f64;
        Self {
            worse: lost.iter().filter(|lost| **lost > 0).count() as f64 / among,
            lost: lost.iter().sum::<u64>() as f64 / among,
        }
    }
}

fn weight<B>(found: &Heaviest<B>) -> Result<u64, Stop> {
    match found.stop {
        Some(stop) => Err(stop),
        None => Ok(found.sets.first().map_or(0, |(weight, _)| *weight)),
    }
}

/// Bounds of positions as bounds of positions at a depth. They are true of both, as values with all
/// cards seen stand in below the depth.
struct KnownAt<'a, 'g, G: HiddenGame, B: WorldSet>(&'a RefCell<HiddenBounds<'g, G, B>>);

impl<G: HiddenGame, B: WorldSet> Heuristic<At<G::Position>, Powerset<B>> for KnownAt<'_, '_, G, B> {
    fn bounds(
        &mut self,
        lattice: &Powerset<B>,
        at: &At<G::Position>,
        budget: &Budget,
    ) -> Result<Option<Interval<B>>, Stop> {
        self.0.borrow_mut().bounds(lattice, &at.node, budget)
    }
}

impl<'w, G: HiddenGame, B: WorldSet> Heuristic<At<G::Position>, HeavyFamilies<'w, B>>
    for KnownAt<'_, '_, G, B>
{
    fn bounds(
        &mut self,
        lattice: &HeavyFamilies<'w, B>,
        at: &At<G::Position>,
        budget: &Budget,
    ) -> Result<Option<Interval<Antichain<B>>>, Stop> {
        self.0.borrow_mut().bounds(lattice, &at.node, budget)
    }
}
