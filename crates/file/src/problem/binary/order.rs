//! An order in which children come after their parents.

use std::io;

use meetjoin_dag::{Graph, NodeId};

/// The nodes in such an order; `None` if they are in such an order already.
///
/// It is a topological order from parents to children (Kahn 1962) that prefers children of the last
/// node, so that nodes that a search visits consecutively are often near each other.
pub(super) fn order(graph: &Graph) -> io::Result<Option<Vec<NodeId>>> {
    let grows = |parent: NodeId| graph.row(parent).iter().all(|&child| child > parent);
    if graph.nodes().all(grows) {
        return Ok(None);
    }
    let mut parents: Vec<u32> = Vec::new();
    parents.try_reserve_exact(graph.node_count())?;
    parents.resize(graph.node_count(), 0);
    for node in graph.nodes() {
        for child in graph.row(node).iter() {
            parents[child.index()] += 1;
        }
    }
    let mut order = Vec::new();
    order.try_reserve_exact(graph.node_count())?;
    let mut open: Vec<NodeId> = Vec::new();
    // The root comes first, if it is no child; unreachable nodes come last.
    let starts = graph.nodes().rev().filter(|node| *node != graph.root());
    let starts = starts.chain([graph.root()]);
    for start in starts.filter(|node| parents[node.index()] == 0) {
        open.try_reserve(1)?;
        open.push(start);
    }
    while let Some(node) = open.pop() {
        order.push(node);
        for &child in graph.row(node).iter().rev() {
            parents[child.index()] -= 1;
            if parents[child.index()] == 0 {
                open.try_reserve(1)?;
                open.push(child);
            }
        }
    }
    Ok(Some(order))
}
