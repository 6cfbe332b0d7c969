//! The input of a command.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::process::failure::Failure;
use crate::process::limits;

/// An input that counts what is read of it.
pub(crate) struct Input(Box<dyn Read>);

impl Input {
    /// A file, or standard input for `-`.
    pub(crate) fn open(file: &Path) -> Result<Self, Failure> {
        // A pipe without a writer is not even opened.
        limits::reading(file, 0);
        if file.as_os_str() == "-" {
            return Ok(Self(Box::new(io::stdin().lock())));
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

/// Whether these are the first bytes of a file. Of what can be read only once nobody knows.
pub(crate) fn begins_with(file: &Path, magic: &[u8]) -> bool {
    let is_file = file.metadata().is_ok_and(|metadata| metadata.is_file());
    let mut first = vec![0; magic.len()];
    is_file
        && File::open(file).is_ok_and(|mut file| file.read_exact(&mut first).is_ok())
        && first == magic
}

/// All of a file, or of standard input for `-`.
pub(crate) fn all_of(file: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = Input::open(file)?.read_to_end(&mut bytes);
    read.map_err(|error| unreadable(file, &error))?;
    limits::working("while the problem was prepared");
    Ok(bytes)
}

fn unreadable(file: &Path, error: &io::Error) -> Failure {
    Failure::in_file(file, format!("the file cannot be read: {error}"))
}
