//! From the gates of a module to one diagram.
//!
//! Problem: the order of variables decides between a thousand nodes and a million, and nobody knows a good one beforehand.
//!
//! Idea: try the orders of several walks with a small limit of nodes, keep the smallest diagram, and raise the limit if none fits: for the half of the orders that came
//! furthest (successive halving).
//!
//! Cost: the time of the smallest diagram, times the number of rules, times a small constant.

use meetjoin_lattice::diagram::{Function, Functions, Level};
use meetjoin_lattice::{Budget, Stop};

use crate::formula::{Formula, Node, Part, TRUE};
use crate::map::Map;
use crate::order::{RULES, Scope};

/// The most steps of the first trials.
const FIRST_STEPS: u64 = 1 << 14;
/// By how much the limit rises if no order fits.
const MORE: u64 = 4;
/// Variables up to which one order is as good as another.
const FEW: usize = 8;
/// Nodes after which a table is first rid of what nobody needs.
const COLLECT_AT: usize = 1 << 14;

/// A function, and the order of its variables.
pub(crate) type Compiled = (Functions, Function, Vec<Node>);

/// The trials of one module. They can go on after others had their turn.
pub(crate) struct Trials<'a> {
    formula: &'a Formula,
    scope: &'a Scope,
    /// Those that are left, the most promising first.
    orders: Vec<Vec<Node>>,
    /// The most steps of a trial of the next round.
    pub(crate) limit: u64,
}

impl<'a> Trials<'a> {
    pub(crate) fn new(formula: &'a Formula, scope: &'a Scope) -> Self {
        let few = scope.variables.len() <= FEW || scope.gates.len() == 1;
        let rules = if few { &RULES[..1] } else { &RULES[..] };
        let orders = rules.iter().map(|&rule| scope.order(formula, rule));
        Self {
            formula,
            scope,
            orders: orders.collect(),
            limit: FIRST_STEPS,
        }
    }

    /// The most promising order.
    pub(crate) fn order(&self) -> &[Node] {
        &self.orders[0]
    }

    /// The smallest diagram of a round, if there is one.
    pub(crate) fn round(&mut self, budget: &Budget) -> Result<Option<Compiled>, Stop> {
        let mut best: Option<Compiled> = None;
        // Nobody waits for a diagram that takes much longer than the best until now.
        let mut allowed = self.limit;
        let mut left = Vec::with_capacity(self.orders.len());
        for order in &self.orders {
            let part = budget.part(u64::MAX, allowed);
            let mut gates = 0;
            let nothing = |_: &mut Functions| Ok(Function::FALSE);
            let same = |_: &mut Functions, function, _| Ok(function);
            let made = compile(
                self.formula,
                self.scope,
                order,
                nothing,
                same,
                &mut gates,
                &part,
            );
            // What stopped this trial alone is no stop.
            budget.spend(&part)?;
            match made {
                // A full table is not made emptier by more steps.
                Err(Stop::Lattice) => return Err(Stop::Lattice),
                Err(_) => left.push((gates, order.clone())),
                Ok((functions, function, _)) => {
                    allowed = allowed.min(2 * part.steps_made());
                    let is_better = |(least, ..): &Compiled| functions.len() < least.len();
                    if best.as_ref().is_none_or(is_better) {
                        best = Some((functions, function, order.clone()));
                    }
                }
            }
        }
        if best.is_none() {
            // Those that came furthest go on.
            left.sort_by_key(|(gates, _)| std::cmp::Reverse(*gates));
            left.truncate(left.len().div_ceil(2).max(2));
            self.orders = left.into_iter().map(|(_, order)| order).collect();
            self.limit = self.limit.saturating_mul(MORE);
        }
        Ok(best)
    }

    /// What `shrink` leaves of the function of the module when it is applied to each function on the way, together with what `prepare` makes beforehand. The last of the
    /// result is the latter.
    pub(crate) fn shrunk(
        &self,
        prepare: impl FnOnce(&mut Functions) -> Result<Function, Stop>,
        shrink: impl FnMut(&mut Functions, Function, Function) -> Result<Function, Stop>,
        budget: &Budget,
    ) -> Result<(Functions, Function, Function), Stop> {
        compile(
            self.formula,
            self.scope,
            self.order(),
            prepare,
            shrink,
            &mut 0,
            budget,
        )
    }
}

/// The function of a module with its variables in an order. `done` counts the gates that are made.
fn compile(
    formula: &Formula,
    scope: &Scope,
    order: &[Node],
    prepare: impl FnOnce(&mut Functions) -> Result<Function, Stop>,
    mut shrink: impl FnMut(&mut Functions, Function, Function) -> Result<Function, Stop>,
    done: &mut usize,
    budget: &Budget,
) -> Result<(Functions, Function, Function), Stop> {
    let mut functions = Functions::default();
    let prepared = prepare(&mut functions)?;
    // What is made, with the highest level in it.
    let mut made = Map::<Node, (Level, Function)>::default();
    // An event and its negation are one variable.
    let mut levels = Map::<u32, Level>::default();
    let mut next = 0;
    let mut new_level = || {
        next += 1;
        next - 1
    };
    for &variable in order {
        let (level, positive) = match *formula.part(variable) {
            Part::Literal { event, positive } => (
                *levels.entry(event).or_insert_with(&mut new_level),
                positive,
            ),
            _ => (new_level(), true),
        };
        let function = if positive {
            functions.variable(level, budget)?
        } else {
            functions.negated(level, budget)?
        };
        made.insert(
            variable,
            (level, shrink(&mut functions, function, prepared)?),
        );
    }
    let mut uses = Map::<Node, u32>::default();
    for &argument in scope.gates.iter().flat_map(|&gate| formula.arguments(gate)) {
        *uses.entry(argument).or_default() += 1;
    }
    // Without gates it is an event or a constant.
    let mut root = match order.first() {
        Some(variable) => made[variable].1,
        None if formula.root == TRUE => Function::TRUE,
        None => Function::FALSE,
    };
    let mut collect_at = COLLECT_AT;
    for &gate in &scope.gates {
        let and = formula.is_gate(gate, true);
        let mut arguments: Vec<_> = formula
            .arguments(gate)
            .iter()
            .map(|node| made[node])
            .collect();
        // From the bottom up: what comes on top leaves what is below as it is.
        arguments.sort_by_key(|&(level, _)| std::cmp::Reverse(level));
        root = if and { Function::TRUE } else { Function::FALSE };
        for &(_, argument) in &arguments {
            root = if and {
                functions.and(root, argument, budget)?
            } else {
                functions.or(root, argument, budget)?
            };
            root = shrink(&mut functions, root, prepared)?;
        }
        *done += 1;
        let top = arguments.iter().map(|&(level, _)| level).min();
        made.insert(gate, (top.unwrap_or(Level::MAX), root));
        for argument in formula.arguments(gate) {
            if let Some(left) = uses.get_mut(argument) {
                *left -= 1;
                if *left == 0 {
                    made.remove(argument);
                }
            }
        }
        if functions.len() > collect_at {
            let needed = made.values().map(|&(_, function)| function);
            let needed: Vec<Function> = needed.chain([prepared]).collect();
            functions.collect(&needed);
            collect_at = collect_at.max(2 * functions.len());
        }
    }
    functions.collect(&[root, prepared]);
    Ok((functions, root, prepared))
}
