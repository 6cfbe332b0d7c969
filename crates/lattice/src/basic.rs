//! Lattices of plain values, and what is made of lattices component by component.

pub mod chain;
pub mod divisors;
pub mod dual;
pub(crate) mod factors;
pub mod powerset;
pub mod product;
