//! What a lattice is, the budget that stops its operations, and where a number is halved.

pub mod budget;
pub mod lattice;
pub mod split;
