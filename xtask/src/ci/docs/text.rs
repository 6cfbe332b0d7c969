//! Shared by checks of pages: the display of a path, and the lines that are no code.

use std::path::Path;

use crate::workspace::root;

/// A path relative to the repository, for messages.
pub(super) fn shown(page: &Path) -> String {
    let page = page.strip_prefix(root()).unwrap_or(page);
    page.display().to_string()
}

/// The lines of a page that are no code, with their numbers.
pub(super) fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}
