//! NegaScout: alpha-beta whose windows do the work of SCOUT's tests.
//!
//! Problem: SCOUT's searches know no window, and its tests forget everything but a yes or no.
//!
//! Idea: alpha-beta, in which every child but the first is tried with a null window at the best value so far. If the trial fails high, the
//! child is searched again, with the window from the trial's result up to beta. A good order of children makes that rare.
//!
//! Three forms, one code:
//! - [`Form::MiniMax`] is F4'/G4' as printed: the null window lies at the node's own best value, even if that has not reached alpha;
//! - [`Form::NegaMax`] is F4 as printed: the null window lies at the best value or at alpha, whichever is further. (In an AND-OR graph no value
//!   changes its sign; what is left of the negamax form is this rule, and that a trial which is better than the best value is repeated
//!   even when it has not passed its null window.)
//! - [`Form::Tight`] is F4 without those repetitions.
//!
//! A trial whose result is the child's value whatever the window is not repeated. The printed forms say that by depth: nothing is repeated with
//! at most two levels left below the node, where a trial that fails high has cut nothing. That is tight, `depth < 4` would make the
//! tree `MAX(0, MIN(MAX(1, 2)))` worth 1; and it forgets that a trial may be answered by a known bound. So here both are asked.
//!
//! A second visit need not begin from nothing: with a cache, whatever the trial has settled is answered from there, and with an order that
//! remembers ([`BestMoves`](crate::BestMoves)) it goes first where the trial failed.
//!
//! Cost: on well ordered trees fewer visits than alpha-beta; on others more, for the second visits.
//!
//! Needs: [`TotalOrder`].
//!
//! Source: Reinefeld (1983, 1989); Hsu's slides, "The NegaScout Algorithm".

use meetjoin_dag::{AndOrDag, Valuation};
use meetjoin_lattice::{ElemOf, Interval, TotalOrder};

use super::plan::{NegaScout, Plan};
use super::window::through;
use crate::{Outcome, Store, Tools, Window};

/// NegaScout with a cache of intervals and a heuristic pair, either of which may be `()`.
pub fn nega_scout<D, V, T>(
    dag: &D,
    valuation: &V,
    window: &Window<ElemOf<V::Lattice>>,
    variant: NegaScout,
    env: &mut T,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, Interval<ElemOf<V::Lattice>>>>,
{
    through(dag, valuation, window, Plan::NegaScout(variant), env)
}
