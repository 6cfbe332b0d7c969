//! `cargo xtask notes FILE`: the changelog's section of this version, as the text of a release.

use std::path::Path;

use crate::workspace::{read, version, write};

/// Writes the notes. A version without a section in the changelog is no release.
pub(crate) fn notes(file: &str) -> Result<(), String> {
    let text = section(&read("CHANGELOG.md")?, version())?;
    write(Path::new(file), text)
}

/// The section of a version, without its heading and without the addresses at the end of the file.
fn section(changelog: &str, version: &str) -> Result<String, String> {
    let heading = format!("## [{version}]");
    let from = changelog
        .lines()
        .skip_while(|line| !line.starts_with(&heading));
    let is_next = |line: &&str| !line.starts_with("## ") && !line.starts_with('[');
    let lines: Vec<&str> = from.skip(1).take_while(is_next).collect();
    let text = lines.join("\n").trim().to_owned();
    if text.is_empty() {
        return Err(format!("CHANGELOG.md says nothing of {version}"));
    }
    Ok(text + "\n")
}

#[test]
fn a_section_ends_where_the_next_begins() {
    let changelog =
        "# Changes\n\n## [0.2.0] - today\n\n- New.\n\n## [0.1.0]\n\nFirst.\n\n[0.1.0]: x\n";
    assert_eq!(section(changelog, "0.2.0").as_deref(), Ok("- New.\n"));
    assert_eq!(section(changelog, "0.1.0").as_deref(), Ok("First.\n"));
    assert!(section(changelog, "0.3.0").is_err());
}

#[test]
fn this_version_has_notes() {
    let text = read("CHANGELOG.md").expect("a changelog");
    assert!(section(&text, version()).is_ok());
}
