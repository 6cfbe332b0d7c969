//! Plans: the decisions in which the depth-first searches of a total order differ, about windows of
//! children and second visits.
//!
//! | plan | window of a child | again |
//! |---|---|---|
//! | [`AlphaBeta`](Plan::AlphaBeta) | what its node has | never |
//! | [`Scout`](Plan::Scout) | the first: everything; the others: a null window at the best value so far; in a TEST: its border | with everything |
//! | [`NegaScout`](Plan::NegaScout) | the first: what its node has; the others: a null window at the best value so far | from the result of the trial up to the far border |
//!
//! A plan is a value and not a type, so that [`window`](super::window) is compiled once for all of
//! them.

use meetjoin_lattice::TotalOrder;

use super::side::{Gap, Open, Side};
use crate::total_order::Border;

/// The search that a technique performs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// Each child gets the window of its node: there are no trials.
    AlphaBeta,
    /// Each child but the first is TESTed, and searched if it passes.
    Scout,
    /// Each child but the first is tried with a null window.
    NegaScout,
}

/// The window that contains every value, so that it cuts nothing.
pub(crate) fn everything<L: TotalOrder>(lattice: &L) -> Gap<L::Elem> {
    Gap {
        alpha: Border::below(lattice.bottom()),
        beta: Border::above(lattice.top()),
    }
}

impl Plan {
    /// Sets the window for the next child, and for those after it until a result is better than the
    /// best. Returns `true` if it is for trials, for whose results [`retry`](Self::retry) is
    /// called.
    #[inline]
    pub(crate) fn window<L: TotalOrder>(
        self,
        side: &Side<'_, L>,
        node: &Open<'_, L::Elem>,
        window: &mut Gap<L::Elem>,
    ) -> bool {
        match (self, node.best) {
            (Self::AlphaBeta, _) | (Self::NegaScout, None) => {
                let (near, far) = window.sides(side);
                node.push(side, near);
                far.set_to(node.far);
                false
            }
            (Self::NegaScout, Some(_)) => {
                node.push(side, &mut window.alpha);
                node.push(side, &mut window.beta);
                true
            }
            // Inside a TEST there is one border, which does not change.
            (Self::Scout, _) if node.near == node.far => {
                window.alpha.set_to(node.far);
                window.beta.set_to(node.far);
                false
            }
            (Self::Scout, None) => {
                *window = everything(side.lattice);
                false
            }
            (Self::Scout, Some(best)) => {
                window.set_null_beyond(side, best);
                true
            }
        }
    }

    /// Returns whether a child must be visited again whose trial ended with a `result` better than
    /// the best. Then `window`, which is that of the trial, becomes that of the second visit.
    /// `exact` means that the result is the value of the child, whatever the window. Not called
    /// when the result cuts the node.
    #[inline]
    pub(crate) fn retry<L: TotalOrder>(
        self,
        side: &Side<'_, L>,
        node: &Open<'_, L::Elem>,
        window: &mut Gap<L::Elem>,
        result: &L::Elem,
        exact: bool,
    ) -> bool {
        match self {
            Self::AlphaBeta => false,
            Self::Scout => {
                *window = everything(side.lattice);
                true
            }
            Self::NegaScout => {
                if exact || !side.passes(&window.alpha, result) {
                    return false;
                }
                let (near, far) = window.sides(side);
                side.set_beyond(near, result);
                far.set_to(node.far);
                true
            }
        }
    }
}
