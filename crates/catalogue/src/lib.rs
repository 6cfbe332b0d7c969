#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod engine;
pub mod method;
pub mod solve;

pub use solve::{Solvable, solve};
