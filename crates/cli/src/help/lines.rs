//! Lines of help: how they look, and where they end.

use anstyle::{Effects, Style};
use meetjoin_report::wrapped;

/// Headers of help, as the parser of arguments writes its own.
pub(crate) const HEADER: Style = Style::new().effects(Effects::BOLD.insert(Effects::UNDERLINE));
/// Names of commands, and lines to type.
pub(crate) const NAME: Style = Style::new().bold();

/// A line to type, which goes on after a backslash where it is too long.
pub(crate) fn continued(line: &str, width: usize) -> Vec<String> {
    if line.chars().count() <= width {
        return vec![line.to_owned()];
    }
    let mut lines = wrapped(line, width.saturating_sub(2), 2);
    let last = lines.len() - 1;
    for line in &mut lines[..last] {
        line.push_str(" \\");
    }
    lines
}
