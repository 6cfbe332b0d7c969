//! Couwenberg's simple rule: a node is compared with all nodes of the other kind above it, taken together.
//!
//! Problem: the strong rule has to evaluate nested expressions from the bottom up at each test.
//!
//! Idea: alpha is the join of the values of all OR nodes above, beta the meet of those of all AND nodes above; both are handed down. An OR
//! node is left once its own value lies above beta, an AND node once its own lies below alpha. Li's test compares the same, but puts the
//! node's value beside those of its kind above it first, and so may cut earlier.
//!
//! Needs: [`DistributiveLattice`]. In M3, with atoms 1, 2, 3 between 0 and 4, it fails where the deep rule does.
//!
//! Cost: one comparison after each child, and one meet or join for each inner node.
//!
//! Source: Couwenberg (2011), part 3, the rule without "strong version" and the program under it, which tests after the last child too, to no
//! effect.

use meetjoin_dag::{AndOrDag, Kind, Valuation};
use meetjoin_lattice::{DistributiveLattice, ElemOf, Stop, Within};

use super::{Open, Rule, search};
use crate::{Env, Observer, Order, Outcome, Window};

/// The value of the root with the simple rule of Couwenberg (2011).
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
/// pruning::couwenberg(&graph, &values, &mut Env::new(&budget));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn couwenberg<D, V, O, R>(
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
    search(dag, valuation, Simple, env)
}

struct Simple;

impl<L: DistributiveLattice> Rule<L> for Simple {
    /// Alpha and beta of the nodes above.
    type Inherited = Window<L::Elem>;

    fn nothing(&self, lattice: &L) -> Window<L::Elem> {
        Window::full(lattice)
    }

    #[inline]
    fn inherit<N>(
        &self,
        l: Within<'_, L>,
        parent: &Open<N, L, Self>,
        inherited: &mut Window<L::Elem>,
    ) -> Result<(), Stop> {
        let Window { alpha, beta } = &parent.local.inherited;
        inherited.alpha.clone_from(alpha);
        inherited.beta.clone_from(beta);
        match parent.kind {
            Kind::And => parent.combine(l, &mut inherited.beta),
            Kind::Or | Kind::Leaf => parent.combine(l, &mut inherited.alpha),
        }
    }

    #[inline]
    fn cuts<N>(
        &self,
        l: Within<'_, L>,
        _: &[Open<N, L, Self>],
        node: &Open<N, L, Self>,
    ) -> Result<bool, Stop> {
        let Window { alpha, beta } = &node.local.inherited;
        match node.kind {
            Kind::And => node.reaches(l, alpha),
            Kind::Or | Kind::Leaf => node.reaches(l, beta),
        }
    }
}
