//! Opens a problem file of either kind.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use meetjoin_dag::{Bytes, Problem};
use meetjoin_lattice::AnyLattice;
use zerocopy::IntoBytes;

use crate::error::ProblemError;
use crate::problem::binary::{MAGIC, Trust, read_binary};
use crate::problem::problem_file::ProblemFile;
use crate::problem::read::read_json;
use crate::values::read_lattice::LatticeError;

/// Opens a problem file, JSON or binary; a binary one is mapped into memory and used in place,
/// unless it is a pipe.
///
/// # Errors
/// If it cannot be read, or is no problem: [`ProblemError`] says what and where.
pub fn open_problem_file(path: &Path, trust: Trust) -> Result<ProblemFile, ProblemError> {
    let mut file = File::open(path).map_err(ProblemError::unreadable)?;
    // Text is not used in place: it must stay valid UTF-8, which cannot be guaranteed for a mapped
    // file.
    if file.metadata().is_ok_and(|metadata| metadata.is_file())
        && let Ok(mapping) = meetjoin_map::map(&file)
        && mapping.as_ref().starts_with(&MAGIC)
    {
        let bytes: Arc<Bytes> = Arc::new(mapping);
        return read_binary(&bytes, trust);
    }
    read_either(&mut file, trust)
}

/// Reads a problem file: streaming, with keys in any order; errors have their node and position.
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
pub fn read_problem_file(mut input: impl Read) -> Result<ProblemFile, ProblemError> {
    read_either(&mut input, Trust::Checked)
}

/// Reads a problem file, JSON or binary; the latter is held in memory. (Compiled once, and not for
/// each type of input.)
fn read_either(input: &mut dyn Read, trust: Trust) -> Result<ProblemFile, ProblemError> {
    let mut input = BufReader::new(input);
    let first = input.fill_buf().map_err(ProblemError::unreadable)?;
    // No JSON begins with this byte.
    if first.first() != Some(&MAGIC[0]) {
        let hint = no_json(first);
        return read_json(input).map_err(|error| match (hint, error.place) {
            (Some(hint), Some((1, 1 | 2))) if error.message.starts_with("not JSON") => {
                ProblemError {
                    message: format!("{}; {hint}", error.message),
                    ..error
                }
            }
            _ => error,
        });
    }
    let mut bytes = Vec::new();
    input
        .read_to_end(&mut bytes)
        .map_err(ProblemError::unreadable)?;
    let bytes: Arc<Bytes> = Arc::new(Aligned::of(&bytes)?);
    read_binary(&bytes, trust)
}

/// Describes a file that is not JSON by its first bytes.
fn no_json(first: &[u8]) -> Option<&'static str> {
    match first {
        [0xEF, 0xBB, 0xBF, ..] => {
            Some("the file begins with a byte order mark, and must be UTF-8 without one")
        }
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] | [0, _, ..] | [_, 0, ..] => {
            Some("the file looks like UTF-16, and must be UTF-8")
        }
        [b'{' | b'[' | b' ' | b'\t' | b'\r' | b'\n', ..] | [] => None,
        _ => Some(
            "a problem file begins with `{`; fault trees, in text or Open-PSA, are for `meetjoin cuts`",
        ),
    }
}

/// Bytes that are aligned for 64-bit numbers.
struct Aligned {
    words: Vec<u64>,
    length: usize,
}

impl Aligned {
    fn of(bytes: &[u8]) -> Result<Self, ProblemError> {
        let mut words: Vec<u64> = Vec::new();
        let room = words.try_reserve_exact(bytes.len().div_ceil(8));
        room.map_err(|_| ProblemError::new("there is not enough memory for the file"))?;
        words.resize(bytes.len().div_ceil(8), 0);
        words.as_mut_bytes()[..bytes.len()].copy_from_slice(bytes);
        Ok(Self {
            words,
            length: bytes.len(),
        })
    }
}

impl AsRef<[u8]> for Aligned {
    fn as_ref(&self) -> &[u8] {
        &self.words.as_bytes()[..self.length]
    }
}
