//! Rows become a graph, or an error that names the node.

use meetjoin_dag::{GraphError, NodeId, Rows};

fn ids(numbers: &[u32]) -> Vec<NodeId> {
    numbers.iter().copied().map(NodeId::from).collect()
}

#[test]
fn the_smallest_graph_is_a_leaf() {
    let mut rows = Rows::new();
    let root = rows.leaf().expect("room");
    let graph = rows.finish(root).expect("a graph");
    assert_eq!((graph.node_count(), graph.edge_count()), (1, 0));
}

#[test]
fn no_rows_have_no_root() {
    let root = NodeId::from(0);
    assert_eq!(Rows::new().finish(root), Err(GraphError::MissingRoot(root)));
}

#[test]
fn a_childless_node_is_refused_and_leaves_no_trace() {
    let mut rows = Rows::new();
    assert_eq!(rows.and([]), Err(GraphError::Childless(NodeId::from(0))));
    assert_eq!(rows, Rows::new());
}

#[test]
fn a_child_out_of_range_is_named_with_its_parent() {
    let mut rows = Rows::new();
    rows.leaf().expect("room");
    rows.or(ids(&[0, 2])).expect("a row");
    assert_eq!(
        rows.finish(NodeId::from(0)),
        Err(GraphError::MissingChild {
            parent: NodeId::from(1),
            child: NodeId::from(2)
        })
    );
}

#[test]
fn cycles_are_found_where_the_root_does_not_reach() {
    for (first, second, third, cycle) in [
        (&[0][..], &[0][..], &[0][..], &[0][..]),
        (&[1], &[2], &[0], &[0, 1, 2]),
        (&[3], &[2], &[3, 1], &[1, 2]),
        (&[2, 1], &[3, 3], &[1, 0], &[0, 2]),
    ] {
        let mut rows = Rows::new();
        rows.or(ids(first)).expect("a row");
        rows.and(ids(second)).expect("a row");
        rows.or(ids(third)).expect("a row");
        let leaf = rows.leaf().expect("room");
        assert_eq!(rows.finish(leaf), Err(GraphError::Cycle(ids(cycle))));
    }
}

#[test]
fn a_long_chain_in_mixed_order_is_no_cycle() {
    // 0 -> last -> 1 -> last but one -> 2 -> ..: every second edge leads down, so the order of the
    // numbers proves nothing.
    let half: u32 = 500_000;
    let mut rows = Rows::new();
    for number in 0..half {
        rows.and(ids(&[2 * half - 1 - number])).expect("a row");
    }
    rows.leaf().expect("room");
    for number in half + 1..2 * half {
        rows.or(ids(&[2 * half - number])).expect("a row");
    }
    let graph = rows.finish(NodeId::from(0)).expect("no cycle");
    assert_eq!(graph.node_count(), 1_000_000);
}
