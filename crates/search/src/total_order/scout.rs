//! SCOUT: find out whether a child matters before finding out what it is worth.
//!
//! Problem: most children are not better than the best one so far, and to know that is cheaper than to know their values.
//!
//! Idea: the first child is searched; each other is TESTed against the best value so far, and searched only if it passes. The search of a
//! child that passes knows nothing of any window: only TESTs cut.
//!
//! So a node may be visited many times: once by the TEST of each ancestor whose first child it is not below, and once to be searched. TEST
//! visits fewer nodes than alpha-beta on some trees, and SCOUT visits nodes that alpha-beta cuts on others.
//!
//! Cost: as above, without a cache; a cache of intervals answers most of the second visits.
//!
//! Needs: [`TotalOrder`].
//!
//! Source: Pearl (1980); Hsu's slides, "Main SCOUT procedure".

use meetjoin_dag::{AndOrDag, Heuristic, Valuation};
use meetjoin_lattice::{ElemOf, Interval, TotalOrder};

use super::plan::{Plan, everything};
use super::window::search;
use crate::{Env, Observer, Order, Outcome, Store};

/// SCOUT with a cache of intervals and a heuristic pair, either of which may be `()`.
pub fn scout<D, V, S, H, O, R>(
    dag: &D,
    valuation: &V,
    env: &mut Env<'_, S, H, O, R>,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder>,
    S: Store<D::Node, Interval<ElemOf<V::Lattice>>>,
    H: Heuristic<D::Node, V::Lattice>,
    O: Observer<D::Node, ElemOf<V::Lattice>>,
    R: Order<D::Node>,
{
    let everything = everything(valuation.lattice());
    let (value, stop) = search(dag, valuation, everything, Plan::Scout, env);
    Outcome::of_full_window(value, stop)
}
