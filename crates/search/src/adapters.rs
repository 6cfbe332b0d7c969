//! Adapters: a game cut off at a depth, and a heuristic made of a search in a simpler lattice.

pub mod horizon;
pub mod relaxed;
