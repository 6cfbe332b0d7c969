//! Tasks of the workspace, `cargo xtask`: what must hold (`ci`), what is made of it (`book`, `man`,
//! `site`, `python`, `dist`), and what is measured (`bench`, `suits`, `limits`, `endings`). It uses
//! nothing of ours and little of others, so that it is built in seconds.

mod ci;
mod counts;
mod mass;
mod release;
mod site;
mod task;
mod workspace;

use std::ffi::OsString;
use std::process::{Command, ExitCode};

use ci::{attack, fuzz, map, python};
use task::{Task, USAGE};
use workspace::{cargo_path, root, target};

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    let words: Vec<&str> = args.iter().map(|arg| arg.to_str().unwrap_or("?")).collect();
    let task = match task::parse(&words) {
        Ok(task) => task,
        Err(message) => {
            eprint!("xtask: {message}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    run(&task, &args).unwrap_or_else(|message| {
        eprintln!("xtask: {message}");
        ExitCode::FAILURE
    })
}

/// Does a task. Programs of the experiments get the arguments as they were given.
fn run(task: &Task, args: &[OsString]) -> Result<ExitCode, String> {
    match task {
        Task::Ci { only, asked } => ci::run(only.as_deref(), asked),
        Task::Fuzz { seconds, target } => fuzz::run(*seconds, target.as_deref()),
        Task::Attack { seconds, seed } => attack::run(*seconds, *seed),
        Task::Counts { file, write: false } => counts::compare(file),
        Task::Counts { file, write: true } => counts::write(file),
        Task::Experiments(program) => {
            if let [name, help] = args
                && ["-h", "--help"].map(OsString::from).contains(help)
            {
                // Written by the tests of the programs, which take minutes to compile.
                let file = format!("crates/experiments/src/help/{}.txt", name.display());
                print!("{}", workspace::read(file)?);
                return Ok(ExitCode::SUCCESS);
            }
            return started("meetjoin-experiments", program, &args[1..]);
        }
        Task::Map => map::write(),
        Task::Mass { write: false } => mass::print(),
        Task::Mass { write: true } => mass::record(),
        Task::Book => book(),
        Task::Man(None) => return manual(&target()?.join("man").into_os_string()),
        Task::Man(Some(_)) => return manual(&args[1]),
        Task::Python => python::run(python::RELEASE),
        Task::Site => site::make(),
        Task::Dist { twice } => release::dist(*twice),
        Task::Install => release::install(),
        Task::Check(check) => release::check(*check),
        Task::Semver { revision, package } => release::semver(revision, package.as_deref()),
        Task::Notes(file) => release::notes(file),
        Task::Help => {
            print!("{USAGE}");
            Ok(())
        }
    }
    .map(|()| ExitCode::SUCCESS)
}

/// Writes the output of commands into the pages that show it, by the tests that check it.
fn book() -> Result<(), String> {
    let mut tests = workspace::cargo(&["test", "--package", "meetjoin-cli", "--test", "suite"]);
    tests.args(["--", "book::what_pages_show_is_what_is_printed"]);
    workspace::succeed(tests.env("BLESS", "1"))
}

/// Writes the manual pages. The program makes them from its own definition of the command line, so
/// no dependency is needed here.
fn manual(folder: &OsString) -> Result<ExitCode, String> {
    started("meetjoin-cli", "meetjoin", &["man".into(), folder.clone()])
}

/// Builds and starts a program in the folder of the caller. Cargo says what it compiles.
fn started(package: &str, program: &str, args: &[OsString]) -> Result<ExitCode, String> {
    let mut command = Command::new(cargo_path());
    let manifest = root().join("Cargo.toml");
    eprintln!(
        "xtask: {program} is compiled first, unless it is up to date: up to ten minutes on two cores"
    );
    command
        .args(["run", "--release", "--package", package])
        .args(["--bin", program, "--manifest-path"])
        .arg(manifest)
        .arg("--")
        .args(args);
    become_command(&mut command)
        .map_err(|error| format!("{} does not start: {error}", cargo_path().display()))
}

/// Replaces this process by another program: signals reach it once, and its exit status is ours.
#[cfg(unix)]
fn become_command(command: &mut Command) -> std::io::Result<ExitCode> {
    use std::os::unix::process::CommandExt as _;
    Err(command.exec())
}

/// Waits for another program, which gets Ctrl-C as this one does. Its exit status is ours.
#[cfg(not(unix))]
fn become_command(command: &mut Command) -> std::io::Result<ExitCode> {
    ctrlc::set_handler(|| {}).map_err(std::io::Error::other)?;
    let code = command.status()?.code();
    Ok(ExitCode::from(
        code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1),
    ))
}
