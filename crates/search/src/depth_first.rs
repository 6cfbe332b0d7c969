//! The depth-first searches, one technique per file, on one driver without recursion.
//!
//! [`driver`] visits nodes and folds an interrupted search into bounds of the root; each algorithm
//! is a `Technique` for it. [`sides`] computes bounds of an unfinished node, [`threads`] starts
//! several drivers, [`work_sharing`] distributes the work among them, and [`by_levels`] evaluates
//! an explicit graph without a driver.

pub mod alpha_beta;
pub mod alpha_beta_duo;
pub mod by_levels;
pub mod driver;
pub mod minimax;
pub mod pruning;
pub(crate) mod sides;
pub mod threads;
pub(crate) mod work_sharing;
