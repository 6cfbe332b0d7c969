//! Games and lattices written in Python.

pub(crate) mod nesting;
pub(crate) mod own_game;
pub(crate) mod own_hidden;
pub(crate) mod own_lattice;
pub(crate) mod own_search;
pub(crate) mod raised;
