//! How probable the top is, and how much each event matters.
//!
//! Idea: events are independent, so the probability of `if x then f else g` is `p f + (1 - p) g`
//! with those of f and g: one pass up the diagram, exact but for rounding. What the top is worth if
//! an event occurs, and if it does not, is one pass down for all events, and all measures of
//! importance follow from these two. Modules share no event, so one module's probability is that of
//! a variable in another.
//!
//! Cost: linear in the diagrams, and an edge that passes by levels costs the logarithm of their
//! number.

use meetjoin_lattice::diagram::Listing;
use meetjoin_lattice::{Budget, Stop};

use crate::diagram::analysis::Analysis;
use crate::diagram::interval::{Chance, chances, interval_of};
use crate::map::Map;
use crate::rewrite::module::{Module, Variable};

/// How much an event matters. `p` is its probability, and P(top) that of the top.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Importance {
    /// The number of the event.
    pub event: u32,
    /// Its probability.
    pub probability: f64,
    /// Birnbaum: P(top if the event occurs) - P(top if it does not).
    pub birnbaum: f64,
    /// Critical importance: p Birnbaum / P(top), how probable it is that the event is to blame if
    /// the top occurs. `None` if P(top) is 0.
    pub critical: Option<f64>,
    /// Diagnostic importance: how probable the event is if the top occurs, p P(top if the event
    /// occurs) / P(top). `None` if P(top) is 0.
    pub diagnostic: Option<f64>,
    /// Fussell-Vesely, as the fraction of P(top) that the event contributes: 1 - P(top if it does
    /// not occur) / P(top). `None` if P(top) is 0.
    pub fussell_vesely: Option<f64>,
    /// Risk achievement worth: P(top if it occurs) / P(top). `None` if P(top) is 0.
    pub risk_achievement: Option<f64>,
    /// Risk reduction worth: P(top) / P(top if it does not occur). `None` if that is 0.
    pub risk_reduction: Option<f64>,
}

/// The chance of a function conditioned on one of its variables.
#[derive(Clone, Copy, Default)]
struct Conditioned {
    /// If the variable is false.
    without: Chance,
    /// And if it is true.
    with: Chance,
    /// The second less the first, as the sum of the differences at the variable's nodes.
    slope: f64,
}

/// The conditioned chances of a function, by level.
///
/// The paths from the root to true are those through a node of the level and those that pass by.
/// Both are summed, without subtraction: the difference of nearly equal numbers would leave a
/// remainder where there is none.
fn conditioned(
    function: &Listing,
    known: &[Chance],
    budget: &Budget,
) -> Result<Vec<Conditioned>, Stop> {
    let places = chances(function, known, budget)?;
    let mut differences = Differences::new(function, known, &places);
    let root = function.roots[0] as usize;
    let mut parts = vec![Conditioned::default(); known.len()];
    let mut past = [Ranges::new(known.len()), Ranges::new(known.len())];
    let mut pass_by = |first, end, here: f64, child: Chance| {
        past[0].add(first, end, here * child.yes);
        past[1].add(first, end, here * child.no);
    };
    let level_of = |place: usize| match place.checked_sub(2) {
        Some(node) => function.nodes[node].level as usize,
        None => known.len(),
    };
    pass_by(0, level_of(root), 1.0, places[root]);
    let mut reach = vec![0.0; places.len()];
    reach[root] = 1.0;
    for (place, node) in function.nodes.iter().enumerate().rev() {
        budget.steps(1)?;
        let (here, level) = (reach[place + 2], node.level as usize);
        let (high, low) = (node.high as usize, node.low as usize);
        let part = &mut parts[level];
        part.without.add(here, places[low]);
        part.with.add(here, places[high]);
        part.slope += here * differences.of(node.high, node.low, budget)?;
        for (child, edge) in [
            (high, here * known[level].yes),
            (low, here * known[level].no),
        ] {
            reach[child] += edge;
            pass_by(level + 1, level_of(child), edge, places[child]);
        }
    }
    for (level, part) in parts.iter_mut().enumerate() {
        let past = Chance {
            yes: past[0].at(level),
            no: past[1].at(level),
        };
        for chance in [&mut part.without, &mut part.with] {
            chance.add(1.0, past);
            *chance = Chance {
                yes: chance.yes.min(1.0),
                no: chance.no.min(1.0),
            };
        }
    }
    Ok(parts)
}

