//! The sets one after the other, without a list of all of them.
//!
//! Idea: one pass up a diagram gives for each place the best set below it: the least order, or the
//! greatest probability. A best-first search with this bound meets whole sets in order (A*, Hart,
//! Nilsson, Raphael 1968). A search state (a *beginning*) is a place in a diagram, the literals
//! chosen on the way, and the modules whose sets are still to be chosen; both lists share their
//! tails with other beginnings.
//!
//! Cost: a step for each node of each set that is met, and memory for the beginnings that wait. In
//! order of size, sets of one order are met by a walk instead, and nothing waits.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use meetjoin_lattice::{Budget, Stop};

use crate::diagram::analysis::Analysis;
use crate::diagram::interval::Chance;
use crate::rewrite::module::{Choice, Literal};

/// Products of the same probabilities in another order differ by less than this part.
const ROUNDING: f64 = 1e-13;

/// The end of a list.
const END: u32 = u32::MAX;

/// A place in the diagram of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    module: u32,
    place: u32,
}

/// A beginning of a set.
#[derive(Clone, Copy, Debug)]
struct Beginning {
    /// The greatest probability of its sets.
    best: f64,
    /// The newer first among equals, so that the search goes on to a whole set.
    age: u64,
    /// Where it goes on.
    at: Place,
    /// The product of what was chosen.
    product: f64,
    /// What was chosen: a link.
    chosen: u32,
    /// Which modules are to be entered: a link.
    open: u32,
}

impl PartialEq for Beginning {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Beginning {}

impl PartialOrd for Beginning {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Beginning {
    fn cmp(&self, other: &Self) -> Ordering {
        let best = self.best.total_cmp(&other.best);
        best.then(self.age.cmp(&other.age))
    }
}

/// Sets from the most to the least probable.
#[derive(Debug)]
pub struct ByProbability<'a> {
    analysis: &'a Analysis,
    members: Vec<Chance>,
    /// By module and place: the greatest probability of a set below.
    best: Vec<Vec<f64>>,
    queue: BinaryHeap<Beginning>,
    chosen: Vec<(Literal, u32)>,
    /// Modules to be entered, the next of the list, and the greatest probability of all sets of
    /// these together.
    open: Vec<(u32, u32, f64)>,
    age: u64,
    /// The least probability of a set that is wanted.
    least: f64,
}

/// How probable a literal is.
fn of_literal(literal: Literal, members: &[Chance]) -> f64 {
    let chance = members[literal.event as usize];
    if literal.positive {
        chance.yes
    } else {
        chance.no
    }
}

/// How probable it is that all of a set hold.
pub(crate) fn of_set(set: &[Literal], members: &[Chance]) -> f64 {
    let of = |&literal: &Literal| of_literal(literal, members);
    set.iter().map(of).product()
}

impl Analysis {
    /// The sets with the product of the probabilities of their members, given those of the events,
    /// the most probable first; products that differ by rounding alone are equal.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn by_probability(
        &self,
        events: &[f64],
        budget: &Budget,
    ) -> Result<ByProbability<'_>, Stop> {
        let members = self.members(events);
        let mut best: Vec<Vec<f64>> = Vec::new();
        for module in &self.modules {
            let of_level = |level: u32| match module.choices[level as usize] {
                Choice::Literal(literal) => of_literal(literal, &members),
                Choice::Module(inner) => {
                    let root = self.modules[inner as usize].sets.roots[0];
                    best[inner as usize][root as usize]
                }
            };
            let node = |level, high: &f64, low: &f64| low.max(of_level(level) * high);
            let places = module.sets.upwards(f64::NEG_INFINITY, 1.0, node, budget)?;
            best.push(places);
        }
        let mut this = ByProbability {
            analysis: self,
            members,
            best,
            queue: BinaryHeap::new(),
            chosen: Vec::new(),
            open: Vec::new(),
            age: 0,
            least: 0.0,
        };
        if let Some(last) = self.modules.len().checked_sub(1) {
            let root = this.root(last as u32);
            this.push(f64::INFINITY, root, 1.0, END, END);
        }
        Ok(this)
    }
}

