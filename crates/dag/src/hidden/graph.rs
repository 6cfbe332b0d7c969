//! A game with hidden cards as an AND-OR graph: MAX's moves are OR nodes, MIN's are AND nodes, and
//! the end is a leaf.
//!
//! A move of MIN that is possible in no world would change no value; the contract of [`HiddenGame`]
//! excludes it.

use std::fmt;

use super::game::{HiddenGame, Turn};
use crate::{AndOrDag, Kind};

/// The graph of a game. See the [module page](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played<G>(pub G);

impl<G: HiddenGame> AndOrDag for Played<G> {
    type Node = G::Position;

    fn root(&self) -> G::Position {
        self.0.start()
    }

    #[inline]
    fn kind(&self, position: &G::Position) -> Kind {
        match self.0.turn(position) {
            Turn::Max => Kind::Or,
            Turn::Min => Kind::And,
            Turn::Over => Kind::Leaf,
        }
    }

    #[inline]
    fn children(&self, position: &G::Position, out: &mut Vec<G::Position>) {
        self.0.moves(position, out);
    }

    fn name(&self, position: &G::Position, out: &mut dyn fmt::Write) -> fmt::Result {
        self.0.name(position, out)
    }

    fn move_name(
        &self,
        from: &G::Position,
        to: &G::Position,
        out: &mut dyn fmt::Write,
    ) -> fmt::Result {
        self.0.move_name(from, to, out)
    }
}
