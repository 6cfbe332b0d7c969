//! Branch and bound, with prices of its own at each node.
//!
//! Idea: a node fixes some members as in, and others as out. If all members of a set but one are
//! out, that one is in. Prices start from those of the parent node, and are improved for the sets
//! that are not hit, and for cliques of which no member is out. If fixing a member as in, or as
//! out, would raise the bound to the best known weight, it is fixed the other way. Then both
//! branches are tried with few steps for a few members that are in many sets and fractional (strong
//! branching): if one branch is closed, the other holds; otherwise the member is chosen for which
//! both bounds rise most.
//!
//! The node with the least bound is next (best first), so the lower bound rises as long as the
//! search goes on. Only if the nodes would take too much memory, the last one is next (depth
//! first).
//!
//! Invariants: bounds are sums of integers and true for any prices: excess over a member's weight
//! is subtracted. Every solution lighter than the best is below one of the open nodes.
//!
//! Cost: hundreds of steps of prices for each node. For 1,288 cores of an ending of 252 layouts
//! (J83.J4 opposite 4.K953) it takes 700 nodes and two seconds. With the prices of the root at each
//! node, a million nodes were not enough.
//!
//! Sources: Lagrangian bounds of covering: Beasley (1987); strong branching: Applegate, Bixby,
//! Chvátal and Cook (1995).

use std::rc::Rc;

use meetjoin_lattice::{Budget, Stop};

use super::Part;
use super::prices::{Program, Relaxed};

/// Price steps at a node.
const STEPS: usize = 60;
/// Members for which both branches are tried.
const TRIED: usize = 6;
/// Price steps for each branch.
const FEW_STEPS: usize = 20;
/// The most rounds of improving prices and fixing members.
const ROUNDS: usize = 6;
/// Bounds are computed in this many fractions of a part, as thousands of prices are rounded.
const FINE: i128 = 1 << 16;
/// The most prices and fractions in all open nodes together: 64 MB.
const MOST: usize = 1 << 23;

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Free,
    In,
    Out,
}

/// A node of the search tree.
#[derive(Clone)]
struct Node {
    states: Vec<State>,
    /// Sets that are not hit.
    sets: Vec<u32>,
    /// Rows of cliques with no member out and three or more free members.
    cliques: Vec<u32>,
    /// The weight of the members that are in.
    weight: u64,
    /// A lower bound of solutions below.
    bound: u64,
    /// Prices and fractions; those of sets that are hit, and of members that are not free, do not
    /// count.
    relaxed: Rc<Relaxed>,
}

impl Part {
    /// Searches at most `nodes` nodes. `relaxed` has the initial prices.
    pub(super) fn branch(
        &mut self,
        relaxed: &Relaxed,
        nodes: u64,
        budget: &Budget,
    ) -> Result<(), Stop> {
        if self.closes(self.bound) {
            self.bound = self.bound.max(self.goal());
            return Ok(());
        }
        let forced = self.forced_weight();
        let most = MOST / (self.names.len() + self.sets.len() + self.cliques.len());
        let mut open = vec![Node {
            states: vec![State::Free; self.names.len()],
            sets: (0..self.sets.len() as u32).collect(),
            cliques: self.clique_rows().collect(),
            weight: forced,
            bound: self.bound,
            relaxed: Rc::new(relaxed.clone()),
        }];
        for left in (0..=nodes).rev() {
            let bounds = open.iter().enumerate();
            let least = bounds.min_by_key(|(place, node)| (node.bound, usize::MAX - place));
            let Some((place, bound)) = least.map(|(place, node)| (place, node.bound)) else {
                break;
            };
            if self.closes(bound) {
                break;
            }
            self.bound = self.bound.max(bound);
            if left == 0 {
                return Ok(());
            }
            let node = if open.len() > most {
                open.pop()
            } else {
                Some(open.swap_remove(place))
            };
            let node = node.filter(|node| !self.closes(node.bound));
            let Some(mut node) = node else { continue };
            budget.steps(1 + (self.size(&node.sets) * STEPS) as u64 / 8)?;
            if self.settle(&mut node, forced, STEPS) {
                open.extend(self.ways(node, forced, budget)?.into_iter().flatten());
            }
        }
        self.bound = self.goal();
        Ok(())
    }

