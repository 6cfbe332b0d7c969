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

use crate::formula::{Formula, Node, Part};
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

/// The function of a module, and an order of its variables.
pub(crate) fn compiled(
    formula: &Formula,
    scope: &Scope,
    budget: &Budget,
) -> Result<Compiled, Stop> {
    if scope.variables.len() <= FEW || scope.gates.len() == 1 {
        let order = scope.order(formula, RULES[0]);
        let (functions, function) = compile_counting(formula, scope, &order, &mut 0, budget)?;
        return Ok((functions, function, order));
    }
    let mut orders: Vec<Vec<Node>> = RULES.map(|rule| scope.order(formula, rule)).into();
    let mut limit = FIRST_STEPS;
    loop {
        let mut best: Option<Compiled> = None;
        // Nobody waits for a diagram that takes much longer than the best until now.
        let mut allowed = limit;
        let mut left = Vec::with_capacity(orders.len());
        for order in orders {
            let part = budget.part(u64::MAX, allowed);
            let made = compile(formula, scope, &order, &part);
            // What stopped this trial alone is no stop.
            budget.spend(&part)?;
            match made {
                // A full table is not made emptier by more steps.
                Err((Stop::Lattice, _)) => return Err(Stop::Lattice),
                Err((_, gates)) => left.push((gates, order)),
                Ok((functions, function)) => {
                    allowed = allowed.min(2 * part.steps_made());
                    if best
                        .as_ref()
                        .is_none_or(|(least, ..)| functions.len() < least.len())
                    {
                        best = Some((functions, function, order));
                    }
                }
            }
        }
        if let Some(best) = best {
            return Ok(best);
        }
        // Those that came furthest go on.
        left.sort_by_key(|(gates, _)| std::cmp::Reverse(*gates));
        left.truncate(left.len().div_ceil(2).max(2));
        orders = left.into_iter().map(|(_, order)| order).collect();
        limit = limit.saturating_mul(MORE);
    }
}

/// The function of a module with its variables in an order, or what ended it after how many gates.
fn compile(
    formula: &Formula,
    scope: &Scope,
    order: &[Node],
    budget: &Budget,
) -> Result<(Functions, Function), (Stop, usize)> {
    let mut done = 0;
    compile_counting(formula, scope, order, &mut done, budget).map_err(|stop| (stop, done))
}

fn compile_counting(
    formula: &Formula,
    scope: &Scope,
    order: &[Node],
    done: &mut usize,
    budget: &Budget,
) -> Result<(Functions, Function), Stop> {
    let mut functions = Functions::default();
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
        made.insert(variable, (level, function));
    }
    let mut uses = Map::<Node, u32>::default();
    for &argument in scope.gates.iter().flat_map(|&gate| formula.arguments(gate)) {
        *uses.entry(argument).or_default() += 1;
    }
    let mut root = Function::FALSE;
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
            let needed: Vec<Function> = made.values().map(|&(_, function)| function).collect();
            functions.collect(&needed);
            collect_at = collect_at.max(2 * functions.len());
        }
    }
    functions.collect(&[root]);
    Ok((functions, root))
}