/// How much more probable one function of a listing is than another.
///
/// Both are followed down at once, and only what differs is summed. If the greater one is true
/// wherever the other is, as where no event is negated, nothing is subtracted.
struct Differences<'a> {
    function: &'a Listing,
    known: &'a [Chance],
    places: &'a [Chance],
    found: Map<(u32, u32), f64>,
    /// More pairs are not remembered: then the difference of the two chances has to do.
    most: usize,
}

impl<'a> Differences<'a> {
    fn new(function: &'a Listing, known: &'a [Chance], places: &'a [Chance]) -> Self {
        Self {
            function,
            known,
            places,
            found: Map::default(),
            most: 8 * function.nodes.len() + (1 << 12),
        }
    }

    /// The difference of two places, if it is at hand.
    fn at_hand(&self, pair @ (one, other): (u32, u32)) -> Option<f64> {
        let chance = |place: u32| self.places[place as usize];
        match pair {
            _ if one == other => Some(0.0),
            (_, 0) => Some(chance(one).yes),
            (_, 1) => Some(-chance(one).no),
            (0, _) => Some(-chance(other).yes),
            (1, _) => Some(chance(other).no),
            _ => self.found.get(&pair).copied(),
        }
    }

    fn of(&mut self, one: u32, other: u32, budget: &Budget) -> Result<f64, Stop> {
        let mut open = vec![(one, other)];
        while let Some(&pair) = open.last() {
            if self.at_hand(pair).is_some() {
                open.pop();
                continue;
            }
            budget.steps(1)?;
            if self.found.len() >= self.most {
                let [one, other] = [pair.0, pair.1].map(|place| self.places[place as usize]);
                self.found.insert(pair, one.less(other));
                continue;
            }
            let node = |place: u32| &self.function.nodes[place as usize - 2];
            let level = node(pair.0).level.min(node(pair.1).level);
            let children = |place: u32| match node(place) {
                node if node.level == level => (node.high, node.low),
                _ => (place, place),
            };
            let (one, other) = (children(pair.0), children(pair.1));
            let (high, low) = ((one.0, other.0), (one.1, other.1));
            match (self.at_hand(high), self.at_hand(low)) {
                (Some(high), Some(low)) => {
                    let p = self.known[level as usize];
                    self.found.insert(pair, p.yes * high + p.no * low);
                }
                (None, _) => open.push(high),
                (_, None) => open.push(low),
            }
        }
        Ok(self.at_hand((one, other)).unwrap_or_default())
    }
}

/// Sums over ranges of levels, without a difference (a segment tree).
struct Ranges {
    sums: Vec<f64>,
}

impl Ranges {
    fn new(levels: usize) -> Self {
        Self {
            sums: vec![0.0; 2 * levels],
        }
    }

    /// Adds an amount to all levels from the first to the one before the end.
    fn add(&mut self, first: usize, end: usize, amount: f64) {
        let levels = self.sums.len() / 2;
        let (mut from, mut to) = (first + levels, end + levels);
        while from < to {
            if from % 2 == 1 {
                self.sums[from] += amount;
                from += 1;
            }
            if to % 2 == 1 {
                to -= 1;
                self.sums[to] += amount;
            }
            (from, to) = (from / 2, to / 2);
        }
    }

    /// What was added to a level.
    fn at(&self, level: usize) -> f64 {
        let mut place = level + self.sums.len() / 2;
        let mut sum = 0.0;
        while place > 0 {
            sum += self.sums[place];
            place /= 2;
        }
        sum
    }
}

