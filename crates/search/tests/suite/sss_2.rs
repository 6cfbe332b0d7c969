//! SSS-2: the known answers, the theorems of Pijls and de Bruin, and what every search of this
//! crate promises.

use meetjoin_dag::{Graph, Kind, NodeId, Rows};
use meetjoin_lattice::{Budget, Chain, Interval, Lattice, Limits, MemoryLimit, Stop};
use meetjoin_search::total_order::{Sss2, SssStar, sss_2, sss_2_dual, sss_star, sss_star_dual};
use meetjoin_search::{
    Call, Counts, Dense, Env, Exit, FailSoft, Observer, Order, Progress, Store, Table, Visited,
    Window, alpha_beta,
};
use proptest::prelude::*;
use serde_json::Value;

use crate::support::graphs::any_graph;
use crate::support::{Game, Tree, and, cases, game, leaf, or};

type Expand = (NodeId, Option<i64>);
type Diminish = (NodeId, i64);
type Memory = (Table<NodeId, Interval<i64>>, Dense<NodeId, Interval<i64>>);

/// Above and below every value: where a heuristic says nothing.
const INF: i64 = i64::MAX;

type Ints = Chain<i64>;
type Answer = Sss2<NodeId, i64>;

fn ints() -> Ints {
    Chain::new(-INF, INF).expect("in order")
}

/// Writes down what SSS-2 does. It keeps a stack of the open calls.
#[derive(Default)]
struct Trace {
    calls: Vec<(Call, NodeId, Option<i64>)>,
    open: Vec<NodeId>,
    leaves: Vec<NodeId>,
    milestones: Vec<i64>,
    exits: Vec<(NodeId, i64, i64)>,
}

impl Trace {
    fn expanded(&self) -> Vec<Expand> {
        let calls = self.calls.iter();
        let expand = calls.filter(|(call, ..)| *call == Call::Expand);
        expand.map(|&(_, node, bound)| (node, bound)).collect()
    }

    fn diminished(&self) -> Vec<Diminish> {
        let calls = self.calls.iter();
        let diminish = calls.filter(|(call, ..)| *call == Call::Diminish);
        diminish
            .map(|&(_, node, bound)| (node, bound.expect("a bound")))
            .collect()
    }

    fn visited(&self) -> Vec<NodeId> {
        let mut nodes: Vec<_> = self.calls.iter().map(|call| call.1).collect();
        nodes.sort();
        nodes.dedup();
        nodes
    }
}

impl Observer<NodeId, i64> for Trace {
    fn enter_call(&mut self, node: &NodeId, call: Call, bound: Option<&i64>) {
        self.calls.push((call, *node, bound.copied()));
        self.open.push(*node);
    }

    fn milestone(&mut self, upper: &i64) {
        self.milestones.push(*upper);
    }

    fn leaf(&mut self, node: &NodeId) {
        self.leaves.push(*node);
    }

    fn exit(&mut self, node: &NodeId, result: Exit<'_, i64>) {
        assert_eq!(
            self.open.pop(),
            Some(*node),
            "calls end from the innermost out"
        );
        let Exit::Bounds(lower, upper) = result else {
            panic!("SSS-2 proves bounds")
        };
        self.exits.push((*node, *lower, *upper));
    }
}

/// Runs SSS-2 without limits and writes down what it does.
fn trace(game: &Game<Ints>) -> (Answer, Trace) {
    let budget = Budget::unlimited();
    let mut env = Env::new(&budget)
        .with_heuristic(game)
        .with_observer(Trace::default());
    let answer = sss_2(game, game, &mut env);
    let Env { observer, .. } = env;
    assert_eq!(budget.visits_made(), observer.calls.len() as u64);
    assert!(observer.open.is_empty());
    (answer, observer)
}

