#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub use meetjoin_check as check;
pub use meetjoin_dag as dag;
pub use meetjoin_dominance as dominance;
pub use meetjoin_faults as faults;
pub use meetjoin_file as file;
pub use meetjoin_games as games;
pub use meetjoin_lattice as lattice;
pub use meetjoin_search as search;

pub use meetjoin_search::{Solvable, solve};

/// Tests the example in the README of the repository. A published crate does not hold that file, and only `cargo test` looks for it.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct RepositoryReadme;
