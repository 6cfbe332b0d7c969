//! Every engine agrees with plain evaluation: random graphs of every shape, several lattices,
//! windows, heuristics, orders, reused caches.

use meetjoin_dag::{Graph, Kind, NodeId};
use meetjoin_lattice::Extended::Finite;
use meetjoin_lattice::{
    AnyElem, AnyLattice, Bool, Budget, Chain, DistributiveLattice, Divisors, Dual, FreeLattice,
    Interval, Lattice, Licensed, Product, TotalOrder, Words,
};
use meetjoin_search::Window;
use proptest::prelude::*;

use crate::pruning::check_leaves;
use crate::support::graphs::any_graph;
use crate::support::{ENGINES, Game, Memory, Runs, chain_engines, families, sets};

/// The most visits an engine without a cache gets where paths multiply.
const PATIENCE: u64 = 20_000;

/// Checks engines on one game: full window, random windows, random admissible bounds, reversed
/// children, one memory for all.
fn check<L: Lattice, E: Runs<L>>(mut game: Game<L>, extra: &[L::Elem], engines: &[E]) {
    let free = Budget::unlimited();
    let join = |a: &L::Elem, b: &L::Elem, l: &L| {
        let mut a = a.clone();
        l.join_assign(&mut a, b, &free).expect("no limit");
        a
    };
    let meet = |a: &L::Elem, b: &L::Elem, l: &L| {
        let mut a = a.clone();
        l.meet_assign(&mut a, b, &free).expect("no limit");
        a
    };
    let values = game.all_values();
    let value = game.value();
    let full = Window::full(&game.lattice);
    for with_bounds in [false, true] {
        if with_bounds {
            let bounds = values.iter().enumerate().map(|(i, v)| {
                let (a, b) = (&extra[i % extra.len()], &extra[(i + 1) % extra.len()]);
                Interval::new(meet(v, a, &game.lattice), join(v, b, &game.lattice))
            });
            game.bounds = Some(bounds.collect());
        }
        let mut memory = Memory::new(game.graph.node_count());
        for &engine in engines {
            let patience = Budget::visits_at_most(PATIENCE);
            let mut own = Memory::new(game.graph.node_count());
            let outcome = engine.run(&game, &full, &mut own, &patience, (), ());
            assert!(game.contains(&outcome.value, &value), "{engine:?}");
            if outcome.stop.is_some() {
                assert!(engine.is_uncached(), "{engine:?} takes too many visits");
                continue;
            }
            assert_eq!(outcome.exact(), Some(&value), "{engine:?}");
            // Children in reverse order, and a memory that other engines and windows have filled.
            let reversed = |_: &NodeId, _: Kind, children: &mut [NodeId]| children.reverse();
            let patience = Budget::visits_at_most(PATIENCE);
            let outcome = engine.run(&game, &full, &mut memory, &patience, (), reversed);
            if outcome.stop.is_some() {
                assert!(engine.is_uncached(), "{engine:?} takes too many visits");
                continue;
            }
            assert_eq!(outcome.exact(), Some(&value), "{engine:?} reversed");
            for pair in extra.windows(2).filter(|_| engine.takes_window()) {
                let window = Window {
                    alpha: pair[0].clone(),
                    beta: pair[1].clone(),
                };
                let clipped = Interval::Exact(game.clip(&window, &value));
                let patience = Budget::visits_at_most(PATIENCE);
                let outcome = engine.run(&game, &window, &mut memory, &patience, (), ());
                assert!(
                    game.contains(&outcome.value, &value),
                    "{engine:?} {window:?}"
                );
                if outcome.stop.is_some() {
                    assert!(engine.is_uncached(), "{engine:?} takes too many visits");
                    continue;
                }
                assert_eq!(outcome.clipped, clipped, "{engine:?} {window:?}");
            }
        }
        for node in game.graph.nodes() {
            use meetjoin_search::Store;
            let v = &values[node.index()];
            let exact = memory.exact.get(&node).1;
            assert!(exact.is_none_or(|known| known == v));
            for known in [memory.duo.get(&node).1, memory.dense.get(&node).1] {
                assert!(known.is_none_or(|known| game.contains(known, v)));
            }
        }
    }
}

fn play<L: DistributiveLattice>(graph: Graph, lattice: L, elements: &[L::Elem]) {
    let values = (0..graph.leaf_count()).map(|i| elements[i % elements.len()].clone());
    let game = Game {
        values: values.collect(),
        graph,
        lattice,
        bounds: None,
    };
    check_leaves(&game, PATIENCE);
    check(game, elements, &ENGINES);
}