/// The bounds of a node: nothing known is the whole chain.
fn bounds(game: &Game<Ints>, node: NodeId) -> (i64, i64) {
    if game.graph.kind(node) == Kind::Leaf {
        let value = game.values[game.graph.leaf_ordinal(node).expect("a leaf")];
        return (value, value);
    }
    let bounds = game.bounds.as_ref();
    bounds.map_or((-INF, INF), |bounds| {
        let interval = &bounds[node.index()];
        (*interval.lower(), *interval.upper())
    })
}

/// A known answer: the game, and its nodes by their numbers in the file.
fn known(case: &Value) -> (Game<Ints>, Vec<NodeId>) {
    let list = case["nodes"].as_array().expect("nodes");
    let (mut rows, mut values, mut bounds) = (Rows::new(), Vec::new(), Vec::new());
    let mut ids: Vec<NodeId> = vec![NodeId::from(0); list.len()];
    // Numbers are those of a preorder, so children come after their parents.
    for (i, node) in list.iter().enumerate().rev() {
        let children = node["children"].as_array().expect("children").iter();
        let children: Vec<_> = children
            .map(|c| ids[c.as_u64().expect("a number") as usize])
            .collect();
        ids[i] = if children.is_empty() {
            values.push(node["leaf"].as_i64().expect("a value"));
            rows.leaf()
        } else if node["kind"] == "max" {
            rows.or(children)
        } else {
            rows.and(children)
        }
        .expect("room");
        let lower = node["L"].as_i64().unwrap_or(-INF);
        bounds.push(Interval::new(lower, node["U"].as_i64().unwrap_or(INF)));
    }
    let game = Game {
        graph: rows.finish(ids[0]).expect("a tree"),
        lattice: ints(),
        values,
        bounds: Some(bounds),
    };
    (game, ids)
}

#[test]
fn known_answers() {
    let text: Value = serde_json::from_str(&cases("informed.json")).expect("valid JSON");
    let list = text["cases"].as_array().expect("a list");
    assert!(!list.is_empty());
    for case in list {
        let (id, (game, ids)) = (&case["id"], known(case));
        let (answer, trace) = trace(&game);
        assert_eq!(
            answer.outcome.exact().copied(),
            case["value"].as_i64(),
            "{id}"
        );
        let number = |node: NodeId| ids.iter().position(|&id| id == node).expect("a node");
        let calls = trace.calls.iter().map(|&(call, node, bound)| {
            let call = if call == Call::Expand { "E" } else { "D" };
            serde_json::json!([call, number(node), bound])
        });
        assert_eq!(calls.collect::<Value>(), case["sss2_calls"], "{id}");
        let mut visited: Vec<_> = trace.visited().into_iter().map(number).collect();
        visited.sort_unstable();
        assert_eq!(Value::from(visited), case["sss2_visited"], "{id}");
        assert_eq!(
            Value::from(trace.milestones),
            case["sss2_milestones"],
            "{id}"
        );
    }
}

/// A tree from random numbers; `deep` levels at most.
fn random_tree(deep: u32) -> impl Strategy<Value = Tree<i64>> {
    let leaves = (0..12_i64).prop_map(leaf);
    leaves.prop_recursive(deep, 40, 3, |inner| {
        let children = || prop::collection::vec(inner.clone(), 1..4);
        prop_oneof![children().prop_map(and), children().prop_map(or)]
    })
}

