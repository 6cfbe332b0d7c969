//! SSS-2: searching from above, along ever better solution trees.
//!
//! Problem: alpha-beta goes through a tree from left to right and pays for a good child that comes
//! late. SSS* (Stockman 1979) goes wherever the value may still be greatest, and never evaluates a
//! leaf that alpha-beta does not; but it is a list of states with ten rules that are hard to
//! understand.
//!
//! Idea: keep one *solution tree* T, which holds all children of an OR node (MAX) and one of an AND
//! node (MIN). Its value g, the greatest of its tips, is an upper bound of the root. Then ask again
//! and again for the oldest solution tree with a value below g: `diminish` goes down T to the tips
//! that g comes from, and `expand` searches below a node that is not in T yet. The values g of the
//! root are the *milestones*; if there is no next one, the last is the value. A heuristic makes
//! tips of inner nodes (U below the bound) and ends calls early (L not below it).
//!
//! Form: no recursion. All open calls have the same bound g1, so frames do not store it. A
//! `diminish` that goes on with the younger brothers of a child, and `expandtip`, are calls of one
//! loop on the children that are left; its result is built on a spare record and then swapped into
//! T, so T is a solution tree at every moment. The steady state allocates nothing: see the module
//! `solution_tree` for the records, and for why younger brothers are stored.
//!
//! Invariant: *g of every record is an upper bound of its node's value, and a call reports "not
//! below g1" only of a node whose value is at least g1.* The first holds because g is a bound U
//! when a tip is attached, and otherwise the greatest g of all children at OR and the g of one
//! child at AND; the second because the report comes from a bound L, from one child at OR, or from
//! all children at AND, the older ones of which reported it for this g1 or a greater one. So the
//! value of the root is known as soon as a pass reports it, for then it is at most and at least g1;
//! and until then g falls. This does not need U and L to be the same at every moment: with a store,
//! which makes them closer while the search runs, a tip keeps the g it was attached with until its
//! next call, and a call that finds U below g1 takes U for an answer, whether the node is a tip or
//! not.
//!
//! Infinity: the first bound is above everything (`None`), so that a leaf that is worth the top is
//! no special case, and the top is no special upper bound. The trivial lower bound of the root is
//! the bottom, so a milestone at the bottom is the last one without a search.
//!
//! Without a store and a heuristic it evaluates the leaves that MTD(f) from above evaluates with a
//! complete store, in the same order.
//!
//! Needs: [`TotalOrder`]. In a lattice that is no chain "the children where g comes from" are not
//! those with the same g.
//!
//! Cost: memory for T, which has `b^(d/2)` leaves in a uniform tree of breadth b and depth d; for
//! each milestone a walk down T, over all children of each OR node on the way. A graph is searched
//! as the tree of its paths; with a store, a node is expanded again only if its entry does not
//! answer.
//!
//! Source: Pijls and de Bruin, "Searching informed game trees", Figures 4 to 6, Theorems 6.1, 6.2,
//! 7.1, 7.2.

pub(crate) mod mirror;

use std::cmp::Ordering;

use meetjoin_dag::{AndOrDag, Heuristic, Kind, Valuation};
use meetjoin_lattice::{Budget, ElemOf, Interval, Lattice, Stop, TotalOrder};

use self::mirror::Mirror;
use super::solution_tree::{Arena, NONE, SolutionTree};
use crate::{Call, Exit, Observer, Order, Outcome, Progress, Slot, Store, Tools};

/// The answer of SSS-2.
#[derive(Clone, Debug)]
pub struct Sss2<N, E> {
    /// The value of the root, or bounds of it if the search was stopped.
    pub outcome: Outcome<E>,
    /// The last solution tree; `None` if the search was stopped before there was one. Its value is
    /// the upper bound of the outcome (the lower one, for [`sss_2_dual`]), unless a store had a
    /// better bound before the search was stopped.
    pub tree: Option<SolutionTree<N, E>>,
}

