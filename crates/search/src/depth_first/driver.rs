//! The depth-first driver that every depth-first technique runs on.
//!
//! Problem: the papers write recursive functions. Recursion overflows the stack on deep graphs, and
//! a limit that fires in the middle has to unwind through all of it without losing what was found.
//!
//! Idea: an explicit stack of frames, one for each open node, reused from visit to visit, so that
//! their values keep their heap memory. The driver visits leaves, keeps the lists of children and
//! notifies the observer. A [`Technique`] defines how an inner node is opened, how the result of a
//! child is combined with its parent, whether the remaining children are superfluous, and what is
//! stored of a closed node; results go to the parent's frame by reference. The caller of the root
//! is a frame like any other: an OR node whose only child is the root. When anything returns
//! [`Stop`], the open frames are folded into an interval of the root, the deepest first, in one
//! place.
//!
//! Invariant: `children[frame.next]` is the child in progress until its result is completely
//! combined with the frame; only then `next` advances. So an interruption in the middle of an
//! update counts that child as open, and no child is counted as finished by mistake. A technique
//! may have a child visited again, with another window; the child is then still in progress.
//!
//! With a store that threads share (`work_sharing`), children
//! that other threads have claimed come last, and a node solved by another thread is abandoned.
//!
//! Cycles: a graph must have none, or a search would not end. Whenever the path has doubled in
//! length, it is checked; a node that is on it twice ends the search with [`Stop::Cycle`].
//!
//! Source: values nested over the open nodes are Couwenberg's alpha_n and beta_n (2011, part 3).
//! Those are what a search would return if it were cut short, which is no bound of the root; the
//! bounds here take unvisited children into account.

use std::marker::PhantomData;

use hashbrown::HashSet;
use meetjoin_dag::{AndOrDag, Kind, Valuation};
use meetjoin_lattice::{Budget, ElemOf, Interval, Lattice, Limits, Stop, Within};

use crate::caches::table::hasher;
pub use crate::depth_first::sides::Sides;
use crate::depth_first::work_sharing::{Claim, WorkSharing};
use crate::{Entries, Exit, Observer, Order, Progress, Store, Tools};

/// An open node.
pub struct Frame<N, L> {
    /// The node.
    pub node: N,
    /// Its kind.
    pub kind: Kind,
    /// The technique's state of the node.
    pub local: L,
    /// Its children are `first..end` in the list of all open nodes' children; `next` is the child
    /// in progress.
    first: usize,
    next: usize,
    end: usize,
    claim: Claim,
}

impl<N, L> Frame<N, L> {
    /// Returns whether no child has returned yet.
    pub fn is_new(&self) -> bool {
        self.next == self.first
    }

    /// Returns whether it is so large that threads share the work on it.
    #[inline]
    pub(crate) fn is_shared_out(&self) -> bool {
        self.claim.is_made()
    }

    /// The index of the child in progress among the children.
    pub fn place(&self) -> usize {
        self.next - self.first
    }
}

/// A lower and an upper bound.
pub type Bounds<E> = (E, E);

/// A borrowed lower and upper bound.
pub type Pair<'e, E> = (&'e E, &'e E);

/// An entry of a store.
pub trait Entry<E>: Sized {
    /// Its bounds of the node's value.
    fn bounds(&self) -> Pair<'_, E>;

    /// The entry for a node left unfinished, given the bounds that its parent uses; `None` if these
    /// need not be bounds of the node itself, or an entry cannot hold bounds.
    fn between(bounds: &Bounds<E>) -> Option<Self>;

    /// The entry for a node with these bounds, if it can hold them.
    fn of(bounds: Bounds<E>) -> Option<Self>;
}

impl<E: Clone + Eq> Entry<E> for E {
    fn bounds(&self) -> Pair<'_, E> {
        (self, self)
    }

    fn between(_: &Bounds<E>) -> Option<E> {
        None
    }

    fn of((lower, upper): Bounds<E>) -> Option<E> {
        (lower == upper).then_some(lower)
    }
}

