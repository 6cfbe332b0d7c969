//! Alpha-beta under partial order: Algorithm 1 of Li et al., and its variant with a cache of exact values.
//!
//! Problem: in a chain, alpha is the best value that some OR ancestor has already, and a node whose upper bound falls to it is
//! cut. In a lattice "the best" need not exist: two ancestors may each have something, and only the *join* of what they have shows that the
//! rest of a node is superfluous.
//!
//! Idea: alpha is the join of everything OR ancestors have, beta the meet of everything AND ancestors have; a loop ends as soon as
//! `alpha >= beta`. A node's value starts from an initial value `h(n, alpha, beta)`, so a good guess cuts before the first child.
//!
//! Result: a call f(n, alpha, beta) returns a value with `beta meet (alpha join f) = beta meet (alpha join v(n))` (Proposition 1). It is
//! *not* a bound of v(n): only its part in the window means anything, which is why it must not be cached.
//!
//! [`alpha_beta_cached`] ("ABC") caches a value only if nothing was cut anywhere below the node, for then it is v(n) itself. That is sound
//! only if the initial value is a true bound of v(n) whatever the window: starting from alpha, it would cache `v(n) join alpha`. So it
//! takes a heuristic, not a general h.
//!
//! Needs: [`DistributiveLattice`]. On M3 the cut test returns a wrong root in about 3 % of random trees.
//!
//! Cost: at most the visits of uncached minimax (AB), usually far fewer; on graphs with many paths far more than with a cache.
//!
//! Source: Li, Zanuttini, Cazenave, Ventos (2022), Algorithm 1, Definition 3, Proposition 1; ABC in section 6.

use meetjoin_dag::{AndOrDag, Heuristic, Kind, Valuation};
use meetjoin_lattice::{Budget, DistributiveLattice, ElemOf, Interval, Lattice, Stop, Within};

use crate::driver::{self, Bounds, Frame, Technique};
use crate::{Env, Exit, Observer, Order, Outcome, Store, Window};

/// The value an inner node starts from: h(n, alpha, beta) of Algorithm 1.
///
/// It must be *admissible* (Definition 3): at an OR node below or equal to `v(n) join alpha`, at an AND node above or equal to `v(n) meet
/// beta`. A closure `|l, node, kind, alpha, beta| Ok(value)` is one; the usual two are [`FailSoft`] and [`FailHard`].
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

