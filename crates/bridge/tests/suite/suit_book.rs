//! The book of all suits: its classes, what is written, and what is found.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use meetjoin_bridge::suit::book::{
    Book, BookError, Row, Tables, class, classes, suits, values, write,
};
use meetjoin_bridge::{Cards, named_cards};
use meetjoin_lattice::Budget;

fn cards(text: &str) -> Cards {
    named_cards(text).expect("cards")
}

#[test]
fn all_suits_and_their_classes_are_counted() {
    assert_eq!(suits().count(), 797_161);
    // Words of North, South and missing in which neighbours of declarer's may be exchanged: 3
    // a(n-1) - a(n-2), up to exchange of hands.
    assert!(classes().len() < 797_161 / 4);
    let (north, south) = class(cards("2"), cards("AQ43"));
    assert_eq!(
        (north.to_string(), south.to_string()),
        ("AQ43".into(), "2".into())
    );
    assert_eq!(
        class(cards("K3"), cards("A42")),
        class(cards("A32"), cards("K4"))
    );
}

#[test]
fn suits_of_a_class_are_worth_the_same() {
    let budget = Budget::unlimited();
    for (north, south) in [
        ("K952", "AT3"),
        ("QJ64", "K53"),
        ("A8642", "J3"),
        ("T98", "AQ7"),
    ] {
        let (north, south) = (cards(north), cards(south));
        let (first, second) = class(north, south);
        let own = values(north, south, &budget).expect("no limit");
        assert_eq!(values(first, second, &budget), Ok(own), "{north} {south}");
        assert_eq!(values(south, north, &budget), Ok(own), "{north} {south}");
    }
}

#[test]
fn tables_are_sums_of_the_suits_of_a_book() {
    let budget = Budget::unlimited();
    let rows: Vec<Row> = suits()
        .step_by(4999)
        .map(|(north, south)| Row {
            north,
            south,
            values: values(north, south, &budget).expect("no limit"),
        })
        .collect();
    let tables = Tables::of(&rows);
    assert_eq!(tables.suits, rows.len() as u64);
    let mut expected: BTreeMap<(String, u8), (u32, [u64; 14])> = BTreeMap::new();
    for row in &rows {
        let hands = format!("{}{}", row.north, row.south);
        let honours: String = "AKQJT".chars().filter(|one| hands.contains(*one)).collect();
        let cards = row.north.count() + row.south.count();
        let (suits, sums) = expected.entry((honours, cards)).or_default();
        *suits += 1;
        for (sum, value) in sums.iter_mut().zip(row.values) {
            *sum += u64::from(value);
        }
    }
    let found = tables.cells.iter().map(|cell| {
        let mut sums = [0; 14];
        sums[..cell.tricks.len()].copy_from_slice(&cell.tricks);
        sums[13] = cell.average;
        let honours = cell.honours.replace("none", "");
        ((honours, cell.cards), (cell.suits, sums))
    });
    assert_eq!(found.collect::<BTreeMap<_, _>>(), expected);
    // The hardest lose most by one line; of those with the same numbers there is one.
    let classes: BTreeMap<_, _> = rows
        .iter()
        .map(|row| (class(row.north, row.south), row.values))
        .collect();
    assert_eq!(tables.classes, classes.len());
    let numbers: BTreeSet<_> = classes.values().collect();
    let mut lost: Vec<u64> = numbers
        .into_iter()
        .map(|[tricks @ .., average]| {
            let apart: u64 = tricks.iter().map(|weight| u64::from(*weight)).sum();
            apart - u64::from(*average)
        })
        .collect();
    lost.sort_unstable_by(|a, b| b.cmp(a));
    let hardest = tables.hardest.iter();
    let found: Vec<u64> = hardest.map(|one| one.separately - one.together).collect();
    assert_eq!(found, lost[..10]);
    assert!(found[0] > 0);
}

#[test]
fn a_book_is_asked() {
    let budget = Budget::unlimited();
    let suits = [
        ("AQ", "32"),
        ("KJ9", "-"),
        ("AKQJT98765432", "-"),
        ("32", "A"),
    ];
    let rows = suits.map(|(north, south)| {
        let (north, south) = (cards(north), cards(south));
        let values = values(north, south, &budget).expect("no limit");
        Row {
            north,
            south,
            values,
        }
    });
    let mut bytes = Vec::new();
    assert_eq!(write(&mut bytes, rows).expect("written"), 4);
    assert_eq!(bytes.len(), 512 + 4 * 86);
    let mut book = Book::open(io::Cursor::new(&bytes)).expect("a book");
    for row in rows {
        assert_eq!(book.find(row.north, row.south).expect("there"), row.values);
        assert_eq!(book.find(row.south, row.north).expect("there"), row.values);
    }
    assert_eq!(
        book.find(cards("AQ"), cards("32")).expect("there")[1],
        5_200_300
    );
    assert!(matches!(
        book.find(cards("A"), cards("K")),
        Err(BookError::Missing(..))
    ));
    assert!(matches!(
        Book::open(io::Cursor::new(&bytes[..600])),
        Err(BookError::Other)
    ));
    // One bit, wherever it is: refused, or the suit is not found, and never another number.
    for bit in 0..8 * bytes.len() {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        let Ok(mut book) = Book::open(io::Cursor::new(&damaged)) else {
            continue;
        };
        for row in rows {
            if let Ok(found) = book.find(row.north, row.south) {
                assert_eq!(found, row.values, "bit {bit}");
            }
        }
    }
    let mut damaged = bytes.clone();
    damaged[512 + 30] ^= 1;
    let mut book = Book::open(io::Cursor::new(&damaged)).expect("a book");
    let found = rows.map(|row| book.find(row.north, row.south));
    let damaged = |found: &&Result<_, BookError>| matches!(found, Err(BookError::Damaged(0)));
    assert_eq!(found.iter().filter(damaged).count(), 1);
    // A record with its checksum that says what cannot be.
    let mut false_row = rows[0];
    false_row.values[1] = 20_801_200;
    assert_eq!(Row::of_bytes(&false_row.bytes()), None);
    assert!(matches!(
        Book::open(io::Cursor::new(b"hello")),
        Err(BookError::Other)
    ));
}
