//! Decision diagrams: Boolean functions and families of sets as shared graphs.
//!
//! Problem: a list of minimal sets has 10^10 entries where the graph that stands for it has 10^5
//! nodes.
//!
//! Idea: a node asks for one variable and has a child for each answer; equal nodes are made once
//! (hash-consing), so equality is equality of numbers. Two rules of reduction share one table of
//! nodes: in [`Functions`] a node whose children are equal is left out (Bryant 1986), in
//! [`SetFamilies`] one whose first child is empty (Minato 1993).
//!
//! Every operation takes the budget, keeps its own stack instead of recursing, and can be stopped
//! anywhere: what it has made until then are sound nodes that nobody uses, which
//! [`Functions::collect`] takes back.

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
