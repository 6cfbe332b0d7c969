//! Whether what is printed is what a page shows. Times and amounts of memory are any; `..` stands
//! for what the page leaves out.

/// Units of what differs from run to run, and what stands for a number with such a unit.
const UNITS: &[(&[&str], &str)] = &[
    (&["s", "ms", "µs"], "a time"),
    (
        &["B", "kB", "MB", "GB", "KiB", "MiB", "GiB", "bytes"],
        "an amount",
    ),
];

/// Whether a command may end so: a fault of the program is never shown, and whoever is refused or
/// stopped is told.
pub fn is_expected(status: Option<i32>, printed: &[String]) -> bool {
    let says = |begin: &str| printed.iter().any(|line| line.starts_with(begin));
    match status {
        Some(0) => true,
        Some(2) => says("meetjoin: "),
        Some(3) => says("stopped ") || says("meetjoin: "),
        _ => false,
    }
}

/// The words of commands that write for programs, who read lines of any width.
const FOR_PROGRAMS: [&str; 9] = [
    "--json",
    "--watch",
    "--csv",
    "--open-psa",
    "--adtool",
    "--help",
    "generate",
    "convert",
    "completions",
];
/// The most columns of a line for people, and of a name in it that is not broken.
const WIDEST: [usize; 2] = [80, 60];

/// A line that a command prints for people and that is wider than a terminal.
pub fn too_wide<'a>(command: &str, printed: &'a [String]) -> Option<&'a String> {
    let is_for_programs = FOR_PROGRAMS.iter().any(|word| command.contains(word));
    if !command.starts_with("meetjoin ") || is_for_programs {
        return None;
    }
    printed.iter().find(|line| {
        let [columns, last] = [Some(line.as_str()), line.split(' ').next_back()]
            .map(|text| text.unwrap_or_default().chars().count());
        // An error is one sentence on one line.
        columns > WIDEST[0] && last < WIDEST[1] && !line.starts_with("meetjoin: ")
    })
}

pub fn is_same(shown: &[String], printed: &[String]) -> bool {
    // How many lines of what is printed may be gone through by the lines that are shown so far.
    let mut reached = vec![false; printed.len() + 1];
    reached[0] = true;
    for line in shown {
        if is_rest(line) {
            let first = reached.iter().position(|is_reached| *is_reached);
            reached[first.unwrap_or(printed.len() + 1)..].fill(true);
        } else {
            for at in (0..printed.len()).rev() {
                reached[at + 1] = reached[at] && is_same_line(line, &printed[at]);
            }
            reached[0] = false;
        }
    }
    reached[printed.len()]
}

/// A line that stands for any number of lines.
pub fn is_rest(shown: &str) -> bool {
    shown == ".."
}

pub fn is_same_line(shown: &str, printed: &str) -> bool {
    let (shown, printed) = (masked(shown.trim_end()), masked(printed.trim_end()));
    let pieces = pieces(&shown);
    let [first, inner @ .., last] = &pieces[..] else {
        return shown == printed;
    };
    let Some(mut rest) = printed.strip_prefix(first) else {
        return false;
    };
    for piece in inner {
        let Some((_, after)) = rest.split_once(piece) else {
            return false;
        };
        rest = after;
    }
    rest.ends_with(last)
}

/// What is shown around the `..` that stand for something: those at the end of a line, after an
/// opening bracket or a comma, or before a closing bracket or a comma. The program itself prints
/// others.
fn pieces(shown: &str) -> Vec<&str> {
    let (mut pieces, mut from) = (Vec::new(), 0);
    for (at, dots) in shown.match_indices("..") {
        let before = shown[..at].chars().next_back();
        let after = shown[at + dots.len()..].chars().next();
        let is_marked =
            after.is_none_or(|c| "]}),".contains(c)) || before.is_some_and(|c| "[{(,".contains(c));
        if is_marked && before != Some('.') && after != Some('.') {
            pieces.push(&shown[from..at]);
            from = at + dots.len();
        }
    }
    pieces.push(&shown[from..]);
    pieces
}

