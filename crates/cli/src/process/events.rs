//! The file of events.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::process::failure::Failure;
use crate::process::output::OutputFile;

/// A file of events, one JSON object a line. When a line cannot be written, the search is cancelled
/// and the failure kept.
#[derive(Debug)]
pub(crate) struct EventsFile {
    file: OutputFile,
    failure: Option<Failure>,
    cancel: Arc<AtomicBool>,
}

impl EventsFile {
    /// The file, if one is named.
    pub(crate) fn open(
        path: Option<&Path>,
        cancel: Arc<AtomicBool>,
    ) -> Result<Option<Self>, Failure> {
        let Some(path) = path else {
            return Ok(None);
        };
        let file = OutputFile::growing(path)?;
        Ok(Some(Self {
            file,
            failure: None,
            cancel,
        }))
    }

    /// Writes a line, and says whether another may follow.
    pub(crate) fn write(&mut self, line: &str) -> bool {
        if self.failure.is_some() {
            return false;
        }
        if let Err(failure) = self.file.write(line.as_bytes()) {
            self.failure = Some(failure);
            self.cancel.store(true, Ordering::Relaxed);
        }
        self.failure.is_none()
    }

    /// Completes the file, or says why it could not be written.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        match self.failure {
            Some(failure) => Err(failure),
            None => self.file.finish(),
        }
    }
}
