//! A fault tree solved: for each module its function and its minimal sets, as diagrams.

use std::time::Duration;

use crate::tree::BasicEvent;
use crate::tree::FaultTree;
use meetjoin_lattice::diagram::{Function, Listing};
use meetjoin_lattice::{Budget, Limits, Stop};
use meetjoin_report::progress::{Listener, Moment, between};
use num_bigint::BigUint;

use crate::diagram::bounds::{Known, bound, light};
use crate::diagram::compile::Trials;
use crate::diagram::count::{Count, Polynomial, by_order};
use crate::diagram::interval::{Chance, chance};
use crate::diagram::solved::{Solved, constant, where_true};
use crate::diagram::wanted::{Only, Sets};
use crate::map::Map;
use crate::rewrite::formula::{Formula, Node, Part};
use crate::rewrite::module::{Choice, Module, Variable, levels};
use crate::rewrite::modules::{modules, split};
use crate::rewrite::order::Scope;
use crate::rewrite::simplify::simplified;

/// A fault tree solved. See the [module page](self).
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The modules, each after those that it has as variables; the last is the whole.
    pub modules: Vec<Module>,
    /// Whether no event is negated.
    pub coherent: bool,
    /// Which sets were asked for.
    pub sets: Sets,
    /// The limit that left something out, if one fired.
    pub stop: Option<Stop>,
}

impl Analysis {
    /// Solves a tree, as far as the budget goes.
    pub fn of(tree: &FaultTree, sets: Sets, budget: &Budget) -> Self {
        let formula = simplest(tree, sets, budget);
        Self::of_formula(&formula, tree, sets, Only::All, budget, Listener::NONE)
    }

    /// Solves the [`simplest`] formula of a tree when fewer than all sets are wanted. If finding
    /// all of them takes too much effort, only the wanted ones are found, and the probability is
    /// bounded. The listener is told the current module and, for the last one (the whole), better
    /// bounds of the probability.
    pub(crate) fn of_formula(
        formula: &Formula,
        tree: &FaultTree,
        sets: Sets,
        only: Only,
        budget: &Budget,
        listener: Listener,
    ) -> Self {
        let guess = |event: &BasicEvent| {
            let known = event.probability.map(|p| member(sets, p));
            known.unwrap_or(Chance::of(GUESS))
        };
        let events: Vec<Chance> = tree.events().iter().map(guess).collect();
        let coherent = formula.negated_events().is_empty();
        let mut solving = Solving {
            solved: Solved::new(coherent, sets, &events),
            only,
            stop: None,
            grace: None,
            listener,
            of_paths: sets == Sets::Paths,
            is_probable: unknown_event(formula, tree).is_none(),
            is_whole: false,
        };
        solving.solve(formula, budget);
        Self {
            modules: solving.solved.modules,
            coherent,
            sets,
            stop: solving.stop,
        }
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
        if let Some(counts) = self.counted(|_| &[0_u64, 1], budget)? {
            return Ok(counts.into_iter().map(BigUint::from).collect());
        }
        let one = [0_u32, 1].map(BigUint::from);
        Ok(self.counted(|_| &one, budget)?.unwrap_or_default())
    }

    /// How many sets there are of all orders, where each event stands for a number of sets.
    pub(crate) fn count(&self, of_events: &[BigUint], budget: &Budget) -> Result<BigUint, Stop> {
        let event = |event: u32| std::slice::from_ref(&of_events[event as usize]);
        let counts = self.counted(event, budget)?.unwrap_or_default();
        Ok(counts.into_iter().sum())
    }

    /// The polynomial of the whole, given those of the events. `None` if a number is too large.
    fn counted<'n, N: Count + 'n>(
        &self,
        event: impl Fn(u32) -> &'n [N],
        budget: &Budget,
    ) -> Result<Option<Polynomial<N>>, Stop> {
        // A module's polynomial is dropped after its last use: in a chain each is longer than the
        // one before.
        let mut last_user = vec![0; self.modules.len()];
        for (user, module) in self.modules.iter().enumerate() {
            module.inner().for_each(|inner| last_user[inner] = user);
        }
        let mut polynomials: Vec<Polynomial<N>> = Vec::new();
        for (user, module) in self.modules.iter().enumerate() {
            let weights = module.choices.iter().map(|choice| match choice {
                Choice::Literal(literal) => event(literal.event),
                Choice::Module(module) => &polynomials[*module as usize],
            });
            let weights: Vec<&[N]> = weights.collect();
            let Some(counts) = by_order(&module.sets, &weights, budget)? else {
                return Ok(None);
            };
            for inner in module.inner().filter(|inner| last_user[*inner] == user) {
                polynomials[inner] = Polynomial::new();
            }
            polynomials.push(counts);
        }
        Ok(polynomials.pop())
    }
}

/// The chance of a member that stands for an event: that the event occurs or, in path sets, that it
/// does not.
pub(crate) fn member(sets: Sets, p: f64) -> Chance {
    match sets {
        Sets::Paths => Chance::of(p).opposite(),
        Sets::Cuts | Sets::PrimeImplicants => Chance::of(p),
    }
}

