//! `cargo xtask site`: the book and the pages for trying meetjoin in a browser, as static files in
//! `target/site`. Missing tools are fetched: the Rust target for WebAssembly, and mdbook.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::workspace::{cargo, read, root, succeed, target};

/// Programs in WebAssembly with standard input and output.
const TARGET: &str = "wasm32-wasip1";
/// The version of mdbook.
const MDBOOK: &str = "0.5.4";

/// The folder of the site.
pub(crate) fn folder() -> Result<PathBuf, String> {
    Ok(target()?.join("site"))
}

/// The folder of the programs for this machine.
pub(crate) fn native() -> Result<PathBuf, String> {
    Ok(target()?.join("debug"))
}

/// Makes all of it.
pub(crate) fn make() -> Result<(), String> {
    if !has_target() {
        return Err(format!("the target {TARGET} of Rust cannot be had"));
    }
    let _ = std::fs::remove_dir_all(folder()?);
    if let Err(why) = book() {
        println!("site: the book is left out, {why}");
    }
    pages()?;
    println!("site: made in {}", folder()?.display());
    Ok(())
}

/// Returns whether the WebAssembly target is installed, after asking rustup to install it.
pub(crate) fn has_target() -> bool {
    let is_there = || {
        let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        rustc.args(["--print", "target-libdir", "--target", TARGET]);
        let output = rustc.current_dir(root()).output();
        output.is_ok_and(|output| {
            PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()).is_dir()
        })
    };
    let mut rustup = Command::new("rustup");
    rustup.args(["target", "add", TARGET]).current_dir(root());
    rustup.stdout(Stdio::null()).stderr(Stdio::null());
    is_there() || (succeed(&mut rustup).is_ok() && is_there())
}

/// The programs and the pages that ask them.
pub(crate) fn pages() -> Result<(), String> {
    let mut build = cargo(&["build", "--quiet", "--profile", "web", "--target", TARGET]);
    build.args(["--package", "meetjoin-web"]);
    let names = programs()?;
    for name in &names {
        build.args(["--bin", &format!("web-{name}")]);
    }
    succeed(&mut build)?;
    // For this machine too: the tests of the pages ask the same programs without a browser. In the
    // tests' profile, so that nothing is compiled twice.
    let mut build = cargo(&["build", "--quiet", "--workspace", "--profile", "test"]);
    for name in &names {
        build.args(["--bin", &format!("web-{name}")]);
    }
    succeed(build.args(["--bin", "web-site"]))?;
    let mut write = Command::new(native()?.join("web-site"));
    write.arg(folder()?);
    write.arg(target()?.join(TARGET).join("web"));
    let suits = root().join("target").join("suits.npy");
    if suits.is_file() {
        write.arg(suits);
    } else {
        println!(
            "site: a sample of suits; 'cargo xtask suits target/suits.npy' makes the book of all"
        );
    }
    succeed(&mut write)
}

/// The programs that pages ask.
fn programs() -> Result<Vec<String>, String> {
    let text = read("crates/web/Cargo.toml")?;
    let names = text.lines().filter_map(|line| {
        let name = line.strip_prefix("name = \"web-")?.strip_suffix('"')?;
        (name != "site").then(|| name.to_owned())
    });
    Ok(names.collect())
}

/// The book, by an mdbook that is there or is built once.
fn book() -> Result<(), String> {
    let tools = target()?.join("tools");
    let own = tools.join("bin").join("mdbook");
    let answers = |program: &PathBuf| {
        let mut version = Command::new(program);
        version.arg("--version").stdout(Stdio::null());
        version.status().is_ok_and(|status| status.success())
    };
    let found = [PathBuf::from("mdbook"), own.clone()]
        .into_iter()
        .find(answers);
    let program = if let Some(program) = found {
        program
    } else {
        let mut install = cargo(&["install", "--quiet", "--locked", "--no-default-features"]);
        install.args(["--features", "search", "--version", MDBOOK]);
        install.args(["mdbook", "--root"]).arg(&tools);
        succeed(&mut install).map_err(|_| "mdbook is not there and cannot be built".to_owned())?;
        own
    };
    let mut build = Command::new(program);
    build.arg("build").arg(root().join("docs"));
    succeed(build.arg("--dest-dir").arg(folder()?.join("book")))
}
