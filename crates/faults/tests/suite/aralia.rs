//! The Aralia trees, where they lie beside the project: counts and probabilities that others
//! published and an independent program found.

use meetjoin_faults::fault_tree_from_text;
use meetjoin_faults::{Analysis, BigUint, Sets};
use meetjoin_lattice::Budget;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/cases/aralia");

/// Trees that take a second and more without optimization.
const LARGE: [&str; 10] = [
    "cea9601", "das9207", "edf9203", "edf9204", "edfpa14b", "edfpa14o", "edfpa14p", "edfpa14q",
    "edfpa14r", "jbd9601",
];
/// One takes minutes, and the other is too large.
const HUGE: [&str; 2] = ["das9701", "nus9601"];
/// The published probability is that of other events: all of the file have 0.01, and SCRAM finds
/// this number too.
const OTHER_PROBABILITY: (&str, f64) = ("das9204", 2.16942e-11);

#[test]
fn counts_and_probabilities() {
    let Ok(readme) = std::fs::read_to_string(format!("{FOLDER}/README.md")) else {
        eprintln!("the Aralia trees are not beside the project: nothing is compared");
        return;
    };
    let mut compared = 0;
    for line in readme.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, name, _, _, count, probability, ..] = cells[..] else {
            continue;
        };
        let (Ok(count), Ok(probability)) = (
            count.replace(',', "").parse::<BigUint>(),
            probability.parse::<f64>(),
        ) else {
            continue;
        };
        if HUGE.contains(&name) || (cfg!(debug_assertions) && LARGE.contains(&name)) {
            continue;
        }
        let text =
            std::fs::read_to_string(format!("{FOLDER}/{name}.xml")).expect("a tree of the table");
        let tree = fault_tree_from_text(&text, None).expect("a fault tree");
        let budget = Budget::unlimited();
        let analysis = Analysis::of(&tree, Sets::Cuts, &budget);
        let found: BigUint = analysis.by_order(&budget).expect("no limit").iter().sum();
        assert_eq!(found, count, "{name}");
        let events: Vec<f64> = tree
            .events()
            .iter()
            .filter_map(|event| event.probability)
            .collect();
        let (lower, upper) = analysis.probability(&events, &budget).expect("no limit");
        let known = if name == OTHER_PROBABILITY.0 {
            OTHER_PROBABILITY.1
        } else {
            probability
        };
        assert!(
            (lower - known).abs() <= 1e-5 * known && (upper - known).abs() <= 1e-5 * known,
            "{name}: {lower} {upper}"
        );
        if name == "edf9206" {
            // The number that is published counts no set of more than 20 events.
            let by_order = analysis.by_order(&budget).expect("no limit");
            let small: BigUint = by_order[..=20].iter().sum();
            assert_eq!(small, BigUint::from(385_825_320_u32));
        }
        compared += 1;
    }
    assert!(compared > 20, "{compared} trees were compared");
}
