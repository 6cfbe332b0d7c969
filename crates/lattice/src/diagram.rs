//! Decision diagrams: Boolean functions and families of sets as shared graphs.
//!
//! Problem: a list of minimal sets has 10^10 entries where the graph that stands for it has 10^5
//! nodes.
//!
//! Idea: a node tests one variable and has a child for each outcome; equal nodes are made once
//! (hash-consing), so equality is equality of numbers. Two rules of reduction share one table of
//! nodes: in [`Functions`] a node whose children are equal is left out (Bryant 1986), in
//! [`SetFamilies`] one whose first child is empty (Minato 1993).
//!
//! Long operations take the budget, keep a stack of their own instead of recursing, and can be
//! stopped anywhere: the nodes they have made by then are sound but unused, and
//! [`Functions::collect`] frees them.

pub mod functions;
mod listing;
mod memo;
mod nodes;
pub mod set_families;
mod sifting;

pub use functions::{Function, Functions};
pub use listing::{Listed, Listing};
pub use nodes::{Level, View};
pub use set_families::{SetFamilies, SetFamily};
