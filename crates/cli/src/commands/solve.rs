//! `meetjoin solve` and its kin: the value of a root.

use std::fs;
use std::path::Path;
use std::time::Instant;

use meetjoin_check::NoHeavier;
use meetjoin_explain::{
    StrategyRequest, Unwritten, explain, strategy, write_certificate, write_no_heavier,
};
use meetjoin_file::{MAGIC, Trust};
use meetjoin_lattice::{Budget, Interval, Limits, Stop};
use meetjoin_report::meant;
use meetjoin_search::method::{ALGORITHMS, Algorithm, DEFAULT, Method, Part, algorithm};
use meetjoin_solve::games::{self, GameArgs};
use meetjoin_solve::{
    Answer, Checkpoint, CountNodes, HeaviestRequest, Instance, Refused, Request, Side, Source,
    Value, brief_json,
};

use crate::arguments::args::SolveArgs;
use crate::arguments::endings::ending;
use crate::arguments::search_args::SearchArgs;
use crate::arguments::units::Seconds;
use crate::process::events::EventsFile;
use crate::process::failure::{Failure, reading};
use crate::process::input::{self, Input};
use crate::process::memory::METER;
use crate::process::output::{self, OutputFile};
use crate::process::progress::{ProgressLine, WatchLines};
use crate::process::{certificate_file, limits};

/// Reads a problem file, or standard input for `-`. A binary file that is trusted is not validated.
pub(crate) fn read(file: &Path, trusted: bool) -> Result<Source, Failure> {
    let trust = if trusted {
        Trust::Trusted
    } else {
        Trust::Checked
    };
    let source = if input::begins_with(file, &MAGIC) {
        limits::reading(file, 0);
        Source::open(file, trust)
    } else {
        Source::read(Input::open(file)?)
    };
    limits::working("while the problem was prepared");
    source.map_err(|error| Failure::in_file(file, error))
}

/// `meetjoin solve`.
pub(crate) fn run(args: &SolveArgs) -> Result<(), Failure> {
    let algorithm = chosen(&args.search)?;
    let limits = limits::of_command(&args.search.limits)?;
    let refused = |error| Failure::refused(Some(&args.file), error);
    let source = read(&args.file, args.trust)?;
    let digests = Digests::of(&source, &args.search, Some(&args.file));
    let problem = source.instance().map_err(refused)?;
    find(
        &*problem,
        algorithm,
        &args.search,
        limits,
        Some(&args.file),
        digests,
    )
}

/// `meetjoin racing` and its kin.
pub(crate) fn run_game(game: GameArgs, args: &SearchArgs) -> Result<(), Failure> {
    let algorithm = chosen(args)?;
    let limits = limits::of_command(&args.limits)?;
    limits::working("while the game was made");
    let game = Source::Game(games::made(game).map_err(Failure::Input)?);
    let digests = Digests::of(&game, args, None);
    let problem = game
        .instance()
        .map_err(|error| Failure::refused(None, error))?;
    find(&*problem, algorithm, args, limits, None, digests)
}

/// Digests that files to be written refer to, if any.
struct Digests {
    certificate: Option<String>,
    checkpoint: Option<String>,
    /// The title of drawings.
    about: String,
}

