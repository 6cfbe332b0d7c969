//! Uniform trees U(b, d) for the algorithms of total orders. A small tree is over in microseconds, so an instance is as many as make some work.

use std::time::Instant;

use meetjoin::dag::{AndOrDag, Graph, Heuristic, Kind, NodeId, Valuation};
use meetjoin::games::{ChildOrder, LeafValues, UniformParameters, UniformTree};
use meetjoin::lattice::{Budget, Chain, Extended, Interval, Stop};
use meetjoin::search::engine::{self, DenseStores, Task};
use meetjoin::search::{Counts, Visited};
use peakmem_alloc::PeakMemAllocTrait as _;
use serde_json::json;

use super::instance::{Instance, Solved};
use crate::ALLOCATOR;

/// The shapes of the panels that compare leaves.
pub(crate) const SHAPES: [&str; 4] = ["U(10,3)", "U(4,5)", "U(3,6)", "U(2,12)"];
const SIZES: [(u32, u32); 4] = [(10, 3), (4, 5), (3, 6), (2, 12)];

/// Leaves of an instance, in all its trees together, where that can be had.
const LEAVES: u64 = 200_000;
/// The same where trees are broad, so that a point is not a single tree before it must be.
const LEAVES_OF_BROAD: u64 = 1_000_000;
/// Smaller trees are not more than this.
const MOST_TREES: u64 = 12_500;
/// Values of leaves, and of edges, go up to this, so that equal ones are rare.
const MOST: u32 = 1_000_000;

/// Trees of one of the [`SHAPES`]; shape 1 is the first.
pub(crate) fn shape(
    shape: u32,
    values: LeafValues,
    ordering: ChildOrder,
    seed: u64,
) -> Result<Box<dyn Instance>, String> {
    let size = SIZES.get((shape as usize).wrapping_sub(1));
    let &(branching, depth) = size.ok_or_else(|| format!("there is no shape {shape}"))?;
    trees(branching, depth, LEAVES, values, ordering, None, seed)
}

/// Trees with this branching factor, of four levels: the deepest that b = 60 leaves room for.
pub(crate) fn broad(
    branching: u32,
    values: LeafValues,
    ordering: ChildOrder,
    seed: u64,
) -> Result<Box<dyn Instance>, String> {
    trees(branching, 4, LEAVES_OF_BROAD, values, ordering, None, seed)
}

/// How far bounds may lie away from the value, as a part of the greatest value of a leaf.
pub(crate) const SLACKS: [&str; 6] = ["1 %", "3 %", "10 %", "30 %", "100 %", "300 %"];
const PERCENT: [u32; 6] = [1, 3, 10, 30, 100, 300];

/// Trees whose inner nodes have bounds with one of the [`SLACKS`]; slack 1 is the first.
pub(crate) fn informed(slack: u32, seed: u64) -> Result<Box<dyn Instance>, String> {
    let percent = PERCENT.get((slack as usize).wrapping_sub(1));
    let percent = percent.ok_or_else(|| format!("there is no slack {slack}"))?;
    let (values, order) = (LeafValues::Independent, ChildOrder::Random);
    let slack = Some(percent * (MOST / 100));
    trees(4, 6, LEAVES, values, order, slack, seed)
}

fn trees(
    branching: u32,
    depth: u32,
    together: u64,
    values: LeafValues,
    ordering: ChildOrder,
    slack: Option<u32>,
    seed: u64,
) -> Result<Box<dyn Instance>, String> {
    let leaves = u64::from(branching).saturating_pow(depth);
    let count = (together / leaves).clamp(1, MOST_TREES);
    let tree = |i| {
        let tree = UniformTree::new(UniformParameters {
            depth,
            branching,
            values,
            most: MOST,
            ordering,
            seed: seed * 1_000_000 + i,
        });
        let tree = tree.map_err(|error| error.to_string())?;
        let finite =
            |(lower, upper)| Interval::new(Extended::Finite(lower), Extended::Finite(upper));
        let bounds = slack.map(|slack| tree.bounds(slack, seed).into_iter().map(finite).collect());
        let (graph, leaves) = tree.into_parts(Extended::Finite);
        Ok(Tree {
            graph,
            leaves,
            bounds,
            lattice: Chain::unbounded(),
        })
    };
    let trees: Result<Vec<Tree>, String> = (0..count).map(tree).collect();
    Ok(Box::new(Trees(trees?)))
}

struct Tree {
    graph: Graph,
    leaves: Vec<Extended>,
    /// Of inner nodes, by number.
    bounds: Option<Vec<Interval<Extended>>>,
    lattice: Chain<Extended>,
}

impl AndOrDag for Tree {
    type Node = NodeId;

    fn root(&self) -> NodeId {
        self.graph.root()
    }

    #[inline]
    fn kind(&self, node: &NodeId) -> Kind {
        self.graph.kind(*node)
    }

    #[inline]
    fn children(&self, node: &NodeId, out: &mut Vec<NodeId>) {
        out.extend_from_slice(self.graph.row(*node));
    }
}

impl Valuation<NodeId> for Tree {
    type Lattice = Chain<Extended>;

    #[inline]
    fn lattice(&self) -> &Chain<Extended> {
        &self.lattice
    }

    #[inline]
    fn leaf(&self, node: &NodeId) -> Extended {
        let ordinal = self.graph.leaf_ordinal(*node);
        ordinal.map_or(Extended::NegInf, |ordinal| self.leaves[ordinal])
    }
}

impl Heuristic<NodeId, Chain<Extended>> for &Tree {
    #[inline]
    fn bounds(
        &mut self,
        _: &Chain<Extended>,
        node: &NodeId,
        _: &Budget,
    ) -> Result<Option<Interval<Extended>>, Stop> {
        Ok(self
            .bounds
            .as_ref()
            .map(|bounds| bounds[node.index()].clone()))
    }
}

struct Trees(Vec<Tree>);

impl Instance for Trees {
    fn solve(&self, algorithm: &str, budget: &Budget, count_nodes: bool) -> Result<Solved, String> {
        let (mut counts, mut nodes, mut values) = (Counts::default(), 0, Vec::new());
        let mut stop = None;
        ALLOCATOR.reset_peak_memory();
        let started = Instant::now();
        for tree in &self.0 {
            let task = Task {
                dag: tree,
                valuation: tree,
                heuristic: tree,
                stores: DenseStores {
                    nodes: tree.graph.node_count(),
                },
                budget,
            };
            let mut watch = (counts, count_nodes.then(Visited::default));
            let mut engine = engine::total_order(algorithm, &task)
                .ok_or_else(|| format!("there is no algorithm {algorithm}"))?;
            let outcome = engine.search(tree.root(), &mut watch).outcome;
            counts = watch.0;
            nodes += watch.1.map_or(0, |visited| visited.len());
            values.push(outcome.exact().copied());
            stop = outcome.stop.or(budget.fired());
            if stop.is_some() {
                break;
            }
        }
        let seconds = started.elapsed().as_secs_f64();
        let peak_bytes = ALLOCATOR.get_peak_memory();
        let number = |value: Option<Extended>| match value {
            Some(Extended::Finite(number)) => Some(number),
            _ => None,
        };
        let values: Option<Vec<i64>> = values.into_iter().map(number).collect();
        let values = values.filter(|values| values.len() == self.0.len());
        Ok(Solved {
            seconds,
            counts,
            nodes: count_nodes.then_some(nodes),
            peak_bytes,
            stop,
            value: values.map(|values| json!(values).to_string()),
        })
    }
}
