//! Partial orders, and the index of large antichains.

pub mod finite_poset;
pub mod poset;
pub(crate) mod shadows;
