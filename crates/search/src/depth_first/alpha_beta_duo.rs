//! Alpha-beta duo: Algorithm 2 of Li et al., which makes alpha-beta and a cache work together under
//! partial order.
//!
//! Problem: the result of an alpha-beta call is valid only within its window, and a later visit of
//! the same node has another window. In a chain one stores such a result as "exact", "at least" or
//! "at most"; in a lattice it may be none of the three.
//!
//! Idea: carry two values, a true lower and a true upper bound of v(n) whatever the window, and
//! cache both. After a cut at an OR node, the lower bound stays valid (skipped children can only
//! raise the value), and the upper bound is the one known before. Seen through the window the two
//! are equal (Proposition 3), so on the full window they meet in the exact value.
//!
//! One implementation with optional parts ([`Duo`]; any combination by [`alpha_beta_duo_as`]):
//! - [`alpha_beta_duo_plain`] is Algorithm 2 exactly as printed;
//! - [`alpha_beta_duo_published`] adds the refinement that the paper's experiments used and
//!   describes in one sentence: on leaving a node, combine the intervals known of all its children,
//!   from the cache, a leaf's value or the heuristic;
//! - [`alpha_beta_duo()`] is the engine a user gets. It *looks before it descends* (enhanced
//!   transposition cutoffs, seen through a window of a lattice): on entering a node it reads what
//!   is known of each child, takes in what is settled, and descends only into the rest, the child
//!   of the best bound first. It does not remember nodes that can be reached in one way only. On
//!   random graphs (d = 15, v = 10, b = 10) that makes a tenth of the visits of the plain form. And
//!   it keeps bounds no longer than the window needs, where elements are lists: over families of
//!   sets they can grow to thousands of sets otherwise.
//!
//! The parts have files of their own: `refine.rs`, `look.rs`, `shared_only.rs` and `narrow.rs`;
//! this file is Algorithm 2 without them, line by line.
//!
//! Invariant: in every frame `lower <= v(n) <= upper` at every moment. The bound on the other side
//! is collected in `far`, and counts only if no child was skipped. So a stop anywhere leaves a true
//! interval and a coherent cache.
//!
//! Needs: [`DistributiveLattice`], for the cuts.
//!
//! Cost: an entry of two values for each inner node visited; per visit two or three lattice
//! operations and a comparison.
//!
//! Source: Li, Zanuttini, Cazenave, Ventos (2022), Algorithm 2, Propositions 2 and 3, Corollary 2.
//! Enhanced transposition cutoffs: Schaeffer, Plaat (1996).

mod frame;
mod look;
mod narrow;
mod refine;
mod shared_only;

use meetjoin_dag::{AndOrDag, Heuristic as _, Kind, Valuation};
use meetjoin_lattice::{DistributiveLattice, ElemOf, Interval, Stop, Within};

use crate::depth_first::driver::{Bounds, Frame, Pair, Search, Technique};
use crate::depth_first::sides::Sides;
use crate::{Observer as _, Outcome, Slot, Store, Tools, Window};

use frame::Local;
use look::{Looking, take_shared};
use narrow::narrow;
use refine::refine;
use shared_only::Remembered;

/// The optional parts of alpha-beta duo. None of them changes a value; each can be switched off, to
/// measure its effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // independent switches
pub struct Duo {
    /// On leaving a node, combine the intervals known of all its children: the refinement of the
    /// paper's experiments.
    pub refine: bool,
    /// On entering a node, read the intervals known of its children, and descend only into children
    /// that these do not settle.
    pub look: bool,
    /// After a look, visit children in order of their bounds, the best first. Children with equal
    /// bounds, and those of which nothing is known, stay in the order that the graph and
    /// [`Env::order`](crate::Env::order) give.
    pub order: bool,
    /// Remember only nodes that can be reached in more than one way ([`AndOrDag::is_shared`]).
    pub shared_only: bool,
    /// Keep no more than the window shows of the bound that takes all children:
    /// [`Lattice::shorten`](meetjoin_lattice::Lattice::shorten).
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
    /// The default: all parts that have proved to help.
    pub const DEFAULT: Self = Self {
        refine: false,
        look: true,
        order: true,
        shared_only: true,
        narrow: true,
    };
    /// The default with a cache entry for every node, for searches from node after node, and for
    /// explanations that read the cache afterwards.
    pub const EVERYWHERE: Self = Self {
        shared_only: false,
        ..Self::DEFAULT
    };
}

