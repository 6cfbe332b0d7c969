//! What is known of the heaviest set of an ending while it is looked for, and why that is so.
//!
//! Invariants: the set is won, and its weight and the bound enclose the answer. The bound never
//! rises, and the weight never falls.

use meetjoin_lattice::{Budget, Stop, WorldSet};

use super::super::game::Ending;
use super::super::plan::Plan;
use super::super::subgame::Whole;

/// The heaviest set, its weight, and an upper bound.
#[derive(Clone, Debug)]
pub struct EndingHeaviest<B> {
    /// A set of layouts of the ending; it includes those that do not agree with the position. If
    /// the search was stopped, the best set known, if any.
    pub set: Option<B>,
    /// Its weight.
    pub weight: u64,
    /// No set of layouts in which one strategy takes the tricks weighs more.
    pub bound: u64,
    /// Why the bound holds.
    pub reasons: EndingReasons,
    /// What stopped the search.
    pub stop: Option<Stop>,
}

/// Why nothing weighs more than the bound: for each of some *games*, and in each for some *ways*
/// that are all strategies together.
///
/// Where layouts differ only in equal cards, one of them stands for all of its *class*: whichever
/// order the equal cards have, the layouts in which West has the first of them are lost together.
/// A game can leave out some of the orders.
#[derive(Clone, Debug, Default)]
pub struct EndingReasons {
    /// For each layout of the ending its class; none for those that do not agree with the position.
    pub classes: Vec<Option<u32>>,
    /// The weights of the classes.
    pub weights: Vec<u64>,
    /// Games that partition all orders. The classes that are won weigh no more than the average of
    /// their bounds, rounded down, where a game with n first ties has weight 1 / 2^n. (Layouts that
    /// do not agree with the position are added to that.)
    pub games: Vec<EndingOrders>,
}

/// Some orders of the equal cards, and why a bound holds for these orders.
#[derive(Clone, Debug, Default)]
pub struct EndingOrders {
    /// For some kinds, whether the first card of the order is higher than the last.
    pub first_ties: Vec<EndingFirstTie>,
    /// An upper bound of the weight of the classes that are won.
    pub bound: u64,
    /// A way for each card of a choice, and for each card of another choice in place of one of
    /// those, and so on. One way without choices, if none was needed.
    pub ways: Vec<EndingWay>,
}

/// Who wins if both defenders play equal cards to a trick, each his first of them: West has the
/// first cards of an order, and plays them from the beginning; East has the last, and plays from
/// the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndingFirstTie {
    /// The cards, by their places among those in play.
    pub cards: u32,
    /// Whether the first card of the order is higher than the last. That is so in every other
    /// order.
    pub is_wests: bool,
}

/// Some choices that are fixed, and sets of classes that no strategy with these choices wins
/// together, with prices.
///
/// If for each class the prices of the cores that it is in add up to no more than its weight, no
/// set that is won weighs more than all classes minus all prices. The bound may be less than that:
/// then it takes a search for the lightest set of classes that hits all cores.
#[derive(Clone, Debug, Default)]
pub struct EndingWay {
    /// The fixed choices.
    pub choices: Vec<EndingChoice>,
    /// Classes.
    pub cores: Vec<Vec<u32>>,
    /// Their prices.
    pub prices: Vec<u64>,
    /// The denominator of prices: this many make a unit of weight.
    pub parts: u64,
}

/// A choice of declarer that is fixed. Cards are words, by their places among those in play at the
/// position; at the root these are their places in the ending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndingChoice {
    /// The cards played before, each as a set of equal cards.
    pub after: Vec<u32>,
    /// The card that she plays then: one of these equal cards.
    pub card: u32,
}

/// Called with the bounds of the weight while a search goes on.
pub type EndingWatch<'w> = dyn FnMut(u64, u64) + 'w;

/// The answer as far as it is known.
pub(super) struct Search<'a, 'w, 'x, B> {
    pub(super) found: EndingHeaviest<B>,
    /// Layouts that do not agree with the position.
    pub(super) besides: B,
    /// Their weight.
    pub(super) outside: u64,
    pub(super) watch: &'w mut EndingWatch<'x>,
    pub(super) budget: &'a Budget,
    pub(super) plan: Option<Plan<'a>>,
}

impl<'a, 'w, 'x, B: WorldSet> Search<'a, 'w, 'x, B> {
    /// Nothing is known.
    pub(super) fn new(
        ending: &Ending,
        whole: &Whole,
        budget: &'a Budget,
        watch: &'w mut EndingWatch<'x>,
    ) -> Self {
        let mut besides = B::full(ending.layouts().len());
        for (place, _) in &whole.places {
            besides.remove(*place);
        }
        let weights = besides.ones().map(|place| ending.layouts()[place].weight);
        let outside = weights.sum();
        Self {
            found: EndingHeaviest {
                weight: outside,
                bound: ending.total_weight(),
                set: None,
                reasons: EndingReasons::default(),
                stop: None,
            },
            besides,
            outside,
            watch,
            budget,
            plan: None,
        }
    }

    /// A search in which the same is won, and no bound is known.
    pub(super) fn unbounded<'v, 'y>(
        &self,
        watch: &'v mut EndingWatch<'y>,
    ) -> Search<'a, 'v, 'y, B> {
        Search {
            found: EndingHeaviest {
                weight: self.found.weight,
                bound: u64::MAX,
                set: self.found.set.clone(),
                reasons: EndingReasons::default(),
                stop: None,
            },
            besides: self.besides.clone(),
            outside: self.outside,
            watch,
            budget: self.budget,
            plan: None,
        }
    }

    pub(super) fn is_closed(&self) -> bool {
        self.found.set.is_some() && self.found.weight >= self.found.bound
    }

    pub(super) fn won(&mut self, whole: &Whole, set: &[u32], weight: u64) {
        let weight = weight + self.outside;
        if self.found.set.is_some() && weight <= self.found.weight {
            return;
        }
        let mut all = self.besides.clone();
        for (place, class) in &whole.places {
            if set.binary_search(&(*class as u32)).is_ok() {
                all.insert(*place);
            }
        }
        (self.found.set, self.found.weight) = (Some(all), weight);
        (self.watch)(self.found.weight, self.found.bound);
    }

    pub(super) fn bounded(&mut self, bound: u64) -> bool {
        let bound = (bound + self.outside).max(self.found.weight);
        let is_better = bound < self.found.bound;
        if is_better {
            self.found.bound = bound;
            (self.watch)(self.found.weight, bound);
        }
        is_better
    }
}
