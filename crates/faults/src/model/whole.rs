//! A model as a whole, and the fault tree of one of its tops in one state.

use meetjoin_report::{counted, did_you_mean, meant, nearest};

use crate::tree::{Argument, BasicEvent, Connective, FaultTree, FaultTreeError, Gate};

use super::event_tree::{Alignment, EventTree, InitiatingEvent};
use super::expression::{Changing, Expressions, Number, Path, shown};
use super::formula::{ModelEvent, ModelGate, Operand};
use super::group::Group;
use super::names::{Defined, Names, Table};
use super::place::FaultTreeFileError;
use super::substitution::{self, Substitution};

/// A fault-tree model. See the [module page](crate::model).
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The top that a file names.
    pub(crate) top: Option<Operand>,
    pub(crate) names: Names,
    pub(crate) defined: Table<Defined>,
    pub(crate) gates: Vec<ModelGate>,
    /// How many gates at the end are members of common-cause groups, and not gates of a file.
    pub(crate) members: usize,
    pub(crate) events: Vec<ModelEvent>,
    /// The states of house events.
    pub(crate) houses: Vec<bool>,
    pub(crate) expressions: Expressions,
    pub(crate) groups: Vec<Group>,
    pub(crate) substitutions: Vec<Substitution>,
    pub(crate) initiating_events: Vec<InitiatingEvent>,
    pub(crate) event_trees: Vec<EventTree>,
    pub(crate) alignments: Vec<Alignment>,
}

/// The default mission time: a year in hours, as in SCRAM.
pub const MISSION_TIME: f64 = 8760.0;

/// An invalid mission time: less than 0, or NaN.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{0} is no time: it must be 0 or more hours")]
pub struct NoTime(pub f64);

/// The mission time that is asked for, in hours: [`MISSION_TIME`] if none is.
///
/// # Errors
/// If it is no time.
pub fn mission_time(asked: Option<f64>) -> Result<f64, NoTime> {
    let time = asked.unwrap_or(MISSION_TIME);
    if time >= 0.0 && time.is_finite() {
        Ok(time)
    } else {
        Err(NoTime(time))
    }
}

/// The state in which a model is evaluated.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Hours.
    pub mission_time: f64,
    /// House events that differ from the model's.
    pub(crate) houses: Vec<(u32, bool)>,
}

impl Default for State {
    fn default() -> Self {
        Self::at(MISSION_TIME)
    }
}

impl State {
    /// A mission time, and house events as the model has them.
    pub fn at(mission_time: f64) -> Self {
        Self {
            mission_time,
            houses: Vec::new(),
        }
    }
}

/// A phase of an alignment: a part of the time in which house events are as it says.
#[derive(Clone, Debug)]
pub struct PhaseOf<'m> {
    /// The name of the alignment.
    pub alignment: &'m str,
    /// Its own name.
    pub name: &'m str,
    /// Which part of the time it takes.
    pub fraction: f64,
    pub(crate) houses: &'m [(u32, bool)],
}

impl PhaseOf<'_> {
    /// A state in this phase.
    pub fn state(&self, mission_time: f64) -> State {
        State {
            mission_time,
            houses: self.houses.to_vec(),
        }
    }
}

impl Model {
    /// Whether any probability depends on the mission time.
    pub fn depends_on_time(&self) -> bool {
        let depends = self.expressions.depending(Changing::Time);
        let mut expressions = self.events.iter().filter_map(|event| event.expression);
        expressions.any(|expression| depends[expression as usize])
    }

    /// Whether an initiating event leads into an event tree.
    pub fn has_sequences(&self) -> bool {
        self.initiating_events
            .iter()
            .any(|event| event.tree.is_some())
    }

