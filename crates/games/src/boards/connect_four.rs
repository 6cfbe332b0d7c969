//! Connect Four on boards of up to 7 columns and 6 rows.
//!
//! Rules. MAX begins; in turn the players drop a stone of their own into a column that is not full,
//! and it falls to the lowest free cell. The first player with four stones in a row, a column or a
//! diagonal wins. If the board is full, the game is drawn.
//!
//! Scorings ([`Scoring`]). The *outcome* is 1, 0 or -1. The *distance* is 1 plus the stones that
//! the winner has left in hand when the game is won, negated if MIN wins: players prefer to win
//! soon and to lose late. At the start MAX has as many stones in hand as half of the cells, rounded
//! up, and MIN as many as the other half. The third scoring is the second with a gap for static
//! evaluations between a draw and a win.
//!
//! Problem: most legal moves are hopeless, and a search that tries them notices it only two levels
//! below.
//!
//! Idea: the game ([`ConnectFour`]) has fewer moves than the rules allow. Let n stones be on the
//! board.
//! - If the mover can win at once, a winning move is the only child. It is worth most: nobody wins
//!   with fewer than n + 1 stones.
//! - Otherwise a move after which the opponent can win at once is dropped, if there is another. It
//!   loses with n + 2 stones, and nothing is worth less to the mover: the opponent cannot win with
//!   fewer.
//! - If every move is such, all are worth the same, and the position is a leaf with that value.
//!   This is so if the opponent has two cells to win in that can be filled now, or one with another
//!   directly above it, or if each cell that can be filled lies below one.
//!
//! So each remaining position has the same value as by the rules, under all scorings.
//! [`ConnectFour::by_rules`] is the game with all moves, for comparison.
//!
//! Order of moves: first those after which more empty cells would complete four stones of the
//! mover; then the nearest to the centre, of two equally near the left one.
//!
//! Bounds. Where no player can win at once and the opponent's threats can be answered, the mover
//! wins with n + 3 stones at the soonest, and the opponent with n + 4; and a player without a line
//! of four cells that are free or the player's own cannot win. As a [`Heuristic`] the game returns
//! these bounds.
//!
//! A position is the set of the mover's stones and the set of all. The unused bits of the second
//! set are flags: who is to move, whether the game has been won, and whether the mover can win at
//! once. All follow from the stones; for a child by the restricted rules they are known without a
//! computation. The representative of a position and its mirror image is the one with the smaller
//! sets.
//!
//! Cost: a position is 16 bytes; all cells in which a player could complete four are found by some
//! forty word operations, without a loop.
//!
//! Source: Allis (1988) for what is known of the game; the scoring, the sentinel row and the
//! dropped moves are common in perfect programs, such as those of Tromp and of Pons.

pub(crate) mod stones;

use std::fmt::{self, Write};

use meetjoin_dag::{AndOrDag, Heuristic, Kind, Valuation};
use meetjoin_lattice::{Budget, Chain, Interval, Stop};
use serde::{Deserialize, Serialize};

use crate::boards::packed::{PackedPosition, Packs};
use crate::{Numbered, Playable, Refusal, StaticEvaluation, Symmetric};
use stones::{CELLS, STRIDE, WINS, WON, completing, has_line, rectangle};
pub use stones::{ConnectFourPosition, MOST_COLUMNS, MOST_ROWS};

/// Why a board makes no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectFourError {
    /// The board is too large, or has no cell.
    #[error(
        "a board has 1 to {MOST_COLUMNS} columns and 1 to {MOST_ROWS} rows, and not {columns} and {rows}"
    )]
    Size {
        /// The columns asked for.
        columns: u32,
        /// The rows asked for.
        rows: u32,
    },
}

/// What a game that is over is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Scoring {
    /// 1 plus the stones that the winner has in hand, negative if MIN wins; 0 for a draw.
    ///
    /// A sooner win is worth more.
    #[default]
    Distance,
    /// 1 if MAX wins, 0 for a draw, -1 if MIN wins.
    Outcome,
    /// As the distance, but 100 further from 0 unless it is a draw: values of a static evaluation
    /// fit between. Neither files nor the command line name it.
    #[serde(skip)]
    #[cfg_attr(feature = "clap", value(skip))]
    Apart,
}