impl<E: Clone + Eq> Entry<E> for Interval<E> {
    fn bounds(&self) -> Pair<'_, E> {
        (self.lower(), self.upper())
    }

    fn between((lower, upper): &Bounds<E>) -> Option<Self> {
        Some(Self::new(lower.clone(), upper.clone()))
    }

    fn of((lower, upper): Bounds<E>) -> Option<Self> {
        Some(Self::new(lower, upper))
    }
}

/// The parts of a search that do not depend on the technique.
pub struct Search<'a, D: AndOrDag, V: Valuation<D::Node>, T: Tools<D::Node, V::Lattice>> {
    /// The lattice, whose operations the budget can stop.
    pub l: Within<'a, V::Lattice>,
    /// The graph.
    pub dag: &'a D,
    /// The values of its leaves.
    pub valuation: &'a V,
    /// The cache.
    pub store: &'a mut T::Store,
    /// Bounds known without search.
    pub heuristic: &'a mut T::Heuristic,
    /// Notified of events.
    pub observer: &'a mut T::Observer,
    order: &'a mut T::Order,
    /// The least value.
    pub bottom: ElemOf<V::Lattice>,
    /// The greatest value.
    pub top: ElemOf<V::Lattice>,
}

/// A depth-first algorithm: its steps at each inner node.
///
/// The crate `examples/extension` of the repository implements a technique, a lattice and a graph.
/// Five methods have no default: `blank`, `open`, `absorb`, `result` and `partial` (for which
/// [`Sides::gather`](crate::driver::Sides::gather) helps). A technique that prunes adds `cut`; one
/// with a cache adds `close`, and reads the store in `open`.
pub trait Technique<D: AndOrDag, V: Valuation<D::Node>, T: Tools<D::Node, V::Lattice>> {
    /// The state of an open node.
    type Local;
    /// An entry of the store.
    type Entry: Entry<ElemOf<V::Lattice>>;

    /// Whether results are bounds of the nodes, and are reported to the observer as such.
    const PROVES: bool = true;

    /// Whether threads with a shared store may share the work: children can be visited in any
    /// order, and none is visited twice in a row.
    const SHARES: bool = false;

    /// Returns whether threads may share the work of this search, where `SHARES` alone does not
    /// decide it.
    #[inline]
    fn shares(&self) -> bool {
        Self::SHARES
    }

    /// A state for a new frame, before it is used.
    fn blank(&self, search: &Search<'_, D, V, T>) -> Self::Local;

    /// Called before each visit; sets the window of the next child.
    #[inline]
    fn plan(&self, _lattice: &V::Lattice, _parent: &mut Frame<D::Node, Self::Local>) {}

    /// The window of the next child.
    #[inline]
    fn window(_parent: &Self::Local) -> Option<Pair<'_, ElemOf<V::Lattice>>> {
        None
    }

    /// Visits the inner node `node` for `parent`. Either combines a known answer with the parent
    /// and returns `false`, or sets up `local` and returns `true`.
    fn open(
        &mut self,
        search: &mut Search<'_, D, V, T>,
        parent: &mut Frame<D::Node, Self::Local>,
        node: &D::Node,
        kind: Kind,
        local: &mut Self::Local,
    ) -> Result<bool, Stop>;

    /// Looks at `children[first..]`, the children of a node just opened, before any of them is
    /// visited. May remove children whose results it has combined with the frame, and reorder the
    /// others. If it is stopped, a child may be in the frame and in the list.
    #[inline]
    fn look(
        &mut self,
        _search: &mut Search<'_, D, V, T>,
        _frame: &mut Frame<D::Node, Self::Local>,
        _children: &mut Vec<D::Node>,
        _first: usize,
    ) -> Result<(), Stop> {
        Ok(())
    }

    /// Called before each child: are it and its later siblings superfluous? `_above` are the open
    /// nodes from the root down to the parent.
    #[inline]
    fn cut(
        &mut self,
        _search: &Search<'_, D, V, T>,
        _above: &[Frame<D::Node, Self::Local>],
        _frame: &mut Frame<D::Node, Self::Local>,
    ) -> Result<bool, Stop> {
        Ok(false)
    }

