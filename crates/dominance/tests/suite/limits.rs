//! Limits: inside a product that blows up, at every visit, and on deep graphs.

use std::time::{Duration, Instant};

use meetjoin_dag::{NodeId, Rows};
use meetjoin_dominance::{
    Algebra, Player, VectorGame, VectorGameError, bottom_up, procedure_f_shallow, root_packets,
};
use meetjoin_lattice::{Budget, Limits, Stop};

use crate::support::{
    Draw, ORDER, Vectors, deep, expression, free, game, max, min, shallow, solve, x,
};

fn steps(steps: u64) -> Budget {
    Budget::new(Limits {
        steps: Some(steps),
        ..Limits::default()
    })
}

/// `MAX(x, MIN(y, z))` for `n` triples below one MIN node: MAX-to-MIN is a product of pairs.
fn large_product(n: i64) -> Vectors {
    let pair = |i| min([x(&[i, 1000 - 2 * i]), x(&[i + n, 900 - 2 * i])]);
    max([min([max((0..n).map(pair))])])
}

#[test]
fn a_product_that_blows_up_is_stopped_inside() {
    let game = game(&large_product(60));
    for limit in [1, 1000, 1_000_000] {
        let budget = steps(limit);
        let value = bottom_up(&game, &game, &budget);
        assert_eq!(value, Err(Stop::Time));
        assert!(budget.steps_made() < limit + 100_000);
        let searched = procedure_f_shallow(&game, &game, &steps(limit), &mut |_| ());
        assert_eq!((searched.stop, searched.moves_done), (Some(Stop::Time), 0));
        assert!(searched.packets.is_empty());
    }
}

/// A choice of one of twelve outcomes for each of twelve moves: 12^12 choices, all different.
#[test]
fn a_product_of_many_millions_stops_and_goes_at_once() {
    let outcome = |i: i64| x(&[i * 37 % 144, 144 - i * 37 % 144, i * i % 7]);
    let moves = (0..12).map(|m| max((0..12).map(|o| outcome(12 * m + o))));
    let game = game(&max([min(moves)]));
    let time = Duration::from_secs(2);
    let budget = Budget::new(Limits {
        time: Some(time),
        ..Limits::default()
    });
    let started = Instant::now();
    assert_eq!(bottom_up(&game, &game, &budget), Err(Stop::Time));
    let took = started.elapsed();
    assert!(took < time + Duration::from_secs(1), "{took:?}");
}

#[test]
fn the_root_is_a_visit() {
    let game = game(&max([x(&[1]), min([x(&[2]), x(&[3])])]));
    let budget = free();
    root_packets(&game, &game, &budget);
    assert_eq!(budget.visits_made(), 5);
}

#[test]
fn an_expression_is_unchanged_when_its_sum_is_stopped() {
    let f = expression(Player::Max, &[&[&[0, 3], &[1, 1]]]);
    let g = expression(Player::Max, &[&[&[2, 0]], &[&[0, 2]]]);
    for limit in 0..100 {
        let budget = steps(limit);
        let mut sum = f.clone();
        if Algebra::new(&ORDER, &budget).add(&mut sum, &g).is_err() {
            assert_eq!(sum, f);
        } else {
            assert!(limit > 2);
            return;
        }
    }
    panic!("a hundred steps are enough");
}