/// SSS-2 with the bounds of the environment's heuristic (U and L of the paper). The store holds
/// intervals; with none, the search is that of the paper.
///
/// Every call of `expand` and of `diminish` is a visit. A leaf is evaluated by `expand`; `diminish`
/// finds its value in the tree. The observer receives calls by
/// [`enter_call`](Observer::enter_call), and [`exit`](Observer::exit) with the bounds that they
/// prove. [`cutoff`](Observer::cutoff) counts children that were never expanded.
///
/// An example is at [`SolutionTree`].
pub fn sss_2<D, V, T>(dag: &D, valuation: &V, env: &mut T) -> Sss2<D::Node, ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, Interval<ElemOf<V::Lattice>>>>,
{
    let (value, stop, tree) = Search::new(dag, valuation, env).solve();
    Sss2 {
        outcome: Outcome::of_full_window(value, stop),
        tree: tree.map(|(arena, root)| arena.into_tree(root, false)),
    }
}

/// The dual of [`sss_2`], which searches from below: its solution trees have all children of AND
/// nodes and one of OR nodes, and its milestones rise. It is SSS-2 on the game with AND and OR
/// exchanged, over the dual chain.
///
/// Store, heuristic and order are those of the original game. The observer receives nodes and
/// intervals of the original game; calls ask for a value *greater* than their bound, and a
/// milestone is a lower bound of the root.
pub fn sss_2_dual<D, V, T>(dag: &D, valuation: &V, env: &mut T) -> Sss2<D::Node, ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, Interval<ElemOf<V::Lattice>>>>,
{
    let game = Mirror::of_game(dag, valuation);
    let mut env = mirror::env(env);
    let (value, stop, tree) = Search::new(&game, &game, &mut env).solve();
    Sss2 {
        outcome: Outcome::of_full_window(mirror::turned(value), stop),
        tree: tree.map(|(arena, root)| arena.into_tree(root, true)),
    }
}

/// An open call of `expand`, or of `diminish` for the children that it expands.
struct Expanding<E> {
    /// The record that is being built.
    at: u32,
    /// Its last child so far.
    last: u32,
    /// Whether it must have all children.
    all: bool,
    /// Whether `diminish` called, which does the rest itself.
    for_diminish: bool,
    first: usize,
    next: usize,
    end: usize,
    known: Option<Interval<E>>,
    slot: Slot,
}

/// The result of `expand` at a node, if it is known at once.
enum Visit<E> {
    /// A record, with a value below the bound.
    Below(u32),
    NotBelow,
    Open(Expanding<E>),
}

/// An open call of `diminish`.
struct Diminishing<E> {
    at: u32,
    /// The child in progress.
    child: u32,
    /// At an OR node the greatest g of the children before it.
    best: E,
    lower: Option<E>,
    slot: Slot,
}

/// The result of `diminish` at a node, if it is known at once.
enum Look<E> {
    Known(bool),
    Open(Diminishing<E>),
}

/// Everything but the stacks, whose elements are lent to these methods.
struct Core<'a, D: AndOrDag, V: Valuation<D::Node>, T: Tools<D::Node, V::Lattice>> {
    dag: &'a D,
    valuation: &'a V,
    budget: &'a Budget,
    store: &'a mut T::Store,
    heuristic: &'a mut T::Heuristic,
    observer: &'a mut T::Observer,
    order: &'a mut T::Order,
    tree: Arena<D::Node, ElemOf<V::Lattice>>,
    root: u32,
    /// The bound of all open calls; `None` is above everything.
    g1: Option<ElemOf<V::Lattice>>,
    /// The lower bound proved by the last call of `expand`, if that found no solution tree.
    failed: ElemOf<V::Lattice>,
    bottom: ElemOf<V::Lattice>,
    top: ElemOf<V::Lattice>,
}

struct Search<'a, D: AndOrDag, V: Valuation<D::Node>, T: Tools<D::Node, V::Lattice>> {
    core: Core<'a, D, V, T>,
    expanding: Vec<Expanding<ElemOf<V::Lattice>>>,
    /// The children of the nodes in `expanding`.
    children: Vec<D::Node>,
    diminishing: Vec<Diminishing<ElemOf<V::Lattice>>>,
}

/// Pushes an item; asks the budget for memory if the stack has to grow.
#[inline]
pub(crate) fn push<T>(stack: &mut Vec<T>, item: T, budget: &Budget) -> Result<(), Stop> {
    if stack.len() == stack.capacity() {
        budget.room((stack.len() * 2 * size_of::<T>()) as u64)?;
    }
    stack.push(item);
    Ok(())
}