    /// Combines the result of the child in progress with its parent.
    fn absorb(
        &self,
        l: Within<'_, V::Lattice>,
        parent: &mut Frame<D::Node, Self::Local>,
        lower: &ElemOf<V::Lattice>,
        upper: &ElemOf<V::Lattice>,
    ) -> Result<(), Stop>;

    /// Combines the result of the child in progress with its parent, and ends the visit.
    #[inline]
    fn answer(
        &self,
        l: Within<'_, V::Lattice>,
        observer: &mut T::Observer,
        parent: &mut Frame<D::Node, Self::Local>,
        node: &D::Node,
        (lower, upper): Pair<'_, ElemOf<V::Lattice>>,
    ) -> Result<(), Stop> {
        self.absorb(l, parent, lower, upper)?;
        let result = if Self::PROVES {
            Exit::Bounds(lower, upper)
        } else {
            Exit::Value(lower)
        };
        observer.exit(node, result);
        Ok(())
    }

    /// Combines what other threads have found of a child with its parent; returns whether that
    /// settles the child.
    #[inline]
    fn take_shared(
        &mut self,
        _search: &mut Search<'_, D, V, T>,
        _parent: &mut Frame<D::Node, Self::Local>,
        _child: &D::Node,
    ) -> Result<bool, Stop> {
        Ok(false)
    }

    /// Called when the result of the child in progress is in the frame: should that child be
    /// visited once more?
    #[inline]
    fn again(&mut self, _frame: &mut Frame<D::Node, Self::Local>) -> bool {
        false
    }

    /// The index of the child that decided the value of a node about to be left, if one did.
    #[inline]
    fn decisive(
        &self,
        _search: &Search<'_, D, V, T>,
        _frame: &Frame<D::Node, Self::Local>,
    ) -> Option<usize> {
        None
    }

    /// Finishes a node and stores it. `_cut` means that some children were skipped.
    #[inline]
    fn close(
        &mut self,
        _search: &mut Search<'_, D, V, T>,
        _parent: &mut Frame<D::Node, Self::Local>,
        _frame: &mut Frame<D::Node, Self::Local>,
        _children: &[D::Node],
        _cut: bool,
    ) -> Result<(), Stop> {
        Ok(())
    }

    /// The result of a closed node.
    fn result(local: &Self::Local) -> Pair<'_, ElemOf<V::Lattice>>;

    /// Bounds of the result that an open node will have for its parent. `below` are those of the
    /// child in progress, `rest` the bounds known without a visit of the children that have not
    /// returned. If the budget of `l` stops an operation, the bounds are weaker, but true.
    fn partial(
        &self,
        l: Within<'_, V::Lattice>,
        frame: &Frame<D::Node, Self::Local>,
        below: Option<&Bounds<ElemOf<V::Lattice>>>,
        rest: impl ExactSizeIterator<Item = Option<Bounds<ElemOf<V::Lattice>>>>,
    ) -> Bounds<ElemOf<V::Lattice>>;
}

/// Combines the value of a child with that of its parent.
#[inline]
pub fn combine<L: Lattice>(
    l: Within<'_, L>,
    kind: Kind,
    value: &mut L::Elem,
    child: &L::Elem,
) -> Result<(), Stop> {
    match kind {
        Kind::And => l.meet(value, child),
        Kind::Or | Kind::Leaf => l.join(value, child),
    }
}

impl<'a, D, V, T> Search<'a, D, V, T>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    T: Tools<D::Node, V::Lattice>,
{
    /// A search of this graph with the parts of the environment.
    pub fn new(dag: &'a D, valuation: &'a V, env: &'a mut T) -> Self {
        let env = env.lend();
        let l = Within::new(valuation.lattice(), env.budget);
        Self {
            l,
            dag,
            valuation,
            store: env.store,
            heuristic: env.heuristic,
            observer: env.observer,
            order: env.order.0,
            bottom: l.bottom(),
            top: l.top(),
        }
    }

    /// The value of a node of this kind before its first child.
    #[inline]
    pub fn start(&self, kind: Kind) -> &ElemOf<V::Lattice> {
        match kind {
            Kind::And => &self.top,
            Kind::Or | Kind::Leaf => &self.bottom,
        }
    }