/// A random tree with a consistent pair of bounds: U of a child of a max node and L of a child of a
/// min node are no worse than those of the parent.
fn informed_tree(deep: u32) -> impl Strategy<Value = Game<Ints>> {
    let slack = prop::collection::vec((0..7_i64, 0..7_i64), 80);
    (random_tree(deep), slack).prop_map(|(tree, slack)| {
        let mut game = game(ints(), tree);
        let f = game.all_values();
        let mut all: Vec<(i64, i64)> = f.iter().map(|&f| (f, f)).collect();
        let root = game.graph.root();
        if game.graph.kind(root) != Kind::Leaf {
            // It inherits nothing.
            all[root.index()] = (-INF, INF);
        }
        // Children come before their parents, so parents first is from the end.
        for node in game.graph.nodes().rev() {
            let kind = game.graph.kind(node);
            let (i, (down, up)) = (node.index(), slack[node.index() % slack.len()]);
            let inherited = all[i];
            if kind != Kind::Leaf {
                let lower = if down > 4 { -INF } else { f[i] - down };
                let upper = if up > 4 { INF } else { f[i] + up };
                all[i] = (lower.max(inherited.0), upper.min(inherited.1));
            }
            for child in game.graph.row(node).iter() {
                let c = child.index();
                if game.graph.kind(*child) != Kind::Leaf {
                    // What a child must not be worse than waits in its place.
                    all[c] = match kind {
                        Kind::Or => (-INF, all[i].1),
                        _ => (all[i].0, INF),
                    };
                }
            }
        }
        let intervals = all
            .into_iter()
            .map(|(lower, upper)| Interval::new(lower, upper));
        game.bounds = Some(intervals.collect());
        game
    })
}

/// The value g of the oldest solution tree with a value of at most `limit`, by Theorem 4.2.
fn oldest(game: &Game<Ints>, f: &[i64], node: NodeId, limit: i64) -> Option<i64> {
    let upper = bounds(game, node).1;
    if upper <= limit {
        return Some(upper);
    }
    let row = game.graph.row(node);
    let mut children = row.iter();
    match game.graph.kind(node) {
        Kind::Leaf => None,
        Kind::Or => children.try_fold(-INF, |greatest, &child| {
            oldest(game, f, child, limit).map(|g| greatest.max(g))
        }),
        Kind::And => {
            let child = children.find(|child| f[child.index()] <= limit)?;
            oldest(game, f, *child, limit)
        }
    }
}

/// The quantities of Definition 1.1 at a node.
#[derive(Clone, Copy)]
struct Place {
    alpha: i64,
    beta: i64,
    /// The greatest L and f, and the least U, of its proper ancestors.
    l_hat: i64,
    f_hat: i64,
    u_hat: i64,
    /// f hat of its beta-ancestor.
    f_hat_of_m: i64,
}

/// All calls that Theorems 7.1 (as corrected) and 7.2 speak of.
fn calls_by_theorems(game: &Game<Ints>) -> (Vec<Expand>, Vec<Diminish>) {
    let f = game.all_values();
    let mut limits: Vec<i64> = game
        .graph
        .nodes()
        .map(|node| bounds(game, node).1)
        .collect();
    limits.sort_unstable();
    limits.dedup();
    let (mut expand, mut diminish) = (Vec::new(), Vec::new());
    let top = Place {
        alpha: -INF,
        beta: INF,
        l_hat: -INF,
        f_hat: -INF,
        u_hat: INF,
        f_hat_of_m: -INF,
    };
    let mut todo = vec![(game.graph.root(), top)];
    while let Some((node, place)) = todo.pop() {
        let least = place.beta.min(place.u_hat);
        let greatest = place.alpha.max(place.l_hat);
        if least > greatest && least >= place.f_hat_of_m {
            expand.push((node, (least != INF).then_some(least)));
        }
        for &g1 in limits.iter().filter(|&&g1| g1 != INF) {
            if oldest(game, &f, node, g1) == Some(g1)
                && least > g1
                && g1 > greatest
                && g1 >= place.f_hat
            {
                diminish.push((node, g1));
            }
        }
        let (lower, upper) = bounds(game, node);
        let mut below = place;
        if upper < least {
            below.f_hat_of_m = place.f_hat;
        }
        below.u_hat = below.u_hat.min(upper);
        below.l_hat = below.l_hat.max(lower);
        below.f_hat = below.f_hat.max(f[node.index()]);
        for &child in game.graph.row(node).iter() {
            todo.push((child, below));
            let value = f[child.index()];
            if game.graph.kind(node) == Kind::Or {
                below.alpha = below.alpha.max(value);
            } else {
                if value < below.beta.min(below.u_hat) {
                    below.f_hat_of_m = place.f_hat;
                }
                below.beta = below.beta.min(value);
            }
        }
    }
    expand.sort_unstable();
    diminish.sort_unstable();
    (expand, diminish)
}

