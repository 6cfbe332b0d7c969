//! Requests, with their limits, and answers.

pub mod answer;
pub mod brief;
pub(crate) mod checkpoint;
pub(crate) mod levels;
pub mod request;
pub(crate) mod unvisited;
pub mod value;
