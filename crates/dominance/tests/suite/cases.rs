//! Known answers of an independent program: the three readings, procedure F as printed and as
//! corrected.

use std::collections::BTreeSet;

use meetjoin_dominance::Player;
use serde_json::Value;

use crate::literal::{self, Removal};
use crate::printed::procedure_f;
use crate::support::{
    Tree, Vectors, cases, deep, for_max, game, lists, max, min, normal_form, shallow, solve, x,
};

pub fn tree(json: &Value) -> Vectors {
    if json.is_array() {
        let vector: Vec<i64> = serde_json::from_value(json.clone()).expect("a vector");
        return x(&vector);
    }
    let children = json["children"].as_array().expect("children");
    let children = children.iter().map(tree);
    match json["kind"].as_str() {
        Some("max") => max(children),
        Some("min") => min(children),
        other => panic!("a kind {other:?}"),
    }
}

#[test]
fn all_three_readings_and_both_forms_of_procedure_f() {
    let file: Value = serde_json::from_str(&cases("dasgupta.json")).expect("valid JSON");
    let list = file["cases"].as_array().expect("a list of cases");
    assert_eq!(list.len(), 22);
    for case in list {
        let id = case["id"].as_str().expect("an id");
        let known = |key: &str| -> Vec<Vec<Vec<i64>>> {
            serde_json::from_value(case[key].clone()).expect("packets")
        };
        let count = |key: &str| case[key].as_u64().expect("a count") as usize;
        let tree = tree(&case["tree"]);
        let game = game(&tree);
        assert_eq!(game.graph().leaf_count(), count("total_leaves"), "{id}");

        let antichain = for_max(solve(&game));
        assert_eq!(
            lists(antichain.packets()),
            known("expected_antichain"),
            "{id}: antichain"
        );
        let lattice = known("expected_lattice_dnf");
        assert_eq!(lists(&normal_form(&antichain)), lattice, "{id}: lattice");

        assert_eq!(for_max(shallow(&game).0), antichain, "{id}: shallow");
        let (found, leaves) = deep(&game);
        let found = for_max(found);
        assert_eq!(
            lists(found.packets()),
            known("corrected_F_returns"),
            "{id}: deep"
        );
        assert_eq!(leaves, count("corrected_F_leaves"), "{id}: leaves");
        assert_eq!(lists(&normal_form(&found)), lattice, "{id}: deep");

        let criteria = count("K");
        let printed = procedure_f(&tree, criteria);
        assert_eq!(
            lists(printed.packets()),
            known("printed_F_returns"),
            "{id}: printed"
        );

        // The same whatever the order of absorption; or not, for the root or some node below it:
        // then the file has no answer.
        let values = |tree: &Vectors| -> BTreeSet<_> {
            [Removal::Ascending, Removal::Descending]
                .into_iter()
                .chain((0..20).map(|seed| Removal::Drawn(100 * seed)))
                .map(|removal| literal::lists(&literal::value(tree, Player::Max, removal)))
                .collect()
        };
        if case["expected_literal"].is_null() {
            let ambiguous = |tree: &&Vectors| values(tree).len() > 1;
            assert!(subtrees(&tree).iter().any(ambiguous), "{id}: literal");
        } else {
            let expected = BTreeSet::from([known("expected_literal")]);
            assert_eq!(values(&tree), expected, "{id}: literal");
        }
    }
}

/// The tree and all below it.
fn subtrees(tree: &Vectors) -> Vec<&Vectors> {
    let mut all = vec![tree];
    let mut next = 0;
    while let Some(tree) = all.get(next).copied() {
        if let Tree::And(children) | Tree::Or(children) = tree {
            all.extend(children);
        }
        next += 1;
    }
    all
}
