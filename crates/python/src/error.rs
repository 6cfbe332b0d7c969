//! The one exception of the package.

use pyo3::PyErr;

pyo3::create_exception!(
    meetjoin,
    MeetjoinError,
    pyo3::exceptions::PyValueError,
    "Something cannot be done: what, where, and what to do."
);

/// The error with this sentence.
pub(crate) fn refused(why: impl ToString) -> PyErr {
    MeetjoinError::new_err(why.to_string())
}
