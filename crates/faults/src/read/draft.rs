//! A fault tree while it is read.

use std::collections::HashMap;

use crate::tree::FaultTree;
use crate::tree::{Argument, BasicEvent, Connective, FaultTreeError, Gate};

/// A place in a text: bytes before it.
pub(super) type Spot = usize;

/// What is wrong, and where in the text.
#[derive(Debug)]
pub(super) struct Wrong {
    what: String,
    spot: Option<Spot>,
}

impl Wrong {
    pub(super) fn at(spot: Spot, what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            spot: Some(spot),
        }
    }

    pub(super) fn whole(what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            spot: None,
        }
    }

    /// With line and column.
    pub(super) fn of(self, text: &str) -> FaultTreeFileError {
        let Self { what, spot } = self;
        let place = spot.map(|spot| {
            let before = text.get(..spot).unwrap_or(text);
            let start = before.rfind('\n').map_or(0, |newline| newline + 1);
            let column = before[start..].chars().count() + 1;
            (before.matches('\n').count() + 1, column)
        });
        FaultTreeFileError { what, place }
    }
}

/// What is wrong with a file of a fault tree, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}{}", shown_place(*.place))]
pub struct FaultTreeFileError {
    what: String,
    place: Option<(usize, usize)>,
}

fn shown_place(place: Option<(usize, usize)>) -> String {
    place.map_or_else(String::new, |(line, column)| {
        format!(" (line {line} column {column})")
    })
}

impl FaultTreeFileError {
    /// Line and column, from 1, if it has a place.
    pub fn place(&self) -> Option<(usize, usize)> {
        self.place
    }
}

/// What a name may stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    Gate,
    Event,
    House,
    /// Any of these.
    Any,
}

/// An argument as it is read.
#[derive(Clone, Debug)]
pub(super) enum Mention {
    /// A name, with the container in which it is looked up.
    Name {
        name: String,
        container: String,
        expected: Expected,
    },
    /// A gate without a name.
    Inner(u32),
    Constant(bool),
}

#[derive(Clone, Debug)]
struct DraftGate {
    name: Option<String>,
    formula: Option<Connective>,
    arguments: Vec<(Mention, Spot)>,
    spot: Spot,
}

#[derive(Clone, Copy, Debug)]
enum Defined {
    Gate(u32),
    Event(u32),
    House(bool),
}

/// Gates, events and names so far.
#[derive(Debug, Default)]
pub(super) struct Draft {
    gates: Vec<DraftGate>,
    events: Vec<(BasicEvent, Spot)>,
    /// By name, with its containers if it is private or if it was asked for so.
    names: HashMap<String, Defined>,
    /// Names without a definition are basic events.
    implicit_events: bool,
}

impl Draft {
    /// Nothing yet. Names without a definition will be basic events.
    pub(super) fn with_implicit_events() -> Self {
        Self {
            implicit_events: true,
            ..Self::default()
        }
    }

    /// A gate with a name; its formula comes later.
    pub(super) fn gate(&mut self, name: &str, keys: &[String], spot: Spot) -> Result<u32, Wrong> {
        let number = self.inner(spot);
        self.gates[number as usize].name = Some(name.to_owned());
        self.define(name, keys, Defined::Gate(number), spot)?;
        Ok(number)
    }

    /// A gate without a name.
    pub(super) fn inner(&mut self, spot: Spot) -> u32 {
        self.gates.push(DraftGate {
            name: None,
            formula: None,
            arguments: Vec::new(),
            spot,
        });
        (self.gates.len() - 1) as u32
    }

    pub(super) fn set_connective(&mut self, gate: u32, connective: Connective) {
        self.gates[gate as usize].formula = Some(connective);
    }

    pub(super) fn add_argument(&mut self, gate: u32, mention: Mention, spot: Spot) {
        self.gates[gate as usize].arguments.push((mention, spot));
    }

    pub(super) fn event(
        &mut self,
        name: &str,
        keys: &[String],
        probability: Option<f64>,
        spot: Spot,
    ) -> Result<(), Wrong> {
        let number = self.events.len() as u32;
        // A private event is known by its path, which no other has.
        let name = keys.first().map_or(name, String::as_str);
        self.events.push((
            BasicEvent {
                name: name.to_owned(),
                probability,
            },
            spot,
        ));
        self.define(name, keys, Defined::Event(number), spot)
    }

    pub(super) fn house(
        &mut self,
        name: &str,
        keys: &[String],
        state: bool,
        spot: Spot,
    ) -> Result<(), Wrong> {
        self.define(name, keys, Defined::House(state), spot)
    }

    fn define(
        &mut self,
        name: &str,
        keys: &[String],
        what: Defined,
        spot: Spot,
    ) -> Result<(), Wrong> {
        for key in keys {
            if self.names.insert(key.clone(), what).is_some() {
                return Err(Wrong::at(spot, format!("{name:?} is defined twice")));
            }
        }
        Ok(())
    }