/// The values of all solution trees below a node, the oldest first; `None` if they are too many.
fn all_solutions(game: &Game<Ints>, node: NodeId) -> Option<Vec<i64>> {
    let row = game.graph.row(node);
    let mut all = vec![bounds(game, node).1];
    match game.graph.kind(node) {
        Kind::Leaf => {}
        Kind::And => {
            for &child in row.iter() {
                all.extend(all_solutions(game, child)?);
            }
        }
        Kind::Or => {
            let mut combined = vec![-INF];
            for &child in row.iter() {
                let values = all_solutions(game, child)?;
                let pairs = combined
                    .iter()
                    .flat_map(|&a| values.iter().map(move |&b| a.max(b)));
                combined = pairs.take(5001).collect();
                if combined.len() > 5000 {
                    return None;
                }
            }
            all.extend(combined);
        }
    }
    (all.len() <= 5000).then_some(all)
}

fn check_tree(game: &Game<Ints>, answer: &Answer) {
    if let Some(tree) = &answer.tree {
        assert!(tree.is_solution_tree_of(game));
        assert!(tree.is_evaluated(&game.lattice));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn theorems_7_1_and_7_2_name_the_calls(game in informed_tree(6)) {
        let (answer, trace) = trace(&game);
        let value = game.value();
        prop_assert_eq!(answer.outcome.exact(), Some(&value));
        let (expand, diminish) = calls_by_theorems(&game);
        let (mut expanded, mut diminished) = (trace.expanded(), trace.diminished());
        expanded.sort_unstable();
        diminished.sort_unstable();
        prop_assert_eq!(expanded, expand);
        prop_assert_eq!(diminished, diminish);
    }

    /// Theorem 4.1, and the definition of milestones word for word: each solution tree that is
    /// better than all older ones is one.
    #[test]
    fn milestones_are_the_records_among_all_solution_trees(game in informed_tree(4)) {
        if let Some(all) = all_solutions(&game, game.graph.root()) {
            let value = game.value();
            prop_assert_eq!(all.iter().min(), Some(&value));
            let mut records = Vec::new();
            let mut least = INF;
            for g in all {
                if g < least {
                    least = g;
                    records.push(g);
                }
            }
            prop_assert_eq!(trace(&game).1.milestones, records);
        }
    }

    /// Figure 8 makes the calls of `expand` that Figure 5 makes, in the same order, and its list is
    /// the tree's.
    #[test]
    fn the_list_makes_the_same_calls(game in informed_tree(6), informed: bool) {
        let mut game = game;
        // Lower bounds say nothing.
        let upper = |interval: &Interval<i64>| {
            Interval::new(-INF, if informed { *interval.upper() } else { INF })
        };
        game.bounds = game.bounds.map(|all| all.iter().map(upper).collect());
        let (answer, by_tree) = trace(&game);
        let budget = Budget::unlimited();
        let mut by_list = Trace::default();
        let mut env = Env::new(&budget).with_heuristic(&game).with_observer(&mut by_list);
        let list = sss_star(&game, &game, &mut env);
        prop_assert_eq!(by_list.expanded(), by_tree.expanded());
        prop_assert_eq!(by_list.leaves, by_tree.leaves);
        prop_assert_eq!(by_list.milestones, by_tree.milestones);
        prop_assert_eq!(list.outcome, answer.outcome);
        let tree = answer.tree.expect("not stopped");
        let tips = tree.iter().filter(|node| node.is_tip());
        let tips: Vec<_> = tips.map(|tip| (*tip.node(), *tip.g())).collect();
        prop_assert_eq!(list.tips, tips);
    }

    /// Stopped at every visit: bounds are true, the tree is one (Definition 4.1), its value is the
    /// bound, and trees only get younger.
    #[test]
    fn solution_trees_at_every_moment(game in informed_tree(5)) {
        let value = game.value();
        let all = trace(&game).1.calls.len() as u64;
        let mut last: Option<Answer> = None;
        for limit in 0..=all {
            let budget = Budget::visits_at_most(limit);
            let answer = sss_2(&game, &game, &mut Env::new(&budget).with_heuristic(&game));
            prop_assert!(game.contains(&answer.outcome.value, &value));
            prop_assert_eq!(answer.outcome.stop.is_none(), answer.outcome.exact().is_some());
            check_tree(&game, &answer);
            if let Some(tree) = &answer.tree {
                prop_assert_eq!(tree.g(), answer.outcome.value.upper());
                if let Some(before) = last.as_ref().and_then(|last| last.tree.as_ref()) {
                    prop_assert!(before.g() >= tree.g());
                    prop_assert!(!tree.is_older_than(before));
                    prop_assert!(before.g() == tree.g() || before.is_older_than(tree));
                }
            }
            last = Some(answer);
        }
        prop_assert_eq!(last.and_then(|last| last.outcome.exact().copied()), Some(value));
    }

    /// What a call proves of its node is true; milestones fall; the leaves are among those of
    /// alpha-beta.
    #[test]
    fn calls_prove_what_they_say(game in informed_tree(6), informed: bool) {
        let mut game = game;
        if !informed {
            game.bounds = None;
        }
        let (_, trace) = trace(&game);
        let f = game.all_values();
        for &(node, lower, upper) in &trace.exits {
            let f = f[node.index()];
            prop_assert!(lower <= f && f <= upper);
        }
        prop_assert!(trace.milestones.windows(2).all(|pair| pair[0] > pair[1]));
        if !informed {
            let budget = Budget::unlimited();
            let mut env = Env::new(&budget).with_observer(Visited::default());
            alpha_beta(&game, &game, &Window::full(&game.lattice), FailSoft, &mut env);
            prop_assert!(trace.visited().iter().all(|node| env.observer.contains(node)));
        }
    }
}

/// An answer of the list form, without a tree.
fn listed(answer: SssStar<NodeId, i64>) -> Answer {
    Sss2 {
        outcome: answer.outcome,
        tree: None,
    }
}

/// All ways to run SSS-2, with one store for all.
fn run(
    which: usize,
    game: &Game<Ints>,
    memory: &mut Memory,
    budget: &Budget,
    observer: impl Observer<NodeId, i64>,
    order: impl Order<NodeId>,
) -> Answer {
    let env = Env::new(budget)
        .with_heuristic(game)
        .with_observer(observer)
        .with_order(order);
    match which {
        0 => sss_2(game, game, &mut { env }),
        1 => sss_2_dual(game, game, &mut { env }),
        2 => sss_2(game, game, &mut env.with_store(&mut memory.0)),
        3 => sss_2_dual(game, game, &mut env.with_store(&mut memory.0)),
        4 => sss_2(game, game, &mut env.with_store(&mut memory.1)),
        5 => sss_2_dual(game, game, &mut env.with_store(&mut memory.1)),
        6 => listed(sss_star(game, game, &mut { env })),
        _ => listed(sss_star_dual(game, game, &mut { env })),
    }
}

fn graph_game(graph: Graph, values: &[i64], slack: &[(i64, i64)]) -> Game<Ints> {
    let mut game = Game {
        values: (0..graph.leaf_count())
            .map(|i| values[i % values.len()])
            .collect(),
        graph,
        lattice: ints(),
        bounds: None,
    };
    if !slack.is_empty() {
        let intervals = game.all_values().into_iter().enumerate().map(|(i, v)| {
            let (down, up) = slack[i % slack.len()];
            let lower = if down > 4 {
                -INF
            } else {
                v.saturating_sub(down)
            };
            Interval::new(
                lower.max(-INF),
                if up > 4 { INF } else { v.saturating_add(up) },
            )
        });
        game.bounds = Some(intervals.collect());
    }
    game
}

fn check_memory(game: &Game<Ints>, memory: &Memory) {
    for (node, value) in game.graph.nodes().zip(game.all_values()) {
        for known in [memory.0.get(&node).1, memory.1.get(&node).1] {
            assert!(known.is_none_or(|known| game.contains(known, &value)));
        }
    }
}

fn new_memory(game: &Game<Ints>) -> Memory {
    (Table::new(), Dense::new(game.graph.node_count()))
}

/// Values with both ends of the chain among them.
fn any_values() -> impl Strategy<Value = Vec<i64>> {
    prop::collection::vec(
        prop_oneof![4 => -5..6_i64, 1 => Just(INF), 1 => Just(-INF)],
        1..8,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn graphs_have_their_value(
        graph in any_graph(),
        values in any_values(),
        slack in prop::collection::vec((0..7_i64, 0..7_i64), 0..6),
    ) {
        let game = graph_game(graph, &values, &slack);
        let value = game.value();
        let mut memory = new_memory(&game);
        for which in 0..8 {
            let patience = Budget::visits_at_most(20_000);
            let answer = run(which, &game, &mut new_memory(&game), &patience, (), ());
            prop_assert!(game.contains(&answer.outcome.value, &value));
            prop_assert!(answer.outcome.exact().is_some() || !(2..6).contains(&which), "{which}");
            check_tree(&game, &answer);
            // One memory for all, and an order that is another one at each node and each time.
            let mut seed = 1_u64;
            let mix = |_: &NodeId, _: Kind, children: &mut [NodeId]| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let n = children.len();
                children.rotate_left((seed >> 33) as usize % n);
                if seed >> 63 == 1 {
                    children.reverse();
                }
            };
            let answer = run(which, &game, &mut memory, &patience, (), mix);
            prop_assert!(game.contains(&answer.outcome.value, &value));
            check_tree(&game, &answer);
            check_memory(&game, &memory);
        }
    }

    #[test]
    fn stopped_at_every_visit(
        graph in any_graph(),
        values in any_values(),
        slack in prop::collection::vec((0..7_i64, 0..7_i64), 0..6),
    ) {
        let game = graph_game(graph, &values, &slack);
        let value = game.value();
        let free = Budget::unlimited();
        for which in 0..8 {
            let mut counts = Counts::default();
            let cap = Budget::visits_at_most(20_000);
            run(which, &game, &mut new_memory(&game), &cap, &mut counts, ());
            let all = counts.visits;
            if all == 20_000 {
                continue;
            }
            for limit in (0..all).step_by(1 + all as usize / 60) {
                let mut memory = new_memory(&game);
                let budget = Budget::visits_at_most(limit);
                let answer = run(which, &game, &mut memory, &budget, (), ());
                prop_assert!(game.contains(&answer.outcome.value, &value));
                let exact = answer.outcome.exact().is_some();
                prop_assert_eq!(answer.outcome.stop, (!exact).then_some(Stop::Visits));
                check_tree(&game, &answer);
                check_memory(&game, &memory);
                let resumed = run(which, &game, &mut memory, &free, (), ());
                prop_assert_eq!(resumed.outcome.exact(), Some(&value));
            }
            let budget = Budget::visits_at_most(all);
            let answer = run(which, &game, &mut new_memory(&game), &budget, (), ());
            prop_assert_eq!(answer.outcome.stop, None);
        }
    }
}

/// A better bound makes SSS-2 visit another node: it is not heuristically monotone.
#[test]
fn a_better_bound_makes_sss_2_visit_another_node() {
    let node = || or([and([leaf(1_i64), leaf(2)]), leaf(2)]);
    let mut game = game(ints(), or([and([node(), leaf(0)])]));
    // In postorder: 1, 2, their AND, 2, the inner OR, 0, AND, root.
    let visited = |game: &Game<Ints>| -> Vec<usize> {
        trace(game)
            .1
            .visited()
            .iter()
            .map(|node| node.index())
            .collect()
    };
    assert_eq!(visited(&game), [0, 2, 3, 4, 5, 6, 7]);
    let mut all = vec![Interval::new(-INF, INF); 8];
    all[6] = Interval::new(-INF, 0);
    game.bounds = Some(all);
    assert_eq!(visited(&game), [0, 1, 2, 4, 5, 6, 7]);
}

/// A uniform tree with independent values.
fn uniform(breadth: usize, depth: u32, seed: u64) -> Game<Ints> {
    let mut state = seed;
    let mut random = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 24).cast_signed()
    };
    let mut rows = Rows::new();
    let leaves = breadth.pow(depth);
    let mut layer: Vec<NodeId> = (0..leaves).map(|_| rows.leaf().expect("room")).collect();
    for level in (0..depth).rev() {
        let row = |chunk: &[NodeId]| {
            let row = chunk.to_vec();
            if level % 2 == 0 {
                rows.or(row)
            } else {
                rows.and(row)
            }
            .expect("room")
        };
        layer = layer.chunks(breadth).map(row).collect();
    }
    Game {
        graph: rows.finish(layer[0]).expect("a tree"),
        lattice: ints(),
        values: (0..leaves).map(|_| random()).collect(),
        bounds: None,
    }
}

