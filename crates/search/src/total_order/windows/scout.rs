//! SCOUT: test whether a child can matter before computing its value.
//!
//! Problem: most children are not better than the best one so far, and testing that is cheaper than
//! computing their values.
//!
//! Idea: the first child is searched; each other is TESTed against the best value so far, and
//! searched only if it passes. The search of a child that passes has no window: only TESTs cut.
//!
//! So a node may be visited many times: once by the TEST of each ancestor whose first child it is
//! not below, and once to be searched. TEST visits fewer nodes than alpha-beta on some trees, and
//! SCOUT visits nodes that alpha-beta cuts on others.
//!
//! Cost: as above, without a cache; a cache of intervals answers most of the second visits.
//!
//! Needs: [`TotalOrder`].
//!
//! Source: Pearl (1980); Hsu's slides, "Main SCOUT procedure".

use meetjoin_dag::{AndOrDag, Valuation};
use meetjoin_lattice::{ElemOf, Interval, TotalOrder};

use super::plan::{Plan, everything};
use super::window::search;
use crate::{Outcome, Store, Tools};

/// SCOUT with a cache of intervals and a heuristic pair, either of which may be `()`.
pub fn scout<D, V, T>(dag: &D, valuation: &V, env: &mut T) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, Interval<ElemOf<V::Lattice>>>>,
{
    let everything = everything(valuation.lattice());
    let (value, stop) = search(dag, valuation, everything, Plan::Scout, env);
    Outcome::of_full_window(value, stop)
}
