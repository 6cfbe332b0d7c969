//! Common causes: groups of events that fail together more often than by chance.
//!
//! Problem: redundant parts of one kind are hit by one cause. A group says how probable the failure
//! of a member is, and a model splits that among the sets of members that fail together.
//!
//! Idea: for each set of members that a cause can hit there is a common event, and a member is the
//! OR of the common events that hit it. With `n` members, `Q` the probability of one member's
//! failure and `Q(k)` that of a common event of `k` given members:
//!
//! - beta factor: `Q(1) = (1 - b) Q` and `Q(n) = b Q`;
//! - multiple Greek letters: `Q(k) = r(2) .. r(k) (1 - r(k + 1)) Q / C(n - 1, k - 1)`, with
//!   `r(n + 1) = 0`;
//! - alpha factors: `Q(k) = k / C(n - 1, k - 1) a(k) / (a(1) + 2 a(2) + .. + n a(n)) Q`;
//! - phi factors: `Q(k) = f(k) Q`.
//!
//! Source: NUREG/CR-4780 (Mosleh and others, 1988) and NUREG/CR-5485 (Mosleh, Rasmuson and
//! Marshall, 1998) for the first three, with tests that are not staggered; the fourth is that of
//! the Model Exchange Format.

use super::event_tree::Instruction;
use super::expression::{Expressions, Number, Operation};
use super::formula::{ModelEvent, ModelGate, Operand};
use super::group::{Group, Split};
use super::names::Defined;
use super::place::FaultTreeFileError;
use super::whole::Model;
use crate::tree::Connective;

/// The most common events of all groups together.
const MOST_EVENTS: f64 = 4_194_304.0;

/// How many ways there are to choose `k` of `n`.
fn choose(n: u32, k: u32) -> f64 {
    (0..k)
        .map(|i| f64::from(n - i) / f64::from(i + 1))
        .product()
}

/// The words about common-cause groups that are ignored.
pub(crate) fn left_out(groups: usize) -> Option<String> {
    match groups {
        0 => None,
        1 => Some("1 group is ignored".to_owned()),
        groups => Some(format!("{groups} groups are ignored")),
    }
}

impl Model {
    /// The same with the members of groups as gates over common events.
    ///
    /// # Errors
    /// If there is no group, or there are too many common events.
    pub fn with_common_causes(mut self) -> Result<Self, FaultTreeFileError> {
        let groups = std::mem::take(&mut self.groups);
        if groups.is_empty() {
            let what = "the model has no group of events with a common cause";
            return Err(FaultTreeFileError::whole(what));
        }
        let mut gate_of: Vec<Option<u32>> = vec![None; self.events.len()];
        let mut made = 0.0;
        for group in &groups {
            let n = group.members.len() as u32;
            let levels = self.levels(group, n);
            let count = |&(level, _): &(u32, Number)| choose(n, level);
            made += levels.iter().map(count).sum::<f64>();
            if made > MOST_EVENTS {
                let name = self.names.text(group.name);
                let what = format!("the group {name:?} has more than {MOST_EVENTS} common events");
                return Err(FaultTreeFileError::at(group.place, what));
            }
            let mut common: Vec<Vec<Operand>> = vec![Vec::new(); group.members.len()];
            for (level, expression) in levels {
                for set in Combinations::new(n as usize, level as usize) {
                    let names = set.iter().map(|&member| {
                        let event = group.members[member] as usize;
                        self.events[event].name.as_str()
                    });
                    let name = format!("[{}]", names.collect::<Vec<_>>().join(" "));
                    let event = Operand::Event(self.events.len() as u32);
                    self.events.push(ModelEvent {
                        name,
                        expression: Some(expression),
                        place: group.place,
                    });
                    for &member in &set {
                        common[member].push(event);
                    }
                }
            }
            for (&member, operands) in group.members.iter().zip(common) {
                let gate = self.gates.len() as u32;
                self.gates.push(ModelGate {
                    name: Some(self.events[member as usize].name.clone()),
                    connective: Connective::Or,
                    operands,
                    place: group.place,
                });
                gate_of[member as usize] = Some(gate);
            }
        }
        self.members = groups.iter().map(|group| group.members.len()).sum();
        self.check_substitutions(&gate_of)?;
        self.replace_events(&gate_of);
        Ok(self)
    }