/// On 729 independent leaves alpha-beta evaluates about 250 and SSS-2 about 175, never one that
/// alpha-beta does not.
#[test]
fn leaves_of_uniform_trees() {
    let budget = Budget::unlimited();
    let (mut fewer, mut more) = (Counts::default(), Counts::default());
    for seed in 0..100 {
        let game = uniform(3, 6, seed << 40);
        let answer = sss_2(
            &game,
            &game,
            &mut Env::new(&budget).with_observer(&mut fewer),
        );
        let mut env = Env::new(&budget).with_observer(&mut more);
        let other = alpha_beta(
            &game,
            &game,
            &Window::full(&game.lattice),
            FailSoft,
            &mut env,
        );
        assert_eq!(answer.outcome.exact(), other.exact());
    }
    let mut list = Counts::default();
    for seed in 0..100 {
        let game = uniform(3, 6, seed << 40);
        sss_star(
            &game,
            &game,
            &mut Env::new(&budget).with_observer(&mut list),
        );
    }
    assert_eq!(list.leaves, fewer.leaves);
    let mean = |counts: &Counts| counts.leaves / 100;
    assert!((165..=185).contains(&mean(&fewer)), "{}", mean(&fewer));
    assert!((235..=265).contains(&mean(&more)), "{}", mean(&more));
}

