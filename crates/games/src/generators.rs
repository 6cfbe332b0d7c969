//! Seeded families of graphs for experiments.

pub mod criteria;
pub mod random;
pub mod uniform;