    /// Searches from the root; returns its value, or bounds of it and why the search was stopped.
    /// `caller` is the state of an OR node above the root, usually a [blank](Technique::blank) one;
    /// `value` extracts the root's result from it.
    pub fn run<X>(
        &mut self,
        technique: &mut X,
        caller: X::Local,
        value: impl FnOnce(X::Local) -> Interval<ElemOf<V::Lattice>>,
    ) -> (Interval<ElemOf<V::Lattice>>, Option<Stop>)
    where
        X: Technique<D, V, T>,
        T::Store: Store<D::Node, X::Entry>,
    {
        let root = Frame {
            node: self.dag.root(),
            kind: Kind::Or,
            local: caller,
            first: 0,
            next: 0,
            end: 1,
            claim: Claim::NONE,
        };
        let sharing = self.store.in_progress();
        let sharing = sharing.filter(|_| X::SHARES && technique.shares());
        let mut run = Run {
            sharing: sharing.map(WorkSharing::new),
            search: self,
            technique,
            children: vec![root.node.clone()],
            frames: vec![root],
            depth: 0,
        };
        match run.go() {
            Ok(()) => (value(run.frames.swap_remove(0).local), None),
            Err(stop) => {
                run.leave(0);
                let (lower, upper) = run.fold(Run::keep);
                (Interval::new(lower, upper), Some(stop))
            }
        }
    }
}

/// The depth at which a path is first checked for cycles; it is checked again whenever it has
/// doubled. A long game pays for about two checks of each node on its longest path.
const LONG: usize = 64;

/// A search in progress: the open nodes and their children.
struct Run<'r, 'a, D, V, T, X>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    T: Tools<D::Node, V::Lattice>,
    X: Technique<D, V, T>,
{
    search: &'r mut Search<'a, D, V, T>,
    technique: &'r mut X,
    /// `frames[0]` is the caller of the root. Frames above `depth` are kept for reuse.
    frames: Vec<Frame<D::Node, X::Local>>,
    depth: usize,
    children: Vec<D::Node>,
    /// The sharing of work with other threads, if there are any.
    sharing: Option<WorkSharing>,
}

