//! The algebra over posets that are no vectors: tables, lattices, a user's own, and all of them
//! upside down.

use std::collections::BTreeSet;

use meetjoin_dag::{Graph, NodeId, Rows};
use meetjoin_dominance::{
    Algebra, Expression, Favouring, OutcomesBy, Packet, Player, VectorGame, bottom_up, choose,
    contradiction, procedure_f_deep_lattice_only, procedure_f_shallow,
};
use meetjoin_lattice::{
    Budget, Disjunctive, FinitePoset, Limits, Poset, Powerset, Reversed, Stop, Words,
};

use crate::support::{Draw, Vector, free, game, leq, solve, v, value_in};

/// The vectors of two criteria from 0 to 3, numbered so that the order of the numbers does not
/// extend dominance.
fn grid() -> Vec<Vector> {
    (0..16)
        .map(|n| v(&[(n * 7 % 16) / 4, (n * 7) % 4]))
        .collect()
}

/// That grid as a table.
fn table() -> FinitePoset {
    let grid = grid();
    let row = |a: &Vector| grid.iter().map(|b| leq(a, b)).collect();
    let matrix: Vec<Vec<bool>> = grid.iter().map(row).collect();
    FinitePoset::from_leq(&matrix).expect("an order")
}

/// The packets as sets of whatever stands for an outcome.
fn sets<X, Y: Ord>(packets: &[Packet<X>], name: impl Fn(&X) -> Y) -> BTreeSet<BTreeSet<Y>> {
    let set = |packet: &Packet<X>| packet.outcomes().iter().map(&name).collect();
    packets.iter().map(set).collect()
}

fn number(grid: &[Vector], vector: &Vector) -> u32 {
    let number = grid.iter().position(|other| other == vector);
    number.expect("on the grid") as u32
}

/// What the leaves of a game of vectors are worth in another poset.
fn by<P: Poset>(
    game: &VectorGame,
    order: P,
    outcome: impl Fn(&Vector) -> P::Elem,
) -> OutcomesBy<P, impl Fn(&NodeId) -> P::Elem> {
    OutcomesBy::new(order, move |leaf: &NodeId| {
        let ordinal = game.graph().leaf_ordinal(*leaf).expect("a leaf");
        outcome(&game.vectors()[ordinal])
    })
}

#[test]
fn a_table_of_the_vectors_gives_the_same_packets() {
    let (grid, table) = (grid(), table());
    let mut packets_seen = 0;
    for seed in 0..1000 {
        let game = game(&Draw(seed).tree(2, 5, seed % 2 == 0));
        let leaves = by(&game, table.clone(), |x| number(&grid, x));
        let of_vectors = solve(&game);
        let expected = sets(of_vectors.packets(), Vector::clone);
        let value = bottom_up(&game, &leaves, &free()).expect("no limit");
        let vector = |&n: &u32| grid[n as usize].clone();
        assert_eq!(sets(value.packets(), vector), expected);
        let shallow = procedure_f_shallow(&game, &leaves, &free(), &mut |_| ());
        assert_eq!(shallow.packets, value);
        let budget = free();
        let algebra = Algebra::new(&table, &budget);
        let deep = procedure_f_deep_lattice_only(&game, &leaves, &budget, &mut |_| ());
        assert_eq!(deep.normal_form(algebra), algebra.normal_form(&value));
        packets_seen += value.packets().len();
    }
    assert!(packets_seen > 1200, "{packets_seen}");
}

/// Numbers that do not extend the order: nothing but `below` may decide what is better.
#[test]
fn every_packet_is_somebodys_choice_in_a_table_too() {
    let (grid, table) = (grid(), table());
    let all: Vec<u32> = (0..16).collect();
    let budget = free();
    let algebra = Algebra::new(&table, &budget);
    for seed in 0..500 {
        let game = game(&Draw(seed).tree(2, 5, seed % 2 == 0));
        let leaves = by(&game, table.clone(), |x| number(&grid, x));
        let value = bottom_up(&game, &leaves, &budget).expect("no limit");
        for (place, favourite) in value.packets().iter().enumerate() {
            let preference = Favouring::new(algebra, &value, place, all.iter().copied());
            let preference = preference.expect("no limit").expect("a packet");
            let against = contradiction(algebra, value.player(), &preference, &all);
            assert_eq!(against, Ok(None));
            let choice = choose(&preference, &value).expect("there are packets");
            assert_eq!((choice.packet, choice.tied.len()), (favourite, 0));
        }
    }
}

