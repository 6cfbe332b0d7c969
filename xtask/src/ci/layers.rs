//! The layers of the workspace: which package may use which. Dependencies point one way only.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::workspace::{cargo, metadata};

/// The packages of the workspace from the bottom up; each with lists of those of ours that it may
/// use.
const LAYERS: &[(&str, &[&[&str]])] = &[
    ("meetjoin-lattice", &[]),
    ("meetjoin-report", &[&["meetjoin-lattice"]]),
    ("meetjoin-map", &[]),
    ("meetjoin-dag", &[&["meetjoin-lattice"]]),
    (
        "meetjoin-file",
        &[GRAPHS, &["meetjoin-map", "meetjoin-report"]],
    ),
    ("meetjoin-search", &[GRAPHS]),
    ("meetjoin-families", &[GRAPHS, &["meetjoin-search"]]),
    (
        "meetjoin-catalogue",
        &[GRAPHS, &["meetjoin-search", "meetjoin-families"]],
    ),
    ("meetjoin-dominance", &[GRAPHS]),
    ("meetjoin-games", &[GRAPHS]),
    ("meetjoin-faults", &[GRAPHS, &["meetjoin-report"]]),
    (
        "meetjoin-attacks",
        &[&["meetjoin-lattice", "meetjoin-faults", "meetjoin-report"]],
    ),
    ("meetjoin-check", &[GRAPHS, &["meetjoin-file"]]),
    (
        "meetjoin-bridge",
        &[
            GRAPHS,
            &["meetjoin-report", "meetjoin-search", "meetjoin-families"],
        ],
    ),
    ("meetjoin-solve", &[BELOW_THE_SEAM]),
    ("meetjoin-problems", &[BELOW_THE_SEAM, RULES, SEAM]),
    ("meetjoin-explain", &[BELOW_THE_SEAM, SEAM]),
    ("meetjoin-dataflow", &[BELOW_THE_SEAM, SEAM]),
    ("meetjoin", &[BELOW_THE_SEAM, RULES, SEAM, OF_FACADE]),
    (
        "meetjoin-web",
        &[BELOW_THE_SEAM, RULES, SEAM, OF_FACADE, OF_FRONT_ENDS],
    ),
    (
        "meetjoin-cli",
        &[BELOW_THE_SEAM, RULES, SEAM, OF_FACADE, OF_FRONT_ENDS],
    ),
    (
        "meetjoin-experiments",
        &[BELOW_THE_SEAM, RULES, SEAM, OF_FACADE],
    ),
    ("meetjoin-benches", &[BELOW_THE_SEAM, RULES]),
    ("xtask", &[]),
];

/// Graphs and the lattices of their values.
const GRAPHS: &[&str] = &["meetjoin-lattice", "meetjoin-dag"];
/// What the seam may use: it knows neither games nor files of games.
const BELOW_THE_SEAM: &[&str] = &[
    "meetjoin-lattice",
    "meetjoin-dag",
    "meetjoin-report",
    "meetjoin-file",
    "meetjoin-search",
    "meetjoin-families",
    "meetjoin-catalogue",
    "meetjoin-check",
];
/// Games, fault trees, and the algebra of packets.
const RULES: &[&str] = &["meetjoin-dominance", "meetjoin-games", "meetjoin-faults"];
const SEAM: &[&str] = &["meetjoin-solve"];
/// What the facade and the experiments use besides.
const OF_FACADE: &[&str] = &["meetjoin-bridge", "meetjoin-problems"];
/// What the command line and the site use besides.
const OF_FRONT_ENDS: &[&str] = &["meetjoin-attacks", "meetjoin-explain", "meetjoin-dataflow"];

/// The one package with its own lints: `forbid` allows no exception.
const ONE_UNSAFE_LINE: &str = "meetjoin-map";

/// What tests alone may use besides: known answers are problem files, certificates are checked, and
/// what the site answers is compared with what the command does.
const TESTS_MAY_USE: &[(&str, &str)] = &[
    ("meetjoin-search", "meetjoin-file"),
    ("meetjoin-families", "meetjoin-check"),
    ("meetjoin-explain", "meetjoin-games"),
    ("meetjoin-explain", "meetjoin-problems"),
    ("meetjoin-dataflow", "meetjoin-problems"),
    ("meetjoin-cli", "meetjoin-web"),
];

