#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

#[cfg(feature = "bridge")]
pub use meetjoin_bridge as bridge;
#[cfg(feature = "check")]
pub use meetjoin_check as check;
pub use meetjoin_dag as dag;
#[cfg(feature = "dominance")]
pub use meetjoin_dominance as dominance;
#[cfg(feature = "faults")]
pub use meetjoin_faults as faults;
#[cfg(feature = "file")]
pub use meetjoin_file as file;
#[cfg(feature = "games")]
pub use meetjoin_games as games;
pub use meetjoin_lattice as lattice;
pub use meetjoin_search as search;
pub use meetjoin_search::{Solvable, solve};
#[cfg(feature = "runtime")]
pub use meetjoin_solve as runtime;

/// Tests the example in the README of the repository. A published crate does not hold that file,
/// and only `cargo test` looks for it.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct RepositoryReadme;
