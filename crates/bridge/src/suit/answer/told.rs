//! A line of play, as people and programs are told of it.

use meetjoin_dag::Heuristic;
use meetjoin_lattice::{Families, WorldSet};

use crate::play::{Suit, SuitPosition};
use crate::suit::goal::Goal;
use crate::suit::line::{Plan, PlanId, Planner, Tree};
use crate::suit::words::{self, Plans};

/// A line of play.
#[derive(Clone, Debug)]
pub struct Line {
    /// A summary of the usual course in one sentence, if the words are longer than that.
    pub short: Option<String>,
    /// In words: how far to the right, and what.
    pub words: Vec<(usize, String)>,
    /// Every card.
    pub tree: Tree,
    /// The tricks that it guarantees in each layout of the suit.
    pub guarantees: Vec<u8>,
    /// Whether it may guarantee more, as the search that found it was stopped.
    pub at_least: bool,
}

impl<B: WorldSet, H: Heuristic<SuitPosition, Families<B>>> Plans for Planner<'_, B, H> {
    fn plan(&self, plan: PlanId) -> &Plan {
        self.get(plan)
    }
}

/// A line of more lines of text begins with one sentence.
const MOST_LINES: usize = 4;

impl Line {
    pub(in crate::suit) fn new<B, H>(
        suit: &Suit,
        planner: &mut Planner<'_, B, H>,
        plan: PlanId,
        guarantees: Vec<u8>,
    ) -> Self
    where
        B: WorldSet,
        H: Heuristic<SuitPosition, Families<B>>,
    {
        let words = words::lines(suit, planner, plan);
        let is_long = words.len() > MOST_LINES;
        let short = words::in_short(suit, planner, plan).filter(|_| is_long);
        let root = planner.root();
        Self {
            short,
            words,
            tree: planner.tree(root, plan),
            guarantees,
            at_least: false,
        }
    }

    /// The weight of the layouts in which it reaches the goal, or for the average the sum of
    /// weights times tricks.
    pub fn weight(&self, suit: &Suit, goal: Goal) -> u64 {
        let layouts = suit.layouts().iter().zip(&self.guarantees);
        let weights = layouts.map(|(layout, taken)| match goal {
            Goal::Tricks(tricks) => layout.weight * u64::from(*taken >= tricks),
            Goal::Average => layout.weight * u64::from(*taken),
        });
        weights.sum()
    }

    /// Its beginning.
    pub(in crate::suit) fn summary(&self) -> String {
        if let Some(short) = &self.short {
            return short.strip_prefix("lead ").unwrap_or(short).to_owned();
        }
        let mut words = self.words.iter();
        let first = words.next().map_or("", |(_, text)| text);
        let first = first.strip_prefix("lead ").unwrap_or(first);
        match words.next() {
            Some((_, next)) => {
                let beginning = next.split(", ").next().unwrap_or_default();
                format!("{first}; {beginning}, ..")
            }
            None => first.to_owned(),
        }
    }

    /// One string for each line of text, indented.
    pub(in crate::suit) fn text(&self) -> Vec<String> {
        self.words
            .iter()
            .map(|(indent, text)| format!("{}{text}", "  ".repeat(*indent)))
            .collect()
    }
}
