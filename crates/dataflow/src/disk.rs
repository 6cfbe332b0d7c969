//! Levels on disk: keys and values of levels, by parts.

pub(crate) mod coding;
pub(crate) mod folder;
pub(crate) mod key;
pub(crate) mod level;
pub(crate) mod level_file;
pub(crate) mod pending;
pub(crate) mod values;