impl<D, V, T, E> Core<'_, D, V, T>
where
    E: Clone + Eq,
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder<Elem = E>>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, Interval<E>>>,
{
    #[inline]
    fn compare(&self, a: &E, b: &E) -> Ordering {
        self.valuation.lattice().compare(a, b)
    }

    /// Returns whether this is less than the bound.
    #[inline]
    fn is_below(&self, value: &E) -> bool {
        let g1 = self.g1.as_ref();
        g1.is_none_or(|g1| self.compare(value, g1).is_lt())
    }

    #[inline]
    fn g(&self, at: u32) -> &E {
        &self.tree.records[at as usize].g
    }

    #[inline]
    fn count_visit(&mut self) -> Result<(), Stop> {
        if self.budget.visit()? && self.observer.wants_progress() {
            self.report();
        }
        Ok(())
    }

    #[cold]
    fn report(&mut self) {
        let root = (self.root != NONE).then_some(self.root);
        let lower = root.and_then(|root| self.tree.lower(root));
        let progress = Progress {
            visits: self.budget.visits_made(),
            entries: self.store.len(),
            lower: lower.unwrap_or(&self.bottom),
            // During a pass the records above the part in work are unchanged.
            upper: self.g1.as_ref().unwrap_or(&self.top),
        };
        self.observer.progress(progress);
    }

    /// Begins a call of `expand`.
    #[inline]
    fn enter(&mut self, node: &D::Node) -> Result<Kind, Stop> {
        self.count_visit()?;
        let g1 = self.g1.as_ref();
        self.observer.enter_call(node, Call::Expand, g1);
        Ok(self.dag.kind(node))
    }

    /// `expand` at a leaf: its record, if it is below the bound.
    #[inline]
    fn visit_leaf(&mut self, node: &D::Node) -> Result<Option<u32>, Stop> {
        let value = self.valuation.leaf(node);
        self.observer.leaf(node);
        self.observer.exit(node, Exit::Bounds(&value, &value));
        if self.is_below(&value) {
            let at = self.tree.add(node, Kind::Leaf, &value, self.budget)?;
            return Ok(Some(at));
        }
        self.failed = value;
        Ok(None)
    }

    /// `expand` at an inner node; a separate function, because most visits are of leaves.
    fn visit(&mut self, node: &D::Node, kind: Kind) -> Result<Visit<E>, Stop> {
        let (slot, stored) = self.store.get(node);
        let mut known = stored.map(|interval| (*interval).clone());
        let is_stored = known.is_some();
        if !is_stored {
            let lattice = self.valuation.lattice();
            known = self.heuristic.bounds(lattice, node, self.budget)?;
        }
        if let Some(interval) = &known {
            let (lower, upper) = (interval.lower(), interval.upper());
            let says = interval.exact().is_some() || *upper != self.top;
            let below = says && self.is_below(upper);
            if below || !self.is_below(lower) {
                if is_stored && interval.exact().is_some() {
                    self.observer.cache_hit(node);
                }
                self.observer.exit(node, Exit::Bounds(lower, upper));
                if !below {
                    self.failed.clone_from(lower);
                    return Ok(Visit::NotBelow);
                }
                let at = self.tree.add(node, kind, upper, self.budget)?;
                self.note_lower(at, lower)?;
                return Ok(Visit::Below(at));
            }
        }
        let at = self.tree.add(node, kind, &self.bottom, self.budget)?;
        if let Some(interval) = &known {
            self.note_lower(at, interval.lower())?;
        }
        Ok(Visit::Open(Expanding {
            at,
            last: NONE,
            all: kind == Kind::Or,
            for_diminish: false,
            first: 0,
            next: 0,
            end: 0,
            known,
            slot,
        }))
    }

    /// Stores the lower bound of a node while it is in the tree, so that the heuristic is asked
    /// once for each call of `expand`.
    fn note_lower(&mut self, at: u32, lower: &E) -> Result<(), Stop> {
        if *lower == self.bottom {
            return Ok(());
        }
        self.tree.set_lower(at, lower, self.budget)
    }

    /// Gives a record that is being built its next child.
    #[inline]
    fn attach(&mut self, parent: &mut Expanding<E>, child: u32) {
        let lattice = self.valuation.lattice();
        let records = &mut self.tree.records;
        if parent.last == NONE {
            records[parent.at as usize].first = child;
        } else {
            records[parent.last as usize].next = child;
        }
        parent.last = child;
        // The initial g is the bottom, so the greatest of one child is its g.
        let g = records[child as usize].g.clone();
        let record = &mut records[parent.at as usize];
        if lattice.compare(&g, &record.g).is_gt() {
            record.g = g;
        }
    }

    /// Ends a call of `expand`.
    #[inline]
    fn close(&mut self, frame: &Expanding<E>, below: bool, rest: &[D::Node]) -> Result<(), Stop> {
        let at = frame.at as usize;
        if !rest.is_empty() {
            self.observer
                .cutoff(&self.tree.records[at].node, rest.len());
        }
        if below {
            if !frame.all {
                self.tree.records[at].rest = self.tree.rests.keep(rest, self.budget)?;
            }
        } else if !frame.all
            && let Some(g1) = &self.g1
        {
            self.failed.clone_from(g1);
        }
        if frame.for_diminish {
            return Ok(());
        }
        let record = &self.tree.records[at];
        let known = frame.known.as_ref();
        let (lower, upper) = if below {
            (known.map_or(&self.bottom, Interval::lower), &record.g)
        } else {
            (&self.failed, known.map_or(&self.top, Interval::upper))
        };
        self.observer.exit(&record.node, Exit::Bounds(lower, upper));
        let interval = Interval::new(lower.clone(), upper.clone());
        let kept = self
            .store
            .put(frame.slot, &record.node, interval, self.budget);
        if !below {
            self.tree.release(frame.at);
        }
        kept
    }

    /// Begins a call of `diminish`.
    #[inline]
    fn look(&mut self, at: u32) -> Result<Look<E>, Stop> {
        self.count_visit()?;
        let record = &self.tree.records[at as usize];
        let node = &record.node;
        self.observer
            .enter_call(node, Call::Diminish, self.g1.as_ref());
        let lower = self.tree.lower(at);
        if record.kind == Kind::Leaf || lower.is_some_and(|lower| !self.is_below(lower)) {
            self.observer.exit(node, Exit::Bounds(&record.g, &record.g));
            return Ok(Look::Known(false));
        }
        let mut lower = lower.cloned();
        let (slot, stored) = self.store.get(node);
        if let Some(interval) = stored {
            let (below, known) = (self.is_below(interval.upper()), interval.lower());
            if below || !self.is_below(known) {
                if interval.exact().is_some() {
                    self.observer.cache_hit(node);
                }
                let upper = if below {
                    interval.upper().clone()
                } else {
                    record.g.clone()
                };
                self.observer.exit(node, Exit::Bounds(known, &upper));
                drop(interval);
                if below {
                    self.tree.release_children(at);
                    self.tree.records[at as usize].g = upper;
                }
                return Ok(Look::Known(below));
            }
            if lower
                .as_ref()
                .is_none_or(|lower| self.compare(known, lower).is_gt())
            {
                lower = Some(known.clone());
            }
        }
        Ok(Look::Open(Diminishing {
            at,
            child: NONE,
            best: self.bottom.clone(),
            lower,
            slot,
        }))
    }

    /// Finds the first child from this one on that has the value g1. `best` becomes the greatest
    /// value of those before it.
    #[inline]
    fn next_greatest(&self, frame: &mut Diminishing<E>, from: u32) -> bool {
        let lattice = self.valuation.lattice();
        let mut child = from;
        while child != NONE {
            let record = &self.tree.records[child as usize];
            if !self.is_below(&record.g) {
                frame.child = child;
                return true;
            }
            if lattice.compare(&record.g, &frame.best).is_gt() {
                frame.best.clone_from(&record.g);
            }
            child = record.next;
        }
        false
    }

    /// Ends a call of `diminish`.
    #[inline]
    fn leave(&mut self, frame: &Diminishing<E>, below: bool) -> Result<(), Stop> {
        let record = &self.tree.records[frame.at as usize];
        let g = &record.g;
        let lower = if below {
            frame.lower.as_ref().unwrap_or(&self.bottom)
        } else {
            g
        };
        self.observer.exit(&record.node, Exit::Bounds(lower, g));
        let interval = Interval::new(lower.clone(), g.clone());
        self.store
            .put(frame.slot, &record.node, interval, self.budget)
    }
}

