//! Event trees followed to their sequences.
//!
//! Problem: an event tree says in which ways an accident may go on. A way collects formulas that
//! must hold, or factors of its probability, and sets house events; a sequence is all ways that
//! lead to it.
//!
//! Idea: every way from an initiating event is followed. A sequence is the OR of its ways, and a
//! way the AND of what it collects, each formula with the house events as they were set when it was
//! collected. A way that collects nothing is certain. Where factors are collected, ways exclude
//! each other, so that a sequence is as probable as its ways together. Formulas of one way that
//! share no event are parts: sequences have many of them in common, and each is made once.
//!
//! Cost: linear in the ways, which may be as many as two to the number of functional events.

use std::collections::BTreeMap;

use meetjoin_lattice::{Budget, Stop};

use crate::map::{Map, Set};
use crate::tree::{Argument, BasicEvent, Connective, FaultTree, Gate};

use super::event_tree::{Instruction, Target};
use super::expression::{Number, Path};
use super::formula::{ModelGate, Operand};
use super::names::Symbol;
use super::place::FaultTreeFileError;
use super::substitution;
use super::whole::{Model, State};

/// House events that were set.
type Houses = BTreeMap<u32, bool>;

/// Something that a way collected, with the house events of that moment.
type Collected = (Operand, Houses);

/// A way to a sequence.
#[derive(Clone, Debug, Default)]
struct Way {
    formulas: Vec<Collected>,
    /// The product of what was collected, if anything was.
    factor: Option<f64>,
    houses: Houses,
    path: Path,
}

/// A tree and a sequence of it by their numbers, and the ways to it.
type WaysTo = ((u32, u32), Vec<Way>);

/// A sequence of an event tree, after an initiating event.
#[derive(Clone, Debug)]
pub struct FoundSequence {
    /// The event tree in which it stands.
    pub event_tree: String,
    /// What it begins with.
    pub initiating_event: String,
    /// Its name.
    pub name: String,
    /// What it is.
    pub what: SequenceIs,
}

/// What a sequence is.
#[derive(Clone, Debug)]
pub enum SequenceIs {
    /// Formulas over basic events.
    Tree(FaultTree),
    /// All of these parts, which share no event: their numbers in the list of parts.
    Parts(Vec<usize>),
    /// A probability alone.
    Probability(f64),
}

/// All sequences, and the parts that they have in common.
#[derive(Clone, Debug)]
pub struct FoundSequences {
    /// In the order in which they are met.
    pub sequences: Vec<FoundSequence>,
    /// Trees that several sequences may have.
    pub parts: Vec<FaultTree>,
}