/// Exchanging the players and turning the poset round is the same thing.
#[test]
fn upside_down_the_players_change_places() {
    let (grid, table) = (grid(), table());
    for seed in 0..500 {
        let game = game(&Draw(seed).tree(2, 4, seed % 2 == 0));
        let leaves = by(&game, table.clone(), |x| number(&grid, x));
        let value = bottom_up(&game, &leaves, &free()).expect("no limit");
        let budget = free();
        let (here, there) = (Algebra::new(&table, &budget), Reversed(table.clone()));
        let there = Algebra::new(&there, &budget);
        let player = value.player().opponent();
        let packets = value.packets().iter().map(|packet| {
            let outcomes = packet.outcomes().iter().copied();
            there.packet(player, outcomes).expect("no limit")
        });
        let packets: Vec<_> = packets.collect();
        let mirrored = there.absorb(player, packets).expect("no limit");
        assert_eq!(mirrored.packets(), value.packets());
        let convert = |algebra: Result<Expression<u32>, Stop>| {
            algebra.map(|expression| expression.packets().to_vec())
        };
        assert_eq!(
            convert(here.convert(&value)),
            convert(there.convert(&mirrored))
        );
    }
}

/// Sets of worlds are a lattice, so a poset; as a lattice element the answer is that of the free
/// lattice over them.
#[test]
fn a_lattice_is_a_poset_and_the_free_lattice_over_it_agrees() {
    let worlds = Powerset::<Words<1>>::new(4).expect("few worlds");
    let budget = free();
    for seed in 0..500 {
        let mut draw = Draw(seed);
        let game = game(&draw.tree(2, 4, seed % 2 == 0));
        // Two numbers from 0 to 3 are four bits.
        let set = |x: &Vector| Words([(4 * x[0] + x[1]).unsigned_abs()]);
        let leaves = by(&game, worlds.clone(), set);
        let algebra = Algebra::new(&worlds, &budget);
        let value = bottom_up(&game, &leaves, &budget).expect("no limit");
        let value = algebra.for_player(Player::Max, value).expect("no limit");
        let normal = algebra.normal_form(&value).expect("no limit");
        let free_lattice = Disjunctive::free_over(worlds.clone());
        let element = free_lattice.generated_by(
            normal.iter().map(|packet| {
                let outcomes = packet.outcomes().iter().copied();
                free_lattice.packet(outcomes, &budget).expect("no limit")
            }),
            &budget,
        );
        let values = game.vectors().iter().map(|x| free_lattice.outcome(set(x)));
        let values: Vec<_> = values.collect();
        let value = value_in(&free_lattice, game.graph(), &values);
        assert_eq!(element, Ok(value));
    }
}

/// A comparison of a poset of one's own charges the budget, and a stop inside it stops the algebra.
#[test]
fn a_stop_inside_a_comparison_stops_the_search() {
    struct Slow;
    impl Poset for Slow {
        type Elem = u32;
        fn below(&self, a: &u32, b: &u32, budget: &Budget) -> Result<bool, Stop> {
            budget.steps(1000)?;
            Ok(a <= b)
        }
    }
    let steps = |steps| {
        Budget::new(Limits {
            steps: Some(steps),
            ..Limits::default()
        })
    };
    let mut rows = Rows::new();
    let leaves = [(); 3].map(|()| rows.leaf().expect("room"));
    let root = rows.or(leaves).expect("room");
    let graph: Graph = rows.finish(root).expect("a graph");
    let outcomes = OutcomesBy::new(Slow, |leaf: &NodeId| u32::from(*leaf));
    let enough = steps(100_000);
    let value = bottom_up(&graph, &outcomes, &enough).expect("enough");
    assert_eq!(value, Expression::outcome(Player::Max, 2));
    assert!(enough.steps_made() > 2000);
    let searched = procedure_f_shallow(&graph, &outcomes, &steps(1500), &mut |_| ());
    assert_eq!((searched.stop, searched.moves_done), (Some(Stop::Time), 1));
    assert_eq!(searched.packets, Expression::outcome(Player::Max, 0));
}
