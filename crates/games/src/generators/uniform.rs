//! Uniform game trees U(b, d): every inner node has b children, every leaf lies d levels below the
//! root, and leaves are worth integers.
//!
//! Problem: searches of total orders are compared on trees of known difficulty. Besides b and d it
//! depends on two things: whether the path to a leaf correlates with its value, and whether good
//! moves come first. Both are parameters.
//!
//! The root is MAX's (OR), and levels alternate. Nodes are numbered level by level from the left,
//! so the children of node n are b n + 1 to b n + b, the leaves come last, and leaf ordinals follow
//! the numbers. More is better for MAX.
//!
//! Values of leaves ([`LeafValues`]):
//!
//! - *independent*: each leaf is drawn from `0..=most`;
//! - *incremental*: each edge is drawn from `-most..=most`, and a leaf is worth the sum of the
//!   edges on its path. The sum of the edges down to an inner node is then an evaluation of that
//!   node without search, and the better the deeper it lies.
//!
//! The order of children ([`ChildOrder`]) changes the rows of the graph and nothing else: with the
//! same seed, a node has the same number, the same children, value, evaluation and bounds in either
//! order.
//!
//! - *random*: ascending by number, which is the order in which they were drawn;
//! - *best first*: sorted by minimax value, descending at a MAX node and ascending at a MIN node,
//!   equal ones by number. Then, with probability 3/10 at each inner node, the first child changes
//!   places with one drawn from all b of them, itself among them. So a best child is first with a
//!   probability of at least 7/10 + 3/(10 b). Trees that are ordered so well, but not perfectly,
//!   are what move generators of real games make; Marsland and Campbell call a tree strongly
//!   ordered when the first move is best 70 % of the time, and the best one is in the first quarter
//!   90 % of the time. The first condition holds here, the second in general does not.
//!
//! [`UniformTree::bounds`] makes admissible and consistent bounds of inner nodes, as loose as
//! desired.
//!
//! Draw order, from `ChaCha8Rng::seed_from_u64(seed)`, always `u32` by `random_range`: first the
//! values, and then, if best first, the exchanges.
//!
//! - independent: for each leaf by number one of `0..=most`;
//! - incremental: for each node but the root by number e of `0..=2 most`, which means `e - most`
//!   for the edge that leads to it;
//! - best first: for each inner node by number one of `0..10`; if it is less than 3, then one of
//!   `0..b`, the place that the first child changes with.
//!
//! Cost: linear in the tree, and times log b for sorting.
//!
//! Source: both kinds of values are usual in experiments with game trees; on incremental ones,
//! there called branch-dependent, see Newborn (1977). Ordering: Marsland and Campbell (1982).
//! Bounds: Pijls and de Bruin, "Searching informed game trees". The exact distributions are ours.

use std::cmp::Reverse;
use std::ops::Range;

use meetjoin_dag::{Graph, GraphError, NodeId, Rows};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// How the values of the leaves are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum LeafValues {
    /// Each leaf is drawn independently.
    Independent,
    /// Each edge is drawn, and a leaf is worth the sum along its path.
    Incremental,
}

/// The order of the children of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum ChildOrder {
    /// The order in which they were drawn.
    Random,
    /// Usually the best child for the player to move comes first.
    ///
    /// They are in the order of their values except for some exchanges: see the
    /// [module page](self).
    BestFirst,
}

/// The parameters of a uniform tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UniformParameters {
    /// Levels below the root, d. With 0 the root is a leaf.
    pub depth: u32,
    /// Children of an inner node, b: at least 1.
    pub branching: u32,
    /// The kind of values of the leaves.
    pub values: LeafValues,
    /// The largest value of a leaf, or of an edge. At most 2^30.
    pub most: u32,
    /// The order of children.
    pub ordering: ChildOrder,
    /// Seed of the generator.
    pub seed: u64,
}