/// A line without the numbers that differ from run to run: those with a unit of `UNITS`, and those
/// of keys of JSON that speak of seconds or bytes.
fn masked(line: &str) -> String {
    let mut masked = String::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let is_inside = masked.ends_with(|c: char| c.is_alphanumeric() || c == '.');
        if is_inside || !c.is_ascii_digit() {
            masked.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let end = rest.find(|c: char| !c.is_ascii_digit() && !"._-e".contains(c));
        let (number, after) = rest.split_at(end.unwrap_or(rest.len()));
        let word = after.strip_prefix(' ').unwrap_or("");
        let word = &word[..word
            .find(|c: char| !c.is_alphabetic())
            .unwrap_or(word.len())];
        let unit = UNITS.iter().find(|(units, _)| units.contains(&word));
        let key = masked
            .strip_suffix("\":")
            .and_then(|text| text.rsplit('"').next());
        if let Some((_, name)) = unit {
            masked += name;
            rest = &after[1 + word.len()..];
        } else {
            let is_any = key.is_some_and(|key| key.contains("seconds") || key.contains("bytes"));
            masked += if is_any { "any" } else { number };
            rest = after;
        }
    }
    masked
}

#[test]
fn a_line_is_the_same_but_for_times_memory_and_what_is_left_out() {
    for (shown, printed) in [
        ("time         0.000 s", "time         12.345 s"),
        ("peak memory  0.4 MiB", "peak memory  123.4 MiB"),
        ("done after 3 ms, all of it", "done after 1.5 s, all of it"),
        (
            r#"{"seconds":0.013,"visits":7}"#,
            r#"{"seconds":1e-5,"visits":7}"#,
        ),
        (
            r#"{"lower":[],"upper":[[..]]}"#,
            r#"{"lower":[],"upper":[[1,2],[3]]}"#,
        ),
        (
            "value  {valve} {motor} ..",
            "value  {valve} {motor} {mains}",
        ),
        ("{1 3, 1 5, .. and 78 more}", "{1 3, 1 5, .. and 78 more}"),
        (
            r#"{"a":1,..,"z":[{..},..]}"#,
            r#"{"a":1,"b":2,"z":[{"c":3},4,5]}"#,
        ),
    ] {
        assert!(is_same_line(shown, printed), "{shown} and {printed}");
    }
    for (shown, printed) in [
        (
            "visits       176276, 3 of them",
            "visits       137163, 3 of them",
        ),
        ("time         0.000 s", "time         0.000 MiB"),
        (
            "{1 3, 1 5, .. and 78 more}",
            "{1 3, 1 5, 1 7, .. and 78 more}",
        ),
        ("best with 0..13 vacant", "best with 0 to 13 vacant"),
        (
            r#"{"seconds":0.013,"visits":7}"#,
            r#"{"seconds":0.013,"visits":8}"#,
        ),
        ("value  {valve} ..", "value  {mains} {valve}"),
        ("a", ""),
    ] {
        assert!(!is_same_line(shown, printed), "{shown} and {printed}");
    }
}

#[test]
fn dots_alone_are_any_number_of_lines() {
    let lines =
        |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
    let is_same = |shown, printed| is_same(&lines(shown), &lines(printed));
    assert!(is_same("a .. d", "a b c d"));
    assert!(is_same("a .. b ..", "a b"));
    assert!(is_same("..", ""));
    assert!(is_same(".. c ..", "a b c d"));
    assert!(!is_same("a .. d", "a b c"));
    assert!(!is_same("a b", "a b c"));
    assert!(!is_same("a b c", "a b"));
    assert!(!is_same("", "a"));
    assert!(!is_same("a .. a", "a"));
}

#[test]
fn faults_are_never_expected() {
    let said = ["meetjoin: no".to_owned()];
    assert!(is_expected(Some(0), &[]) && is_expected(Some(2), &said));
    assert!(is_expected(Some(3), &["stopped      a limit".to_owned()]));
    for status in [None, Some(1), Some(101), Some(127), Some(130)] {
        assert!(!is_expected(status, &said), "{status:?}");
    }
    assert!(!is_expected(Some(2), &[]) && !is_expected(Some(3), &[]));
}
