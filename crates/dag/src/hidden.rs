//! Games in which one player does not see the other's cards, by their rules alone.

pub mod check;
pub mod explicit;
pub mod game;
pub mod graph;
pub mod listed;
pub mod seen;
pub mod stakes;
pub mod values;
