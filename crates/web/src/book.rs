//! The book of all suits as the site serves it: parts that a page loads when it needs them, and
//! tables of the whole.
//!
//! Idea: suits of one class are worth the same, so a part has one of each, in order: two hands of
//! 16 bits and 14 numbers of 32, little-endian, as base64 of a gzip in a script (a page cannot read
//! any other file from a folder). An index has the first suit of each part, so one part is enough
//! to look a suit up.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek, Write as _};

use flate2::Compression;
use flate2::write::GzEncoder;
use meetjoin_bridge::Cards;
use meetjoin_bridge::suit::book::{Book, BookError, TOTAL, Values, class};
use meetjoin_report::{json_line, raw};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::pages::base64;

/// The book that the site has where the whole one is not there: suits at random.
pub const SAMPLE: &[u8] = include_bytes!("../pages/suits/sample.npy");

/// Suits of a part: even if nothing can be packed it is not larger than 300 kB.
const SUITS: usize = 3500;
/// All suits up to exchange of hands.
const ALL: u64 = 797_161;
/// Suits of a list of those that stand out.
const LISTED: usize = 10;
const HONOURS: &str = "AKQJT";

/// A script of the site, by its name.
pub type Script = (String, String);

type Class = (Cards, Cards);

#[derive(Serialize)]
struct Index {
    /// Whether all suits are there; how many there are, of how many classes.
    whole: bool,
    suits: u64,
    classes: usize,
    /// The first class of each part.
    parts: Vec<[u16; 2]>,
    hardest: Vec<Hard>,
    /// Where the first play matters most, as `cargo xtask suits --sample N --gaps` found it.
    gaps: Box<RawValue>,
    averages: Vec<Average>,
}

/// A suit in which one line serves goals worst.
#[derive(Serialize)]
struct Hard {
    north: String,
    south: String,
    /// Tricks on average if each goal were played for in the best way.
    separately: f64,
    /// Tricks on average by the best line.
    together: f64,
}

/// Suits with the same honours and as many cards.
#[derive(Serialize)]
struct Average {
    honours: String,
    cards: u8,
    suits: u32,
    /// Tricks on average.
    tricks: f64,
}

/// The index of a book, and its parts.
///
/// # Errors
/// If the book is damaged, or cannot be read.
pub fn scripts<R: Read + Seek>(file: R) -> Result<Vec<Script>, BookError> {
    let mut book = Book::open(file)?;
    let suits = book.rows();
    let mut classes: BTreeMap<Class, Values> = BTreeMap::new();
    let mut averages: BTreeMap<(usize, u8), (u32, u64)> = BTreeMap::new();
    for place in 0..suits {
        let row = book.row(place)?;
        let held = row.north.or(row.south);
        let sum = averages.entry((honours(held), held.count())).or_default();
        sum.0 += 1;
        sum.1 += u64::from(row.values[13]);
        classes.insert(class(row.north, row.south), row.values);
    }
    let all: Vec<(Class, Values)> = classes.into_iter().collect();
    let parts = all.chunks(SUITS);
    let index = Index {
        whole: suits == ALL,
        suits,
        classes: all.len(),
        parts: parts.clone().map(|part| key(part[0].0)).collect(),
        hardest: hardest(&all),
        gaps: raw(include_str!("../pages/suits/gaps.json").trim_end()),
        averages: averages
            .into_iter()
            .map(|((honours, cards), (suits, sum))| Average {
                honours: named(honours),
                cards,
                suits,
                tricks: sum as f64 / (TOTAL as f64 * f64::from(suits)),
            })
            .collect(),
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

/// The honours of a suit, a bit for each, the ace first.
fn honours(held: Cards) -> usize {
    HONOURS.chars().enumerate().fold(0, |set, (place, rank)| {
        let has = held.to_string().contains(rank);
        set | usize::from(has) << (HONOURS.len() - 1 - place)
    })
}

fn named(honours: usize) -> String {
    let has = |place: usize| honours >> (HONOURS.len() - 1 - place) & 1 == 1;
    let named: String = HONOURS
        .chars()
        .enumerate()
        .filter(|(place, _)| has(*place))
        .map(|(_, rank)| rank)
        .collect();
    if named.is_empty() {
        "none".to_owned()
    } else {
        named
    }
}

/// Those in which the best line for the average falls furthest behind what the best line for each
/// goal reaches of it.
fn hardest(all: &[(Class, Values)]) -> Vec<Hard> {
    let lost = |values: &Values| {
        let separately: u64 = values[..13].iter().map(|value| u64::from(*value)).sum();
        separately - u64::from(values[13]).min(separately)
    };
    let mut sorted: Vec<&(Class, Values)> = all.iter().collect();
    sorted.sort_by_key(|(class, values)| (std::cmp::Reverse(lost(values)), *class));
    let listed = sorted.into_iter().take(LISTED);
    listed
        .map(|((north, south), values)| {
            let together = u64::from(values[13]);
            Hard {
                north: north.to_string(),
                south: south.to_string(),
                separately: (together + lost(values)) as f64 / TOTAL as f64,
                together: together as f64 / TOTAL as f64,
            }
        })
        .collect()
}
