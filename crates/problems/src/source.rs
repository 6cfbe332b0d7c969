//! Problem files: an explicit problem, or a game.

mod title;

use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

use meetjoin_dag::{Graph, Problem, Statistics};
use meetjoin_faults::FaultTree;
use meetjoin_faults::fault_tree_from_text;
use meetjoin_faults::problem::fault_tree;
use meetjoin_file::{
    LatticeError, OutcomeVectors, ProblemFile, Trust, guaranteed, open_problem_file,
    read_problem_file, write_binary, write_binary_outcomes, write_outcomes, write_problem,
};
use meetjoin_lattice::AnyLattice;
use meetjoin_solve::explicit::explicit;
use meetjoin_solve::instance::Instance;
use meetjoin_solve::layered::{self, Layered};
use meetjoin_solve::request::Refused;
use sha2::{Digest as _, Sha256};

use crate::game::{Game, NO_OUTCOMES};
use crate::games;

/// The content of a problem file.
pub enum Source {
    /// An explicit problem.
    Problem(Box<Problem<AnyLattice>>),
    /// An explicit problem whose leaves are outcomes of the dominance algebra.
    Outcomes(Box<Problem<OutcomeVectors>>),
    /// A game that generates a problem.
    Game(Box<dyn Game>),
}

impl Source {
    /// Reads a problem file.
    ///
    /// # Errors
    /// The first error, and its position.
    pub fn read(input: impl Read) -> Result<Self, Refused> {
        Self::of(read_problem_file(input).map_err(Refused::problem)?)
    }

    /// Opens a problem file. A binary one is mapped into memory and used in place; `trust` decides
    /// whether it is validated first.
    ///
    /// # Errors
    /// The first error, and its position.
    pub fn open(path: &Path, trust: Trust) -> Result<Self, Refused> {
        Self::of(open_problem_file(path, trust).map_err(Refused::problem)?)
    }

    fn of(file: ProblemFile) -> Result<Self, Refused> {
        Ok(match file {
            ProblemFile::Explicit(problem) => Self::Problem(problem),
            ProblemFile::Dominance(problem) => Self::Outcomes(problem),
            ProblemFile::Game(keys) => {
                Self::Game(games::from_file(&keys).map_err(Refused::Problem)?)
            }
        })
    }

    /// The explicit problem; a game is generated.
    ///
    /// # Errors
    /// If a game cannot be generated.
    pub fn expanded(self) -> Result<Self, Refused> {
        match self {
            Self::Game(game) if game.has_outcomes() => {
                let problem = game.outcomes().map_err(Refused::Problem)?;
                Ok(Self::Outcomes(Box::new(problem)))
            }
            Self::Game(game) => {
                let problem = game.problem().map_err(Refused::Problem)?;
                Ok(Self::Problem(Box::new(problem)))
            }
            explicit => Ok(explicit),
        }
    }

    /// Writes the problem as JSON, a game by its keys.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Problem(problem) => write_problem(problem, out),
            Self::Outcomes(problem) => write_outcomes(problem, out),
            Self::Game(game) => out.write_all(game.compact().as_bytes()),
        }
    }

    /// Writes the problem as a binary file.
    ///
    /// # Errors
    /// Those of `out`; a game must have been [expanded](Self::expanded).
    pub fn write_binary(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Problem(problem) => write_binary(problem, out),
            Self::Outcomes(problem) => write_binary_outcomes(problem, out),
            Self::Game(_) => {
                let why = "a game has no nodes that could be written";
                Err(io::Error::new(io::ErrorKind::InvalidInput, why))
            }
        }
    }

    /// The [digest] of the problem as a file, of a game by its keys.
    pub fn digest(&self) -> String {
        digest(|out| self.write_json(out))
    }

    /// The digest in checkpoints: that of the problem or, for a board game, of the game from its
    /// start position, since the values of positions do not depend on where the game begins.
    pub fn digest_of_entries(&self) -> String {
        match self {
            Self::Game(game) => {
                digest(|out| out.write_all(game.compact_from_its_beginning().as_bytes()))
            }
            Self::Problem(_) | Self::Outcomes(_) => self.digest(),
        }
    }

    /// The problem ready to be searched.
    ///
    /// # Errors
    /// If its values are not from a lattice, or it makes no problem.
    pub fn instance(self) -> Result<Box<dyn Instance>, Refused> {
        match self {
            Self::Problem(problem) => explicit(*problem),
            Self::Outcomes(_) => Err(Refused::problem(LatticeError::Dominance)),
            Self::Game(game) => game.instance(),
        }
    }

    /// The problem of certificates: for outcomes of the dominance algebra the value in the free
    /// lattice, for any other problem its [instance](Self::instance).
    ///
    /// # Errors
    /// If it makes no problem.
    pub fn certified(self) -> Result<Box<dyn Instance>, Refused> {
        match self {
            Self::Outcomes(problem) => explicit(guaranteed(*problem)),
            Self::Game(game) if game.has_outcomes() => Self::Game(game).expanded()?.certified(),
            other => other.instance(),
        }
    }

    /// The problem level by level.
    ///
    /// # Errors
    /// If its values are not from a lattice, or it makes no problem.
    pub fn layered(self) -> Result<Arc<dyn Layered>, Refused> {
        match self {
            Self::Problem(problem) => Ok(layered::explicit(*problem)),
            Self::Outcomes(_) => Err(Refused::problem(LatticeError::Dominance)),
            Self::Game(game) => game.layered(),
        }
    }

    /// The problem over outcomes of the dominance algebra.
    ///
    /// # Errors
    /// If its values are not such outcomes.
    pub fn outcomes(self) -> Result<Problem<OutcomeVectors>, Refused> {
        match self {
            Self::Outcomes(problem) => Ok(*problem),
            Self::Game(game) => game.outcomes().map_err(Refused::Problem),
            Self::Problem(_) => Err(Refused::Problem(NO_OUTCOMES.to_owned())),
        }
    }

    /// Reads a fault tree: Open-PSA XML, text with one gate per line, or a problem file, whose
    /// leaves are events unless its values have events of their own.
    ///
    /// # Errors
    /// The first error, and its position.
    pub fn read_fault_tree(text: &str, top: Option<&str>) -> Result<FaultTree, Refused> {
        if !text
            .trim_start_matches('\u{feff}')
            .trim_start()
            .starts_with('{')
        {
            return fault_tree_from_text(text, top).map_err(Refused::problem);
        }
        if top.is_some() {
            return Err(Refused::Argument(
                "--top names a gate of a fault tree; a problem file has a root".to_owned(),
            ));
        }
        Self::read(text.as_bytes())?.fault_tree()
    }

    /// The problem as a fault tree.
    ///
    /// # Errors
    /// If it makes no fault tree.
    pub fn fault_tree(self) -> Result<FaultTree, Refused> {
        match self {
            Self::Problem(problem) => fault_tree(&problem).map_err(Refused::problem),
            Self::Game(game) => game.fault_tree().map_err(Refused::Problem),
            Self::Outcomes(_) => Err(Refused::problem(LatticeError::Dominance)),
        }
    }

    /// Statistics of the graph.
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
        Statistics::try_of(graph).map_err(Refused::problem)
    }
}

/// The SHA-256 of everything written, as hexadecimal digits.
pub fn digest(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
    struct Digest(Sha256);

    impl Write for Digest {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.update(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let mut digest = Digest(Sha256::new());
    // Writing to a digest cannot fail.
    let _ = write(&mut digest);
    let bytes = digest.0.finalize();
    bytes
        .iter()
        .fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"))
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
