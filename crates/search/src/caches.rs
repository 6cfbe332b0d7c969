//! Caches of a search: one trait, a table for any node, others for less memory, for numbered nodes
//! and for threads.
//!
//! Invariant: every entry is true of its node, whatever window or interruption produced it. So
//! entries may be forgotten, kept for the next search, and shared between searches of the same
//! problem.

pub mod bounded;
pub mod dense;
pub mod in_progress;
pub mod shared;
pub mod sharing;
pub(crate) mod slots;
pub mod store;
pub mod stores;
pub mod table;
pub(crate) mod waiting;
