//! Couwenberg's strong rule: a node is left once the search would return the same if it were cut
//! short here or one level up.
//!
//! Problem: which of all these comparisons is the strongest?
//!
//! Idea: with the open nodes `x_1, y_1, x_2, y_2, ..` from the root down (AND and OR in turn, each
//! with its value), a search that is cut short at an OR node returns
//! `alpha_n = x_1 meet (y_1 join (x_2 meet .. (x_n meet y_n)))`, and one that is cut short at the
//! AND node above it `beta_n = x_1 meet (y_1 join (x_2 meet .. x_n))`. When these are equal, the OR
//! node adds nothing. An AND node is compared with the OR node above it. Above the root are bottom
//! and top.
//!
//! Nodes of one kind in a row act as one node: the comparison is with the nearest node of the
//! *other* kind. (With the parent it would be wrong: in `AND(3, AND(5, 1))` the inner node adds
//! nothing to 3 at first, and 1 in the end.)
//!
//! Result: in a distributive lattice it cuts exactly where Li's test does (chapter "Theory" of the
//! book, section "Two cut rules that are one"), so it is here for comparison, not for use.
//!
//! Needs: [`DistributiveLattice`]; the source claims otherwise. In M3, with atoms 1, 2, 3 between 0
//! and 4, `AND(1, OR(AND(2, 0), 3))` is worth 0, and this rule returns 1: it forgets that the value
//! of an ancestor may still change.
//!
//! Cost: after each child up to two meets or joins for each open node, deepest first. The two
//! expressions are computed in parallel until they are equal.
//!
//! Source: Couwenberg (2011), part 3, "strong version".

use meetjoin_dag::Kind;
use meetjoin_lattice::{Lattice, Stop, Within};

use super::open::Open;

/// Returns whether the rest of `node` can be skipped.
pub(super) fn cuts<N, L: Lattice>(
    l: Within<'_, L>,
    above: &[Open<N, L>],
    node: &Open<N, L>,
) -> Result<bool, Stop> {
    l.budget.steps(above.len() as u64)?;
    let mut here = node.local.value.clone();
    let mut open = above.iter().rev();
    let mut there = loop {
        let Some(next) = open.next() else {
            break match node.kind {
                Kind::And => l.bottom(),
                Kind::Or | Kind::Leaf => l.top(),
            };
        };
        next.combine(l, &mut here)?;
        if next.kind != node.kind {
            break next.local.value.clone();
        }
    };
    for next in open {
        if here == there {
            return Ok(true);
        }
        next.combine(l, &mut here)?;
        next.combine(l, &mut there)?;
    }
    Ok(here == there)
}