/// The simplified function of a tree, or of its path sets, split into modules.
pub(crate) fn simplest(tree: &FaultTree, sets: Sets, budget: &Budget) -> Formula {
    let mut formula = Formula::of(tree);
    if sets == Sets::Paths {
        formula = formula.dual();
    }
    split(&simplified(&formula, budget))
}

/// The first event without a probability that the formula depends on. Other events do not matter
/// for the top.
pub(crate) fn unknown_event<'t>(formula: &Formula, tree: &'t FaultTree) -> Option<&'t BasicEvent> {
    let events = formula.events().into_iter();
    let mut events = events.map(|event| &tree.events()[event as usize]);
    events.find(|event| event.probability.is_none())
}

/// Steps of one trial after which it is time to look for bounds.
const BOUNDS_FROM: u64 = 1 << 20;
/// Steps of one trial after which only the wanted sets are found, if not all are wanted.
const EFFORT: u64 = 1 << 22;
/// Steps that a module may take after a stop; larger ones remain unknown.
const GRACE: u64 = 1 << 16;
/// The time for all modules together after a time limit.
const GRACE_OF_ALL: Duration = Duration::from_millis(20);
/// Nodes that are kept of each function when bounds are looked for at first.
const FIRST_KEPT: usize = 1 << 6;
/// The assumed probability of an event without one. It only guides which nodes bounds leave out;
/// every bound is valid whatever it is.
const GUESS: f64 = 0.01;

