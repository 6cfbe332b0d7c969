//! Alpha-beta under partial order: Algorithm 1 of Li et al., and its variant with a cache of exact
//! values.
//!
//! Problem: in a chain, alpha is the best value that some OR ancestor is sure of, and a node whose
//! upper bound falls to alpha is cut. In a lattice "the best" need not exist: perhaps only the
//! *join* of what several ancestors are sure of shows that the rest of a node is superfluous.
//!
//! Idea: alpha is the join of the values of all OR ancestors so far, beta the meet of those of all
//! AND ancestors; the loop over children ends as soon as `alpha >= beta`. A node's value starts
//! from an initial value `h(n, alpha, beta)`, so a good guess cuts before the first child.
//!
//! Result: a call f(n, alpha, beta) returns a value with
//! `beta meet (alpha join f) = beta meet (alpha join v(n))` (Proposition 1). It is *not* a bound of
//! v(n): only its part in the window is meaningful, so it must not be cached.
//!
//! [`alpha_beta_cached`] ("ABC") caches a value only if nothing was cut anywhere below the node,
//! for then it is v(n) itself. That is sound only if the initial value is a true bound of v(n)
//! whatever the window: starting from alpha, it would cache `v(n) join alpha`. So it takes a
//! heuristic, not a general h.
//!
//! Needs: [`DistributiveLattice`]. On M3 the cut test returns a wrong root in about 3 % of random
//! trees.
//!
//! Cost: at most the visits of uncached minimax (AB), usually far fewer; on graphs with many paths
//! far more than minimax with a cache.
//!
//! Source: Li, Zanuttini, Cazenave, Ventos (2022), Algorithm 1, Definition 3, Proposition 1; ABC in
//! section 6.

use meetjoin_dag::{AndOrDag, Heuristic, Kind, Valuation};
use meetjoin_lattice::{DistributiveLattice, ElemOf, Interval, Lattice, Stop, Within};

use crate::depth_first::driver::{Bounds, Frame, Pair, Search, Technique, combine};
use crate::{Env, Observer, Outcome, Slot, Store, Tools, Window};

/// The initial value of an inner node: h(n, alpha, beta) of Algorithm 1.
///
/// It must be *admissible* (Definition 3): at an OR node below or equal to `v(n) join alpha`, at an
/// AND node above or equal to `v(n) meet beta`. A closure `|l, node, kind, alpha, beta| Ok(value)`
/// is one; the usual two are [`FailSoft`] and [`FailHard`].
pub trait Initial<N, L: Lattice> {
    /// The initial value of `node`, visited with the window `alpha`, `beta`.
    ///
    /// # Errors
    /// The reason, when the budget stops its computation.
    fn initial(
        &mut self,
        l: Within<'_, L>,
        node: &N,
        kind: Kind,
        alpha: &L::Elem,
        beta: &L::Elem,
    ) -> Result<L::Elem, Stop>;
}

