//! A relaxation as a heuristic: its bounds are true of each node, and a search with them finds what
//! plain evaluation finds.

use meetjoin_dag::Heuristic;
use meetjoin_lattice::{Budget, DistributiveLattice, Interval, Membership, Relaxation, Words};
use meetjoin_search::{Env, Relaxed, Table, Window, alpha_beta_duo};
use proptest::prelude::*;

use crate::support::family_game::{family_game, words};
use crate::support::graphs::any_graph;
use crate::support::{Game, sets};

fn check<L, R>(game: &Game<L>, relaxation: &R)
where
    L: DistributiveLattice,
    R: Relaxation<L, Image: DistributiveLattice>,
{
    let budget = Budget::unlimited();
    let mut relaxed = Relaxed::new(game, game, relaxation, Table::new(), ());
    for (node, value) in game.graph.nodes().zip(game.all_values()) {
        let bounds: Interval<L::Elem> = relaxed
            .bounds(&game.lattice, &node, &budget)
            .expect("no limit")
            .expect("something is known");
        assert!(
            game.contains(&bounds, &value),
            "{bounds:?} without {value:?}"
        );
    }
    let window = Window::full(&game.lattice);
    let relaxed = Relaxed::new(game, game, relaxation, Table::new(), ());
    let env = Env::new(&budget).with_store(Table::new());
    let mut env = env.with_heuristic(relaxed);
    let outcome = alpha_beta_duo(game, game, &window, &mut env);
    assert_eq!(outcome.exact(), Some(&game.value()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn membership(graph in any_graph(), words in words(5), asked in prop::collection::vec(0..32_u64, 0..7)) {
        let game = family_game::<Words<1>>(graph, 5, 1, &words);
        let asked: Vec<_> = asked.into_iter().map(|word| Words([word])).collect();
        for most in [1, 3, usize::MAX] {
            let asked = asked.iter().copied();
            let asked = Membership::<_, Words<1>>::of(&game.lattice, asked, most);
            check(&game, &asked.expect("it fits"));
        }
        prop_assert_eq!(game.lattice.base(), &sets(5));
    }
}
