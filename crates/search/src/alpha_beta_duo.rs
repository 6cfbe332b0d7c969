//! Alpha-beta duo: Algorithm 2 of Li et al., which makes alpha-beta and a cache work together under partial order.
//!
//! Problem: the result of an alpha-beta call is right only within its window, and a later visit of the same node comes with another
//! window. In a chain one stores such a result as "exact", "at least" or "at most"; in a lattice it may be none of the three.
//!
//! Idea: carry two values, a true lower and a true upper bound of v(n) whatever the window, and cache both. A cut at an OR node leaves
//! the lower bound (children skipped only add to it) and falls back to the upper bound known before. Seen through the window the two
//! are equal (Proposition 3), so on the full window they meet in the exact value.
//!
//! One code, and its parts by name ([`Duo`]; any of them by [`alpha_beta_duo_as`]):
//! - [`alpha_beta_duo_plain`] is Algorithm 2 exactly as printed;
//! - [`alpha_beta_duo_published`] adds the refinement that the paper's experiments used and describes in one sentence: on leaving a node,
//!   combine the intervals known of all its children, from the cache, a leaf's value or the heuristic;
//! - [`alpha_beta_duo()`] is the engine a user gets. It *looks before it descends* (enhanced transposition cutoffs, seen through a window of a lattice): on
//!   entering a node it reads what is known of each child, takes in what is settled, and descends only into the rest, the child of the best bound first. It does
//!   not remember nodes that can be reached in one way only. On random graphs (d = 15, v = 10, b = 10) that makes a tenth of the visits of the plain form. And it keeps
//!   bounds no longer than the window needs, where elements are lists: over families of sets they can grow to thousands of sets otherwise.
//!
//! Invariant: in every frame `lower <= v(n) <= upper` at every moment. The bounds of the other side collect apart, in `far`, and count only
//! if no child was skipped. So a stop anywhere leaves a true interval and a coherent cache.
//!
//! Needs: [`DistributiveLattice`], for the cuts.
//!
//! Cost: an entry of two values for each inner node visited; per visit two or three lattice operations and a comparison.
//!
//! Source: Li, Zanuttini, Cazenave, Ventos (2022), Algorithm 2, Propositions 2 and 3, Corollary 2. Enhanced transposition cutoffs: Schaeffer, Plaat (1996).

use meetjoin_dag::{AndOrDag, Heuristic, Kind, Valuation};
use meetjoin_lattice::{
    Budget, DistributiveLattice, ElemOf, Interval, Lattice, Shown, Stop, Within,
};

use crate::driver::{self, Bounds, Frame, Sides, Technique};
use crate::{Env, Exit, Observer, Order, Outcome, Store, Window};

/// The parts of alpha-beta duo: Algorithm 2, and what helps it. None of them changes a value; each can be left out, to see what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // each is a switch of its own
pub struct Duo {
    /// On leaving a node, combine what is known of all its children: the refinement of the paper's experiments.
    pub refine: bool,
    /// On entering a node, read what is known of its children, and descend only into those that it leaves open.
    pub look: bool,
    /// Of the children looked at, the one of the best bound first. Children of equal bounds, and those of which nothing is known, stay in the order that the graph and
    /// [`Env::order`] give.
    pub order: bool,
    /// Remember only nodes that can be reached in more than one way ([`AndOrDag::is_shared`]).
    pub shared_only: bool,
    /// Of the bound that only all children together give, keep no more than the window shows: [`Lattice::shorten`].
    pub narrow: bool,
}

impl Duo {
    /// Algorithm 2 as printed.
    pub const PLAIN: Self = Self {
        refine: false,
        look: false,
        order: false,
        shared_only: false,
        narrow: false,
    };
    /// As in the paper's experiments.
    pub const PUBLISHED: Self = Self {
        refine: true,
        ..Self::PLAIN
    };
    /// What a user gets: all that has proved to help.
    pub const DEFAULT: Self = Self {
        refine: false,
        look: true,
        order: true,
        shared_only: true,
        narrow: true,
    };
}

