//! Level files: a worker's keys, or values, of one level, part by part.
//!
//! Layout: a line of JSON ([`Header`]); the parts, one after the other; the index, 32 bytes for
//! each part that is not empty (its number and the checksum of its bytes, 4 bytes each, its count,
//! its place, its length, 8 each); a JSON list of the values that the file names by numbers; and at
//! the end the place and the length of the index, 8 bytes each, the checksum of header, index and
//! list, and `mjlv`. Numbers are little-endian, checksums are CRC-32.
//!
//! A file is written under another name, synced, and renamed: a file with its final name is
//! complete. Checksums find later alterations.

use std::fs::{self, File};
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crc32fast::hash;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// The format of level files.
pub(crate) const FORMAT: &str = "meetjoin-level/2";
const MAGIC: &[u8; 4] = b"mjlv";
const TRAILER: usize = 24;
const ENTRY: usize = 32;

/// The content of a level file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Content {
    Keys,
    Values,
}

impl Content {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Keys => "keys",
            Self::Values => "values",
        }
    }
}

/// The header of a level file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Header {
    pub(crate) format: String,
    pub(crate) problem: String,
    pub(crate) content: Content,
    pub(crate) level: u32,
    pub(crate) worker: usize,
    pub(crate) workers: usize,
    pub(crate) parts: usize,
}

/// Where a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) part: u32,
    /// How many nodes.
    pub(crate) count: u64,
    begin: u64,
    pub(crate) bytes: u64,
    checksum: u32,
}

/// A file that is being written.
pub(crate) struct LevelWriter {
    path: PathBuf,
    unfinished: PathBuf,
    file: BufWriter<File>,
    header: Vec<u8>,
    entries: Vec<Entry>,
    place: u64,
}

impl LevelWriter {
    pub(crate) fn create(path: &Path, header: &Header) -> Result<Self, Failure> {
        let unfinished = path.with_extension("tmp");
        let file =
            File::create(&unfinished).map_err(|e| Failure::file("write", &unfinished, &e))?;
        let mut line = serde_json::to_vec(header).unwrap_or_default();
        line.push(b'\n');
        let mut writer = Self {
            path: path.to_owned(),
            unfinished,
            file: BufWriter::with_capacity(1 << 18, file),
            header: line.clone(),
            entries: Vec::new(),
            place: 0,
        };
        writer.write(&line)?;
        Ok(writer)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.place += bytes.len() as u64;
        let written = self.file.write_all(bytes);
        written.map_err(|e| Failure::file("write", &self.unfinished, &e))
    }

    /// Adds a part, which comes after all before it; one that is empty needs no place.
    pub(crate) fn part(&mut self, part: usize, count: u64, bytes: &[u8]) -> Result<(), Failure> {
        if count == 0 {
            return Ok(());
        }
        self.entries.push(Entry {
            part: part as u32,
            count,
            begin: self.place,
            bytes: bytes.len() as u64,
            checksum: hash(bytes),
        });
        self.write(bytes)
    }

    /// Completes the file and gives it its name. Returns its length in bytes.
    pub(crate) fn finish(mut self, values: &[&str]) -> Result<u64, Failure> {
        let mut index = Vec::with_capacity(self.entries.len() * ENTRY);
        for entry in &self.entries {
            index.extend(entry.part.to_le_bytes());
            index.extend(entry.checksum.to_le_bytes());
            for number in [entry.count, entry.begin, entry.bytes] {
                index.extend(number.to_le_bytes());
            }
        }
        let mut checked = std::mem::take(&mut self.header);
        let begin = self.place;
        let length = index.len() as u64;
        index.extend(serde_json::to_vec(values).unwrap_or_default());
        checked.extend(&index);
        self.write(&index)?;
        let mut trailer = Vec::with_capacity(TRAILER);
        trailer.extend(begin.to_le_bytes());
        trailer.extend(length.to_le_bytes());
        trailer.extend(hash(&checked).to_le_bytes());
        trailer.extend(MAGIC);
        self.write(&trailer)?;
        let failed = |e: &std::io::Error| Failure::file("write", &self.unfinished, e);
        self.file.flush().map_err(|e| failed(&e))?;
        self.file.get_ref().sync_all().map_err(|e| failed(&e))?;
        fs::rename(&self.unfinished, &self.path).map_err(|e| failed(&e))?;
        // The rename itself is not synced: a file that is missing later is computed again.
        Ok(self.place)
    }
}

