//! The law checkers find what is wrong: for every law a structure that breaks it, and is caught by
//! that law.

use std::cmp::Ordering;

use meetjoin_lattice::laws::{Violation, check_distributive, check_lattice, check_total_order};
use meetjoin_lattice::{Budget, DistributiveLattice, Lattice, Stop, TotalOrder};

use crate::support::{elements, join, leq, m3, meet, n5};

/// Elements `0..size` with whatever operations a test wants. The sound ones are those of the
/// subsets of three points as bit masks.
#[derive(Clone, Copy)]
struct Made {
    size: u32,
    bottom: u32,
    top: u32,
    leq: fn(u32, u32) -> bool,
    meet: fn(u32, u32) -> u32,
    join: fn(u32, u32) -> u32,
    compare: fn(u32, u32) -> Ordering,
    stop: Option<Stop>,
}

const SOUND: Made = Made {
    size: 8,
    bottom: 0,
    top: 7,
    leq: |a, b| a & !b == 0,
    meet: |a, b| a & b,
    join: |a, b| a | b,
    compare: |a, b| a.cmp(&b),
    stop: None,
};

const CHAIN: Made = Made {
    leq: |a, b| a <= b,
    meet: Ord::min,
    join: Ord::max,
    ..SOUND
};

impl Made {
    fn elements(&self) -> Vec<u32> {
        (0..self.size).collect()
    }
}

impl Lattice for Made {
    type Elem = u32;

    fn bottom(&self) -> u32 {
        self.bottom
    }

    fn top(&self) -> u32 {
        self.top
    }

    fn leq(&self, a: &u32, b: &u32, _: &Budget) -> Result<bool, Stop> {
        self.stop.map_or(Ok((self.leq)(*a, *b)), Err)
    }

    fn join_assign(&self, a: &mut u32, b: &u32, _: &Budget) -> Result<(), Stop> {
        *a = (self.join)(*a, *b);
        Ok(())
    }

    fn meet_assign(&self, a: &mut u32, b: &u32, _: &Budget) -> Result<(), Stop> {
        *a = (self.meet)(*a, *b);
        Ok(())
    }
}

// A false claim for most of them: that is the point.
impl DistributiveLattice for Made {}

impl TotalOrder for Made {
    fn compare(&self, a: &u32, b: &u32) -> Ordering {
        (self.compare)(*a, *b)
    }
}

/// The law that caught it, and on which elements.
fn caught(result: Result<(), Violation>) -> (&'static str, Vec<u32>) {
    match result {
        Err(Violation::Law { law, elements }) => {
            let number = |e: &String| e.parse().expect("elements are numbers");
            (law, elements.iter().map(number).collect())
        }
        other => panic!("not caught: {other:?}"),
    }
}

/// All pairwise intersections of two raw sets of sets: bit s of a mask says that the set with mask
/// s belongs to it.
fn raw_meet(a: u32, b: u32) -> u32 {
    let sets = |mask: u32| (0..8).filter(move |s| mask >> s & 1 == 1);
    let pairs = sets(a).flat_map(|x| sets(b).map(move |y| x & y));
    pairs.fold(0, |all, s| all | 1 << s)
}

/// Stone, paper, scissors between bottom and top: everything but transitive.
fn beaten(a: u32, b: u32) -> bool {
    a == b || a == 0 || b == 4 || (a != 4 && b == a % 3 + 1)
}

/// Associative, but 1 and 2 meet (or join) in 4, where only an element outside the list can show
/// that nothing is absorbed.
fn astray(a: u32, b: u32) -> Option<u32> {
    matches!((a.min(b), a.max(b)), (1, 2 | 4) | (2, 4)).then_some(4)
}

#[test]
fn the_sound_ones_pass() {
    for sound in [SOUND, CHAIN] {
        assert_eq!(check_lattice(&sound, &sound.elements()), Ok(()));
        assert_eq!(check_distributive(&sound, &sound.elements()), Ok(()));
    }
    assert_eq!(check_total_order(&CHAIN, &CHAIN.elements()), Ok(()));
}

