//! Questions other than the value: claims, heaviest sets, and endings of games of tricks.

pub mod heaviest;
pub mod prove;
pub(crate) mod tricks;
