//! Checkpoints: what a search remembers, on disk, so that a run that was killed goes on where it was.
//!
//! Problem: a cache is true whatever window or interruption made it, so it may be written down at any moment and read by any later search of the same problem. But a process can be killed
//! in the middle of the writing, a disk can be full, and bytes can be altered; none of that may cost more than the work since the last checkpoint, and none may make an answer wrong.
//!
//! Idea: a checkpoint is a snapshot, written from the first byte to the last and read likewise. So a file of blocks with checksums does all that is needed, and a store with pages, an index and
//! transactions (redb, fjall) would only add writes. The file is written under another name, brought to the disk and renamed: under its own name it is always whole. A block that does not fit
//! its checksum is left out; the others are used.
//!
//! Cost: a pass over the cache for each checkpoint. However large it is, no more than a twentieth of the time is spent on them: the next one waits at least twenty times as long as the last took.
//!
//! | bytes | |
//! |---|---|
//! | 16 | `meetjoin-check/1` |
//! | 64 | the digest of the problem, in hexadecimal |
//! | 4 | CRC-32 of the 80 bytes before |
//! | 4 | length of a block, at most 1 MiB; then as many bytes, then their CRC-32. And so on; a block of length 0 is the last |
//!
//! A block is a list of entries: the number of the node (LEB128, at most 128 bits), and the lower and the upper bound, each as its length plus one (LEB128; 0 for an upper bound that is equal to
//! the lower one) and as many bytes. All numbers are little-endian.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;

/// The first bytes of a checkpoint.
const MAGIC: &[u8; 16] = b"meetjoin-check/1";
/// Bytes of a digest.
const DIGEST: usize = 64;
/// The most bytes of a block.
const BLOCK: usize = 1 << 20;
/// A block is full with so many bytes.
const FULL: usize = 1 << 16;
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
    /// Whether the file that was read was not whole: blocks were missing, or altered, or held entries of no node.
    pub damaged: bool,
    /// Entries of the last checkpoint that was written.
    pub saved: u64,
    /// How many were written.
    pub checkpoints: u64,
    /// Why the last one could not be written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// Why a checkpoint cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error("the checkpoint cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// It is something else.
    #[error("this is no checkpoint, or its first bytes are altered")]
    Other,
    /// It belongs to another problem.
    #[error("this is a checkpoint of another problem")]
    Problem,
}

/// Writes entries to a checkpoint.
pub(crate) struct Writer<W> {
    out: W,
    block: Vec<u8>,
    entries: u64,
    failure: Option<io::Error>,
}

impl<W: Write> Writer<W> {
    pub(crate) fn new(mut out: W, digest: &str) -> io::Result<Self> {
        let mut head = MAGIC.to_vec();
        head.extend(digest.as_bytes());
        head.resize(MAGIC.len() + DIGEST, b'0');
        let sum = crc32fast::hash(&head);
        head.extend(sum.to_le_bytes());
        out.write_all(&head)?;
        Ok(Self {
            out,
            block: Vec::new(),
            entries: 0,
            failure: None,
        })
    }

    /// One entry. An upper bound that equals the lower one is left out. What cannot be written is told by [`finish`](Self::finish).
    pub(crate) fn entry(&mut self, node: u128, lower: &[u8], upper: Option<&[u8]>) {
        let room = 2 * 19 + lower.len() + upper.map_or(0, <[u8]>::len);
        if room > BLOCK || self.failure.is_some() {
            // An entry that fits into no block is not needed: any may be forgotten.
            return;
        }
        if self.block.len() + room > BLOCK || self.block.len() >= FULL {
            self.flush();
        }
        push(&mut self.block, node);
        push(&mut self.block, lower.len() as u128 + 1);
        self.block.extend(lower);
        push(
            &mut self.block,
            upper.map_or(0, |upper| upper.len() as u128 + 1),
        );
        self.block.extend(upper.unwrap_or_default());
        self.entries += 1;
    }

    fn flush(&mut self) {
        let written = self.write_block();
        self.block.clear();
        if let Err(error) = written {
            self.failure.get_or_insert(error);
        }
    }

    fn write_block(&mut self) -> io::Result<()> {
        self.out
            .write_all(&(self.block.len() as u32).to_le_bytes())?;
        self.out.write_all(&self.block)?;
        self.out
            .write_all(&crc32fast::hash(&self.block).to_le_bytes())
    }

