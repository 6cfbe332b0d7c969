//! Orders of the variables of a module, from walks of its gates.
//!
//! Idea: events that meet in one gate should be near to each other, and a depth-first walk puts
//! them there. The order of a gate's arguments in the walk matters much, and no rule is best for
//! all files, so several are tried. Each of them is then the start of a relaxation: gates pull
//! their arguments together until the sum of the spans of all gates stops shrinking (FORCE of
//! Aloul, Markov, Sakallah 2003).
//!
//! Cost: linear in the gates and n log n in the variables, for each rule and each round of pulling.

use crate::map::{Map, Set};
use crate::rewrite::formula::{Formula, Node};

/// A rule for the order in which a walk takes the arguments of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// As in the file.
    Given,
    /// The argument with the fewest variables below it first.
    Small,
    /// That with the most first.
    Large,
    /// From the last to the first.
    Reverse,
    /// The argument that leads to the most uses of shared parts first.
    Shared,
}

/// All rules, the most promising first.
pub const RULES: [Rule; 5] = [
    Rule::Given,
    Rule::Small,
    Rule::Large,
    Rule::Reverse,
    Rule::Shared,
];

/// Rounds of pulling. Most orders change little after a dozen.
const ROUNDS: usize = 30;

/// The gates and the variables of a module: what its gate leads to, down to events and to other
/// modules.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The gates, arguments first; the module's own is the last.
    pub gates: Vec<Node>,
    /// The literals and the gates of other modules.
    pub variables: Vec<Node>,
}

impl Scope {
    /// What belongs to a module.
    pub fn of(formula: &Formula, module: Node, is_module: &[bool]) -> Self {
        let below = |node| formula.arguments(node);
        let is_variable = |node| is_module[node as usize] || below(node).is_empty();
        Self::down_to(module, below, is_variable)
    }

