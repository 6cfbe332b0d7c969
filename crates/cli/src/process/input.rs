//! The input of a command.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Command;
use meetjoin_report::{meant, nearest};
use meetjoin_solve::Source;
use serde_json::Value;

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

/// Letters of a note that a title holds.
const TITLE: usize = 120;

/// What a problem is, as the title of a page or a drawing: its note, the keys of a game, or the
/// name of its file.
pub(crate) fn about(source: &Source, file: Option<&Path>) -> String {
    let note = match source {
        Source::Problem(problem) => problem.note().map(str::to_owned),
        Source::Outcomes(problem) => problem.note().map(str::to_owned),
        Source::Game(game) => of_keys(&game.compact()),
    };
    let name = file.and_then(Path::file_name);
    let name = name.map(|name| name.to_string_lossy().into_owned());
    let title = note.filter(|note| !note.trim().is_empty());
    let title = title.or_else(|| name.filter(|name| name != "-"));
    let title = title.unwrap_or_else(|| "a problem".to_owned());
    let words: Vec<&str> = title.split_whitespace().collect();
    let words = words.join(" ");
    match words.char_indices().nth(TITLE) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words,
    }
}

/// A game and its keys in words: "racing: deck 10, goal 2, hand 1 2, lead 3, lattice families".
fn of_keys(compact: &str) -> Option<String> {
    let keys: Value = serde_json::from_str(compact).ok()?;
    let keys = keys.as_object()?;
    let mut others: Vec<(&String, &Value)> = keys
        .iter()
        .filter(|(key, value)| !matches!(key.as_str(), "format" | "game") && !value.is_null())
        .collect();
    // The lattice matters least to a player.
    others.sort_by_key(|(key, _)| *key == "lattice");
    let others: Vec<String> = others
        .into_iter()
        .map(|(key, value)| format!("{key} {}", in_words(value)))
        .collect();
    let game = keys.get("game").map_or_else(String::new, in_words);
    Some(format!("{game}: {}", others.join(", ")))
}

/// The value of a key: lists without brackets, objects with their type first.
fn in_words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(Value::to_string).collect();
            items.join(" ")
        }
        Value::Object(keys) => {
            let kind = keys.get("type").and_then(Value::as_str).map(str::to_owned);
            let others = keys.iter().filter(|(key, _)| *key != "type");
            let others = others.map(|(key, value)| format!("{key} {value}"));
            let words: Vec<String> = kind.into_iter().chain(others).collect();
            words.join(" ")
        }
        other => other.to_string(),
    }
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
        format!(" (is {} meant?)", folder.join(near).display())
    })
}
