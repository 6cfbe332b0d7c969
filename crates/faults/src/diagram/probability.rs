//! How probable the top is, and how much each event matters.
//!
//! Idea: events are independent, so the probability of `if x then f else g` is `p f + (1 - p) g`
//! with those of f and g: one pass up the diagram, exact but for rounding. What the top is worth if
//! an event occurs, and if it does not, is one pass down for all events, and all measures of
//! importance follow from these two and their difference, for which both passes are made once more
//! with more bits where `f64` has too few. Modules share no event, so one module's probability is
//! that of a variable in another.
//!
//! Cost: linear in the diagrams, and an edge that passes by levels costs the logarithm of their
//! number.

use meetjoin_lattice::diagram::Listing;
use meetjoin_lattice::{Budget, Stop};

use crate::diagram::analysis::{Analysis, member};
use crate::diagram::interval::{Chance, chances, interval_of};
use crate::diagram::wanted::Sets;
use crate::diagram::wide::{Extended, Real, Wide};
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
#[derive(Clone)]
struct Conditioned<R> {
    /// If the variable is false.
    without: Chance<R>,
    /// And if it is true.
    with: Chance<R>,
    /// The second less the first, as the sum of the differences at the variable's nodes.
    slope: R,
    /// The numbers together that the slope is the difference of.
    of: R,
}

impl<R: Real> Conditioned<R> {
    /// Whether the slope has enough bits: at least 47 of it are not lost in differences.
    fn is_sure(&self) -> bool {
        let lost = 2_f64.powi(47 - R::BITS);
        self.slope.value().abs() >= self.of.value() * lost
    }
}

/// The conditioned chances of a function, by level.
///
/// The paths from the root to true are those through a node of the level and those that pass by.
/// Both are summed, without subtraction. Only the slope is a sum of differences, and says of how
/// large numbers.
fn conditioned<R: Real>(
    function: &Listing,
    known: &[Chance<R>],
    budget: &Budget,
) -> Result<Vec<Conditioned<R>>, Stop> {
    let places = chances(function, known, budget)?;
    let root = function.roots[0] as usize;
    let zero = R::of(0.0);
    let none = Chance {
        yes: zero.clone(),
        no: zero.clone(),
    };
    let nothing = Conditioned {
        without: none.clone(),
        with: none.clone(),
        slope: zero.clone(),
        of: zero.clone(),
    };
    let mut parts = vec![nothing; known.len()];
    let mut past = Ranges::new(known.len(), none);
    let level_of = |place: usize| match place.checked_sub(2) {
        Some(node) => function.nodes[node].level as usize,
        None => known.len(),
    };
    let one = R::of(1.0);
    past.add(0, level_of(root), &one, &places[root]);
    let mut reach = vec![zero; places.len()];
    reach[root] = one;
    for (place, node) in function.nodes.iter().enumerate().rev() {
        budget.steps(R::STEPS)?;
        let (here, level) = (reach[place + 2].clone(), node.level as usize);
        let (high, low) = (node.high as usize, node.low as usize);
        let part = &mut parts[level];
        part.without.add(&here, &places[low]);
        part.with.add(&here, &places[high]);
        let (slope, of) = places[high].less(&places[low]);
        part.slope = part.slope.plus(&here.times(&slope));
        part.of = part.of.plus(&here.times(&of));
        for (child, edge) in [
            (high, here.times(&known[level].yes)),
            (low, here.times(&known[level].no)),
        ] {
            reach[child] = reach[child].plus(&edge);
            past.add(level + 1, level_of(child), &edge, &places[child]);
        }
    }
    let one = R::of(1.0);
    for (level, part) in parts.iter_mut().enumerate() {
        for past in past.at(level) {
            part.without.add(&one, past);
            part.with.add(&one, past);
        }
    }
    Ok(parts)
}

/// Sums over ranges of levels, without a difference (a segment tree).
struct Ranges<R> {
    sums: Vec<Chance<R>>,
}

impl<R: Real> Ranges<R> {
    fn new(levels: usize, none: Chance<R>) -> Self {
        Self {
            sums: vec![none; 2 * levels],
        }
    }

    /// Adds a part of a chance to all levels from the first to the one before the end.
    fn add(&mut self, first: usize, end: usize, part: &R, chance: &Chance<R>) {
        let levels = self.sums.len() / 2;
        let (mut from, mut to) = (first + levels, end + levels);
        while from < to {
            if from % 2 == 1 {
                self.sums[from].add(part, chance);
                from += 1;
            }
            if to % 2 == 1 {
                to -= 1;
                self.sums[to].add(part, chance);
            }
            (from, to) = (from / 2, to / 2);
        }
    }

    /// The sums of what was added to a level.
    fn at(&self, level: usize) -> impl Iterator<Item = &Chance<R>> {
        let first = level + self.sums.len() / 2;
        let places = std::iter::successors(Some(first), |place| Some(place / 2));
        let places = places.take_while(|place| *place > 0);
        places.map(|place| &self.sums[place])
    }
}

impl Module {
    /// What is known of each variable, by level.
    fn known<T: Clone>(&self, events: &[T], modules: &[T]) -> Vec<T> {
        let of = |variable: &Variable| match *variable {
            Variable::Event(event) => events[event as usize].clone(),
            Variable::Module(module) => modules[module as usize].clone(),
        };
        self.variables.iter().map(of).collect()
    }
}

