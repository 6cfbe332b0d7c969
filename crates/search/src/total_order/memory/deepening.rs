//! Iterative deepening: depth 1, then 2 (or in steps of two), and so on, until the game is solved
//! or time is up.
//!
//! Problem: the depth that a search can finish in a given time is unknown beforehand, and a search
//! that is stopped half way says little.
//!
//! Idea: each depth is searched in full before the next is begun. That costs little, because the
//! next search is much larger, and it pays for itself: the child that decided a position at one
//! depth goes first at the next. MTD(f) begins with the value of the last depth.
//!
//! One cache serves all depths, with one entry for each position. Its interval is for the game cut
//! at the depth that made it, and invalid for other depths. At the next depth it orders children:
//! the child that decided first, then those with good bounds, then those without bounds, by their
//! evaluation, and those with bad bounds last. Near the horizon that does not pay: positions whose
//! children are evaluated have no entries, for there are more of them than of all others, and
//! evaluating the children again costs about as much as a look-up.
//!
//! An evaluation may swing between odd and even depths, because the player who has moved last looks
//! better than she is. Steps of two avoid that, and each depth is a better guide for the next.
//!
//! The best line of each depth is found by TESTs, which the cache answers.
//!
//! Threads that share the cache search the same depth together: as soon as one has finished, the
//! others leave it too, since the next depth overwrites its entries; and a thread that comes later
//! begins at the current depth. Threads share at once whether the evaluation was used, because a
//! thread that finds everything in the cache does not use it, and would mistake an estimate for a
//! value.
//!
//! Cost: that of the deepest search, and about 1/(b - 1) of it for all others together, with
//! branching factor b.
//!
//! Needs: [`TotalOrder`].
//!
//! Source: Slate and Atkin (1977).

use std::cell::RefCell;
use std::hash::Hash;
use std::ops::{ControlFlow, Deref};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use meetjoin_dag::{AndOrDag, Kind, Valuation};
use meetjoin_lattice::{Budget, ElemOf, Interval, Stop, TotalOrder};

use crate::adapters::horizon::{At, Estimate, Horizon};
use crate::caches::in_progress::InProgress;
use crate::total_order::{Guess, alpha_beta_informed, mtd_f, nega_scout, principal_variation};
use crate::{BestMoves, Env, Observer, Order, Slot, Store, Stores, Window};

/// The search that is deepened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Deepened {
    /// Alpha-beta.
    AlphaBeta,
    /// NegaScout.
    #[default]
    NegaScout,
    /// MTD(f).
    MtdF,
}

/// The parameters of deepening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Deepening {
    /// The search of each depth.
    pub search: Deepened,
    /// The last depth, if the game is not solved before.
    pub most: u32,
    /// The difference between depths, at least 1. The first depth is the least from which such
    /// steps lead to the last one.
    pub step: u32,
    /// The number of positions whose deciding child is remembered, to go first at the next depth.
    pub remembered: usize,
}

/// The result of one depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level<N, E> {
    /// The value of the game cut at this depth, marked as exact if it is that of the real game.
    pub estimate: Estimate<E>,
    /// A line of best play to the horizon or to the end, the root first. It is shorter if a limit
    /// fired while it was computed; then this is the last depth, and [`Deepest::stop`] says why.
    pub line: Vec<N>,
}

impl<N, E> Level<N, E> {
    fn is_deeper(&self, than: Option<&Self>) -> bool {
        than.is_none_or(|than| self.estimate.depth > than.estimate.depth)
    }
}

/// The answer: the last depth that was completed, and why the next was not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deepest<N, E> {
    /// `None` if not even the first depth was completed.
    pub level: Option<Level<N, E>>,
    /// The limit that ended it; `None` if the game is solved, the last depth was reached, or the
    /// caller had seen enough.
    pub stop: Option<Stop>,
}

