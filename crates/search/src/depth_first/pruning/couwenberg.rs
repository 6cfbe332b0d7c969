//! Couwenberg's simple rule: a node is compared with all nodes of the other kind above it, taken
//! together.
//!
//! Problem: the strong rule has to evaluate nested expressions from the bottom up at each test.
//!
//! Idea: alpha is the join of the values of all OR nodes above, beta the meet of those of all AND
//! nodes above; both are handed down. An OR node is left once its own value lies above beta, an AND
//! node once its own lies below alpha. Li's test compares the same, but puts the node's value
//! beside those of its kind above it first, and so may cut earlier.
//!
//! Needs: [`DistributiveLattice`]. In M3, with atoms 1, 2, 3 between 0 and 4, it fails where the
//! deep rule does.
//!
//! Cost: one comparison after each child, and one meet or join for each inner node.
//!
//! Source: Couwenberg (2011), part 3, the rule without "strong version" and the program under it,
//! which tests after the last child too, to no effect.

use meetjoin_dag::Kind;
use meetjoin_lattice::{Lattice, Stop, Within};

use super::open::Open;
use crate::Window;

/// What a child of `parent` takes over.
#[inline]
pub(super) fn inherit<N, L: Lattice>(
    l: Within<'_, L>,
    parent: &Open<N, L>,
    inherited: &mut Window<L::Elem>,
) -> Result<(), Stop> {
    let Window { alpha, beta } = &parent.local.inherited;
    inherited.alpha.clone_from(alpha);
    inherited.beta.clone_from(beta);
    match parent.kind {
        Kind::And => parent.combine(l, &mut inherited.beta),
        Kind::Or | Kind::Leaf => parent.combine(l, &mut inherited.alpha),
    }
}

/// Whether the rest of `node` can be left out.
#[inline]
pub(super) fn cuts<N, L: Lattice>(l: Within<'_, L>, node: &Open<N, L>) -> Result<bool, Stop> {
    let Window { alpha, beta } = &node.local.inherited;
    match node.kind {
        Kind::And => node.reaches(l, alpha),
        Kind::Or | Kind::Leaf => node.reaches(l, beta),
    }
}
