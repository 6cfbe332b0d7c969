//! What is asked, within which limits, and what is answered.

pub mod answer;
pub mod brief;
pub(crate) mod checkpoint;
pub(crate) mod levels;
pub mod request;
pub(crate) mod unvisited;
pub mod value;