impl<D, V, T, X> Run<'_, '_, D, V, T, X>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    T: Tools<D::Node, V::Lattice>,
    X: Technique<D, V, T>,
    T::Store: Store<D::Node, X::Entry>,
{
    fn go(&mut self) -> Result<(), Stop> {
        // With one thread, which is the rule, sharing costs this check.
        let is_shared = X::SHARES && self.sharing.is_some();
        let (mut report_due, mut shared_due) = (false, false);
        loop {
            if report_due {
                self.report();
                report_due = false;
            }
            if is_shared && shared_due {
                self.take_shared()?;
                shared_due = false;
            }
            if self.depth + 1 == self.frames.len() {
                self.push_blank()?;
            }
            let search = &mut *self.search;
            let technique = &mut *self.technique;
            let (parents, frames) = self.frames.split_at_mut(self.depth);
            let (frame, above) = frames.split_at_mut(1);
            let (frame, above) = (&mut frame[0], &mut above[0]);
            // Children answered at once are handled here, without leaving the frame.
            let mut cut = false;
            let opened = loop {
                if frame.next == frame.end {
                    break false;
                }
                // The first frame is the caller of the root: it is no node, and never cut.
                if let Some((_, open)) = parents.split_first()
                    && technique.cut(search, open, frame)?
                {
                    cut = true;
                    break false;
                }
                let checkpoint = search.l.budget.visit()?;
                if checkpoint {
                    report_due |= search.observer.wants_progress();
                    if search.observer.wants_entries() {
                        show::<_, X::Entry, _, _>(search.store, search.observer);
                    }
                }
                if is_shared && let Some(sharing) = &mut self.sharing {
                    shared_due |= checkpoint && sharing.is_due();
                    if !frame.is_new() {
                        sharing
                            .unclaimed_first(self.depth, &mut self.children[frame.next..frame.end]);
                    }
                }
                let node = &self.children[frame.next];
                let kind = search.dag.kind(node);
                technique.plan(search.l.lattice, frame);
                let window = X::window(&frame.local);
                search.observer.enter(node, window);
                if kind == Kind::Leaf {
                    let value = search.valuation.leaf(node);
                    search.observer.leaf(node);
                    technique.answer(search.l, search.observer, frame, node, (&value, &value))?;
                } else if technique.open(search, frame, node, kind, &mut above.local)? {
                    above.node.clone_from(node);
                    above.kind = kind;
                    break true;
                }
                if !technique.again(frame) {
                    frame.next += 1;
                }
            };
            if opened {
                let first = self.children.len();
                search.dag.children(&above.node, &mut self.children);
                let children = &mut self.children[first..];
                search.order.arrange(&above.node, above.kind, children);
                (above.first, above.next, above.end) = (first, first, self.children.len());
                self.depth += 1;
                if is_shared && let Some(sharing) = &mut self.sharing {
                    above.claim = sharing.claim(self.depth, &above.node, search.l.budget);
                }
                let looked = technique.look(search, above, &mut self.children, first);
                above.end = self.children.len();
                looked?;
                continue;
            }
            let Some(parent) = parents.last_mut() else {
                return Ok(());
            };
            if cut {
                let skipped = frame.end - frame.next;
                search.observer.cutoff(&frame.node, skipped);
            }
            let children = &self.children[frame.first..frame.end];
            if let Some(place) = technique.decisive(search, frame) {
                let child = &children[place];
                search.order.decided(&frame.node, frame.kind, child);
            }
            technique.close(search, parent, frame, children, cut)?;
            if is_shared && let Some(sharing) = &mut self.sharing {
                sharing.release(self.depth, &mut frame.claim, search.l.budget);
            }
            let result = X::result(&frame.local);
            technique.answer(search.l, search.observer, parent, &frame.node, result)?;
            self.children.truncate(frame.first);
            if !technique.again(parent) {
                parent.next += 1;
            }
            self.depth -= 1;
        }
    }

    /// Adds a frame for the next depth; it is reused later.
    fn push_blank(&mut self) -> Result<(), Stop> {
        let depth = self.frames.len();
        if depth >= LONG && depth.is_power_of_two() && self.comes_back() {
            return Err(Stop::Cycle);
        }
        let frames = &mut self.frames;
        if frames.len() == frames.capacity() {
            let bytes = frames.len() * 2 * size_of::<Frame<D::Node, X::Local>>();
            self.search.l.budget.room(bytes as u64)?;
        }
        frames.push(Frame {
            node: frames[0].node.clone(),
            kind: Kind::Leaf,
            local: self.technique.blank(self.search),
            first: 0,
            next: 0,
            end: 0,
            claim: Claim::NONE,
        });
        Ok(())
    }

    /// Returns whether a node is on the path twice. On a cycle the path grows until this check
    /// finds it.
    #[cold]
    fn comes_back(&self) -> bool {
        let mut met = HashSet::with_capacity_and_hasher(self.frames.len(), hasher());
        let path = self.frames[1..].iter().map(|frame| &frame.node);
        !path.into_iter().all(|node| met.insert(node))
    }

    /// Abandons the topmost open node that other threads have settled meanwhile, with all frames
    /// below it.
    #[cold]
    fn take_shared(&mut self) -> Result<(), Stop> {
        for at in 0..self.depth {
            let (parents, frames) = self.frames.split_at_mut(at + 1);
            let (parent, frame) = (&mut parents[at], &frames[0]);
            let (search, technique) = (&mut *self.search, &mut *self.technique);
            if technique.take_shared(search, parent, &frame.node)? {
                self.children.truncate(frame.first);
                parent.next += 1;
                self.leave(at + 1);
                self.depth = at;
                break;
            }
        }
        Ok(())
    }

    /// Releases the claims of the open nodes from this one on.
    fn leave(&mut self, at: usize) {
        if let Some(sharing) = &mut self.sharing {
            for frame in &mut self.frames[at..=self.depth] {
                sharing.forget(&mut frame.claim);
            }
        }
    }

    /// The bounds of a node known without a visit.
    fn known(&self, node: &D::Node) -> Option<Bounds<ElemOf<V::Lattice>>> {
        let search = &self.search;
        if search.dag.kind(node) == Kind::Leaf {
            let value = search.valuation.leaf(node);
            return Some((value.clone(), value));
        }
        let known = search.store.get(node).1?;
        let (lower, upper) = known.bounds();
        Some((lower.clone(), upper.clone()))
    }

    /// Bounds of the root from the open frames: the interval of each frame, from the deepest up, is
    /// the interval of the child in progress of the frame above.
    fn fold(
        &mut self,
        keep: impl Fn(&mut Self, usize, &Bounds<ElemOf<V::Lattice>>),
    ) -> Bounds<ElemOf<V::Lattice>> {
        let grace = grace();
        let l = Within::new(self.search.l.lattice, &grace);
        let mut below: Option<Bounds<_>> = None;
        for at in (0..=self.depth).rev() {
            let frame = &self.frames[at];
            let rest = &self.children[frame.next + usize::from(below.is_some())..frame.end];
            let rest = rest.iter().map(|child| self.known(child));
            let bounds = self.technique.partial(l, frame, below.as_ref(), rest);
            if at == 0 {
                return bounds;
            }
            keep(self, at, &bounds);
            below = Some(bounds);
        }
        (l.bottom(), l.top())
    }

    /// Stores the bounds of an abandoned node, if possible.
    fn keep(&mut self, at: usize, bounds: &Bounds<ElemOf<V::Lattice>>) {
        let (node, search) = (&self.frames[at].node, &mut *self.search);
        if let Some(entry) = X::Entry::between(bounds) {
            // The frame's slot may be stale: the node may have been stored already before the
            // search stopped.
            let (slot, _) = search.store.get(node);
            // A full store stays unchanged, which is fine here.
            let _ = search.store.put(slot, node, entry, search.l.budget);
        }
    }

    #[cold]
    fn report(&mut self) {
        let (lower, upper) = self.fold(|_, _, _| ());
        self.search.observer.progress(Progress {
            visits: self.search.l.budget.visits_made(),
            entries: self.search.store.len(),
            lower: &lower,
            upper: &upper,
        });
    }
}

