//! Answers about a suit: numbers, lines in words, JSON.

use meetjoin::dag::Heuristic;
use meetjoin::games::bridge::{Suit, SuitPosition};
use meetjoin::lattice::{Families, Stop, WorldSet};

use super::Goal;
use super::line::{Plan, PlanId, Planner};
use super::words::{self, Lines, Plans};

/// How often a goal is reached at best.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chance {
    /// The goal.
    pub goal: Goal,
    /// The weight of the layouts in which it is reached, or the sum of weights times tricks. If the search was stopped: what is reached at least.
    pub weight: u64,
    /// It is no more than this.
    pub bound: u64,
    /// The weight of all layouts.
    pub total: u64,
    /// What stopped the search.
    pub stop: Option<Stop>,
}

/// A line of play.
#[derive(Clone, Debug)]
pub struct Line {
    /// In words.
    pub lines: Lines,
    /// The tricks that it guarantees in each layout of the suit.
    pub guarantees: Vec<u8>,
}

impl<B: WorldSet, H: Heuristic<SuitPosition, Families<B>>> Plans for Planner<'_, B, H> {
    fn plan(&self, plan: PlanId) -> &Plan {
        self.get(plan)
    }
}

impl Line {
    pub(super) fn new<B, H>(suit: &Suit, planner: &Planner<'_, B, H>, plan: PlanId, guarantees: Vec<u8>) -> Self
    where
        B: WorldSet,
        H: Heuristic<SuitPosition, Families<B>>,
    {
        Self { lines: words::lines(suit, planner, plan), guarantees }
    }
}

/// What was found for one goal.
#[derive(Clone, Debug)]
pub struct SuitAnswer {
    /// The suit.
    pub suit: Suit,
    /// The greatest chance.
    pub chance: Chance,
    /// A line that has it, unless the search was stopped.
    pub line: Option<Line>,
}
