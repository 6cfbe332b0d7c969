//! Modules: parts of a formula that share no event with the rest.
//!
//! Idea: walk once and note when each node is met first and last. A gate is a module if everything
//! below it is met between the entry to the gate and the exit from it (Dutuit and Rauzy 1996).
//! Arguments of one gate whose times do not overlap share nothing either: they become gates, and so
//! modules, of their own.
//!
//! Cost: linear, and sorting the arguments of each gate.

use crate::rewrite::formula::{Formula, Gate, Node, Part};

/// When a walk meets a node, and when the nodes below it.
#[derive(Clone, Copy, Debug)]
struct Times {
    entry: u32,
    exit: u32,
    /// Of all meetings with the node and with what is below it.
    first: u32,
    last: u32,
}

/// When nodes are met in a walk from a root.
#[derive(Debug)]
pub struct Meetings(Vec<Times>);

impl Meetings {
    /// The times of a graph that is given by the nodes below each; numbers of nodes are less than
    /// `count`. Whenever a node is met, so is its twin; most nodes are their own twin.
    pub fn of<'a>(
        root: Node,
        count: usize,
        below: impl Fn(Node) -> &'a [Node],
        twin: impl Fn(Node) -> Node,
    ) -> Self {
        const NEVER: Times = Times {
            entry: 0,
            exit: 0,
            first: u32::MAX,
            last: 0,
        };
        let mut times = vec![NEVER; count];
        times[root as usize].first = 0;
        let mut clock = 0;
        let mut left = Vec::new();
        let mut stack = vec![(root, below(root).iter())];
        while let Some((node, rest)) = stack.last_mut() {
            clock += 1;
            let Some(&next) = rest.next() else {
                times[*node as usize].exit = clock;
                left.push(*node);
                stack.pop();
                continue;
            };
            let is_new = times[next as usize].first == u32::MAX;
            for met in [next, twin(next)] {
                let times = &mut times[met as usize];
                (times.first, times.last) = (times.first.min(clock), clock);
            }
            if is_new && !below(next).is_empty() {
                times[next as usize].entry = clock;
                stack.push((next, below(next).iter()));
            }
        }
        // What is below a node was left before it.
        for node in left {
            for &next in below(node) {
                let below = times[next as usize];
                let times = &mut times[node as usize];
                (times.first, times.last) =
                    (times.first.min(below.first), times.last.max(below.last));
            }
        }
        Self(times)
    }

    /// Those of a formula. An event and its negation are twins.
    fn of_formula(formula: &Formula) -> Self {
        let mut literals = crate::map::Map::<u32, [Node; 2]>::default();
        for node in formula.reached() {
            if let Part::Literal { event, .. } = *formula.part(node) {
                literals.entry(event).or_insert([node; 2])[1] = node;
            }
        }
        let twin = |node: Node| match formula.part(node) {
            Part::Literal { event, .. } => {
                let [one, other] = literals[event];
                if node == one { other } else { one }
            }
            _ => node,
        };
        let below = |node| formula.arguments(node);
        Self::of(formula.root, formula.size(), below, twin)
    }

    /// Returns whether the walk met all nodes below `node`, and all below these, between its first
    /// entry to `node` and its last exit. False if it did not meet `node`.
    pub fn is_module(&self, node: Node, below: &[Node]) -> bool {
        let own = self.0[node as usize];
        let inside = |&next: &Node| {
            let below = self.0[next as usize];
            below.first > own.entry && below.last < own.exit
        };
        own.first != u32::MAX && below.iter().all(inside)
    }
}

/// Rewrites a formula with a gate for each group of arguments that shares nothing with the rest.
#[must_use]
pub fn split(formula: &Formula) -> Formula {
    let Meetings(times) = Meetings::of_formula(formula);
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
        places.sort_unstable_by_key(|&place| (of(place).first, place));
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
        // Single arguments that are not shared make one group.
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
    let meetings = Meetings::of_formula(formula);
    let is_module = |&node: &Node| {
        let arguments = formula.arguments(node);
        !arguments.is_empty() && meetings.is_module(node, arguments)
    };
    formula.walk().into_iter().filter(is_module).collect()
}