/// A complete file. It is reopened for each part that is read: a level may have children on more
/// levels than a process may have open files.
#[derive(Debug)]
pub(crate) struct LevelFile {
    path: PathBuf,
    entries: Vec<Entry>,
    /// The values that the file names by numbers.
    pub(crate) values: Vec<String>,
    /// Of the whole file.
    pub(crate) length: u64,
}

impl LevelFile {
    /// Opens a file and checks header, index and list. `is_expected` says whether the header is one
    /// that belongs here.
    pub(crate) fn open(
        path: &Path,
        is_expected: impl FnOnce(&Header) -> bool,
    ) -> Result<Self, Failure> {
        let failed = |e: &std::io::Error| Failure::file("read", path, e);
        let damaged = || Failure::damaged(path, "it ends too soon or was altered");
        let mut file = File::open(path).map_err(|e| failed(&e))?;
        let length = file.metadata().map_err(|e| failed(&e))?.len();
        let end = length.checked_sub(TRAILER as u64).ok_or_else(damaged)?;
        let mut trailer = [0; TRAILER];
        file.seek(SeekFrom::Start(end)).map_err(|e| failed(&e))?;
        file.read_exact(&mut trailer).map_err(|e| failed(&e))?;
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| trailer[at + i]));
        let (begin, index_length) = (word(0), word(8));
        let checksum = u32::from_le_bytes(std::array::from_fn(|i| trailer[16 + i]));
        let rest = end.checked_sub(begin).ok_or_else(damaged)?;
        if &trailer[20..] != MAGIC || index_length > rest || index_length % ENTRY as u64 != 0 {
            return Err(damaged());
        }
        let mut index = vec![0; usize::try_from(rest).map_err(|_| damaged())?];
        file.seek(SeekFrom::Start(begin)).map_err(|e| failed(&e))?;
        file.read_exact(&mut index).map_err(|e| failed(&e))?;
        let mut line = vec![0; 4096.min(begin as usize)];
        file.seek(SeekFrom::Start(0)).map_err(|e| failed(&e))?;
        file.read_exact(&mut line).map_err(|e| failed(&e))?;
        let line_end = line.iter().position(|byte| *byte == b'\n');
        line.truncate(line_end.ok_or_else(damaged)? + 1);
        let header: Header = serde_json::from_slice(&line).map_err(|_| damaged())?;
        line.extend(&index);
        if hash(&line) != checksum {
            return Err(damaged());
        }
        if !is_expected(&header) {
            let what = "it is of another problem or another version";
            return Err(Failure::damaged(path, what));
        }
        let (index, values) = index.split_at(index_length as usize);
        let entries = index.chunks_exact(ENTRY).map(|entry| {
            let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| entry[at + i]));
            Entry {
                part: word(0) as u32,
                checksum: (word(0) >> 32) as u32,
                count: word(8),
                begin: word(16),
                bytes: word(24),
            }
        });
        Ok(Self {
            path: path.to_owned(),
            entries: entries.collect(),
            values: serde_json::from_slice(values).map_err(|_| damaged())?,
            length,
        })
    }

    /// The parts that are not empty, in order.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Where a part is, unless it is empty.
    pub(crate) fn entry(&self, part: usize) -> Option<Entry> {
        let found = self
            .entries
            .binary_search_by_key(&part, |entry| entry.part as usize);
        found.ok().map(|i| self.entries[i])
    }

    /// The bytes of a part, checked.
    pub(crate) fn read(&self, entry: Entry) -> Result<Vec<u8>, Failure> {
        if entry.begin.saturating_add(entry.bytes) > self.length {
            return Err(self.altered(entry));
        }
        let mut bytes = vec![0; entry.bytes as usize];
        File::open(&self.path)
            .and_then(|mut file| {
                file.seek(SeekFrom::Start(entry.begin))?;
                file.read_exact(&mut bytes)
            })
            .map_err(|e| Failure::file("read", &self.path, &e))?;
        if hash(&bytes) == entry.checksum {
            Ok(bytes)
        } else {
            Err(self.altered(entry))
        }
    }

    /// The failure for a part that was altered.
    pub(crate) fn altered(&self, entry: Entry) -> Failure {
        let what = format!("part {} is not what was written", entry.part);
        Failure::damaged(&self.path, what)
    }
}
