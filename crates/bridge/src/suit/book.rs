//! A book of suits: the greatest chance of each number of tricks and the greatest average, in one
//! file.
//!
//! Format: `.npy`, version 1.0, as NumPy documents it: a header that names the fields, and then one
//! record of fixed size a suit, little-endian. The fields are `north` and `south` (13 bytes of
//! ASCII each, filled with zeros, cards from the highest down, `-` for none), `tricks_1` to
//! `tricks_13` (32 bits each: the weight of the layouts in which at least so many tricks are
//! taken), `average` (32 bits: the sum of weights times tricks) and `check` (32 bits: CRC-32 of the
//! record before it). All but `check` are in units of 1 / [`TOTAL`]. Of a suit and the one with
//! hands exchanged, which has the same values, the book has the one whose North holds the highest
//! card. Records are in the order of their first 26 bytes, so a suit is found by binary search, and
//! a book need not have all suits.
//!
//! Why this format: `numpy.load` gives a table that pandas and polars take as it is, libraries for
//! R, Julia, MATLAB and C read it, and a record can be found without reading the rest, by code that
//! fits on one page here. Parquet and SQLite do the same with a library that takes longer to build
//! than all of ours.
//!
//! Many suits have the same values: it does not matter which of declarer's cards between two
//! missing ones she holds, nor, where the lead is free, in which hand. So [`classes`] has fewer.

mod tables;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Read, Seek, SeekFrom, Write};

use crate::play::{Cards, Knowledge, Suit, named_cards};
use meetjoin_lattice::{Budget, Stop};

use super::answer::{Chance, SuitAnswer, SuitTable};
use super::{Goal, Solver};

pub use tables::{Cell, Hard, Tables, of_classes};

/// The weight of all layouts of any suit.
pub const TOTAL: u64 = 10_400_600;

/// The hands of a suit, or of the one that stands for all that are worth the same.
pub type Class = (Cards, Cards);

/// The numbers of a suit: for 1 to 13 tricks, and the average.
pub type Values = [u32; 14];

/// A suit with its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// North's cards.
    pub north: Cards,
    /// South's cards.
    pub south: Cards,
    /// Its numbers.
    pub values: Values,
}

const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
const HEADER: usize = 512;
const HAND: usize = 13;
const CHECKED: usize = 2 * HAND + 4 * 14;
/// The bytes of a suit in a book.
pub const RECORD: usize = CHECKED + 4;

/// Why a book cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// It cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file is no book.
    #[error("this is not a book of suits, which `cargo xtask suits` makes")]
    Other,
    /// It is damaged.
    #[error(
        "record {0} is damaged: its checksum is wrong, or it says what cannot be; `cargo xtask suits` makes another book"
    )]
    Damaged(u64),
    /// The suit is not there.
    #[error("the book does not have the suit {0} opposite {1}")]
    Missing(Cards, Cards),
}

fn description(rows: u64) -> String {
    let mut fields = "('north', '|S13'), ('south', '|S13'), ".to_owned();
    for tricks in 1..=13 {
        // Writing to a string cannot fail.
        let _ = write!(fields, "('tricks_{tricks}', '<u4'), ");
    }
    format!(
        "{{'descr': [{fields}('average', '<u4'), ('check', '<u4')], 'fortran_order': False, 'shape': ({rows},), }}"
    )
}

fn header(rows: u64) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.extend(((HEADER - MAGIC.len() - 2) as u16).to_le_bytes());
    header.extend(description(rows).bytes());
    header.resize(HEADER - 1, b' ');
    header.push(b'\n');
    header
}

fn hand_bytes(cards: Cards) -> [u8; HAND] {
    let mut bytes = [0; HAND];
    for (byte, letter) in bytes.iter_mut().zip(cards.to_string().bytes()) {
        *byte = letter;
    }
    bytes
}

/// The key of a suit: North has the highest card.
fn key(north: Cards, south: Cards) -> [u8; 2 * HAND] {
    let (first, second) = if north.bits() >= south.bits() {
        (north, south)
    } else {
        (south, north)
    };
    let mut key = [0; 2 * HAND];
    key[..HAND].copy_from_slice(&hand_bytes(first));
    key[HAND..].copy_from_slice(&hand_bytes(second));
    key
}

