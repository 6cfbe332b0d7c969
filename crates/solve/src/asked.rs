//! Questions other than the whole value: claims, and the heaviest sets.

pub mod heaviest;
pub mod prove;
pub(crate) mod tricks;
