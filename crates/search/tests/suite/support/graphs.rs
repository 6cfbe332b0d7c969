//! Random graphs.

use meetjoin_dag::{Graph, NodeId, Rows};
use proptest::prelude::*;

/// A graph from random numbers: node i takes its children among the nodes made before it, so that
/// there is no cycle. Shapes: anything, layers, chains of single children; few or many leaves;
/// repeated children throughout.
pub fn graph(inner: &[(bool, u8, Vec<u16>)], leaves: usize, shape: u8) -> Graph {
    let mut rows = Rows::new();
    let mut made: Vec<NodeId> = (0..leaves).map(|_| rows.leaf().expect("room")).collect();
    let mut layer_start = 0;
    for (i, (is_or, many, picks)) in inner.iter().enumerate() {
        let range = match shape {
            0 => &made[..],
            1 => {
                // Layers of four nodes, each drawing from the layer below.
                if i % 4 == 0 && i > 0 {
                    layer_start = made.len() - 4;
                }
                let end = if i < 4 { leaves } else { layer_start + 4 };
                &made[if i < 4 { 0 } else { layer_start }..end]
            }
            _ => &made[made.len().saturating_sub(2)..],
        };
        let count = if shape == 2 && many % 3 != 0 {
            1
        } else {
            picks.len()
        };
        let row = picks
            .iter()
            .take(count)
            .map(|&pick| range[usize::from(pick) % range.len()]);
        let row: Vec<NodeId> = row.collect();
        let node = if *is_or { rows.or(row) } else { rows.and(row) };
        made.push(node.expect("room"));
    }
    let root = *made.last().expect("at least one leaf");
    rows.finish(root).expect("children come before parents")
}

pub fn any_graph() -> impl Strategy<Value = Graph> {
    let inner = (
        any::<bool>(),
        any::<u8>(),
        prop::collection::vec(any::<u16>(), 1..5),
    );
    (prop::collection::vec(inner, 0..24), 1..8_usize, 0..3_u8)
        .prop_map(|(inner, leaves, shape)| graph(&inner, leaves, shape))
}
