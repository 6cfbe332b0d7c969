//! Hexapawn: chess with pawns only, played for two criteria: to capture many pawns and to lose few.
//!
//! Rules. The board has `columns` columns and `rows` rows. At the start MAX has a pawn in each cell
//! of the lowest row and MIN one in each cell of the highest; MAX moves first. Pawns move as in
//! chess, without the double step: one cell straight ahead if it is empty, or one cell ahead
//! diagonally to capture a pawn of the opponent. Passing is not allowed. The game ends when a pawn
//! reaches the opponent's first row, or when the player to move has no move.
//!
//! The winner does not matter here. The outcome is the vector (pawns MAX has captured, minus the
//! pawns MAX has lost): MAX maximizes both numbers, MIN minimizes both. They conflict, because most
//! captures are answered by one.
//!
//! A position is the two sets of pawns and who moves; captures and losses follow from the pawns on
//! the board. Of a position and its mirror image (left and right exchanged), which have the same
//! value, only the one with the smaller pair of sets is used.
//!
//! Order of moves: by pawns, from the cell with the lowest number up (cells are numbered row by row
//! from MAX's side, each row from the left); for each pawn first ahead, then capturing to the left,
//! then to the right. Left is always MAX's left. Of moves that lead to the same position up to
//! mirror images, the first is kept.
//!
//! Cost: a position is 24 bytes, its moves are a few operations on words. From the start there are
//! 71 positions on the usual board of 3 by 3, 10,173 on 4 by 4, 180,181 on 5 columns and 4 rows.
//!
//! Source: M. Gardner, Mathematical Games, Scientific American, March 1962, for 3 by 3. The two
//! criteria are ours.

use std::fmt::{self, Write};

use meetjoin_dag::{AndOrDag, Kind, Valuation};
use meetjoin_lattice::{ElemOf, Extended, FreeLattice};

/// The most cells a board may have: a set of cells is a machine word.
pub const MOST_CELLS: u32 = 64;

/// Why a board makes no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HexapawnError {
    /// No column, or fewer than two rows.
    #[error("a board needs at least 1 column and 2 rows")]
    TooSmall,
    /// More cells than a machine word has bits.
    #[error("a board of {columns} columns and {rows} rows has more than {MOST_CELLS} cells")]
    TooLarge {
        /// The columns asked for.
        columns: u32,
        /// The rows asked for.
        rows: u32,
    },
}

/// The game on a board, as a graph. As a valuation it is the free lattice over its outcomes.
#[derive(Clone, Debug)]
pub struct Hexapawn {
    columns: u32,
    rows: u32,
    lattice: FreeLattice,
}

/// A position, or its mirror image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HexapawnPosition {
    /// MAX's pawns: bit c for cell c.
    max: u64,
    min: u64,
    max_moves: bool,
}

/// The moves of one kind: the cells they start from, and the distance they move.
struct Moves {
    from: u64,
    by: u32,
}

impl Hexapawn {
    /// The game on a board of this size.
    ///
    /// # Errors
    /// If the board is too small or too large.
    pub fn new(columns: u32, rows: u32) -> Result<Self, HexapawnError> {
        if columns == 0 || rows < 2 {
            return Err(HexapawnError::TooSmall);
        }
        if columns.checked_mul(rows).is_none_or(|n| n > MOST_CELLS) {
            return Err(HexapawnError::TooLarge { columns, rows });
        }
        Ok(Self {
            columns,
            rows,
            lattice: FreeLattice::of_vectors(2),
        })
    }

    /// The number of columns, and of pawns of each player.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// The number of rows.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// The number of pawns MAX has captured, and minus the number of those she has lost: the
    /// outcome if the position is a leaf.
    pub fn outcome(&self, position: &HexapawnPosition) -> [i64; 2] {
        let gone = |pawns: u64| i64::from(self.columns) - i64::from(pawns.count_ones());
        [gone(position.min), -gone(position.max)]
    }

