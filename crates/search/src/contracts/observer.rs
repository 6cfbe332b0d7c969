//! Observers: counters, traces and progress, which cost nothing when absent.
//!
//! A search notifies its observer of every event; `()` ignores all events and compiles to nothing.
//! A pair of observers is an observer.

use std::cell::RefCell;
use std::hash::Hash;
use std::marker::PhantomData;

use ahash::RandomState;
use hashbrown::HashSet;

use crate::Entries;
use crate::contracts::proof_numbers::ProofNumbers;

/// The result of a search for one node.
#[derive(Debug, PartialEq, Eq)]
pub enum Exit<'a, E> {
    /// A value that need not be a bound of the node's own value, as alpha-beta returns it.
    Value(&'a E),
    /// A lower and an upper bound of the node's value.
    Bounds(&'a E, &'a E),
}

impl<E> Clone for Exit<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Exit<'_, E> {}

/// The procedure of SSS-2 that visits a node (Pijls and de Bruin, Figures 5 and 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// Looks for the first solution tree below a bound.
    Expand,
    /// Looks for the next solution tree, where there is one already.
    Diminish,
}

/// The state of a search in progress.
#[derive(Debug)]
pub struct Progress<'a, E> {
    /// Visits and probes so far, over all searches that share the budget.
    pub visits: u64,
    /// The number of entries in the store.
    pub entries: usize,
    /// A lower bound of the root's value within the window.
    pub lower: &'a E,
    /// An upper bound of the root's value within the window.
    pub upper: &'a E,
}

impl<E> Clone for Progress<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Progress<'_, E> {}

/// Receives the events of a search over nodes `N` with values `E`. Every method does nothing by
/// default.
pub trait Observer<N, E> {
    /// A node is visited. This is each recursive call of the paper, including those that the cache
    /// answers. `window` is the caller's (alpha, beta), if the algorithm has one.
    #[inline]
    fn enter(&mut self, _node: &N, _window: Option<(&E, &E)>) {}

    /// A node is visited by a procedure of SSS-2, which asks for a value less than `bound`, or for
    /// any where there is no bound.
    #[inline]
    fn enter_call(&mut self, node: &N, _call: Call, _bound: Option<&E>) {
        self.enter(node, None);
    }

    /// A node is visited by a search for bounds in a simpler lattice.
    #[inline]
    fn enter_relaxed(&mut self, _node: &N) {}

    /// The value of the root is at most this; in the dual searches, at least this. SSS-2 and MTD(f)
    /// report ever closer bounds.
    #[inline]
    fn milestone(&mut self, _upper: &E) {}

    /// The node just entered is a leaf and was evaluated. Proof searches also evaluate leaves
    /// without entering them.
    #[inline]
    fn leaf(&mut self, _node: &N) {}

    /// The node just entered was answered exactly by the cache.
    #[inline]
    fn cache_hit(&mut self, _node: &N) {}

    /// The interval of a child was read without entering it.
    #[inline]
    fn probe(&mut self, _child: &N) {}

    /// The loop over the children of `node` was left with `skipped` of them unvisited.
    #[inline]
    fn cutoff(&mut self, _node: &N, _skipped: usize) {}

