//! Iterative deepening: depth 1, then 2 (or in steps of two), and so on, until the game is solved
//! or the time is over.
//!
//! Problem: nobody knows beforehand how deep a search can go in the time there is, and one that is
//! stopped half way says little.
//!
//! Idea: each depth is searched in full before the next is begun. That costs little, because the
//! next depth is so much larger, and it pays for itself: the child that decided a position at one
//! depth goes first at the next. MTD(f) begins where the depth before ended.
//!
//! One cache serves all depths, with one entry for a position. Its interval is of the game that
//! ends at the depth that made it, and says nothing of another. At the next depth it arranges:
//! children of which something good is known come first, then those of which nothing is known, as
//! the evaluation judges them, and those of which something bad is known last; and before all of
//! them the child that decided. Near the horizon none of that pays: positions whose children are
//! judged have no entries, for there are more of them than of all others, and to judge their
//! children again costs about as much as to remember.
//!
//! An evaluation may swing between odd and even depths, because the player who has moved last looks
//! better than she is. In steps of two the swing is gone, and what a depth has shown is a better
//! guide for the next one.
//!
//! The best line of each depth comes with it, by TESTs that the cache answers.
//!
//! Threads that share the cache search the same depth together: as soon as one is done with it, the
//! others leave it too, since it overwrites what they look for there; and a thread that comes later
//! begins where the others are. That the evaluation was asked they tell each other at once, because
//! who finds everything in the cache does not ask it, and would take an estimate for a value.
//!
//! Cost: that of the deepest search, and for branching factor b the share 1/(b - 1) of it for all
//! others.
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

/// How to deepen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Deepening {
    /// The search of each depth.
    pub search: Deepened,
    /// The last depth, if the game is not solved before.
    pub most: u32,
    /// Levels from one depth to the next, 1 or more. The first depth is the least that leads to the
    /// last one in such steps.
    pub step: u32,
    /// For how many positions the child that decided is remembered, to go first at the next depth.
    pub remembered: usize,
}

/// What one depth has shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level<N, E> {
    /// The value of the game that ends at this depth, marked as exact if it is that of the game
    /// itself.
    pub estimate: Estimate<E>,
    /// A line of best play to the horizon or to the end, the root first. It is shorter if a limit
    /// fired while it was looked for; then this is the last depth, and [`Deepest::stop`] says why.
    pub line: Vec<N>,
}

impl<N, E> Level<N, E> {
    fn is_deeper(&self, than: Option<&Self>) -> bool {
        than.is_none_or(|than| self.estimate.depth > than.estimate.depth)
    }
}

/// The answer: the last depth that was searched in full, and why the next was not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deepest<N, E> {
    /// `None` if not even the first depth was finished.
    pub level: Option<Level<N, E>>,
    /// The limit that ended it; `None` if the game is solved, the last depth was reached, or the
    /// caller had seen enough.
    pub stop: Option<Stop>,
}

/// Searches to one depth after the other, and ends early when the game is solved.
///
/// The environment's store makes the cache of positions ([`Stores`]), or none if it is `()`. It is
/// not kept from call to call. The environment's order arranges positions. `seen` is told of each
/// depth as soon as it is done, and says whether to go on: a caller may know more of the game than
/// the search, for example that no deeper one will find another value. Of threads that share the
/// cache, one that was left behind is told of the depth to which the others have come.
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
        // A thread that was left behind goes on from where the others are.
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

/// How far the threads that deepen together have come.
struct Together<N, E> {
    /// The last depth that one of them has searched in full.
    deepest: Mutex<Option<Level<N, E>>>,
    /// Its depth; 0 before the first.
    depth: AtomicU32,
    /// The last depth at which one of them has asked the evaluation.
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
    /// Whether a thread has done this depth, or a deeper one.
    fn have_done(&self, depth: u32) -> bool {
        self.depth.load(Ordering::Relaxed) >= depth
    }

    /// A thread has done a depth.
    fn tell(&self, level: Level<N, E>) {
        let mut deepest = self.lock();
        if !self.have_done(level.estimate.depth) {
            self.depth.store(level.estimate.depth, Ordering::Relaxed);
            *deepest = Some(level);
        }
    }

    /// The last depth that a thread has done.
    fn deepest(&self) -> Option<Level<N, E>> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Option<Level<N, E>>> {
        self.deepest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The evaluation is asked in a search to this depth. Whoever reads an entry that rests on it
    /// knows, because entries are written later, under a lock.
    #[inline]
    fn judge(&self, depth: u32) {
        if self.judged.load(Ordering::Relaxed) < depth {
            self.judged.fetch_max(depth, Ordering::Relaxed);
        }
    }

    /// Whether the evaluation was used at this depth or deeper.
    fn have_judged(&self, depth: u32) -> bool {
        self.judged.load(Ordering::Relaxed) >= depth
    }
}

/// What a search to `most` levels has found of a position with so many levels left.
#[derive(Clone)]
struct Found<E> {
    most: u32,
    left: u32,
    value: Interval<E>,
}

/// Levels below which a position has no entry: its children are judged.
const LAST: u32 = 2;

/// Levels below which the children come as they are: what is below them is soon searched, and the
/// depth before has left nothing of them.
const GUIDED: u32 = 4;

/// The cache of positions as the search to one depth sees it.
struct Kept<'a, S> {
    depth: u32,
    cache: &'a RefCell<S>,
    in_progress: Option<&'a Arc<InProgress>>,
    /// The last depth that was searched in full by a thread that shares the cache.
    done: &'a AtomicU32,
}

/// An entry, by value: the order reads the same cache.
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
        // An entry of another depth may rest on evaluations that this one would not count.
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
        // The entries of this depth are going.
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

/// Orders of positions, for positions with their depth.
struct ByPosition<'a, N, L: TotalOrder, F, R, S> {
    users: &'a mut R,
    best: &'a mut BestMoves<N>,
    lattice: &'a L,
    evaluation: &'a F,
    kept: &'a RefCell<S>,
    scratch: Vec<N>,
    hopes: Vec<(Hope, L::Elem, N)>,
}

/// What is known of a child, as its parent's mover sees it, beside a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Hope {
    /// It is worth that at least.
    AtLeast,
    /// Nothing; it is judged to be worth that.
    Judged,
    /// It is worth that at most.
    AtMost,
}

impl Hope {
    /// What an entry says, if it says anything.
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