    /// The phases of all alignments.
    pub fn phases(&self) -> Vec<PhaseOf<'_>> {
        let mut phases = Vec::new();
        for alignment in &self.alignments {
            phases.extend(alignment.phases.iter().map(|phase| PhaseOf {
                alignment: self.names.text(alignment.name),
                name: self.names.text(phase.name),
                fraction: phase.fraction,
                houses: &phase.houses,
            }));
        }
        phases
    }

    /// The fault tree of a top in a state: of the gate of this name, or else of the one gate that
    /// no other has as an argument.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn tree(&self, top: Option<&str>, state: &State) -> Result<FaultTree, FaultTreeFileError> {
        let top = self.top(top)?;
        self.tree_of(top, state)
    }

    /// The fault tree of an operand, with the substitutions that can be part of it.
    pub(crate) fn tree_of(
        &self,
        top: Operand,
        state: &State,
    ) -> Result<FaultTree, FaultTreeFileError> {
        let mut houses = self.houses.clone();
        for &(house, is) in &state.houses {
            houses[house as usize] = is;
        }
        let argument = |operand: &Operand| match *operand {
            Operand::Gate(gate) => Argument::Gate(gate),
            Operand::Event(event) => Argument::Event(event),
            Operand::House(house) => Argument::Constant(houses[house as usize]),
            Operand::Constant(constant) => Argument::Constant(constant),
        };
        let mut gates: Vec<Gate> = Vec::with_capacity(self.gates.len());
        for gate in &self.gates {
            gates.push(Gate {
                name: gate.name.clone(),
                connective: gate.connective,
                arguments: gate.operands.iter().map(argument).collect(),
            });
        }
        let top = substitution::under(&self.substitutions, argument(&top), argument, &mut gates);
        let events = self.basic_events(state)?;
        FaultTree::new(gates, events, top).map_err(|error| self.explained(&error))
    }

    /// The basic events, with their probabilities in a state.
    fn basic_events(&self, state: &State) -> Result<Vec<BasicEvent>, FaultTreeFileError> {
        let values = self
            .expressions
            .values(state.mission_time, &Path::default());
        let of = |event: &ModelEvent| {
            let probability = event.expression.map(|expression| {
                let value = values[expression as usize];
                self.checked(event, value, |number| values[number as usize])
            });
            Ok(BasicEvent {
                name: event.name.clone(),
                probability: probability.transpose()?,
            })
        };
        self.events.iter().map(of).collect()
    }

    /// The probability of an event, if it is one.
    pub(crate) fn checked(
        &self,
        event: &ModelEvent,
        value: f64,
        values: impl Fn(Number) -> f64,
    ) -> Result<f64, FaultTreeFileError> {
        let name = &event.name;
        let Some(expression) = event.expression.filter(|_| !(0.0..=1.0).contains(&value)) else {
            return Ok(value);
        };
        if value.is_nan() {
            let (at, what) = self.expressions.cause(expression, values);
            let what = format!("the probability of {name:?} has no value: {what} has none");
            return Err(FaultTreeFileError::at(self.expressions.get(at).place, what));
        }
        let what = format!(
            "the probability {} of {name:?} does not lie in 0..1",
            shown(value)
        );
        Err(FaultTreeFileError::at(event.place, what))
    }

    /// Where the error of a tree comes from.
    fn explained(&self, error: &FaultTreeError) -> FaultTreeFileError {
        let at_gate = |gate: u32, why: String| {
            let Some(gate) = self.gates.get(gate as usize) else {
                return FaultTreeFileError::whole(why);
            };
            let called = match &gate.name {
                Some(name) => format!("gate {name:?}"),
                None => "a formula".to_owned(),
            };
            FaultTreeFileError::at(gate.place, format!("{called} {why}"))
        };
        match *error {
            FaultTreeError::Cycle { gate } => at_gate(gate, "depends on itself".to_owned()),
            FaultTreeError::Arity {
                gate,
                connective: Connective::AtLeast(least),
                found,
            } => at_gate(
                gate,
                format!(
                    "asks for at least {least} of {}",
                    counted(found, "argument")
                ),
            ),
            FaultTreeError::Arity {
                gate,
                connective,
                found,
            } => at_gate(
                gate,
                format!("is {connective} of {}", counted(found, "argument")),
            ),
            ref other => FaultTreeFileError::whole(other.to_string()),
        }
    }

    /// The gates that are known by one name, in alphabetical order.
    fn outer_gates(&self) -> Vec<&str> {
        let gates = self
            .defined
            .iter()
            .filter_map(|(&(container, name), defined)| {
                let is_outer = container == 0 && matches!(defined, Defined::Gate(_));
                is_outer.then(|| self.names.text(name))
            });
        let mut gates: Vec<&str> = gates.collect();
        gates.sort_unstable();
        gates
    }

    /// What a tree is about.
    fn top(&self, name: Option<&str>) -> Result<Operand, FaultTreeFileError> {
        if let Some(name) = name {
            let symbol = self.names.known(name);
            // A path need not have a symbol of its own; its parts have.
            let found = if let Some(symbol) = symbol {
                self.names.find(&self.defined, 0, symbol)
            } else {
                let mut names = self.names.clone();
                let symbol = names.number(name);
                names.find(&self.defined, 0, symbol)
            };
            return match found {
                Some(Defined::Gate(gate)) => Ok(Operand::Gate(gate)),
                Some(Defined::Event(event)) => Ok(Operand::Event(event)),
                Some(Defined::House(house)) => Ok(Operand::House(house)),
                None => {
                    let meant = meant(name, self.outer_gates());
                    let why = format!("there is no gate {name:?}{meant}");
                    Err(FaultTreeFileError::whole(why))
                }
            };
        }
        if let Some(top) = self.top {
            return Ok(top);
        }
        // Formulas of event trees and of substitutions use no gate: only gates do, by themselves or
        // by the formulas within them.
        let gates = &self.gates[..self.gates.len() - self.members];
        let mut used = vec![false; self.gates.len()];
        let named = (0..).zip(gates).filter(|(_, gate)| gate.name.is_some());
        let mut stack: Vec<u32> = named.map(|(number, _)| number).collect();
        while let Some(gate) = stack.pop() {
            for operand in &self.gates[gate as usize].operands {
                if let Operand::Gate(below) = *operand
                    && !std::mem::replace(&mut used[below as usize], true)
                    && self.gates[below as usize].name.is_none()
                {
                    stack.push(below);
                }
            }
        }
        let is_top = |(gate, of): &(u32, &ModelGate)| !used[*gate as usize] && of.name.is_some();
        let tops: Vec<(u32, &ModelGate)> = (0..).zip(gates).filter(is_top).collect();
        match tops[..] {
            [(top, _)] => Ok(Operand::Gate(top)),
            // If every gate is used, there is a cycle; the check of the tree names it.
            [] => match gates.iter().position(|gate| gate.name.is_some()) {
                Some(gate) => Ok(Operand::Gate(gate as u32)),
                None => Err(FaultTreeFileError::whole("there is no gate")),
            },
            _ => {
                const SHOWN: usize = 10;
                let names = tops.iter().filter_map(|(_, gate)| gate.name.as_deref());
                let names: Vec<&str> = names.take(SHOWN).collect();
                let more = if tops.len() > SHOWN { ", ..." } else { "" };
                // An argument misspelt leaves its gate unused, and itself undefined.
                let unknown = self
                    .events
                    .iter()
                    .filter(|event| event.expression.is_none());
                let mut slips = unknown.filter_map(|event| {
                    let names = tops.iter().filter_map(|(_, gate)| gate.name.as_deref());
                    let near = nearest(&event.name, names)?;
                    Some(format!("; for {:?}, {}", event.name, did_you_mean(near)))
                });
                let slip = slips.next().unwrap_or_default();
                Err(FaultTreeFileError::whole(format!(
                    "{} gates are no arguments of others ({}{more}): name one with --top{slip}",
                    tops.len(),
                    names.join(", ")
                )))
            }
        }
    }
}