    /// All cells of a row, counted from 0 on MAX's side.
    fn row(&self, row: u32) -> u64 {
        ((1 << self.columns) - 1) << (row * self.columns)
    }

    /// All cells of a column, counted from 0 on the left.
    fn column(&self, column: u32) -> u64 {
        (0..self.rows).fold(0, |cells, row| cells | 1 << (row * self.columns + column))
    }

    /// The moves ahead, those that capture to the left, and those that capture to the right; empty
    /// if the game is over.
    fn moves(&self, position: &HexapawnPosition) -> [Moves; 3] {
        let &HexapawnPosition {
            max,
            min,
            max_moves,
        } = position;
        let c = self.columns;
        let (first, last) = (self.row(0), self.row(self.rows - 1));
        let over = max & last != 0 || min & first != 0;
        let (not_left, not_right) = (!self.column(0), !self.column(c - 1));
        let moves = if max_moves {
            [
                (max & !((max | min) >> c), c),
                (max & not_left & (min >> (c - 1)), c - 1),
                (max & not_right & (min >> (c + 1)), c + 1),
            ]
        } else {
            [
                (min & !((max | min) << c), c),
                (min & not_left & (max << (c + 1)), c + 1),
                (min & not_right & (max << (c - 1)), c - 1),
            ]
        };
        moves.map(|(from, by)| Moves {
            from: if over { 0 } else { from },
            by,
        })
    }

    /// The position, or its mirror image if that comes first.
    fn canonical(&self, position: HexapawnPosition) -> HexapawnPosition {
        let last = self.columns - 1;
        let mirror = |pawns: u64| {
            let place = |cell| cell - cell % self.columns + (last - cell % self.columns);
            cells(pawns).fold(0, |image, cell| image | 1 << place(cell))
        };
        let HexapawnPosition { max, min, .. } = position;
        let (max, min) = (max, min).min((mirror(max), mirror(min)));
        HexapawnPosition {
            max,
            min,
            ..position
        }
    }
}

/// The cells of a set in ascending order.
fn cells(set: u64) -> impl Iterator<Item = u32> {
    (0..MOST_CELLS).filter(move |cell| set >> cell & 1 == 1)
}

impl AndOrDag for Hexapawn {
    type Node = HexapawnPosition;

    fn root(&self) -> HexapawnPosition {
        HexapawnPosition {
            max: self.row(0),
            min: self.row(self.rows - 1),
            max_moves: true,
        }
    }

    fn kind(&self, position: &HexapawnPosition) -> Kind {
        match position.max_moves {
            _ if self.moves(position).iter().all(|moves| moves.from == 0) => Kind::Leaf,
            true => Kind::Or,
            false => Kind::And,
        }
    }

    fn children(&self, position: &HexapawnPosition, out: &mut Vec<HexapawnPosition>) {
        let begin = out.len();
        let &HexapawnPosition {
            max,
            min,
            max_moves,
        } = position;
        let moves = self.moves(position);
        for cell in cells(if max_moves { max } else { min }) {
            let from = 1 << cell;
            for moves in moves.iter().filter(|moves| moves.from & from != 0) {
                let (max, min) = if max_moves {
                    let to = from << moves.by;
                    (max & !from | to, min & !to)
                } else {
                    let to = from >> moves.by;
                    (max & !to, min & !from | to)
                };
                let child = self.canonical(HexapawnPosition {
                    max,
                    min,
                    max_moves: !max_moves,
                });
                if !out[begin..].contains(&child) {
                    out.push(child);
                }
            }
        }
    }

