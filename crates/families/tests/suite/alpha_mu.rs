//! Families of sets to a limited depth: upper bounds that fall with the depth, down to the value.

use meetjoin_dag::{Graph, Rooted};
use meetjoin_families::alpha_mu::families_to_depth;
use meetjoin_lattice::{Budget, Families, Words};
use meetjoin_search::Counts;
use meetjoin_search::Tables;
use proptest::prelude::*;

use crate::support::graphs::any_graph;
use crate::support::{Game, families};

/// A game whose leaves are worth these families, each a list of sets of five worlds.
fn of_words(graph: Graph, words: &[Vec<u64>]) -> Game<Families<Words<1>>> {
    let (lattice, free) = (families(5), Budget::unlimited());
    let family = |sets: &Vec<u64>| {
        let sets = sets.iter().map(|word| Words([*word]));
        lattice.generated_by(sets, &free).expect("no limit")
    };
    let values = (0..graph.leaf_count()).map(|i| family(&words[i % words.len()]));
    Game {
        values: values.collect(),
        graph,
        lattice: lattice.clone(),
        bounds: None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn deeper_is_lower_and_deep_enough_is_exact(
        graph in any_graph(),
        words in prop::collection::vec(prop::collection::vec(0..32_u64, 0..4), 3..9),
    ) {
        let (game, free) = (of_words(graph, &words), Budget::unlimited());
        let all = game.all_values();
        for node in game.graph.nodes() {
            let from = Rooted { dag: &game, root: node };
            let value = &all[node.index()];
            let mut before = None;
            for depth in 0..=24 {
                let mut counts = Counts::default();
                let estimate = families_to_depth(&from, &game, depth, &Tables, &free, &mut counts);
                prop_assert!(game.contains(&estimate.outcome.value, value), "depth {depth}");
                prop_assert!(estimate.outcome.stop.is_none());
                let upper = estimate.outcome.value.upper().clone();
                if let Some(before) = &before {
                    prop_assert!(game.leq(&upper, before), "depth {depth}");
                }
                if estimate.is_exact() {
                    prop_assert_eq!(&upper, value);
                    break;
                }
                prop_assert!(depth < 24, "no path has so many edges");
                before = Some(upper);
            }
        }
    }

    #[test]
    fn a_stop_leaves_true_bounds(
        graph in any_graph(),
        words in prop::collection::vec(prop::collection::vec(0..32_u64, 0..4), 3..9),
        visits in 0..60_u64,
    ) {
        let game = of_words(graph, &words);
        let value = game.value();
        for depth in [0, 1, 2, 3, 24] {
            let budget = Budget::visits_at_most(visits);
            let estimate = families_to_depth(&game, &game, depth, &Tables, &budget, &mut ());
            prop_assert!(game.contains(&estimate.outcome.value, &value), "depth {depth}");
        }
    }
}
