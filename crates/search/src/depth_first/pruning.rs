//! Pruning rules under one contract, so that they can be compared on the same trees.
//!
//! Problem: several rules say when the remaining children of a node are superfluous. They differ in
//! what they compare, in the cost of a test and in the lattices they are valid for. To compare
//! them, everything else should be equal.
//!
//! Idea: one search, and the rule is a parameter. A node's value starts from bottom (OR) or top
//! (AND) and is combined with each child's. After every child but the last the rule decides whether
//! the node is left with its value so far.
//!
//! | rule | an OR node with the value y is left as soon as y lies above | lattice | test |
//! |---|---|---|---|
//! | none ([`minimax`](crate::minimax())) | - | any | - |
//! | [`shallow()`] | the value of its parent, an AND node | any | 1 comparison |
//! | [`Rule::Deep`] | the value of one AND node above it | distributive | a comparison for each of them |
//! | [`Rule::Couwenberg`], the simple rule | the meet of the values of all AND nodes above it | distributive | 1 comparison |
//! | [`Rule::Strong`] | (the root would be the same without it) | distributive | two nested expressions |
//! | Li's test ([`alpha_beta`](crate::alpha_beta()), [`FailSoft`](crate::FailSoft)) | that meet, together with the values of the OR nodes above it | distributive | 1 join, 1 comparison |
//!
//! An AND node does the dual. The first and the last rule are algorithms of their own: they make
//! the same visits as they would here (but in a lattice of one element alpha-beta leaves the root
//! at once). In a distributive lattice the strong rule is Li's test, written in another way.
//!
//! Invariant: the current values in the open frames and the true values of all unvisited nodes
//! determine the value of the root. So the bounds of an interrupted search are those of minimax:
//! unvisited nodes count as bottom, then as top. Only the shallow rule also keeps the value of each
//! open node exact. Proofs: chapter "Theory" of the book, section "Pruning rules".
//!
//! Cost: at most the visits of minimax without a cache, and the tests. There is no cache: results
//! of cut nodes are no bounds of them.
//!
//! Needs: distributivity, but for the shallow rule. The functions have trait bounds, so an unsound
//! combination of rule and lattice does not compile.
//!
//! Source: Ginsberg and Jaffray (2002); Couwenberg (2011), part 3; Li, Zanuttini, Cazenave, Ventos
//! (2022), Algorithm 1.

mod couwenberg;
mod deep;
mod open;
mod shallow;
mod strong;

use meetjoin_dag::{AndOrDag, Kind, Valuation};
use meetjoin_lattice::{DistributiveLattice, ElemOf, Interval, Lattice, Stop, Within};

use crate::depth_first::driver::{Bounds, Frame, Pair, Search, Technique, combine};
use crate::depth_first::sides::Sides;
use crate::{Outcome, Store, Tools, Window};

use open::{Local, Open};

/// A rule for when the rest of an open node is superfluous.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Ginsberg and Jaffray's shallow rule, for any lattice.
    Shallow,
    /// Ginsberg and Jaffray's deep rule.
    Deep,
    /// Couwenberg's simple rule.
    Couwenberg,
    /// Couwenberg's strong rule.
    Strong,
}

impl Rule {
    /// Called after each child but the last: can the rest of `node` be skipped? `above` are the
    /// open nodes from the root to its parent.
    #[inline]
    fn cuts<N, L: Lattice>(
        self,
        l: Within<'_, L>,
        above: &[Open<N, L>],
        node: &Open<N, L>,
    ) -> Result<bool, Stop> {
        match self {
            Self::Shallow => shallow::cuts(l, above, node),
            Self::Deep => deep::cuts(l, above, node),
            Self::Couwenberg => couwenberg::cuts(l, node),
            Self::Strong => strong::cuts(l, above, node),
        }
    }
}

/// The value of the root with the shallow rule of Ginsberg and Jaffray (2002), in any lattice.
pub fn shallow<D, V, T>(dag: &D, valuation: &V, env: &mut T) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    T: Tools<D::Node, V::Lattice, Store = (), Heuristic = ()>,
{
    search(dag, valuation, Rule::Shallow, env)
}