/// The distance of wins from 0 is increased by this, so that evaluations fit between.
const APART: i8 = 100;

/// The game from any position on, without hopeless moves. See the [module page](self).
#[derive(Clone, Copy, Debug)]
pub struct ConnectFour {
    columns: u32,
    rows: u32,
    /// All cells, and those of the lowest row.
    board: u64,
    bottom: u64,
    /// The columns at a distance of at most 1 from the middle: up to three if their number is odd,
    /// two if it is even.
    centre: u64,
    /// The cells of each column, from the centre outwards.
    order: [u64; MOST_COLUMNS as usize],
    root: ConnectFourPosition,
    scoring: Scoring,
    chain: Chain<i8>,
}

fn scores(scoring: Scoring, cells: u32) -> Chain<i8> {
    // A win takes at least four stones.
    let in_hand = cells.div_ceil(2).saturating_sub(4) as i8;
    let best = 1 + match scoring {
        Scoring::Outcome => 0,
        Scoring::Distance => in_hand,
        Scoring::Apart => APART + in_hand,
    };
    Chain::new(-best, best).expect("in order")
}

impl ConnectFour {
    /// The game on an empty board, with the scoring by distance.
    ///
    /// # Errors
    /// If the board is too large, or has no cell.
    pub fn new(columns: u32, rows: u32) -> Result<Self, ConnectFourError> {
        if !(1..=MOST_COLUMNS).contains(&columns) || !(1..=MOST_ROWS).contains(&rows) {
            return Err(ConnectFourError::Size { columns, rows });
        }
        let mut from_centre: Vec<u32> = (0..columns).collect();
        from_centre.sort_unstable_by_key(|&column| ((2 * column).abs_diff(columns - 1), column));
        let mut order = [0; MOST_COLUMNS as usize];
        for (cells, column) in order.iter_mut().zip(from_centre) {
            *cells = rectangle(1, rows) << (column * STRIDE);
        }
        let is_central = |column: &u32| (2 * column).abs_diff(columns - 1) <= 2;
        let central = (0..columns).filter(is_central);
        let scoring = Scoring::default();
        Ok(Self {
            columns,
            rows,
            board: rectangle(columns, rows),
            bottom: rectangle(columns, 1),
            centre: central.fold(0, |all, column| {
                all | rectangle(1, rows) << (column * STRIDE)
            }),
            order,
            root: ConnectFourPosition::EMPTY,
            scoring,
            chain: scores(scoring, columns * rows),
        })
    }

    /// This game with another scoring.
    #[must_use]
    pub fn with_scoring(self, scoring: Scoring) -> Self {
        Self {
            scoring,
            chain: scores(scoring, self.cells()),
            ..self
        }
    }

    /// This game by the rules: every position with every move.
    pub fn by_rules(self) -> ConnectFourByRules {
        ConnectFourByRules(self)
    }