fn chain(levels: u32) -> Game<Ints> {
    let mut rows = Rows::new();
    let mut node = rows.leaf().expect("room");
    for level in 0..levels {
        node = if level % 2 == 0 {
            rows.and([node])
        } else {
            rows.or([node])
        }
        .expect("room");
    }
    Game {
        graph: rows.finish(node).expect("a chain"),
        lattice: ints(),
        values: vec![7],
        bounds: None,
    }
}

#[test]
fn a_chain_of_a_million_nodes() {
    let game = chain(1_000_000);
    for which in [0, 1, 4, 6] {
        let mut counts = Counts::default();
        let budget = Budget::unlimited();
        let answer = run(
            which,
            &game,
            &mut new_memory(&game),
            &budget,
            &mut counts,
            (),
        );
        assert_eq!(answer.outcome.exact(), Some(&7));
        assert_eq!(counts.leaves, 1);
        check_tree(&game, &answer);
        if let Some(tree) = &answer.tree {
            assert!(!tree.is_older_than(&tree.clone()));
            assert_eq!(tree.iter().count(), 1_000_001);
        }
        // Stopped on the way down again.
        let budget = Budget::visits_at_most(900_000);
        let answer = run(which, &game, &mut new_memory(&game), &budget, (), ());
        assert!(game.contains(&answer.outcome.value, &7));
    }
}

