#![doc = include_str!("../README.md")]

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// The bytes of a file, read-only, as the operating system shows them.
#[derive(Debug)]
pub struct Mapping(Mmap);

impl AsRef<[u8]> for Mapping {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Maps a file into memory. That takes as long for many gigabytes as for one byte; what is looked
/// at is read then.
///
/// Nobody should write to the file as long as the mapping lives: replace it by another one (write,
/// then rename), as `meetjoin convert` does. A file that is cut short meanwhile ends the program
/// when the part that is gone is looked at.
///
/// # Errors
/// If the file cannot be mapped; a pipe cannot.
pub fn map(file: &File) -> io::Result<Mapping> {
    // SAFETY: What the call asks for is that the bytes behind the returned slice stay as they are,
    // which no program can promise for a file: another one may write to it. What that could break
    // here is bounded. The mapping is private and read-only, so nothing is written through it. It
    // is only lent as bytes, and those who look at them as numbers take types for which every
    // pattern of bits is a value (`zerocopy::FromBytes`). They index by checked operations alone,
    // copy bytes before they look whether these are UTF-8, and keep no fact about the mapped ones
    // that memory safety rests on: another value read the second time is another number and no
    // more. A file that was cut short makes the operating system end the program (SIGBUS), which is
    // no unsafe behaviour either.
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
