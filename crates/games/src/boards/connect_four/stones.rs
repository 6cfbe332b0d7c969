//! Sets of stones as bits of a word, and positions made of two of them.
//!
//! A column is 7 bits, the lowest cell first, and its seventh bit is never set, so that shifting
//! does not carry stones from column to column.

use std::hash::{Hash, Hasher};

use meetjoin_dag::Kind;

/// The most columns of a board.
pub const MOST_COLUMNS: u32 = 7;
/// The most rows of a board.
pub const MOST_ROWS: u32 = 6;

/// Bits of a column: one more than rows.
pub(super) const STRIDE: u32 = MOST_ROWS + 1;
/// The bits for cells, of all boards.
pub(crate) const CELLS: u64 = (1 << (MOST_COLUMNS * STRIDE)) - 1;
/// Flag beside all stones: the last move has won.
pub(super) const WON: u64 = 1 << 63;
/// Flag beside all stones: the game is not over, and the mover can win at once.
pub(super) const WINS: u64 = 1 << 62;
/// Flag beside all stones: their number is odd.
const ODD: u64 = 1 << 61;

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectFourPosition {
    /// The stones of the player to move.
    pub(super) mover: u64,
    /// All stones, with the flags [`WON`], [`WINS`] and [`ODD`].
    pub(super) all: u64,
}

impl Hash for ConnectFourPosition {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key());
    }
}

impl ConnectFourPosition {
    /// The cells with stones: bit 7 c + r for row r of column c, both from 0.
    #[inline]
    pub fn stones(self) -> u64 {
        self.all & CELLS
    }

    /// A unique number of the position: the mover's stones plus all stones. In each column all
    /// stones are one less than a power of two, and the mover's are no more, so the sum stays
    /// within the column and determines its height.
    #[inline]
    pub fn key(self) -> u64 {
        self.mover + self.stones()
    }

    #[inline]
    pub(super) fn opponent(self) -> u64 {
        self.mover ^ self.stones()
    }

    /// The number of stones on the board.
    #[inline]
    pub fn count(self) -> u32 {
        self.stones().count_ones()
    }

    #[inline]
    pub(super) fn is_won(self) -> bool {
        self.all & WON != 0
    }

    /// The empty board.
    pub(super) const EMPTY: Self = Self { mover: 0, all: 0 };

    /// The position with these stones; of the flags only the parity is set.
    pub(super) fn of(mover: u64, stones: u64) -> Self {
        let odd = if stones.count_ones() % 2 == 1 { ODD } else { 0 };
        Self {
            mover,
            all: stones | odd,
        }
    }

    /// The position after the mover has put a stone in this cell; of the flags only the parity is
    /// set.
    #[inline]
    pub(super) fn after(self, cell: u64) -> Self {
        Self {
            mover: self.opponent(),
            all: (self.all & (CELLS | ODD) | cell) ^ ODD,
        }
    }

    /// The player to move.
    #[inline]
    pub(super) fn player(self) -> Kind {
        if self.all & ODD == 0 {
            Kind::Or
        } else {
            Kind::And
        }
    }
}

/// The cells that would complete four stones in a line, taken or not, on the board or not.
#[inline]
pub(super) fn completing(stones: u64) -> u64 {
    let mut cells = (stones << 1) & (stones << 2) & (stones << 3);
    for step in [STRIDE - 1, STRIDE, STRIDE + 1] {
        let ahead = (stones << step) & (stones << (2 * step));
        cells |= ahead & (stones << (3 * step)) | ahead & (stones >> step);
        let behind = (stones >> step) & (stones >> (2 * step));
        cells |= behind & (stones >> (3 * step)) | behind & (stones << step);
    }
    cells
}

/// Returns whether there are four in a line.
#[inline]
pub(super) fn has_line(stones: u64) -> bool {
    [1, STRIDE - 1, STRIDE, STRIDE + 1].iter().any(|step| {
        let pairs = stones & stones >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

/// The cells of the first `columns` columns in the lowest `rows` rows.
pub(super) fn rectangle(columns: u32, rows: u32) -> u64 {
    (0..columns).fold(0, |cells, column| {
        cells | ((1 << rows) - 1) << (column * STRIDE)
    })
}
