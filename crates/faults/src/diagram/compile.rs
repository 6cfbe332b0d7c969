//! From the gates of a module to one diagram.
//!
//! Problem: the order of variables decides between a thousand nodes and a million, and a good one
//! is not known beforehand.
//!
//! Idea: try many orders with few steps each; the half that came furthest goes on with a higher
//! limit, and so on until one is left (successive halving, Jamieson and Talwalkar 2016). A trial
//! that is stopped keeps what it has made, so going on repeats nothing.
//!
//! Cost: on the trees of the Aralia set two and a half times the steps of the best of the orders,
//! in the geometric mean.

use meetjoin_lattice::diagram::{Function, Functions, Level};
use meetjoin_lattice::{Budget, Stop};

use crate::map::Map;
use crate::rewrite::formula::{Formula, Node, Part, TRUE};
use crate::rewrite::order::{RULES, Scope};

/// The steps after which a module is large enough for trials, and the most steps of the first of
/// them.
const FIRST_STEPS: u64 = 1 << 11;
/// Steps up to which the best walk and the best pulled order both stay: pulled orders come further
/// at first, and are sometimes much worse in the end.
const BOTH_KINDS_UNTIL: u64 = 80_000;
/// Steps after which the choice was perhaps wrong: the best order of the other kind goes on too.
const COMES_BACK_AT: u64 = 1 << 19;
/// Variables up to which one order is as good as another.
const FEW: usize = 8;
/// Nodes after which a table is first garbage-collected.
const COLLECT_AT: usize = 1 << 14;

/// A function, and the order of its variables.
pub(crate) type Compiled = (Functions, Function, Vec<Node>);

/// The trials of one module. They can go on after others had their turn.
pub(crate) struct Trials<'a> {
    formula: &'a Formula,
    scope: &'a Scope,
    /// Those that are left, the most promising first.
    left: Vec<Compilation<'a>>,
    /// The most steps of a trial until the end of the next round.
    pub(crate) limit: u64,
    /// Whether only the first order was tried.
    alone: bool,
    /// The best of the kind that is not among those left.
    aside: Option<Compilation<'a>>,
}

impl<'a> Trials<'a> {
    pub(crate) fn new(formula: &'a Formula, scope: &'a Scope) -> Self {
        let order = scope.order(formula, RULES[0]);
        Self {
            formula,
            scope,
            left: vec![Compilation::new(formula, scope, order, true)],
            limit: FIRST_STEPS,
            alone: true,
            aside: None,
        }
    }

    /// The most promising order.
    pub(crate) fn order(&self) -> &[Node] {
        &self.left[0].order
    }

    /// The smallest diagram of a round, if there is one.
    pub(crate) fn round(&mut self, budget: &Budget) -> Result<Option<Compiled>, Stop> {
        let mut best: Option<(usize, Function)> = None;
        // A trial that takes longer than the best so far is pointless.
        let mut allowed = self.limit;
        for place in 0..self.left.len() {
            let trial = &mut self.left[place];
            let part = budget.part(u64::MAX, allowed.saturating_sub(trial.steps));
            let same = |_: &mut Functions, function, _| Ok(function);
            let made = trial.go_on(same, &part);
            trial.steps += part.steps_made();
            let steps = trial.steps;
            // A limit of this trial alone is no stop.
            budget.spend(&part)?;
            match made {
                // More steps do not help when the table is full.
                Err(Stop::Lattice) => return Err(Stop::Lattice),
                Err(_) => {}
                Ok(function) => {
                    allowed = allowed.min(steps);
                    let nodes = |place: usize| self.left[place].functions.len();
                    if best.is_none_or(|(least, _)| nodes(place) < nodes(least)) {
                        best = Some((place, function));
                    }
                }
            }
        }
        if let Some((place, function)) = best {
            let found = self.left.swap_remove(place);
            self.left.clear();
            return Ok(Some((found.functions, function, found.order)));
        }
        if std::mem::take(&mut self.alone) && self.all_orders() {
            return Ok(None);
        }
        if self.limit >= COMES_BACK_AT {
            self.left.extend(self.aside.take());
        }
        if self.left.len() == 1 || self.limit >= COMES_BACK_AT {
            self.limit = self.limit.saturating_mul(2);
            return Ok(None);
        }
        let mut trials = std::mem::take(&mut self.left);
        trials.sort_by_key(|trial| std::cmp::Reverse(trial.done));
        let others = trials.split_off(trials.len().div_ceil(2));
        for other in others {
            let is_there = trials.iter().any(|trial| trial.is_walk == other.is_walk);
            if !is_there && self.limit < BOTH_KINDS_UNTIL {
                trials.push(other);
            } else if !is_there && self.aside.is_none() {
                self.aside = Some(other);
            }
        }
        self.left = trials;
        self.limit += self.limit / 2;
        Ok(None)
    }

