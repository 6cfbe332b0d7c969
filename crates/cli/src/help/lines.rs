//! Lines of help: how they look, and where they end.

use anstyle::{Effects, Style};

/// Headers of help, as the parser of arguments writes its own.
pub(crate) const HEADER: Style = Style::new().effects(Effects::BOLD.insert(Effects::UNDERLINE));
/// Names of commands, and lines to type.
pub(crate) const NAME: Style = Style::new().bold();

/// Wraps text at `width` letters. A longer word has a line of its own.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A line to type, which goes on after a backslash where it is too long.
pub(crate) fn continued(line: &str, width: usize) -> Vec<String> {
    if line.chars().count() <= width {
        return vec![line.to_owned()];
    }
    let mut lines = wrapped(line, width.saturating_sub(4));
    let last = lines.len() - 1;
    for (place, line) in lines.iter_mut().enumerate() {
        if place > 0 {
            line.insert_str(0, "  ");
        }
        if place < last {
            line.push_str(" \\");
        }
    }
    lines
}
