//! The technique of all window searches of a total order; they differ in their plans.
//!
//! Problem: alpha-beta, TEST, SCOUT and NegaScout differ in two decisions only: with which window
//! is the next child visited, and is a child visited again after a null window has failed?
//!
//! Idea: those two are a [`Plan`]. Everything else is here: fail-soft values, bounds from a
//! heuristic and a cache (both are the pair (U, L) of Pijls and de Bruin), cutoffs, the
//! classification of results, interruption. For near and far borders see [`Side`].
//!
//! Invariant: the result of a node is true of it: a result beyond the far border is a bound on the
//! near side, one that does not reach the near border is a bound on the far side, and one between
//! them is the value. So every entry of the cache is a true interval.
//!
//! Bounds of a heuristic are trusted. A false one may lead to an interval with crossed ends, which
//! debug builds assert against; it may also go unnoticed.
//!
//! Needs: [`TotalOrder`]. Of two elements one is the better, and one child decides.
//!
//! Source: the informed pair, and where it enters: Pijls and de Bruin, Figure 3. Fail-soft values:
//! Fishburn (1983).

use std::fmt::Debug;

use meetjoin_dag::{AndOrDag, Heuristic as _, Kind, Valuation};
use meetjoin_lattice::{ElemOf, Interval, Lattice, Stop, TotalOrder, Within};

use super::plan::Plan;
use super::side::{Gap, Open, Side};
use crate::depth_first::driver::{Bounds, Frame, Pair, Search, Technique};
use crate::depth_first::sides::Sides;
use crate::total_order::Border;
use crate::{Observer as _, Outcome, Slot, Store, Tools, Window};

/// Searches with a window between borders. The interval contains the value of the root.
pub(crate) fn search<D, V, T>(
    dag: &D,
    valuation: &V,
    gap: Gap<ElemOf<V::Lattice>>,
    plan: Plan,
    env: &mut T,
) -> (Interval<ElemOf<V::Lattice>>, Option<Stop>)
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, Interval<ElemOf<V::Lattice>>>>,
{
    let mut search = Search::new(dag, valuation, env);
    let mut technique = WindowSearch(plan);
    let mut caller = technique.blank(&search);
    caller.visit = Visit::OfRoot;
    caller.child = gap;
    search.run(&mut technique, caller, |c| Interval::new(c.lower, c.upper))
}

/// Searches with a window between elements.
pub(crate) fn through<D, V, T>(
    dag: &D,
    valuation: &V,
    window: &Window<ElemOf<V::Lattice>>,
    plan: Plan,
    env: &mut T,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, Interval<ElemOf<V::Lattice>>>>,
{
    let lattice = valuation.lattice();
    let Window { alpha, beta } = window.clone();
    let nothing_to_see = lattice.compare(&alpha, &beta).is_ge();
    let (value, stop) = if nothing_to_see && lattice.bottom() != lattice.top() {
        // With such a window every value looks like beta.
        (Interval::new(lattice.bottom(), lattice.top()), None)
    } else {
        search(dag, valuation, Gap::open(alpha, beta), plan, env)
    };
    let l = Within::new(lattice, env.lend().budget);
    Outcome::of_bounds(l, window, value, stop)
}

struct WindowSearch(Plan);

struct Local<E> {
    /// The near border when the node was opened.
    near: Border<E>,
    /// The caller's far border.
    far: Border<E>,
    /// The border where the node is cut: the far border, or a known bound if that comes first.
    goal: Border<E>,
    /// Known bounds of the node.
    lower: E,
    upper: E,
    /// The best result of finished children, and the index of the child it came from.
    best: E,
    place: usize,
    /// Whether that has reached the goal, so that the rest is skipped.
    reached: bool,
    /// Whether each result so far is the exact value of its child.
    uncut: bool,
    /// The window of the child in progress, and the purpose of its visit.
    child: Gap<E>,
    visit: Visit,
    slot: Slot,
}

/// The purpose of the current window of children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Visit {
    /// A visit of the root: this is its caller, and the plan is not asked.
    OfRoot,
    /// None yet: the plan has to choose.
    Unplanned,
    /// A regular visit; also for the next children, until a result is better than the best.
    Only,
    /// A trial, also for the next child.
    Trial,
    /// A second visit after a trial, not begun yet.
    Again,
    /// A second visit after a trial.
    Second,
}

