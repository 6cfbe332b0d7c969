//! Depth limits, orders that learn, and lines of best play.

use std::ops::ControlFlow;
use std::sync::Arc;

use meetjoin_dag::{AndOrDag, Kind, NodeId, Valuation};
use meetjoin_lattice::{Budget, Chain, Stop};
use meetjoin_search::sharing::{SharedCaches, SharedStores, Sharing};
use meetjoin_search::total_order::{
    Deepened, Deepening, alpha_beta_informed, iterative_deepening, nega_scout, principal_variation,
};
use meetjoin_search::{
    At, BestMoves, Counts, Env, Estimate, Horizon, OfPositions, Table, Tables, Window,
};
use proptest::prelude::*;

use crate::support::graphs::any_graph;
use crate::support::{Game, Runs, chain_engines};

fn numbers() -> Chain<i64> {
    Chain::new(-99, 99).expect("in order")
}

/// A static evaluation: anything that depends on the node alone.
fn judge(node: NodeId) -> i64 {
    i64::from(u32::from(node)) * 31 % 41 - 20
}

/// The value of the game that ends after `depth` levels, by recursion.
fn limited(game: &Game<Chain<i64>>, node: NodeId, depth: u32) -> i64 {
    let kind = game.graph.kind(node);
    if kind == Kind::Leaf {
        return game.leaf(&node);
    }
    if depth == 0 {
        return judge(node);
    }
    let row = game.graph.row(node);
    let values = row.iter().map(|&child| limited(game, child, depth - 1));
    let value = if kind == Kind::Or {
        values.max()
    } else {
        values.min()
    };
    value.expect("a child")
}

fn height(game: &Game<Chain<i64>>) -> u32 {
    let mut heights = vec![None; game.graph.node_count()];
    let mut todo: Vec<NodeId> = vec![game.graph.root()];
    while let Some(node) = todo.pop() {
        let row = game.graph.row(node);
        let open: Vec<NodeId> = row
            .iter()
            .copied()
            .filter(|c| heights[c.index()].is_none())
            .collect();
        if open.is_empty() {
            let below = row.iter().filter_map(|c| heights[c.index()]).max();
            heights[node.index()] = Some(below.map_or(0_u32, |below| below + 1));
        } else {
            todo.push(node);
            todo.extend(open);
        }
    }
    heights[game.graph.root().index()].expect("done")
}