    /// The number of columns.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// The number of rows.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    fn cells(&self) -> u32 {
        self.columns * self.rows
    }

    /// The scoring of finished games.
    pub fn scoring(&self) -> Scoring {
        self.scoring
    }

    /// Returns whether a player has won, or the board is full.
    pub fn is_over(&self, position: &ConnectFourPosition) -> bool {
        position.is_won() || position.stones() == self.board
    }

    /// The lowest free cell of each column that is not full.
    #[inline]
    fn open(&self, position: ConnectFourPosition) -> u64 {
        (position.stones() + self.bottom) & self.board
    }

    /// Sets the flags that follow from the stones.
    fn note(&self, position: ConnectFourPosition) -> ConnectFourPosition {
        let noted = if has_line(position.opponent()) {
            WON
        } else {
            self.threat(position, completing(position.mover))
        };
        ConnectFourPosition {
            all: position.all | noted,
            ..position
        }
    }

    /// The flag of a position in which the mover wins in these cells, if the opponent has not won.
    #[inline]
    fn threat(&self, position: ConnectFourPosition, winning: u64) -> u64 {
        if winning & self.open(position) == 0 {
            0
        } else {
            WINS
        }
    }

    /// The cells in which the mover does not lose at once, if neither player has won and the mover
    /// cannot win at once.
    #[inline]
    fn safe(&self, position: ConnectFourPosition) -> u64 {
        let open = self.open(position);
        let lost = completing(position.opponent());
        let forced = open & lost;
        // Of two forced cells neither is safe.
        let open = match forced {
            0 => open,
            one if one.is_power_of_two() => one,
            _ => 0,
        };
        open & !((lost & self.board) >> 1)
    }

    /// The value when the last of so many stones has won.
    #[inline]
    fn won_with(&self, stones: u32) -> i8 {
        let of_max = stones % 2 == 1;
        // The winner's initial stones minus those used.
        let in_hand = if of_max {
            self.cells().div_ceil(2) - stones.div_ceil(2)
        } else {
            self.cells() / 2 - stones / 2
        };
        let value = 1 + match self.scoring {
            Scoring::Outcome => 0,
            Scoring::Distance => in_hand as i8,
            Scoring::Apart => APART + in_hand as i8,
        };
        if of_max { value } else { -value }
    }

    /// The winner and the number of stones at the win, for a game with this value: the inverse of
    /// the scoring. `None` if a won game cannot have this value, or if the scoring does not
    /// determine them.
    pub fn won(&self, value: i8) -> Option<(Kind, u32)> {
        let winner = if value > 0 { Kind::Or } else { Kind::And };
        (1..=self.cells())
            .filter(|_| self.scoring != Scoring::Outcome)
            .find(|&stones| self.won_with(stones) == value)
            .map(|stones| (winner, stones))
    }

    /// The value of a game won by the last of so many stones: the inverse of [`won`](Self::won).
    /// `None` if `stones` is 0 or more than the cells.
    pub fn win(&self, stones: u32) -> Option<i8> {
        (1..=self.cells())
            .contains(&stones)
            .then(|| self.won_with(stones))
    }

    /// The value when the last of so many stones has won; a draw if there are fewer cells.
    #[inline]
    fn won_soonest_with(&self, stones: u32) -> i8 {
        if stones > self.cells() {
            0
        } else {
            self.won_with(stones)
        }
    }

    /// The stone in a cell: `X` for MAX's, `O` for MIN's.
    fn stone(position: ConnectFourPosition, column: u32, row: u32) -> char {
        let cell = 1 << (column * STRIDE + row);
        let is_mover = position.mover & cell != 0;
        match position.stones() & cell {
            0 => '.',
            _ if is_mover == (position.player() == Kind::Or) => 'X',
            _ => 'O',
        }
    }
}

impl Playable for ConnectFour {
    fn move_word(&self) -> &'static str {
        "column"
    }

    fn numbers(&self) -> u32 {
        self.columns
    }

    fn play(
        &self,
        position: &ConnectFourPosition,
        column: u32,
    ) -> Result<ConnectFourPosition, Refusal> {
        if !(1..=self.columns).contains(&column) {
            return Err(Refusal::Unknown);
        }
        if self.is_over(position) {
            return Err(Refusal::Over);
        }
        let cells = rectangle(1, self.rows) << ((column - 1) * STRIDE);
        match self.open(*position) & cells {
            0 => Err(Refusal::Blocked("the column is full")),
            cell => Ok(self.note(position.after(cell))),
        }
    }

    fn to_move(&self, position: &ConnectFourPosition) -> Kind {
        if self.is_over(position) {
            Kind::Leaf
        } else {
            position.player()
        }
    }

    fn from_position(self, root: ConnectFourPosition) -> Self {
        Self { root, ..self }
    }

    fn draw(&self, position: &ConnectFourPosition, out: &mut dyn Write) -> fmt::Result {
        for row in (0..self.rows).rev() {
            for column in 0..self.columns {
                write!(out, " {}", Self::stone(*position, column, row))?;
            }
            out.write_char('\n')?;
        }
        (1..=self.columns).try_for_each(|column| write!(out, " {column}"))?;
        out.write_char('\n')
    }
}

