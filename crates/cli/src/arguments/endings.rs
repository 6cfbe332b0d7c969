//! Files whose format is chosen by the extension of their names, or said by it.
//!
//! Invariant: an unknown extension is refused when the arguments are read, before anything is
//! computed: a file holds what its name says.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};

/// The extension of a name, if it has one.
pub(crate) fn ending(path: &Path) -> Option<&str> {
    path.extension().and_then(OsStr::to_str)
}

/// The last extension of compressed files, below which is that of what they hold.
const PACKED: &str = "gz";

/// A parser for paths with one of these extensions, or none.
fn known(endings: &'static [&'static str]) -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(move |path| match held(&path, endings).extension() {
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

/// The name without the extension of compressed files, if there may be one.
fn held(path: &Path, endings: &[&str]) -> PathBuf {
    if ending(path) == Some(PACKED) && endings.contains(&PACKED) {
        path.with_extension("")
    } else {
        path.to_owned()
    }
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

/// The parser for a file of a certificate.
pub(crate) fn certificate() -> impl TypedValueParser<Value = PathBuf> {
    known(&["cert", "txt", PACKED])
}

/// The parser for a file of a picture.
pub(crate) fn picture() -> impl TypedValueParser<Value = PathBuf> {
    known(&["svg"])
}

/// The parser for a file of a page.
pub(crate) fn page() -> impl TypedValueParser<Value = PathBuf> {
    known(&["html", "htm"])
}
