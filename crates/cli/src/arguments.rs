//! The arguments of the command line.

pub(crate) mod args;
pub(crate) mod attacks_args;
pub(crate) mod cluster_args;
pub(crate) mod ending_options;
pub(crate) mod endings;
pub(crate) mod fault_tree_args;
pub(crate) mod help_args;
pub(crate) mod limit_args;
pub(crate) mod search_args;
pub(crate) mod units;
