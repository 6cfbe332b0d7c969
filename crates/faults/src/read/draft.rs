//! A model while it is read: what its files say, with names that are not looked up yet.
//!
//! All readers fill one draft, so that definitions may stand in any file and in any order;
//! [`resolve`](super::resolve) makes a model of it.

use crate::map::Set;
use crate::model::expression::{Expressions, Number, Operation};
use crate::model::group::Split;
use crate::model::names::{Container, Defined, Names, Symbol, Table};
use crate::model::place::{FaultTreeFileError as Wrong, Place};
use crate::tree::Connective;

/// What a name may stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    Gate,
    Event,
    House,
    /// Any of these.
    Any,
}

/// A name that is looked up in a container.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mention {
    pub(super) name: Symbol,
    pub(super) container: Container,
    pub(super) place: Place,
}

/// An argument as it is read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Argument {
    Name(Mention, Expected),
    /// A gate without a name.
    Inner(u32),
    Constant(bool),
}

#[derive(Clone, Debug)]
pub(super) struct DraftGate {
    pub(super) name: Option<Symbol>,
    pub(super) connective: Connective,
    /// Its arguments, in the list of all.
    pub(super) first: usize,
    pub(super) count: usize,
    pub(super) place: Place,
}

#[derive(Clone, Debug)]
pub(super) struct DraftEvent {
    pub(super) name: String,
    pub(super) expression: Option<Number>,
    pub(super) place: Place,
}

#[derive(Clone, Debug)]
pub(super) struct DraftParameter {
    pub(super) name: Symbol,
    pub(super) unit: Option<Symbol>,
    pub(super) expression: Number,
    pub(super) place: Place,
}

#[derive(Clone, Debug)]
pub(super) struct DraftGroup {
    pub(super) name: Symbol,
    pub(super) split: Split,
    pub(super) members: Vec<Mention>,
    /// Whether members that are defined here are private.
    pub(super) private: bool,
    pub(super) probability: Number,
    pub(super) factors: Vec<(u32, Number)>,
    pub(super) place: Place,
}

#[derive(Clone, Debug)]
pub(super) struct DraftSubstitution {
    pub(super) name: Symbol,
    pub(super) place: Place,
    pub(super) hypothesis: Argument,
    pub(super) sources: Vec<Mention>,
    pub(super) target: Argument,
}

#[derive(Clone, Debug)]
pub(super) struct DraftTree {
    pub(super) name: Symbol,
    pub(super) place: Place,
    pub(super) functional: Vec<Symbol>,
    pub(super) sequences: Vec<(Symbol, Vec<DraftInstruction>, Place)>,
    /// Names of branches, and their numbers.
    pub(super) named: Vec<(Symbol, u32)>,
    pub(super) branches: Vec<DraftBranch>,
    pub(super) initial: Option<u32>,
}

#[derive(Clone, Debug)]
pub(super) struct DraftBranch {
    pub(super) instructions: Vec<DraftInstruction>,
    pub(super) target: DraftTarget,
    pub(super) place: Place,
}

#[derive(Clone, Debug)]
pub(super) enum DraftTarget {
    Fork(Symbol, Vec<(Symbol, u32)>),
    Branch(Symbol),
    Sequence(Symbol),
}

#[derive(Clone, Debug)]
pub(super) enum DraftInstruction {
    Formula(Argument),
    Expression(Number),
    House(Mention, bool),
    Link(Mention),
    Rule(Mention),
    If {
        condition: Number,
        yes: Vec<DraftInstruction>,
        no: Vec<DraftInstruction>,
    },
}

#[derive(Clone, Debug)]
pub(super) struct DraftPhase {
    pub(super) name: Symbol,
    pub(super) fraction: f64,
    pub(super) houses: Vec<(Mention, bool)>,
}

/// What was read so far. See the [module page](self).
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) names: Names,
    pub(super) defined: Table<Defined>,
    pub(super) parameters_by_name: Table<u32>,
    pub(super) gates: Vec<DraftGate>,
    pub(super) arguments: Vec<Argument>,
    pub(super) events: Vec<DraftEvent>,
    pub(super) houses: Vec<bool>,
    pub(super) parameters: Vec<DraftParameter>,
    /// Operands come before the expressions that have them, except parameters.
    pub(super) expressions: Expressions,
    /// Expressions that are names of parameters, in the order of their numbers.
    pub(super) references: Vec<(Number, Mention, Option<Symbol>)>,
    pub(super) groups: Vec<DraftGroup>,
    pub(super) substitutions: Vec<DraftSubstitution>,
    pub(super) initiating: Vec<(Symbol, Option<Mention>, Place)>,
    pub(super) trees: Vec<DraftTree>,
    pub(super) rules: Vec<(Symbol, Vec<DraftInstruction>, Place)>,
    pub(super) alignments: Vec<(Symbol, Vec<DraftPhase>, Place)>,
    /// Tests of the states of functional events.
    pub(super) tests: Vec<(Symbol, Symbol, Place)>,
    /// Initiating events that expressions ask for.
    pub(super) initiating_tests: Vec<(Symbol, Place)>,
    /// Names without a definition are basic events.
    pub(super) implicit_events: bool,
    /// Events of plain text with a line of their own, and all names that gates of plain text have.
    pub(super) stated: Vec<(Symbol, Place)>,
    pub(super) mentioned: Set<Symbol>,
    /// What a file says that the tree is about.
    pub(super) top: Option<Mention>,
}

impl Draft {
    /// A gate of these arguments.
    pub(super) fn gate(
        &mut self,
        name: Option<Symbol>,
        connective: Connective,
        arguments: impl IntoIterator<Item = Argument>,
        place: Place,
    ) -> u32 {
        let first = self.arguments.len();
        self.arguments.extend(arguments);
        self.gates.push(DraftGate {
            name,
            connective,
            first,
            count: self.arguments.len() - first,
            place,
        });
        self.gates.len() as u32 - 1
    }

    pub(super) fn event(&mut self, name: String, expression: Option<Number>, place: Place) -> u32 {
        self.events.push(DraftEvent {
            name,
            expression,
            place,
        });
        self.events.len() as u32 - 1
    }

    /// Gives something a name.
    pub(super) fn define(
        &mut self,
        home: (Container, bool),
        name: Symbol,
        what: Defined,
        place: Place,
    ) -> Result<(), Wrong> {
        if Names::define(&mut self.defined, home, name, what) {
            return Ok(());
        }
        let path = self.names.text(name);
        Err(Wrong::at(place, format!("{path:?} is defined twice")))
    }

    /// Whether something has this name at the outermost level.
    pub(super) fn is_defined(&self, name: Symbol) -> bool {
        self.defined.contains_key(&(0, name))
    }

    /// An expression that is a number.
    pub(super) fn number(&mut self, value: f64, place: Place) -> Number {
        self.expressions
            .push(Operation::Number(value), "float", &[], place)
    }
}
