//! Every algorithm as a value, and what runs any of them.

pub mod engine;
pub mod method;
pub mod solve;
