//! Reads a problem file.
//!
//! Problem: files have gigabytes, keys come in any order, and errors in files written by hand
//! should name the node.
//!
//! Idea: the file is streamed through serde's visitors; only the arrays of the problem are kept
//! and, if the lattice comes after the nodes, the text of the values. Ids are numbered as they are
//! met (`names` and [`Numbering`](meetjoin_dag::Numbering)), unless they are consecutive integers,
//! which are numbers already. What cannot be decided during streaming is decided in
//! [`Draft::finish`]: whether chains hold decimals, missing children, cycles.
//!
//! An error inside a visitor gets the position in the file from serde_json; the node it happened in
//! is remembered in the draft. So every error that has a position names it once. Errors that
//! concern the whole file have none.
//!
//! Cost: linear time; memory while reading: 8 bytes for a node with a consecutive id, some 60 for
//! one with another integer, and 4 for an edge. Nothing recurses into the text: values are skipped
//! by serde_json without recursion, and parsed only as deep as the lattice goes.

mod draft;
mod file;
mod keys;
mod names;
mod node;

use std::io::{self, Read};

use serde::de::DeserializeSeed;

use crate::error::ProblemError;
use crate::problem::outcomes::outcomes;
use crate::problem::problem_file::ProblemFile;
use draft::Draft;

/// Reads a problem file in JSON.
pub(crate) fn read_json(input: impl Read) -> Result<ProblemFile, ProblemError> {
    let mut json = serde_json::Deserializer::from_reader(input);
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

/// Splits serde_json's error into message and position, and adds the node.
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
