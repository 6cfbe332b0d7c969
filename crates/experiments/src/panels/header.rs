//! The head of a report: what was measured, and where.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the workspace that cargo was called in, or the current one. Two clones may have
/// one folder for what is built, and the program then is compiled in either.
pub(crate) fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let workspace = package.as_deref().and_then(|here| here.ancestors().nth(2));
    workspace.map_or_else(|| ".".into(), Path::to_owned)
}

/// The machine and the program, one fact a line.
pub(crate) fn facts() -> Vec<(&'static str, String)> {
    vec![
        ("Machine", machine()),
        (
            "Compiler",
            said("rustc", &["--version"]).unwrap_or_else(unknown),
        ),
        ("Commit", commit()),
    ]
}

fn unknown() -> String {
    "unknown".to_owned()
}

/// Processor, cores in reach, memory, operating system; as far as the system says.
fn machine() -> String {
    let cpu =
        field("/proc/cpuinfo", "model name").unwrap_or_else(|| "processor unknown".to_owned());
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let memory = field("/proc/meminfo", "MemTotal")
        .and_then(|text| text.trim_end_matches(" kB").parse::<u64>().ok())
        .map_or_else(String::new, |kib| {
            format!(", {} GiB", (kib + (1 << 19)) >> 20)
        });
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    format!("{cpu}, {cores} cores{memory}, {os} on {arch}")
}

/// The first value of a key in a file of `key : value` lines.
fn field(path: &str, key: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(key))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn commit() -> String {
    let Some(commit) = said("git", &["rev-parse", "--short=12", "HEAD"]) else {
        return unknown();
    };
    let changed = said("git", &["status", "--porcelain", "--untracked-files=no"]);
    match changed.as_deref() {
        Some("") => commit,
        _ => format!("{commit}, with changes"),
    }
}

/// The output of a command in the folder of the workspace.
fn said(command: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(command)
        .args(args)
        .current_dir(root())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