impl<E: Clone + Eq + Debug> Local<E> {
    /// The node as used by a plan, and the window it sets.
    #[inline]
    fn view(&mut self, is_new: bool) -> (Open<'_, E>, &mut Gap<E>) {
        let node = Open {
            near: &self.near,
            far: &self.far,
            best: (!is_new).then_some(&self.best),
        };
        (node, &mut self.child)
    }

    /// An interval of the node's value from finished children and known bounds.
    #[inline]
    fn interval<L: TotalOrder<Elem = E>>(&self, side: &Side<'_, L>, cut: bool) -> Bounds<E> {
        let reached = self.reached;
        let uncut = self.uncut && !cut;
        let is_near = uncut || reached || side.passes(&self.near, &self.best);
        let is_far = uncut || !reached;
        let (is_lower, is_upper) = if side.is_and {
            (is_far, is_near)
        } else {
            (is_near, is_far)
        };
        let mut bounds = (self.lower.clone(), self.upper.clone());
        if is_lower && side.lattice.compare(&self.best, &bounds.0).is_gt() {
            bounds.0.clone_from(&self.best);
        }
        if is_upper && side.lattice.compare(&self.best, &bounds.1).is_lt() {
            bounds.1.clone_from(&self.best);
        }
        debug_assert!(
            side.lattice.compare(&bounds.0, &bounds.1).is_le(),
            "a known bound is not true: {:?} to {:?} contradicts {:?}",
            self.lower,
            self.upper,
            self.best,
        );
        bounds
    }
}

fn side<L: Lattice>(lattice: &L, kind: Kind) -> Side<'_, L> {
    Side {
        lattice,
        is_and: kind == Kind::And,
    }
}

