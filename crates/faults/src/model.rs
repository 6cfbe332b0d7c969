//! Models: fault trees with all that the Model Exchange Format says of them, names resolved.
//!
//! A [`Model`] is what its files say. A [`FaultTree`](crate::FaultTree) is one top of it, in one
//! state: a mission time, house events, and events with numbers for probabilities. `common_cause`
//! replaces the members of groups by gates over common events, `substitution` changes what a top
//! means, `event_tree` and [`sequences`] follow event trees to the sequences that they lead to.
//! `expression` and `distribution` say what a number is, `sample` draws it.

pub(crate) mod common_cause;
pub(crate) mod distribution;
pub(crate) mod event_tree;
pub(crate) mod expression;
pub(crate) mod formula;
pub(crate) mod group;
pub(crate) mod names;
pub mod place;
pub(crate) mod sample;
pub mod sequences;
pub(crate) mod substitution;
pub(crate) mod whole;

pub use whole::{MISSION_TIME, Model, NoTime, PhaseOf, State, mission_time};