/// The value of the root with any of the rules, in a distributive lattice.
///
/// A table such as M3 does not compile here:
/// ```compile_fail,E0277
/// # use meetjoin_dag::{Graph, NodeId, Rows, Valuation};
/// # use meetjoin_lattice::{Budget, FiniteLattice};
/// # use meetjoin_search::{Env, pruning::{self, Rule}};
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
/// pruning::prune(&graph, &values, Rule::Deep, &mut Env::new(&budget));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
/// The rule that needs no licence compiles:
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
pub fn prune<D, V, T>(
    dag: &D,
    valuation: &V,
    rule: Rule,
    env: &mut T,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: DistributiveLattice>,
    T: Tools<D::Node, V::Lattice, Store = (), Heuristic = ()>,
{
    search(dag, valuation, rule, env)
}

/// Searches with a rule that is valid in the lattice.
fn search<D, V, T>(dag: &D, valuation: &V, rule: Rule, env: &mut T) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    T: Tools<D::Node, V::Lattice, Store = (), Heuristic = ()>,
{
    let mut search = Search::new(dag, valuation, env);
    let mut technique = Pruning(rule);
    let caller = technique.blank(&search);
    let (value, stop) = search.run(&mut technique, caller, |c| Interval::Exact(c.value));
    Outcome::of_full_window(value, stop)
}

struct Pruning(Rule);

impl<D, V, T> Technique<D, V, T> for Pruning
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, ElemOf<V::Lattice>>>,
{
    type Local = Local<ElemOf<V::Lattice>>;
    type Entry = ElemOf<V::Lattice>;
    const PROVES: bool = false;

    fn blank(&self, search: &Search<'_, D, V, T>) -> Self::Local {
        Local {
            value: search.bottom.clone(),
            inherited: Window::full(search.l.lattice),
        }
    }

    #[inline]
    fn open(
        &mut self,
        search: &mut Search<'_, D, V, T>,
        parent: &mut Frame<D::Node, Self::Local>,
        _: &D::Node,
        kind: Kind,
        local: &mut Self::Local,
    ) -> Result<bool, Stop> {
        if self.0 == Rule::Couwenberg {
            couwenberg::inherit(search.l, parent, &mut local.inherited)?;
        }
        local.value.clone_from(search.start(kind));
        Ok(true)
    }

    #[inline]
    fn cut(
        &mut self,
        search: &Search<'_, D, V, T>,
        above: &[Frame<D::Node, Self::Local>],
        frame: &mut Frame<D::Node, Self::Local>,
    ) -> Result<bool, Stop> {
        if frame.is_new() {
            return Ok(false);
        }
        self.0.cuts(search.l, above, frame)
    }

    #[inline]
    fn absorb(
        &self,
        l: Within<'_, V::Lattice>,
        parent: &mut Frame<D::Node, Self::Local>,
        value: &ElemOf<V::Lattice>,
        _: &ElemOf<V::Lattice>,
    ) -> Result<(), Stop> {
        combine(l, parent.kind, &mut parent.local.value, value)
    }

    #[inline]
    fn result(local: &Self::Local) -> Pair<'_, ElemOf<V::Lattice>> {
        (&local.value, &local.value)
    }

    /// After nesting up to the root these become bounds of its value, since frames and unvisited
    /// nodes determine that. They need not be bounds of this node's own value.
    fn partial(
        &self,
        l: Within<'_, V::Lattice>,
        frame: &Frame<D::Node, Self::Local>,
        below: Option<&Bounds<ElemOf<V::Lattice>>>,
        rest: impl ExactSizeIterator<Item = Option<Bounds<ElemOf<V::Lattice>>>>,
    ) -> Bounds<ElemOf<V::Lattice>> {
        Sides::gather(l, frame.kind, &frame.local.value, below, rest)
    }
}
