//! Explicit graphs in compressed rows: how they are made, checked and measured; and problems, which
//! add a lattice and values.

pub mod builder;
pub(crate) mod form;
pub mod graph;
pub mod interner;
pub mod numbering;
pub mod problem;
pub(crate) mod row;
pub mod rows;
pub mod statistics;
pub(crate) mod world_names;
