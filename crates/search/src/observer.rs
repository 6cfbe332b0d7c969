//! Observers: counters, traces and progress, passed in from outside and free when absent.
//!
//! A search tells its observer of every event; `()` ignores them all and compiles to nothing. Two observers side by side are a pair.

use std::cell::RefCell;
use std::hash::Hash;
use std::marker::PhantomData;

use ahash::RandomState;
use hashbrown::HashSet;

use crate::proof::ProofNumbers;

/// What a search returns for one node.
#[derive(Debug, PartialEq, Eq)]
pub enum Exit<'a, E> {
    /// A value that need not be a bound of the node's own value: what alpha-beta returns.
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

/// Which procedure of SSS-2 visits a node (Pijls and de Bruin, Figures 5 and 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// Looks for the first solution tree below a bound.
    Expand,
    /// Looks for the next one, where there is one already.
    Diminish,
}

/// A moment in the middle of a search.
#[derive(Debug)]
pub struct Progress<'a, E> {
    /// Visits and probes so far, over all searches that share the budget.
    pub visits: u64,
    /// Entries in the store.
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

/// Told of the events of a search over nodes `N` with values `E`. Every method does nothing unless overridden.
pub trait Observer<N, E> {
    /// A node is visited: every recursive call of the paper, those that the cache answers included. `window` is the caller's
    /// (alpha, beta), if the algorithm has one.
    #[inline]
    fn enter(&mut self, _node: &N, _window: Option<(&E, &E)>) {}

    /// A node is visited by a procedure of SSS-2, which asks for a value less than `bound`, or for any where there is no bound.
    #[inline]
    fn enter_call(&mut self, node: &N, _call: Call, _bound: Option<&E>) {
        self.enter(node, None);
    }

    /// A node is visited by a search for bounds in a simpler lattice.
    #[inline]
    fn enter_relaxed(&mut self, _node: &N) {}

    /// The value of the root is at most this; in the dual searches, at least this. SSS-2 and MTD(f) come ever closer.
    #[inline]
    fn milestone(&mut self, _upper: &E) {}

    /// The node just entered is a leaf and was evaluated. Searches for proofs evaluate leaves also without entering them.
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

    /// Asked every few hundred visits (a checkpoint of the budget that falls on a probe is passed over). On `true`, the search works out the root's bounds, which takes time proportional to its
    /// depth, and calls [`progress`](Self::progress).
    #[inline]
    fn wants_progress(&mut self) -> bool {
        false
    }

    /// Where the search is.
    fn progress(&mut self, _progress: Progress<'_, E>) {}

    /// What is still to be found out to prove or disprove the root, in a search by such numbers; called after [`progress`](Self::progress).
    fn proof_numbers(&mut self, _root: ProofNumbers) {}
}

/// Who watches values `E`, for a search in another lattice over the same nodes: it is told of the nodes and of no value.
pub(crate) struct Nodes<O, E> {
    observer: O,
    for_bounds: bool,
    values: PhantomData<fn(&E)>,
}

impl<O, E> Nodes<O, E> {
    pub(crate) fn new(observer: O) -> Self {
        Self {
            observer,
            for_bounds: false,
            values: PhantomData,
        }
    }

    /// The same for searches for bounds, of which visits are told as such, and probes.
    pub(crate) fn for_bounds(observer: O) -> Self {
        Self {
            for_bounds: true,
            ..Self::new(observer)
        }
    }
}

impl<N, E, F, O: Observer<N, E>> Observer<N, F> for Nodes<O, E> {
    #[inline]
    fn enter(&mut self, node: &N, _: Option<(&F, &F)>) {
        if self.for_bounds {
            self.observer.enter_relaxed(node);
        } else {
            self.observer.enter(node, None);
        }
    }

    #[inline]
    fn leaf(&mut self, node: &N) {
        if !self.for_bounds {
            self.observer.leaf(node);
        }
    }

    #[inline]
    fn cache_hit(&mut self, node: &N) {
        if !self.for_bounds {
            self.observer.cache_hit(node);
        }
    }

    #[inline]
    fn probe(&mut self, child: &N) {
        self.observer.probe(child);
    }