#[test]
#[rustfmt::skip]
fn every_law_of_lattices_catches_a_structure_that_breaks_it() {
    // Families of sets as printed, over two points: 16 raw families.
    let raw = Made { size: 16, top: 15, meet: raw_meet, ..SOUND };
    let game = Made {
        size: 5,
        top: 4,
        leq: beaten,
        meet: |a, b| if beaten(a, b) { a } else { b },
        join: |a, b| if beaten(a, b) { b } else { a },
        ..SOUND
    };
    let cases = [
        ("a <= a", Made { leq: |a, b| a & !b == 0 && a != b, ..SOUND }),
        ("a <= b exactly if a join b = b", Made { leq: |a, b| raw_meet(a, b) == a, ..raw }),
        ("bottom <= a", Made { bottom: 1, ..SOUND }),
        ("bottom <= a", Made { bottom: 7, top: 0, ..SOUND }),
        ("a <= top", Made { top: 3, ..SOUND }),
        ("a meet bottom = bottom", Made { meet: |a, b| if a | b == 0 { 1 } else { a & b }, ..SOUND }),
        ("a join top = top", Made { join: |a, b| if b == 7 { a } else { a | b }, ..SOUND }),
        ("a <= b exactly if a meet b = a", raw),
        ("a join bottom = a", Made { join: |a, b| a | b | 1, ..SOUND }),
        ("a <= b and b <= a exactly if a = b", Made { leq: |a, b| a.count_ones() <= b.count_ones(), ..SOUND }),
        ("a <= b exactly if a meet b = a", Made { leq: |a, b| a <= b, ..SOUND }),
        ("a <= b exactly if a meet b = a", Made { leq: |a, b| a & !b == 0 && (a, b) != (1, 3), ..SOUND }),
        ("a <= b exactly if a join b = b", Made { join: |a, b| if (a, b) == (1, 2) { 2 } else { a | b }, ..SOUND }),
        ("a meet b = b meet a", Made { meet: |a, b| if (a, b) == (2, 1) { 3 } else { a & b }, ..SOUND }),
        ("a join b = b join a", Made { join: |a, b| if (a, b) == (2, 1) { 7 } else { a | b }, ..SOUND }),
        ("a join (a meet b) = a", Made { size: 3, meet: |a, b| astray(a, b).unwrap_or(a & b), ..SOUND }),
        ("a meet (a join b) = a", Made { size: 3, join: |a, b| astray(a, b).unwrap_or(a | b), ..SOUND }),
        ("a <= b and b <= c give a <= c", game),
        ("(a meet b) meet c = a meet (b meet c)", Made { meet: |a, b| if a | b == 7 && a & b == 2 && a != 7 && b != 7 { 0 } else { a & b }, ..SOUND }),
        ("(a join b) join c = a join (b join c)", Made { join: |a, b| if a | b == 3 && a & b == 0 && a * b != 0 { 7 } else { a | b }, ..SOUND }),
    ];
    for (law, made) in cases {
        let (caught, _) = caught(check_lattice(&made, &made.elements()));
        assert_eq!(caught, law);
    }
}

#[test]
fn families_as_printed_are_no_lattice() {
    // {{1},{2}} as a raw set of sets; its meet with itself has the empty set too.
    let family = 1 << 0b01 | 1 << 0b10;
    assert_eq!(raw_meet(family, family), family | 1 << 0b00);
}

#[test]
fn a_false_claim_of_distributivity_is_caught_by_a_true_witness() {
    let meet_over_join = "a meet (b join c) = (a meet b) join (a meet c)";
    let join_over_meet = "a join (b meet c) = (a join b) meet (a join c)";
    for (table, law) in [(m3(), meet_over_join), (n5(), join_over_meet)] {
        assert_eq!(check_lattice(&table, &elements(&table)), Ok(()));
        let (caught, abc) = caught(check_distributive(&table, &elements(&table)));
        assert_eq!(caught, law);
        let [a, b, c] = abc[..] else {
            panic!("three elements: {abc:?}")
        };
        let l = &table;
        if law == meet_over_join {
            let right = join(l, &meet(l, &a, &b), &meet(l, &a, &c));
            assert_ne!(meet(l, &a, &join(l, &b, &c)), right);
        } else {
            let right = meet(l, &join(l, &a, &b), &join(l, &a, &c));
            assert_ne!(join(l, &a, &meet(l, &b, &c)), right);
        }
    }
}

#[test]
fn a_false_claim_of_total_order_is_caught() {
    let reverse = |a: u32, b: u32| b.cmp(&a);
    let cases = [
        ("a <= b or b <= a", SOUND),
        (
            "compare(a, b) agrees with a <= b",
            Made {
                compare: reverse,
                ..CHAIN
            },
        ),
        (
            "compare(a, b) agrees with b <= a",
            Made {
                compare: |_, _| Ordering::Equal,
                ..CHAIN
            },
        ),
    ];
    for (law, made) in cases {
        let (caught, ab) = caught(check_total_order(&made, &made.elements()));
        assert_eq!(caught, law);
        assert!(law != "a <= b or b <= a" || !leq(&made, &ab[0], &ab[1]));
    }
}

#[test]
fn a_violation_names_the_law_and_the_elements() {
    let broken = Made { bottom: 1, ..SOUND };
    let violation = check_lattice(&broken, &broken.elements()).expect_err("broken");
    assert_eq!(violation.to_string(), "bottom <= a fails for 0");
}

#[test]
fn an_operation_that_stops_without_a_limit_is_reported() {
    let full = Made {
        stop: Some(Stop::Lattice),
        ..SOUND
    };
    let reported = Err(Violation::Stopped(Stop::Lattice));
    assert_eq!(check_lattice(&full, &full.elements()), reported);
    assert_eq!(check_total_order(&full, &full.elements()), reported);
    let sentence = "an operation stopped although it had no limit: the lattice's own table is full";
    assert_eq!(
        reported.map_err(|v| v.to_string()),
        Err(sentence.to_owned())
    );
}
