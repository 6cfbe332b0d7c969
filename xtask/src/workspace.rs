//! Files and commands of the workspace.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the workspace that cargo was called in. Two clones may have one folder for what is
/// built, and the program then is compiled in either, so the compiler does not know.
pub(crate) fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let workspace = package.as_deref().and_then(Path::parent);
    workspace.map_or_else(|| ".".into(), Path::to_owned)
}

/// The folder of what is built: this program lies two folders below.
pub(crate) fn target() -> Result<PathBuf, String> {
    let here = std::env::current_exe().map_err(|error| format!("where is xtask? {error}"))?;
    let folder = here.ancestors().nth(2);
    folder
        .map(Path::to_owned)
        .ok_or_else(|| format!("{} lies in no target folder", here.display()))
}

/// The cargo that runs this, or the one that is found.
pub(crate) fn cargo_path() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from)
}

/// A cargo command in the workspace.
pub(crate) fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(cargo_path());
    command.args(args).current_dir(root());
    command
}

/// The output of `cargo metadata`.
pub(crate) fn metadata(args: &[&str]) -> Result<serde_json::Value, String> {
    let mut command = cargo(&["metadata", "--format-version", "1"]);
    serde_json::from_str(&output(command.args(args))?)
        .map_err(|error| format!("cargo metadata: {error}"))
}

/// The standard output of a command that must succeed; its standard error is passed through.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let output = command
        .stderr(std::process::Stdio::inherit())
        .output()
        .map_err(|error| format!("{command:?} does not start: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("{command:?} failed: {}", output.status))
    }
}

/// Returns whether a program runs.
pub(crate) fn answers(command: &mut Command) -> bool {
    let output = command.output();
    output.is_ok_and(|output| output.status.success())
}

/// The version of the workspace.
pub(crate) fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Runs a command that must succeed.
pub(crate) fn succeed(command: &mut Command) -> Result<(), String> {
    let status = command
        .status()
        .map_err(|error| format!("{command:?} does not start: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{command:?} failed: {status}"))
    }
}

/// Writes a file, and the folders that it needs.
pub(crate) fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), String> {
    let failed = |error| format!("{}: {error}", path.display());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::write(path, bytes).map_err(failed)
}

/// Reads a file; a path that is not absolute begins in the workspace.
pub(crate) fn read(path: impl AsRef<Path>) -> Result<String, String> {
    let path = path.as_ref();
    std::fs::read_to_string(root().join(path))
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// The entries of a folder, by name.
pub(crate) fn folder(path: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error| format!("{}: {error}", path.display());
    let entries = std::fs::read_dir(path).map_err(failed)?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut paths: Vec<PathBuf> = paths.collect::<Result<_, _>>().map_err(failed)?;
    paths.sort();
    Ok(paths)
}

/// All files of the repository whose names have this ending, by name, without build output.
pub(crate) fn tree(end: &str) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    let mut folders = vec![root()];
    while let Some(next) = folders.pop() {
        for path in folder(&next)? {
            let name = path.file_name().and_then(|name| name.to_str());
            let name = name.unwrap_or_default();
            if path.is_dir() {
                let is_made = matches!(name, "target" | "node_modules" | "site-packages");
                if !is_made && !name.starts_with('.') {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|found| found == end) {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
