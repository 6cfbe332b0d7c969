//! `cargo xtask ci --fuzz`: every fuzz target for a while, with cargo-fuzz on a nightly compiler.

use std::process::Command;

use crate::workspace::{folder, root, succeed};

/// The compiler with the sanitizers that cargo-fuzz asks for.
const TOOLCHAIN: &str = "nightly";

/// Runs each target, or the one named, for `seconds` seconds.
pub(crate) fn run(seconds: u32, only: Option<&str>) -> Result<(), String> {
    let targets = targets()?;
    if let Some(unknown) = only.filter(|only| !targets.iter().any(|target| target == only)) {
        return Err(format!(
            "there is no fuzz target {unknown:?}; there are {}",
            targets.join(", ")
        ));
    }
    if !has(&["rustup", "run", TOOLCHAIN, "rustc", "--version"]) {
        succeed(Command::new("rustup").args([
            "toolchain",
            "install",
            TOOLCHAIN,
            "--profile",
            "minimal",
        ]))?;
    }
    if !has(&["cargo", "fuzz", "--version"]) {
        succeed(Command::new("cargo").args(["install", "cargo-fuzz", "--locked"]))?;
    }
    for target in targets
        .iter()
        .filter(|target| only.is_none_or(|only| only == *target))
    {
        println!("== fuzz {target} for {seconds} s");
        let mut fuzz = Command::new("cargo");
        // There is hardly any unsafe code, so AddressSanitizer would only make it slow.
        fuzz.arg(format!("+{TOOLCHAIN}"))
            .args(["fuzz", "run", "--sanitizer", "none", target, "--"])
            .arg(format!("-max_total_time={seconds}"))
            .args(["-timeout=20", "-rss_limit_mb=2048", "-print_final_stats=1"])
            .current_dir(root());
        succeed(&mut fuzz)?;
    }
    Ok(())
}

/// Returns whether a program can be run.
fn has(command: &[&str]) -> bool {
    let output = Command::new(command[0]).args(&command[1..]).output();
    output.is_ok_and(|output| output.status.success())
}

/// The targets: the files of their folder except `lib.rs`.
fn targets() -> Result<Vec<String>, String> {
    let files = folder(&root().join("fuzz/targets"))?;
    let names = files.iter().filter_map(|path| path.file_stem()?.to_str());
    Ok(names
        .filter(|name| *name != "lib")
        .map(str::to_owned)
        .collect())
}
