//! Checks of the written documentation: what it quotes, lists and links must be there.

mod book;
mod links;

use std::path::{Path, PathBuf};

use crate::workspace::{read, root, tree};

pub(crate) fn check() -> Result<(), String> {
    let pages: Vec<PathBuf> = tree("md")?;
    for page in &pages {
        check_quotes(&shown(page), &read(page)?)?;
    }
    links::check(&pages)?;
    book::check_summary(&pages)?;
    book::check_rust(&pages)?;
    crate::columns::check(&pages)?;
    crate::map::check()
}

/// A path as one reads it.
fn shown(page: &Path) -> String {
    let page = page.strip_prefix(root()).unwrap_or(page);
    page.display().to_string()
}

/// The lines of a page that are no code, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// What follows a line `<!-- file: PATH -->` in a code fence is that file, word for word.
fn check_quotes(shown: &str, text: &str) -> Result<(), String> {
    for part in text.split("<!-- file: ").skip(1) {
        let (path, rest) = part.split_once(" -->").unwrap_or((part, ""));
        let quoted = rest
            .split_once("```rust\n")
            .and_then(|(_, code)| code.split_once("```"));
        let quoted = quoted.map_or("", |(code, _)| code);
        if quoted.trim() != read(path)?.trim() {
            return Err(format!("{shown} quotes {path}, but not as it is now"));
        }
    }
    Ok(())
}
