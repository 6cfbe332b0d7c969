#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod boards;
mod contracts;
mod generators;
pub mod racing;
pub mod tricks;

pub use boards::*;
pub use contracts::numbered::Numbered;
pub use contracts::play::{IllegalMove, Playable, Refusal, StaticEvaluation, random_play};
pub use contracts::quotient::{NoSymmetry, Quotient, Symmetric};
pub use contracts::{numbered, play, quotient};
pub use generators::criteria::{Correlation, CriteriaError, CriteriaParameters, CriteriaTree};
pub use generators::random::{RandomDag, RandomError, RandomParameters};
pub use generators::uniform::{
    ChildOrder, LeafValues, UniformError, UniformParameters, UniformTree,
};
pub use generators::{criteria, random, uniform};
pub use racing::{
    HandClass, OneStrategy, PerfectInformation, Racing, RacingError, RacingHands, RacingPosition,
    WinningHands,
};
