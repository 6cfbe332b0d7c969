//! The heaviest set of layouts in which one strategy takes the tricks of an ending.
//!
//! Idea: a set is won by one strategy if it has no *core*, a few layouts that no strategy wins
//! together (`together.rs`). So what the heaviest set lacks is the lightest set of layouts that
//! hits all cores ([`hitting`](meetjoin_search::cores::hitting)). There are too many cores to list,
//! but few matter:
//!
//! 1. *Division.* The strategies that begin with one card, for each card of declarer's first
//!    choice, are a *way* for itself: it has more cores, and smaller ones, than all ways have in
//!    common. If a defender leads, the choice is that after the card which most layouts allow. The
//!    way that may win most is always the next.
//! 2. *Ascent.* Begin with all layouts. As long as no strategy wins what is left, take a core of
//!    it, made as small as leaving out single layouts makes it, and take from each of its layouts
//!    what the lightest of them has left. Layouts with nothing left are out.
//! 3. *Growth.* What is left is won. Add the heaviest layouts with which it has no core that is
//!    known, and ask. If it is lost, there is a new core, and other layouts are added.
//! 4. *Closing.* The lightest set that hits the cores that are known bounds what can be won. If the
//!    layouts besides it are won together, they are the heaviest set. If not, there are new cores:
//!    the ascent goes on from there. If hitting sets take many nodes, the way is divided by its
//!    next choice.
//!
//! Where there are many classes, a first line comes before the ascent of each way, so that
//! something is won early: at each of her turns declarer plays the card with which most weight is
//! won with all cards seen.
//!
//! At every moment the best set that was won and the greatest bound of the ways enclose the answer.
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
//! milliseconds, of eight from seconds to minutes. Without the division the first of K962.AT
//! opposite J43.643 (six cards, three tricks) takes more than ten seconds in place of two.
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
use super::together::choices::{ALL, Choice};
use super::together::{Heavy, Layouts, Together};
use super::values::AllSeen;

/// Nodes of the first search for a hitting set, for each of its parts. They double.
const FIRST_NODES: u64 = 16;
/// A first line is worked out where there are so many classes of layouts.
const WITH_FIRST_LINE: usize = 32;
/// It takes no more turns.
const FIRST_TURNS: u64 = 1 << 17;
/// A way for which hitting sets take more is divided.
const MANY_NODES: u64 = 1024;
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

/// Why nothing weighs more than the bound: for each of some *ways* that are all strategies
/// together.
///
/// Where layouts differ only in equal cards, one of them stands for all of its *class*: whichever
/// order the equal cards have, the layouts in which West has the first of them are lost together.
#[derive(Clone, Debug, Default)]
pub struct EndingReasons {
    /// For each layout of the ending its class; none for those that do not agree with the position.
    pub classes: Vec<Option<u32>>,
    /// The weights of the classes.
    pub weights: Vec<u64>,
    /// A way for each card of a choice, and for each card of another choice in place of one of
    /// those, and so on. One way without choices, if none was needed.
    pub ways: Vec<EndingWay>,
}

/// Sets of classes that no strategy wins together in which some choices are fixed, with prices.
///
/// If the prices of the cores that a class is in add up to no more than its weight, nothing that is
/// won weighs more than all classes without all prices. The bound may be less than that: then it
/// takes a search for the lightest set of classes that hits all cores.
#[derive(Clone, Debug, Default)]
pub struct EndingWay {
    /// What is fixed.
    pub choices: Vec<EndingChoice>,
    /// Classes.
    pub cores: Vec<Vec<u32>>,
    /// Their prices.
    pub prices: Vec<u64>,
    /// A unit of weight is so many of a price.
    pub parts: u64,
}

