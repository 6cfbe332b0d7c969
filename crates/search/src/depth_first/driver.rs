//! The one depth-first driver that every depth-first technique runs on.
//!
//! Problem: the papers write recursive functions. Recursion overflows the stack on deep graphs, and
//! a limit that fires in the middle has to unwind through all of it without losing what was found.
//!
//! Idea: an explicit stack of frames, one for each open node, reused from visit to visit, so that
//! their values keep their heap memory. The driver visits leaves, keeps the children and tells the
//! observer. A [`Technique`] says what happens when an inner node is opened, how the result of a
//! child comes into its parent, whether the remaining children are superfluous, and what is kept of
//! a node that is closed; results go to the parent's frame by reference. The caller of the root is
//! a frame like any other: an OR node whose only child is the root. When anything returns [`Stop`],
//! the open frames are folded into an interval of the root from the top down, in one place.
//!
//! Invariant: `children[frame.next]` is the child in progress until its result is wholly in the
//! frame; only then `next` advances. So an interruption in the middle of an update counts that
//! child as open, and nothing is lost or counted as done by mistake. A technique may have a child
//! visited again, with another window; the child is then still in progress.
//!
//! With a store that threads share (`work_sharing`), children
//! that other threads have claimed come last, and a node solved by another thread is abandoned.
//!
//! Cycles: a graph has none, and a search of one that has would not end. Where the path has doubled
//! in length it is looked through; a node that is on it twice ends the search with [`Stop::Cycle`].
//!
//! Source: values nested over the open nodes are Couwenberg's alpha_n and beta_n (2011, part 3).
//! Those say what a search would return if it were cut short, which is no bound of the root; the
//! bounds here take into account the children that nobody has visited.

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
    /// What it is.
    pub kind: Kind,
    /// What the technique knows of it.
    pub local: L,
    /// Its children are `first..end` in the list of all open nodes' children; `next` is the child
    /// in progress.
    first: usize,
    next: usize,
    end: usize,
    claim: Claim,
}

impl<N, L> Frame<N, L> {
    /// Whether no child has returned yet.
    pub fn is_new(&self) -> bool {
        self.next == self.first
    }

    /// Whether it is so large that threads share the work on it.
    #[inline]
    pub(crate) fn is_shared_out(&self) -> bool {
        self.claim.is_made()
    }

    /// The place of the child in progress among the children.
    pub fn place(&self) -> usize {
        self.next - self.first
    }
}

/// A lower and an upper bound.
pub type Bounds<E> = (E, E);

/// A lower and an upper bound, lent.
pub type Pair<'e, E> = (&'e E, &'e E);

/// What a store remembers of a node.
pub trait Entry<E>: Sized {
    /// The bounds that it is.
    fn bounds(&self) -> Pair<'_, E>;

    /// The entry for a node that was left open, of which these are bounds to its parent, if they
    /// are bounds of the node and there is an entry for bounds.
    fn between(bounds: &Bounds<E>) -> Option<Self>;

    /// The entry for a node with these bounds, if there is one.
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

/// What a search has to do with, whatever its technique.
pub struct Search<'a, D: AndOrDag, V: Valuation<D::Node>, T: Tools<D::Node, V::Lattice>> {
    /// The lattice, whose operations the budget can stop.
    pub l: Within<'a, V::Lattice>,
    /// The graph.
    pub dag: &'a D,
    /// The values of its leaves.
    pub valuation: &'a V,
    /// What is remembered.
    pub store: &'a mut T::Store,
    /// Bounds known without search.
    pub heuristic: &'a mut T::Heuristic,
    /// Who is told of events.
    pub observer: &'a mut T::Observer,
    order: &'a mut T::Order,
    /// The least value.
    pub bottom: ElemOf<V::Lattice>,
    /// The greatest value.
    pub top: ElemOf<V::Lattice>,
}

