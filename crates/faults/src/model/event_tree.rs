//! Event trees, alignments and what is in them, as the files say it.

use super::expression::Number;
use super::formula::Operand;
use super::names::Symbol;
use super::place::Place;

/// What begins a sequence.
#[derive(Clone, Debug)]
pub(crate) struct InitiatingEvent {
    pub(crate) name: Symbol,
    /// The number of the event tree that it leads into.
    pub(crate) tree: Option<u32>,
}

/// An event tree: the branches that it is made of, in one list.
#[derive(Clone, Debug)]
pub(crate) struct EventTree {
    pub(crate) name: Symbol,
    pub(crate) place: Place,
    /// Where it begins; a tree that was only just met has none.
    pub(crate) initial: u32,
    pub(crate) branches: Vec<Branch>,
    pub(crate) sequences: Vec<Sequence>,
}

/// A branch: what is done, and where it leads.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub(crate) instructions: Vec<Instruction>,
    pub(crate) target: Target,
}

/// Where a branch leads.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    /// A functional event, and for each of its states a branch.
    Fork(Symbol, Vec<(Symbol, u32)>),
    /// Another branch of the tree.
    Branch(u32),
    /// A sequence of the tree.
    Sequence(u32),
}

/// An end of an event tree, or a way into another.
#[derive(Clone, Debug)]
pub(crate) struct Sequence {
    pub(crate) name: Symbol,
    pub(crate) instructions: Vec<Instruction>,
}

/// What is done on the way. Rules and blocks are written out.
#[derive(Clone, Debug)]
pub(crate) enum Instruction {
    /// The formula must hold.
    Formula(Operand),
    /// The probability is multiplied.
    Expression(Number),
    /// A house event is set for what comes.
    House(u32, bool),
    /// The sequence goes on in another event tree.
    Link(u32),
    /// One or the other.
    If {
        condition: Number,
        yes: Vec<Instruction>,
        no: Vec<Instruction>,
    },
}

/// What phases a mission has.
#[derive(Clone, Debug)]
pub(crate) struct Alignment {
    pub(crate) name: Symbol,
    pub(crate) phases: Vec<Phase>,
}

/// A part of the time.
#[derive(Clone, Debug)]
pub(crate) struct Phase {
    pub(crate) name: Symbol,
    pub(crate) fraction: f64,
    pub(crate) houses: Vec<(u32, bool)>,
}