/// Shows the entries of a store as bounds.
pub struct Kept<'s, S, K>(&'s S, PhantomData<K>);

impl<'s, S, K> Kept<'s, S, K> {
    /// The entries of this store, of type `K`.
    pub fn new(store: &'s S) -> Self {
        Self(store, PhantomData)
    }
}

impl<N, E, K: Entry<E>, S: Store<N, K>> Entries<N, E> for Kept<'_, S, K> {
    fn each(&self, see: &mut dyn FnMut(&N, &E, &E)) {
        self.0.each(&mut |node, entry| {
            let (lower, upper) = entry.bounds();
            see(node, lower, upper);
        });
    }
}

/// Stores bounds of a node, if an entry can hold them and the store has none for the node. They
/// must be true of it.
///
/// # Errors
/// [`Stop::Memory`] when the store may not grow.
pub fn enter<N, E, K: Entry<E>>(
    store: &mut impl Store<N, K>,
    node: &N,
    bounds: Bounds<E>,
    budget: &Budget,
) -> Result<(), Stop> {
    let (slot, known) = store.get(node);
    let is_known = known.is_some();
    drop(known);
    match K::of(bounds) {
        Some(entry) if !is_known => store.put(slot, node, entry, budget),
        _ => Ok(()),
    }
}

/// Shows an observer all entries.
#[cold]
fn show<N, K, E, O>(store: &impl Store<N, K>, observer: &mut O)
where
    K: Entry<E>,
    O: Observer<N, E>,
{
    observer.entries(&Kept::new(store));
}

/// A budget of some milliseconds for computing the result of a stopped search, whose own budget is
/// spent.
pub fn grace() -> Budget {
    Budget::new(Limits {
        steps: Some(1 << 18),
        ..Limits::default()
    })
}
