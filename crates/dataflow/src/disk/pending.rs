//! The nodes of a level while it is generated: a worker collects its own, and removes duplicates.
//!
//! Idea: keys are collected by parts of the level. When they have grown by half, each part is
//! sorted and duplicates are dropped. When that leaves more than memory holds, all parts go to a
//! scratch file. At the end the parts are merged one after the other.
//!
//! Cost: a key is sorted a few times with the others of its part, which are few enough for the
//! caches of a processor.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::PathBuf;

use crate::disk::coding::{read_keys, write_keys};
use crate::disk::key::Key;
use crate::disk::level_file::LevelWriter;
use crate::failure::Failure;

/// The fewest keys for which duplicates are removed.
const FEW: usize = 1 << 12;

/// Keys of one level.
pub(crate) struct Pending<K> {
    begin: usize,
    parts: Vec<Vec<K>>,
    len: usize,
    /// The number of keys at which duplicates are next removed.
    enough: usize,
    /// The most keys in memory.
    most: usize,
    path: PathBuf,
    scratch: Option<Scratch>,
}

/// Parts on disk.
struct Scratch {
    file: File,
    place: u64,
    /// For each part its place, bytes and count.
    parts: Vec<Vec<(u64, usize, u64)>>,
}

impl<K: Key> Pending<K> {
    /// The keys of these parts, with `bytes` bytes of memory and a scratch file at `path`.
    pub(crate) fn new(parts: &Range<usize>, bytes: usize, path: PathBuf) -> Self {
        Self {
            begin: parts.start,
            parts: vec![Vec::new(); parts.len()],
            len: 0,
            enough: FEW,
            most: (bytes / K::BYTES).max(FEW),
            path,
            scratch: None,
        }
    }

    /// Adds keys, which belong to these parts.
    pub(crate) fn add(&mut self, keys: impl Iterator<Item = K>) -> Result<(), Failure> {
        for key in keys {
            // A key of another part could only come from a run with another number of workers,
            // which the greeting has ruled out.
            if let Some(part) = self.parts.get_mut(key.part().wrapping_sub(self.begin)) {
                if part.len() == part.capacity() {
                    part.reserve_exact((part.len() / 4).max(16));
                }
                part.push(key);
                self.len += 1;
            }
        }
        if self.len >= self.enough {
            self.drop_twins();
            if self.len > self.most * 2 / 3 {
                self.spill()?;
            }
            self.enough = (self.len + self.len / 2).clamp(FEW, self.most.max(FEW));
        }
        Ok(())
    }

    fn drop_twins(&mut self) {
        for part in &mut self.parts {
            part.sort_unstable();
            part.dedup();
        }
        self.len = self.parts.iter().map(Vec::len).sum();
    }

    /// Moves all keys to disk.
    fn spill(&mut self) -> Result<(), Failure> {
        let failed = |e: &std::io::Error| Failure::file("write", &self.path, e);
        if self.scratch.is_none() {
            let mut file = File::options();
            let file = file.read(true).write(true).create(true).truncate(true);
            self.scratch = Some(Scratch {
                file: file.open(&self.path).map_err(|e| failed(&e))?,
                place: 0,
                parts: vec![Vec::new(); self.parts.len()],
            });
        }
        let Some(scratch) = &mut self.scratch else {
            return Ok(());
        };
        let seek = scratch.file.seek(SeekFrom::Start(scratch.place));
        seek.map_err(|e| failed(&e))?;
        let mut bytes = Vec::new();
        for (part, kept) in self.parts.iter_mut().zip(&mut scratch.parts) {
            let begin = bytes.len();
            write_keys(part, &mut bytes);
            kept.push((scratch.place, bytes.len() - begin, part.len() as u64));
            scratch.place += (bytes.len() - begin) as u64;
            *part = Vec::new();
            if bytes.len() > 1 << 20 {
                scratch.file.write_all(&bytes).map_err(|e| failed(&e))?;
                bytes.clear();
            }
        }
        scratch.file.write_all(&bytes).map_err(|e| failed(&e))?;
        self.len = 0;
        Ok(())
    }

    /// Writes all of them, each once, and says how many they are.
    pub(crate) fn write(mut self, out: &mut LevelWriter) -> Result<u64, Failure> {
        let mut total = 0;
        let mut bytes = Vec::new();
        for (i, mut part) in std::mem::take(&mut self.parts).into_iter().enumerate() {
            self.read_back(i, &mut part)?;
            part.sort_unstable();
            part.dedup();
            bytes.clear();
            write_keys(&part, &mut bytes);
            out.part(self.begin + i, part.len() as u64, &bytes)?;
            total += part.len() as u64;
        }
        Ok(total)
    }

    /// Appends what is on disk of a part.
    fn read_back(&mut self, part: usize, out: &mut Vec<K>) -> Result<(), Failure> {
        let Some(scratch) = &mut self.scratch else {
            return Ok(());
        };
        for &(place, length, count) in &scratch.parts[part] {
            let mut bytes = vec![0; length];
            let read = scratch.file.seek(SeekFrom::Start(place));
            read.and_then(|_| scratch.file.read_exact(&mut bytes))
                .map_err(|e| Failure::file("read", &self.path, &e))?;
            read_keys(&bytes, count, out)
                .ok_or_else(|| Failure::damaged(&self.path, "it was altered"))?;
        }
        Ok(())
    }
}

impl<K> Drop for Pending<K> {
    fn drop(&mut self) {
        if self.scratch.take().is_some() {
            // If that fails, the next run removes the file.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}
