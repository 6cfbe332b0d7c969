#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod analysis;
mod compile;
mod count;
pub mod formula;
mod interval;
mod map;
pub mod modules;
pub mod order;
pub mod probability;
pub mod problem;
pub mod simplify;
pub mod stream;
mod truncate;

pub use analysis::{Analysis, Literal, Only, Sets};
pub use formula::Formula;
pub use num_bigint::BigUint;
pub use probability::Importance;
pub use stream::{ByProbability, BySize};
