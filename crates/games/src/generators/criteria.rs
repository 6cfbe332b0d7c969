//! Random trees with several criteria: a vector of whole numbers at each leaf.
//!
//! The tree is complete: every inner node has `branching` children, and all leaves lie `depth`
//! levels below the root. Nodes are numbered level by level from the left, so the leaves come last,
//! and leaf ordinals go from left to right. Inner nodes are OR or AND with probability 1/2 each, or
//! OR in even levels and AND in odd ones. Each criterion is a number in `0..=most`; more is better
//! for MAX.
//!
//! The number of packets depends most on the correlation of the criteria of a leaf:
//!
//! - *independent*: each is drawn for itself;
//! - *correlated*: a common number, and for each criterion a deviation of at most `floor(most / 4)`
//!   up or down;
//! - *anti-correlated*: what one criterion gains the others lose. `most` is cut at random places
//!   into as many parts as there are criteria, and each part gets a deviation of at most
//!   `floor(most / 8)` up or down.
//!
//! Deviations that lead out of `0..=most` end at its borders. One criterion has nothing to hang
//! together with, and is always drawn as if independent.
//!
//! Draw order, from `ChaCha8Rng::seed_from_u64(seed)`: first the labels of the inner nodes in the
//! order of their numbers (one `bool` each, unless alternating), then the leaves from left to
//! right. A leaf draws, always `u32` by `random_range`,
//!
//! - independent: for each criterion one of `0..=most`;
//! - correlated: the common one of `0..=most`, then for each criterion e of `0..=2s` with
//!   `s = floor(most / 4)`, which means a deviation of `e - s`;
//! - anti-correlated: K - 1 places of `0..=most`, which are then sorted, and between 0 and `most`
//!   cut the parts; then for each criterion e as above with `s = floor(most / 8)`.
//!
//! Cost: linear in the tree.
//!
//! Source: partial order game trees: Dasgupta, Chakrabarti, DeSarkar (1996). The three kinds of
//! correlation are those that experiments with dominance have used since Börzsönyi, Kossmann,
//! Stocker (2001); the exact distributions are ours.

use meetjoin_dag::{Graph, GraphError, NodeId, Rows};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// The correlation of the criteria of one leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Correlation {
    /// Criteria are drawn independently.
    Independent,
    /// An outcome good in one criterion is good in the others.
    Correlated,
    /// An outcome good in one criterion is bad in the others.
    AntiCorrelated,
}

/// The parameters of a random tree with several criteria.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CriteriaParameters {
    /// Levels below the root. With 0 the root is a leaf.
    pub depth: u32,
    /// Children of an inner node, at least 1.
    pub branching: u32,
    /// Criteria, K: at least 1.
    pub criteria: u32,
    /// The largest value of a criterion; the smallest is 0. At most 2^30.
    pub most: u32,
    /// The correlation of the criteria.
    pub correlation: Correlation,
    /// OR in even levels and AND in odd ones, instead of labels at random.
    pub alternating: bool,
    /// Seed of the generator.
    pub seed: u64,
}

/// Why parameters make no tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CriteriaError {
    /// Inner nodes would have no children.
    #[error("the branching factor must be at least 1")]
    NoBranching,
    /// Leaves would have no numbers.
    #[error("there must be at least one criterion")]
    NoCriteria,
    /// Numbers could overflow in intermediate results.
    #[error("the largest value of a criterion must be at most 2^30, and is {most}")]
    Most {
        /// The value asked for.
        most: u32,
    },
    /// More nodes than fit 32 bits, or more than 1 GiB of values.
    #[error(
        "a tree of depth {depth} with branching factor {branching} and {criteria} criteria is too large"
    )]
    TooLarge {
        /// The depth asked for.
        depth: u32,
        /// The branching factor asked for.
        branching: u32,
        /// The criteria asked for.
        criteria: u32,
    },
}

/// The most values of all leaves together: 1 GiB.
const MOST_VALUES: u64 = 1 << 27;
/// The greatest allowed `most`.
const MOST_MOST: u32 = 1 << 30;

impl CriteriaParameters {
    /// Checks that they make a tree, without drawing it.
    ///
    /// # Errors
    /// If they make no tree, or one that is too large.
    pub fn check(&self) -> Result<(), CriteriaError> {
        self.sizes().map(|_| ())
    }

