//! Games, trees and rivals that are measured.

pub(crate) mod boards;
pub(crate) mod choosers;
pub(crate) mod criteria;
pub(crate) mod do_cuts_help;
pub(crate) mod families;
pub(crate) mod fault_trees;
pub(crate) mod peer;
pub(crate) mod scores;
pub(crate) mod thresholds;
pub(crate) mod trees;
pub(crate) mod tricks;
pub(crate) mod uniform;
