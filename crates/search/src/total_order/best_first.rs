//! SSS*: as a list and by recursive expansion (SSS-2), and the solution trees of SSS-2.

pub(crate) mod solution_tree;
pub(crate) mod sss_2;
pub(crate) mod sss_star;