    /// The numbers of inner nodes and of leaves.
    fn sizes(&self) -> Result<(u32, u32), CriteriaError> {
        if self.branching == 0 {
            return Err(CriteriaError::NoBranching);
        }
        if self.criteria == 0 {
            return Err(CriteriaError::NoCriteria);
        }
        if self.most > MOST_MOST {
            return Err(CriteriaError::Most { most: self.most });
        }
        // With branching factor 1 the tree is a chain; other trees are too large after 32 levels,
        // so this loop is short.
        let (mut inner, mut level) = (0_u64, 1_u64);
        if self.branching == 1 {
            inner = u64::from(self.depth);
        } else {
            for _ in 0..self.depth {
                inner += level;
                level = level.saturating_mul(u64::from(self.branching));
                if inner >= u64::from(u32::MAX) {
                    break;
                }
            }
        }
        let values = level.saturating_mul(u64::from(self.criteria));
        if inner.saturating_add(level) >= u64::from(u32::MAX) || values > MOST_VALUES {
            return Err(self.too_large());
        }
        Ok((inner as u32, level as u32))
    }

    fn too_large(&self) -> CriteriaError {
        CriteriaError::TooLarge {
            depth: self.depth,
            branching: self.branching,
            criteria: self.criteria,
        }
    }
}

/// A random tree and the vectors of its leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CriteriaTree {
    graph: Graph,
    criteria: usize,
    /// By leaf ordinal, one vector after the other.
    values: Vec<i64>,
}

impl CriteriaTree {
    /// Draws a tree.
    ///
    /// # Errors
    /// If the parameters make no tree, or one too large.
    pub fn new(parameters: CriteriaParameters) -> Result<Self, CriteriaError> {
        let (inner, leaves) = parameters.sizes()?;
        let too_large = |_: GraphError<NodeId>| parameters.too_large();
        let mut rng = ChaCha8Rng::seed_from_u64(parameters.seed);
        let branching = parameters.branching;
        let mut rows =
            Rows::with_capacity(inner as usize + leaves as usize, (inner + leaves) as usize)
                .map_err(too_large)?;
        // Level by level, so the children of node n are b n + 1 to b n + b.
        let (mut or, mut level_ends) = (true, 1_u64);
        for node in 0..inner {
            if u64::from(node) == level_ends {
                or = !or;
                level_ends = level_ends * u64::from(branching) + 1;
            }
            let or = if parameters.alternating {
                or
            } else {
                rng.random::<bool>()
            };
            let first = node * branching + 1;
            let row = (first..first + branching).map(NodeId::from);
            let added = if or { rows.or(row) } else { rows.and(row) };
            added.map_err(too_large)?;
        }
        for _ in 0..leaves {
            rows.leaf().map_err(too_large)?;
        }
        let graph = rows.finish(NodeId::from(0)).map_err(too_large)?;
        let criteria = parameters.criteria as usize;
        let mut values = Vec::new();
        let room = values.try_reserve_exact(leaves as usize * criteria);
        room.map_err(|_| parameters.too_large())?;
        let mut cuts = Vec::with_capacity(criteria);
        for _ in 0..leaves {
            draw(&parameters, &mut rng, &mut cuts, &mut values);
        }
        Ok(Self {
            graph,
            criteria,
            values,
        })
    }

    /// The graph. Node 0 is the root, level follows level, the leaves come last.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The number of criteria.
    pub fn criteria(&self) -> usize {
        self.criteria
    }

    /// The vectors of the leaves, by ordinal.
    pub fn vectors(&self) -> impl ExactSizeIterator<Item = &[i64]> {
        self.values.chunks_exact(self.criteria)
    }

    /// The graph and, for each leaf, whatever `value` makes of its vector: the vector itself for
    /// the dominance algebra, an element of a product, an element of the free lattice.
    pub fn into_parts<T>(self, value: impl FnMut(&[i64]) -> T) -> (Graph, Vec<T>) {
        let values = self.vectors().map(value).collect();
        (self.graph, values)
    }
}

