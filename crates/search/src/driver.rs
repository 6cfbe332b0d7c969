//! The one depth-first driver that every depth-first technique runs on.
//!
//! Problem: the papers write recursive functions. Recursion overflows the stack on deep graphs, and a limit that fires in the middle
//! has to unwind through all of it without losing what was found.
//!
//! Idea: an explicit stack of frames, one for each open node, reused from visit to visit, so that their values keep their heap memory. A
//! [`Technique`] says what happens when a node is opened, whether its remaining children are superfluous, and what it is worth when it
//! is closed; results go to the parent's frame by reference. The caller of the root is a frame like any other: an OR node whose only
//! child is the root. When anything returns [`Stop`], the open frames are folded into an interval of the root from the top down, in
//! one place.
//!
//! Invariant: `children[frame.next]` is the child in progress until its result is wholly in the frame; only then `next` advances. So an
//! interruption in the middle of an update counts that child as open, and nothing is lost or counted as done by mistake. A technique may
//! have a child visited again, with another window; the child is then still in progress.
//!
//! Source: values nested over the open nodes are Couwenberg's alpha_n and beta_n (2011, part 3). Those say what a search would return if it
//! were cut short, which is no bound of the root; the bounds here take into account the children that nobody has visited.

use meetjoin_dag::{AndOrDag, Kind};
use meetjoin_lattice::{Budget, Lattice, Limits, Stop, Within};

use crate::{Observer, Order, Progress};

/// An open node.
pub(crate) struct Frame<N, L> {
    pub(crate) node: N,
    pub(crate) kind: Kind,
    /// What the technique knows of it.
    pub(crate) local: L,
    /// Its children are `first..end` in the list of all open nodes' children; `next` is the child in progress.
    first: usize,
    next: usize,
    end: usize,
}

impl<N, L> Frame<N, L> {
    /// Whether no child has returned yet.
    pub(crate) fn is_new(&self) -> bool {
        self.next == self.first
    }

    /// The place of the child in progress among the children.
    pub(crate) fn place(&self) -> usize {
        self.next - self.first
    }
}

/// A lower and an upper bound.
pub(crate) type Bounds<E> = (E, E);

/// What a depth-first search does at each node.
pub(crate) trait Technique<N, E> {
    /// The state of an open node.
    type Local;
    /// Who is told.
    type Observer: Observer<N, E>;

    /// A state that is not in use yet.
    fn blank(&self) -> Self::Local;

    /// Visits `node` for `parent`. Either the answer is known at once and goes to the parent (`false`), or `local` is set up (`true`).
    fn open(
        &mut self,
        parent: &mut Frame<N, Self::Local>,
        node: &N,
        kind: Kind,
        local: &mut Self::Local,
    ) -> Result<bool, Stop>;

    /// Looks at the children of a node just opened before any of them is visited: `children[first..]`. May take out those whose results it has
    /// brought into the frame, and put the others in another order. If it is stopped, a child may be in the frame and in the list.
    #[inline]
    fn look(
        &mut self,
        _frame: &mut Frame<N, Self::Local>,
        _children: &mut Vec<N>,
        _first: usize,
    ) -> Result<(), Stop> {
        Ok(())
    }

    /// Asked before each child: are it and its later siblings superfluous? `above` are the open nodes from the root down to the parent.
    fn cut(
        &mut self,
        above: &[Frame<N, Self::Local>],
        frame: &mut Frame<N, Self::Local>,
    ) -> Result<bool, Stop>;

    /// Asked when the result of the child in progress is in the frame: is that child to be visited once more?
    #[inline]
    fn again(&mut self, _frame: &mut Frame<N, Self::Local>) -> bool {
        false
    }

    /// The place of the child that decided the value of a node about to be left, if one did.
    #[inline]
    fn decisive(&self, _frame: &Frame<N, Self::Local>) -> Option<usize> {
        None
    }

    /// Leaves a node: its result goes to the parent. `cut` says that some children were skipped.
    fn close(
        &mut self,
        parent: &mut Frame<N, Self::Local>,
        frame: &mut Frame<N, Self::Local>,
        children: &[N],
        cut: bool,
    ) -> Result<(), Stop>;

    /// Bounds of what an open node will be worth to its parent. `below`: those of the child in progress; `rest`: children of which
    /// nothing has come back. Where `grace` stops an operation, the bounds are weaker, but true.
    fn partial(
        &self,
        frame: &Frame<N, Self::Local>,
        below: Option<&Bounds<E>>,
        rest: &[N],
        grace: &Budget,
    ) -> Bounds<E>;

