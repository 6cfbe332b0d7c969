//! Evaluation by levels finds what minimax with a cache finds, and counts the same, however nodes
//! are numbered.

use meetjoin_dag::{AndOrDag, Graph, Kind, NodeId, Rooted, Rows, Valuation};
use meetjoin_lattice::{Bool, Budget, Chain, Lattice, Limits, Stop, Words};
use meetjoin_search::by_levels::minimax_by_levels;
use meetjoin_search::{Counts, Env, Store as _, Table, minimax_cached};
use proptest::prelude::*;

use crate::support::graphs::any_graph;
use crate::support::large::large;
use crate::support::{Game, sets};

fn check<L>(game: &Game<L>, threads: usize)
where
    L: Lattice<Elem: Send + Sync> + Sync,
{
    let count = game.graph.node_count();
    let roots = game.graph.nodes().step_by(count / 8 + 1);
    for root in roots.chain([game.root()]) {
        let below = Rooted { dag: game, root };
        let (budget, mut counts) = (Budget::unlimited(), Counts::default());
        let table: Table<NodeId, L::Elem> = Table::new();
        let mut env = Env::new(&budget)
            .with_store(table)
            .with_observer(&mut counts);
        let one = minimax_cached(&below, game, &mut env);
        let entries = env.store.len() as u64;
        let free = Budget::unlimited();
        let all = minimax_by_levels(&below, count, game, threads, &free);
        assert_eq!(all.outcome, one);
        assert_eq!((all.counts, all.inner), (counts, entries));
        assert_eq!(free.visits_made(), counts.visits);
        let value = one.exact().expect("there was no limit");
        let limits = [0, 1, counts.visits / 2, counts.visits - 1];
        for visits in limits.into_iter().filter(|limit| *limit < counts.visits) {
            let budget = Budget::new(Limits {
                visits: Some(visits),
                ..Limits::default()
            });
            let all = minimax_by_levels(&below, count, game, threads, &budget);
            assert!(game.contains(&all.outcome.value, value));
            assert_eq!(all.outcome.stop, Some(Stop::Visits));
            assert!(
                all.counts.visits <= visits,
                "{} of {visits}",
                all.counts.visits
            );
        }
    }
}

/// The same graph with its nodes in another order.
fn renumbered(graph: &Graph, key: impl Fn(NodeId) -> u64) -> Graph {
    let mut order: Vec<NodeId> = graph.nodes().collect();
    order.sort_by_key(|node| key(*node));
    let mut number = vec![NodeId::from(0); order.len()];
    for (new, old) in order.iter().enumerate() {
        number[old.index()] = NodeId::from(new as u32);
    }
    let mut rows = Rows::new();
    for &node in &order {
        let row = graph.row(node);
        let row = row.iter().map(|child| number[child.index()]);
        let pushed = match graph.kind(node) {
            Kind::Leaf => rows.leaf(),
            Kind::And => rows.and(row),
            Kind::Or => rows.or(row),
        };
        pushed.expect("as many as before");
    }
    let root = number[graph.root().index()];
    rows.finish(root).expect("the same graph")
}

fn check_all<L>(graph: &Graph, lattice: &L, elements: &[L::Elem], threads: usize)
where
    L: Lattice<Elem: Send + Sync> + Clone + Sync,
{
    let down = graph.clone();
    let up = renumbered(graph, |node| u64::MAX - node.index() as u64);
    let mixed = renumbered(graph, |node| {
        (node.index() as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    });
    for graph in [down, up, mixed] {
        let game = Game {
            values: (0..graph.leaf_count())
                .map(|i| elements[i % elements.len()].clone())
                .collect(),
            lattice: lattice.clone(),
            bounds: None,
            graph,
        };
        check(&game, threads);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn small_graphs(graph in any_graph(), numbers in prop::collection::vec(0..9_i64, 1..9), threads in 0..4_usize) {
        check_all(&graph, &Chain::new(0, 8).expect("in order"), &numbers, threads);
    }
}

/// Rules that lead from each of three nodes to the next.
struct Round;

impl AndOrDag for Round {
    type Node = NodeId;

    fn root(&self) -> NodeId {
        NodeId::from(0)
    }

    fn kind(&self, _: &NodeId) -> Kind {
        Kind::Or
    }

    fn children(&self, node: &NodeId, out: &mut Vec<NodeId>) {
        out.push(NodeId::from((node.index() as u32 + 1) % 3));
    }
}

impl Valuation<NodeId> for Round {
    type Lattice = Bool;

    fn lattice(&self) -> &Bool {
        &Bool
    }

    fn leaf(&self, _: &NodeId) -> bool {
        true
    }
}

#[test]
fn a_cycle_is_told() {
    let found = minimax_by_levels(&Round, 3, &Round, 1, &Budget::unlimited());
    assert_eq!(found.outcome.stop, Some(Stop::Cycle));
    assert_eq!(found.outcome.exact(), None);
}

#[test]
fn large_levels_are_shared_out() {
    for seed in 1..4 {
        let elements: Vec<_> = (0..40).map(|i| Words([i * i * seed % 64])).collect();
        check_all(&large(seed), &sets(6), &elements, 3);
        check_all(&wide(seed), &sets(6), &elements, 3);
    }
}

/// Levels of some thousand nodes.
fn wide(seed: u64) -> Graph {
    const WIDTH: u64 = 5_000;
    let mut rows = Rows::new();
    let pick =
        |i: u64| NodeId::from((i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32 % WIDTH as u32);
    rows.or((0..WIDTH).map(|i| NodeId::from(1 + i as u32)))
        .expect("room");
    for i in 0..WIDTH {
        let children =
            (0..3).map(|k| NodeId::from(u32::from(pick(seed + 3 * i + k)) + 1 + WIDTH as u32));
        rows.and(children).expect("room");
    }
    for i in 0..WIDTH {
        let children = (0..3)
            .map(|k| NodeId::from(u32::from(pick(7 * seed + 3 * i + k)) + 1 + 2 * WIDTH as u32));
        rows.or(children).expect("room");
    }
    for _ in 0..WIDTH {
        rows.leaf().expect("room");
    }
    rows.finish(NodeId::from(0))
        .expect("levels below each other")
}
