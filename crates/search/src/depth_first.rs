//! The depth-first searches, one technique a file, on one driver without recursion.
//!
//! [`driver`] visits nodes and folds an interrupted search into bounds of the root; what an
//! algorithm adds to it is a `Technique`. [`sides`] has the bounds of a node that is left half way,
//! [`threads`] starts several drivers, [`work_sharing`] keeps them apart, and [`by_levels`]
//! evaluates a listed graph without one.

pub mod alpha_beta;
pub mod alpha_beta_duo;
pub mod by_levels;
pub mod driver;
pub mod minimax;
pub mod pruning;
pub(crate) mod sides;
pub mod threads;
pub(crate) mod work_sharing;
