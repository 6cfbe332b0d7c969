//! Questions about a problem file: its value, traces of searches, strategies, and certificates.

mod drawings;

use std::io::BufReader;

use meetjoin_catalogue::method::{ALGORITHMS, Algorithm, DEFAULT, algorithm};
use meetjoin_dag::Problem;
use meetjoin_explain::{
    StrategyRequest, Verified, share_deadline, strategy, trace, verify, write_certificate,
};
use meetjoin_file::{ProblemFile, read_problem_file, write_problem};
use meetjoin_lattice::{AnyLattice, Budget, Limits};
use meetjoin_problems::digest;
use meetjoin_report::json_line;
use meetjoin_solve::{Answer, CountNodes, Instance, Request, Side, explicit};
use serde::{Deserialize, Serialize};

use crate::asking::{self, Answered, Memory, with_more};

/// A question about a graph.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Question {
    Graph(Graph),
    Verify(Certificate),
    Algorithms(Nothing),
}

/// A question without options.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// What `meetjoin solve` answers; a second line has the extras.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[allow(clippy::struct_excessive_bools)] // each is asked for by itself
struct Graph {
    /// The algorithm by its id; the default if it is empty.
    algorithm: String,
    moves: bool,
    /// Pages of searches: each of one algorithm, or of two side by side.
    trace: Vec<String>,
    strategies: bool,
    certificate: bool,
    drawings: bool,
}

/// A certificate to be checked against the graph.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Certificate {
    certificate: String,
}

/// The extras of an answer. Each is what the command writes, or the sentence that says why not.
#[derive(Serialize)]
struct More {
    trace: Option<Written>,
    strategy: Option<Written>,
    refutation: Option<Written>,
    certificate: Option<Written>,
    graph: Option<Written>,
    lattice: Option<Written>,
}

/// Something that was written, or why not.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Written {
    /// The text, and lines about it.
    Text(String, String),
    Sentence(String),
}

type Pair = (String, String);

fn written(found: Result<Pair, String>) -> Written {
    match found {
        Ok((text, words)) => Written::Text(text, words),
        Err(sentence) => Written::Sentence(sentence),
    }
}

fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Answers a question.
///
/// # Errors
/// The sentence that says why it cannot be answered.
pub fn answer(bytes: &[u8], memory: Memory) -> Result<Answered, String> {
    let asked = asking::read::<Question>(bytes, memory)?;
    match asked.ask {
        Question::Algorithms(Nothing {}) => {
            let all: Vec<(&str, &str)> = ALGORITHMS.iter().map(|a| (a.id, a.name)).collect();
            Ok(Answered {
                text: json_line(&all),
                is_complete: true,
            })
        }
        Question::Graph(question) => {
            let problem = read(asked.file)?;
            graph(&question, problem, &asked.limits, memory)
        }
        Question::Verify(Certificate { certificate }) => {
            let problem = read(asked.file)?;
            let instance = explicit(problem).map_err(said)?;
            let verified = checked(&*instance, &certificate, &Budget::new(asked.limits))?;
            Ok(Answered {
                text: verified.json(),
                is_complete: true,
            })
        }
    }
}

fn read(file: &[u8]) -> Result<Problem<AnyLattice>, String> {
    match read_problem_file(file).map_err(said)? {
        ProblemFile::Explicit(problem) => Ok(*problem),
        ProblemFile::Dominance(_) => Err("outcomes of the dominance algebra are no lattice; `meetjoin packets` says what each move can guarantee".to_owned()),
        ProblemFile::Game(_) => Err("this file names a game and has no nodes; the command solves it, and `meetjoin generate` writes its nodes".to_owned()),
    }
}

fn named(id: &str) -> Result<Algorithm, String> {
    if id.is_empty() {
        return Ok(DEFAULT);
    }
    algorithm(id).copied().ok_or_else(|| {
        let ids: Vec<&str> = ALGORITHMS.iter().map(|a| a.id).collect();
        format!("there is no algorithm {id:?}; there are {}", ids.join(", "))
    })
}

fn graph(
    question: &Graph,
    problem: Problem<AnyLattice>,
    limits: &Limits,
    memory: Memory,
) -> Result<Answered, String> {
    let budget = Budget::new(limits.clone());
    let algorithm = named(&question.algorithm)?;
    let of_trace: Vec<Algorithm> = question
        .trace
        .iter()
        .map(|id| named(id))
        .collect::<Result<_, _>>()?;
    if of_trace.len() > 2 {
        return Err("a page shows one search, or two side by side".to_owned());
    }
    let title = problem.note().unwrap_or("A graph").to_owned();
    let of_problem = digest(|out| write_problem(&problem, out));
    let lattice = problem.lattice().clone();
    let instance = explicit(problem).map_err(said)?;
    instance.admits(&algorithm).map_err(said)?;
    let mut request = Request::new(algorithm, &budget);
    request.meter = memory.meter;
    request.count_nodes = CountNodes::IfCheap;
    request.moves = question.moves;
    let answer = instance.solve(request).map_err(said)?;
    if answer.contradicts() {
        return Err("the bounds of its nodes contradict each other".to_owned());
    }
    let instance = &*instance;
    let ask = |is_wanted: bool, what: &dyn Fn() -> Result<Pair, String>| {
        is_wanted.then(|| written(what()))
    };
    let plan = |side: Side| how(instance, &answer, side, &title, &budget);
    let more = More {
        trace: ask(!of_trace.is_empty(), &|| {
            let page = trace(instance, &title, &of_trace, &budget).map_err(said)?;
            Ok((page, String::new()))
        }),
        strategy: ask(question.strategies, &|| plan(Side::Max)),
        refutation: ask(question.strategies, &|| plan(Side::Min)),
        certificate: ask(question.certificate, &|| {
            certified(instance, of_problem.clone(), &answer, limits)
        }),
        graph: ask(question.drawings, &|| drawings::graph(instance)),
        lattice: ask(question.drawings, &|| drawings::lattice(&lattice, &budget)),
    };
    let wants_more = !question.trace.is_empty()
        || question.strategies
        || question.certificate
        || question.drawings;
    Ok(Answered {
        text: with_more(answer.json().as_bytes(), wants_more.then_some(&more)),
        is_complete: answer.is_complete() && budget.fired().is_none(),
    })
}

/// A strategy as a drawing, and as text.
fn how(
    instance: &dyn Instance,
    answer: &Answer,
    side: Side,
    title: &str,
    budget: &Budget,
) -> Result<Pair, String> {
    let request = StrategyRequest {
        side,
        of: None,
        stated: true,
        budget,
    };
    let found = strategy(instance, &answer.root.value, &request).map_err(said)?;
    // If it is too large to be drawn, the text is given all the same.
    Ok((found.svg(title).unwrap_or_default(), found.text()))
}

/// A certificate, and the result of its check.
fn certified(
    instance: &dyn Instance,
    digest: String,
    answer: &Answer,
    limits: &Limits,
) -> Result<Pair, String> {
    let (_, limits) = share_deadline(limits.clone(), false);
    let budget = Budget::new(limits);
    let mut text = Vec::new();
    write_certificate(
        instance,
        digest,
        &answer.root.value,
        true,
        &budget,
        &mut text,
    )
    .map_err(said)?;
    let text = String::from_utf8(text).map_err(said)?;
    let verified = checked(instance, &text, &budget)?;
    Ok((text, verified.text()))
}

fn checked(
    instance: &dyn Instance,
    certificate: &str,
    budget: &Budget,
) -> Result<Verified, String> {
    verify(instance, BufReader::new(certificate.as_bytes()), budget).map_err(said)
}
