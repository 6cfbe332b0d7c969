//! Links: each leads to a file of the repository, and what follows `#` to a heading there.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::text::{prose, shown};
use crate::workspace::{read, root};

/// The addresses of the repository. Links that begin so lead to its files.
const OURS: &[&str] = &[
    "https://github.com/meetjoin/meetjoin/blob/main/",
    "https://github.com/meetjoin/meetjoin/tree/main/",
];

pub(super) fn check(pages: &[PathBuf]) -> Result<(), String> {
    let mut anchors = Anchors::default();
    for page in pages {
        for (number, line) in prose(&read(page)?) {
            for link in line.split("](").skip(1) {
                let link = link.split([')', ' ']).next().unwrap_or_default();
                let why = anchors.follow(page, link);
                why.map_err(|why| format!("{}, line {number}, links to {why}", shown(page)))?;
            }
        }
    }
    Ok(())
}

/// The anchors of each page that was read.
#[derive(Default)]
struct Anchors(HashMap<PathBuf, Vec<String>>);

impl Anchors {
    /// Checks a link. The error has the link, and what is wrong with it.
    fn follow(&mut self, page: &Path, link: &str) -> Result<(), String> {
        let (target, anchor) = link.split_once('#').unwrap_or((link, ""));
        let ours = OURS.iter().find_map(|begin| target.strip_prefix(begin));
        let file = match ours {
            Some(path) => root().join(path),
            None if target.contains("://") || target.starts_with("mailto:") => return Ok(()),
            None if target.is_empty() => page.to_owned(),
            None => page.parent().unwrap_or(page).join(target),
        };
        let file = file
            .canonicalize()
            .map_err(|_| format!("{target}, which does not exist"))?;
        let is_page = file.extension().is_some_and(|end| end == "md");
        if anchor.is_empty() || !is_page {
            return Ok(());
        }
        if !self.0.contains_key(&file) {
            self.0.insert(file.clone(), anchors(&read(&file)?));
        }
        if self.0[&file].iter().any(|known| known == anchor) {
            Ok(())
        } else {
            Err(format!("{link}, and no heading there has this anchor"))
        }
    }
}

/// The anchors of a page as GitHub and mdBook make them: the text of each heading in small letters,
/// without marks, with a hyphen for each space, and a number where it comes again.
fn anchors(text: &str) -> Vec<String> {
    let mut anchors: Vec<String> = Vec::new();
    for (_, line) in prose(text) {
        let heading = line.trim_start_matches('#');
        let level = line.len() - heading.len();
        if !(1..=6).contains(&level) || !heading.starts_with(' ') {
            continue;
        }
        let slug: String = words(heading.trim())
            .to_lowercase()
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
            .map(|c| if c == ' ' { '-' } else { c })
            .collect();
        let again = (1..).map(|number| format!("{slug}-{number}"));
        let mut names = std::iter::once(slug.clone()).chain(again);
        anchors.extend(names.find(|name| !anchors.contains(name)));
    }
    anchors
}

/// A heading as it is rendered: links by their text, without emphasis marks.
fn words(heading: &str) -> String {
    let mut words = String::new();
    for (at, part) in heading.split("](").enumerate() {
        let rest = part.split_once(')').map_or("", |(_, rest)| rest);
        words += if at == 0 { part } else { rest };
    }
    words.replace(['*', '['], "")
}

#[test]
fn anchors_are_those_of_github_and_mdbook() {
    let page = "# `search`: the *algorithms*\n## U(2,12), 0 or 1\n```text\n# no heading\n```\n\
                ### Why: `--certificate` and `verify`\n#none\n## Again\n## Again\n## [A](b.md) & C_d\n";
    let expected = [
        "search-the-algorithms",
        "u212-0-or-1",
        "why---certificate-and-verify",
        "again",
        "again-1",
        "a--c_d",
    ];
    assert_eq!(anchors(page), expected);
}

#[test]
fn dead_links_are_found() {
    let page = root().join("docs/src/introduction.md");
    let follow = |link: &str| Anchors::default().follow(&page, link);
    for fine in [
        "theory.md",
        "theory.md#relaxations",
        "https://docs.rs/timely#x",
        "images/trace.png",
    ] {
        assert_eq!(follow(fine), Ok(()));
    }
    let ours = |path: &str| format!("{}{path}", OURS[0]);
    assert_eq!(follow(&ours("CONTRIBUTING.md#text")), Ok(()));
    for dead in ["nowhere.md", "theory.md#nothing", "#nothing"] {
        assert!(follow(dead).is_err(), "{dead}");
    }
    assert!(follow(&ours("NOTHING.md")).is_err());
}
