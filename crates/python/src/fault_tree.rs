//! Fault trees, as files in and JSON out: the Python code makes objects of it.

use std::borrow::Cow;

use meetjoin_faults::FaultTree as Tree;
use meetjoin_faults::problem::problem;
use meetjoin_faults::{
    Asked, CutsError, CutsRequest, List, Model, ModelReader, Sets, State, find, find_in_model,
    find_sequences, tree_of,
};
use meetjoin_problems::Source;
use meetjoin_report::progress::Listener;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::data::files::problem_text;
use crate::error::refused;
use crate::limits::{Allowed, Limit, METER};
use crate::running;

/// A fault tree, and the model that it comes from, unless that was a problem file.
#[pyclass(frozen, module = "meetjoin._meetjoin")]
pub(crate) struct FaultTree {
    tree: Tree,
    model: Option<Model>,
    top: Option<String>,
}

/// The state at a mission time.
fn state(mission_time: Option<f64>) -> PyResult<State> {
    let time = meetjoin_faults::model::mission_time(mission_time);
    time.map(State::at)
        .map_err(|error| refused(format!("mission_time {error}")))
}

impl FaultTree {
    fn model(&self) -> PyResult<&Model> {
        let model = self.model.as_ref();
        model.ok_or_else(|| refused("a problem file has neither times nor rates, nor event trees"))
    }

    /// The model, with its common causes if they are asked for.
    fn with(&self, ccf: bool) -> PyResult<Cow<'_, Model>> {
        let model = self.model()?;
        if !ccf {
            return Ok(Cow::Borrowed(model));
        }
        model
            .clone()
            .with_common_causes()
            .map(Cow::Owned)
            .map_err(refused)
    }
}

#[pymethods]
impl FaultTree {
    #[new]
    #[pyo3(signature = (texts, top))]
    fn new(texts: Vec<PyBackedBytes>, top: Option<String>) -> PyResult<Self> {
        if let [text] = &texts[..]
            && let Some(text) = problem_text(text)?
        {
            let tree = Source::read_fault_tree(text, top.as_deref()).map_err(refused)?;
            return Ok(Self {
                tree,
                model: None,
                top,
            });
        }
        let mut reader = ModelReader::new();
        for (number, text) in (1..).zip(&texts) {
            reader.read(&text[..]).map_err(|error| match texts.len() {
                1 => refused(error),
                _ => refused(format!("file {number}: {error}")),
            })?;
        }
        let placed = |error: meetjoin_faults::FaultTreeFileError| match error.file() {
            Some(file) if texts.len() > 1 => refused(format!("file {}: {error}", file + 1)),
            _ => refused(error),
        };
        let model = reader.finish(top.as_deref()).map_err(placed)?;
        let tree = model.tree(top.as_deref(), &State::default());
        // A model may have event trees only.
        let tree = match tree {
            Err(_) if model.has_sequences() && top.is_none() => Tree::new(
                Vec::new(),
                Vec::new(),
                meetjoin_faults::tree::Argument::Constant(true),
            )
            .map_err(refused)?,
            tree => tree.map_err(placed)?,
        };
        Ok(Self {
            tree,
            model: Some(model),
            top,
        })
    }

    /// One JSON object, `meetjoin-sequences/1`.
    #[pyo3(signature = (mission_time, ccf, list, time_limit, max_memory))]
    fn sequences(
        &self,
        py: Python<'_>,
        mission_time: Option<f64>,
        ccf: bool,
        list: bool,
        time_limit: Option<f64>,
        max_memory: Option<Limit>,
    ) -> PyResult<String> {
        let time = state(mission_time)?.mission_time;
        let model = self.with(ccf)?;
        let allowed = Allowed::new(py, time_limit, None, max_memory)?;
        let json = py.detach(|| {
            let found = find_sequences(&model, time, list, &allowed.budget(), Listener::NONE);
            let mut json = Vec::new();
            let found = found.map_err(|error| error.to_string())?;
            found
                .write_json(&mut json)
                .map_err(|error| error.to_string())?;
            String::from_utf8(json).map_err(|error| error.to_string())
        });
        json.map_err(refused)
    }

    /// The tree as a problem over functions of its events: the text of a problem file.
    fn problem(&self, py: Python<'_>) -> PyResult<Py<PyBytes>> {
        let text = running::detached(py, || {
            let problem = problem(&self.tree).map_err(|error| error.to_string())?;
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
        (self.tree.gates().len(), self.tree.events().len())
    }

    /// One JSON object, `meetjoin-cuts/1`. `list` is none for no sets, 0 for all by size, else the
    /// number of the most probable.
    #[pyo3(signature = (sets, limit_order, cut_off, list, importance, time_limit, max_memory, mission_time, ccf, time_step, sil, uncertainty, seed))]
    #[allow(clippy::too_many_arguments)] // Python has names for them
    fn cuts(
        &self,
        py: Python<'_>,
        sets: &str,
        limit_order: Option<u32>,
        cut_off: Option<f64>,
        list: Option<usize>,
        importance: bool,
        time_limit: Option<f64>,
        max_memory: Option<Limit>,
        mission_time: Option<f64>,
        ccf: bool,
        time_step: Option<f64>,
        sil: bool,
        uncertainty: Option<usize>,
        seed: u64,
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
        let state = state(mission_time)?;
        let of_model =
            ccf || time_step.is_some() || uncertainty.is_some() || mission_time.is_some();
        if of_model && self.model.is_none() {
            self.model()?;
        }
        if sil && time_step.is_none() {
            return Err(refused("sil needs a time_step"));
        }
        let model = match &self.model {
            Some(_) => Some(self.with(ccf)?),
            None => None,
        };
        let asked = Asked {
            time_step,
            sil,
            uncertainty: uncertainty.map(|trials| (trials, seed)),
        };
        let allowed = Allowed::new(py, time_limit, None, max_memory)?;
        let json = py.detach(|| {
            let budget = allowed.budget();
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
                budget: &budget,
                meter: METER,
                listener: Listener::NONE,
            };
            let mut json = Vec::new();
            let made;
            let found = match &model {
                None => find(&self.tree, request),
                Some(model) => {
                    let top = self.top.as_deref();
                    made = tree_of(model, top, &state, sets, &budget)
                        .map_err(|error| error.to_string())?;
                    find_in_model((model, top, &state), &made, request, asked)
                }
            };
            let found = found.map_err(|error| match error {
                CutsError::NoCutOff(_) => format!("cut_off {error}"),
                error => error.to_string(),
            })?;
            found
                .write_json(&mut json)
                .map_err(|error| error.to_string())?;
            String::from_utf8(json).map_err(|error| error.to_string())
        });
        json.map_err(refused)
    }
}
