//! Questions about a fault tree: what `meetjoin cuts` answers.

use meetjoin_faults::answer::curve;
use meetjoin_faults::model::mission_time;
use meetjoin_faults::{
    Asked, CutsError, CutsRequest, FaultTreeFileError, List, Model, ModelReader, Sets, State,
    find_in_model, tree_of,
};
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
    /// The names of the files that come with it, and how many bytes each has; none: it is one.
    files: Vec<(String, usize)>,
    top: Option<String>,
    sets: Kind,
    limit_order: Option<u32>,
    cut_off: Option<f64>,
    list: bool,
    most_probable: Option<usize>,
    importance: bool,
    mission_time: Option<f64>,
    ccf: bool,
    time_step: Option<f64>,
    sil: bool,
    uncertainty: Option<usize>,
    seed: u64,
    /// Extras that are wanted, in a second line: `page`, `csv` and `curve`.
    page: bool,
    csv: bool,
    curve: bool,
}

/// Which sets.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    #[default]
    Cuts,
    Paths,
    PrimeImplicants,
}

/// The extras of an answer.
#[derive(Serialize)]
struct More {
    /// What the command writes with `--html`.
    page: Option<String>,
    /// What it prints with `--csv`: the sets.
    csv: Option<String>,
    /// What it prints with `--csv` and `--time-step`, and what it draws with `--picture`.
    points: Option<String>,
    picture: Option<String>,
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
    let time = mission_time(question.mission_time);
    let state = State::at(time.map_err(|error| format!("mission time: {error}"))?);
    let files = parts(question, file)?;
    let model = read(&files, question)?;
    let top = question.top.as_deref();
    let request = CutsRequest {
        sets: match question.sets {
            Kind::Cuts => Sets::Cuts,
            Kind::Paths => Sets::Paths,
            Kind::PrimeImplicants => Sets::PrimeImplicants,
        },
        limit_order: question.limit_order,
        cut_off: question.cut_off,
        list: List::asked(question.list, question.most_probable),
        importance: question.importance,
        budget,
        meter,
        listener: Listener::NONE,
    };
    let asked = Asked {
        time_step: question.time_step,
        sil: question.sil,
        uncertainty: question.uncertainty.map(|trials| (trials, question.seed)),
    };
    let refused = |error: CutsError| match error {
        CutsError::Model(error) => in_files(&files, &error),
        CutsError::NoCutOff(_) => format!("cut-off: {error}"),
        CutsError::NoOrder => format!("most events: {error}"),
        CutsError::NoStep => format!("time step: {error}"),
        CutsError::NoTrials => format!("trials: {error}"),
        error => error.to_string(),
    };
    let tree = tree_of(&model, top, &state, request.sets, budget).map_err(refused)?;
    let found = find_in_model((&model, top, &state), &tree, request, asked).map_err(refused)?;
    let failed = |error: std::io::Error| error.to_string();
    let mut text = Vec::new();
    let mut stop = found.write_json(&mut text).map_err(failed)?;
    let mut more = More {
        page: None,
        csv: None,
        points: None,
        picture: None,
    };
    if question.page {
        let lists = found.page_lists();
        stop = stop.or(lists.stop);
        more.page = Some(found.html(&lists));
    }
    if question.csv {
        let mut csv = Vec::new();
        stop = stop.or(found.write_csv(&mut csv).map_err(failed)?);
        more.csv = Some(String::from_utf8_lossy(&csv).into_owned());
    }
    if let (true, Some(points)) = (question.curve, &found.besides().curve) {
        more.points = Some(curve::csv(points));
        more.picture = Some(curve::picture(points));
    }
    let has_more = question.page || question.csv || question.curve;
    Ok(Answered {
        text: with_more(&text, has_more.then_some(&more)),
        is_complete: stop.is_none(),
    })
}

/// The files, each with its name.
fn parts<'a>(question: &'a Question, file: &'a [u8]) -> Result<Vec<(&'a str, &'a [u8])>, String> {
    if question.files.is_empty() {
        return Ok(vec![("", file)]);
    }
    let mut rest = file;
    let mut files = Vec::with_capacity(question.files.len());
    for (name, length) in &question.files {
        let (part, others) = rest
            .split_at_checked(*length)
            .ok_or_else(|| format!("{name} is shorter than {length} bytes"))?;
        files.push((name.as_str(), part));
        rest = others;
    }
    Ok(files)
}

fn read(files: &[(&str, &[u8])], question: &Question) -> Result<Model, String> {
    let mut reader = ModelReader::new();
    for (name, bytes) in files {
        if is_problem_file(bytes) {
            return Err(about(name, PROBLEM_FILE));
        }
        reader.read(*bytes).map_err(|error| match error.file() {
            Some(_) => in_files(files, &error),
            None => about(name, error),
        })?;
    }
    let model = reader
        .finish(question.top.as_deref())
        .map_err(|error| in_files(files, &error))?;
    if !question.ccf {
        return Ok(model);
    }
    model
        .with_common_causes()
        .map_err(|error| match error.file() {
            Some(_) => in_files(files, &error),
            None => error.to_string(),
        })
}

/// What is wrong with a model, with the file that says it.
fn in_files(files: &[(&str, &[u8])], error: &FaultTreeFileError) -> String {
    let file = error.file().unwrap_or_default().min(files.len() - 1);
    about(files[file].0, error)
}
