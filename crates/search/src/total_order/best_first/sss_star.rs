//! SSS* as a list: SSS-2 without walks from the root.
//!
//! Problem: `diminish` walks from the root down to the tips that have the value of the root, again
//! for each milestone, and looks at all children of the OR nodes on its way.
//!
//! Idea: a solution tree is determined by its tips from left to right. If no lower bound ends a
//! call early, walking down means taking the leftmost tip with the greatest value, and the rest is
//! local: go up from it, and expand the younger brothers of the children of AND nodes, until the
//! tips of one of these children can be replaced by better ones. If no AND node above has such a
//! brother, the greatest value is that of the root. All calls of `expand` are those of SSS-2, in
//! the same order.
//!
//! Form: the tips are a doubly linked list. A tip knows the AND node nearest above it, and an AND
//! node the next AND node above, its first and last tip, and the younger brothers of the child that
//! it has; OR nodes are not needed on the way up and not stored. The next tip is on top of a heap
//! by value and position that tracks the index of each tip, so that tips are removed and inserted
//! in time `log n` for n tips; a sorted list would take linear time. Positions are numbers with
//! gaps for later insertions; if a gap is full, all tips are renumbered.
//!
//! Bounds: an inner node with an upper bound U can be a tip, which is expanded in its place when
//! its turn comes. The lower bound L is not used, and there is no store, because its entries would
//! be lower bounds of inner nodes, which a list cannot use.
//!
//! Invariant: the tips are those of a solution tree with their values (see
//! [`sss_2`](crate::total_order::sss_2())). They change only after a successful expansion, in one
//! step that cannot be stopped.
//!
//! Needs: [`TotalOrder`], as SSS-2 does.
//!
//! Cost: for each replaced tip `log n`, and the AND nodes between it and the node below which it is
//! replaced; memory as in SSS-2.
//!
//! Source: Pijls and de Bruin, "Searching informed game trees", section 8 and Figure 8; Stockman
//! (1979).

mod list;

use meetjoin_dag::{AndOrDag, Heuristic, Kind, Valuation};
use meetjoin_lattice::{Budget, ElemOf, Interval, Lattice, Stop, TotalOrder};

use self::list::{List, Tip};
use super::solution_tree::{NONE, Rests};
use super::sss_2::mirror::{self, Mirror};
use super::sss_2::push;
use crate::{Call, Exit, Observer, Order, Outcome, Progress, Tools};

/// The answer of SSS*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SssStar<N, E> {
    /// The value of the root, or bounds of it if the search was stopped.
    pub outcome: Outcome<E>,
    /// The tips of the last solution tree from left to right, with their values; none if the search
    /// was stopped before there was one.
    pub tips: Vec<(N, E)>,
}

/// SSS* in the list form of Pijls and de Bruin. Of the heuristic only the upper bounds are used.
///
/// A visit is a call of `expand`. The observer receives the events of
/// [`sss_2`](crate::total_order::sss_2()), without the calls of `diminish`.
///
/// ```
/// use meetjoin_dag::{GraphBuilder, Problem};
/// use meetjoin_lattice::{Budget, Chain};
/// use meetjoin_search::{Env, total_order::sss_star};
///
/// let mut builder = GraphBuilder::new();
/// builder.or("root", ["left", "right"])?;
/// builder.and("left", ["a", "b"])?;
/// builder.and("right", ["b", "c"])?;
/// for (leaf, value) in [("a", 7), ("b", 3), ("c", 5)] {
///     builder.leaf(leaf, value)?;
/// }
/// let game = Problem::build(builder, "root", Chain::new(0, 9).ok_or("0 <= 9")?)?;
/// let budget = Budget::unlimited();
/// let answer = sss_star(&game, &game, &mut Env::new(&budget));
/// assert_eq!(answer.outcome.exact(), Some(&3));
/// // b on the left, b on the right.
/// assert_eq!(answer.tips.iter().map(|tip| tip.1).collect::<Vec<_>>(), [3, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sss_star<D, V, T>(
    dag: &D,
    valuation: &V,
    env: &mut T,
) -> SssStar<D::Node, ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder>,
    T: Tools<D::Node, V::Lattice, Store = ()>,
{
    let (value, stop, tips) = Search::new(dag, valuation, env).solve();
    SssStar {
        outcome: Outcome::of_full_window(value, stop),
        tips,
    }
}

/// The dual of [`sss_star`], which searches from below: see
/// [`sss_2_dual`](crate::total_order::sss_2_dual). Of the heuristic only the lower bounds are used.
pub fn sss_star_dual<D, V, T>(
    dag: &D,
    valuation: &V,
    env: &mut T,
) -> SssStar<D::Node, ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder>,
    T: Tools<D::Node, V::Lattice, Store = ()>,
{
    let game = Mirror::of_game(dag, valuation);
    let mut env = mirror::env(env);
    let (value, stop, tips) = Search::new(&game, &game, &mut env).solve();
    SssStar {
        outcome: Outcome::of_full_window(mirror::turned(value), stop),
        tips,
    }
}

