//! The input of a command.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Command;
use meetjoin_file::{MAGIC, Trust};
use meetjoin_problems::Source;
use meetjoin_report::{did_you_mean, meant, nearest};

use crate::process::failure::{Failure, reading};
use crate::process::limits;

/// An input that counts the bytes read.
pub(crate) struct Input(Box<dyn Read>);

impl Input {
    /// A file, or standard input for `-`.
    pub(crate) fn open(file: &Path) -> Result<Self, Failure> {
        // Opening a pipe without a writer blocks already.
        limits::reading(file, 0);
        if file.as_os_str() == "-" {
            static IS_TAKEN: AtomicBool = AtomicBool::new(false);
            if IS_TAKEN.swap(true, Ordering::Relaxed) {
                return Err(standard_input_twice());
            }
            return Ok(Self(Box::new(io::stdin().lock())));
        }
        if file.is_dir() {
            return Err(unreadable(file, &io::ErrorKind::IsADirectory.into()));
        }
        let opened = File::open(file).map_err(|error| unreadable(file, &error))?;
        limits::reading(file, opened.metadata().map_or(0, |metadata| metadata.len()));
        Ok(Self(Box::new(opened)))
    }
}

impl Read for Input {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(bytes)?;
        limits::has_read(read);
        Ok(read)
    }
}

/// Two inputs that are standard input.
pub(crate) fn standard_input_twice() -> Failure {
    let why = "standard input, `-`, is one file, and cannot be given twice";
    Failure::Input(why.to_owned())
}

/// Returns whether a file begins with these bytes; false for input that can be read only once.
pub(crate) fn begins_with(file: &Path, magic: &[u8]) -> bool {
    let is_file = file.metadata().is_ok_and(|metadata| metadata.is_file());
    let mut first = vec![0; magic.len()];
    is_file
        && File::open(file).is_ok_and(|mut file| file.read_exact(&mut first).is_ok())
        && first == magic
}

/// The title of pages and drawings of a problem.
pub(crate) fn title(source: &Source, file: Option<&Path>) -> String {
    let name = file.and_then(Path::file_name);
    let name = name.map(OsStr::to_string_lossy);
    source.title(name.as_deref().filter(|name| *name != "-"))
}

/// Reads a problem file, or standard input for `-`. A binary file that is trusted is not validated.
pub(crate) fn problem(file: &Path, trusted: bool) -> Result<Source, Failure> {
    let trust = if trusted {
        Trust::Trusted
    } else {
        Trust::Checked
    };
    let source = if begins_with(file, &MAGIC) {
        limits::reading(file, 0);
        Source::open(file, trust)
    } else {
        Source::read(Input::open(file)?)
    };
    limits::working("while the problem was prepared");
    source.map_err(|error| Failure::in_file(file, error))
}

/// All of a file, or of standard input for `-`.
pub(crate) fn all_of(file: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = Input::open(file)?.read_to_end(&mut bytes);
    read.map_err(|error| unreadable(file, &error))?;
    limits::working("while the problem was prepared");
    Ok(bytes)
}

/// The failure for a file that cannot be read, with a similar name in its folder.
pub(crate) fn unreadable(file: &Path, error: &io::Error) -> Failure {
    let meant = if error.kind() == io::ErrorKind::NotFound {
        beside(file)
    } else {
        String::new()
    };
    Failure::in_file(file, format!("{}{meant}", reading(error)))
}

/// The failure for an argument that looks like the name of a game instead of a file, but is none.
pub(crate) fn no_game(typed: &Path, games: &Command) -> Option<Failure> {
    let name = typed.to_str()?;
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '-') && name != "-";
    if !is_name || typed.exists() {
        return None;
    }
    let known = games.get_subcommands().map(Command::get_name);
    let known: Vec<&str> = known.filter(|name| *name != "help").collect();
    let meant = meant(name, known.iter().copied());
    let known = known.join(", ");
    Some(Failure::Input(format!(
        "there is no game and no file {name:?}{meant}; games are {known}"
    )))
}

/// The most entries of a folder that are searched for a similar name.
const LOOKED_AT: usize = 2000;

/// The end of a sentence about a missing file: a similar name.
fn beside(file: &Path) -> String {
    let Some(name) = file.file_name().and_then(|name| name.to_str()) else {
        return String::new();
    };
    let folder = file.parent().unwrap_or(Path::new(""));
    let here = folder.as_os_str().is_empty();
    let entries = std::fs::read_dir(if here { Path::new(".") } else { folder });
    let entries = entries.into_iter().flatten().take(LOOKED_AT);
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.collect();
    names.sort();
    nearest(name, names.iter().map(String::as_str)).map_or_else(String::new, |near| {
        format!(
            " ({})",
            did_you_mean(&folder.join(near).display().to_string())
        )
    })
}
