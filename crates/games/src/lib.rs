#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod racing;
pub mod random;

pub use racing::{Racing, RacingError, RacingFamilies, RacingPosition, RacingSets};
pub use random::{RandomDag, RandomError, RandomParameters};