/// As [`play`], with the algorithms for total orders besides.
fn play_chain<L: TotalOrder + Clone>(graph: Graph, lattice: L, elements: &[L::Elem]) {
    let values = (0..graph.leaf_count()).map(|i| elements[i % elements.len()].clone());
    let game = Game {
        values: values.collect(),
        graph: graph.clone(),
        lattice: lattice.clone(),
        bounds: None,
    };
    check(game, elements, &chain_engines());
    play(graph, lattice, elements);
}

/// [`play`] in a lattice chosen at run time, so that the searches are compiled once for all
/// lattices but a few.
fn play_any(graph: Graph, lattice: AnyLattice, elements: impl Iterator<Item = AnyElem>) {
    lattice.check_distributive().expect("distributive");
    play(graph, Licensed(lattice), &elements.collect::<Vec<_>>());
}

/// [`play_chain`] in such a lattice.
fn play_any_chain(graph: Graph, lattice: AnyLattice, elements: impl Iterator<Item = AnyElem>) {
    lattice.check_total().expect("a chain");
    play_chain(graph, Licensed(lattice), &elements.collect::<Vec<_>>());
}

fn integers_between(lo: i64, hi: i64) -> AnyLattice {
    AnyLattice::Integers(Chain::new(Finite(lo), Finite(hi)).expect("in order"))
}

fn dual(lattice: AnyLattice) -> AnyLattice {
    AnyLattice::Dual(Box::new(Dual(lattice)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn bool_games(graph in any_graph(), seed: Vec<bool>) {
        let mut elements = vec![true, false, true];
        elements.extend(seed);
        play_any_chain(graph, AnyLattice::Bool(Bool), elements.into_iter().map(AnyElem::Bool));
    }

    #[test]
    fn chains_and_their_duals(graph in any_graph(), elements in prop::collection::vec(-5..5_i64, 3..9)) {
        let integers = elements.iter().map(|&n| AnyElem::Integer(Finite(n)));
        play_any_chain(graph.clone(), dual(integers_between(-5, 5)), integers);
        play_chain(graph, Chain::new(-5, 5).expect("in order"), &elements);
    }

    #[test]
    fn powersets(graph in any_graph(), words in prop::collection::vec(0..64_u64, 3..9)) {
        let elements: Vec<_> = words.into_iter().map(|w| Words([w])).collect();
        play(graph.clone(), sets(6), &elements);
        play_any(graph, dual(AnyLattice::SmallPowerset(sets(6))), elements.into_iter().map(AnyElem::SmallSet));
    }

    #[test]
    fn families_of_sets(graph in any_graph(), words in prop::collection::vec(prop::collection::vec(0..32_u64, 0..4), 3..9)) {
        let lattice = families(5);
        let free = Budget::unlimited();
        let elements: Vec<_> = words
            .into_iter()
            .map(|sets| lattice.generated_by(sets.into_iter().map(|w| Words([w])), &free).expect("no limit"))
            .collect();
        play(graph, lattice, &elements);
    }

    #[test]
    fn products(graph in any_graph(), vectors in prop::collection::vec((0..4_i64, 0..16_u64), 3..9)) {
        let integer = |n: i64| AnyElem::Integer(Finite(n));
        let tuple = |a, b| AnyElem::Tuple([a, b].into());
        let lattice = [dual(integers_between(0, 3)), AnyLattice::SmallPowerset(sets(4))];
        let elements = vectors.iter().map(|&(n, w)| tuple(integer(n), AnyElem::SmallSet(Words([w]))));
        play_any(graph.clone(), AnyLattice::Product(Product::new(lattice)), elements);
        let lattice = Product::power(integers_between(0, 15), 2);
        let elements = vectors.iter().map(|&(n, w)| tuple(integer(n), integer(w.cast_signed())));
        play_any(graph, AnyLattice::Product(lattice), elements);
    }

    #[test]
    fn divisors(graph in any_graph(), picks in prop::collection::vec(any::<u16>(), 3..9)) {
        let lattice = Divisors::of(720).expect("positive");
        let all: Vec<u64> = (1..=720).filter(|&d| lattice.contains(d)).collect();
        let elements = picks.iter().map(|&p| AnyElem::Divisor(all[usize::from(p) % all.len()]));
        play_any(graph, AnyLattice::Divisors(lattice), elements);
    }

    #[test]
    fn free_lattices(graph in any_graph(), vectors in prop::collection::vec((-2..3_i64, -2..3_i64), 3..7)) {
        let lattice = FreeLattice::of_vectors(2);
        let free = Budget::unlimited();
        let element = |&(a, b): &(i64, i64)| {
            let outcome: Box<[_]> = [Finite(a), Finite(b)].into();
            AnyElem::Free(lattice.principal(lattice.packet([outcome], &free).expect("no limit")))
        };
        play_any(graph, AnyLattice::Free(lattice.clone()), vectors.iter().map(element));
    }
}