/// Why sequences cannot be found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SequencesError {
    /// A limit fired.
    #[error(transparent)]
    Stop(#[from] Stop),
    /// Something is wrong with the model.
    #[error(transparent)]
    Model(#[from] FaultTreeFileError),
    /// Nothing leads into an event tree.
    #[error("no initiating event leads into an event tree")]
    None,
}

impl Model {
    /// All sequences, in parts or each as a `whole`.
    ///
    /// # Errors
    /// What is wrong with the model, or which limit fired.
    pub fn sequences(
        &self,
        state: &State,
        whole: bool,
        budget: &Budget,
    ) -> Result<FoundSequences, SequencesError> {
        if !self.has_sequences() {
            return Err(SequencesError::None);
        }
        if self.substitutions.iter().any(|s| !s.sources.is_empty()) {
            let what =
                "substitutions with sources speak of cut sets; sequences are not read with them";
            return Err(FaultTreeFileError::whole(what).into());
        }
        let mut builder = Builder::new(self, state)?;
        let mut found = Vec::new();
        for initiating in &self.initiating_events {
            let Some(tree) = initiating.tree else {
                continue;
            };
            let of_event = self.ways(tree, initiating.name, state.mission_time, budget)?;
            for ((tree, sequence), ways) in of_event {
                let tree = &self.event_trees[tree as usize];
                let name = tree.sequences[sequence as usize].name;
                let what = builder.sequence(&ways, whole, || {
                    let what = format!(
                        "the sequence {:?} of the event tree {:?} collects formulas and expressions; \
                         one or the other is read",
                        self.names.text(name),
                        self.names.text(tree.name)
                    );
                    FaultTreeFileError::at(tree.place, what)
                })?;
                found.push(FoundSequence {
                    event_tree: self.names.text(tree.name).to_owned(),
                    initiating_event: self.names.text(initiating.name).to_owned(),
                    name: self.names.text(name).to_owned(),
                    what,
                });
            }
        }
        Ok(FoundSequences {
            sequences: found,
            parts: builder.parts,
        })
    }

    /// The ways to each sequence, from an event tree.
    fn ways(
        &self,
        tree: u32,
        initiating: Symbol,
        time: f64,
        budget: &Budget,
    ) -> Result<Vec<WaysTo>, SequencesError> {
        let mut numbers = Map::<(u32, u32), usize>::default();
        let mut found: Vec<WaysTo> = Vec::new();
        let mut way = Way::default();
        way.path.initiating = Some(initiating);
        let mut stack = vec![(tree, self.event_trees[tree as usize].initial, way)];
        while let Some((tree_number, branch, mut way)) = stack.pop() {
            budget.steps(1)?;
            let tree = &self.event_trees[tree_number as usize];
            let branch = &tree.branches[branch as usize];
            self.follow(&branch.instructions, &mut way, time, |_, _| {})?;
            match &branch.target {
                Target::Branch(next) => stack.push((tree_number, *next, way)),
                Target::Fork(event, paths) => {
                    for &(state, next) in paths.iter().rev() {
                        let mut way = way.clone();
                        way.path.states.push((*event, state));
                        stack.push((tree_number, next, way));
                    }
                }
                Target::Sequence(sequence) => {
                    let before = stack.len();
                    let instructions = &tree.sequences[*sequence as usize].instructions;
                    self.follow(instructions, &mut way, time, |way, linked| {
                        let mut way = way.clone();
                        // Functional events are those of one tree.
                        way.path.states.clear();
                        stack.push((linked, self.event_trees[linked as usize].initial, way));
                    })?;
                    if stack.len() > before {
                        stack[before..].reverse();
                        continue;
                    }
                    let key = (tree_number, *sequence);
                    let place = *numbers.entry(key).or_insert(found.len());
                    if place == found.len() {
                        found.push((key, Vec::new()));
                    }
                    found[place].1.push(way);
                }
            }
        }
        Ok(found)
    }

    /// Does what instructions say.
    fn follow(
        &self,
        instructions: &[Instruction],
        way: &mut Way,
        time: f64,
        mut link: impl FnMut(&Way, u32),
    ) -> Result<(), FaultTreeFileError> {
        let mut lists = vec![instructions.iter()];
        while let Some(list) = lists.last_mut() {
            let Some(instruction) = list.next() else {
                lists.pop();
                continue;
            };
            match instruction {
                Instruction::Formula(formula) => {
                    way.formulas.push((*formula, way.houses.clone()));
                }
                Instruction::Expression(number) => {
                    let value = self.number_on(*number, time, &way.path)?;
                    way.factor = Some(way.factor.unwrap_or(1.0) * value);
                }
                Instruction::House(house, state) => {
                    way.houses.insert(*house, *state);
                }
                Instruction::Link(tree) => link(way, *tree),
                Instruction::If { condition, yes, no } => {
                    let value = self.number_on(*condition, time, &way.path)?;
                    lists.push(if value == 0.0 { no } else { yes }.iter());
                }
            }
        }
        Ok(())
    }

    /// What an expression is worth on a way.
    fn number_on(&self, number: Number, time: f64, path: &Path) -> Result<f64, FaultTreeFileError> {
        let values = self.expressions.values_below(number, time, path);
        let value = values[&number];
        if value.is_nan() {
            let (at, what) = self.expressions.cause(number, |number| values[&number]);
            let what = format!("{what} has no value");
            return Err(FaultTreeFileError::at(self.expressions.get(at).place, what));
        }
        Ok(value)
    }
}

/// By gate: the first of those without a name that say the same; a formula comes after those in it.
fn same(gates: &[ModelGate]) -> Vec<u32> {
    let mut first = Map::<(Connective, Vec<Operand>), u32>::default();
    let mut same: Vec<u32> = Vec::with_capacity(gates.len());
    for (number, gate) in (0..).zip(gates) {
        let known = |operand: &Operand| match *operand {
            Operand::Gate(below) => same
                .get(below as usize)
                .map_or(*operand, |g| Operand::Gate(*g)),
            other => other,
        };
        let operands: Vec<Operand> = gate.operands.iter().map(known).collect();
        same.push(match gate.name {
            Some(_) => number,
            None => *first.entry((gate.connective, operands)).or_insert(number),
        });
    }
    same
}

/// Makes the trees of sequences, of what they need alone.
struct Builder<'m> {
    model: &'m Model,
    events: Vec<BasicEvent>,
    /// House events of the state.
    houses: Vec<bool>,
    /// By gate: whether it depends on a house event.
    depends: Vec<bool>,
    /// House events as they were set; 0 is none.
    settings: Vec<Houses>,
    setting_numbers: BTreeMap<Houses, u32>,
    parts: Vec<FaultTree>,
    /// Parts by their formulas and house events.
    part_numbers: Map<Vec<(Operand, u32)>, usize>,
    /// By gate: the first that says the same. Each path writes its own formula.
    same: Vec<u32>,
    /// The events below formulas.
    below: Map<(Operand, u32), Vec<u32>>,
}

