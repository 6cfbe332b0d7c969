//! Proof-number search: best-first, with the graph in memory.

pub(crate) mod proof_number;
pub(crate) mod records;
