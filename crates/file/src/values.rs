//! Lattices and values as JSON, and which chains hold decimals.

pub(crate) mod numbers;
pub(crate) mod read_lattice;
pub(crate) mod value;
pub(crate) mod write_lattice;
