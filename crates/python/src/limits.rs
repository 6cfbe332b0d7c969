//! What can end a search: limits, Ctrl-C, or the progress callback.

use std::alloc::System;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cap::Cap;
use meetjoin_catalogue::method::{ALGORITHMS, Algorithm};
use meetjoin_lattice::{Budget, Limits, MemoryLimit};
use meetjoin_report::meant;
use meetjoin_solve::{Known, Meter, Moment, Progress};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

use crate::error::refused;
use crate::running;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// How searches measure memory: what this module has allocated, without what Python has.
pub(crate) const METER: Meter = Meter {
    begin: || (),
    allocated: || ALLOCATOR.allocated(),
    peak: || ALLOCATOR.max_allocated(),
};

/// The algorithm with this id.
pub(crate) fn algorithm(id: &str) -> PyResult<Algorithm> {
    named(id, ALGORITHMS.iter().copied(), |row| row.id)
}

/// The algorithm with this id, among all of a kind.
pub(crate) fn named<A: Copy>(
    id: &str,
    all: impl IntoIterator<Item = A>,
    id_of: impl Fn(A) -> &'static str,
) -> PyResult<A> {
    let all: Vec<(&str, A)> = all.into_iter().map(|one| (id_of(one), one)).collect();
    let found = all.iter().find(|(known, _)| *known == id);
    found.map(|(_, one)| *one).ok_or_else(|| {
        let ids: Vec<&str> = all.iter().map(|(known, _)| *known).collect();
        let (meant, ids) = (meant(id, ids.iter().copied()), ids.join(", "));
        refused(format!(
            "there is no algorithm {id:?}{meant}; there are {ids}"
        ))
    })
}

/// The most visits, or bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit(u64);

impl<'a, 'py> FromPyObject<'a, 'py> for Limit {
    type Error = PyErr;

    fn extract(limit: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        limit.extract().map(Self).map_err(|error: PyErr| {
            if !error.is_instance_of::<PyOverflowError>(limit.py()) {
                return error;
            }
            let most = u64::MAX;
            refused(format!(
                "max_visits and max_memory go from 0 to {most}, and one of them is {}",
                *limit
            ))
        })
    }
}

/// The limits of a call, counted from when this is made. It lives as long as the call, and
/// [registers](running) it.
#[derive(Clone, Debug)]
pub(crate) struct Allowed {
    visits: Option<u64>,
    deadline: Option<Instant>,
    memory: Option<u64>,
    pub(crate) cancel: Arc<AtomicBool>,
}

impl Allowed {
    pub(crate) fn new(
        py: Python<'_>,
        seconds: Option<f64>,
        visits: Option<Limit>,
        memory: Option<Limit>,
    ) -> PyResult<Self> {
        let time = match seconds {
            // A limit that the clock cannot express is no limit.
            Some(seconds) if seconds >= 0.0 => Duration::try_from_secs_f64(seconds).ok(),
            Some(seconds) => {
                return Err(refused(format!(
                    "time_limit is {seconds}, and a number of seconds from 0 on is wanted"
                )));
            }
            None => None,
        };
        Ok(Self {
            visits: visits.map(|Limit(most)| most),
            deadline: time.and_then(|time| Instant::now().checked_add(time)),
            memory: memory.map(|Limit(most)| most),
            cancel: running::begin(py),
        })
    }

    /// A budget of a search whose caches may forget.
    pub(crate) fn budget(&self) -> Budget {
        Budget::new(Limits {
            forget: true,
            ..self.limits()
        })
    }

    /// A budget for a search that must not forget, as for a certificate.
    pub(crate) fn remembering(&self) -> Budget {
        Budget::new(self.limits())
    }

    fn limits(&self) -> Limits {
        Limits {
            visits: self.visits,
            deadline: self.deadline,
            memory: self.memory.map(|bytes| MemoryLimit {
                bytes,
                used: || ALLOCATOR.allocated() as u64,
            }),
            cancel: Some(Arc::clone(&self.cancel)),
            ..Limits::default()
        }
    }
}

/// Checks signals and reports progress while a search runs.
pub(crate) struct Watch {
    cancel: Arc<AtomicBool>,
    looked: Instant,
    told: Option<Py<PyAny>>,
    /// What the callback has raised.
    pub(crate) raised: Option<PyErr>,
}

/// The interval between checks of signals, and between calls of the callback.
const PAUSE: Duration = Duration::from_millis(50);

impl Watch {
    pub(crate) fn new(allowed: &Allowed, told: Option<Py<PyAny>>) -> Self {
        Self {
            cancel: Arc::clone(&allowed.cancel),
            looked: Instant::now(),
            told,
            raised: None,
        }
    }

    /// Checks signals and reports progress, if it is time to. Ctrl-C ends the search.
    pub(crate) fn look(&mut self) -> bool {
        if self.looked.elapsed() < PAUSE {
            return false;
        }
        self.looked = Instant::now();
        #[allow(clippy::redundant_closure_for_method_calls)] // the method is not general enough
        let signal = Python::attach(|py| py.check_signals());
        if signal.is_err() {
            self.cancel.store(true, Ordering::Relaxed);
        }
        self.told.is_some() && self.raised.is_none()
    }
}

impl Progress for Watch {
    fn wanted(&mut self) -> bool {
        self.look()
    }

    fn show(&mut self, moment: &Moment) {
        let Some(told) = &self.told else {
            return;
        };
        let (lower, upper) = match &moment.known {
            Known::Between(lower, upper) => (lower.clone(), upper.clone()),
            Known::Numbers(numbers) => (numbers.proof.to_string(), numbers.disproof.to_string()),
        };
        let called = Python::attach(|py| {
            let told = told.call1(py, (moment.visits, moment.entries, lower, upper));
            told.map(drop)
        });
        if let Err(error) = called {
            self.raised = Some(error);
            self.cancel.store(true, Ordering::Relaxed);
        }
    }
}
