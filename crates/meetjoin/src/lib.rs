#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

#[cfg(feature = "bridge")]
pub use meetjoin_bridge as bridge;
pub use meetjoin_catalogue as catalogue;
pub use meetjoin_catalogue::{Solvable, solve};
#[cfg(feature = "check")]
pub use meetjoin_check as check;
pub use meetjoin_dag as dag;
#[cfg(feature = "dominance")]
pub use meetjoin_dominance as dominance;
pub use meetjoin_families as families;
#[cfg(feature = "faults")]
pub use meetjoin_faults as faults;
#[cfg(feature = "file")]
pub use meetjoin_file as file;
#[cfg(feature = "games")]
pub use meetjoin_games as games;
pub use meetjoin_lattice as lattice;
#[cfg(feature = "problems")]
pub use meetjoin_problems as problems;
pub use meetjoin_search as search;
#[cfg(feature = "runtime")]
pub use meetjoin_solve as runtime;

/// The README of the repository and the pages of the book that have code: `cargo test` compiles and
/// runs it. A published crate does not hold these files, and nothing else looks for them.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/src/dominance.md")]
    struct Dominance;
    #[doc = include_str!("../../../docs/src/total-orders.md")]
    struct TotalOrders;
    #[doc = include_str!("../../../docs/src/guide/threads.md")]
    struct Threads;
    #[doc = include_str!("../../../docs/src/guide/your-own-game.md")]
    struct YourOwnGame;
    #[doc = include_str!("../../../docs/src/guide/your-own-hidden-game.md")]
    struct YourOwnHiddenGame;
}
