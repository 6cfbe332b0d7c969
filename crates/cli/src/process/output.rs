//! Writing to standard output and to files, where every failure is a sentence and a closed pipe is none.

use std::fs::{File, OpenOptions};
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

/// A file that takes its place when it is complete: until then it lies beside, under a name of the process's own, and it is removed again if it cannot be finished. Whoever
/// has the old one open, or mapped into memory, keeps it. What is no ordinary file, such as a device, is written as it is, and when a pipe's reader has gone, the rest is dropped.
#[derive(Debug)]
pub(crate) struct OutputFile {
    path: PathBuf,
    /// Where it lies until it is complete.
    place: PathBuf,
    /// `None` once it is finished or given up.
    file: Option<BufWriter<File>>,
}

impl OutputFile {
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        // A link stays one, and what it leads to is replaced.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let is_special = path.metadata().is_ok_and(|metadata| !metadata.is_file());
        let mut beside = path.as_os_str().to_owned();
        beside.push(format!(".{}.part", std::process::id()));
        let beside = if is_special {
            path.clone()
        } else {
            beside.into()
        };
        // In a folder where nothing new may be made, what is there may still be written.
        let (file, place) = match File::create(&beside) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied && path.is_file() => (
                OpenOptions::new().write(true).truncate(true).open(&path),
                path.clone(),
            ),
            file => (file, beside),
        };
        let file = file.map_err(|error| failed(&path, &error))?;
        unfinished().push(place.clone());
        Ok(Self {
            path,
            place,
            file: Some(BufWriter::with_capacity(1 << 16, file)),
        })
    }

    /// A file that others read while it grows.
    pub(crate) fn growing(path: &Path) -> Result<Self, Failure> {
        let file = File::create(path).map_err(|error| failed(path, &error))?;
        unfinished().push(path.to_owned());
        Ok(Self {
            path: path.to_owned(),
            place: path.to_owned(),
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
        let Some(mut file) = self.file.take() else {
            return Ok(());
        };
        if let Err(error) = file.flush() {
            self.file = Some(file);
            return self.give_up(&error);
        }
        drop(file);
        if self.place != self.path {
            std::fs::rename(&self.place, &self.path).map_err(|error| {
                self.remove();
                failed(&self.path, &error)
            })?;
        }
        unfinished().retain(|place| *place != self.place);
        Ok(())
    }

    /// Removes what was written. Devices stay.
    fn give_up(&mut self, error: &io::Error) -> Result<(), Failure> {
        if let Some(file) = self.file.take() {
            let (file, _) = file.into_parts();
            if file.metadata().is_ok_and(|metadata| metadata.is_file()) {
                self.remove();
            }
        }
        match failed(&self.path, error) {
            Failure::ClosedPipe => Ok(()),
            failure => Err(failure),
        }
    }

    fn remove(&self) {
        // It may be gone already, which is as good.
        let _ = std::fs::remove_file(&self.place);
        unfinished().retain(|place| *place != self.place);
    }
}

/// Refuses a path that cannot be written, before hours of work are done for it.
pub(crate) fn try_path(path: &Path) -> Result<(), Failure> {
    let is_special = path.metadata().is_ok_and(|metadata| !metadata.is_file());
    let probe = if is_special {
        return Ok(());
    } else {
        OutputFile::create(path)?
    };
    if probe.place != probe.path {
        probe.remove();
    }
    Ok(())
}

/// Lets `write` write a file, as [`OutputFile`] does.
pub(crate) fn replace(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut file = OutputFile::create(path)?;
    let written = match &mut file.file {
        Some(out) => write(out),
        None => Ok(()),
    };
    written.or_else(|error| file.give_up(&error))?;
    file.finish()
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::writing(&path.display().to_string(), error)
}
