//! Evaluation of an explicit graph level by level from the leaves up, on several threads.
//!
//! Problem: where a visit is cheap, threads that share a store spend their time on its locks and on
//! cache lines that move between processors.
//!
//! Idea: a node's *level* is the length of the longest path from the root to it, so its children
//! lie on deeper levels. The deepest level is evaluated first. Nodes of one level do not depend on
//! each other, so threads take pieces of it in turn, read values of deeper levels, and write their
//! own pieces only. Only the list of pieces is locked.
//!
//! Cost: every node below the root is evaluated once, and every edge followed twice: once by the
//! first thread, to find the levels, and once by any thread. Memory: 8 bytes per node, and its
//! value.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::thread;

use meetjoin_dag::{AndOrDag, Kind, NodeId, Valuation};
use meetjoin_lattice::{Budget, ElemOf, Interval, Stop, Within};

use crate::caches::dense::filled;
use crate::depth_first::driver::combine;
use crate::depth_first::threads::start;
use crate::{Counts, Outcome};

/// The result of an evaluation by levels.
#[derive(Clone, Debug)]
pub struct ByLevels<N, E> {
    /// The value of the root, or bottom to top.
    pub outcome: Outcome<E>,
    /// The counters of minimax with a cache.
    pub counts: Counts,
    /// The nodes below the root, itself included, the deepest first.
    pub nodes: Vec<N>,
    /// The number of inner nodes among them.
    pub inner: u64,
}

/// The number of nodes in a piece.
const PIECE: usize = 256;
/// A level of fewer nodes is evaluated by one thread: starting another takes longer.
const SMALL: usize = 4 * PIECE;

/// Evaluates all nodes below the root of a graph whose nodes are numbers below `count`, on
/// `threads` threads, at least 1. A cycle ends it with [`Stop::Cycle`].
///
/// If a limit fires, nothing is known of the root, since nothing is known above the level in
/// progress.
pub fn minimax_by_levels<D, V>(
    dag: &D,
    count: usize,
    valuation: &V,
    threads: usize,
    budget: &Budget,
) -> ByLevels<NodeId, ElemOf<V::Lattice>>
where
    D: AndOrDag<Node = NodeId> + Sync,
    V: Valuation<NodeId, Lattice: Sync> + Sync,
    ElemOf<V::Lattice>: Send + Sync,
{
    let mut found = Found::default();
    let before = budget.visits_made();
    let value = evaluate(dag, count, valuation, threads, budget, &mut found);
    let l = Within::new(valuation.lattice(), budget);
    let (value, stop) = match value {
        Ok(value) => (Interval::Exact(value), None),
        Err(stop) => (Interval::new(l.bottom(), l.top()), Some(stop)),
    };
    let visits = budget.visits_made() - before;
    let Found {
        leaves,
        inner,
        nodes,
    } = found;
    ByLevels {
        outcome: Outcome::of_full_window(value, stop),
        counts: Counts {
            visits,
            leaves,
            // Each visit of an inner node after the first.
            cache_hits: if stop.is_none() {
                (visits - leaves).saturating_sub(inner)
            } else {
                0
            },
            ..Counts::default()
        },
        nodes,
        inner,
    }
}

/// The results beside the value.
#[derive(Default)]
struct Found {
    leaves: u64,
    inner: u64,
    nodes: Vec<NodeId>,
}

