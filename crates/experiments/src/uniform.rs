//! Uniform trees U(b, d) for the algorithms of total orders. A small tree is over in microseconds, so an instance is as many as make some work.

use std::fmt::Debug;
use std::time::Instant;

use meetjoin::dag::{AndOrDag, Graph, Heuristic, Kind, NodeId, Valuation};
use meetjoin::games::{ChildOrder, LeafValues, UniformParameters, UniformTree};
use meetjoin::lattice::{Budget, Chain, Extended, Interval, Stop};
use meetjoin::search::engine::{self, DenseStores, Engine, Task};
use meetjoin::search::{Counts, Duo, Visited};
use serde_json::json;

use super::instance::{Instance, Solved, Watch, table_bytes};
use super::memory;

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
    Sample {
        branching,
        depth,
        together: LEAVES,
        values,
        ordering,
        most: MOST,
        slack: None,
        seed,
    }
    .over_numbers()
}

/// Trees with this branching factor, of four levels: the deepest that b = 60 leaves room for.
pub(crate) fn broad(
    branching: u32,
    values: LeafValues,
    ordering: ChildOrder,
    seed: u64,
) -> Result<Box<dyn Instance>, String> {
    Sample {
        branching,
        depth: 4,
        together: LEAVES_OF_BROAD,
        values,
        ordering,
        most: MOST,
        slack: None,
        seed,
    }
    .over_numbers()
}

/// How far bounds may lie away from the value, as a part of the greatest value of a leaf.
pub(crate) const SLACKS: [&str; 6] = ["1 %", "3 %", "10 %", "30 %", "100 %", "300 %"];
const PERCENT: [u32; 6] = [1, 3, 10, 30, 100, 300];

/// Trees whose inner nodes have bounds with one of the [`SLACKS`]; slack 1 is the first.
pub(crate) fn informed(slack: u32, seed: u64) -> Result<Box<dyn Instance>, String> {
    let percent = PERCENT.get((slack as usize).wrapping_sub(1));
    let percent = percent.ok_or_else(|| format!("there is no slack {slack}"))?;
    Sample {
        branching: 4,
        depth: 6,
        together: LEAVES,
        values: LeafValues::Independent,
        ordering: ChildOrder::Random,
        most: MOST,
        slack: Some(percent * (MOST / 100)),
        seed,
    }
    .over_numbers()
}

/// The trees by which searches for proofs are compared: the [`SHAPES`], and the last of them with few values.
pub(crate) const PROVED: [&str; 6] = ["U(10,3)", "U(4,5)", "U(3,6)", "U(2,12)", "0 to 9", "0 or 1"];

/// Trees of one kind of [`PROVED`], over a chain that ends at the greatest value; kind 1 is the first.
pub(crate) fn proved(kind: u32, seed: u64) -> Result<Box<dyn Instance>, String> {
    let last = SIZES[SIZES.len() - 1];
    let ((branching, depth), most) = match kind {
        1..=4 => (SIZES[kind as usize - 1], MOST),
        5 => (last, 9),
        6 => (last, 1),
        _ => return Err(format!("there is no kind {kind}")),
    };
    Sample {
        branching,
        depth,
        together: LEAVES,
        values: LeafValues::Independent,
        ordering: ChildOrder::Random,
        most,
        slack: None,
        seed,
    }
    .over_integers()
}

/// Which trees an instance has.
struct Sample {
    branching: u32,
    depth: u32,
    /// Leaves in all trees together, where that can be had.
    together: u64,
    values: LeafValues,
    ordering: ChildOrder,
    /// The greatest value of a leaf, or of an edge.
    most: u32,
    /// How far bounds may lie away from the value, if there are any.
    slack: Option<u32>,
    seed: u64,
}

impl Sample {
    /// Values are numbers between two infinities.
    fn over_numbers(&self) -> Result<Box<dyn Instance>, String> {
        Ok(Box::new(Trees {
            all: self.trees(&Chain::unbounded(), Extended::Finite)?,
            choice: |id, task| engine::total_order(id, task),
            number: |value| match value {
                Extended::Finite(number) => Some(*number),
                Extended::NegInf | Extended::PosInf => None,
            },
        }))
    }

