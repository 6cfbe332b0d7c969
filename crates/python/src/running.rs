//! Calls that run without the interpreter, and how they end when it exits or forks.
//!
//! Problem: when the interpreter ends, a daemon thread that comes back from such a call is unwound
//! through our frames, and the process aborts. After a fork the child has the memory of the parent
//! but none of its other threads, so a lock that one of them held is held for ever.
//!
//! Idea: every such call registers. At the end ([`closing`], called by Python's `atexit`) all of
//! them are cancelled and waited for, and a thread that begins another sleeps until the process is
//! gone. Each entry knows its process, so a child counts none of its parent's.
//!
//! Invariant: the registry is used with the interpreter held. So no fork happens while it changes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use pyo3::marker::Ungil;
use pyo3::prelude::*;

/// The flags by which calls are cancelled, with the processes that made them.
static CALLS: Mutex<Vec<(u32, Weak<AtomicBool>)>> = Mutex::new(Vec::new());
/// The thread that ends the interpreter, once one does.
static CLOSING: Mutex<Option<ThreadId>> = Mutex::new(None);

/// How long the end waits for calls that were cancelled.
const PATIENCE: Duration = Duration::from_secs(10);
/// The interval between checks whether they have ended.
const NAP: Duration = Duration::from_millis(2);

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Registers a call, which ends when the flag is dropped.
pub(crate) fn begin(py: Python<'_>) -> Arc<AtomicBool> {
    let ends = *locked(&CLOSING);
    if ends.is_some_and(|by| by != thread::current().id()) {
        // No thread waits for this one, and it would return when there is no interpreter.
        py.detach(|| {
            loop {
                thread::park();
            }
        });
    }
    let cancel = Arc::new(AtomicBool::new(false));
    let mut calls = locked(&CALLS);
    calls.retain(|(_, call)| call.strong_count() > 0);
    calls.push((std::process::id(), Arc::downgrade(&cancel)));
    cancel
}

/// Runs work that cannot be cancelled without the interpreter.
pub(crate) fn detached<T: Ungil + Send>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Ungil + Send,
) -> T {
    let _call = begin(py);
    py.detach(work)
}

/// Cancels all calls and waits for their ends, some seconds at most. Called once, when the
/// interpreter is about to end.
#[pyfunction]
pub(crate) fn closing(py: Python<'_>) {
    *locked(&CLOSING) = Some(thread::current().id());
    let deadline = Instant::now() + PATIENCE;
    let this = std::process::id();
    loop {
        let calls = locked(&CALLS);
        let calls = calls.iter().filter(|(process, _)| *process == this);
        let open: Vec<Arc<AtomicBool>> = calls.filter_map(|(_, call)| call.upgrade()).collect();
        if open.is_empty() || Instant::now() >= deadline {
            return;
        }
        for call in open {
            call.store(true, Ordering::Relaxed);
        }
        py.detach(|| thread::sleep(NAP));
    }
}