    /// Writes what is left, and says how many entries there are.
    pub(crate) fn finish(mut self) -> io::Result<(u64, W)> {
        if !self.block.is_empty() {
            self.flush();
        }
        // The block that ends the file.
        self.flush();
        match self.failure {
            Some(error) => Err(error),
            None => Ok((self.entries, self.out)),
        }
    }
}

/// Reads the entries of a checkpoint, and says whether the file is whole. `take` says whether it could use an entry.
pub(crate) fn read(
    mut input: impl Read,
    digest: &str,
    mut take: impl FnMut(u128, &[u8], Option<&[u8]>) -> bool,
) -> Result<bool, CheckpointError> {
    let mut head = [0; MAGIC.len() + DIGEST + 4];
    match input.read_exact(&mut head) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            return Err(CheckpointError::Other);
        }
        read => read?,
    }
    let (text, sum) = head.split_at(MAGIC.len() + DIGEST);
    if !text.starts_with(MAGIC) || crc32fast::hash(text).to_le_bytes() != *sum {
        return Err(CheckpointError::Other);
    }
    if &text[MAGIC.len()..] != digest.as_bytes() {
        return Err(CheckpointError::Problem);
    }
    let (mut block, mut whole) = (Vec::new(), true);
    loop {
        let mut number = [0; 4];
        if input.read_exact(&mut number).is_err() {
            return Ok(false);
        }
        let length = u32::from_le_bytes(number) as usize;
        if length > BLOCK {
            return Ok(false);
        }
        block.resize(length, 0);
        if input.read_exact(&mut block).is_err() || input.read_exact(&mut number).is_err() {
            return Ok(false);
        }
        if crc32fast::hash(&block).to_le_bytes() != number {
            whole = false;
        } else if length == 0 {
            return Ok(whole && matches!(input.read(&mut number), Ok(0)));
        } else {
            whole &= entries(&block, &mut take).unwrap_or(false);
        }
    }
}

/// The entries of a block; whether all of them could be used. `None` if it is no list of entries.
fn entries(
    mut block: &[u8],
    take: &mut impl FnMut(u128, &[u8], Option<&[u8]>) -> bool,
) -> Option<bool> {
    let mut all = true;
    while !block.is_empty() {
        let node = pull(&mut block)?;
        let mut bound = || match usize::try_from(pull(&mut block)?).ok()? {
            0 => Some(None),
            length => {
                let (bytes, rest) = block.split_at_checked(length - 1)?;
                block = rest;
                Some(Some(bytes))
            }
        };
        let (lower, upper) = (bound()??, bound()?);
        all &= take(node, lower, upper);
    }
    Some(all)
}

