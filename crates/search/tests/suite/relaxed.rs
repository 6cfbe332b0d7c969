//! Bounds from a simpler lattice: true of every node, whatever was asked before, and a stop inside
//! them is a stop of the search.

use meetjoin_dag::{Heuristic, Rooted};
use meetjoin_lattice::{Budget, Stop, Unions, Words};
use meetjoin_search::{Env, Relaxed, Table, Window, alpha_beta_duo, minimax};
use proptest::prelude::*;

use crate::support::family_game::{family_game, words};
use crate::support::graphs::any_graph;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn bounds_hold_at_each_node(graph in any_graph(), words in words(5)) {
        let game = family_game::<Words<1>>(graph, 5, 1, &words);
        let budget = Budget::unlimited();
        let never_bottom = game.values.iter().all(|value| !value.maximal().is_empty());
        let unions = Unions::of(&game.lattice, never_bottom);
        let mut relaxed = Relaxed::new(&game, &game, &unions, Table::new(), ());
        for root in game.graph.nodes() {
            let bounds = relaxed.bounds(&game.lattice, &root, &budget);
            let bounds = bounds.expect("no limit").expect("something is known");
            let from = Rooted { dag: &game, root };
            let value = minimax(&from, &game, &mut Env::new(&budget));
            let value = value.exact().expect("no limit");
            prop_assert!(game.contains(&bounds, value), "{bounds:?} without {value:?}");
        }
    }

    #[test]
    fn a_stop_inside_leaves_true_bounds(graph in any_graph(), words in words(5)) {
        let game = family_game::<Words<1>>(graph, 5, 1, &words);
        let value = game.value();
        let unions = Unions::of(&game.lattice, false);
        let window = Window::full(&game.lattice);
        for visits in 0..200 {
            let budget = Budget::visits_at_most(visits);
            let relaxed = Relaxed::new(&game, &game, &unions, Table::new(), ());
            let env = Env::new(&budget).with_store(Table::new());
            let mut env = env.with_heuristic(relaxed);
            let outcome = alpha_beta_duo(&game, &game, &window, &mut env);
            prop_assert!(game.contains(&outcome.value, &value));
            match outcome.stop {
                None => prop_assert_eq!(outcome.exact(), Some(&value)),
                Some(stop) => prop_assert_eq!(stop, Stop::Visits),
            }
        }
    }
}
