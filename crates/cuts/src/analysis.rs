//! A fault tree solved: for each module its function and its minimal sets, as diagrams.

use meetjoin_dag::FaultTree;
use meetjoin_dag::fault_tree::BasicEvent;
use meetjoin_lattice::diagram::{Function, Functions, Listing, SetFamilies};
use meetjoin_lattice::{Budget, Limits, Stop};
use num_bigint::BigUint;

use crate::compile::Trials;
use crate::count::{Count, Polynomial, by_order};
use crate::formula::{Formula, Node, Part};
use crate::interval::interval_of;
use crate::map::{Map, Set};
use crate::modules::{modules, split};
use crate::order::Scope;
use crate::simplify::simplified;
use crate::truncate::{heavy, pruned};

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

/// Which of the sets are asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Only {
    /// All of them.
    All,
    /// Those of at most so many members.
    Order(u32),
    /// Those that are at least so probable.
    Probability(f64),
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
        Self::with_only(tree, sets, Only::All, budget)
    }

    /// The same where fewer sets are asked for. Where all of them take more than some effort, only those are found, and the probability is bounded.
    pub fn with_only(tree: &FaultTree, sets: Sets, only: Only, budget: &Budget) -> Self {
        let mut formula = Formula::of(tree);
        let guess = |event: &BasicEvent| match (event.probability, sets) {
            (None, _) => GUESS,
            (Some(p), Sets::Paths) => 1.0 - p,
            (Some(p), _) => p,
        };
        let events: Vec<f64> = tree.events().iter().map(guess).collect();
        if sets == Sets::Paths {
            formula = formula.dual();
        }
        let formula = split(&simplified(&formula));
        let coherent = !formula.has_negations();
        let mut solving = Solving {
            found: Self {
                modules: Vec::new(),
                coherent,
                stop: None,
            },
            sets,
            only,
            events: &events,
            modules: Vec::new(),
            best: Vec::new(),
            least: Vec::new(),
        };
        solving.solve(&formula, budget);
        solving.found
    }

    /// How many nodes the diagrams of functions and those of sets have.
    pub fn nodes(&self) -> (usize, usize) {
        let count =
            |of: fn(&Module) -> &Listing| self.modules.iter().map(|m| of(m).nodes.len()).sum();
        (count(|m| &m.function), count(|m| &m.sets))
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

/// Steps of one trial after which it is time to look for bounds.
const BOUNDS_FROM: u64 = 1 << 20;
/// Steps of one trial after which those that want only some of the sets get them.
const EFFORT: u64 = 1 << 22;
/// Steps that a module may take after a stop: it is small, or nothing is said of it.
const GRACE: u64 = 1 << 16;
/// Nodes that are kept of each function when bounds are looked for at first.
const FIRST_KEPT: usize = 1 << 6;
/// How probable an event is taken to be that says nothing of it. It guides what is left out of bounds, and no result depends on it.
const GUESS: f64 = 0.01;
/// The finest steps of weights in a limit on probability.
const WEIGHTS: u32 = 64;

/// A tree that is being solved.
struct Solving<'a> {
    found: Analysis,
    sets: Sets,
    only: Only,
    /// How probable events are, or may be.
    events: &'a [f64],
    /// By module: the same.
    modules: Vec<f64>,
    /// By module: the most probable set.
    best: Vec<f64>,
    /// By module: the order of the smallest set.
    least: Vec<u32>,
}

/// What is known of a module.
struct Known {
    order: Vec<Node>,
    function: Listing,
    upper: Option<Listing>,
    sets: Listing,
}

fn constant(place: u32) -> Listing {
    Listing {
        nodes: Vec::new(),
        roots: vec![place],
    }
}

