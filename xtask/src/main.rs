//! Tasks of the workspace: `cargo xtask ci`, `cargo xtask bench`, `cargo xtask suits`,
//! `cargo xtask limits`, `cargo xtask book`, `cargo xtask man`, `cargo xtask python` and
//! `cargo xtask site`. It uses nothing of ours and little of others, so that it is built in seconds.

mod attack;
mod ci;
mod circles;
mod columns;
mod deny;
mod docs;
mod fuzz;
mod layers;
mod map;
mod python;
mod site;
mod web;
mod workspace;

use std::ffi::OsString;
use std::process::{Command, ExitCode};

use workspace::{cargo_path, root};

const USAGE: &str = "\
Tasks of the meetjoin workspace.

Usage: cargo xtask ci [--python] [--web]
       cargo xtask ci --only STEP
       cargo xtask ci --fuzz [SECONDS [TARGET]]
       cargo xtask ci --attack [SECONDS] [--seed N]
       cargo xtask bench [ARGUMENTS]
       cargo xtask suits [FILE] [ARGUMENTS]
       cargo xtask limits memory|curve|draw ARGUMENTS
       cargo xtask map
       cargo xtask book
       cargo xtask man [FOLDER]
       cargo xtask python
       cargo xtask site

  ci     Everything that must hold beside the tests: format, layers, circles, documents, deny, clippy, rustdoc, examples, package;
         --python adds the Python package, --web the pages of the site in a browser, --only runs the step with this name, --fuzz each target of fuzz/ for 20 seconds, or so many,
         --attack each attack on the release program likewise: random trees, damaged files, command lines, kills, strangers, limits
  bench  The experiments: every algorithm on the games of the papers, with a report of tables and plots;
         'cargo xtask bench --help' lists the arguments
  suits  The book of all suits at bridge, for 'meetjoin suit --book'; 'cargo xtask suits --help' lists the arguments
  limits Whether limits on memory hold for every command and algorithm, and what they cost, as a table and a plot;
         'cargo xtask limits --help' lists the arguments
  endings How long random endings at bridge take; 'cargo xtask endings --help' lists the arguments
  map    The code map of the architecture page, from the first lines of all files
  book   What commands print, written into the pages that show it
  man    Manual pages of all commands, from the release program, in target/man or in a folder
  python The Python package: a wheel, installed into an empty environment, with its tests, types and examples
  site   The book, and the pages on which one tries meetjoin in a browser, in target/site
";

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    let words: Vec<&str> = args.iter().map(|arg| arg.to_str().unwrap_or("?")).collect();
    let done = match &words[..] {
        ["bench", ..] => experiments("meetjoin-experiments", &args[1..]),
        ["suits", ..] => experiments("suits", &args[1..]),
        ["limits", ..] => experiments("limits", &args[1..]),
        ["endings", ..] => experiments("endings", &args[1..]),
        ["map"] => map::write().map(|()| ExitCode::SUCCESS),
        ["book"] => book(),
        ["site"] => site::make().map(|()| ExitCode::SUCCESS),
        ["man"] => manual(&root().join("target/man").into_os_string()),
        ["man", _] => manual(&args[1]),
        ["python"] => python::run(python::RELEASE).map(|()| ExitCode::SUCCESS),
        ["ci", "--only", step] => ci::run(Some(step), &[]),
        ["ci", only] if only.starts_with("--only=") => ci::run(only.get("--only=".len()..), &[]),
        ["ci", asked @ ..] if asked.iter().all(|word| ci::ASKED_FOR.contains(word)) => {
            ci::run(None, asked)
        }
        ["ci", "--fuzz", rest @ ..] if rest.len() <= 2 => {
            match rest.first().map_or(Ok(20), |n| n.parse()) {
                Ok(seconds) => fuzz::run(seconds, rest.get(1).copied()).map(|()| ExitCode::SUCCESS),
                Err(_) => Err(format!("{:?} is no number of seconds", rest[0])),
            }
        }
        ["ci", "--attack", rest @ ..] => attack::arguments(rest)
            .and_then(|(seconds, seed)| attack::run(seconds, seed))
            .map(|()| ExitCode::SUCCESS),
        [.., "-h" | "--help"] | ["help"] => {
            print!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        _ => {
            eprint!("xtask: there is no task {:?}\n\n{USAGE}", words.join(" "));
            return ExitCode::from(2);
        }
    };
    done.unwrap_or_else(|message| {
        eprintln!("xtask: {message}");
        ExitCode::FAILURE
    })
}

/// Writes what commands print into the pages that show it, as the tests find it.
fn book() -> Result<ExitCode, String> {
    let mut tests = workspace::cargo(&["test", "--package", "meetjoin-cli", "--test", "suite"]);
    tests.args(["--", "book::what_pages_show_is_what_is_printed"]);
    workspace::succeed(tests.env("BLESS", "1")).map(|()| ExitCode::SUCCESS)
}

/// Builds and starts a program of the experiments, in the folder of the caller.
fn experiments(program: &str, args: &[OsString]) -> Result<ExitCode, String> {
    started("meetjoin-experiments", program, args)
}

/// Writes the manual pages. The program makes them of its own definition of the command line, so
/// that nothing of it is needed here.
fn manual(folder: &OsString) -> Result<ExitCode, String> {
    started("meetjoin-cli", "meetjoin", &["man".into(), folder.clone()])
}

fn started(package: &str, program: &str, args: &[OsString]) -> Result<ExitCode, String> {
    let mut command = Command::new(cargo_path());
    let manifest = root().join("Cargo.toml");
    command
        .args(["run", "--release", "--quiet", "--package"])
        .args([package, "--bin", program, "--manifest-path"])
        .arg(manifest)
        .arg("--")
        .args(args);
    become_command(&mut command)
        .map_err(|error| format!("{} does not start: {error}", cargo_path().display()))
}

/// Goes on as another program: signals reach it once, and its exit status is ours.
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
