//! Text for people: escaped lines, columns and numbers.

use std::fmt::{Display, Write as _};

/// The text on one line, without control characters, as names in files may contain anything.
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

/// What to say of the encoding of a file that is read as UTF-8, if it is another one.
pub fn other_encoding(name: &str) -> Option<String> {
    let name = name.to_ascii_lowercase();
    let is_read = matches!(&*name, "utf-8" | "utf8" | "us-ascii" | "ascii");
    (!is_read).then(|| format!("the encoding {name:?} is not read here, but UTF-8"))
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

/// A count with a noun: `1 node`, `2 nodes`, `0 entries`, by the rules of English plurals.
pub fn counted(count: impl Display, one: &str) -> String {
    let count = count.to_string();
    if count == "1" {
        return format!("1 {one}");
    }
    let before_y = one.strip_suffix('y').and_then(|stem| stem.chars().last());
    let (stem, ending) = match one {
        "leaf" => ("lea", "ves"),
        _ if before_y.is_some_and(|letter| !"aeiou".contains(letter)) => {
            (&one[..one.len() - 1], "ies")
        }
        _ if ["s", "x", "ch", "sh"].iter().any(|end| one.ends_with(end)) => (one, "es"),
        _ => (one, "s"),
    };
    format!("{count} {stem}{ending}")
}

/// A part of a whole in percent with one decimal, or with none if it is exact. Only certain events
/// are shown as 100 %, and only impossible ones as 0 %.
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

/// A part of a whole as an exact fraction in lowest terms.
pub fn fraction(part: u64, whole: u64) -> String {
    let (mut a, mut b) = (part, whole);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    let divisor = a.max(1);
    format!("{}/{}", part / divisor, whole / divisor)
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_is_one_and_all_else_is_many() {
        for (count, one, said) in [
            (1, "node", "1 node"),
            (0, "node", "0 nodes"),
            (2, "entry", "2 entries"),
            (1, "entry", "1 entry"),
            (3, "play", "3 plays"),
            (2, "pass", "2 passes"),
            (2, "branch", "2 branches"),
            (2, "box", "2 boxes"),
            (4, "leaf", "4 leaves"),
            (21, "point", "21 points"),
        ] {
            assert_eq!(counted(count, one), said);
        }
    }
}