/// 4 for each free cell in which MAX would complete four stones, 1 for each of her stones in the
/// central columns (at most 1 from the middle), and the same for MIN with the sign reversed; at
/// most 99 either way. It fits between a draw and a win only if the scoring is [`Scoring::Apart`];
/// with the others every position counts as a draw.
///
/// ```
/// use meetjoin_games::{ConnectFour, Playable, Scoring, StaticEvaluation};
/// use meetjoin_dag::AndOrDag;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let game = ConnectFour::new(7, 6)?.with_scoring(Scoring::Apart).after("415161")?;
/// // MAX has two cells for a fourth stone and two stones in the centre, MIN one cell.
/// assert_eq!(game.evaluate(&game.root()), 2 * 4 + 2 - 4);
/// # Ok(())
/// # }
/// ```
impl StaticEvaluation<ConnectFourPosition> for ConnectFour {
    #[inline]
    fn evaluate(&self, position: &ConnectFourPosition) -> i8 {
        if self.scoring != Scoring::Apart {
            return 0;
        }
        let free = self.board ^ position.stones();
        let worth = |stones: u64| {
            let threats = (completing(stones) & free).count_ones();
            let central = (stones & self.centre).count_ones();
            4 * threats.cast_signed() + central.cast_signed()
        };
        let value = worth(position.mover) - worth(position.opponent());
        let value = value.clamp(1 - i32::from(APART), i32::from(APART) - 1) as i8;
        match position.player() {
            Kind::Or => value,
            _ => -value,
        }
    }
}

impl ConnectFour {
    /// Appends the children in some form.
    #[inline]
    fn put_children<T: Copy>(
        &self,
        position: &ConnectFourPosition,
        out: &mut Vec<T>,
        form: impl Fn(ConnectFourPosition) -> T,
    ) {
        if position.all & WINS != 0 {
            let cells = self.open(*position) & completing(position.mover);
            let cell = self.order.iter().find(|column| cells & *column != 0);
            if let Some(column) = cell {
                out.push(form(self.note(position.after(cells & column))));
            }
            return;
        }
        let safe = self.safe(*position);
        let free = self.board ^ position.stones();
        if safe & safe.wrapping_sub(1) == 0 {
            if safe != 0 {
                out.push(form(position.after(safe)));
            }
            return;
        }
        // Insertion sort, in place.
        let mut threats = [0; MOST_COLUMNS as usize];
        let mut count = 0;
        let begin = out.len();
        for column in self.order {
            let cell = safe & column;
            if cell == 0 {
                continue;
            }
            let made = (completing(position.mover | cell) & free & !cell).count_ones();
            let child = form(position.after(cell));
            out.push(child);
            let mut place = count;
            while place > 0 && threats[place - 1] < made {
                threats[place] = threats[place - 1];
                out[begin + place] = out[begin + place - 1];
                place -= 1;
            }
            threats[place] = made;
            out[begin + place] = child;
            count += 1;
        }
    }
}

impl Packs for ConnectFour {
    #[inline]
    fn pack(position: &ConnectFourPosition) -> PackedPosition {
        PackedPosition::of_stones(position.mover, position.all)
    }

    #[inline]
    fn unpack(packed: &PackedPosition) -> ConnectFourPosition {
        let (mover, all) = packed.stones();
        ConnectFourPosition { mover, all }
    }

    fn expand(&self, position: &ConnectFourPosition, out: &mut Vec<PackedPosition>) {
        self.put_children(position, out, |child| Self::pack(&child));
    }
}

impl AndOrDag for ConnectFour {
    type Node = ConnectFourPosition;

    fn root(&self) -> ConnectFourPosition {
        self.root
    }

    #[inline]
    fn kind(&self, position: &ConnectFourPosition) -> Kind {
        if position.all & (WON | WINS) == 0 {
            // A full board has no safe cell either.
            if self.safe(*position) == 0 {
                return Kind::Leaf;
            }
        } else if position.is_won() {
            return Kind::Leaf;
        }
        position.player()
    }

    #[inline]
    fn children(&self, position: &ConnectFourPosition, out: &mut Vec<ConnectFourPosition>) {
        self.put_children(position, out, |child| child);
    }