/// Searches to increasing depths, and ends early when the game is solved.
///
/// The environment's store makes the cache of positions ([`Stores`]), or none if it is `()`. It is
/// not kept from call to call. The environment's order arranges positions. `seen` is called with
/// each depth as soon as it is completed, and decides whether to go on: a caller may know, for
/// example, that no deeper search will find another value. A thread that was overtaken by others
/// with the same cache gets their deepest result.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use meetjoin_dag::{GraphBuilder, Problem};
/// use meetjoin_lattice::{Budget, Chain};
/// use meetjoin_search::{Env, Tables, total_order::{Deepened, Deepening, iterative_deepening}};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut builder = GraphBuilder::new();
/// builder.or("r", ["a", "b"])?;
/// builder.and("a", ["x", "y"])?;
/// builder.and("b", ["y", "z"])?;
/// for (leaf, value) in [("x", 3), ("y", 7), ("z", 5)] {
///     builder.leaf(leaf, value)?;
/// }
/// let problem = Problem::build(builder, "r", Chain::new(0, 9).ok_or("0 <= 9")?)?;
/// let budget = Budget::unlimited();
/// let mut env = Env::new(&budget).with_store(Tables);
/// let how = Deepening { search: Deepened::NegaScout, most: 9, step: 1, remembered: 100 };
/// let on = |_: &_| ControlFlow::Continue(());
/// let deepest = iterative_deepening(&problem, &problem, |_| 4, how, &mut env, on);
/// let level = deepest.level.ok_or("no limit")?;
/// assert!(level.estimate.is_exact()); // depth 2 was enough
/// assert_eq!((level.estimate.depth, level.estimate.value()), (2, Some(&5)));
/// assert_eq!(level.line.len(), 3); // r, b, z
/// # Ok(())
/// # }
/// ```
pub fn iterative_deepening<D, V, F, S, O, R>(
    dag: &D,
    valuation: &V,
    evaluation: F,
    how: Deepening,
    env: &mut Env<'_, S, (), O, R>,
    mut seen: impl FnMut(&Level<D::Node, ElemOf<V::Lattice>>) -> ControlFlow<()>,
) -> Deepest<D::Node, ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder>,
    F: Fn(&D::Node) -> ElemOf<V::Lattice>,
    S: Stores<D::Node>,
    O: Observer<At<D::Node>, ElemOf<V::Lattice>>,
    R: Order<D::Node>,
{
    let lattice = valuation.lattice();
    let mut best = BestMoves::new(how.remembered);
    let window = Window::full(lattice);
    let kept = env.store.store();
    let in_progress = kept.in_progress().cloned();
    let kept = RefCell::new(kept);
    let all = env.store.common::<Together<D::Node, ElemOf<V::Lattice>>>();
    let mut done: Option<Level<D::Node, ElemOf<V::Lattice>>> = None;
    let step = how.step.max(1);
    let first = 1 + how.most.saturating_sub(1) % step;
    for depth in (first..=how.most).step_by(step as usize) {
        if !all.have_done(depth) {
            let judge = |node: &D::Node| {
                all.judge(depth);
                evaluation(node)
            };
            let horizon = Horizon::new(dag, valuation, judge, depth);
            let mut env = Env {
                budget: env.budget,
                store: Kept {
                    depth,
                    cache: &kept,
                    in_progress: in_progress.as_ref(),
                    done: &all.depth,
                },
                heuristic: (),
                observer: &mut env.observer,
                order: ByPosition {
                    users: &mut env.order,
                    best: &mut best,
                    lattice,
                    evaluation: &evaluation,
                    kept: &kept,
                    scratch: Vec::new(),
                    hopes: Vec::new(),
                },
            };
            let outcome = match how.search {
                Deepened::AlphaBeta => alpha_beta_informed(&horizon, &horizon, &window, &mut env),
                Deepened::NegaScout => nega_scout(&horizon, &horizon, &window, &mut env),
                Deepened::MtdF => {
                    let before = done.as_ref().and_then(|level| level.estimate.value());
                    let guess = before.map_or(Guess::Top, |value| Guess::Value(value.clone()));
                    mtd_f(&horizon, &horizon, guess, &mut env)
                }
            };
            let (level, stop) = match outcome.exact() {
                None => (None, outcome.stop),
                Some(value) => {
                    let line = principal_variation(&horizon, &horizon, value, &mut env);
                    let mut estimate = horizon.estimate(outcome);
                    if all.have_judged(depth) {
                        estimate.evaluations = estimate.evaluations.max(1);
                    }
                    let stop = line.stop;
                    let line = line.nodes.into_iter().map(|at| at.node).collect();
                    (Some(Level { estimate, line }), stop)
                }
            };
            match level {
                Some(level) if stop.is_none() => all.tell(level),
                _ if all.have_done(depth) => {}
                level => {
                    if let Some(level) = &level {
                        let _ = seen(level);
                    }
                    return Deepest {
                        level: level.or(done),
                        stop,
                    };
                }
            }
        }
        // A thread that was overtaken goes on from the others' depth.
        let news = all.deepest().filter(|level| level.is_deeper(done.as_ref()));
        if let Some(level) = news {
            let enough = seen(&level).is_break() || level.estimate.is_exact();
            done = Some(level);
            if enough {
                break;
            }
        }
    }
    Deepest {
        level: done,
        stop: None,
    }
}

