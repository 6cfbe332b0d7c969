//! Reads a problem file.
//!
//! Problem: files have gigabytes, keys come in any order, and whoever wrote the file by hand wants to know which node is wrong.
//!
//! Idea: the file streams through serde's visitors; nothing of it is kept but the arrays that become the problem, and, if the lattice
//! comes after the nodes, the text of the values. Ids are numbered as they are met (`names` and [`Numbering`](meetjoin_dag::Numbering)). What cannot be decided
//! while the file streams is decided afterwards in [`Draft::finish`]: whether chains hold decimals, missing children, cycles.
//!
//! An error inside a visitor gets the position in the file from serde_json; the node it happened in is remembered in the draft. So every
//! error that has a place names it once. Errors that concern the file as a whole have none.
//!
//! Cost: linear; some 60 bytes for a node with an integer id, while reading. Nothing recurses into the text: values are skipped by
//! serde_json without recursion, and parsed only as deep as the lattice goes.

mod draft;
mod file;
mod keys;
mod names;
mod node;

use std::io::{self, BufReader, Read};

use meetjoin_dag::Problem;
use meetjoin_lattice::{Antichain, AnyElem, AnyLattice, Chain};
use serde::de::DeserializeSeed;

use crate::error::ProblemError;
use crate::problem_file::{OutcomeVectors, ProblemFile};
use crate::read_lattice::LatticeError;
use draft::Draft;

/// Reads a problem file: streaming, keys in any order, every error with its node and place.
///
/// # Errors
/// If it cannot be read, or is no problem: [`ProblemError`] says what and where.
///
/// ```
/// let file = r#"{"format": "meetjoin-problem/1", "lattice": {"type": "bool"}, "root": 1, "nodes": [
///     {"id": 1, "kind": "and", "children": [2, 3]},
///     {"id": 2, "kind": "leaf", "value": true}]}"#;
/// let error = meetjoin_file::read_problem(file.as_bytes()).unwrap_err();
/// assert_eq!(error.to_string(), "node 1 has the child 3, which is not defined");
/// ```
pub fn read_problem(input: impl Read) -> Result<Problem<AnyLattice>, ProblemError> {
    match read_problem_file(input)? {
        ProblemFile::Explicit(problem) => Ok(*problem),
        ProblemFile::Dominance(_) => Err(ProblemError::new(LatticeError::Dominance.to_string())),
        ProblemFile::Game(game) => Err(ProblemError::new(format!(
            "the problem has no nodes: the game `{}` generates them",
            game.name()
        ))),
    }
}

/// Reads a problem file as [`read_problem`] does, or the keys of a game if it names one.
///
/// # Errors
/// If it cannot be read, or is no problem: [`ProblemError`] says what and where.
///
/// ```
/// use meetjoin_file::{ProblemFile, read_problem_file};
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Nim {
///     heaps: Vec<u32>,
///     most: Option<u32>,
/// }
///
/// let file = r#"{"format": "meetjoin-problem/1", "game": "nim", "heaps": [3, 4, 5]}"#;
/// let ProblemFile::Game(game) = read_problem_file(file.as_bytes())? else {
///     panic!("it names a game");
/// };
/// let Nim { heaps, most } = game.read()?;
/// assert_eq!((game.name(), &*heaps, most), ("nim", &[3, 4, 5][..], None));
/// # Ok::<(), meetjoin_file::ProblemError>(())
/// ```
pub fn read_problem_file(input: impl Read) -> Result<ProblemFile, ProblemError> {
    let mut json = serde_json::Deserializer::from_reader(BufReader::new(input));
    let mut draft = Draft::default();
    let game = file::File(&mut draft)
        .deserialize(&mut json)
        .and_then(|game| json.end().map(|()| game))
        .map_err(|error| from_json(error, &draft))?;
    match game {
        None if draft.dominance => Ok(ProblemFile::Dominance(Box::new(outcomes(draft.finish()?)?))),
        None => Ok(ProblemFile::Explicit(Box::new(draft.finish()?))),
        Some(_) if !draft.format_seen => Err(ProblemError::new("the problem has no key `format`")),
        Some(game) => Ok(ProblemFile::Game(game)),
    }
}

/// The problem over outcomes, from the one over the free lattice, where each leaf is one packet of one outcome.
fn outcomes(problem: Problem<AnyLattice>) -> Result<Problem<OutcomeVectors>, ProblemError> {
    let no_outcome = || ProblemError::new("a leaf of a dominance problem is no outcome");
    let AnyLattice::Free(free) = problem.lattice() else {
        return Err(no_outcome());
    };
    let vectors = OutcomeVectors::power(Chain::unbounded(), free.vectors().dims());
    problem.try_map(vectors, |value| match value {
        AnyElem::Free(value) => {
            let outcomes = value.maximal().first().map(Antichain::maximal);
            outcomes
                .and_then(<[_]>::first)
                .cloned()
                .ok_or_else(no_outcome)
        }
        _ => Err(no_outcome()),
    })
}

/// Splits serde_json's error into message and place, and adds the node.
fn from_json(error: serde_json::Error, draft: &Draft) -> ProblemError {
    let (line, column) = (error.line(), error.column());
    let text = error.to_string();
    let place = format!(" at line {line} column {column}");
    let text = text.strip_suffix(&place).unwrap_or(&text);
    let message = if error.is_io() {
        format!("the file cannot be read: {text}")
    } else if error.is_eof() && (line, column) == (1, 0) {
        return ProblemError::new("not JSON: the file is empty");
    } else if error.is_syntax() || error.is_eof() {
        format!("not JSON: {text}")
    } else if let Some(current) = draft.current() {
        format!("{current}: {text}")
    } else {
        text.to_owned()
    };
    ProblemError {
        message,
        place: (line > 0 && !error.is_io()).then_some((line, column)),
        io: error.is_io().then(|| io::Error::from(error)),
    }
}
