//! Statistics of a graph: sizes, layers, sharing, paths.
//!
//! Idea: one pass from the root marks what it reaches and counts the edges into each node; a second
//! takes the nodes in topological order (Kahn's algorithm) and passes layer and number of paths to
//! the children.
//!
//! Cost: O(nodes + edges) time and 28 bytes per node; no recursion.

use std::fmt;

use crate::arrays::node::NodeId;
use crate::error::GraphError;
use crate::explicit::graph::Graph;
use crate::explicit::rows::filled;
use crate::traits::Kind;

/// Statistics of a graph. Everything but `nodes` and `unreachable` counts only what the root
/// reaches, and a repeated child counts as often as it is repeated.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Statistics {
    /// All nodes.
    pub nodes: usize,
    /// Nodes that the root reaches, itself included.
    pub reachable: usize,
    /// Nodes that it does not reach.
    pub unreachable: usize,
    /// Edges.
    pub edges: usize,
    /// Leaves.
    pub leaves: usize,
    /// AND nodes.
    pub ands: usize,
    /// OR nodes.
    pub ors: usize,
    /// Edges on the longest path from the root.
    pub depth: usize,
    /// The most nodes in one layer; a node's layer is the length of the longest path from the root
    /// to it.
    pub width: usize,
    /// The most edges into one node.
    pub max_in_degree: usize,
    /// Edges into a node, on average over all nodes but the root (which has none); 0 for a lone
    /// root.
    pub mean_in_degree: f64,
    /// Nodes with one edge into them, with two, and with three or more.
    pub in_degrees: [usize; 3],
    /// Paths from the root to a leaf: the leaves that a search without cache and cuts evaluates.
    /// `u128::MAX` if there are that many or more.
    pub paths: u128,
}

