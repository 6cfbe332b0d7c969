//! Applications on the contract: a request as JSON in, an answer as JSON and text out.

use meetjoin_bridge::suit::request::Suits;
use meetjoin_report::{Application, Run, request};
use pyo3::prelude::*;

use crate::error::refused;
use crate::limits::{Allowed, Limit};

/// An answer as JSON and as text, and its page and its picture if they were asked for.
type Forms = (String, String, Option<String>, Option<String>);

/// The answer of `meetjoin suit` to a request.
#[pyfunction]
pub(crate) fn suit(
    py: Python<'_>,
    options: &str,
    page: bool,
    picture: bool,
    time_limit: Option<f64>,
    max_visits: Option<Limit>,
    max_memory: Option<Limit>,
) -> PyResult<Forms> {
    let allowed = Allowed::new(py, time_limit, max_visits, max_memory)?;
    py.detach(|| of::<Suits>(options, page, picture, &allowed))
}

fn of<A: Application>(
    options: &str,
    page: bool,
    picture: bool,
    allowed: &Allowed,
) -> PyResult<Forms> {
    let options = serde_json::from_str(options).map_err(refused)?;
    let budget = allowed.budget();
    let run = Run {
        budget: &budget,
        page,
        picture,
    };
    let answer = request(A::NAME, options).and_then(|request| A::answer(&request, &run));
    let answer = answer.map_err(refused)?;
    Ok((
        answer.json(),
        answer.text(),
        answer.page(),
        answer.picture(),
    ))
}
