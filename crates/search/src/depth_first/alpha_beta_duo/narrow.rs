//! Bounds no longer than the window needs.
//!
//! The bound that takes all children can be a long list, of which the window shows only a part.

use meetjoin_dag::Kind;
use meetjoin_lattice::{Lattice, Shown, Stop, Within};

use super::frame::Local;
use crate::depth_first::driver::Frame;

/// Shortens the bound on the other side of a node whose children are all finished.
#[inline]
pub(super) fn narrow<N, L: Lattice>(
    l: Within<'_, L>,
    frame: &mut Frame<N, Local<L::Elem>>,
) -> Result<(), Stop> {
    let Local {
        alpha,
        beta,
        lower,
        upper,
        far,
        ..
    } = &mut frame.local;
    let shown = match frame.kind {
        Kind::And => Shown::Lower { alpha, upper },
        Kind::Or | Kind::Leaf => Shown::Upper { beta, lower },
    };
    l.shorten(far, shown)
}