/// An interval of the root's value, why the search was stopped, and the last solution tree with its
/// root.
type Solved<N, E> = (Interval<E>, Option<Stop>, Option<(Arena<N, E>, u32)>);

impl<'a, D, V, T, E> Search<'a, D, V, T>
where
    E: Clone + Eq,
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder<Elem = E>>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, Interval<E>>>,
{
    fn new(dag: &'a D, valuation: &'a V, env: &'a mut T) -> Self {
        let env = env.lend();
        let (bottom, top) = (valuation.lattice().bottom(), valuation.lattice().top());
        Self {
            core: Core {
                dag,
                valuation,
                budget: env.budget,
                store: env.store,
                heuristic: env.heuristic,
                observer: env.observer,
                order: env.order.0,
                tree: Arena::new(),
                root: NONE,
                g1: None,
                failed: bottom.clone(),
                bottom,
                top,
            },
            expanding: Vec::with_capacity(16),
            children: Vec::with_capacity(64),
            diminishing: Vec::with_capacity(16),
        }
    }

    /// Figure 4.
    fn solve(mut self) -> Solved<D::Node, E> {
        let stop = self.search().err();
        self.refresh();
        let Self { core, .. } = self;
        let mut lower = core.bottom.clone();
        let mut upper = core.top.clone();
        if core.root != NONE {
            upper.clone_from(core.g(core.root));
            if let Some(known) = core.tree.lower(core.root) {
                lower.clone_from(known);
            }
        }
        if stop.is_none() && core.root != NONE {
            lower.clone_from(&upper);
        } else if let Some(stored) = core.store.get(&core.dag.root()).1 {
            if core.compare(stored.lower(), &lower).is_gt() {
                lower.clone_from(stored.lower());
            }
            if core.compare(stored.upper(), &upper).is_lt() {
                upper.clone_from(stored.upper());
            }
        }
        let tree = (core.root != NONE).then_some((core.tree, core.root));
        (Interval::new(lower, upper), stop, tree)
    }

    fn search(&mut self) -> Result<(), Stop> {
        let node = self.core.dag.root();
        let kind = self.core.enter(&node)?;
        // Every value is below an infinite bound.
        self.core.root = if kind == Kind::Leaf {
            self.core.visit_leaf(&node)?.unwrap_or(NONE)
        } else {
            match self.core.visit(&node, kind)? {
                Visit::Below(at) => at,
                Visit::NotBelow => NONE,
                Visit::Open(frame) => {
                    self.open(frame)?;
                    self.expand()?.0
                }
            }
        };
        if self.core.root == NONE {
            return Ok(());
        }
        loop {
            let core = &mut self.core;
            let g = core.g(core.root).clone();
            core.observer.milestone(&g);
            if g == core.bottom {
                core.tree.set_lower(core.root, &g, core.budget)?;
            }
            core.g1 = Some(g);
            if !self.diminish()? {
                return Ok(());
            }
        }
    }

    /// Makes a call of `expand` the innermost one.
    #[inline]
    fn open(&mut self, mut frame: Expanding<E>) -> Result<(), Stop> {
        let record = &self.core.tree.records[frame.at as usize];
        let first = self.children.len();
        self.core.dag.children(&record.node, &mut self.children);
        let children = &mut self.children[first..];
        self.core.order.arrange(&record.node, record.kind, children);
        (frame.first, frame.next, frame.end) = (first, first, self.children.len());
        push(&mut self.expanding, frame, self.core.budget)
    }

    /// Figure 6, from the innermost open call to the end of the outermost. Returns the record of
    /// that one, and whether its value is below the bound.
    fn expand(&mut self) -> Result<(u32, bool), Stop> {
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
                let kind = self.core.enter(node)?;
                if kind == Kind::Leaf {
                    let leaf = self.core.visit_leaf(node)?;
                    if let Some(child) = leaf {
                        self.core.attach(frame, child);
                    }
                    returned = Some(leaf.is_some());
                    frame.next += 1;
                    continue;
                }
                match self.core.visit(node, kind)? {
                    Visit::Below(child) => {
                        self.core.attach(frame, child);
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
            let at = frame.at;
            self.expanding.pop();
            let Some(parent) = self.expanding.last_mut() else {
                return Ok((at, below));
            };
            parent.next += 1;
            if below {
                self.core.attach(parent, at);
            }
            returned = Some(below);
        }
        // There was no open call.
        Ok((NONE, false))
    }

    /// Expands children of a node in the tree: all of them if it is a tip (`expandtip`), or the
    /// younger brothers of the one it has. If that makes a value below the bound, they replace its
    /// old children.
    fn expand_at(&mut self, at: u32) -> Result<bool, Stop> {
        let core = &mut self.core;
        let record = &core.tree.records[at as usize];
        let is_tip = record.first == NONE;
        if !is_tip && record.rest.len() == 0 {
            return Ok(false);
        }
        let (node, kind, rest) = (record.node.clone(), record.kind, record.rest);
        let spare = core.tree.add(&node, kind, &core.bottom, core.budget)?;
        let mut frame = Expanding {
            at: spare,
            last: NONE,
            all: kind == Kind::Or,
            for_diminish: true,
            first: 0,
            next: 0,
            end: 0,
            known: None,
            slot: Slot::NONE,
        };
        if is_tip {
            self.open(frame)?;
        } else {
            self.children.extend_from_slice(core.tree.rests.get(rest));
            frame.end = self.children.len();
            push(&mut self.expanding, frame, core.budget)?;
        }
        let (_, below) = self.expand()?;
        let tree = &mut self.core.tree;
        if below {
            let [old, new] = [at, spare].map(|at| {
                let record = &tree.records[at as usize];
                (record.first, record.rest)
            });
            let g = tree.records[spare as usize].g.clone();
            let record = &mut tree.records[at as usize];
            (record.first, record.rest, record.g) = (new.0, new.1, g);
            let record = &mut tree.records[spare as usize];
            (record.first, record.rest) = old;
        }
        tree.release(spare);
        Ok(below)
    }

    /// Figure 5, from the root. Returns whether there is a solution tree with a value less than g1.
    fn diminish(&mut self) -> Result<bool, Stop> {
        let mut at = self.core.root;
        loop {
            let mut below = match self.core.look(at)? {
                Look::Known(below) => below,
                Look::Open(mut frame) => {
                    let first = self.core.tree.records[at as usize].first;
                    if first != NONE && self.core.next_greatest(&mut frame, first) {
                        at = frame.child;
                        push(&mut self.diminishing, frame, self.core.budget)?;
                        continue;
                    }
                    let below = self.expand_at(at)?;
                    self.core.leave(&frame, below)?;
                    below
                }
            };
            // The call has ended: resume its caller.
            loop {
                let Some(frame) = self.diminishing.last_mut() else {
                    return Ok(below);
                };
                let record = &self.core.tree.records[frame.at as usize];
                if record.kind == Kind::Or {
                    if below {
                        // The child's new value, which is less than g1, is compared once more.
                        let child = frame.child;
                        if self.core.next_greatest(frame, child) {
                            at = frame.child;
                            break;
                        }
                        let record = &mut self.core.tree.records[frame.at as usize];
                        record.g.clone_from(&frame.best);
                    }
                } else if below {
                    let g = self.core.g(frame.child).clone();
                    self.core.tree.records[frame.at as usize].g = g;
                } else {
                    let at = frame.at;
                    below = self.expand_at(at)?;
                }
                if let Some(frame) = self.diminishing.pop() {
                    self.core.leave(&frame, below)?;
                }
            }
        }
    }

    /// Recomputes the values on the path to where the search was stopped, so that the tree has
    /// consistent values.
    fn refresh(&mut self) {
        let core = &mut self.core;
        for frame in self.diminishing.iter().rev() {
            let mut child = core.tree.records[frame.at as usize].first;
            let mut best = None;
            while child != NONE {
                let record = &core.tree.records[child as usize];
                if best.is_none_or(|best| core.compare(&record.g, best).is_gt()) {
                    best = Some(&record.g);
                }
                child = record.next;
            }
            if let Some(best) = best.cloned() {
                core.tree.records[frame.at as usize].g = best;
            }
        }
    }
}
