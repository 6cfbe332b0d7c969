//! From the gates of a module to one diagram, with the variables of defences first.
//!
//! Idea: several orders are tried with few steps each, then all of them with four times as many,
//! until one is through. Where defences may stand anywhere, that is tried when putting them first
//! takes long.

use meetjoin_faults::rewrite::formula::{Formula, Node, Part};
use meetjoin_faults::rewrite::order::Scope;
use meetjoin_lattice::diagram::{Function, Functions, Listing, SetFamilies};
use meetjoin_lattice::{Budget, Stop};

use super::formula::Defences;

/// Steps of the first trials.
const FIRST_STEPS: u64 = 1 << 14;
/// Nodes after which a table is first garbage-collected.
const COLLECT_AT: usize = 1 << 14;

/// Steps of a trial up to which defences are put first.
const MOST_STEPS_FIRST: u64 = 1 << 16;

/// The order of variables, the function in this order, its minimal sets if they are asked for, and
/// whether defences stand anywhere.
pub(super) fn compiled(
    formula: &Formula,
    scope: &Scope,
    is_defence: impl Fn(Node) -> bool,
    defences: Defences,
    with_sets: bool,
    budget: &Budget,
) -> Result<(Vec<Node>, Listing, Option<Listing>, bool), Stop> {
    let (pulled, walks) = scope.orders(formula);
    let free = distinct(pulled.into_iter().chain(walks));
    let first = distinct(free.iter().map(|order| {
        let (mut order, others): (Vec<Node>, Vec<Node>) =
            order.iter().partition(|&&node| is_defence(node));
        order.extend(others);
        order
    }));
    let mut is_mixed = defences == Defences::Anywhere;
    let mut limit = FIRST_STEPS;
    loop {
        let orders = if is_mixed { &free } else { &first };
        let mut best: Option<(Vec<Node>, Functions, Function)> = None;
        for order in orders {
            let part = budget.part(u64::MAX, limit);
            let made = function(formula, scope, order, &part);
            budget.spend(&part)?;
            match made {
                Ok((functions, function)) => {
                    let is_better = |best: &(_, Functions, _)| functions.len() < best.1.len();
                    if best.as_ref().is_none_or(is_better) {
                        // Later trials may take no more steps than this one.
                        limit = limit.min(part.steps_made());
                        best = Some((order.clone(), functions, function));
                    }
                }
                Err(Stop::Lattice) => return Err(Stop::Lattice),
                Err(_) => {}
            }
        }
        if let Some((order, functions, function)) = best {
            let sets = if with_sets {
                let mut families = SetFamilies::default();
                let minimal = families.minimal(&functions, function, budget)?;
                Some(families.listing(&[minimal], budget)?)
            } else {
                None
            };
            let listing = functions.listing(&[function], budget)?;
            return Ok((order, listing, sets, is_mixed));
        }
        if !is_mixed && defences == Defences::Open && limit >= MOST_STEPS_FIRST {
            is_mixed = true;
        } else {
            limit = limit.saturating_mul(4);
        }
    }
}

fn distinct(orders: impl Iterator<Item = Vec<Node>>) -> Vec<Vec<Node>> {
    let mut distinct: Vec<Vec<Node>> = Vec::new();
    for order in orders {
        if !distinct.contains(&order) {
            distinct.push(order);
        }
    }
    distinct
}

fn function(
    formula: &Formula,
    scope: &Scope,
    order: &[Node],
    budget: &Budget,
) -> Result<(Functions, Function), Stop> {
    let mut functions = Functions::default();
    let mut made = vec![Function::FALSE; formula.size()];
    let mut uses = vec![0_u32; formula.size()];
    let mut levels = vec![u32::MAX; formula.size()];
    for &gate in &scope.gates {
        for &argument in formula.arguments(gate) {
            uses[argument as usize] += 1;
        }
    }
    for (level, &variable) in (0..).zip(order) {
        made[variable as usize] = functions.variable(level, budget)?;
        levels[variable as usize] = level;
    }
    let mut collect_at = COLLECT_AT;
    let mut root = Function::FALSE;
    let mut live: Vec<Node> = order.to_vec();
    for &gate in &scope.gates {
        let Part::Gate { and, ref arguments } = *formula.part(gate) else {
            continue;
        };
        let mut arguments = arguments.clone();
        // From the bottom up: adding levels on top leaves those below unchanged.
        arguments.sort_by_key(|&argument| std::cmp::Reverse(levels[argument as usize]));
        root = if and { Function::TRUE } else { Function::FALSE };
        for argument in arguments {
            let other = made[argument as usize];
            root = if and {
                functions.and(root, other, budget)?
            } else {
                functions.or(root, other, budget)?
            };
            levels[gate as usize] = levels[gate as usize].min(levels[argument as usize]);
            uses[argument as usize] -= 1;
        }
        made[gate as usize] = root;
        live.push(gate);
        if functions.len() > collect_at {
            live.retain(|&node| uses[node as usize] > 0 || node == gate);
            let needed: Vec<Function> = live.iter().map(|&node| made[node as usize]).collect();
            functions.collect(&needed);
            collect_at = collect_at.max(2 * functions.len());
        }
    }
    functions.collect(&[root]);
    Ok((functions, root))
}
