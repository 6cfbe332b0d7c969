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

/// A part of a whole in percent with one decimal, as people speak of chances; without one where it
/// is exact. What is not certain does not look certain, and what is possible does not look
/// impossible.
pub fn percent(part: u64, whole: u64) -> String {
    let (part, whole) = (u128::from(part), u128::from(whole.max(1)));
    if (100 * part).is_multiple_of(whole) {
        return format!("{}%", 100 * part / whole);
    }
    if 1000 * part < whole {
        return "under 0.1%".to_owned();
    }
    if part < whole && 1000 * (whole - part) < whole {
        return "over 99.9%".to_owned();
    }
    let tenths = (2000 * part + whole) / (2 * whole);
    format!("{}.{}%", tenths / 10, tenths % 10)
}

/// The same as an exact fraction in its lowest terms.
pub fn fraction(part: u64, whole: u64) -> String {
    let (mut a, mut b) = (part, whole);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    let divisor = a.max(1);
    format!("{}/{}", part / divisor, whole / divisor)
}
