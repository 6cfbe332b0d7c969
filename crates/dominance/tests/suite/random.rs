//! Random trees: procedure F against bottom-up evaluation, and both against the free lattice.

use meetjoin_dominance::root_packets;
use meetjoin_lattice::FreeLattice;

use crate::support::{
    Draw, Tree, deep, element, expression, for_max, free, game, normal_form, numbers, shallow,
    shuffled, solve, value_in,
};

/// Seeds for each number of criteria.
const SEEDS: u64 = 3000;

fn depth(criteria: usize) -> u32 {
    if criteria < 3 { 5 } else { 4 }
}

#[test]
fn shallow_procedure_f_is_exact() {
    let (mut all, mut visited) = (0, 0);
    for criteria in 1..=4 {
        for seed in 0..SEEDS {
            let mut draw = Draw(seed * 10 + criteria as u64);
            let tree = draw.tree(criteria, depth(criteria), seed % 3 != 0);
            let game = game(&tree);
            let (packets, leaves) = shallow(&game);
            assert_eq!(packets, solve(&game), "{tree:?}");
            all += game.graph().leaf_count();
            visited += leaves;
        }
    }
    assert!(visited * 10 < all * 9, "{visited} of {all}");
}

#[test]
fn deep_procedure_f_is_exact_as_a_lattice_element() {
    let (mut shallow_leaves, mut deep_leaves, mut differ) = (0, 0, 0);
    for criteria in 1..=4 {
        let lattice = FreeLattice::of_vectors(criteria);
        for seed in 0..SEEDS / 2 {
            let mut draw = Draw(seed * 10 + criteria as u64);
            let tree = draw.tree(criteria, depth(criteria), seed % 3 != 0);
            let game = game(&tree);
            let all = for_max(solve(&game));
            let (found, leaves) = deep(&game);
            let found = for_max(found);
            assert_eq!(normal_form(&found), normal_form(&all), "{tree:?}");
            let value = element(&lattice, all.packets());
            assert_eq!(element(&lattice, found.packets()), value, "{tree:?}");
            if criteria == 1 {
                assert_eq!(found, all, "{tree:?}");
            }
            differ += usize::from(found != all);
            shallow_leaves += shallow(&game).1;
            deep_leaves += leaves;
        }
    }
    assert!(differ > 0, "Lemma 5.4 would be right");
    assert!(deep_leaves < shallow_leaves);
}

#[test]
fn as_a_lattice_element_it_is_the_value_in_the_free_lattice() {
    for criteria in 1..=4 {
        for seed in 0..1000 {
            let tree = Draw(seed * 10 + criteria as u64).tree(criteria, depth(criteria), false);
            let game = game(&tree);
            let lattice = FreeLattice::of_vectors(criteria);
            let vectors = game.vectors().iter();
            let leaf = |x: &std::sync::Arc<[i64]>| {
                let packet = lattice.packet([numbers(x)], &free()).expect("no limit");
                lattice.principal(packet)
            };
            let values: Vec<_> = vectors.map(leaf).collect();
            let value = value_in(&lattice, game.graph(), &values);
            let packets = for_max(solve(&game));
            assert_eq!(element(&lattice, packets.packets()), value);
            let normal = normal_form(&packets);
            let packets = value.maximal().iter().map(|p| p.maximal().len());
            let mut sizes: Vec<usize> = packets.collect();
            let mut expected: Vec<usize> = normal.iter().map(|p| p.outcomes().len()).collect();
            sizes.sort_unstable();
            expected.sort_unstable();
            assert_eq!(sizes, expected, "nothing is left to absorb");
        }
    }
}

#[test]
fn the_order_of_children_does_not_matter() {
    for seed in 0..SEEDS {
        let mut draw = Draw(seed);
        let tree = draw.tree(2, 5, seed % 2 == 0);
        let (value, other) = (solve(&game(&tree)), shuffled(&tree, &mut draw));
        let other = game(&other);
        assert_eq!(solve(&other), value, "{tree:?}");
        assert_eq!(shallow(&other).0, value, "{tree:?}");
    }
}

#[test]
fn with_one_criterion_it_is_minimax() {
    fn minimax(tree: &Tree<Vec<i64>>) -> i64 {
        match tree {
            Tree::Leaf(x) => x[0],
            Tree::Or(children) => children.iter().map(minimax).max().expect("a child"),
            Tree::And(children) => children.iter().map(minimax).min().expect("a child"),
        }
    }
    for seed in 0..SEEDS {
        let tree = Draw(seed).tree(1, 7, seed % 2 == 0);
        let game = game(&tree);
        let value = solve(&game);
        let expected = expression(value.player(), &[&[&[minimax(&tree)]]]);
        assert_eq!(value, expected);
        assert_eq!(shallow(&game).0, expected);
        assert_eq!(deep(&game).0, expected);
    }
}

#[test]
fn the_packets_of_the_root_are_those_of_its_moves() {
    for seed in 0..1000 {
        let tree = Draw(seed).tree(2, 4, true);
        let game = game(&tree);
        let root = root_packets(&game, &game, &free());
        assert_eq!(root.stop, None);
        let packets = root.packets.as_ref().expect("no limit");
        assert_eq!(packets, &solve(&game));
        for packet in packets.packets() {
            assert!(root.moves.is_empty() || !root.moves_with(packet).is_empty());
        }
        if let Tree::And(children) | Tree::Or(children) = &tree {
            assert_eq!(root.moves.len(), children.len());
        }
    }
}