impl ByProbability<'_> {
    fn root(&self, module: u32) -> Place {
        let place = self.analysis.modules[module as usize].sets.roots[0];
        Place { module, place }
    }

    fn best_at(&self, place: Place) -> f64 {
        self.best[place.module as usize][place.place as usize]
    }

    /// What the modules that are to be entered can add at best.
    fn rest(&self, open: u32) -> f64 {
        self.open.get(open as usize).map_or(1.0, |&(.., rest)| rest)
    }

    /// `before` is the greatest probability of the beginning that this one comes from.
    fn push(&mut self, before: f64, at: Place, product: f64, chosen: u32, open: u32) {
        let here = self.best_at(at);
        if here >= 0.0 {
            let mut best = product * here * self.rest(open);
            // The same product in another order.
            if best >= before * (1.0 - ROUNDING) {
                best = before;
            }
            if best < self.least {
                return;
            }
            let age = self.age;
            self.age += 1;
            self.queue.push(Beginning {
                best,
                age,
                at,
                product,
                chosen,
                open,
            });
        }
    }

    /// Without the sets whose probability is less.
    #[must_use]
    pub fn down_to(mut self, least: f64) -> Self {
        self.least = least;
        self.queue.retain(|beginning| beginning.best >= least);
        self
    }

    /// The next set, sorted, with its probability.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn next_set(&mut self, budget: &Budget) -> Result<Option<(Vec<Literal>, f64)>, Stop> {
        while let Some(beginning) = self.queue.pop() {
            budget.steps(1)?;
            let Beginning {
                best: before,
                at,
                product,
                mut chosen,
                open,
                ..
            } = beginning;
            if at.place == 1 {
                if open == END {
                    let mut set = Vec::new();
                    while chosen != END {
                        let (literal, next) = self.chosen[chosen as usize];
                        set.push(literal);
                        chosen = next;
                    }
                    set.sort_unstable();
                    // Multiplied anew, in order, so that equal sets have equal numbers however they
                    // are met.
                    let product = of_set(&set, &self.members);
                    return Ok(Some((set, product)));
                }
                let (module, next, _) = self.open[open as usize];
                self.push(before, self.root(module), product, chosen, next);
                continue;
            }
            if at.place == 0 {
                continue;
            }
            let module = &self.analysis.modules[at.module as usize];
            let node = module.sets.nodes[at.place as usize - 2];
            let to = |place| Place {
                module: at.module,
                place,
            };
            self.push(before, to(node.low), product, chosen, open);
            match module.choices[node.level as usize] {
                Choice::Literal(literal) => {
                    let with = product * of_literal(literal, &self.members);
                    self.chosen.push((literal, chosen));
                    chosen = (self.chosen.len() - 1) as u32;
                    self.push(before, to(node.high), with, chosen, open);
                }
                Choice::Module(inner) => {
                    let rest = self.rest(open) * self.best_at(self.root(inner));
                    self.open.push((inner, open, rest));
                    let open = (self.open.len() - 1) as u32;
                    self.push(before, to(node.high), product, chosen, open);
                }
            }
        }
        Ok(None)
    }
}

/// Sets from the least to the greatest order.
#[derive(Debug)]
pub struct BySize<'a> {
    analysis: &'a Analysis,
    /// By module and place: the least and the greatest order of a set below.
    orders: Vec<Vec<(u32, u32)>>,
    order: u32,
    most: u32,
    /// Beginnings of the order that is met now.
    stack: Vec<Step>,
    chosen: Vec<Literal>,
    open: Vec<OpenModule>,
}

/// A beginning of a set of a known order.
#[derive(Clone, Copy, Debug)]
struct Step {
    at: Place,
    /// How many members to come.
    left: u32,
    /// Which modules are to be entered: a link.
    open: u32,
    /// The lengths of both lists when the beginning was made. Later entries belong to others.
    chosen: usize,
    opened: usize,
}

/// A module to be entered, and the orders that it and those after it can have.
#[derive(Clone, Copy, Debug)]
struct OpenModule {
    module: u32,
    next: u32,
    least: u32,
    most: u32,
}

/// No set: its least order is greater than its greatest.
const NO_SET: (u32, u32) = (u32::MAX, 0);

