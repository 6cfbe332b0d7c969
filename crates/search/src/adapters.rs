//! Problems made of problems: a game that ends at a depth, a heuristic made of a search in a simpler lattice, elements as ids.

pub mod horizon;
pub mod interned;
pub mod relaxed;
