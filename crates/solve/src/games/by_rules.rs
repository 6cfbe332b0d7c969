//! Board games by their rules, level by level: every position with every move, as tables of games
//! count them.

use std::fmt;
use std::sync::Arc;

use meetjoin_dag::{AndOrDag, Kind};
use meetjoin_games::{Quotient, Symmetric};
use meetjoin_lattice::{AnyElem, AnyLattice, Extended};

use crate::answers::value::{Domain, Value};
use crate::instances::board::BoardGame;
use crate::nodes::layered::{Layered, Nodes, Positions};

/// The positions of a game by its rules, or one of each class of images.
struct ByRules<G: BoardGame> {
    game: G,
    rules: G::Rules,
    up_to_symmetry: bool,
}

impl<G: BoardGame> AndOrDag for ByRules<G> {
    type Node = G::Node;

    fn root(&self) -> G::Node {
        let root = self.rules.root();
        if self.up_to_symmetry {
            self.rules.canonical(&root)
        } else {
            root
        }
    }

    fn kind(&self, node: &G::Node) -> Kind {
        self.rules.kind(node)
    }

    fn children(&self, node: &G::Node, out: &mut Vec<G::Node>) {
        if self.up_to_symmetry {
            Quotient(self.rules).children(node, out);
        } else {
            self.rules.children(node, out);
        }
    }

    fn name(&self, node: &G::Node, out: &mut dyn fmt::Write) -> fmt::Result {
        self.rules.name(node, out)
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

/// A game by its rules, level by level.
struct Levels<G: BoardGame> {
    dag: ByRules<G>,
    domain: Arc<Domain>,
}

/// A game by its rules, level by level. `lattice` is where its numbers are written.
pub(super) fn by_rules<G: BoardGame + 'static>(
    game: G,
    up_to_symmetry: bool,
    lattice: AnyLattice,
) -> Arc<dyn Layered> {
    let worlds = None;
    Arc::new(Levels {
        dag: ByRules {
            rules: game.rules(),
            game,
            up_to_symmetry,
        },
        domain: Arc::new(Domain { lattice, worlds }),
    })
}

impl<G: BoardGame> Layered for Levels<G> {
    fn lattice(&self) -> &AnyLattice {
        &self.domain.lattice
    }

    fn key_bits(&self) -> u32 {
        self.dag.game.bits()
    }

    /// From a beginning that differs from its image not all images of a position are reached.
    fn is_up_to_symmetry(&self) -> bool {
        let rules = &self.dag.rules;
        self.dag.up_to_symmetry && rules.images(&rules.root()) == Some(1)
    }

    fn nodes(&self) -> Box<dyn Nodes + '_> {
        let game = &self.dag.game;
        let positions = Positions::new(
            &self.dag,
            game,
            |leaf| AnyElem::Integer(Extended::Finite(game.leaf(leaf).into())),
            |value| Value::Element {
                element: value.clone(),
                domain: Arc::clone(&self.domain),
            },
        );
        if self.is_up_to_symmetry() {
            Box::new(positions.with_images(|position| self.dag.rules.images(position)))
        } else {
            Box::new(positions)
        }
    }
}
