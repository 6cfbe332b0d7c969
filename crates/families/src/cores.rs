//! The heaviest set of stakes that one strategy wins, without families of sets: by stakes that
//! cannot be won together.
//!
//! Problem: [`heaviest`](mod@crate::heaviest) lowers a threshold until it finds a set. If far more
//! is won with all cards seen than by one strategy, the threshold has far to go, and the families
//! on the way become too large.
//!
//! Idea: a set is won by one strategy if it has no *core*, a few stakes that no strategy wins
//! together (`cores/together.rs`). So the heaviest set is the complement of the lightest set of
//! stakes that hits all cores (`cores/hitting.rs`). There are too many cores to list, but few
//! matter:
//!
//! 1. *Ascent.* Begin with all stakes. As long as no strategy wins what is left, take a core of it,
//!    made as small as leaving out single stakes makes it, and take from each of its stakes what
//!    the lightest of them has left. Stakes with nothing left are out.
//! 2. *Growth.* What is left is won. Add the heaviest stakes with which it has no core that is
//!    known, and ask. If it is lost, there is a new core, and other stakes are added.
//! 3. *Closing.* The lightest set that hits the cores that are known bounds what can be won. If the
//!    stakes besides it are won together, they are the heaviest set. If not, there are new cores:
//!    the ascent goes on from what the stakes have left beyond the prices of the bound, as long as
//!    there is a core, so that the bound is that of all cores and not of the known ones.
//! 4. *First moves.* Where MAX moves, a core of the position is one core of each move together, and
//!    the more stakes a core has, the less it says. So each first move of MAX has a search of its
//!    own; what is known of positions, all have in common.
//!
//! Invariants: each core is proven, whatever stops the search afterwards; the best set is won. At
//! every moment the best set and the bound of the last hitting set enclose the answer.
//!
//! Cost: that of the questions, most of which are about two or three stakes, and a search for a
//! hitting set whenever a part of the stakes is won.
//!
//! Needs: a [`HiddenGame`], and its values with [all cards seen](SeesAll).
//!
//! Sources: implicit hitting sets: Davies and Bacchus (2011); cores of residual weights: Ansótegui,
//! Bonet and Levy (2009); what makes a best strategy against best defence: Frank and Basin (1998),
//! Ginsberg (2001).

pub mod hitting;
pub mod known;
mod together;

use meetjoin_dag::{HiddenGame, HiddenSets, SeesAll, Valuation};
use meetjoin_lattice::{Budget, Lattice, Stop, Weights, WorldSet};

use hitting::{Hitting, lightest_hitting};
use known::{KnownCores, smaller};
use together::Together;

/// Nodes of the first search for a hitting set, for each component. The number doubles from search
/// to search,
const FIRST_NODES: u64 = 16;
/// up to this.
const MOST_NODES: u64 = 1 << 40;

/// The heaviest set, with an upper bound of all weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaviestByCores<B> {
    /// The heaviest set known to be won, with its weight; of several equally heavy sets, any.
    /// `None` if the search was stopped before one was found.
    pub set: Option<(u64, B)>,
    /// An upper bound of the weights of sets that one strategy wins.
    pub bound: u64,
    /// Why the search was stopped, if it was.
    pub stop: Option<Stop>,
    /// The number of cores found.
    pub cores: usize,
}

