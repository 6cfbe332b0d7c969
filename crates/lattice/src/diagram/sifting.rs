//! Sifting: improves the order of variables of existing diagrams (Rudell 1993).
//!
//! Idea: each variable, those with the most nodes first, goes through all places of the order and
//! stays where there were the fewest nodes. Two adjacent variables are exchanged in place: of the
//! nodes of the upper one, only those that lead to the lower one are rewritten, and they keep their
//! numbers, so functions stay valid.
//!
//! Invariant: between two exchanges the table is sound, in the order that it has then. Room is
//! reserved before an exchange, so none fails half way.
//!
//! Cost: a step for each node of the upper variable in each exchange; so up to the square of the
//! number of variables, times the nodes of one.

use super::nodes::{Level, Nodes, ONE};
use crate::{Budget, Stop};

/// The factor by which diagrams may grow on the way to a better place.
const GROWTH: f64 = 1.2;

struct Sifting<'a> {
    nodes: &'a mut Nodes,
    /// By place in the order: the variable. Nodes have variables as their levels until the end.
    order: Vec<Level>,
    /// By variable: its place.
    places: Vec<usize>,
    /// By variable: its nodes.
    of_variable: Vec<Vec<u32>>,
    /// By node: its index in the list of its variable.
    slots: Vec<u32>,
    /// By node: the number of nodes and roots that lead to it.
    uses: Vec<u32>,
    budget: &'a Budget,
    unlimited: Budget,
}

/// Every node of the table must be reachable from a root.
pub(super) fn sift(nodes: &mut Nodes, roots: &[u32], budget: &Budget) -> Vec<Level> {
    let variables = nodes.all().map(|(_, node)| node.level + 1).max();
    let variables = variables.unwrap_or(0) as usize;
    let same = || (0..variables as Level).collect();
    // Three numbers for each node; a list and three numbers for each variable.
    let of_variable = size_of::<Vec<u32>>() + 2 * size_of::<usize>() + size_of::<Level>();
    let bytes = nodes.places() * 3 * size_of::<u32>() + variables * of_variable;
    if budget.room(bytes as u64).is_err() {
        return same();
    }
    let mut this = Sifting {
        order: same(),
        places: (0..variables).collect(),
        of_variable: vec![Vec::new(); variables],
        slots: vec![0; nodes.places()],
        uses: vec![0; nodes.places()],
        budget,
        unlimited: Budget::unlimited(),
        nodes,
    };
    for &root in roots {
        this.uses[root as usize] += 1;
    }
    let all: Vec<_> = this.nodes.all().collect();
    for (id, node) in all {
        this.list(id, node.level);
        this.uses[node.high as usize] += 1;
        this.uses[node.low as usize] += 1;
    }
    let mut most_nodes: Vec<usize> = (0..variables).collect();
    most_nodes.sort_unstable_by_key(|&variable| {
        (
            std::cmp::Reverse(this.of_variable[variable].len()),
            variable,
        )
    });
    for variable in most_nodes {
        if this.place(variable).is_err() {
            break;
        }
    }
    let Sifting { nodes, places, .. } = this;
    nodes.rename(|variable| places[variable as usize] as Level);
    places.into_iter().map(|place| place as Level).collect()
}

