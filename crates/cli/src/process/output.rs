//! Writing to standard output and to files, where every failure is a sentence and a closed pipe is none.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::process::failure::Failure;

/// Prints text on standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    stream(|out| out.write_all(text.as_bytes()))
}

/// Lets `write` write to standard output.
pub(crate) fn stream(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let written = write(&mut out).and_then(|()| out.flush());
    // What is left in the buffer after an error must not be written when it is dropped.
    let _ = out.into_parts();
    written.map_err(|error| Failure::writing("standard output", &error))
}

/// Files that are not complete yet.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes what is not complete, before the process ends in the middle of it.
pub(crate) fn remove_unfinished() {
    for path in unfinished().drain(..) {
        // It may be gone already, which is as good.
        let _ = match path.metadata() {
            Ok(metadata) if metadata.is_file() => std::fs::remove_file(path),
            Ok(metadata) if metadata.is_dir() => std::fs::remove_dir_all(path),
            _ => Ok(()),
        };
    }
}

/// Has a folder of the process's own removed too when the process ends in the middle of something.
pub(crate) fn remove_at_an_early_end(folder: &Path) {
    unfinished().push(folder.to_owned());
}

fn unfinished() -> std::sync::MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that is removed again if it cannot be finished. When a pipe's reader has gone, the rest is dropped.
#[derive(Debug)]
pub(crate) struct OutputFile {
    path: PathBuf,
    /// `None` once it is finished or given up.
    file: Option<BufWriter<File>>,
}

impl OutputFile {
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        let file = File::create(path).map_err(|error| failed(path, &error))?;
        unfinished().push(path.to_owned());
        Ok(Self {
            path: path.to_owned(),
            file: Some(BufWriter::with_capacity(1 << 16, file)),
        })
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        match &mut self.file {
            Some(file) => {
                let written = file.write_all(bytes);
                written.or_else(|error| self.give_up(&error))
            }
            None => Ok(()),
        }
    }

    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        let flushed = self.file.as_mut().map_or(Ok(()), BufWriter::flush);
        flushed.or_else(|error| self.give_up(&error))?;
        self.file = None;
        unfinished().retain(|path| *path != self.path);
        Ok(())
    }

    /// Removes what was written. Devices stay.
    fn give_up(&mut self, error: &io::Error) -> Result<(), Failure> {
        if let Some(file) = self.file.take() {
            let (file, _) = file.into_parts();
            if file.metadata().is_ok_and(|metadata| metadata.is_file()) {
                // It may be gone already, which is as good.
                let _ = std::fs::remove_file(&self.path);
            }
        }
        match failed(&self.path, error) {
            Failure::ClosedPipe => Ok(()),
            failure => Err(failure),
        }
    }
}

/// Lets `write` write a file that takes the place of another one when it is complete: whoever has the old one open, or mapped into memory, keeps it. What is
/// no ordinary file, such as a device, is written as it is.
pub(crate) fn replace(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let is_special = path.metadata().is_ok_and(|metadata| !metadata.is_file());
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.part", std::process::id()));
    let place = if is_special { path } else { Path::new(&beside) };
    let mut file = OutputFile::create(place)?;
    let written = match &mut file.file {
        Some(out) => write(out),
        None => Ok(()),
    };
    written.or_else(|error| file.give_up(&error))?;
    file.finish()?;
    if is_special {
        return Ok(());
    }
    std::fs::rename(place, path).map_err(|error| {
        // It may be gone already, which is as good.
        let _ = std::fs::remove_file(place);
        failed(path, &error)
    })
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::writing(&path.display().to_string(), error)
}
