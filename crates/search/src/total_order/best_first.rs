//! SSS*: as a list and by recursive expansion, and the solution trees that both build.

pub(crate) mod solution_tree;
pub(crate) mod sss_2;
pub(crate) mod sss_star;
