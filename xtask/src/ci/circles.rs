//! No circles: the files of a crate import each other one way only.
//!
//! A file uses another if its code names something that the other defines: in a `use`, or in a path
//! through `crate`, `super`, `self` or a child module. A re-exported item belongs to the file that
//! defines it. `mod child;` and `pub use` alone use nothing, and test code does not count. Macros
//! called without a path are not noticed.

mod names;
mod tokens;

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;

use crate::workspace::{folder, read, root};
use names::Modules;

/// Each file with those that it uses, and a name of each that it uses.
type Uses<'a> = BTreeMap<&'a str, BTreeMap<&'a str, &'a str>>;

/// Fails if files of one crate use each other in a circle.
pub(crate) fn check() -> Result<(), String> {
    let mut found = Vec::new();
    let mut crates = folder(&root().join("crates"))?;
    crates.push(root().join("xtask"));
    for package in crates {
        let name = package.file_name().and_then(|name| name.to_str());
        let name = name.unwrap_or_default();
        let mut files = Vec::new();
        sources(&package.join("src"), "", &mut files)?;
        if let Some(circle) = circle(&Modules::read(&files).uses()) {
            found.push(format!("files of {name} are in a circle: {circle}"));
        }
    }
    if found.is_empty() {
        Ok(())
    } else {
        Err(found.join("\n"))
    }
}

/// The sources in a folder with their names below the first one.
fn sources(path: &Path, below: &str, files: &mut Vec<(String, String)>) -> Result<(), String> {
    for path in folder(path)? {
        let name = path.file_name().and_then(|name| name.to_str());
        let name = format!("{below}{}", name.unwrap_or_default());
        if path.is_dir() {
            sources(&path, &format!("{name}/"), files)?;
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push((name, read(&path)?));
        }
    }
    Ok(())
}

/// A sentence about one of the shortest circles.
fn circle(uses: &Uses<'_>) -> Option<String> {
    let circles = uses.keys().filter_map(|file| way_back(uses, file));
    let circle = circles.min_by_key(Vec::len)?;
    let ends = circle.iter().zip(circle.iter().cycle().skip(1));
    let steps = ends.map(|(from, to)| format!("{from} uses {} of {to}", uses[from][to]));
    Some(steps.collect::<Vec<_>>().join(", "))
}