    /// Values are integers, of which a value can be found by claims.
    fn over_integers(&self) -> Result<Box<dyn Instance>, String> {
        let chain = Chain::new(0, i64::from(self.most));
        let chain = chain.ok_or("0 is the least value")?;
        Ok(Box::new(Trees {
            all: self.trees(&chain, |number| number)?,
            choice: |id, task| {
                let bytes = table_bytes::<NodeId>(task.dag.graph.node_count());
                engine::integers(id, task, bytes).or_else(|| engine::total_order(id, task))
            },
            number: |number| Some(*number),
        }))
    }

    fn trees<T: Ord + Clone>(
        &self,
        lattice: &Chain<T>,
        number: fn(i64) -> T,
    ) -> Result<Vec<Tree<T>>, String> {
        let leaves = u64::from(self.branching).saturating_pow(self.depth);
        let count = (self.together / leaves).clamp(1, MOST_TREES);
        let tree = |i| {
            let tree = UniformTree::new(UniformParameters {
                depth: self.depth,
                branching: self.branching,
                values: self.values,
                most: self.most,
                ordering: self.ordering,
                seed: self.seed * 1_000_000 + i,
            });
            let tree = tree.map_err(|error| error.to_string())?;
            let bounds = self.slack.map(|slack| {
                let bounds = tree.bounds(slack, self.seed).into_iter();
                let bounds =
                    bounds.map(|(lower, upper)| Interval::new(number(lower), number(upper)));
                bounds.collect()
            });
            let (graph, leaves) = tree.into_parts(number);
            Ok(Tree {
                graph,
                leaves,
                bounds,
                lattice: lattice.clone(),
            })
        };
        (0..count).map(tree).collect()
    }
}

struct Tree<T> {
    graph: Graph,
    leaves: Vec<T>,
    /// Of inner nodes, by number.
    bounds: Option<Vec<Interval<T>>>,
    lattice: Chain<T>,
}

impl<T> AndOrDag for Tree<T> {
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

impl<T: Ord + Copy + Debug> Valuation<NodeId> for Tree<T> {
    type Lattice = Chain<T>;

    #[inline]
    fn lattice(&self) -> &Chain<T> {
        &self.lattice
    }

    #[inline]
    fn leaf(&self, node: &NodeId) -> T {
        let ordinal = self.graph.leaf_ordinal(*node);
        ordinal.map_or(*self.lattice.lo(), |ordinal| self.leaves[ordinal])
    }
}

impl<T: Ord + Copy + Debug> Heuristic<NodeId, Chain<T>> for &Tree<T> {
    #[inline]
    fn bounds(
        &mut self,
        _: &Chain<T>,
        node: &NodeId,
        _: &Budget,
    ) -> Result<Option<Interval<T>>, Stop> {
        Ok(self
            .bounds
            .as_ref()
            .map(|bounds| bounds[node.index()].clone()))
    }
}

/// The algorithm with an id on a tree, if it runs on its chain.
type Choice<T> = for<'a> fn(
    &str,
    &Task<'a, Tree<T>, Tree<T>, &'a Tree<T>, DenseStores>,
) -> Option<Engine<'a, NodeId, T, Watch<NodeId>>>;

struct Trees<T> {
    all: Vec<Tree<T>>,
    choice: Choice<T>,
    /// A value as it is printed.
    number: fn(&T) -> Option<i64>,
}

impl<T: Ord + Copy + Debug> Instance for Trees<T> {
    fn solve(&self, algorithm: &str, budget: &Budget, count_nodes: bool) -> Result<Solved, String> {
        let (mut counts, mut nodes, mut values) = (Counts::default(), 0, Vec::new());
        let mut stop = None;
        memory::reset_peak();
        let started = Instant::now();
        for tree in &self.all {
            let task = Task {
                dag: tree,
                valuation: tree,
                heuristic: tree,
                stores: DenseStores {
                    nodes: tree.graph.node_count(),
                },
                budget,
                duo: Duo::default(),
            };
            let mut watch = (counts, count_nodes.then(Visited::default));
            let mut engine = (self.choice)(algorithm, &task)
                .ok_or_else(|| format!("there is no algorithm {algorithm}"))?;
            let outcome = engine.search(tree.root(), &mut watch).outcome;
            counts = watch.0;
            nodes += watch.1.map_or(0, |visited| visited.len());
            values.push(outcome.exact().and_then(self.number));
            stop = outcome.stop.or(budget.fired());
            if stop.is_some() {
                break;
            }
        }
        let seconds = started.elapsed().as_secs_f64();
        let peak_bytes = memory::peak();
        let values: Option<Vec<i64>> = values.into_iter().collect();
        let values = values.filter(|values| values.len() == self.all.len());
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