/// A tree that is being solved.
struct Solving<'a> {
    solved: Solved<'a>,
    only: Only,
    /// The limit that left something out, if one fired.
    stop: Option<Stop>,
    /// After a stop: what is left for small modules.
    grace: Option<Budget>,
    listener: Listener,
    /// Whether the function is that of the events that do not occur.
    of_paths: bool,
    /// Whether all events on which the top depends have a probability.
    is_probable: bool,
    /// Whether the module at hand is the last.
    is_whole: bool,
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
        for (place, &module) in found.iter().enumerate() {
            let is_over = |grace: &Budget| grace.check().is_err();
            if self.grace.as_ref().is_some_and(is_over) {
                // The whole will be unknown, whatever is known of modules below it.
                self.push(Known::nothing(&[]), Vec::new());
                break;
            }
            self.is_whole = place + 1 == found.len();
            self.listener.tell(|| Moment {
                counted: format!("module {} of {}", place + 1, found.len()),
                ..Moment::default()
            });
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
        let mut known = Known::nothing(trials.order());
        let of_grace = self.grace.as_ref().map(|all| all.part(u64::MAX, GRACE));
        let budget = of_grace.as_ref().unwrap_or(budget);
        if let Err(stop) = self.find(formula, trials, &mut known, numbers, budget) {
            self.stop = self.stop.or(Some(stop));
            self.grace.get_or_insert_with(|| {
                Budget::new(Limits {
                    time: (stop == Stop::Time).then_some(GRACE_OF_ALL),
                    ..Limits::default()
                })
            });
        }
        let variables = levels(formula, &known.order, numbers);
        self.push(known, variables);
    }

    /// Adds what is known of a module.
    fn push(&mut self, known: Known, variables: Vec<Variable>) {
        let choices = self.solved.choices(&variables);
        self.solved.push(Module {
            variables,
            function: known.function,
            upper: known.upper,
            choices,
            sets: known.sets,
        });
    }

    /// Tells the bounds of the probability, if the module is the whole and those below it are
    /// solved.
    fn tell_bounds(&self, known: &Known, variables: &[Variable]) {
        let is_exact = |module: &Module| module.upper.is_none();
        let is_known = self.is_probable && self.solved.modules.iter().all(is_exact);
        let (true, true, Some(upper)) = (self.is_whole, is_known, &known.upper) else {
            return;
        };
        self.listener.tell(|| {
            // These are small passes over existing diagrams.
            let free = Budget::unlimited();
            let levels = self.solved.by_level(variables);
            let bound = |listing| chance(listing, &levels, &free);
            let (lower, upper) = match (bound(&known.function), bound(upper)) {
                (Ok(lower), Ok(upper)) if self.of_paths => (upper.no, lower.no),
                (Ok(lower), Ok(upper)) => (lower.yes, upper.yes),
                _ => (0.0, 1.0),
            };
            let written = |p: f64| format!("{p:.6e}");
            Moment {
                known: format!("P(top) {}", between(&written(lower), &written(upper))),
                ..Moment::default()
            }
        });
    }

    /// Finds the function and the sets, or bounds of the function and some sets, which improve
    /// until something stops it.
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
                let certain = self.solved.certain(&variables, |module| &module.function);
                let function = where_true(&mut functions, function, &certain, budget)?;
                known.function = functions.listing(&[function], budget)?;
                // Sets that were found before have another order of variables.
                if known.order != order {
                    (known.order, known.sets) = (order, constant(0));
                }
                known.upper = None;
                known.sets = self.solved.minimal_sets(
                    functions,
                    function,
                    &variables,
                    Function::FALSE,
                    budget,
                )?;
                return Ok(());
            }
            if trials.limit < BOUNDS_FROM {
                continue;
            }
            if known.order != trials.order() {
                *known = Known::nothing(trials.order());
            }
            let variables = levels(formula, &known.order, numbers);
            // Bounds may take as long as a trial.
            let limit = trials.limit;
            let part = budget.part(u64::MAX, limit);
            while part.fired().is_none()
                && bound(&self.solved, &trials, known, &variables, keep, &part).is_ok()
            {
                keep = keep.saturating_mul(2);
            }
            budget.spend(&part)?;
            self.tell_bounds(known, &variables);
            if self.only != Only::All && limit >= EFFORT {
                known.sets = light(&self.solved, &trials, &variables, self.only, budget)?;
                return Ok(());
            }
            let part = budget.part(u64::MAX, limit);
            while let Ok(sets) = light(&self.solved, &trials, &variables, Only::Order(order), &part)
            {
                known.sets = sets;
                order += 1;
            }
            budget.spend(&part)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::tree::{Argument, Connective, Gate};
    use proptest::prelude::*;

    use super::*;
    use crate::rewrite::module::Literal;

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

    thread_local! {
        static TOLD: std::cell::RefCell<Vec<Moment>> = const { std::cell::RefCell::new(Vec::new()) };
    }

    /// The two numbers of `P(top) from 1.2e-3 to 4.5e-3`.
    fn bounds(known: &str) -> Option<(f64, f64)> {
        let (lower, upper) = known.strip_prefix("P(top) from ")?.split_once(" to ")?;
        Some((lower.parse().ok()?, upper.parse().ok()?))
    }

    /// At least a quarter of gates of two events each, far apart: one large module.
    fn large(events: u32) -> FaultTree {
        let event = |number: u32| BasicEvent {
            name: number.to_string(),
            probability: Some(0.05 + 0.003 * f64::from(number)),
        };
        let pair = |number: u32| Gate {
            name: None,
            connective: Connective::And,
            arguments: vec![
                Argument::Event(number),
                Argument::Event((number * 7 + 3) % events),
            ],
        };
        let mut gates: Vec<Gate> = (0..events).map(pair).collect();
        gates.push(Gate {
            name: None,
            connective: Connective::AtLeast(events / 4),
            arguments: (0..events).map(Argument::Gate).collect(),
        });
        let all = (0..events).map(event).collect();
        FaultTree::new(gates, all, Argument::Gate(events)).expect("it is sound")
    }

    #[test]
    fn bounds_that_are_told_are_true() {
        let tree = large(36);
        for sets in [Sets::Cuts, Sets::Paths] {
            let budget = Budget::unlimited();
            let hears = |moment| TOLD.with_borrow_mut(|told| told.push(moment));
            let listener = Listener::new(hears);
            let formula = simplest(&tree, sets, &budget);
            let found = Analysis::of_formula(&formula, &tree, sets, Only::All, &budget, listener);
            let told = TOLD.take();
            let bounds: Vec<_> = told.iter().filter_map(|m| bounds(&m.known)).collect();
            let probabilities = tree.events().iter().filter_map(|event| event.probability);
            let probabilities: Vec<f64> = probabilities.collect();
            let (top, _) = found
                .probability(&probabilities, &budget)
                .expect("no limit");
            assert!(!bounds.is_empty(), "{told:?}");
            for (lower, upper) in bounds {
                assert!(
                    lower <= top && top <= upper && upper < 1.0,
                    "{lower} {top} {upper}"
                );
            }
        }
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
        /// The partial results for large trees, tested on small ones.
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
            let formula = split(&simplified(&Formula::of(&tree), &budget));
            for only in [Only::Order(order), Only::Probability(least)] {
                let of_events: Vec<Chance> = events.iter().copied().map(Chance::of).collect();
                let mut solved = Solved::new(true, Sets::Cuts, &of_events);
                // One module, as if it were too large.
                let found = modules(&formula);
                prop_assume!(found.len() == 1);
                let scope = Scope::of(&formula, found[0], &vec![false; formula.size()]);
                let trials = Trials::new(&formula, &scope);
                let variables = levels(&formula, trials.order(), &Map::default());
                let mut known = Known::nothing(trials.order());
                bound(&solved, &trials, &mut known, &variables, keep, &budget).expect("no limit");
                let light = light(&solved, &trials, &variables, only, &budget).expect("no limit");
                let choices = solved.choices(&variables);
                solved.modules.push(Module {
                    variables,
                    function: known.function,
                    upper: known.upper,
                    choices,
                    sets: light,
                });
                let found = Analysis { modules: solved.modules, coherent: true, sets: Sets::Cuts, stop: None };
                let (lower, upper) = found.probability(&events, &budget).expect("no limit");
                prop_assert!(lower <= p + 1e-12 && p <= upper + 1e-12, "{} {} {}", lower, p, upper);
                let found = sets(&found);
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
