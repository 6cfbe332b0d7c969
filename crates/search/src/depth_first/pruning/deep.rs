//! Ginsberg and Jaffray's deep rule: a node is compared with each node of the other kind above it.
//!
//! Problem: the ancestor that makes a node superfluous may be further up than its parent.
//!
//! Idea: an AND node is left once its value lies below the value of any *one* OR node above it. In
//! a chain that is alpha-beta; in a lattice perhaps only two ancestors together suffice, which this
//! rule does not detect.
//!
//! Needs: [`DistributiveLattice`]. In M3, with atoms 1, 2, 3 between 0 and 4,
//! `AND(1, OR(AND(OR(1, 4), 2), 3))` is worth 1, and this rule returns 0.
//!
//! Cost: after each child a comparison for each ancestor of the other kind, the nearest first.
//!
//! Source: Ginsberg and Jaffray (2002), as compared by Couwenberg (2011), part 3.

use meetjoin_lattice::{Lattice, Stop, Within};

use super::open::Open;

/// Returns whether the rest of `node` can be skipped.
#[inline]
pub(super) fn cuts<N, L: Lattice>(
    l: Within<'_, L>,
    above: &[Open<N, L>],
    node: &Open<N, L>,
) -> Result<bool, Stop> {
    l.budget.steps(above.len() as u64)?;
    for other in above.iter().rev().filter(|other| other.kind != node.kind) {
        if node.reaches(l, &other.local.value)? {
            return Ok(true);
        }
    }
    Ok(false)
}
