//! Packets: what each move can guarantee under several criteria (the dominance algebra).

use meetjoin_dag::{NodeId, NodeName};
use meetjoin_dominance::Expression;
use meetjoin_lattice::Stop;
use meetjoin_problems::Source;
use meetjoin_problems::packets::{Outcome, PacketsAlgorithm, search, vectors};
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFrozenSet, PyTuple};

use crate::error::refused;
use crate::limits::{Allowed, Limit, named};

fn sets(py: Python<'_>, expression: &Expression<Outcome>) -> PyResult<Py<PyAny>> {
    let packets = expression.packets().iter().map(|packet| {
        let outcomes = packet.outcomes().iter();
        let outcomes = outcomes.map(|outcome| PyTuple::new(py, outcome.iter()));
        PyFrozenSet::new(py, outcomes.collect::<PyResult<Vec<_>>>()?)
    });
    PyFrozenSet::new(py, packets.collect::<PyResult<Vec<_>>>()?)?.into_py_any(py)
}

/// The packets of a problem file over outcomes, and of each move of its root.
#[pyfunction]
#[pyo3(signature = (text, algorithm, time_limit, max_visits, max_memory))]
pub(crate) fn packets<'py>(
    py: Python<'py>,
    text: &[u8],
    algorithm: &str,
    time_limit: Option<f64>,
    max_visits: Option<Limit>,
    max_memory: Option<Limit>,
) -> PyResult<Bound<'py, PyDict>> {
    let all = [
        PacketsAlgorithm::BottomUp,
        PacketsAlgorithm::ProcedureFShallow,
        PacketsAlgorithm::ProcedureFDeep,
    ];
    let by = named(algorithm, all, PacketsAlgorithm::id)?;
    let allowed = Allowed::new(py, time_limit, max_visits, max_memory)?;
    let problem = Source::read(text)
        .and_then(Source::outcomes)
        .map_err(refused)?;
    let game = vectors(&problem).map_err(refused)?;
    let found = py.detach(|| search(by, &game, &allowed.budget(), &mut |_| ()));
    let name = |node: NodeId| match &*problem.node_name(node) {
        NodeName::Int(number) => number.into_py_any(py),
        NodeName::Text(text) => text.into_py_any(py),
    };
    let of =
        |packets: &Option<Expression<Outcome>>| packets.as_ref().map(|of| sets(py, of)).transpose();
    let moves = found
        .root
        .moves
        .iter()
        .map(|one| Ok((name(one.node)?, of(&one.packets)?)));
    let dict = PyDict::new(py);
    dict.set_item("packets", of(&found.of_max)?)?;
    dict.set_item("guaranteed", sets(py, &found.packets)?)?;
    dict.set_item("moves", moves.collect::<PyResult<Vec<_>>>()?)?;
    dict.set_item("stop", found.root.stop.map(Stop::word))?;
    dict.set_item("visits", found.visits)?;
    dict.set_item("leaves", found.leaves)?;
    dict.set_item("seconds", found.seconds)?;
    Ok(dict)
}
