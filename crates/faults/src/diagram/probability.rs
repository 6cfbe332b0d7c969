//! How probable the top is, and how much each event matters.
//!
//! Idea: events are independent, so the probability of `if x then f else g` is `p f + (1 - p) g` with those of f and g: one pass up the diagram, exact but for
//! rounding. The derivative by each event is one pass down (Birnbaum's importance), and all other measures follow from it, because the
//! probability is linear in that of each event. Modules share no event, so one module's probability is that of a variable in another.
//!
//! Cost: linear in the diagrams.

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
    /// Fussell-Vesely, as the fraction of P(top) that the event contributes: 1 - P(top if it does not occur) / P(top). `None` if P(top) is 0.
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

    /// A lower and an upper bound of the probability of the whole, given that of each event. Equal if all is known.
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
        let mut slopes = vec![0.0; self.modules.len()];
        slopes[self.modules.len() - 1] = 1.0;
        let mut found = Vec::new();
        // A module comes after those that it has as variables.
        for (number, module) in self.modules.iter().enumerate().rev() {
            let known = module.known(events, &modules);
            let places = probabilities(&module.function, &known, budget)?;
            let mut reach = vec![0.0; places.len()];
            reach[module.function.roots[0] as usize] = slopes[number];
            let mut slope_of = vec![0.0; module.variables.len()];
            for (place, node) in module.function.nodes.iter().enumerate().rev() {
                budget.steps(1)?;
                let (here, level) = (reach[place + 2], node.level as usize);
                let (high, low) = (node.high as usize, node.low as usize);
                slope_of[level] += here * (places[high] - places[low]);
                reach[high] += here * known[level];
                reach[low] += here * (1.0 - known[level]);
            }
            for (variable, slope) in module.variables.iter().zip(slope_of) {
                match *variable {
                    Variable::Module(inner) => slopes[inner as usize] = slope,
                    Variable::Event(event) => {
                        let p = events[event as usize];
                        // Rounding must not make a probability negative.
                        let without = (top - p * slope).clamp(0.0, 1.0);
                        let with = (top + (1.0 - p) * slope).clamp(0.0, 1.0);
                        found.push(Importance {
                            event,
                            probability: p,
                            birnbaum: slope,
                            fussell_vesely: (top > 0.0).then(|| p * slope / top),
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
