//! The contents of a problem file.

use meetjoin_dag::Problem;
use meetjoin_lattice::{AnyLattice, Chain, Extended, Product};

use crate::problem::game::GameFile;

/// The version of problem files that this crate reads and writes.
pub const PROBLEM_FORMAT: &str = "meetjoin-problem/1";

/// The lattice of outcomes in problems of the dominance algebra, which uses only its order,
/// dominance.
pub type OutcomeVectors = Product<Chain<Extended>>;

/// The content of a problem file.
#[derive(Debug)]
pub enum ProblemFile {
    /// A graph, node by node.
    Explicit(Box<Problem<AnyLattice>>),
    /// A graph whose leaves are outcomes of the dominance algebra, which is no lattice. (As values
    /// of the lattice they would have another meaning: there meet and join are taken in each
    /// dimension.)
    Dominance(Box<Problem<OutcomeVectors>>),
    /// The name of a game, and its keys.
    Game(GameFile),
}
