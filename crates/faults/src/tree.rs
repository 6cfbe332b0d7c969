//! Fault trees: gates over basic events, as reliability engineers write them.
//!
//! A fault tree is an AND-OR graph with more kinds of gates, whose leaves are events that happen or
//! not. [`diagram`](crate::diagram) evaluates it.
//!
//! Invariant: every argument exists, there is no cycle, every gate has as many arguments as its
//! connective takes, and every probability lies in 0..=1.

use std::fmt;

use meetjoin_report::{counted, one_line};

use crate::walk::upwards;

/// What a gate makes of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Connective {
    /// True if all arguments are.
    And,
    /// True if any argument is.
    Or,
    /// True if at least this many arguments are.
    AtLeast(u32),
    /// True if the one argument is not.
    Not,
    /// True if an odd number of arguments is.
    Xor,
    /// True unless all arguments are.
    Nand,
    /// True if no argument is.
    Nor,
}

impl fmt::Display for Connective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::And => f.write_str("and"),
            Self::Or => f.write_str("or"),
            Self::AtLeast(least) => write!(f, "at least {least}"),
            Self::Not => f.write_str("not"),
            Self::Xor => f.write_str("xor"),
            Self::Nand => f.write_str("nand"),
            Self::Nor => f.write_str("nor"),
        }
    }
}

/// An argument of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Argument {
    /// The gate with this number.
    Gate(u32),
    /// The basic event with this number.
    Event(u32),
    /// Certain or impossible: a house event.
    Constant(bool),
}

/// A gate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    /// Its name; a formula within another has none.
    pub name: Option<String>,
    /// What it makes of its arguments.
    pub connective: Connective,
    /// The arguments, in the order of the file.
    pub arguments: Vec<Argument>,
}

/// A basic event.
#[derive(Clone, Debug, PartialEq)]
pub struct BasicEvent {
    /// Its name.
    pub name: String,
    /// How probable it is, independently of all others, if that is known.
    pub probability: Option<f64>,
}

/// A fault tree. See the [module page](self).
#[derive(Clone, Debug, PartialEq)]
pub struct FaultTree {
    gates: Vec<Gate>,
    events: Vec<BasicEvent>,
    top: Argument,
}

/// A replacement for an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// Itself.
    AsItIs,
    /// Its negation.
    Negated,
    /// Something certain or impossible.
    Constant(bool),
}

/// What is wrong with a fault tree.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FaultTreeError {
    /// A gate that depends on itself.
    #[error("gate {gate} depends on itself")]
    Cycle {
        /// Its number.
        gate: u32,
    },
    /// An argument that does not exist.
    #[error("gate {gate} has an argument that does not exist")]
    Argument {
        /// The number of the gate.
        gate: u32,
    },
    /// A top that does not exist.
    #[error("the top does not exist")]
    Top,
    /// A number of arguments that does not fit the connective.
    #[error("a gate {connective} cannot have {}", counted(.found, "argument"))]
    Arity {
        /// The number of the gate.
        gate: u32,
        /// Its connective.
        connective: Connective,
        /// How many arguments it has.
        found: usize,
    },
    /// A probability outside of 0..=1.
    #[error("{probability} is no probability")]
    Probability {
        /// The number of the event.
        event: u32,
        /// What it has.
        probability: f64,
    },
}

impl FaultTree {
    /// A fault tree of its parts.
    ///
    /// # Errors
    /// The first of the invariants that does not hold.
    pub fn new(
        gates: Vec<Gate>,
        events: Vec<BasicEvent>,
        top: Argument,
    ) -> Result<Self, FaultTreeError> {
        let exists = |argument: &Argument| match *argument {
            Argument::Gate(gate) => (gate as usize) < gates.len(),
            Argument::Event(event) => (event as usize) < events.len(),
            Argument::Constant(_) => true,
        };
        for (
            gate,
            Gate {
                connective,
                arguments,
                ..
            },
        ) in (0..).zip(&gates)
        {
            if !arguments.iter().all(exists) {
                return Err(FaultTreeError::Argument { gate });
            }
            let found = arguments.len();
            let fits = match *connective {
                Connective::Not => found == 1,
                Connective::AtLeast(least) => least as usize <= found,
                _ => found > 0,
            };
            if !fits {
                let connective = *connective;
                return Err(FaultTreeError::Arity {
                    gate,
                    connective,
                    found,
                });
            }
        }
        if !exists(&top) {
            return Err(FaultTreeError::Top);
        }
        for (event, BasicEvent { probability, .. }) in (0..).zip(&events) {
            if let Some(probability) = *probability
                && !(0.0..=1.0).contains(&probability)
            {
                return Err(FaultTreeError::Probability { event, probability });
            }
        }
        let tree = Self { gates, events, top };
        tree.upwards()?;
        Ok(tree)
    }

