//! The table of algorithms and the page of the book that shows it.

use meetjoin_search::method::ALGORITHMS;

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