impl<N, L, F> Initial<N, L> for F
where
    L: Lattice,
    F: FnMut(Within<'_, L>, &N, Kind, &L::Elem, &L::Elem) -> Result<L::Elem, Stop>,
{
    fn initial(
        &mut self,
        l: Within<'_, L>,
        node: &N,
        kind: Kind,
        alpha: &L::Elem,
        beta: &L::Elem,
    ) -> Result<L::Elem, Stop> {
        self(l, node, kind, alpha, beta)
    }
}

/// Bottom at OR nodes, top at AND nodes (Marsland 1986): results may leave the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FailSoft;

impl<N, L: Lattice> Initial<N, L> for FailSoft {
    #[inline]
    fn initial(
        &mut self,
        l: Within<'_, L>,
        _: &N,
        kind: Kind,
        _: &L::Elem,
        _: &L::Elem,
    ) -> Result<L::Elem, Stop> {
        Ok(match kind {
            Kind::And => l.top(),
            Kind::Or | Kind::Leaf => l.bottom(),
        })
    }
}

/// Alpha at OR nodes, beta at AND nodes (Knuth and Moore 1975).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FailHard;

impl<N, L: Lattice> Initial<N, L> for FailHard {
    #[inline]
    fn initial(
        &mut self,
        _: Within<'_, L>,
        _: &N,
        kind: Kind,
        alpha: &L::Elem,
        beta: &L::Elem,
    ) -> Result<L::Elem, Stop> {
        Ok(match kind {
            Kind::And => beta.clone(),
            Kind::Or | Kind::Leaf => alpha.clone(),
        })
    }
}

/// The lower bound of a heuristic at OR nodes, its upper bound at AND nodes. It does not depend on
/// the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FromHeuristic<H>(pub H);

impl<N, L: Lattice, H: Heuristic<N, L>> Initial<N, L> for FromHeuristic<H> {
    #[inline]
    fn initial(
        &mut self,
        l: Within<'_, L>,
        node: &N,
        kind: Kind,
        alpha: &L::Elem,
        beta: &L::Elem,
    ) -> Result<L::Elem, Stop> {
        Ok(match (self.0.bounds(l.lattice, node, l.budget)?, kind) {
            (Some(bounds), Kind::And) => bounds.upper().clone(),
            (Some(bounds), Kind::Or | Kind::Leaf) => bounds.lower().clone(),
            (None, _) => FailSoft.initial(l, node, kind, alpha, beta)?,
        })
    }
}

/// Algorithm 1 of Li et al. (2022) with the initial values `initial`, without a cache ("AB").
///
/// Store and heuristic of the environment must be absent: values that depend on a window must not
/// be stored, and a heuristic is passed as [`FromHeuristic`].
///
/// A table such as M3 does not compile here (for its checked twin see
/// [`alpha_beta_duo`](crate::alpha_beta_duo())):
/// ```compile_fail,E0277
/// # use meetjoin_dag::{Graph, NodeId, Rows, Valuation};
/// # use meetjoin_lattice::{Budget, FiniteLattice};
/// # use meetjoin_search::{Env, FailSoft, Window, alpha_beta};
/// # struct Values(FiniteLattice);
/// # impl Valuation<NodeId> for Values {
/// #     type Lattice = FiniteLattice;
/// #     fn lattice(&self) -> &FiniteLattice { &self.0 }
/// #     fn leaf(&self, _: &NodeId) -> u32 { 1 }
/// # }
/// # let graph = { let mut rows = Rows::new(); let leaf = rows.leaf()?; rows.finish(leaf)? };
/// let m3 = [("0", "a"), ("0", "b"), ("0", "c"), ("a", "1"), ("b", "1"), ("c", "1")];
/// let values = Values(FiniteLattice::from_covers(&["0", "a", "b", "c", "1"], &m3)?);
/// let (window, budget) = (Window::full(&values.0), Budget::unlimited());
/// alpha_beta(&graph, &values, &window, FailSoft, &mut Env::new(&budget));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn alpha_beta<D, V, I, T>(
    dag: &D,
    valuation: &V,
    window: &Window<ElemOf<V::Lattice>>,
    initial: I,
    env: &mut T,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: DistributiveLattice>,
    I: Initial<D::Node, V::Lattice>,
    T: Tools<D::Node, V::Lattice, Store = (), Heuristic = ()>,
{
    run(dag, valuation, window, initial, env)
}

/// Alpha-beta that caches the values of nodes below which nothing was cut ("ABC"). The store holds
/// exact values.
pub fn alpha_beta_cached<D, V, T>(
    dag: &D,
    valuation: &V,
    window: &Window<ElemOf<V::Lattice>>,
    env: &mut T,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: DistributiveLattice>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, ElemOf<V::Lattice>>>,
{
    let Env {
        budget,
        store,
        heuristic,
        observer,
        order,
    } = env.lend();
    let mut env = Env {
        budget,
        store,
        heuristic: (),
        observer,
        order,
    };
    run(dag, valuation, window, FromHeuristic(heuristic), &mut env)
}

fn run<D, V, I, T>(
    dag: &D,
    valuation: &V,
    window: &Window<ElemOf<V::Lattice>>,
    initial: I,
    env: &mut T,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: DistributiveLattice>,
    I: Initial<D::Node, V::Lattice>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, ElemOf<V::Lattice>>>,
{
    let mut search = Search::new(dag, valuation, env);
    let mut technique = AlphaBeta(initial);
    let mut caller = technique.blank(&search);
    caller.alpha.clone_from(&window.alpha);
    caller.beta.clone_from(&window.beta);
    let l = search.l;
    let found = search.run(&mut technique, caller, |c| Interval::Exact(c.value));
    let (clipped, stop) = match found {
        (Interval::Exact(value), None) => match l.clip(&window.alpha, &value, &window.beta) {
            Ok(value) => (Interval::Exact(value), None),
            // Only clipping was stopped; then nothing is known within the window.
            Err(stop) => (Interval::new(l.bottom(), window.beta.clone()), Some(stop)),
        },
        stopped => stopped,
    };
    Outcome::of_clipped(l.lattice, window, clipped, stop)
}

/// Algorithm 1, with initial values.
struct AlphaBeta<I>(I);

struct Local<E> {
    alpha: E,
    beta: E,
    /// Meet or join of the initial value and the results of finished children.
    value: E,
    /// Whether nothing was cut at or below this node so far.
    uncut: bool,
    slot: Slot,
}

impl<D, V, I, T> Technique<D, V, T> for AlphaBeta<I>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: DistributiveLattice>,
    I: Initial<D::Node, V::Lattice>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, ElemOf<V::Lattice>>>,
{
    type Local = Local<ElemOf<V::Lattice>>;
    type Entry = ElemOf<V::Lattice>;
    const PROVES: bool = false;

    fn blank(&self, search: &Search<'_, D, V, T>) -> Self::Local {
        Local {
            alpha: search.bottom.clone(),
            beta: search.bottom.clone(),
            value: search.bottom.clone(),
            uncut: true,
            slot: Slot::NONE,
        }
    }

    #[inline]
    fn window(parent: &Self::Local) -> Option<Pair<'_, ElemOf<V::Lattice>>> {
        Some((&parent.alpha, &parent.beta))
    }

    /// Lines 2 and 3.
    #[inline]
    fn open(
        &mut self,
        search: &mut Search<'_, D, V, T>,
        parent: &mut Frame<D::Node, Self::Local>,
        node: &D::Node,
        kind: Kind,
        local: &mut Self::Local,
    ) -> Result<bool, Stop> {
        let (slot, known) = search.store.get(node);
        if let Some(value) = known {
            search.observer.cache_hit(node);
            Technique::<D, V, T>::answer(
                self,
                search.l,
                search.observer,
                parent,
                node,
                (&value, &value),
            )?;
            return Ok(false);
        }
        let (alpha, beta) = (&parent.local.alpha, &parent.local.beta);
        local.value = self.0.initial(search.l, node, kind, alpha, beta)?;
        local.alpha.clone_from(alpha);
        local.beta.clone_from(beta);
        local.uncut = true;
        local.slot = slot;
        Ok(true)
    }

    /// Lines 6 to 10.
    #[inline]
    fn cut(
        &mut self,
        search: &Search<'_, D, V, T>,
        _: &[Frame<D::Node, Self::Local>],
        frame: &mut Frame<D::Node, Self::Local>,
    ) -> Result<bool, Stop> {
        let (l, local) = (search.l, &mut frame.local);
        match frame.kind {
            Kind::And => l.meet(&mut local.beta, &local.value)?,
            Kind::Or | Kind::Leaf => l.join(&mut local.alpha, &local.value)?,
        }
        l.leq(&local.beta, &local.alpha)
    }

    /// Lines 13 to 16.
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
    fn close(
        &mut self,
        search: &mut Search<'_, D, V, T>,
        parent: &mut Frame<D::Node, Self::Local>,
        frame: &mut Frame<D::Node, Self::Local>,
        _: &[D::Node],
        cut: bool,
    ) -> Result<(), Stop> {
        let Local {
            value, uncut, slot, ..
        } = &frame.local;
        let exact = *uncut && !cut;
        if exact {
            let budget = search.l.budget;
            search
                .store
                .put(*slot, &frame.node, value.clone(), budget)?;
        }
        parent.local.uncut &= exact;
        Ok(())
    }

    /// Line 17.
    #[inline]
    fn result(local: &Self::Local) -> Pair<'_, ElemOf<V::Lattice>> {
        (&local.value, &local.value)
    }

    /// Bounds of `w(n) = beta meet (alpha join v(n))`, where (alpha, beta) is the window that the
    /// node was called with.
    ///
    /// By the lemma in the proof of Proposition 1, with alpha and beta as they are now and w(c) for
    /// the child c in progress: at an OR node `beta meet alpha <= w(n) <= beta` and `w(c) <= w(n)`,
    /// and `w(n) = w(c)` if c is the last child; at an AND node
    /// `beta meet alpha <= w(n) <= alpha join (beta meet w(c))`, and `w(c) <= w(n)` if c is the
    /// last child. A child whose value v(c) is known without a visit adds `beta meet v(c) <= w(n)`
    /// at an OR node, because `v(c) <= v(n)`, and `w(n) <= alpha join v(c)` at an AND node.
    fn partial(
        &self,
        l: Within<'_, V::Lattice>,
        frame: &Frame<D::Node, Self::Local>,
        below: Option<&Bounds<ElemOf<V::Lattice>>>,
        rest: impl ExactSizeIterator<Item = Option<Bounds<ElemOf<V::Lattice>>>>,
    ) -> Bounds<ElemOf<V::Lattice>> {
        let Local { alpha, beta, .. } = &frame.local;
        let is_and = frame.kind == Kind::And;
        let last = below.is_some() && rest.len() == 0;
        // A meet that is stopped half way is too large for a lower bound, a join too small for an
        // upper one.
        let mut lower = alpha.clone();
        if l.meet(&mut lower, beta).is_err() {
            lower = l.bottom();
        }
        let mut upper = beta.clone();
        if let Some((child_lower, child_upper)) = below {
            if last || !is_and {
                let _ = l.join(&mut lower, child_lower);
            }
            if last || is_and {
                let _ = l.meet(&mut upper, child_upper);
            }
        }
        for (mut shown, value) in rest.flatten() {
            if is_and {
                let _ = l.meet(&mut upper, &value);
            } else if l.meet(&mut shown, beta).is_ok() {
                let _ = l.join(&mut lower, &shown);
            }
        }
        if is_and && l.join(&mut upper, alpha).is_err() {
            upper = l.top();
        }
        (lower, upper)
    }
}
