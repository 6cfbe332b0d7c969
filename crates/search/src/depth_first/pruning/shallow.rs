//! Ginsberg and Jaffray's shallow rule: a node is compared with its parent.
//!
//! Problem: pruning in a lattice that need not be distributive.
//!
//! Idea: what an AND node adds to its parent, an OR node with the value y, is y joined with its
//! value. Once that value lies below y, the sum is y whatever else the AND node has: absorption,
//! which holds in every lattice. Nothing is said of nodes further up.
//!
//! Result: `y join f(n) = y join v(n)` for the child n of an OR node with the value y, and dually.
//! So the value of an open node is exactly that of its children done.
//!
//! Needs: any [`Lattice`].
//!
//! Cost: one comparison after each child.
//!
//! Source: Ginsberg and Jaffray (2002), as compared by Couwenberg (2011), part 3.

use meetjoin_lattice::{Lattice, Stop, Within};

use super::open::Open;

/// Whether the rest of `node` can be left out.
#[inline]
pub(super) fn cuts<N, L: Lattice>(
    l: Within<'_, L>,
    above: &[Open<N, L>],
    node: &Open<N, L>,
) -> Result<bool, Stop> {
    match above.last() {
        Some(parent) if parent.kind != node.kind => node.reaches(l, &parent.local.value),
        _ => Ok(false),
    }
}
