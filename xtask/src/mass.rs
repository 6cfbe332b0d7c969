//! How heavy each crate is: lines, public types, error types, and the seconds of the last build.
//!
//! `mass.json` holds the figures of today. The gate fails if one of them rises and the file does
//! not say so: a feature pays for its lines, visibly.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::{Value, json};

use crate::workspace::{folder, read, root, target, tree, write};

const FILE: &str = "mass.json";

/// What is counted of a crate. Lines of tests are those of its folder `tests`, and those in `src`
/// from the first `#[cfg(test)]` of a file on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Mass {
    /// All lines under `src`.
    lines: u64,
    /// Those of documentation among them.
    docs: u64,
    tests: u64,
    /// Public structs, enums and traits.
    types: u64,
    /// Types that derive `Error`.
    errors: u64,
}

const FIGURES: [&str; 5] = ["lines", "docs", "tests", "types", "errors"];

impl Mass {
    fn figures(self) -> [u64; 5] {
        [self.lines, self.docs, self.tests, self.types, self.errors]
    }

    fn add(&mut self, other: Self) {
        self.lines += other.lines;
        self.docs += other.docs;
        self.tests += other.tests;
        self.types += other.types;
        self.errors += other.errors;
    }
}

/// Counts a file under `src`.
fn of_source(text: &str) -> Mass {
    let is_of_tests = |line: &str| line.trim_start().starts_with("#[cfg(test)]");
    let mut mass = Mass::default();
    for (number, line) in text.lines().map(str::trim_start).enumerate() {
        if is_of_tests(line) {
            mass.tests = (text.lines().count() - number) as u64;
            break;
        }
        let is_type = ["pub struct ", "pub enum ", "pub trait "];
        mass.docs += u64::from(line.starts_with("///") || line.starts_with("//!"));
        mass.types += u64::from(is_type.iter().any(|start| line.starts_with(start)));
        let is_error = line.starts_with("#[derive(") && line.contains("Error");
        mass.errors += u64::from(is_error);
    }
    mass.lines = text.lines().count() as u64;
    mass
}

/// The mass of each crate, by the name of its folder.
fn measured() -> Result<BTreeMap<String, Mass>, String> {
    let mut crates: Vec<PathBuf> = folder(&root().join("crates"))?;
    crates.extend(["benches", "xtask"].map(|name| root().join(name)));
    let name = |path: &Path| {
        path.file_name()
            .map(|name| name.to_string_lossy().into_owned())
    };
    let mut all: BTreeMap<String, Mass> = crates
        .iter()
        .filter_map(|path| Some((name(path)?, Mass::default())))
        .collect();
    for file in tree("rs")? {
        let Some(path) = crates.iter().find(|path| file.starts_with(path)) else {
            continue;
        };
        let mass = name(path).and_then(|name| all.get_mut(&name));
        let Some(mass) = mass else { continue };
        let text = read(&file)?;
        if file.starts_with(path.join("src")) {
            mass.add(of_source(&text));
        } else if file.starts_with(path.join("tests")) {
            mass.tests += text.lines().count() as u64;
        }
    }
    Ok(all)
}

/// Seconds in which the library, or else the program, of each crate was compiled last in a profile:
/// from the time at which its compiler was started to that of its fingerprint.
fn seconds(profile: &str) -> BTreeMap<String, f64> {
    let mut last: BTreeMap<String, (SystemTime, f64)> = BTreeMap::new();
    let units = target().and_then(|target| folder(&target.join(profile).join(".fingerprint")));
    for unit in units.unwrap_or_default() {
        let time = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
        let is_built = |path: &PathBuf| {
            let file = path.file_name().map(|name| name.to_string_lossy());
            file.is_some_and(|file| file.starts_with("lib-") || file.starts_with("bin-"))
        };
        let done = folder(&unit).unwrap_or_default();
        let done = done
            .iter()
            .filter(|path| is_built(path))
            .find_map(|path| time(path));
        let begun = time(&unit.join("invoked.timestamp"));
        let name = unit
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        let name = name
            .as_deref()
            .and_then(|name| Some(name.rsplit_once('-')?.0.to_owned()));
        let (Some(name), Some(begun), Some(done)) = (name, begun, done) else {
            continue;
        };
        let took = done.duration_since(begun).unwrap_or_default().as_secs_f64();
        let name = name.strip_prefix("meetjoin-").unwrap_or(&name).to_owned();
        if last.get(&name).is_none_or(|(at, _)| *at < done) {
            last.insert(name, (done, took));
        }
    }
    last.into_iter()
        .map(|(name, (_, took))| (name, took))
        .collect()
}