/// What a depth-first search does at each inner node.
///
/// The crate `examples/extension` of the repository has one of its own, with a lattice and a graph.
/// Of the methods five have no default: `blank`, `open`, `absorb`, `result`, `partial`
/// ([`Sides::gather`](crate::driver::Sides::gather) for the last). A technique that prunes adds
/// `cut`, one that remembers adds `close`, and asks the store in `open`.
pub trait Technique<D: AndOrDag, V: Valuation<D::Node>, T: Tools<D::Node, V::Lattice>> {
    /// The state of an open node.
    type Local;
    /// What the store remembers.
    type Entry: Entry<ElemOf<V::Lattice>>;

    /// Whether the observer hears of the nodes that are left as bounds of them, and not as values
    /// that need be none.
    const PROVES: bool = true;

    /// Whether threads that share a store may share the work: the order of children is free, and
    /// none is visited twice in a row.
    const SHARES: bool = false;

    /// Whether they may in this search, where the type does not say.
    #[inline]
    fn shares(&self) -> bool {
        Self::SHARES
    }

    /// A state that is not in use yet.
    fn blank(&self, search: &Search<'_, D, V, T>) -> Self::Local;

    /// Asked before each visit: sets the window of the next child.
    #[inline]
    fn plan(&self, _lattice: &V::Lattice, _parent: &mut Frame<D::Node, Self::Local>) {}

    /// The window of the next child.
    #[inline]
    fn window(_parent: &Self::Local) -> Option<Pair<'_, ElemOf<V::Lattice>>> {
        None
    }

    /// Visits the inner node `node` for `parent`. Either the answer is known at once and goes to
    /// the parent (`false`), or `local` is set up (`true`).
    fn open(
        &mut self,
        search: &mut Search<'_, D, V, T>,
        parent: &mut Frame<D::Node, Self::Local>,
        node: &D::Node,
        kind: Kind,
        local: &mut Self::Local,
    ) -> Result<bool, Stop>;

    /// Looks at the children of a node just opened before any of them is visited:
    /// `children[first..]`. May take out those whose results it has brought into the frame, and put
    /// the others in another order. If it is stopped, a child may be in the frame and in the list.
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

    /// Asked before each child: are it and its later siblings superfluous? `_above` are the open
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

    /// Takes the result of the child in progress into its parent.
    fn absorb(
        &self,
        l: Within<'_, V::Lattice>,
        parent: &mut Frame<D::Node, Self::Local>,
        lower: &ElemOf<V::Lattice>,
        upper: &ElemOf<V::Lattice>,
    ) -> Result<(), Stop>;

    /// Takes the result of the child in progress into its parent, and ends the visit.
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

    /// Takes what other threads have found of a child meanwhile into its parent. Is the child
    /// settled by it?
    #[inline]
    fn take_shared(
        &mut self,
        _search: &mut Search<'_, D, V, T>,
        _parent: &mut Frame<D::Node, Self::Local>,
        _child: &D::Node,
    ) -> Result<bool, Stop> {
        Ok(false)
    }

    /// Asked when the result of the child in progress is in the frame: is that child to be visited
    /// once more?
    #[inline]
    fn again(&mut self, _frame: &mut Frame<D::Node, Self::Local>) -> bool {
        false
    }

    /// The place of the child that decided the value of a node about to be left, if one did.
    #[inline]
    fn decisive(
        &self,
        _search: &Search<'_, D, V, T>,
        _frame: &Frame<D::Node, Self::Local>,
    ) -> Option<usize> {
        None
    }

    /// Ends the work on a node, and remembers it. `_cut` says that some children were skipped.
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

    /// Bounds of what an open node will be worth to its parent. `below`: those of the child in
    /// progress; `rest`: what is known without a visit of the children of which nothing has come
    /// back. Where the budget of `l` stops an operation, the bounds are weaker, but true.
    fn partial(
        &self,
        l: Within<'_, V::Lattice>,
        frame: &Frame<D::Node, Self::Local>,
        below: Option<&Bounds<ElemOf<V::Lattice>>>,
        rest: impl ExactSizeIterator<Item = Option<Bounds<ElemOf<V::Lattice>>>>,
    ) -> Bounds<ElemOf<V::Lattice>>;
}

