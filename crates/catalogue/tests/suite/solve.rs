//! The value in one call is that of plain evaluation, on every way that the default may take.

use meetjoin_catalogue::solve;
use meetjoin_families::families::{FEW, WORLDS};
use meetjoin_lattice::{FixedBitSet, Words};
use proptest::prelude::*;

use crate::support::blown_up::blown_up;
use crate::support::family_game::{family_game, words};
use crate::support::graphs::any_graph;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn few_worlds(graph in any_graph(), words in words(4)) {
        let game = family_game::<Words<1>>(graph, 4, 1, &words);
        prop_assert_eq!(solve(&game), game.value());
    }

    #[test]
    fn more_worlds(graph in any_graph(), words in words(12)) {
        let game = family_game::<Words<1>>(graph.clone(), 12, 1, &words);
        prop_assert_eq!(solve(&game), game.value());
        let game = family_game::<FixedBitSet>(graph, 12, 20, &words);
        prop_assert_eq!(solve(&game), game.value());
    }

    #[test]
    fn all_subsets_at_once(graph in any_graph(), words in words(WORLDS as u32)) {
        let game = family_game::<Words<1>>(graph, WORLDS, 1, &words);
        prop_assert_eq!(solve(&game), game.value());
    }

    #[test]
    fn very_many_worlds(graph in any_graph(), words in words(7)) {
        let game = blown_up(graph, 7, FEW + 1, &words);
        prop_assert_eq!(solve(&game), game.value());
    }
}
