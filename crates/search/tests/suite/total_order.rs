//! The algorithms for total orders against their papers: known answers, call for call; literal
//! transcriptions; theorems.

use std::collections::BTreeSet;

use meetjoin_dag::{Kind, NodeId, Rows, Valuation};
use meetjoin_lattice::{Budget, Chain, Interval};
use meetjoin_search::total_order::{
    Guess, Question, alpha_beta_informed, mtd_f, nega_scout, scout, sss_2, sss_2_dual, test,
};
use meetjoin_search::{Env, Exit, FailSoft, Observer, Outcome, Store, Table, Window, alpha_beta};
use proptest::prelude::*;
use serde_json::Value;

use crate::support::{Game, Tree, and, cases, game, leaf, or};

type Numbers = Chain<i64>;

/// Beyond every leaf of these tests.
const INFINITY: i64 = 1000;

fn numbers() -> Numbers {
    Chain::new(-INFINITY, INFINITY).expect("in order")
}

/// Each visit, with its window.
#[derive(Default)]
struct Log {
    visits: Vec<(NodeId, i64, i64)>,
}

impl Log {
    fn nodes(&self) -> Vec<NodeId> {
        self.visits.iter().map(|visit| visit.0).collect()
    }

    fn set(&self) -> BTreeSet<NodeId> {
        self.visits.iter().map(|visit| visit.0).collect()
    }
}

impl Observer<NodeId, i64> for Log {
    fn enter(&mut self, node: &NodeId, window: Option<(&i64, &i64)>) {
        let (alpha, beta) = window.expect("these algorithms have one");
        self.visits.push((*node, *alpha, *beta));
    }
}

fn env<O>(budget: &Budget, observer: O) -> Env<'_, (), (), O> {
    Env::new(budget).with_observer(observer)
}

fn log_of_nega_scout(game: &Game<Numbers>) -> (i64, Log) {
    let free = Budget::unlimited();
    let mut env = env(&free, Log::default());
    let full = Window::full(&game.lattice);
    let outcome = nega_scout(game, game, &full, &mut env);
    (*outcome.exact().expect("no limit"), env.observer)
}

fn log_of_alpha_beta(game: &Game<Numbers>) -> (Outcome<i64>, Log) {
    let free = Budget::unlimited();
    let mut env = env(&free, Log::default()).with_heuristic(game);
    let full = Window::full(&game.lattice);
    let outcome = alpha_beta_informed(game, game, &full, &mut env);
    (outcome, env.observer)
}

fn log_of_test(game: &Game<Numbers>, question: Question<i64>) -> (bool, Log) {
    let free = Budget::unlimited();
    let mut env = env(&free, Log::default());
    let tested = test(game, game, question, &mut env);
    (tested.answer.expect("no limit"), env.observer)
}

fn log_of_scout(game: &Game<Numbers>) -> (i64, Log) {
    let free = Budget::unlimited();
    let mut env = env(&free, Log::default());
    let outcome = scout(game, game, &mut env);
    (*outcome.exact().expect("no limit"), env.observer)
}

/// Nested lists: MAX and MIN in turn.
pub fn alternating(value: &Value, is_max: bool) -> Tree<i64> {
    match value {
        Value::Array(children) => {
            let children = children.iter().map(|child| alternating(child, !is_max));
            if is_max { or(children) } else { and(children) }
        }
        number => leaf(number.as_i64().expect("an integer")),
    }
}

fn height(game: &Game<Numbers>, node: NodeId) -> u32 {
    let row = game.graph.row(node);
    let children = row.iter();
    children
        .map(|&child| height(game, child) + 1)
        .max()
        .unwrap_or(0)
}

type Ask = fn(i64) -> Question<i64>;

