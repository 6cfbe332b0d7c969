//! Board games: Kalah by depth, Connect Four near its end, and small games from the start.

use meetjoin_games::{ConnectFour, Kalah, Playable, Scoring, TicTacToe, random_play};
use meetjoin_problems::AnyBoard;
use meetjoin_problems::games::{from_the_root, to_depth};

use crate::measuring::instance::{Instance, Problem, Series};

/// A game from its root on. Its value is a list of one, as those of several positions are.
fn alone(problem: Problem) -> Box<dyn Instance> {
    Box::new(Series(vec![(problem, None)]))
}

/// Positions of an instance of Kalah.
const OPENINGS: u64 = 20;
/// Random moves before them.
const OPENING: usize = 4;

/// Kalah with six pits and four seeds in each, after a few random moves, to a depth.
pub(crate) fn kalah(depth: u32, seed: u64) -> Result<Box<dyn Instance>, String> {
    let game = Kalah::new(6, 4).map_err(|error| error.to_string())?;
    let position = |i| {
        let moves = random_play(&game, OPENING, seed * OPENINGS + i);
        let moves = moves.ok_or("no game lasts so long")?;
        let after = game.after(&moves).map_err(|error| error.to_string())?;
        Ok((to_depth(AnyBoard::from(after), false, depth), None))
    };
    let positions = (0..OPENINGS).map(position);
    Ok(Box::new(Series(positions.collect::<Result<_, String>>()?)))
}

/// The games that are solved from the start, in few letters for an axis: C4 is Connect Four.
pub(crate) const SMALL: [&str; 6] = [
    "C4 4x4",
    "C4 5x4",
    "C4 5x5",
    "Kalah(4,3)",
    "Kalah(5,3)",
    "Kalah(6,2)",
];

/// One of the games that are solved from the start; game 1 is the first.
pub(crate) fn from_the_start(number: u32) -> Result<Box<dyn Instance>, String> {
    let connect_four = |columns, rows| {
        let game = ConnectFour::new(columns, rows).map_err(|error| error.to_string())?;
        Ok(alone(from_the_root(
            game.with_scoring(Scoring::Outcome).into(),
        )))
    };
    let kalah = |pits, seeds| {
        let game = Kalah::new(pits, seeds).map_err(|error| error.to_string())?;
        Ok(alone(from_the_root(game.into())))
    };
    match number {
        1 => connect_four(4, 4),
        2 => connect_four(5, 4),
        3 => connect_four(5, 5),
        4 => kalah(4, 3),
        5 => kalah(5, 3),
        6 => kalah(6, 2),
        _ => Err(format!("there is no game {number}")),
    }
}

/// The games by which searches for proofs are compared.
pub(crate) const PROVED: [&str; 6] = [
    "tic-tac-toe",
    "C4 5x4",
    "C4 5x5",
    "C4, 28 stones",
    "Kalah(4,3)",
    "Kalah(6,2)",
];

/// One of them; game 1 is the first.
pub(crate) fn proved(number: u32) -> Result<Box<dyn Instance>, String> {
    match number {
        1 => Ok(alone(from_the_root(TicTacToe::new().into()))),
        2 => from_the_start(2),
        3 => from_the_start(3),
        4 => end_positions(28),
        5 => from_the_start(4),
        6 => from_the_start(6),
        _ => Err(format!("there is no game {number}")),
    }
}

/// Positions with known values, by the moves that lead to them.
pub(crate) const ENDS: &str = include_str!("../../../../cases/connect_four_ends.txt");

/// The moves and the value on each line of a file of positions.
pub(crate) fn listed(file: &'static str) -> Result<Vec<(&'static str, i64)>, String> {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    let lines = lines.filter_map(|line| line.split_once(' '));
    let line = |(moves, value): (&'static str, &str)| match value.parse() {
        Ok(value) => Ok((moves, value)),
        Err(_) => Err(format!("{value:?} is no value")),
    };
    lines.map(line).collect()
}

/// Positions of Connect Four by their moves, with their values.
pub(crate) fn connect_four(listed: &[(&str, i64)]) -> Result<Series, String> {
    let empty = ConnectFour::new(7, 6).map_err(|error| error.to_string())?;
    let position = |&(moves, value): &(&str, i64)| {
        let game = empty.after(moves).map_err(|error| error.to_string())?;
        Ok((from_the_root(game.into()), Some(value)))
    };
    let positions = listed.iter().map(position);
    Ok(Series(positions.collect::<Result<_, String>>()?))
}

/// The positions of the file that have `stones` stones.
pub(crate) fn end_positions(stones: u32) -> Result<Box<dyn Instance>, String> {
    let mut positions = listed(ENDS)?;
    positions.retain(|(moves, _)| moves.len() == stones as usize);
    Ok(Box::new(connect_four(&positions)?))
}