/// Why parameters make no tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UniformError {
    /// Inner nodes would have no children.
    #[error("the branching factor must be at least 1")]
    NoBranching,
    /// Numbers could overflow in intermediate results.
    #[error("the largest value must be at most 2^30, and is {most}")]
    Most {
        /// The value asked for.
        most: u32,
    },
    /// The nodes, with a value and an evaluation each, would take more than 1 GiB.
    #[error("a tree of depth {depth} with branching factor {branching} is too large")]
    TooLarge {
        /// The depth asked for.
        depth: u32,
        /// The branching factor asked for.
        branching: u32,
    },
}

/// The most nodes, each with two numbers of eight bytes: 1 GiB.
const MOST_NODES: u64 = 1 << 26;
/// The greatest allowed `most`.
const MOST_MOST: u32 = 1 << 30;
/// A path has at most as many edges as there are nodes, so neither a sum along it nor a bound with
/// the greatest slack overflows.
const _: () = assert!(MOST_NODES * MOST_MOST as u64 + (u32::MAX as u64) < i64::MAX as u64);

impl UniformParameters {
    /// Checks that they make a tree, without drawing it.
    ///
    /// # Errors
    /// If they make no tree, or one that is too large.
    pub fn check(&self) -> Result<(), UniformError> {
        self.sizes().map(|_| ())
    }

    /// The numbers of inner nodes and of leaves.
    fn sizes(&self) -> Result<(usize, usize), UniformError> {
        if self.branching == 0 {
            return Err(UniformError::NoBranching);
        }
        if self.most > MOST_MOST {
            return Err(UniformError::Most { most: self.most });
        }
        // With branching factor 1 the tree is a chain; other trees are too large after 26 levels,
        // so this loop is short.
        let (mut inner, mut level) = (0_u64, 1_u64);
        if self.branching == 1 {
            inner = u64::from(self.depth);
        } else {
            for _ in 0..self.depth {
                inner += level;
                level = level.saturating_mul(u64::from(self.branching));
                if inner > MOST_NODES {
                    break;
                }
            }
        }
        if inner.saturating_add(level) > MOST_NODES {
            return Err(self.too_large());
        }
        Ok((inner as usize, level as usize))
    }

    fn too_large(&self) -> UniformError {
        UniformError::TooLarge {
            depth: self.depth,
            branching: self.branching,
        }
    }
}

/// A uniform tree with the values of all its nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UniformTree {
    graph: Graph,
    branching: usize,
    depth: u32,
    /// By node, like the following fields.
    values: Vec<i64>,
    evaluations: Vec<i64>,
}

impl UniformTree {
    /// Draws a tree.
    ///
    /// # Errors
    /// If the parameters make no tree, or one too large.
    pub fn new(parameters: UniformParameters) -> Result<Self, UniformError> {
        let (inner, leaves) = parameters.sizes()?;
        let (branching, depth) = (parameters.branching as usize, parameters.depth);
        let mut rng = ChaCha8Rng::seed_from_u64(parameters.seed);
        let evaluations = draw(&parameters, &mut rng, inner, inner + leaves);

        // Upwards, level by level; the evaluations of inner nodes are overwritten.
        let mut values = evaluations.clone();
        let mut level = inner..inner + leaves;
        for below in (0..depth).rev() {
            level = level.start - level.len() / branching..level.start;
            for node in level.clone() {
                let moves = values[children(node, branching)].iter().copied();
                values[node] = if is_or(below) {
                    moves.fold(i64::MIN, i64::max)
                } else {
                    moves.fold(i64::MAX, i64::min)
                };
            }
        }

        let too_large = |_: GraphError<NodeId>| parameters.too_large();
        let mut rows =
            Rows::with_capacity(inner + leaves, inner + 2 * leaves).map_err(too_large)?;
        let mut row = Vec::with_capacity(branching);
        for (below, level) in inner_levels(depth, branching) {
            for node in level {
                row.clear();
                row.extend(children(node, branching));
                if parameters.ordering == ChildOrder::BestFirst {
                    arrange(&mut row, &values, is_or(below), &mut rng);
                }
                let row = row.iter().map(|&child| NodeId::from(child as u32));
                let added = if is_or(below) {
                    rows.or(row)
                } else {
                    rows.and(row)
                };
                added.map_err(too_large)?;
            }
        }
        for _ in 0..leaves {
            rows.leaf().map_err(too_large)?;
        }
        let graph = rows.finish(NodeId::from(0)).map_err(too_large)?;
        Ok(Self {
            graph,
            branching,
            depth,
            values,
            evaluations,
        })
    }