/// Takes the value of a child into that of its node.
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
    /// A search of this graph with what the environment holds.
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

    /// What a node of this kind is worth before its first child.
    #[inline]
    pub fn start(&self, kind: Kind) -> &ElemOf<V::Lattice> {
        match kind {
            Kind::And => &self.top,
            Kind::Or | Kind::Leaf => &self.bottom,
        }
    }

    /// Searches from the root: its value, or bounds of it and why the search was stopped. `caller`
    /// is the state of an OR node above the root, a [blank](Technique::blank) one as a rule;
    /// `value` is what that state says of the root when its result has gone there.
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

/// Depth from which a path is looked through for a node that comes twice, each time that it has
/// doubled: a long game pays for two looks at each node of its longest path.
const LONG: usize = 64;

/// A search under way: the open nodes and their children.
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
    /// The other threads, if there are any.
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
        // With one thread, which is the rule, sharing costs a look at this.
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
            // Children that are answered at once are dealt with here, without leaving the frame.
            let mut cut = false;
            let opened = loop {
                if frame.next == frame.end {
                    break false;
                }
                // The first frame is the caller of the root: no node, and never cut.
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

    /// Adds a frame to be used and reused at the next depth.
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

    /// Whether a node is on the path twice. What never comes back ends, and what does grows until
    /// it is seen here.
    #[cold]
    fn comes_back(&self) -> bool {
        let mut met = HashSet::with_capacity_and_hasher(self.frames.len(), hasher());
        let path = self.frames[1..].iter().map(|frame| &frame.node);
        !path.into_iter().all(|node| met.insert(node))
    }

    /// Leaves the first open node that other threads have settled meanwhile, with all below it.
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

    /// Takes back the claims of the open nodes from this one on.
    fn leave(&mut self, at: usize) {
        if let Some(sharing) = &mut self.sharing {
            for frame in &mut self.frames[at..=self.depth] {
                sharing.forget(&mut frame.claim);
            }
        }
    }

    /// Bounds of a node that are known without a visit.
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

    /// Bounds of the root from the open frames: the interval of the deepest one is the child's
    /// interval of the next, and so on up.
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

    /// Remembers the bounds of a node that is abandoned. Nothing depends on it.
    fn keep(&mut self, at: usize, bounds: &Bounds<ElemOf<V::Lattice>>) {
        let (node, search) = (&self.frames[at].node, &mut *self.search);
        if let Some(entry) = X::Entry::between(bounds) {
            // The frame's slot is stale if the node was closed and stored, and only then the search
            // stopped.
            let (slot, _) = search.store.get(node);
            // A store that is full stays as it was, which is fine here.
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

/// Bounds of nodes as they lie in a store.
pub(crate) struct Kept<'s, S, K>(&'s S, PhantomData<K>);

impl<'s, S, K> Kept<'s, S, K> {
    pub(crate) fn new(store: &'s S) -> Self {
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

/// Takes bounds of a node into a store, if there is an entry for them and nothing is known of the
/// node.
pub(crate) fn enter<N, E, K: Entry<E>>(
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

/// Shows an observer all that is remembered.
#[cold]
fn show<N, K, E, O>(store: &impl Store<N, K>, observer: &mut O)
where
    K: Entry<E>,
    O: Observer<N, E>,
{
    observer.entries(&Kept::new(store));
}

/// A budget for what is to be said of a search that was stopped, of which the budget is spent: some
/// milliseconds.
pub(crate) fn grace() -> Budget {
    Budget::new(Limits {
        steps: Some(1 << 18),
        ..Limits::default()
    })
}
