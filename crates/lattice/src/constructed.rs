//! Lattices made of an order or of another lattice: down-sets and families, the free lattices,
//! tables.

pub mod birkhoff;
pub mod down_sets;
pub mod finite;
pub mod free;
pub mod heavy;
pub mod monotone;
