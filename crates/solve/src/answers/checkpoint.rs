//! Checkpoints: what a search remembers, on disk, so that a run that was killed goes on where it
//! was.
//!
//! Problem: a cache is true whatever window or interruption made it, so it may be written down at
//! any moment and read by any later search of the same problem. But a process can be killed in the
//! middle of the writing, a disk can be full, and bytes can be altered; none of that may cost more
//! than the work since the last checkpoint, and none may make an answer wrong.
//!
//! Idea: a checkpoint is a snapshot, written from the first byte to the last and read likewise. So
//! a file of blocks with checksums does all that is needed, and a store with pages, an index and
//! transactions (redb, fjall) would only add writes. The file is written under another name,
//! brought to the disk and renamed: under its own name it is always whole. A block that does not
//! fit its checksum is left out; the others are used.
//!
//! Cost: a pass over the cache for each checkpoint. However large it is, no more than a twentieth
//! of the time is spent on them: the next one waits at least twenty times as long as the last took.
//!
//! The format is that of [`meetjoin_file::checkpoint`].

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub use meetjoin_file::checkpoint::CheckpointError;
use meetjoin_file::checkpoint::{Take, Writer, read};
use serde::Serialize;

/// The share of the time that checkpoints take is at most one to this.
const SHARE: u32 = 20;

/// What is asked of a search about checkpoints.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// The file.
    pub path: PathBuf,
    /// The [digest](crate::Source::digest_of_entries) of the problem.
    pub digest: String,
    /// How long to wait between two of them, at least.
    pub every: Duration,
    /// Whether what the file holds is used.
    pub resume: bool,
}

/// What became of the checkpoints of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Checkpointed {
    /// Entries that were read before the search.
    pub loaded: u64,
    /// Whether the file that was read was not whole: blocks were missing, or altered, or held
    /// entries of no node.
    pub damaged: bool,
    /// Entries of the last checkpoint that was written.
    pub saved: u64,
    /// How many were written.
    pub checkpoints: u64,
    /// Why the last one could not be written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// When checkpoints are due, and what became of them.
pub(crate) struct Saving {
    ask: Checkpoint,
    /// When the next one is due; never, if the clock does not go so far.
    next: Option<Instant>,
    pub(crate) done: Checkpointed,
    /// Held until the end.
    _lock: Lock,
}

impl Saving {
    /// Takes the file for this run alone; `None` if another run has it.
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

    /// Reads the file, if it is to be used and there is one.
    pub(crate) fn load(&mut self, take: &mut Take<'_>) -> Result<(), CheckpointError> {
        if !self.ask.resume {
            return Ok(());
        }
        let file = match File::open(&self.ask.path) {
            // Killed before the first one.
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

    /// Writes a checkpoint of what `write` enters.
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

/// A file beside the checkpoint, which one run holds at a time and removes at its end. What a run
/// that was killed has left is free.
///
/// Nothing is held where no file can be made; the first checkpoint says why.
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

/// Whether a file could be locked; `None` if another run holds it.
#[cfg(any(unix, windows))]
fn try_lock(file: &File) -> Option<bool> {
    match fs4::FileExt::try_lock(file) {
        Ok(()) => Some(true),
        Err(fs4::TryLockError::WouldBlock) => None,
        Err(fs4::TryLockError::Error(_)) => Some(false),
    }
}

/// Nothing is held where a system has no locks.
#[cfg(not(any(unix, windows)))]
fn try_lock(_: &File) -> Option<bool> {
    Some(false)
}

impl Drop for Lock {
    fn drop(&mut self) {
        // While it is held, so that nobody removes another's. It may be gone already.
        let _ = self.0.take().map(|(path, _file)| fs::remove_file(path));
    }
}

/// The path with an ending after its name.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

/// Writes a file under another name, brings it to the disk, and gives it its name.
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
            // Where a folder can be brought to the disk; the name is there in any case.
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