impl Default for Duo {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The default engine: alpha-beta duo with everything that has proved to help. The store holds
/// intervals.
///
/// On a window other than bottom to top, [`Outcome::clipped`] is what the window shows of the
/// value.
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
pub fn alpha_beta_duo<D, V, T>(
    dag: &D,
    valuation: &V,
    window: &Window<ElemOf<V::Lattice>>,
    env: &mut T,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: DistributiveLattice>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, Interval<ElemOf<V::Lattice>>>>,
{
    alpha_beta_duo_as(dag, valuation, window, Duo::DEFAULT, env)
}

/// Algorithm 2 with the refinement of the paper's experiments. The store holds intervals.
pub fn alpha_beta_duo_published<D, V, T>(
    dag: &D,
    valuation: &V,
    window: &Window<ElemOf<V::Lattice>>,
    env: &mut T,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: DistributiveLattice>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, Interval<ElemOf<V::Lattice>>>>,
{
    alpha_beta_duo_as(dag, valuation, window, Duo::PUBLISHED, env)
}

/// Algorithm 2 exactly as printed. The store holds intervals.
pub fn alpha_beta_duo_plain<D, V, T>(
    dag: &D,
    valuation: &V,
    window: &Window<ElemOf<V::Lattice>>,
    env: &mut T,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: DistributiveLattice>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, Interval<ElemOf<V::Lattice>>>>,
{
    alpha_beta_duo_as(dag, valuation, window, Duo::PLAIN, env)
}

/// Algorithm 2 with the parts that `duo` switches on. The store holds intervals.
pub fn alpha_beta_duo_as<D, V, T>(
    dag: &D,
    valuation: &V,
    window: &Window<ElemOf<V::Lattice>>,
    how: Duo,
    env: &mut T,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: DistributiveLattice>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, Interval<ElemOf<V::Lattice>>>>,
{
    let mut search = Search::new(dag, valuation, env);
    let mut technique = AlphaBetaDuo {
        how,
        remembered: Remembered {
            shared_only: how.shared_only,
            // Entries left by other threads may be of this search.
            goes_on: search.store.in_progress().is_none() && !search.store.is_empty(),
        },
        looking: Looking::new(how.order),
        scratch: search.bottom.clone(),
    };
    let mut caller = technique.blank(&search);
    caller.alpha.clone_from(&window.alpha);
    caller.beta.clone_from(&window.beta);
    let l = search.l;
    let (value, stop) = search.run(&mut technique, caller, |c| Interval::new(c.lower, c.far));
    Outcome::of_bounds(l, window, value, stop)
}

/// An open node of a search.
type FrameOf<D, V> =
    Frame<<D as AndOrDag>::Node, Local<ElemOf<<V as Valuation<<D as AndOrDag>::Node>>::Lattice>>>;

struct AlphaBetaDuo<E> {
    how: Duo,
    remembered: Remembered,
    looking: Looking,
    /// Holds a bound under construction that is not yet valid in a frame.
    scratch: E,
}

impl<D, V, T> Technique<D, V, T> for AlphaBetaDuo<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: DistributiveLattice>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, Interval<ElemOf<V::Lattice>>>>,
{
    type Local = Local<ElemOf<V::Lattice>>;
    type Entry = Interval<ElemOf<V::Lattice>>;

    const SHARES: bool = true;

    /// The state of the root's caller: an OR node without any bounds.
    fn blank(&self, search: &Search<'_, D, V, T>) -> Self::Local {
        Local {
            alpha: search.bottom.clone(),
            beta: search.top.clone(),
            lower: search.bottom.clone(),
            upper: search.top.clone(),
            far: search.bottom.clone(),
            slot: Slot::NONE,
        }
    }

    #[inline]
    fn window(parent: &Self::Local) -> Option<Pair<'_, ElemOf<V::Lattice>>> {
        Some((&parent.alpha, &parent.beta))
    }

    /// Lines 2 to 13.
    #[inline]
    fn open(
        &mut self,
        search: &mut Search<'_, D, V, T>,
        parent: &mut Frame<D::Node, Self::Local>,
        node: &D::Node,
        kind: Kind,
        local: &mut Self::Local,
    ) -> Result<bool, Stop> {
        let l = search.l;
        let unknown = self.looking.take_unknown().filter(|_| parent.is_new());
        let (slot, known) = if let Some(slot) = unknown {
            (slot, None)
        } else {
            let is_large = parent.is_shared_out();
            self.remembered
                .get(search.dag, search.store, node, is_large)
        };
        let mut is_known = true;
        match known.as_deref() {
            Some(Interval::Exact(value)) => {
                search.observer.cache_hit(node);
                Technique::<D, V, T>::answer(
                    self,
                    l,
                    search.observer,
                    parent,
                    node,
                    (value, value),
                )?;
                return Ok(false);
            }
            Some(Interval::Between { lower, upper }) => {
                local.lower.clone_from(lower);
                local.upper.clone_from(upper);
            }
            None => match search.heuristic.bounds(l.lattice, node, l.budget)? {
                Some(Interval::Exact(value)) => {
                    Technique::<D, V, T>::answer(
                        self,
                        l,
                        search.observer,
                        parent,
                        node,
                        (&value, &value),
                    )?;
                    return Ok(false);
                }
                Some(Interval::Between { lower, upper }) => {
                    (local.lower, local.upper) = (lower, upper);
                }
                None => {
                    local.lower.clone_from(&search.bottom);
                    local.upper.clone_from(&search.top);
                    is_known = false;
                }
            },
        }
        local.slot = slot;
        local.far.clone_from(search.start(kind));
        local.alpha.clone_from(&parent.local.alpha);
        local.beta.clone_from(&parent.local.beta);
        l.join(&mut local.alpha, &local.lower)?;
        l.meet(&mut local.beta, &local.upper)?;
        if self.how.look && is_known && l.leq(&local.beta, &local.alpha)? {
            // The window has become narrower since the parent's look.
            let bounds = (&local.lower, &local.upper);
            Technique::<D, V, T>::answer(self, l, search.observer, parent, node, bounds)?;
            return Ok(false);
        }
        Ok(true)
    }

    #[inline]
    fn look(
        &mut self,
        search: &mut Search<'_, D, V, T>,
        frame: &mut Frame<D::Node, Self::Local>,
        children: &mut Vec<D::Node>,
        first: usize,
    ) -> Result<(), Stop> {
        if !self.how.look {
            return Ok(());
        }
        let (remembered, scratch) = (&self.remembered, &mut self.scratch);
        self.looking
            .look(search, remembered, scratch, frame, children, first)
    }

    fn take_shared(
        &mut self,
        search: &mut Search<'_, D, V, T>,
        parent: &mut Frame<D::Node, Self::Local>,
        child: &D::Node,
    ) -> Result<bool, Stop> {
        take_shared(search, &mut self.scratch, parent, child)
    }

    /// Line 16.
    #[inline]
    fn cut(
        &mut self,
        search: &Search<'_, D, V, T>,
        _: &[Frame<D::Node, Self::Local>],
        frame: &mut Frame<D::Node, Self::Local>,
    ) -> Result<bool, Stop> {
        search.l.leq(&frame.local.beta, &frame.local.alpha)
    }

    /// Lines 23 to 30.
    #[inline]
    fn absorb(
        &self,
        l: Within<'_, V::Lattice>,
        parent: &mut Frame<D::Node, Self::Local>,
        lower: &ElemOf<V::Lattice>,
        upper: &ElemOf<V::Lattice>,
    ) -> Result<(), Stop> {
        parent.absorb(l, lower, upper)
    }

    /// Lines 31 to 33, and 17 to 20: after a cut, the bound of the other side is the one that was
    /// known before.
    #[inline]
    fn close(
        &mut self,
        search: &mut Search<'_, D, V, T>,
        _: &mut Frame<D::Node, Self::Local>,
        frame: &mut Frame<D::Node, Self::Local>,
        children: &[D::Node],
        cut: bool,
    ) -> Result<(), Stop> {
        let l = search.l;
        if !cut {
            if self.how.narrow {
                narrow(l, frame)?;
            }
            let local = &mut frame.local;
            match frame.kind {
                Kind::And => l.join(&mut local.lower, &local.far)?,
                Kind::Or | Kind::Leaf => l.meet(&mut local.upper, &local.far)?,
            }
        }
        if self.how.refine {
            // Children settled by a look are no longer in the list.
            let far = if self.how.look {
                &frame.local.far
            } else {
                search.start(frame.kind)
            };
            self.scratch.clone_from(far);
            refine(search, frame, &mut self.scratch, children)?;
        }
        if frame.is_shared_out() {
            merge(search, frame)?;
        }
        if self
            .remembered
            .keeps(search.dag, &frame.node, frame.is_shared_out())
        {
            let Local {
                lower, upper, slot, ..
            } = &frame.local;
            let interval = Interval::new(lower.clone(), upper.clone());
            search.store.put(*slot, &frame.node, interval, l.budget)?;
        }
        Ok(())
    }

    /// Line 34.
    #[inline]
    fn result(local: &Self::Local) -> Pair<'_, ElemOf<V::Lattice>> {
        (&local.lower, &local.upper)
    }

    fn partial(
        &self,
        l: Within<'_, V::Lattice>,
        frame: &Frame<D::Node, Self::Local>,
        below: Option<&Bounds<ElemOf<V::Lattice>>>,
        rest: impl ExactSizeIterator<Item = Option<Bounds<ElemOf<V::Lattice>>>>,
    ) -> Bounds<ElemOf<V::Lattice>> {
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
        sides.add(below, rest);
        let mut other = other.clone();
        if let Some(far) = &sides.far {
            // An operation that stops half way leaves a valid bound all the same.
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
}

/// Merges what other threads have stored of a node into its bounds, so that no better entry is
/// overwritten.
#[cold]
fn merge<D, V, T>(search: &Search<'_, D, V, T>, frame: &mut FrameOf<D, V>) -> Result<(), Stop>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: DistributiveLattice>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, Interval<ElemOf<V::Lattice>>>>,
{
    let (l, local) = (search.l, &mut frame.local);
    if local.lower != local.upper
        && let Some(known) = search.store.get(&frame.node).1
    {
        l.join(&mut local.lower, known.lower())?;
        l.meet(&mut local.upper, known.upper())?;
    }
    Ok(())
}
