//! A fault tree solved: for each module its function and its minimal sets, as diagrams.

use meetjoin_dag::FaultTree;
use meetjoin_lattice::diagram::{Function, Functions, Listing, SetFamilies};
use meetjoin_lattice::{Budget, Stop};
use num_bigint::BigUint;

use crate::compile::compiled;
use crate::count::{Count, Polynomial, by_order};
use crate::formula::{Formula, Node, Part};
use crate::map::{Map, Set};
use crate::modules::{modules, split};
use crate::order::Scope;
use crate::simplify::simplified;

/// Which sets are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sets {
    /// Minimal sets of events whose occurrence can make the top true. Where there are negations, the events that must not occur are left out
    /// (minimal p-cuts).
    #[default]
    Cuts,
    /// Minimal sets of events whose absence can make the top false: the cuts of the dual.
    Paths,
    /// Minimal sets of events and of negated events that make the top true.
    PrimeImplicants,
}

/// What a variable of a module stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// A basic event.
    Event(u32),
    /// The module with this number.
    Module(u32),
}

/// What a set may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal {
    /// The number of the event.
    pub event: u32,
    /// Whether that it occurs, or that it does not.
    pub positive: bool,
}

/// What a level of a family stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// An event that occurs, or does not.
    Literal(Literal),
    /// Any set of the module with this number.
    Module(u32),
}

/// A part of the tree that shares no event with the rest.
#[derive(Clone, Debug)]
pub struct Module {
    /// By level of the function.
    pub variables: Vec<Variable>,
    /// The function, or a lower bound of it.
    pub function: Listing,
    /// An upper bound of the function, if the function is not known.
    pub upper: Option<Listing>,
    /// By level of the sets.
    pub choices: Vec<Choice>,
    /// The minimal sets.
    pub sets: Listing,
}

/// A fault tree solved. See the [module page](self).
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The modules, each after those that it has as variables; the last is the whole.
    pub modules: Vec<Module>,
    /// Whether any event is negated.
    pub coherent: bool,
    /// What kept some of it back.
    pub stop: Option<Stop>,
}

impl Analysis {
    /// Solves a tree, as far as the budget goes.
    pub fn of(tree: &FaultTree, sets: Sets, budget: &Budget) -> Self {
        let mut formula = Formula::of(tree);
        if sets == Sets::Paths {
            formula = formula.dual();
        }
        Self::of_formula(&formula, sets, budget).unwrap_or_else(Self::unknown)
    }

    /// Nothing is known.
    fn unknown(stop: Stop) -> Self {
        let constant = |place| Listing {
            nodes: Vec::new(),
            roots: vec![place],
        };
        Self {
            modules: vec![Module {
                variables: Vec::new(),
                function: constant(0),
                upper: Some(constant(1)),
                choices: Vec::new(),
                sets: constant(0),
            }],
            coherent: true,
            stop: Some(stop),
        }
    }

    /// How many nodes the diagrams of functions and those of sets have.
    pub fn nodes(&self) -> (usize, usize) {
        let count =
            |of: fn(&Module) -> &Listing| self.modules.iter().map(|m| of(m).nodes.len()).sum();
        (count(|m| &m.function), count(|m| &m.sets))
    }

