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
use crate::diagram::interval::interval_of;
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

/// The probability of a function at each place of its listing.
fn probabilities(function: &Listing, known: &[f64], budget: &Budget) -> Result<Vec<f64>, Stop> {
    let node = |level, high: &f64, low: &f64| {
        let p: f64 = known[level as usize];
        p * high + (1.0 - p) * low
    };
    function.upwards(0.0, 1.0, node, budget)
}

/// The probability of a function conditioned on one of its variables.
#[derive(Clone, Copy, Default)]
struct Conditioned {
    /// Its probability if the variable is false.
    without: f64,
    /// And if it is true.
    with: f64,
    /// The second less the first, as the sum of the differences at the variable's nodes.
    slope: f64,
}

/// The conditioned probabilities of a function, by level.
///
/// The paths from the root to true are those through a node of the level and those that pass by.
/// Both are summed, without subtraction: the difference of nearly equal numbers would leave a
/// remainder where there is none.
fn conditioned(
    function: &Listing,
    known: &[f64],
    budget: &Budget,
) -> Result<Vec<Conditioned>, Stop> {
    let places = probabilities(function, known, budget)?;
    let root = function.roots[0] as usize;
    let mut parts = vec![Conditioned::default(); known.len()];
    let mut past = Ranges::new(known.len());
    let level_of = |place: usize| match place.checked_sub(2) {
        Some(node) => function.nodes[node].level as usize,
        None => known.len(),
    };
    past.add(0, level_of(root), places[root]);
    let mut reach = vec![0.0; places.len()];
    reach[root] = 1.0;
    for (place, node) in function.nodes.iter().enumerate().rev() {
        budget.steps(1)?;
        let (here, level) = (reach[place + 2], node.level as usize);
        let (high, low) = (node.high as usize, node.low as usize);
        let part = &mut parts[level];
        part.without += here * places[low];
        part.with += here * places[high];
        part.slope += here * (places[high] - places[low]);
        for (child, edge) in [
            (high, here * known[level]),
            (low, here * (1.0 - known[level])),
        ] {
            reach[child] += edge;
            past.add(level + 1, level_of(child), edge * places[child]);
        }
    }
    for (level, part) in parts.iter_mut().enumerate() {
        let past = past.at(level);
        part.without = (part.without + past).min(1.0);
        part.with = (part.with + past).min(1.0);
    }
    Ok(parts)
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
    /// The probability of each variable, by level.
    fn known(&self, events: &[f64], modules: &[f64]) -> Vec<f64> {
        let of = |variable: &Variable| match *variable {
            Variable::Event(event) => events[event as usize],
            Variable::Module(module) => modules[module as usize],
        };
        self.variables.iter().map(of).collect()
    }
}

impl Analysis {
    /// The probability of each module, given that of each event; the last is that of the whole.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn probabilities(&self, events: &[f64], budget: &Budget) -> Result<Vec<f64>, Stop> {
        let mut modules: Vec<f64> = Vec::with_capacity(self.modules.len());
        for module in &self.modules {
            let places = probabilities(&module.function, &module.known(events, &modules), budget)?;
            modules.push(places[module.function.roots[0] as usize]);
        }
        Ok(modules)
    }

    /// A lower and an upper bound of the probability of the whole, given that of each event. Equal
    /// if all is known.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn probability(&self, events: &[f64], budget: &Budget) -> Result<(f64, f64), Stop> {
        let mut modules: Vec<(f64, f64)> = Vec::with_capacity(self.modules.len());
        for module in &self.modules {
            let of = |variable: &Variable| match *variable {
                Variable::Event(event) => (events[event as usize], events[event as usize]),
                Variable::Module(module) => modules[module as usize],
            };
            let known: Vec<(f64, f64)> = module.variables.iter().map(of).collect();
            let (lower, mut upper) = interval_of(&module.function, &known, budget)?;
            if let Some(listing) = &module.upper {
                upper = interval_of(listing, &known, budget)?.1;
            }
            modules.push((lower, upper));
        }
        Ok(modules.pop().unwrap_or((0.0, 0.0)))
    }

    /// How much each event matters on which the whole depends, by number.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn importance(&self, events: &[f64], budget: &Budget) -> Result<Vec<Importance>, Stop> {
        let modules = self.probabilities(events, budget)?;
        let Some(&top) = modules.last() else {
            return Ok(Vec::new());
        };
        // Of each module the probability of the top if the module does not occur, and if it does.
        let mut given = vec![(0.0, 1.0); self.modules.len()];
        let mut found = Vec::new();
        // A module comes after those that it has as variables.
        for (number, module) in self.modules.iter().enumerate().rev() {
            let (never, always) = given[number];
            let of_top = |module: f64| module * always + (1.0 - module) * never;
            let known = module.known(events, &modules);
            let parts = conditioned(&module.function, &known, budget)?;
            for (variable, part) in module.variables.iter().zip(parts) {
                let (without, with) = (of_top(part.without), of_top(part.with));
                match *variable {
                    Variable::Module(inner) => given[inner as usize] = (without, with),
                    Variable::Event(event) => {
                        let p = events[event as usize];
                        let birnbaum = part.slope * (always - never);
                        // The smaller part is computed directly, not as a difference from the
                        // larger.
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
            }
        }
        found.sort_unstable_by_key(|importance| importance.event);
        Ok(found)
    }
}
