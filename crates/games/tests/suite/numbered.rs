//! Positions and their numbers: no two positions have one, and each comes back from its own.

use std::collections::HashMap;

use meetjoin_dag::AndOrDag;
use meetjoin_games::{ConnectFour, Kalah, Numbered, Racing, TicTacToe};

/// Checks the first positions of a game, breadth-first.
fn check<D: AndOrDag>(dag: &D, game: &impl Numbered<Node = D::Node>, bits: u32) {
    let mut positions = vec![dag.root()];
    let mut of_numbers = HashMap::new();
    let mut children = Vec::new();
    for i in 0..20_000 {
        let Some(position) = positions.get(i).cloned() else {
            break;
        };
        let number = game.number(&position);
        assert!(bits == 128 || number >> bits == 0, "{position:?}");
        assert_eq!(game.position(number), position);
        let other = of_numbers.insert(number, position.clone());
        assert!(other.is_none_or(|other| other == position), "{position:?}");
        dag.children(&position, &mut children);
        positions.append(&mut children);
    }
    assert!(of_numbers.len() > 100);
}

#[test]
fn positions_come_back_from_their_numbers() {
    for (columns, rows) in [(7, 6), (5, 4), (4, 1), (1, 6), (2, 2)] {
        let game = ConnectFour::new(columns, rows).expect("a board");
        if columns * rows > 10 {
            check(&game.by_rules(), &game, game.bits());
            check(&game, &game, game.bits());
        }
        let mut position = game.root();
        let by_rules = game.by_rules();
        loop {
            assert_eq!(game.position(game.number(&position)), position);
            let mut children = Vec::new();
            by_rules.children(&position, &mut children);
            let Some(next) = children.pop() else { break };
            position = next;
        }
    }
    let kalah = Kalah::new(6, 4).expect("a board");
    check(&kalah, &kalah, kalah.bits());
    let cells = TicTacToe::default();
    check(&cells, &cells, cells.bits());
    let racing = Racing::random(12, 3, 5, 1).expect("a deal");
    check(&racing, &racing, racing.bits());
}

/// Whatever a number is, asking what it means does no harm.
#[test]
fn numbers_of_no_position_do_no_harm() {
    let game = ConnectFour::new(7, 6).expect("a board");
    let by_rules = game.by_rules();
    let mut number = 1_u128;
    for _ in 0..10_000 {
        number = number
            .wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645)
            .wrapping_add(99);
        let position = game.position(number);
        let mut children = Vec::new();
        by_rules.children(&position, &mut children);
    }
}
