//! Searches with a window: one technique, with a plan as its parameter.

pub(crate) mod alpha_beta_informed;
pub(crate) mod nega_scout;
pub(crate) mod plan;
pub(crate) mod principal_variation;
pub(crate) mod scout;
pub(crate) mod side;
pub(crate) mod test;
pub(crate) mod window;