/// The packages that are meant for crates.io.
pub(crate) const PUBLISHED: &[&str] = &[
    "meetjoin-lattice",
    "meetjoin-report",
    "meetjoin-dag",
    "meetjoin-map",
    "meetjoin-file",
    "meetjoin-check",
    "meetjoin-search",
    "meetjoin-families",
    "meetjoin-catalogue",
    "meetjoin-dominance",
    "meetjoin-games",
    "meetjoin-faults",
    "meetjoin-attacks",
    "meetjoin-bridge",
    "meetjoin-solve",
    "meetjoin-problems",
    "meetjoin-explain",
    "meetjoin",
    "meetjoin-dataflow",
    "meetjoin-cli",
];

/// Fails if a package uses one above it, is missing in the table, or opts out of the common lints.
pub(crate) fn check() -> Result<(), String> {
    let metadata = metadata(&["--no-deps"])?;
    let packages = metadata["packages"]
        .as_array()
        .ok_or("cargo metadata lists no packages")?;
    let found: BTreeSet<&str> = packages.iter().filter_map(|p| p["name"].as_str()).collect();
    let expected: BTreeSet<&str> = LAYERS.iter().map(|(name, _)| *name).collect();
    if found != expected {
        return Err(format!(
            "the packages are {found:?}, the table of layers has {expected:?}"
        ));
    }
    for package in packages {
        check_package(package)?;
    }
    same_features("meetjoin-cli", "meetjoin-experiments", "meetjoin-problems")
}

/// Fails if a dependency that two programs share has different features in each, and so is compiled
/// twice.
fn same_features(one: &str, other: &str, shared: &str) -> Result<(), String> {
    let tree = |package: &str, format: &str| {
        let output = cargo(&[
            "tree",
            "--edges",
            "normal,build",
            "--prefix",
            "none",
            "--no-dedupe",
        ])
        .args(["--package", package, "--format", format])
        .output()
        .map_err(|error| format!("cargo tree does not start: {error}"))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok::<BTreeSet<String>, String>(text.lines().map(str::to_owned).collect())
    };
    let below = tree(shared, "{p}")?;
    let of = |package| -> Result<BTreeSet<String>, String> {
        let lines = tree(package, "{p}|{f}")?;
        let is_shared = |line: &String| line.split('|').next().is_some_and(|p| below.contains(p));
        Ok(lines.into_iter().filter(is_shared).collect())
    };
    let (of_one, of_other) = (of(one)?, of(other)?);
    match of_one.symmetric_difference(&of_other).next() {
        None => Ok(()),
        Some(line) => Err(format!(
            "{one} and {other} compile {shared} twice: only one of them has {line}; see the end of their manifests"
        )),
    }
}

fn check_package(package: &Value) -> Result<(), String> {
    let name = package["name"].as_str().unwrap_or_default();
    let row = LAYERS.iter().find(|(known, _)| *known == name);
    let allowed = row.map_or(&[][..], |(_, allowed)| allowed);
    let is_allowed = |used| allowed.iter().any(|list| list.contains(&used));
    // Dev-dependencies count too: no package may need one above it.
    let dependencies = package["dependencies"].as_array();
    for dependency in dependencies.into_iter().flatten() {
        let used = dependency["name"].as_str().unwrap_or_default();
        let ours = LAYERS.iter().any(|(known, _)| *known == used);
        let in_tests = dependency["kind"] == "dev" && TESTS_MAY_USE.contains(&(name, used));
        if ours && !is_allowed(used) && !in_tests {
            return Err(format!("{name} uses {used}, which is not below it"));
        }
    }
    let manifest = package["manifest_path"].as_str().unwrap_or_default();
    let manifest = std::fs::read_to_string(manifest).map_err(|error| format!("{name}: {error}"))?;
    if manifest.contains("[lints]\nworkspace = true") || name == ONE_UNSAFE_LINE {
        Ok(())
    } else {
        Err(format!("{name} does not use the lints of the workspace"))
    }
}