    /// The graph. Node 0 is the root, level follows level, the leaves come last. Its rows have the
    /// order of children.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The minimax value of each node, by its number.
    pub fn values(&self) -> &[i64] {
        &self.values
    }

    /// The value of each leaf, by its ordinal.
    pub fn leaves(&self) -> &[i64] {
        &self.values[self.inner()..]
    }

    /// The static evaluation of each node, by its number: the sum of the edges that lead to it if
    /// values are incremental, 0 at inner nodes if they are independent. At a leaf always its
    /// value.
    pub fn evaluations(&self) -> &[i64] {
        &self.evaluations
    }

    /// Bounds `(lower, upper)` of the minimax value of each inner node, by its number.
    ///
    /// Together with the exact values of the leaves they are a heuristic pair in the sense of Pijls
    /// and de Bruin: *admissible*, the value lies between them; and *consistent*, no child of a MAX
    /// node has an upper bound above that of the node, and no child of a MIN node a lower bound
    /// below that of the node.
    ///
    /// At first the upper bound is drawn from `0..=slack` above the value, and the lower one
    /// independently from `0..=slack` below it. Then, downwards, an upper bound that lies above
    /// that of a MAX parent is replaced by it, and a lower bound that lies below that of a MIN
    /// parent by that one; both stay admissible. With a `slack` of 0 all are exact. With the same
    /// seed, a larger `slack` makes no bound tighter.
    ///
    /// Draw order, from stream 1 of `ChaCha8Rng::seed_from_u64(seed)` (so the seed of the tree will
    /// do): for each inner node by number a word of 32 bits for the upper and one for the lower
    /// bound. A word w means `floor(w (slack + 1) / 2^32)` more or less.
    pub fn bounds(&self, slack: u32, seed: u64) -> Vec<(i64, i64)> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(1);
        let steps = u64::from(slack) + 1;
        let mut away = || i64::from(((u64::from(rng.random::<u32>()) * steps) >> 32) as u32);
        let mut bounds: Vec<(i64, i64)> = Vec::with_capacity(self.inner());
        for (below, level) in inner_levels(self.depth, self.branching) {
            for node in level {
                let value = self.values[node];
                let mut upper = value + away();
                let mut lower = value - away();
                if node > 0 {
                    let parent = bounds[(node - 1) / self.branching];
                    if is_or(below) {
                        lower = lower.max(parent.0); // the parent is MIN's
                    } else {
                        upper = upper.min(parent.1);
                    }
                }
                bounds.push((lower, upper));
            }
        }
        bounds
    }

    /// The graph and, for each leaf by its ordinal, whatever `value` makes of its number.
    pub fn into_parts<T>(self, value: impl FnMut(i64) -> T) -> (Graph, Vec<T>) {
        let values = self.leaves().iter().copied().map(value).collect();
        (self.graph, values)
    }

    /// The number of inner nodes.
    fn inner(&self) -> usize {
        self.graph.node_count() - self.graph.leaf_count()
    }
}

/// Returns whether MAX moves this many levels below the root.
fn is_or(below: u32) -> bool {
    below.is_multiple_of(2)
}

/// The levels of inner nodes from the root down: depths and ranges of nodes.
fn inner_levels(depth: u32, branching: usize) -> impl Iterator<Item = (u32, Range<usize>)> {
    let mut level = 0..1;
    (0..depth).map(move |below| {
        let next = level.end..level.end + level.len() * branching;
        (below, std::mem::replace(&mut level, next))
    })
}

/// The numbers of the children of an inner node.
fn children(node: usize, branching: usize) -> Range<usize> {
    let first = node * branching + 1;
    first..first + branching
}