    /// Keeps the bounds of a node that is abandoned. Nothing depends on it.
    fn keep(&mut self, _frame: &Frame<N, Self::Local>, _bounds: &Bounds<E>) {}

    /// Entries in the store, for progress reports.
    fn entries(&self) -> usize;

    /// The observer.
    fn observer(&mut self) -> &mut Self::Observer;
}

/// Bounds of an open node from the value of the children done and what is known of the others, gathered one child after the other.
///
/// The *near* side is the lower bound of an OR node and the upper bound of an AND node: each child that is known sharpens it, and an
/// operation that stops half way leaves it weaker, but true. The *far* side holds only if something is known of every child.
pub(crate) struct Sides<'a, L: Lattice> {
    pub(crate) l: Within<'a, L>,
    pub(crate) is_and: bool,
    pub(crate) near: L::Elem,
    /// `None` once a child is unknown, or an operation was stopped.
    pub(crate) far: Option<L::Elem>,
}

impl<'a, L: Lattice> Sides<'a, L> {
    /// Bounds of a node whose children done are worth `value` together, and whose other children have these values, where any is known.
    pub(crate) fn gather(
        l: Within<'a, L>,
        kind: Kind,
        value: &L::Elem,
        below: Option<&Bounds<L::Elem>>,
        rest: impl Iterator<Item = Option<L::Elem>>,
    ) -> Bounds<L::Elem> {
        let is_and = kind == Kind::And;
        let mut sides = Self {
            l,
            is_and,
            near: value.clone(),
            far: Some(value.clone()),
        };
        if let Some((lower, upper)) = below {
            sides.known(lower, upper);
        }
        for child in rest {
            match child {
                Some(value) => sides.known(&value, &value),
                None => sides.unknown(),
            }
        }
        sides.bounds()
    }

    /// Lower and upper bound from all that was added.
    pub(crate) fn bounds(self) -> Bounds<L::Elem> {
        let Self {
            l,
            is_and,
            near,
            far,
        } = self;
        if is_and {
            (far.unwrap_or_else(|| l.bottom()), near)
        } else {
            (near, far.unwrap_or_else(|| l.top()))
        }
    }

    /// Adds a child with these bounds.
    pub(crate) fn known(&mut self, lower: &L::Elem, upper: &L::Elem) {
        let (l, is_and) = (self.l, self.is_and);
        let combine = |a: &mut _, b: &_| if is_and { l.meet(a, b) } else { l.join(a, b) };
        let (near, far) = if is_and {
            (upper, lower)
        } else {
            (lower, upper)
        };
        let _ = combine(&mut self.near, near);
        if let Some(all) = &mut self.far
            && combine(all, far).is_err()
        {
            self.far = None;
        }
    }

    /// Adds a child of which nothing is known.
    pub(crate) fn unknown(&mut self) {
        self.far = None;
    }
}

/// A search that was stopped: why, and bounds of what the root is worth to its caller.
pub(crate) struct Stopped<E> {
    pub(crate) stop: Stop,
    pub(crate) bounds: Bounds<E>,
}

/// The open nodes and their children.
struct Stack<N, L> {
    /// `frames[0]` is the caller of the root. Frames above `depth` are kept for reuse.
    frames: Vec<Frame<N, L>>,
    depth: usize,
    children: Vec<N>,
}

/// Searches `dag` from its root. Returns the caller's state, to which the root's result has gone.
pub(crate) fn search<D, R, T, E>(
    dag: &D,
    order: &mut R,
    budget: &Budget,
    technique: &mut T,
    caller: T::Local,
) -> Result<T::Local, Stopped<E>>
where
    D: AndOrDag,
    R: Order<D::Node>,
    T: Technique<D::Node, E>,
{
    let mut stack = Stack {
        frames: vec![Frame {
            node: dag.root(),
            kind: Kind::Or,
            local: caller,
            first: 0,
            next: 0,
            end: 1,
        }],
        depth: 0,
        children: vec![dag.root()],
    };
    match run(dag, order, budget, technique, &mut stack) {
        Ok(()) => Ok(stack.frames.swap_remove(0).local),
        Err(stop) => {
            let bounds = fold(&stack, technique, T::keep);
            Err(Stopped { stop, bounds })
        }
    }
}

