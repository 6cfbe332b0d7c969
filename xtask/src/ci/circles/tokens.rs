//! Rust source as tokens: names, `::`, and signs of one character. Comments, texts, numbers and
//! lifetimes are left out.

/// The tokens of a file.
pub(crate) fn tokens(source: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            comment(rest)
        } else if let Some(length) = text(rest) {
            length
        } else if first == '\'' {
            1 + word(&rest[1..])
        } else if first.is_ascii_digit() {
            word(rest)
        } else if first == '_' || first.is_alphabetic() {
            let raw = if rest.starts_with("r#") { 2 } else { 0 };
            let length = raw + word(&rest[raw..]);
            tokens.push(&rest[raw..length]);
            length
        } else if rest.starts_with("::") {
            tokens.push("::");
            2
        } else {
            if !first.is_whitespace() {
                tokens.push(&rest[..first.len_utf8()]);
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

/// Bytes of letters, digits and underscores.
fn word(text: &str) -> usize {
    let end = text.find(|c: char| c != '_' && !c.is_alphanumeric());
    end.unwrap_or(text.len())
}

/// Bytes of a comment, in which there may be others.
fn comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        let pair = text.as_bytes().get(at..at + 2);
        match pair {
            Some(b"/*") => depth += 1,
            Some(b"*/") => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            break;
        }
    }
    at
}

/// Bytes of a text or a character with its prefix; `None` if here is none.
fn text(source: &str) -> Option<usize> {
    let prefixes = ["br", "cr", "b", "c", "r", ""];
    let kind = prefixes.into_iter().find(|kind| source.starts_with(kind))?;
    let prefix = kind.len();
    let quoted = &source[prefix..];
    if kind.ends_with('r') {
        let fences = quoted.find(|c| c != '#')?;
        let inside = quoted[fences..].strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(fences));
        let length = inside.find(&end).unwrap_or(inside.len());
        return Some((prefix + fences + 1 + length + end.len()).min(source.len()));
    }
    let quote = quoted
        .chars()
        .next()
        .filter(|quote| ['"', '\''].contains(quote))?;
    let mut inside = quoted[1..].char_indices();
    if quote == '\'' {
        // Not a lifetime: one character or an escape, and a quote.
        let (_, first) = inside.next()?;
        let mut after = inside.clone();
        if first != '\\' && after.next()?.1 != '\'' {
            return None;
        }
        if first == '\\' {
            inside.next();
        }
    }
    let mut escaped = false;
    for (at, c) in inside {
        if c == quote && !escaped {
            return Some(prefix + at + 2);
        }
        escaped = c == '\\' && !escaped;
    }
    Some(source.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_code_is_left_out() {
        let check = |source, expected: &[&str]| assert_eq!(tokens(source), expected, "{source}");
        check("a::b // c\nd", &["a", "::", "b", "d"]);
        check("a /* b /* c */ \" */ d", &["a", "d"]);
        check(
            r#"f("a \" b", 'c', '\'', '"', b'd') e"#,
            &["f", "(", ",", ",", ",", ",", ")", "e"],
        );
        check("r#\"a \" b\"# c r\"\\\" d", &["c", "d"]);
        check("br##\"a\"# b\"## c b\"d\"", &["c"]);
        check("r#type x", &["type", "x"]);
        check(
            "fn f<'a>(x: &'a T) 'x'",
            &["fn", "f", "<", ">", "(", "x", ":", "&", "T", ")"],
        );
        check("1_000u64 + 1.5e3", &["+", "."]);
        check("'\\u{1f}' a 'é' b", &["a", "b"]);
        check("\"open", &[]);
    }
}
