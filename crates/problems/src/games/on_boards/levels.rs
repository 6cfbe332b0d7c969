//! Board games by their rules, level by level: every position with every legal move.

use std::sync::Arc;

use meetjoin_dag::AndOrDag as _;
use meetjoin_games::Symmetric as _;
use meetjoin_lattice::AnyLattice;
use meetjoin_solve::layered::Layered;
use meetjoin_solve::value::{Domain, Value};
use meetjoin_solve::view::Nodes;

use super::moves::Moves;
use crate::games::on_boards::board::{BoardGame, element};
use crate::games::positions::Positions;

/// A game by its rules, level by level.
struct Levels<G: BoardGame> {
    dag: Moves<G>,
    domain: Arc<Domain>,
}

/// A game by its rules, level by level. `lattice` is the lattice of its written values.
pub(super) fn by_rules<G: BoardGame + 'static>(
    game: G,
    up_to_symmetry: bool,
    lattice: AnyLattice,
) -> Arc<dyn Layered> {
    let worlds = None;
    Arc::new(Levels {
        dag: Moves {
            by_rules: true,
            up_to_symmetry,
            ..Moves::of(game)
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

    /// From a start that is not symmetric, not all images of a position are reached.
    fn is_up_to_symmetry(&self) -> bool {
        let rules = &self.dag.rules;
        self.dag.up_to_symmetry && rules.images(&rules.root()) == Some(1)
    }

    fn nodes(&self) -> Box<dyn Nodes + '_> {
        let game = &self.dag.game;
        let nodes = Positions::new(
            &self.dag,
            game,
            &self.domain.lattice,
            |leaf| element(game.leaf(leaf)),
            |value| Value::of(value.clone(), &self.domain),
        );
        if self.is_up_to_symmetry() {
            Box::new(nodes.with_images(|position| self.dag.rules.images(position)))
        } else {
            Box::new(nodes)
        }
    }
}
