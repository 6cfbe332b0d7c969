//! The one technique behind the window searches of a total order: what they share, and a plan as what they differ in.
//!
//! Problem: alpha-beta, TEST, SCOUT and NegaScout differ in two decisions only: with which window is the next child visited, and is a child
//! visited again after a null window has failed?
//!
//! Idea: those two are a [`Plan`]. Everything else is here: fail-soft values, bounds from a heuristic and a cache (both are the pair (U, L) of
//! Pijls and de Bruin), cutoffs, the classification of results, interruption. An OR node and an AND node are mirror images, so the code speaks
//! of a node's *near* border, which its own children push (alpha at OR, beta at AND), and of its *far* border, where it is cut.
//!
//! Invariant: the result of a node is true of it: a result beyond the far border is a bound on the near side, one that does not reach the near
//! border is a bound on the far side, and one between them is the value. So every entry of the cache is a true interval.
//!
//! Bounds of a heuristic are trusted. One that is not true may show as an interval whose ends are crossed; debug builds assert that none is.
//!
//! Needs: [`TotalOrder`]. Of two elements one is the better, and one child decides.
//!
//! Source: the informed pair, and where it enters: Pijls and de Bruin, Figure 3. Fail-soft values: Fishburn (1983).

use std::cmp::Ordering;

use meetjoin_dag::{AndOrDag, Heuristic, Kind, Valuation};
use meetjoin_lattice::{Budget, ElemOf, Interval, Lattice, Stop, TotalOrder, Within};

use super::Border;
use crate::driver::{self, Bounds, Frame, Sides, Technique};
use crate::{Env, Exit, Observer, Order, Outcome, Store, Window};

/// What is better for the player to move: greater at an OR node, less at an AND node.
pub(super) struct Side<'l, L> {
    pub(super) lattice: &'l L,
    pub(super) is_and: bool,
}

impl<L: TotalOrder> Side<'_, L> {
    /// Whether `value` lies beyond `border`, seen from the mover.
    #[inline]
    pub(super) fn passes(&self, border: &Border<L::Elem>, value: &L::Elem) -> bool {
        border.is_below(self.lattice, value) != self.is_and
    }

    /// The border that exactly the values better than `value` pass.
    #[inline]
    pub(super) fn beyond(&self, value: &L::Elem) -> Border<L::Elem> {
        if self.is_and {
            Border::below(value.clone())
        } else {
            Border::above(value.clone())
        }
    }

    /// The border that `value` and all better values pass.
    #[inline]
    pub(super) fn up_to(&self, value: &L::Elem) -> Border<L::Elem> {
        if self.is_and {
            Border::above(value.clone())
        } else {
            Border::below(value.clone())
        }
    }

    #[inline]
    fn order(&self, ordering: Ordering) -> Ordering {
        if self.is_and {
            ordering.reverse()
        } else {
            ordering
        }
    }

    /// Whether `a` is better than `b`.
    #[inline]
    pub(super) fn is_better(&self, a: &L::Elem, b: &L::Elem) -> bool {
        self.order(self.lattice.compare(a, b)).is_gt()
    }

    /// Whether `a` is harder to pass than `b`.
    #[inline]
    fn is_further(&self, a: &Border<L::Elem>, b: &Border<L::Elem>) -> bool {
        self.order(a.compare(self.lattice, b)).is_gt()
    }

    /// The one that is harder to pass.
    #[inline]
    pub(super) fn further(&self, a: Border<L::Elem>, b: Border<L::Elem>) -> Border<L::Elem> {
        if self.is_further(&b, &a) { b } else { a }
    }

    /// The one that is easier to pass.
    #[inline]
    fn nearer(&self, a: Border<L::Elem>, b: Border<L::Elem>) -> Border<L::Elem> {
        if self.is_further(&b, &a) { a } else { b }
    }
}

/// A window between two borders of a chain.
#[derive(Clone, Debug)]
pub(super) struct Gap<E> {
    pub(super) alpha: Border<E>,
    pub(super) beta: Border<E>,
}

