//! `cargo xtask ci`: what must hold beside the tests, in the order in which it fails fastest.

pub(crate) mod attack;
mod circles;
mod deny;
mod docs;
pub(crate) mod fuzz;
pub(crate) mod layers;
mod locks;
pub(crate) mod map;
mod package;
pub(crate) mod python;
mod web;
mod workflows;

use std::env::consts::EXE_SUFFIX;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::workspace::{cargo, folder, read, root, succeed, target};
use crate::{counts, mass};

type Step = (&'static str, fn() -> Result<(), String>);

const STEPS: &[Step] = &[
    ("format", || {
        succeed(&mut cargo(&["fmt", "--all", "--check"]))
    }),
    ("layers", layers::check),
    ("circles", circles::check),
    ("mass", mass::check),
    ("locks", locks::check),
    ("documents", docs::check),
    ("workflows", || workflows::check(&names())),
    ("deny", deny::check),
    ("clippy", clippy),
    ("rustdoc", rustdoc),
    ("examples", examples),
    ("apart", apart),
    ("package", || package::check(layers::PUBLISHED)),
];

/// Steps run on demand only: each takes minutes.
const ON_DEMAND: &[Step] = &[
    ("python", || python::run(python::CI)),
    ("web", web::run),
    ("tests", tests),
    ("counts", || counts::compare("benches/counts.json")),
];

fn names() -> Vec<&'static str> {
    let all = STEPS.iter().chain(ON_DEMAND);
    all.map(|(name, _)| *name).collect()
}

pub(crate) fn run(only: Option<&str>, asked: &[String]) -> Result<(), String> {
    let names = names();
    if let Some(unknown) = only.filter(|only| !names.contains(only)) {
        return Err(format!(
            "there is no step {unknown:?}; there are {}",
            names.join(", ")
        ));
    }
    let is_on_demand = |name: &str| ON_DEMAND.iter().any(|(other, _)| *other == name);
    for (name, step) in STEPS.iter().chain(ON_DEMAND) {
        if only.is_some_and(|only| only != *name) {
            continue;
        }
        if only.is_none() && is_on_demand(name) && !asked.contains(&format!("--{name}")) {
            println!("== {name}: left out; --{name} adds it");
            continue;
        }
        let started = Instant::now();
        println!("== {name}");
        step().map_err(|error| format!("step {name}: {error}"))?;
        println!(
            "== {name}: fine after {:.1} s",
            started.elapsed().as_secs_f64()
        );
    }
    Ok(())
}

fn tests() -> Result<(), String> {
    succeed(&mut cargo(&["test", "--workspace", "--no-fail-fast"]))
}

fn clippy() -> Result<(), String> {
    let args = [
        "clippy",
        "--workspace",
        "--all-targets",
        "--quiet",
        "--",
        "-D",
        "warnings",
    ];
    succeed(&mut cargo(&args))
}

fn rustdoc() -> Result<(), String> {
    let mut command = cargo(&["doc", "--workspace", "--no-deps", "--quiet"]);
    succeed(command.env("RUSTDOCFLAGS", "-D warnings"))
}

/// The most lines of an example.
const EXAMPLE_LINES: usize = 60;

/// Runs each example, in the tests' build profile: it checks its own answers. Each must stay short.
fn examples() -> Result<(), String> {
    let mut names = Vec::new();
    for path in folder(&root().join("crates/meetjoin/examples"))? {
        if read(&path)?.lines().count() >= EXAMPLE_LINES {
            return Err(format!(
                "{} has {EXAMPLE_LINES} lines or more",
                path.display()
            ));
        }
        names.extend(
            path.file_stem()
                .and_then(|stem| stem.to_str())
                .map(str::to_owned),
        );
    }
    // For the whole workspace, as the tests are built: for a single package, features of
    // dependencies would differ, and these and their dependents would be built twice.
    let mut build = cargo(&["build", "--workspace", "--profile", "test", "--quiet"]);
    for name in &names {
        build.args(["--example", name]);
    }
    succeed(&mut build)?;
    let built = target()?.join("debug/examples");
    for name in names {
        let mut example = Command::new(built.join(name + EXE_SUFFIX));
        succeed(example.current_dir(root()).stdout(Stdio::null()))?;
    }
    extension()
}

/// Compiles separate workspaces that nothing else here compiles, so that a broken target is noticed
/// early.
fn apart() -> Result<(), String> {
    for folder in ["fuzz", "benches/oxidd"] {
        let mut check = cargo(&["check", "--quiet", "--locked", "--all-targets"]);
        check.arg("--manifest-path");
        check.arg(root().join(folder).join("Cargo.toml"));
        check.env("CARGO_TARGET_DIR", target()?.join("apart"));
        // libFuzzer is only linked where targets run, as it takes a C++ compiler.
        check.env("CUSTOM_LIBFUZZER_PATH", "/no/libfuzzer.a");
        succeed(&mut check)?;
    }
    Ok(())
}

/// The crate outside the workspace that adds an algorithm, a lattice and a graph: it checks its own
/// answers too, and the book shows what it prints.
fn extension() -> Result<(), String> {
    let manifest = root().join("examples/extension/Cargo.toml");
    let task = |args: &[&str]| -> Result<Command, String> {
        let mut command = cargo(args);
        command.arg("--manifest-path").arg(&manifest);
        command.env("CARGO_TARGET_DIR", target()?.join("extension"));
        Ok(command)
    };
    succeed(&mut task(&["fmt", "--check"])?)?;
    let mut run = task(&["run", "--quiet", "--locked"])?;
    let run = run.stderr(Stdio::inherit()).output();
    let run = run.map_err(|error| format!("cargo run of {}: {error}", manifest.display()))?;
    if !run.status.success() {
        return Err(format!("{} ended with {}", manifest.display(), run.status));
    }
    let page = root().join("docs/src/algorithms.md");
    let printed = String::from_utf8_lossy(&run.stdout);
    if printed.trim().is_empty() || !read(&page)?.contains(printed.trim()) {
        return Err(format!(
            "{} does not show what it prints: {printed}",
            page.display()
        ));
    }
    Ok(())
}
