//! Invalid command lines: what is wrong, what was probably meant, and which command's help to read.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Arg, Command};
use meetjoin_report::{did_you_mean, nearest};

use crate::process::failure::Failure;

/// Returns whether a parser's "error" is a request for help, or a missing command.
pub(crate) fn is_help(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    )
}

/// What is wrong with a command line, in one sentence.
pub(crate) fn failure(error: &Error, root: &Command, typed: &[OsString]) -> Failure {
    let path = path(root, typed);
    let text = error.render().to_string();
    // The first paragraph says what is wrong; usage and tips follow after an empty line.
    let first = text.split("\n\n").next().unwrap_or(&text);
    let words: Vec<&str> = first.split_whitespace().collect();
    let sentence = words.join(" ");
    let sentence = sentence.strip_prefix("error: ").unwrap_or(&sentence);
    let (hint, path) = if let Some((place, path)) = where_it_belongs(error, &path) {
        (format!("it belongs {place}; "), path)
    } else {
        let meant = what_was_meant(error, path.last().copied().unwrap_or(root));
        let meant = meant.map_or_else(String::new, |meant| did_you_mean(&meant) + " ");
        (meant, &path[..])
    };
    let name = path.iter().map(|command| command.get_name());
    let name = name.collect::<Vec<&str>>().join(" ");
    Failure::Input(format!("{sentence} ({hint}see {name} --help)"))
}

/// For an option that stands after the wrong command: the commands down to the one that has it.
fn where_it_belongs<'p, 'c>(
    error: &Error,
    path: &'p [&'c Command],
) -> Option<(String, &'p [&'c Command])> {
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let option = typed.strip_prefix("--")?;
    let has_it = |command: &&Command| {
        let mut names = command.get_arguments().filter_map(Arg::get_long);
        names.any(|name| name == option)
    };
    let last = path.iter().rposition(has_it)?;
    let place = match path.get(last + 1) {
        Some(below) => format!("before {}", below.get_name()),
        None => format!("after {}", path[last].get_name()),
    };
    Some((place, &path[..=last]))
}

/// The command that was typed, and those above it.
fn path<'c>(root: &'c Command, typed: &[OsString]) -> Vec<&'c Command> {
    let mut path = vec![root];
    for word in typed.iter().skip(1).filter_map(|word| word.to_str()) {
        let below = path.last().and_then(|last| last.find_subcommand(word));
        path.extend(below);
    }
    path
}

/// The name that was meant by one that is not known.
fn what_was_meant(error: &Error, command: &Command) -> Option<String> {
    let (kind, known): (ContextKind, Vec<String>) = match error.kind() {
        ErrorKind::InvalidSubcommand => (ContextKind::InvalidSubcommand, names(command)),
        ErrorKind::UnknownArgument => {
            let options = command.get_arguments().filter_map(Arg::get_long);
            let options = options.map(|name| format!("--{name}"));
            // Perhaps it is the name of a command.
            let known = options.chain(names(command)).collect();
            (ContextKind::InvalidArg, known)
        }
        ErrorKind::InvalidValue => match error.get(ContextKind::ValidValue) {
            Some(ContextValue::Strings(known)) => (ContextKind::InvalidValue, known.clone()),
            _ => return None,
        },
        _ => return None,
    };
    let Some(ContextValue::String(typed)) = error.get(kind) else {
        return None;
    };
    nearest(typed, known.iter().map(String::as_str)).map(str::to_owned)
}

/// The commands below one.
fn names(command: &Command) -> Vec<String> {
    let below = command
        .get_subcommands()
        .filter(|below| !below.is_hide_set());
    below.map(|below| below.get_name().to_owned()).collect()
}
