//! Claims "the value is at least t": thresholds, initial proof numbers, and values found by claims.

pub(crate) mod by_worlds;
pub(crate) mod initial;
pub(crate) mod known;
pub(crate) mod multi_valued;
pub(crate) mod numbers;
pub(crate) mod prover;
pub(crate) mod threshold;