/// Draws the static evaluations of all nodes; those of leaves are their values.
fn draw(
    parameters: &UniformParameters,
    rng: &mut ChaCha8Rng,
    inner: usize,
    nodes: usize,
) -> Vec<i64> {
    let (most, branching) = (parameters.most, parameters.branching as usize);
    let mut evaluations = Vec::with_capacity(nodes);
    match parameters.values {
        LeafValues::Independent => {
            evaluations.resize(inner, 0);
            evaluations.extend((inner..nodes).map(|_| i64::from(rng.random_range(0..=most))));
        }
        LeafValues::Incremental => {
            evaluations.push(0);
            for node in 1..nodes {
                let edge = i64::from(rng.random_range(0..=2 * most)) - i64::from(most);
                evaluations.push(evaluations[(node - 1) / branching] + edge);
            }
        }
    }
    evaluations
}

/// Sorts the children of a node, the best for the player to move first, and sometimes exchanges
/// that one with another.
fn arrange(row: &mut [usize], values: &[i64], or: bool, rng: &mut ChaCha8Rng) {
    if or {
        row.sort_by_key(|&child| Reverse(values[child]));
    } else {
        row.sort_by_key(|&child| values[child]);
    }
    if rng.random_range(0..10_u32) < 3 {
        let place = rng.random_range(0..row.len() as u32);
        row.swap(0, place as usize);
    }
}

#[cfg(test)]
mod tests {
    use meetjoin_dag::Kind;

    use super::*;

    fn parameters(depth: u32, branching: u32) -> UniformParameters {
        UniformParameters {
            depth,
            branching,
            values: LeafValues::Incremental,
            most: 50,
            ordering: ChildOrder::Random,
            seed: 3,
        }
    }

    fn tree(parameters: UniformParameters) -> UniformTree {
        UniformTree::new(parameters).expect("it fits")
    }

    /// All four kinds of tree, of some sizes.
    fn some() -> impl Iterator<Item = UniformParameters> {
        let sizes = [
            (0, 3),
            (1, 1),
            (1, 7),
            (2, 3),
            (3, 4),
            (5, 2),
            (6, 3),
            (9, 1),
        ];
        sizes.into_iter().enumerate().flat_map(|(seed, (d, b))| {
            let kinds = [LeafValues::Independent, LeafValues::Incremental];
            kinds.into_iter().flat_map(move |values| {
                [ChildOrder::Random, ChildOrder::BestFirst].map(|ordering| UniformParameters {
                    values,
                    ordering,
                    seed: seed as u64,
                    ..parameters(d, b)
                })
            })
        })
    }

    /// The children of a node in the order of its row.
    fn row(tree: &UniformTree, node: NodeId) -> Vec<usize> {
        let row = tree.graph().row(node);
        row.iter().map(|child| child.index()).collect()
    }

    #[test]
    fn the_tree_is_complete_and_alternates() {
        for parameters in some() {
            let tree = tree(parameters);
            let graph = tree.graph();
            let mut level = vec![graph.root()];
            let mut count = 0;
            for below in 0..parameters.depth {
                for &node in &level {
                    assert_eq!(node.index(), count);
                    count += 1;
                    assert_eq!(graph.kind(node) == Kind::Or, below % 2 == 0);
                    let mut row = row(&tree, node);
                    row.sort_unstable();
                    let first = node.index() * parameters.branching as usize + 1;
                    let all: Vec<_> = (first..first + parameters.branching as usize).collect();
                    assert_eq!(row, all);
                }
                level = level
                    .iter()
                    .flat_map(|&node| graph.row(node).to_vec())
                    .collect();
                level.sort_unstable();
            }
            let ordinals: Vec<_> = level.iter().map(|&n| graph.leaf_ordinal(n)).collect();
            assert_eq!(ordinals, (0..level.len()).map(Some).collect::<Vec<_>>());
            assert_eq!(graph.node_count(), count + level.len());
        }
    }