    /// One order was not enough: takes all of them, if there are more.
    fn all_orders(&mut self) -> bool {
        let (formula, scope) = (self.formula, self.scope);
        if scope.variables.len() <= FEW || scope.gates.len() == 1 {
            return false;
        }
        let (pulled, mut walks) = scope.orders(formula);
        // The first walk goes on where it was.
        walks.remove(0);
        let new = |is_walk| move |order| Compilation::new(formula, scope, order, is_walk);
        // Walks first: where one of them is enough, it is mostly much the best.
        self.left.extend(walks.into_iter().map(new(true)));
        self.left.extend(pulled.into_iter().map(new(false)));
        true
    }

    /// The function of the module with `shrink` applied to each intermediate function, and the
    /// result of `prepare`, which is made first and is the last in the tuple.
    pub(crate) fn shrunk(
        &self,
        prepare: impl FnOnce(&mut Functions) -> Result<Function, Stop>,
        shrink: impl FnMut(&mut Functions, Function, Function) -> Result<Function, Stop>,
        budget: &Budget,
    ) -> Result<(Functions, Function, Function), Stop> {
        let mut work = Compilation::new(self.formula, self.scope, self.order().to_vec(), true);
        // `prepare` and `shrink` depend on levels.
        work.may_sift = false;
        work.prepared = prepare(&mut work.functions)?;
        let function = work.go_on(shrink, budget)?;
        Ok((work.functions, function, work.prepared))
    }
}

/// The making of the function of a module with its variables in an order. It can be stopped
/// anywhere, and goes on where it was.
struct Compilation<'a> {
    formula: &'a Formula,
    scope: &'a Scope,
    order: Vec<Node>,
    /// By place in the order: the level.
    levels: Vec<Level>,
    /// Whether the order comes from a walk alone.
    is_walk: bool,
    functions: Functions,
    /// The function that must survive garbage collection.
    prepared: Function,
    /// The functions that are still needed, with their highest level.
    made: Map<Node, (Level, Function)>,
    /// By node: the gates to come that need it.
    uses: Map<Node, u32>,
    /// The gates that are made.
    gates: usize,
    /// The next gate, if it is begun: the arguments that are left, and the function of the others.
    open: Option<(Vec<(Level, Function)>, Function)>,
    /// The arguments that were put together, of all gates.
    done: usize,
    /// Nodes at which the table is next garbage-collected.
    collect_at: usize,
    /// Nodes that were needed when it was tidied last.
    kept: usize,
    /// Whether levels may change.
    may_sift: bool,
    /// The steps that all of it took before this turn.
    steps: u64,
}

impl<'a> Compilation<'a> {
    fn new(formula: &'a Formula, scope: &'a Scope, order: Vec<Node>, is_walk: bool) -> Self {
        let mut uses = Map::<Node, u32>::default();
        for &argument in scope.gates.iter().flat_map(|&gate| formula.arguments(gate)) {
            *uses.entry(argument).or_default() += 1;
        }
        Self {
            formula,
            scope,
            order,
            levels: Vec::new(),
            is_walk,
            functions: Functions::default(),
            prepared: Function::FALSE,
            made: Map::default(),
            uses,
            gates: 0,
            open: None,
            done: 0,
            collect_at: COLLECT_AT,
            kept: 0,
            may_sift: true,
            steps: 0,
        }
    }

    /// Goes on to the end; `shrink` may change every function on the way.
    fn go_on(
        &mut self,
        mut shrink: impl FnMut(&mut Functions, Function, Function) -> Result<Function, Stop>,
        budget: &Budget,
    ) -> Result<Function, Stop> {
        if self.made.is_empty() {
            self.variables(&mut shrink, budget)?;
        }
        let mut root = match self.order.first() {
            // Without gates it is an event or a constant.
            Some(variable) if self.scope.gates.is_empty() => self.made[variable].1,
            None if self.formula.root == TRUE => Function::TRUE,
            _ => Function::FALSE,
        };
        while let Some(&gate) = self.scope.gates.get(self.gates) {
            let and = self.formula.is_gate(gate, true);
            if self.open.is_none() {
                let arguments = self.formula.arguments(gate).iter();
                let mut arguments: Vec<_> = arguments.map(|node| self.made[node]).collect();
                from_the_bottom(&mut arguments);
                let neutral = if and { Function::TRUE } else { Function::FALSE };
                self.open = Some((arguments, neutral));
            }
            while let Some((left, function)) = &mut self.open {
                root = *function;
                let Some(&(_, argument)) = left.last() else {
                    break;
                };
                let with = if and {
                    self.functions.and(root, argument, budget)?
                } else {
                    self.functions.or(root, argument, budget)?
                };
                *function = shrink(&mut self.functions, with, self.prepared)?;
                left.pop();
                self.done += 1;
                self.tidy(budget);
            }
            self.open = None;
            self.gates += 1;
            let arguments = self.formula.arguments(gate);
            let top = arguments.iter().map(|node| self.made[node].0).min();
            self.made.insert(gate, (top.unwrap_or(Level::MAX), root));
            for argument in arguments {
                if let Some(uses) = self.uses.get_mut(argument) {
                    *uses -= 1;
                    if *uses == 0 {
                        self.made.remove(argument);
                    }
                }
            }
        }
        self.functions.collect(&[root, self.prepared]);
        Ok(root)
    }