/// The shortest way from a file back to it.
fn way_back<'a>(uses: &Uses<'a>, start: &'a str) -> Option<Vec<&'a str>> {
    let mut came_from = BTreeMap::new();
    let mut open = VecDeque::from([start]);
    while let Some(file) = open.pop_front() {
        for &used in uses.get(file).into_iter().flat_map(BTreeMap::keys) {
            if used == start {
                let mut way = vec![file];
                while let Some(before) = came_from.get(way[way.len() - 1]) {
                    way.push(*before);
                }
                way.reverse();
                return Some(way);
            }
            if !came_from.contains_key(used) {
                came_from.insert(used, file);
                open.push_back(used);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The circle of files, each a name and a source.
    fn circle_of(files: &[(&str, &str)]) -> Option<String> {
        let files = files.iter();
        let files = files.map(|(name, source)| ((*name).to_owned(), (*source).to_owned()));
        let files: Vec<_> = files.collect();
        circle(&Modules::read(&files).uses())
    }

    const ROOT: (&str, &str) = ("lib.rs", "mod a; mod b; mod c;");

    #[test]
    fn two_files_that_use_each_other() {
        let of = |a, b| circle_of(&[ROOT, ("a.rs", a), ("b.rs", b)]);
        let found = Some("a.rs uses Y of b.rs, b.rs uses X of a.rs".to_owned());
        let x = "use crate::a::X; pub struct Y;";
        assert_eq!(of("use crate::b::Y; struct X;", x), found);
        assert_eq!(of("use super::b::{self, Y as Z}; struct X;", x), found);
        assert_eq!(of("use super::b; struct X(b::Y);", x), found);
        assert_eq!(of("struct X; fn f() -> super::b::Y { todo!() }", x), found);
        assert_eq!(of("use crate::b::*; struct X; fn f(_: Y) {}", x), found);
        assert_eq!(
            of("struct X; mod inner { use super::super::b::Y; }", x),
            found
        );
        // Comments, re-exports, and modules that are only imported.
        assert_eq!(of("/* crate::b::Y */ struct X; // crate::b::Y", x), None);
        assert_eq!(of("fn f() { \"crate::b::Y\" } struct X;", x), None);
        assert_eq!(of("pub(crate) use crate::b::Y; struct X;", x), None);
        assert_eq!(of("use crate::b; struct X; fn f(x: T) { x.Y(); }", x), None);
        assert_eq!(of("use crate::b::*; struct X;", x), None);
        assert_eq!(of("use other::b::Y; struct X;", x), None);
    }

    #[test]
    fn code_for_tests_does_not_count() {
        let of = |a| circle_of(&[ROOT, ("a.rs", a), ("b.rs", "use crate::a::X; struct Y;")]);
        assert_eq!(
            of("struct X; #[cfg(test)] mod tests { use crate::b::Y; }"),
            None
        );
        assert_eq!(of("#[cfg(test)] use crate::b::{Y}; struct X;"), None);
        assert_eq!(
            of("#[cfg(test)] #[allow(x)] fn f(a: [u8; 2]) { crate::b::Y } struct X;"),
            None
        );
        assert!(of("#[cfg(not(test))] use crate::b::Y; struct X;").is_some());
        let (a, tests) = (
            "#[cfg(test)] mod tests; struct X;",
            "use crate::a::X; struct T;",
        );
        let files = [
            ROOT,
            ("a.rs", a),
            ("a/tests.rs", tests),
            ("b.rs", "use crate::a::tests::T;"),
        ];
        assert_eq!(circle_of(&files), None);
    }

    #[test]
    fn a_reexport_counts_as_its_definition() {
        let lib = ("lib.rs", "mod a; mod b; pub use a::X; pub use b::Y;");
        let of = |a, b| circle_of(&[lib, ("a.rs", a), ("b.rs", b)]);
        assert_eq!(of("struct X;", "use crate::X; struct Y;"), None);
        let found = "a.rs uses Y of b.rs, b.rs uses X of a.rs".to_owned();
        assert_eq!(
            of("use crate::Y; struct X;", "use crate::X; struct Y;"),
            Some(found)
        );
        // The root uses an item that it re-exports, and is used itself.
        let lib = (
            "lib.rs",
            "mod a; pub use a::X; pub type Z = Vec<X>; pub struct W;",
        );
        let found = "a.rs uses W of lib.rs, lib.rs uses X of a.rs".to_owned();
        assert_eq!(
            circle_of(&[lib, ("a.rs", "use crate::W; struct X;")]),
            Some(found)
        );
    }

    #[test]
    fn a_child_and_its_parent() {
        let of = |a, child| circle_of(&[ROOT, ("a.rs", a), ("a/child.rs", child)]);
        let parent = "mod child; use child::Y; struct X; struct Z;";
        assert_eq!(of(parent, "struct Y;"), None);
        let found = "a.rs uses Y of a/child.rs, a/child.rs uses X of a.rs".to_owned();
        assert_eq!(of(parent, "use super::X; struct Y;"), Some(found));
        // Names that the parent only imports belong to other files.
        let parent = "mod child; use crate::b::X; fn f() { child::y() }";
        assert_eq!(of(parent, "use super::X; fn y() {}"), None);
        // A function with the name of its module.
        let parent = "mod child; pub use child::child; struct X;";
        assert_eq!(of(parent, "use super::X; fn child() {}"), None);
    }

    #[test]
    fn the_shortest_of_longer_circles() {
        let a = "use crate::b::B; struct A;";
        let b = "use crate::c::C; struct B;";
        let files = [
            ROOT,
            ("a.rs", a),
            ("b.rs", b),
            ("c.rs", "use crate::a::A; struct C;"),
        ];
        let found = "a.rs uses B of b.rs, b.rs uses C of c.rs, c.rs uses A of a.rs";
        assert_eq!(circle_of(&files).as_deref(), Some(found));
        let c = "use crate::{a::A, b::B}; struct C;";
        let files = [ROOT, ("a.rs", a), ("b.rs", b), ("c.rs", c)];
        let found = "b.rs uses C of c.rs, c.rs uses B of b.rs";
        assert_eq!(circle_of(&files).as_deref(), Some(found));
    }
}