/// Appends a number in groups of seven bits, the lowest first.
pub(crate) fn push(out: &mut Vec<u8>, mut number: u128) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes such a number from the front.
pub(crate) fn pull(bytes: &mut &[u8]) -> Option<u128> {
    let mut number = 0_u128;
    for shift in (0..u128::BITS).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let group = u128::from(byte & 0x7f);
        number |= group
            .checked_shl(shift)
            .filter(|shifted| shifted >> shift == group)?;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// A number with a sign as one without.
pub(crate) fn zigzag(number: i128) -> u128 {
    (number << 1 ^ number >> (i128::BITS - 1)).cast_unsigned()
}

/// The number with a sign again.
pub(crate) fn unzigzag(number: u128) -> i128 {
    (number >> 1).cast_signed() ^ -((number & 1).cast_signed())
}

/// When checkpoints are due, and what became of them.
pub(crate) struct Saving {
    ask: Checkpoint,
    /// When the next one is due; never, if the clock does not go so far.
    next: Option<Instant>,
    pub(crate) done: Checkpointed,
}

impl Saving {
    pub(crate) fn new(ask: Checkpoint) -> Self {
        let next = Instant::now().checked_add(ask.every);
        let done = Checkpointed::default();
        Self { ask, next, done }
    }

    pub(crate) fn is_due(&self) -> bool {
        self.next.is_some_and(|next| Instant::now() >= next)
    }

    /// Reads the file, if it is to be used and there is one.
    pub(crate) fn load(
        &mut self,
        take: impl FnMut(u128, &[u8], Option<&[u8]>) -> bool,
    ) -> Result<(), CheckpointError> {
        if !self.ask.resume {
            return Ok(());
        }
        let file = match File::open(&self.ask.path) {
            // Killed before the first one.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            file => file?,
        };
        let (mut take, mut loaded) = (take, 0);
        let whole = read(
            BufReader::with_capacity(1 << 16, file),
            &self.ask.digest,
            |node, lower, upper| {
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
    pub(crate) fn save(&mut self, write: impl FnOnce(&mut Writer<BufWriter<File>>)) {
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

/// Writes a file under another name, brings it to the disk, and gives it its name.
fn replace(
    path: &Path,
    digest: &str,
    write: impl FnOnce(&mut Writer<BufWriter<File>>),
) -> io::Result<u64> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    let part = path.with_file_name(name);
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

#[cfg(test)]
mod tests {
    use super::*;

    const DIGEST_OF_A: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

    type Kept = Vec<(u128, Vec<u8>, Option<Vec<u8>>)>;

    fn some_entries() -> Kept {
        (0..5_000_u32)
            .map(|i| {
                let node = u128::from(i) << (i % 100);
                let lower = vec![i as u8; i as usize % 40];
                (node, lower, (i % 3 == 0).then(|| vec![7; i as usize % 5]))
            })
            .collect()
    }

    fn written(entries: &Kept) -> Vec<u8> {
        let mut writer = Writer::new(Vec::new(), DIGEST_OF_A).expect("a list of bytes takes all");
        for (node, lower, upper) in entries {
            writer.entry(*node, lower, upper.as_deref());
        }
        let (count, bytes) = writer.finish().expect("a list of bytes takes all");
        assert_eq!(count, entries.len() as u64);
        bytes
    }

    fn kept(bytes: &[u8], digest: &str) -> Result<(bool, Kept), CheckpointError> {
        let mut found = Kept::new();
        let whole = read(bytes, digest, |node, lower, upper| {
            found.push((node, lower.to_vec(), upper.map(<[u8]>::to_vec)));
            true
        })?;
        Ok((whole, found))
    }

    #[test]
    fn what_was_written_is_read() {
        for entries in [Kept::new(), some_entries()] {
            let bytes = written(&entries);
            assert_eq!(
                kept(&bytes, DIGEST_OF_A).expect("a checkpoint"),
                (true, entries)
            );
            let other = DIGEST_OF_A.replace('a', "b");
            assert!(matches!(
                kept(&bytes, &other),
                Err(CheckpointError::Problem)
            ));
        }
    }

    #[test]
    fn whatever_is_cut_off_or_altered_the_rest_is_true() {
        let entries = some_entries();
        let bytes = written(&entries);
        let known: std::collections::HashSet<_> = entries.into_iter().collect();
        let check = |damaged: &[u8]| match kept(damaged, DIGEST_OF_A) {
            Ok((whole, found)) => {
                assert!(!whole);
                assert!(found.iter().all(|entry| known.contains(entry)));
                found.len()
            }
            Err(CheckpointError::Other) => 0,
            Err(error) => panic!("{error}"),
        };
        for length in (0..bytes.len()).step_by(97) {
            check(&bytes[..length]);
        }
        let mut most = 0;
        for place in (0..bytes.len()).step_by(61).chain(0..100) {
            let mut altered = bytes.clone();
            altered[place] ^= 1 << (place % 8);
            most = most.max(check(&altered));
        }
        assert!(
            most > known.len() / 4,
            "of the other blocks nothing is lost"
        );
        let mut longer = bytes;
        longer.push(0);
        check(&longer);
    }

    /// A file that takes so many writes, and fails at the next.
    struct Failing(usize);

    impl Write for Failing {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(1).ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn an_error_at_any_write_is_told() {
        let entries = some_entries();
        let mut writes = 0;
        loop {
            let written = Writer::new(Failing(writes), DIGEST_OF_A).and_then(|mut writer| {
                for (node, lower, upper) in &entries {
                    writer.entry(*node, lower, upper.as_deref());
                }
                writer.finish()
            });
            match written {
                Ok((count, _)) => {
                    assert_eq!(count, entries.len() as u64);
                    break;
                }
                Err(error) => assert_eq!(error.kind(), io::ErrorKind::StorageFull),
            }
            writes += 1;
        }
        assert!(writes > 4, "a head, a block and an end");
    }

    #[test]
    fn numbers_of_any_size() {
        for number in [
            0,
            1,
            127,
            128,
            u128::from(u64::MAX),
            u128::MAX,
            u128::MAX - 1,
        ] {
            let mut bytes = Vec::new();
            push(&mut bytes, number);
            assert_eq!(pull(&mut &*bytes), Some(number));
            assert_eq!(pull(&mut &bytes[..bytes.len() - 1]), None);
        }
        assert_eq!(pull(&mut &[0xff; 19][..]), None);
        for number in [0, -1, 1, i128::MIN, i128::MAX, -300] {
            assert_eq!(unzigzag(zigzag(number)), number);
        }
    }
}
