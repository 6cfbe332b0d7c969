//! Ginsberg and Jaffray's shallow rule: a node is compared with its parent.
//!
//! Problem: pruning in a lattice that need not be distributive.
//!
//! Idea: an AND node with the value x makes its parent, an OR node with the value y, worth
//! `y join x`. Once x lies below y, that is y whatever else the AND node has: absorption, which
//! holds in every lattice. Nodes further up are not compared.
//!
//! Result: `y join f(n) = y join v(n)` for the child n of an OR node with the value y, and dually.
//! So the value of an open node is exactly that of its finished children.
//!
//! Needs: any [`Lattice`].
//!
//! Cost: one comparison after each child.
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
    match above.last() {
        Some(parent) if parent.kind != node.kind => node.reaches(l, &parent.local.value),
        _ => Ok(false),
    }
}