/// A choice of declarer that is fixed, in cards as the position numbers them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndingChoice {
    /// What was played before, each of equal cards.
    pub after: Vec<u32>,
    /// What she plays then: one of these equal cards.
    pub card: u32,
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
    fn explain(&mut self, hunt: &Hunt<'_>) {
        if !hunt.has_bounded && !self.found.reasons.weights.is_empty() {
            return;
        }
        let whole = hunt.whole;
        let mut classes = vec![None; whole.places.len() + self.besides.count()];
        for (place, class) in &whole.places {
            classes[*place] = Some(*class as u32);
        }
        let weights = whole.layouts.iter().map(|layout| layout.weight);
        self.found.reasons = EndingReasons {
            classes,
            weights: weights.collect(),
            ways: hunt.ways.iter().map(Way::reasons).collect(),
        };
    }

    /// Each card a kind.
    fn alone(&mut self, whole: &Whole, ending: &Ending) -> Result<(), Stop> {
        let layouts = whole.layouts.iter().map(|layout| layout.west);
        let seen = AllSeen::with_ties(ending, false);
        let mut together = Together::new(whole.shape, layouts, seen, self.budget);
        let mut hunt = Hunt::new(whole, vec![Way::all(whole)], Gives::Both);
        let before = self.found.set.as_ref().map(|_| self.found.weight);
        let closed = hunt.close(self, &mut together, None);
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
        let mut hunt = Hunt::new(whole, vec![Way::all(whole)], Gives::Both);
        let closed = hunt.close(self, &mut worst, Some(&mut best));
        self.plan = Some(Plan {
            together: worst,
            kinds: whole.shape.kinds,
        });
        closed?;
        if self.is_closed() {
            return Ok(());
        }
        let strong = hunt.ways.iter().map(Way::strong);
        Hunt::new(whole, strong.collect(), Gives::Bound).close(self, &mut best, None)
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

/// Layouts from which cores are taken one after the other.
#[derive(Clone)]
struct Ascent {
    left: Layouts,
    /// What is left of the weights of all layouts.
    rest: Vec<u64>,
    /// Prices of the strong cores.
    prices: Vec<u64>,
    /// Nothing that is won weighs more, by all cores and by the strong ones.
    bounds: (u64, u64),
}

impl Ascent {
    /// Takes from each layout of a core what the lightest of them has left.
    fn pay(&mut self, core: &[u32], is_strong: bool) {
        let least = core.iter().map(|layout| self.rest[*layout as usize]).min();
        let least = least.unwrap_or(0);
        for layout in core {
            self.rest[*layout as usize] -= least;
        }
        self.left.retain(|layout| self.rest[*layout as usize] > 0);
        self.bounds.0 -= least;
        if is_strong {
            self.prices.push(least);
            self.bounds.1 -= least;
        }
    }
}

/// Strategies that are searched as one: all, or those with some of declarer's choices fixed.
#[derive(Clone)]
struct Way {
    /// In the table, and in the second one.
    roots: (usize, usize),
    choices: Vec<EndingChoice>,
    known: KnownCores,
    /// Whether each of them holds where declarer decides who wins with equal cards.
    are_strong: Vec<bool>,
    /// Whether it is known which layouts are lost by themselves.
    is_begun: bool,
    /// Nodes of the next search for a hitting set.
    nodes: u64,
    /// An ascent that goes on.
    ascent: Option<Ascent>,
    /// Nothing that one of these strategies wins weighs more.
    bound: u64,
    /// The same by strong cores alone.
    strong_bound: u64,
    /// Prices of the strong cores in their order, and in how many parts of a unit.
    prices: (Vec<u64>, u64),
}

impl Way {
    fn all(whole: &Whole) -> Self {
        let weights = whole.layouts.iter().map(|layout| layout.weight);
        let known = KnownCores::new(weights.collect());
        Self {
            roots: (ALL, ALL),
            choices: Vec::new(),
            are_strong: Vec::new(),
            is_begun: false,
            nodes: FIRST_NODES,
            ascent: None,
            bound: known.total(),
            strong_bound: known.total(),
            prices: (Vec::new(), 1),
            known,
        }
    }

    fn add(&mut self, core: Layouts, is_strong: bool) {
        self.known.add(core);
        self.are_strong.push(is_strong);
    }

    /// The strong cores.
    fn strong_cores(&self) -> impl Iterator<Item = &Layouts> {
        let cores = self.known.cores().iter().zip(&self.are_strong);
        cores.filter_map(|(core, is_strong)| is_strong.then_some(core))
    }

    /// The same strategies in the second table, with what holds there.
    fn strong(&self) -> Self {
        let mut strong = Self {
            roots: (self.roots.1, self.roots.1),
            choices: self.choices.clone(),
            known: KnownCores::new(self.known.weights().to_vec()),
            are_strong: Vec::new(),
            is_begun: false,
            nodes: FIRST_NODES,
            ascent: None,
            bound: self.strong_bound,
            strong_bound: self.strong_bound,
            prices: self.prices.clone(),
        };
        for core in self.strong_cores() {
            strong.add(core.clone(), true);
        }
        strong
    }

    fn reasons(&self) -> EndingWay {
        let cores: Vec<Vec<u32>> = self.strong_cores().cloned().collect();
        let (mut prices, parts) = self.prices.clone();
        prices.resize(cores.len(), 0);
        EndingWay {
            choices: self.choices.clone(),
            cores,
            prices,
            parts,
        }
    }

    /// Layouts that are not lost by themselves, and not in this hitting set.
    fn besides(&self, hitting: &[u32]) -> Layouts {
        let all = 0..self.known.weights().len() as u32;
        let left = all.filter(|layout| hitting.binary_search(layout).is_err());
        left.collect()
    }

    /// An ascent from here, where those that are lost by themselves are paid for.
    fn ascent(&self, left: Layouts) -> Ascent {
        let total = self.known.total();
        let mut ascent = Ascent {
            left: Layouts::new(),
            rest: self.known.weights().to_vec(),
            prices: Vec::new(),
            bounds: (total, total),
        };
        for (core, is_strong) in self.known.cores().iter().zip(&self.are_strong) {
            match core.as_slice() {
                [_] => ascent.pay(core, *is_strong),
                _ if *is_strong => ascent.prices.push(0),
                _ => {}
            }
        }
        ascent.left = left;
        ascent
    }

    fn heavy(&self, layouts: &[u32]) -> Vec<Heavy> {
        let weights = self.known.weights();
        let heavy = layouts.iter();
        heavy
            .map(|layout| (*layout, weights[*layout as usize]))
            .collect()
    }
}

/// The tables of a search, the second where declarer decides who wins with equal cards.
struct Tables<'t, 'a> {
    together: &'t mut Together<'a>,
    second: Option<&'t mut Together<'a>>,
}

/// Ways that are all strategies together.
struct Hunt<'w> {
    whole: &'w Whole,
    ways: Vec<Way>,
    /// Of the best set that is won.
    best_weight: u64,
    gives: Gives,
    /// Whether a bound of the answer came from here.
    has_bounded: bool,
}

