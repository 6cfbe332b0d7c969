//! The book: its summary names each page, and its code is compiled and run.

use std::path::{Path, PathBuf};

use super::text::shown;
use crate::workspace::{folder, read, root};

const SUMMARY: &str = "docs/src/SUMMARY.md";

/// Checks that each page of the book stands in the summary, once. That these exist is checked as
/// for all links.
pub(super) fn check_summary(pages: &[PathBuf]) -> Result<(), String> {
    let summary = root().join(SUMMARY);
    let book = summary.parent().unwrap_or(&summary);
    let text = read(&summary)?;
    for page in pages.iter().filter(|page| **page != summary) {
        let Ok(name) = page.strip_prefix(book) else {
            continue;
        };
        let link = format!("]({})", name.display()).replace('\\', "/");
        let times = text.matches(&link).count();
        if times != 1 {
            return Err(format!("{SUMMARY} names {} {times} times", shown(page)));
        }
    }
    Ok(())
}

/// Checks that each page with a block of Rust is part of the documentation of some crate, so that
/// the tests compile and run the block, and that no block is ignored without a reason.
pub(super) fn check_rust(pages: &[PathBuf]) -> Result<(), String> {
    let tested = tested()?;
    for page in pages {
        let text = read(page)?;
        let (mut before, mut is_rust) = ("", false);
        for line in text.lines() {
            if let Some(language) = line.strip_prefix("```rust") {
                is_rust = true;
                let is_excused = before.starts_with("<!-- not run: ");
                let is_fine = language.is_empty() || (language == ",no_run" && is_excused);
                if !is_fine {
                    return Err(format!(
                        "{}: a block of Rust is `{line}`; make it one that is run, or `no_run` with a reason",
                        shown(page)
                    ));
                }
            }
            if !line.is_empty() {
                before = line;
            }
        }
        if is_rust && !tested.contains(page) {
            return Err(format!(
                "{} has Rust that nobody compiles; include the page in crates/meetjoin/src/lib.rs",
                shown(page)
            ));
        }
    }
    Ok(())
}

/// The pages that crates include in their documentation.
fn tested() -> Result<Vec<PathBuf>, String> {
    let mut pages = Vec::new();
    for package in folder(&root().join("crates"))? {
        let source = package.join("src/lib.rs");
        if !source.exists() {
            continue;
        }
        for part in read(&source)?.split("doc = include_str!(\"").skip(1) {
            let name = part.split('"').next().unwrap_or_default();
            let page = source.parent().unwrap_or(Path::new("")).join(name);
            pages.extend(page.canonicalize());
        }
    }
    Ok(pages)
}