fn number_game() -> impl Strategy<Value = Game<Chain<i64>>> {
    let values = prop::collection::vec(-20..20_i64, 1..9);
    (any_graph(), values).prop_map(|(graph, values)| Game {
        values: (0..graph.leaf_count())
            .map(|i| values[i % values.len()])
            .collect(),
        graph,
        lattice: numbers(),
        bounds: None,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Every depth has the value of the game that ends there, by each search; the last one is
    /// exact, and says so.
    #[test]
    fn each_depth_is_the_value_of_the_smaller_game(game in number_game()) {
        let height = height(&game);
        // Without a cache on purpose where that is cheap: the recursion above has none either.
        prop_assume!(height <= 6);
        let free = Budget::unlimited();
        for search in [Deepened::AlphaBeta, Deepened::NegaScout, Deepened::MtdF] {
            let mut env = Env::new(&free).with_store(Tables);
            let how = Deepening { search, most: height + 3, step: 1, remembered: 64 };
            let mut depth = 0;
            let evaluation = |node: &NodeId| judge(*node);
            let deepest = iterative_deepening(&game, &game, evaluation, how, &mut env, |level| {
                depth += 1;
                assert_eq!(level.estimate.depth, depth);
                assert_eq!(level.estimate.value(), Some(&limited(&game, game.graph.root(), depth)));
                assert!(depth < height || level.estimate.is_exact());
                assert!(!level.estimate.is_exact() || level.estimate.value() == Some(&game.value()));
                let ends = level.line.last().expect("the root at least");
                assert!(level.line.len() as u32 == depth + 1 || game.graph.kind(*ends) == Kind::Leaf);
                for step in level.line.windows(2) {
                    assert!(game.graph.row(step[0]).contains(&step[1]));
                }
                ControlFlow::Continue(())
            });
            prop_assert_eq!(deepest.stop, None);
            if height > 0 {
                let level = deepest.level.expect("depth 1 was reached");
                prop_assert!(level.estimate.is_exact());
                prop_assert!(level.estimate.depth <= height);
            }
        }
    }

    /// A thread that comes when another has come to some depth finds what that one has found, and
    /// takes no estimate for a value.
    #[test]
    fn who_comes_later_goes_on_from_there(game in number_game(), step in 1..4_u32) {
        let height = height(&game);
        prop_assume!(height <= 6);
        let free = Budget::unlimited();
        let evaluation = |node: &NodeId| judge(*node);
        for search in [Deepened::AlphaBeta, Deepened::NegaScout, Deepened::MtdF] {
            let how = Deepening { search, most: height + 3, step, remembered: 64 };
            let caches = Arc::new(SharedCaches::new(99, None));
            let thread = || {
                let stores = SharedStores::new(&caches);
                stores.begin(1);
                Env::new(&free).with_store(Sharing::Shared(stores, Tables)).with_observer(OfPositions(Counts::default()))
            };
            let mut ours = thread();
            iterative_deepening(&game, &game, evaluation, how, &mut ours, |level| {
                let depth = level.estimate.depth;
                let (mut theirs, mut depths) = (thread(), Vec::new());
                let deepest = iterative_deepening(&game, &game, evaluation, how, &mut theirs, |level| {
                    let reached = level.estimate.depth;
                    depths.push(reached);
                    assert_eq!(level.estimate.value(), Some(&limited(&game, game.graph.root(), reached)));
                    assert!(!level.estimate.is_exact() || level.estimate.value() == Some(&game.value()));
                    ControlFlow::Continue(())
                });
                assert_eq!((depths[0], deepest.stop), (depth, None));
                let last = deepest.level.expect("it was told of one");
                assert_eq!(last.estimate.depth, depths[depths.len() - 1]);
                assert!(height == 0 || last.estimate.is_exact());
                ControlFlow::Continue(())
            });
        }
    }

    /// A stop leaves the last finished depth, and says why.
    #[test]
    fn a_stopped_deepening_keeps_the_last_depth(game in number_game(), visits in 0..200_u64) {
        prop_assume!(height(&game) <= 6);
        let budget = Budget::visits_at_most(visits);
        let mut env = Env::new(&budget);
        let how = Deepening { search: Deepened::NegaScout, most: 9, step: 1, remembered: 1 };
        let deepest = iterative_deepening(&game, &game, |node: &NodeId| judge(*node), how, &mut env, |_| ControlFlow::Continue(()));
        if let Some(level) = &deepest.level {
            let value = limited(&game, game.graph.root(), level.estimate.depth);
            prop_assert_eq!(level.estimate.value(), Some(&value));
        }
        prop_assert!(deepest.stop.is_none() || deepest.stop == Some(Stop::Visits));
        prop_assert!(deepest.stop.is_some() || deepest.level.is_none() || deepest.level.unwrap().estimate.is_exact());
    }

    /// Orders that learn change visits, not values, whatever they have learnt elsewhere.
    #[test]
    fn learnt_orders_never_change_the_value(game in number_game(), other in number_game()) {
        let by_rule = |_: &NodeId, _: Kind, children: &mut [NodeId]| children.sort_by_key(|child| child.index() % 5);
        let free = Budget::visits_at_most(100_000);
        let full = Window::full(&game.lattice);
        let mut env = Env::new(&free).with_order((by_rule, BestMoves::new(4))).with_store(());
        for game in [&other, &game, &game] {
            let outcome = nega_scout(game, game, &full, &mut env);
            prop_assert!(outcome.stop.is_some() || outcome.exact() == Some(&game.value()));
        }
        for engine in chain_engines() {
            let by_rule = |_: &NodeId, _: Kind, children: &mut [NodeId]| children.sort_by_key(|child| child.index() % 3);
            let mut memory = crate::support::Memory::new(game.graph.node_count());
            let free = Budget::visits_at_most(100_000);
            let outcome = engine.run(&game, &full, &mut memory, &free, (), (by_rule, BestMoves::new(64)));
            prop_assert!(outcome.stop.is_some() || outcome.exact() == Some(&game.value()));
        }
    }

    /// Each node of the line has the value of the root.
    #[test]
    fn the_principal_variation_is_a_critical_path(game in number_game()) {
        let (free, full) = (Budget::unlimited(), Window::full(&game.lattice));
        let mut env = Env::new(&free).with_store(Table::new());
        let outcome = nega_scout(&game, &game, &full, &mut env);
        let value = outcome.exact().expect("no limit");
        let line = principal_variation(&game, &game, value, &mut env);
        let values = game.all_values();
        prop_assert!(line.nodes.iter().all(|node| values[node.index()] == *value));
        prop_assert_eq!(line.nodes[0], game.graph.root());
        let last = line.nodes.last().expect("the root at least");
        prop_assert_eq!(game.graph.kind(*last), Kind::Leaf);
        prop_assert!(line.stop.is_none());
    }
}

/// What an estimate says of the real game, and what it does not.
#[test]
fn an_estimate_is_exact_only_without_evaluations() {
    use crate::support::{and, game, leaf, or};
    let tree = || or([leaf(1), and([or([leaf(5), leaf(2)]), leaf(3)])]);
    let game = game(numbers(), tree());
    let (free, full) = (Budget::unlimited(), Window::full(&game.lattice));
    let search = |depth: u32, judged: i64| -> Estimate<i64> {
        let horizon = Horizon::new(&game, &game, move |_: &NodeId| judged, depth);
        let outcome = alpha_beta_informed(&horizon, &horizon, &full, &mut Env::new(&free));
        horizon.estimate(outcome)
    };
    // Depth 2 ends at MAX(5, 2), judged as 0, so the root seems to be worth 1.
    let estimate = search(2, 0);
    assert_eq!((estimate.value(), estimate.is_exact()), (Some(&1), false));
    assert_eq!(estimate.evaluations, 1);
    let estimate = search(3, 0);
    assert_eq!((estimate.value(), estimate.is_exact()), (Some(&3), true));
    assert!(search(0, 7).value() == Some(&7));
}

#[test]
fn a_graph_with_a_horizon_tells_what_is_shared() {
    use crate::support::{and, game, leaf, or};
    let game = game(numbers(), or([leaf(1), and([leaf(5), leaf(2)])]));
    let horizon = Horizon::new(&game, &game, |node: &NodeId| judge(*node), 2);
    assert!(game.graph.nodes().any(|node| !game.is_shared(&node)));
    for node in game.graph.nodes() {
        let at = At { node, depth: 1 };
        assert_eq!(horizon.is_shared(&at), game.is_shared(&node));
    }
}

/// A repeated trial goes first where the trial failed, and visits less for it.
#[test]
fn a_second_visit_restarts_where_the_null_window_failed() {
    use crate::support::{and, game, leaf, or};
    // The trial of the second child ends with the last of its grandchildren's 8; the search that
    // follows sees that one first.
    let slow = |value| and([leaf(9), leaf(value)]);
    let tree = || {
        let grandchildren = [slow(1), slow(2), slow(3), slow(8)];
        or([leaf(5), and([or(grandchildren), or([leaf(7), leaf(6)])])])
    };
    let game = game(numbers(), tree());
    let (free, full) = (Budget::unlimited(), Window::full(&game.lattice));
    let mut plain = Env::new(&free).with_observer(Counts::default());
    nega_scout(&game, &game, &full, &mut plain);
    let mut learnt = Env::new(&free)
        .with_observer(Counts::default())
        .with_order(BestMoves::new(64));
    let outcome = nega_scout(&game, &game, &full, &mut learnt);
    assert_eq!(outcome.exact(), Some(&7));
    assert!(learnt.observer.visits < plain.observer.visits);
}

/// Nothing that an evaluation has made is left for a later call to mistake for a value.
#[test]
fn a_second_deepening_with_the_same_environment_is_no_more_exact_than_the_first() {
    use crate::support::{game, leaf, or};
    let game = game(numbers(), or([leaf(5), or([leaf(9)])]));
    let free = Budget::unlimited();
    let mut env = Env::new(&free).with_store(Tables);
    for most in [1, 1, 20] {
        let search = Deepened::NegaScout;
        let how = Deepening {
            step: 1,
            search,
            most,
            remembered: 8,
        };
        let deepest = iterative_deepening(
            &game,
            &game,
            |_: &NodeId| 3,
            how,
            &mut env,
            |_| ControlFlow::Continue(()),
        );
        let estimate = deepest.level.expect("no limit").estimate;
        assert_eq!(estimate.is_exact(), most > 1);
        assert_eq!(estimate.value(), Some(if most > 1 { &9 } else { &5 }));
    }
}

/// Who has seen enough ends it, and that is no stop.
#[test]
fn a_deepening_ends_when_the_caller_has_seen_enough() {
    use crate::support::{game, leaf, or};
    let tree = || or([leaf(1), or([leaf(2), or([leaf(3), or([leaf(4)])])])]);
    let game = game(numbers(), tree());
    let free = Budget::unlimited();
    let how = Deepening {
        step: 1,
        search: Deepened::NegaScout,
        most: 9,
        remembered: 8,
    };
    let mut env = Env::new(&free).with_store(Tables);
    let deepest = iterative_deepening(
        &game,
        &game,
        |_: &NodeId| 0,
        how,
        &mut env,
        |level| {
            if level.estimate.value() == Some(&2) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        },
    );
    assert_eq!(deepest.stop, None);
    let estimate = deepest.level.expect("no limit").estimate;
    assert_eq!((estimate.depth, estimate.is_exact()), (2, false));
}
