//! The book of all suits as the site serves it: parts that a page loads when it needs them, beside
//! tables of what stands out among all.
//!
//! Idea: suits of one class have the same values, so parts have one of each class, in order: two
//! hands of 16 bits and 14 numbers of 32, little-endian, as base64 of a gzip in a script (a page
//! cannot read any other file from a folder). An index has the first suit of each part, so one part
//! is enough to look a suit up.

use std::io::{self, Read, Seek, Write as _};

use flate2::Compression;
use flate2::write::GzEncoder;
use meetjoin_bridge::suit::book::{Book, BookError, Class, Row, Values, of_classes};
use meetjoin_report::{json_line, raw};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::pages::base64;

/// The book of a site without the whole one: random suits.
pub const SAMPLE: &[u8] = include_bytes!("../pages/suits/sample.npy");

/// Suits of a part: even if it cannot be compressed it is at most 300 kB.
const SUITS: usize = 3500;
/// All suits up to exchange of hands.
const ALL: usize = 797_161;

/// A script of the site, by its name.
pub type Script = (String, String);

#[derive(Serialize)]
struct Index {
    /// Whether all suits are in the parts.
    whole: bool,
    /// The first class of each part.
    parts: Vec<[u16; 2]>,
    /// How many suits the parts have.
    suits: usize,
    /// What stands out among all suits, as `cargo xtask suits --tables` found it.
    tables: Box<RawValue>,
    /// Where the first play matters most, as `cargo xtask suits --gaps` found it.
    gaps: Box<RawValue>,
}

/// The suits of a book.
fn rows<R: Read + Seek>(file: R) -> Result<Vec<Row>, BookError> {
    let mut book = Book::open(file)?;
    (0..book.rows()).map(|place| book.row(place)).collect()
}

/// The index of a book, and its parts.
///
/// # Errors
/// If the book is damaged, or cannot be read.
pub fn scripts<R: Read + Seek>(file: R) -> Result<Vec<Script>, BookError> {
    let rows = rows(file)?;
    let all = of_classes(&rows);
    let parts = all.chunks(SUITS);
    let index = Index {
        whole: rows.len() == ALL,
        parts: parts.clone().map(|part| key(part[0].0)).collect(),
        suits: rows.len(),
        tables: raw(include_str!("../pages/suits/tables.json").trim_end()),
        gaps: raw(include_str!("../pages/suits/gaps.json").trim_end()),
    };
    let mut scripts = vec![(
        "index.js".to_owned(),
        format!(
            "'use strict';\nvar BOOK = {};\n",
            json_line(&index).trim_end()
        ),
    )];
    for (number, part) in parts.enumerate() {
        let text = packed(part)?;
        scripts.push((
            format!("{number}.js"),
            format!("'use strict';\nvar PARTS = {{ ...globalThis.PARTS, {number}: '{text}' }};\n"),
        ));
    }
    Ok(scripts)
}

fn key((north, south): Class) -> [u16; 2] {
    [north.bits(), south.bits()]
}

fn packed(part: &[(Class, Values)]) -> io::Result<String> {
    let mut out = GzEncoder::new(Vec::new(), Compression::best());
    for (class, values) in part {
        for hand in key(*class) {
            out.write_all(&hand.to_le_bytes())?;
        }
        for value in values {
            out.write_all(&value.to_le_bytes())?;
        }
    }
    Ok(base64(&out.finish()?))
}
