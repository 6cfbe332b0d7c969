//! Laws of the algebra with antichain packets: uniqueness, associativity, both players alike.

use meetjoin_dominance::{Algebra, Expression, Packet, Player};

use crate::support::{
    Draw, Expr, ORDER, Tree, Vector, Vectors, convert, deep, expression, free, game, leq, lists,
    max, min, normal_form, packet, shallow, solve, x,
};

const PLAYERS: [Player; 2] = [Player::Max, Player::Min];

fn absorb(player: Player, packets: &[Packet<Vector>]) -> Expr {
    let budget = free();
    let algebra = Algebra::new(&ORDER, &budget);
    algebra
        .absorb(player, packets.iter().cloned())
        .expect("no limit")
}

fn sum(a: &Expr, b: &Expr) -> Expr {
    let budget = free();
    let mut sum = a.clone();
    Algebra::new(&ORDER, &budget)
        .add(&mut sum, b)
        .expect("no limit");
    sum
}

/// Absorption one packet at a time, in the order given: what Theorem 3.2 says is unique.
fn one_at_a_time(player: Player, packets: &[Packet<Vector>]) -> Vec<Packet<Vector>> {
    let budget = free();
    let algebra = Algebra::new(&ORDER, &budget);
    let mut left = packets.to_vec();
    left.dedup();
    loop {
        let absorbed = (0..left.len()).find(|&place| {
            let mut others = left.clone();
            let packet = others.remove(place);
            others.contains(&packet)
                || others.iter().any(|other| {
                    algebra
                        .clearly_dominates(player, other, &packet)
                        .expect("no limit")
                })
                || algebra
                    .is_union_of_smaller(&others, &packet)
                    .expect("no limit")
        });
        match absorbed {
            Some(place) => left.remove(place),
            None => break,
        };
    }
    left.sort();
    left
}

#[test]
fn the_minimal_expression_is_unique() {
    for seed in 0..5000 {
        for player in PLAYERS {
            let mut draw = Draw(seed);
            let criteria = 2 + draw.below(2) as usize;
            let mut packets = draw.packets(player, criteria);
            let minimal = absorb(player, &packets);
            for _ in 0..4 {
                draw.shuffle(&mut packets);
                assert_eq!(one_at_a_time(player, &packets), minimal.packets());
            }
        }
    }
}

#[test]
fn the_sum_is_associative_commutative_and_idempotent() {
    for seed in 0..5000 {
        for player in PLAYERS {
            let mut draw = Draw(seed);
            let [a, b, c] = [(); 3].map(|()| absorb(player, &draw.packets(player, 2)));
            assert_eq!(sum(&sum(&a, &b), &c), sum(&a, &sum(&b, &c)));
            assert_eq!(sum(&a, &b), sum(&b, &a));
            assert_eq!(sum(&a, &a), a);
            assert_eq!(sum(&a, &Expression::empty(player)), a);
            assert_eq!(sum(&Expression::empty(player), &a), a);
        }
    }
}

#[test]
fn clear_dominance_needs_one_outcome_that_is_better() {
    // Said for all pairs as the paper says it, with packets that are antichains.
    let budget = free();
    let algebra = Algebra::new(&ORDER, &budget);
    for seed in 0..5000 {
        for player in PLAYERS {
            let mut draw = Draw(seed);
            let [p, q] = [(); 2].map(|()| draw.packets(player, 2).remove(0));
            let at_least = |a: &Vector, b: &Vector| match player {
                Player::Max => leq(b, a),
                Player::Min => leq(a, b),
            };
            let (p_, q_) = (p.outcomes(), q.outcomes());
            let covers = p_.iter().all(|a| q_.iter().any(|b| at_least(a, b)));
            let strictly = p_
                .iter()
                .any(|a| q_.iter().any(|b| a != b && at_least(a, b)));
            let clear = algebra.clearly_dominates(player, &p, &q);
            assert_eq!(clear, Ok(covers && strictly));
        }
    }
}

#[test]
fn converting_to_and_fro_keeps_the_lattice_element_and_what_prunes() {
    let budget = free();
    let algebra = Algebra::new(&ORDER, &budget);
    for seed in 0..3000 {
        for player in PLAYERS {
            let mut draw = Draw(seed);
            let f = absorb(player, &draw.packets(player, 2));
            let by = absorb(player, &draw.packets(player, 2));
            let again = convert(&convert(&f));
            assert_eq!(normal_form(&again), normal_form(&f));
            assert_eq!(algebra.prunes(&by, &again), algebra.prunes(&by, &f));
        }
    }
}

#[test]
fn packets_of_different_players_prune_nothing() {
    let budget = free();
    let algebra = Algebra::new(&ORDER, &budget);
    let above = expression(Player::Max, &[&[&[2, 2]]]);
    let below = expression(Player::Max, &[&[&[1, 1]]]);
    assert_eq!(algebra.prunes(&above, &below), Ok(true));
    assert_eq!(algebra.prunes(&above, &convert(&below)), Ok(false));
}

#[test]
fn a_packet_keeps_the_worst_for_its_owner() {
    let outcomes: &[&[i64]] = &[&[2, 2], &[0, 3], &[1, 1], &[2, 2], &[3, 0]];
    let of_max = packet(Player::Max, outcomes);
    let of_min = packet(Player::Min, outcomes);
    let expected = [vec![vec![0, 3], vec![1, 1], vec![3, 0]]];
    assert_eq!(lists([&of_max]), expected);
    let expected = [vec![vec![0, 3], vec![2, 2], vec![3, 0]]];
    assert_eq!(lists([&of_min]), expected);
}

/// The same tree with the players exchanged and every number negated.
fn mirrored(tree: &Vectors) -> Vectors {
    match tree {
        Tree::Leaf(values) => x(&values.iter().map(|value| -value).collect::<Vec<_>>()),
        Tree::And(children) => max(children.iter().map(mirrored)),
        Tree::Or(children) => min(children.iter().map(mirrored)),
    }
}

fn mirrored_packets(expression: &Expr) -> Expr {
    let player = expression.player().opponent();
    let budget = free();
    let algebra = Algebra::new(&ORDER, &budget);
    let packets = expression.packets().iter().map(|packet| {
        let negated = |x: &Vector| x.iter().map(|value| -value).collect();
        let outcomes = packet.outcomes().iter().map(negated);
        algebra.packet(player, outcomes).expect("no limit")
    });
    let packets: Vec<_> = packets.collect();
    absorb(player, &packets)
}

/// Lemmas 5.2 and 5.3 are duals, and so are 5.4 and 5.5, in which the paper confuses the players'
/// names in one place each.
#[test]
fn exchanging_the_players_changes_nothing_else() {
    for seed in 0..1000 {
        let tree = Draw(seed).tree(2, 4, seed % 2 == 0);
        if matches!(tree, Tree::Leaf(_)) {
            continue;
        }
        let (this, other) = (game(&tree), game(&mirrored(&tree)));
        assert_eq!(mirrored_packets(&solve(&this)), solve(&other));
        let (packets, leaves) = shallow(&this);
        assert_eq!((mirrored_packets(&packets), leaves), shallow(&other));
        let (packets, leaves) = deep(&this);
        assert_eq!((mirrored_packets(&packets), leaves), deep(&other));
    }
}
