//! Problems over the lattices of files, through `meetjoin-solve`.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use meetjoin_dag::Problem as Explicit;
use meetjoin_explain::drawn::drawn;
use meetjoin_explain::{StrategyRequest, strategy, trace, verify, write_certificate};
use meetjoin_file::Trust;
use meetjoin_lattice::AnyLattice;
use meetjoin_problems::Source;
use meetjoin_search::Counts;
use meetjoin_solve::{
    Answer, Claim, CountNodes, Decider, Found, HeaviestRequest, Instance, ProofFormat, Refused,
    Request, Side, Stats,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::data::lattice::Lattice;
use crate::data::rows::Rows;
use crate::data::{drawing, files, rows, value};
use crate::error::refused;
use crate::limits::{Allowed, Limit, METER, Watch, algorithm, named};
use crate::own::nesting::Nested;
use crate::running;

/// A problem, ready to be searched any number of times and by several threads.
#[pyclass(frozen, module = "meetjoin._meetjoin")]
pub(crate) struct Problem {
    /// One search at a time: some problems have state that searches share.
    instance: Mutex<Box<dyn Instance>>,
    /// [Who](who) uses the instance; 0 is nobody. A thread must not wait for itself (a callback may
    /// ask for another search), nor for a thread that did not survive a fork.
    asking: AtomicU64,
    /// Nodes, edges and leaves, where they are listed.
    size: Option<(usize, usize, usize)>,
    /// A problem in place in a binary file, which shares its arrays.
    mapped: Option<Box<Explicit<AnyLattice>>>,
}

#[pymethods]
impl Problem {
    /// Reads the bytes of a problem file, JSON or binary.
    #[staticmethod]
    fn read(py: Python<'_>, text: &[u8]) -> PyResult<Self> {
        running::detached(py, || Self::of_source(Source::read(text)?, false)).map_err(refused)
    }

    /// Opens a binary problem file, which is mapped into memory.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf, trust: bool) -> PyResult<Self> {
        let trust = if trust {
            Trust::Trusted
        } else {
            Trust::Checked
        };
        running::detached(py, || Self::of_source(Source::open(&path, trust)?, true))
            .map_err(refused)
    }

    /// A graph as rows of children: `kinds` has a byte for each node (0 leaf, 1 AND, 2 OR), the
    /// children of node i are `children[offsets[i]..offsets[i + 1]]`.
    #[staticmethod]
    fn rows(
        py: Python<'_>,
        kinds: &[u8],
        offsets: &[u8],
        children: &[u8],
        root: usize,
        lattice: &Lattice,
        values: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let rows = Rows::new(kinds, offsets, children, root, lattice, values)?;
        running::detached(py, || {
            let problem = rows.problem(None)?;
            Self::of_source(Source::Problem(Box::new(problem)), false)
        })
        .map_err(refused)
    }

    /// Writes a problem that was opened from a file.
    fn write(
        &self,
        py: Python<'_>,
        what: &str,
        path: Option<PathBuf>,
    ) -> PyResult<Option<Py<PyBytes>>> {
        let mapped = self.mapped.clone();
        let mapped = mapped.ok_or_else(|| refused("this problem was not opened from a file"))?;
        files::write(py, what, path, || Ok(Source::Problem(mapped)))
    }

    /// The arrays of a problem that was opened.
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Option<rows::Arrays<'py>>> {
        let mapped = self.mapped.as_deref();
        mapped.map(|problem| rows::arrays(py, problem)).transpose()
    }

    /// The first nodes: kind, name and value of each; edges; edges to other nodes.
    fn drawn(&self, py: Python<'_>, most: usize) -> PyResult<drawing::Graph> {
        let drawn = running::detached(py, || self.ask(|instance| drawn(instance, most)));
        Ok(drawing::graph(drawn.map_err(refused)?))
    }

    /// Nodes, edges and leaves, where they are listed.
    #[getter]
    fn size(&self) -> Option<(usize, usize, usize)> {
        self.size
    }

    #[pyo3(signature = (algorithm, threads, time_limit, max_visits, max_memory, moves, count_nodes, progress))]
    fn solve(
        &self,
        py: Python<'_>,
        algorithm: Option<&str>,
        threads: NonZero<usize>,
        time_limit: Option<f64>,
        max_visits: Option<Limit>,
        max_memory: Option<Limit>,
        moves: bool,
        count_nodes: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Py<PyDict>> {
        let _nested = Nested::enter()?;
        let algorithm = algorithm.map(self::algorithm).transpose()?;
        let allowed = Allowed::new(py, time_limit, max_visits, max_memory)?;
        let mut watch = Watch::new(&allowed, progress);
        let answer = py.detach(|| {
            self.ask(|instance| {
                let budget = allowed.budget();
                instance.solve(Request {
                    meter: METER,
                    count_nodes: if count_nodes {
                        CountNodes::IfCheap
                    } else {
                        CountNodes::Never
                    },
                    moves,
                    threads,
                    progress: Some(&mut watch),
                    ..Request::new(algorithm.unwrap_or_else(|| instance.suitable()), &budget)
                })
            })
        });
        if let Some(error) = watch.raised {
            return Err(error);
        }
        result(py, &answer.map_err(refused)?)
    }

    #[pyo3(signature = (at_least, algorithm, time_limit, max_visits, max_memory, proof, progress))]
    fn prove(
        &self,
        py: Python<'_>,
        at_least: &str,
        algorithm: &str,
        time_limit: Option<f64>,
        max_visits: Option<Limit>,
        max_memory: Option<Limit>,
        proof: Option<&str>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Py<PyDict>> {
        let _nested = Nested::enter()?;
        let deciders = [Decider::DfPn, Decider::ProofNumber, Decider::Test];
        let by = named(algorithm, deciders, Decider::id)?;
        let proof = match proof {
            None => None,
            Some("json") => Some(ProofFormat::Json),
            Some("dot") => Some(ProofFormat::Dot),
            Some(other) => {
                return Err(refused(format!(
                    "a proof is written as \"json\" or \"dot\", not {other:?}"
                )));
            }
        };
        let allowed = Allowed::new(py, time_limit, max_visits, max_memory)?;
        let mut watch = Watch::new(&allowed, progress);
        let proved = py.detach(|| {
            self.ask(|instance| {
                instance.prove(Claim {
                    at_least,
                    by,
                    budget: &allowed.budget(),
                    meter: METER,
                    threads: NonZero::<usize>::MIN,
                    proof,
                    progress: Some(&mut watch),
                })
            })
        });
        if let Some(error) = watch.raised {
            return Err(error);
        }
        let proved = proved.map_err(refused)?;
        let dict = PyDict::new(py);
        let answer: serde_json::Value = serde_json::from_str(&proved.json()).map_err(refused)?;
        for key in ["result", "algorithm", "stop"] {
            dict.set_item(key, answer[key].as_str())?;
        }
        dict.set_item("stats", stats(py, &proved.stats)?)?;
        dict.set_item("proof", proved.proof.transpose().map_err(refused)?)?;
        Ok(dict.unbind())
    }

    #[pyo3(signature = (top, weights, strategy, time_limit, max_visits, max_memory))]
    fn heaviest(
        &self,
        py: Python<'_>,
        top: Option<usize>,
        weights: Option<Vec<u64>>,
        strategy: bool,
        time_limit: Option<f64>,
        max_visits: Option<Limit>,
        max_memory: Option<Limit>,
    ) -> PyResult<Py<PyDict>> {
        let allowed = Allowed::new(py, time_limit, max_visits, max_memory)?;
        let found = py.detach(|| {
            self.ask(|instance| {
                instance.heaviest(HeaviestRequest {
                    budget: &allowed.budget(),
                    meter: METER,
                    threads: NonZero::<usize>::MIN,
                    top,
                    weights,
                    strategy,
                })
            })
        });
        let found = found.map_err(refused)?;
        let sets = found.sets.iter();
        let sets = sets.map(|(weight, set)| Ok((*weight, value::value(py, set)?)));
        let dict = PyDict::new(py);
        dict.set_item("sets", sets.collect::<PyResult<Vec<_>>>()?)?;
        let answer: serde_json::Value = serde_json::from_str(&found.json()).map_err(refused)?;
        dict.set_item("strategy", value::json(py, &answer["strategy"])?)?;
        dict.set_item("bound", found.bound)?;
        dict.set_item("total", found.total)?;
        dict.set_item("stop", found.stop.map(meetjoin_lattice::Stop::word))?;
        dict.set_item("stats", stats(py, &found.stats)?)?;
        Ok(dict.unbind())
    }

    /// A strategy of MAX or MIN as JSON and as text.
    #[pyo3(signature = (of, min, time_limit, max_visits, max_memory))]
    fn strategy(
        &self,
        py: Python<'_>,
        of: Option<&str>,
        min: bool,
        time_limit: Option<f64>,
        max_visits: Option<Limit>,
        max_memory: Option<Limit>,
    ) -> PyResult<(String, String)> {
        let allowed = Allowed::new(py, time_limit, max_visits, max_memory)?;
        let found = py.detach(|| {
            self.ask(|instance| {
                let answer =
                    instance.solve(Request::new(instance.suitable(), &allowed.budget()))?;
                let side = if min { Side::Min } else { Side::Max };
                let request = StrategyRequest {
                    side,
                    of,
                    stated: true,
                    budget: &allowed.remembering(),
                };
                strategy(instance, &answer.root.value, &request)
            })
        });
        let found = found.map_err(refused)?;
        Ok((found.json(), found.text()))
    }

    /// A certificate of the value, or of the bounds that the limits leave.
    #[pyo3(signature = (digest, stated, time_limit, max_visits, max_memory))]
    fn certificate(
        &self,
        py: Python<'_>,
        digest: String,
        stated: bool,
        time_limit: Option<f64>,
        max_visits: Option<Limit>,
        max_memory: Option<Limit>,
    ) -> PyResult<String> {
        let allowed = Allowed::new(py, time_limit, max_visits, max_memory)?;
        let text = py.detach(|| {
            self.ask(|instance| {
                let answer =
                    instance.solve(Request::new(instance.suitable(), &allowed.budget()))?;
                let (value, mut text) = (&answer.root.value, Vec::new());
                write_certificate(
                    instance,
                    digest,
                    value,
                    stated,
                    &allowed.remembering(),
                    &mut text,
                )?;
                Ok(text)
            })
        });
        String::from_utf8(text.map_err(refused)?).map_err(refused)
    }

    /// What a certificate shows, as JSON.
    #[pyo3(signature = (text, time_limit, max_visits, max_memory))]
    fn verify(
        &self,
        py: Python<'_>,
        text: &str,
        time_limit: Option<f64>,
        max_visits: Option<Limit>,
        max_memory: Option<Limit>,
    ) -> PyResult<String> {
        let allowed = Allowed::new(py, time_limit, max_visits, max_memory)?;
        let verified =
            py.detach(|| self.ask(|instance| verify(instance, text.as_bytes(), &allowed.budget())));
        Ok(verified.map_err(refused)?.json())
    }

    /// A page that shows searches.
    #[pyo3(signature = (title, algorithms, time_limit, max_visits, max_memory))]
    fn trace(
        &self,
        py: Python<'_>,
        title: &str,
        algorithms: Vec<String>,
        time_limit: Option<f64>,
        max_visits: Option<Limit>,
        max_memory: Option<Limit>,
    ) -> PyResult<String> {
        let chosen = algorithms.iter().map(|id| algorithm(id));
        let chosen = chosen.collect::<PyResult<Vec<_>>>()?;
        let allowed = Allowed::new(py, time_limit, max_visits, max_memory)?;
        let page = py.detach(|| {
            self.ask(|instance| trace(instance, title, &chosen, &allowed.remembering()))
        });
        page.map_err(refused)
    }
}

/// The interval between checks whether it is this thread's turn.
const NAP: Duration = Duration::from_millis(1);

/// This process, and a number of this thread in it, which is not 0.
fn who() -> u64 {
    static THREADS: AtomicU32 = AtomicU32::new(1);
    thread_local! {
        static THREAD: u32 = THREADS.fetch_add(1, Relaxed);
    }
    let thread = THREAD.with(|thread| u64::from(*thread));
    u64::from(std::process::id()) << u32::BITS | thread
}

/// The right to use an instance, released when dropped.
struct Turn<'a>(&'a AtomicU64);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.store(0, Release);
    }
}

