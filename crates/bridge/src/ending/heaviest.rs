//! The heaviest set of layouts in which one strategy takes the tricks of an ending.
//!
//! Idea: a set is won by one strategy if it has no *core*, a few layouts that no strategy wins
//! together (`together.rs`). So what the heaviest set lacks is the lightest set of layouts that
//! hits all cores ([`hitting`](meetjoin_search::cores::hitting)). There are too many cores to list,
//! but few matter:
//!
//! 1. *Ascent.* Begin with all layouts. As long as no strategy wins what is left, take a core of
//!    it, made as small as leaving out single layouts makes it, and take from each of its layouts
//!    what the lightest of them has left. Layouts with nothing left are out.
//! 2. *Growth.* What is left is won. Add the heaviest layouts with which it has no core that is
//!    known, and ask. If it is lost, there is a new core, and other layouts are added.
//! 3. *Closing.* The lightest set that hits the cores that are known bounds what can be won. If the
//!    layouts besides it are won together, they are the heaviest set. If not, there are new cores:
//!    the ascent goes on from there.
//!
//! Where there are many classes, a first line comes before the ascent, so that something is won
//! early: at each of her turns declarer plays the card with which most weight is won with all cards
//! seen.
//!
//! At every moment the best set that was won and the bound of the last hitting set enclose the
//! answer.
//!
//! *Equal cards.* Let two neighbours among the defenders' cards be exchangeable: declarer has none
//! between them, and layouts that differ in them alone weigh the same. If it did not matter which
//! of the two wins a trick to which both are played, a greatest set would treat them alike. For let
//! s be a strategy and t an order of such a kind of cards. Play by s as if the cards that West
//! plays of the kind were the first of t, one after the other, and those that East plays the last.
//! Then, where West has w of them, it is as if he had the first w of t, whatever he plays first, so
//! the class of layouts with w is won if s wins that one. For a random t that is any layout of the
//! class with the same probability, so some t wins classes of no less weight than all that s wins.
//!
//! It does matter, if it decides which defender leads. So what is won is asked where that is left
//! to the defenders. If some such trick came up, each core is asked again where it is left to
//! declarer: play of s and t again, where declarer says who has won as t would have it. What is a
//! core there too counts for the bound. If others are left at the end, the bound is closed where
//! all is left to declarer, and if that is more than what was won, a search follows in which each
//! card is a kind of its own.
//!
//! Invariants: each core has been proven, whatever stops the search afterwards; the best set is
//! won.
//!
//! Cost: what the questions cost; most are about two or three layouts. Endings of five tricks take
//! milliseconds, of eight from seconds to minutes.
//!
//! Sources: implicit hitting sets: Davies and Bacchus (2011); cores with what is left of weights:
//! Ansótegui, Bonet and Levy (2009); what makes a best strategy against best defence: Frank and
//! Basin (1998), Ginsberg (2001).

use meetjoin_lattice::{Budget, Stop, WorldSet};
use meetjoin_search::cores::hitting::{Hitting, lightest_hitting};
use meetjoin_search::cores::known::{KnownCores, smaller};

use super::game::{Ending, EndingGame, EndingPosition};
use super::plan::Plan;
use super::subgame::Whole;
use super::together::{Layouts, Together};
use super::values::AllSeen;

/// Nodes of the first search for a hitting set, for each of its parts. They double.
const FIRST_NODES: u64 = 256;
/// A first line is worked out where there are so many classes of layouts.
const WITH_FIRST_LINE: usize = 32;
/// It takes no more turns.
const FIRST_TURNS: u64 = 1 << 17;
/// No search has more.
const MOST_NODES: u64 = 1 << 40;

/// The heaviest set, what it weighs, and what no set exceeds.
#[derive(Clone, Debug)]
pub struct EndingHeaviest<B> {
    /// Of all layouts of the ending, among them those that do not agree with the position. If the
    /// search was stopped, one that is won, if one is known.
    pub set: Option<B>,
    /// Its weight.
    pub weight: u64,
    /// No set of layouts in which one strategy takes the tricks weighs more.
    pub bound: u64,
    /// Why.
    pub reasons: EndingReasons,
    /// What stopped the search.
    pub stop: Option<Stop>,
}

