//! Checks of the written documentation: what it quotes, lists and links must be there.

mod book;
mod columns;
mod links;
mod text;

use std::path::PathBuf;

use super::map;
use crate::workspace::{read, tree};
use text::shown;

pub(crate) fn check() -> Result<(), String> {
    let pages: Vec<PathBuf> = tree("md")?;
    for page in &pages {
        check_quotes(&shown(page), &read(page)?)?;
    }
    links::check(&pages)?;
    book::check_summary(&pages)?;
    book::check_rust(&pages)?;
    columns::check(&pages)?;
    map::check()
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
