//! Fault trees, as text in and JSON out: what people call makes objects of it.

use meetjoin_faults::FaultTree as Tree;
use meetjoin_faults::Sets;
use meetjoin_faults::problem::problem;
use meetjoin_faults::{CutsRequest, List, find};
use meetjoin_solve::Source;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::refused;
use crate::limits::{Allowed, METER};
use crate::running;

/// A fault tree, read.
#[pyclass(frozen, module = "meetjoin._meetjoin")]
pub(crate) struct FaultTree(Tree);

#[pymethods]
impl FaultTree {
    #[new]
    #[pyo3(signature = (text, top))]
    fn new(text: &str, top: Option<&str>) -> PyResult<Self> {
        let tree = Source::read_fault_tree(text, top);
        tree.map(Self).map_err(refused)
    }

    /// The tree as a problem over functions of its events: the text of a problem file.
    fn problem(&self, py: Python<'_>) -> PyResult<Py<PyBytes>> {
        let text = running::detached(py, || {
            let problem = problem(&self.0).map_err(|error| error.to_string())?;
            let mut text = Vec::new();
            let source = Source::Problem(Box::new(problem));
            let written = source.write_json(&mut text);
            written.map_err(|error| error.to_string())?;
            Ok(text)
        });
        Ok(PyBytes::new(py, &text.map_err(|why: String| refused(why))?).unbind())
    }

    /// Gates and basic events.
    #[getter]
    fn size(&self) -> (usize, usize) {
        (self.0.gates().len(), self.0.events().len())
    }

    /// One JSON object, `meetjoin-cuts/1`. `list`: no number for no sets, 0 for all by size, else
    /// so many of the most probable.
    #[pyo3(signature = (sets, limit_order, cut_off, list, importance, time_limit, max_memory))]
    fn cuts(
        &self,
        py: Python<'_>,
        sets: &str,
        limit_order: Option<u32>,
        cut_off: Option<f64>,
        list: Option<usize>,
        importance: bool,
        time_limit: Option<f64>,
        max_memory: Option<u64>,
    ) -> PyResult<String> {
        let sets = match sets {
            "cuts" => Sets::Cuts,
            "paths" => Sets::Paths,
            "prime-implicants" => Sets::PrimeImplicants,
            other => {
                return Err(refused(format!(
                    "there are \"cuts\", \"paths\" and \"prime-implicants\", and no {other:?}"
                )));
            }
        };
        if let Some(cut_off) = cut_off.filter(|p| !(0.0..=1.0).contains(p)) {
            return Err(refused(format!("cut_off {cut_off} is no probability")));
        }
        let allowed = Allowed::new(py, time_limit, None, max_memory)?;
        let json = py.detach(|| {
            let request = CutsRequest {
                sets,
                limit_order,
                cut_off,
                list: match list {
                    None => List::None,
                    Some(0) => List::BySize,
                    Some(most) => List::MostProbable(most),
                },
                importance,
                budget: &allowed.budget(),
                meter: METER,
            };
            let mut json = Vec::new();
            let found = find(&self.0, request).map_err(|error| error.to_string())?;
            found
                .write_json(&mut json)
                .map_err(|error| error.to_string())?;
            String::from_utf8(json).map_err(|error| error.to_string())
        });
        json.map_err(refused)
    }
}
