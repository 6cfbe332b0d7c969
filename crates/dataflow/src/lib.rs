#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod coding;
mod evaluate;
mod expand;
mod failure;
mod folder;
mod key;
mod level;
mod level_file;
mod network;
mod pending;
mod question;
mod rounds;
mod run;
mod solution;
mod values;
mod worker;

pub use failure::Failure;
pub use network::Hosts;
pub use run::{Settings, solve};
pub use solution::{LevelCounts, Line, Shown, Solution, ValueCount};