/// The progress of threads that deepen together.
struct Together<N, E> {
    /// The last depth that one of them has completed.
    deepest: Mutex<Option<Level<N, E>>>,
    /// Its depth; 0 before the first.
    depth: AtomicU32,
    /// The last depth at which one of them has used the evaluation.
    judged: AtomicU32,
}

impl<N, E> Default for Together<N, E> {
    fn default() -> Self {
        Self {
            deepest: Mutex::default(),
            depth: AtomicU32::new(0),
            judged: AtomicU32::new(0),
        }
    }
}

impl<N: Clone, E: Clone> Together<N, E> {
    /// Returns whether a thread has completed this depth, or a deeper one.
    fn have_done(&self, depth: u32) -> bool {
        self.depth.load(Ordering::Relaxed) >= depth
    }

    /// Records a completed depth.
    fn tell(&self, level: Level<N, E>) {
        let mut deepest = self.lock();
        if !self.have_done(level.estimate.depth) {
            self.depth.store(level.estimate.depth, Ordering::Relaxed);
            *deepest = Some(level);
        }
    }

    /// The deepest completed result.
    fn deepest(&self) -> Option<Level<N, E>> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Option<Level<N, E>>> {
        self.deepest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that a search to this depth uses the evaluation. A thread that reads an entry that
    /// rests on it sees this, because entries are written later, under a lock.
    #[inline]
    fn judge(&self, depth: u32) {
        if self.judged.load(Ordering::Relaxed) < depth {
            self.judged.fetch_max(depth, Ordering::Relaxed);
        }
    }

    /// Returns whether the evaluation was used at this depth or deeper.
    fn have_judged(&self, depth: u32) -> bool {
        self.judged.load(Ordering::Relaxed) >= depth
    }
}

/// What a search to `most` levels has found of a position with `left` levels left.
#[derive(Clone)]
struct Found<E> {
    most: u32,
    left: u32,
    value: Interval<E>,
}

/// Positions with fewer levels left have no entry: their children are evaluated.
const LAST: u32 = 2;

/// With fewer levels left, children are not reordered: they are searched quickly, and the last
/// depth has left no entries for them.
const GUIDED: u32 = 4;

/// The cache of positions as used by the search to one depth.
struct Kept<'a, S> {
    depth: u32,
    cache: &'a RefCell<S>,
    in_progress: Option<&'a Arc<InProgress>>,
    /// The last depth completed by a thread that shares the cache.
    done: &'a AtomicU32,
}

/// A copy of an entry, because the order reads the same cache.
struct Read<E>(Interval<E>);

impl<E> Deref for Read<E> {
    type Target = Interval<E>;

    #[inline]
    fn deref(&self) -> &Interval<E> {
        &self.0
    }
}

