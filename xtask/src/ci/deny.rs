//! Licences and sources of the dependencies, where cargo-deny is installed.

use std::process::Command;

use crate::workspace::{cargo, succeed};

/// Runs `cargo deny check` with `deny.toml`. Advisories are checked if their database is available.
pub(crate) fn check() -> Result<(), String> {
    let version = cargo(&["deny", "--version"]).output();
    if !version.is_ok_and(|output| output.status.success()) {
        println!(
            "left out: cargo-deny is not installed (cargo install cargo-deny --locked), so nobody looked at licences and sources of the dependencies"
        );
        return Ok(());
    }
    succeed(&mut check_of(&["licenses", "bans", "sources"]))?;
    if !fetches() {
        println!("left out: the list of advisories cannot be had");
        return Ok(());
    }
    succeed(&mut check_of(&["--disable-fetch", "advisories"]))
}

fn check_of(what: &[&str]) -> Command {
    let mut command = cargo(&["deny", "--log-level", "error", "check"]);
    command.args(what);
    command
}

/// Returns whether the database of advisories is available, fetched now or before.
fn fetches() -> bool {
    let output = cargo(&["deny", "fetch", "db"]).output();
    output.is_ok_and(|output| output.status.success())
}