/// Prints a table.
pub(crate) fn print() -> Result<(), String> {
    let all = measured()?;
    let profiles = ["release", "debug"].map(|profile| (profile, seconds(profile)));
    let mut text = format!("{:12}", "crate");
    for name in FIGURES {
        let _ = write!(text, "{name:>9}");
    }
    for (profile, _) in &profiles {
        let _ = write!(text, "{:>12}", format!("{profile}, s"));
    }
    let mut sum = Mass::default();
    for (name, mass) in &all {
        sum.add(*mass);
        let _ = write!(text, "\n{name:12}");
        for figure in mass.figures() {
            let _ = write!(text, "{figure:>9}");
        }
        for (_, seconds) in &profiles {
            let took = seconds.get(name).map(|took| format!("{took:.1}"));
            let _ = write!(text, "{:>12}", took.unwrap_or_default());
        }
    }
    let _ = write!(text, "\n{:12}", "all");
    for figure in sum.figures() {
        let _ = write!(text, "{figure:>9}");
    }
    println!("{text}");
    Ok(())
}

/// Writes the figures of today into the file.
pub(crate) fn record() -> Result<(), String> {
    let crates = measured()?.into_iter().map(|(name, mass)| {
        let figures = FIGURES.iter().zip(mass.figures());
        let figures = figures.map(|(name, figure)| ((*name).to_owned(), json!(figure)));
        (name, Value::Object(figures.collect()))
    });
    // A line a crate, so that two changes of different crates do not meet.
    let lines = crates.map(|(name, figures)| format!(" {}: {figures}", json!(name)));
    let lines = lines.collect::<Vec<String>>().join(",\n");
    write(&root().join(FILE), format!("{{\n{lines}\n}}\n"))
}

/// Fails where a crate is heavier than the file says.
pub(crate) fn check() -> Result<(), String> {
    let recorded: Value =
        serde_json::from_str(&read(FILE)?).map_err(|error| format!("{FILE}: {error}"))?;
    let (mut risen, mut fallen) = (Vec::new(), 0);
    for (name, mass) in measured()? {
        for (what, figure) in FIGURES.iter().zip(mass.figures()) {
            let before = recorded[&name][what].as_u64().unwrap_or(0);
            if figure > before {
                risen.push(format!("{name}: {what} {before} -> {figure}"));
            }
            fallen += u64::from(figure < before);
        }
    }
    if fallen > 0 {
        println!("{fallen} figures of {FILE} have fallen; cargo xtask mass --write records them");
    }
    if risen.is_empty() {
        return Ok(());
    }
    Err(format!(
        "heavier than {FILE} says: {}; make it lighter, or record it with the change: cargo xtask mass --write",
        risen.join(", ")
    ))
}

#[test]
fn lines_and_types_are_counted() {
    let text = "//! A file.\n\n/// A type.\n#[derive(Debug, thiserror::Error)]\npub enum E {}\n\
        pub(crate) struct Hidden;\nimpl E {\n    pub fn f() {}\n}\n#[cfg(test)]\nmod tests {\n}\n";
    let counted = Mass {
        lines: 12,
        docs: 2,
        tests: 3,
        types: 1,
        errors: 1,
    };
    assert_eq!(of_source(text), counted);
}
