//! The interface of board games.
//!
//! Idea: a game is solved on the positions that its search wants to see ([`BoardGame`] itself is
//! that graph), and written node by node by its rules ([`BoardGame::Rules`]); both have the same
//! values.

use std::fmt;
use std::hash::Hash;

use meetjoin_dag::Heuristic;
use meetjoin_games::{Numbered, Playable, StaticEvaluation, Symmetric};
use meetjoin_lattice::{AnyElem, Chain, Extended};
use meetjoin_search::proof::Integer;

/// A number that values are made of.
pub trait Number: Integer + Hash + fmt::Display + Into<i64> + TryFrom<i64> + 'static {}
impl Number for i8 {}
impl Number for i16 {}

/// A number of a game as one of files.
pub(crate) fn element<T: Number>(number: T) -> AnyElem {
    AnyElem::Integer(Extended::Finite(number.into()))
}

/// A board game as the commands see it.
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
    /// What values are.
    type Number: Number;
    /// The game with all legal moves.
    type Rules: Symmetric<Node = Self::Node> + Copy + Send + Sync;

    /// Its name in files and on the command line.
    fn title(&self) -> &'static str;

    /// Levels from one depth of iterative deepening to the next: 2 where the evaluation swings
    /// between odd and even depths.
    fn step(&self) -> u32 {
        1
    }

    /// The game with all legal moves.
    fn rules(&self) -> Self::Rules;

    /// This game with values between which evaluations fit.
    #[must_use]
    fn judged(self) -> Self {
        self
    }

    /// The value in this game of what has that value in the [`judged`](Self::judged) one.
    fn plain(&self, judged: Self::Number) -> Self::Number {
        judged
    }

    /// Whether only games that are over have such a value in the judged game. What a search to a
    /// limited depth finds is then the value itself: who can win within the horizon wins, and
    /// nobody wins sooner beyond it.
    fn is_decided(&self, _judged: Self::Number) -> bool {
        false
    }

    /// What a value means, for people.
    fn meaning(&self, value: Self::Number) -> String;
}
