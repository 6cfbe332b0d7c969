//! Shared by all commands: limits, input, output, progress, failures.

pub(crate) mod application;
pub(crate) mod certificate_file;
pub(crate) mod colours;
pub(crate) mod events;
pub(crate) mod failure;
pub(crate) mod input;
pub(crate) mod last_word;
pub(crate) mod limits;
pub(crate) mod line;
pub(crate) mod memory;
pub(crate) mod output;
pub(crate) mod progress;
