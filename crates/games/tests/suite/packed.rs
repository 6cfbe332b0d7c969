//! Packed positions: they come back, are hashed as the game's own, and have the same children.

use std::fmt::Debug;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};

use meetjoin_dag::Kind;
use meetjoin_games::{ConnectFour, Kalah, Packs, Playable, TicTacToe, random_play};

/// Goes through positions of random play, by a graph of them, and returns how many there were.
fn check<G, D>(game: &G, dag: &D) -> usize
where
    G: Playable + Copy,
    D: Packs<Node = G::Node>,
    G::Node: Debug,
{
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    let mut positions = vec![dag.root()];
    for seed in 0..40 {
        let moves = random_play(game, seed as usize % 7, seed).expect("a game");
        let mut position = game.root();
        for number in moves.chars().filter_map(|digit| digit.to_digit(10)) {
            position = game.play(&position, number).expect("legal");
            positions.push(position.clone());
        }
    }
    for position in &positions {
        let packed = D::pack(position);
        assert_eq!(D::unpack(&packed), *position);
        assert_eq!(hasher.hash_one(packed), hasher.hash_one(position));
        let (mut children, mut expanded) = (Vec::new(), Vec::new());
        if dag.kind(position) != Kind::Leaf {
            dag.children(position, &mut children);
            dag.expand(position, &mut expanded);
            let children: Vec<_> = children.iter().map(D::pack).collect();
            assert_eq!(expanded, children, "{position:?}");
        }
        for other in &positions {
            assert_eq!(packed == D::pack(other), position == other);
        }
    }
    positions.len()
}

#[test]
fn packed_positions_are_those_of_the_game() {
    for (columns, rows) in [(7, 6), (5, 4), (4, 4)] {
        let game = ConnectFour::new(columns, rows).expect("a board");
        assert!(check(&game, &game) > 100);
        assert!(check(&game, &game.by_rules()) > 100);
    }
    let kalah = Kalah::new(6, 6).expect("a board");
    assert!(check(&kalah, &kalah) > 100);
    let cells = TicTacToe::new();
    assert!(check(&cells, &cells) > 100);
}