    /// Minimax by the rows of the graph, from the last node to the first.
    #[test]
    fn values_are_minimax_values_of_the_graph() {
        for parameters in some() {
            let tree = tree(parameters);
            let (graph, nodes) = (tree.graph().clone(), tree.graph().node_count());
            assert_eq!(
                (tree.values().len(), tree.evaluations().len()),
                (nodes, nodes)
            );
            assert_eq!(tree.leaves().len(), graph.leaf_count());
            for node in graph.nodes() {
                let below = row(&tree, node).into_iter().map(|c| tree.values()[c]);
                let value = match graph.kind(node) {
                    Kind::Or => below.max(),
                    Kind::And => below.min(),
                    Kind::Leaf => graph.leaf_ordinal(node).map(|o| tree.leaves()[o]),
                };
                assert_eq!(value, Some(tree.values()[node.index()]));
            }
            let leaves = tree.leaves().to_vec();
            assert_eq!(tree.into_parts(|value| value), (graph, leaves));
        }
    }

    #[test]
    fn evaluations_are_sums_or_nothing() {
        for parameters in some() {
            let tree = tree(parameters);
            let (most, evaluations) = (i64::from(parameters.most), tree.evaluations());
            let (inner, leaves) = evaluations.split_at(tree.inner());
            assert_eq!(leaves, tree.leaves());
            match parameters.values {
                LeafValues::Independent => {
                    assert!(inner.iter().all(|&evaluation| evaluation == 0));
                    assert!(leaves.iter().all(|leaf| (0..=most).contains(leaf)));
                }
                LeafValues::Incremental => {
                    assert_eq!(evaluations[0], 0);
                    for node in tree.graph().nodes() {
                        for child in row(&tree, node) {
                            let edge = evaluations[child] - evaluations[node.index()];
                            assert!((-most..=most).contains(&edge));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn draws_reach_both_ends() {
        for (values, ends) in [
            (LeafValues::Independent, (0, 2)),
            (LeafValues::Incremental, (-2, 2)),
        ] {
            let tree = tree(UniformParameters {
                values,
                most: 2,
                ..parameters(1, 100)
            });
            let (least, most) = (tree.leaves().iter().min(), tree.leaves().iter().max());
            assert_eq!(
                (least.copied(), most.copied()),
                (Some(ends.0), Some(ends.1))
            );
        }
    }

    #[test]
    fn the_order_of_children_changes_nothing_else() {
        for parameters in some().filter(|p| p.ordering == ChildOrder::BestFirst) {
            let sorted = tree(parameters);
            let drawn = tree(UniformParameters {
                ordering: ChildOrder::Random,
                ..parameters
            });
            assert_eq!(sorted.values(), drawn.values());
            assert_eq!(sorted.evaluations(), drawn.evaluations());
            assert_eq!(sorted.bounds(9, 1), drawn.bounds(9, 1));
        }
    }

    #[test]
    fn best_children_come_first_as_often_as_promised() {
        let branching = 5;
        let tree = tree(UniformParameters {
            most: 1 << 30,
            ordering: ChildOrder::BestFirst,
            ..parameters(6, branching)
        });
        let mut exchanged = [0_u32; 5];
        for node in (0..tree.inner() as u32).map(NodeId::from) {
            let or = tree.graph().kind(node) == Kind::Or;
            let mut row = row(&tree, node);
            // The best child, from MAX's side, changes places back.
            let worth = |child: usize| {
                if or {
                    -tree.values()[child]
                } else {
                    tree.values()[child]
                }
            };
            let place = (0..row.len())
                .min_by_key(|&place| worth(row[place]))
                .expect("children");
            exchanged[place] += 1;
            row.swap(0, place);
            assert!(row.is_sorted_by_key(|&child| worth(child)));
        }
        // Among 3906 nodes: 76 % and 6 % for each other place, with a standard deviation of less
        // than 1 %.
        let share = exchanged.map(|count| f64::from(count) / tree.inner() as f64);
        assert!((share[0] - 0.76).abs() < 0.03, "{share:?}");
        assert!(
            share[1..].iter().all(|s| (s - 0.06).abs() < 0.02),
            "{share:?}"
        );
    }

    #[test]
    fn equal_children_stay_as_they_were_drawn() {
        let tree = tree(UniformParameters {
            most: 0,
            ordering: ChildOrder::BestFirst,
            ..parameters(4, 3)
        });
        for node in (0..tree.inner() as u32).map(NodeId::from) {
            let mut row = row(&tree, node);
            let place = (0..row.len()).min_by_key(|&place| row[place]);
            // Undoes the exchange of the first child.
            row.swap(0, place.expect("children"));
            assert!(row.is_sorted());
        }
    }

    #[test]
    fn bounds_are_admissible_and_consistent() {
        for parameters in some() {
            let tree = tree(parameters);
            for slack in [0, 1, 10, 1000, u32::MAX] {
                let bounds = tree.bounds(slack, 7);
                assert_eq!(bounds.len(), tree.inner());
                // A leaf's bounds are its value.
                let known = |node: usize| {
                    let value = tree.values()[node];
                    bounds.get(node).copied().unwrap_or((value, value))
                };
                for node in tree.graph().nodes() {
                    let (lower, upper) = known(node.index());
                    let value = tree.values()[node.index()];
                    assert!((value - i64::from(slack)..=value).contains(&lower));
                    assert!((value..=value + i64::from(slack)).contains(&upper));
                    for child in row(&tree, node) {
                        match tree.graph().kind(node) {
                            Kind::Or => assert!(known(child).1 <= upper),
                            Kind::And | Kind::Leaf => assert!(known(child).0 >= lower),
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn bounds_widen_with_the_slack() {
        for parameters in some() {
            let tree = tree(parameters);
            let mut last = tree.bounds(0, 7);
            let exact: Vec<_> = tree.values()[..tree.inner()]
                .iter()
                .map(|&v| (v, v))
                .collect();
            assert_eq!(last, exact);
            for slack in (1..60).chain([1000, 1001, u32::MAX - 1, u32::MAX]) {
                let next = tree.bounds(slack, 7);
                let pairs = || last.iter().zip(&next);
                assert!(pairs().all(|(a, b)| b.0 <= a.0 && a.1 <= b.1));
                last = next;
            }
        }
        let tree = tree(parameters(6, 3));
        assert_ne!(tree.bounds(100, 7), tree.bounds(100, 8));
        // They are no better than they must be: a third of the tree or so has one as loose as half
        // the slack.
        let bounds = tree.bounds(1000, 7);
        let loose = bounds.iter().zip(tree.values());
        let loose = loose.filter(|&(bounds, value)| bounds.1 - value > 500);
        assert!(loose.count() * 4 > tree.inner());
    }

    #[test]
    fn the_smallest_and_the_deepest_trees() {
        let leaf = tree(parameters(0, 5));
        assert_eq!((leaf.leaves(), leaf.values()), (&[0][..], &[0][..]));
        assert_eq!(leaf.bounds(5, 1), []);
        let chain = tree(UniformParameters {
            most: 1 << 30,
            ordering: ChildOrder::BestFirst,
            ..parameters(100_000, 1)
        });
        assert_eq!(chain.graph().node_count(), 100_001);
        assert!(
            chain
                .values()
                .iter()
                .all(|value| [*value] == chain.leaves())
        );
    }

    #[test]
    fn parameters_that_cannot_work_say_so() {
        let refused = |parameters: UniformParameters| parameters.check().err();
        assert_eq!(refused(parameters(2, 0)), Some(UniformError::NoBranching));
        let most = UniformParameters {
            most: u32::MAX,
            ..parameters(2, 2)
        };
        assert_eq!(refused(most), Some(UniformError::Most { most: u32::MAX }));
        for (depth, branching) in [
            (u32::MAX, 1),
            (1 << 26, 1),
            (26, 2),
            (u32::MAX, 2),
            (1, 1 << 26),
            (2, u32::MAX),
            (u32::MAX, u32::MAX),
        ] {
            let too_large = UniformError::TooLarge { depth, branching };
            assert_eq!(refused(parameters(depth, branching)), Some(too_large));
        }
        for (depth, branching) in [((1 << 26) - 1, 1), (25, 2), (1, (1 << 26) - 1), (4, 60)] {
            assert_eq!(refused(parameters(depth, branching)), None);
        }
    }
}
