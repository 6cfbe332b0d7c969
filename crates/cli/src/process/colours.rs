//! Colours of answers and errors, where a terminal shows them and `NO_COLOR` is not set.
//!
//! Answers for people have a key and its value on a line. The value, bounds and what stopped a
//! search stand out; everything else stays plain. Output for programs has no such lines.

use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

/// The program's name before an error.
pub(crate) const FAILED: Style = AnsiColor::Red.on_default().bold();
/// The program's name before the reason of an early end; also bounds.
pub(crate) const STOPPED: Style = AnsiColor::Yellow.on_default().bold();
/// The style of what was asked for.
const FOUND: Style = AnsiColor::Green.on_default().bold();

/// Keys of lines that stand out.
const KEYS: [(&str, Style); 12] = [
    ("value", FOUND),
    ("chance", FOUND),
    ("P(top)", FOUND),
    ("minimal cut sets", FOUND),
    ("best cost", FOUND),
    ("weight", FOUND),
    ("lower bound", STOPPED),
    ("upper bound", STOPPED),
    ("at most", STOPPED),
    ("at least", STOPPED),
    ("bound", STOPPED),
    ("stopped", STOPPED),
];

/// Whether standard output shows colours.
pub(crate) fn are_shown() -> bool {
    AutoStream::choice(&io::stdout()) != ColorChoice::Never
}

/// A writer that colours lines.
pub(crate) struct Painted<W> {
    inner: W,
    /// The line that is not complete yet.
    line: Vec<u8>,
}

impl<W: Write> Painted<W> {
    pub(crate) fn new(inner: W) -> Self {
        let line = Vec::new();
        Self { inner, line }
    }

    fn write_line(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        self.inner.write_all(&painted(&line))
    }
}

impl<W: Write> Write for Painted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.write_line()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_line()?;
        self.inner.flush()
    }
}

/// A line as it is shown.
fn painted(line: &[u8]) -> Vec<u8> {
    let style = KEYS.iter().find_map(|(key, style)| {
        let rest = line.strip_prefix(key.as_bytes())?;
        (rest.starts_with(b"  ") || rest.starts_with(b" \t")).then_some((key.len(), style))
    });
    let Some((key, style)) = style else {
        return line.to_vec();
    };
    let (key, rest) = line.split_at(key);
    let begin = rest.iter().take_while(|byte| **byte == b' ').count();
    let (space, value) = rest.split_at(begin);
    let end = value.strip_suffix(b"\n").map_or(value.len(), <[u8]>::len);
    let (value, end) = value.split_at(end);
    let (on, off) = (style.to_string(), format!("{style:#}"));
    [key, space, on.as_bytes(), value, off.as_bytes(), end].concat()
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::Painted;

    #[test]
    fn values_stand_out_and_nothing_else() {
        let mut out = Vec::new();
        let mut painted = Painted::new(&mut out);
        for part in [
            "val",
            "ue        {1,2}\nvisits  2\n{\"value",
            "\": 3}\nvalues  3\nend",
        ] {
            painted.write_all(part.as_bytes()).expect("a vector");
        }
        painted.flush().expect("a vector");
        let out = String::from_utf8(out).expect("UTF-8");
        let expected = "value        \u{1b}[1m\u{1b}[32m{1,2}\u{1b}[0m\nvisits  2\n{\"value\": 3}\nvalues  3\nend";
        assert_eq!(out, expected);
    }
}
