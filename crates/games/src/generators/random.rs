//! Random layered graphs: the family "random" of Li, Zanuttini, Cazenave, Ventos (2022), section 6.
//!
//! With depth d, layers `0..d` have `3^min(i, floor(3d/2) - i)` nodes, a diamond; the last layer
//! holds the leaves. (The paper prints 3d/2 - i, which is not whole for odd d.) Each inner node has
//! `min(b, size of the next layer)` distinct children drawn uniformly from the next layer, in the
//! order drawn; nodes that were never drawn stay in the graph and are unreachable. Inner nodes are
//! AND or OR with probability 1/2 each, or OR in even layers and AND in odd ones. A leaf is a
//! uniformly drawn set of variables.
//!
//! Draw order, from `ChaCha8Rng::seed_from_u64(seed)`: layer by layer from the root, node by node;
//! for an inner node its label (one `bool`, unless alternating), then its children, each
//! `random_range(0..size of the next layer)` as `u32`, drawn again while it repeats a sibling; then
//! for each leaf `ceil(v / 64)` words of 64 bits, the lowest variables in the lowest bits of the
//! first word.
//!
//! Cost: linear in the edges.

use meetjoin_dag::{Graph, GraphError, NodeId, Rows};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The parameters of a random graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomParameters {
    /// Layers, d: at least 1.
    pub depth: u32,
    /// Children of an inner node, b: at least 1. If the next layer is smaller, all of its nodes.
    pub branching: u32,
    /// Variables of which a leaf draws a set, v.
    pub variables: u32,
    /// OR in even layers and AND in odd ones, instead of labels at random.
    pub alternating: bool,
    /// Seed of the generator.
    pub seed: u64,
}

impl RandomParameters {
    /// Checks that they make a graph, without drawing it.
    ///
    /// # Errors
    /// If they make no graph, or one that is too large.
    pub fn check(&self) -> Result<(), RandomError> {
        self.sizes().map(|_| ())
    }

    /// The sizes of the layers, the number of nodes, and that of edges and leaves together.
    fn sizes(&self) -> Result<(Vec<u32>, u64, u64), RandomError> {
        let (depth, branching) = (self.depth, self.branching);
        if branching == 0 {
            return Err(RandomError::NoBranching);
        }
        let layers = layer_sizes(depth)?;
        let nodes: u64 = layers.iter().map(|&size| u64::from(size)).sum();
        let edges = layers
            .windows(2)
            .map(|pair| u64::from(pair[0]) * u64::from(branching.min(pair[1])));
        let entries = edges.sum::<u64>() + u64::from(layers[layers.len() - 1]);
        if nodes.max(entries) >= u64::from(u32::MAX) {
            return Err(RandomError::TooLarge { depth, branching });
        }
        let (leaves, variables) = (layers[layers.len() - 1], self.variables);
        if u64::from(leaves) * u64::from(variables.div_ceil(64)) > MOST_WORDS {
            return Err(RandomError::TooManyVariables { leaves, variables });
        }
        Ok((layers, nodes, entries))
    }
}

/// Why parameters make no graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RandomError {
    /// There is no layer.
    #[error("the depth must be at least 1")]
    NoLayer,
    /// Inner nodes would have no children.
    #[error("the branching factor must be at least 1")]
    NoBranching,
    /// A layer has more nodes than fit 32 bits.
    #[error("depth {depth}: layer {layer} has more nodes than fit in 32 bits")]
    LayerTooLarge {
        /// The depth asked for.
        depth: u32,
        /// The first layer that is too large.
        layer: u32,
    },
    /// The sets of the leaves would take more than 1 GiB.
    #[error("{leaves} leaves with {variables} variables each take more than 1 GiB")]
    TooManyVariables {
        /// The number of leaves.
        leaves: u32,
        /// The number of variables asked for.
        variables: u32,
    },
    /// There is not enough memory.
    #[error(
        "there is not enough memory for a graph with depth {depth} and branching factor {branching}"
    )]
    NoMemory {
        /// The depth asked for.
        depth: u32,
        /// The branching factor asked for.
        branching: u32,
    },
    /// More nodes or edges than fit 32 bits.
    #[error(
        "a graph with depth {depth} and branching factor {branching} has more nodes or edges than fit in 32 bits"
    )]
    TooLarge {
        /// The depth asked for.
        depth: u32,
        /// The branching factor asked for.
        branching: u32,
    },
}

/// The most words of 64 bits for the sets of all leaves together.
const MOST_WORDS: u64 = 1 << 27;

/// A random graph and the sets of its leaves.
#[derive(Clone, Debug)]
pub struct RandomDag {
    graph: Graph,
    variables: usize,
    /// `ceil(v / 64)` words for each leaf, by leaf ordinal.
    words: Vec<u64>,
}

