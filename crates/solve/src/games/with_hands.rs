//! Racing: its arguments, its problems, its plans, and the race against the program.

pub(crate) mod hands;
pub mod race;
pub mod racing;
pub(crate) mod racing_levels;
pub(crate) mod racing_plan;
