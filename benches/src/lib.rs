//! The baseline of the benchmarks: Algorithm 2 of Li et al. written by hand for one graph type, one
//! lattice and one cache.
//!
//! It is what a careful programmer would write for a single experiment: recursive, values in
//! machine words, no traits, no limits, no observers. It counts its calls, so that the comparison
//! is per visit.

use ahash::RandomState;
use hashbrown::HashMap;
use meetjoin_dag::{Graph, Kind, NodeId};

/// The cache of the hand-written search.
pub trait HandCache {
    /// The interval of a node, if it has one.
    fn get(&self, node: NodeId) -> Option<(u64, u64)>;
    /// Stores an interval.
    fn put(&mut self, node: NodeId, interval: (u64, u64));
}

/// A hash map, as for any graph.
impl HandCache for HashMap<NodeId, (u64, u64), RandomState> {
    #[inline]
    fn get(&self, node: NodeId) -> Option<(u64, u64)> {
        self.get(&node).copied()
    }

    #[inline]
    fn put(&mut self, node: NodeId, interval: (u64, u64)) {
        self.insert(node, interval);
    }
}

/// A vector, as for nodes that are numbers.
impl HandCache for Vec<Option<(u64, u64)>> {
    #[inline]
    fn get(&self, node: NodeId) -> Option<(u64, u64)> {
        self[node.index()]
    }

    #[inline]
    fn put(&mut self, node: NodeId, interval: (u64, u64)) {
        self[node.index()] = Some(interval);
    }
}

/// Algorithm 2 for a graph in rows and sets of at most 64 worlds.
#[derive(Debug)]
pub struct HandWritten<'a, C> {
    /// The graph.
    pub graph: &'a Graph,
    /// The sets of the leaves, by ordinal.
    pub leaves: &'a [u64],
    /// The set of all worlds.
    pub full: u64,
    /// The cache.
    pub cache: C,
    /// Calls so far.
    pub visits: u64,
}

impl<C: HandCache> HandWritten<'_, C> {
    /// The value of the root.
    pub fn solve(&mut self) -> u64 {
        let full = self.full;
        self.search(self.graph.root(), 0, full).0
    }

    fn search(&mut self, node: NodeId, mut alpha: u64, mut beta: u64) -> (u64, u64) {
        self.visits += 1;
        let kind = self.graph.kind(node);
        if kind == Kind::Leaf {
            let ordinal = self
                .graph
                .leaf_ordinal(node)
                .expect("a leaf has an ordinal");
            return (self.leaves[ordinal], self.leaves[ordinal]);
        }
        let (known_lower, known_upper) = self.cache.get(node).unwrap_or((0, self.full));
        if known_lower == known_upper {
            return (known_lower, known_upper);
        }
        alpha |= known_lower;
        beta &= known_upper;
        let or = kind == Kind::Or;
        let (mut lower, mut upper) = if or { (0, 0) } else { (self.full, self.full) };
        let graph = self.graph;
        for &child in graph.row(node).iter() {
            if beta & !alpha == 0 {
                if or {
                    upper = known_upper;
                } else {
                    lower = known_lower;
                }
                break;
            }
            let (child_lower, child_upper) = self.search(child, alpha, beta);
            if or {
                lower |= child_lower;
                upper |= child_upper;
                alpha |= child_lower;
            } else {
                lower &= child_lower;
                upper &= child_upper;
                beta &= child_upper;
            }
        }
        lower |= known_lower;
        upper &= known_upper;
        self.cache.put(node, (lower, upper));
        (lower, upper)
    }
}
