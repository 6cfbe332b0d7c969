//! Tic-tac-toe: three in a row on a board of 3 by 3.
//!
//! Rules. MAX begins with a cross in an empty cell, MIN answers with a nought, and so on in turn. Who first has three of their own in a row, a
//! column or a diagonal wins, and the game ends; it is drawn if the board is full. The value is 1 if MAX wins, 0 if nobody does, -1 if
//! MIN wins.
//!
//! A position is the two sets of cells, from which it follows who moves. Cells are numbered from 1 to 9, row by row from the left at the top,
//! and moves come in this order. The symmetries are the eight of the square; the representative of a class is the image with the
//! smallest pair of sets.
//!
//! Cost: a position is 4 bytes. There are 5,478 of them, 765 up to symmetry.

use std::fmt::{self, Write};

use meetjoin_dag::{AndOrDag, Kind, Valuation};
use meetjoin_lattice::Chain;

use crate::Symmetric;

/// The cells of the board.
const CELLS: u32 = 9;
const FULL: u16 = (1 << CELLS) - 1;
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// Moves that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TicTacToeError {
    /// No cell of the board.
    #[error("move {place}, {cell:?}, is none of the cells 1 to 9; the position is {position}")]
    NoCell {
        /// The number of the move, from 1.
        place: usize,
        /// What stands for the cell.
        cell: char,
        /// The position before the move.
        position: String,
    },
    /// A cell that is taken.
    #[error("move {place}, cell {cell}: the cell is taken; the position is {position}")]
    Taken {
        /// The number of the move, from 1.
        place: usize,
        /// The cell.
        cell: u32,
        /// The position before the move.
        position: String,
    },
    /// A move after the end.
    #[error("move {place}, cell {cell}: the game is over; the position is {position}")]
    Over {
        /// The number of the move, from 1.
        place: usize,
        /// The cell.
        cell: u32,
        /// The position before the move.
        position: String,
    },
}

/// The game, from its first position or a later one.
#[derive(Clone, Copy, Debug)]
pub struct TicTacToe {
    root: TicTacToePosition,
    chain: Chain<i8>,
}

/// A position: MAX's cells and MIN's, bit c - 1 for cell c.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TicTacToePosition {
    max: u16,
    min: u16,
}

impl TicTacToePosition {
    const EMPTY: Self = Self { max: 0, min: 0 };

    fn max_moves(self) -> bool {
        self.max.count_ones() == self.min.count_ones()
    }

    /// 1 if MAX has three in a row, -1 if MIN has.
    fn winner(self) -> i8 {
        let has_line = |cells: u16| LINES.iter().any(|line| cells & line == *line);
        i8::from(has_line(self.max)) - i8::from(has_line(self.min))
    }

    fn is_over(self) -> bool {
        self.max | self.min == FULL || self.winner() != 0
    }

    fn with(self, cell: u16) -> Self {
        let Self { max, min } = self;
        if self.max_moves() {
            let max = max | cell;
            Self { max, min }
        } else {
            let min = min | cell;
            Self { max, min }
        }
    }

    /// Left and right exchanged.
    fn mirrored(self) -> Self {
        let image = |cells: u16| (cells & 0o111) << 2 | cells & 0o222 | (cells & 0o444) >> 2;
        Self {
            max: image(self.max),
            min: image(self.min),
        }
    }

    /// Rows and columns exchanged.
    fn transposed(self) -> Self {
        let image = |cells: u16| {
            cells & 0o421
                | (cells & 0o042) << 2
                | (cells & 0o210) >> 2
                | (cells & 0o004) << 4
                | (cells & 0o100) >> 4
        };
        Self {
            max: image(self.max),
            min: image(self.min),
        }
    }
}

impl fmt::Display for TicTacToePosition {
    /// The rows from the top, `X` for MAX and `O` for MIN: `X../.O./...`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in 0..CELLS {
            if cell == 3 || cell == 6 {
                f.write_char('/')?;
            }
            let is = |cells: u16| cells >> cell & 1 == 1;
            f.write_char(match (is(self.max), is(self.min)) {
                (true, _) => 'X',
                (false, true) => 'O',
                (false, false) => '.',
            })?;
        }
        let player = if self.max_moves() { "MAX" } else { "MIN" };
        write!(f, ", {player} to move")
    }
}

