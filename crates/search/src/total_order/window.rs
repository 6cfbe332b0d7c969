//! The one technique behind the window searches of a total order: what they share, and a plan as what they differ in.
//!
//! Problem: alpha-beta, TEST, SCOUT and NegaScout differ in two decisions only: with which window is the next child visited, and is a child
//! visited again after a null window has failed?
//!
//! Idea: those two are a [`Plan`]. Everything else is here: fail-soft values, bounds from a heuristic and a cache (both are the pair (U, L) of
//! Pijls and de Bruin), cutoffs, the classification of results, interruption; near and far are those of [`Side`].
//!
//! Invariant: the result of a node is true of it: a result beyond the far border is a bound on the near side, one that does not reach the near
//! border is a bound on the far side, and one between them is the value. So every entry of the cache is a true interval.
//!
//! Bounds of a heuristic are trusted. One that is not true may show as an interval whose ends are crossed; debug builds assert that none of a
//! node is. It need not show.
//!
//! Needs: [`TotalOrder`]. Of two elements one is the better, and one child decides.
//!
//! Source: the informed pair, and where it enters: Pijls and de Bruin, Figure 3. Fail-soft values: Fishburn (1983).

use meetjoin_dag::{AndOrDag, Heuristic, Kind, Valuation};
use meetjoin_lattice::{Budget, ElemOf, Interval, Lattice, Stop, TotalOrder, Within};

use super::Border;
use super::plan::Plan;
use super::side::{Gap, Open, Side};
use crate::driver::{self, Bounds, Frame, Sides, Technique};
use crate::{Env, Exit, Observer, Order, Outcome, Store, Window};

/// Searches through a gap. The interval contains the value of the root.
pub(super) fn search<D, V, S, H, O, R>(
    dag: &D,
    valuation: &V,
    gap: Gap<ElemOf<V::Lattice>>,
    plan: Plan,
    env: &mut Env<'_, S, H, O, R>,
) -> (Interval<ElemOf<V::Lattice>>, Option<Stop>)
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder>,
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
    };
    let mut caller = technique.blank();
    caller.visit = Visit::OfRoot;
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
pub(super) fn through<D, V, S, H, O, R>(
    dag: &D,
    valuation: &V,
    window: &Window<ElemOf<V::Lattice>>,
    plan: Plan,
    env: &mut Env<'_, S, H, O, R>,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder>,
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
    let (value, stop) = search(dag, valuation, Gap::open(alpha, beta), plan, env);
    Outcome::of_bounds(l, window, value, stop)
}

struct WindowSearch<'a, L: Lattice, V, F, S, H, O> {
    l: Within<'a, L>,
    valuation: &'a V,
    is_leaf: F,
    plan: Plan,
    store: &'a mut S,
    heuristic: &'a mut H,
    observer: &'a mut O,
    bottom: L::Elem,
    top: L::Elem,
}

struct Local<E, Slot> {
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
    /// Whether that has reached the goal, so that the rest can be left out.
    reached: bool,
    /// Whether each result so far is the value of its child.
    uncut: bool,
    /// Levels left below.
    depth: Option<u32>,
    /// The window of the child in progress, and what kind of visit it is for.
    child: Gap<E>,
    visit: Visit,
    slot: Slot,
}

/// What the window of the child in progress is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Visit {
    /// For the root: this is its caller, and no plan is asked.
    OfRoot,
    /// For nothing yet: the plan is to be asked.
    Unplanned,
    /// For a visit whose result counts, and for the next child's, as long as no result is better than the best.
    Only,
    /// For a trial, and the next child's.
    Trial,
    /// For a visit that follows on a trial, and has yet to begin.
    Again,
    /// For a visit that follows on a trial.
    Second,
}

impl<E, Slot> Local<E, Slot> {
    /// The node as a plan sees it, and the window it sets.
    #[inline]
    fn view(&mut self, is_new: bool) -> (Open<'_, E>, &mut Gap<E>) {
        let node = Open {
            near: &self.near,
            far: &self.far,
            best: (!is_new).then_some(&self.best),
            depth: self.depth,
        };
        (node, &mut self.child)
    }
}

