//! Exceptions that Python raises in the middle of a search.
//!
//! Idea: the traits of lattices and games have no errors, so the first exception that a method
//! raises is kept here and the search is cancelled; it ends at its next operation, and its caller
//! raises the exception with its traceback.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// The first exception, and the flag that cancels the search.
struct Raised {
    error: RefCell<Option<PyErr>>,
    any: Cell<bool>,
    cancel: Arc<AtomicBool>,
}

thread_local! {
    /// For each search of this thread, the innermost last: a callback may start another.
    static RAISED: RefCell<Vec<Raised>> = const { RefCell::new(Vec::new()) };
}

/// Keeps an error, unless there was one before, and stops the search.
pub(crate) fn raise(error: PyErr) {
    RAISED.with_borrow(|stack| {
        if let Some(raised) = stack.last()
            && !raised.any.replace(true)
        {
            *raised.error.borrow_mut() = Some(error);
            raised.cancel.store(true, Ordering::Relaxed);
        }
    });
}

fn has_raised() -> bool {
    RAISED.with_borrow(|stack| stack.last().is_some_and(|raised| raised.any.get()))
}

/// Calls Python, unless something was raised before.
///
/// Ctrl-C during the call cancels the search, which still needs the result before it can stop with
/// sound bounds; so Python is called once more.
pub(crate) fn call<T>(mut work: impl FnMut(Python<'_>) -> PyResult<T>) -> Option<T> {
    if has_raised() {
        return None;
    }
    Python::attach(|py| {
        let again = |error: PyErr| {
            if error.is_instance_of::<PyKeyboardInterrupt>(py) && !cancel() {
                return None;
            }
            Some(error)
        };
        match work(py) {
            Ok(found) => Some(found),
            Err(error) => match again(error) {
                None => work(py).map_err(raise).ok(),
                Some(error) => {
                    raise(error);
                    None
                }
            },
        }
    })
}

/// Cancels the search; returns whether it was cancelled before.
fn cancel() -> bool {
    RAISED.with_borrow(|stack| {
        let last = stack.last();
        last.is_none_or(|search| search.cancel.swap(true, Ordering::Relaxed))
    })
}

/// Searches, and also returns the exception that Python raised meanwhile, if any.
pub(crate) fn watched<T>(
    cancel: &Arc<AtomicBool>,
    search: impl FnOnce() -> T,
) -> (T, Option<PyErr>) {
    /// Pops its entry when dropped, also by a panic.
    struct Level;

    impl Drop for Level {
        fn drop(&mut self) {
            RAISED.with_borrow_mut(Vec::pop);
        }
    }

    RAISED.with_borrow_mut(|stack| {
        stack.push(Raised {
            error: RefCell::default(),
            any: Cell::new(false),
            cancel: Arc::clone(cancel),
        });
    });
    let _level = Level;
    let found = search();
    let error = RAISED.with_borrow(|stack| stack.last().and_then(|raised| raised.error.take()));
    (found, error)
}
