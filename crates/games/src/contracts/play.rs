//! Games for people to play: moves have numbers, positions can be drawn and evaluated.
//!
//! Problem: a graph for a search need not have all legal moves, and does not name the moves to
//! children. People want to make any legal move by its name.
//!
//! Idea: the rules are a trait of their own. A move is a number from 1, and a line of play a string
//! of digits; the game defines what a number stands for (a column, a pit, a cell). So parsing,
//! rejecting and listing moves is implemented once.

use std::fmt;

use meetjoin_dag::{AndOrDag, Kind, Valuation};
use meetjoin_lattice::ElemOf;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A game by its rules.
pub trait Playable: AndOrDag + Sized {
    /// The word for a move: `column`.
    fn move_word(&self) -> &'static str;

    /// The greatest number of a move; at most 9.
    fn numbers(&self) -> u32;

    /// The position after a move.
    ///
    /// # Errors
    /// Why the rules do not allow it.
    fn play(&self, position: &Self::Node, number: u32) -> Result<Self::Node, Refusal>;

    /// The player to move: `Or` for MAX, `And` for MIN, `Leaf` if the game is over by the rules.
    fn to_move(&self, position: &Self::Node) -> Kind;

    /// This game from another position on.
    #[must_use]
    #[allow(clippy::wrong_self_convention)] // `from` means "from there on" here
    fn from_position(self, position: Self::Node) -> Self;

    /// Draws the position in lines of text, `X` for MAX and `O` for MIN.
    ///
    /// # Errors
    /// Those of `out`.
    fn draw(&self, position: &Self::Node, out: &mut dyn fmt::Write) -> fmt::Result;

    /// The legal moves with the positions after them, by number.
    fn moves(&self, position: &Self::Node) -> Vec<(u32, Self::Node)> {
        let after = |number| Some((number, self.play(position, number).ok()?));
        (1..=self.numbers()).filter_map(after).collect()
    }

    /// The game after some more moves, each a digit.
    ///
    /// # Errors
    /// The first move that cannot be made, and the position before it.
    ///
    /// ```
    /// use meetjoin_games::{ConnectFour, Playable};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let empty = ConnectFour::new(3, 2)?;
    /// assert!(empty.after("123").is_ok());
    /// let error = empty.after("222").map(drop).unwrap_err();
    /// let text = "move 3, column 2: the column is full; the position is .O./.X., MAX to move";
    /// assert_eq!(error.to_string(), text);
    /// # Ok(())
    /// # }
    /// ```
    fn after(self, moves: &str) -> Result<Self, IllegalMove> {
        let mut position = self.root();
        for (i, written) in moves.chars().enumerate() {
            // Zero and characters that are no digits are no moves.
            let number = written.to_digit(10).unwrap_or(0);
            position = self
                .play(&position, number)
                .map_err(|why| IllegalMove::new(&self, &position, i + 1, written, why))?;
        }
        Ok(self.from_position(position))
    }
}

/// Random play: `moves` uniformly drawn legal moves from the start of `game`. Games that end before
/// or with the last of these moves are discarded and drawn again.
///
/// Draw order, from `ChaCha8Rng::seed_from_u64(seed)`: for each move `random_range(0..legal moves)`
/// as `u32`. `None` if none of a million games lasts long enough.
///
/// ```
/// use meetjoin_games::{ConnectFour, Playable, random_play};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let empty = ConnectFour::new(7, 6)?;
/// let moves = random_play(&empty, 28, 1).ok_or("many games last so long")?;
/// let game = empty.after(&moves)?;
/// assert!(!game.is_over(&meetjoin_dag::AndOrDag::root(&game)));
/// # Ok(())
/// # }
/// ```
pub fn random_play<G: Playable>(game: &G, moves: usize, seed: u64) -> Option<String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..1_000_000).find_map(|_| {
        let mut position = game.root();
        let mut line = String::with_capacity(moves);
        for _ in 0..moves {
            let mut legal = game.moves(&position);
            if legal.is_empty() {
                return None;
            }
            let drawn = rng.random_range(0..legal.len() as u32);
            let (number, next) = legal.swap_remove(drawn as usize);
            line.push(char::from_digit(number, 10)?);
            position = next;
        }
        (game.to_move(&position) != Kind::Leaf).then_some(line)
    })
}

/// A static evaluation of positions.
pub trait StaticEvaluation<N>: Valuation<N> {
    /// An estimate of the value of a position: higher is better for MAX.
    fn evaluate(&self, position: &N) -> ElemOf<Self::Lattice>;
}

/// Why the rules do not allow a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// There is no move with this number.
    #[error("there is no such move")]
    Unknown,
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The move is not possible in this position.
    #[error("{0}")]
    Blocked(&'static str),
}

/// An illegal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// Its index in the line of play, from 1.
    pub place: usize,
    /// The move as it was written.
    pub written: char,
    /// Why it is illegal.
    pub why: Refusal,
    /// The position before it.
    pub position: String,
    /// The word for a move.
    called: &'static str,
    /// The greatest number of a move.
    numbers: u32,
}

impl IllegalMove {
    fn new<G: Playable>(
        game: &G,
        position: &G::Node,
        place: usize,
        written: char,
        why: Refusal,
    ) -> Self {
        let mut name = String::new();
        // Writing to a string cannot fail.
        let _ = game.name(position, &mut name);
        Self {
            place,
            written,
            why,
            position: name,
            called: game.move_word(),
            numbers: game.numbers(),
        }
    }
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            place,
            written,
            why,
            position,
            called,
            numbers,
        } = self;
        if *why == Refusal::Unknown {
            write!(
                f,
                "move {place}, {written:?}, is none of the {called}s 1 to {numbers}"
            )?;
        } else {
            write!(f, "move {place}, {called} {written}: {why}")?;
        }
        write!(f, "; the position is {position}")
    }
}

impl std::error::Error for IllegalMove {}
