//! Checks of the written documentation: what it quotes, lists and links must be there.

mod book;
mod columns;
mod fronts;
mod links;
mod text;

use std::path::PathBuf;

use super::map;
use crate::workspace::{folder, read, root, tree};
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
    check_crates()?;
    fronts::check()?;
    map::check()
}

/// Checks that the README links to the folder of each crate, and the architecture page to the table
/// of its rooms.
fn check_crates() -> Result<(), String> {
    let crates = folder(&root().join("crates"))?;
    for (page, begin) in [
        ("README.md", "](crates/"),
        ("docs/src/architecture.md", "](rooms.md#"),
    ] {
        let text = read(page)?;
        for name in crates.iter().filter_map(|path| path.file_name()) {
            let name = name.display();
            if !text.contains(&format!("{begin}{name})")) {
                return Err(format!("{page} does not name crates/{name}"));
            }
        }
    }
    Ok(())
}

/// Checks that the code block after a line `<!-- file: PATH -->` is that file, word for word.
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