impl Default for Duo {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The default engine: alpha-beta duo with everything that has proved to help. The store holds intervals.
///
/// On a window other than bottom to top, [`Outcome::clipped`] is what the window shows of the value.
///
/// A table runs once it has been checked:
/// ```
/// # use meetjoin_dag::{Graph, NodeId, Rows, Valuation};
/// # use meetjoin_lattice::{Budget, Distributive, FiniteLattice, Lattice};
/// # use meetjoin_search::{Env, Table, Window, alpha_beta_duo};
/// # struct Values<L>(L);
/// # impl<L: Lattice<Elem = u32>> Valuation<NodeId> for Values<L> {
/// #     type Lattice = L;
/// #     fn lattice(&self) -> &L { &self.0 }
/// #     fn leaf(&self, _: &NodeId) -> u32 { 1 }
/// # }
/// # let graph = { let mut rows = Rows::new(); let leaf = rows.leaf()?; rows.finish(leaf)? };
/// let square = [("0", "a"), ("0", "b"), ("a", "1"), ("b", "1")];
/// let square = FiniteLattice::from_covers(&["0", "a", "b", "1"], &square)?;
/// let values = Values(Distributive::try_from(square)?);
/// let (window, budget) = (Window::full(&values.0), Budget::unlimited());
/// let mut env = Env::new(&budget).with_store(Table::new());
/// assert_eq!(alpha_beta_duo(&graph, &values, &window, &mut env).exact(), Some(&1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
/// As it comes, it does not compile, so M3 cannot get in by mistake:
/// ```compile_fail,E0277
/// # use meetjoin_dag::{Graph, NodeId, Rows, Valuation};
/// # use meetjoin_lattice::{Budget, Distributive, FiniteLattice, Lattice};
/// # use meetjoin_search::{Env, Table, Window, alpha_beta_duo};
/// # struct Values<L>(L);
/// # impl<L: Lattice<Elem = u32>> Valuation<NodeId> for Values<L> {
/// #     type Lattice = L;
/// #     fn lattice(&self) -> &L { &self.0 }
/// #     fn leaf(&self, _: &NodeId) -> u32 { 1 }
/// # }
/// # let graph = { let mut rows = Rows::new(); let leaf = rows.leaf()?; rows.finish(leaf)? };
/// let m3 = [("0", "a"), ("0", "b"), ("0", "c"), ("a", "1"), ("b", "1"), ("c", "1")];
/// let m3 = FiniteLattice::from_covers(&["0", "a", "b", "c", "1"], &m3)?;
/// let values = Values(m3);
/// let (window, budget) = (Window::full(&values.0), Budget::unlimited());
/// let mut env = Env::new(&budget).with_store(Table::new());
/// assert_eq!(alpha_beta_duo(&graph, &values, &window, &mut env).exact(), Some(&1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn alpha_beta_duo<D, V, S, H, O, R>(
    dag: &D,
    valuation: &V,
    window: &Window<ElemOf<V::Lattice>>,
    env: &mut Env<'_, S, H, O, R>,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: DistributiveLattice>,
    S: Store<D::Node, Interval<ElemOf<V::Lattice>>>,
    H: Heuristic<D::Node, V::Lattice>,
    O: Observer<D::Node, ElemOf<V::Lattice>>,
    R: Order<D::Node>,
{
    alpha_beta_duo_as(dag, valuation, window, Duo::DEFAULT, env)
}

/// Algorithm 2 with the refinement of the paper's experiments. The store holds intervals.
pub fn alpha_beta_duo_published<D, V, S, H, O, R>(
    dag: &D,
    valuation: &V,
    window: &Window<ElemOf<V::Lattice>>,
    env: &mut Env<'_, S, H, O, R>,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: DistributiveLattice>,
    S: Store<D::Node, Interval<ElemOf<V::Lattice>>>,
    H: Heuristic<D::Node, V::Lattice>,
    O: Observer<D::Node, ElemOf<V::Lattice>>,
    R: Order<D::Node>,
{
    alpha_beta_duo_as(dag, valuation, window, Duo::PUBLISHED, env)
}

/// Algorithm 2 exactly as printed. The store holds intervals.
pub fn alpha_beta_duo_plain<D, V, S, H, O, R>(
    dag: &D,
    valuation: &V,
    window: &Window<ElemOf<V::Lattice>>,
    env: &mut Env<'_, S, H, O, R>,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: DistributiveLattice>,
    S: Store<D::Node, Interval<ElemOf<V::Lattice>>>,
    H: Heuristic<D::Node, V::Lattice>,
    O: Observer<D::Node, ElemOf<V::Lattice>>,
    R: Order<D::Node>,
{
    alpha_beta_duo_as(dag, valuation, window, Duo::PLAIN, env)
}

/// Algorithm 2 with these parts. The store holds intervals.
pub fn alpha_beta_duo_as<D, V, S, H, O, R>(
    dag: &D,
    valuation: &V,
    window: &Window<ElemOf<V::Lattice>>,
    how: Duo,
    env: &mut Env<'_, S, H, O, R>,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: DistributiveLattice>,
    S: Store<D::Node, Interval<ElemOf<V::Lattice>>>,
    H: Heuristic<D::Node, V::Lattice>,
    O: Observer<D::Node, ElemOf<V::Lattice>>,
    R: Order<D::Node>,
{
    let l = Within::new(valuation.lattice(), env.budget);
    let goes_on = !env.store.is_empty();
    let mut technique = Search {
        how,
        l,
        valuation,
        dag,
        store: &mut env.store,
        heuristic: &mut env.heuristic,
        observer: &mut env.observer,
        bottom: l.bottom(),
        top: l.top(),
        scratch: l.bottom(),
        promises: Vec::new(),
        unknown: None,
        goes_on,
    };
    let mut caller = technique.blank();
    caller.alpha.clone_from(&window.alpha);
    caller.beta.clone_from(&window.beta);
    let finished = driver::search(dag, &mut env.order, env.budget, &mut technique, caller);
    let ((lower, upper), stop) = match finished {
        Ok(caller) => ((caller.lower, caller.far), None),
        Err(stopped) => (stopped.bounds, Some(stopped.stop)),
    };
    Outcome::of_bounds(l, window, Interval::new(lower, upper), stop)
}

struct Search<'a, L: Lattice, V, D, S, H, O, Slot> {
    how: Duo,
    l: Within<'a, L>,
    valuation: &'a V,
    dag: &'a D,
    store: &'a mut S,
    heuristic: &'a mut H,
    observer: &'a mut O,
    bottom: L::Elem,
    top: L::Elem,
    /// For a bound under construction that no frame may hold yet.
    scratch: L::Elem,
    /// Of the children that are looked at, with their places.
    promises: Vec<(Promise, u32)>,
    /// Of the node just looked at: the slot of the child to be visited first, if the store does not know that child. It need not be looked up again.
    unknown: Option<Slot>,
    /// Whether a search before this one has left anything: then it may be of any node.
    goes_on: bool,
}

/// What a look at a child has shown.
enum Seen<Slot> {
    /// A visit would add nothing.
    Settled,
    /// It has bounds, and this place among its siblings: the greatest upper bound first at OR nodes, the least lower bound at AND nodes.
    Between(Promise),
    /// Nothing is known of it; this is its slot in the store.
    Unknown(Slot),
}

/// The lower, the earlier.
type Promise = (u64, u64);

/// Of a child of which nothing is known: it may be the top, or the bottom.
const UNKNOWN: Promise = (0, 0);

/// Puts children in the order of their promises; those with equal ones stay as they are. It sorts numbers, so that no sort is compiled for nodes.
fn arrange<N>(children: &mut [N], promises: &mut [(Promise, u32)]) {
    promises.sort_unstable();
    // Each cycle of the permutation, by swaps; a place that is done holds its own number.
    for start in 0..promises.len() {
        let mut at = start;
        loop {
            let from = promises[at].1 as usize;
            promises[at].1 = at as u32;
            if from == start {
                break;
            }
            children.swap(at, from);
            at = from;
        }
    }
}

struct Local<E, Slot> {
    alpha: E,
    beta: E,
    /// A lower bound of the node's value: the cached one, and at an OR node what the children done have brought.
    lower: E,
    /// An upper bound of the node's value: the cached one, and at an AND node what the children done have brought.
    upper: E,
    /// The bound on the other side, of the children done alone: an upper bound at OR nodes, a lower bound at AND nodes. It is one of
    /// the node's value only when all children are done.
    far: E,
    slot: Slot,
}

impl<L: Lattice, V, D, S, H, O, Slot> Search<'_, L, V, D, S, H, O, Slot> {
    /// Takes the interval of a child into its parent (lines 23 to 30).
    #[inline]
    fn absorb<N>(
        &self,
        parent: &mut Frame<N, Local<L::Elem, Slot>>,
        lower: &L::Elem,
        upper: &L::Elem,
    ) -> Result<(), Stop> {
        let (l, local) = (self.l, &mut parent.local);
        match parent.kind {
            Kind::And => {
                l.meet(&mut local.upper, upper)?;
                l.meet(&mut local.far, lower)?;
                l.meet(&mut local.beta, upper)
            }
            Kind::Or | Kind::Leaf => {
                l.join(&mut local.lower, lower)?;
                l.join(&mut local.far, upper)?;
                l.join(&mut local.alpha, lower)
            }
        }
    }
}

impl<L, V, D, S, H, O, Slot> Search<'_, L, V, D, S, H, O, Slot>
where
    L: Lattice,
    Slot: Copy,
{
    /// Takes what is known of a child into its parent.
    #[inline]
    fn settle<N>(
        &mut self,
        parent: &mut Frame<N, Local<L::Elem, Slot>>,
        child: &N,
    ) -> Result<Seen<Slot>, Stop>
    where
        V: Valuation<N, Lattice = L>,
        D: AndOrDag<Node = N>,
        S: Store<N, Interval<L::Elem>, Slot = Slot>,
        H: Heuristic<N, L>,
        O: Observer<N, L::Elem>,
    {
        let l = self.l;
        l.budget.visit()?;
        self.observer.probe(child);
        if self.dag.kind(child) == Kind::Leaf {
            let value = self.valuation.leaf(child);
            self.absorb(parent, &value, &value)?;
            return Ok(Seen::Settled);
        }
        let looks_up = !self.how.shared_only || self.goes_on || self.dag.is_shared(child);
        let (slot, stored) = if looks_up {
            self.store.get(child)
        } else {
            (self.store.no_slot(), None)
        };
        let bounds;
        let known = if let Some(known) = stored.as_deref() {
            Some(known)
        } else {
            bounds = self.heuristic.bounds(l.lattice, child, l.budget)?;
            bounds.as_ref()
        };
        let (lower, upper) = match known {
            None => return Ok(Seen::Unknown(slot)),
            Some(Interval::Exact(value)) => {
                self.absorb(parent, value, value)?;
                return Ok(Seen::Settled);
            }
            Some(Interval::Between { lower, upper }) => (lower, upper),
        };
        // What the child would begin with: is there anything between?
        let (local, is_and) = (&mut parent.local, parent.kind == Kind::And);
        self.scratch.clone_from(if is_and { lower } else { upper });
        let settled = if is_and {
            l.meet(&mut local.upper, upper)?;
            l.meet(&mut local.beta, upper)?;
            l.join(&mut self.scratch, &local.alpha)?;
            l.leq(&local.beta, &self.scratch)?
        } else {
            l.join(&mut local.lower, lower)?;
            l.join(&mut local.alpha, lower)?;
            l.meet(&mut self.scratch, &local.beta)?;
            l.leq(&self.scratch, &local.alpha)?
        };
        if !settled {
            let (low, high) = (l.lattice.rank(lower), l.lattice.rank(upper));
            return Ok(Seen::Between(if is_and {
                (low, high)
            } else {
                (!high, !low)
            }));
        }
        if is_and {
            l.meet(&mut local.far, lower)?;
        } else {
            l.join(&mut local.far, upper)?;
        }
        Ok(Seen::Settled)
    }

    /// Tightens the bounds of a node by all that is known of its children, visited or not.
    fn refine<N>(
        &mut self,
        frame: &mut Frame<N, Local<L::Elem, Slot>>,
        children: &[N],
    ) -> Result<(), Stop>
    where
        V: Valuation<N, Lattice = L>,
        D: AndOrDag<Node = N>,
        S: Store<N, Interval<L::Elem>, Slot = Slot>,
        H: Heuristic<N, L>,
        O: Observer<N, L::Elem>,
    {
        let l = self.l;
        let is_and = frame.kind == Kind::And;
        let local = &mut frame.local;
        let (lower, upper) = (&mut local.lower, &mut local.upper);
        let far = &mut self.scratch;
        far.clone_from(match is_and {
            // Children settled by a look are no longer in the list.
            _ if self.how.look => &local.far,
            true => &self.top,
            false => &self.bottom,
        });
        let mut all_known = true;
        for child in children {
            l.budget.visit()?;
            self.observer.probe(child);
            let mut combine = |child_lower: &L::Elem, child_upper: &L::Elem| {
                if is_and {
                    l.meet(upper, child_upper)?;
                    l.meet(far, child_lower)
                } else {
                    l.join(lower, child_lower)?;
                    l.join(far, child_upper)
                }
            };
            if self.dag.kind(child) == Kind::Leaf {
                let value = self.valuation.leaf(child);
                combine(&value, &value)?;
            } else if let Some(known) = self.store.get(child).1 {
                combine(known.lower(), known.upper())?;
            } else if let Some(known) = self.heuristic.bounds(l.lattice, child, l.budget)? {
                combine(known.lower(), known.upper())?;
            } else {
                all_known = false;
            }
        }
        if !all_known {
            return Ok(());
        }
        if is_and {
            l.join(lower, far)
        } else {
            l.meet(upper, far)
        }
    }
}

impl<N, V, D, S, H, O> Technique<N, ElemOf<V::Lattice>>
    for Search<'_, V::Lattice, V, D, S, H, O, S::Slot>
where
    V: Valuation<N, Lattice: DistributiveLattice>,
    D: AndOrDag<Node = N>,
    S: Store<N, Interval<ElemOf<V::Lattice>>>,
    H: Heuristic<N, V::Lattice>,
    O: Observer<N, ElemOf<V::Lattice>>,
{
    type Local = Local<ElemOf<V::Lattice>, S::Slot>;
    type Observer = O;

    /// The caller of the root: an OR node of which nothing is known, not even an upper bound of its children.
    fn blank(&self) -> Self::Local {
        Local {
            alpha: self.bottom.clone(),
            beta: self.top.clone(),
            lower: self.bottom.clone(),
            upper: self.top.clone(),
            far: self.bottom.clone(),
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
        let window = (&parent.local.alpha, &parent.local.beta);
        self.observer.enter(node, Some(window));
        if kind == Kind::Leaf {
            let value = self.valuation.leaf(node);
            self.observer.leaf(node);
            self.absorb(parent, &value, &value)?;
            self.observer.exit(node, Exit::Bounds(&value, &value));
            return Ok(false);
        }
        let unknown = self.unknown.take().filter(|_| parent.is_new());
        let (slot, known) = if let Some(slot) = unknown {
            (slot, None)
        } else if !self.how.shared_only || self.goes_on || self.dag.is_shared(node) {
            self.store.get(node)
        } else {
            (self.store.no_slot(), None)
        };
        let mut is_known = true;
        match known.as_deref() {
            Some(Interval::Exact(value)) => {
                self.observer.cache_hit(node);
                self.absorb(parent, value, value)?;
                self.observer.exit(node, Exit::Bounds(value, value));
                return Ok(false);
            }
            Some(Interval::Between { lower, upper }) => {
                local.lower.clone_from(lower);
                local.upper.clone_from(upper);
            }
            None => match self.heuristic.bounds(self.l.lattice, node, self.l.budget)? {
                Some(Interval::Exact(value)) => {
                    self.absorb(parent, &value, &value)?;
                    self.observer.exit(node, Exit::Bounds(&value, &value));
                    return Ok(false);
                }
                Some(Interval::Between { lower, upper }) => {
                    (local.lower, local.upper) = (lower, upper);
                }
                None => {
                    local.lower.clone_from(&self.bottom);
                    local.upper.clone_from(&self.top);
                    is_known = false;
                }
            },
        }
        local.slot = slot;
        local.far.clone_from(match kind {
            Kind::And => &self.top,
            Kind::Or | Kind::Leaf => &self.bottom,
        });
        local.alpha.clone_from(&parent.local.alpha);
        local.beta.clone_from(&parent.local.beta);
        self.l.join(&mut local.alpha, &local.lower)?;
        self.l.meet(&mut local.beta, &local.upper)?;
        if self.how.look && is_known && self.l.leq(&local.beta, &local.alpha)? {
            // The window has become narrower since its parent looked at it.
            self.absorb(parent, &local.lower, &local.upper)?;
            let bounds = Exit::Bounds(&local.lower, &local.upper);
            self.observer.exit(node, bounds);
            return Ok(false);
        }
        Ok(true)
    }

    /// Reads what is known of the children before any of them is visited. Those that are settled, seen through the window, come into the frame
    /// at once and are not visited; of the others, what is known narrows the window.
    #[inline]
    fn look(
        &mut self,
        frame: &mut Frame<N, Self::Local>,
        children: &mut Vec<N>,
        first: usize,
    ) -> Result<(), Stop> {
        if !self.how.look {
            return Ok(());
        }
        let (mut open, mut looked) = (first, first);
        let mut in_order = true;
        self.promises.clear();
        self.unknown = None;
        while looked < children.len() && !self.l.leq(&frame.local.beta, &frame.local.alpha)? {
            let promise = match self.settle(frame, &children[looked])? {
                Seen::Settled => None,
                Seen::Between(promise) => Some(promise),
                Seen::Unknown(slot) => {
                    if open == first {
                        // It stays the first: no promise is earlier.
                        self.unknown = Some(slot);
                    }
                    Some(UNKNOWN)
                }
            };
            if let Some(promise) = promise {
                in_order &= self
                    .promises
                    .last()
                    .is_none_or(|(last, _)| *last <= promise);
                self.promises.push((promise, self.promises.len() as u32));
                children.swap(open, looked);
                open += 1;
            }
            looked += 1;
        }
        let all_looked_at = looked == children.len();
        if all_looked_at {
            children.truncate(open);
        } else {
            // The window is closed: the others will not be visited.
            children.drain(open..looked);
        }
        if self.how.order && !in_order {
            arrange(&mut children[first..open], &mut self.promises);
        }
        if all_looked_at && open > first + 1 {
            self.dag.prefetch(&children[first..]);
        }
        Ok(())
    }

    #[inline]
    fn cut(
        &mut self,
        _: &[Frame<N, Self::Local>],
        frame: &mut Frame<N, Self::Local>,
    ) -> Result<bool, Stop> {
        self.l.leq(&frame.local.beta, &frame.local.alpha)
    }

    #[inline]
    fn close(
        &mut self,
        parent: &mut Frame<N, Self::Local>,
        frame: &mut Frame<N, Self::Local>,
        children: &[N],
        cut: bool,
    ) -> Result<(), Stop> {
        let local = &mut frame.local;
        if !cut {
            let narrow = self.how.narrow;
            match frame.kind {
                Kind::And => {
                    if narrow {
                        let (alpha, upper) = (&local.alpha, &local.upper);
                        self.l
                            .shorten(&mut local.far, Shown::Lower { alpha, upper })?;
                    }
                    self.l.join(&mut local.lower, &local.far)?;
                }
                Kind::Or | Kind::Leaf => {
                    if narrow {
                        let (beta, lower) = (&local.beta, &local.lower);
                        self.l
                            .shorten(&mut local.far, Shown::Upper { beta, lower })?;
                    }
                    self.l.meet(&mut local.upper, &local.far)?;
                }
            }
        }
        if self.how.refine {
            self.refine(frame, children)?;
        }
        let Local {
            lower, upper, slot, ..
        } = &frame.local;
        if !self.how.shared_only || self.dag.is_shared(&frame.node) {
            let interval = Interval::new(lower.clone(), upper.clone());
            self.store
                .put(*slot, &frame.node, interval, self.l.budget)?;
        }
        self.absorb(parent, lower, upper)?;
        self.observer.exit(&frame.node, Exit::Bounds(lower, upper));
        Ok(())
    }

    fn partial(
        &self,
        frame: &Frame<N, Self::Local>,
        below: Option<&Bounds<ElemOf<V::Lattice>>>,
        rest: &[N],
        grace: &Budget,
    ) -> Bounds<ElemOf<V::Lattice>> {
        let l = Within::new(self.l.lattice, grace);
        let is_and = frame.kind == Kind::And;
        let local = &frame.local;
        let (near, other) = if is_and {
            (&local.upper, &local.lower)
        } else {
            (&local.lower, &local.upper)
        };
        let mut sides = Sides {
            l,
            is_and,
            near: near.clone(),
            far: Some(local.far.clone()),
        };
        if let Some((child_lower, child_upper)) = below {
            sides.known(child_lower, child_upper);
        }
        for child in rest {
            if self.dag.kind(child) == Kind::Leaf {
                let value = self.valuation.leaf(child);
                sides.known(&value, &value);
            } else if let Some(known) = self.store.get(child).1 {
                sides.known(known.lower(), known.upper());
            } else {
                sides.unknown();
            }
        }
        let mut other = other.clone();
        if let Some(far) = &sides.far {
            // If it stops half way, what it has is a bound all the same.
            let _ = if is_and {
                l.join(&mut other, far)
            } else {
                l.meet(&mut other, far)
            };
        }
        if is_and {
            (other, sides.near)
        } else {
            (sides.near, other)
        }
    }

    fn keep(&mut self, frame: &Frame<N, Self::Local>, (lower, upper): &Bounds<ElemOf<V::Lattice>>) {
        let interval = Interval::new(lower.clone(), upper.clone());
        // The frame's slot is stale if the node was closed and stored, and only then the search stopped.
        let (slot, _) = self.store.get(&frame.node);
        // A store that is full stays as it was, which is fine here.
        let _ = self.store.put(slot, &frame.node, interval, self.l.budget);
    }

    fn entries(&self) -> usize {
        self.store.len()
    }

    fn observer(&mut self) -> &mut O {
        self.observer
    }
}
