#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod alpha_mu;
pub mod cores;
pub mod families;
pub mod first_moves;
pub mod heaviest;
pub mod perfect_information;
pub mod random;
pub mod thresholds;

pub use families::solve_families;
pub use heaviest::{Heaviest, heaviest};
pub use thresholds::{ByThresholds, families_by_thresholds};
