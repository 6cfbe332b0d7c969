//! NegaScout: alpha-beta with null windows in place of SCOUT's tests.
//!
//! Problem: SCOUT's searches have no window, and its tests discard everything but a yes or no.
//!
//! Idea: alpha-beta, in which every child but the first is tried with a null window at the best
//! value so far. If the trial fails high, the child is searched again, with the window from the
//! trial's result up to beta. A good order of children makes that rare.
//!
//! The null window lies at the best value or at alpha, whichever is better for the mover, as in F4
//! of the slides. (In an AND-OR graph no value changes its sign.) F4', their minimax form, puts it
//! at the node's own best value, even if that has not reached alpha. Both repeat more: as printed,
//! a trial that is better than the best value is repeated even when it has not passed its null
//! window, unless at most two levels are left below the node, where a trial that fails high has cut
//! nothing. (`depth < 4` would make the tree `MAX(0, MIN(MAX(1, 2)))` worth 1.) Here a trial is
//! repeated that has passed its null window and whose result is not the child's value whatever the
//! window: that needs no depth, and is right where a trial is answered by a known bound. The tests
//! have F4' and F4 word for word.
//!
//! A second visit need not start anew: a cache answers what the trial has settled, and an order
//! with a memory ([`BestMoves`](crate::BestMoves)) puts the child first that made the trial fail.
//!
//! Cost: on well ordered trees fewer visits than alpha-beta; on others more, for the second visits.
//!
//! Needs: [`TotalOrder`].
//!
//! Source: Reinefeld (1983, 1989); Hsu's slides, "The NegaScout Algorithm".

use meetjoin_dag::{AndOrDag, Valuation};
use meetjoin_lattice::{ElemOf, Interval, TotalOrder};

use super::plan::Plan;
use super::window::through;
use crate::{Outcome, Store, Tools, Window};

/// NegaScout with a cache of intervals and a heuristic pair, either of which may be `()`.
pub fn nega_scout<D, V, T>(
    dag: &D,
    valuation: &V,
    window: &Window<ElemOf<V::Lattice>>,
    env: &mut T,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, Interval<ElemOf<V::Lattice>>>>,
{
    through(dag, valuation, window, Plan::NegaScout, env)
}
