//! The command line with all that its help shows: groups, examples, and lines as wide as the
//! terminal.

use std::fmt::Write;

use clap::{Command, CommandFactory};
use meetjoin_report::wrapped;

use crate::arguments::args::CommandLine;
use crate::help::lines::{HEADER, NAME, continued};
use crate::help::{examples, groups};

/// The prefix of the usage of a command.
const USAGE: &str = "Usage: ";
/// The widest lines of help, if the terminal is wider or its width is unknown.
const WIDEST: usize = 100;

/// The command line.
pub(crate) fn command() -> Command {
    let width = width();
    let root = CommandLine::command().bin_name("meetjoin");
    let root = with_examples(root, &[], width);
    let root = with_usage(root, width);
    let groups = groups::text(&root, width);
    root.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}{HEADER}Options:{HEADER:#}\n{{options}}{{after-help}}"
    ))
    .term_width(width)
}

/// Each command with its usage in lines that fit, where one does not.
fn with_usage(root: Command, width: usize) -> Command {
    let mut built = root.clone();
    // Only after this each command knows its full name.
    built.build();
    fitting(root, &mut built, width)
}

fn fitting(mut command: Command, built: &mut Command, width: usize) -> Command {
    let usage = built.render_usage().to_string();
    let usage = usage.strip_prefix(USAGE).unwrap_or(&usage);
    let room = width.saturating_sub(USAGE.len());
    if usage.lines().any(|line| line.trim().chars().count() > room) {
        let lines = usage.lines();
        let lines = lines.flat_map(|line| wrapped(line.trim_start(), room, 2));
        let lines: Vec<String> = lines.collect();
        let lines = lines.join(&format!("\n{:1$}", "", USAGE.len()));
        command = command.override_usage(lines);
    }
    for built in built.get_subcommands_mut() {
        let name = built.get_name().to_owned();
        if name != "help" {
            command = command.mut_subcommand(&name, |below| fitting(below, built, width));
        }
    }
    command
}

/// Each command with its examples, and those below it.
fn with_examples(mut command: Command, path: &[&str], width: usize) -> Command {
    let names: Vec<String> = command
        .get_subcommands()
        .map(|below| below.get_name().to_owned())
        .collect();
    for name in names {
        let path: Vec<&str> = path.iter().copied().chain([&*name]).collect();
        command = command.mut_subcommand(&name, |below| with_examples(below, &path, width));
    }
    let examples = examples::of(path);
    if examples.is_empty() {
        return command;
    }
    let mut text = format!("{HEADER}Examples:{HEADER:#}");
    for (says, line) in &examples {
        for said in wrapped(&format!("{says}:"), width.saturating_sub(2), 0) {
            let _ = write!(text, "\n  {said}");
        }
        for typed in continued(line, width.saturating_sub(4)) {
            let _ = write!(text, "\n    {NAME}{typed}{NAME:#}");
        }
    }
    command.after_help(text)
}

/// How many letters a line of help may have.
fn width() -> usize {
    let terminal = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let said = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal
        .or_else(said)
        .map_or(WIDEST, |width: usize| width.min(WIDEST))
}
