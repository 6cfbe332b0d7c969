//! Problem files: streamed JSON, mapped binary files, and the contents of both.

pub(crate) mod binary;
pub(crate) mod game;
pub(crate) mod open;
pub(crate) mod outcomes;
pub(crate) mod probabilities;
pub(crate) mod problem_file;
pub(crate) mod read;
pub(crate) mod worlds;
pub(crate) mod write;