    /// The two branches of a node, if they may lead to anything lighter than the best.
    fn ways(
        &mut self,
        mut node: Node,
        forced: u64,
        budget: &Budget,
    ) -> Result<Option<[Node; 2]>, Stop> {
        'settled: loop {
            self.round(&node.with(State::In), &node.relaxed);
            let members = self.by_half(&node);
            if members.is_empty() {
                self.offer(&node.with(State::In));
                return Ok(None);
            }
            let mut best: Option<(u64, [Node; 2])> = None;
            for member in members {
                budget.steps(1 + (self.size(&node.sets) * FEW_STEPS) as u64 / 4)?;
                let ways = [State::Out, State::In].map(|state| {
                    let mut way = node.clone();
                    way.states[member as usize] = state;
                    self.settle(&mut way, forced, FEW_STEPS).then_some(way)
                });
                let ways = match ways {
                    [None, None] => return Ok(None),
                    [Some(only), None] | [None, Some(only)] => {
                        node = only;
                        continue 'settled;
                    }
                    [Some(out), Some(within)] => [out, within],
                };
                // A little more, so that a bound that rises in one branch only still counts.
                let rise = |way: &Node| way.bound - node.bound + self.parts / 16 + 1;
                let both = rise(&ways[0]).saturating_mul(rise(&ways[1]));
                if best.as_ref().is_none_or(|(most, _)| both > *most) {
                    best = Some((both, ways));
                }
            }
            return Ok(best.map(|(_, ways)| ways));
        }
    }

    /// Improves prices and fixes members. Returns false if no solution below is lighter than the
    /// best.
    fn settle(&self, node: &mut Node, forced: u64, mut steps: usize) -> bool {
        for _ in 0..ROUNDS {
            if !self.follow(node, forced) {
                return false;
            }
            // Above this the bound closes in whole units.
            let goal = self.goal() as f64 - node.weight as f64 - 0.999 * self.parts as f64;
            let is_free = |member: u32| node.states[member as usize] == State::Free;
            let program = Program::new(self, node.rows().collect(), is_free);
            program.improve(steps, goal, Rc::make_mut(&mut node.relaxed));
            match self.fix(node) {
                None => return false,
                Some(false) => return true,
                Some(true) => steps = steps.div_ceil(4),
            }
        }
        self.follow(node, forced)
    }

    /// Propagates: takes members that are alone in a set, and finds the sets that are not hit.
    /// Returns false if one cannot be hit.
    fn follow(&self, node: &mut Node, forced: u64) -> bool {
        let mut is_hit = vec![false; self.sets.len()];
        node.weight = forced;
        let mut take = |member: u32, is_hit: &mut [bool]| {
            node.weight += self.weights[member as usize];
            for set in &self.of[member as usize] {
                is_hit[*set as usize] = true;
            }
        };
        for (member, state) in (0..).zip(&node.states) {
            if *state == State::In {
                take(member, &mut is_hit);
            }
        }
        for (number, set) in self.sets.iter().enumerate() {
            if is_hit[number] {
                continue;
            }
            let is_free = |member: &&u32| node.states[**member as usize] == State::Free;
            let mut free = set.iter().filter(is_free);
            match (free.next(), free.next()) {
                (None, _) => return false,
                (Some(only), None) => {
                    node.states[*only as usize] = State::In;
                    take(*only, &mut is_hit);
                }
                _ => {}
            }
        }
        let sets = (0..).zip(&is_hit);
        node.sets = sets
            .filter_map(|(set, hit)| (!hit).then_some(set))
            .collect();
        // If one member is out, its pairs force the others in.
        let states = &node.states;
        let count = |clique: &[u32], state| {
            let members = clique.iter().map(|member| states[*member as usize]);
            members.filter(|other| *other == state).count()
        };
        let counts =
            |clique: &[u32]| count(clique, State::Out) == 0 && count(clique, State::Free) > 2;
        let cliques = self.clique_rows();
        node.cliques = cliques.filter(|row| counts(self.row(*row))).collect();
        true
    }

    /// Computes the bound and fixes members by it; returns whether any was fixed. `None` if nothing
    /// lighter than the best is left.
    fn fix(&self, node: &mut Node) -> Option<bool> {
        let weights = self.weights.iter();
        let mut rest: Vec<i128> = weights.map(|weight| i128::from(*weight) * FINE).collect();
        let mut bound = i128::from(node.weight) * FINE;
        for row in node.rows() {
            let price = (node.relaxed.prices[row as usize] * FINE as f64) as i128;
            let mut free = 0;
            for member in self.row(row) {
                rest[*member as usize] -= price;
                free += usize::from(node.states[*member as usize] == State::Free);
            }
            bound += price * self.wanted(row, free) as i128;
        }
        let free = node.states.iter().zip(&rest);
        let free = free.filter(|(state, _)| **state == State::Free);
        bound += free.map(|(_, rest)| (*rest).min(0)).sum::<i128>();
        let whole = |bound: i128| u64::try_from(bound / FINE).unwrap_or(0);
        let closes = |bound: i128| self.closes(whole(bound));
        if closes(bound) {
            return None;
        }
        node.bound = node.bound.max(whole(bound));
        let mut is_fixed = false;
        for (state, rest) in node.states.iter_mut().zip(&rest) {
            if *state == State::Free && *rest != 0 && closes(bound + rest.abs()) {
                *state = if *rest > 0 { State::Out } else { State::In };
                is_fixed = true;
            }
        }
        Some(is_fixed)
    }

    /// Free, fractional members of sets that are not hit, those in most sets.
    fn by_half(&self, node: &Node) -> Vec<u32> {
        let mut degrees = vec![0_u32; self.names.len()];
        for member in node.sets.iter().flat_map(|set| &self.sets[*set as usize]) {
            degrees[*member as usize] += 1;
        }
        let mut found: Vec<(f64, u32)> = Vec::new();
        for (member, degree) in (0..).zip(degrees) {
            if degree > 0 && node.states[member as usize] == State::Free {
                let part = node.relaxed.parts[member as usize];
                found.push((f64::from(degree) * (part.min(1.0 - part) + 0.02), member));
            }
        }
        found.sort_unstable_by(|(a, one), (b, other)| b.total_cmp(a).then(one.cmp(other)));
        found.truncate(TRIED);
        found.into_iter().map(|(_, member)| member).collect()
    }
}

impl Node {
    /// The rows of the linear program at this node.
    fn rows(&self) -> impl Iterator<Item = u32> {
        self.sets.iter().chain(&self.cliques).copied()
    }

    /// The members in this state.
    fn with(&self, state: State) -> Vec<u32> {
        let states = (0..).zip(&self.states);
        let those = states.filter(|(_, other)| **other == state);
        those.map(|(member, _)| member).collect()
    }
}
