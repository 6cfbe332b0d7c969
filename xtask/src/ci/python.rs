//! `cargo xtask python` and `cargo xtask ci --python`: the Python package as a new user gets it. A
//! wheel is built, installed into an empty virtual environment, and tried: its tests, its examples,
//! its types. If Python or a tool is missing, one line says so and the step passes.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::workspace::{folder, root, succeed, target};

/// What the tests need beside the wheel.
const NEEDED: &[&str] = &[
    "maturin>=1.9,<2",
    "pytest",
    "hypothesis",
    "numpy",
    "networkx",
    "mypy",
    "tqdm",
    "twine",
    "types-tqdm",
];

/// As a release would: slow to build, fast to run.
pub(crate) const RELEASE: &str = "release";
/// For the gate: fast to build, slow to run.
pub(crate) const CI: &str = "ci";

/// `profile` is one of `crates/python/Cargo.toml`.
pub(crate) fn run(profile: &str) -> Result<(), String> {
    let here = target()?.join("python");
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
    maturin.args(["build", "--strip", "--profile", profile, "--out"]);
    maturin.arg(&wheels).current_dir(&crates);
    maturin.env("CARGO_TARGET_DIR", here.join("target"));
    succeed(&mut maturin)?;
    if profile == RELEASE {
        let mut sources = Command::new(scripts.join("maturin"));
        sources.args(["sdist", "--out"]).arg(&wheels);
        succeed(sources.current_dir(&crates))?;
    }
    let made: Vec<PathBuf> = folder(&wheels)?;
    let mut twine = python();
    twine.args(["-m", "twine", "check", "--strict"]).args(&made);
    succeed(&mut twine)?;
    for wheel in &made {
        let bytes = wheel.metadata().map_or(0, |metadata| metadata.len());
        println!("python: {} has {bytes} bytes", wheel.display());
    }
    // Only wheels: the source distribution has served its purpose.
    let is_wheel = |path: &&PathBuf| path.extension().is_some_and(|end| end == "whl");
    let wheel: Vec<&PathBuf> = made.iter().filter(is_wheel).collect();
    answers_alone(interpreter, &here.join("alone"), &wheel)?;
    succeed(
        python()
            .args(["-m", "pip", "install", "--quiet"])
            .args(&wheel),
    )?;
    // Not in the folder of the package, so that the wheel is what is tested.
    let tests = crates.join("tests");
    succeed(
        python()
            .args(["-m", "pytest", "--quiet", "-rs", "-p", "no:cacheprovider"])
            .arg(&tests)
            .current_dir(&here),
    )?;
    for example in folder(&crates.join("examples"))? {
        succeed(python().arg(&example).current_dir(&here))?;
    }
    // Once: it checks that visits are the same on both sides.
    let bench = crates.join("benches").join("own_game.py");
    succeed(python().arg(&bench).arg("1").current_dir(&here))?;
    succeed(
        python()
            .args(["-m", "mypy", "--strict", "--package", "meetjoin"])
            .current_dir(&here),
    )?;
    // The stubs against the module: every name, argument and default.
    succeed(
        python()
            .args(["-m", "mypy.stubtest", "meetjoin._meetjoin"])
            .current_dir(&here),
    )?;
    // It uses the Python on the path.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(scripts.clone()).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(path).map_err(|error| error.to_string())?;
    let pyright = || {
        let mut command = Command::new(scripts.join("pyright"));
        command
            .env("PATH", &path)
            .env("PYRIGHT_PYTHON_IGNORE_WARNINGS", "1");
        command
    };
    // It is written in JavaScript, and downloads itself and Node.js when first started.
    if succeed(python().args(["-m", "pip", "install", "--quiet", "pyright"])).is_err()
        || succeed(pyright().arg("--version")).is_err()
    {
        println!("python: pyright is skipped, it cannot be had");
        return Ok(());
    }
    succeed(pyright().current_dir(&crates))?;
    succeed(
        pyright()
            .args(["--verifytypes", "meetjoin", "--ignoreexternal"])
            .current_dir(&here),
    )
}

/// A question whose answer is known.
const QUESTION: &str = "import meetjoin; p = meetjoin.Problem.from_gates([('r', 'or', ['x', 'y'])], \
     {'x': {1}, 'y': {2}}, meetjoin.Powerset(3)); \
     assert p.solve().value == frozenset({1, 2}), p.solve()";

/// Installs wheels into an empty environment with nothing on its path but itself, no compiler above
/// all, and asks.
fn answers_alone(interpreter: &str, folder: &Path, wheels: &[&PathBuf]) -> Result<(), String> {
    let mut venv = Command::new(interpreter);
    succeed(venv.args(["-m", "venv", "--clear"]).arg(folder))?;
    let scripts = folder.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let python = || {
        let mut python = Command::new(scripts.join("python"));
        python.env("PATH", &scripts).current_dir(folder);
        python
    };
    let mut install = python();
    install.args(["-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]);
    succeed(install.args(wheels))?;
    succeed(python().args(["-c", QUESTION]))
}
