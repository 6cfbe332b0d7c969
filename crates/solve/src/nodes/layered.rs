//! Any problem level by level: what many machines evaluate from the leaves up.
//!
//! Idea: every edge leads to a later level, so levels can be expanded from the root on, and
//! evaluated from the last one back. In a game a level is the number of moves; a position that is
//! reached after different numbers of moves is a node of each of these levels. In a graph with all
//! its nodes a level is the longest distance from the root, and an edge may pass over levels.

use std::sync::Arc;

use meetjoin_dag::Problem;
use meetjoin_lattice::AnyLattice;

use crate::answers::value::Domain;
use crate::nodes::listed::{Listed, longest_distances};
use crate::nodes::view::{Key, Nodes};

/// A node: its level, counted from the root, and its key.
pub type Place = (u32, Key);

/// A problem level by level, for all threads.
pub trait Layered: Send + Sync {
    /// Where values live.
    fn lattice(&self) -> &AnyLattice;

    /// Every key is below 2 to this power.
    fn key_bits(&self) -> u32;

    /// Whether an edge may pass over levels.
    fn skips(&self) -> bool {
        false
    }

    /// Whether a node may stand for several positions, whose number [`Nodes::images`] knows.
    fn is_up_to_symmetry(&self) -> bool {
        false
    }

    /// Its nodes, for one thread.
    fn nodes(&self) -> Box<dyn Nodes + '_>;
}

/// A problem with all its nodes.
struct Explicit {
    problem: Problem<AnyLattice>,
    domain: Arc<Domain>,
    /// The longest distance from the root; 0 for nodes that it does not reach.
    levels: Vec<u32>,
}

/// A problem with all its nodes, level by level.
pub(crate) fn explicit(problem: Problem<AnyLattice>) -> Arc<dyn Layered> {
    let domain = Arc::new(Domain {
        lattice: problem.lattice().clone(),
        worlds: problem.world_names().cloned(),
    });
    let levels = longest_distances(&problem);
    Arc::new(Explicit {
        problem,
        domain,
        levels,
    })
}

impl Layered for Explicit {
    fn lattice(&self) -> &AnyLattice {
        self.problem.lattice()
    }

    fn key_bits(&self) -> u32 {
        u32::BITS
    }

    fn skips(&self) -> bool {
        true
    }

    fn nodes(&self) -> Box<dyn Nodes + '_> {
        Box::new(Listed {
            problem: &self.problem,
            domain: &self.domain,
            as_any: &Clone::clone,
            levels: &self.levels,
        })
    }
}
