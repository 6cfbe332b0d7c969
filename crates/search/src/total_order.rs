//! Searches that need a total order: one child decides a node, windows may be null, and tests have
//! two outcomes.
//!
//! | algorithm | idea |
//! |---|---|
//! | [`test()`] | on which side of a border does the value lie? |
//! | [`scout()`] | test each child before searching it |
//! | [`alpha_beta_informed()`] | alpha-beta, fail-soft, with known bounds |
//! | [`nega_scout()`] | alpha-beta that tries each child with a null window |
//! | [`mtd_f()`] | null windows alone |
//! | [`mtd_bi()`] | null windows that bisect the range |
//! | [`duo_bi()`] | the same, by searches of alpha-beta duo |
//! | [`sss_2()`] | from one solution tree to a better one |
//! | [`sss_star()`] | the same, with a list of tips in place of a tree |
//! | [`iterative_deepening()`] | one of these to depth 1, 2, .., with an evaluation at the horizon |
//! | [`principal_variation()`] | a line of best play, once the value is known |
//!
//! They take a cache of intervals and a heuristic pair, or `()` for neither ([`sss_star()`] takes
//! no cache), and can share caches: an interval is true of its node, whatever search has found it.

mod best_first;
mod memory;
mod windows;
pub use best_first::solution_tree::{Preorder, SolutionNode, SolutionTree};
pub use best_first::sss_2::{Sss2, sss_2, sss_2_dual};
pub use best_first::sss_star::{SssStar, sss_star, sss_star_dual};
pub use memory::border::Border;
pub use memory::deepening::{Deepened, Deepening, Deepest, Level, iterative_deepening};
pub use memory::duo_bi::{Halving, duo_bi};
pub use memory::mtd_bi::mtd_bi;
pub use memory::mtd_f::{Guess, mtd_f};
pub use windows::alpha_beta_informed::alpha_beta_informed;
pub use windows::nega_scout::nega_scout;
pub use windows::principal_variation::{Line, principal_variation};
pub use windows::scout::scout;
pub use windows::test::{Question, Tested, test};
