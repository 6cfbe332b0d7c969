//! Proof-number search: the graph in memory, and the way to the most promising node from the root
//! each time.

pub(crate) mod proof_number;
pub(crate) mod records;
