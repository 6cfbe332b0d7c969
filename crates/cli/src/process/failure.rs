//! Ways to end without an exact answer, each with its exit status and at most one sentence on
//! standard error.

use std::fmt::Display;
use std::io;
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
    /// An output that cannot be written: status 1.
    Output(String),
    /// Stopped by a limit or a signal; the bounds have been printed: status 3.
    Stopped,
    /// Stopped by a limit or a signal with nothing to show but this: status 3.
    StoppedBefore(String),
    /// Whoever reads our output has gone. Nothing is left to say.
    ClosedPipe,
}

impl Failure {
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

    /// What cannot be done with a problem, which came from a file or from the command line.
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
            Self::Output(format!("cannot write {place}: {error}"))
        }
    }

    /// Says it and gives the exit status.
    pub(crate) fn report(self) -> ExitCode {
        let (message, status) = match self {
            Self::Input(message) => (Some(message), 2),
            Self::Output(message) => (Some(message), 1),
            Self::StoppedBefore(message) => (Some(message), 3),
            Self::Stopped => (None, 3),
            Self::ClosedPipe => (None, 0),
        };
        let sentence = message.map(|message| shortened(&one_line(&message)));
        let status = LAST_WORD.say(status, sentence.as_deref());
        ExitCode::from(u8::try_from(status).unwrap_or(1))
    }
}

/// The letters of a word that are said. What goes on and on is told by its beginning.
const MOST_OF_A_WORD: usize = 1000;

fn shortened(sentence: &str) -> String {
    let words = sentence.split(' ');
    let words = words.map(|word| match word.char_indices().nth(MOST_OF_A_WORD) {
        Some((end, _)) => format!("{}..", &word[..end]),
        None => word.to_owned(),
    });
    words.collect::<Vec<String>>().join(" ")
}
