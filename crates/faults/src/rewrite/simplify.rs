//! Simplification of a formula before any diagram is made of it.
//!
//! Problem: files of fault trees are written by hand and by programs, and say the same thing many
//! times. A diagram pays for every repetition.
//!
//! Idea: four rewritings, each linear or nearly so, until nothing changes. None of them copies a
//! part that is shared.
//!
//! - *flat*: a gate whose only use is in a gate of its own kind is merged into it;
//! - *dominated*: in `a and g`, all that is reached only through `g` may take `a` as true, and in
//!   `a or g` as false (a gate dominates a node if all paths to the node go through it);
//! - *together*: arguments that occur in the same gates only, all of one kind, become a gate of
//!   their own;
//! - *factored*: `a b + a c = a (b + c)`, and the same upside down.
//!
//! Source: the first, third and fourth are those of Platz and Olsen (1976), as Rauzy and others use
//! them; *dominated* generalizes absorption.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use meetjoin_lattice::Budget;

use crate::map::Map;
use crate::rewrite::formula::{FALSE, Formula, Node};

/// The most rounds.
const ROUNDS: usize = 64;

/// An equal formula with less repetition, as far as the budget goes: a formula with more is as
/// right.
#[must_use]
pub fn simplified(formula: &Formula, budget: &Budget) -> Formula {
    let mut formula = Cow::Borrowed(formula);
    for _ in 0..ROUNDS {
        let mut changed = false;
        for rewriting in [flat, dominated, flat, together, flat, factored] {
            if budget.steps(formula.size() as u64).is_err() {
                return formula.into_owned();
            }
            if let Some(rewritten) = rewriting(&formula) {
                formula = Cow::Owned(rewritten);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    formula.into_owned()
}

/// Merges gates whose only use is in a gate of their own kind, if there are any.
fn flat(formula: &Formula) -> Option<Formula> {
    let parents = formula.parents();
    let merges = |and: bool, argument: Node| {
        parents[argument as usize] == 1 && formula.is_gate(argument, and)
    };
    let mut is_merged = vec![false; formula.size()];
    for gate in formula.reached() {
        let and = formula.is_gate(gate, true);
        for &argument in formula.arguments(gate) {
            is_merged[argument as usize] = merges(and, argument);
        }
    }
    if !is_merged.contains(&true) {
        return None;
    }
    // Merged gates are not made on the way: a chain would be made once for each of its suffixes.
    let mut made = vec![FALSE; formula.size()];
    let mut stack = Vec::new();
    Some(formula.rebuilt(|new, gate| {
        for (&old, &argument) in gate.old.iter().zip(gate.arguments) {
            made[old as usize] = argument;
        }
        if is_merged[gate.node as usize] {
            return FALSE;
        }
        let mut merged = Vec::new();
        stack.extend(gate.old.iter().rev().copied());
        while let Some(old) = stack.pop() {
            let argument = made[old as usize];
            if is_merged[old as usize] {
                stack.extend(formula.arguments(old).iter().rev().copied());
            } else if parents[old as usize] == 1 && new.is_gate(argument, gate.and) {
                merged.extend_from_slice(new.arguments(argument));
            } else {
                merged.push(argument);
            }
        }
        new.gate(gate.and, merged)
    }))
}

/// The gates that have each node as an argument.
fn users(formula: &Formula, reached: &[Node]) -> Vec<Vec<Node>> {
    let mut users = vec![Vec::new(); formula.size()];
    for &node in reached {
        for &argument in formula.arguments(node) {
            users[argument as usize].push(node);
        }
    }
    users
}

/// The dominator tree of a formula: above each node the nearest gate through which all paths to it
/// go.
///
/// Each node also points to some gate far above it, so that a common dominator is found in a
/// logarithm of the depth, and not along a whole chain (Myers 1983).
struct Dominators {
    above: Vec<Node>,
    depth: Vec<u32>,
    far: Vec<Node>,
}

impl Dominators {
    fn of(formula: &Formula, reached: &[Node], users: &[Vec<Node>]) -> Self {
        let root = formula.root;
        let mut this = Self {
            above: vec![root; formula.size()],
            depth: vec![0; formula.size()],
            far: vec![root; formula.size()],
        };
        for &node in reached.iter().rev().filter(|&&node| node != root) {
            let users = users[node as usize].iter().copied();
            if let Some(nearest) = users.reduce(|a, b| this.common(a, b)) {
                this.add(node, nearest);
            }
        }
        this
    }

    fn add(&mut self, node: Node, above: Node) {
        let far = self.far[above as usize];
        let depth = |node: Node| self.depth[node as usize];
        let next = self.far[far as usize];
        let is_even = depth(above) - depth(far) == depth(far) - depth(next);
        let (far, depth) = (if is_even { next } else { above }, depth(above) + 1);
        let node = node as usize;
        (self.above[node], self.depth[node], self.far[node]) = (above, depth, far);
    }

    /// The nearest dominator of both.
    fn common(&self, mut a: Node, mut b: Node) -> Node {
        let depth = |node: Node| self.depth[node as usize];
        if depth(a) < depth(b) {
            (a, b) = (b, a);
        }
        while depth(a) > depth(b) {
            let far = self.far[a as usize];
            let is_within = depth(far) >= depth(b);
            a = if is_within {
                far
            } else {
                self.above[a as usize]
            };
        }
        while a != b {
            let links = if self.far[a as usize] == self.far[b as usize] {
                &self.above
            } else {
                &self.far
            };
            (a, b) = (links[a as usize], links[b as usize]);
        }
        a
    }

    /// For each node its place in a walk down the tree, and that after the last node below it.
    fn places(&self, root: Node, reached: &[Node]) -> Vec<(u32, u32)> {
        let mut below = vec![1; self.above.len()];
        let not_root = |node: &&Node| **node != root;
        for &node in reached.iter().filter(not_root) {
            below[self.above[node as usize] as usize] += below[node as usize];
        }
        let mut places = vec![(0, 0); self.above.len()];
        let mut next = vec![1; self.above.len()];
        places[root as usize] = (0, below[root as usize]);
        for &node in reached.iter().rev().filter(not_root) {
            let above = self.above[node as usize] as usize;
            let place = next[above];
            next[above] += below[node as usize];
            next[node as usize] = place + 1;
            places[node as usize] = (place, place + below[node as usize]);
        }
        places
    }
}

/// Replaces arguments by constants below a gate that has them too, if there are any.
fn dominated(formula: &Formula) -> Option<Formula> {
    let reached = formula.reached();
    let users = users(formula, &reached);
    let dominators = Dominators::of(formula, &reached, &users);
    let places = dominators.places(formula.root, &reached);
    let mut constants = Map::<(Node, Node), Node>::default();
    for &shared in reached
        .iter()
        .filter(|&&node| users[node as usize].len() > 1)
    {
        let mut gates = users[shared as usize].clone();
        gates.sort_unstable_by_key(|&gate| places[gate as usize]);
        let mut highest = gates[0];
        for &gate in &gates[1..] {
            if places[gate as usize].0 < places[highest as usize].1 {
                let constant = Node::from(formula.is_gate(highest, true));
                constants.insert((gate, shared), constant);
            } else {
                highest = gate;
            }
        }
    }
    if constants.is_empty() {
        return None;
    }
    Some(formula.rebuilt(|new, gate| {
        let pairs = gate.old.iter().zip(gate.arguments);
        let kept = pairs.map(|(&old, &argument)| {
            let constant = constants.get(&(gate.node, old));
            constant.copied().unwrap_or(argument)
        });
        let kept: Vec<Node> = kept.collect();
        new.gate(gate.and, kept)
    }))
}

/// Makes gates of arguments that always occur together, if there are any.
fn together(formula: &Formula) -> Option<Formula> {
    let reached = formula.reached();
    let users = users(formula, &reached);
    let mut groups = Map::<&[Node], Vec<Node>>::default();
    for &node in &reached {
        let users = &users[node as usize][..];
        let one_kind = |and| users.iter().all(|&gate| formula.is_gate(gate, and));
        if users.len() > 1 && (one_kind(true) || one_kind(false)) {
            groups.entry(users).or_default().push(node);
        }
    }
    groups.retain(|_, group| group.len() > 1);
    if groups.is_empty() {
        return None;
    }
    // The first of a group stands for all of it.
    let mut first = Map::<Node, &[Node]>::default();
    let mut others = vec![false; formula.size()];
    for group in groups.values() {
        first.insert(group[0], group);
        for &node in &group[1..] {
            others[node as usize] = true;
        }
    }
    let mut made = vec![FALSE; formula.size()];
    Some(formula.rebuilt(|new, gate| {
        let mut kept = Vec::with_capacity(gate.old.len());
        // All of a group are arguments of each gate that has one of them.
        for (&old, &argument) in gate.old.iter().zip(gate.arguments) {
            made[old as usize] = argument;
        }
        for (&old, &argument) in gate.old.iter().zip(gate.arguments) {
            if let Some(group) = first.get(&old) {
                let group: Vec<Node> = group.iter().map(|&old| made[old as usize]).collect();
                kept.push(new.gate(gate.and, group));
            } else if !others[old as usize] {
                kept.push(argument);
            }
        }
        new.gate(gate.and, kept)
    }))
}

/// Takes common factors out of arguments that are used here alone, if there are any.
fn factored(formula: &Formula) -> Option<Formula> {
    let parents = formula.parents();
    // Whether two own arguments of one gate have one in common.
    let mut any = false;
    let mut seen = vec![FALSE; formula.size()];
    for gate in formula.reached() {
        let and = formula.is_gate(gate, true);
        let own = |&&node: &&Node| parents[node as usize] == 1 && formula.is_gate(node, !and);
        for &product in formula.arguments(gate).iter().filter(own) {
            for &factor in formula.arguments(product) {
                any |= std::mem::replace(&mut seen[factor as usize], gate) == gate;
            }
        }
    }
    if !any {
        return None;
    }
    Some(formula.rebuilt(|new, gate| {
        let and = gate.and;
        let own = |old: Node, node: Node| parents[old as usize] == 1 && new.is_gate(node, !and);
        let (mut products, mut kept) = (Vec::new(), Vec::new());
        for (&old, &node) in gate.old.iter().zip(gate.arguments) {
            if own(old, node) {
                &mut products
            } else {
                &mut kept
            }
            .push(node);
        }
        let mut factors = Factors::of(new, &products);
        while let Some((factor, with)) = factors.next(new, &products) {
            let rests = with.into_iter().map(|product| {
                let all = new.arguments(product).iter().copied();
                let rest: Vec<Node> = all.filter(|&node| node != factor).collect();
                new.gate(!and, rest)
            });
            let rests: Vec<Node> = rests.collect();
            let rest = new.gate(and, rests);
            kept.push(new.gate(!and, [factor, rest]));
        }
        let is_left = factors.is_left.into_iter();
        let left = products.into_iter().zip(is_left).filter(|(_, left)| *left);
        kept.extend(left.map(|(product, _)| product));
        new.gate(and, kept)
    }))
}

/// The factors that products have in common, one after the other: that which most of them have, and
/// of several the one met first. Products are gates by their places in a list.
struct Factors {
    /// By factor.
    having: Map<Node, Having>,
    /// How many products have a factor, and where it is met first, perhaps from before some were
    /// taken.
    queue: BinaryHeap<(usize, Reverse<Met>, Node)>,
    /// By product: whether it is not taken.
    is_left: Vec<bool>,
}

/// A product and a place in it.
type Met = (usize, usize);

/// The products that have a factor.
#[derive(Default)]
struct Having {
    /// Where it is met, the first one last.
    places: Vec<Met>,
    /// How many of them are left.
    count: usize,
}

impl Factors {
    fn of(formula: &Formula, products: &[Node]) -> Self {
        let mut having = Map::<Node, Having>::default();
        for (product, &node) in products.iter().enumerate().rev() {
            for (place, &factor) in formula.arguments(node).iter().enumerate() {
                let having = having.entry(factor).or_default();
                having.places.push((product, place));
                having.count += 1;
            }
        }
        let met = |(factor, having): (&Node, &Having)| {
            let first = having.places.last().filter(|_| having.count > 1)?;
            Some((having.count, Reverse(*first), *factor))
        };
        Self {
            queue: having.iter().filter_map(met).collect(),
            having,
            is_left: vec![true; products.len()],
        }
    }

    /// The next factor, and the products that have it, which are taken.
    fn next(&mut self, formula: &Formula, products: &[Node]) -> Option<(Node, Vec<Node>)> {
        while let Some((count, first, factor)) = self.queue.pop() {
            let Some(Having { places, count: now }) = self.having.get_mut(&factor) else {
                continue;
            };
            while places
                .pop_if(|(product, _)| !self.is_left[*product])
                .is_some()
            {}
            let Some(&met) = places.last().filter(|_| *now > 1) else {
                continue;
            };
            if (*now, Reverse(met)) != (count, first) {
                self.queue.push((*now, Reverse(met), factor));
                continue;
            }
            let mut with = Vec::with_capacity(count);
            for (product, _) in std::mem::take(places).into_iter().rev() {
                if std::mem::replace(&mut self.is_left[product], false) {
                    with.push(products[product]);
                    for other in formula.arguments(products[product]) {
                        if let Some(having) = self.having.get_mut(other) {
                            having.count -= 1;
                        }
                    }
                }
            }
            return Some((factor, with));
        }
        None
    }
}