impl Sifting<'_> {
    /// Brings a variable to its best place.
    fn place(&mut self, variable: usize) -> Result<(), Stop> {
        let last = self.order.len() - 1;
        let start = self.places[variable];
        let mut best = (self.nodes.len(), start);
        // Start towards the nearer end.
        let down_first = last - start < start;
        for down in [down_first, !down_first] {
            while self.places[variable] != if down { last } else { 0 } {
                self.step(variable, down)?;
                best = best.min((self.nodes.len(), self.places[variable]));
                if self.nodes.len() as f64 > GROWTH * best.0 as f64 {
                    break;
                }
            }
        }
        while self.places[variable] != best.1 {
            self.step(variable, self.places[variable] < best.1)?;
        }
        Ok(())
    }

    /// Moves a variable by one place.
    fn step(&mut self, variable: usize, down: bool) -> Result<(), Stop> {
        let place = self.places[variable];
        self.exchange(if down { place } else { place - 1 })
    }

    /// Exchanges the variables at a place and the next.
    fn exchange(&mut self, place: usize) -> Result<(), Stop> {
        let [x, y] = [self.order[place], self.order[place + 1]];
        let upper = self.of_variable[x as usize].len();
        self.budget.steps(1 + upper as u64)?;
        self.nodes.reserve(2 * upper, self.budget)?;
        for id in self.of_variable[x as usize].clone() {
            let node = self.nodes.get(id);
            let [leads_high, leads_low] =
                [node.high, node.low].map(|child| self.nodes.level(child) == y);
            if !leads_high && !leads_low {
                continue;
            }
            let cofactors = |child: u32, leads: bool| {
                let node = self.nodes.get(child);
                if leads {
                    (node.high, node.low)
                } else {
                    (child, child)
                }
            };
            let (f11, f10) = cofactors(node.high, leads_high);
            let (f01, f00) = cofactors(node.low, leads_low);
            let high = self.make(x, f11, f01)?;
            let low = self.make(x, f10, f00)?;
            self.unlist(id, x);
            self.nodes.replace(id, y, high, low);
            self.list(id, y);
            self.drop_use(node.high);
            self.drop_use(node.low);
        }
        self.order.swap(place, place + 1);
        (self.places[x as usize], self.places[y as usize]) = (place + 1, place);
        Ok(())
    }

    /// Makes or finds a node and counts one more use. Room is reserved.
    fn make(&mut self, variable: Level, high: u32, low: u32) -> Result<u32, Stop> {
        if high == low {
            self.uses[high as usize] += 1;
            return Ok(high);
        }
        let before = self.nodes.len();
        let id = self.nodes.make(variable, high, low, &self.unlimited)?;
        if self.nodes.len() > before {
            if self.uses.len() <= id as usize {
                self.uses.resize(id as usize + 1, 0);
                self.slots.resize(id as usize + 1, 0);
            }
            self.uses[high as usize] += 1;
            self.uses[low as usize] += 1;
            self.list(id, variable);
        }
        self.uses[id as usize] += 1;
        Ok(id)
    }

    /// Counts one use less; frees nodes without uses.
    fn drop_use(&mut self, id: u32) {
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            self.uses[id as usize] -= 1;
            if id > ONE && self.uses[id as usize] == 0 {
                let node = self.nodes.get(id);
                self.unlist(id, node.level);
                self.nodes.give_back(id);
                stack.extend([node.high, node.low]);
            }
        }
    }

    fn list(&mut self, id: u32, variable: Level) {
        let list = &mut self.of_variable[variable as usize];
        self.slots[id as usize] = list.len() as u32;
        list.push(id);
    }

    fn unlist(&mut self, id: u32, variable: Level) {
        let list = &mut self.of_variable[variable as usize];
        let slot = self.slots[id as usize];
        list.swap_remove(slot as usize);
        if let Some(&moved) = list.get(slot as usize) {
            self.slots[moved as usize] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::diagram::{Function, Functions, Level};
    use crate::{Budget, Limits};

    const EVENTS: u32 = 8;

    proptest! {
        /// Functions keep their numbers and meanings wherever sifting is stopped, and the table
        /// stays consistent.
        #[test]
        fn functions_stay_what_they_are(
            sets in prop::collection::vec(prop::collection::vec((0..EVENTS, any::<bool>()), 1..5), 2..12),
            steps in prop::option::of(0_u64..200),
        ) {
            let free = Budget::unlimited();
            let mut functions = Functions::default();
            let mut all = Vec::new();
            for chunk in sets.chunks(4) {
                let mut f = Function::FALSE;
                for set in chunk {
                    let mut product = Function::TRUE;
                    for &(level, positive) in set {
                        let literal = if positive { functions.variable(level, &free) } else { functions.negated(level, &free) };
                        product = functions.and(product, literal.expect("no limit"), &free).expect("no limit");
                    }
                    f = functions.or(f, product, &free).expect("no limit");
                }
                all.push(f);
            }
            let at = |functions: &Functions, f, s: u32, new: &[Level]| functions.is_true_at(f, |level| {
                let old = new.iter().position(|&place| place == level).unwrap_or(level as usize);
                s >> old & 1 == 1
            });
            let same: Vec<Level> = (0..EVENTS).collect();
            let values = |functions: &Functions, new: &[Level]| -> Vec<bool> {
                let points = all.iter().flat_map(|&f| (0..1 << EVENTS).map(move |s| (f, s)));
                points.map(|(f, s)| at(functions, f, s, new)).collect()
            };
            let before = values(&functions, &same);
            functions.collect(&all);
            let size = functions.len();
            let budget = Budget::new(Limits { steps, ..Limits::default() });
            let new = functions.sift(&all, &budget);
            if steps.is_none() {
                prop_assert!(functions.len() <= size);
            }
            prop_assert_eq!(&values(&functions, &new), &before);
            // The same functions made anew are found in the table.
            let table = functions.len();
            let (f, g) = (all[0], all[all.len() - 1]);
            let both = functions.and(f, g, &free).expect("no limit");
            prop_assert_eq!(functions.or(both, f, &free).expect("no limit"), f);
            prop_assert_eq!(functions.and(both, g, &free).expect("no limit"), both);
            functions.collect(&all);
            prop_assert_eq!(functions.len(), table);
        }
    }
}
