//! Tic-tac-toe: three in a row on a board of 3 by 3.
//!
//! Rules. MAX begins with a cross in an empty cell, MIN answers with a nought, and so on in turn.
//! The first player with three in a row, a column or a diagonal wins, and the game ends; it is
//! drawn if the board is full. The value is 1 if MAX wins, 0 for a draw, -1 if MIN wins.
//!
//! A position is the two sets of cells, which determine the player to move. Cells are numbered from
//! 1 to 9, row by row from the left at the top, and moves come in this order. The symmetries are
//! the eight of the square; the representative of a class is the image with the smallest pair of
//! sets.
//!
//! Cost: a position is 4 bytes. There are 5,478 of them, 765 up to symmetry.

use std::fmt::{self, Write};

use meetjoin_dag::{AndOrDag, Heuristic, Kind, Valuation};
use meetjoin_lattice::{Budget, Chain, Interval, Stop};

use crate::boards::packed::{PackedPosition, Packs};
use crate::{Numbered, Playable, Refusal, StaticEvaluation, Symmetric};

/// The number of cells.
const CELLS: u32 = 9;
const FULL: u16 = (1 << CELLS) - 1;
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// The game from any position on.
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

    /// Exchanges left and right.
    fn mirrored(self) -> Self {
        let image = |cells: u16| (cells & 0o111) << 2 | cells & 0o222 | (cells & 0o444) >> 2;
        Self {
            max: image(self.max),
            min: image(self.min),
        }
    }

    /// Exchanges rows and columns.
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
    /// The rows from the top, `X` for MAX and `O` for MIN, and who is to move:
    /// `X../.O./..., MAX to move`; at the end `, over`.
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
        f.write_str(if self.is_over() {
            ", over"
        } else if self.max_moves() {
            ", MAX to move"
        } else {
            ", MIN to move"
        })
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
}

impl Default for TicTacToe {
    fn default() -> Self {
        Self::new()
    }
}

/// The positions after each move.
#[inline]
fn after_each(position: TicTacToePosition) -> impl Iterator<Item = TicTacToePosition> {
    let taken = position.max | position.min;
    let cells = (0..CELLS).map(|cell| 1 << cell);
    let free = cells.filter(move |cell| taken & cell == 0);
    free.map(move |cell| position.with(cell))
}

impl Packs for TicTacToe {
    #[inline]
    fn pack(position: &TicTacToePosition) -> PackedPosition {
        PackedPosition::of_pair(position.max, position.min)
    }

    #[inline]
    fn unpack(packed: &PackedPosition) -> TicTacToePosition {
        let (max, min) = packed.pair();
        TicTacToePosition { max, min }
    }

    fn expand(&self, position: &TicTacToePosition, out: &mut Vec<PackedPosition>) {
        out.extend(after_each(*position).map(|child| Self::pack(&child)));
    }
}

/// The number has MAX's cells in its low bits and MIN's above.
impl Numbered for TicTacToe {
    fn bits(&self) -> u32 {
        32
    }

    fn number(&self, position: &TicTacToePosition) -> u128 {
        u128::from(position.min) << 16 | u128::from(position.max)
    }

    fn position(&self, number: u128) -> TicTacToePosition {
        TicTacToePosition {
            max: number as u16,
            min: (number >> 16) as u16,
        }
    }
}

impl AndOrDag for TicTacToe {
    type Node = TicTacToePosition;

    fn root(&self) -> TicTacToePosition {
        self.root
    }

    #[inline]
    fn kind(&self, position: &TicTacToePosition) -> Kind {
        if position.is_over() {
            Kind::Leaf
        } else if position.max_moves() {
            Kind::Or
        } else {
            Kind::And
        }
    }

    #[inline]
    fn children(&self, position: &TicTacToePosition, out: &mut Vec<TicTacToePosition>) {
        out.extend(after_each(*position));
    }

    fn name(&self, position: &TicTacToePosition, out: &mut dyn Write) -> fmt::Result {
        write!(out, "{position}")
    }
}

/// 1 if MAX wins, 0 for a draw, -1 if MIN wins.
impl Valuation<TicTacToePosition> for TicTacToe {
    type Lattice = Chain<i8>;

    #[inline]
    fn lattice(&self) -> &Chain<i8> {
        &self.chain
    }

    #[inline]
    fn leaf(&self, position: &TicTacToePosition) -> i8 {
        position.winner()
    }
}

/// Always 0: the game is small enough to be solved.
impl StaticEvaluation<TicTacToePosition> for TicTacToe {
    fn evaluate(&self, _: &TicTacToePosition) -> i8 {
        0
    }
}

/// The trivial bounds: a loss and a win.
impl Heuristic<TicTacToePosition, Chain<i8>> for TicTacToe {
    #[inline]
    fn bounds(
        &mut self,
        _: &Chain<i8>,
        _: &TicTacToePosition,
        _: &Budget,
    ) -> Result<Option<Interval<i8>>, Stop> {
        Ok(None)
    }
}

impl Playable for TicTacToe {
    fn move_word(&self) -> &'static str {
        "cell"
    }

    fn numbers(&self) -> u32 {
        CELLS
    }

    fn play(&self, position: &TicTacToePosition, cell: u32) -> Result<TicTacToePosition, Refusal> {
        if !(1..=CELLS).contains(&cell) {
            return Err(Refusal::Unknown);
        }
        if position.is_over() {
            return Err(Refusal::Over);
        }
        let bit = 1 << (cell - 1);
        if (position.max | position.min) & bit != 0 {
            return Err(Refusal::Blocked("the cell is taken"));
        }
        Ok(position.with(bit))
    }

    fn to_move(&self, position: &TicTacToePosition) -> Kind {
        self.kind(position)
    }

    fn from_position(self, root: TicTacToePosition) -> Self {
        Self { root, ..self }
    }

    /// Free cells are shown by their numbers.
    fn draw(&self, position: &TicTacToePosition, out: &mut dyn Write) -> fmt::Result {
        for cell in 0..CELLS {
            let is = |cells: u16| cells >> cell & 1 == 1;
            match (is(position.max), is(position.min)) {
                (true, _) => out.write_char('X')?,
                (false, true) => out.write_char('O')?,
                (false, false) => write!(out, "{}", cell + 1)?,
            }
            out.write_char(if cell % 3 == 2 { '\n' } else { ' ' })?;
        }
        Ok(())
    }
}

/// All images of the position.
fn all_images(position: TicTacToePosition) -> [TicTacToePosition; 8] {
    let mut image = position;
    std::array::from_fn(|i| {
        // The two reflections in turn generate all eight symmetries.
        image = if i % 2 == 0 {
            image.mirrored()
        } else {
            image.transposed()
        };
        image
    })
}

impl Symmetric for TicTacToe {
    fn canonical(&self, position: &TicTacToePosition) -> TicTacToePosition {
        all_images(*position).into_iter().fold(*position, Ord::min)
    }

    fn images(&self, position: &TicTacToePosition) -> Option<u32> {
        let mut images = all_images(*position);
        images.sort_unstable();
        let first_of_equals = images.chunk_by(TicTacToePosition::eq);
        Some(first_of_equals.count() as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_that_cannot_be_are_refused() {
        let refused = |moves| {
            let after = TicTacToe::new().after(moves);
            after.expect_err("refused").to_string()
        };
        assert_eq!(
            refused("50"),
            "move 2, '0', is none of the cells 1 to 9; the position is .../.X./..., MIN to move"
        );
        assert_eq!(
            refused("142537"),
            "move 6, cell 7: the game is over; the position is XXX/OO./..., over"
        );
    }
}
