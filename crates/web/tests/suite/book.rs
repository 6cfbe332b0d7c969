//! The book of suits in parts.

use std::io::{Cursor, Read as _};

use flate2::read::GzDecoder;
use meetjoin_bridge::suit::book::{self, Row, TOTAL, class};
use meetjoin_web::book::{SAMPLE, scripts};
use serde_json::Value;

/// The bytes of base64.
fn bytes(text: &str) -> Vec<u8> {
    let digit = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits = text.bytes().filter(|letter| *letter != b'=').map(digit);
    let digits: Vec<u8> = digits.collect();
    let mut bytes = Vec::new();
    for four in digits.chunks(4) {
        let bits = four
            .iter()
            .fold(0_u32, |bits, digit| bits << 6 | u32::from(*digit));
        let bits = bits << (6 * (4 - four.len()));
        bytes.extend(&bits.to_be_bytes()[1..four.len()]);
    }
    bytes
}

/// The text between two marks.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let (_, rest) = text.split_once(from).expect("it begins");
    rest.split_once(to).expect("it ends").0
}

/// A row of a book with numbers that cannot be packed.
fn row((north, south): (meetjoin_bridge::Cards, meetjoin_bridge::Cards), state: &mut u64) -> Row {
    let most = usize::from(north.count().max(south.count()));
    let mut values = [0_u32; 14];
    for value in &mut values[..most] {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        *value = ((*state >> 33) % TOTAL) as u32;
    }
    values[..13].sort_unstable_by(|a, b| b.cmp(a));
    values[13] = values[0];
    Row {
        north,
        south,
        values,
    }
}

#[test]
fn parts_of_a_large_book_are_small_and_hold_every_suit() {
    let mut state = 1;
    // Suits of many cards, as those have the most numbers.
    let mut classes = book::classes();
    classes.reverse();
    classes.truncate(8000);
    let rows: Vec<Row> = classes.iter().map(|one| row(*one, &mut state)).collect();
    let mut file = Vec::new();
    book::write(&mut file, rows.iter().copied()).expect("memory takes it");
    let made = scripts(Cursor::new(file)).expect("it is a book");
    let (name, index) = &made[0];
    assert_eq!(name, "index.js");
    let index: Value = serde_json::from_str(between(index, "var BOOK = ", ";\n")).expect("JSON");
    assert_eq!(index["whole"], false);
    assert_eq!(index["classes"], 8000);
    let firsts = index["parts"].as_array().expect("a list");
    assert_eq!(firsts.len(), made.len() - 1);
    let mut found = Vec::new();
    for ((_, text), first) in made[1..].iter().zip(firsts) {
        assert!(text.len() <= 300_000, "a part has {} bytes", text.len());
        let mut part = Vec::new();
        let packed = bytes(between(text, ": '", "' }"));
        let mut packed = GzDecoder::new(&*packed);
        packed.read_to_end(&mut part).expect("it is packed");
        let word = |at: usize| u16::from_le_bytes([part[at], part[at + 1]]);
        assert_eq!(first[0], word(0));
        assert_eq!(first[1], word(2));
        found.extend(part.chunks(60).map(<[u8]>::to_vec));
    }
    let mut expected: Vec<_> = rows
        .iter()
        .map(|row| (class(row.north, row.south), row.values))
        .collect();
    expected.sort_unstable();
    let expected = expected.into_iter().map(|((north, south), values)| {
        let hands = [north.bits(), south.bits()].map(u16::to_le_bytes).concat();
        [hands, values.map(u32::to_le_bytes).concat()].concat()
    });
    assert!(expected.eq(found), "every suit is there, in order");
}

#[test]
fn the_sample_of_the_repository_is_a_book() {
    let made = scripts(Cursor::new(SAMPLE)).expect("it is a book");
    let index = between(&made[0].1, "var BOOK = ", ";\n");
    let index: Value = serde_json::from_str(index).expect("JSON");
    assert_eq!(index["suits"], 1000);
    assert_eq!(index["hardest"].as_array().map(Vec::len), Some(10));
    let hardest = &index["hardest"][0];
    assert!(hardest["separately"].as_f64() > hardest["together"].as_f64());
    assert!(scripts(Cursor::new(b"no book")).is_err());
    let mut damaged = SAMPLE.to_vec();
    damaged[600] ^= 1;
    assert!(scripts(Cursor::new(damaged)).is_err());
}
