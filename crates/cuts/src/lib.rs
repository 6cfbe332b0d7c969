#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod analysis;
mod bounds;
mod compile;
mod count;
pub mod formula;
mod interval;
mod map;
pub mod module;
pub mod modules;
pub mod order;
pub mod probability;
pub mod problem;
pub mod simplify;
mod solved;
pub mod stream;
mod truncate;
mod wanted;

pub use analysis::Analysis;
pub use formula::Formula;
pub use module::Literal;
pub use num_bigint::BigUint;
pub use probability::Importance;
pub use stream::{ByProbability, BySize};
pub use wanted::{Only, Sets};