impl<N, E: Clone, S: Store<N, Found<E>>> Store<At<N>, Interval<E>> for Kept<'_, S> {
    type Ref<'r>
        = Read<E>
    where
        Self: 'r,
        E: 'r;

    #[inline]
    fn get(&self, at: &At<N>) -> (Slot, Option<Read<E>>) {
        if at.depth < LAST {
            return (Slot::NONE, None);
        }
        let cache = self.cache.borrow();
        let (slot, found) = cache.get(&at.node);
        // An entry of another depth may rest on evaluations that would not be counted here.
        let found = found.filter(|found| found.most == self.depth && found.left == at.depth);
        (slot, found.map(|found| Read(found.value.clone())))
    }

    #[inline]
    fn put(
        &mut self,
        slot: Slot,
        at: &At<N>,
        value: Interval<E>,
        budget: &Budget,
    ) -> Result<(), Stop> {
        if at.depth < LAST {
            return Ok(());
        }
        // The entries of this depth are being overwritten.
        if self.done.load(Ordering::Relaxed) >= self.depth {
            return Err(Stop::Cancelled);
        }
        let (most, left) = (self.depth, at.depth);
        let found = Found { most, left, value };
        self.cache.borrow_mut().put(slot, &at.node, found, budget)
    }

    fn len(&self) -> usize {
        self.cache.borrow().len()
    }

    #[inline]
    fn in_progress(&self) -> Option<&Arc<InProgress>> {
        self.in_progress
    }
}

/// Orders of positions as orders of positions with levels left.
struct ByPosition<'a, N, L: TotalOrder, F, R, S> {
    users: &'a mut R,
    best: &'a mut BestMoves<N>,
    lattice: &'a L,
    evaluation: &'a F,
    kept: &'a RefCell<S>,
    scratch: Vec<N>,
    hopes: Vec<(Hope, L::Elem, N)>,
}

/// What is known of a child, from its parent's view, beside a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Hope {
    /// The number is a lower bound.
    AtLeast,
    /// The number is the evaluation.
    Judged,
    /// The number is an upper bound.
    AtMost,
}

impl Hope {
    /// The information of an entry, if it has any.
    fn new<L: TotalOrder>(
        lattice: &L,
        kind: Kind,
        value: &Interval<L::Elem>,
    ) -> Option<(Self, L::Elem)> {
        let (low, high) = (value.lower(), value.upper());
        let (low, high) = (
            (*low != lattice.bottom()).then_some(low),
            (*high != lattice.top()).then_some(high),
        );
        let (least, most) = match kind {
            Kind::And => (high, low),
            _ => (low, high),
        };
        let least = least.map(|value| (Self::AtLeast, value.clone()));
        least.or_else(|| most.map(|value| (Self::AtMost, value.clone())))
    }
}

impl<N, L, F, R, S> Order<At<N>> for ByPosition<'_, N, L, F, R, S>
where
    N: Clone + Eq + Hash,
    L: TotalOrder,
    F: Fn(&N) -> L::Elem,
    R: Order<N>,
    S: Store<N, Found<L::Elem>>,
{
    fn arrange(&mut self, at: &At<N>, kind: Kind, children: &mut [At<N>]) {
        if at.depth < GUIDED && self.users.is_natural() {
            return;
        }
        let nodes = &mut self.scratch;
        nodes.clear();
        nodes.extend(children.iter().map(|child| child.node.clone()));
        self.users.arrange(&at.node, kind, nodes);
        if at.depth >= GUIDED {
            let (lattice, kept) = (self.lattice, self.kept.borrow());
            let hopes = &mut self.hopes;
            hopes.extend(nodes.drain(..).map(|node| {
                let found = kept.get(&node).1;
                let hope = found.and_then(|found| Hope::new(lattice, kind, &found.value));
                let (hope, value) =
                    hope.unwrap_or_else(|| (Hope::Judged, (self.evaluation)(&node)));
                (hope, value, node)
            }));
            hopes.sort_by(|(hope, a, _), (other, b, _)| {
                let better = match kind {
                    Kind::And => lattice.compare(a, b),
                    _ => lattice.compare(b, a),
                };
                hope.cmp(other).then(better)
            });
            nodes.extend(hopes.drain(..).map(|(_, _, node)| node));
            self.best.arrange(&at.node, kind, nodes);
        }
        for (child, node) in children.iter_mut().zip(nodes.drain(..)) {
            child.node = node;
        }
    }

    fn decided(&mut self, at: &At<N>, kind: Kind, child: &At<N>) {
        self.users.decided(&at.node, kind, &child.node);
        if at.depth >= GUIDED {
            self.best.decided(&at.node, kind, &child.node);
        }
    }
}