    /// What a gate leads to, down to variables, in any graph that is given by what lies below each
    /// node.
    pub fn down_to<'a>(
        gate: Node,
        below: impl Fn(Node) -> &'a [Node],
        is_variable: impl Fn(Node) -> bool,
    ) -> Self {
        let mut seen = Set::<Node>::default();
        let mut stack = vec![(gate, below(gate).iter())];
        let (mut gates, mut variables) = (Vec::new(), Vec::new());
        while let Some((node, rest)) = stack.last_mut() {
            let Some(&next) = rest.next() else {
                gates.push(*node);
                stack.pop();
                continue;
            };
            if seen.insert(next) {
                if is_variable(next) {
                    variables.push(next);
                } else {
                    stack.push((next, below(next).iter()));
                }
            }
        }
        Self { gates, variables }
    }

    /// The variables in the order in which a walk by a rule meets them.
    pub fn order(&self, formula: &Formula, rule: Rule) -> Vec<Node> {
        let Some(&module) = self.gates.last() else {
            return self.variables.clone();
        };
        // Maps, not lists over the whole formula: there may be as many modules as gates.
        let mut uses = Map::<Node, u64>::default();
        for &gate in &self.gates {
            for &argument in formula.arguments(gate) {
                *uses.entry(argument).or_default() += 1;
            }
        }
        // The weight of each gate by which the walk chooses. A shared part counts once for each
        // use.
        let mut weights = Map::<Node, u64>::default();
        let weight = |weights: &Map<Node, u64>, node: Node| {
            let of_gate = weights.get(&node).copied();
            of_gate.unwrap_or(u64::from(rule != Rule::Shared))
        };
        for &gate in &self.gates {
            let below = formula.arguments(gate).iter().map(|&argument| {
                let shared = if rule == Rule::Shared {
                    uses[&argument] - 1
                } else {
                    0
                };
                weight(&weights, argument).saturating_add(shared)
            });
            let below = below.fold(0, u64::saturating_add);
            weights.insert(gate, below);
        }
        let mut seen = Set::<Node>::default();
        let mut found = Vec::with_capacity(self.variables.len());
        let mut stack = vec![module];
        while let Some(node) = stack.pop() {
            if !seen.insert(node) {
                continue;
            }
            // Gates of the module have a weight, and its variables have none.
            if !weights.contains_key(&node) {
                found.push(node);
                continue;
            }
            let mut arguments = formula.arguments(node).to_vec();
            match rule {
                Rule::Given => {}
                Rule::Reverse => arguments.reverse(),
                Rule::Small => arguments.sort_by_key(|&node| weight(&weights, node)),
                Rule::Large | Rule::Shared => {
                    arguments.sort_by_key(|&node| std::cmp::Reverse(weight(&weights, node)));
                }
            }
            // The first comes to the top of the stack.
            stack.extend(arguments.into_iter().rev());
        }
        found
    }

    /// All orders that are worth a trial, each once: those whose arguments are pulled together, and
    /// those of walks.
    pub fn orders(&self, formula: &Formula) -> (Vec<Vec<Node>>, Vec<Vec<Node>>) {
        let mut seen = Set::<Vec<Node>>::default();
        let mut walks = RULES.map(|rule| self.order(formula, rule)).to_vec();
        walks.retain(|walk| seen.insert(walk.clone()));
        let mut pulled = Vec::new();
        for gates_have_places in [true, false] {
            for walk in &walks {
                let order = self.pulled(formula, walk, gates_have_places);
                if seen.insert(order.clone()) {
                    pulled.push(order);
                }
            }
        }
        (pulled, walks)
    }

    /// An order in which gates have pulled their arguments together. Gates have places among the
    /// variables, or each is where its arguments are on average.
    fn pulled(&self, formula: &Formula, order: &[Node], gates_have_places: bool) -> Vec<Node> {
        let mut is_gate = vec![false; formula.size()];
        for &gate in &self.gates {
            is_gate[gate as usize] = true;
        }
        let mut order = order.to_vec();
        let mut best = (f64::INFINITY, order.clone());
        let mut places = vec![0.0; formula.size()];
        let mut pulls = vec![(0.0, 0.0); formula.size()];
        let place_all = |order: &[Node], places: &mut [f64]| {
            for (place, &node) in order.iter().enumerate() {
                places[node as usize] = place as f64;
            }
        };
        place_all(&order, &mut places);
        for round in 0..ROUNDS {
            if round == 0 || !gates_have_places {
                for &gate in &self.gates {
                    let arguments = formula.arguments(gate);
                    let sum: f64 = arguments.iter().map(|&node| places[node as usize]).sum();
                    places[gate as usize] = sum / arguments.len() as f64;
                }
            }
            pulls.fill((0.0, 0.0));
            let mut length = 0.0;
            for &gate in &self.gates {
                let all = || formula.arguments(gate).iter().chain([&gate]);
                let at = all().map(|&node| places[node as usize]);
                let (mut sum, mut least, mut most) = (0.0, f64::INFINITY, f64::NEG_INFINITY);
                for place in at {
                    (sum, least, most) = (sum + place, place.min(least), place.max(most));
                }
                length += most - least;
                let center = sum / (formula.arguments(gate).len() + 1) as f64;
                for &node in all() {
                    let (sum, count) = &mut pulls[node as usize];
                    (*sum, *count) = (*sum + center, *count + 1.0);
                }
            }
            let variables = order
                .iter()
                .copied()
                .filter(|&node| !is_gate[node as usize]);
            if length < best.0 {
                best = (length, variables.clone().collect());
            }
            let mut next: Vec<Node> = variables.collect();
            if gates_have_places {
                next.extend(&self.gates);
            }
            let pull = |&node: &Node| {
                let (sum, count): (f64, f64) = pulls[node as usize];
                sum / count
            };
            next.sort_by(|a, b| pull(a).total_cmp(&pull(b)));
            place_all(&next, &mut places);
            order = next;
        }
        best.1
    }
}