impl Solving<'_> {
    /// Solves all modules, lowest first.
    fn solve(&mut self, formula: &Formula, budget: &Budget) {
        let found = modules(formula);
        let mut is_module = vec![false; formula.size()];
        for &module in &found {
            is_module[module as usize] = true;
        }
        let mut numbers = Map::<Node, u32>::default();
        for &module in &found {
            let scope = Scope::of(formula, module, &is_module);
            self.module(formula, &scope, &numbers, budget);
            numbers.insert(module, numbers.len() as u32);
        }
        if found.is_empty() {
            // The top is an event or a constant: a module of one variable, or of none.
            let variables = match formula.part(formula.root) {
                Part::Constant(_) => Vec::new(),
                _ => vec![formula.root],
            };
            let scope = Scope {
                gates: Vec::new(),
                variables,
            };
            self.module(formula, &scope, &numbers, budget);
        }
    }

    /// Solves a module as far as the budget goes.
    fn module(
        &mut self,
        formula: &Formula,
        scope: &Scope,
        numbers: &Map<Node, u32>,
        budget: &Budget,
    ) {
        let trials = Trials::new(formula, scope);
        let mut known = Known {
            order: trials.order().to_vec(),
            function: constant(0),
            upper: Some(constant(1)),
            sets: constant(0),
        };
        let grace = Budget::new(Limits {
            steps: Some(GRACE),
            ..Limits::default()
        });
        let budget = if self.found.stop.is_some() {
            &grace
        } else {
            budget
        };
        if let Err(stop) = self.find(formula, trials, &mut known, numbers, budget) {
            self.found.stop = self.found.stop.or(Some(stop));
        }
        let Known {
            order,
            function,
            upper,
            sets,
        } = known;
        let variables = levels(formula, &order, numbers);
        let choices = self.choices(&variables);
        let module = Module {
            variables,
            function,
            upper,
            choices,
            sets,
        };
        let free = Budget::unlimited();
        // These are small passes over what is there. Their stop would be no reason to throw it away.
        let p = interval(&module.function, &self.by_level(&module.variables), &free)
            .map_or(0.5, |p| p.0);
        let best = |level: u32, high: &f64, low: &f64| {
            low.max(self.best_of(module.choices[level as usize]) * high)
        };
        let best = module.sets.upwards(0.0, 1.0, best, &free);
        let least = |level: u32, high: &u32, low: &u32| {
            (*low).min(
                self.least_of(module.choices[level as usize])
                    .saturating_add(*high),
            )
        };
        let least = module.sets.upwards(u32::MAX, 0, least, &free);
        let root = module.sets.roots[0] as usize;
        self.modules.push(p);
        self.best.push(best.map_or(1.0, |best| best[root]));
        self.least.push(least.map_or(0, |least| least[root]));
        self.found.modules.push(module);
    }

    /// Finds the function and the sets, or bounds of the one and some of the other, which get better until something stops it.
    fn find(
        &self,
        formula: &Formula,
        mut trials: Trials<'_>,
        known: &mut Known,
        numbers: &Map<Node, u32>,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let (mut keep, mut order) = (FIRST_KEPT, 1);
        loop {
            if let Some((mut functions, function, order)) = trials.round(budget)? {
                let variables = levels(formula, &order, numbers);
                let certain = self.certain(&variables, |module| &module.function);
                let function =
                    functions.where_true(function, |level| certain[level as usize], budget)?;
                known.function = functions.listing(&[function], budget)?;
                // Sets that were found before go by another order.
                if known.order != order {
                    (known.order, known.sets) = (order, constant(0));
                }
                known.upper = None;
                known.sets = self.sets(functions, function, &variables, Function::FALSE, budget)?;
                return Ok(());
            }
            if trials.limit < BOUNDS_FROM {
                continue;
            }
            if known.order != trials.order() {
                *known = Known {
                    order: trials.order().to_vec(),
                    function: constant(0),
                    upper: Some(constant(1)),
                    sets: constant(0),
                };
            }
            let variables = levels(formula, &known.order, numbers);
            // Bounds may take as long as a trial.
            let limit = trials.limit;
            let part = budget.part(u64::MAX, limit);
            while part.fired().is_none()
                && self.bound(&trials, known, &variables, keep, &part).is_ok()
            {
                keep = keep.saturating_mul(2);
            }
            budget.spend(&part)?;
            if self.only != Only::All && limit >= EFFORT {
                known.sets = self.light(&trials, &variables, self.only, budget)?;
                return Ok(());
            }
            let part = budget.part(u64::MAX, limit);
            while let Ok(sets) = self.light(&trials, &variables, Only::Order(order), &part) {
                known.sets = sets;
                order += 1;
            }
            budget.spend(&part)?;
        }
    }

    /// Makes the bounds of a function better.
    fn bound(
        &self,
        trials: &Trials<'_>,
        known: &mut Known,
        variables: &[Variable],
        keep: usize,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let probabilities = self.by_level(variables);
        let bounded = |constant: Function| -> Result<(Listing, f64), Stop> {
            let same = |_: &mut Functions| Ok(constant);
            let shrink = |functions: &mut Functions, f, constant| {
                pruned(functions, f, &probabilities, keep, constant, budget)
            };
            let (functions, f, _) = trials.shrunk(same, shrink, budget)?;
            let listing = functions.listing(&[f], budget)?;
            let p = interval(&listing, &probabilities, budget)?.0;
            Ok((listing, p))
        };
        let now = |listing: &Listing| -> Result<f64, Stop> {
            Ok(interval(listing, &probabilities, budget)?.0)
        };
        let (lower, p) = bounded(Function::FALSE)?;
        if p >= now(&known.function)? {
            known.function = lower;
        }
        let (upper, p) = bounded(Function::TRUE)?;
        if p <= known.upper.as_ref().map_or(Ok(1.0), now)? {
            known.upper = Some(upper);
        }
        Ok(())
    }

    /// The minimal sets that are small or probable enough.
    fn light(
        &self,
        trials: &Trials<'_>,
        variables: &[Variable],
        only: Only,
        budget: &Budget,
    ) -> Result<Listing, Stop> {
        if self.sets == Sets::PrimeImplicants && !self.found.coherent {
            return Ok(constant(0));
        }
        let literal = |&variable: &Variable| choice(variable, true);
        let (weights, most): (Vec<u32>, u32) = match only {
            Only::All => (vec![0; variables.len()], 0),
            Only::Order(order) => (
                variables
                    .iter()
                    .map(literal)
                    .map(|choice| self.least_of(choice))
                    .collect(),
                order,
            ),
            Only::Probability(least) => {
                let deepest = -least.max(f64::MIN_POSITIVE).ln();
                let scale = f64::from(WEIGHTS) / deepest.max(f64::MIN_POSITIVE);
                #[allow(clippy::cast_sign_loss)] // logarithms of probabilities
                // Rounded down, and the limit up: no set is left out that should be there.
                let weight = |p: f64| (-p.ln() * scale).min(f64::from(u32::MAX)) as u32;
                (
                    variables
                        .iter()
                        .map(literal)
                        .map(|choice| weight(self.best_of(choice)))
                        .collect(),
                    WEIGHTS + 1,
                )
            }
        };
        let heavy = |functions: &mut Functions| heavy(functions, &weights, most, budget);
        let shrink = |functions: &mut Functions, f, outside| functions.or(f, outside, budget);
        let (functions, f, outside) = trials.shrunk(heavy, shrink, budget)?;
        self.sets(functions, f, variables, outside, budget)
    }

    /// The minimal sets of a function, but for those that lie in another.
    fn sets(
        &self,
        mut functions: Functions,
        mut function: Function,
        variables: &[Variable],
        outside: Function,
        budget: &Budget,
    ) -> Result<Listing, Stop> {
        // Where events are negated, a module of which no set is known may have the empty one, and then sets without it are not minimal.
        let unknown = |variable: &Variable| match *variable {
            Variable::Module(module) => {
                let module = &self.found.modules[module as usize];
                module.sets.roots == [0] && (module.upper.is_some() || module.function.roots != [0])
            }
            Variable::Event(_) => false,
        };
        if !self.found.coherent && variables.iter().any(unknown) {
            return Ok(constant(0));
        }
        let mut families = SetFamilies::default();
        let family = if self.sets == Sets::PrimeImplicants && !self.found.coherent {
            families.prime_implicants(&mut functions, function, budget)?
        } else {
            if !self.found.coherent {
                function = functions.hull(function, budget)?;
                // A module that may always be true leaves nothing to choose.
                let certain = self.certain(variables, |module| &module.sets);
                function =
                    functions.where_true(function, |level| certain[level as usize], budget)?;
            }
            families.minimal_outside(&functions, function, outside, budget)?
        };
        families.listing(&[family], budget)
    }

    /// By level: whether a variable is a module that is always true.
    fn certain(&self, variables: &[Variable], of: fn(&Module) -> &Listing) -> Vec<bool> {
        let is_true = |variable: &Variable| match *variable {
            Variable::Module(module) => of(&self.found.modules[module as usize]).roots == [1],
            Variable::Event(_) => false,
        };
        variables.iter().map(is_true).collect()
    }

    fn choices(&self, variables: &[Variable]) -> Vec<Choice> {
        let signs: &[bool] = if self.sets == Sets::PrimeImplicants && !self.found.coherent {
            &[true, false]
        } else {
            &[true]
        };
        let choices = variables
            .iter()
            .flat_map(|&variable| signs.iter().map(move |&sign| (variable, sign)));
        choices
            .map(|(variable, sign)| choice(variable, sign))
            .collect()
    }

    /// How probable a choice is at best.
    fn best_of(&self, choice: Choice) -> f64 {
        match choice {
            Choice::Literal(literal) if literal.positive => self.events[literal.event as usize],
            Choice::Literal(literal) => 1.0 - self.events[literal.event as usize],
            Choice::Module(module) => self.best[module as usize],
        }
    }

    /// How many members a choice has at least.
    fn least_of(&self, choice: Choice) -> u32 {
        match choice {
            Choice::Literal(_) => 1,
            Choice::Module(module) => self.least[module as usize],
        }
    }

    fn by_level(&self, variables: &[Variable]) -> Vec<f64> {
        let of = |variable: &Variable| match *variable {
            Variable::Event(event) => self.events[event as usize],
            Variable::Module(module) => self.modules[module as usize],
        };
        variables.iter().map(of).collect()
    }
}

