//! The book of suits in parts.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use meetjoin_bridge::suit::book::{self, Book, Class, Row, TOTAL, Tables, Values, class};
use meetjoin_bridge::suit::{FirstLead, Goal, Solver};
use meetjoin_bridge::{Cards, Knowledge, Suit, named_cards};
use meetjoin_lattice::{Budget, Limits};
use meetjoin_web::book::{SAMPLE, Script, scripts};
use serde_json::{Value, json};

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
fn row((north, south): Class, state: &mut u64) -> Row {
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
    let index = index(&made);
    assert_eq!(index["whole"], false);
    assert_eq!(index["suits"], 8000);
    holds(&made, &rows);
}

/// The index of a book, as JSON.
fn index(made: &[Script]) -> Value {
    let (name, index) = &made[0];
    assert_eq!(name, "index.js");
    serde_json::from_str(between(index, "var BOOK = ", ";\n")).expect("JSON")
}

/// The parts are small, the index leads to each, and together they hold these suits in order.
fn holds(made: &[Script], rows: &[Row]) {
    let index = index(made);
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
    let expected: BTreeMap<Class, Values> = rows
        .iter()
        .map(|row| (class(row.north, row.south), row.values))
        .collect();
    let expected = expected.into_iter().map(|((north, south), values)| {
        let hands = [north.bits(), south.bits()].map(u16::to_le_bytes).concat();
        [hands, values.map(u32::to_le_bytes).concat()].concat()
    });
    assert!(expected.eq(found), "every suit is there, in order");
}

/// Without limits.
fn budget() -> Budget {
    Budget::new(Limits::default())
}

fn solved((north, south): Class) -> Values {
    book::values(north, south, &budget()).expect("nothing stops it")
}

fn rows<R: Read + Seek>(file: R) -> Vec<Row> {
    let mut book = Book::open(file).expect("it is a book");
    let all = 0..book.rows();
    all.map(|place| book.row(place).expect("a row")).collect()
}

fn cards(text: &Value) -> Cards {
    named_cards(text.as_str().expect("a text")).expect("cards")
}

/// The index where the sample is served.
fn sample() -> Value {
    index(&scripts(Cursor::new(SAMPLE)).expect("it is a book"))
}

#[test]
fn tables_of_all_suits_are_true_where_that_is_quick() {
    let tables = &sample()["tables"];
    assert_eq!(tables["suits"], 797_161);
    assert_eq!(tables["classes"], 159_093);
    let cells = tables["cells"].as_array().expect("a list");
    let suits = cells.iter().map(|cell| cell["suits"].as_u64());
    assert_eq!(suits.sum::<Option<u64>>(), Some(797_161));
    // Few cards, or nearly all of them, are soon solved.
    let is_quick = |cards: u8| cards <= 3 || cards >= 11;
    let quick = book::suits().filter(|(north, south)| is_quick(north.or(*south).count()));
    let mut known: BTreeMap<Class, Values> = BTreeMap::new();
    let quick = quick.map(|(north, south)| Row {
        north,
        south,
        values: *known
            .entry(class(north, south))
            .or_insert_with_key(|one| solved(*one)),
    });
    let found = json!(Tables::of(&quick.collect::<Vec<_>>()));
    let listed = cells.iter().filter(|cell| {
        cell["cards"]
            .as_u64()
            .is_some_and(|cards| is_quick(cards as u8))
    });
    assert!(listed.eq(found["cells"].as_array().expect("a list")));
}

#[test]
fn the_hardest_suits_are_as_hard_as_the_table_says() {
    let tables = &sample()["tables"];
    let hardest = tables["hardest"].as_array().expect("a list");
    assert_eq!(hardest.len(), 10);
    let row = |hard: &Value| {
        let (north, south) = (cards(&hard["north"]), cards(&hard["south"]));
        let values = solved((north, south));
        Row {
            north,
            south,
            values,
        }
    };
    let listed: Vec<Row> = hardest.iter().map(row).collect();
    // None of the sample is harder than these, unless it is one of them.
    let mut rows = rows(Cursor::new(SAMPLE));
    rows.retain(|row| !listed.contains(row));
    rows.extend(&listed);
    assert_eq!(json!(Tables::of(&rows))["hardest"], tables["hardest"]);
}

#[test]
fn first_plays_matter_as_much_as_the_page_says() {
    let gaps = &sample()["gaps"];
    assert_eq!(gaps["sample"], Value::Null);
    assert_eq!(gaps["open"], 0);
    let listed = gaps["suits"].as_array().expect("a list");
    assert_eq!(listed.len(), 10);
    let width =
        |gap: &Value| gap[3].as_u64().expect("a weight") - gap[4].as_u64().expect("a weight");
    assert!(listed.is_sorted_by_key(|gap| std::cmp::Reverse(width(gap))));
    for gap in listed {
        let suit = Suit::new(cards(&gap[0]), cards(&gap[1]), Knowledge::default());
        let budget = budget();
        let suit = suit.expect("a suit");
        let mut solver = Solver::new(&suit, &budget);
        let tricks = gap[2].as_u64().and_then(|tricks| tricks.try_into().ok());
        let tricks = tricks.expect("a goal");
        let leads = solver.leads(Goal::Tricks(tricks));
        assert_eq!(gap[3], leads[0].chance.weight, "{gap}");
        let seen = |lead: &FirstLead| solver.seen_after((lead.hand, lead.card), tricks);
        let weights = leads.iter().map(|lead| lead.chance.weight);
        // Of the best that which looks best, and the best of the others that look as good.
        let mut as_good: Vec<(u64, u64)> = weights.zip(leads.iter().map(seen)).collect();
        as_good.sort_unstable_by(|a, b| b.cmp(a));
        let least = as_good.remove(0).1;
        as_good.retain(|(_, seen)| *seen >= least);
        assert_eq!(gap[4], as_good[0].0, "{gap}");
    }
}

/// The book of all suits, where it has been made.
fn whole() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/suits.npy")
}

#[test]
#[ignore = "needs the book that 'cargo xtask suits target/suits.npy' makes"]
fn the_whole_book_is_served_whole() {
    let open = || BufReader::new(File::open(whole()).expect("target/suits.npy"));
    let rows = rows(open());
    let made = scripts(open()).expect("it is a book");
    assert_eq!(index(&made)["whole"], true);
    assert_eq!(index(&made)["tables"], json!(Tables::of(&rows)));
    holds(&made, &rows);
    // Some of all are computed anew.
    for row in rows.iter().step_by(4001) {
        let (north, south) = (row.north, row.south);
        assert_eq!(solved((north, south)), row.values, "{north} {south}");
    }
}

#[test]
fn the_sample_of_the_repository_is_a_book() {
    let made = scripts(Cursor::new(SAMPLE)).expect("it is a book");
    let index = index(&made);
    assert_eq!(index["suits"], 1000);
    assert_eq!(index["whole"], false);
    assert!(scripts(Cursor::new(b"no book")).is_err());
    let mut damaged = SAMPLE.to_vec();
    damaged[600] ^= 1;
    assert!(scripts(Cursor::new(damaged)).is_err());
}
