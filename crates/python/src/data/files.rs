//! Problems as files: JSON, binary, and their digests.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use meetjoin_dag::NodeName;
use meetjoin_problems::Source;
use meetjoin_solve::Refused;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::data::lattice::Lattice;
use crate::data::rows::Rows;
use crate::error::refused;
use crate::running;

/// Why nothing was written.
enum Failed {
    Refused(Refused),
    Io(io::Error),
}

/// Writes `"json"`, `"mj"`, or the `"digest"`, to a file, or returns it.
pub(crate) fn write(
    py: Python<'_>,
    what: &str,
    path: Option<PathBuf>,
    source: impl FnOnce() -> Result<Source, Refused> + Send,
) -> PyResult<Option<Py<PyBytes>>> {
    let written = running::detached(py, || {
        let source = source().map_err(Failed::Refused)?;
        if what == "digest" {
            return Ok(Some(source.digest().into_bytes()));
        }
        let source = source.expanded().map_err(Failed::Refused)?;
        let put = |out: &mut dyn io::Write| match what {
            "mj" => source.write_binary(out),
            _ => source.write_json(out),
        };
        let Some(path) = path else {
            let mut bytes = Vec::new();
            put(&mut bytes).map_err(Failed::Io)?;
            return Ok(Some(bytes));
        };
        replace(&path, put).map_err(Failed::Io)?;
        Ok(None)
    });
    match written {
        Ok(bytes) => Ok(bytes.map(|bytes| PyBytes::new(py, &bytes).unbind())),
        Err(Failed::Refused(why)) => Err(refused(why)),
        Err(Failed::Io(why)) => Err(PyOSError::new_err(why.to_string())),
    }
}

/// The text of a problem file, if these bytes begin as one.
pub(crate) fn problem_text(bytes: &[u8]) -> PyResult<Option<&str>> {
    let bare = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if !bare.trim_ascii_start().starts_with(b"{") {
        return Ok(None);
    }
    let text = std::str::from_utf8(bare).map(Some);
    text.map_err(|error| refused(format!("a problem file is text in UTF-8: {error}")))
}

/// Writes a file beside its place, and moves it there when it is complete: the problem may be read
/// from the file that it replaces.
fn replace(path: &Path, put: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> io::Result<()> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(format!(".{}.part", std::process::id()));
    let unfinished = PathBuf::from(unfinished);
    let written = File::create_new(&unfinished).and_then(|file| {
        let mut out = BufWriter::with_capacity(1 << 16, file);
        put(&mut out)?;
        out.flush()?;
        fs::rename(&unfinished, path)
    });
    if written.is_err() {
        // It may not exist.
        let _ = fs::remove_file(&unfinished);
    }
    written
}

/// [`write`] for a problem file in memory.
#[pyfunction]
#[pyo3(signature = (text, what, path))]
pub(crate) fn write_text(
    py: Python<'_>,
    text: &[u8],
    what: &str,
    path: Option<PathBuf>,
) -> PyResult<Option<Py<PyBytes>>> {
    write(py, what, path, || Source::read(text))
}

/// [`write`] for a graph in rows, as in `Problem.rows`. Names are whole numbers and texts.
#[pyfunction]
#[pyo3(signature = (kinds, offsets, children, root, lattice, values, names, what, path))]
pub(crate) fn write_rows(
    py: Python<'_>,
    kinds: &[u8],
    offsets: &[u8],
    children: &[u8],
    root: usize,
    lattice: &Lattice,
    values: &Bound<'_, PyAny>,
    names: Option<Vec<Bound<'_, PyAny>>>,
    what: &str,
    path: Option<PathBuf>,
) -> PyResult<Option<Py<PyBytes>>> {
    let rows = Rows::new(kinds, offsets, children, root, lattice, values)?;
    let name = |name: Bound<'_, PyAny>| match name.extract::<i64>() {
        Ok(number) => Ok(NodeName::Int(number)),
        Err(_) => Ok(NodeName::from(name.extract::<String>()?.as_str())),
    };
    let names = names.map(|names| names.into_iter().map(name).collect::<PyResult<Vec<_>>>());
    let names = names.transpose()?;
    write(py, what, path, || {
        Ok(Source::Problem(Box::new(rows.problem(names)?)))
    })
}
