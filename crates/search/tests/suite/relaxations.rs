//! Every relaxation as a heuristic: its bounds are true of each node, and a search with them finds what plain evaluation finds.

use meetjoin_dag::{Graph, Heuristic};
use meetjoin_lattice::{
    Budget, Criteria, DistributiveLattice, Divisors, Exponents, FreeLattice, Interval, Membership,
    Relaxation, SomeWorlds, Words,
};
use meetjoin_search::{Env, Relaxed, Table, Window, alpha_beta_duo};
use proptest::prelude::*;

use crate::agreement::any_graph;
use crate::support::{Game, sets};
use crate::thresholds::{family_game, words};

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

fn game_of<L: DistributiveLattice>(graph: Graph, lattice: L, elements: &[L::Elem]) -> Game<L> {
    let values = (0..graph.leaf_count()).map(|i| elements[i % elements.len()].clone());
    Game {
        values: values.collect(),
        graph,
        lattice,
        bounds: None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn criteria(graph in any_graph(), vectors in prop::collection::vec((0..4_i64, 0..4_i64), 1..9)) {
        use meetjoin_lattice::Extended::Finite;
        let lattice = FreeLattice::of_vectors(2);
        let elements = vectors.iter().map(|&(a, b)| lattice.outcome([Finite(a), Finite(b)].into()));
        let game = game_of(graph, lattice.clone(), &elements.collect::<Vec<_>>());
        check(&game, &Criteria::of(&lattice));
    }

    #[test]
    fn exponents(graph in any_graph(), picks in prop::collection::vec(any::<u16>(), 1..9)) {
        let lattice = Divisors::of(720).expect("positive");
        let all: Vec<u64> = (1..=720).filter(|&d| lattice.contains(d)).collect();
        let elements = picks.iter().map(|&p| all[usize::from(p) % all.len()]);
        let game = game_of(graph, lattice, &elements.collect::<Vec<_>>());
        check(&game, &Exponents::of(&lattice, &Budget::unlimited()).expect("no limit"));
    }

    #[test]
    fn some_worlds(graph in any_graph(), words in words(6), kept in 0..64_u64) {
        let game = family_game::<Words<2>>(graph.clone(), 6, 20, &words);
        let kept = (0..6).filter(|w| kept >> w & 1 == 1).map(|w| 20 * w);
        let kept = game.lattice.base().set(kept).expect("worlds exist");
        let some = SomeWorlds::<_, Words<1>>::of(&game.lattice, &kept).expect("it fits");
        check(&game, &some);
        let union = |family: &meetjoin_lattice::Antichain<Words<2>>| {
            let sets = family.maximal().iter();
            sets.fold(Words([0; 2]), |a, b| Words([a.0[0] | b.0[0], a.0[1] | b.0[1]]))
        };
        let unions: Vec<_> = game.values.iter().map(union).collect();
        check(&game_of(graph, game.lattice.base().clone(), &unions), &some);
    }

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
