//! Any problem node by node, level by level, and as the plan of a strategy.

pub mod layered;
pub(crate) mod listed;
pub mod plan;
pub(crate) mod side;
pub mod view;
