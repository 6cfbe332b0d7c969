#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod criteria;
pub mod hexapawn;
pub mod racing;
pub mod random;
pub mod uniform;

pub use criteria::{Correlation, CriteriaError, CriteriaParameters, CriteriaTree};
pub use hexapawn::{Hexapawn, HexapawnError, HexapawnPosition};
pub use racing::{Racing, RacingError, RacingFamilies, RacingPosition, RacingSets};
pub use random::{RandomDag, RandomError, RandomParameters};
pub use uniform::{ChildOrder, LeafValues, UniformError, UniformParameters, UniformTree};
