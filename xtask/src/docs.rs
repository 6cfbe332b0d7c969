//! Checks of the written documentation: what it quotes, lists and links must be there.

use std::path::Path;

use crate::workspace::{read, root, tree};

pub(crate) fn check() -> Result<(), String> {
    let pages = tree("md")?;
    for page in &pages {
        let shown = page
            .strip_prefix(root())
            .unwrap_or(&page)
            .display()
            .to_string();
        let text = read(page)?;
        check_links(page, &shown, &text)?;
        check_quotes(&shown, &text)?;
    }
    crate::columns::check(&pages)?;
    crate::map::check()
}

/// Every relative link leads to a file.
fn check_links(page: &Path, shown: &str, text: &str) -> Result<(), String> {
    for part in text.split("](").skip(1) {
        let target = part.split([')', '#', ' ']).next().unwrap_or_default();
        if target.is_empty() || target.contains("://") || target.starts_with("mailto:") {
            continue;
        }
        let beside = page.parent().unwrap_or(page);
        if !beside.join(target).exists() {
            return Err(format!("{shown} links to {target}, which does not exist"));
        }
    }
    Ok(())
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