impl Digests {
    fn of(source: &Source, args: &SearchArgs, file: Option<&Path>) -> Self {
        let (certificate, checkpoint) = (&args.certificate, &args.checkpoint);
        Self {
            certificate: certificate.as_ref().map(|_| source.digest()),
            checkpoint: checkpoint.as_ref().map(|_| source.digest_of_entries()),
            about: input::about(source, file),
        }
    }
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

/// Finds what is asked for and prints it.
fn find(
    problem: &dyn Instance,
    algorithm: Algorithm,
    args: &SearchArgs,
    limits: Limits,
    file: Option<&Path>,
    digests: Digests,
) -> Result<(), Failure> {
    let refused = |error: Refused| Failure::refused(file, error);
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
    let (limits, again) = shared(limits, args.certificate.is_some());
    let budget = Budget::new(limits);
    if args.heaviest.heaviest {
        return heaviest(
            problem,
            args,
            &budget,
            refused,
            digests.certificate.zip(Some(again)),
        );
    }
    let mut request = Request::new(algorithm, &budget);
    request.meter = METER;
    if let Some(levels) = args.levels {
        let answer = limits::searching(|| problem.to_levels(levels, request)).map_err(refused)?;
        let printed = print(&answer, args.json);
        let value = &answer.root.value;
        return with_certificate(problem, args, value, again, digests.certificate, printed);
    }
    problem.admits(&request.algorithm).map_err(refused)?;
    request.checkpoint = checkpoint(args, digests.checkpoint)?;
    let mut events = EventsFile::open(args.events.as_deref(), cancel)?;
    let mut line = ProgressLine::new();
    let mut lines = WatchLines::new();
    let mut write = |line: &str| events.as_mut().is_some_and(|events| events.write(line));
    request.count_nodes = if args.count_nodes {
        CountNodes::Always
    } else {
        CountNodes::IfCheap
    };
    request.most_items = MOST_ITEMS;
    request.abandon = true;
    request.moves = args.moves;
    request.threads = args.threads.unwrap_or_default().0;
    request.progress = Some(if args.watch { &mut lines } else { &mut line });
    request.events = args.events.is_some().then_some(&mut write);
    let search = || problem.solve(request);
    let answer = limits::searching(|| {
        if args.checkpoint.is_some() {
            limits::unhurried(search)
        } else {
            search()
        }
    });
    let done = answer.map_err(refused).and_then(|mut answer| {
        if answer.contradicts() {
            let why = "the bounds of its nodes contradict each other; meetjoin check --bounds names one that is false";
            return Err(Failure::in_some_file(file, why));
        }
        let planned = told(problem, &mut answer, args, &again).and_then(|()| plan(problem, &answer, args, again.clone(), &digests.about));
        let planned = match planned {
            Ok(strategy) => {
                answer.strategy = strategy;
                Ok(())
            }
            Err(Failure::Input(why)) => return Err(Failure::Input(why)),
            // A limit fired: the answer is printed without the strategy.
            Err(failure) => Err(failure),
        };
        let printed = print(&answer, args.json);
        if let Some(failure) = answer.checkpoint.as_ref().and_then(|done| done.failure.as_ref()) {
            return Err(Failure::Output(format!("the last checkpoint cannot be written: {failure}")));
        }
        planned?;
        let value = &answer.root.value;
        with_certificate(problem, args, value, again, digests.certificate, printed)
    });
    events.map_or(Ok(()), EventsFile::finish)?;
    done
}

/// The limits of the search for the answer, and of that for a certificate after it. If there is a
/// certificate, the first has two thirds of the time, and a sixth is reserved for writing the
/// certificate.
pub(crate) fn shared(limits: Limits, has_certificate: bool) -> (Limits, Limits) {
    let (mut first, mut second) = (limits.clone(), limits);
    // A certificate needs everything that its search has found.
    second.forget = false;
    if let (true, Some(deadline)) = (has_certificate, first.deadline) {
        let sixth = deadline.saturating_duration_since(Instant::now()) / 6;
        first.deadline = deadline.checked_sub(2 * sixth);
        second.deadline = deadline.checked_sub(sixth);
    }
    (first, second)
}

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
        let stated = !args.without.contains(&Part::Bounds);
        certify(limits, path, |budget, text| {
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
fn told(
    problem: &dyn Instance,
    answer: &mut Answer,
    args: &SearchArgs,
    limits: &Limits,
) -> Result<(), Failure> {
    if args.explain {
        let budget = Budget::new(limits.clone());
        let stated = !args.without.contains(&Part::Bounds);
        let told = limits::searching(|| explain(problem, stated, &budget));
        let told = told.map_err(|error| Failure::Input(error.to_string()))?;
        answer.explanation = Some(told.sentences);
        if let Some(stop) = told.stop {
            let why = format!("the explanation is incomplete: {stop}");
            return Err(Failure::StoppedBefore(why));
        }
    }
    Ok(())
}

/// The strategy that is asked for, as JSON and as text, unless it goes to a file.
fn plan(
    problem: &dyn Instance,
    answer: &Answer,
    args: &SearchArgs,
    limits: Limits,
    about: &str,
) -> Result<Option<[String; 2]>, Failure> {
    let (side, of) = match (&args.strategy, &args.refutation) {
        (Some(of), _) => (Side::Max, of),
        (None, Some(of)) => (Side::Min, of),
        (None, None) if args.strategy_file.is_some() => (Side::Max, &None),
        (None, None) => return Ok(None),
    };
    let budget = Budget::new(limits);
    let request = StrategyRequest {
        side,
        of: of.as_deref(),
        stated: !args.without.contains(&Part::Bounds),
        budget: &budget,
    };
    let found = limits::searching(|| strategy(problem, &answer.root.value, &request));
    let found = found.map_err(|error| match (&error, budget.fired()) {
        (Refused::Stopped(_), _) | (_, Some(_)) => Failure::StoppedBefore(error.to_string()),
        _ => Failure::Input(error.to_string()),
    })?;
    let Some(path) = &args.strategy_file else {
        // Only the form that is printed is made.
        return Ok(Some(match args.json {
            Some(_) => [found.json(), String::new()],
            None => [String::new(), found.text()],
        }));
    };
    let text = match ending(path) {
        Some("dot") => found.dot(),
        Some("html") => found.html(about),
        Some("svg") => found
            .svg(about)
            .map_err(|error| Failure::Input(error.to_string()))?,
        Some("json") => found.json(),
        _ => found.text(),
    };
    let mut file = OutputFile::create(path)?;
    file.write(text.as_bytes())?;
    file.finish()?;
    Ok(None)
}

/// Writes a certificate that is made within limits; `written` gets the limit because of which it
/// shows less than the answer, if one fired.
pub(crate) fn certify(
    limits: Limits,
    path: &Path,
    written: impl FnOnce(&Budget, &mut Vec<u8>) -> Result<Option<Stop>, Unwritten>,
) -> Result<(), Failure> {
    let budget = Budget::new(limits);
    let mut text = Vec::new();
    let written = limits::searching(|| written(&budget, &mut text));
    limits::working("while the certificate was written");
    let less = written.map_err(|error| match error {
        Unwritten::Stopped(_) => Failure::StoppedBefore(error.to_string()),
        _ => Failure::Input(error.to_string()),
    })?;
    certificate_file::write(path, &text)?;
    less.map_or(Ok(()), |stop| {
        let why = format!("the certificate shows bounds of the value only: {stop}");
        Err(Failure::StoppedBefore(why))
    })
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
    output::print_answer(search.json.is_some(), || found.json(), || found.text())?;
    limits::answered();
    if let (Some(path), Some((digest, limits))) = (&search.certificate, certificate) {
        // The first of several sets; later ones are lighter.
        let than = found.sets.first().map_or(0, |(weight, _)| *weight);
        let claim = NoHeavier {
            than: if found.stop.is_some() {
                than.max(found.bound)
            } else {
                than
            },
            weights: found.weights,
        };
        certify(limits, path, |budget, text| {
            write_no_heavier(problem, digest, claim, true, budget, text).map(|_| None)
        })?;
    }
    if search.json.is_none() {
        output::tell_written(&search.certificate)?;
    }
    Failure::unless_complete(found.stop.is_none())
}

/// The weights of a file, a JSON list with one for each world.
fn weights(file: &Path) -> Result<Vec<u64>, Failure> {
    // Limits also cover a pipe that nobody writes to.
    limits::reading(file, 0);
    let text = fs::read_to_string(file).map_err(|error| wrong_weights(file, &reading(&error)))?;
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

/// Prints the answer; fails if it is not complete.
fn print(answer: &Answer, json: Option<u8>) -> Result<(), Failure> {
    output::print(&match json {
        None => answer.text(),
        Some(2) => brief_json(answer),
        Some(_) => answer.json(),
    })?;
    limits::answered();
    Failure::unless_complete(answer.is_complete())
}