#[test]
fn stopped_at_every_visit_it_says_what_is_known() {
    let budget = free();
    let algebra = Algebra::new(&ORDER, &budget);
    for seed in 0..150 {
        let game = game(&Draw(seed).tree(2, 4, seed % 2 == 0));
        let full = root_packets(&game, &game, &free());
        let value = solve(&game);
        for limit in 0.. {
            let root = root_packets(&game, &game, &Budget::visits_at_most(limit));
            for (known, all) in root.moves.iter().zip(&full.moves) {
                assert!(known.packets.is_none() || known.packets == all.packets);
            }
            assert_eq!(root.stop.is_none(), root.packets.is_some());
            let searched =
                procedure_f_shallow(&game, &game, &Budget::visits_at_most(limit), &mut |_| ());
            // The packets of the moves done, and nothing else.
            let mut sum = meetjoin_dominance::Expression::empty(full.player);
            for done in &full.moves[..searched.moves_done] {
                let packets = done.packets.as_ref().expect("no limit");
                algebra.add(&mut sum, packets).expect("no limit");
            }
            if searched.stop.is_none() {
                assert_eq!(searched.packets, value);
                assert_eq!(searched.moves_done, full.moves.len());
            } else {
                assert_eq!(searched.stop, Some(Stop::Visits));
                assert_eq!(searched.packets, sum);
            }
            if root.stop.is_none() && searched.stop.is_none() {
                assert_eq!(root, full);
                break;
            }
        }
    }
}

#[test]
fn a_chain_of_a_million_nodes() {
    let mut rows = Rows::new();
    let mut node = rows.leaf().expect("room");
    for level in 0..1_000_000 {
        let added = if level % 2 == 0 {
            rows.and([node])
        } else {
            rows.or([node])
        };
        node = added.expect("room");
    }
    let graph = rows.finish(node).expect("a chain");
    let game = VectorGame::new(graph, [vec![1_i64, 2]]).expect("one leaf");
    let expected = expression(Player::Max, &[&[&[1, 2]]]);
    assert_eq!(solve(&game), expected);
    assert_eq!(shallow(&game).0, expected);
    assert_eq!(deep(&game).0, expected);
}

#[test]
fn shared_nodes_are_evaluated_once_bottom_up() {
    // 2^60 paths.
    let mut rows = Rows::new();
    let mut node = rows.leaf().expect("room");
    for _ in 0..60 {
        let and = rows.and([node, node]).expect("room");
        node = rows.or([and, and]).expect("room");
    }
    let graph = rows.finish(node).expect("a graph");
    let game = VectorGame::new(graph, [vec![1_i64, 2]]).expect("one leaf");
    let budget = Budget::visits_at_most(121);
    assert!(bottom_up(&game, &game, &budget).is_ok());
}

#[test]
fn a_root_that_is_a_leaf_has_one_packet_and_no_moves() {
    let game = game(&x(&[3, 4]));
    let packets = expression(Player::Max, &[&[&[3, 4]]]);
    assert_eq!(solve(&game), packets);
    assert_eq!(shallow(&game), (packets.clone(), 1));
    let root = root_packets(&game, &game, &free());
    assert_eq!((root.moves.len(), root.packets), (0, Some(packets)));
    let none = procedure_f_shallow(&game, &game, &Budget::visits_at_most(0), &mut |_| ());
    assert_eq!((none.moves_done, none.stop), (0, Some(Stop::Visits)));
}

#[test]
fn vectors_that_do_not_fit_are_refused() {
    let graph = || {
        let mut rows = Rows::new();
        rows.leaf().expect("room");
        rows.leaf().expect("room");
        let root = rows.or([0, 1].map(NodeId::from)).expect("room");
        rows.finish(root).expect("a graph")
    };
    let refused = |vectors: &[&[i64]]| {
        VectorGame::new(graph(), vectors.iter().copied())
            .err()
            .map(|error| (error, error.to_string()))
    };
    let (error, text) = refused(&[&[1, 2]]).expect("refused");
    let count = VectorGameError::Count {
        leaves: 2,
        vectors: 1,
    };
    assert_eq!(error, count);
    assert_eq!(text, "the graph has 2 leaves, and there are 1 vectors");
    let (error, _) = refused(&[&[1, 2], &[1]]).expect("refused");
    let length = VectorGameError::Length {
        first: 2,
        ordinal: 1,
        other: 1,
    };
    assert_eq!(error, length);
    let (error, _) = refused(&[&[], &[]]).expect("refused");
    assert_eq!(error, VectorGameError::NoCriteria);
}
