//! What is to be proved, what is known of it at the beginning, and how a value is found by claims.

pub(crate) mod by_worlds;
pub(crate) mod initial;
pub(crate) mod known;
pub(crate) mod multi_valued;
pub(crate) mod numbers;
pub(crate) mod prover;
pub(crate) mod threshold;
