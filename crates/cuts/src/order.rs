//! Orders of the variables of a module, from walks of its gates.
//!
//! Idea: events that meet in one gate should be near to each other, and a depth-first walk puts them there. In which order it takes the arguments
//! of a gate matters much, and no rule is best for all files, so there are several, to be tried.

use crate::formula::{Formula, Node};

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

/// The gates and the variables of a module: what its gate leads to, down to events and to other modules.
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
        let mut seen = crate::map::Set::<Node>::default();
        let mut stack = vec![(module, 0)];
        let (mut gates, mut variables) = (Vec::new(), Vec::new());
        while let Some((node, next)) = stack.last_mut() {
            let Some(&argument) = formula.arguments(*node).get(*next) else {
                gates.push(*node);
                stack.pop();
                continue;
            };
            *next += 1;
            if seen.insert(argument) {
                if is_module[argument as usize] || formula.arguments(argument).is_empty() {
                    variables.push(argument);
                } else {
                    stack.push((argument, 0));
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
        // By node: the weight by which a walk chooses. Of a shared part it is counted once for each use.
        let mut weights = vec![u64::from(rule != Rule::Shared); formula.size()];
        let mut uses = vec![0_u64; formula.size()];
        for &gate in &self.gates {
            for &argument in formula.arguments(gate) {
                uses[argument as usize] += 1;
            }
        }
        for &gate in &self.gates {
            let below = formula.arguments(gate).iter().map(|&argument| {
                let shared = if rule == Rule::Shared {
                    uses[argument as usize] - 1
                } else {
                    0
                };
                weights[argument as usize].saturating_add(shared)
            });
            weights[gate as usize] = below.fold(0, u64::saturating_add);
        }
        let mut is_open = vec![false; formula.size()];
        for &node in self.gates.iter().chain(&self.variables) {
            is_open[node as usize] = true;
        }
        let mut is_gate = vec![false; formula.size()];
        for &gate in &self.gates {
            is_gate[gate as usize] = true;
        }
        let mut found = Vec::with_capacity(self.variables.len());
        let mut stack = vec![module];
        while let Some(node) = stack.pop() {
            if !std::mem::replace(&mut is_open[node as usize], false) {
                continue;
            }
            if !is_gate[node as usize] {
                found.push(node);
                continue;
            }
            let mut arguments = formula.arguments(node).to_vec();
            match rule {
                Rule::Given => {}
                Rule::Reverse => arguments.reverse(),
                Rule::Small => arguments.sort_by_key(|&node| weights[node as usize]),
                Rule::Large | Rule::Shared => {
                    arguments.sort_by_key(|&node| std::cmp::Reverse(weights[node as usize]));
                }
            }
            // The first comes to the top of the stack.
            stack.extend(arguments.into_iter().rev());
        }
        found
    }
}
