#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod random;

pub use random::{RandomDag, RandomError, RandomParameters};
