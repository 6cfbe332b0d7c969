//! Event trees followed to their sequences.
//!
//! Problem: an event tree says in which ways an accident may go on. A way collects formulas that
//! must hold, or factors of its probability, and sets house events; a sequence is all ways that
//! lead to it.
//!
//! Idea: every way from an initiating event is followed. A sequence is the OR of its ways, and a
//! way the AND of what it collects, each formula with the house events as they were set when it was
//! collected. A way that collects nothing is certain. Where factors are collected, ways exclude
//! each other, so the probability of a sequence is the sum over its ways. `trees` makes fault trees
//! of the formulas; `way` has the types of both.
//!
//! Cost: linear in the ways, which may be as many as two to the number of functional events.

mod trees;
mod way;

use meetjoin_lattice::{Budget, Stop};

use crate::map::Map;
use crate::tree::FaultTree;

use super::event_tree::{Instruction, Target};
use super::expression::{Number, Path};
use super::names::Symbol;
use super::place::FaultTreeFileError;
use super::whole::{Model, State};
use trees::Trees;
use way::Way;

pub use trees::SequenceIs;

/// A tree and a sequence of it by their numbers, and the ways to it.
type WaysTo = ((u32, u32), Vec<Way>);

/// What a sum of probabilities may lie above 1, from rounding.
const ROUNDING: f64 = 1e-9;

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

/// All sequences, and the parts that they have in common.
#[derive(Clone, Debug)]
pub struct FoundSequences {
    /// In the order in which they are met.
    pub sequences: Vec<FoundSequence>,
    /// Trees that several sequences may have; their numbers are places here.
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
    /// No initiating event leads into an event tree.
    #[error("no initiating event leads into an event tree")]
    None,
}

impl Model {
    /// All sequences, over parts or each as a `whole`.
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
        let mut trees = Trees::new(self, state)?;
        let mut found = Vec::new();
        for initiating in &self.initiating_events {
            let Some(tree) = initiating.tree else {
                continue;
            };
            let of_event = self.ways(tree, initiating.name, state.mission_time, budget)?;
            for ((tree, sequence), ways) in of_event {
                let tree = &self.event_trees[tree as usize];
                let name = tree.sequences[sequence as usize].name;
                let what = trees.sequence(&ways, whole, || {
                    let what = format!(
                        "the sequence {:?} of the event tree {:?} collects formulas and expressions; \
                         one or the other is read",
                        self.names.text(name),
                        self.names.text(tree.name)
                    );
                    FaultTreeFileError::at(tree.place, what)
                })?;
                if let SequenceIs::Probability(p) = what
                    && p > 1.0 + ROUNDING
                {
                    let what = format!(
                        "the ways to the sequence {:?} of the event tree {:?} have the probability \
                         {p} together, above 1",
                        self.names.text(name),
                        self.names.text(tree.name)
                    );
                    return Err(FaultTreeFileError::at(tree.place, what).into());
                }
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
            parts: trees.parts,
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

    /// Follows instructions.
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
                    if value < 0.0 {
                        let place = self.expressions.get(*number).place;
                        let what = format!("a factor of a probability is {value}, below 0");
                        return Err(FaultTreeFileError::at(place, what));
                    }
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

    /// The value of an expression on a way.
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