fn evaluate<D, V>(
    dag: &D,
    count: usize,
    valuation: &V,
    threads: usize,
    budget: &Budget,
    found: &mut Found,
) -> Result<ElemOf<V::Lattice>, Stop>
where
    D: AndOrDag<Node = NodeId> + Sync,
    V: Valuation<NodeId, Lattice: Sync> + Sync,
    ElemOf<V::Lattice>: Send + Sync,
{
    budget.visit()?;
    let size = 2 * size_of::<u32>() + size_of::<ElemOf<V::Lattice>>();
    budget.room((count * size) as u64)?;
    let mut places = filled(UNREACHED, count)?;
    find_levels(dag, &mut places, budget)?;
    let (order, levels) = sort(&mut places)?;
    let l = Within::new(valuation.lattice(), budget);
    let mut values = filled(l.bottom(), order.len())?;
    let threads = threads.max(1);
    let mut shares = budget.shares(threads);
    let level_by_level = || {
        for level in levels {
            let (deeper, rest) = values.split_at_mut(level.start);
            let these = &mut rest[..level.len()];
            let nodes = &order[level.clone()];
            let pieces = Mutex::new(nodes.chunks(PIECE).zip(these.chunks_mut(PIECE)));
            let next = || pieces.lock().unwrap_or_else(PoisonError::into_inner).next();
            let work = |share: &Budget| -> Result<Tally, Stop> {
                let mut tally = Tally::default();
                let l = Within::new(valuation.lattice(), share);
                let mut children = Vec::new();
                while let Some((nodes, values)) = next() {
                    for (node, value) in nodes.iter().zip(values) {
                        let kind = dag.kind(node);
                        if kind == Kind::Leaf {
                            *value = valuation.leaf(node);
                            continue;
                        }
                        if kind == Kind::And {
                            *value = l.top();
                        }
                        tally.inner += 1;
                        children.clear();
                        dag.children(node, &mut children);
                        for child in &children {
                            share.visit()?;
                            tally.leaves += u64::from(dag.kind(child) == Kind::Leaf);
                            combine(l, kind, value, &deeper[places[child.index()] as usize])?;
                        }
                    }
                }
                Ok(tally)
            };
            let most = if level.len() < SMALL { 1 } else { threads };
            for tally in on_each(&mut shares[..most], &work) {
                let tally = tally?;
                found.leaves += tally.leaves;
                found.inner += tally.inner;
            }
        }
        Ok(())
    };
    let done = level_by_level();
    let spent: Result<(), Stop> = shares.iter().try_for_each(|share| budget.spend(share));
    done.and(spent)?;
    if dag.kind(&dag.root()) == Kind::Leaf {
        found.leaves = 1;
    }
    found.nodes = order;
    // The root is alone on the last level.
    values.pop().ok_or(Stop::Memory)
}

/// The counters of a thread.
#[derive(Default)]
struct Tally {
    leaves: u64,
    inner: u64,
}

/// Runs `work` once with each budget, the first on this thread and the others on threads of their
/// own.
fn on_each<T: Send>(
    shares: &mut [Budget],
    work: &(impl Fn(&Budget) -> Result<T, Stop> + Sync),
) -> Vec<Result<T, Stop>> {
    let work = |share: &mut Budget| {
        let done = work(&*share);
        if done.is_err() {
            share.call_off();
        }
        done
    };
    let Some((own, others)) = shares.split_first_mut() else {
        return Vec::new();
    };
    thread::scope(|scope| {
        let others = others.iter_mut();
        let others = others.map_while(|share| start(scope, || work(share)));
        let others: Vec<_> = others.collect();
        let mut all = vec![work(own)];
        let joined = others.into_iter().map(thread::ScopedJoinHandle::join);
        all.extend(
            joined.map(|done| done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))),
        );
        // The error that made a thread call the others off comes before theirs.
        let called_off = |done: &_| matches!(done, Err(Stop::Cancelled));
        let (others, mut all): (Vec<_>, Vec<_>) = all.into_iter().partition(called_off);
        all.extend(others);
        all
    })
}

/// The level of an unreachable node.
const UNREACHED: u32 = u32::MAX;

/// Writes the level of each reachable node.
fn find_levels<D>(dag: &D, levels: &mut [u32], budget: &Budget) -> Result<(), Stop>
where
    D: AndOrDag<Node = NodeId>,
{
    let root = dag.root();
    let mut children = Vec::new();
    if dag.kind(&root) != Kind::Leaf {
        dag.children(&root, &mut children);
    }
    let first = root.index();
    // Most graphs are numbered from the root down, or from the leaves up; then one pass is enough.
    let is_settled = if children.first().is_some_and(|child| *child > root) {
        levels[first] = 0;
        pass(dag, first..levels.len(), levels, budget, |child, node| {
            child > node
        })?
    } else {
        levels[first] = 0;
        pass(dag, (0..=first).rev(), levels, budget, |child, node| {
            child < node
        })?
    };
    if is_settled {
        return Ok(());
    }
    levels.fill(UNREACHED);
    in_any_order(dag, levels, budget)
}