/// Layouts that no strategy wins together, with prices.
///
/// Where layouts differ only in equal cards, one of them stands for all of its *class*: whichever
/// order the equal cards have, the layouts in which West has the first of them are lost together.
/// So, if the prices of the reasons that a class is in add up to no more than its weight, nothing
/// that is won weighs more than all classes without all prices. The bound may be less than that:
/// then it takes a search for the lightest set of classes that hits all reasons.
#[derive(Clone, Debug, Default)]
pub struct EndingReasons {
    /// For each layout of the ending its class; none for those that do not agree with the position.
    pub classes: Vec<Option<u32>>,
    /// The weights of the classes.
    pub weights: Vec<u64>,
    /// Classes.
    pub cores: Vec<Vec<u32>>,
    /// Their prices.
    pub prices: Vec<u64>,
    /// A unit of weight is so many of a price.
    pub parts: u64,
}

/// Bounds of the weight that are known, while a search goes on.
pub type EndingWatch<'w> = dyn FnMut(u64, u64) + 'w;

/// The heaviest set from a position on. `watch` is told the bounds of its weight when they change.
pub fn heaviest_of_ending<B: WorldSet>(
    game: &EndingGame<'_>,
    position: &EndingPosition,
    budget: &Budget,
    watch: &mut EndingWatch<'_>,
) -> EndingHeaviest<B> {
    planned(game, position, budget, watch).0
}

/// The same, and a strategy for the set from the root, if that is the position.
pub(super) fn planned<'a, B: WorldSet>(
    game: &EndingGame<'_>,
    position: &EndingPosition,
    budget: &'a Budget,
    watch: &mut EndingWatch<'_>,
) -> (EndingHeaviest<B>, Option<Plan<'a>>) {
    let ending = game.ending();
    let rules = AllSeen::new(ending).rules;
    let whole = Whole::new(game, position, &rules);
    let mut besides = B::full(ending.layouts().len());
    for (place, _) in &whole.places {
        besides.remove(*place);
    }
    let outside = besides.ones().map(|place| ending.layouts()[place].weight);
    let outside: u64 = outside.sum();
    let mut search = Search {
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
    };
    let kinds = whole.widest_kinds(&rules);
    let searched = if kinds == whole.shape.kinds {
        search.alone(&whole, ending)
    } else {
        let merged = whole.in_kinds(kinds);
        search.in_kinds(&merged, ending).and_then(|()| {
            if search.is_closed() {
                return Ok(());
            }
            search.alone(&whole, ending)
        })
    };
    search.found.stop = searched.err();
    (search.found, search.plan)
}

/// The answer as far as it is known.
struct Search<'a, 'w, 'x, B> {
    found: EndingHeaviest<B>,
    /// Layouts that do not agree with the position.
    besides: B,
    /// Their weight.
    outside: u64,
    watch: &'w mut EndingWatch<'x>,
    budget: &'a Budget,
    plan: Option<Plan<'a>>,
}

impl<B: WorldSet> Search<'_, '_, '_, B> {
    fn is_closed(&self) -> bool {
        self.found.set.is_some() && self.found.weight >= self.found.bound
    }

    fn won(&mut self, whole: &Whole, set: &[u32], weight: u64) {
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

    fn bounded(&mut self, bound: u64) -> bool {
        let bound = (bound + self.outside).max(self.found.weight);
        let is_better = bound < self.found.bound;
        if is_better {
            self.found.bound = bound;
            (self.watch)(self.found.weight, bound);
        }
        is_better
    }

    /// Says why the bound holds.
    fn explain(&mut self, closing: &Closing<'_>) {
        if !closing.has_bounded && !self.found.reasons.weights.is_empty() {
            return;
        }
        let whole = closing.whole;
        let mut classes = vec![None; whole.places.len() + self.besides.count()];
        for (place, class) in &whole.places {
            classes[*place] = Some(*class as u32);
        }
        let cores: Vec<Vec<u32>> = closing.strong().cloned().collect();
        let (mut prices, parts) = closing.prices.clone();
        prices.resize(cores.len(), 0);
        self.found.reasons = EndingReasons {
            classes,
            weights: closing.known.weights().to_vec(),
            cores,
            prices,
            parts,
        };
    }

    /// Each card a kind.
    fn alone(&mut self, whole: &Whole, ending: &Ending) -> Result<(), Stop> {
        let layouts = whole.layouts.iter().map(|layout| layout.west);
        let seen = AllSeen::with_ties(ending, false);
        let mut together = Together::new(whole.shape, layouts, seen, self.budget);
        let mut closing = Closing::new(whole);
        let before = self.found.set.as_ref().map(|_| self.found.weight);
        let closed = closing.close(self, &mut together, None, Gives::Both);
        let after = self.found.set.as_ref().map(|_| self.found.weight);
        if after > before {
            self.plan = Some(Plan {
                together,
                kinds: whole.shape.kinds,
            });
        }
        closed
    }

    /// Cards that come in kinds.
    fn in_kinds(&mut self, whole: &Whole, ending: &Ending) -> Result<(), Stop> {
        let budget = self.budget;
        let table = |ties_to_declarer| {
            let layouts = whole.layouts.iter().map(|layout| layout.west);
            let seen = AllSeen::with_ties(ending, ties_to_declarer);
            Together::new(whole.shape, layouts, seen, budget)
        };
        let (mut worst, mut best) = (table(false), table(true));
        let mut closing = Closing::new(whole);
        let closed = closing.close(self, &mut worst, Some(&mut best), Gives::Both);
        self.plan = Some(Plan {
            together: worst,
            kinds: whole.shape.kinds,
        });
        closed?;
        if self.is_closed() {
            return Ok(());
        }
        let mut strong = Closing::new(whole);
        for core in closing.strong() {
            strong.add(core.clone(), true);
        }
        strong.close(self, &mut best, None, Gives::Bound)
    }
}

