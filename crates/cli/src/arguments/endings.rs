//! Files whose format is chosen by the extension of their names.
//!
//! Invariant: an unknown extension is refused when the arguments are read, before anything is
//! computed.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};

/// The extension of a name, if it has one.
pub(crate) fn ending(path: &Path) -> Option<&str> {
    path.extension().and_then(OsStr::to_str)
}

/// A parser for paths with one of these extensions, or none.
fn known(endings: &'static [&'static str]) -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(move |path| match path.extension() {
        Some(found) if !endings.iter().any(|known| found == *known) => {
            let endings: Vec<String> = endings.iter().map(|known| format!(".{known}")).collect();
            Err(format!(
                "unknown extension .{}; use {} or no extension",
                found.display(),
                endings.join(", ")
            ))
        }
        _ => Ok(path),
    })
}

/// The parser for a file of a strategy.
pub(crate) fn strategy() -> impl TypedValueParser<Value = PathBuf> {
    known(&["dot", "svg", "html", "json", "txt"])
}

/// The parser for a file of a proof.
pub(crate) fn proof() -> impl TypedValueParser<Value = PathBuf> {
    known(&["dot", "txt", "json"])
}

/// The parser for a file of a problem.
pub(crate) fn problem() -> impl TypedValueParser<Value = PathBuf> {
    known(&["mj", "json"])
}
