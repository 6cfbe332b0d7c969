//! How answers and errors look: lines that fit a terminal, and colours where a terminal shows them
//! and `NO_COLOR` is not set.
//!
//! Answers for people have a key and its value on a line. The value, bounds and what stopped a
//! search stand out; everything else stays plain. Output for programs has no such lines.

use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use meetjoin_report::{WIDEST, fitted};

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

/// A writer of lines for people: none is wider than a terminal, and values may be coloured.
pub(crate) struct Words<W> {
    inner: W,
    is_painted: bool,
    /// The line that is not complete yet.
    line: Vec<u8>,
}

impl<W: Write> Words<W> {
    pub(crate) fn new(inner: W, is_painted: bool) -> Self {
        let line = Vec::new();
        Self {
            inner,
            is_painted,
            line,
        }
    }

    fn write_line(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        if line.len() <= WIDEST && !self.is_painted {
            return self.inner.write_all(&line);
        }
        let text = String::from_utf8_lossy(&line);
        let mut lines = fitted(&text);
        if self.is_painted {
            paint(&mut lines);
        }
        let end = if text.ends_with('\n') { "\n" } else { "" };
        write!(self.inner, "{}{end}", lines.join("\n"))
    }
}

impl<W: Write> Write for Words<W> {
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

/// Colours the value of a line, and of those on which it goes on.
fn paint(lines: &mut [String]) {
    let style = KEYS.iter().find_map(|(key, style)| {
        let rest = lines.first()?.strip_prefix(key)?;
        rest.starts_with("  ").then_some((key.len(), style))
    });
    let Some((mut begin, style)) = style else {
        return;
    };
    for line in lines {
        let (key, rest) = line.split_at(begin);
        let value = rest.trim_start_matches(' ');
        let space = &rest[..rest.len() - value.len()];
        *line = format!("{key}{space}{style}{value}{style:#}");
        begin = 0;
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::Words;

    #[test]
    fn values_stand_out_and_nothing_else() {
        let mut out = Vec::new();
        let mut painted = Words::new(&mut out, true);
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

    #[test]
    fn a_value_goes_on_in_its_colour() {
        let mut out = Vec::new();
        let mut words = Words::new(&mut out, true);
        let value = ["word"; 20].join(" ");
        writeln!(words, "value  {value}").expect("a vector");
        let out = String::from_utf8(out).expect("UTF-8");
        let [first, second] = out.lines().collect::<Vec<_>>()[..] else {
            panic!("two lines: {out}");
        };
        assert!(
            first.starts_with("value  \u{1b}[1m\u{1b}[32mword "),
            "{out:?}"
        );
        assert!(
            second.starts_with("           \u{1b}[1m\u{1b}[32mword "),
            "{out:?}"
        );
        assert!(second.ends_with("\u{1b}[0m"), "{out:?}");
    }
}