impl<E: Clone> Gap<E> {
    /// Both borders in one: asks on which side of it the value lies.
    pub(super) fn null(border: Border<E>) -> Self {
        Self {
            alpha: border.clone(),
            beta: border,
        }
    }

    /// Everything between two elements.
    pub(super) fn open(alpha: E, beta: E) -> Self {
        Self {
            alpha: Border::above(alpha),
            beta: Border::below(beta),
        }
    }

    /// From a near and a far border.
    pub(super) fn of<L>(side: &Side<'_, L>, near: Border<E>, far: Border<E>) -> Self {
        let (alpha, beta) = if side.is_and {
            (far, near)
        } else {
            (near, far)
        };
        Self { alpha, beta }
    }
}

/// An open node, as a plan sees it.
pub(super) struct Open<'a, E> {
    /// What its window began with on its own side, or what a heuristic or the cache has already.
    pub(super) near: &'a Border<E>,
    /// Where its caller stops to care.
    pub(super) far: &'a Border<E>,
    /// The best result of its children, if one has returned.
    pub(super) best: Option<&'a E>,
    /// Levels left below the node, where the search knows them.
    pub(super) depth: Option<u32>,
}

/// The decisions in which the window searches differ.
pub(super) trait Plan<L: TotalOrder> {
    /// The window for the next child; the flag says that it is a trial, of whose result [`retry`](Self::retry) is asked.
    fn window(&self, side: &Side<'_, L>, node: &Open<'_, L::Elem>) -> (Gap<L::Elem>, bool);

    /// The window for a second visit of a child whose trial with the window `tried` ended with `result`. `exact`: the result is the value
    /// of the child, whatever the window. Not asked when the result cuts the node.
    fn retry(
        &self,
        _side: &Side<'_, L>,
        _node: &Open<'_, L::Elem>,
        _tried: &Gap<L::Elem>,
        _result: &L::Elem,
        _exact: bool,
    ) -> Option<Gap<L::Elem>> {
        None
    }
}

/// Searches through a gap. The interval contains the value of the root.
pub(super) fn search<D, V, P, S, H, O, R>(
    dag: &D,
    valuation: &V,
    gap: Gap<ElemOf<V::Lattice>>,
    plan: &P,
    depth: Option<u32>,
    env: &mut Env<'_, S, H, O, R>,
) -> (Interval<ElemOf<V::Lattice>>, Option<Stop>)
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder>,
    P: Plan<V::Lattice>,
    S: Store<D::Node, Interval<ElemOf<V::Lattice>>>,
    H: Heuristic<D::Node, V::Lattice>,
    O: Observer<D::Node, ElemOf<V::Lattice>>,
    R: Order<D::Node>,
{
    let l = Within::new(valuation.lattice(), env.budget);
    let mut technique = WindowSearch {
        l,
        valuation,
        is_leaf: |node: &D::Node| dag.kind(node) == Kind::Leaf,
        plan,
        store: &mut env.store,
        heuristic: &mut env.heuristic,
        observer: &mut env.observer,
        bottom: l.bottom(),
        top: l.top(),
        depth,
    };
    let mut caller = technique.blank();
    caller.is_caller = true;
    caller.child = gap;
    match driver::search(dag, &mut env.order, env.budget, &mut technique, caller) {
        Ok(caller) => (Interval::new(caller.lower, caller.upper), None),
        Err(stopped) => {
            let (lower, upper) = stopped.bounds;
            (Interval::new(lower, upper), Some(stopped.stop))
        }
    }
}