/// A tree that is being made.
#[derive(Default)]
struct Made {
    gates: Vec<Gate>,
    events: Vec<BasicEvent>,
    event_numbers: Map<u32, u32>,
    /// By gate and number of house events as they are set.
    gate_numbers: Map<(u32, u32), Option<u32>>,
}

impl Made {
    fn tree(self, top: Argument) -> Result<FaultTree, FaultTreeFileError> {
        let tree = FaultTree::new(self.gates, self.events, top);
        tree.map_err(|error| FaultTreeFileError::whole(error.to_string()))
    }

    fn add(&mut self, connective: Connective, arguments: Vec<Argument>) -> Argument {
        self.gates.push(Gate {
            name: None,
            connective,
            arguments,
        });
        Argument::Gate(self.gates.len() as u32 - 1)
    }
}

impl<'m> Builder<'m> {
    fn new(model: &'m Model, state: &State) -> Result<Self, FaultTreeFileError> {
        let mut houses = model.houses.clone();
        for &(house, is) in &state.houses {
            houses[house as usize] = is;
        }
        // The whole is checked once: that no gate depends on itself, and that all fits.
        let top = Operand::Constant(true);
        let checked = model.tree_of(top, state)?;
        let mut depends = vec![false; model.gates.len()];
        let order = checked.upwards().unwrap_or_default();
        let of_model = depends.len();
        for gate in order.into_iter().filter(|gate| (*gate as usize) < of_model) {
            let mut operands = model.gates[gate as usize].operands.iter();
            depends[gate as usize] = operands.any(|operand| match *operand {
                Operand::House(_) => true,
                Operand::Gate(gate) => depends[gate as usize],
                _ => false,
            });
        }
        Ok(Self {
            model,
            events: checked.events().to_vec(),
            houses,
            depends,
            settings: vec![Houses::new()],
            setting_numbers: BTreeMap::from([(Houses::new(), 0)]),
            parts: Vec::new(),
            part_numbers: Map::default(),
            below: Map::default(),
            same: same(&model.gates),
        })
    }

    fn setting(&mut self, houses: &Houses) -> u32 {
        if let Some(&number) = self.setting_numbers.get(houses) {
            return number;
        }
        let number = self.settings.len() as u32;
        self.settings.push(houses.clone());
        self.setting_numbers.insert(houses.clone(), number);
        number
    }

    /// The events that a formula leads to.
    fn events_below(&mut self, operand: Operand, setting: u32) -> &[u32] {
        let key = (operand, setting);
        if !self.below.contains_key(&key) {
            let (mut seen, mut stack) = (Set::<Operand>::default(), vec![operand]);
            while let Some(operand) = stack.pop() {
                if seen.insert(operand)
                    && let Operand::Gate(gate) = operand
                {
                    stack.extend(&self.model.gates[gate as usize].operands);
                }
            }
            let event = |operand: Operand| match operand {
                Operand::Event(event) => Some(event),
                _ => None,
            };
            let mut events: Vec<u32> = seen.into_iter().filter_map(event).collect();
            events.sort_unstable();
            self.below.insert(key, events);
        }
        &self.below[&key]
    }

    /// The parts of a way: formulas that share events stand together.
    fn parts_of(&mut self, way: &Way) -> Result<Vec<usize>, FaultTreeFileError> {
        let mut formulas: Vec<(Operand, u32)> = Vec::new();
        for (operand, houses) in &way.formulas {
            let setting = self.setting(houses);
            let operand = match *operand {
                Operand::Gate(gate) => Operand::Gate(self.same[gate as usize]),
                other => other,
            };
            formulas.push((operand, setting));
        }
        formulas.sort_unstable();
        formulas.dedup();
        // The first formula of the part of each; it is its own first if nothing joins them.
        let mut first: Vec<usize> = (0..formulas.len()).collect();
        let root = |first: &[usize], mut at: usize| {
            while first[at] != at {
                at = first[at];
            }
            at
        };
        let mut user = Map::<u32, usize>::default();
        for (place, &(operand, setting)) in formulas.iter().enumerate() {
            for &event in self.events_below(operand, setting) {
                let other = *user.entry(event).or_insert(place);
                let (a, b) = (root(&first, other), root(&first, place));
                first[a.max(b)] = a.min(b);
            }
        }
        let mut groups: BTreeMap<usize, Vec<(Operand, u32)>> = BTreeMap::new();
        for (place, &formula) in formulas.iter().enumerate() {
            groups.entry(root(&first, place)).or_default().push(formula);
        }
        let mut numbers = Vec::new();
        for group in groups.into_values() {
            if let Some(&number) = self.part_numbers.get(&group) {
                numbers.push(number);
                continue;
            }
            let mut made = Made::default();
            let arguments = group
                .iter()
                .map(|&(operand, s)| self.argument(&mut made, operand, s));
            let arguments: Vec<Argument> = arguments.collect();
            let top = made.add(Connective::And, arguments);
            self.parts.push(made.tree(top)?);
            self.part_numbers.insert(group, self.parts.len() - 1);
            numbers.push(self.parts.len() - 1);
        }
        Ok(numbers)
    }

