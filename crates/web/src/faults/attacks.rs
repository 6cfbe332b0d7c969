//! Questions about an attack tree: what `meetjoin attacks` answers.

use meetjoin_attacks::{Attribute, List, NoAttribute, Request, ask, from_bytes};
use meetjoin_lattice::Budget;
use meetjoin_report::Meter;
use meetjoin_report::progress::Listener;
use serde::{Deserialize, Serialize};

use crate::asking::{Answered, with_more};

use super::given::{PROBLEM_FILE, about, is_problem_file};

/// The options of the command, as far as a page has them.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[allow(clippy::struct_excessive_bools)] // each is asked for by itself
pub struct Question {
    /// The name of the file.
    name: String,
    top: Option<String>,
    /// Declarations of unknown domains: `NAME=sum`, `NAME=max` or `NAME=product`.
    attribute: Vec<String>,
    pareto: Vec<String>,
    best: Vec<String>,
    defences: bool,
    budget: Option<f64>,
    stopping: Option<f64>,
    list: bool,
    cheapest: Option<usize>,
    /// Extras that are wanted, in a second line: `page`, `csv` and `attributes`.
    page: bool,
    csv: bool,
    attributes: bool,
}

/// The extras of an answer.
#[derive(Serialize)]
struct More {
    /// The attributes of the tree, each with its rule.
    attributes: Vec<(String, String)>,
    /// Whether it has defences, and something in which they have a price.
    defences: bool,
    /// What the command writes with `--html`.
    page: Option<String>,
    /// What it prints with `--csv`.
    csv: Option<String>,
}

/// Answers it.
///
/// # Errors
/// The command's sentence.
pub fn answer(
    question: &Question,
    file: &[u8],
    budget: &Budget,
    meter: Meter,
) -> Result<Answered, String> {
    if question.csv && !question.pareto.is_empty() && question.defences {
        return Err("one table is printed: the front, or what defences leave".to_owned());
    }
    let given: Result<Vec<Attribute>, _> =
        question.attribute.iter().map(|text| text.parse()).collect();
    let given = given.map_err(|error: NoAttribute| error.to_string())?;
    if is_problem_file(file) {
        return Err(about(&question.name, PROBLEM_FILE));
    }
    let tree = from_bytes(file, question.top.as_deref(), &given)
        .map_err(|error| about(&question.name, error))?;
    let request = Request {
        pareto: question.pareto.clone(),
        best: question.best.clone(),
        defences: question.defences,
        spend: question.budget,
        stopping: question.stopping,
        list: List::asked(question.list, question.cheapest),
        budget,
        meter,
        listener: Listener::NONE,
    };
    let answer = ask(&tree, request).map_err(|error| about(&question.name, error))?;
    let failed = |error: std::io::Error| error.to_string();
    let mut text = Vec::new();
    let mut stop = answer.write_json(&mut text).map_err(failed)?;
    let mut more = More {
        attributes: tree
            .attributes()
            .iter()
            .map(|attribute| (attribute.name.clone(), attribute.rule.to_string()))
            .collect(),
        defences: tree.price().is_some() && tree.has_defences(),
        page: None,
        csv: None,
    };
    if question.page {
        more.page = Some(answer.html());
    }
    if question.csv {
        let mut csv = Vec::new();
        stop = stop.or(answer.write_csv(&mut csv).map_err(failed)?);
        more.csv = Some(String::from_utf8_lossy(&csv).into_owned());
    }
    let has_more = question.page || question.csv || question.attributes;
    Ok(Answered {
        text: with_more(&text, has_more.then_some(&more)),
        is_complete: stop.is_none(),
    })
}