/// Searches through a window of elements.
pub(super) fn through<D, V, P, S, H, O, R>(
    dag: &D,
    valuation: &V,
    window: &Window<ElemOf<V::Lattice>>,
    plan: &P,
    depth: Option<u32>,
    env: &mut Env<'_, S, H, O, R>,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder>,
    P: Plan<V::Lattice>,
    S: Store<D::Node, Interval<ElemOf<V::Lattice>>>,
    H: Heuristic<D::Node, V::Lattice>,
    O: Observer<D::Node, ElemOf<V::Lattice>>,
    R: Order<D::Node>,
{
    let l = Within::new(valuation.lattice(), env.budget);
    let Window { alpha, beta } = window.clone();
    let nothing_to_see = l.lattice.compare(&alpha, &beta).is_ge();
    if nothing_to_see && l.bottom() != l.top() {
        // Through such a window every value looks like beta.
        let value = Interval::new(l.bottom(), l.top());
        return Outcome::of_bounds(l, window, value, None);
    }
    let (value, stop) = search(dag, valuation, Gap::open(alpha, beta), plan, depth, env);
    Outcome::of_bounds(l, window, value, stop)
}

struct WindowSearch<'a, L: Lattice, V, F, P, S, H, O> {
    l: Within<'a, L>,
    valuation: &'a V,
    is_leaf: F,
    plan: &'a P,
    store: &'a mut S,
    heuristic: &'a mut H,
    observer: &'a mut O,
    bottom: L::Elem,
    top: L::Elem,
    /// Levels below the root, where that matters.
    depth: Option<u32>,
}

struct Local<E, Slot> {
    /// Whether this is the caller of the root. It has one child, and its window.
    is_caller: bool,
    /// The border on its own side when the node was opened.
    near: Border<E>,
    /// The caller's border on the other side.
    far: Border<E>,
    /// Where the node is cut: the far border, or a known bound if that comes first.
    goal: Border<E>,
    /// Known bounds of the node.
    lower: E,
    upper: E,
    /// The best result of the children done, and the place of the child it came from.
    best: E,
    place: usize,
    /// Whether each result so far is the value of its child.
    uncut: bool,
    /// Levels left below.
    depth: Option<u32>,
    /// The window of the child in progress, and what kind of visit it is for.
    child: Gap<E>,
    visit: Visit,
    slot: Slot,
}

/// A visit of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Visit {
    /// Its result counts.
    Only,
    /// The plan is asked about the result.
    Trial,
    /// It follows on a trial, and has yet to begin.
    Second,
}

impl<E, Slot> Local<E, Slot> {
    /// As a plan sees it.
    fn view(&self, is_new: bool) -> Open<'_, E> {
        Open {
            near: &self.near,
            far: &self.far,
            best: (!is_new).then_some(&self.best),
            depth: self.depth,
        }
    }
}

