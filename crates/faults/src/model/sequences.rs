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
//! Cost: linear in the ways, which may be as many as two to the number of functional events, and in
//! what each sequence collects on all ways to it together.

mod trees;
mod way;

use std::rc::Rc;

use meetjoin_lattice::Budget;

use crate::map::{Map, Set};
use crate::tree::FaultTree;

use super::event_tree::{Instruction, Target};
use super::expression::{Number, Path};
use super::names::Symbol;
use super::place::FaultTreeFileError;
use super::whole::{Model, State};
use trees::Trees;
use way::{Collected, Way};

pub use trees::SequenceIs;
pub use way::SequencesError;

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
            let (of_event, collected) =
                self.ways(tree, initiating.name, state.mission_time, budget)?;
            let collected = trees.collected(&collected);
            for ((tree, sequence), ways) in of_event {
                let tree = &self.event_trees[tree as usize];
                let name = tree.sequences[sequence as usize].name;
                budget.steps(ways.len() as u64)?;
                let what = trees.sequence(&ways, &collected, whole, budget, || {
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

    /// The ways to each sequence, from an event tree, and all that they collect.
    fn ways(
        &self,
        tree: u32,
        initiating: Symbol,
        time: f64,
        budget: &Budget,
    ) -> Result<(Vec<WaysTo>, Vec<Collected>), SequencesError> {
        let mut numbers = Map::<(u32, u32), usize>::default();
        let mut found: Vec<WaysTo> = Vec::new();
        let mut walk = Walk {
            model: self,
            time,
            collected: Vec::new(),
            path: Path::default(),
            before: Vec::new(),
        };
        walk.path.initiating = Some(initiating);
        let initial = |tree: u32| (tree, self.event_trees[tree as usize].initial);
        let mut stack = vec![(initial(tree), Way::default(), 0, Step::Nothing)];
        while let Some(((tree_number, branch), mut way, changes, step)) = stack.pop() {
            budget.steps(1)?;
            walk.go_on(changes, step);
            let changes = walk.before.len();
            let tree = &self.event_trees[tree_number as usize];
            let branch = &tree.branches[branch as usize];
            walk.follow(&branch.instructions, &mut way)?;
            match &branch.target {
                Target::Branch(next) => {
                    stack.push(((tree_number, *next), way, changes, Step::Nothing));
                }
                Target::Fork(event, paths) => {
                    for &(state, next) in paths.iter().rev() {
                        let step = Step::State((*event, state));
                        stack.push(((tree_number, next), way.clone(), changes, step));
                    }
                }
                Target::Sequence(sequence) => {
                    let instructions = &tree.sequences[*sequence as usize].instructions;
                    let links = walk.follow(instructions, &mut way)?;
                    if !links.is_empty() {
                        for (linked, way) in links.into_iter().rev() {
                            stack.push((initial(linked), way, changes, Step::Tree));
                        }
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
        Ok((found, walk.collected))
    }
}

/// A step from one branch to the next.
#[derive(Clone, Copy)]
enum Step {
    Nothing,
    /// A functional event is in a state from here on.
    State((Symbol, Symbol)),
    /// Into another tree. Functional events are those of one tree.
    Tree,
}

/// A walk along all ways from an initiating event, one after the other.
struct Walk<'m> {
    model: &'m Model,
    time: f64,
    collected: Vec<Collected>,
    /// The path to where the walk is.
    path: Path,
    /// What takes the changes of the path back, the newest last.
    before: Vec<Before>,
}

/// How the path was before a change.
enum Before {
    Without((Symbol, Symbol)),
    With(Set<(Symbol, Symbol)>),
}

impl Walk<'_> {
    /// Takes back all changes but the first ones, and makes a step.
    fn go_on(&mut self, changes: usize, step: Step) {
        while self.before.len() > changes {
            match self.before.pop() {
                Some(Before::Without(state)) => {
                    self.path.states.remove(&state);
                }
                Some(Before::With(states)) => self.path.states = states,
                None => {}
            }
        }
        match step {
            Step::Nothing => {}
            Step::State(state) => {
                if self.path.states.insert(state) {
                    self.before.push(Before::Without(state));
                }
            }
            Step::Tree => {
                let states = std::mem::take(&mut self.path.states);
                self.before.push(Before::With(states));
            }
        }
    }

    /// Follows instructions. Returns the trees that they lead into, each with the way to it.
    fn follow(
        &mut self,
        instructions: &[Instruction],
        way: &mut Way,
    ) -> Result<Vec<(u32, Way)>, FaultTreeFileError> {
        let mut lists = vec![instructions.iter()];
        let mut links = Vec::new();
        while let Some(list) = lists.last_mut() {
            let Some(instruction) = list.next() else {
                lists.pop();
                continue;
            };
            match instruction {
                Instruction::Formula(formula) => {
                    let before = way.last.replace(self.collected.len() as u32);
                    self.collected.push(Collected {
                        operand: *formula,
                        houses: way.houses.clone(),
                        before,
                    });
                }
                Instruction::Expression(number) => {
                    let value = self.number(*number)?;
                    if value < 0.0 {
                        let place = self.model.expressions.get(*number).place;
                        let what = format!("a factor of a probability is {value}, below 0");
                        return Err(FaultTreeFileError::at(place, what));
                    }
                    way.factor = Some(way.factor.unwrap_or(1.0) * value);
                }
                Instruction::House(house, state) => {
                    Rc::make_mut(&mut way.houses).insert(*house, *state);
                }
                Instruction::Link(tree) => links.push((*tree, way.clone())),
                Instruction::If { condition, yes, no } => {
                    let value = self.number(*condition)?;
                    lists.push(if value == 0.0 { no } else { yes }.iter());
                }
            }
        }
        Ok(links)
    }

    /// The value of an expression on the way.
    fn number(&self, number: Number) -> Result<f64, FaultTreeFileError> {
        let expressions = &self.model.expressions;
        let values = expressions.values_below(number, self.time, &self.path);
        let value = values[&number];
        if value.is_nan() {
            let (at, what) = expressions.cause(number, |number| values[&number]);
            let what = format!("{what} has no value");
            return Err(FaultTreeFileError::at(expressions.get(at).place, what));
        }
        Ok(value)
    }
}
