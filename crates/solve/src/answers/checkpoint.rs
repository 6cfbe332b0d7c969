//! Checkpoints: the cache of a search on disk, so that a killed run can be resumed.
//!
//! Problem: cache entries are true whatever window or interruption made them, so they may be
//! written at any moment and read by any later search of the same problem. But a process can be
//! killed while it writes, a disk can be full, and bytes can be corrupted; none of that may cost
//! more than the work since the last checkpoint, or make an answer wrong.
//!
//! Idea: a checkpoint is a snapshot, written and read sequentially. So a file of blocks with
//! checksums is enough; an embedded database (redb, fjall) would only add writes. The file is
//! written under another name, synced to disk and renamed, so under its own name it is always
//! complete. Blocks with wrong checksums are skipped; the others are used.
//!
//! Cost: a pass over the cache for each checkpoint. They take at most a twentieth of the time: the
//! next one waits at least twenty times as long as the last took.
//!
//! The format is that of [`meetjoin_file::checkpoint`].

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub use meetjoin_file::checkpoint::CheckpointError;
use meetjoin_file::checkpoint::{Take, Writer, read};
use serde::Serialize;

/// The next checkpoint waits at least this many times as long as the last took.
const SHARE: u32 = 20;

/// The request for checkpoints.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// The file.
    pub path: PathBuf,
    /// The digest of the problem: cache entries are valid only for it.
    pub digest: String,
    /// The least time between two checkpoints.
    pub every: Duration,
    /// Whether an existing file is used.
    pub resume: bool,
}

/// The outcome of the checkpoints of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Checkpointed {
    /// Entries read before the search.
    pub loaded: u64,
    /// Whether the file was damaged: blocks were missing or altered, or had entries of no node.
    pub damaged: bool,
    /// Entries of the last checkpoint.
    pub saved: u64,
    /// The number of checkpoints written.
    pub checkpoints: u64,
    /// Why the last one could not be written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// The schedule of checkpoints, and their outcome.
pub(crate) struct Saving {
    ask: Checkpoint,
    /// When the next one is due; `None` if that is beyond the clock's range.
    next: Option<Instant>,
    pub(crate) done: Checkpointed,
    /// Held until the end.
    _lock: Lock,
}

impl Saving {
    /// Locks the file for this run; `None` if another run has it.
    pub(crate) fn new(ask: Checkpoint) -> Option<Self> {
        let lock = Lock::of(&ask.path)?;
        let next = Instant::now().checked_add(ask.every);
        let done = Checkpointed::default();
        Some(Self {
            ask,
            next,
            done,
            _lock: lock,
        })
    }

    pub(crate) fn is_due(&self) -> bool {
        self.next.is_some_and(|next| Instant::now() >= next)
    }

    /// Reads the file, if it exists and is to be used.
    pub(crate) fn load(&mut self, take: &mut Take<'_>) -> Result<(), CheckpointError> {
        if !self.ask.resume {
            return Ok(());
        }
        let file = match File::open(&self.ask.path) {
            // The run was killed before its first checkpoint.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            file => file?,
        };
        let mut loaded = 0;
        let whole = read(
            &mut BufReader::with_capacity(1 << 16, file),
            &self.ask.digest,
            &mut |node, lower, upper| {
                let taken = take(node, lower, upper);
                loaded += u64::from(taken);
                taken
            },
        )?;
        self.done.loaded = loaded;
        self.done.damaged = !whole;
        Ok(())
    }

    /// Writes a checkpoint of the entries that `write` adds.
    pub(crate) fn save(&mut self, write: &mut dyn FnMut(&mut Writer<BufWriter<File>>)) {
        let began = Instant::now();
        match replace(&self.ask.path, &self.ask.digest, write) {
            Ok(entries) => {
                self.done.saved = entries;
                self.done.checkpoints += 1;
                self.done.failure = None;
            }
            Err(error) => self.done.failure = Some(format!("{}: {error}", self.ask.path.display())),
        }
        let pause = self.ask.every.max(began.elapsed().saturating_mul(SHARE));
        self.next = Instant::now().checked_add(pause);
    }
}

/// A lock file beside the checkpoint, held by one run at a time and removed at its end. A killed
/// run leaves the file, but no lock.
///
/// If no file can be created, nothing is locked; the first checkpoint reports why.
struct Lock(Option<(PathBuf, File)>);

impl Lock {
    /// `None` if another run has it.
    fn of(checkpoint: &Path) -> Option<Self> {
        let path = beside(checkpoint, ".lock");
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path);
        let Ok(file) = file else {
            return Some(Self(None));
        };
        let is_held = try_lock(&file)?;
        Some(Self(is_held.then_some((path, file))))
    }
}

/// Returns whether a file could be locked; `None` if another run holds it.
#[cfg(any(unix, windows))]
fn try_lock(file: &File) -> Option<bool> {
    match fs4::FileExt::try_lock(file) {
        Ok(()) => Some(true),
        Err(fs4::TryLockError::WouldBlock) => None,
        Err(fs4::TryLockError::Error(_)) => Some(false),
    }
}

/// Systems without locks lock nothing.
#[cfg(not(any(unix, windows)))]
fn try_lock(_: &File) -> Option<bool> {
    Some(false)
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Removed while it is locked, so that no other run's file is removed. It may be gone
        // already.
        let _ = self.0.take().map(|(path, _file)| fs::remove_file(path));
    }
}

/// The path with a suffix.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

/// Writes a file under another name, syncs it to disk, and renames it.
fn replace(
    path: &Path,
    digest: &str,
    write: &mut dyn FnMut(&mut Writer<BufWriter<File>>),
) -> io::Result<u64> {
    let part = beside(path, ".part");
    let written = File::create(&part).and_then(|file| {
        let mut writer = Writer::new(BufWriter::with_capacity(1 << 16, file), digest)?;
        write(&mut writer);
        let (entries, mut out) = writer.finish()?;
        out.flush()?;
        out.get_ref().sync_all()?;
        fs::rename(&part, path)?;
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
            // Syncs the directory where possible; the rename has happened in any case.
            let _ = folder.sync_all();
        }
        Ok(entries)
    });
    if written.is_err() {
        // It may not be there.
        let _ = fs::remove_file(&part);
    }
    written
}
