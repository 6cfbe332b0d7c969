//! Outcomes that are vectors: one number for each criterion, compared by dominance.
//!
//! Source: Dasgupta, Chakrabarti, DeSarkar (1996), Definition 1.1; Stewart and White (1991).

use std::fmt;
use std::sync::Arc;

use meetjoin_dag::{AndOrDag, Graph, Kind, NodeId};
use meetjoin_lattice::{Budget, Poset, Shadow, Stop, poset};

use crate::outcomes::LeafOutcomes;
use crate::packets::Packet;

/// Vectors of integers under dominance: at least as good in every criterion, where more is better.
/// Vectors of different lengths are incomparable.
///
/// The order is that of [`Vectors`](meetjoin_lattice::Vectors), on elements made for this algebra:
/// finite, because preferences add them up, and reference-counted, because products of packets copy
/// them often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dominance;

impl Poset for Dominance {
    type Elem = Arc<[i64]>;

    #[inline]
    fn below(&self, a: &Arc<[i64]>, b: &Arc<[i64]>, _: &Budget) -> Result<bool, Stop> {
        Ok(a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a <= b))
    }

    fn has_shadows(&self) -> bool {
        true
    }

    fn shadow(&self, a: &Arc<[i64]>) -> Shadow {
        poset::shadow_of(a.iter().copied())
    }
}

/// An outcome for people: `(2,5)`.
pub fn outcome_text(outcome: &[i64]) -> String {
    let numbers: Vec<String> = outcome.iter().map(i64::to_string).collect();
    format!("({})", numbers.join(","))
}

/// For people: `{(0,5), (5,0)}`.
impl fmt::Display for Packet<Arc<[i64]>> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outcomes = self.outcomes().iter().map(|outcome| outcome_text(outcome));
        write!(f, "{{{}}}", outcomes.collect::<Vec<_>>().join(", "))
    }
}

/// An explicit graph with a vector at each leaf, all of one length.
#[derive(Clone, Debug)]
pub struct VectorGame {
    graph: Graph,
    /// By leaf ordinal.
    vectors: Vec<Arc<[i64]>>,
    order: Dominance,
}

/// Vectors that do not fit a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VectorGameError {
    /// Too few or too many vectors.
    #[error("the graph has {leaves} leaves, and there are {vectors} vectors")]
    Count {
        /// Leaves of the graph.
        leaves: usize,
        /// Vectors given.
        vectors: usize,
    },
    /// Vectors of different lengths.
    #[error("the first leaf has {first} criteria, and leaf number {ordinal} has {other}")]
    Length {
        /// The length of the first vector.
        first: usize,
        /// The ordinal of a leaf whose vector has another one, counted from 0.
        ordinal: usize,
        /// Its length.
        other: usize,
    },
    /// Vectors without criteria.
    #[error("a vector must have at least one criterion")]
    NoCriteria,
}

impl VectorGame {
    /// The graph with these vectors, by leaf ordinal.
    ///
    /// # Errors
    /// If they are not as many as the leaves, or not of one length, or empty.
    pub fn new<V: Into<Arc<[i64]>>>(
        graph: Graph,
        vectors: impl IntoIterator<Item = V>,
    ) -> Result<Self, VectorGameError> {
        let vectors: Vec<Arc<[i64]>> = vectors.into_iter().map(Into::into).collect();
        if vectors.len() != graph.leaf_count() {
            return Err(VectorGameError::Count {
                leaves: graph.leaf_count(),
                vectors: vectors.len(),
            });
        }
        // Every graph has a leaf, so there is a first vector.
        let first = vectors.first().map_or(0, |vector| vector.len());
        if first == 0 {
            return Err(VectorGameError::NoCriteria);
        }
        if let Some(ordinal) = vectors.iter().position(|vector| vector.len() != first) {
            return Err(VectorGameError::Length {
                first,
                ordinal,
                other: vectors[ordinal].len(),
            });
        }
        Ok(Self {
            graph,
            vectors,
            order: Dominance,
        })
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The vectors, by leaf ordinal.
    pub fn vectors(&self) -> &[Arc<[i64]>] {
        &self.vectors
    }

    /// The number of criteria.
    pub fn criteria(&self) -> usize {
        self.vectors.first().map_or(0, |vector| vector.len())
    }
}

impl AndOrDag for VectorGame {
    type Node = NodeId;

    fn root(&self) -> NodeId {
        self.graph.root()
    }

    fn kind(&self, node: &NodeId) -> Kind {
        self.graph.kind(*node)
    }

    fn children(&self, node: &NodeId, out: &mut Vec<NodeId>) {
        self.graph.children(node, out);
    }

    fn name(&self, node: &NodeId, out: &mut dyn fmt::Write) -> fmt::Result {
        self.graph.name(node, out)
    }
}

impl LeafOutcomes<NodeId> for VectorGame {
    type Order = Dominance;

    fn order(&self) -> &Dominance {
        &self.order
    }

    fn outcome(&self, node: &NodeId) -> Arc<[i64]> {
        // Called for leaves only, and each leaf has a vector.
        let ordinal = self.graph.leaf_ordinal(*node);
        let vector = ordinal.and_then(|ordinal| self.vectors.get(ordinal));
        vector.cloned().unwrap_or_else(|| Vec::new().into())
    }
}
