//! Games with hidden cards: what such a game must say of itself, and nothing more.
//!
//! One draw at the start, of which MIN sees everything and MAX her own part, and from then on every
//! move is seen by both: a *combinatorial game with incomplete information* (Li, Zanuttini, Ventos
//! 2024).
//! A *world* is a draw that MAX cannot tell from the others at the start: a hand that MIN may hold.
//!
//! A position is what both have seen, and what matters of it. So it says by itself in which worlds
//! it can come about ([`HiddenGame::is_possible`]), and two positions in which different worlds are
//! left are never equal. What one player alone sees is no part of a position: that is what worlds
//! are for.
//!
//! MIN stands for everybody else together. Opponents who do not see each other's cards, or not
//! MAX's, are taken for one who sees all: the *best defence model* (Frank, Basin 1998). It can only
//! make them stronger, so what MAX is promised she gets.
//!
//! MAX knows what she may do. If her moves differ by world, she learns which worlds are left when
//! she sees them, and the game has to show it before: by a position of MIN with a move for each
//! case.

use std::fmt::{self, Debug};
use std::hash::Hash;

/// Who moves at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// The player who does not see everything, and for whom values are.
    Max,
    /// Everybody else together, who sees everything.
    Min,
    /// Nobody: the game is over.
    Over,
}

/// A game with hidden cards. See the [module page](self).
///
/// What must hold is checked by [`check`](super::check::check) position by position: it is what to
/// call in a test of one's own game.
pub trait HiddenGame {
    /// What both players have seen.
    type Position: Clone + Eq + Hash + Debug + Send + Sync + 'static;

    /// How many worlds there are, at least one; always the same.
    fn worlds(&self) -> usize;

    /// What a world weighs: how many equally likely draws it stands for.
    fn weight(&self, _world: usize) -> u64 {
        1
    }

    /// Where the game begins, which is possible in every world.
    fn start(&self) -> Self::Position;

    /// Who moves.
    fn turn(&self, position: &Self::Position) -> Turn;

    /// Appends the positions after each move, always in the same order. Never asked when the game
    /// is over. A move of MAX is possible in every world that is left, one of MIN in some of them,
    /// and in each world that is left MIN has one.
    fn moves(&self, position: &Self::Position, out: &mut Vec<Self::Position>);

    /// Whether the position can come about in this world: whether what MIN has played fits it.
    fn is_possible(&self, position: &Self::Position, world: usize) -> bool;

    /// What MAX has when the game is over, in a world in which it can end like this: from 0 to
    /// [`most_points`](Self::most_points). Where she has won or not, 1 and 0.
    fn points(&self, position: &Self::Position, world: usize) -> u32;

    /// The most that she can have, at least 1.
    fn most_points(&self) -> u32 {
        1
    }

    /// What she has when the game is over, if that is the same in all worlds that are left: saves
    /// asking for each.
    fn points_in_all(&self, _position: &Self::Position) -> Option<u32> {
        None
    }

    /// The worlds in which the position can come about, as bits: world `w` is bit `w % 64` of word
    /// `w / 64`. All words are zero before. Whoever has tables of bits for cards meets them here.
    fn possible(&self, position: &Self::Position, words: &mut [u64]) {
        for world in 0..self.worlds() {
            if self.is_possible(position, world) {
                words[world / 64] |= 1 << (world % 64);
            }
        }
    }

    /// Writes a position for people.
    ///
    /// # Errors
    /// Those of `out`.
    fn name(&self, position: &Self::Position, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(out, "{position:?}")
    }

    /// Writes a move for people: the card, the square.
    ///
    /// # Errors
    /// Those of `out`.
    fn move_name(
        &self,
        _from: &Self::Position,
        to: &Self::Position,
        out: &mut dyn fmt::Write,
    ) -> fmt::Result {
        self.name(to, out)
    }

    /// Writes a world for people: the hand.
    ///
    /// # Errors
    /// Those of `out`.
    fn world_name(&self, world: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(out, "{world}")
    }
}

impl<G: HiddenGame + ?Sized> HiddenGame for &G {
    type Position = G::Position;

    fn worlds(&self) -> usize {
        (**self).worlds()
    }

    fn weight(&self, world: usize) -> u64 {
        (**self).weight(world)
    }

    fn start(&self) -> G::Position {
        (**self).start()
    }

    #[inline]
    fn turn(&self, position: &G::Position) -> Turn {
        (**self).turn(position)
    }

    #[inline]
    fn moves(&self, position: &G::Position, out: &mut Vec<G::Position>) {
        (**self).moves(position, out);
    }

    #[inline]
    fn is_possible(&self, position: &G::Position, world: usize) -> bool {
        (**self).is_possible(position, world)
    }

    #[inline]
    fn points(&self, position: &G::Position, world: usize) -> u32 {
        (**self).points(position, world)
    }

    fn most_points(&self) -> u32 {
        (**self).most_points()
    }

    #[inline]
    fn points_in_all(&self, position: &G::Position) -> Option<u32> {
        (**self).points_in_all(position)
    }

    #[inline]
    fn possible(&self, position: &G::Position, words: &mut [u64]) {
        (**self).possible(position, words);
    }

    fn name(&self, position: &G::Position, out: &mut dyn fmt::Write) -> fmt::Result {
        (**self).name(position, out)
    }

    fn move_name(
        &self,
        from: &G::Position,
        to: &G::Position,
        out: &mut dyn fmt::Write,
    ) -> fmt::Result {
        (**self).move_name(from, to, out)
    }

    fn world_name(&self, world: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        (**self).world_name(world, out)
    }
}
