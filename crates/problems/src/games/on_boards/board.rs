//! The interface of board games.
//!
//! Idea: searches use the graph of [`BoardGame`] itself, which may omit moves that cannot matter;
//! explicit problems have all moves of the rules ([`BoardGame::Rules`]). Both have the same values.

use std::fmt;
use std::hash::Hash;

use meetjoin_dag::Heuristic;
use meetjoin_games::{Numbered, Playable, StaticEvaluation, Symmetric};
use meetjoin_lattice::{AnyElem, Chain, Extended};
use meetjoin_search::proof::Integer;

/// A number type for values.
pub trait Number: Integer + Hash + fmt::Display + Into<i64> + TryFrom<i64> + 'static {}
impl Number for i8 {}
impl Number for i16 {}

/// A number of a game as an element of the lattice of files.
pub(crate) fn element<T: Number>(number: T) -> AnyElem {
    AnyElem::Integer(Extended::Finite(number.into()))
}

/// A board game with all that the commands need.
pub trait BoardGame:
    Playable
    + Copy
    + Send
    + Sync
    + Symmetric
    + Numbered
    + Heuristic<Self::Node, Chain<Self::Number>>
    + StaticEvaluation<Self::Node, Lattice = Chain<Self::Number>>
{
    /// The type of values.
    type Number: Number;
    /// The game with all legal moves.
    type Rules: Symmetric<Node = Self::Node> + Copy + Send + Sync;

    /// Its name in files and on the command line.
    fn title(&self) -> &'static str;

    /// The step of iterative deepening: 2 if the evaluation swings between odd and even depths.
    fn step(&self) -> u32 {
        1
    }

    /// The game with all legal moves.
    fn rules(&self) -> Self::Rules;

    /// This game with its values spread so that evaluations fit between them.
    #[must_use]
    fn judged(self) -> Self {
        self
    }

    /// The value in this game for one of the [`judged`](Self::judged) game.
    fn plain(&self, judged: Self::Number) -> Self::Number {
        judged
    }

    /// Returns whether only finished games have this value in the judged game. Then a search to a
    /// limited depth has found the value itself: the win lies within the horizon, and wins beyond
    /// it come later.
    fn is_decided(&self, _judged: Self::Number) -> bool {
        false
    }

    /// The meaning of a value, for people.
    fn meaning(&self, value: Self::Number) -> String;
}