/// A comb: at each level a leaf and the rest. It has a deep tree, of which large parts are
/// replaced.
#[test]
fn a_deep_comb() {
    let mut rows = Rows::new();
    let mut node = rows.leaf().expect("room");
    let levels = 20_000;
    for level in 0..levels {
        let tooth = rows.leaf().expect("room");
        node = if level % 2 == 0 {
            rows.and([node, tooth])
        } else {
            rows.or([tooth, node])
        }
        .expect("room");
    }
    let values = (0..=levels).map(|i| (i * 7919) % 1009).collect();
    let game = Game {
        graph: rows.finish(node).expect("a tree"),
        lattice: ints(),
        values,
        bounds: None,
    };
    for which in [0, 1, 4, 5, 6, 7] {
        let budget = Budget::unlimited();
        let answer = run(which, &game, &mut new_memory(&game), &budget, (), ());
        assert_eq!(answer.outcome.exact(), Some(&game.value()));
        check_tree(&game, &answer);
    }
}

/// Memory is asked for before the tree grows.
#[test]
fn a_memory_limit_stops_with_bounds() {
    let game = uniform(3, 8, 1);
    let value = game.value();
    for bytes in (0..60_000).step_by(1500) {
        let budget = Budget::new(Limits {
            memory: Some(MemoryLimit { bytes, used: || 0 }),
            ..Limits::default()
        });
        for which in 0..8 {
            let answer = run(which, &game, &mut new_memory(&game), &budget, (), ());
            assert!(game.contains(&answer.outcome.value, &value));
            check_tree(&game, &answer);
            let exact = answer.outcome.exact().is_some();
            assert_eq!(answer.outcome.stop, (!exact).then_some(Stop::Memory));
            assert!(!exact || bytes > 2000);
        }
    }
}

