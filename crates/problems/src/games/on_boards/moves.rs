//! The positions of a board game as a graph: with the moves that a search needs or with all legal
//! ones, and with all positions or one of each class of symmetric ones.

use std::fmt;

use meetjoin_dag::{AndOrDag, Kind};
use meetjoin_games::{Quotient, Symmetric as _};

use crate::games::on_boards::board::BoardGame;

/// A game as a graph.
#[derive(Clone, Copy)]
pub(crate) struct Moves<G: BoardGame> {
    pub(crate) game: G,
    pub(crate) rules: G::Rules,
    /// Whether all legal moves are included.
    pub(crate) by_rules: bool,
    /// Whether one of several symmetric positions is kept.
    pub(crate) up_to_symmetry: bool,
}

impl<G: BoardGame> Moves<G> {
    /// All positions, with the moves that a search needs.
    pub(crate) fn of(game: G) -> Self {
        Self {
            game,
            rules: game.rules(),
            by_rules: false,
            up_to_symmetry: false,
        }
    }
}

impl<G: BoardGame> AndOrDag for Moves<G> {
    type Node = G::Node;

    fn root(&self) -> G::Node {
        let root = self.game.root();
        if self.up_to_symmetry {
            self.rules.canonical(&root)
        } else {
            root
        }
    }

    #[inline]
    fn kind(&self, node: &G::Node) -> Kind {
        if self.by_rules {
            self.rules.kind(node)
        } else {
            self.game.kind(node)
        }
    }

    #[inline]
    fn children(&self, node: &G::Node, out: &mut Vec<G::Node>) {
        match (self.by_rules, self.up_to_symmetry) {
            (false, false) => self.game.children(node, out),
            (false, true) => Quotient(self.game).children(node, out),
            (true, false) => self.rules.children(node, out),
            (true, true) => Quotient(self.rules).children(node, out),
        }
    }

    fn name(&self, node: &G::Node, out: &mut dyn fmt::Write) -> fmt::Result {
        self.game.name(node, out)
    }

    /// The number of the move.
    fn move_name(&self, from: &G::Node, to: &G::Node, out: &mut dyn fmt::Write) -> fmt::Result {
        let leads_there =
            |next: &G::Node| next == to || self.up_to_symmetry && self.rules.canonical(next) == *to;
        let moves = self.game.moves(from);
        match moves.iter().find(|(_, next)| leads_there(next)) {
            Some((number, _)) => write!(out, "{number}"),
            None => self.name(to, out),
        }
    }
}
