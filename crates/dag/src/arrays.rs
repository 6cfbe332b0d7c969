//! Names, values and numbers of nodes, in lists or in the layout of a file.

pub mod frozen;
pub(crate) mod name;
pub(crate) mod names;
pub(crate) mod node;
pub(crate) mod values;
