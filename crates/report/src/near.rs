//! Suggestions for mistyped names.
//!
//! One rule for all names, of commands and options as well as of games, lattices and attributes:
//! names match if they differ only in capitals and hyphens, or in about one of three letters, by
//! changes, omissions, insertions or swaps.

use strsim::damerau_levenshtein;

/// One letter in this many may be wrong.
const LETTERS_TO_ONE_WRONG: usize = 3;

/// The known name nearest to the typed one, if any is near; the first of several.
pub fn nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = letters(typed);
    let most = typed.chars().count().div_ceil(LETTERS_TO_ONE_WRONG);
    let distances = known.into_iter().map(|name| {
        let distance = damerau_levenshtein(&typed, &letters(name));
        (distance, name)
    });
    let near = distances.filter(|(distance, name)| {
        // A short name has no near words: `xor` is not `or`.
        *distance <= most && distance * LETTERS_TO_ONE_WRONG <= letters(name).chars().count()
    });
    near.min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// A suffix for a message about an unknown name: `` (did you mean `solve`?)``, or empty.
pub fn meant<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(typed, known).map_or_else(String::new, |name| format!(" ({})", did_you_mean(name)))
}

/// The question about a name that was probably meant.
pub fn did_you_mean(name: &str) -> String {
    format!("did you mean `{name}`?")
}

fn letters(name: &str) -> String {
    let kept = name.chars().filter(|letter| !matches!(letter, '-' | '_'));
    kept.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::{meant, nearest};

    const KNOWN: [&str; 5] = ["solve", "suit", "connect-four", "--max-visits", "play"];

    #[test]
    fn a_slip_is_seen_and_another_word_is_not() {
        for (typed, name) in [
            ("sole", "solve"),
            ("slove", "solve"),
            ("SOLVE", "solve"),
            ("suits", "suit"),
            ("conect-four", "connect-four"),
            ("connectfour", "connect-four"),
            ("--max-visit", "--max-visits"),
            ("paly", "play"),
        ] {
            assert_eq!(nearest(typed, KNOWN), Some(name), "{typed}");
        }
        for typed in ["", "-", "x", "chess", "verify", "日本"] {
            assert_eq!(nearest(typed, KNOWN), None, "{typed}");
        }
        assert_eq!(meant("sole", KNOWN), " (did you mean `solve`?)");
        assert_eq!(meant("chess", KNOWN), "");
    }
}