/// An open call of `expand`, or one for the younger brothers of a node in the list.
struct Expanding<N, E> {
    node: N,
    /// The AND node under construction, or for an OR node the nearest one above.
    owner: u32,
    /// The last tip of the new list when the call began.
    mark: u32,
    all: bool,
    /// Whether the list called, which does the rest itself.
    for_list: bool,
    first: usize,
    next: usize,
    end: usize,
    /// The greatest value so far.
    g: E,
    known: Option<Interval<E>>,
}

enum Visit<N, E> {
    Below(E),
    NotBelow,
    Open(Expanding<N, E>),
}

struct Core<'a, D: AndOrDag, V: Valuation<D::Node>, T: Tools<D::Node, V::Lattice>> {
    dag: &'a D,
    valuation: &'a V,
    budget: &'a Budget,
    heuristic: &'a mut T::Heuristic,
    observer: &'a mut T::Observer,
    order: &'a mut T::Order,
    list: List<D::Node, ElemOf<V::Lattice>>,
    /// The ends of the new list.
    new_first: u32,
    new_last: u32,
    /// The bound; `None` is above everything.
    g1: Option<ElemOf<V::Lattice>>,
    failed: ElemOf<V::Lattice>,
    bottom: ElemOf<V::Lattice>,
    top: ElemOf<V::Lattice>,
}

struct Search<'a, D: AndOrDag, V: Valuation<D::Node>, T: Tools<D::Node, V::Lattice>> {
    core: Core<'a, D, V, T>,
    expanding: Vec<Expanding<D::Node, ElemOf<V::Lattice>>>,
    /// The children of the nodes in `expanding`.
    children: Vec<D::Node>,
}

impl<D, V, T, E> Core<'_, D, V, T>
where
    E: Clone + Eq,
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder<Elem = E>>,
    T: Tools<D::Node, V::Lattice>,
{
    #[inline]
    fn is_below(&self, value: &E) -> bool {
        let lattice = self.valuation.lattice();
        let g1 = self.g1.as_ref();
        g1.is_none_or(|g1| lattice.compare(value, g1).is_lt())
    }

    #[cold]
    fn report(&mut self) {
        self.observer.progress(Progress {
            visits: self.budget.visits_made(),
            entries: 0,
            lower: &self.bottom,
            upper: self.g1.as_ref().unwrap_or(&self.top),
        });
    }

    /// Adds a tip to the end of the new list.
    #[inline]
    fn append(&mut self, node: &D::Node, is_leaf: bool, g: &E, owner: u32) -> Result<(), Stop> {
        let before = self.new_last;
        let tip = Tip {
            node: node.clone(),
            is_leaf,
            g: g.clone(),
            owner,
            before,
            after: NONE,
            position: 0,
            place: 0,
        };
        let at = self.list.add_tip(tip, self.budget)?;
        if before == NONE {
            self.new_first = at;
        } else {
            self.list.tips[before as usize].after = at;
        }
        self.new_last = at;
        Ok(())
    }

    /// The tips of the new list after `mark`.
    fn new_since(&self, mark: u32) -> (u32, u32) {
        let first = if mark == NONE {
            self.new_first
        } else {
            self.list.tips[mark as usize].after
        };
        (first, self.new_last)
    }

    /// Begins a call of `expand` below `owner`.
    #[inline]
    fn visit(&mut self, node: &D::Node, owner: u32) -> Result<Visit<D::Node, E>, Stop> {
        if self.budget.visit()? && self.observer.wants_progress() {
            self.report();
        }
        self.observer
            .enter_call(node, Call::Expand, self.g1.as_ref());
        let kind = self.dag.kind(node);
        if kind == Kind::Leaf {
            let value = self.valuation.leaf(node);
            self.observer.leaf(node);
            self.observer.exit(node, Exit::Bounds(&value, &value));
            if self.is_below(&value) {
                self.append(node, true, &value, owner)?;
                return Ok(Visit::Below(value));
            }
            self.failed = value;
            return Ok(Visit::NotBelow);
        }
        let lattice = self.valuation.lattice();
        let known = self.heuristic.bounds(lattice, node, self.budget)?;
        if let Some(interval) = &known {
            let (lower, upper) = (interval.lower(), interval.upper());
            let says = interval.exact().is_some() || *upper != self.top;
            if says && self.is_below(upper) {
                self.observer.exit(node, Exit::Bounds(lower, upper));
                self.append(node, false, upper, owner)?;
                return Ok(Visit::Below(upper.clone()));
            }
        }
        let all = kind == Kind::Or;
        let owner = if all {
            owner
        } else {
            self.list.add_and_node(node, owner, self.budget)?
        };
        Ok(Visit::Open(Expanding {
            node: node.clone(),
            owner,
            mark: self.new_last,
            all,
            for_list: false,
            first: 0,
            next: 0,
            end: 0,
            g: self.bottom.clone(),
            known,
        }))
    }

    /// Ends a call of `expand`.
    #[inline]
    fn close(
        &mut self,
        frame: &Expanding<D::Node, E>,
        below: bool,
        rest: &[D::Node],
    ) -> Result<(), Stop> {
        if !rest.is_empty() {
            self.observer.cutoff(&frame.node, rest.len());
        }
        let (first, last) = self.new_since(frame.mark);
        if below {
            if !frame.all {
                let rest = self.list.rests.keep(rest, self.budget)?;
                let node = &mut self.list.and_nodes[frame.owner as usize];
                self.list.rests.release(node.rest);
                node.rest = rest;
                if !frame.for_list {
                    (node.first, node.last) = (first, last);
                }
            }
        } else if frame.all {
            self.list.release(first, last, frame.owner);
            self.new_last = frame.mark;
            if frame.mark == NONE {
                self.new_first = NONE;
            } else {
                self.list.tips[frame.mark as usize].after = NONE;
            }
        } else {
            if let Some(g1) = &self.g1 {
                self.failed.clone_from(g1);
            }
            if !frame.for_list {
                self.list.release_and_node(frame.owner);
            }
        }
        if frame.for_list {
            return Ok(());
        }
        let known = frame.known.as_ref();
        let (lower, upper) = if below {
            (known.map_or(&self.bottom, Interval::lower), &frame.g)
        } else {
            (&self.failed, known.map_or(&self.top, Interval::upper))
        };
        self.observer.exit(&frame.node, Exit::Bounds(lower, upper));
        Ok(())
    }
}

