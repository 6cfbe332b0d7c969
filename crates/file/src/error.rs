//! What can be wrong with a file and with a value.

use std::{fmt, io};

use crate::text::shown;

/// Why a file is no problem: one sentence, with the node and the place where there is one.
#[derive(Debug, thiserror::Error)]
#[error("{message}{}", Place(*.line, *.column))]
pub struct ProblemError {
    pub(crate) message: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
    #[source]
    pub(crate) io: Option<io::Error>,
}

impl ProblemError {
    /// An error without a place.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            line: 0,
            column: 0,
            io: None,
        }
    }

    /// Line and column of the error, from 1, if it has a place.
    pub fn place(&self) -> Option<(usize, usize)> {
        (self.line > 0).then_some((self.line, self.column))
    }
}

/// A place in a file; line 0 is none.
struct Place(usize, usize);

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => Ok(()),
            line => write!(out, " (line {line} column {})", self.1),
        }
    }
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
