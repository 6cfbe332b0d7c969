//! What a person says to a game in the terminal, a line at a time.

use std::io::{self, BufRead, Read};

use crate::failure::Failure;
use crate::limits;

/// What a line says.
pub(super) enum Said {
    /// The number of a move.
    Move(u32),
    Hint,
    Undo,
    Quit,
    Nonsense,
}

/// Bytes of a line that are kept. No move takes so many.
const LONGEST: u64 = 1024;

fn said(line: &[u8]) -> Said {
    match str::from_utf8(line).map(str::trim) {
        Ok("h" | "hint") => Said::Hint,
        Ok("u" | "undo") => Said::Undo,
        Ok("q" | "quit") => Said::Quit,
        Ok(number) => number.parse().map_or(Said::Nonsense, Said::Move),
        Err(_) => Said::Nonsense,
    }
}

/// Waits for the next line; `None` at the end of the input. Of a line that is too long the rest is skipped, and it is nonsense.
pub(super) fn next_said(input: &mut impl BufRead) -> Result<Option<Said>, Failure> {
    let read = limits::waiting(|| read(input));
    read.map_err(|error| Failure::Input(format!("standard input cannot be read: {error}")))
}

fn read(input: &mut impl BufRead) -> io::Result<Option<Said>> {
    let mut line = Vec::new();
    input.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
    if line.len() as u64 == LONGEST && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
        return Ok(Some(Said::Nonsense));
    }
    Ok((!line.is_empty()).then(|| said(&line)))
}