fn outcomes() -> Chain<i8> {
    Chain::new(-1, 1).expect("in order")
}

impl TicTacToe {
    /// The game from the empty board.
    pub fn new() -> Self {
        let root = TicTacToePosition::EMPTY;
        let chain = outcomes();
        Self { root, chain }
    }

    /// The game after some moves, each the digit of a cell.
    ///
    /// # Errors
    /// The first move that cannot be played, and the position before it.
    ///
    /// ```
    /// use meetjoin_games::TicTacToe;
    ///
    /// assert!(TicTacToe::from_moves("519").is_ok());
    /// let error = TicTacToe::from_moves("515").unwrap_err();
    /// let text = "move 3, cell 5: the cell is taken; the position is O../.X./..., MAX to move";
    /// assert_eq!(error.to_string(), text);
    /// ```
    pub fn from_moves(moves: &str) -> Result<Self, TicTacToeError> {
        let mut game = Self::new();
        for (i, c) in moves.chars().enumerate() {
            let place = i + 1;
            let position = || game.root.to_string();
            let Some(cell) = c.to_digit(10).filter(|&cell| cell > 0) else {
                let position = position();
                return Err(TicTacToeError::NoCell {
                    place,
                    cell: c,
                    position,
                });
            };
            if game.root.is_over() {
                let position = position();
                return Err(TicTacToeError::Over {
                    place,
                    cell,
                    position,
                });
            }
            let bit = 1 << (cell - 1);
            if (game.root.max | game.root.min) & bit != 0 {
                let position = position();
                return Err(TicTacToeError::Taken {
                    place,
                    cell,
                    position,
                });
            }
            game.root = game.root.with(bit);
        }
        Ok(game)
    }
}

impl Default for TicTacToe {
    fn default() -> Self {
        Self::new()
    }
}

impl AndOrDag for TicTacToe {
    type Node = TicTacToePosition;

    fn root(&self) -> TicTacToePosition {
        self.root
    }

    fn kind(&self, position: &TicTacToePosition) -> Kind {
        if position.is_over() {
            Kind::Leaf
        } else if position.max_moves() {
            Kind::Or
        } else {
            Kind::And
        }
    }

    fn children(&self, position: &TicTacToePosition, out: &mut Vec<TicTacToePosition>) {
        let taken = position.max | position.min;
        let cells = (0..CELLS).map(|cell| 1 << cell);
        out.extend(
            cells
                .filter(|cell| taken & cell == 0)
                .map(|cell| position.with(cell)),
        );
    }

    fn name(&self, position: &TicTacToePosition, out: &mut dyn Write) -> fmt::Result {
        write!(out, "{position}")
    }
}

/// 1 if MAX wins, 0 for a draw, -1 if MIN wins.
impl Valuation<TicTacToePosition> for TicTacToe {
    type Lattice = Chain<i8>;

    fn lattice(&self) -> &Chain<i8> {
        &self.chain
    }

    fn leaf(&self, position: &TicTacToePosition) -> i8 {
        position.winner()
    }
}

impl Symmetric for TicTacToe {
    fn canonical(&self, position: &TicTacToePosition) -> TicTacToePosition {
        let mut image = *position;
        let mut least = image;
        // The two reflections in turn generate all eight symmetries.
        for _ in 0..4 {
            image = image.mirrored();
            least = least.min(image);
            image = image.transposed();
            least = least.min(image);
        }
        least
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_that_cannot_be_are_refused() {
        let refused = |moves| {
            TicTacToe::from_moves(moves)
                .expect_err("refused")
                .to_string()
        };
        assert_eq!(
            refused("50"),
            "move 2, '0', is none of the cells 1 to 9; the position is .../.X./..., MIN to move"
        );
        assert_eq!(
            refused("142537"),
            "move 6, cell 7: the game is over; the position is XXX/OO./..., MIN to move"
        );
    }
}
