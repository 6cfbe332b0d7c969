//! Attack trees, as files in and JSON out: the Python code makes objects of it.

use meetjoin_attacks::{
    AttackTree as Tree, Attribute, List, Request, Rule, ask, from_bytes, from_fault_tree, to_adtool,
};
use meetjoin_problems::Source;
use meetjoin_report::progress::Listener;
use pyo3::prelude::*;

use crate::data::files::problem_text;
use crate::error::refused;
use crate::limits::{Allowed, Limit, METER};

/// An attack tree, read.
#[pyclass(frozen, module = "meetjoin._meetjoin")]
pub(crate) struct AttackTree(Tree);

#[pymethods]
impl AttackTree {
    #[new]
    #[pyo3(signature = (text, top, attributes))]
    fn new(text: &[u8], top: Option<&str>, attributes: Vec<(String, String)>) -> PyResult<Self> {
        let mut given = Vec::new();
        for (name, rule) in attributes {
            let Some(rule) = Rule::named(&rule) else {
                let why = format!("there are \"sum\", \"max\" and \"product\", and no {rule:?}");
                return Err(refused(why));
            };
            given.push(Attribute { name, rule });
        }
        if let Some(text) = problem_text(text)? {
            let tree = Source::read_fault_tree(text, top).map_err(refused)?;
            return from_fault_tree(&tree, &given).map(Self).map_err(refused);
        }
        from_bytes(text, top, &given).map(Self).map_err(refused)
    }

    /// The nodes that the root leads to.
    #[getter]
    fn size(&self) -> usize {
        self.0.upwards().len()
    }

    /// The attributes, each with its rule.
    #[getter]
    fn attributes(&self) -> Vec<(String, String)> {
        let attributes = self.0.attributes().iter();
        attributes
            .map(|attribute| (attribute.name.clone(), attribute.rule.to_string()))
            .collect()
    }

    /// XML for ADTool.
    fn adtool(&self) -> PyResult<String> {
        to_adtool(&self.0).map_err(refused)
    }

    /// One JSON object, `meetjoin-attacks/1`. `list` is none for no attacks, 0 for all, else the
    /// number of the cheapest.
    #[pyo3(signature = (pareto, best, defences, budget, stopping, list, time_limit, max_memory))]
    fn ask(
        &self,
        py: Python<'_>,
        pareto: Vec<String>,
        best: Vec<String>,
        defences: bool,
        budget: Option<f64>,
        stopping: Option<f64>,
        list: Option<usize>,
        time_limit: Option<f64>,
        max_memory: Option<Limit>,
    ) -> PyResult<String> {
        let allowed = Allowed::new(py, time_limit, None, max_memory)?;
        let json = py.detach(|| {
            let request = Request {
                pareto,
                best,
                defences,
                spend: budget,
                stopping,
                list: match list {
                    None => List::None,
                    Some(0) => List::All,
                    Some(most) => List::Cheapest(most),
                },
                budget: &allowed.budget(),
                meter: METER,
                listener: Listener::NONE,
            };
            let mut json = Vec::new();
            let found = ask(&self.0, request).map_err(|error| error.to_string())?;
            found
                .write_json(&mut json)
                .map_err(|error| error.to_string())?;
            String::from_utf8(json).map_err(|error| error.to_string())
        });
        json.map_err(refused)
    }
}
