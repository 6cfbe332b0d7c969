//! The traits of lattices, the budget that stops their operations, and where a number is halved.

pub mod budget;
pub mod lattice;
pub mod split;
