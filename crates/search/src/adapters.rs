//! Problems made of problems: a game that ends at a depth, a heuristic made of a search in a
//! simpler lattice.

pub mod horizon;
pub mod relaxed;
