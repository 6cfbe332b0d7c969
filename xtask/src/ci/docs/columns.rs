//! Comments and pages are at most 100 columns wide, so that they need no horizontal scrolling.

use std::path::Path;

use crate::workspace::{read, root, tree};

const MOST: usize = 100;

/// Checks every comment of the sources and every paragraph of `pages`.
pub(super) fn check(pages: &[std::path::PathBuf]) -> Result<(), String> {
    for source in tree("rs")? {
        let text = read(&source)?;
        check_lines(&source, text.lines().map(|line| (line, comment(line))))?;
    }
    for page in pages {
        let text = read(page)?;
        check_lines(page, text.lines().map(|line| (line, line)))?;
    }
    Ok(())
}

/// The text of a line that is a comment.
fn comment(line: &str) -> &str {
    let line = line.trim_start();
    let text = line.strip_prefix("//");
    text.map_or("", |text| text.trim_start_matches(['/', '!']).trim_start())
}

/// Checks lines, each given with its text. Code, code spans, tables, headings, pictures and single
/// words cannot be broken.
fn check_lines<'a>(
    file: &Path,
    lines: impl Iterator<Item = (&'a str, &'a str)>,
) -> Result<(), String> {
    let mut is_code = false;
    for (number, (line, text)) in (1..).zip(lines) {
        if text.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        let is_whole =
            is_code || text.starts_with(['|', '#', '!', '`']) || !text.trim().contains(' ');
        if !is_whole && line.chars().count() > MOST {
            let file = file.strip_prefix(root()).unwrap_or(file).display();
            return Err(format!(
                "{file}, line {number}, is wider than {MOST} columns"
            ));
        }
    }
    Ok(())
}
