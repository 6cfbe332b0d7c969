//! Minimal attacks one after the other: in the order of the diagrams, or the cheapest first.
//!
//! Idea: the choices still open are a stack of places in diagrams of minimal sets; taking a module
//! pushes its own root. The least cost below each place is known, so a heap of beginnings, ordered
//! by the cost of the best completion of each, gives attacks in order (best-first search with an
//! exact heuristic). Beginnings share their stacks and their sets.
//!
//! Cost: for each attack a step for each place on its path, and a beginning in the heap for each
//! branch not taken.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use meetjoin_lattice::{Budget, Stop};

use crate::algebra::criteria::{Criteria, Criterion};
use crate::algebra::witness::{NOTHING, Witness, Witnesses};
use crate::plan::{Plan, Variable};

/// What is still to be chosen: a place in a module's minimal sets, and the rest.
#[derive(Clone, Copy, Debug)]
struct Cell {
    module: u32,
    place: u32,
    rest: u32,
    /// The least cost of a completion.
    best: f64,
}

/// The empty stack.
const END: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Beginning {
    /// The total cost of its best completion.
    bound: f64,
    so_far: f64,
    number: u64,
    attack: Witness,
    stack: u32,
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
    /// The greatest is the one to go on with: the best, and of equal ones the latest.
    fn cmp(&self, other: &Self) -> Ordering {
        let best = other.bound.total_cmp(&self.bound);
        best.then(self.number.cmp(&other.number))
    }
}

/// The minimal attacks of a plan that has minimal sets.
#[derive(Debug)]
pub struct Attacks<'a> {
    plan: &'a Plan,
    criterion: Option<(&'a Criteria, Criterion)>,
    /// By module and place: the best that it leads to.
    best: Vec<Vec<f64>>,
    witnesses: Witnesses,
    cells: Vec<Cell>,
    heap: BinaryHeap<Beginning>,
    made: u64,
}

impl<'a> Attacks<'a> {
    /// All minimal attacks: the cheapest first by a single criterion, or in the order of the
    /// diagrams.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn of(
        plan: &'a Plan,
        criteria: Option<&'a Criteria>,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let mut this = Self {
            plan,
            criterion: criteria.map(|criteria| (criteria, criteria.all[0])),
            best: Vec::new(),
            witnesses: Witnesses::default(),
            cells: Vec::new(),
            heap: BinaryHeap::new(),
            made: 0,
        };
        for module in &plan.modules {
            let Some(sets) = &module.sets else { continue };
            budget.room((sets.nodes.len() * size_of::<f64>()) as u64)?;
            let mut best = vec![f64::INFINITY, Criterion::FREE];
            for node in &sets.nodes {
                budget.steps(1)?;
                let own = this.of_variable(module.variables[node.level as usize]);
                let with = this.times(own, best[node.high as usize]);
                // Without a criterion all costs are equal.
                best.push(with.min(best[node.low as usize]));
            }
            this.best.push(best);
        }
        let root = match plan.root {
            Err(false) => return Ok(this),
            Err(true) => Beginning {
                bound: Criterion::FREE,
                so_far: Criterion::FREE,
                number: 0,
                attack: NOTHING,
                stack: END,
            },
            Ok(Variable::Leaf(leaf)) => {
                let cost = this.of_variable(Variable::Leaf(leaf));
                Beginning {
                    bound: cost,
                    so_far: cost,
                    number: 0,
                    attack: this.witnesses.leaf(leaf),
                    stack: END,
                }
            }
            Ok(Variable::Module(root)) => {
                let stack = this.push_root(root, END);
                Beginning {
                    bound: this.of_stack(stack),
                    so_far: Criterion::FREE,
                    number: 0,
                    attack: NOTHING,
                    stack,
                }
            }
        };
        this.heap.push(root);
        Ok(this)
    }

    fn times(&self, a: f64, b: f64) -> f64 {
        match self.criterion {
            Some((_, criterion)) => criterion.times(a, b),
            None => a.max(b),
        }
    }

    fn of_variable(&self, variable: Variable) -> f64 {
        match variable {
            Variable::Leaf(leaf) => self
                .criterion
                .map_or(Criterion::FREE, |(criteria, _)| criteria.of_leaf(leaf)[0]),
            Variable::Module(module) => self.of_root(module).1,
        }
    }

    /// The place of a module's root, and the best that it leads to.
    fn of_root(&self, module: u32) -> (u32, f64) {
        let sets = self.plan.modules[module as usize].sets.as_ref();
        let root = sets.map_or(0, |sets| sets.roots[0]);
        (root, self.best[module as usize][root as usize])
    }

    fn of_stack(&self, stack: u32) -> f64 {
        match stack {
            END => Criterion::FREE,
            stack => self.cells[stack as usize].best,
        }
    }

    fn push(&mut self, module: u32, place: u32, rest: u32) -> u32 {
        let own = self.best[module as usize][place as usize];
        let best = self.times(own, self.of_stack(rest));
        self.cells.push(Cell {
            module,
            place,
            rest,
            best,
        });
        self.cells.len() as u32 - 1
    }

    fn push_root(&mut self, module: u32, rest: u32) -> u32 {
        self.push(module, self.of_root(module).0, rest)
    }

    /// The next attack: its actions.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn next_attack(&mut self, budget: &Budget) -> Result<Option<Vec<u32>>, Stop> {
        while let Some(beginning) = self.heap.pop() {
            budget.steps(1)?;
            if beginning.stack == END {
                return Ok(Some(self.witnesses.leaves(beginning.attack)));
            }
            let Cell {
                module,
                place,
                rest,
                ..
            } = self.cells[beginning.stack as usize];
            if place == 1 {
                self.heap.push(Beginning {
                    stack: rest,
                    ..beginning
                });
                continue;
            }
            let of = &self.plan.modules[module as usize];
            let Some(sets) = &of.sets else { continue };
            let node = sets.nodes[place as usize - 2];
            let variable = of.variables[node.level as usize];
            if self.cells.len().is_multiple_of(4096) {
                let bytes = self.cells.len() * size_of::<Cell>();
                budget.room(2 * bytes as u64)?;
            }
            if node.low != 0 {
                let stack = self.push(module, node.low, rest);
                self.begin(beginning.so_far, beginning.attack, stack);
            }
            let stack = self.push(module, node.high, rest);
            match variable {
                Variable::Leaf(leaf) => {
                    let so_far = self.times(beginning.so_far, self.of_variable(variable));
                    let leaf = self.witnesses.leaf(leaf);
                    let attack = self.witnesses.join(beginning.attack, leaf);
                    self.begin(so_far, attack, stack);
                }
                Variable::Module(inner) => {
                    let stack = self.push_root(inner, stack);
                    self.begin(beginning.so_far, beginning.attack, stack);
                }
            }
        }
        Ok(None)
    }

    fn begin(&mut self, so_far: f64, attack: Witness, stack: u32) {
        self.made += 1;
        self.heap.push(Beginning {
            bound: self.times(so_far, self.of_stack(stack)),
            so_far,
            number: self.made,
            attack,
            stack,
        });
    }
}
