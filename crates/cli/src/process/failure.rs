//! Ways to end without an exact answer, each with its exit status and at most one sentence on
//! standard error.

use std::fmt::Display;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use meetjoin_report::one_line;
use meetjoin_solve::Refused;

use crate::process::last_word::LAST_WORD;

/// Why the command does not end with status 0.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Bad input or usage: status 2.
    Input(String),
    /// An incomplete command line, which prints help: status 2.
    Usage(String),
    /// An output that cannot be written: status 1.
    Output(String),
    /// Stopped by a limit or a signal; the bounds have been printed: status 3.
    Stopped,
    /// Stopped by a limit or a signal with nothing to show but this: status 3.
    StoppedBefore(String),
    /// The reader of standard output has closed it. There is nothing to report.
    ClosedPipe,
}

impl Failure {
    /// Fails if an answer that was printed is not complete.
    pub(crate) fn unless_complete(is_complete: bool) -> Result<(), Self> {
        if is_complete {
            Ok(())
        } else {
            Err(Self::Stopped)
        }
    }

    /// Bad input, with the file it came from; `-` is standard input.
    pub(crate) fn in_file(file: &Path, error: impl Display) -> Self {
        if file.as_os_str() == "-" {
            return Self::Input(format!("standard input: {error}"));
        }
        Self::Input(format!("{}: {error}", file.display()))
    }

    /// Bad input, which came from a file or from the command line.
    pub(crate) fn in_some_file(file: Option<&Path>, error: impl Display) -> Self {
        match file {
            Some(file) => Self::in_file(file, error),
            None => Self::Input(error.to_string()),
        }
    }

    /// A refused problem, which came from a file or from the command line.
    pub(crate) fn refused(file: Option<&Path>, error: Refused) -> Self {
        match error {
            Refused::Argument(why) => Self::Input(why),
            error => Self::in_some_file(file, error),
        }
    }

    /// A write that failed, with the place it went to.
    pub(crate) fn writing(place: &str, error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::ClosedPipe
        } else {
            Self::Output(format!("cannot write {place}: {}", writing(error)))
        }
    }

    /// Reports the failure and returns the exit status.
    pub(crate) fn report(self) -> ExitCode {
        let (message, status) = match self {
            Self::Usage(help) => {
                // If standard error cannot be written, there is no place left to say so.
                let _ = anstream::stderr().write_all(help.as_bytes());
                (None, 2)
            }
            Self::Input(message) => (Some(message), 2),
            Self::Output(message) => (Some(message), 1),
            Self::StoppedBefore(message) => (Some(message), 3),
            Self::Stopped => (None, 3),
            Self::ClosedPipe => (None, 0),
        };
        let sentence = message.map(|message| shortened(&without_numbers(&one_line(&message))));
        let status = LAST_WORD.say(status, sentence.as_deref());
        ExitCode::from(u8::try_from(status).unwrap_or(1))
    }
}

/// Why a file cannot be read, in words.
pub(crate) fn reading(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder, not a file".to_owned(),
        _ => format!("the file cannot be read: {}", in_words(error)),
    }
}

/// Why something cannot be written, in words.
fn writing(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such folder".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        _ => in_words(error),
    }
}

/// A system error in plain words.
pub(crate) fn in_words(error: &io::Error) -> String {
    let words = match error.kind() {
        io::ErrorKind::PermissionDenied => "permission denied",
        io::ErrorKind::NotADirectory => "a part of the path is a file, not a folder",
        io::ErrorKind::StorageFull => "no space is left on the device",
        io::ErrorKind::QuotaExceeded => "the quota of this user is used up",
        io::ErrorKind::FileTooLarge => "the file would exceed the greatest size of a file",
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only",
        io::ErrorKind::AddrInUse => "another program uses the address",
        io::ErrorKind::ConnectionRefused => "no program listens at the address",
        io::ErrorKind::InvalidFilename => "a file cannot have this name",
        _ => return without_numbers(&error.to_string()),
    };
    words.to_owned()
}

/// A sentence without the numbers by which systems call their errors.
fn without_numbers(sentence: &str) -> String {
    let mut parts = sentence.split(" (os error ");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(')') {
            Some((number, rest)) if number.parse::<i32>().is_ok() => kept.push_str(rest),
            _ => {
                kept.push_str(" (os error ");
                kept.push_str(part);
            }
        }
    }
    kept
}

/// The letters of a word that are shown; longer words are cut.
const MOST_OF_A_WORD: usize = 1000;

fn shortened(sentence: &str) -> String {
    let words = sentence.split(' ');
    let words = words.map(|word| match word.char_indices().nth(MOST_OF_A_WORD) {
        Some((end, _)) => format!("{}..", &word[..end]),
        None => word.to_owned(),
    });
    words.collect::<Vec<String>>().join(" ")
}
