//! The shape of random graphs: layers of the documented sizes, labels, and edges from one layer to
//! the next only.

use meetjoin_dag::{Graph, Kind, NodeId};
use meetjoin_games::{RandomDag, RandomParameters};

/// The sizes of the layers for depths 1, 2, ..; written out, because a formula would be the one
/// under test.
const LAYERS: [&[u32]; 9] = [
    &[1],
    &[1, 3],
    &[1, 3, 9],
    &[1, 3, 9, 27],
    &[1, 3, 9, 27, 27],
    &[1, 3, 9, 27, 81, 81],
    &[1, 3, 9, 27, 81, 243, 81],
    &[1, 3, 9, 27, 81, 243, 729, 243],
    &[1, 3, 9, 27, 81, 243, 729, 729, 243],
];

fn draw(depth: usize, branching: u32, alternating: bool) -> RandomDag {
    let parameters = RandomParameters {
        depth: depth as u32,
        branching,
        variables: 6,
        alternating,
        seed: 5,
    };
    RandomDag::new(parameters).expect("it fits")
}

/// The nodes of each layer.
fn layers(sizes: &[u32]) -> Vec<Vec<NodeId>> {
    let mut start = 0;
    let layer = |&size: &u32| {
        start += size;
        (start - size..start).map(NodeId::from).collect()
    };
    sizes.iter().map(layer).collect()
}

/// That every child lies in the next layer, and that there are as many as there should be.
fn check_edges(graph: &Graph, layers: &[Vec<NodeId>], branching: u32) {
    for pair in layers.windows(2) {
        for &node in &pair[0] {
            let children = graph.row(node);
            assert!(children.iter().all(|child| pair[1].contains(child)));
            assert_eq!(children.len(), pair[1].len().min(branching as usize));
        }
    }
}

#[test]
fn layers_have_the_documented_sizes() {
    for sizes in LAYERS {
        for (branching, alternating) in [(1, true), (4, false), (4, true), (100, false)] {
            let dag = draw(sizes.len(), branching, alternating);
            let (graph, layers) = (dag.graph(), layers(sizes));
            assert_eq!(graph.node_count(), sizes.iter().sum::<u32>() as usize);
            check_edges(graph, &layers, branching);
            let (leaves, inner) = layers.split_last().expect("a layer");
            assert_eq!(graph.leaf_count(), leaves.len());
            assert!(leaves.iter().all(|&n| graph.kind(n) == Kind::Leaf));
            for (number, layer) in inner.iter().enumerate() {
                let or = layer.iter().filter(|&&n| graph.kind(n) == Kind::Or);
                let and = layer.iter().filter(|&&n| graph.kind(n) == Kind::And);
                let (or, and) = (or.count(), and.count());
                assert_eq!(or + and, layer.len());
                match (alternating, number % 2) {
                    (true, 0) => assert_eq!(and, 0),
                    (true, _) => assert_eq!(or, 0),
                    // A layer of one label would be a miracle: a chance of 2 in 2^27.
                    (false, _) => assert!(layer.len() < 27 || or.min(and) > 0),
                }
            }
        }
    }
}
