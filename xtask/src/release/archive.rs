//! Reproducible archives: sorted, with one time stamp, and without owners.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use flate2::read::GzDecoder;
use flate2::{Compression, GzBuilder};
use sha2::{Digest, Sha256};
use tar::{Archive, Builder, EntryType, Header};

/// A file of an archive.
pub(super) struct Entry {
    /// Below the folder that all entries are in.
    pub(super) path: String,
    pub(super) bytes: Vec<u8>,
    pub(super) is_program: bool,
}

/// All entries below one folder, compressed. `time` is in seconds since 1970.
pub(super) fn packed(folder: &str, mut entries: Vec<Entry>, time: u64) -> Result<Vec<u8>, String> {
    let failed = |error: std::io::Error| format!("an archive cannot be made: {error}");
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    let mut tar = Builder::new(Vec::new());
    for entry in entries {
        let mut header = Header::new_ustar();
        header.set_entry_type(EntryType::Regular);
        header.set_mode(if entry.is_program { 0o755 } else { 0o644 });
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(time);
        header.set_size(entry.bytes.len() as u64);
        let path = format!("{folder}/{}", entry.path);
        tar.append_data(&mut header, path, &entry.bytes[..])
            .map_err(failed)?;
    }
    let tar = tar.into_inner().map_err(failed)?;
    // No name, no time stamp, and no operating system.
    let mut gzip = GzBuilder::new()
        .operating_system(255)
        .write(Vec::new(), Compression::best());
    gzip.write_all(&tar).map_err(failed)?;
    gzip.finish().map_err(failed)
}

/// Unpacks an archive into a folder.
pub(super) fn unpack(archive: &[u8], folder: &Path) -> Result<(), String> {
    let failed = |error| format!("{}: {error}", folder.display());
    Archive::new(GzDecoder::new(archive))
        .unpack(folder)
        .map_err(failed)
}

/// The checksum of bytes as `sha256sum` writes it.
pub(super) fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
fn entry(path: &str, bytes: &[u8]) -> Entry {
    Entry {
        path: path.to_owned(),
        bytes: bytes.to_owned(),
        is_program: path.starts_with("bin/"),
    }
}

#[test]
fn an_archive_does_not_depend_on_the_order_and_is_read_back() {
    let entries = || vec![entry("share/a", b"words"), entry("bin/b", b"program")];
    let reversed = entries().into_iter().rev().collect();
    let archive = packed("x-1", entries(), 5).expect("an archive");
    assert_eq!(archive, packed("x-1", reversed, 5).expect("an archive"));
    assert_ne!(archive, packed("x-1", entries(), 6).expect("an archive"));
    let mut read = Archive::new(GzDecoder::new(&archive[..]));
    let found = read.entries().expect("entries").map(|entry| {
        let entry = entry.expect("an entry");
        let header = entry.header();
        let path = entry.path().expect("a path").display().to_string();
        let mode = header.mode().expect("a mode");
        let owner = (
            header.uid().expect("a user"),
            header.gid().expect("a group"),
        );
        (path, mode, header.mtime().expect("a time"), owner)
    });
    let expected = [
        ("x-1/bin/b".to_owned(), 0o755, 5, (0, 0)),
        ("x-1/share/a".to_owned(), 0o644, 5, (0, 0)),
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected);
    // Known from the standard.
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(sha256(b""), empty);
}
