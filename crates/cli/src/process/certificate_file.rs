//! Files of certificates, compressed where the name ends in `.gz`.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

use crate::process::failure::Failure;
use crate::process::input::{Input, unreadable};
use crate::process::output::OutputFile;

/// Writes the text of a certificate.
pub(crate) fn write(path: &Path, text: &[u8]) -> Result<(), Failure> {
    let mut file = OutputFile::create(path)?;
    if path.extension() == Some(OsStr::new("gz")) {
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        let done = packed.write_all(text).and_then(|()| packed.finish());
        let packed = done.map_err(|error| Failure::writing(&path.display().to_string(), &error))?;
        file.write(&packed)?;
    } else {
        file.write(text)?;
    }
    file.finish()
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