impl<'a, L: TotalOrder, V, F, P: Plan<L>, S, H, O> WindowSearch<'a, L, V, F, P, S, H, O> {
    fn side(&self, kind: Kind) -> Side<'a, L> {
        Side {
            lattice: self.l.lattice,
            is_and: kind == Kind::And,
        }
    }

    /// Takes the interval of the child in progress into its parent. `result` is the one of its bounds that the window shows.
    #[inline]
    fn absorb<N, Slot>(
        &self,
        parent: &mut Frame<N, Local<L::Elem, Slot>>,
        (lower, upper): (&L::Elem, &L::Elem),
        result: &L::Elem,
    ) {
        let side = self.side(parent.kind);
        let (is_new, place) = (parent.is_new(), parent.place());
        let local = &mut parent.local;
        if local.is_caller {
            local.lower.clone_from(lower);
            local.upper.clone_from(upper);
            return;
        }
        let exact = lower == upper;
        if local.visit == Visit::Trial && !side.passes(&local.goal, result) {
            let view = local.view(is_new);
            if let Some(window) = self.plan.retry(&side, &view, &local.child, result, exact) {
                // What passes the border of a trial is a bound on the near side.
                if side.passes(&local.child.alpha, result) && side.is_better(result, &local.best) {
                    local.best.clone_from(result);
                    local.place = place;
                }
                local.child = window;
                local.visit = Visit::Second;
                return;
            }
        }
        if is_new || side.is_better(result, &local.best) {
            local.best.clone_from(result);
            local.place = place;
        }
        local.uncut &= exact;
    }

    /// What the children done say of a node, together with what was known before: an interval of its value.
    fn interval<N, Slot>(
        &self,
        frame: &Frame<N, Local<L::Elem, Slot>>,
        cut: bool,
    ) -> Bounds<L::Elem> {
        let side = self.side(frame.kind);
        let local = &frame.local;
        let reached = side.passes(&local.goal, &local.best);
        let uncut = local.uncut && !cut;
        let is_near = uncut || reached || side.passes(&local.near, &local.best);
        let is_far = uncut || !reached;
        let (is_lower, is_upper) = if side.is_and {
            (is_far, is_near)
        } else {
            (is_near, is_far)
        };
        let mut bounds = (local.lower.clone(), local.upper.clone());
        if is_lower && side.lattice.compare(&local.best, &bounds.0).is_gt() {
            bounds.0.clone_from(&local.best);
        }
        if is_upper && side.lattice.compare(&local.best, &bounds.1).is_lt() {
            bounds.1.clone_from(&local.best);
        }
        debug_assert!(
            side.lattice.compare(&bounds.0, &bounds.1).is_le(),
            "a known bound is not true: {:?} to {:?} contradicts {:?}",
            local.lower,
            local.upper,
            local.best,
        );
        bounds
    }

    /// Whether a window shows a value between these bounds as the lower one, which is then beyond it, or as the upper one.
    fn shows_lower(&self, window: &Gap<L::Elem>, lower: &L::Elem) -> bool {
        window.beta.is_below(self.l.lattice, lower)
    }
}

impl<N, V, F, P, S, H, O> Technique<N, ElemOf<V::Lattice>>
    for WindowSearch<'_, V::Lattice, V, F, P, S, H, O>