/// What a search is good for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gives {
    /// A weight that no set exceeds.
    Bound,
    /// That, and a set that is won.
    Both,
}

/// Cores, and the best set that is won.
struct Closing<'a> {
    whole: &'a Whole,
    known: KnownCores,
    /// Whether each of them holds where declarer decides who wins with equal cards.
    are_strong: Vec<bool>,
    best: Layouts,
    best_weight: u64,
    /// Nodes of the next search for a hitting set.
    nodes: u64,
    /// Prices of the strong cores in their order, and in how many parts of a unit.
    prices: (Vec<u64>, u64),
    /// Whether a bound of the answer came from here.
    has_bounded: bool,
}

impl<'a> Closing<'a> {
    fn new(whole: &'a Whole) -> Self {
        let weights = whole.layouts.iter().map(|layout| layout.weight);
        Self {
            known: KnownCores::new(weights.collect()),
            are_strong: Vec::new(),
            whole,
            best: Vec::new(),
            best_weight: 0,
            nodes: FIRST_NODES,
            prices: (Vec::new(), 1),
            has_bounded: false,
        }
    }

    fn add(&mut self, core: Layouts, is_strong: bool) {
        self.known.add(core);
        self.are_strong.push(is_strong);
    }

    /// The strong cores.
    fn strong(&self) -> impl Iterator<Item = &Layouts> {
        let cores = self.known.cores().iter().zip(&self.are_strong);
        cores.filter_map(|(core, is_strong)| is_strong.then_some(core))
    }

    /// Searches until the bounds meet, and says why.
    fn close<B: WorldSet>(
        &mut self,
        search: &mut Search<'_, '_, '_, B>,
        together: &mut Together<'_>,
        second: Option<&mut Together<'_>>,
        gives: Gives,
    ) -> Result<(), Stop> {
        let closed = self.search(search, together, second, gives);
        search.explain(self);
        closed
    }

    fn search<B: WorldSet>(
        &mut self,
        search: &mut Search<'_, '_, '_, B>,
        together: &mut Together<'_>,
        mut second: Option<&mut Together<'_>>,
        gives: Gives,
    ) -> Result<(), Stop> {
        let count = self.known.weights().len() as u32;
        for layout in 0..count {
            if !self.known.is_lost(layout) && !together.is_winnable(layout)? {
                let is_strong = match &mut second {
                    None => true,
                    Some(second) => !second.is_winnable(layout)?,
                };
                self.add(vec![layout], is_strong);
            }
        }
        let mut left: Layouts = if self.known.cores().iter().any(|core| core.len() > 1) {
            let hitting = self.hit(search)?.set;
            let left = (0..count).filter(|layout| hitting.binary_search(layout).is_err());
            left.collect()
        } else {
            let left = (0..count).filter(|layout| !self.known.is_lost(*layout));
            left.collect()
        };
        if gives == Gives::Both && left.len() >= WITH_FIRST_LINE {
            let heavy = left.iter();
            let heavy = heavy.map(|layout| (*layout, self.known.weight([*layout])));
            let first = together.greedy(&heavy.collect::<Vec<_>>(), FIRST_TURNS)?;
            self.won(&first, search, gives);
        }
        loop {
            self.ascend(left, search, together, &mut second, gives)?;
            left = loop {
                let hitting = self.hit(search)?;
                if self.known.total() - hitting.bound <= self.best_weight || search.is_closed() {
                    return Ok(());
                }
                let left = (0..count).filter(|layout| hitting.set.binary_search(layout).is_err());
                let left: Layouts = left.collect();
                if self.known.weight(left.iter().copied()) > self.best_weight {
                    break left;
                }
                // No hitting set that is known is better than what is won: more nodes.
                self.nodes = self.nodes.saturating_mul(2).min(MOST_NODES);
            };
        }
    }