/// The heaviest set of stakes that one strategy wins from the start of a game, by the weights of
/// stakes. With `more_than` the question is whether any set weighs more than that: the search ends
/// with the first such set, or when there can be none.
pub fn heaviest_by_cores<G, B, S>(
    sets: &HiddenSets<'_, G, B>,
    weights: &Weights,
    more_than: Option<u64>,
    known: S,
    budget: &Budget,
) -> HeaviestByCores<B>
where
    G: HiddenGame,
    B: WorldSet,
    S: SeesAll<G::Position, B>,
{
    let weights = (0..sets.stakes().len()).map(|stake| weights.of_world(stake));
    let weights: Vec<u64> = weights.collect();
    let total: u64 = weights.iter().sum();
    let mut found = HeaviestByCores {
        set: None,
        bound: total,
        stop: None,
        cores: 0,
    };
    let mut together = Together::new(sets, known, budget);
    let mut bound = 0;
    for start in together.first_moves() {
        let best = found.set.as_ref().map(|(weight, _)| *weight);
        let mut closing = Closing {
            start,
            together: &mut together,
            nothing: sets.lattice().bottom(),
            bound: total,
            known: KnownCores::new(weights.clone()),
            enough: more_than,
            floor: best.max(more_than),
            budget,
            found: None,
            best_weight: 0,
            nodes: FIRST_NODES,
        };
        found.stop = closing.search().err();
        found.cores += closing.known.cores().len();
        bound = bound.max(closing.bound);
        if let Some(set) = closing.found
            && best.is_none_or(|best| closing.best_weight > best)
        {
            found.set = Some((closing.best_weight, set));
        }
        let weight = found.set.as_ref().map(|(weight, _)| *weight);
        if found.stop.is_some() || more_than.is_some_and(|least| weight > Some(least)) {
            return found;
        }
    }
    found.bound = bound;
    found
}

/// The residual weights of stakes.
struct Left<B> {
    /// In parts of a unit.
    rest: Vec<u64>,
    /// The stakes with residual weight and without a known core.
    stakes: B,
}

/// The search from one position: cores, and the best set that is won.
struct Closing<'a, 't, G: HiddenGame, B: WorldSet, S> {
    /// The position.
    start: u32,
    together: &'t mut Together<'a, G, B, S>,
    /// The empty set.
    nothing: B,
    known: KnownCores,
    /// The search ends with a set that weighs more.
    enough: Option<u64>,
    /// Sets that weigh no more are irrelevant.
    floor: Option<u64>,
    budget: &'a Budget,
    /// The heaviest set known to be won.
    found: Option<B>,
    best_weight: u64,
    bound: u64,
    /// The number of nodes of the next search for a hitting set.
    nodes: u64,
}