impl RandomDag {
    /// Draws a graph.
    ///
    /// # Errors
    /// If the parameters make no graph, or one too large.
    pub fn new(parameters: RandomParameters) -> Result<Self, RandomError> {
        let RandomParameters {
            depth,
            branching,
            variables,
            alternating,
            seed,
        } = parameters;
        let (layers, nodes, entries) = parameters.sizes()?;
        let no_memory = || RandomError::NoMemory { depth, branching };
        let too_large = |error: GraphError<NodeId>| match error {
            GraphError::NoMemory => no_memory(),
            _ => RandomError::TooLarge { depth, branching },
        };
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut rows = Rows::with_capacity(nodes as usize, entries as usize).map_err(too_large)?;
        let mut next_start = 0;
        // The last parent that drew each node of the next layer: a draw is a repetition exactly if
        // that is the present parent.
        let mut drawn_by: Vec<u32> = Vec::new();
        let mut children = Vec::new();
        for (layer, pair) in layers.windows(2).enumerate() {
            let (size, next_size) = (pair[0], pair[1]);
            next_start += size;
            drawn_by.clear();
            let room = drawn_by.try_reserve(next_size as usize);
            room.map_err(|_| no_memory())?;
            drawn_by.resize(next_size as usize, u32::MAX);
            for node in 0..size {
                let or = if alternating {
                    layer % 2 == 0
                } else {
                    rng.random::<bool>()
                };
                children.clear();
                while children.len() < branching.min(next_size) as usize {
                    let child = rng.random_range(0..next_size);
                    if std::mem::replace(&mut drawn_by[child as usize], node) != node {
                        children.push(NodeId::from(next_start + child));
                    }
                }
                let row = children.iter().copied();
                let added = if or { rows.or(row) } else { rows.and(row) };
                added.map_err(too_large)?;
            }
        }
        let leaves = layers[layers.len() - 1];
        for _ in 0..leaves {
            rows.leaf().map_err(too_large)?;
        }
        let graph = rows.finish(NodeId::from(0)).map_err(too_large)?;
        let variables = variables as usize;
        let mut words = Vec::new();
        let room = words.try_reserve_exact(leaves as usize * variables.div_ceil(64));
        room.map_err(|_| no_memory())?;
        for _ in 0..leaves {
            for start in (0..variables).step_by(64) {
                let unused = 64 - (variables - start).min(64);
                words.push(rng.random::<u64>() & (u64::MAX >> unused));
            }
        }
        Ok(Self {
            graph,
            variables,
            words,
        })
    }

    /// The graph. Node 0 is the root, layers follow one another, the leaves come last.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The number of variables.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// The set of a leaf, by its ordinal: variables `0..v`, ascending.
    ///
    /// # Panics
    /// If there is no such leaf.
    pub fn leaf_set(&self, ordinal: usize) -> impl Iterator<Item = usize> {
        let width = self.variables.div_ceil(64);
        let words = &self.words[ordinal * width..(ordinal + 1) * width];
        (0..self.variables).filter(|i| words[i / 64] >> (i % 64) & 1 == 1)
    }

    /// The graph and, for each leaf, whatever `value` makes of its set.
    pub fn into_parts<T>(
        self,
        value: impl Fn(&mut dyn Iterator<Item = usize>) -> T,
    ) -> (Graph, Vec<T>) {
        let leaves = self.graph.leaf_count();
        let values = (0..leaves).map(|ordinal| value(&mut self.leaf_set(ordinal)));
        let values = values.collect();
        (self.graph, values)
    }
}

/// The number of nodes in each layer.
fn layer_sizes(depth: u32) -> Result<Vec<u32>, RandomError> {
    if depth == 0 {
        return Err(RandomError::NoLayer);
    }
    let turn = u64::from(depth) * 3 / 2;
    (0..depth)
        .map(|layer| {
            let exponent = u64::from(layer).min(turn - u64::from(layer));
            let size = u32::try_from(exponent)
                .ok()
                .and_then(|e| 3_u32.checked_pow(e));
            size.ok_or(RandomError::LayerTooLarge { depth, layer })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(depth: u32, branching: u32) -> RandomParameters {
        RandomParameters {
            depth,
            branching,
            variables: 70,
            alternating: false,
            seed: 7,
        }
    }

    #[test]
    fn the_layers_are_a_diamond() {
        assert_eq!(layer_sizes(1), Ok(vec![1]));
        assert_eq!(layer_sizes(4), Ok(vec![1, 3, 9, 27]));
        let sizes = layer_sizes(15).expect("it fits");
        assert_eq!(sizes.iter().sum::<u32>(), 351_013);
        assert_eq!(sizes.iter().max(), Some(&3_u32.pow(11)));
    }

    #[test]
    fn children_are_distinct_and_as_many_as_there_can_be() {
        let dag = RandomDag::new(parameters(6, 5)).expect("it fits");
        let graph = dag.graph();
        assert_eq!(graph.row(graph.root()).len(), 3);
        for node in graph.nodes().filter(|&n| graph.leaf_ordinal(n).is_none()) {
            let mut row = graph.row(node).to_vec();
            row.sort_unstable();
            row.dedup();
            assert_eq!(row.len(), graph.row(node).len());
        }
    }

    #[test]
    fn the_same_seed_draws_the_same_graph() {
        let draw = |seed| {
            let dag = RandomDag::new(RandomParameters {
                seed,
                ..parameters(5, 3)
            });
            let (graph, sets) = dag
                .expect("it fits")
                .into_parts(|set| set.collect::<Vec<_>>());
            (graph, sets)
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }

    #[test]
    fn parameters_that_cannot_work_say_so() {
        let refused = |depth, branching| RandomDag::new(parameters(depth, branching)).err();
        assert_eq!(refused(0, 2), Some(RandomError::NoLayer));
        assert_eq!(refused(3, 0), Some(RandomError::NoBranching));
        let many = RandomParameters {
            variables: 4_000_000_000,
            ..parameters(5, 4)
        };
        let too_many = RandomError::TooManyVariables {
            leaves: 27,
            variables: 4_000_000_000,
        };
        assert_eq!(RandomDag::new(many).err(), Some(too_many));
        let layer = Some(RandomError::LayerTooLarge {
            depth: 1000,
            layer: 21,
        });
        assert_eq!(refused(1000, 2), layer);
        assert!(matches!(
            refused(28, 4),
            Some(RandomError::TooLarge { .. } | RandomError::LayerTooLarge { .. })
        ));
    }
}
