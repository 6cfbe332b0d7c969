//! `cargo xtask ci --attack`: the attacks of `crates/cli/tests/attack`, each for a while, on the
//! release program.

use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::workspace::{cargo_path, root, succeed, target};

/// What the arguments after `--attack` say: seconds for each attack, and the seed.
pub(crate) fn arguments(words: &[&str]) -> Result<(u32, u64), String> {
    let number = |word: &str| format!("{word:?} is no number");
    let (seconds, rest) = match words {
        [seconds, rest @ ..] if *seconds != "--seed" => {
            (seconds.parse().map_err(|_| number(seconds))?, rest)
        }
        rest => (20, rest),
    };
    let seed = match rest {
        [] => {
            // Another one each time; it is printed.
            let now = SystemTime::now().duration_since(UNIX_EPOCH);
            now.map_or(1, |now| now.as_secs())
        }
        ["--seed", seed] => seed.parse().map_err(|_| number(seed))?,
        _ => return Err("it is written --attack [SECONDS] [--seed N]".to_owned()),
    };
    Ok((seconds, seed))
}

/// Runs all attacks, one after the other.
pub(crate) fn run(seconds: u32, seed: u64) -> Result<(), String> {
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
