//! `cargo xtask ci --web`: the pages of the site in a real browser, with clicks and keys. If the
//! target for WebAssembly, Chromium or its driver is missing, one line says so and the step passes.

use std::process::{Command, Stdio};

use crate::site;
use crate::workspace::{cargo, root, succeed, target};

/// Builds the pages, and tries them.
pub(crate) fn run() -> Result<(), String> {
    let skipped = |why: &str| {
        println!("web: skipped, {why}");
        Ok(())
    };
    if !site::has_target() {
        return skipped("the target of Rust for WebAssembly cannot be had");
    }
    if !has_browser() {
        return skipped("Chromium and its driver cannot be had");
    }
    let _ = std::fs::remove_dir_all(site::folder()?);
    site::pages()?;
    let manifest = root()
        .join("crates")
        .join("web")
        .join("browser")
        .join("Cargo.toml");
    let mut tests = cargo(&["test", "--quiet", "--manifest-path"]);
    tests
        .arg(manifest)
        .env("SITE", site::folder()?)
        .env("PROGRAMS", site::native()?);
    tests.env("CARGO_TARGET_DIR", target()?.join("browser"));
    succeed(&mut tests)
}

/// Whether a browser can be driven; Debian's are installed where that is allowed.
fn has_browser() -> bool {
    let answers = |name: &str| {
        let mut version = Command::new(name);
        version
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        version.status().is_ok_and(|status| status.success())
    };
    let both = || answers("chromium") && answers("chromedriver");
    let mut install = Command::new("apt-get");
    install.args(["install", "--yes", "--quiet", "chromium", "chromium-driver"]);
    install.env("DEBIAN_FRONTEND", "noninteractive");
    install.stdout(Stdio::null()).stderr(Stdio::null());
    both() || (install.status().is_ok_and(|status| status.success()) && both())
}
