//! What the command says of itself: groups of commands, examples, completions, manual pages, and
//! versions.

pub(crate) mod completions;
pub(crate) mod examples;
pub(crate) mod groups;
pub(crate) mod lines;
pub(crate) mod manual;
pub(crate) mod mistakes;
pub(crate) mod version;
pub(crate) mod whole;