impl Module {
    /// The chance of each variable, by level.
    fn known<T: Copy>(&self, events: &[T], modules: &[T]) -> Vec<T> {
        let of = |variable: &Variable| match *variable {
            Variable::Event(event) => events[event as usize],
            Variable::Module(module) => modules[module as usize],
        };
        self.variables.iter().map(of).collect()
    }
}

impl Analysis {
    /// A lower and an upper bound of the probability of the whole, given that of each event. Equal
    /// if all is known.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn probability(&self, events: &[f64], budget: &Budget) -> Result<(f64, f64), Stop> {
        let events: Vec<Chance> = events.iter().copied().map(Chance::of).collect();
        let (lower, upper) = self.chance(&events, budget)?;
        Ok((lower.yes, upper.yes))
    }

    /// Bounds of the chance of the whole, given that of each event.
    pub(crate) fn chance(
        &self,
        events: &[Chance],
        budget: &Budget,
    ) -> Result<(Chance, Chance), Stop> {
        let events: Vec<_> = events.iter().map(|&chance| (chance, chance)).collect();
        let mut modules: Vec<(Chance, Chance)> = Vec::with_capacity(self.modules.len());
        for module in &self.modules {
            let known = module.known(&events, &modules);
            let (lower, mut upper) = interval_of(&module.function, &known, budget)?;
            if let Some(listing) = &module.upper {
                upper = interval_of(listing, &known, budget)?.1;
            }
            modules.push((lower, upper));
        }
        Ok(modules.pop().unwrap_or((Chance::NEVER, Chance::NEVER)))
    }

    /// How much each event matters on which the whole depends, by number.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn importance(&self, events: &[f64], budget: &Budget) -> Result<Vec<Importance>, Stop> {
        let events: Vec<Chance> = events.iter().copied().map(Chance::of).collect();
        let mut modules: Vec<Chance> = Vec::with_capacity(self.modules.len());
        for module in &self.modules {
            let places = chances(&module.function, &module.known(&events, &modules), budget)?;
            modules.push(places[module.function.roots[0] as usize]);
        }
        let Some(&Chance { yes: top, .. }) = modules.last() else {
            return Ok(Vec::new());
        };
        // Of each module the chance of the top if the module does not occur, and if it does, and
        // by how much the second is greater.
        let mut given = vec![(Chance::NEVER, Chance::ALWAYS, 1.0); self.modules.len()];
        let mut found = Vec::new();
        // A module comes after those that it has as variables.
        for (number, module) in self.modules.iter().enumerate().rev() {
            let (never, always, outer) = given[number];
            let known = module.known(&events, &modules);
            let parts = conditioned(&module.function, &known, budget)?;
            for (variable, part) in module.variables.iter().zip(parts) {
                let without = part.without.choose(always, never);
                let with = part.with.choose(always, never);
                let birnbaum = part.slope * outer;
                let event = match *variable {
                    Variable::Module(inner) => {
                        given[inner as usize] = (without, with, birnbaum);
                        continue;
                    }
                    Variable::Event(event) => event,
                };
                let p = events[event as usize].yes;
                let (without, with) = (without.yes, with.yes);
                // Of a number and a half of it or less, the difference is as exact as they are.
                let fussell_vesely = if without < top / 2.0 {
                    1.0 - without / top
                } else {
                    p * birnbaum / top
                };
                found.push(Importance {
                    event,
                    probability: p,
                    birnbaum,
                    critical: (top > 0.0).then(|| p * birnbaum / top),
                    diagnostic: (top > 0.0).then(|| p * with / top),
                    fussell_vesely: (top > 0.0).then_some(fussell_vesely),
                    risk_achievement: (top > 0.0).then(|| with / top),
                    risk_reduction: (without > 0.0).then(|| top / without),
                });
            }
        }
        found.sort_unstable_by_key(|importance| importance.event);
        Ok(found)
    }
}