    fn resolve(&mut self, mention: Mention, spot: Spot) -> Result<Argument, Wrong> {
        let (name, container, expected) = match mention {
            Mention::Constant(constant) => return Ok(Argument::Constant(constant)),
            Mention::Inner(gate) => return Ok(Argument::Gate(gate)),
            Mention::Name {
                name,
                container,
                expected,
            } => (name, container, expected),
        };
        // From the innermost container outwards.
        let mut prefix = container.as_str();
        let found = loop {
            let key = if prefix.is_empty() {
                name.clone()
            } else {
                format!("{prefix}.{name}")
            };
            if let Some(found) = self.names.get(&key) {
                break Some(*found);
            }
            if prefix.is_empty() {
                break None;
            }
            prefix = prefix.rfind('.').map_or("", |dot| &prefix[..dot]);
        };
        match (found, expected) {
            (Some(Defined::Gate(gate)), Expected::Gate | Expected::Any) => Ok(Argument::Gate(gate)),
            (Some(Defined::Event(event)), Expected::Event | Expected::Any) => {
                Ok(Argument::Event(event))
            }
            (Some(Defined::House(state)), Expected::House | Expected::Any) => {
                Ok(Argument::Constant(state))
            }
            (None, _) if self.implicit_events => {
                let event = self.events.len() as u32;
                self.event(&name, std::slice::from_ref(&name), None, spot)?;
                Ok(Argument::Event(event))
            }
            (found, expected) => {
                let asked = match expected {
                    Expected::Gate => "gate",
                    Expected::Event => "basic event",
                    Expected::House => "house event",
                    Expected::Any => "gate or event",
                };
                let is = match found {
                    None => String::new(),
                    Some(Defined::Gate(_)) => ": it is a gate".to_owned(),
                    Some(Defined::Event(_)) => ": it is a basic event".to_owned(),
                    Some(Defined::House(_)) => ": it is a house event".to_owned(),
                };
                Err(Wrong::at(spot, format!("there is no {asked} {name:?}{is}")))
            }
        }
    }

    /// The tree, if everything fits.
    pub(super) fn finish(mut self, top: Option<&str>) -> Result<FaultTree, Wrong> {
        let drafts = std::mem::take(&mut self.gates);
        let mut gates = Vec::with_capacity(drafts.len());
        let mut used = vec![false; drafts.len()];
        let mut spots = Vec::with_capacity(drafts.len());
        for draft in drafts {
            let called = draft
                .name
                .as_deref()
                .map_or("a formula".to_owned(), |name| format!("gate {name:?}"));
            let Some(connective) = draft.formula else {
                return Err(Wrong::at(draft.spot, format!("{called} has no formula")));
            };
            let mut arguments = Vec::with_capacity(draft.arguments.len());
            for (mention, spot) in draft.arguments {
                let argument = self.resolve(mention, spot)?;
                if let Argument::Gate(gate) = argument {
                    used[gate as usize] = true;
                }
                arguments.push(argument);
            }
            spots.push((draft.spot, called));
            gates.push(Gate {
                name: draft.name,
                connective,
                arguments,
            });
        }
        let top = self.top(top, &gates, &used)?;
        let (events, event_spots): (Vec<BasicEvent>, Vec<Spot>) = self.events.into_iter().unzip();
        let names: Vec<String> = events.iter().map(|event| event.name.clone()).collect();
        FaultTree::new(gates, events, top).map_err(|error| {
            let at_gate = |gate: u32, why: String| {
                let (spot, called) = &spots[gate as usize];
                Wrong::at(*spot, format!("{called} {why}"))
            };
            match error {
                FaultTreeError::Cycle { gate } => at_gate(gate, "depends on itself".to_owned()),
                FaultTreeError::Arity {
                    gate,
                    connective: Connective::AtLeast(least),
                    found,
                } => at_gate(
                    gate,
                    format!("asks for at least {least} of {found} arguments"),
                ),
                FaultTreeError::Arity {
                    gate,
                    connective,
                    found,
                } => at_gate(
                    gate,
                    format!("is {connective:?} of {found} arguments").to_lowercase(),
                ),
                FaultTreeError::Probability { event, probability } => {
                    let name = &names[event as usize];
                    let why =
                        format!("the probability {probability} of {name:?} does not lie in 0..1");
                    Wrong::at(event_spots[event as usize], why)
                }
                other => Wrong::whole(other.to_string()),
            }
        })
    }

    fn top(&self, top: Option<&str>, gates: &[Gate], used: &[bool]) -> Result<Argument, Wrong> {
        if let Some(top) = top {
            return match self.names.get(top) {
                Some(Defined::Gate(gate)) => Ok(Argument::Gate(*gate)),
                Some(Defined::Event(event)) => Ok(Argument::Event(*event)),
                Some(Defined::House(state)) => Ok(Argument::Constant(*state)),
                None => Err(Wrong::whole(format!("there is no gate {top:?}"))),
            };
        }
        let tops = (0..).zip(gates).filter(|(gate, _)| !used[*gate as usize]);
        let tops: Vec<(u32, &Gate)> = tops.collect();
        match tops[..] {
            [(top, _)] => Ok(Argument::Gate(top)),
            // Where no gate is unused, all depend on themselves; the check of the tree says which.
            [] if !gates.is_empty() => Ok(Argument::Gate(0)),
            [] => Err(Wrong::whole("there is no gate")),
            _ => {
                const SHOWN: usize = 10;
                let names: Vec<&str> = tops
                    .iter()
                    .filter_map(|(_, gate)| gate.name.as_deref())
                    .take(SHOWN)
                    .collect();
                let more = if tops.len() > SHOWN { ", ..." } else { "" };
                let why = format!(
                    "{} gates are no arguments of others ({}{more}): name one with --top",
                    tops.len(),
                    names.join(", ")
                );
                Err(Wrong::whole(why))
            }
        }
    }
}
