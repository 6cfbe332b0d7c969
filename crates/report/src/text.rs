//! Text for people: lines that stay lines, and columns.

use std::fmt::Write as _;

/// The text on one line, without anything that a terminal obeys: names in files may hold both.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}

/// Keys and values in two columns.
pub fn aligned(lines: &[(String, String)]) -> String {
    let lines = lines
        .iter()
        .map(|(key, value)| (one_line(key), one_line(value)));
    let lines: Vec<(String, String)> = lines.collect();
    let width = lines.iter().map(|(key, _)| key.chars().count()).max();
    let width = width.unwrap_or(0);
    lines.iter().fold(String::new(), |mut text, (key, value)| {
        let _ = writeln!(text, "{key:width$}  {value}");
        text
    })
}
