//! The folder of a run: its lock, its problem, and the level files with their owners.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use fs4::FileExt;
use serde::{Deserialize, Serialize};

use crate::disk::key::{PARTS, parts_of};
use crate::disk::level_file::{Content, Entry, FORMAT, Header, LevelFile, LevelWriter};
use crate::failure::Failure;

/// Names the problem of a folder, so that two are never mixed.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Manifest {
    format: String,
    problem: String,
}

/// A folder that this process works in.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// The digest of the problem.
    problem: String,
    /// Held until the end of the run, unless another process of the run holds it.
    lock: Option<File>,
    /// What the holder of the lock has written there.
    pub(crate) token: String,
}

impl Folder {
    /// Makes the folder if need be, and takes its lock if it is free.
    pub(crate) fn open(path: &Path, problem: &str) -> Result<Self, Failure> {
        fs::create_dir_all(path).map_err(|e| Failure::file("make the folder", path, &e))?;
        let of_lock = path.join("lock");
        let failed = |e: &std::io::Error| Failure::file("lock", &of_lock, e);
        let mut lock = File::options();
        let lock = lock.read(true).write(true).create(true).truncate(false);
        let mut lock = lock.open(&of_lock).map_err(|e| failed(&e))?;
        let mut folder = Self {
            path: path.to_owned(),
            problem: problem.to_owned(),
            lock: None,
            token: String::new(),
        };
        if FileExt::try_lock(&lock).is_err() {
            return Ok(folder);
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.unwrap_or_default().as_nanos();
        folder.token = format!("{}-{now}", std::process::id());
        lock.set_len(0)
            .and_then(|()| lock.write_all(folder.token.as_bytes()))
            .map_err(|e| failed(&e))?;
        folder.lock = Some(lock);
        folder.claim()?;
        Ok(folder)
    }

    /// Whether this process holds the lock.
    pub(crate) fn is_ours(&self) -> bool {
        self.lock.is_some()
    }

    /// What the holder of the lock has written, which may be another process.
    pub(crate) fn holder(&self) -> String {
        fs::read_to_string(self.path.join("lock")).unwrap_or_default()
    }

    /// Why this process may not work here.
    pub(crate) fn taken(&self) -> Failure {
        let path = self.path.display();
        Failure::Input(format!(
            "another run is at work in the folder {path}; wait for its end or choose another folder"
        ))
    }

    /// Makes sure that the folder is for this problem, and removes what was left unfinished.
    fn claim(&self) -> Result<(), Failure> {
        let path = self.path.join("run.json");
        let ours = Manifest {
            format: FORMAT.to_owned(),
            problem: self.problem.clone(),
        };
        match fs::read(&path) {
            Ok(text) => match serde_json::from_slice::<Manifest>(&text) {
                Ok(manifest) if manifest == ours => {}
                Ok(manifest) => {
                    let what = if manifest.format == ours.format {
                        "another problem"
                    } else {
                        "another version of meetjoin"
                    };
                    let path = self.path.display();
                    return Err(Failure::Input(format!(
                        "the folder {path} has the levels of {what}; choose another folder"
                    )));
                }
                Err(_) => {
                    let why = "it does not say which problem the levels in its folder are of; delete it if you know that they are of this one, and the run goes on from them, or choose another folder";
                    return Err(Failure::Input(format!("{}: {why}", path.display())));
                }
            },
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let unfinished = path.with_extension("tmp");
                let text = serde_json::to_vec(&ours).unwrap_or_default();
                fs::write(&unfinished, text)
                    .and_then(|()| fs::rename(&unfinished, &path))
                    .map_err(|e| Failure::file("write", &path, &e))?;
            }
            Err(error) => return Err(Failure::file("read", &path, &error)),
        }
        let files = fs::read_dir(&self.path);
        let files = files.map_err(|e| Failure::file("read the folder", &self.path, &e))?;
        for file in files.flatten() {
            if file.path().extension().is_some_and(|e| e == "tmp") {
                // One that cannot be removed does no harm.
                let _ = fs::remove_file(file.path());
            }
        }
        Ok(())
    }

    /// The name of a scratch file.
    pub(crate) fn scratch(&self, worker: usize, level: u32) -> PathBuf {
        self.path.join(format!("scratch-{worker}-{level}.tmp"))
    }

    fn file(&self, level: u32, content: Content, worker: usize, workers: usize) -> PathBuf {
        let word = content.word();
        let name = format!("level-{level:05}.{worker}-of-{workers}.{word}");
        self.path.join(name)
    }

    /// Begins the file of a worker for a level.
    pub(crate) fn writer(
        &self,
        level: u32,
        content: Content,
        worker: usize,
        workers: usize,
    ) -> Result<LevelWriter, Failure> {
        let header = Header {
            format: FORMAT.to_owned(),
            problem: self.problem.clone(),
            content,
            level,
            worker,
            workers,
            parts: PARTS,
        };
        LevelWriter::create(&self.file(level, content, worker, workers), &header)
    }

