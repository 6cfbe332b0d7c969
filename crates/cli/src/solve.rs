//! `meetjoin solve` and its kin: the value of a root.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use meetjoin::lattice::Budget;
use meetjoin::search::method::{ALGORITHMS, Algorithm, DEFAULT, Method, algorithm};
use meetjoin_solve::games::{self, GameArgs};
use meetjoin_solve::{Answer, CountNodes, HeaviestRequest, Instance, Refused, Request, Source};

use crate::args::{HeaviestArgs, Part, SearchArgs, SolveArgs};
use crate::events::EventsFile;
use crate::failure::Failure;
use crate::interrupt;
use crate::memory::METER;
use crate::output;
use crate::progress::ProgressLine;

/// Reads a problem file, or standard input for `-`.
pub(crate) fn read(file: &Path) -> Result<Source, Failure> {
    let input: Box<dyn Read> = if file.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        let opened = File::open(file);
        let failed = |error| Failure::in_file(file, format!("the file cannot be read: {error}"));
        Box::new(opened.map_err(failed)?)
    };
    Source::read(input).map_err(|error| Failure::in_file(file, error))
}

/// `meetjoin solve`.
pub(crate) fn run(args: &SolveArgs) -> Result<(), Failure> {
    let algorithm = chosen(&args.search)?;
    let refused = |error| Failure::refused(Some(&args.file), error);
    let problem = read(&args.file)?.instance().map_err(refused)?;
    find(&*problem, algorithm, &args.search, Some(&args.file))
}

/// `meetjoin racing` and its kin.
pub(crate) fn run_game(game: GameArgs, args: &SearchArgs) -> Result<(), Failure> {
    let algorithm = chosen(args)?;
    let problem = games::made(game).map_err(Failure::Input)?.instance();
    let problem = problem.map_err(|error| Failure::refused(None, error))?;
    find(&*problem, algorithm, args, None)
}

/// The algorithm with its parts.
fn chosen(args: &SearchArgs) -> Result<Algorithm, Failure> {
    let unknown = || {
        let ids: Vec<&str> = ALGORITHMS.iter().map(|a| a.id).collect();
        let (id, ids) = (&args.algorithm, ids.join(", "));
        Failure::Input(format!("there is no algorithm {id:?}; there are {ids}"))
    };
    let mut algorithm = *algorithm(&args.algorithm).ok_or_else(unknown)?;
    if args.without.is_empty() {
        return Ok(algorithm);
    }
    match &mut algorithm.method {
        Method::Duo(parts) if algorithm.id == DEFAULT.id => {
            for part in &args.without {
                *match part {
                    Part::Bounds => &mut parts.bounds,
                    Part::Look => &mut parts.duo.look,
                    Part::Order => &mut parts.duo.order,
                    Part::SharedOnly => &mut parts.duo.shared_only,
                    Part::Narrow => &mut parts.duo.narrow,
                } = false;
            }
            Ok(algorithm)
        }
        _ => {
            let (default, id) = (DEFAULT.id, algorithm.id);
            Err(Failure::Input(format!(
                "--without leaves out parts of {default}, and {id} has none of them"
            )))
        }
    }
}

/// Finds what is asked for and prints it.
fn find(
    problem: &dyn Instance,
    algorithm: Algorithm,
    args: &SearchArgs,
    file: Option<&Path>,
) -> Result<(), Failure> {
    let refused = |error: Refused| Failure::refused(file, error);
    let limits = interrupt::limits(&args.limits)?;
    let cancel = limits.cancel.clone().unwrap_or_default();
    let budget = Budget::new(limits);
    if args.heaviest.heaviest {
        return heaviest(problem, &args.heaviest, &budget, args.json, refused);
    }
    let mut request = Request::new(algorithm, &budget);
    request.meter = METER;
    if let Some(levels) = args.levels {
        let answer = problem.to_levels(levels, request).map_err(refused)?;
        return print(&answer, args.json);
    }
    problem.admits(&request.algorithm).map_err(refused)?;
    let mut events = EventsFile::open(args.events.as_deref(), file, cancel)?;
    let mut line = ProgressLine::new();
    let mut write = |line: &str| events.as_mut().is_some_and(|events| events.write(line));
    request.count_nodes = if args.count_nodes {
        CountNodes::Always
    } else {
        CountNodes::IfCheap
    };
    request.moves = args.moves;
    request.progress = Some(&mut line);
    request.events = args.events.is_some().then_some(&mut write);
    let answer = problem.solve(request);
    line.finish();
    let done = answer.map_err(refused).and_then(|answer| {
        if answer.contradicts() {
            let why = "the bounds of its nodes contradict each other; meetjoin check --bounds names one that is false";
            return Err(Failure::in_some_file(file, why));
        }
        print(&answer, args.json)
    });
    events.map_or(Ok(()), EventsFile::finish)?;
    done
}

/// Finds the heaviest sets and prints them.
fn heaviest(
    problem: &dyn Instance,
    args: &HeaviestArgs,
    budget: &Budget,
    json: bool,
    refused: impl Fn(Refused) -> Failure,
) -> Result<(), Failure> {
    let request = HeaviestRequest {
        budget,
        meter: METER,
        top: args.top.map(usize::from),
        weights: args.weights.as_deref().map(weights).transpose()?,
        strategy: args.strategy,
    };
    let found = problem
        .heaviest(request)
        .map_err(|error| match (error, &args.weights) {
            (Refused::Argument(why), Some(file)) => wrong_weights(file, &why),
            (error, _) => refused(error),
        })?;
    output::print(&if json { found.json() } else { found.text() })?;
    found.stop.map_or(Ok(()), |_| Err(Failure::Stopped))
}

/// The weights of a file, a JSON list with one for each world.
fn weights(file: &Path) -> Result<Vec<u64>, Failure> {
    let text = fs::read_to_string(file)
        .map_err(|error| wrong_weights(file, &format!("the file cannot be read: {error}")))?;
    serde_json::from_str(&text).map_err(|error| {
        wrong_weights(
            file,
            &format!("it is no list of integers from 0 on: {error}"),
        )
    })
}

fn wrong_weights(file: &Path, why: &str) -> Failure {
    Failure::Input(format!("--weights {}: {why}", file.display()))
}

/// Prints the answer; one that is not complete is no success.
fn print(answer: &Answer, json: bool) -> Result<(), Failure> {
    output::print(&if json { answer.json() } else { answer.text() })?;
    if answer.is_complete() {
        Ok(())
    } else {
        Err(Failure::Stopped)
    }
}