impl<D, V, T> Technique<D, V, T> for WindowSearch
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, Interval<ElemOf<V::Lattice>>>>,
{
    type Local = Local<ElemOf<V::Lattice>>;
    type Entry = Interval<ElemOf<V::Lattice>>;

    const SHARES: bool = true;

    /// A child must stay in its place while its trial may be repeated.
    fn shares(&self) -> bool {
        self.0 == Plan::AlphaBeta
    }

    fn blank(&self, search: &Search<'_, D, V, T>) -> Self::Local {
        let border = || Border::below(search.bottom.clone());
        Local {
            near: border(),
            far: border(),
            goal: border(),
            lower: search.bottom.clone(),
            upper: search.top.clone(),
            best: search.bottom.clone(),
            place: 0,
            reached: false,
            uncut: true,
            child: Gap::null(&border()),
            visit: Visit::Unplanned,
            slot: Slot::NONE,
        }
    }

    #[inline]
    fn plan(&self, lattice: &V::Lattice, parent: &mut Frame<D::Node, Self::Local>) {
        match parent.local.visit {
            Visit::Unplanned => {
                let side = side(lattice, parent.kind);
                let is_new = parent.is_new();
                let (view, window) = parent.local.view(is_new);
                let is_trial = self.0.window(&side, &view, window);
                parent.local.visit = if is_trial { Visit::Trial } else { Visit::Only };
            }
            Visit::Again => parent.local.visit = Visit::Second,
            Visit::OfRoot | Visit::Only | Visit::Trial | Visit::Second => {}
        }
    }

    #[inline]
    fn window(parent: &Self::Local) -> Option<Pair<'_, ElemOf<V::Lattice>>> {
        Some((parent.child.alpha.at(), parent.child.beta.at()))
    }

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
        let (slot, stored) = search.store.get(node);
        let known = match stored.as_deref() {
            Some(known) => {
                if known.exact().is_some() {
                    search.observer.cache_hit(node);
                }
                Some(known.clone())
            }
            None => search.heuristic.bounds(l.lattice, node, l.budget)?,
        };
        drop(stored);
        let side = side(l.lattice, kind);
        let Gap { alpha, beta } = &parent.local.child;
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
            if parent.local.child.is_settled_by(l.lattice, lower, upper) {
                Technique::<D, V, T>::answer(
                    self,
                    l,
                    search.observer,
                    parent,
                    node,
                    (lower, upper),
                )?;
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
            local.lower.clone_from(&search.bottom);
            local.upper.clone_from(&search.top);
        }
        local.best.clone_from(search.start(kind));
        local.place = 0;
        local.reached = false;
        local.uncut = true;
        local.visit = Visit::Unplanned;
        local.slot = slot;
        Ok(true)
    }

    fn take_shared(
        &mut self,
        search: &mut Search<'_, D, V, T>,
        parent: &mut Frame<D::Node, Self::Local>,
        child: &D::Node,
    ) -> Result<bool, Stop> {
        let l = search.l;
        let Some(known) = search.store.get(child).1 else {
            return Ok(false);
        };
        let (lower, upper) = (known.lower(), known.upper());
        let is_settled = parent.local.child.is_settled_by(l.lattice, lower, upper);
        if is_settled {
            Technique::<D, V, T>::absorb(self, l, parent, lower, upper)?;
        }
        Ok(is_settled)
    }

    #[inline]
    fn cut(
        &mut self,
        _: &Search<'_, D, V, T>,
        _: &[Frame<D::Node, Self::Local>],
        frame: &mut Frame<D::Node, Self::Local>,
    ) -> Result<bool, Stop> {
        Ok(frame.local.reached)
    }

    #[inline]
    fn absorb(
        &self,
        l: Within<'_, V::Lattice>,
        parent: &mut Frame<D::Node, Self::Local>,
        lower: &ElemOf<V::Lattice>,
        upper: &ElemOf<V::Lattice>,
    ) -> Result<(), Stop> {
        let (is_new, place) = (parent.is_new(), parent.place());
        let side = side(l.lattice, parent.kind);
        let local = &mut parent.local;
        if local.visit == Visit::OfRoot {
            local.lower.clone_from(lower);
            local.upper.clone_from(upper);
            return Ok(());
        }
        // The bound that the window shows.
        let exact = lower == upper;
        let is_beyond = !exact && local.child.beta.is_below(l.lattice, lower);
        let result = if is_beyond { lower } else { upper };
        // Most results change nothing, not even the window of the next child.
        if !is_new && !side.is_better(result, &local.best) {
            local.uncut &= exact;
            if local.visit == Visit::Second {
                local.visit = Visit::Unplanned;
            }
            return Ok(());
        }
        let reached = side.passes(&local.goal, result);
        if local.visit == Visit::Trial && !reached {
            // A result that passes the border of a trial is a bound on the near side.
            let is_near = side.passes(&local.child.alpha, result);
            let (node, window) = local.view(is_new);
            if self.0.retry(&side, &node, window, result, exact) {
                if is_near {
                    local.best.clone_from(result);
                    local.place = place;
                }
                local.visit = Visit::Again;
                return Ok(());
            }
        }
        local.best.clone_from(result);
        local.place = place;
        local.reached = reached;
        local.uncut &= exact;
        local.visit = Visit::Unplanned;
        Ok(())
    }

    #[inline]
    fn again(&mut self, frame: &mut Frame<D::Node, Self::Local>) -> bool {
        frame.local.visit == Visit::Again
    }

    /// If no child reached the near border, no child decided: each result is only a bound.
    #[inline]
    fn decisive(
        &self,
        search: &Search<'_, D, V, T>,
        frame: &Frame<D::Node, Self::Local>,
    ) -> Option<usize> {
        let Local {
            near, best, place, ..
        } = &frame.local;
        let side = side(search.l.lattice, frame.kind);
        side.passes(near, best).then_some(*place)
    }

    #[inline]
    fn close(
        &mut self,
        search: &mut Search<'_, D, V, T>,
        _: &mut Frame<D::Node, Self::Local>,
        frame: &mut Frame<D::Node, Self::Local>,
        _: &[D::Node],
        cut: bool,
    ) -> Result<(), Stop> {
        let (l, local) = (search.l, &mut frame.local);
        let (lower, upper) = local.interval(&side(l.lattice, frame.kind), cut);
        let interval = Interval::new(lower.clone(), upper.clone());
        search
            .store
            .put(local.slot, &frame.node, interval, l.budget)?;
        (local.lower, local.upper) = (lower, upper);
        Ok(())
    }

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
        let side = side(l.lattice, frame.kind);
        let local = &frame.local;
        let is_near = side.passes(&local.near, &local.best);
        let nothing = if side.is_and { l.top() } else { l.bottom() };
        let mut sides = Sides {
            l,
            is_and: side.is_and,
            near: if is_near { local.best.clone() } else { nothing },
            // A result that has reached the goal bounds its child on the near side only, unless it
            // is exact.
            far: (local.uncut || !local.reached).then(|| local.best.clone()),
        };
        sides.add(below, rest);
        let (mut lower, mut upper) = sides.bounds();
        // Operations of a chain are too short to be stopped.
        let _ = l.join(&mut lower, &local.lower);
        let _ = l.meet(&mut upper, &local.upper);
        (lower, upper)
    }
}