#[derive(Default)]
struct Watch(Vec<(i64, i64)>, Vec<i64>);

impl Observer<NodeId, i64> for Watch {
    fn milestone(&mut self, bound: &i64) {
        self.1.push(*bound);
    }

    fn wants_progress(&mut self) -> bool {
        true
    }

    fn progress(&mut self, progress: Progress<'_, i64>) {
        self.0.push((*progress.lower, *progress.upper));
    }
}

#[test]
fn progress_reports_true_bounds_and_dual_milestones_rise() {
    let game = uniform(3, 6, 5);
    let value = game.value();
    let budget = Budget::unlimited();
    for which in 0..8 {
        let mut watch = Watch::default();
        run(
            which,
            &game,
            &mut new_memory(&game),
            &budget,
            &mut watch,
            (),
        );
        assert!(!watch.0.is_empty());
        assert!(
            watch
                .0
                .iter()
                .all(|(lower, upper)| *lower <= value && value <= *upper)
        );
        let in_order = |pair: &[i64]| {
            if which % 2 == 0 {
                pair[0] > pair[1]
            } else {
                pair[0] < pair[1]
            }
        };
        assert!(watch.1.windows(2).all(in_order));
        assert_eq!(watch.1.last(), Some(&value));
    }
}

/// Roots of every kind, and the ends of the chain.
#[test]
fn small_games() {
    let (top, bottom) = (ints().top(), ints().bottom());
    let trees: Vec<Tree<i64>> = vec![
        leaf(3),
        leaf(top),
        leaf(bottom),
        or([leaf(top), leaf(3)]),
        and([leaf(top), leaf(top)]),
        and([leaf(bottom), or([leaf(2), leaf(top)])]),
        or([and([leaf(4), leaf(4)]), and([leaf(5), leaf(top)])]),
    ];
    for tree in trees {
        let game = game(ints(), tree);
        for which in 0..8 {
            let budget = Budget::unlimited();
            let answer = run(which, &game, &mut new_memory(&game), &budget, (), ());
            assert_eq!(answer.outcome.exact(), Some(&game.value()));
            check_tree(&game, &answer);
        }
    }
}