impl<'a, L: TotalOrder, V, F, S, H, O> WindowSearch<'a, L, V, F, S, H, O> {
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
        let (is_new, place) = (parent.is_new(), parent.place());
        let side = self.side(parent.kind);
        let local = &mut parent.local;
        if local.visit == Visit::OfRoot {
            local.lower.clone_from(lower);
            local.upper.clone_from(upper);
            return;
        }
        let exact = lower == upper;
        // Most results change nothing, not even the window of the next child.
        if !is_new && !side.is_better(result, &local.best) {
            local.uncut &= exact;
            if local.visit == Visit::Second {
                local.visit = Visit::Unplanned;
            }
            return;
        }
        let reached = side.passes(&local.goal, result);
        if local.visit == Visit::Trial && !reached {
            // What passes the border of a trial is a bound on the near side.
            let is_near = side.passes(&local.child.alpha, result);
            let (node, window) = local.view(is_new);
            if self.plan.retry(&side, &node, window, result, exact) {
                if is_near {
                    local.best.clone_from(result);
                    local.place = place;
                }
                local.visit = Visit::Again;
                return;
            }
        }
        local.best.clone_from(result);
        local.place = place;
        local.reached = reached;
        local.uncut &= exact;
        local.visit = Visit::Unplanned;
    }

    /// What the children done say of a node, together with what was known before: an interval of its value.
    fn interval<N, Slot>(
        &self,
        frame: &Frame<N, Local<L::Elem, Slot>>,
        cut: bool,
    ) -> Bounds<L::Elem> {
        let side = self.side(frame.kind);
        let local = &frame.local;
        let reached = local.reached;
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

impl<N, V, F, S, H, O> Technique<N, ElemOf<V::Lattice>>
    for WindowSearch<'_, V::Lattice, V, F, S, H, O>
where
    V: Valuation<N, Lattice: TotalOrder>,
    F: Fn(&N) -> bool,
    S: Store<N, Interval<ElemOf<V::Lattice>>>,
    H: Heuristic<N, V::Lattice>,
    O: Observer<N, ElemOf<V::Lattice>>,
{
    type Local = Local<ElemOf<V::Lattice>, S::Slot>;
    type Observer = O;

    fn blank(&self) -> Self::Local {
        let border = || Border::below(self.bottom.clone());
        Local {
            near: border(),
            far: border(),
            goal: border(),
            lower: self.bottom.clone(),
            upper: self.top.clone(),
            best: self.bottom.clone(),
            place: 0,
            reached: false,
            uncut: true,
            depth: self.plan.depth(),
            child: Gap::null(&border()),
            visit: Visit::Unplanned,
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
        match parent.local.visit {
            Visit::Unplanned => {
                let side = self.side(parent.kind);
                let is_new = parent.is_new();
                let (view, window) = parent.local.view(is_new);
                let is_trial = self.plan.window(&side, &view, window);
                parent.local.visit = if is_trial { Visit::Trial } else { Visit::Only };
            }
            Visit::Again => parent.local.visit = Visit::Second,
            Visit::OfRoot | Visit::Only | Visit::Trial | Visit::Second => {}
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
        let (near, far) = if side.is_and {
            (beta, alpha)
        } else {
            (alpha, beta)
        };
        local.near.set_to(near);
        local.far.set_to(far);
        local.goal.set_to(far);
        if let Some(known) = known {
            let (lower, upper) = (known.lower(), known.upper());
            debug_assert!(
                side.lattice.compare(lower, upper).is_le(),
                "a known bound is not true: {lower:?} lies above {upper:?}",
            );
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
            if side.passes(near, near_bound) {
                side.set_beyond(&mut local.near, near_bound);
            }
            let end = side.up_to(far_bound);
            if side.is_further(&local.goal, &end) {
                local.goal = end;
            }
            local.lower.clone_from(lower);
            local.upper.clone_from(upper);
        } else {
            local.lower.clone_from(&self.bottom);
            local.upper.clone_from(&self.top);
        }
        local.best.clone_from(match kind {
            Kind::And => &self.top,
            Kind::Or | Kind::Leaf => &self.bottom,
        });
        local.place = 0;
        local.reached = false;
        local.uncut = true;
        local.depth = match parent.local.depth {
            Some(depth) if parent.local.visit != Visit::OfRoot => Some(depth.saturating_sub(1)),
            depth => depth,
        };
        local.visit = Visit::Unplanned;
        local.slot = slot;
        Ok(true)
    }

    #[inline]
    fn cut(
        &mut self,
        _: &[Frame<N, Self::Local>],
        frame: &mut Frame<N, Self::Local>,
    ) -> Result<bool, Stop> {
        Ok(frame.local.reached)
    }

    #[inline]
    fn again(&mut self, frame: &mut Frame<N, Self::Local>) -> bool {
        frame.local.visit == Visit::Again
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
            // A result that has reached the goal bounds its child on the near side only, unless it is the value.
            far: (local.uncut || !local.reached).then(|| local.best.clone()),
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
