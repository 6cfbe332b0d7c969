//! `meetjoin solve` and its kin: the value of a root.

use std::fs;
use std::path::Path;

use meetjoin_catalogue::method::{ALGORITHMS, Algorithm, DEFAULT, Method, algorithm};
use meetjoin_explain::{
    StrategyRequest, explain, share_deadline, strategy, write_certificate, write_no_heavier,
};
use meetjoin_lattice::{Budget, Interval, Limits};
use meetjoin_problems::Source;
use meetjoin_problems::games::{self, GameArgs};
use meetjoin_report::meant;
use meetjoin_solve::{
    Answer, Checkpoint, CountNodes, HeaviestRequest, Instance, Refused, Request, Side, Value,
    brief_json,
};

use crate::arguments::args::SolveArgs;
use crate::arguments::endings::ending;
use crate::arguments::search_args::SearchArgs;
use crate::arguments::units::Seconds;
use crate::process::events::EventsFile;
use crate::process::failure::{Failure, reading};
use crate::process::input;
use crate::process::memory::METER;
use crate::process::output;
use crate::process::progress::{ProgressLine, WatchLines};
use crate::process::{certificate_file, limits};

/// `meetjoin solve`.
pub(crate) fn run(args: &SolveArgs) -> Result<(), Failure> {
    let algorithm = chosen(&args.search)?;
    let limits = limits::of_command(&args.search.limits)?;
    let source = input::problem(&args.file, args.trust)?;
    find(source, Some(&args.file), algorithm, &args.search, limits)
}

/// `meetjoin racing` and its kin.
pub(crate) fn run_game(game: GameArgs, args: &SearchArgs) -> Result<(), Failure> {
    let algorithm = chosen(args)?;
    let limits = limits::of_command(&args.limits)?;
    limits::working("while the game was made");
    let source = Source::Game(games::made(game).map_err(Failure::Input)?);
    find(source, None, algorithm, args, limits)
}

/// Finds what is asked for and prints it.
fn find(
    source: Source,
    file: Option<&Path>,
    algorithm: Algorithm,
    args: &SearchArgs,
    limits: Limits,
) -> Result<(), Failure> {
    let refused = |error: Refused| Failure::refused(file, error);
    let digest = args.certificate.as_ref().map(|_| source.digest());
    let of_entries = args.checkpoint.as_ref().map(|_| source.digest_of_entries());
    let title = input::title(&source, file);
    let problem = source.instance().map_err(refused)?;
    let problem = &*problem;
    let cancel = limits.cancel.clone().unwrap_or_default();
    output::try_paths(
        file.into_iter().chain(args.heaviest.weights.as_deref()),
        [
            &args.certificate,
            &args.strategy_file,
            &args.events,
            &args.checkpoint,
        ],
    )?;
    let (limits, again) = share_deadline(limits, args.certificate.is_some());
    let budget = Budget::new(limits);
    if args.heaviest.heaviest {
        return heaviest(problem, args, &budget, refused, digest.zip(Some(again)));
    }
    let mut request = Request::new(algorithm, &budget);
    request.meter = METER;
    if let Some(levels) = args.levels {
        let answer = limits::searching(|| problem.to_levels(levels, request)).map_err(refused)?;
        let printed = print(&answer, args);
        return with_certificate(problem, args, &answer.root.value, again, digest, printed);
    }
    problem.admits(&request.algorithm).map_err(refused)?;
    request.checkpoint = checkpoint(args, of_entries)?;
    let mut events = EventsFile::open(args.events.as_deref(), cancel)?;
    let answer = value(problem, args, request, events.as_mut()).map_err(refused);
    let done = answer.and_then(|mut answer| {
        if answer.contradicts() {
            let why = "the bounds of its nodes contradict each other; meetjoin check --bounds names one that is false";
            return Err(Failure::in_some_file(file, why));
        }
        let added = explanation(problem, &mut answer, args, &again)
            .and_then(|()| plan(problem, &mut answer, args, &again, &title));
        if let Err(Failure::Input(why)) = added {
            return Err(Failure::Input(why));
        }
        // If a limit fired, the answer is printed without what it stopped.
        let printed = print(&answer, args);
        let saved = answer.checkpoint.as_ref();
        if let Some(failure) = saved.and_then(|done| done.failure.as_ref()) {
            let why = format!("the last checkpoint cannot be written: {failure}");
            return Err(Failure::Output(why));
        }
        added?;
        with_certificate(problem, args, &answer.root.value, again, digest, printed)
    });
    events.map_or(Ok(()), EventsFile::finish)?;
    done
}

