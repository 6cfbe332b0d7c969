//! Card games in which MAX does not see the hands of the others.

pub mod ending;
pub(crate) mod hands;
pub mod hidden;
pub mod race;
pub mod racing;
mod racing_nodes;
mod racing_plan;
pub mod tricks;