    /// A node is left.
    #[inline]
    fn exit(&mut self, _node: &N, _result: Exit<'_, E>) {}

    /// Called every few hundred visits (at checkpoints of the budget, except those that fall on a
    /// probe). On `true`, the search computes bounds of the root, which takes time proportional to
    /// its depth, and calls [`progress`](Self::progress).
    #[inline]
    fn wants_progress(&mut self) -> bool {
        false
    }

    /// The state of the search.
    fn progress(&mut self, _progress: Progress<'_, E>) {}

    /// Called as often as [`wants_progress`](Self::wants_progress). On `true`, the search calls
    /// [`entries`](Self::entries) at once.
    #[inline]
    fn wants_entries(&mut self) -> bool {
        false
    }

    /// The entries of the search's cache.
    fn entries(&mut self, _entries: &dyn Entries<N, E>) {}

    /// The proof and disproof numbers of the root, in a search that has them; called after
    /// [`progress`](Self::progress).
    fn proof_numbers(&mut self, _root: ProofNumbers) {}
}

/// An event as a value, for observers that forward events: each method of [`Observer`] but
/// `wants_progress`, `wants_entries` and `entries`.
pub(crate) enum Event<'a, N, E> {
    Enter(&'a N, Option<(&'a E, &'a E)>),
    EnterCall(&'a N, Call, Option<&'a E>),
    EnterRelaxed(&'a N),
    Milestone(&'a E),
    Leaf(&'a N),
    CacheHit(&'a N),
    Probe(&'a N),
    Cutoff(&'a N, usize),
    Exit(&'a N, Exit<'a, E>),
    Progress(Progress<'a, E>),
    ProofNumbers(ProofNumbers),
}

impl<N, E> Clone for Event<'_, N, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<N, E> Copy for Event<'_, N, E> {}

impl<'a, N, E> Event<'a, N, E> {
    /// Notifies an observer.
    #[inline(always)]
    #[allow(clippy::inline_always)] // see `tell_of`
    pub(crate) fn tell<O: Observer<N, E> + ?Sized>(self, observer: &mut O) {
        self.tell_of(|node| node, observer);
    }

    /// Notifies an observer of another type of nodes. Always inlined, which removes the match, as
    /// events are constructed at the call. Without inlining, calls took a third of the time of
    /// alpha-beta on racing in sets.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    pub(crate) fn tell_of<M, O>(self, of: impl Fn(&'a N) -> &'a M, to: &mut O)
    where
        M: 'a,
        O: Observer<M, E> + ?Sized,
    {
        match self {
            Self::Enter(node, window) => to.enter(of(node), window),
            Self::EnterCall(node, call, bound) => to.enter_call(of(node), call, bound),
            Self::EnterRelaxed(node) => to.enter_relaxed(of(node)),
            Self::Milestone(upper) => to.milestone(upper),
            Self::Leaf(node) => to.leaf(of(node)),
            Self::CacheHit(node) => to.cache_hit(of(node)),
            Self::Probe(child) => to.probe(of(child)),
            Self::Cutoff(node, skipped) => to.cutoff(of(node), skipped),
            Self::Exit(node, result) => to.exit(of(node), result),
            Self::Progress(progress) => to.progress(progress),
            Self::ProofNumbers(root) => to.proof_numbers(root),
        }
    }
}

/// All methods of a forwarding observer. Its arguments: whether progress is wanted, what to do with
/// an event, and whether entries are wanted and what to do with them; or that entries have other
/// nodes or values and are not forwarded.
macro_rules! relay {
    ($self:ident, $event:ident: Event<$node:ty, $value:ty>, $wants:expr, $on:expr,
     entries($entries:ident): $wants_entries:expr, $on_entries:expr) => {
        relay!($self, $event: Event<$node, $value>, $wants, $on, no entries);

        #[inline]
        fn wants_entries(&mut $self) -> bool {
            $wants_entries
        }

        fn entries(&mut $self, $entries: &dyn $crate::Entries<$node, $value>) {
            $on_entries;
        }
    };
    ($self:ident, $event:ident: Event<$node:ty, $value:ty>, $wants:expr, $on:expr, no entries) => {
        relay!(@ $self, $event, $node, $value, $on,
            enter(node: &$node, window: Option<(&$value, &$value)>) Enter,
            enter_call(node: &$node, call: $crate::contracts::observer::Call, bound: Option<&$value>) EnterCall,
            enter_relaxed(node: &$node) EnterRelaxed,
            milestone(upper: &$value) Milestone,
            leaf(node: &$node) Leaf,
            cache_hit(node: &$node) CacheHit,
            probe(child: &$node) Probe,
            cutoff(node: &$node, skipped: usize) Cutoff,
            exit(node: &$node, result: $crate::contracts::observer::Exit<'_, $value>) Exit,
            progress(progress: $crate::contracts::observer::Progress<'_, $value>) Progress,
            proof_numbers(root: $crate::contracts::proof_numbers::ProofNumbers) ProofNumbers);

        #[inline]
        fn wants_progress(&mut $self) -> bool {
            $wants
        }
    };
    (@ $self:ident, $event:ident, $node:ty, $value:ty, $on:expr, $($method:ident($($arg:ident: $ty:ty),*) $name:ident),*) => {
        $(#[inline(always)]
        #[allow(clippy::inline_always)] // see `Event::tell_of`
        fn $method(&mut $self, $($arg: $ty),*) {
            let $event = $crate::contracts::observer::Event::<'_, $node, $value>::$name($($arg),*);
            $on
        })*
    };
}
pub(crate) use relay;

/// Adapts an observer of values `E` to a search in another lattice over the same nodes: only nodes
/// are forwarded, and no values.
pub struct Nodes<O, E> {
    observer: O,
    for_bounds: bool,
    values: PhantomData<fn(&E)>,
}

impl<O, E> Nodes<O, E> {
    /// Forwards visits, leaves, cache hits, probes and cutoffs.
    pub fn new(observer: O) -> Self {
        Self {
            observer,
            for_bounds: false,
            values: PhantomData,
        }
    }

    /// Adapts an observer to searches for bounds: visits are forwarded as relaxed visits, probes as
    /// probes.
    pub fn for_bounds(observer: O) -> Self {
        Self {
            for_bounds: true,
            ..Self::new(observer)
        }
    }
}

impl<N, E, F, O: Observer<N, E>> Observer<N, F> for Nodes<O, E> {
    relay!(self, event: Event<N, F>, false, {
        let (to, for_bounds) = (&mut self.observer, self.for_bounds);
        match event {
            Event::Enter(node, _) | Event::EnterCall(node, ..) if for_bounds => to.enter_relaxed(node),
            Event::Enter(node, _) | Event::EnterCall(node, ..) => to.enter(node, None),
            Event::Probe(child) => to.probe(child),
            Event::Leaf(node) if !for_bounds => to.leaf(node),
            Event::CacheHit(node) if !for_bounds => to.cache_hit(node),
            Event::Cutoff(node, skipped) if !for_bounds => to.cutoff(node, skipped),
            Event::Leaf(_)
            | Event::CacheHit(_)
            | Event::Cutoff(..)
            | Event::EnterRelaxed(_)
            | Event::Milestone(_)
            | Event::Exit(..)
            | Event::Progress(_)
            | Event::ProofNumbers(_) => {}
        }
    }, no entries);
}

/// Ignores everything.
impl<N, E> Observer<N, E> for () {}

impl<N, E, O: Observer<N, E> + ?Sized> Observer<N, E> for &mut O {
    relay!(self, event: Event<N, E>, (**self).wants_progress(), event.tell(&mut **self),
        entries(known): (**self).wants_entries(), (**self).entries(known));
}

/// An observer that a search shares with another search inside it.
impl<N, E, O: Observer<N, E>> Observer<N, E> for &RefCell<O> {
    relay!(self, event: Event<N, E>, self.borrow_mut().wants_progress(), {
        event.tell(&mut *self.borrow_mut());
    }, entries(known): self.borrow_mut().wants_entries(), self.borrow_mut().entries(known));
}

/// An observer whose presence is known at run time only.
impl<N, E, O: Observer<N, E>> Observer<N, E> for Option<O> {
    relay!(self, event: Event<N, E>, self.as_mut().is_some_and(O::wants_progress), {
        if let Some(observer) = self {
            event.tell(observer);
        }
    }, entries(known): self.as_mut().is_some_and(O::wants_entries), {
        if let Some(observer) = self {
            observer.entries(known);
        }
    });
}

impl<N, E, A: Observer<N, E>, B: Observer<N, E>> Observer<N, E> for (A, B) {
    relay!(self, event: Event<N, E>, self.0.wants_progress() | self.1.wants_progress(), {
        event.tell(&mut self.0);
        event.tell(&mut self.1);
    }, entries(known): self.0.wants_entries() | self.1.wants_entries(), {
        self.0.entries(known);
        self.1.entries(known);
    });
}

/// Counters of one search, as the answer format defines them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Every recursive call: the root, leaves, repeats, and calls that the cache answers.
    pub visits: u64,
    /// Visits of leaf nodes, repeats included.
    pub leaves: u64,
    /// Loops left with children unvisited.
    pub cutoffs: u64,
    /// Visits that the cache answered exactly.
    pub cache_hits: u64,
    /// Intervals of children read without entering them.
    pub probes: u64,
    /// Visits of searches for bounds in a simpler lattice; not part of `visits`.
    pub relaxed_visits: u64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.visits += other.visits;
        self.leaves += other.leaves;
        self.cutoffs += other.cutoffs;
        self.cache_hits += other.cache_hits;
        self.probes += other.probes;
        self.relaxed_visits += other.relaxed_visits;
    }
}

impl<N, E> Observer<N, E> for Counts {
    #[inline]
    fn enter(&mut self, _: &N, _: Option<(&E, &E)>) {
        self.visits += 1;
    }

    #[inline]
    fn enter_relaxed(&mut self, _: &N) {
        self.relaxed_visits += 1;
    }

    #[inline]
    fn leaf(&mut self, _: &N) {
        self.leaves += 1;
    }

    #[inline]
    fn cache_hit(&mut self, _: &N) {
        self.cache_hits += 1;
    }

    #[inline]
    fn probe(&mut self, _: &N) {
        self.probes += 1;
    }

    #[inline]
    fn cutoff(&mut self, _: &N, _: usize) {
        self.cutoffs += 1;
    }
}

/// Nodes inserted into the set of visited ones in one batch, so that their cache misses overlap.
/// Connect Four on 5 by 6 takes 0.82 of the time without batches, on two threads 0.74.
const TOGETHER: usize = 64;

/// The set of nodes visited. It costs time and memory for every node, so it is not part of
/// [`Counts`]. A node is cloned at each visit.
#[derive(Clone, Debug)]
pub struct Visited<N> {
    nodes: HashSet<N, RandomState>,
    /// The last few nodes, not in the set yet.
    last: Vec<N>,
}

impl<N> Default for Visited<N> {
    fn default() -> Self {
        Self {
            nodes: HashSet::with_hasher(crate::caches::table::hasher()),
            last: Vec::with_capacity(TOGETHER),
        }
    }
}

impl<N: Eq + Hash> Visited<N> {
    /// The number of distinct nodes visited.
    pub fn len(&self) -> usize {
        let mut new: HashSet<&N, _> = HashSet::with_hasher(crate::caches::table::hasher());
        new.extend(self.last.iter().filter(|node| !self.nodes.contains(*node)));
        self.nodes.len() + new.len()
    }

    /// Returns whether no node was visited.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.last.is_empty()
    }

    /// Adds the nodes that another search has visited.
    pub fn extend(&mut self, other: Self) {
        // They come in the order of their hashes, and would cluster in a table that grows
        // gradually.
        self.nodes.reserve(other.nodes.len());
        self.nodes.extend(other.nodes);
        self.nodes.extend(other.last);
    }

    /// Returns whether the node was visited.
    pub fn contains(&self, node: &N) -> bool {
        self.nodes.contains(node) || self.last.contains(node)
    }
}

impl<N: Clone + Eq + Hash, E> Observer<N, E> for Visited<N> {
    #[inline]
    fn enter(&mut self, node: &N, _: Option<(&E, &E)>) {
        self.last.push(node.clone());
        if self.last.len() == TOGETHER {
            self.nodes.extend(self.last.drain(..));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts the calls of `entries`.
    #[derive(Default)]
    struct Asking(u32);

    impl Observer<u8, bool> for Asking {
        fn wants_entries(&mut self) -> bool {
            true
        }

        fn entries(&mut self, entries: &dyn Entries<u8, bool>) {
            entries.each(&mut |_, lower, upper| self.0 += u32::from(!lower & upper));
        }
    }

    struct One;

    impl Entries<u8, bool> for One {
        fn each(&self, see: &mut dyn FnMut(&u8, &bool, &bool)) {
            see(&7, &false, &true);
        }
    }

    #[test]
    fn who_hands_on_events_hands_on_what_is_remembered() {
        fn show(observer: &mut impl Observer<u8, bool>) {
            assert!(observer.wants_entries());
            observer.entries(&One);
        }
        let mut pair = (
            Some(Asking::default()),
            (Counts::default(), Asking::default()),
        );
        show(&mut pair);
        show(&mut &mut pair);
        let shared = RefCell::new(pair);
        show(&mut &shared);
        let (first, (_, second)) = shared.into_inner();
        assert_eq!((first.map(|first| first.0), second.0), (Some(3), 3));
        assert!(!Observer::<u8, bool>::wants_entries(&mut None::<Asking>));
    }

    /// Every node twice, with so many others in between.
    #[test]
    fn nodes_are_counted_once_whenever_they_come_again() {
        for nodes in [0, 1, 63, 64, 65, 200] {
            for apart in [1, 7, 64, 150] {
                let (mut visited, mut other) = (Visited::default(), Visited::default());
                let mut seen = HashSet::with_hasher(crate::caches::table::hasher());
                for step in 0_usize..nodes + apart {
                    let again = step.checked_sub(apart).into_iter();
                    for node in again.chain((step < nodes).then_some(step)) {
                        Observer::<usize, ()>::enter(&mut visited, &node, None);
                        Observer::<usize, ()>::enter(&mut other, &(node + 40), None);
                        seen.insert(node);
                        assert_eq!(visited.len(), seen.len());
                        assert!(visited.contains(&node) && !visited.contains(&nodes));
                    }
                }
                assert_eq!(visited.is_empty(), nodes == 0);
                visited.extend(other);
                assert_eq!(visited.len(), nodes + nodes.min(40));
            }
        }
    }
}
