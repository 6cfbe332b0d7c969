//! Ginsberg and Jaffray's deep rule: a node is compared with each node of the other kind above it.
//!
//! Problem: what shows that a node is superfluous may stand further up than its parent.
//!
//! Idea: an AND node is left once its value lies below the value of any *one* OR node above it. In a chain that is alpha-beta; in a lattice
//! two ancestors may suffice only together, which this rule does not see.
//!
//! Needs: [`DistributiveLattice`]. In M3, with atoms 1, 2, 3 between 0 and 4, `AND(1, OR(AND(OR(1, 4), 2), 3))` is worth 1, and this rule
//! returns 0.
//!
//! Cost: after each child a comparison for each ancestor of the other kind, the nearest first.
//!
//! Source: Ginsberg and Jaffray (2002), as compared by Couwenberg (2011), part 3.

use meetjoin_dag::{AndOrDag, Valuation};
use meetjoin_lattice::{DistributiveLattice, ElemOf, Stop, Within};

use super::{Open, Rule, search};
use crate::{Env, Observer, Order, Outcome};

/// The value of the root with the deep rule of Ginsberg and Jaffray (2002).
///
/// A table such as M3 does not compile here, and does with [`shallow`](super::shallow()):
/// ```compile_fail,E0277
/// # use meetjoin_dag::{Graph, NodeId, Rows, Valuation};
/// # use meetjoin_lattice::{Budget, FiniteLattice};
/// # use meetjoin_search::{Env, pruning};
/// # struct Values(FiniteLattice);
/// # impl Valuation<NodeId> for Values {
/// #     type Lattice = FiniteLattice;
/// #     fn lattice(&self) -> &FiniteLattice { &self.0 }
/// #     fn leaf(&self, _: &NodeId) -> u32 { 1 }
/// # }
/// # let graph = { let mut rows = Rows::new(); let leaf = rows.leaf()?; rows.finish(leaf)? };
/// let m3 = [("0", "a"), ("0", "b"), ("0", "c"), ("a", "1"), ("b", "1"), ("c", "1")];
/// let values = Values(FiniteLattice::from_covers(&["0", "a", "b", "c", "1"], &m3)?);
/// let budget = Budget::unlimited();
/// pruning::deep(&graph, &values, &mut Env::new(&budget));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
/// ```
/// # use meetjoin_dag::{Graph, NodeId, Rows, Valuation};
/// # use meetjoin_lattice::{Budget, FiniteLattice};
/// # use meetjoin_search::{Env, pruning};
/// # struct Values(FiniteLattice);
/// # impl Valuation<NodeId> for Values {
/// #     type Lattice = FiniteLattice;
/// #     fn lattice(&self) -> &FiniteLattice { &self.0 }
/// #     fn leaf(&self, _: &NodeId) -> u32 { 1 }
/// # }
/// # let graph = { let mut rows = Rows::new(); let leaf = rows.leaf()?; rows.finish(leaf)? };
/// # let m3 = [("0", "a"), ("0", "b"), ("0", "c"), ("a", "1"), ("b", "1"), ("c", "1")];
/// # let values = Values(FiniteLattice::from_covers(&["0", "a", "b", "c", "1"], &m3)?);
/// # let budget = Budget::unlimited();
/// let outcome = pruning::shallow(&graph, &values, &mut Env::new(&budget));
/// assert_eq!(outcome.exact(), Some(&1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn deep<D, V, O, R>(
    dag: &D,
    valuation: &V,
    env: &mut Env<'_, (), (), O, R>,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: DistributiveLattice>,
    O: Observer<D::Node, ElemOf<V::Lattice>>,
    R: Order<D::Node>,
{
    search(dag, valuation, Deep, env)
}

struct Deep;

impl<L: DistributiveLattice> Rule<L> for Deep {
    type Inherited = ();

    fn nothing(&self, _: &L) {}

    fn inherit<N>(&self, _: Within<'_, L>, _: &Open<N, L, Self>, (): &mut ()) -> Result<(), Stop> {
        Ok(())
    }

    #[inline]
    fn cuts<N>(
        &self,
        l: Within<'_, L>,
        above: &[Open<N, L, Self>],
        node: &Open<N, L, Self>,
    ) -> Result<bool, Stop> {
        l.budget.steps(above.len() as u64)?;
        for other in above.iter().rev().filter(|other| other.kind != node.kind) {
            if node.reaches(l, &other.local.value)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