    /// Solves a formula.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    fn of_formula(formula: &Formula, sets: Sets, budget: &Budget) -> Result<Self, Stop> {
        let formula = split(&simplified(formula));
        let mut this = Self {
            modules: Vec::new(),
            coherent: !formula.has_negations(),
            stop: None,
        };
        let mut numbers = Map::<Node, u32>::default();
        let found = modules(&formula);
        let mut is_module = vec![false; formula.size()];
        for &module in &found {
            is_module[module as usize] = true;
        }
        for &module in &found {
            let scope = Scope::of(&formula, module, &is_module);
            let (functions, function, order) = compiled(&formula, &scope, budget)?;
            let variables = levels(&formula, &order, &numbers);
            this.add(variables, functions, function, sets, budget)?;
            numbers.insert(module, numbers.len() as u32);
        }
        if found.is_empty() {
            // The top is an event or a constant.
            let mut functions = Functions::default();
            let (variables, function) = match *formula.part(formula.root) {
                Part::Literal {
                    event,
                    positive: true,
                } => (vec![Variable::Event(event)], functions.variable(0, budget)?),
                Part::Literal {
                    event,
                    positive: false,
                } => (vec![Variable::Event(event)], functions.negated(0, budget)?),
                Part::Constant(true) => (Vec::new(), Function::TRUE),
                _ => (Vec::new(), Function::FALSE),
            };
            this.add(variables, functions, function, sets, budget)?;
        }
        Ok(this)
    }

    /// Adds a module with its sets.
    fn add(
        &mut self,
        variables: Vec<Variable>,
        mut functions: Functions,
        function: Function,
        sets: Sets,
        budget: &Budget,
    ) -> Result<(), Stop> {
        // A module that is always true leaves nothing to choose.
        let is_true = |of: fn(&Module) -> &Listing| {
            let is_true = |variable: &Variable| match *variable {
                Variable::Module(module) => of(&self.modules[module as usize]).roots == [1],
                Variable::Event(_) => false,
            };
            variables.iter().map(is_true).collect::<Vec<bool>>()
        };
        let certain = is_true(|module| &module.function);
        let function = functions.where_true(function, |level| certain[level as usize], budget)?;
        let listing = functions.listing(&[function], budget)?;
        let literal = |variable: Variable, positive| match variable {
            Variable::Event(event) => Choice::Literal(Literal { event, positive }),
            Variable::Module(module) => Choice::Module(module),
        };
        let mut families = SetFamilies::default();
        let (family, choices) = if sets == Sets::PrimeImplicants && !self.coherent {
            let family = families.prime_implicants(&mut functions, function, budget)?;
            let both = variables
                .iter()
                .flat_map(|&v| [literal(v, true), literal(v, false)]);
            (family, both.collect())
        } else {
            let mut function = function;
            if !self.coherent {
                function = functions.hull(function, budget)?;
                let certain = is_true(|module| &module.sets);
                function =
                    functions.where_true(function, |level| certain[level as usize], budget)?;
            }
            let family = families.minimal(&functions, function, budget)?;
            (
                family,
                variables.iter().map(|&v| literal(v, true)).collect(),
            )
        };
        let sets = families.listing(&[family], budget)?;
        self.modules.push(Module {
            variables,
            function: listing,
            upper: None,
            choices,
            sets,
        });
        Ok(())
    }

    /// The number of sets of each order, from order 0 on.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn by_order(&self, budget: &Budget) -> Result<Vec<BigUint>, Stop> {
        if let Some(counts) = self.counted::<u64>(budget)? {
            return Ok(counts.into_iter().map(BigUint::from).collect());
        }
        Ok(self.counted::<BigUint>(budget)?.unwrap_or_default())
    }

    fn counted<N: Count>(&self, budget: &Budget) -> Result<Option<Polynomial<N>>, Stop> {
        let event = vec![N::of(0), N::of(1)];
        let mut polynomials: Vec<Polynomial<N>> = Vec::new();
        for module in &self.modules {
            let weights = module.choices.iter().map(|choice| match choice {
                Choice::Literal(_) => &event,
                Choice::Module(module) => &polynomials[*module as usize],
            });
            let weights: Vec<&Polynomial<N>> = weights.collect();
            let Some(counts) = by_order(&module.sets, &weights, budget)? else {
                return Ok(None);
            };
            polynomials.push(counts);
        }
        Ok(polynomials.pop())
    }
}

/// What the levels stand for when variables go in this order.
pub(crate) fn levels(formula: &Formula, order: &[Node], modules: &Map<Node, u32>) -> Vec<Variable> {
    let mut variables = Vec::new();
    let mut seen = Set::<u32>::default();
    for &node in order {
        match *formula.part(node) {
            Part::Literal { event, .. } => {
                if seen.insert(event) {
                    variables.push(Variable::Event(event));
                }
            }
            _ => variables.push(Variable::Module(modules[&node])),
        }
    }
    variables
}
