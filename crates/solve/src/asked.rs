//! Questions other than the value: claims and heaviest sets.

pub mod heaviest;
pub mod prove;