#[test]
fn tests_scout_and_both_forms_of_nega_scout_make_the_known_calls() {
    let file: Value = serde_json::from_str(&cases("seed002.json")).expect("valid JSON");
    let mut seen = 0;
    for case in file["cases"].as_array().expect("a list") {
        let id = &case["id"];
        let game = game(numbers(), alternating(&case["tree"], case["root"] == "max"));
        let value = case["value"].as_i64().expect("an integer");
        assert_eq!(game.value(), value, "{id}");
        let depth = height(&game, game.graph.root());
        assert_eq!(u64::from(depth), case["height"], "{id}");
        let questions: [(&str, Ask, Ask); 2] = [
            ("test_gt", Question::Greater, Question::AtMost),
            ("test_lt", Question::Less, Question::AtLeast),
        ];
        for (key, question, opposite) in questions {
            for known in case[key].as_array().expect("a list") {
                let border = known[0].as_i64().expect("an integer");
                let (answer, log) = log_of_test(&game, question(border));
                assert_eq!(answer, known[1], "{id} {key} {border}");
                assert_eq!(log.visits.len() as u64, known[2], "{id} {key} {border}");
                assert_eq!(log_of_test(&game, opposite(border)).0, !answer);
                seen += 1;
            }
        }
        assert_eq!(log_of_scout(&game).0, case["scout_value"], "{id}");
        let (outcome, log) = log_of_alpha_beta(&game);
        assert_eq!(outcome.exact(), Some(&value), "{id}");
        assert_eq!(log.visits.len() as u64, case["alphabeta_nodes"], "{id}");
        assert_eq!(log_of_nega_scout(&game).0, value, "{id}");
        for (form, name) in FORMS {
            let mut printed = Printed::new(&game);
            assert_eq!(form(&mut printed, depth), value, "{id} {name}");
            let (calls, researches) = (format!("{name}_calls"), format!("{name}_researches"));
            assert_eq!(printed.calls.len() as u64, case[calls], "{id} {name}");
            assert_eq!(printed.repeated, case[researches], "{id} {name}");
        }
    }
    assert!(seen >= 100, "{seen} questions");
}

#[test]
fn informed_alpha_beta_makes_the_known_calls() {
    let file: Value = serde_json::from_str(&cases("informed.json")).expect("valid JSON");
    for case in file["cases"].as_array().expect("a list") {
        let id = &case["id"];
        let (game, ids) = informed(case);
        let number = |node: NodeId| ids[node.index()];
        let (outcome, log) = log_of_alpha_beta(&game);
        assert_eq!(outcome.exact(), case["value"].as_i64().as_ref(), "{id}");
        let order: Vec<u64> = log.nodes().into_iter().map(number).collect();
        assert_eq!(serde_json::json!(order), case["alphabeta_order"], "{id}");
        let visited: BTreeSet<u64> = order.into_iter().collect();
        assert_eq!(
            serde_json::json!(visited),
            case["alphabeta_visited"],
            "{id}"
        );
        let ends = |end: i64| (end.abs() < INFINITY).then_some(end);
        let windows = log.visits.iter().map(|(_, a, b)| [ends(*a), ends(*b)]);
        let windows: Vec<_> = windows.collect();
        assert_eq!(
            serde_json::json!(windows),
            case["alphabeta_windows"],
            "{id}"
        );
    }
}

/// The game of a case, with its pair, and the numbers of the case's nodes by ours.
pub fn informed(case: &Value) -> (Game<Numbers>, Vec<u64>) {
    let nodes = case["nodes"].as_array().expect("a list");
    let mut rows = Rows::new();
    // Numbers are in preorder, so children come after their parents.
    let mut ours = vec![None; nodes.len()];
    let (mut ids, mut values, mut bounds) = (Vec::new(), Vec::new(), Vec::new());
    for (i, node) in nodes.iter().enumerate().rev() {
        assert_eq!(node["id"], i);
        let children = node["children"].as_array().expect("a list").iter();
        let children = children.map(|child| {
            let child = child.as_u64().expect("a number") as usize;
            ours[child].expect("made")
        });
        let made = match (node.get("leaf"), node["kind"].as_str()) {
            (Some(value), _) => {
                values.push(value.as_i64().expect("an integer"));
                rows.leaf()
            }
            (None, Some("max")) => rows.or(children),
            (None, _) => rows.and(children),
        };
        let made = made.expect("room");
        ours[i] = Some(made);
        assert_eq!(made.index(), ids.len());
        ids.push(i as u64);
        let (l, u) = (node["L"].as_i64(), node["U"].as_i64());
        bounds.push(Interval::new(l.unwrap_or(-INFINITY), u.unwrap_or(INFINITY)));
    }
    let root = case["root"].as_u64().expect("a number") as usize;
    let graph = rows.finish(ours[root].expect("made")).expect("a tree");
    let game = Game {
        graph,
        lattice: numbers(),
        values,
        bounds: Some(bounds),
    };
    (game, ids)
}

