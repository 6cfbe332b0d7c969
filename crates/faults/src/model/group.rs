//! Groups of events with a common cause, as files say them.

use super::expression::Number;
use super::names::Symbol;
use super::place::Place;

/// How the failures of a group are split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Split {
    Beta,
    GreekLetters,
    Alpha,
    Phi,
}

/// A group of events with a common cause.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) name: Symbol,
    pub(crate) split: Split,
    pub(crate) members: Vec<u32>,
    /// How probable the failure of a member is.
    pub(crate) probability: Number,
    /// Numbers of members, and the factor of each.
    pub(crate) factors: Vec<(u32, Number)>,
    pub(crate) place: Place,
}
