//! Drawings of lattices: small ones are whole, of large ones some elements are shown.

use meetjoin_explain::hasse::{Hasse, elements};
use meetjoin_explain::layout::layered;
use meetjoin_file::lattice_from_json;
use meetjoin_lattice::Budget;

fn drawn(lattice: &str) -> (usize, usize, bool) {
    let lattice = lattice_from_json(lattice).expect("a lattice");
    let budget = Budget::unlimited();
    let (elements, whole) = elements(&lattice, 64, &budget).expect("no limit");
    let hasse = Hasse::of(&lattice, elements, &budget).expect("no limit");
    for &(upper, lower) in &hasse.covers {
        assert!(hasse.places[upper].y < hasse.places[lower].y);
    }
    (hasse.elements.len(), hasse.covers.len(), whole)
}

#[test]
fn small_lattices_are_whole() {
    for (lattice, elements, covers) in [
        (r#"{"type":"bool"}"#, 2, 1),
        (r#"{"type":"chain","lo":-3,"hi":6}"#, 10, 9),
        (r#"{"type":"powerset","v":5}"#, 32, 80),
        (r#"{"type":"powerset","v":0}"#, 1, 0),
        (r#"{"type":"families","v":1}"#, 3, 2),
        (r#"{"type":"families","v":3}"#, 20, 32),
        (r#"{"type":"divisors","n":360}"#, 24, 46),
        (r#"{"type":"divisors","n":4611686014132420609}"#, 3, 2),
        (
            r#"{"type":"product","of":[{"type":"bool"},{"type":"chain","lo":0,"hi":2}]}"#,
            6,
            7,
        ),
        (r#"{"type":"monotone","v":2}"#, 16, 32),
        (r#"{"type":"dual","of":{"type":"powerset","v":2}}"#, 4, 4),
        (r#"{"type":"table","size":2,"leq":[[1,1],[0,1]]}"#, 2, 1),
    ] {
        assert_eq!(drawn(lattice), (elements, covers, true), "{lattice}");
    }
}

#[test]
fn large_ones_are_shown_in_part() {
    for lattice in [
        r#"{"type":"chain"}"#,
        r#"{"type":"chain","lo":0}"#,
        r#"{"type":"chain","lo":-9223372036854775807,"hi":9223372036854775807}"#,
        r#"{"type":"chain","lo":0.5,"hi":2.5}"#,
        r#"{"type":"powerset","v":7}"#,
        r#"{"type":"powerset","v":700}"#,
        r#"{"type":"families","v":4}"#,
        r#"{"type":"families","v":70}"#,
        r#"{"type":"free","dims":2}"#,
        r#"{"type":"monotone","v":9}"#,
        r#"{"type":"dual","of":{"type":"families","v":20}}"#,
    ] {
        let (elements, covers, whole) = drawn(lattice);
        assert!(
            !whole && covers > 0 && (2..=8).contains(&elements),
            "{lattice}"
        );
    }
}

#[test]
fn children_lie_below_and_nobody_on_top_of_another() {
    let edges = [(0, 1), (0, 2), (1, 3), (2, 3), (0, 3), (2, 4)];
    let (places, width, height) = layered(5, &edges, 84.0);
    for (from, to) in edges {
        assert!(places[from].y < places[to].y);
    }
    for (i, place) in places.iter().enumerate() {
        assert!(!places[..i].contains(place));
        assert!((0.0..=width).contains(&place.x) && (0.0..=height).contains(&place.y));
    }
}