/// Draws the vector of a leaf.
fn draw(
    parameters: &CriteriaParameters,
    rng: &mut ChaCha8Rng,
    cuts: &mut Vec<u32>,
    values: &mut Vec<i64>,
) {
    let (most, criteria) = (parameters.most, parameters.criteria);
    let correlation = if criteria == 1 {
        Correlation::Independent
    } else {
        parameters.correlation
    };
    let mut deviate = |value: u32, rng: &mut ChaCha8Rng, s: u32| {
        let deviation = i64::from(rng.random_range(0..=2 * s)) - i64::from(s);
        values.push((i64::from(value) + deviation).clamp(0, i64::from(most)));
    };
    match correlation {
        Correlation::Independent => {
            values.extend((0..criteria).map(|_| i64::from(rng.random_range(0..=most))));
        }
        Correlation::Correlated => {
            let common = rng.random_range(0..=most);
            for _ in 0..criteria {
                deviate(common, rng, most / 4);
            }
        }
        Correlation::AntiCorrelated => {
            cuts.clear();
            cuts.extend((1..criteria).map(|_| rng.random_range(0..=most)));
            cuts.sort_unstable();
            cuts.push(most);
            let mut start = 0;
            for &cut in &*cuts {
                deviate(cut - start, rng, most / 8);
                start = cut;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(depth: u32, branching: u32, criteria: u32) -> CriteriaParameters {
        CriteriaParameters {
            depth,
            branching,
            criteria,
            most: 80,
            correlation: Correlation::Independent,
            alternating: true,
            seed: 3,
        }
    }

    #[test]
    fn the_tree_is_complete_and_alternates() {
        let tree = CriteriaTree::new(parameters(3, 3, 2)).expect("it fits");
        let graph = tree.graph();
        assert_eq!((graph.node_count(), graph.leaf_count()), (40, 27));
        let mut level = vec![graph.root()];
        for depth in 0..3 {
            for &node in &level {
                let kind = graph.kind(node);
                assert_eq!(kind == meetjoin_dag::Kind::Or, depth % 2 == 0);
                assert_eq!(graph.row(node).len(), 3);
            }
            level = level
                .iter()
                .flat_map(|&node| graph.row(node).to_vec())
                .collect();
        }
        let ordinals: Vec<_> = level.iter().map(|&n| graph.leaf_ordinal(n)).collect();
        assert_eq!(ordinals, (0..27).map(Some).collect::<Vec<_>>());
    }

    #[test]
    fn values_keep_to_their_range_and_hang_together() {
        // The covariance of two criteria, whose sign is that of the correlation.
        let covariance = |correlation| {
            let tree = CriteriaTree::new(CriteriaParameters {
                correlation,
                ..parameters(11, 2, 2)
            });
            let tree = tree.expect("it fits");
            let vectors: Vec<(i64, i64)> = tree.vectors().map(|v| (v[0], v[1])).collect();
            assert!(
                vectors
                    .iter()
                    .all(|(x, y)| (0..=80).contains(x) && (0..=80).contains(y))
            );
            let n = vectors.len() as f64;
            let mean = |f: &dyn Fn(&(i64, i64)) -> i64| {
                vectors.iter().map(|v| f(v) as f64).sum::<f64>() / n
            };
            mean(&|v| v.0 * v.1) - mean(&|v| v.0) * mean(&|v| v.1)
        };
        assert!(covariance(Correlation::Correlated) > 200.0);
        assert!(covariance(Correlation::AntiCorrelated) < -200.0);
        assert!(covariance(Correlation::Independent).abs() < 50.0);
    }

    #[test]
    fn one_criterion_is_drawn_alike_whatever_the_correlation() {
        let draw = |correlation| {
            CriteriaTree::new(CriteriaParameters {
                correlation,
                ..parameters(4, 2, 1)
            })
        };
        let independent = draw(Correlation::Independent).expect("it fits");
        assert_eq!(draw(Correlation::Correlated), Ok(independent.clone()));
        assert_eq!(draw(Correlation::AntiCorrelated), Ok(independent));
    }

    #[test]
    fn the_smallest_and_the_deepest_trees() {
        let leaf = CriteriaTree::new(parameters(0, 5, 3)).expect("it fits");
        assert_eq!((leaf.graph().node_count(), leaf.vectors().len()), (1, 1));
        let chain = CriteriaTree::new(parameters(100_000, 1, 2)).expect("it fits");
        assert_eq!(chain.graph().node_count(), 100_001);
        let least = CriteriaParameters {
            most: 0,
            correlation: Correlation::AntiCorrelated,
            ..parameters(2, 2, 3)
        };
        let least = CriteriaTree::new(least).expect("it fits");
        assert!(least.vectors().all(|vector| vector == [0, 0, 0]));
    }

    #[test]
    fn parameters_that_cannot_work_say_so() {
        let refused = |parameters: CriteriaParameters| parameters.check().err();
        assert_eq!(
            refused(parameters(2, 0, 2)),
            Some(CriteriaError::NoBranching)
        );
        assert_eq!(
            refused(parameters(2, 2, 0)),
            Some(CriteriaError::NoCriteria)
        );
        let most = CriteriaParameters {
            most: u32::MAX,
            ..parameters(2, 2, 2)
        };
        assert_eq!(refused(most), Some(CriteriaError::Most { most: u32::MAX }));
        for (depth, branching, criteria) in [
            (u32::MAX, 1, 1),
            (u32::MAX, 2, 1),
            (32, 2, 1),
            (2, u32::MAX, 1),
            (0, 1, u32::MAX),
        ] {
            let too_large = CriteriaError::TooLarge {
                depth,
                branching,
                criteria,
            };
            assert_eq!(
                refused(parameters(depth, branching, criteria)),
                Some(too_large)
            );
        }
    }
}
