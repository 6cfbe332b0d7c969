//! Gates and basic events of a model, by their numbers.

use crate::tree::Connective;

use super::expression::Number;
use super::place::Place;

/// What a gate of a model is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Operand {
    Gate(u32),
    Event(u32),
    House(u32),
    Constant(bool),
}

/// A gate of a model.
#[derive(Clone, Debug)]
pub(crate) struct ModelGate {
    /// A formula within another has none.
    pub(crate) name: Option<String>,
    pub(crate) connective: Connective,
    pub(crate) operands: Vec<Operand>,
    pub(crate) place: Place,
}

/// A basic event of a model.
#[derive(Clone, Debug)]
pub(crate) struct ModelEvent {
    pub(crate) name: String,
    pub(crate) expression: Option<Number>,
    pub(crate) place: Place,
}
