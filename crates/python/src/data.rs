//! Values, lattices, graphs and drawings as Python has them.

pub(crate) mod drawing;
pub(crate) mod files;
pub(crate) mod lattice;
pub(crate) mod rows;
pub(crate) mod value;
