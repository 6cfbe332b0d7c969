#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod disk;
mod failure;
mod run;
mod solution;
mod steps;
mod talk;

pub use failure::Failure;
pub use run::{Settings, solve};
pub use solution::{LevelCounts, Line, Shown, Solution, ValueCount};
pub use talk::greeting::Secret;
pub use talk::network::Hosts;
