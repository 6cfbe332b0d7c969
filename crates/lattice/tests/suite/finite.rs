//! Finite lattices: every refusal with its exact sentence, and the test of distributivity against
//! the law itself.

use meetjoin_lattice::{
    Chain, Distributive, Divisors, FiniteError, FiniteLattice, Forbidden, Lattice, NotDistributive,
    Powerset, Sublattice, Words, laws,
};
use proptest::prelude::*;

use crate::support::{covers, elements, inclusion, join, m3, meet, n5, partitions, table, word};

/// A matrix from rows of zeros and ones.
fn matrix(rows: &[&str]) -> Vec<Vec<bool>> {
    let row = |row: &&str| row.bytes().map(|b| b == b'1').collect();
    rows.iter().map(row).collect()
}

/// A name for a matter of tests: the variant without its fields.
fn variant(error: &FiniteError) -> String {
    let debug = format!("{error:?}");
    let end = debug.find([' ', '(']).unwrap_or(debug.len());
    debug[..end].to_owned()
}

#[test]
fn every_matrix_that_is_no_lattice_is_refused_with_its_sentence() {
    let cases: [(&[&str], &str, &str); 8] = [
        (&[], "Empty", "a lattice has at least one element"),
        (
            &["11", "0"],
            "NotSquare",
            "row 1 of the order has 1 entry, not 2",
        ),
        (
            &["111", "01", "001"],
            "NotSquare",
            "row 1 of the order has 2 entries, not 3",
        ),
        (
            &["11", "00"],
            "NotReflexive",
            "the order is not reflexive: 1 does not lie below itself",
        ),
        (
            &["111", "011", "011"],
            "NotAntisymmetric",
            "the order is not antisymmetric: 1 and 2 lie below each other",
        ),
        (
            &["110", "011", "001"],
            "NotTransitive",
            "the order is not transitive: 0 <= 1 and 1 <= 2, but not 0 <= 2",
        ),
        (
            &["101", "011", "001"],
            "NoMeet",
            "this order is no lattice: 0 and 1 have no meet",
        ),
        (
            &["111", "010", "001"],
            "NoJoin",
            "this order is no lattice: 1 and 2 have no join",
        ),
    ];
    for (rows, name, sentence) in cases {
        let error = FiniteLattice::from_leq(&matrix(rows)).expect_err(name);
        assert_eq!(
            (variant(&error).as_str(), error.to_string().as_str()),
            (name, sentence)
        );
    }
    let large = FiniteLattice::from_leq(&vec![Vec::new(); 8_193]).expect_err("too large");
    assert_eq!(large, FiniteError::TooLarge(8_193));
    let sentence = "8193 elements are more than the 8192 a table may have";
    assert_eq!(large.to_string(), sentence);
}

#[test]
fn every_covering_relation_that_is_no_lattice_is_refused_with_its_sentence() {
    type Covers<'a> = &'a [(&'a str, &'a str)];
    let hexagon: Covers = &[
        ("0", "a"),
        ("0", "b"),
        ("a", "c"),
        ("a", "d"),
        ("b", "c"),
        ("b", "d"),
        ("c", "1"),
        ("d", "1"),
    ];
    let cases: [(&str, Covers, &str, &str); 8] = [
        ("", &[], "Empty", "a lattice has at least one element"),
        (
            "a b a",
            &[],
            "DuplicateElement",
            "the element a is listed twice",
        ),
        (
            "a b",
            &[("a", "x")],
            "UnknownElement",
            "the covers name x, which is no element",
        ),
        (
            "a b",
            &[("y", "a")],
            "UnknownElement",
            "the covers name y, which is no element",
        ),
        (
            "a",
            &[("a", "a")],
            "CircularCovers",
            "the covers go round in a circle through a",
        ),
        (
            "a b",
            &[],
            "NoMeet",
            "this order is no lattice: a and b have no meet",
        ),
        (
            "0 a b",
            &[("0", "a"), ("0", "b")],
            "NoJoin",
            "this order is no lattice: a and b have no join",
        ),
        // Bounded, but a and b have two minimal upper bounds.
        (
            "0 a b c d 1",
            hexagon,
            "NoMeet",
            "this order is no lattice: c and d have no meet",
        ),
    ];
    for (names, covers, variant_name, sentence) in cases {
        let names: Vec<&str> = names.split_whitespace().collect();
        let error = FiniteLattice::from_covers(&names, covers).expect_err(sentence);
        let found = (variant(&error), error.to_string());
        assert_eq!(found, (variant_name.to_owned(), sentence.to_owned()));
    }
    let many: Vec<String> = (0..8_193).map(|n| n.to_string()).collect();
    assert_eq!(
        FiniteLattice::from_covers(&many, &[]),
        Err(FiniteError::TooLarge(8_193))
    );
}

#[test]
fn the_circle_is_named_and_not_the_way_to_it_or_from_it() {
    for names in [["x", "y", "p", "z"], ["z", "p", "x", "y"]] {
        let covers = [("x", "y"), ("y", "p"), ("p", "y"), ("y", "z")];
        let error = FiniteLattice::from_covers(&names, &covers).expect_err("a circle");
        let on_circle = ["y", "p"].map(|e| FiniteError::CircularCovers(e.to_owned()));
        assert!(on_circle.contains(&error), "{error}");
    }
}