impl Problem {
    /// Uses the instance, once no other thread does.
    fn ask<T>(
        &self,
        question: impl FnOnce(&dyn Instance) -> Result<T, Refused>,
    ) -> Result<T, Refused> {
        let _turn = self.turn()?;
        // This thread has the turn, so the lock is free. A poisoned lock is harmless: state shared
        // by searches is sound at any moment.
        let instance = self.instance.lock().unwrap_or_else(PoisonError::into_inner);
        question(&**instance)
    }

    /// Waits until no other thread uses the instance.
    fn turn(&self) -> Result<Turn<'_>, Refused> {
        let this = who();
        loop {
            let taken = self.asking.compare_exchange(0, this, Acquire, Relaxed);
            let Err(other) = taken else {
                return Ok(Turn(&self.asking));
            };
            if other == this {
                let why = "this problem is being searched, and a callback of the search asks for another one";
                return Err(Refused::Problem(why.to_owned()));
            }
            if other >> u32::BITS != this >> u32::BITS {
                let why = "this problem was being searched when the process was forked, by a thread that is not here; make it anew in this process";
                return Err(Refused::Problem(why.to_owned()));
            }
            thread::sleep(NAP);
        }
    }

    fn of_source(source: Source, mapped: bool) -> Result<Self, Refused> {
        let (mut size, mut kept) = (None, None);
        if let Source::Problem(problem) = &source {
            let graph = problem.graph();
            size = Some((graph.node_count(), graph.edge_count(), graph.leaf_count()));
            kept = mapped.then(|| problem.clone());
        }
        Ok(Self {
            instance: Mutex::new(source.instance()?),
            asking: AtomicU64::new(0),
            size,
            mapped: kept,
        })
    }
}

