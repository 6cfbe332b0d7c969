#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod answer;
pub mod diagram;
mod map;
pub mod problem;
pub mod random;
mod read;
pub mod rewrite;
pub mod tree;

pub use answer::{Cuts, CutsError, CutsRequest, List, find};
pub use diagram::{Analysis, ByProbability, BySize, Importance, Only, Sets};
pub use num_bigint::BigUint;
pub use random::FaultTreeParameters;
pub use read::{FaultTreeFileError, fault_tree_from_text};
pub use rewrite::{Formula, Literal};
pub use tree::FaultTree;
