//! Problem files: a problem with all its nodes, or a game.

use std::io::Read;

use meetjoin::dag::{Graph, Problem, Statistics};
use meetjoin::file::{LatticeError, OutcomeVectors, ProblemFile, read_problem_file};
use meetjoin::lattice::AnyLattice;

use crate::explicit::explicit;
use crate::game::{Game, NO_OUTCOMES};
use crate::games;
use crate::instance::Instance;
use crate::request::Refused;

/// What a problem file holds.
pub enum Source {
    /// A problem with all its nodes.
    Problem(Box<Problem<AnyLattice>>),
    /// The same where leaves are outcomes of the dominance algebra.
    Outcomes(Box<Problem<OutcomeVectors>>),
    /// A game that generates one.
    Game(Box<dyn Game>),
}

impl Source {
    /// Reads a problem file.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn read(input: impl Read) -> Result<Self, Refused> {
        Ok(match read_problem_file(input).map_err(Refused::problem)? {
            ProblemFile::Explicit(problem) => Self::Problem(problem),
            ProblemFile::Dominance(problem) => Self::Outcomes(problem),
            ProblemFile::Game(keys) => {
                Self::Game(games::from_file(&keys).map_err(Refused::Problem)?)
            }
        })
    }

    /// The problem ready to be searched.
    ///
    /// # Errors
    /// If its values come from no lattice, or if it is none.
    pub fn instance(self) -> Result<Box<dyn Instance>, Refused> {
        match self {
            Self::Problem(problem) => explicit(*problem),
            Self::Outcomes(_) => Err(Refused::problem(LatticeError::Dominance)),
            Self::Game(game) => game.instance(),
        }
    }

    /// The problem over outcomes of the dominance algebra.
    ///
    /// # Errors
    /// If its values are others.
    pub fn outcomes(self) -> Result<Problem<OutcomeVectors>, Refused> {
        match self {
            Self::Outcomes(problem) => Ok(*problem),
            Self::Game(game) => game.outcomes().map_err(Refused::Problem),
            Self::Problem(_) => Err(Refused::Problem(NO_OUTCOMES.to_owned())),
        }
    }

    /// What the graph looks like.
    ///
    /// # Errors
    /// If a game has no graph.
    pub fn statistics(&self) -> Result<Statistics, Refused> {
        let of_game: Graph;
        let graph = match self {
            Self::Problem(problem) => problem.graph(),
            Self::Outcomes(problem) => problem.graph(),
            Self::Game(game) => {
                of_game = game.graph().map_err(Refused::Problem)?;
                &of_game
            }
        };
        Ok(Statistics::of(graph))
    }
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Problem(_) => "Problem",
            Self::Outcomes(_) => "Outcomes",
            Self::Game(_) => "Game",
        })
    }
}
