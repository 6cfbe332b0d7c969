//! Tasks of the workspace: `cargo xtask ci` and `cargo xtask bench`.

mod bench;
mod ci;
mod docs;
mod layers;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use std::alloc::System;

use clap::{Parser, Subcommand};
use peakmem_alloc::PeakMemAlloc;

/// Counts every byte, so that an experiment knows what memory a search took.
#[global_allocator]
static ALLOCATOR: PeakMemAlloc<System> = PeakMemAlloc::new(System);

/// Tasks of the meetjoin workspace.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask")]
struct CommandLine {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Everything that must hold beside the tests: formatting, lints, layers, documentation, examples, packages.
    Ci {
        /// Only the step with this name.
        #[arg(long)]
        only: Option<String>,
    },
    /// The experiments: every algorithm on the games of the papers, with a report of tables and plots.
    Bench(bench::BenchArgs),
}

fn main() -> ExitCode {
    let done = match CommandLine::parse().task {
        Task::Ci { only } => ci::run(only.as_deref()),
        Task::Bench(args) => bench::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of the workspace.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// A cargo command in the workspace.
fn cargo(args: &[&str]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(args).current_dir(root());
    command
}

/// Runs a command that must succeed.
fn succeed(command: &mut Command) -> Result<(), String> {
    let status = command
        .status()
        .map_err(|error| format!("{command:?} does not start: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{command:?} failed: {status}"))
    }
}

/// Reads a file of the workspace.
fn read(path: &str) -> Result<String, String> {
    std::fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))
}