/// One pass over nodes in this order; returns whether no child came before its parent.
fn pass<D>(
    dag: &D,
    order: impl Iterator<Item = usize>,
    levels: &mut [u32],
    budget: &Budget,
    is_later: impl Fn(NodeId, NodeId) -> bool,
) -> Result<bool, Stop>
where
    D: AndOrDag<Node = NodeId>,
{
    let mut children = Vec::new();
    for place in order {
        let level = levels[place];
        let node = NodeId::from(place as u32);
        if level == UNREACHED || dag.kind(&node) == Kind::Leaf {
            continue;
        }
        children.clear();
        dag.children(&node, &mut children);
        budget.steps(children.len() as u64)?;
        for &child in &children {
            if !is_later(child, node) {
                return Ok(false);
            }
            let of_child = &mut levels[child.index()];
            if *of_child == UNREACHED || *of_child <= level {
                *of_child = level + 1;
            }
        }
    }
    Ok(true)
}

/// Finds the levels for any numbering by Kahn's algorithm.
fn in_any_order<D>(dag: &D, levels: &mut [u32], budget: &Budget) -> Result<(), Stop>
where
    D: AndOrDag<Node = NodeId>,
{
    budget.room(size_of_val(levels) as u64)?;
    let mut open = filled(0_u32, levels.len())?;
    let mut children = Vec::new();
    let mut see = |node: &NodeId, then: &mut dyn FnMut(NodeId)| -> Result<(), Stop> {
        if dag.kind(node) != Kind::Leaf {
            children.clear();
            dag.children(node, &mut children);
            budget.steps(children.len() as u64)?;
            children.iter().copied().for_each(then);
        }
        Ok(())
    };
    // Counts the edges into each node from reachable nodes.
    let root = dag.root();
    let mut ready = vec![root];
    while let Some(node) = ready.pop() {
        see(&node, &mut |child| {
            let edges = &mut open[child.index()];
            *edges += 1;
            if *edges == 1 {
                ready.push(child);
            }
        })?;
    }
    levels[root.index()] = 0;
    ready.push(root);
    while let Some(node) = ready.pop() {
        let level = levels[node.index()];
        see(&node, &mut |child| {
            let of_child = &mut levels[child.index()];
            if *of_child == UNREACHED || *of_child <= level {
                *of_child = level + 1;
            }
            open[child.index()] -= 1;
            if open[child.index()] == 0 {
                ready.push(child);
            }
        })?;
    }
    // A node on a cycle still waits for an edge.
    if open.iter().any(|edges| *edges > 0) {
        return Err(Stop::Cycle);
    }
    Ok(())
}

/// The reachable nodes, the deepest level first, and the range of each level. Replaces the levels
/// in `levels` by the positions of nodes.
fn sort(levels: &mut [u32]) -> Result<(Vec<NodeId>, Vec<Range<usize>>), Stop> {
    let reached = levels.iter().filter(|level| **level != UNREACHED);
    let deepest = reached.clone().copied().max().unwrap_or(0);
    let mut sizes = filled(0_usize, deepest as usize + 1)?;
    let mut count = 0;
    for level in reached {
        sizes[(deepest - level) as usize] += 1;
        count += 1;
    }
    let mut ranges = Vec::with_capacity(sizes.len());
    let mut end = 0;
    for size in &mut sizes {
        let start = end;
        end += *size;
        ranges.push(start..end);
        *size = start;
    }
    let mut order = filled(NodeId::from(0), count)?;
    for (node, level) in levels.iter_mut().enumerate() {
        if *level != UNREACHED {
            let next = &mut sizes[(deepest - *level) as usize];
            order[*next] = NodeId::from(node as u32);
            *level = *next as u32;
            *next += 1;
        }
    }
    Ok((order, ranges))
}
