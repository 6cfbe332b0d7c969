#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod answer;
pub mod diagram;
mod map;
pub mod model;
pub mod problem;
pub mod random;
mod read;
pub mod rewrite;
pub mod tree;
pub mod walk;

pub use answer::sequences::find_sequences;
pub use answer::{Asked, Cuts, CutsError, CutsRequest, List, find, find_in_model, tree_of};
pub use diagram::{Analysis, ByProbability, BySize, Importance, Only, Sets};
pub use model::place::FaultTreeFileError;
pub use model::{Model, State};
pub use num_bigint::BigUint;
pub use random::FaultTreeParameters;
pub use read::{ModelReader, fault_tree_from_text, words};
pub use rewrite::{Formula, Literal};
pub use tree::FaultTree;
