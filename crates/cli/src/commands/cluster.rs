//! `meetjoin cluster`: problems level by level, on many workers and machines.

use std::path::PathBuf;

use clap::{Command, Subcommand as _};
use meetjoin_dataflow::{Failure as Failed, Hosts, Secret, Settings, solve};
use meetjoin_problems::{Source, games};

use crate::arguments::cluster_args::{ClusterCommand, ClusterSolveArgs};
use crate::arguments::limit_args::LimitArgs;
use crate::arguments::units::{Seconds, Size};
use crate::process::failure::Failure;
use crate::process::{input, limits, output};

/// `meetjoin cluster`.
pub(crate) fn run(command: ClusterCommand) -> Result<(), Failure> {
    match command {
        ClusterCommand::Solve(args) => solve_together(args),
    }
}

fn solve_together(args: ClusterSolveArgs) -> Result<(), Failure> {
    let limits = limits::of_command(&LimitArgs {
        max_visits: None,
        clock: args.limits.clone(),
    })?;
    let hosts = hosts(&args)?;
    let (file, source) = match (args.game, args.file) {
        (Some(_), Some(_)) => {
            let why = "give either a problem file or a game";
            return Err(Failure::Input(why.to_owned()));
        }
        (Some(game), None) => (
            None,
            Source::Game(games::made(game).map_err(Failure::Input)?),
        ),
        (None, file) => {
            let file = file.unwrap_or_else(|| "-".into());
            let games = games::GameArgs::augment_subcommands(Command::new("solve"));
            if let Some(failure) = input::no_game(&file, &games) {
                return Err(failure);
            }
            let source = input::problem(&file, false)?;
            (Some(file), source)
        }
    };
    let digest = source.digest();
    let refused = |error| Failure::refused(file.as_deref(), error);
    let problem = source.layered().map_err(refused)?;
    let Size(memory) = args.memory;
    // Spilling levels to disk early is better than running out of memory.
    let shared = limits.memory.map_or(u64::MAX, |most| {
        most.bytes / (3 * u64::from(args.workers.get()))
    });
    let memory = memory.min(shared);
    let folder = Levels::new(args.folder)?;
    let line = |moves: &String| {
        moves
            .split(',')
            .map(|name| name.trim().to_owned())
            .collect()
    };
    let settings = Settings {
        workers: args.workers.get().into(),
        hosts,
        folder: folder.path.clone(),
        memory: usize::try_from(memory).unwrap_or(usize::MAX),
        limits,
        counts: args.counts,
        lines: args.at.iter().map(line).collect(),
    };
    if settings.hosts.is_some() {
        panics_are_sentences();
    }
    // Completed levels stay, whenever the process ends.
    let place = format!("in the middle of a level; {}", folder.after_a_stop());
    let solved = limits::searching_in(&place, || solve(problem, &digest, settings));
    let solution = solved.map_err(|error| match error {
        Failed::Input(why) => Failure::Input(why),
        Failed::Stopped(why) => Failure::StoppedBefore(format!("{why}; {}", folder.after_a_stop())),
        error => Failure::Output(error.to_string()),
    })?;
    output::print_answer(
        args.json,
        || solution.json(),
        || solution.text(args.verbose),
    )
}

/// Messages of other processes are validated before use. If a malformed one gets through all the
/// same, timely dataflow panics on a thread of its own; this hook ends the command with a sentence
/// then too.
fn panics_are_sentences() {
    std::panic::set_hook(Box::new(|panic| {
        let why = panic.payload();
        let why = why
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| why.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("no reason is given");
        let place = panic
            .location()
            .map_or(String::new(), |place| format!(" ({place})"));
        limits::fail(&format!(
            "the run was aborted: another process sent an invalid message, or the program has a fault: {why}{place}"
        ));
    }));
}

/// The processes, if there are more than this one.
fn hosts(args: &ClusterSolveArgs) -> Result<Option<Hosts>, Failure> {
    let (file, process) = match (&args.hosts, args.process) {
        (Some(file), Some(process)) => (file, process),
        (None, None) => return Ok(None),
        _ => {
            let why = "--hosts and --process need each other: the file lists all processes, and the number says which one this is";
            return Err(Failure::Input(why.to_owned()));
        }
    };
    let Seconds(patience) = args.patience;
    let text = String::from_utf8(input::all_of(file)?)
        .map_err(|error| Failure::in_file(file, format!("the file cannot be read: {error}")))?;
    let hosts = Hosts::parse(&text, process.into(), patience);
    let mut hosts = hosts.map_err(|error| Failure::in_file(file, error))?;
    if let Some(file) = &args.secret_file {
        let bytes = input::all_of(file)?;
        hosts.secret = Secret::new(&bytes).map_err(|error| Failure::in_file(file, error))?;
    }
    Ok(Some(hosts))
}

/// The folder of the levels. Without --folder it is a temporary one with an unguessable name, which
/// is removed when the command has said its last word.
struct Levels {
    path: PathBuf,
    is_named: bool,
}

impl Levels {
    fn new(named: Option<PathBuf>) -> Result<Self, Failure> {
        let is_named = named.is_some();
        let path = named.map_or_else(temporary, Ok)?;
        Ok(Self { path, is_named })
    }

    fn after_a_stop(&self) -> &'static str {
        if self.is_named {
            "the levels so far are in the folder, and the same command goes on from them"
        } else {
            "with --folder DIR the levels so far would stay, and the same command would go on from them"
        }
    }
}

fn temporary() -> Result<PathBuf, Failure> {
    let mut folder = tempfile::Builder::new();
    let made = folder.prefix("meetjoin-cluster-").tempdir();
    let made = made.map_err(|error| {
        Failure::Output(format!(
            "cannot make a temporary folder: {error}; --folder DIR names one"
        ))
    })?;
    output::remove_at_the_end(made.path());
    Ok(made.keep())
}