    fn sequence(
        &mut self,
        ways: &[Way],
        whole: bool,
        mixed: impl Fn() -> FaultTreeFileError,
    ) -> Result<SequenceIs, FaultTreeFileError> {
        if ways.iter().any(|way| way.factor.is_some()) {
            if ways.iter().any(|way| !way.formulas.is_empty()) {
                return Err(mixed());
            }
            let sum: f64 = ways.iter().map(|way| way.factor.unwrap_or(1.0)).sum();
            return Ok(SequenceIs::Probability(sum));
        }
        let declared = self
            .model
            .substitutions
            .iter()
            .any(|s| s.sources.is_empty());
        if let ([way], false, false) = (ways, whole, declared) {
            return self.parts_of(way).map(SequenceIs::Parts);
        }
        let mut made = Made::default();
        let mut alternatives = Vec::new();
        for way in ways {
            let mut arguments = Vec::new();
            for (formula, houses) in &way.formulas {
                let setting = self.setting(houses);
                arguments.push(self.argument(&mut made, *formula, setting));
            }
            alternatives.push(match arguments[..] {
                [] => Argument::Constant(true),
                [one] => one,
                _ => made.add(Connective::And, arguments),
            });
        }
        let top = match alternatives[..] {
            [one] => one,
            _ => made.add(Connective::Or, alternatives),
        };
        // What is known of the system besides holds here too.
        let substitutions = &self.model.substitutions;
        let mut operands = Map::<Operand, Argument>::default();
        for s in substitutions.iter().filter(|s| s.sources.is_empty()) {
            for operand in [s.hypothesis, s.target] {
                let argument = self.argument(&mut made, operand, 0);
                operands.insert(operand, argument);
            }
        }
        let argument = |operand: &Operand| operands[operand];
        let top = substitution::under(substitutions, top, argument, &mut made.gates);
        made.tree(top).map(SequenceIs::Tree)
    }

    /// What an operand is in the tree, with house events as they are set.
    fn argument(&self, made: &mut Made, operand: Operand, setting: u32) -> Argument {
        let mut stack = vec![operand];
        while let Some(&top) = stack.last() {
            let Operand::Gate(gate) = top else {
                stack.pop();
                continue;
            };
            let key = self.key(gate, setting);
            if made.gate_numbers.get(&key).copied().flatten().is_some() {
                stack.pop();
                continue;
            }
            let model_gate = &self.model.gates[gate as usize];
            if made.gate_numbers.insert(key, None).is_none() {
                stack.extend(model_gate.operands.iter().rev());
                continue;
            }
            let operands = model_gate.operands.iter();
            let arguments: Vec<Argument> = operands
                .map(|&operand| self.leaf(made, operand, setting))
                .collect();
            let number = made.gates.len() as u32;
            made.gates.push(Gate {
                name: model_gate.name.clone(),
                connective: model_gate.connective,
                arguments,
            });
            made.gate_numbers.insert(key, Some(number));
            stack.pop();
        }
        self.leaf(made, operand, setting)
    }

    fn key(&self, gate: u32, setting: u32) -> (u32, u32) {
        (
            gate,
            if self.depends[gate as usize] {
                setting
            } else {
                0
            },
        )
    }

    /// The same of an operand that is no gate, or a gate that is made.
    fn leaf(&self, made: &mut Made, operand: Operand, setting: u32) -> Argument {
        match operand {
            Operand::Gate(gate) => {
                let number = made.gate_numbers.get(&self.key(gate, setting));
                Argument::Gate(number.copied().flatten().unwrap_or_default())
            }
            Operand::Event(event) => {
                let next = made.events.len() as u32;
                let number = *made.event_numbers.entry(event).or_insert(next);
                if number == next {
                    made.events.push(self.events[event as usize].clone());
                }
                Argument::Event(number)
            }
            Operand::House(house) => {
                let set = self.settings[setting as usize].get(&house).copied();
                Argument::Constant(set.unwrap_or(self.houses[house as usize]))
            }
            Operand::Constant(constant) => Argument::Constant(constant),
        }
    }
}
