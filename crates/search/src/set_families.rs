//! Searches for values in families of sets: all maximal sets, the heaviest ones, and bounds from a
//! search to a limited depth.

pub mod alpha_mu;
pub mod cores;
pub mod families;
pub mod first_moves;
pub mod heaviest;
mod nodes;
pub mod perfect_information;
pub mod random;
pub mod thresholds;
