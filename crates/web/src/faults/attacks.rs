//! Questions about an attack tree: what `meetjoin attacks` answers.

use meetjoin_attacks::{
    AttackTree, Attribute, List, Request, Rule, ask, from_fault_tree, from_text,
};
use meetjoin_faults::fault_tree_from_text;
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
    /// What unknown domains are: `NAME=sum`, `NAME=max` or `NAME=product`.
    attribute: Vec<String>,
    pareto: Vec<String>,
    best: Vec<String>,
    defences: bool,
    budget: Option<f64>,
    stopping: Option<f64>,
    list: bool,
    cheapest: Option<usize>,
    /// What else is wanted, in a second line.
    page: bool,
    csv: bool,
    attributes: bool,
}

/// What comes with an answer.
#[derive(Serialize)]
struct More {
    /// The attributes of the tree, each with its rule.
    attributes: Vec<(String, &'static str)>,
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
    let given: Vec<Attribute> = question
        .attribute
        .iter()
        .map(|text| attribute(text))
        .collect::<Result<_, _>>()?;
    let tree = read(question, file, &given)?;
    let request = Request {
        pareto: question.pareto.clone(),
        best: question.best.clone(),
        defences: question.defences,
        spend: question.budget,
        stopping: question.stopping,
        list: match (question.list, question.cheapest) {
            (_, Some(most)) => List::Cheapest(most),
            (true, None) => List::All,
            (false, None) => List::None,
        },
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
            .map(|attribute| (attribute.name.clone(), word(attribute.rule)))
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

/// A rule as files and the command name it.
fn word(rule: Rule) -> &'static str {
    match rule {
        Rule::Sum => "sum",
        Rule::Max => "max",
        Rule::Product => "product",
    }
}

fn attribute(text: &str) -> Result<Attribute, String> {
    let parts = text.split_once('=').filter(|(name, _)| !name.is_empty());
    let parts = parts.and_then(|(name, rule)| Some((name, Rule::named(rule)?)));
    let (name, rule) =
        parts.ok_or_else(|| format!("{text:?} is not NAME=sum, NAME=max or NAME=product"))?;
    let name = name.to_owned();
    Ok(Attribute { name, rule })
}

fn read(question: &Question, bytes: &[u8], given: &[Attribute]) -> Result<AttackTree, String> {
    let name = &question.name;
    if is_problem_file(bytes) {
        return Err(about(name, PROBLEM_FILE));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        about(
            name,
            format!("byte {at} and what follows is no text in UTF-8"),
        )
    })?;
    let top = question.top.as_deref();
    if text.trim_start().starts_with('<') && text.contains("<opsa-mef") {
        let tree = fault_tree_from_text(text, top).map_err(|error| about(name, error))?;
        return from_fault_tree(&tree).map_err(|error| about(name, error));
    }
    from_text(text, top, given).map_err(|error| about(name, error))
}
