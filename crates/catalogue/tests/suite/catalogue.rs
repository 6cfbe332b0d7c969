//! The table of algorithms and the page of the book that shows it.

use meetjoin_catalogue::method::{ALGORITHMS, PARTS, Parts};

#[test]
fn the_page_of_algorithms_has_a_row_for_each() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src/algorithms.md");
    let page = std::fs::read_to_string(path).expect("the book is beside the crates");
    for algorithm in ALGORITHMS {
        let row = format!(
            "| `{}` | {} | `{}` | {} | {} | {} |\n",
            algorithm.id,
            algorithm.name,
            algorithm.needs().trait_name(),
            algorithm.memory(),
            algorithm.source,
            if algorithm.bounds { "yes" } else { "no" }
        );
        assert!(page.contains(&row), "the page lacks the row {row}");
    }
}

#[test]
fn each_part_can_be_left_out_by_itself() {
    let whole = Parts::DEFAULT;
    let all = PARTS.iter().map(|(part, ..)| *part);
    let nothing = all
        .clone()
        .fold(whole, |parts, part| parts.with(part, false));
    assert_eq!(nothing, Parts::PLAIN);
    for part in all {
        let without = whole.with(part, false);
        assert_ne!(without, whole, "{part:?}");
        assert_eq!(without.with(part, true), whole);
    }
}
