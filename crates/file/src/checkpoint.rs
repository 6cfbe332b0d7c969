//! The format of checkpoints: entries of a cache, by the numbers of their nodes, in blocks with
//! checksums.
//!
//! Problem: a process can be killed while it writes, a disk can be full, and bytes can be
//! corrupted. No entry may be read wrongly, and as few as possible may be lost.
//!
//! Idea: blocks with wrong checksums are skipped, and the others are used. Bounds are text: values
//! as [`write_compact`](crate::write_compact) writes them.
//!
//! | bytes | |
//! |---|---|
//! | 16 | `meetjoin-check/2` |
//! | 64 | the digest of the problem, in hexadecimal |
//! | 4 | CRC-32 of the 80 bytes before |
//! | 4 | length of a block, at most 1 MiB; then as many bytes, then their CRC-32. And so on; a block of length 0 is the last |
//!
//! A block is a list of entries: the number of the node (LEB128, at most 128 bits), and the lower
//! and the upper bound, each as its length plus one (LEB128; 0 for an upper bound that is equal to
//! the lower one) and as many bytes. All numbers are little-endian.

use std::io::{self, Read, Write};

/// The first bytes of a checkpoint.
const MAGIC: &[u8; 16] = b"meetjoin-check/2";
/// The beginning of a checkpoint of any version.
const NAME: &[u8; 15] = b"meetjoin-check/";
/// Bytes of a digest.
const DIGEST: usize = 64;
/// The most bytes of a block.
const BLOCK: usize = 1 << 20;
/// A block is written when it has this many bytes.
const FULL: usize = 1 << 16;

/// Why a checkpoint cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error("the checkpoint cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// The file is no checkpoint.
    #[error("this is no checkpoint, or its first bytes are altered")]
    Other,
    /// It has another version. Values of version 1 could be read back wrongly.
    #[error(
        "this is a checkpoint of another version, which this program does not read: remove it and begin anew"
    )]
    Version,
    /// It belongs to another problem.
    #[error("this is a checkpoint of another problem")]
    Problem,
}

/// Writes entries to a checkpoint.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    block: Vec<u8>,
    entries: u64,
    failure: Option<io::Error>,
}

impl<W: Write> Writer<W> {
    /// A checkpoint of the problem with this digest.
    ///
    /// # Errors
    /// If the first bytes cannot be written.
    pub fn new(mut out: W, digest: &str) -> io::Result<Self> {
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

    /// Adds an entry. `upper` is `None` if it equals the lower bound. Errors of writing are
    /// returned by [`finish`](Self::finish).
    pub fn entry(&mut self, node: u128, lower: &[u8], upper: Option<&[u8]>) {
        let room = 2 * 19 + lower.len() + upper.map_or(0, <[u8]>::len);
        if room > BLOCK || self.failure.is_some() {
            // An entry that is too long for a block is dropped; entries are never needed.
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

    /// Writes the rest; returns the number of entries.
    ///
    /// # Errors
    /// If anything could not be written.
    pub fn finish(mut self) -> io::Result<(u64, W)> {
        if !self.block.is_empty() {
            self.flush();
        }
        // The empty block that ends the file.
        self.flush();
        match self.failure {
            Some(error) => Err(error),
            None => Ok((self.entries, self.out)),
        }
    }
}

/// Receives an entry, a node with its lower and upper bounds as written; returns whether it could
/// use the entry.
pub type Take<'a> = dyn FnMut(u128, &[u8], Option<&[u8]>) -> bool + 'a;

/// Reads the entries of a checkpoint; returns whether the file is undamaged.
///
/// # Errors
/// If it is no checkpoint, or one of another problem. Damage after the header is no error.
pub fn read(
    input: &mut dyn Read,
    digest: &str,
    take: &mut Take<'_>,
) -> Result<bool, CheckpointError> {
    let mut head = [0; MAGIC.len() + DIGEST + 4];
    match input.read_exact(&mut head) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            return Err(CheckpointError::Other);
        }
        read => read?,
    }
    let (text, sum) = head.split_at(MAGIC.len() + DIGEST);
    if !text.starts_with(NAME) || crc32fast::hash(text).to_le_bytes() != *sum {
        return Err(CheckpointError::Other);
    }
    if !text.starts_with(MAGIC) {
        return Err(CheckpointError::Version);
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
            whole &= entries(&block, take).unwrap_or(false);
        }
    }
}

/// Reads the entries of a block; returns whether all of them could be used. `None` if it is no list
/// of entries.
fn entries(mut block: &[u8], take: &mut Take<'_>) -> Option<bool> {
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
pub fn push(out: &mut Vec<u8>, mut number: u128) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Removes such a number from the front; `None` if there is none, or it is too large.
pub fn pull(bytes: &mut &[u8]) -> Option<u128> {
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
