//! Requests, with their limits, and answers.

pub mod answer;
pub mod brief;
pub(crate) mod checkpoint;
pub mod levels;
pub mod request;
pub mod unvisited;
pub mod value;