    /// The rows from the top, `X` for MAX's stones and `O` for MIN's, and who is to move:
    /// `.../.O./.X., MAX to move`; at the end `, over`.
    fn name(&self, position: &ConnectFourPosition, out: &mut dyn Write) -> fmt::Result {
        let max_moves = position.player() == Kind::Or;
        for row in (0..self.rows).rev() {
            for column in 0..self.columns {
                out.write_char(Self::stone(*position, column, row))?;
            }
            if row > 0 {
                out.write_char('/')?;
            }
        }
        out.write_str(if self.is_over(position) {
            ", over"
        } else if max_moves {
            ", MAX to move"
        } else {
            ", MIN to move"
        })
    }
}

/// Values by the scoring of the game.
impl Valuation<ConnectFourPosition> for ConnectFour {
    type Lattice = Chain<i8>;

    #[inline]
    fn lattice(&self) -> &Chain<i8> {
        &self.chain
    }

    #[inline]
    fn leaf(&self, position: &ConnectFourPosition) -> i8 {
        let count = position.count();
        if position.is_won() {
            self.won_with(count)
        } else if position.stones() == self.board {
            0
        } else {
            self.won_with(count + 2)
        }
    }
}

/// Bounds from how soon the players can win in positions of this game. They would be false for
/// [`ConnectFourByRules`].
impl Heuristic<ConnectFourPosition, Chain<i8>> for ConnectFour {
    #[inline]
    fn bounds(
        &mut self,
        _: &Chain<i8>,
        position: &ConnectFourPosition,
        _: &Budget,
    ) -> Result<Option<Interval<i8>>, Stop> {
        let count = position.count();
        let (mover, opponent) = if position.all & WINS != 0 {
            let wins = self.won_with(count + 1);
            (wins, wins)
        } else {
            let stones = position.stones();
            let free = self.board ^ stones;
            let soonest = |own: u64, with| {
                if has_line(own | free) {
                    self.won_soonest_with(with)
                } else {
                    0
                }
            };
            let opponent = position.mover ^ stones;
            (
                soonest(position.mover, count + 3),
                soonest(opponent, count + 4),
            )
        };
        let (lower, upper) = (mover.min(opponent), mover.max(opponent));
        Ok(Some(Interval::new(lower, upper)))
    }
}

/// By [`ConnectFourPosition::key`].
impl Numbered for ConnectFour {
    fn bits(&self) -> u32 {
        MOST_COLUMNS * STRIDE
    }

    #[inline]
    fn number(&self, position: &ConnectFourPosition) -> u128 {
        position.key().into()
    }

    /// In each column of the key plus one, the highest bit is above the top stone.
    #[inline]
    fn position(&self, number: u128) -> ConnectFourPosition {
        let key = number as u64;
        let all = (0..self.columns).fold(0, |all, i| {
            let column = (key >> (i * STRIDE) & ((1 << STRIDE) - 1)) + 1;
            all | ((1 << column.ilog2()) - 1) << (i * STRIDE)
        });
        self.note(ConnectFourPosition::of(key.wrapping_sub(all), all))
    }
}

impl ConnectFour {
    /// Exchanges left and right.
    #[inline]
    fn mirrored(&self, position: &ConnectFourPosition) -> ConnectFourPosition {
        let image = |cells: u64| {
            let column = (1 << STRIDE) - 1;
            (0..self.columns).fold(0, |image, i| {
                image << STRIDE | cells >> (i * STRIDE) & column
            })
        };
        let &ConnectFourPosition { mover, all } = position;
        let noted = all & !CELLS;
        ConnectFourPosition {
            mover: image(mover),
            all: image(all & CELLS) | noted,
        }
    }
}

impl Symmetric for ConnectFour {
    #[inline]
    fn canonical(&self, position: &ConnectFourPosition) -> ConnectFourPosition {
        let &ConnectFourPosition { mover, all } = position;
        let mirrored = self.mirrored(position);
        if (mirrored.all, mirrored.mover) < (all, mover) {
            mirrored
        } else {
            *position
        }
    }

