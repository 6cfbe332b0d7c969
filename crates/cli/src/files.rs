//! Commands that only read and write files.

pub(crate) mod check;
pub(crate) mod convert;
pub(crate) mod generate;
