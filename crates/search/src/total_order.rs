//! Searches that need a total order.

mod border;
mod solution_tree;
mod sss_2;
mod sss_star;

pub use border::Border;
pub use solution_tree::{Preorder, SolutionNode, SolutionTree};
pub use sss_2::{Sss2, sss_2, sss_2_dual};
pub use sss_star::{SssStar, sss_star, sss_star_dual};