    fn images(&self, position: &ConnectFourPosition) -> Option<u32> {
        Some(1 + u32::from(self.mirrored(position) != *position))
    }
}

/// The game by the rules: positions with all moves, from the centre outwards, until a player has
/// won or the board is full.
#[derive(Clone, Copy, Debug)]
pub struct ConnectFourByRules(ConnectFour);

impl ConnectFourByRules {
    /// The positions after each move, if the game is not over.
    #[inline]
    fn after_each(
        &self,
        position: &ConnectFourPosition,
    ) -> impl Iterator<Item = ConnectFourPosition> {
        let game = &self.0;
        // The cells in which players win are the same for all children, so they are computed once.
        let (wins, loses) = (completing(position.mover), completing(position.opponent()));
        let open = game.open(*position);
        let cells = game.order.iter().map(move |column| open & column);
        cells.filter(|cell| *cell != 0).map(move |cell| {
            let child = position.after(cell);
            let noted = if wins & cell != 0 {
                WON
            } else {
                game.threat(child, loses)
            };
            ConnectFourPosition {
                all: child.all | noted,
                ..child
            }
        })
    }
}

impl Packs for ConnectFourByRules {
    #[inline]
    fn pack(position: &ConnectFourPosition) -> PackedPosition {
        ConnectFour::pack(position)
    }

    #[inline]
    fn unpack(packed: &PackedPosition) -> ConnectFourPosition {
        ConnectFour::unpack(packed)
    }

    fn expand(&self, position: &ConnectFourPosition, out: &mut Vec<PackedPosition>) {
        if !self.0.is_over(position) {
            out.extend(self.after_each(position).map(|child| Self::pack(&child)));
        }
    }
}

impl AndOrDag for ConnectFourByRules {
    type Node = ConnectFourPosition;

    fn root(&self) -> ConnectFourPosition {
        self.0.root
    }

    #[inline]
    fn kind(&self, position: &ConnectFourPosition) -> Kind {
        if self.0.is_over(position) {
            Kind::Leaf
        } else {
            position.player()
        }
    }

    #[inline]
    fn children(&self, position: &ConnectFourPosition, out: &mut Vec<ConnectFourPosition>) {
        if !self.0.is_over(position) {
            out.extend(self.after_each(position));
        }
    }

    fn name(&self, position: &ConnectFourPosition, out: &mut dyn Write) -> fmt::Result {
        self.0.name(position, out)
    }
}

/// Values by the scoring of the game.
impl Valuation<ConnectFourPosition> for ConnectFourByRules {
    type Lattice = Chain<i8>;

    #[inline]
    fn lattice(&self) -> &Chain<i8> {
        &self.0.chain
    }

    #[inline]
    fn leaf(&self, position: &ConnectFourPosition) -> i8 {
        self.0.leaf(position)
    }
}

impl Symmetric for ConnectFourByRules {
    fn canonical(&self, position: &ConnectFourPosition) -> ConnectFourPosition {
        self.0.canonical(position)
    }