fn run<D, R, T, E>(
    dag: &D,
    order: &mut R,
    budget: &Budget,
    technique: &mut T,
    stack: &mut Stack<D::Node, T::Local>,
) -> Result<(), Stop>
where
    D: AndOrDag,
    R: Order<D::Node>,
    T: Technique<D::Node, E>,
{
    let mut report_due = false;
    loop {
        if report_due {
            report(stack, budget, technique);
            report_due = false;
        }
        if stack.depth + 1 == stack.frames.len() {
            push_blank(stack, technique, budget)?;
        }
        let (parents, frames) = stack.frames.split_at_mut(stack.depth);
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
                && technique.cut(open, frame)?
            {
                cut = true;
                break false;
            }
            report_due |= budget.visit()? && technique.observer().wants_progress();
            let node = &stack.children[frame.next];
            let kind = dag.kind(node);
            if technique.open(frame, node, kind, &mut above.local)? {
                above.node.clone_from(node);
                above.kind = kind;
                break true;
            }
            if !technique.again(frame) {
                frame.next += 1;
            }
        };
        if opened {
            let first = stack.children.len();
            dag.children(&above.node, &mut stack.children);
            order.arrange(&above.node, above.kind, &mut stack.children[first..]);
            (above.first, above.next, above.end) = (first, first, stack.children.len());
            stack.depth += 1;
            let looked = technique.look(above, &mut stack.children, first);
            above.end = stack.children.len();
            looked?;
            continue;
        }
        let Some(parent) = parents.last_mut() else {
            return Ok(());
        };
        if cut {
            let skipped = frame.end - frame.next;
            technique.observer().cutoff(&frame.node, skipped);
        }
        let children = &stack.children[frame.first..frame.end];
        if let Some(place) = technique.decisive(frame) {
            order.decided(&frame.node, frame.kind, &children[place]);
        }
        technique.close(parent, frame, children, cut)?;
        stack.children.truncate(frame.first);
        if !technique.again(parent) {
            parent.next += 1;
        }
        stack.depth -= 1;
    }
}

/// Adds a frame to be used and reused at the next depth.
fn push_blank<N: Clone, E, T: Technique<N, E>>(
    stack: &mut Stack<N, T::Local>,
    technique: &T,
    budget: &Budget,
) -> Result<(), Stop> {
    if stack.frames.len() == stack.frames.capacity() {
        budget.room((stack.frames.len() * 2 * size_of::<Frame<N, T::Local>>()) as u64)?;
    }
    stack.frames.push(Frame {
        node: stack.frames[0].node.clone(),
        kind: Kind::Leaf,
        local: technique.blank(),
        first: 0,
        next: 0,
        end: 0,
    });
    Ok(())
}

/// Elementary steps that folding an interrupted search may spend on long operations: some milliseconds.
pub(crate) const GRACE: u64 = 1 << 18;

/// Bounds of the root from the open frames: the interval of the deepest one is the child's interval of the next, and so on up.
fn fold<N, E, T: Technique<N, E>>(
    stack: &Stack<N, T::Local>,
    technique: &mut T,
    keep: impl Fn(&mut T, &Frame<N, T::Local>, &Bounds<E>),
) -> Bounds<E> {
    // The budget that stopped the search would stop the fold too, so it works with a small one of its own.
    let grace = Budget::new(Limits {
        steps: Some(GRACE),
        ..Limits::default()
    });
    let caller = &stack.frames[0];
    let mut below = None;
    for frame in stack.frames[1..=stack.depth].iter().rev() {
        let rest = &stack.children[frame.next + usize::from(below.is_some())..frame.end];
        let bounds = technique.partial(frame, below.as_ref(), rest, &grace);
        keep(technique, frame, &bounds);
        below = Some(bounds);
    }
    let rest = if below.is_some() { 1 } else { caller.next };
    let rest = &stack.children[rest..caller.end];
    technique.partial(caller, below.as_ref(), rest, &grace)
}

#[cold]
fn report<N, E, T: Technique<N, E>>(
    stack: &Stack<N, T::Local>,
    budget: &Budget,
    technique: &mut T,
) {
    let (lower, upper) = fold(stack, technique, |_, _, _| ());
    let progress = Progress {
        visits: budget.visits_made(),
        entries: technique.entries(),
        lower: &lower,
        upper: &upper,
    };
    technique.observer().progress(progress);
}
