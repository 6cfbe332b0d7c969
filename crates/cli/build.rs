//! What `meetjoin --version --verbose` says of how the program was built.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=MEETJOIN_COMMIT");
    let variable = |name: &str| env::var(name).unwrap_or_else(|_| "unknown".to_owned());
    let compiler = said(&variable("RUSTC"), &["--version"]);
    let features: Vec<String> = env::vars()
        .filter_map(|(name, _)| Some(name.strip_prefix("CARGO_FEATURE_")?.to_lowercase()))
        .collect();
    for (name, value) in [
        ("COMMIT", commit()),
        ("TARGET", Some(variable("TARGET"))),
        ("COMPILER", compiler),
        ("PROFILE", Some(variable("PROFILE"))),
        (
            "FEATURES",
            Some(features.join(", ")).filter(|all| !all.is_empty()),
        ),
        ("PROCESSOR", Some(variable("CARGO_CFG_TARGET_FEATURE"))),
    ] {
        let value = value.unwrap_or_else(|| {
            if name == "FEATURES" {
                "none"
            } else {
                "unknown"
            }
            .to_owned()
        });
        println!("cargo::rustc-env=MEETJOIN_{name}={value}");
    }
}

/// The commit: from the packager, the packed crate, or the repository.
fn commit() -> Option<String> {
    if let Ok(commit) = env::var("MEETJOIN_COMMIT") {
        return Some(commit);
    }
    let packed = Path::new(".cargo_vcs_info.json");
    if let Ok(text) = std::fs::read_to_string(packed) {
        let hash = text.split("\"sha1\": \"").nth(1)?;
        return hash.split('"').next().map(str::to_owned);
    }
    if env::var("PROFILE").as_deref() != Ok("release") {
        // In a development build the program would be rebuilt for each commit.
        return None;
    }
    let log = said("git", &["rev-parse", "--git-path", "logs/HEAD"])?;
    println!("cargo::rerun-if-changed={log}");
    said("git", &["rev-parse", "HEAD"])
}

/// The output of a program, on one line.
fn said(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success()).then(|| text.trim().to_owned())
}
