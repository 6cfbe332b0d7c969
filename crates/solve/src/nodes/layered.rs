//! Any problem level by level, for evaluation from the leaves up on many machines.
//!
//! Idea: every edge leads to a later level, so levels can be expanded from the root down, and
//! evaluated from the last one up. In a game a level is the number of moves; a position that is
//! reached after different numbers of moves is a node of several levels. In an explicit graph a
//! level is the longest distance from the root, and an edge may skip levels.

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
    /// The lattice of the values.
    fn lattice(&self) -> &AnyLattice;

    /// Every key is below 2 to this power.
    fn key_bits(&self) -> u32;

    /// Returns whether an edge may skip levels.
    fn skips(&self) -> bool {
        false
    }

    /// Returns whether a node may stand for several positions, whose number is [`Nodes::images`].
    fn is_up_to_symmetry(&self) -> bool {
        false
    }

    /// Its nodes, for one thread.
    fn nodes(&self) -> Box<dyn Nodes + '_>;
}

/// An explicit problem.
struct Explicit {
    problem: Problem<AnyLattice>,
    domain: Arc<Domain>,
    /// The longest distance from the root; 0 for nodes that it does not reach.
    levels: Vec<u32>,
}

/// An explicit problem, level by level.
pub fn explicit(problem: Problem<AnyLattice>) -> Arc<dyn Layered> {
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