    /// The tree with each event replaced as `events` says by number.
    pub(crate) fn taken(&self, events: &[Taken]) -> Self {
        let mut taken = self.clone();
        let mut stand = Vec::with_capacity(events.len());
        for (event, is) in (0..).zip(events) {
            stand.push(match is {
                Taken::AsItIs => Argument::Event(event),
                Taken::Constant(constant) => Argument::Constant(*constant),
                Taken::Negated => taken.not(Argument::Event(event)),
            });
        }
        let of = |argument: &mut Argument| {
            if let Argument::Event(event) = *argument {
                *argument = stand[event as usize];
            }
        };
        for gate in &mut taken.gates[..self.gates.len()] {
            gate.arguments.iter_mut().for_each(of);
        }
        of(&mut taken.top);
        taken
    }

    /// The tree that is true where this one is not.
    pub(crate) fn negation(&self) -> Self {
        let mut negation = self.clone();
        negation.top = negation.not(self.top);
        negation
    }

    fn not(&mut self, argument: Argument) -> Argument {
        self.gates.push(Gate {
            name: None,
            connective: Connective::Not,
            arguments: vec![argument],
        });
        Argument::Gate(self.gates.len() as u32 - 1)
    }

    /// The gates, by number.
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// The basic events, by number.
    pub fn events(&self) -> &[BasicEvent] {
        &self.events
    }

    /// What the tree is about.
    pub fn top(&self) -> Argument {
        self.top
    }

    /// What an argument is called, on one line; a formula within another is not.
    pub(crate) fn called(&self, argument: Argument) -> String {
        match argument {
            Argument::Gate(gate) => {
                let name = self.gates[gate as usize].name.as_deref();
                name.map(one_line).unwrap_or_default()
            }
            Argument::Event(event) => one_line(&self.events[event as usize].name),
            Argument::Constant(is) => is.to_string(),
        }
    }

    /// How many gates and events the top depends on, itself included.
    pub(crate) fn below_top(&self) -> (usize, usize) {
        let (mut gates, mut events) = (
            vec![false; self.gates.len()],
            vec![false; self.events.len()],
        );
        let mut stack = vec![self.top];
        while let Some(argument) = stack.pop() {
            match argument {
                Argument::Gate(gate) => {
                    if !std::mem::replace(&mut gates[gate as usize], true) {
                        stack.extend(&self.gates[gate as usize].arguments);
                    }
                }
                Argument::Event(event) => events[event as usize] = true,
                Argument::Constant(_) => {}
            }
        }
        let count = |met: &[bool]| met.iter().filter(|met| **met).count();
        (count(&gates), count(&events))
    }

    /// The numbers of all gates, arguments before gates that have them.
    ///
    /// # Errors
    /// A gate that depends on itself. There is none in a tree that was made.
    pub fn upwards(&self) -> Result<Vec<u32>, FaultTreeError> {
        let gate = |argument: &Argument| match *argument {
            Argument::Gate(gate) => Some(gate),
            _ => None,
        };
        let gates = 0..self.gates.len() as u32;
        // The top first, so that the order is that of a walk from it.
        let starts = gate(&self.top).into_iter().chain(gates);
        let below = |of: u32| self.gates[of as usize].arguments.iter().filter_map(gate);
        let order = upwards(self.gates.len(), starts, below);
        order.map_err(|cycle| FaultTreeError::Cycle { gate: cycle[0] })
    }
}
