//! Names, values and numbers of nodes, in lists or as they lie in a file.

pub mod frozen;
pub(crate) mod name;
pub(crate) mod names;
pub(crate) mod node;
pub(crate) mod values;
