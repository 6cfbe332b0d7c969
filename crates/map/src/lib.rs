#![doc = include_str!("../README.md")]

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// The bytes of a file, mapped read-only.
#[derive(Debug)]
pub struct Mapping(Mmap);

impl AsRef<[u8]> for Mapping {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Maps a file into memory, in constant time. Pages are read when they are accessed.
///
/// The file should not be written to while it is mapped: replace it by another one (write, then
/// rename), as `meetjoin convert` does. If the file is truncated meanwhile, an access beyond its
/// end kills the program.
///
/// # Errors
/// If the file cannot be mapped; a pipe cannot.
pub fn map(file: &File) -> io::Result<Mapping> {
    // SAFETY: The call requires that the bytes of the returned slice do not change, which cannot be
    // guaranteed for a file: another program may write to it. The consequences are bounded. The
    // mapping is private and read-only, so nothing is written through it. It is only lent as bytes,
    // and callers convert them only to types for which every bit pattern is a value
    // (`zerocopy::FromBytes`). They use checked indexing, copy bytes before they validate UTF-8,
    // and keep no fact about the mapped bytes on which memory safety depends: a value that changes
    // between two reads is just another number. If the file is truncated, the operating system ends
    // the program (SIGBUS), which is not undefined behaviour either.
    #[expect(unsafe_code, reason = "the one unsafe line of the project")]
    let mapped = unsafe { Mmap::map(file) };
    mapped.map(Mapping)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_seen_as_it_is_and_an_empty_one_is_empty() {
        let here = std::env::temp_dir().join(format!("meetjoin-map-{}", std::process::id()));
        for text in ["what is in the file", ""] {
            std::fs::write(&here, text).expect("a place for a file");
            let mapping = map(&File::open(&here).expect("it is there")).expect("it can be mapped");
            assert_eq!(mapping.as_ref(), text.as_bytes());
        }
        std::fs::remove_file(&here).expect("it was there");
    }
}
