//! Problems over the lattices of files, through the one seam.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};

use meetjoin::dag::Problem as Explicit;
use meetjoin::dag::{NodeId, NodeName, Rows, Statistics};
use meetjoin::lattice::{AnyElem, AnyLattice, Budget, Decimal, Extended, Lattice as _, Words};
use meetjoin::search::Counts;
use meetjoin::search::method::{Algorithm, DEFAULT};
use meetjoin_solve::{
    Answer, Claim, CountNodes, Decider, Found, HeaviestRequest, Instance, ProofFormat, Refused,
    Request, Side, Source, Stats, StrategyRequest, explicit, strategy, trace, verify,
    write_certificate,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::error::refused;
use crate::lattice::Lattice;
use crate::limits::{Allowed, METER, Watch, algorithm};
use crate::value;

/// A problem, ready to be searched any number of times and by several threads.
#[pyclass(frozen, module = "meetjoin._meetjoin")]
pub(crate) struct Problem {
    /// One search at a time: some problems keep what searches share.
    instance: Mutex<Box<dyn Instance>>,
    /// The thread that searches, which must not wait for itself: a callback may ask for another search.
    searching: Mutex<Option<ThreadId>>,
    /// Nodes, edges and leaves, where they are listed.
    size: Option<(usize, usize, usize)>,
}

/// The bytes of an array of 64-bit integers of this machine.
fn integers(bytes: &[u8]) -> PyResult<Vec<i64>> {
    let (words, rest) = bytes.as_chunks::<8>();
    if !rest.is_empty() {
        return Err(refused(
            "an array of 64-bit integers has a multiple of 8 bytes",
        ));
    }
    Ok(words.iter().map(|word| i64::from_ne_bytes(*word)).collect())
}

/// The values of leaves: an array of numbers, or a list of JSON texts.
fn leaf_values(lattice: &AnyLattice, values: &Bound<'_, PyAny>) -> PyResult<Vec<AnyElem>> {
    if let Ok(list) = values.cast::<PyList>() {
        return value::read_all(lattice, list);
    }
    let bytes = values.cast::<PyBytes>()?.as_bytes();
    let values = match lattice {
        AnyLattice::Bool(_) => bytes.iter().map(|&b| AnyElem::Bool(b != 0)).collect(),
        AnyLattice::Integers(_) => {
            let values = integers(bytes)?.into_iter();
            values
                .map(|v| AnyElem::Integer(Extended::Finite(v)))
                .collect()
        }
        AnyLattice::Decimals(_) => {
            let values = integers(bytes)?.into_iter().map(|bits| {
                let value = Decimal::new(f64::from_bits(bits.cast_unsigned()));
                value
                    .map(AnyElem::Decimal)
                    .ok_or_else(|| refused("a leaf's value is not a number"))
            });
            values.collect::<PyResult<Vec<_>>>()?
        }
        AnyLattice::SmallPowerset(_) => {
            let values = integers(bytes)?.into_iter();
            values
                .map(|v| AnyElem::SmallSet(Words([v.cast_unsigned()])))
                .collect()
        }
        _ => {
            return Err(refused(
                "leaf values of this lattice are a list, one value each",
            ));
        }
    };
    let (bottom, top, free) = (lattice.bottom(), lattice.top(), Budget::unlimited());
    let outside = values.iter().position(|value| {
        lattice.leq(&bottom, value, &free) != Ok(true)
            || lattice.leq(value, &top, &free) != Ok(true)
    });
    match outside {
        Some(leaf) => Err(refused(format!(
            "the value of leaf {leaf} (counted from 0) lies outside the lattice"
        ))),
        None => Ok(values),
    }
}

#[pymethods]
impl Problem {
    /// Reads a problem file.
    #[staticmethod]
    fn read(py: Python<'_>, text: &[u8]) -> PyResult<Self> {
        let (instance, size) = py
            .detach(|| {
                let source = Source::read(text)?;
                let size = match &source {
                    Source::Problem(_) => source.statistics().ok(),
                    _ => None,
                };
                Ok::<_, meetjoin_solve::Refused>((source.instance()?, size))
            })
            .map_err(refused)?;
        let size = size.map(|s: Statistics| (s.nodes, s.edges, s.leaves));
        Ok(Self {
            instance: Mutex::new(instance),
            searching: Mutex::default(),
            size,
        })
    }

    /// A graph as rows of children: `kinds` has a byte for each node (0 leaf, 1 AND, 2 OR), the children of node i are
    /// `children[offsets[i]..offsets[i + 1]]`.
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
        let (offsets, children) = (integers(offsets)?, integers(children)?);
        let values = leaf_values(&lattice.0, values)?;
        let lattice = lattice.0.clone();
        py.detach(|| Self::of_rows(kinds, &offsets, &children, root, lattice, values))
            .map_err(refused)
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
        max_visits: Option<u64>,
        max_memory: Option<u64>,
        moves: bool,
        count_nodes: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Py<PyDict>> {
        let algorithm = self::algorithm(algorithm)?;
        let allowed = Allowed::new(time_limit, max_visits, max_memory)?;
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
                    ..Request::new(algorithm, &budget)
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
        max_visits: Option<u64>,
        max_memory: Option<u64>,
        proof: Option<&str>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Py<PyDict>> {
        let deciders = [Decider::DfPn, Decider::ProofNumber, Decider::Test];
        let by = deciders
            .into_iter()
            .find(|decider| decider.id() == algorithm);
        let by = by.ok_or_else(|| {
            let ids = deciders.map(Decider::id).join(", ");
            refused(format!("unknown algorithm {algorithm:?}; there are {ids}"))
        })?;
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
        let allowed = Allowed::new(time_limit, max_visits, max_memory)?;
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
        max_visits: Option<u64>,
        max_memory: Option<u64>,
    ) -> PyResult<Py<PyDict>> {
        let allowed = Allowed::new(time_limit, max_visits, max_memory)?;
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
        dict.set_item("stop", found.stop.map(meetjoin::lattice::Stop::word))?;
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
        max_visits: Option<u64>,
        max_memory: Option<u64>,
    ) -> PyResult<(String, String)> {
        let allowed = Allowed::new(time_limit, max_visits, max_memory)?;
        let found = py.detach(|| {
            self.ask(|instance| {
                let budget = allowed.budget();
                let answer = instance.solve(Request::new(fitting(instance), &budget))?;
                let side = if min { Side::Min } else { Side::Max };
                let request = StrategyRequest {
                    side,
                    of,
                    stated: true,
                    budget: &budget,
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
        max_visits: Option<u64>,
        max_memory: Option<u64>,
    ) -> PyResult<String> {
        let allowed = Allowed::new(time_limit, max_visits, max_memory)?;
        let text = py.detach(|| {
            self.ask(|instance| {
                let answer = instance.solve(Request::new(fitting(instance), &allowed.budget()))?;
                let (value, mut text) = (&answer.root.value, Vec::new());
                write_certificate(
                    instance,
                    digest,
                    value,
                    stated,
                    &allowed.budget(),
                    &mut text,
                )?;
                Ok(text)
            })
        });
        String::from_utf8(text.map_err(refused)?).map_err(refused)
    }

    /// What a certificate shows, as JSON.
    #[pyo3(signature = (digest, text, time_limit, max_visits, max_memory))]
    fn verify(
        &self,
        py: Python<'_>,
        digest: &str,
        text: &str,
        time_limit: Option<f64>,
        max_visits: Option<u64>,
        max_memory: Option<u64>,
    ) -> PyResult<String> {
        let allowed = Allowed::new(time_limit, max_visits, max_memory)?;
        let verified = py.detach(|| {
            self.ask(|instance| verify(instance, digest, text.as_bytes(), &allowed.budget()))
        });
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
        max_visits: Option<u64>,
        max_memory: Option<u64>,
    ) -> PyResult<String> {
        let chosen = algorithms.iter().map(|id| algorithm(Some(id)));
        let chosen = chosen.collect::<PyResult<Vec<_>>>()?;
        let allowed = Allowed::new(time_limit, max_visits, max_memory)?;
        let page =
            py.detach(|| self.ask(|instance| trace(instance, title, &chosen, &allowed.budget())));
        page.map_err(refused)
    }
}

/// The digest of a problem file.
#[pyfunction]
pub(crate) fn digest(py: Python<'_>, text: &[u8]) -> PyResult<String> {
    py.detach(|| Ok(Source::read(text)?.digest()))
        .map_err(|error: Refused| refused(error))
}

/// The default algorithm, or the one that every lattice admits.
fn fitting(instance: &dyn Instance) -> Algorithm {
    let minimax = meetjoin::search::method::algorithm("minimax-cached").copied();
    match instance.admits(&DEFAULT) {
        Ok(()) => DEFAULT,
        Err(_) => minimax.unwrap_or(DEFAULT),
    }
}

impl Problem {
    /// Asks the instance, when nobody else does.
    fn ask<T>(
        &self,
        question: impl FnOnce(&dyn Instance) -> Result<T, Refused>,
    ) -> Result<T, Refused> {
        // A panic leaves nothing half done: what searches share is true at any moment.
        let searching = || {
            self.searching
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        let this = Some(thread::current().id());
        if *searching() == this {
            let why =
                "this problem is being searched, and a callback of the search asks for another one";
            return Err(Refused::Problem(why.to_owned()));
        }
        let instance = self.instance.lock().unwrap_or_else(PoisonError::into_inner);
        *searching() = this;
        let answer = question(&**instance);
        *searching() = None;
        answer
    }

    fn of_rows(
        kinds: &[u8],
        offsets: &[i64],
        children: &[i64],
        root: usize,
        lattice: AnyLattice,
        values: Vec<AnyElem>,
    ) -> Result<Self, String> {
        if offsets.len() != kinds.len() + 1 {
            let (found, needed) = (offsets.len(), kinds.len() + 1);
            return Err(format!(
                "{found} offsets for {} nodes; there must be {needed}",
                kinds.len()
            ));
        }
        let node = |number: i64| {
            let number = u32::try_from(number)
                .ok()
                .filter(|&n| (n as usize) < kinds.len());
            number
                .map(NodeId::from)
                .ok_or_else(|| "a child is no node of the graph".to_owned())
        };
        let mut rows =
            Rows::with_capacity(kinds.len(), children.len()).map_err(|error| error.to_string())?;
        for (number, kind) in kinds.iter().enumerate() {
            let row = usize::try_from(offsets[number])
                .ok()
                .zip(usize::try_from(offsets[number + 1]).ok());
            let row = row.and_then(|(first, end)| children.get(first..end));
            let row = row.ok_or_else(|| {
                format!("the offsets of node {number} are not those of a row of children")
            })?;
            let children = row
                .iter()
                .map(|&child| node(child))
                .collect::<Result<Vec<_>, _>>()?;
            let added = match kind {
                0 if children.is_empty() => rows.leaf(),
                0 => return Err(format!("node {number} is a leaf and has children")),
                1 => rows.and(children),
                2 => rows.or(children),
                _ => {
                    return Err(format!(
                        "node {number} is of kind {kind}; 0 is a leaf, 1 AND, 2 OR"
                    ));
                }
            };
            added.map_err(|error| error.to_string())?;
        }
        let root = node(i64::try_from(root).unwrap_or(-1))
            .map_err(|_| "the root is no node of the graph".to_owned())?;
        let graph = rows.finish(root).map_err(|error| error.to_string())?;
        let size = Some((graph.node_count(), graph.edge_count(), graph.leaf_count()));
        let names = (0..).take(kinds.len()).map(NodeName::Int).collect();
        let problem =
            Explicit::new(graph, names, lattice, values).map_err(|error| error.to_string())?;
        let instance = explicit(problem).map_err(|error| error.to_string())?;
        Ok(Self {
            instance: Mutex::new(instance),
            searching: Mutex::default(),
            size,
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
    dict.set_item("stop", found.stop.map(meetjoin::lattice::Stop::word))?;
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