/// Writes a book.
///
/// # Errors
/// If it cannot be written.
pub fn write(out: &mut impl Write, rows: impl IntoIterator<Item = Row>) -> io::Result<u64> {
    let mut records: Vec<[u8; RECORD]> = rows.into_iter().map(|row| row.bytes()).collect();
    records.sort_unstable();
    records.dedup();
    out.write_all(&header(records.len() as u64))?;
    for record in &records {
        out.write_all(record)?;
    }
    out.flush()?;
    Ok(records.len() as u64)
}

impl Row {
    /// As a book has it.
    pub fn bytes(&self) -> [u8; RECORD] {
        let mut record = [0; RECORD];
        record[..2 * HAND].copy_from_slice(&key(self.north, self.south));
        for (bytes, value) in record[2 * HAND..].chunks_exact_mut(4).zip(self.values) {
            bytes.copy_from_slice(&value.to_le_bytes());
        }
        let check = crc32fast::hash(&record[..CHECKED]);
        record[CHECKED..].copy_from_slice(&check.to_le_bytes());
        record
    }

    /// Reads a record; none if the checksum is wrong, or the numbers are not plausible.
    pub fn of_bytes(record: &[u8; RECORD]) -> Option<Self> {
        let (row, check) = record.split_at(CHECKED);
        if crc32fast::hash(row).to_le_bytes() != check {
            return None;
        }
        let hand = |bytes: &[u8]| {
            let text = std::str::from_utf8(bytes).ok()?;
            named_cards(text.trim_end_matches('\0')).ok()
        };
        let mut values = [0; 14];
        for (value, bytes) in values.iter_mut().zip(row[2 * HAND..].chunks_exact(4)) {
            *value = u32::from_le_bytes(bytes.try_into().ok()?);
        }
        let row = Self {
            north: hand(&row[..HAND])?,
            south: hand(&row[HAND..2 * HAND])?,
            values,
        };
        row.is_plausible().then_some(row)
    }

    /// More tricks are never more likely, there are no more than are played, and the average is no
    /// more than if one line reached every goal as often as the best of each.
    fn is_plausible(&self) -> bool {
        let [tricks @ .., average] = &self.values;
        let most = usize::from(self.north.count().max(self.south.count()));
        let weights = tricks.iter().map(|weight| u64::from(*weight));
        weights.clone().all(|weight| weight <= TOTAL)
            && tricks.is_sorted_by(|more, most| more >= most)
            && tricks.iter().skip(most).all(|weight| *weight == 0)
            && u64::from(*average) <= weights.sum()
    }
}

/// A book that can be asked.
#[derive(Debug)]
pub struct Book<R> {
    file: R,
    rows: u64,
}

impl<R: Read + Seek> Book<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// If it is no book, or cannot be read.
    pub fn open(mut file: R) -> Result<Self, BookError> {
        let mut found = vec![0; HEADER];
        file.read_exact(&mut found)
            .map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => BookError::Other,
                _ => error.into(),
            })?;
        let length = file.seek(SeekFrom::End(0))?.saturating_sub(HEADER as u64);
        let rows = length / RECORD as u64;
        if found != header(rows) || length % RECORD as u64 != 0 {
            return Err(BookError::Other);
        }
        Ok(Self { file, rows })
    }

    /// How many suits it has.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The suit at a place, in the order of the book.
    ///
    /// # Errors
    /// If the record is damaged, or the file cannot be read.
    pub fn row(&mut self, place: u64) -> Result<Row, BookError> {
        let record = self.record(place)?;
        Row::of_bytes(&record).ok_or(BookError::Damaged(place))
    }

    fn record(&mut self, place: u64) -> io::Result<[u8; RECORD]> {
        let mut record = [0; RECORD];
        self.file
            .seek(SeekFrom::Start(HEADER as u64 + place * RECORD as u64))?;
        self.file.read_exact(&mut record)?;
        Ok(record)
    }

    /// The numbers of a suit.
    ///
    /// # Errors
    /// If the suit is not there, or the file cannot be read.
    pub fn find(&mut self, north: Cards, south: Cards) -> Result<Values, BookError> {
        let wanted = key(north, south);
        let (mut from, mut to) = (0, self.rows);
        while from < to {
            let middle = from + (to - from) / 2;
            let record = self.record(middle)?;
            match record[..2 * HAND].cmp(&wanted) {
                std::cmp::Ordering::Less => from = middle + 1,
                std::cmp::Ordering::Greater => to = middle,
                std::cmp::Ordering::Equal => {
                    let row = Row::of_bytes(&record).ok_or(BookError::Damaged(middle))?;
                    return Ok(row.values);
                }
            }
        }
        Err(BookError::Missing(north, south))
    }
}

