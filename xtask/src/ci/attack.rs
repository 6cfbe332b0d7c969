//! `cargo xtask ci --attack`: the attacks of `crates/cli/tests/attack`, each for a while, on the
//! release program.

use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::workspace::{cargo_path, root, succeed, target};

/// Runs all attacks, one after the other.
pub(crate) fn run(seconds: u32, seed: Option<u64>) -> Result<(), String> {
    // A new seed each time; it is printed.
    let now = || SystemTime::now().duration_since(UNIX_EPOCH);
    let seed = seed.unwrap_or_else(|| now().map_or(1, |now| now.as_secs()));
    println!(
        "== attack for {seconds} s each; again with: cargo xtask ci --attack {seconds} --seed {seed}"
    );
    let mut build = Command::new(cargo_path());
    build.args(["build", "--release", "--package", "meetjoin-cli"]);
    succeed(build.current_dir(root()))?;
    let name = format!("meetjoin{}", std::env::consts::EXE_SUFFIX);
    let program = target()?.join("release").join(name);
    let mut attack = Command::new(cargo_path());
    attack.args(["test", "--package", "meetjoin-cli", "--test", "attack"]);
    attack.args(["--", "--ignored", "--nocapture", "--test-threads", "1"]);
    attack.env("ATTACK_SECONDS", seconds.to_string());
    attack.env("ATTACK_SEED", seed.to_string());
    attack.env("ATTACK_PROGRAM", program);
    succeed(attack.current_dir(root()))
}
