//! `cargo xtask` beside another clone, with another folder for what is built, and without a
//! compiler.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

/// Held while a process is started. A program that somebody has open to write it cannot be started,
/// and a process that has just been made has all files open that the test has.
static STARTING: Mutex<()> = Mutex::new(());

/// A clone that has these files alone, and the folder for what is built beside it.
fn clone(name: &str, files: &[(&str, &str)]) -> (PathBuf, PathBuf) {
    let here = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&here);
    let (clone, built) = (here.join("clone"), here.join("built"));
    let files = files.iter().map(|(path, text)| (clone.join(path), *text));
    let folders = [&clone, &built].map(|folder| (folder.join("xtask/empty"), ""));
    for (path, text) in files.chain(folders) {
        fs::create_dir_all(path.parent().expect("it has a folder")).expect("folders are made");
        fs::write(path, text).expect("files are written");
    }
    (clone, built)
}

/// Starts xtask as cargo does in a clone; `cargo` is called wherever xtask calls cargo.
fn xtask(program: &Path, clone: &Path, cargo: &str, args: &[&str]) -> Output {
    let _starting = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut xtask = Command::new(program);
    xtask.env("CARGO_MANIFEST_DIR", clone.join("xtask"));
    xtask.env("CARGO", cargo).current_dir(clone);
    xtask.args(args).output().expect("xtask starts")
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_xtask");

#[test]
fn it_works_on_the_clone_that_it_is_called_in() {
    let changes = format!(
        "# Changes\n\n## [{}]\n\n- In another clone.\n",
        env!("CARGO_PKG_VERSION")
    );
    let (clone, _) = clone("two-clones", &[("CHANGELOG.md", &changes)]);
    let ended = xtask(Path::new(PROGRAM), &clone, "false", &["notes", "notes.md"]);
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{said}");
    let notes = fs::read_to_string(clone.join("notes.md")).expect("notes are written");
    assert!(notes.contains("In another clone."), "{notes}");
}

#[test]
fn help_of_the_experiments_is_answered_without_a_compiler() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    let workspace = workspace.expect("the workspace is above");
    for name in ["bench", "suits", "limits", "endings"] {
        for help in ["--help", "-h"] {
            let ended = xtask(Path::new(PROGRAM), workspace, "false", &[name, help]);
            let said = String::from_utf8_lossy(&ended.stdout);
            let usage = format!("Usage: cargo xtask {name} ");
            assert!(ended.status.success() && said.contains(&usage), "{said}");
        }
    }
}

#[test]
fn what_is_compiled_first_is_said_at_once() {
    let (clone, _) = clone("compiled-first", &[]);
    let ended = xtask(Path::new(PROGRAM), &clone, "echo", &["bench", "--quick"]);
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(
        said.contains("meetjoin-experiments is compiled") && said.contains("minutes"),
        "{said}"
    );
    let called = String::from_utf8_lossy(&ended.stdout);
    assert!(
        called.starts_with("run --release ") && !called.contains("--quiet"),
        "{called}"
    );
}

/// With programs that only say how they were called, in place of compilers and of what they make.
#[cfg(unix)]
#[test]
fn the_site_is_made_where_everything_is_built() {
    use std::os::unix::fs::PermissionsExt as _;
    let programs = "[[bin]]\nname = \"web-site\"\n[[bin]]\nname = \"web-play\"\n";
    let (clone, built) = clone("site", &[("crates/web/Cargo.toml", programs)]);
    let program = built.join("xtask/xtask");
    let _starting = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
    fs::copy(PROGRAM, &program).expect("the program is copied");
    let script = |path: PathBuf, line: &str| {
        fs::create_dir_all(path.parent().expect("it has a folder")).expect("folders are made");
        fs::write(&path, format!("#!/bin/sh\n{line}\n")).expect("scripts are written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it can be run");
        path
    };
    script(built.join("debug/web-site"), "echo called: \"$@\"");
    let compiler = script(built.join("rustc"), "echo /");
    let mut xtask = Command::new(program);
    xtask.env("CARGO_MANIFEST_DIR", clone.join("xtask"));
    xtask.env("CARGO", "true").env("RUSTC", compiler);
    let ended = xtask.arg("site").current_dir(&clone).output();
    let ended = ended.expect("xtask starts");
    let said = String::from_utf8_lossy(&ended.stdout);
    let (site, web) = (built.join("site"), built.join("wasm32-wasip1/web"));
    for line in [
        format!("called: {} {}", site.display(), web.display()),
        format!("site: made in {}", site.display()),
    ] {
        assert!(said.lines().any(|found| found == line), "{ended:?}");
    }
}
