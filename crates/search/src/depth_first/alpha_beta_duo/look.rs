//! Look before you descend: enhanced transposition cutoffs, seen through a window of a lattice.
//!
//! On entering a node, the known interval of each child is read. A child that is settled, as far as
//! the window shows, is absorbed at once and not visited; the intervals of the other children
//! narrow the window, and the child with the best bound comes first.
//!
//! Source: Schaeffer, Plaat (1996).

use meetjoin_dag::{AndOrDag, Heuristic as _, Kind, Valuation};
use meetjoin_lattice::{ElemOf, Interval, Lattice, Stop, Within};

use super::frame::Local;
use super::shared_only::Remembered;
use crate::depth_first::driver::{Frame, Search};
use crate::{Observer as _, Slot, Store, Tools};

/// Scratch space and results of a look.
pub(super) struct Looking {
    /// Whether the child with the best bound comes first.
    order: bool,
    /// The promises of the unsettled children, with their places.
    promises: Vec<(Promise, u32)>,
    /// The slot of the first child of the node just looked at, if the store does not know that
    /// child, which saves a second look-up.
    unknown: Option<Slot>,
}

impl Looking {
    pub(super) fn new(order: bool) -> Self {
        Self {
            order,
            promises: Vec::new(),
            unknown: None,
        }
    }

    #[inline]
    pub(super) fn take_unknown(&mut self) -> Option<Slot> {
        self.unknown.take()
    }

    /// Reads the intervals known of `children[first..]` before any of them is visited, and removes
    /// the children that need no visit.
    #[inline]
    pub(super) fn look<D, V, T>(
        &mut self,
        search: &mut Search<'_, D, V, T>,
        remembered: &Remembered,
        scratch: &mut ElemOf<V::Lattice>,
        frame: &mut Frame<D::Node, Local<ElemOf<V::Lattice>>>,
        children: &mut Vec<D::Node>,
        first: usize,
    ) -> Result<(), Stop>
    where
        D: AndOrDag,
        V: Valuation<D::Node>,
        T: Tools<D::Node, V::Lattice, Store: Store<D::Node, Interval<ElemOf<V::Lattice>>>>,
    {
        let (mut open, mut looked) = (first, first);
        let mut in_order = true;
        self.promises.clear();
        self.unknown = None;
        while looked < children.len() && !search.l.leq(&frame.local.beta, &frame.local.alpha)? {
            let promise = match settle(search, remembered, scratch, frame, &children[looked])? {
                Seen::Settled => None,
                Seen::Between(promise) => Some(promise),
                Seen::Unknown(slot) => {
                    if open == first {
                        // It stays the first child: no promise is earlier.
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
            // The window is closed: the remaining children will not be visited.
            children.drain(open..looked);
        }
        if self.order && !in_order {
            arrange(&mut children[first..open], &mut self.promises);
        }
        if all_looked_at && open > first + 1 {
            search.dag.prefetch(&children[first..]);
        }
        Ok(())
    }
}

/// The result of a look at a child.
enum Seen {
    /// A visit would add nothing.
    Settled,
    /// It has bounds, which give its position among its siblings.
    Between(Promise),
    /// Nothing is known of it. Its slot in the store.
    Unknown(Slot),
}

/// The key by which children are sorted, in ascending order.
type Promise = (u64, u64);

/// The key of a child of which nothing is known: it may be the top, or the bottom.
const UNKNOWN: Promise = (0, 0);

/// Sorts children by their promises, stably. It sorts numbers, so that no sort is compiled for
/// nodes.
fn arrange<N>(children: &mut [N], promises: &mut [(Promise, u32)]) {
    promises.sort_unstable();
    // Applies each cycle of the permutation by swaps; a finished place holds its own number.
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

/// Combines what is known of a child with its parent.
#[inline]
fn settle<D, V, T>(
    search: &mut Search<'_, D, V, T>,
    remembered: &Remembered,
    scratch: &mut ElemOf<V::Lattice>,
    parent: &mut Frame<D::Node, Local<ElemOf<V::Lattice>>>,
    child: &D::Node,
) -> Result<Seen, Stop>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, Interval<ElemOf<V::Lattice>>>>,
{
    let l = search.l;
    l.budget.visit()?;
    search.observer.probe(child);
    if search.dag.kind(child) == Kind::Leaf {
        let value = search.valuation.leaf(child);
        parent.absorb(l, &value, &value)?;
        return Ok(Seen::Settled);
    }
    let (slot, stored) = remembered.get(search.dag, search.store, child, parent.is_shared_out());
    let bounds;
    let known = if let Some(known) = stored.as_deref() {
        Some(known)
    } else {
        bounds = search.heuristic.bounds(l.lattice, child, l.budget)?;
        bounds.as_ref()
    };
    match known {
        None => Ok(Seen::Unknown(slot)),
        Some(known) => {
            let promise = take_in(l, scratch, parent, known)?;
            Ok(promise.map_or(Seen::Settled, Seen::Between))
        }
    }
}

/// Combines what other threads have found of a child with its parent; returns whether that settles
/// the child.
pub(super) fn take_shared<D, V, T>(
    search: &mut Search<'_, D, V, T>,
    scratch: &mut ElemOf<V::Lattice>,
    parent: &mut Frame<D::Node, Local<ElemOf<V::Lattice>>>,
    child: &D::Node,
) -> Result<bool, Stop>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, Interval<ElemOf<V::Lattice>>>>,
{
    match search.store.get(child).1.as_deref() {
        None => Ok(false),
        Some(known) => Ok(take_in(search.l, scratch, parent, known)?.is_none()),
    }
}

/// Combines an interval of a child with its parent. If that does not settle the child, returns its
/// position among its siblings: the greatest upper bound first at OR nodes, the least lower bound
/// first at AND nodes.
#[inline]
fn take_in<L: Lattice, N>(
    l: Within<'_, L>,
    scratch: &mut L::Elem,
    parent: &mut Frame<N, Local<L::Elem>>,
    known: &Interval<L::Elem>,
) -> Result<Option<Promise>, Stop> {
    let (lower, upper) = match known {
        Interval::Exact(value) => {
            parent.absorb(l, value, value)?;
            return Ok(None);
        }
        Interval::Between { lower, upper } => (lower, upper),
    };
    // The bounds that a visit of the child would begin with: do they leave anything open?
    let (local, is_and) = (&mut parent.local, parent.kind == Kind::And);
    scratch.clone_from(if is_and { lower } else { upper });
    let settled = if is_and {
        l.meet(&mut local.upper, upper)?;
        l.meet(&mut local.beta, upper)?;
        l.join(scratch, &local.alpha)?;
        l.leq(&local.beta, scratch)?
    } else {
        l.join(&mut local.lower, lower)?;
        l.join(&mut local.alpha, lower)?;
        l.meet(scratch, &local.beta)?;
        l.leq(scratch, &local.alpha)?
    };
    if !settled {
        let (low, high) = (l.lattice.rank(lower), l.lattice.rank(upper));
        return Ok(Some(if is_and { (low, high) } else { (!high, !low) }));
    }
    if is_and {
        l.meet(&mut local.far, lower)?;
    } else {
        l.join(&mut local.far, upper)?;
    }
    Ok(None)
}
