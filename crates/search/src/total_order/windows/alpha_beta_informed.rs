//! Informed alpha-beta: the alpha-beta search of a total order, fail-soft, with a heuristic pair.
//!
//! Problem: alpha-beta cuts by values it has found. Often bounds of a node are known before it is
//! searched: static ones, or those that an earlier search has left in a cache.
//!
//! Idea: the pair (U, L) of true bounds of each node answers a call at once where it lies outside
//! the window or has met, narrows the window of the children (alpha by L at a MAX node, beta by U
//! at a MIN node), and ends the loop as soon as a child reaches it. A cache of intervals is such a
//! pair, one that grows; it is asked first.
//!
//! Result: fail-soft. A result between alpha and beta is the value; one that is at most alpha is an
//! upper bound, one that is at least beta a lower bound (Theorem 2.1). With a consistent pair and
//! without a cache, the nodes visited are exactly those with
//! `max(alpha(n), L^(n)) < min(beta(n), U^(n))` (Theorem 3.2), so better bounds never cost a visit
//! (Corollary 3.1).
//!
//! With the window of a single border this is TEST ([`test()`](crate::total_order::test()), which
//! describes Pearl's procedure).
//!
//! Cost: at most one visit for each path of the graph without a cache; one or two comparisons per
//! visit.
//!
//! Needs: [`TotalOrder`].
//!
//! Source: Pijls and de Bruin, "Searching informed game trees", Figure 3. Without a pair: Knuth and
//! Moore (1975), fail-soft by Fishburn (1983).

use meetjoin_dag::{AndOrDag, Valuation};
use meetjoin_lattice::{ElemOf, Interval, TotalOrder};

use super::plan::Plan;
use super::window::through;
use crate::{Outcome, Store, Tools, Window};

/// Alpha-beta with a heuristic pair and a cache of intervals, either of which may be `()`.
///
/// ```
/// use meetjoin_dag::{Graph, NodeId, Rows, Valuation};
/// use meetjoin_lattice::{Budget, Chain};
/// use meetjoin_search::{Counts, Env, Window, total_order::alpha_beta_informed};
///
/// struct Values(Chain<i32>, [i32; 4]);
/// impl Valuation<NodeId> for Values {
///     type Lattice = Chain<i32>;
///     fn lattice(&self) -> &Chain<i32> { &self.0 }
///     fn leaf(&self, node: &NodeId) -> i32 { self.1[node.index()] }
/// }
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut rows = Rows::new();
/// let leaves = [rows.leaf()?, rows.leaf()?, rows.leaf()?, rows.leaf()?];
/// let (left, right) = (rows.and(leaves[..2].to_vec())?, rows.and(leaves[2..].to_vec())?);
/// let root = rows.or(vec![left, right])?;
/// let (graph, values) = (rows.finish(root)?, Values(Chain::new(-9, 9).ok_or("-9 <= 9")?, [5, 6, 4, 8]));
/// let (window, budget) = (Window::full(&values.0), Budget::unlimited());
/// let mut env = Env::new(&budget).with_observer(Counts::default());
/// assert_eq!(alpha_beta_informed(&graph, &values, &window, &mut env).exact(), Some(&5));
/// assert_eq!(env.observer.leaves, 3); // the leaf worth 8 is cut
/// # Ok(())
/// # }
/// ```
/// A lattice that is no total order does not compile:
/// ```compile_fail,E0277
/// # use meetjoin_dag::{Graph, NodeId, Rows, Valuation};
/// # use meetjoin_lattice::{Budget, Powerset, Words};
/// # use meetjoin_search::{Env, Window, total_order::alpha_beta_informed};
/// # struct Values(Powerset<Words<1>>);
/// # impl Valuation<NodeId> for Values {
/// #     type Lattice = Powerset<Words<1>>;
/// #     fn lattice(&self) -> &Powerset<Words<1>> { &self.0 }
/// #     fn leaf(&self, _: &NodeId) -> Words<1> { Words([1]) }
/// # }
/// # let graph = { let mut rows = Rows::new(); let leaf = rows.leaf()?; rows.finish(leaf)? };
/// let values = Values(Powerset::new(2)?);
/// let (window, budget) = (Window::full(&values.0), Budget::unlimited());
/// alpha_beta_informed(&graph, &values, &window, &mut Env::new(&budget));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn alpha_beta_informed<D, V, T>(
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
    through(dag, valuation, window, Plan::AlphaBeta, env)
}