/// Searches for the value, with progress and events.
fn value(
    problem: &dyn Instance,
    args: &SearchArgs,
    request: Request<'_>,
    mut events: Option<&mut EventsFile>,
) -> Result<Answer, Refused> {
    let mut line = ProgressLine::new();
    let mut lines = WatchLines::new();
    let is_written = events.is_some();
    let mut write = |line: &str| events.as_mut().is_some_and(|events| events.write(line));
    let request = Request {
        count_nodes: if args.count_nodes {
            CountNodes::Always
        } else {
            CountNodes::IfCheap
        },
        most_items: MOST_ITEMS,
        abandon: true,
        moves: args.moves,
        threads: args.threads.unwrap_or_default().0,
        progress: Some(if args.watch { &mut lines } else { &mut line }),
        events: is_written.then_some(&mut write),
        ..request
    };
    let search = || problem.solve(request);
    limits::searching(|| match args.checkpoint {
        Some(_) => limits::unhurried(search),
        None => search(),
    })
}

/// The algorithm of this id.
pub(crate) fn algorithm_of(id: &str) -> Result<Algorithm, Failure> {
    algorithm(id).copied().ok_or_else(|| {
        let ids: Vec<&str> = ALGORITHMS.iter().map(|a| a.id).collect();
        let (meant, ids) = (meant(id, ids.iter().copied()), ids.join(", "));
        Failure::Input(format!(
            "there is no algorithm {id:?}{meant}; there are {ids}"
        ))
    })
}

