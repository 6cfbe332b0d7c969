//! The subject of a search: a graph, its values, and how to cache, count and show them.
//!
//! Idea: the code that solves is generic over [`Subject`]. Subjects expose the graph and the
//! valuation themselves, so there is no wrapper between a search and its game that could fail to
//! forward a method.

use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::Hash;

use fixedbitset::FixedBitSet;
use meetjoin_catalogue::method::Algorithm;
use meetjoin_dag::{AndOrDag, Heuristic, Kind, NodeId, Valuation};
use meetjoin_lattice::{Budget, ElemOf};
use meetjoin_search::by_levels::ByLevels;
use meetjoin_search::proof::{LEAST_ENTRIES, ProofTable};
use meetjoin_search::{Observer, Stores, Visited};

use crate::answers::answer::NodeText;
use crate::answers::request::{CountNodes, PositionCache};
use crate::answers::value::Value;
use crate::searching::compiled::{Compiled, Engines};

/// The nodes of a subject.
pub type NodeOf<S> = <<S as Subject>::Dag as AndOrDag>::Node;
/// The values of a subject.
pub type Elem<S> = ElemOf<<S as Subject>::Lattice>;

/// A graph with values that can be searched and shown.
pub trait Subject {
    /// The graph.
    type Dag: AndOrDag;
    /// The values of its leaves.
    type Values: Valuation<NodeOf<Self>, Lattice = Self::Lattice>;
    /// The lattice of the values.
    type Lattice: Compiled;
    /// The algorithms that are compiled for it.
    type Engines: Engines<Self::Lattice>;
    /// The caches that suit the nodes.
    type Stores: Stores<NodeOf<Self>> + Clone;
    /// Knowledge of nodes without search. Made anew for each search, as a part of it.
    type Known<'s>
    where
        Self: 's;
    /// This knowledge, as a heuristic.
    type Bounds<'s, 'k>: Heuristic<NodeOf<Self>, Self::Lattice> + Copy
    where
        Self: 's,
        's: 'k;
    /// How distinct nodes are counted.
    type Distinct: Distinct<NodeOf<Self>>;

    /// The graph.
    fn dag(&self) -> &Self::Dag;

    /// The values of its leaves.
    fn values(&self) -> &Self::Values;

    /// The factory of caches.
    fn stores(&self, cache: PositionCache, budget: &Budget) -> Self::Stores;

    /// The most bytes of a shared cache; `None` for one that grows.
    fn shared_bytes(&self, _: PositionCache, _: &Budget) -> Option<usize> {
        None
    }

    /// The knowledge without search, if the algorithm uses it.
    fn known(&self, algorithm: &Algorithm) -> Self::Known<'_>;

    /// The knowledge as a heuristic; `None` if there is none.
    fn bounds<'s, 'k>(known: &'k Self::Known<'s>) -> Option<Self::Bounds<'s, 'k>>
    where
        Self: 's,
        's: 'k;

    /// The number of nodes, if that is known.
    fn node_count(&self) -> Option<usize> {
        None
    }

    /// An empty set of visited nodes, if nodes are to be counted.
    fn distinct(&self, count: CountNodes, algorithm: &Algorithm) -> Option<Self::Distinct>;

    /// The number of a node in checkpoints, if nodes have numbers.
    fn number(&self, _node: &NodeOf<Self>) -> Option<u128> {
        None
    }

    /// The node with a number. For other numbers it returns `None` or any node.
    fn numbered(&self, _number: u128) -> Option<NodeOf<Self>> {
        None
    }

    /// Writes a bound for a checkpoint; returns whether that is possible.
    fn write_bound(&self, bound: &Elem<Self>, _is_upper: bool, out: &mut String) -> bool {
        let written = self.values().lattice().written();
        written
            .inspect(|lattice| lattice.write(bound, out))
            .is_some()
    }

    /// Reads a bound of a checkpoint; `None` if the text is invalid.
    fn read_bound(&self, text: &str) -> Option<Elem<Self>> {
        self.values().lattice().written()?.read(text)
    }

    /// The value of a node by evaluation level by level on several threads, if the graph is
    /// explicit.
    fn by_levels(
        &self,
        _root: &NodeOf<Self>,
        _threads: usize,
        _budget: &Budget,
    ) -> Option<ByLevels<NodeOf<Self>, Elem<Self>>> {
        None
    }