impl<'a, D, V, T, E> Search<'a, D, V, T>
where
    E: Clone + Eq,
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder<Elem = E>>,
    T: Tools<D::Node, V::Lattice>,
{
    fn new(dag: &'a D, valuation: &'a V, env: &'a mut T) -> Self {
        let env = env.lend();
        let (bottom, top) = (valuation.lattice().bottom(), valuation.lattice().top());
        Self {
            core: Core {
                dag,
                valuation,
                budget: env.budget,
                heuristic: env.heuristic,
                observer: env.observer,
                order: env.order.0,
                list: List {
                    tips: Vec::new(),
                    and_nodes: Vec::new(),
                    rests: Rests::new(),
                    free_tips: Vec::new(),
                    free_and_nodes: Vec::new(),
                    first: NONE,
                    heap: Vec::new(),
                },
                new_first: NONE,
                new_last: NONE,
                g1: None,
                failed: bottom.clone(),
                bottom,
                top,
            },
            expanding: Vec::new(),
            children: Vec::new(),
        }
    }

    #[allow(clippy::type_complexity)] // the parts of the answer
    fn solve(mut self) -> (Interval<E>, Option<Stop>, Vec<(D::Node, E)>) {
        let stop = self.search().err();
        let list = &self.core.list;
        let greatest = list.heap.first();
        let upper = greatest.map_or(&self.core.top, |&tip| &list.tips[tip as usize].g);
        let value = match stop {
            None => Interval::Exact(upper.clone()),
            Some(_) => Interval::new(self.core.bottom.clone(), upper.clone()),
        };
        let mut tips = Vec::with_capacity(list.heap.len());
        let mut at = list.first;
        while at != NONE {
            let tip = &list.tips[at as usize];
            tips.push((tip.node.clone(), tip.g.clone()));
            at = tip.after;
        }
        (value, stop, tips)
    }

    /// Figure 4 with the `diminish` of Figure 8.
    fn search(&mut self) -> Result<(), Stop> {
        let root = self.core.dag.root();
        if let Visit::Open(frame) = self.core.visit(&root, NONE)? {
            self.open(frame)?;
            self.expand()?;
        }
        self.put((NONE, NONE), NONE);
        while let Some(g) = self.greatest() {
            self.core.observer.milestone(&g);
            self.core.g1 = Some(g);
            let (core, mut lower) = (&self.core, true);
            if core.g1.as_ref() == Some(&core.bottom) {
                return Ok(());
            }
            while lower
                && let Some(&tip) = self.core.list.heap.first()
                && !self.core.is_below(&self.core.list.tips[tip as usize].g)
            {
                lower = self.improve(tip)?;
            }
            if !lower {
                return Ok(());
            }
        }
        Ok(())
    }

    fn greatest(&self) -> Option<E> {
        let list = &self.core.list;
        list.heap
            .first()
            .map(|&tip| list.tips[tip as usize].g.clone())
    }

    /// Replaces the tips from `old.0` to `old.1` by the new list, below `owner`.
    fn put(&mut self, old: (u32, u32), owner: u32) {
        let core = &mut self.core;
        let new = (core.new_first, core.new_last);
        core.list.replace(core.valuation.lattice(), old, new, owner);
        (core.new_first, core.new_last) = (NONE, NONE);
    }

    /// Replaces the leftmost greatest tip, and tips that depend on it, by tips below the bound, if
    /// there are any.
    fn improve(&mut self, tip: u32) -> Result<bool, Stop> {
        let Tip {
            node,
            is_leaf,
            owner,
            ..
        } = &self.core.list.tips[tip as usize];
        let (is_leaf, mut above) = (*is_leaf, *owner);
        if !is_leaf {
            let node = node.clone();
            // `expandtip`: an AND node is added to the list only on success.
            let kind = self.core.dag.kind(&node);
            let all = kind == Kind::Or;
            let owner = if all {
                above
            } else {
                self.core
                    .list
                    .add_and_node(&node, above, self.core.budget)?
            };
            let frame = self.frame_for_list(node, owner, all);
            self.open(frame)?;
            if self.expand()? {
                let ends = (self.core.new_first, self.core.new_last);
                self.put((tip, tip), above);
                if !all {
                    let and_node = &mut self.core.list.and_nodes[owner as usize];
                    (and_node.first, and_node.last) = ends;
                }
                return Ok(true);
            }
            if !all {
                self.core.list.release_and_node(owner);
            }
        }
        while above != NONE {
            let and_node = &self.core.list.and_nodes[above as usize];
            let (owner, rest) = (and_node.owner, and_node.rest);
            let ends = (and_node.first, and_node.last);
            if rest.len() > 0 {
                let mut frame = self.frame_for_list(and_node.node.clone(), above, false);
                let core = &mut self.core;
                self.children.extend_from_slice(core.list.rests.get(rest));
                frame.end = self.children.len();
                push(&mut self.expanding, frame, core.budget)?;
                if self.expand()? {
                    self.put(ends, above);
                    return Ok(true);
                }
            }
            above = owner;
        }
        Ok(false)
    }

    fn frame_for_list(&self, node: D::Node, owner: u32, all: bool) -> Expanding<D::Node, E> {
        Expanding {
            node,
            owner,
            mark: NONE,
            all,
            for_list: true,
            first: 0,
            next: 0,
            end: 0,
            g: self.core.bottom.clone(),
            known: None,
        }
    }

    /// Makes a call of `expand` the innermost one.
    #[inline]
    fn open(&mut self, mut frame: Expanding<D::Node, E>) -> Result<(), Stop> {
        let first = self.children.len();
        self.core.dag.children(&frame.node, &mut self.children);
        let kind = if frame.all { Kind::Or } else { Kind::And };
        let children = &mut self.children[first..];
        self.core.order.arrange(&frame.node, kind, children);
        (frame.first, frame.next, frame.end) = (first, first, self.children.len());
        push(&mut self.expanding, frame, self.core.budget)
    }

    /// Figure 6, from the innermost open call to the end of the outermost. Returns whether the new
    /// list has a value below the bound.
    fn expand(&mut self) -> Result<bool, Stop> {
        let lattice = self.core.valuation.lattice();
        let take = |frame: &mut Expanding<D::Node, E>, g: E| {
            if lattice.compare(&g, &frame.g).is_gt() {
                frame.g = g;
            }
        };
        let mut returned = None;
        while let Some(frame) = self.expanding.last_mut() {
            let mut opened = None;
            let below = loop {
                // An AND node is finished with the first child below the bound, an OR node with the
                // first that is not.
                if let Some(below) = returned.take()
                    && below != frame.all
                {
                    break below;
                }
                if frame.next == frame.end {
                    break frame.all;
                }
                let node = &self.children[frame.next];
                match self.core.visit(node, frame.owner)? {
                    Visit::Below(g) => {
                        take(frame, g);
                        returned = Some(true);
                    }
                    Visit::NotBelow => returned = Some(false),
                    Visit::Open(child) => {
                        opened = Some(child);
                        break false;
                    }
                }
                frame.next += 1;
            };
            if let Some(child) = opened {
                self.open(child)?;
                continue;
            }
            let rest = &self.children[frame.next..frame.end];
            self.core.close(frame, below, rest)?;
            self.children.truncate(frame.first);
            let Some(done) = self.expanding.pop() else {
                break;
            };
            let Some(parent) = self.expanding.last_mut() else {
                return Ok(below);
            };
            parent.next += 1;
            if below {
                take(parent, done.g);
            }
            returned = Some(below);
        }
        // There was no open call.
        Ok(false)
    }
}