    /// These parts of a level, if complete files have all of them, whatever the number of workers
    /// that wrote them.
    pub(crate) fn share(
        &self,
        level: u32,
        content: Content,
        parts: &Range<usize>,
        files: &Listing,
    ) -> Result<Option<Share>, Failure> {
        let mut share = Share {
            begin: parts.start,
            files: Vec::new(),
            file_of: vec![None; parts.len()],
        };
        for &(worker, workers) in files.of(level, content) {
            let covered = parts_of(worker, workers);
            let here = covered.start.max(parts.start)..covered.end.min(parts.end);
            let mut missing = here.clone();
            if missing.all(|part| share.file_of[part - parts.start].is_some()) {
                continue;
            }
            let path = self.file(level, content, worker, workers);
            let opened = LevelFile::open(&path, |header| {
                header.format == FORMAT
                    && header.problem == self.problem
                    && (header.content, header.level) == (content, level)
                    && (header.worker, header.workers) == (worker, workers)
                    && header.parts == PARTS
            });
            match opened {
                Ok(file) => {
                    for part in here {
                        share.file_of[part - parts.start].get_or_insert(share.files.len());
                    }
                    share.files.push(file);
                }
                // The level is computed again, and the file written anew.
                Err(Failure::Broken(_)) => {}
                Err(failure) => return Err(failure),
            }
        }
        let whole = share.file_of.iter().all(Option::is_some);
        Ok(whole.then_some(share))
    }

    /// Bytes on disk of these parts of the first `levels` levels.
    pub(crate) fn bytes(&self, levels: u32, parts: &Range<usize>) -> Result<u64, Failure> {
        let files = self.list()?;
        let mut bytes = 0;
        for level in 0..levels {
            for content in [Content::Keys, Content::Values] {
                let share = self.share(level, content, parts, &files)?;
                bytes += share.map_or(0, |share| share.bytes());
            }
        }
        Ok(bytes)
    }

    /// The level files that are there now.
    pub(crate) fn list(&self) -> Result<Listing, Failure> {
        let files = fs::read_dir(&self.path);
        let files = files.map_err(|e| Failure::file("read the folder", &self.path, &e))?;
        let mut listing = Listing::default();
        for file in files.flatten() {
            if let Some((level, content, worker, workers)) =
                file.file_name().to_str().and_then(parse)
            {
                let whose = listing.0.entry((level, content)).or_default();
                whose.push((worker, workers));
            }
        }
        Ok(listing)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Some(lock) = &self.lock {
            // Closing would not do: a process that is just being started has a copy of all files
            // of this one. A lock that cannot be released now goes with the last copy.
            let _ = FileExt::unlock(lock);
        }
    }
}

/// Parses the name of a level file.
fn parse(name: &str) -> Option<(u32, Content, usize, usize)> {
    let mut pieces = name.strip_prefix("level-")?.split('.');
    let level = pieces.next()?.parse().ok()?;
    let (worker, workers) = pieces.next()?.split_once("-of-")?;
    let content = match pieces.next()? {
        "keys" => Content::Keys,
        "values" => Content::Values,
        _ => return None,
    };
    let (worker, workers) = (worker.parse().ok()?, workers.parse().ok()?);
    let fits = worker < workers && workers <= PARTS && pieces.next().is_none();
    fits.then_some((level, content, worker, workers))
}

/// Level files by level and content, with the worker and the number of workers of each.
#[derive(Debug, Default)]
pub(crate) struct Listing(HashMap<(u32, Content), Vec<(usize, usize)>>);

impl Listing {
    fn of(&self, level: u32, content: Content) -> &[(usize, usize)] {
        self.0.get(&(level, content)).map_or(&[], Vec::as_slice)
    }
}

/// Consecutive parts of a level, in one file or in several.
#[derive(Debug)]
pub(crate) struct Share {
    /// The first part.
    begin: usize,
    pub(crate) files: Vec<LevelFile>,
    file_of: Vec<Option<usize>>,
}

impl Share {
    /// The file and the place of a part, unless it is empty.
    pub(crate) fn find(&self, part: usize) -> Option<(usize, Entry)> {
        let file = (*self.file_of.get(part.checked_sub(self.begin)?)?)?;
        Some((file, self.files[file].entry(part)?))
    }

    /// Bytes of the parts; of a file with exactly these parts, its whole length.
    fn bytes(&self) -> u64 {
        match &*self.files {
            [file] if file.entries().len() == self.entries().count() => file.length,
            _ => self.entries().map(|entry| entry.bytes).sum(),
        }
    }

    /// How many nodes the parts have.
    pub(crate) fn count(&self) -> u64 {
        self.entries().map(|entry| entry.count).sum()
    }

    fn entries(&self) -> impl Iterator<Item = Entry> {
        let parts = self.begin..self.begin + self.file_of.len();
        parts.filter_map(|part| Some(self.find(part)?.1))
    }
}

#[cfg(test)]
mod tests {
    use super::Folder;

    /// A process that this one starts has a copy of the lock for a moment, as the clone has here.
    #[test]
    fn a_folder_is_free_when_its_run_has_ended() {
        let path = std::env::temp_dir().join(format!("meetjoin-folder-{}", std::process::id()));
        let first = Folder::open(&path, "problem").expect("a folder");
        let copy = first.lock.as_ref().expect("free").try_clone();
        let copy = copy.expect("another handle of the file");
        assert!(!Folder::open(&path, "problem").expect("a folder").is_ours());
        drop(first);
        assert!(Folder::open(&path, "problem").expect("a folder").is_ours());
        drop(copy);
        std::fs::remove_dir_all(&path).expect("it was made");
    }
}