/// Random trees that alternate, of at most five levels.
pub fn any_tree() -> impl Strategy<Value = Tree<i64>> {
    let leaves = (-20..20_i64).prop_map(Nested::Leaf);
    let nested = leaves.prop_recursive(5, 60, 4, |inner| {
        prop::collection::vec(inner, 1..5).prop_map(Nested::Node)
    });
    (nested, any::<bool>()).prop_map(|(nested, is_max)| nested.tree(is_max))
}

#[derive(Clone, Debug)]
enum Nested {
    Leaf(i64),
    Node(Vec<Nested>),
}

impl Nested {
    fn tree(self, is_max: bool) -> Tree<i64> {
        match self {
            Self::Leaf(value) => leaf(value),
            Self::Node(children) => {
                let children = children.into_iter().map(|child| child.tree(!is_max));
                if is_max { or(children) } else { and(children) }
            }
        }
    }
}

/// The printed procedures, word for word.
struct Printed<'a> {
    game: &'a Game<Numbers>,
    calls: Vec<NodeId>,
    /// Trials of NegaScout that were repeated.
    repeated: u64,
}

/// A form of NegaScout, from the root with a depth.
type Form = fn(&mut Printed<'_>, u32) -> i64;

/// F4' and F4.
const FORMS: [(Form, &str); 2] = [
    (|printed, depth| printed.f4_prime(depth), "F4prime"),
    (|printed, depth| printed.f4(depth), "F4"),
];

impl<'a> Printed<'a> {
    fn new(game: &'a Game<Numbers>) -> Self {
        Self {
            game,
            calls: Vec::new(),
            repeated: 0,
        }
    }

    fn f4_prime(&mut self, depth: u32) -> i64 {
        self.minimax_form(self.game.graph.root(), -INFINITY, INFINITY, depth)
    }

    fn f4(&mut self, depth: u32) -> i64 {
        let root = self.game.graph.root();
        let is_max = self.game.graph.kind(root) != Kind::And;
        let value = self.negamax_form(root, is_max, -INFINITY, INFINITY, depth);
        if is_max { value } else { -value }
    }

    fn children(&self, node: NodeId) -> Vec<NodeId> {
        self.game.graph.row(node).to_vec()
    }

    fn is_max(&self, node: NodeId) -> bool {
        self.game.graph.kind(node) == Kind::Or
    }

    /// TEST(p, v, >) and TEST(p, v, <).
    fn test(&mut self, p: NodeId, v: i64, greater: bool) -> bool {
        self.calls.push(p);
        let children = self.children(p);
        if children.is_empty() {
            let f = self.game.leaf(&p);
            return if greater { f > v } else { f < v };
        }
        let one_is_enough = self.is_max(p) == greater;
        for child in children {
            if self.test(child, v, greater) == one_is_enough {
                return one_is_enough;
            }
        }
        !one_is_enough
    }

    fn scout(&mut self, p: NodeId) -> i64 {
        self.calls.push(p);
        let children = self.children(p);
        let Some((&first, others)) = children.split_first() else {
            return self.game.leaf(&p);
        };
        let mut v = self.scout(first);
        for &child in others {
            if self.test(child, v, self.is_max(p)) {
                v = self.scout(child);
            }
        }
        v
    }

    /// F4' and G4'.
    fn minimax_form(&mut self, p: NodeId, alpha: i64, beta: i64, depth: u32) -> i64 {
        self.calls.push(p);
        let children = self.children(p);
        let Some((&first, others)) = children.split_first() else {
            return self.game.leaf(&p);
        };
        let left = depth.saturating_sub(1);
        let mut m = self.minimax_form(first, alpha, beta, left);
        if self.is_max(p) {
            if m >= beta {
                return m;
            }
            for &child in others {
                let t = self.minimax_form(child, m, m + 1, left);
                if t > m {
                    m = if depth < 3 || t >= beta {
                        t
                    } else {
                        self.repeated += 1;
                        self.minimax_form(child, t, beta, left)
                    };
                }
                if m >= beta {
                    return m;
                }
            }
        } else {
            if m <= alpha {
                return m;
            }
            for &child in others {
                let t = self.minimax_form(child, m - 1, m, left);
                if t < m {
                    m = if depth < 3 || t <= alpha {
                        t
                    } else {
                        self.repeated += 1;
                        self.minimax_form(child, alpha, t, left)
                    };
                }
                if m <= alpha {
                    return m;
                }
            }
        }
        m
    }

    /// F4: values are those of the player to move.
    fn negamax_form(&mut self, p: NodeId, is_max: bool, alpha: i64, beta: i64, depth: u32) -> i64 {
        self.calls.push(p);
        let children = self.children(p);
        if children.is_empty() {
            let f = self.game.leaf(&p);
            return if is_max { f } else { -f };
        }
        let left = depth.saturating_sub(1);
        let (mut m, mut n) = (-INFINITY, beta);
        for child in children {
            let t = -self.negamax_form(child, !is_max, -n, -alpha.max(m), left);
            if t > m {
                m = if n == beta || depth < 3 || t >= beta {
                    t
                } else {
                    self.repeated += 1;
                    -self.negamax_form(child, !is_max, -beta, -t, left)
                };
            }
            if m >= beta {
                return m;
            }
            n = alpha.max(m) + 1;
        }
        m
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn every_call_is_that_of_the_printed_procedure(tree in any_tree(), border in -20..20_i64, extra in 0..3_u32) {
        let game = game(numbers(), tree);
        let root = game.graph.root();
        let depth = height(&game, root) + extra;
        let printed = |run: &mut dyn FnMut(&mut Printed<'_>) -> i64| {
            let mut printed = Printed::new(&game);
            let value = run(&mut printed);
            (value, printed.calls)
        };
        for (question, greater) in [(Question::Greater(border), true), (Question::Less(border), false)] {
            let (answer, log) = log_of_test(&game, question);
            let (known, calls) = printed(&mut |p| i64::from(p.test(root, border, greater)));
            prop_assert_eq!((i64::from(answer), log.nodes()), (known, calls));
        }
        let (value, log) = log_of_scout(&game);
        prop_assert_eq!((value, log.nodes()), printed(&mut |p| p.scout(root)));
        for (form, _) in FORMS {
            prop_assert_eq!(printed(&mut |p| form(p, depth)).0, game.value());
        }
        prop_assert_eq!(log_of_nega_scout(&game).0, game.value());
    }

    /// Without a pair, informed alpha-beta is alpha-beta of every lattice: the same visits with the
    /// same windows.
    #[test]
    fn without_bounds_it_is_plain_alpha_beta(tree in any_tree()) {
        let game = game(numbers(), tree);
        let free = Budget::unlimited();
        let mut plain = env(&free, Log::default());
        let full = Window::full(&game.lattice);
        alpha_beta(&game, &game, &full, FailSoft, &mut plain);
        prop_assert_eq!(log_of_alpha_beta(&game).1.visits, plain.observer.visits);
    }

    /// A trial that is repeated only if it has to be repeated: never more visits than F4.
    #[test]
    fn the_tight_form_saves_repetitions(tree in any_tree()) {
        let game = game(numbers(), tree);
        let depth = height(&game, game.graph.root());
        let (value, tight) = log_of_nega_scout(&game);
        let mut printed = Printed::new(&game);
        prop_assert_eq!(value, printed.f4(depth));
        prop_assert!(tight.visits.len() <= printed.calls.len());
    }
}

/// A random tree with a consistent pair (section 1): U falls along the children of MAX nodes, L
/// rises along those of MIN nodes.
pub fn informed_tree() -> impl Strategy<Value = Game<Numbers>> {
    let slack = prop::collection::vec((0..16_i64, 0..16_i64), 1..12);
    (any_tree(), slack).prop_map(|(tree, slack)| {
        let mut game = game(numbers(), tree);
        game.bounds = Some(consistent(&game, &slack));
        game
    })
}

/// Bounds at most so far from the values; 12 and more means that nothing is known.
fn consistent(game: &Game<Numbers>, slack: &[(i64, i64)]) -> Vec<Interval<i64>> {
    let values = game.all_values();
    let mut pair: Vec<(i64, i64)> = (values.iter().enumerate())
        .map(|(i, &value)| {
            let (below, above) = slack[i % slack.len()];
            let lower = if below < 12 { value - below } else { -INFINITY };
            let upper = if above < 12 { value + above } else { INFINITY };
            (lower, upper)
        })
        .collect();
    let mut todo = vec![game.graph.root()];
    while let Some(node) = todo.pop() {
        let (lower, upper) = pair[node.index()];
        for &child in game.graph.row(node).iter() {
            let known = &mut pair[child.index()];
            match game.graph.kind(node) {
                Kind::Or => known.1 = known.1.min(upper),
                _ => known.0 = known.0.max(lower),
            }
            if game.graph.kind(child) == Kind::Leaf {
                *known = (values[child.index()], values[child.index()]);
            }
            todo.push(child);
        }
    }
    let pair = pair.into_iter();
    pair.map(|(lower, upper)| Interval::new(lower, upper))
        .collect()
}

/// What section 1 defines for a node, from its ancestors and its left siblings.
#[derive(Clone, Copy, Debug)]
pub struct Quantities {
    /// alpha(n) and beta(n).
    pub alpha: i64,
    pub beta: i64,
    /// L and U of the MAX and the MIN ancestors: with a bar.
    pub lower_bar: i64,
    pub upper_bar: i64,
    /// L and U of all ancestors: with a hat.
    pub lower_hat: i64,
    pub upper_hat: i64,
}

/// The quantities of every node of a tree, by a walk from the root.
pub fn quantities(game: &Game<Numbers>) -> Vec<(NodeId, Quantities)> {
    let values = game.all_values();
    let bounds = game.bounds.as_ref().expect("informed");
    let start = Quantities {
        alpha: -INFINITY,
        beta: INFINITY,
        lower_bar: -INFINITY,
        upper_bar: INFINITY,
        lower_hat: -INFINITY,
        upper_hat: INFINITY,
    };
    let (mut all, mut todo) = (Vec::new(), vec![(game.graph.root(), start)]);
    while let Some((node, mut q)) = todo.pop() {
        all.push((node, q));
        let (lower, upper) = (*bounds[node.index()].lower(), *bounds[node.index()].upper());
        let is_max = game.graph.kind(node) == Kind::Or;
        q.lower_hat = q.lower_hat.max(lower);
        q.upper_hat = q.upper_hat.min(upper);
        if is_max {
            q.lower_bar = q.lower_bar.max(lower);
        } else {
            q.upper_bar = q.upper_bar.min(upper);
        }
        for &child in game.graph.row(node).iter() {
            todo.push((child, q));
            let value = values[child.index()];
            if is_max {
                q.alpha = q.alpha.max(value);
            } else {
                q.beta = q.beta.min(value);
            }
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Theorems 3.1 and 3.2: which nodes are visited, and with which windows.
    #[test]
    fn visits_and_windows_of_informed_alpha_beta_are_characterised(game in informed_tree()) {
        let (outcome, log) = log_of_alpha_beta(&game);
        let value = game.value();
        prop_assert_eq!(outcome.exact(), Some(&value));
        let all = quantities(&game);
        let visited = all.iter().filter(|(_, q)| q.alpha.max(q.lower_hat) < q.beta.min(q.upper_hat));
        let visited: BTreeSet<NodeId> = visited.map(|(node, _)| *node).collect();
        prop_assert_eq!(log.set(), visited);
        for (node, alpha, beta) in &log.visits {
            let (_, q) = all.iter().find(|(known, _)| known == node).expect("every node");
            prop_assert_eq!((*alpha, *beta), (q.alpha.max(q.lower_bar), q.beta.min(q.upper_bar)));
        }
    }

    /// Corollary 3.1: better bounds never cost a visit.
    #[test]
    fn better_bounds_never_hurt_informed_alpha_beta(
        tree in any_tree(),
        slack in prop::collection::vec((0..16_i64, 0..16_i64), 1..12),
        more in prop::collection::vec((0..6_i64, 0..6_i64), 1..12),
    ) {
        let mut game = game(numbers(), tree);
        game.bounds = Some(consistent(&game, &slack));
        let better = log_of_alpha_beta(&game).1.set();
        // Added slack that is the same everywhere keeps the pair consistent.
        let (below, above) = more[0];
        let looser = game.bounds.take().expect("set").into_iter().enumerate().map(|(i, known)| {
            let is_leaf = game.graph.leaf_ordinal(NodeId::from(i as u32)).is_some();
            let (below, above) = if is_leaf { (0, 0) } else { (below, above) };
            Interval::new(known.lower() - below, known.upper() + above)
        });
        game.bounds = Some(looser.collect());
        let worse = log_of_alpha_beta(&game).1.set();
        prop_assert!(better.is_subset(&worse));
    }

    /// The postcondition of Figure 3, at every call: Theorem 2.1.
    #[test]
    fn every_return_is_true_of_its_node(game in informed_tree(), alpha in -20..20_i64, width in 1..20_i64) {
        let free = Budget::unlimited();
        let window = Window { alpha, beta: alpha + width };
        let mut env = env(&free, Returns { game: &game, values: game.all_values() }).with_heuristic(&game);
        let outcome = alpha_beta_informed(&game, &game, &window, &mut env);
        let value = game.value();
        let inside = alpha < value && value < alpha + width;
        prop_assert!(!inside || outcome.exact() == Some(&value));
        prop_assert!(value > alpha || *outcome.value.upper() <= alpha);
        prop_assert!(value < alpha + width || *outcome.value.lower() >= alpha + width);
    }
}

/// The leaves that a search evaluates, in order, each where it is met first; and every node it
/// enters.
#[derive(Default)]
struct Leaves {
    leaves: Vec<NodeId>,
    nodes: BTreeSet<NodeId>,
}

impl Observer<NodeId, i64> for Leaves {
    fn enter(&mut self, node: &NodeId, _: Option<(&i64, &i64)>) {
        self.nodes.insert(*node);
    }

    fn leaf(&mut self, node: &NodeId) {
        if !self.leaves.contains(node) {
            self.leaves.push(*node);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Theorem 7.3 with one pair for both.
    #[test]
    fn sss_2_visits_no_node_that_alpha_beta_does_not(game in informed_tree()) {
        let free = Budget::unlimited();
        let mut env = env(&free, Leaves::default()).with_heuristic(&game);
        let answer = sss_2(&game, &game, &mut env);
        let value = game.value();
        prop_assert_eq!(answer.outcome.exact(), Some(&value));
        prop_assert!(env.observer.nodes.is_subset(&log_of_alpha_beta(&game).1.set()));
    }

    /// With a cache that forgets nothing, fail-soft bounds and no heuristic, MTD(f) from above
    /// evaluates the leaves of SSS-2 in their order, and from below those of its dual.
    #[test]
    fn mtd_f_evaluates_the_leaves_of_sss_2_in_the_same_order(tree in any_tree()) {
        let game = game(numbers(), tree);
        let free = Budget::unlimited();
        let by_windows = |guess| {
            let mut env = env(&free, Leaves::default()).with_store(Table::new());
            mtd_f(&game, &game, guess, &mut env);
            env.observer.leaves
        };
        let mut from_above = env(&free, Leaves::default());
        sss_2(&game, &game, &mut from_above);
        prop_assert_eq!(by_windows(Guess::Top), from_above.observer.leaves);
        let mut from_below = env(&free, Leaves::default());
        sss_2_dual(&game, &game, &mut from_below);
        prop_assert_eq!(by_windows(Guess::Bottom), from_below.observer.leaves);
    }
}

/// Checks that each return brings true bounds.
struct Returns<'a> {
    game: &'a Game<Numbers>,
    values: Vec<i64>,
}

impl Observer<NodeId, i64> for Returns<'_> {
    fn exit(&mut self, node: &NodeId, result: Exit<'_, i64>) {
        let Exit::Bounds(lower, upper) = result else {
            panic!("these results are bounds")
        };
        let value = self.values[node.index()];
        assert!(*lower <= value && value <= *upper, "{:?}", self.game.graph);
    }
}

/// Numbers that are all different and in order: the first child is the best one for the player to
/// move.
fn well_ordered(b: u32, d: u32) -> Game<Numbers> {
    // The value of the leftmost leaf is the root's. Each level of MAX takes the greatest, each of
    // MIN the least.
    fn grow(
        rows: &mut Rows,
        values: &mut Vec<i64>,
        b: u32,
        d: u32,
        is_max: bool,
        value: i64,
    ) -> NodeId {
        if d == 0 {
            values.push(value);
            return rows.leaf().expect("room");
        }
        let children: Vec<NodeId> = (0..i64::from(b))
            .map(|i| {
                let worse = if is_max { value - i } else { value + i };
                grow(rows, values, b, d - 1, !is_max, worse)
            })
            .collect();
        let made = if is_max {
            rows.or(children)
        } else {
            rows.and(children)
        };
        made.expect("room")
    }
    let (mut rows, mut values) = (Rows::new(), Vec::new());
    let root = grow(&mut rows, &mut values, b, d, true, 0);
    Game {
        graph: rows.finish(root).expect("a tree"),
        lattice: numbers(),
        values,
        bounds: None,
    }
}

/// Hsu, "Number of nodes visited": at least `b^floor(i/2)` nodes of level i for a yes,
/// `b^ceil(i/2)` for a no, and the sum less one for alpha-beta. On well ordered trees these are the
/// exact numbers.
#[test]
fn visits_on_well_ordered_complete_trees_are_as_few_as_can_be() {
    for (b, d) in [(1, 5), (2, 1), (2, 6), (3, 4), (4, 3), (5, 5), (10, 2)] {
        let game = well_ordered(b, d);
        assert_eq!(game.value(), 0);
        let level = |half: fn(u32) -> u32| (0..=d).map(|i| u64::from(b).pow(half(i))).sum::<u64>();
        let (floor, ceiling) = (level(|i| i / 2), level(|i| i.div_ceil(2)));
        let visits = |log: Log| log.visits.len() as u64;
        let (yes, log) = log_of_test(&game, Question::AtLeast(0));
        assert_eq!((yes, visits(log)), (true, floor), "b = {b}, d = {d}");
        let (no, log) = log_of_test(&game, Question::Greater(0));
        assert_eq!((no, visits(log)), (false, ceiling), "b = {b}, d = {d}");
        let minimal = floor + ceiling - u64::from(d + 1);
        assert_eq!(
            visits(log_of_alpha_beta(&game).1),
            minimal,
            "b = {b}, d = {d}"
        );
        // Two searches prove the value when the guess is right, and the leaves of their proofs have
        // one in common.
        let free = Budget::unlimited();
        let mut log = env(&free, Log::default()).with_store(Table::new());
        mtd_f(&game, &game, Guess::Value(0), &mut log);
        let leaves = log.observer.set().into_iter();
        let leaves = leaves.filter(|leaf| game.graph.leaf_ordinal(*leaf).is_some());
        let proofs = u64::from(b).pow(d / 2) + u64::from(b).pow(d.div_ceil(2));
        assert_eq!(leaves.count() as u64, proofs - 1, "b = {b}, d = {d}");
    }
}

/// Hsu, "Discussions for SCOUT": TEST skips a node that alpha-beta has to visit, and SCOUT visits
/// one that alpha-beta cuts.
#[test]
fn neither_scout_nor_alpha_beta_visits_a_subset() {
    let visited = |tree: Tree<i64>| {
        let game = game(numbers(), tree);
        (
            log_of_scout(&game).1.set(),
            log_of_alpha_beta(&game).1.set(),
        )
    };
    // Is the MIN node greater than 5? K = MAX(7, 9) is, by its first child; the next child, 4, is
    // not. Alpha-beta needs all of K.
    let k = or([leaf(7), leaf(9)]);
    let (scout, alpha_beta) = visited(or([leaf(5), and([k, leaf(4)])]));
    assert!(scout.is_subset(&alpha_beta) && scout != alpha_beta);
    // The second child of the root is worth 9 and passes its TEST. To search it is to search its
    // first grandchild MIN(4, 1) in full, which alpha-beta cuts after 4, because it remembers
    // the 5.
    let grandchildren = [and([leaf(4), leaf(1)]), leaf(9)];
    let (scout, alpha_beta) = visited(or([leaf(5), and([or(grandchildren)])]));
    assert!(alpha_beta.is_subset(&scout) && scout != alpha_beta);
}

/// Hsu, "Performance of SCOUT": each ancestor may TEST a node once.
#[test]
fn a_node_at_depth_l_is_tested_l_times() {
    // Each level passes its TEST, and each second child is TESTed anew by the SCOUT of its parent.
    fn spine(level: u8, depth: u8) -> Tree<i64> {
        if level == depth {
            return leaf(0);
        }
        let far = i64::from(level) + 1;
        let first = if level.is_multiple_of(2) { -far } else { far };
        let children = [leaf(first), spine(level + 1, depth)];
        if level.is_multiple_of(2) {
            or(children)
        } else {
            and(children)
        }
    }
    for depth in 1..9 {
        let game = game(numbers(), spine(0, depth));
        let (value, log) = log_of_scout(&game);
        assert_eq!(value, 0);
        let deepest = game
            .graph
            .nodes()
            .find(|node| game.graph.leaf_ordinal(*node).is_some() && game.leaf(node) == 0);
        let deepest = deepest.expect("the only zero");
        let visits = log.visits.iter().filter(|visit| visit.0 == deepest);
        // Tested by each of its ancestors, then searched.
        assert_eq!(visits.count(), usize::from(depth) + 1);
    }
}

/// A known bound answers a trial with less than the value, at any depth: `MAX(0, MIN(5, 7))` with
/// L = 2 at the inner node.
#[test]
fn a_trial_answered_by_a_bound_is_repeated() {
    let mut game = game(numbers(), or([leaf(0), and([leaf(5), leaf(7)])]));
    let values = game.all_values();
    let bounds = values.iter().map(|value| Interval::Exact(*value));
    let mut bounds: Vec<Interval<i64>> = bounds.collect();
    let inner = game.graph.row(game.graph.root())[1];
    bounds[inner.index()] = Interval::new(2, INFINITY);
    bounds[game.graph.root().index()] = Interval::new(-INFINITY, INFINITY);
    game.bounds = Some(bounds);
    let (free, full) = (Budget::unlimited(), Window::full(&game.lattice));
    let mut env = env(&free, ()).with_heuristic(&game);
    let outcome = nega_scout(&game, &game, &full, &mut env);
    assert_eq!(outcome.exact(), Some(&5));
}

/// The printed rule repeats nothing with at most two levels left; with three it would be wrong:
/// `MAX(0, MIN(MAX(1, 2)))`.
#[test]
fn the_rule_of_two_levels_is_tight() {
    let game = game(numbers(), or([leaf(0), and([or([leaf(1), leaf(2)])])]));
    let depth = height(&game, game.graph.root());
    assert_eq!((depth, game.value()), (3, 2));
    // A height that is one less than it is makes `depth < 3` the same as `depth < 4`.
    for (form, _) in FORMS {
        assert_eq!(form(&mut Printed::new(&game), depth), 2);
        assert_eq!(form(&mut Printed::new(&game), depth - 1), 1);
    }
    // Ours looks whether anything was cut.
    assert_eq!(log_of_nega_scout(&game).0, 2);
}

/// Milestones of MTD(f) from the top fall, and the last one is the value.
#[test]
fn milestones_fall() {
    #[derive(Default)]
    struct Milestones(Vec<i64>);
    impl Observer<NodeId, i64> for Milestones {
        fn milestone(&mut self, upper: &i64) {
            self.0.push(*upper);
        }
    }
    let tree = or([
        and([or([leaf(3), leaf(9)]), or([leaf(5), leaf(6)])]),
        and([or([leaf(8), leaf(2)]), or([leaf(7), leaf(1)])]),
    ]);
    let game = game(numbers(), tree);
    let free = Budget::unlimited();
    let mut env = env(&free, Milestones::default()).with_store(Table::new());
    let outcome = mtd_f(&game, &game, Guess::Top, &mut env);
    assert_eq!(outcome.exact(), Some(&7));
    assert_eq!(env.observer.0, [9, 8, 7]);
    assert!(env.store.len() > 0);
}

/// A bound that is not true is found out where it contradicts the leaves, in builds that look for
/// it.
#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "a known bound is not true")]
fn debug_builds_assert_that_bounds_are_true() {
    let mut game = game(numbers(), or([leaf(3), leaf(5)]));
    game.bounds = Some(vec![
        Interval::Exact(3),
        Interval::Exact(5),
        Interval::new(7, 9),
    ]);
    log_of_alpha_beta(&game);
}
