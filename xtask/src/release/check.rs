//! `cargo xtask check` and `cargo xtask semver`: all code under the oldest compiler that is
//! promised, with the oldest versions of what it uses, and for other systems; and public items
//! beside those of a release.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use crate::task::Check;
use crate::workspace::{answers, cargo, root, succeed, target};

/// Only this compiler can select the oldest versions.
const NIGHTLY: &str = "nightly";
const WINDOWS: &str = "x86_64-pc-windows-gnu";
const MACOS: &str = "aarch64-apple-darwin";

/// Compiles everything, tests too, and runs nothing.
pub(crate) fn check(what: Check) -> Result<(), String> {
    match what {
        Check::Oldest => {
            let oldest = env!("CARGO_PKG_RUST_VERSION");
            has_toolchain(oldest)?;
            succeed(all(&mut cargo_of(oldest))?)?;
            println!("check: everything compiles under Rust {oldest}");
        }
        Check::Minimal => {
            has_toolchain(NIGHTLY)?;
            let lock = oldest_versions()?;
            let mut check = cargo_of(NIGHTLY);
            check.env("CARGO_RESOLVER_LOCKFILE_PATH", lock);
            succeed(all(&mut check)?)?;
            println!("check: everything compiles with the oldest versions that manifests allow");
        }
        Check::Windows => {
            let mut compiler = Command::new("x86_64-w64-mingw32-gcc");
            if !cfg!(windows) && !answers(compiler.arg("--version")) {
                return Err("the C compiler x86_64-w64-mingw32-gcc is not there; Debian's package is gcc-mingw-w64-x86-64".to_owned());
            }
            for_system(WINDOWS, &[])?;
        }
        // Apple's headers are not available elsewhere: there the allocator's C code is skipped. All
        // Rust code is checked.
        Check::Macos if cfg!(target_os = "macos") => for_system(MACOS, &[])?,
        Check::Macos => {
            let nothing = [
                ("CC_aarch64_apple_darwin", "true"),
                ("AR_aarch64_apple_darwin", "true"),
            ];
            for_system(MACOS, &nothing)?;
        }
    }
    Ok(())
}

/// Compiles everything for another system.
fn for_system(system: &str, variables: &[(&str, &str)]) -> Result<(), String> {
    let mut add = Command::new("rustup");
    succeed(add.args(["target", "add", system]).current_dir(root()))?;
    let mut check = cargo(&[]);
    check.envs(variables.iter().copied());
    succeed(all(&mut check)?.args(["--target", system]))?;
    println!("check: everything compiles for {system}; nothing was run there");
    Ok(())
}

fn all(command: &mut Command) -> Result<&mut Command, String> {
    command.env("CARGO_TARGET_DIR", target()?.join("check"));
    Ok(command.args([
        "check",
        "--quiet",
        "--workspace",
        "--all-targets",
        "--locked",
    ]))
}

/// Makes a lock file with the oldest versions that the manifests of the workspace allow, beside the
/// one of the repository. Transitive dependencies are as new as possible: their oldest versions
/// often do not work together.
fn oldest_versions() -> Result<PathBuf, String> {
    let lock = target()?.join("check").join("minimal").join("Cargo.lock");
    let now = std::fs::read(root().join("Cargo.lock")).map_err(|error| error.to_string())?;
    crate::workspace::write(&lock, now)?;
    let mut update = cargo_of(NIGHTLY);
    update.args(["update", "--quiet", "-Z", "direct-minimal-versions"]);
    succeed(update.env("CARGO_RESOLVER_LOCKFILE_PATH", &lock))?;
    Ok(lock)
}

/// Cargo of another compiler, without the environment variables that rustup has set for this one.
fn cargo_of(toolchain: &str) -> Command {
    let mut command = Command::new("rustup");
    command
        .args(["run", toolchain, "cargo"])
        .current_dir(root());
    for name in ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN"] {
        command.env_remove(name);
    }
    command
}

fn has_toolchain(name: &str) -> Result<(), String> {
    if answers(Command::new("rustup").args(["run", name, "rustc", "--version"])) {
        return Ok(());
    }
    let mut install = Command::new("rustup");
    succeed(install.args(["toolchain", "install", name, "--profile", "minimal"]))
}

/// Compares the public items of the libraries, or of one of them, with those of a revision.
pub(crate) fn semver(revision: &str, package: Option<&str>) -> Result<(), String> {
    if !answers(&mut cargo(&["semver-checks", "--version"])) {
        return Err(
            "cargo-semver-checks is not installed (cargo install cargo-semver-checks --locked)"
                .to_owned(),
        );
    }
    let tag: OsString = format!("{revision}^{{commit}}").into();
    let mut known = Command::new("git");
    known
        .args(["rev-parse", "--quiet", "--verify"])
        .arg(tag)
        .current_dir(root());
    if !answers(&mut known) {
        return Err(format!(
            "there is no revision {revision:?}; before the first release there is nothing to compare with"
        ));
    }
    let mut check = cargo(&["semver-checks", "--baseline-rev", revision]);
    match package {
        Some(package) => check.args(["--package", package]),
        // Programs have no public items.
        None => check.args(["--workspace", "--exclude", "meetjoin-cli"]),
    };
    succeed(&mut check)
}
