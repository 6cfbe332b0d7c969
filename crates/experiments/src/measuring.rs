//! One algorithm on one game: its cost.

pub(crate) mod asking;
pub(crate) mod instance;
pub(crate) mod measure;
pub(crate) mod memory;
pub(crate) mod parts;
