//! Searches that callbacks of searches start.
//!
//! Each nested search adds frames of Rust to the stack, which Python's recursion limit does not
//! count. So searches are counted, and refused well before a small stack is full.

use std::cell::Cell;

use pyo3::exceptions::PyRecursionError;
use pyo3::prelude::*;

/// Searches within each other on one thread.
const MOST: u32 = 16;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// A search on this thread, as long as it lives.
#[derive(Debug)]
pub(crate) struct Nested(());

impl Nested {
    /// One more.
    pub(crate) fn enter() -> PyResult<Self> {
        if DEPTH.get() == MOST {
            return Err(PyRecursionError::new_err(format!(
                "a callback starts a search whose callback starts a search, and so on, {MOST} deep"
            )));
        }
        DEPTH.set(DEPTH.get() + 1);
        Ok(Self(()))
    }
}

impl Drop for Nested {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
    }
}