    /// Collects garbage if the table is large or memory is short; if memory is still short, looks
    /// for a smaller order.
    fn tidy(&mut self, budget: &Budget) {
        let is_short = |functions: &Functions| {
            let left = budget.memory_left();
            left.is_some_and(|left| left < functions.bytes())
        };
        let grown = self.functions.len() > self.kept + self.kept / 4;
        let short = grown && is_short(&self.functions);
        if self.functions.len() <= self.collect_at && !short {
            return;
        }
        let open = self.open.iter().map(|&(_, function)| function);
        let needed = self.made.values().map(|&(_, function)| function);
        let needed: Vec<Function> = needed.chain(open).chain([self.prepared]).collect();
        self.functions.collect(&needed);
        if short && self.may_sift {
            self.sift(&needed, budget);
        }
        self.kept = self.functions.len();
        self.collect_at = self.collect_at.max(2 * self.kept);
    }

    /// Looks for a better order, with at most the steps taken so far.
    fn sift(&mut self, needed: &[Function], budget: &Budget) {
        let part = budget.part(u64::MAX, self.steps + budget.steps_made());
        let new = self.functions.sift(needed, &part);
        // If a limit fired, the next operation notices.
        let _ = budget.spend(&part);
        let moved = |level: &mut Level| {
            *level = new.get(*level as usize).copied().unwrap_or(*level);
        };
        self.levels.iter_mut().for_each(moved);
        let levels = self.levels.iter().copied();
        let mut order: Vec<(Level, Node)> = levels.zip(self.order.iter().copied()).collect();
        order.sort_unstable();
        (self.levels, self.order) = order.into_iter().unzip();
        // From here on these are a guess of the highest level.
        self.made
            .values_mut()
            .map(|(level, _)| level)
            .for_each(moved);
    }

    /// The variables. An event and its negation are one.
    fn variables(
        &mut self,
        shrink: &mut impl FnMut(&mut Functions, Function, Function) -> Result<Function, Stop>,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let mut levels = Map::<u32, Level>::default();
        let mut next = 0;
        let mut new_level = || {
            next += 1;
            next - 1
        };
        let mut made = Map::default();
        self.levels.clear();
        for &variable in &self.order {
            let (level, positive) = match *self.formula.part(variable) {
                Part::Literal { event, positive } => (
                    *levels.entry(event).or_insert_with(&mut new_level),
                    positive,
                ),
                _ => (new_level(), true),
            };
            let function = if positive {
                self.functions.variable(level, budget)?
            } else {
                self.functions.negated(level, budget)?
            };
            let function = shrink(&mut self.functions, function, self.prepared)?;
            made.insert(variable, (level, function));
            self.levels.push(level);
        }
        self.made = made;
        Ok(())
    }
}

/// Orders arguments from the bottom up: adding levels on top leaves those below unchanged.
fn from_the_bottom(arguments: &mut [(Level, Function)]) {
    arguments.sort_by_key(|&(level, _)| level);
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use meetjoin_lattice::{Limits, MemoryLimit};
    use proptest::prelude::*;

    use super::*;
    use crate::rewrite::module::{Variable, levels};

    const EVENTS: u32 = 9;

    /// Some of these pairs of events, as a formula without modules.
    fn formula(least: usize, pairs: &[(u32, u32)]) -> Formula {
        let mut text = format!("top = {} of", least.min(pairs.len()));
        for number in 0..pairs.len() {
            write!(text, " g{number}").expect("a string");
        }
        for (number, (a, b)) in pairs.iter().enumerate() {
            let connective = ["and", "or"][number % 2];
            write!(text, "\ng{number} = {connective} e{a} e{b}").expect("a string");
        }
        let tree = crate::fault_tree_from_text(&text, None).expect("a tree");
        Formula::of(&tree)
    }

    proptest! {
        /// Where memory is short, nodes are given back and levels change their places all the time,
        /// and the function stays what it is.
        #[test]
        fn short_memory_changes_the_order_and_not_the_function(
            least in 2_usize..5,
            pairs in prop::collection::vec((0..EVENTS, 0..EVENTS), 5..12),
            bytes in 4_000_u64..12_000,
        ) {
            let formula = formula(least, &pairs);
            let scope = Scope::of(&formula, formula.root, &vec![false; formula.size()]);
            let budgets = [
                Budget::unlimited(),
                Budget::new(Limits { memory: Some(MemoryLimit { bytes, used: || 0 }), ..Limits::default() }),
            ];
            let same = |_: &mut Functions, function, _| Ok(function);
            let mut tables = Vec::new();
            for budget in &budgets {
                let order = scope.order(&formula, RULES[0]);
                let mut work = Compilation::new(&formula, &scope, order, true);
                let Ok(function) = work.go_on(same, budget) else {
                    return Ok(());
                };
                let variables = levels(&formula, &work.order, &Map::default());
                let at = |s: u32| work.functions.is_true_at(function, |level| {
                    matches!(variables[level as usize], Variable::Event(event) if s >> event & 1 == 1)
                });
                tables.push((0..1 << EVENTS).map(at).collect::<Vec<bool>>());
            }
            prop_assert_eq!(&tables[0], &tables[1]);
        }
    }
}