    /// The name of a node.
    fn name(&self, node: &NodeOf<Self>) -> NodeText;

    /// A value in the form of answers.
    fn value(&self, value: &Elem<Self>) -> Value;

    /// An upper bound in the form of answers. A search may use a larger lattice than that of the
    /// problem; its bounds are rounded outwards: lower ones by [`value`](Self::value), upper ones
    /// here.
    fn upper(&self, bound: &Elem<Self>) -> Value {
        self.value(bound)
    }

    /// The number of items in a value, including nested lists. The cost of writing it grows with
    /// that.
    fn length(&self, _value: &Elem<Self>) -> usize {
        1
    }

    /// Additional facts about the game, with the exact value if it is known.
    fn facts(&self, _value: Option<&Elem<Self>>) -> Vec<(&'static str, Option<usize>)> {
        Vec::new()
    }
}

/// Counts distinct visited nodes.
pub trait Distinct<N>: Send {
    /// Adds a node.
    fn visit(&mut self, node: &N);
    /// The number of nodes.
    fn count(&self) -> usize;
    /// Adds the nodes visited by another thread.
    fn add(&mut self, other: Self);
}

/// A bit for each node of a graph.
impl Distinct<NodeId> for FixedBitSet {
    #[inline]
    fn visit(&mut self, node: &NodeId) {
        self.insert(node.index());
    }

    fn count(&self) -> usize {
        self.count_ones(..)
    }

    fn add(&mut self, other: Self) {
        self.union_with(&other);
    }
}

/// A hash set of positions.
impl<N: Clone + Eq + Hash + Send> Distinct<N> for Visited<N> {
    #[inline]
    fn visit(&mut self, node: &N) {
        Observer::<N, ()>::enter(self, node, None);
    }

    fn count(&self) -> usize {
        self.len()
    }

    fn add(&mut self, other: Self) {
        self.extend(other);
    }
}

/// An empty set of visited positions, if positions are to be counted. It takes memory for each
/// position, so it must be requested, or the algorithm must remember all positions anyway.
pub fn visited_if_counted<N>(count: CountNodes, algorithm: &Algorithm) -> Option<Visited<N>>
where
    Visited<N>: Default,
{
    let counts = match count {
        CountNodes::Never => false,
        CountNodes::IfCheap => algorithm.remembers_nodes(),
        CountNodes::Always => true,
    };
    counts.then(Visited::default)
}

/// The children of the root, each once.
pub(crate) fn children_of<D: AndOrDag>(dag: &D) -> Vec<D::Node> {
    let (root, mut children) = (dag.root(), Vec::new());
    if dag.kind(&root) != Kind::Leaf {
        dag.children(&root, &mut children);
    }
    let mut seen = HashSet::new();
    children.retain(|child| seen.insert(child.clone()));
    children
}

/// The name of a position.
pub fn position_name<D: AndOrDag>(dag: &D, position: &D::Node) -> NodeText {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = dag.name(position, &mut text);
    NodeText {
        // A string can always be written.
        json: serde_json::to_string(&text).unwrap_or_default(),
        text,
    }
}

/// Bytes of a df-pn table without a memory limit.
const PROOF_BYTES: usize = 64 << 20;

/// Bytes for a df-pn table within this budget. `nodes` is the number of nodes, if known: no table
/// needs room for more.
pub(crate) fn proof_bytes<N: Clone + Eq + Hash + Debug>(
    asked: Option<usize>,
    budget: &Budget,
    nodes: Option<usize>,
) -> usize {
    let slot = ProofTable::<N>::least_bytes() / LEAST_ENTRIES;
    // Seven of eight slots may be used.
    let enough = nodes.map(|nodes| (nodes / 7 + 1).saturating_mul(8 * slot));
    let bytes = asked.unwrap_or_else(|| most_of_memory(budget, PROOF_BYTES));
    bytes.min(enough.unwrap_or(usize::MAX))
}

/// Bytes for a cache that evicts entries, and for its larger successor while it grows: three
/// quarters of what a memory limit leaves now, or `otherwise` without a limit.
pub fn most_of_memory(budget: &Budget, otherwise: usize) -> usize {
    budget.memory_left().map_or(otherwise, |left| {
        usize::try_from(left / 4 * 3).unwrap_or(usize::MAX)
    })
}