impl<G, B, S> Closing<'_, '_, G, B, S>
where
    G: HiddenGame,
    B: WorldSet,
    S: SeesAll<G::Position, B>,
{
    fn search(&mut self) -> Result<(), Stop> {
        let winnable = self.together.winnable(self.start)?;
        let count = self.known.weights().len();
        for stake in (0..count).filter(|stake| !winnable.contains(*stake)) {
            self.known.add(vec![stake as u32]);
        }
        let mut left = Left {
            rest: self.known.weights().to_vec(),
            stakes: winnable,
        };
        loop {
            self.ascend(left)?;
            let Some(next) = self.closed()? else {
                break;
            };
            left = next;
        }
        Ok(())
    }

    /// Returns whether the question is answered.
    fn is_closed(&self) -> bool {
        let is_enough = self.enough.is_some_and(|enough| self.best_weight > enough);
        let is_light = self.floor.is_some_and(|floor| self.bound <= floor);
        is_enough || is_light || self.best_weight >= self.bound
    }

    /// `None` if the bounds meet; otherwise residual weights for which there may be more cores.
    fn closed(&mut self) -> Result<Option<Left<B>>, Stop> {
        loop {
            if self.is_closed() {
                return Ok(None);
            }
            let hitting = self.hit()?;
            self.bounded(self.known.total() - hitting.bound);
            if self.is_closed() {
                return Ok(None);
            }
            let besides = self.besides(&hitting);
            let beyond = self.beyond(&hitting);
            if self.together.core(self.start, &beyond.stakes)?.is_some() {
                return Ok(Some(beyond));
            }
            if self.weight(&besides) > self.best_weight {
                return Ok(Some(Left {
                    rest: self.known.weights().to_vec(),
                    stakes: besides,
                }));
            }
            // The known cores give no better bound than the set that is won: search more nodes.
            self.nodes = self.nodes.saturating_mul(2).min(MOST_NODES);
        }
    }

    /// The residual weights beyond the prices of cores.
    fn beyond(&self, hitting: &Hitting) -> Left<B> {
        let parts = hitting.parts;
        let weights = self.known.weights().iter();
        let mut rest: Vec<u64> = weights.map(|weight| weight * parts).collect();
        for (core, price) in self.known.cores().iter().zip(&hitting.prices) {
            for stake in core {
                rest[*stake as usize] -= price;
            }
        }
        let mut stakes = self.nothing.clone();
        for (stake, _) in rest.iter().enumerate().filter(|(_, rest)| **rest > 0) {
            stakes.insert(stake);
        }
        Left { rest, stakes }
    }

    fn weight(&self, set: &B) -> u64 {
        self.known.weight(set.ones().map(|stake| stake as u32))
    }

    fn bounded(&mut self, bound: u64) {
        self.bound = self.bound.min(bound.max(self.best_weight));
    }

    fn won(&mut self, set: B) {
        let weight = self.weight(&set);
        if weight > self.best_weight || self.found.is_none() {
            self.found = Some(set);
            self.best_weight = weight;
        }
    }

    /// The lightest set that hits all known cores, or bounds of it.
    fn hit(&mut self) -> Result<Hitting, Stop> {
        let all: Vec<&[u32]> = self.known.cores().iter().map(Vec::as_slice).collect();
        let weights = self.known.weights();
        let least = self.floor.unwrap_or(0).max(self.best_weight);
        let enough = self.known.total().saturating_sub(least);
        lightest_hitting(weights, &all, enough, self.nodes, self.budget)
    }

    /// The complement of a hitting set.
    fn besides(&self, hitting: &Hitting) -> B {
        let all = 0..self.known.weights().len() as u32;
        let left = all.filter(|stake| hitting.set.binary_search(stake).is_err());
        set_of(&self.nothing, left)
    }

    /// Finds cores until one strategy wins the remaining stakes, and then grows that set.
    fn ascend(&mut self, from: Left<B>) -> Result<(), Stop> {
        let Left {
            mut rest,
            stakes: mut left,
        } = from;
        while let Some(core) = self.together.core(self.start, &left)? {
            let core = self.learn(&core)?;
            let least = core.iter().map(|stake| rest[*stake as usize]).min();
            let least = least.unwrap_or(0);
            for stake in core {
                rest[stake as usize] -= least;
                if rest[stake as usize] == 0 {
                    left.remove(stake as usize);
                }
            }
        }
        self.won(left.clone());
        loop {
            let stakes = left.ones().map(|stake| stake as u32);
            let grown = set_of(&self.nothing, self.known.grown(stakes));
            if self.weight(&grown) <= self.best_weight || self.is_closed() {
                return Ok(());
            }
            match self.together.core(self.start, &grown)? {
                None => {
                    self.won(grown);
                    return Ok(());
                }
                Some(core) => {
                    self.learn(&core)?;
                }
            }
        }
    }

    /// Minimizes a core and stores it.
    fn learn(&mut self, core: &B) -> Result<Vec<u32>, Stop> {
        let mut stakes = places(core);
        smaller(&mut stakes, |less| {
            let less = set_of(&self.nothing, less.iter().copied());
            let found = self.together.core(self.start, &less)?;
            Ok(found.map(|core| places(&core)))
        })?;
        self.known.add(stakes.clone());
        Ok(stakes)
    }
}

fn set_of<B: WorldSet>(nothing: &B, stakes: impl IntoIterator<Item = u32>) -> B {
    let mut set = nothing.clone();
    for stake in stakes {
        set.insert(stake as usize);
    }
    set
}

fn places<B: WorldSet>(set: &B) -> Vec<u32> {
    set.ones().map(|stake| stake as u32).collect()
}