impl Analysis {
    /// The sets, those with the fewest members first. `most` bounds their order.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn by_size(&self, most: u32, budget: &Budget) -> Result<BySize<'_>, Stop> {
        let mut orders: Vec<Vec<(u32, u32)>> = Vec::new();
        for module in &self.modules {
            let of_level = |level: u32| match module.choices[level as usize] {
                Choice::Literal(_) => (1, 1),
                Choice::Module(inner) => {
                    let root = self.modules[inner as usize].sets.roots[0];
                    orders[inner as usize][root as usize]
                }
            };
            let node = |level, high: &(u32, u32), low: &(u32, u32)| {
                let own = of_level(level);
                let with = (own.0.saturating_add(high.0), own.1.saturating_add(high.1));
                if with.0 == u32::MAX {
                    *low
                } else {
                    (with.0.min(low.0), with.1.max(low.1))
                }
            };
            orders.push(module.sets.upwards(NO_SET, (0, 0), node, budget)?);
        }
        let whole = orders
            .last()
            .zip(self.modules.last())
            .map_or(NO_SET, |(orders, module)| {
                orders[module.sets.roots[0] as usize]
            });
        let mut this = BySize {
            analysis: self,
            orders,
            order: whole.0,
            most: whole.1.min(most),
            stack: Vec::new(),
            chosen: Vec::new(),
            open: Vec::new(),
        };
        this.begin();
        Ok(this)
    }
}

impl BySize<'_> {
    fn root(&self, module: u32) -> Place {
        let place = self.analysis.modules[module as usize].sets.roots[0];
        Place { module, place }
    }

    fn orders_at(&self, place: Place) -> (u32, u32) {
        self.orders[place.module as usize][place.place as usize]
    }

    /// Begins the sets of one order.
    fn begin(&mut self) {
        self.open.clear();
        if self.order <= self.most
            && let Some(last) = self.analysis.modules.len().checked_sub(1)
        {
            let (at, left) = (self.root(last as u32), self.order);
            self.stack.push(Step {
                at,
                left,
                open: END,
                chosen: 0,
                opened: 0,
            });
        }
    }

    /// Returns whether a place, with the open modules, can add exactly `left` members.
    fn can(&self, at: Place, left: u32, open: u32) -> bool {
        let (least, most) = self.orders_at(at);
        let rest = self
            .open
            .get(open as usize)
            .map_or((0, 0), |open| (open.least, open.most));
        least != u32::MAX
            && least.saturating_add(rest.0) <= left
            && left <= most.saturating_add(rest.1)
    }

    /// The next set, sorted.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn next_set(&mut self, budget: &Budget) -> Result<Option<Vec<Literal>>, Stop> {
        loop {
            let Some(step) = self.stack.pop() else {
                if self.order >= self.most {
                    return Ok(None);
                }
                self.order += 1;
                self.begin();
                continue;
            };
            budget.steps(1)?;
            let Step {
                at,
                left,
                open,
                chosen,
                opened,
            } = step;
            self.chosen.truncate(chosen);
            self.open.truncate(opened);
            if at.place == 1 {
                let Some(entry) = self.open.get(open as usize).copied() else {
                    let mut set = self.chosen.clone();
                    set.sort_unstable();
                    return Ok(Some(set));
                };
                let at = self.root(entry.module);
                self.stack.push(Step {
                    at,
                    open: entry.next,
                    ..step
                });
                continue;
            }
            let module = &self.analysis.modules[at.module as usize];
            let Some(node) = (at.place as usize)
                .checked_sub(2)
                .map(|place| module.sets.nodes[place])
            else {
                continue;
            };
            let to = |place| Place {
                module: at.module,
                place,
            };
            let (low, high) = (to(node.low), to(node.high));
            // Sets without the variable come after those with it.
            if self.can(low, left, open) {
                self.stack.push(Step { at: low, ..step });
            }
            match module.choices[node.level as usize] {
                Choice::Literal(literal) => {
                    if left > 0 && self.can(high, left - 1, open) {
                        self.chosen.push(literal);
                        let left = left - 1;
                        self.stack.push(Step {
                            at: high,
                            left,
                            chosen: chosen + 1,
                            ..step
                        });
                    }
                }
                Choice::Module(inner) => {
                    let (least, most) = self.orders_at(self.root(inner));
                    let rest = self
                        .open
                        .get(open as usize)
                        .map_or((0, 0), |open| (open.least, open.most));
                    self.open.push(OpenModule {
                        module: inner,
                        next: open,
                        least: least.saturating_add(rest.0),
                        most: most.saturating_add(rest.1),
                    });
                    let open = opened as u32;
                    if self.can(high, left, open) {
                        self.stack.push(Step {
                            at: high,
                            open,
                            opened: opened + 1,
                            ..step
                        });
                    }
                }
            }
        }
    }
}