/// The lower bound of a heuristic at OR nodes, its upper bound at AND nodes. It does not depend on the window.
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
/// Store and heuristic of the environment must be absent: what depends on a window must not be stored, and a heuristic comes in as
/// [`FromHeuristic`].
///
/// A table such as M3 does not compile here (for its checked twin see [`alpha_beta_duo`](crate::alpha_beta_duo())):
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
pub fn alpha_beta<D, V, I, O, R>(
    dag: &D,
    valuation: &V,
    window: &Window<ElemOf<V::Lattice>>,
    initial: I,
    env: &mut Env<'_, (), (), O, R>,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: DistributiveLattice>,
    I: Initial<D::Node, V::Lattice>,
    O: Observer<D::Node, ElemOf<V::Lattice>>,
    R: Order<D::Node>,
{
    let Env {
        budget,
        store,
        observer,
        order,
        ..
    } = env;
    run(
        dag, valuation, window, initial, budget, store, observer, order,
    )
}

/// Alpha-beta that caches the values of nodes below which nothing was cut ("ABC"). The store holds exact values.
pub fn alpha_beta_cached<D, V, S, H, O, R>(
    dag: &D,
    valuation: &V,
    window: &Window<ElemOf<V::Lattice>>,
    env: &mut Env<'_, S, H, O, R>,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: DistributiveLattice>,
    S: Store<D::Node, ElemOf<V::Lattice>>,
    H: Heuristic<D::Node, V::Lattice>,
    O: Observer<D::Node, ElemOf<V::Lattice>>,
    R: Order<D::Node>,
{
    let Env {
        budget,
        store,
        heuristic,
        observer,
        order,
    } = env;
    let initial = FromHeuristic(heuristic);
    run(
        dag, valuation, window, initial, budget, store, observer, order,
    )
}

#[allow(clippy::too_many_arguments)] // the parts of an environment, with the initial values in place of the heuristic
fn run<D, V, I, S, O, R>(
    dag: &D,
    valuation: &V,
    window: &Window<ElemOf<V::Lattice>>,
    initial: I,
    budget: &Budget,
    store: &mut S,
    observer: &mut O,
    order: &mut R,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: DistributiveLattice>,
    I: Initial<D::Node, V::Lattice>,
    S: Store<D::Node, ElemOf<V::Lattice>>,
    O: Observer<D::Node, ElemOf<V::Lattice>>,
    R: Order<D::Node>,
{
    let l = Within::new(valuation.lattice(), budget);
    let mut technique = AlphaBeta {
        l,
        valuation,
        is_leaf: |node: &D::Node| dag.kind(node) == Kind::Leaf,
        initial,
        store,
        observer,
        bottom: l.bottom(),
    };
    let mut caller = technique.blank();
    caller.alpha.clone_from(&window.alpha);
    caller.beta.clone_from(&window.beta);
    let finished = driver::search(dag, order, budget, &mut technique, caller)
        .map(|caller| l.clip(&window.alpha, &caller.value, &window.beta));
    let (clipped, stop) = match finished {
        Ok(Ok(value)) => (Interval::Exact(value), None),
        // Only clipping was stopped; then nothing but the window itself is known.
        Ok(Err(stop)) => (Interval::new(l.bottom(), window.beta.clone()), Some(stop)),
        Err(stopped) => {
            let (lower, upper) = stopped.bounds;
            (Interval::new(lower, upper), Some(stopped.stop))
        }
    };
    Outcome::of_clipped(l.lattice, window, clipped, stop)
}

struct AlphaBeta<'a, L: Lattice, V, F, I, S, O> {
    l: Within<'a, L>,
    valuation: &'a V,
    is_leaf: F,
    initial: I,
    store: &'a mut S,
    observer: &'a mut O,
    bottom: L::Elem,
}

struct Local<E, Slot> {
    alpha: E,
    beta: E,
    /// Meet or join of the initial value and the results of the children done.
    value: E,
    /// Whether nothing was cut at or below this node so far.
    uncut: bool,
    slot: Slot,
}

impl<L: Lattice, V, F, I, S, O> AlphaBeta<'_, L, V, F, I, S, O> {
    /// Takes the result of a child into its parent.
    #[inline]
    fn absorb<N, Slot>(
        &self,
        parent: &mut Frame<N, Local<L::Elem, Slot>>,
        value: &L::Elem,
    ) -> Result<(), Stop> {
        match parent.kind {
            Kind::And => self.l.meet(&mut parent.local.value, value),
            Kind::Or | Kind::Leaf => self.l.join(&mut parent.local.value, value),
        }
    }
}

impl<N, V, F, I, S, O> Technique<N, ElemOf<V::Lattice>> for AlphaBeta<'_, V::Lattice, V, F, I, S, O>
where
    V: Valuation<N, Lattice: DistributiveLattice>,
    F: Fn(&N) -> bool,
    I: Initial<N, V::Lattice>,
    S: Store<N, ElemOf<V::Lattice>>,
    O: Observer<N, ElemOf<V::Lattice>>,
{
    type Local = Local<ElemOf<V::Lattice>, S::Slot>;
    type Observer = O;

    fn blank(&self) -> Self::Local {
        Local {
            alpha: self.bottom.clone(),
            beta: self.bottom.clone(),
            value: self.bottom.clone(),
            uncut: true,
            slot: self.store.no_slot(),
        }
    }

    #[inline]
    fn open(
        &mut self,
        parent: &mut Frame<N, Self::Local>,
        node: &N,
        kind: Kind,
        local: &mut Self::Local,
    ) -> Result<bool, Stop> {
        let (alpha, beta) = (&parent.local.alpha, &parent.local.beta);
        self.observer.enter(node, Some((alpha, beta)));
        if kind == Kind::Leaf {
            let value = self.valuation.leaf(node);
            self.observer.leaf(node);
            self.absorb(parent, &value)?;
            self.observer.exit(node, Exit::Value(&value));
            return Ok(false);
        }
        let (slot, known) = self.store.get(node);
        if let Some(value) = known {
            self.observer.cache_hit(node);
            self.absorb(parent, &value)?;
            self.observer.exit(node, Exit::Value(&value));
            return Ok(false);
        }
        local.value = self.initial.initial(self.l, node, kind, alpha, beta)?;
        local.alpha.clone_from(alpha);
        local.beta.clone_from(beta);
        local.uncut = true;
        local.slot = slot;
        Ok(true)
    }

    #[inline]
    fn cut(
        &mut self,
        _: &[Frame<N, Self::Local>],
        frame: &mut Frame<N, Self::Local>,
    ) -> Result<bool, Stop> {
        let local = &mut frame.local;
        match frame.kind {
            Kind::And => self.l.meet(&mut local.beta, &local.value)?,
            Kind::Or | Kind::Leaf => self.l.join(&mut local.alpha, &local.value)?,
        }
        self.l.leq(&local.beta, &local.alpha)
    }

    #[inline]
    fn close(
        &mut self,
        parent: &mut Frame<N, Self::Local>,
        frame: &mut Frame<N, Self::Local>,
        _: &[N],
        cut: bool,
    ) -> Result<(), Stop> {
        let local = &frame.local;
        let exact = local.uncut && !cut;
        if exact {
            self.store
                .put(local.slot, &frame.node, local.value.clone(), self.l.budget)?;
        }
        self.absorb(parent, &local.value)?;
        parent.local.uncut &= exact;
        self.observer.exit(&frame.node, Exit::Value(&local.value));
        Ok(())
    }

    /// Bounds of `w(n) = beta meet (alpha join v(n))`, where (alpha, beta) is the window that the node was called with.
    ///
    /// By the lemma in the proof of Proposition 1, with alpha and beta as they are now and w(c) for the child c in progress:
    /// at an OR node `beta meet alpha <= w(n) <= beta` and `w(c) <= w(n)`, and `w(n) = w(c)` if c is the last child;
    /// at an AND node `beta meet alpha <= w(n) <= alpha join (beta meet w(c))`, and `w(c) <= w(n)` if c is the last child.
    /// A child whose value v(c) is known without a visit adds `beta meet v(c) <= w(n)` at an OR node, because `v(c) <= v(n)`, and
    /// `w(n) <= alpha join v(c)` at an AND node.
    fn partial(
        &self,
        frame: &Frame<N, Self::Local>,
        below: Option<&Bounds<ElemOf<V::Lattice>>>,
        rest: &[N],
        grace: &Budget,
    ) -> Bounds<ElemOf<V::Lattice>> {
        let l = Within::new(self.l.lattice, grace);
        let Local { alpha, beta, .. } = &frame.local;
        let is_and = frame.kind == Kind::And;
        let last = below.is_some() && rest.is_empty();
        // A meet that is stopped half way is too large for a lower bound, a join too small for an upper one.
        let mut lower = alpha.clone();
        if l.meet(&mut lower, beta).is_err() {
            lower.clone_from(&self.bottom);
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
        let mut sharpen = |value: &ElemOf<V::Lattice>| {
            if is_and {
                let _ = l.meet(&mut upper, value);
                return;
            }
            let mut shown = value.clone();
            if l.meet(&mut shown, beta).is_ok() {
                let _ = l.join(&mut lower, &shown);
            }
        };
        for child in rest {
            if (self.is_leaf)(child) {
                sharpen(&self.valuation.leaf(child));
            } else if let Some(value) = self.store.get(child).1 {
                sharpen(&value);
            }
        }
        if is_and && l.join(&mut upper, alpha).is_err() {
            upper = l.top();
        }
        (lower, upper)
    }

    fn entries(&self) -> usize {
        self.store.len()
    }

    fn observer(&mut self) -> &mut O {
        self.observer
    }
}
