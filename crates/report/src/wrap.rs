//! Lines that fit a terminal: a wider one goes on below, indented further than it began.
//!
//! Lines are broken at spaces. In an answer a short set stays whole, so that it can be copied, and
//! a long one is broken between its items. Other words are never broken, so a line with a long name
//! may still be too wide.

/// The most columns of a line of an answer.
pub const WIDEST: usize = 80;
/// How much further than its text began a line goes on.
const HANG: usize = 4;
/// A column that begins further to the right would be too narrow to go on in.
const LAST_COLUMN: usize = 52;

/// A line of an answer as lines of at most [`WIDEST`] columns. It goes on below its last column,
/// which begins after two spaces or more: the value after a key, the names after numbers.
pub fn fitted(line: &str) -> Vec<String> {
    let line = line.trim_end_matches('\n');
    if columns(line) <= WIDEST {
        return vec![line.to_owned()];
    }
    let hang = begin(line) + HANG;
    broken(parts(line, WIDEST - hang).into_iter(), WIDEST, hang)
}

/// What [`fitted`] has broken, as one line.
pub fn unbroken(lines: &str) -> String {
    let lines: Vec<&str> = lines.lines().map(str::trim).collect();
    lines.join(" ")
}

/// A text in lines of at most `width` columns. All but the first begin with `hang` spaces.
pub fn wrapped(text: &str, width: usize, hang: usize) -> Vec<String> {
    broken(text.split_inclusive(' '), width, hang)
}

/// The parts of a line that are not broken in a column of `room`: items of a list, what stands in
/// brackets, and items of a list there, unless they are longer than half of that; words, unless
/// they are longer.
fn parts<'a>(line: &'a str, room: usize) -> Vec<&'a str> {
    let mut parts = vec![line];
    for (end, is_outside, most) in [
        (", ", true, room / 2),
        (" ", true, room / 2),
        (", ", false, room / 2),
        (" ", false, room / 2),
        (",", false, room),
    ] {
        let broken = |part: &'a str| {
            if columns(part.trim_end()) <= most {
                vec![part]
            } else {
                split(part, end, is_outside)
            }
        };
        parts = parts.into_iter().flat_map(broken).collect();
    }
    parts
}

/// Splits a text after each `end`, perhaps only where it stands in no brackets.
fn split<'a>(text: &'a str, end: &str, is_outside: bool) -> Vec<&'a str> {
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0_u32);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let next = at + c.len_utf8();
        if text[from..next].ends_with(end) && !(is_outside && depth > 0) {
            parts.push(&text[from..next]);
            from = next;
        }
    }
    parts.push(&text[from..]);
    parts
}

/// Unbreakable parts in lines. What is left of the column `hang` stays in the first line.
fn broken<'a>(parts: impl Iterator<Item = &'a str>, width: usize, hang: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let (mut line, mut used) = (String::new(), 0);
    for mut part in parts {
        let is_begun = used > hang;
        if is_begun && used + columns(part.trim_end()) > width {
            lines.push(line.trim_end().to_owned());
            (line, used) = (" ".repeat(hang), hang);
            part = part.trim_start();
        }
        line.push_str(part);
        used += columns(part);
    }
    lines.push(line.trim_end().to_owned());
    lines
}

/// Where the last column of a line begins.
fn begin(line: &str) -> usize {
    let starts = line.match_indices("  ").map(|(gap, _)| {
        let rest = &line[gap..];
        columns(&line[..gap]) + rest.len() - rest.trim_start_matches(' ').len()
    });
    starts
        .take_while(|start| *start <= LAST_COLUMN)
        .last()
        .unwrap_or(0)
}

fn columns(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::{WIDEST, fitted, wrapped};

    #[test]
    fn a_line_goes_on_below_its_last_column() {
        let words = "word ".repeat(20);
        for (begin, hang) in [
            ("", 4),
            ("  ", 6),
            ("value    ", 13),
            (" 12  3  ", 12),
            ("a b  ", 9),
        ] {
            let line = format!("{begin}{words}");
            let lines = fitted(&line);
            assert_eq!(lines.len(), 2, "{lines:?}");
            assert!(lines[0].starts_with(&format!("{begin}word ")));
            assert!(
                lines[1].starts_with(&format!("{:hang$}word", "")),
                "{lines:?}"
            );
            assert!(lines.iter().all(|line| line.len() <= WIDEST));
            let again = lines.join(" ");
            assert!(again.split_whitespace().eq(line.split_whitespace()));
        }
    }

    #[test]
    fn only_a_name_is_wider() {
        let name = "x".repeat(100);
        assert_eq!(
            fitted(&format!("value  {name}")),
            [format!("value  {name}")]
        );
        assert_eq!(
            fitted(&format!("{{{name}, b}}")),
            [format!("{{{name},"), "    b}".to_owned()]
        );
        let set: Vec<String> = (100..160).map(|world| world.to_string()).collect();
        let lines = fitted(&format!("value  {{{}}}", set.join(",")));
        assert!(
            lines.len() > 3 && lines.iter().all(|line| line.len() <= WIDEST),
            "{lines:?}"
        );
        // Sets stay whole, and hands in longer ones.
        let sets = ["{2 points in K5 | K; 1 in 5 | none}"; 4].join(" ");
        for line in fitted(&sets) {
            assert!(
                line.trim().starts_with('{') && line.ends_with('}'),
                "{line}"
            );
        }
        let hands = ["1 2 3 4 5 6"; 10].join(", ");
        for line in fitted(&format!("value  {{{hands}}}")) {
            assert!(line.ends_with("6,") || line.ends_with("6}"), "{line}");
        }
        // An answer of one line, with its end.
        assert_eq!(fitted("value  1\n"), ["value  1"]);
        assert_eq!(fitted(""), [""]);
    }

    #[test]
    fn words_of_a_text_stay_whole() {
        assert_eq!(wrapped("a,b,c d", 3, 1), ["a,b,c", " d"]);
        assert_eq!(wrapped("one two three", 7, 0), ["one two", "three"]);
        assert_eq!(wrapped("", 7, 0), [""]);
    }
}