impl Statistics {
    /// The statistics of a graph.
    ///
    /// # Panics
    /// If there is not enough memory; [`try_of`](Self::try_of) returns an error instead.
    pub fn of(graph: &Graph) -> Self {
        Self::try_of(graph).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The statistics of a graph.
    ///
    /// # Errors
    /// [`GraphError::NoMemory`].
    pub fn try_of(graph: &Graph) -> Result<Self, GraphError<NodeId>> {
        let in_degrees = in_degrees(graph)?;
        let mut statistics = Self {
            nodes: graph.node_count(),
            ..Self::default()
        };
        let mut layers = filled(0_u32, graph.node_count())?;
        let mut paths = filled(0_u128, graph.node_count())?;
        paths[graph.root().index()] = 1;
        let mut widths: Vec<usize> = Vec::new();
        // The number of edges into each node not followed yet; a node with none is ready.
        let mut open = filled(0, graph.node_count())?;
        open.copy_from_slice(&in_degrees);
        let mut ready = vec![graph.root()];
        while let Some(node) = ready.pop() {
            let (layer, from_root) = (layers[node.index()], paths[node.index()]);
            statistics.count(graph.kind(node), in_degrees[node.index()] as usize);
            if graph.kind(node) == Kind::Leaf {
                statistics.paths = statistics.paths.saturating_add(from_root);
            }
            if widths.len() <= layer as usize {
                widths.resize(layer as usize + 1, 0);
            }
            widths[layer as usize] += 1;
            for &child in graph.row(node).iter() {
                let place = child.index();
                layers[place] = layers[place].max(layer + 1);
                paths[place] = paths[place].saturating_add(from_root);
                open[place] -= 1;
                if open[place] == 0 {
                    ready.push(child);
                }
            }
        }
        statistics.unreachable = statistics.nodes - statistics.reachable;
        statistics.depth = widths.len().saturating_sub(1);
        statistics.width = widths.into_iter().max().unwrap_or_default();
        if statistics.reachable > 1 {
            statistics.mean_in_degree = statistics.edges as f64 / (statistics.reachable - 1) as f64;
        }
        Ok(statistics)
    }

    /// Counts one reachable node, and the edges into it.
    fn count(&mut self, kind: Kind, in_degree: usize) {
        self.reachable += 1;
        match kind {
            Kind::Leaf => self.leaves += 1,
            Kind::And => self.ands += 1,
            Kind::Or => self.ors += 1,
        }
        self.edges += in_degree;
        self.max_in_degree = self.max_in_degree.max(in_degree);
        if in_degree > 0 {
            self.in_degrees[in_degree.min(3) - 1] += 1;
        }
    }
}

/// The edges into each node from nodes that the root reaches.
fn in_degrees(graph: &Graph) -> Result<Vec<u32>, GraphError<NodeId>> {
    let mut counts = filled(0_u32, graph.node_count())?;
    let mut reached: Vec<NodeId> = vec![graph.root()];
    while let Some(node) = reached.pop() {
        for &child in graph.row(node).iter() {
            if counts[child.index()] == 0 {
                reached.push(child);
            }
            counts[child.index()] += 1;
        }
    }
    Ok(counts)
}

impl fmt::Display for Statistics {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [once, twice, more] = self.in_degrees;
        writeln!(
            out,
            "nodes      {} ({} unreachable)",
            self.nodes, self.unreachable
        )?;
        writeln!(
            out,
            "reachable  {}: {} AND, {} OR, {} leaves",
            self.reachable, self.ands, self.ors, self.leaves
        )?;
        writeln!(out, "edges      {}", self.edges)?;
        writeln!(out, "depth      {}", self.depth)?;
        writeln!(out, "width      {}", self.width)?;
        writeln!(
            out,
            "in-degree  at most {}, mean {:.2}; 1: {once}, 2: {twice}, 3+: {more} nodes",
            self.max_in_degree, self.mean_in_degree
        )?;
        match self.paths {
            u128::MAX => write!(out, "paths      {} or more", u128::MAX),
            paths => write!(out, "paths      {paths}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explicit::rows::Rows;

    /// Pairs of edges, one below the other: 2^rungs paths.
    fn ladder(rungs: u32) -> Graph {
        let mut rows = Rows::new();
        for rung in 0..rungs {
            let next = NodeId::from(rung + 1);
            rows.or([next, next]).expect("a row");
        }
        rows.leaf().expect("room");
        rows.finish(NodeId::from(0)).expect("a graph")
    }

    #[test]
    fn a_lone_leaf() {
        let statistics = Statistics::of(&ladder(0));
        let expected = Statistics {
            nodes: 1,
            reachable: 1,
            leaves: 1,
            width: 1,
            paths: 1,
            ..Statistics::default()
        };
        assert_eq!(statistics, expected);
    }

    #[test]
    fn paths_are_exact_and_then_saturate() {
        assert_eq!(Statistics::of(&ladder(127)).paths, 1 << 127);
        assert_eq!(Statistics::of(&ladder(128)).paths, u128::MAX);
        let statistics = Statistics::of(&ladder(200));
        assert_eq!(statistics.paths, u128::MAX);
        assert_eq!((statistics.depth, statistics.width), (200, 1));
        assert_eq!(statistics.in_degrees, [0, 200, 0]);
        assert!((statistics.mean_in_degree - 2.0).abs() < 1e-12);
    }

    #[test]
    fn layers_are_longest_distances_and_the_unreachable_do_not_count() {
        // 0 -> 1, 3; 1 -> 2, 2, 3; 2 -> 3, 4; leaves 3 and 4; 5 is out of reach and points at 3.
        let mut rows = Rows::new();
        for children in [&[1, 3][..], &[2, 2, 3], &[3, 4]] {
            rows.and(children.iter().copied().map(NodeId::from))
                .expect("a row");
        }
        rows.leaf().expect("room");
        rows.leaf().expect("room");
        rows.or([NodeId::from(3)]).expect("a row");
        let statistics = Statistics::of(&rows.finish(NodeId::from(0)).expect("a graph"));
        let expected = Statistics {
            nodes: 6,
            reachable: 5,
            unreachable: 1,
            edges: 7,
            leaves: 2,
            ands: 3,
            ors: 0,
            depth: 3,
            width: 2,
            max_in_degree: 3,
            mean_in_degree: 7.0 / 4.0,
            in_degrees: [2, 1, 1],
            paths: 6,
        };
        assert_eq!(statistics, expected);
        assert_eq!(
            statistics.to_string(),
            "nodes      6 (1 unreachable)\n\
             reachable  5: 3 AND, 0 OR, 2 leaves\n\
             edges      7\n\
             depth      3\n\
             width      2\n\
             in-degree  at most 3, mean 1.75; 1: 2, 2: 1, 3+: 1 nodes\n\
             paths      6"
        );
    }

    #[test]
    fn a_chain_of_a_million_nodes_needs_no_stack() {
        let mut rows = Rows::new();
        for node in 1..1_000_000 {
            rows.and([NodeId::from(node)]).expect("a row");
        }
        rows.leaf().expect("room");
        let statistics = Statistics::of(&rows.finish(NodeId::from(0)).expect("a graph"));
        assert_eq!((statistics.depth, statistics.paths), (999_999, 1));
    }
}