impl<'w> Hunt<'w> {
    fn new(whole: &'w Whole, ways: Vec<Way>, gives: Gives) -> Self {
        Self {
            whole,
            ways,
            best_weight: 0,
            gives,
            has_bounded: false,
        }
    }

    /// Searches until the bounds meet, and says why.
    fn close<'a, B: WorldSet>(
        &mut self,
        search: &mut Search<'_, '_, '_, B>,
        together: &mut Together<'a>,
        second: Option<&mut Together<'a>>,
    ) -> Result<(), Stop> {
        let mut tables = Tables { together, second };
        let closed = self.search(search, &mut tables);
        search.explain(self);
        closed
    }

    fn search<B: WorldSet>(
        &mut self,
        search: &mut Search<'_, '_, '_, B>,
        tables: &mut Tables<'_, '_>,
    ) -> Result<(), Stop> {
        if let [only] = self.ways.as_slice()
            && only.choices.is_empty()
        {
            self.begin(0, search, tables)?;
            self.divide(0, tables)?;
        }
        loop {
            let ways = self.ways.iter().enumerate();
            let most = ways.max_by_key(|(number, way)| (way.bound, usize::MAX - number));
            let Some((number, way)) = most else {
                return Ok(());
            };
            if way.bound <= self.best_weight || search.is_closed() {
                return Ok(());
            }
            if way.nodes <= MANY_NODES || !self.divide(number, tables)? {
                self.advance(number, search, tables)?;
            }
        }
    }

    /// Ways for each card of a choice, in place of one; false if no choice is left.
    fn divide(&mut self, number: usize, tables: &mut Tables<'_, '_>) -> Result<bool, Stop> {
        let way = &self.ways[number];
        let left =
            (0..way.known.weights().len() as u32).filter(|layout| !way.known.is_lost(*layout));
        let left = way.heavy(&left.collect::<Vec<_>>());
        let (root, second) = way.roots;
        let Some(Choice { way: steps, count }) = tables.together.choice(root, &left)? else {
            return Ok(false);
        };
        let way = self.ways.swap_remove(number);
        for step in 0..count {
            let mut cards = tables.together.cards(root, &steps, step);
            let mut part = Way {
                nodes: FIRST_NODES,
                is_begun: false,
                ascent: None,
                ..way.clone()
            };
            if let Some(card) = cards.pop() {
                let after = cards;
                part.choices.push(EndingChoice { after, card });
            }
            part.roots.0 = tables.together.fixed(root, &steps, step);
            part.roots.1 = match &mut tables.second {
                Some(table) => table.fixed(second, &steps, step),
                None => part.roots.0,
            };
            self.ways.push(part);
        }
        Ok(true)
    }

    /// The next step of a way: what is lost by itself, more of an ascent, or a hitting set.
    fn advance<B: WorldSet>(
        &mut self,
        number: usize,
        search: &mut Search<'_, '_, '_, B>,
        tables: &mut Tables<'_, '_>,
    ) -> Result<(), Stop> {
        if !self.ways[number].is_begun {
            return self.begin(number, search, tables);
        }
        if let Some(ascent) = self.ways[number].ascent.take() {
            return self.ascend(number, ascent, search, tables);
        }
        let hitting = self.hit(number, search)?;
        let way = &mut self.ways[number];
        if way.bound <= self.best_weight {
            return Ok(());
        }
        let left = way.besides(&hitting.set);
        if way.known.weight(left.iter().copied()) > self.best_weight {
            way.ascent = Some(way.ascent(left));
        } else {
            // No hitting set that is known is better than what is won: more nodes.
            way.nodes = way.nodes.saturating_mul(2).min(MOST_NODES);
        }
        Ok(())
    }

    /// What is lost by itself, and a first line.
    fn begin<B: WorldSet>(
        &mut self,
        number: usize,
        search: &mut Search<'_, '_, '_, B>,
        tables: &mut Tables<'_, '_>,
    ) -> Result<(), Stop> {
        let way = &mut self.ways[number];
        let (root, second) = way.roots;
        let mut left = Layouts::new();
        for layout in 0..way.known.weights().len() as u32 {
            if way.known.is_lost(layout) {
                continue;
            }
            if tables.together.is_winnable(root, layout)? {
                left.push(layout);
                continue;
            }
            let is_strong = match &mut tables.second {
                None => true,
                Some(table) => !table.is_winnable(second, layout)?,
            };
            way.add(vec![layout], is_strong);
        }
        way.is_begun = true;
        let Ascent { bounds, prices, .. } = way.ascent(Layouts::new());
        self.bounded(number, bounds, || (prices, 1), search);
        self.won(number, &[], search);
        if self.gives == Gives::Both && left.len() >= WITH_FIRST_LINE {
            let heavy = self.ways[number].heavy(&left);
            let first = tables.together.greedy(root, &heavy, FIRST_TURNS)?;
            self.won(number, &first, search);
        }
        Ok(())
    }

    /// A bound of what a way wins: with all its cores, and with the strong ones, which have prices.
    fn bounded<B: WorldSet>(
        &mut self,
        number: usize,
        (bound, strong): (u64, u64),
        prices: impl FnOnce() -> (Vec<u64>, u64),
        search: &mut Search<'_, '_, '_, B>,
    ) {
        let way = &mut self.ways[number];
        way.bound = way.bound.min(bound);
        if strong < way.strong_bound {
            (way.strong_bound, way.prices) = (strong, prices());
            let bounds = self.ways.iter().map(|way| way.strong_bound);
            self.has_bounded |= search.bounded(bounds.max().unwrap_or(0));
        }
    }

    /// The lightest hitting set of all cores, as far as it is found, and what that says.
    fn hit<B: WorldSet>(
        &mut self,
        number: usize,
        search: &mut Search<'_, '_, '_, B>,
    ) -> Result<Hitting, Stop> {
        let way = &self.ways[number];
        let (weights, total) = (way.known.weights(), way.known.total());
        let enough = total - self.best_weight;
        let lightest =
            |sets: &[&[u32]]| lightest_hitting(weights, sets, enough, way.nodes, search.budget);
        let all: Vec<&[u32]> = way.known.cores().iter().map(Vec::as_slice).collect();
        let strong: Vec<&[u32]> = way.strong_cores().map(Vec::as_slice).collect();
        let hitting = lightest(&all)?;
        let (bound, prices) = if strong.len() == all.len() {
            (hitting.bound, hitting.prices.clone())
        } else {
            let strongest = lightest(&strong)?;
            (strongest.bound, strongest.prices)
        };
        let bounds = (total - hitting.bound.min(total), total - bound.min(total));
        self.bounded(number, bounds, || (prices, hitting.parts), search);
        Ok(hitting)
    }

    /// From a set without a known core: more cores until a part of it is won, which grows; or until
    /// another way may win more.
    fn ascend<B: WorldSet>(
        &mut self,
        number: usize,
        mut ascent: Ascent,
        search: &mut Search<'_, '_, '_, B>,
        tables: &mut Tables<'_, '_>,
    ) -> Result<(), Stop> {
        let root = self.ways[number].roots.0;
        let others = self.ways.iter().enumerate();
        let others = others.filter(|(other, _)| *other != number);
        let others = others.map(|(_, way)| way.bound).max().unwrap_or(0);
        while let Some(core) = tables.together.core(root, &ascent.left)? {
            let core = self.learn(number, core, tables)?;
            let is_strong = self.ways[number].are_strong.last() == Some(&true);
            ascent.pay(&core, is_strong);
            self.bounded(number, ascent.bounds, || (ascent.prices.clone(), 1), search);
            if self.ways[number].bound < others {
                self.ways[number].ascent = Some(ascent);
                return Ok(());
            }
        }
        let left = ascent.left;
        self.won(number, &left, search);
        loop {
            let known = &self.ways[number].known;
            let grown = known.grown(left.iter().copied());
            if known.weight(grown.iter().copied()) <= self.best_weight {
                return Ok(());
            }
            match tables.together.core(root, &grown)? {
                None => {
                    self.won(number, &grown, search);
                    return Ok(());
                }
                Some(core) => {
                    self.learn(number, core, tables)?;
                }
            }
        }
    }

    fn won<B: WorldSet>(&mut self, number: usize, set: &[u32], search: &mut Search<'_, '_, '_, B>) {
        let weight = self.ways[number].known.weight(set.iter().copied());
        self.best_weight = self.best_weight.max(weight);
        if self.gives == Gives::Both {
            search.won(self.whole, set, weight);
        }
    }

    /// Makes a core smaller and keeps it.
    fn learn(
        &mut self,
        number: usize,
        mut core: Layouts,
        tables: &mut Tables<'_, '_>,
    ) -> Result<Layouts, Stop> {
        let way = &mut self.ways[number];
        let (root, second) = way.roots;
        smaller(&mut core, |less| tables.together.core(root, less))?;
        let mut is_strong = true;
        if let Some(table) = &mut tables.second
            && tables.together.has_ties()
        {
            match table.core(second, &core)? {
                None => is_strong = false,
                Some(strong) => core = strong,
            }
        }
        core.sort_unstable();
        way.add(core.clone(), is_strong);
        Ok(core)
    }
}