    /// The rows from MIN's side down, `P` for MAX's pawns and `p` for MIN's:
    /// `ppp/.../PPP, MAX to move`.
    fn name(&self, position: &HexapawnPosition, out: &mut dyn Write) -> fmt::Result {
        for row in (0..self.rows).rev() {
            for cell in row * self.columns..(row + 1) * self.columns {
                let is = |pawns: u64| pawns >> cell & 1 == 1;
                out.write_char(match (is(position.max), is(position.min)) {
                    (true, _) => 'P',
                    (false, true) => 'p',
                    (false, false) => '.',
                })?;
            }
            if row > 0 {
                out.write_char('/')?;
            }
        }
        let player = if position.max_moves { "MAX" } else { "MIN" };
        write!(out, ", {player} to move")
    }
}

/// The outcome, as an element of the free lattice over vectors.
impl Valuation<HexapawnPosition> for Hexapawn {
    type Lattice = FreeLattice;

    fn lattice(&self) -> &FreeLattice {
        &self.lattice
    }

    fn leaf(&self, position: &HexapawnPosition) -> ElemOf<FreeLattice> {
        let outcome = self.outcome(position).map(Extended::Finite);
        self.lattice.outcome(Box::from(outcome))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(game: &Hexapawn, position: &HexapawnPosition) -> String {
        let mut name = String::new();
        game.name(position, &mut name).expect("a string");
        name
    }

    fn children(game: &Hexapawn, position: &HexapawnPosition) -> Vec<HexapawnPosition> {
        let mut children = Vec::new();
        game.children(position, &mut children);
        children
    }

    #[test]
    fn moves_come_in_the_documented_order() {
        let game = Hexapawn::new(3, 3).expect("a board");
        let names = |position| -> Vec<String> {
            let children = children(&game, position);
            children.iter().map(|child| name(&game, child)).collect()
        };
        let root = game.root();
        assert_eq!(name(&game, &root), "ppp/.../PPP, MAX to move");
        // The third move mirrors the first.
        assert_eq!(
            names(&root),
            ["ppp/P../.PP, MIN to move", "ppp/.P./P.P, MIN to move"]
        );
        let middle = children(&game, &root)[1];
        // The left pawn ahead, the left pawn captures to the right; the right pawn mirrors both.
        assert_eq!(
            names(&middle),
            ["pp./.Pp/P.P, MAX to move", "pp./.p./P.P, MAX to move"]
        );
        assert_eq!(game.outcome(&middle), [0, 0]);
        assert_eq!(game.outcome(&children(&game, &middle)[1]), [0, -1]);
    }

    #[test]
    fn the_game_ends_at_the_far_row_and_without_moves() {
        let game = Hexapawn::new(2, 3).expect("a board");
        let ahead = children(&game, &game.root())[0];
        assert_eq!(name(&game, &ahead), "pp/P./.P, MIN to move");
        // Ahead MIN blocks both pawns; after the capture MAX can move and capture.
        let kinds = |position: &HexapawnPosition| {
            let below = children(&game, position);
            below.iter().map(|p| game.kind(p)).collect::<Vec<_>>()
        };
        assert_eq!(kinds(&ahead), [Kind::Leaf, Kind::Or]);
        let blocked = Hexapawn::new(1, 2).expect("a board");
        assert_eq!(blocked.kind(&blocked.root()), Kind::Leaf);
    }

    #[test]
    fn boards_that_cannot_be_are_refused() {
        let refused = |columns, rows| Hexapawn::new(columns, rows).err();
        for (columns, rows) in [(0, 3), (3, 0), (3, 1)] {
            assert_eq!(refused(columns, rows), Some(HexapawnError::TooSmall));
        }
        for (columns, rows) in [(5, 13), (u32::MAX, 2), (33, 2), (1, 65)] {
            let too_large = HexapawnError::TooLarge { columns, rows };
            assert_eq!(refused(columns, rows), Some(too_large));
        }
        for (columns, rows) in [(32, 2), (8, 8), (1, 64)] {
            let game = Hexapawn::new(columns, rows).expect("it fits");
            assert!(game.kind(&game.root()) != Kind::Leaf || rows == 2);
        }
    }
}