    #[inline]
    fn cutoff(&mut self, node: &N, skipped: usize) {
        if !self.for_bounds {
            self.observer.cutoff(node, skipped);
        }
    }
}

/// Sees nothing.
impl<N, E> Observer<N, E> for () {}

/// Hands every event on to the observers named by expressions of `self`.
macro_rules! hand_on {
    (@ $self:ident, $method:ident($($arg:expr),*), pair) => {
        $self.0.$method($($arg),*);
        $self.1.$method($($arg),*)
    };
    (@ $self:ident, $method:ident($($arg:expr),*), shared) => {
        $self.0.borrow_mut().$method($($arg),*)
    };
    (@ $self:ident, $method:ident($($arg:expr),*), option) => {
        if let Some(observer) = $self {
            observer.$method($($arg),*);
        }
    };
    (@ $self:ident, $method:ident($($arg:expr),*), reference) => {
        (**$self).$method($($arg),*)
    };
    ($to:ident) => {
        #[inline]
        fn enter(&mut self, node: &N, window: Option<(&E, &E)>) {
            hand_on!(@ self, enter(node, window), $to);
        }

        #[inline]
        fn enter_call(&mut self, node: &N, call: Call, bound: Option<&E>) {
            hand_on!(@ self, enter_call(node, call, bound), $to);
        }

        #[inline]
        fn enter_relaxed(&mut self, node: &N) {
            hand_on!(@ self, enter_relaxed(node), $to);
        }

        #[inline]
        fn milestone(&mut self, upper: &E) {
            hand_on!(@ self, milestone(upper), $to);
        }

        #[inline]
        fn leaf(&mut self, node: &N) {
            hand_on!(@ self, leaf(node), $to);
        }

        #[inline]
        fn cache_hit(&mut self, node: &N) {
            hand_on!(@ self, cache_hit(node), $to);
        }

        #[inline]
        fn probe(&mut self, child: &N) {
            hand_on!(@ self, probe(child), $to);
        }

        #[inline]
        fn cutoff(&mut self, node: &N, skipped: usize) {
            hand_on!(@ self, cutoff(node, skipped), $to);
        }

        #[inline]
        fn exit(&mut self, node: &N, result: Exit<'_, E>) {
            hand_on!(@ self, exit(node, result), $to);
        }

        fn progress(&mut self, progress: Progress<'_, E>) {
            hand_on!(@ self, progress(progress), $to);
        }

        fn proof_numbers(&mut self, root: ProofNumbers) {
            hand_on!(@ self, proof_numbers(root), $to);
        }
    };
}

impl<N, E, O: Observer<N, E> + ?Sized> Observer<N, E> for &mut O {
    hand_on!(reference);

    #[inline]
    fn wants_progress(&mut self) -> bool {
        (**self).wants_progress()
    }
}

/// An observer of a search and of another one inside it.
pub(crate) struct Shared<'c, O>(pub(crate) &'c RefCell<O>);

impl<O> Clone for Shared<'_, O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<O> Copy for Shared<'_, O> {}

impl<N, E, O: Observer<N, E>> Observer<N, E> for Shared<'_, O> {
    hand_on!(shared);

    #[inline]
    fn wants_progress(&mut self) -> bool {
        self.0.borrow_mut().wants_progress()
    }
}

/// An observer that is there or not, as is known at run time only.
impl<N, E, O: Observer<N, E>> Observer<N, E> for Option<O> {
    hand_on!(option);

    #[inline]
    fn wants_progress(&mut self) -> bool {
        self.as_mut().is_some_and(O::wants_progress)
    }
}

impl<N, E, A: Observer<N, E>, B: Observer<N, E>> Observer<N, E> for (A, B) {
    hand_on!(pair);

    #[inline]
    fn wants_progress(&mut self) -> bool {
        self.0.wants_progress() | self.1.wants_progress()
    }
}

/// Counters of one search, as the answer format defines them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Every recursive call: the root, leaves, repeats, and calls that the cache answers.
    pub visits: u64,
    /// Entries of leaf nodes, repeats included.
    pub leaves: u64,
    /// Loops left with children unvisited.
    pub cutoffs: u64,
    /// Entries that the cache answered exactly.
    pub cache_hits: u64,
    /// Intervals of children read without entering them.
    pub probes: u64,
    /// Visits, beside the others, of searches for bounds in a simpler lattice.
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

/// The set of nodes visited. It costs time and memory for every node, so it is an observer of its own and not part of [`Counts`].
#[derive(Clone, Debug)]
pub struct Visited<N> {
    nodes: HashSet<N, RandomState>,
}

impl<N> Default for Visited<N> {
    fn default() -> Self {
        Self {
            nodes: HashSet::with_hasher(crate::table::hasher()),
        }
    }
}

impl<N: Eq + Hash> Visited<N> {
    /// How many distinct nodes were visited.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether no node was visited.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether the node was visited.
    pub fn contains(&self, node: &N) -> bool {
        self.nodes.contains(node)
    }
}

impl<N: Clone + Eq + Hash, E> Observer<N, E> for Visited<N> {
    fn enter(&mut self, node: &N, _: Option<(&E, &E)>) {
        if !self.nodes.contains(node) {
            self.nodes.insert(node.clone());
        }
    }
}