/// What importance is made of.
struct Measured {
    event: u32,
    /// The probability of the top if the event does not occur.
    without: f64,
    /// And if it does.
    with: f64,
    birnbaum: f64,
    /// Whether enough bits of the difference are left.
    is_sure: bool,
}

impl Analysis {
    /// The chance of the member that stands for each event.
    pub(crate) fn members(&self, events: &[f64]) -> Vec<Chance> {
        events.iter().map(|&p| member(self.sets, p)).collect()
    }

    /// A lower and an upper bound of the probability of the top, given that of each event, whatever
    /// the sets are. Equal if all is known.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn probability(&self, events: &[f64], budget: &Budget) -> Result<(f64, f64), Stop> {
        let (lower, upper) = self.chance(&self.members(events), budget)?;
        Ok(match self.sets {
            // The top is true where the function of its paths is not.
            Sets::Paths => (upper.no, lower.no),
            Sets::Cuts | Sets::PrimeImplicants => (lower.yes, upper.yes),
        })
    }

    /// Bounds of the chance of the function, given that of its members.
    pub(crate) fn chance(
        &self,
        members: &[Chance],
        budget: &Budget,
    ) -> Result<(Chance, Chance), Stop> {
        let members: Vec<_> = members.iter().map(|&chance| (chance, chance)).collect();
        let mut modules: Vec<(Chance, Chance)> = Vec::with_capacity(self.modules.len());
        for module in &self.modules {
            let known = module.known(&members, &modules);
            let (lower, mut upper) = interval_of(&module.function, &known, budget)?;
            if let Some(listing) = &module.upper {
                upper = interval_of(listing, &known, budget)?.1;
            }
            modules.push((lower, upper));
        }
        Ok(modules.pop().unwrap_or((Chance::never(), Chance::never())))
    }

    /// How much each event matters on which the whole depends, by number. It is asked of cuts, and
    /// not of paths.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn importance(&self, events: &[f64], budget: &Budget) -> Result<Vec<Importance>, Stop> {
        let (mut top, mut found) = self.measured::<f64>(events, budget)?;
        let is_unsure = |found: &[Measured]| found.iter().any(|measured| !measured.is_sure);
        if is_unsure(&found) {
            (top, found) = self.measured::<Extended>(events, budget)?;
        }
        if is_unsure(&found) {
            // What so many bits do not tell from 0 is below the least number of `f64`.
            (top, found) = self.measured::<Wide<2048>>(events, budget)?;
        }
        found.sort_unstable_by_key(|measured| measured.event);
        let importance = found.into_iter().map(|measured| {
            let Measured {
                event,
                without,
                with,
                birnbaum,
                ..
            } = measured;
            let p = events[event as usize];
            // Of a number and a half of it or less, the difference is as exact as they are.
            let fussell_vesely = if without < top / 2.0 {
                1.0 - without / top
            } else {
                p * birnbaum / top
            };
            Importance {
                event,
                probability: p,
                birnbaum,
                critical: (top > 0.0).then(|| p * birnbaum / top),
                diagnostic: (top > 0.0).then(|| p * with / top),
                fussell_vesely: (top > 0.0).then_some(fussell_vesely),
                risk_achievement: (top > 0.0).then(|| with / top),
                risk_reduction: (without > 0.0).then(|| top / without),
            }
        });
        Ok(importance.collect())
    }

    /// The probability of the top, and what the importance of each event is made of.
    fn measured<R: Real>(
        &self,
        events: &[f64],
        budget: &Budget,
    ) -> Result<(f64, Vec<Measured>), Stop> {
        let events: Vec<Chance<R>> = events.iter().copied().map(Chance::of).collect();
        let mut modules: Vec<Chance<R>> = Vec::with_capacity(self.modules.len());
        for module in &self.modules {
            let places = chances(&module.function, &module.known(&events, &modules), budget)?;
            modules.push(places[module.function.roots[0] as usize].clone());
        }
        let Some(top) = modules.last() else {
            return Ok((0.0, Vec::new()));
        };
        let top = top.yes.value();
        // Of each module the chance of the top if the module does not occur, and if it does, and
        // by how much the second is greater.
        let whole = (Chance::never(), Chance::always(), R::of(1.0), true);
        let mut given = vec![whole; self.modules.len()];
        let mut found = Vec::new();
        // A module comes after those that it has as variables.
        for (number, module) in self.modules.iter().enumerate().rev() {
            let (never, always, outer, outer_is_sure) = given[number].clone();
            let known = module.known(&events, &modules);
            let parts = conditioned(&module.function, &known, budget)?;
            for (variable, part) in module.variables.iter().zip(parts) {
                let without = part.without.choose(&always, &never);
                let with = part.with.choose(&always, &never);
                let slope = part.slope.times(&outer);
                let is_sure = outer_is_sure && part.is_sure();
                match *variable {
                    Variable::Module(inner) => {
                        given[inner as usize] = (without, with, slope, is_sure);
                    }
                    Variable::Event(event) => found.push(Measured {
                        event,
                        without: without.yes.value().min(1.0),
                        with: with.yes.value().min(1.0),
                        birnbaum: slope.value(),
                        is_sure,
                    }),
                }
            }
        }
        Ok((top, found))
    }
}
