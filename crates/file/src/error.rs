//! Errors of files and of values.

use std::io;

use crate::text::shown;

/// Why a file is no problem: one sentence, with the node and the position if there are any.
#[derive(Debug, thiserror::Error)]
#[error("{message}{}", shown_place(*.place))]
pub struct ProblemError {
    pub(crate) message: String,
    pub(crate) place: Option<(usize, usize)>,
    #[source]
    pub(crate) io: Option<io::Error>,
}

impl ProblemError {
    /// An error without a position.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            place: None,
            io: None,
        }
    }

    /// The file cannot be read.
    pub(crate) fn unreadable(error: io::Error) -> Self {
        Self {
            message: format!("the file cannot be read: {error}"),
            place: None,
            io: Some(error),
        }
    }

    /// Line and column of the error, from 1, if it has a position.
    pub fn place(&self) -> Option<(usize, usize)> {
        self.place
    }
}

fn shown_place(place: Option<(usize, usize)>) -> String {
    place.map_or_else(String::new, |(line, column)| {
        format!(" (line {line} column {column})")
    })
}

/// A text that is no value of the lattice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not {expected}")]
pub struct ValueError {
    found: String,
    expected: String,
}

impl ValueError {
    pub(crate) fn new(found: &str, expected: impl Into<String>) -> Self {
        Self {
            found: shown(found),
            expected: expected.into(),
        }
    }
}