/// An answer as a dictionary.
fn result(py: Python<'_>, answer: &Answer) -> PyResult<Py<PyDict>> {
    let dict = found(py, &answer.root)?;
    dict.set_item("algorithm", answer.algorithm)?;
    let moves = answer.moves.as_ref().map(|moves| {
        let moves = moves.iter().map(|(name, of)| {
            let name = serde_json::from_str(&name.json).map_err(refused)?;
            Ok((value::json(py, &name)?, found(py, of)?))
        });
        moves.collect::<PyResult<Vec<_>>>()
    });
    dict.set_item("moves", moves.transpose()?)?;
    dict.set_item("stats", stats(py, &answer.stats)?)?;
    Ok(dict.unbind())
}

fn found<'py>(py: Python<'py>, found: &Found) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    value::interval(py, &dict, &found.value, |of| value::value(py, of))?;
    dict.set_item("stop", found.stop.map(meetjoin_lattice::Stop::word))?;
    dict.set_item("contradiction", found.contradiction)?;
    Ok(dict)
}

fn stats<'py>(py: Python<'py>, stats: &Stats) -> PyResult<Bound<'py, PyDict>> {
    let dict = counters(py, &stats.counts)?;
    dict.set_item("nodes", stats.nodes)?;
    dict.set_item("cache_entries", stats.cache_entries)?;
    dict.set_item("peak_memory_bytes", stats.peak_memory_bytes)?;
    dict.set_item("seconds", stats.seconds)?;
    Ok(dict)
}

/// The counters of a search.
pub(crate) fn counters<'py>(py: Python<'py>, counts: &Counts) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (key, number) in [
        ("visits", counts.visits),
        ("leaves", counts.leaves),
        ("cutoffs", counts.cutoffs),
        ("cache_hits", counts.cache_hits),
        ("probes", counts.probes),
        ("relaxed_visits", counts.relaxed_visits),
    ] {
        dict.set_item(key, number)?;
    }
    Ok(dict)
}
