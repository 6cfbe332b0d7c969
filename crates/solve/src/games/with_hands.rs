//! Racing: its arguments, its problems, its plans, and the race against the program.

pub(crate) mod hands;
pub mod hidden;
pub mod race;
pub mod racing;
pub(crate) mod racing_nodes;
pub(crate) mod racing_plan;
pub mod tricks;
