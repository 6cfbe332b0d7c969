//! Proofs as graphs, and their check, which shares no code with any search.

pub(crate) mod check;
pub(crate) mod proof_graph;
