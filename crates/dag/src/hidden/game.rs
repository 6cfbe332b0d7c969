//! Games with hidden cards: the trait that states their rules.
//!
//! Cards are drawn once, at the start; MIN sees all of them and MAX her own, and from then on both
//! see every move: a *combinatorial game with incomplete information* (Li, Zanuttini, Ventos 2024).
//! A *world* is a draw that MAX cannot tell from the others at the start: a hand that MIN may hold.
//!
//! A position is what both players have seen, as far as it matters. So it determines in which
//! worlds it is possible ([`HiddenGame::is_possible`]), and two positions in which different worlds
//! are left are never equal. What only one player sees is part of the world, and never of the
//! position.
//!
//! MIN stands for all opponents together. Opponents who do not see each other's cards, or not
//! MAX's, are treated as one who sees all: the *best defence model* (Frank, Basin 1998). That can
//! only make them stronger, so guarantees for MAX hold.
//!
//! MAX knows her possible moves. If these differ by world, seeing them tells her which worlds are
//! left, and the game has to reveal that before: by a position of MIN with a move for each case.

use std::fmt::{self, Debug};
use std::hash::Hash;

/// Who moves at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// The player who does not see everything, and whose points values count.
    Max,
    /// All opponents together, who see everything.
    Min,
    /// The game is over.
    Over,
}

/// A game with hidden cards. See the [module page](self).
///
/// [`check`](super::check::check) verifies the contract position by position; call it in a test of
/// a game of your own.
pub trait HiddenGame {
    /// What both players have seen.
    type Position: Clone + Eq + Hash + Debug + Send + Sync + 'static;

    /// The number of worlds: at least one, and always the same.
    fn worlds(&self) -> usize;

    /// The weight of a world: the number of equally likely draws it stands for.
    fn weight(&self, _world: usize) -> u64 {
        1
    }

    /// The start, which is possible in every world.
    fn start(&self) -> Self::Position;

    /// The player to move.
    fn turn(&self, position: &Self::Position) -> Turn;

    /// Appends the positions after each move, always in the same order. Never asked when the game
    /// is over. A move of MAX is possible in every world that is left, one of MIN in some of them,
    /// and in each world that is left MIN has one.
    fn moves(&self, position: &Self::Position, out: &mut Vec<Self::Position>);

    /// Returns whether the position is possible in this world: whether MIN's moves so far fit it.
    fn is_possible(&self, position: &Self::Position, world: usize) -> bool;

    /// The points of MAX when the game is over, in a world in which it can end like this: from 0 to
    /// [`most_points`](Self::most_points). In a game that is won or lost, 1 or 0.
    fn points(&self, position: &Self::Position, world: usize) -> u32;

    /// The most points that MAX can have, at least 1.
    fn most_points(&self) -> u32 {
        1
    }

    /// The points of MAX when the game is over, if they are the same in all worlds that are left.
    /// Saves a call for each world.
    fn points_in_all(&self, _position: &Self::Position) -> Option<u32> {
        None
    }

    /// The worlds in which the position can come about, as bits: world `w` is bit `w % 64` of word
    /// `w / 64`. All words are zero before. Override it if the game has bit tables.
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
