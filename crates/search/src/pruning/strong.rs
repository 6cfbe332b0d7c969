//! Couwenberg's strong rule: a node is left once the root, cut short here, would be the same as cut short further up.
//!
//! Problem: which of all these comparisons is the strongest?
//!
//! Idea: with the open nodes `x_1, y_1, x_2, y_2, ..` from the root down (AND and OR in turn, each with its value), a search that is cut
//! short at an OR node returns `alpha_n = x_1 meet (y_1 join (x_2 meet .. (x_n meet y_n)))`, and one that is cut short at the AND node above it
//! `beta_n = x_1 meet (y_1 join (x_2 meet .. x_n))`. When these are equal, the OR node has nothing to add. An AND node is
//! compared with the OR node above it. Above the root stand bottom and top.
//!
//! Nodes of one kind in a row act as one node: the comparison is with the nearest node of the *other* kind. (With the parent it would be
//! wrong: in `AND(3, AND(5, 1))` the inner node adds nothing to 3 at first, and 1 in the end.)
//!
//! Result: in a distributive lattice it cuts exactly where Li's test does (chapter "Theory" of the book, section "Two cut rules
//! that are one"), so it is here to be compared and not to be used.
//!
//! Needs: [`DistributiveLattice`]; the source says that it does not. In M3, with atoms 1, 2, 3 between 0 and 4, `AND(1, OR(AND(2, 0), 3))` is
//! worth 0, and this rule returns 1: it forgets that the value of an ancestor may still change.
//!
//! Cost: after each child up to two meets or joins for each open node, deepest first. The two expressions are worked out side by side, and
//! once they are equal they stay so.
//!
//! Source: Couwenberg (2011), part 3, "strong version".

use meetjoin_dag::{AndOrDag, Kind, Valuation};
use meetjoin_lattice::{DistributiveLattice, ElemOf, Stop, Within};

use super::{Open, Rule, search};
use crate::{Env, Observer, Order, Outcome};

/// The value of the root with the strong rule of Couwenberg (2011).
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
/// pruning::strong(&graph, &values, &mut Env::new(&budget));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn strong<D, V, O, R>(
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
    search(dag, valuation, Strong, env)
}

struct Strong;

impl<L: DistributiveLattice> Rule<L> for Strong {
    type Inherited = ();

    fn nothing(&self, _: &L) {}

    fn inherit<N>(&self, _: Within<'_, L>, _: &Open<N, L, Self>, (): &mut ()) -> Result<(), Stop> {
        Ok(())
    }

    fn cuts<N>(
        &self,
        l: Within<'_, L>,
        above: &[Open<N, L, Self>],
        node: &Open<N, L, Self>,
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
}
