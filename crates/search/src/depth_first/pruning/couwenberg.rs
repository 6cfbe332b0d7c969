//! Couwenberg's simple rule: a node is compared with all nodes of the other kind above it, taken
//! together.
//!
//! Problem: the strong rule has to evaluate nested expressions from the bottom up at each test.
//!
//! Idea: alpha is the join of the values of all OR nodes above, beta the meet of those of all AND
//! nodes above; both are passed down. An OR node is left once its own value lies above beta, an AND
//! node once its own lies below alpha. Li's test makes the same comparison, but first combines the
//! node's value with those of its kind above it, and so may cut earlier.
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

/// What a child of `parent` inherits.
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

/// Returns whether the rest of `node` can be skipped.
#[inline]
pub(super) fn cuts<N, L: Lattice>(l: Within<'_, L>, node: &Open<N, L>) -> Result<bool, Stop> {
    let Window { alpha, beta } = &node.local.inherited;
    match node.kind {
        Kind::And => node.reaches(l, alpha),
        Kind::Or | Kind::Leaf => node.reaches(l, beta),
    }
}
