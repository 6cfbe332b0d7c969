//! Commands of a person in a game at the terminal, a line at a time.

use std::io::{self, BufRead, Read};
use std::time::Duration;

use crate::process::failure::Failure;
use crate::process::{limits, output};

/// How long the program thinks about a move by default.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

/// An input of the person.
pub(super) enum Said {
    /// The number of a move.
    Move(u32),
    Hint,
    Undo,
    Quit,
}

/// Bytes of a line that are kept; no move is that long.
const LONGEST: u64 = 1024;

/// A game under way: the current state, and those before each move.
pub(super) struct Course<G> {
    pub(super) now: G,
    past: Vec<G>,
}

impl<G> Course<G> {
    pub(super) fn new(now: G) -> Self {
        let past = Vec::new();
        Self { now, past }
    }

    /// After a move.
    pub(super) fn go_to(&mut self, next: G) {
        self.past.push(std::mem::replace(&mut self.now, next));
    }

    /// Back to where the person was to move before, or to the start.
    pub(super) fn go_back(&mut self, is_persons: impl Fn(&G) -> bool) {
        while let Some(before) = self.past.pop() {
            self.now = before;
            if is_persons(&self.now) {
                break;
            }
        }
    }
}

/// Prompts until the person enters something valid; `moves` describes a move ("a column from 1 to
/// 7"). The end of the input counts as leaving.
pub(super) fn ask(input: &mut impl BufRead, prompt: &str, moves: &str) -> Result<Said, Failure> {
    loop {
        output::tell(prompt)?;
        let read = limits::waiting(|| read(input));
        let line = read
            .map_err(|error| Failure::Input(format!("standard input cannot be read: {error}")))?;
        let Some(line) = line else {
            output::tell("\n")?;
            return Ok(Said::Quit);
        };
        if let Some(said) = said(&line) {
            return Ok(said);
        }
        output::tell(&format!("That is not a {moves}, nor h, u or q.\n"))?;
    }
}

fn said(line: &[u8]) -> Option<Said> {
    Some(match str::from_utf8(line).map(str::trim).ok()? {
        "h" | "hint" => Said::Hint,
        "u" | "undo" => Said::Undo,
        "q" | "quit" => Said::Quit,
        number => Said::Move(number.parse().ok()?),
    })
}

/// The next line; `None` at the end of the input. A line that is too long is skipped to its end,
/// and is invalid.
fn read(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    input.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.len() as u64 == LONGEST && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
        line.clear();
    }
    Ok(Some(line))
}
