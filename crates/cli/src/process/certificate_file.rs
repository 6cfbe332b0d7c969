//! Files of certificates, compressed where the name ends in `.gz`.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use meetjoin_explain::Unwritten;
use meetjoin_lattice::{Budget, Limits, Stop};

use crate::process::failure::Failure;
use crate::process::input::{Input, unreadable};
use crate::process::limits;
use crate::process::output;

/// Searches for a certificate within limits and writes it; `written` returns the limit because of
/// which it shows less than the answer, if one fired.
pub(crate) fn certify(
    limits: Limits,
    path: &Path,
    written: impl FnOnce(&Budget, &mut Vec<u8>) -> Result<Option<Stop>, Unwritten>,
) -> Result<(), Failure> {
    let budget = Budget::new(limits);
    let mut text = Vec::new();
    let written = limits::searching(|| written(&budget, &mut text));
    limits::working("while the certificate was written");
    let less = written.map_err(|error| match error {
        Unwritten::Stopped(_) => Failure::StoppedBefore(error.to_string()),
        _ => Failure::Input(error.to_string()),
    })?;
    write(path, &text)?;
    less.map_or(Ok(()), |stop| {
        let why = format!("the certificate shows bounds of the value only: {stop}");
        Err(Failure::StoppedBefore(why))
    })
}

/// Writes the text of a certificate.
pub(crate) fn write(path: &Path, text: &[u8]) -> Result<(), Failure> {
    if path.extension() == Some(OsStr::new("gz")) {
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        let done = packed.write_all(text).and_then(|()| packed.finish());
        let packed = done.map_err(|error| Failure::writing(&path.display().to_string(), &error))?;
        return output::replace(path, |out| out.write_all(&packed));
    }
    output::replace(path, |out| out.write_all(text))
}

/// The text of a certificate, however it is packed.
pub(crate) fn open(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    let failed = |error| unreadable(path, &error);
    let mut file = BufReader::new(Input::open(path)?);
    // The magic bytes of gzip.
    let is_packed = file.fill_buf().map_err(failed)?.starts_with(&[0x1f, 0x8b]);
    Ok(if is_packed {
        Box::new(BufReader::new(MultiGzDecoder::new(file)))
    } else {
        Box::new(file)
    })
}
