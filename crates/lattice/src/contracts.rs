//! The traits of lattices, the budget that stops their operations, and how the range of a number is
//! split.

pub mod budget;
pub mod lattice;
pub mod split;