fn chance(values: &Values, goal: Goal) -> Chance {
    let place = match goal {
        Goal::Tricks(tricks) => usize::from(tricks.clamp(1, 13)) - 1,
        Goal::Average => 13,
    };
    let weight = u64::from(values[place]);
    Chance {
        goal,
        weight,
        bound: weight,
        total: TOTAL,
        stop: None,
    }
}

/// The answer for one goal, without a line.
pub fn answer(suit: &Suit, values: &Values, goal: Goal) -> SuitAnswer {
    SuitAnswer {
        suit: suit.clone(),
        chance: chance(values, goal),
        line: None,
        line_stop: None,
        leads: None,
        sure: None,
        top: None,
        table: false,
    }
}

/// The answers for all goals, without lines.
pub fn table(suit: &Suit, values: &Values) -> SuitTable {
    let goals = (1..=suit.tricks()).rev().map(Goal::Tricks);
    let goals = goals.chain([Goal::Average]);
    SuitTable {
        suit: suit.clone(),
        goals: goals.map(|goal| (chance(values, goal), None)).collect(),
        lines: Vec::new(),
        line_stop: None,
        leads: None,
        table: false,
    }
}

/// The suit that stands for all that are worth the same: in each run of declarer's cards North has
/// the highest ones. Of the suit and the one with hands exchanged, the one whose North is higher.
pub fn class(north: Cards, south: Cards) -> (Cards, Cards) {
    let in_order = |north: Cards, south: Cards| {
        let (mut first, mut second) = (0_u16, 0_u16);
        let mut rank = 0;
        let held = north.or(south).bits();
        while rank < 13 {
            let run = (held >> rank).trailing_ones();
            let mask = ((1_u16 << run) - 1) << rank;
            let low = (south.bits() & mask).count_ones();
            let lower = ((1_u16 << low) - 1) << rank;
            second |= lower;
            first |= mask & !lower;
            rank += run + 1;
        }
        (Cards::of_bits(first), Cards::of_bits(second))
    };
    in_order(north, south).max(in_order(south, north))
}

/// All suits up to exchange of hands: 797,161.
pub fn suits() -> impl Iterator<Item = (Cards, Cards)> {
    let all = Cards::ALL.bits();
    (1..=all).flat_map(move |held| {
        // All parts of what is held, for North; the other hand is never higher.
        let mut part = Some(held);
        std::iter::from_fn(move || {
            let north = part?;
            part = (north > 0).then(|| (north - 1) & held);
            Some((Cards::of_bits(north), Cards::of_bits(held & !north)))
        })
        .filter(|(north, south)| north > south)
    })
}

/// One suit of each class, in order.
pub fn classes() -> Vec<Class> {
    let all: BTreeSet<Class> = suits().map(|(north, south)| class(north, south)).collect();
    all.into_iter().collect()
}

/// The numbers of a suit.
///
/// # Errors
/// When the budget ends it.
pub fn values(north: Cards, south: Cards, budget: &Budget) -> Result<Values, Stop> {
    let most = north.count().max(south.count());
    let mut values = [0; 14];
    let suit = Suit::new(north, south, Knowledge::default());
    let Some(suit) = suit.ok().filter(|suit| !suit.missing().is_empty()) else {
        // Declarer has all cards.
        values[..usize::from(most)].fill(TOTAL as u32);
        values[13] = TOTAL as u32 * u32::from(most);
        return Ok(values);
    };
    let mut solver = Solver::new(&suit, budget);
    for goal in (1..=most).map(Goal::Tricks).chain([Goal::Average]) {
        let found = solver.greatest(goal);
        found.stop.map_or(Ok(()), Err)?;
        let place = match goal {
            Goal::Tricks(tricks) => usize::from(tricks) - 1,
            Goal::Average => 13,
        };
        values[place] = found.weight as u32;
    }
    Ok(values)
}