    /// The number of members of each kind of common event of a group, and how probable it is.
    fn levels(&mut self, group: &Group, n: u32) -> Vec<(u32, Number)> {
        let Group {
            probability, place, ..
        } = *group;
        let all = &mut self.expressions;
        let product =
            |all: &mut Expressions, of: &[Number]| all.push(Operation::Product, "mul", of, place);
        let one_less = |all: &mut Expressions, factor| {
            let one = all.number(1.0, place);
            all.push(Operation::Difference, "sub", &[one, factor], place)
        };
        match group.split {
            Split::Beta => {
                let (_, beta) = group.factors[0];
                let rest = one_less(all, beta);
                let alone = product(all, &[rest, probability]);
                vec![(1, alone), (n, product(all, &[beta, probability]))]
            }
            Split::GreekLetters => {
                let mut levels = Vec::new();
                let mut so_far = vec![probability];
                for level in 1..=group.factors.len() as u32 + 1 {
                    let mut of = so_far.clone();
                    of.push(all.number(1.0 / choose(n - 1, level - 1), place));
                    if let Some(&(_, next)) = group.factors.get(level as usize - 1) {
                        of.push(one_less(all, next));
                        so_far.push(next);
                    }
                    levels.push((level, product(all, &of)));
                }
                levels
            }
            Split::Alpha => {
                let mut weighted = Vec::new();
                for &(level, factor) in &group.factors {
                    let number = all.number(f64::from(level), place);
                    weighted.push(product(all, &[number, factor]));
                }
                let sum = all.push(Operation::Sum, "add", &weighted, place);
                let levels = group.factors.iter().zip(weighted);
                let of = |(&(level, _), weighted): (&(u32, Number), Number)| {
                    let sets = all.number(1.0 / choose(n - 1, level - 1), place);
                    let part = all.push(Operation::Quotient, "div", &[weighted, sum], place);
                    (level, product(all, &[sets, part, probability]))
                };
                levels.map(of).collect()
            }
            Split::Phi => {
                let factors = group.factors.iter();
                factors
                    .map(|&(level, factor)| (level, product(all, &[factor, probability])))
                    .collect()
            }
        }
    }

    /// Refuses substitutions that exchange an event which is a gate from here on.
    fn check_substitutions(&self, gate_of: &[Option<u32>]) -> Result<(), FaultTreeFileError> {
        for substitution in self.substitutions.iter().filter(|s| !s.sources.is_empty()) {
            let target = match substitution.target {
                Operand::Event(event) => Some(event),
                _ => None,
            };
            let mut exchanged = substitution.sources.iter().copied().chain(target);
            let split = exchanged.find(|&event| gate_of[event as usize].is_some());
            if let Some(event) = split {
                let what = format!(
                    "the substitution {:?} exchanges {:?}, which is several events with common \
                     causes, one for each set of members that fail together",
                    self.names.text(substitution.name),
                    self.events[event as usize].name
                );
                return Err(FaultTreeFileError::at(substitution.place, what));
            }
        }
        Ok(())
    }

    /// Puts gates in the place of events wherever these are spoken of.
    fn replace_events(&mut self, gate_of: &[Option<u32>]) {
        let replaced = |operand: Operand| match operand {
            Operand::Event(event) => match gate_of.get(event as usize).copied().flatten() {
                Some(gate) => Operand::Gate(gate),
                None => operand,
            },
            other => other,
        };
        for operand in self.gates.iter_mut().flat_map(|gate| &mut gate.operands) {
            *operand = replaced(*operand);
        }
        for substitution in &mut self.substitutions {
            substitution.hypothesis = replaced(substitution.hypothesis);
            substitution.target = replaced(substitution.target);
        }
        for tree in &mut self.event_trees {
            let of_branches = tree
                .branches
                .iter_mut()
                .map(|branch| &mut branch.instructions);
            let of_sequences = tree.sequences.iter_mut().map(|s| &mut s.instructions);
            let mut lists: Vec<&mut Vec<Instruction>> = of_branches.chain(of_sequences).collect();
            while let Some(list) = lists.pop() {
                for instruction in list {
                    match instruction {
                        Instruction::Formula(operand) => {
                            *operand = replaced(*operand);
                        }
                        Instruction::If { yes, no, .. } => {
                            lists.push(yes);
                            lists.push(no);
                        }
                        _ => {}
                    }
                }
            }
        }
        for defined in self.defined.values_mut() {
            if let Defined::Event(event) = *defined
                && let Some(gate) = gate_of.get(event as usize).copied().flatten()
            {
                *defined = Defined::Gate(gate);
            }
        }
    }
}

/// The sets of `k` of the first `n` numbers, in lexicographic order.
struct Combinations {
    n: usize,
    next: Option<Vec<usize>>,
}

impl Combinations {
    fn new(n: usize, k: usize) -> Self {
        let next = (k <= n).then(|| (0..k).collect());
        Self { n, next }
    }
}

impl Iterator for Combinations {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let found = self.next.take()?;
        let k = found.len();
        // The last that can move up, and those after it right behind.
        if let Some(place) = (0..k)
            .rev()
            .find(|&place| found[place] < self.n - k + place)
        {
            let mut next = found.clone();
            next[place] += 1;
            for after in place + 1..k {
                next[after] = next[after - 1] + 1;
            }
            self.next = Some(next);
        }
        Some(found)
    }
}
