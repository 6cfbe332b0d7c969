//! What diagrams say of a tree: how many sets, which, how probable, and how important each event
//! is.
//!
//! [`analysis`] is a tree solved: `compile` makes the diagrams of its modules and `solved` the sets
//! of one; with limits or cut-offs, `bounds`, `interval` and `truncate` make partial results.
//! `count` counts by order, [`probability`] passes over the diagrams once for probabilities and
//! importance, with the numbers of `wide` if it must, `lanes` does so for many numbers at once, and
//! [`stream`] finds the sets one after the other.

pub mod analysis;
mod bounds;
mod compile;
mod count;
mod interval;
pub(crate) mod lanes;
pub mod probability;
mod solved;
pub mod stream;
mod truncate;
mod wanted;
mod wide;

pub use analysis::Analysis;
pub(crate) use interval::Chance;
pub use probability::Importance;
pub use stream::{ByProbability, BySize};
pub use wanted::{Only, Sets};
