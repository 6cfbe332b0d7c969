//! Why a run ends without an answer.

use std::fmt::Display;
use std::io;
use std::path::Path;

use meetjoin_lattice::Stop;

/// Why a run ends without an answer. Completed levels stay in the folder, and the next run goes on
/// from them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// The request is not possible: arguments, hosts, a folder of another problem.
    #[error("{0}")]
    Input(String),
    /// A limit or a signal ended it.
    #[error("{0}")]
    Stopped(String),
    /// A disk, a connection or another process failed.
    #[error("{0}")]
    Broken(String),
}

impl Failure {
    /// A failed operation on a file.
    pub(crate) fn file(what: &str, path: &Path, error: &io::Error) -> Self {
        Self::Broken(format!("cannot {what} {}: {error}", path.display()))
    }

    /// A damaged file.
    pub(crate) fn damaged(path: &Path, what: impl Display) -> Self {
        Self::Broken(format!(
            "{} is damaged: {what}; delete it and run again, and its level will be computed again",
            path.display()
        ))
    }
}

/// The failure after a limit has fired.
pub(crate) fn stopped(stop: Stop) -> Failure {
    Failure::Stopped(format!("stopped ({})", stop.word()))
}
