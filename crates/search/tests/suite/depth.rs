//! Depth and paths: ten million levels on a default stack, and more paths than atoms.

use meetjoin_dag::{Graph, NodeId, Rows};
use meetjoin_lattice::{Budget, Chain, Stop};
use meetjoin_search::{Counts, Window};

use crate::support::{Engine, Game, Memory, Runs, sets, word};

/// A chain of AND and OR nodes with one child each above a leaf.
pub fn chain(levels: u32) -> Graph {
    let mut rows = Rows::with_capacity(levels as usize + 1, levels as usize + 1).expect("room");
    let mut node = rows.leaf().expect("room");
    for level in 0..levels {
        let added = if level % 2 == 0 {
            rows.and([node])
        } else {
            rows.or([node])
        };
        node = added.expect("room");
    }
    rows.finish(node).expect("a chain")
}

pub fn on_a_default_stack(work: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(8 << 20);
        let handle = thread.spawn_scoped(scope, work).expect("a thread");
        handle.join().expect("no overflow");
    });
}

#[test]
fn a_chain_of_ten_million_nodes() {
    on_a_default_stack(|| {
        let game = Game {
            graph: chain(10_000_000),
            lattice: Chain::new(0, 1).expect("in order"),
            values: vec![1_i64],
            bounds: None,
        };
        let full = Window::full(&game.lattice);
        let free = Budget::unlimited();
        for engine in [
            Engine::MinimaxCached,
            Engine::Strong,
            Engine::AlphaBetaSoft,
            Engine::DuoDense,
        ] {
            let mut counts = Counts::default();
            let mut memory = Memory::new(10_000_001);
            let outcome = engine.run(&game, &full, &mut memory, &free, &mut counts, ());
            assert_eq!((outcome.exact(), counts.visits), (Some(&1), 10_000_001));
        }
        // A stop at the bottom folds ten million open nodes.
        let budget = Budget::visits_at_most(10_000_000);
        let mut memory = Memory::new(10_000_001);
        let outcome = Engine::DuoDense.run(&game, &full, &mut memory, &budget, (), ());
        // The leaf is known to a fold that may look at it.
        assert!(outcome.stop.is_none() || outcome.stop == Some(Stop::Visits));
        assert_eq!(*outcome.value.upper(), 1);
    });
}

/// Each rung has two nodes, each with both nodes of the rung below: 2^n paths.
fn ladder(rungs: u32) -> Graph {
    let mut rows = Rows::new();
    let mut below: [NodeId; 2] = [rows.leaf().expect("room"), rows.leaf().expect("room")];
    for _ in 0..rungs {
        below = [
            rows.and(below).expect("room"),
            rows.or(below).expect("room"),
        ];
    }
    let root = rows.or(below).expect("room");
    rows.finish(root).expect("no cycle")
}

#[test]
fn a_ladder_with_2_to_the_200_paths() {
    let game = Game {
        graph: ladder(200),
        lattice: sets(4),
        values: vec![word("1100"), word("0110")],
        bounds: None,
    };
    let (value, full) = (game.value(), Window::full(&game.lattice));
    for engine in [
        Engine::MinimaxCached,
        Engine::AlphaBetaCached,
        Engine::DuoPlain,
        Engine::Duo,
    ] {
        let mut memory = Memory::new(game.graph.node_count());
        let budget = Budget::visits_at_most(100_000);
        let outcome = engine.run(&game, &full, &mut memory, &budget, (), ());
        if engine == Engine::AlphaBetaCached {
            // It caches nothing below a cut, so it may not get through; what it says must be true.
            assert!(game.contains(&outcome.value, &value));
        } else {
            assert_eq!(outcome.exact(), Some(&value), "{engine:?}");
        }
    }
}
