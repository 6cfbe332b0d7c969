//! `cargo xtask python`: the Python package as a new user gets it. A wheel is built, installed into an empty virtual environment, and tried: its tests, its
//! types, its examples. Where Python or what it needs cannot be had, one line says so and nothing fails.

use std::path::PathBuf;
use std::process::Command;

use crate::workspace::{folder, root, succeed};

/// What the tests need beside the wheel.
const NEEDED: &[&str] = &[
    "maturin>=1.9,<2",
    "pytest",
    "hypothesis",
    "numpy",
    "networkx",
    "mypy",
    "types-tqdm",
];

pub(crate) fn run() -> Result<(), String> {
    let here = root().join("target").join("python");
    let (crates, wheels) = (root().join("crates").join("python"), here.join("wheels"));
    let scripts = here
        .join("venv")
        .join(if cfg!(windows) { "Scripts" } else { "bin" });
    let python = || Command::new(scripts.join("python"));
    let skipped = |why: &str| {
        println!("python: skipped, {why}");
        Ok(())
    };
    let version = "import sys; sys.exit(sys.version_info < (3, 9))";
    let Some(interpreter) = ["python3", "python"]
        .into_iter()
        .find(|name| succeed(Command::new(name).args(["-c", version])).is_ok())
    else {
        return skipped("there is no Python of version 3.9 or newer");
    };
    let mut venv = Command::new(interpreter);
    if succeed(venv.args(["-m", "venv", "--clear"]).arg(here.join("venv"))).is_err() {
        return skipped("no virtual environment can be made");
    }
    if succeed(
        python()
            .args(["-m", "pip", "install", "--quiet"])
            .args(NEEDED),
    )
    .is_err()
    {
        return skipped("what the tests need cannot be installed");
    }
    let _ = std::fs::remove_dir_all(&wheels);
    let mut maturin = Command::new(scripts.join("maturin"));
    maturin.args(["build", "--release", "--strip", "--out"]);
    maturin.arg(&wheels).current_dir(&crates);
    maturin.env("CARGO_TARGET_DIR", here.join("target"));
    succeed(&mut maturin)?;
    let made: Vec<PathBuf> = folder(&wheels)?;
    succeed(
        python()
            .args(["-m", "pip", "install", "--quiet"])
            .args(&made),
    )?;
    // Not in the folder of the package, so that what is tried is the wheel.
    let tests = crates.join("tests");
    succeed(
        python()
            .args(["-m", "pytest", "--quiet", "-p", "no:cacheprovider"])
            .arg(&tests)
            .current_dir(&here),
    )?;
    succeed(
        python()
            .args(["-m", "mypy", "--strict", "--package", "meetjoin"])
            .current_dir(&here),
    )?;
    for example in folder(&crates.join("examples"))? {
        succeed(python().arg(&example).current_dir(&here))?;
    }
    Ok(())
}