/// The algorithm with its parts.
fn chosen(args: &SearchArgs) -> Result<Algorithm, Failure> {
    let mut algorithm = algorithm_of(&args.algorithm)?;
    if args.without.is_empty() {
        return Ok(algorithm);
    }
    match &mut algorithm.method {
        Method::Duo(parts) if algorithm.id == DEFAULT.id => {
            for part in &args.without {
                *parts = parts.with(*part, false);
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

/// The checkpoint options.
fn checkpoint(args: &SearchArgs, digest: Option<String>) -> Result<Option<Checkpoint>, Failure> {
    let (Some(path), Some(digest)) = (&args.checkpoint, digest) else {
        return Ok(None);
    };
    // Opening a pipe would block, and writing a checkpoint replaces the file by name.
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        let why = "is not a regular file, and a checkpoint must be one";
        return Err(Failure::Input(format!("{} {why}", path.display())));
    }
    if !args.resume && path.exists() {
        return Err(Failure::Input(format!(
            "{} exists already: continue from it with --resume, or remove it",
            path.display()
        )));
    }
    let Seconds(every) = args.every;
    Ok(Some(Checkpoint {
        path: path.clone(),
        digest,
        every,
        resume: args.resume,
    }))
}

/// The most items of a bound of a stopped search that are printed: some megabytes.
const MOST_ITEMS: usize = 100_000;

/// Writes the certificate of an answer, if it is asked for and the answer could be printed.
fn with_certificate(
    problem: &dyn Instance,
    args: &SearchArgs,
    value: &Interval<Value>,
    mut limits: Limits,
    digest: Option<String>,
    printed: Result<(), Failure>,
) -> Result<(), Failure> {
    if let (Some(path), Some(digest), Ok(()) | Err(Failure::Stopped)) =
        (&args.certificate, digest, &printed)
    {
        if value.exact().is_some() {
            // Its search makes about as many visits as the one that has kept the limit.
            limits.visits = None;
        }
        certificate_file::certify(limits, path, |budget, text| {
            let stated = args.stated();
            let written = write_certificate(problem, digest, value, stated, budget, text)?;
            Ok(written.stop.filter(|_| value.exact().is_some()))
        })?;
    }
    if args.json.is_none() && matches!(printed, Ok(()) | Err(Failure::Stopped)) {
        // Only files that were written: a failure would have returned.
        output::tell_written(args.strategy_file.iter().chain(&args.certificate))?;
    }
    printed
}

/// Adds the explanation, if it is asked for.
fn explanation(
    problem: &dyn Instance,
    answer: &mut Answer,
    args: &SearchArgs,
    limits: &Limits,
) -> Result<(), Failure> {
    if !args.explain {
        return Ok(());
    }
    let budget = Budget::new(limits.clone());
    let told = limits::searching(|| explain(problem, args.stated(), &budget));
    let told = told.map_err(|error| Failure::Input(error.to_string()))?;
    answer.explanation = Some(told.sentences);
    told.stop.map_or(Ok(()), |stop| {
        let why = format!("the explanation is incomplete: {stop}");
        Err(Failure::StoppedBefore(why))
    })
}

/// Adds the strategy that is asked for, or writes it to its file.
fn plan(
    problem: &dyn Instance,
    answer: &mut Answer,
    args: &SearchArgs,
    limits: &Limits,
    title: &str,
) -> Result<(), Failure> {
    let (side, of) = match (&args.strategy, &args.refutation) {
        (Some(of), _) => (Side::Max, of),
        (None, Some(of)) => (Side::Min, of),
        (None, None) if args.strategy_file.is_some() => (Side::Max, &None),
        (None, None) => return Ok(()),
    };
    let budget = Budget::new(limits.clone());
    let request = StrategyRequest {
        side,
        of: of.as_deref(),
        stated: args.stated(),
        budget: &budget,
    };
    let found = limits::searching(|| strategy(problem, &answer.root.value, &request));
    let found = found.map_err(|error| match (&error, budget.fired()) {
        (Refused::Stopped(_), _) | (_, Some(_)) => Failure::StoppedBefore(error.to_string()),
        _ => Failure::Input(error.to_string()),
    })?;
    let Some(path) = &args.strategy_file else {
        // Only the form that is printed is made.
        answer.strategy = Some(match args.json {
            Some(_) => [found.json(), String::new()],
            None => [String::new(), found.text()],
        });
        return Ok(());
    };
    let text = match ending(path) {
        Some("dot") => found.dot(),
        Some("html") => found.html(title),
        Some("svg") => found
            .svg(title)
            .map_err(|error| Failure::Input(error.to_string()))?,
        Some("json") => found.json(),
        _ => found.text(),
    };
    output::replace(path, |out| out.write_all(text.as_bytes()))
}

/// Finds the heaviest sets and prints them.
fn heaviest(
    problem: &dyn Instance,
    search: &SearchArgs,
    budget: &Budget,
    refused: impl Fn(Refused) -> Failure,
    certificate: Option<(String, Limits)>,
) -> Result<(), Failure> {
    let args = &search.heaviest;
    if let Some(Some(of)) = &search.strategy {
        let why = "with --heaviest the strategy is for the set that is found, so name none";
        return Err(Failure::Input(format!("--strategy {of}: {why}")));
    }
    let weighed = args.weights.as_deref().map(weights).transpose()?;
    let request = HeaviestRequest {
        budget,
        meter: METER,
        threads: search.threads.unwrap_or_default().0,
        top: args.top.map(usize::from),
        weights: weighed,
        strategy: search.strategy.is_some(),
    };
    let found = limits::searching(|| problem.heaviest(request)).map_err(|error| {
        match (error, &args.weights) {
            (Refused::Argument(why), Some(file)) => wrong_weights(file, &why),
            (error, _) => refused(error),
        }
    })?;
    output::print_answer(
        search.json.is_some(),
        || found.json(),
        || found.text(search.verbose),
    )?;
    limits::answered();
    let is_complete = found.stop.is_none();
    if let (Some(path), Some((digest, limits))) = (&search.certificate, certificate) {
        let claim = found.no_heavier();
        certificate_file::certify(limits, path, |budget, text| {
            write_no_heavier(problem, digest, claim, true, budget, text).map(|_| None)
        })?;
    }
    if search.json.is_none() {
        output::tell_written(&search.certificate)?;
    }
    Failure::unless_complete(is_complete)
}

/// The weights of a file, a JSON list with one for each world.
fn weights(file: &Path) -> Result<Vec<u64>, Failure> {
    // Limits also cover a pipe that nobody writes to.
    limits::reading(file, 0);
    let text = fs::read_to_string(file).map_err(|error| wrong_weights(file, &reading(&error)))?;
    serde_json::from_str(&text).map_err(|error| {
        wrong_weights(
            file,
            &format!("it is not a list of integers from 0 on: {error}"),
        )
    })
}

fn wrong_weights(file: &Path, why: &str) -> Failure {
    Failure::Input(format!("--weights {}: {why}", file.display()))
}

/// Prints the answer; fails if it is not complete.
fn print(answer: &Answer, args: &SearchArgs) -> Result<(), Failure> {
    match args.json {
        None => output::tell(&answer.text(args.verbose)),
        Some(2) => output::print(&brief_json(answer)),
        Some(_) => output::print(&answer.json()),
    }?;
    limits::answered();
    Failure::unless_complete(answer.is_complete())
}