    fn images(&self, position: &ConnectFourPosition) -> Option<u32> {
        self.0.images(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_play;

    fn children(game: ConnectFour, moves: &str) -> Vec<String> {
        let game = game.after(moves).expect("legal");
        let mut children = Vec::new();
        game.children(&game.root(), &mut children);
        let name = |child| {
            let mut name = String::new();
            game.name(child, &mut name).expect("a string");
            name
        };
        children.iter().map(name).collect()
    }

    #[test]
    fn moves_come_in_the_documented_order() {
        let game = ConnectFour::new(5, 2).expect("a board");
        let first = ["..X..", ".X...", "...X.", "X....", "....X"];
        let first = first.map(|row| format!("...../{row}, MIN to move"));
        assert_eq!(children(game, ""), first);
        // A second stone makes no threat, and a third in the column does.
        let game = ConnectFour::new(7, 6).expect("a board");
        let first = &children(game, "4141")[0];
        assert_eq!(
            first,
            "......./......./......./...X.../O..X.../O..X..., MIN to move"
        );
        // MIN must answer.
        let only = "......./......./...O.../...X.../O..X.../O..X..., MAX to move";
        assert_eq!(children(game, "41414"), [only]);
        // MAX does not begin columns 1 and 5, in which MIN would win in the second cell.
        let after = children(game, "22447373");
        assert_eq!(after.len(), 5);
        let lowest = |name: &String| name.rsplit('/').next().map(str::to_owned);
        let untouched = |row: String| row.starts_with(".X") && row[4..].starts_with('.');
        assert!(after.iter().filter_map(lowest).all(untouched));
    }

    #[test]
    fn children_by_the_rules_are_what_players_play() {
        for (columns, rows) in [(7, 6), (4, 4), (1, 6), (7, 1)] {
            let game = ConnectFour::new(columns, rows).expect("a board");
            for seed in 0..100 {
                let stones = (seed % (columns * rows)) as usize;
                let moves = random_play(&game, stones, seed.into()).expect("a game");
                let position = game.after(&moves).expect("legal").root();
                let mut children = Vec::new();
                game.by_rules().children(&position, &mut children);
                let mut played: Vec<_> = (1..=columns)
                    .filter_map(|column| game.play(&position, column).ok())
                    .collect();
                for all in [&mut children, &mut played] {
                    all.sort_by_key(|child| child.key());
                }
                assert_eq!(children, played, "{moves}");
                let odd = moves.len() % 2 == 1;
                assert_eq!(position.player(), if odd { Kind::And } else { Kind::Or });
                assert_eq!(game.position(game.number(&position)), position);
            }
        }
    }

    #[test]
    fn decided_positions_are_leaves_and_wins_have_one_child() {
        let kind = |moves| {
            let game = ConnectFour::new(7, 6).expect("a board");
            let game = game.after(moves).expect("legal");
            (game.kind(&game.root()), game.leaf(&game.root()))
        };
        // Three in the lowest row, open on both sides: MIN loses with seven stones.
        assert_eq!(kind("33445"), (Kind::Leaf, 18));
        // Closed on one side.
        assert_eq!(kind("334452").0, Kind::Or);
        assert_eq!(
            children(ConnectFour::new(7, 6).expect("a board"), "334452").len(),
            1
        );
        // Four in the column.
        assert_eq!(kind("4747474"), (Kind::Leaf, 18));
        assert_eq!(kind("14747474"), (Kind::Leaf, -18));
    }

    #[test]
    fn values_of_won_games_say_when() {
        for scoring in [Scoring::Distance, Scoring::Apart] {
            let game = ConnectFour::new(7, 6)
                .expect("a board")
                .with_scoring(scoring);
            for stones in 7..=42 {
                let winner = if stones % 2 == 1 { Kind::Or } else { Kind::And };
                assert_eq!(game.won(game.won_with(stones)), Some((winner, stones)));
                assert_eq!(game.win(stones), Some(game.won_with(stones)));
            }
            assert_eq!(game.won(0), None);
            assert_eq!(game.won(99), None);
            assert_eq!((game.win(0), game.win(43)), (None, None));
        }
    }

    #[test]
    fn moves_that_cannot_be_are_refused() {
        let refused = |moves| {
            let game = ConnectFour::new(4, 4).expect("a board");
            game.after(moves).expect_err("refused").to_string()
        };
        assert_eq!(
            refused("125"),
            "move 3, '5', is none of the columns 1 to 4; the position is ..../..../..../XO.., MAX to move"
        );
        assert_eq!(
            refused("11x"),
            "move 3, 'x', is none of the columns 1 to 4; the position is ..../..../O.../X..., MAX to move"
        );
        assert_eq!(
            refused("11111"),
            "move 5, column 1: the column is full; the position is O.../X.../O.../X..., MAX to move"
        );
        assert_eq!(
            refused("12121212"),
            "move 8, column 2: the game is over; the position is X.../XO../XO../XO.., over"
        );
        for (columns, rows) in [(0, 1), (1, 0), (8, 6), (7, 7), (u32::MAX, u32::MAX)] {
            let size = ConnectFourError::Size { columns, rows };
            assert_eq!(ConnectFour::new(columns, rows).err(), Some(size));
        }
    }
}