    /// The lightest hitting set of all cores, as far as it is found, and what that says.
    fn hit<B: WorldSet>(&mut self, search: &mut Search<'_, '_, '_, B>) -> Result<Hitting, Stop> {
        let weights = self.known.weights();
        let known =
            (0..weights.len() as u32).filter(|layout| self.best.binary_search(layout).is_err());
        let known: Layouts = known.collect();
        let lightest =
            |sets: &[&[u32]]| lightest_hitting(weights, sets, &known, self.nodes, search.budget);
        let all: Vec<&[u32]> = self.known.cores().iter().map(Vec::as_slice).collect();
        let strong: Vec<&[u32]> = self.strong().map(Vec::as_slice).collect();
        let hitting = lightest(&all)?;
        let (bound, prices) = if strong.len() == all.len() {
            (hitting.bound, hitting.prices.clone())
        } else {
            let strongest = lightest(&strong)?;
            (strongest.bound, strongest.prices)
        };
        if search.bounded(self.known.total() - bound) {
            self.prices = (prices, hitting.parts);
            self.has_bounded = true;
        }
        Ok(hitting)
    }

    /// From a set without a known core: more cores until a part of it is won, which grows.
    fn ascend<B: WorldSet>(
        &mut self,
        mut left: Layouts,
        search: &mut Search<'_, '_, '_, B>,
        together: &mut Together<'_>,
        second: &mut Option<&mut Together<'_>>,
        gives: Gives,
    ) -> Result<(), Stop> {
        let mut rest = self.known.weights().to_vec();
        let alone = self.strong().map(|core| match core.as_slice() {
            [only] => self.known.weight([*only]),
            _ => 0,
        });
        let mut prices: Vec<u64> = alone.collect();
        let mut bound = self.known.total() - prices.iter().sum::<u64>();
        while let Some(core) = together.core(&left)? {
            let core = self.learn(core, together, second)?;
            let least = core.iter().map(|layout| rest[*layout as usize]).min();
            let least = least.unwrap_or(0);
            for layout in &core {
                rest[*layout as usize] -= least;
            }
            left.retain(|layout| rest[*layout as usize] > 0);
            if self.are_strong.last() == Some(&true) {
                prices.push(least);
                bound -= least;
                if search.bounded(bound) {
                    self.prices = (prices.clone(), 1);
                    self.has_bounded = true;
                }
            }
        }
        self.won(&left, search, gives);
        loop {
            let grown = self.known.grown(left.iter().copied());
            if self.known.weight(grown.iter().copied()) <= self.best_weight {
                return Ok(());
            }
            match together.core(&grown)? {
                None => {
                    self.won(&grown, search, gives);
                    return Ok(());
                }
                Some(core) => {
                    self.learn(core, together, second)?;
                }
            }
        }
    }

    fn won<B: WorldSet>(&mut self, set: &[u32], search: &mut Search<'_, '_, '_, B>, gives: Gives) {
        let weight = self.known.weight(set.iter().copied());
        if weight > self.best_weight {
            (self.best, self.best_weight) = (set.to_vec(), weight);
        }
        if gives == Gives::Both {
            search.won(self.whole, set, weight);
        }
    }

    /// Makes a core smaller and keeps it.
    fn learn(
        &mut self,
        mut core: Layouts,
        together: &mut Together<'_>,
        second: &mut Option<&mut Together<'_>>,
    ) -> Result<Layouts, Stop> {
        smaller(&mut core, |less| together.core(less))?;
        let mut is_strong = true;
        if let Some(second) = second
            && together.has_ties()
        {
            match second.core(&core)? {
                None => is_strong = false,
                Some(strong) => core = strong,
            }
        }
        core.sort_unstable();
        self.add(core.clone(), is_strong);
        Ok(core)
    }
}