#[test]
fn redundant_and_repeated_covers_change_nothing() {
    let plain = covers("0 a b 1", "0 < a < b < 1");
    let redundant = covers("0 a b 1", "0 < a < b < 1, 0 < b, 0 < 1, a < b, a < 1");
    assert_eq!(plain, redundant);
    assert_eq!(plain.names().map(<[String]>::len), Some(4));
    assert_eq!(plain.show(2), "b");
    assert_eq!(plain.show(plain.top()), "1");
}

/// Both sides of the law that the witness is said to break.
fn sides<L: Lattice>(l: &L, [a, b, c]: [&L::Elem; 3]) -> (L::Elem, L::Elem) {
    let left = meet(l, a, &join(l, b, c));
    let right = join(l, &meet(l, a, b), &meet(l, a, c));
    (left, right)
}

/// Checks a refusal: its witness breaks the law, its names are those of its elements.
fn check_witness(table: &FiniteLattice, refused: &NotDistributive) {
    let (left, right) = sides(table, refused.elements.each_ref());
    assert_ne!(left, right, "{refused}");
    assert_eq!(refused.names, refused.elements.map(|e| table.show(e)));
    check_sublattice(table, &refused.sublattice);
}

/// Checks that five elements are what they are said to be: every pair meets and joins as in an M3
/// or N5.
fn check_sublattice(table: &FiniteLattice, found: &Sublattice) {
    let five = found.elements;
    let shape = match found.kind {
        Forbidden::M3 => m3(),
        Forbidden::N5 => n5(),
    };
    assert_eq!(found.names, five.map(|e| table.show(e)));
    for a in 0..5 {
        for b in 0..5 {
            let (x, y) = (five[a], five[b]);
            assert_eq!(x == y, a == b, "{found:?}");
            let (a, b) = (a as u32, b as u32);
            assert_eq!(meet(table, &x, &y), five[meet(&shape, &a, &b) as usize]);
            assert_eq!(join(table, &x, &y), five[join(&shape, &a, &b) as usize]);
        }
    }
}

#[test]
fn the_sublattice_of_a_refusal_is_the_one_to_blame() {
    let kind = |table: &FiniteLattice| {
        let refused = table.check_distributive().expect_err("not distributive");
        check_witness(table, &refused);
        refused.sublattice.kind
    };
    assert_eq!(kind(&m3()), Forbidden::M3);
    assert_eq!(kind(&n5()), Forbidden::N5);
    // Modular: the diamond with four atoms, and one on top of another.
    let four = covers("0 a b c d 1", "0<a<1, 0<b<1, 0<c<1, 0<d<1");
    assert_eq!(kind(&four), Forbidden::M3);
    // The partitions of four points have both; the one found is true.
    kind(&partitions());
    // Three generators of a hexagon: no modular law at all.
    let hexagon = covers("0 a b c d 1", "0<a<b<1, 0<c<d<1");
    assert_eq!(kind(&hexagon), Forbidden::N5);
}

proptest! {
    /// Sets closed under intersection are a lattice, of any kind.
    #[test]
    fn every_refusal_has_a_true_witness(masks in prop::collection::vec(0_u32..32, 0..14)) {
        let mut sets = vec![31];
        for mask in masks {
            let meets: Vec<u32> = sets.iter().map(|set| set & mask).collect();
            sets.extend(meets);
            sets.sort_unstable();
            sets.dedup();
        }
        let table = FiniteLattice::from_leq(&inclusion(&sets)).expect("a lattice");
        if let Err(refused) = table.check_distributive() {
            check_witness(&table, &refused);
        }
        // The same upside down, where the other half of the proof is used.
        let dual: Vec<Vec<bool>> = sets.iter().map(|a| sets.iter().map(|b| b & !a == 0).collect()).collect();
        let dual = FiniteLattice::from_leq(&dual).expect("a lattice");
        if let Err(refused) = dual.check_distributive() {
            check_witness(&dual, &refused);
        }
    }
}

#[test]
fn the_licence_is_refused_with_a_true_witness() {
    let pentagon = covers("bottom a b c top", "bottom < a < b < top, bottom < c < top");
    for table in [m3(), n5(), partitions(), pentagon.clone()] {
        let refused = Distributive::try_from(table.clone()).expect_err("not distributive");
        check_witness(&table, &refused);
    }
    // b is the only element of the pentagon that can be a in the law.
    let refused = pentagon.check_distributive().expect_err("not distributive");
    assert_eq!(refused.names[0], "b");
    let sentence = format!(
        "the lattice is not distributive: b meet ({0} join {1}) differs from (b meet {0}) join (b meet {1}), \
         and bottom < a < b < top with bottom < c < top is an N5",
        refused.names[1], refused.names[2]
    );
    assert_eq!(refused.to_string(), sentence);
}

#[test]
fn the_licence_is_given_to_distributive_tables() {
    let divisors = Divisors::of(360).expect("positive");
    let all: Vec<u64> = (1..=360).filter(|&d| divisors.contains(d)).collect();
    let sets = Powerset::<Words<1>>::new(4).expect("it fits");
    let tables = [
        table(&divisors, &all),
        table(&sets, &(0..16).map(word).collect::<Vec<_>>()),
        table(
            &Chain::new(0, 9).expect("in order"),
            &(0..10).collect::<Vec<_>>(),
        ),
        covers("only", ""),
    ];
    for table in tables {
        assert_eq!(table.check_distributive(), Ok(()));
        let licensed = Distributive::try_from(table.clone()).expect("distributive");
        assert_eq!(licensed.top(), table.top());
        laws::check_distributive(&licensed, &elements(&table)).expect("distributive");
    }
}
