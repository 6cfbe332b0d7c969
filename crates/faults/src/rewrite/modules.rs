//! Modules: parts of a formula that share no event with the rest.
//!
//! Idea: walk once and note when each node is met first and last. A gate is a module if everything
//! below it is met between the entry to the gate and the exit from it (Dutuit and Rauzy 1996).
//! Arguments of one gate whose times do not overlap share nothing either: they become gates, and so
//! modules, of their own.
//!
//! Cost: linear, and sorting the arguments of each gate.

use crate::rewrite::formula::{Formula, Gate, Node, Part};

/// When a node is met, and what is below it.
#[derive(Clone, Copy, Debug)]
struct Times {
    entry: u32,
    exit: u32,
    /// Of all meetings with the node and with what is below it.
    first: u32,
    last: u32,
}

/// The times of all nodes that the root leads to. An event and its negation are one.
fn times(formula: &Formula) -> Vec<Times> {
    const NEVER: Times = Times {
        entry: 0,
        exit: 0,
        first: u32::MAX,
        last: 0,
    };
    let mut times = vec![NEVER; formula.size()];
    let mut literals = crate::map::Map::<u32, [Node; 2]>::default();
    for node in formula.reached() {
        if let Part::Literal { event, .. } = *formula.part(node) {
            literals.entry(event).or_insert([node; 2])[1] = node;
        }
    }
    let mut clock = 0;
    let mut stack = vec![(formula.root, 0)];
    times[formula.root as usize] = Times {
        entry: 0,
        exit: 0,
        first: 0,
        last: 0,
    };
    while let Some((node, next)) = stack.last_mut() {
        clock += 1;
        let node = *node;
        if let Some(&argument) = formula.arguments(node).get(*next) {
            *next += 1;
            let new = times[argument as usize].first == u32::MAX;
            let both = match formula.part(argument) {
                Part::Literal { event, .. } => literals[event],
                _ => [argument; 2],
            };
            for node in both {
                let times = &mut times[node as usize];
                (times.first, times.last) = (times.first.min(clock), clock);
            }
            if new && !formula.arguments(argument).is_empty() {
                times[argument as usize].entry = clock;
                stack.push((argument, 0));
            }
        } else {
            times[node as usize].exit = clock;
            stack.pop();
        }
    }
    for node in formula.walk() {
        for &argument in formula.arguments(node) {
            let below = times[argument as usize];
            let times = &mut times[node as usize];
            (times.first, times.last) = (times.first.min(below.first), times.last.max(below.last));
        }
    }
    times
}

/// The same formula with a gate for each group of arguments that shares nothing with anything else.
#[must_use]
pub fn split(formula: &Formula) -> Formula {
    let times = times(formula);
    formula.rebuilt(|new, gate| {
        let Gate {
            node,
            and,
            old,
            arguments,
        } = gate;
        let gate = times[node as usize];
        let mut places: Vec<usize> = (0..old.len()).collect();
        let of = |place: usize| times[old[place] as usize];
        places.sort_by_key(|&place| of(place).first);
        let mut groups: Vec<(Vec<usize>, u32)> = Vec::new();
        for place in places {
            match groups.last_mut() {
                Some((group, last)) if of(place).first <= *last => {
                    group.push(place);
                    *last = (*last).max(of(place).last);
                }
                _ => groups.push((vec![place], of(place).last)),
            }
        }
        let own = |(group, last): &(Vec<usize>, u32)| {
            of(group[0]).first > gate.entry && *last < gate.exit
        };
        // Single arguments that nobody shares make one group.
        let mut single: Vec<usize> = Vec::new();
        let mut kept: Vec<(usize, Vec<usize>)> = Vec::new();
        for group in groups {
            if own(&group) && group.0.len() == 1 {
                single.extend(group.0);
            } else if own(&group) {
                let mut group = group.0;
                group.sort_unstable();
                kept.push((group[0], group));
            } else {
                kept.extend(group.0.into_iter().map(|place| (place, vec![place])));
            }
        }
        single.sort_unstable();
        if let Some(&place) = single.first() {
            kept.push((place, single));
        }
        kept.sort_unstable();
        let gates: Vec<Node> = kept
            .into_iter()
            .map(|(_, group)| new.gate(and, group.into_iter().map(|place| arguments[place])))
            .collect();
        new.gate(and, gates)
    })
}

/// The gates that are modules, lowest first. The root is the last, if it is a gate.
pub fn modules(formula: &Formula) -> Vec<Node> {
    let times = times(formula);
    let is_module = |&node: &Node| {
        let gate = times[node as usize];
        let inside = |&argument: &Node| {
            let below = times[argument as usize];
            below.first > gate.entry && below.last < gate.exit
        };
        let arguments = formula.arguments(node);
        !arguments.is_empty() && arguments.iter().all(inside)
    };
    formula.walk().into_iter().filter(is_module).collect()
}
