//! Every algorithm as a value, and an engine that runs any of them.

pub mod engine;
pub mod method;
pub mod solve;