where
    V: Valuation<N, Lattice: TotalOrder>,
    F: Fn(&N) -> bool,
    P: Plan<V::Lattice>,
    S: Store<N, Interval<ElemOf<V::Lattice>>>,
    H: Heuristic<N, V::Lattice>,
    O: Observer<N, ElemOf<V::Lattice>>,
{
    type Local = Local<ElemOf<V::Lattice>, S::Slot>;
    type Observer = O;

    fn blank(&self) -> Self::Local {
        let border = || Border::below(self.bottom.clone());
        Local {
            is_caller: false,
            near: border(),
            far: border(),
            goal: border(),
            lower: self.bottom.clone(),
            upper: self.top.clone(),
            best: self.bottom.clone(),
            place: 0,
            uncut: true,
            depth: self.depth,
            child: Gap::null(border()),
            visit: Visit::Only,
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
        if parent.local.visit == Visit::Second {
            parent.local.visit = Visit::Only;
        } else if !parent.local.is_caller {
            let side = self.side(parent.kind);
            let view = parent.local.view(parent.is_new());
            let (window, is_trial) = self.plan.window(&side, &view);
            parent.local.child = window;
            parent.local.visit = if is_trial { Visit::Trial } else { Visit::Only };
        }
        let Gap { alpha, beta } = &parent.local.child;
        self.observer.enter(node, Some((alpha.at(), beta.at())));
        if kind == Kind::Leaf {
            let value = self.valuation.leaf(node);
            self.observer.leaf(node);
            self.absorb(parent, (&value, &value), &value);
            self.observer.exit(node, Exit::Bounds(&value, &value));
            return Ok(false);
        }
        let (slot, stored) = self.store.get(node);
        let known = match stored.as_deref() {
            Some(known) => {
                if known.exact().is_some() {
                    self.observer.cache_hit(node);
                }
                Some(known.clone())
            }
            None => self.heuristic.bounds(self.l.lattice, node, self.l.budget)?,
        };
        drop(stored);
        let side = self.side(kind);
        let (mut near, far) = if side.is_and {
            (beta.clone(), alpha.clone())
        } else {
            (alpha.clone(), beta.clone())
        };
        let mut goal = far.clone();
        if let Some(known) = known {
            let (lower, upper) = (known.lower(), known.upper());
            let result = if beta.is_below(side.lattice, lower) {
                Some(lower)
            } else if lower == upper || !alpha.is_below(side.lattice, upper) {
                Some(upper)
            } else {
                None
            };
            if let Some(result) = result {
                self.absorb(parent, (lower, upper), result);
                self.observer.exit(node, Exit::Bounds(lower, upper));
                return Ok(false);
            }
            let (near_bound, far_bound) = if side.is_and {
                (upper, lower)
            } else {
                (lower, upper)
            };
            near = side.further(near, side.beyond(near_bound));
            goal = side.nearer(goal, side.up_to(far_bound));
            local.lower.clone_from(lower);
            local.upper.clone_from(upper);
        } else {
            local.lower.clone_from(&self.bottom);
            local.upper.clone_from(&self.top);
        }
        local.near = near;
        local.far = far;
        local.goal = goal;
        local.best.clone_from(match kind {
            Kind::And => &self.top,
            Kind::Or | Kind::Leaf => &self.bottom,
        });
        local.place = 0;
        local.uncut = true;
        local.depth = match parent.local.depth {
            Some(depth) if !parent.local.is_caller => Some(depth.saturating_sub(1)),
            depth => depth,
        };
        local.visit = Visit::Only;
        local.slot = slot;
        Ok(true)
    }

    #[inline]
    fn cut(
        &mut self,
        _: &[Frame<N, Self::Local>],
        frame: &mut Frame<N, Self::Local>,
    ) -> Result<bool, Stop> {
        if frame.is_new() {
            return Ok(false);
        }
        let side = self.side(frame.kind);
        Ok(side.passes(&frame.local.goal, &frame.local.best))
    }

    #[inline]
    fn again(&mut self, frame: &mut Frame<N, Self::Local>) -> bool {
        frame.local.visit == Visit::Second
    }

    /// A node none of whose children reached the near border has no best child: each of their results is only a bound.
    fn decisive(&self, frame: &Frame<N, Self::Local>) -> Option<usize> {
        let side = self.side(frame.kind);
        let Local {
            near, best, place, ..
        } = &frame.local;
        side.passes(near, best).then_some(*place)
    }

    #[inline]
    fn close(
        &mut self,
        parent: &mut Frame<N, Self::Local>,
        frame: &mut Frame<N, Self::Local>,
        _: &[N],
        cut: bool,
    ) -> Result<(), Stop> {
        let (lower, upper) = self.interval(frame, cut);
        let interval = Interval::new(lower.clone(), upper.clone());
        self.store
            .put(frame.local.slot, &frame.node, interval, self.l.budget)?;
        let shows_lower = self.shows_lower(&parent.local.child, &lower);
        let result = if shows_lower { &lower } else { &upper };
        self.absorb(parent, (&lower, &upper), result);
        self.observer
            .exit(&frame.node, Exit::Bounds(&lower, &upper));
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
        let side = self.side(frame.kind);
        let local = &frame.local;
        let is_near = side.passes(&local.near, &local.best);
        let nothing = if side.is_and { &self.top } else { &self.bottom };
        let mut sides = Sides {
            l,
            is_and: side.is_and,
            near: if is_near { &local.best } else { nothing }.clone(),
            far: Some(local.best.clone()),
        };
        if let Some((lower, upper)) = below {
            sides.known(lower, upper);
        }
        for child in rest {
            if (self.is_leaf)(child) {
                let value = self.valuation.leaf(child);
                sides.known(&value, &value);
            } else if let Some(known) = self.store.get(child).1 {
                sides.known(known.lower(), known.upper());
            } else {
                sides.unknown();
            }
        }
        let (mut lower, mut upper) = sides.bounds();
        // Operations of a chain are too short to be stopped.
        let _ = l.join(&mut lower, &local.lower);
        let _ = l.meet(&mut upper, &local.upper);
        (lower, upper)
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