/// What a level of a family stands for.
fn choice(variable: Variable, positive: bool) -> Choice {
    match variable {
        Variable::Event(event) => Choice::Literal(Literal { event, positive }),
        Variable::Module(module) => Choice::Module(module),
    }
}

/// The probability of a function.
fn interval(listing: &Listing, probabilities: &[f64], budget: &Budget) -> Result<(f64, f64), Stop> {
    let known: Vec<(f64, f64)> = probabilities.iter().map(|&p| (p, p)).collect();
    interval_of(listing, &known, budget)
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

#[cfg(test)]
mod tests {
    use meetjoin_dag::fault_tree::{Argument, Connective, Gate};
    use proptest::prelude::*;

    use super::*;

    /// Two of three of some gates of two events, with shared events: one module.
    fn tree(arguments: &[(u32, u32)]) -> FaultTree {
        let event = |number: u32| BasicEvent {
            name: number.to_string(),
            probability: Some(f64::from(number + 1) / 20.0),
        };
        let pair = |(number, &(a, b)): (usize, &(u32, u32))| Gate {
            name: None,
            connective: if number % 2 == 0 {
                Connective::And
            } else {
                Connective::Or
            },
            arguments: vec![Argument::Event(a), Argument::Event(b)],
        };
        let mut gates: Vec<Gate> = arguments.iter().enumerate().map(pair).collect();
        let all = (0..gates.len() as u32).map(Argument::Gate).collect();
        gates.push(Gate {
            name: None,
            connective: Connective::AtLeast(2),
            arguments: all,
        });
        let top = Argument::Gate(gates.len() as u32 - 1);
        FaultTree::new(gates, (0..8).map(event).collect(), top).expect("it is sound")
    }

    fn sets(analysis: &Analysis) -> Vec<Vec<Literal>> {
        let budget = Budget::unlimited();
        let mut stream = analysis.by_size(u32::MAX, &budget).expect("no limit");
        let mut found = Vec::new();
        while let Some(set) = stream.next_set(&budget).expect("no limit") {
            found.push(set);
        }
        found
    }

    proptest! {
        /// What is found where a tree is too large, in trees that are not.
        #[test]
        fn light_sets_and_bounds(
            arguments in prop::collection::vec((0_u32..8, 0_u32..8), 3..7),
            order in 1_u32..5,
            least in 0.0001..0.5,
            keep in 1_usize..20,
        ) {
            let tree = tree(&arguments);
            let budget = Budget::unlimited();
            let events: Vec<f64> = tree.events().iter().filter_map(|event| event.probability).collect();
            let all = Analysis::of(&tree, Sets::Cuts, &budget);
            let p = all.probability(&events, &budget).expect("no limit").0;
            let product = |set: &Vec<Literal>| -> f64 { set.iter().map(|l| events[l.event as usize]).product() };
            let formula = split(&simplified(&Formula::of(&tree)));
            for only in [Only::Order(order), Only::Probability(least)] {
                let mut solving = Solving {
                    found: Analysis { modules: Vec::new(), coherent: true, stop: None },
                    sets: Sets::Cuts,
                    only,
                    events: &events,
                    modules: Vec::new(),
                    best: Vec::new(),
                    least: Vec::new(),
                };
                // One module, as if it were too large.
                let found = modules(&formula);
                prop_assume!(found.len() == 1);
                let scope = Scope::of(&formula, found[0], &vec![false; formula.size()]);
                let trials = Trials::new(&formula, &scope);
                let variables = levels(&formula, trials.order(), &Map::default());
                let mut known = Known {
                    order: trials.order().to_vec(),
                    function: constant(0),
                    upper: Some(constant(1)),
                    sets: constant(0),
                };
                solving.bound(&trials, &mut known, &variables, keep, &budget).expect("no limit");
                let light = solving.light(&trials, &variables, only, &budget).expect("no limit");
                let choices = solving.choices(&variables);
                solving.found.modules.push(Module {
                    variables,
                    function: known.function,
                    upper: known.upper,
                    choices,
                    sets: light,
                });
                let (lower, upper) = solving.found.probability(&events, &budget).expect("no limit");
                prop_assert!(lower <= p + 1e-12 && p <= upper + 1e-12, "{} {} {}", lower, p, upper);
                let found = sets(&solving.found);
                let every = sets(&all);
                prop_assert!(found.iter().all(|set| every.contains(set)));
                let wanted = |set: &&Vec<Literal>| match only {
                    Only::Order(order) => set.len() <= order as usize,
                    Only::Probability(least) => product(set) >= least,
                    Only::All => true,
                };
                for set in every.iter().filter(wanted) {
                    prop_assert!(found.contains(set), "{set:?} of {only:?}");
                }
            }
        }
    }
}
