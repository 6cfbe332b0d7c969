//! The worked examples of Li, Zanuttini, Cazenave, Ventos (2022), and where the paper is wrong or
//! silent.

use std::collections::HashMap;

use crate::support::{
    Algorithm, ENGINES, Engine, Game, Memory, Runs, Sets, Tree, and, game, leaf, or, sets,
    shared_game, word,
};
use meetjoin_dag::{Kind, NodeId, Valuation};
use meetjoin_lattice::{Budget, Chain, Interval, Within, Words};
use meetjoin_search::{
    Counts, Env, Exit, FailSoft, Observer, Table, Visited, Window, alpha_beta, alpha_beta_cached,
    alpha_beta_duo_plain,
};

/// Remembers what was returned for the root: the last exit of all.
struct Returned<E>(Option<(E, E)>);

impl<E: Clone> Observer<NodeId, E> for Returned<E> {
    fn exit(&mut self, _: &NodeId, result: Exit<'_, E>) {
        self.0 = Some(match result {
            Exit::Value(value) => (value.clone(), value.clone()),
            Exit::Bounds(lower, upper) => (lower.clone(), upper.clone()),
        });
    }
}

fn alpha_beta_returns(game: &Game<Sets>, alpha: &str, beta: &str) -> Words<1> {
    let budget = Budget::unlimited();
    let mut env = Env::new(&budget).with_observer(Returned(None));
    let window = Window {
        alpha: word(alpha),
        beta: word(beta),
    };
    alpha_beta(game, game, &window, FailSoft, &mut env);
    env.observer.0.expect("the root was left").0
}

/// v(r) = 1100, and a search with the window (1000, 1110) returns 1101 after a cut in the call on
/// n, whose first child makes alpha and beta equal.
fn figure_1_left() -> Game<Sets> {
    let n = and([leaf(word("1101")), leaf(word("1010"))]);
    game(sets(4), or([leaf(word("0100")), n]))
}

/// v(R) = 001, and a search with the window (010, 110) cuts C and D after their first children and
/// returns 010.
fn figure_1_right() -> Game<Sets> {
    let c = or([leaf(word("110")), leaf(word("001"))]);
    let d = and([leaf(word("011")), leaf(word("101"))]);
    game(sets(3), and([c, d]))
}

#[test]
fn figure_1_left_returns_more_than_its_value() {
    let game = figure_1_left();
    assert_eq!(game.value(), word("1100"));
    assert_eq!(alpha_beta_returns(&game, "1000", "1110"), word("1101"));
    // Corollary 1: clipped to the window it is the value.
    let window = Window {
        alpha: word("1000"),
        beta: word("1110"),
    };
    assert_eq!(game.clip(&window, &word("1101")), word("1100"));
}

#[test]
fn figure_1_right_returns_an_incomparable_value() {
    let game = figure_1_right();
    assert_eq!(game.value(), word("001"));
    assert_eq!(alpha_beta_returns(&game, "010", "110"), word("010"));
}

#[test]
fn figure_1_is_solved_by_every_engine_through_every_window_that_contains_the_value() {
    for game in [figure_1_left(), figure_1_right()] {
        let value = game.value();
        for engine in ENGINES {
            assert_eq!(engine.solve(&game).exact(), Some(&value), "{engine:?}");
        }
        for (alpha, beta) in (0..16).flat_map(|a| (0..16).map(move |b| (a, b))) {
            let window = Window {
                alpha: Words([alpha & value.0[0]]),
                beta: Words([beta | value.0[0]]),
            };
            for engine in ENGINES.into_iter().filter(|engine| engine.takes_window()) {
                let mut memory = Memory::new(game.graph.node_count());
                let free = Budget::unlimited();
                let outcome = engine.run(&game, &window, &mut memory, &free, (), ());
                assert_eq!(
                    outcome.clipped,
                    Interval::Exact(value),
                    "{engine:?} {window:?}"
                );
            }
        }
    }
}

/// Figure 2, right: alpha = 110 is the join of what *two* OR ancestors have; 110 <= alpha prunes T,
/// though it lies below neither.
#[test]
fn figure_2_right_prunes_where_two_ancestors_together_suffice() {
    let bottommost = and([leaf(word("110")), leaf(word("111"))]);
    let lower_or = or([leaf(word("010")), bottommost]);
    let game = game(
        sets(3),
        or([leaf(word("100")), and([lower_or, leaf(word("111"))])]),
    );
    let (free, t) = (Budget::unlimited(), NodeId::from(3));
    assert_eq!(game.graph.kind(t), Kind::Leaf);
    let mut env = Env::new(&free).with_observer((Visited::default(), Counts::default()));
    alpha_beta(
        &game,
        &game,
        &Window::full(&game.lattice),
        FailSoft,
        &mut env,
    );
    let (visited, counts) = &env.observer;
    assert!(!visited.contains(&t), "T is pruned");
    assert_eq!(counts.cutoffs, 1);
    assert_eq!(visited.len(), game.graph.node_count() - 1);
}

/// The literal mistake, written out: h = alpha at OR and beta at AND nodes, and a cache of
/// everything below which nothing was cut.
fn mistaken(
    game: &Game<Sets>,
    node: NodeId,
    mut alpha: u64,
    mut beta: u64,
    cache: &mut HashMap<NodeId, u64>,
) -> (u64, bool) {
    if game.graph.kind(node) == Kind::Leaf {
        return (game.leaf(&node).0[0], true);
    }
    if let Some(&value) = cache.get(&node) {
        return (value, true);
    }
    let is_or = game.graph.kind(node) == Kind::Or;
    let (mut value, mut uncut) = (if is_or { alpha } else { beta }, true);
    for &child in game.graph.row(node).iter() {
        if is_or {
            alpha |= value;
        } else {
            beta &= value;
        }
        if beta & !alpha == 0 {
            return (value, false);
        }
        let (child_value, child_uncut) = mistaken(game, child, alpha, beta, cache);
        value = if is_or {
            value | child_value
        } else {
            value & child_value
        };
        uncut &= child_uncut;
    }
    if uncut {
        cache.insert(node, value);
    }
    (value, uncut)
}
/// The general h(n, alpha, beta) is for uncached alpha-beta alone. Starting from alpha and caching
/// where nothing was cut stores v join alpha: here v(n) = {} is stored as {0}, and the second
/// parent of n gets it wrong.
#[test]
fn abc_with_a_window_dependent_start_would_cache_wrong_values() {
    let n = || Tree::Shared(0);
    let root = and([or([leaf(word("10")), n()]), n()]);
    let shared = shared_game(sets(2), root, vec![or([leaf(word("00"))])]);
    assert_eq!(shared.value(), word("00"));
    let wrong = mistaken(&shared, shared.graph.root(), 0, 3, &mut HashMap::new()).0;
    assert_eq!(wrong, 1, "the mistake shows on this graph");
    assert_eq!(
        Engine::AlphaBetaCached.solve(&shared).exact(),
        Some(&word("00"))
    );
}

/// On a cut at an OR node the upper bound falls back to the one known *before*; the upper bounds of
/// the children done do not bound it.
#[test]
fn duo_falls_back_to_the_old_upper_bound_on_a_cut() {
    let game = game(sets(2), or([leaf(word("10")), leaf(word("01"))]));
    let free = Budget::unlimited();
    let mut env = Env::new(&free).with_store(Table::new());
    let window = Window {
        alpha: word("00"),
        beta: word("10"),
    };
    let outcome = alpha_beta_duo_plain(&game, &game, &window, &mut env);
    let expected = Interval::Between {
        lower: word("10"),
        upper: word("11"),
    };
    assert_eq!(outcome.value, expected);
    assert_eq!(outcome.clipped, Interval::Exact(word("10")));
}

/// "For totally ordered values v = f(n, lo, hi)" needs lo < hi: with lo = hi the search cuts at
/// once.
#[test]
fn in_a_chain_an_empty_window_returns_nothing_useful() {
    let chain = Chain::new(0_i64, 9).expect("0 <= 9");
    let game = game(chain, or([leaf(5), leaf(3)]));
    let free = Budget::unlimited();
    let returned = |alpha, beta| {
        let mut env = Env::new(&free).with_observer(Returned(None));
        alpha_beta(&game, &game, &Window { alpha, beta }, FailSoft, &mut env);
        env.observer.0.expect("the root was left").0
    };
    assert_eq!(returned(4, 6), 5);
    assert_eq!(returned(5, 5), 0, "cut before the first child");
}

/// Any admissible h(n, alpha, beta) will do: here one that depends on the window and on the node.
#[test]
fn a_general_initial_value_is_a_closure() {
    let game = figure_1_left();
    let free = Budget::unlimited();
    let h = |l: Within<'_, Sets>, _: &NodeId, kind, alpha: &Words<1>, beta: &Words<1>| {
        let mut start = if kind == Kind::And { *beta } else { *alpha };
        if kind == Kind::And {
            l.join(&mut start, &word("1100"))?;
        } else {
            l.meet(&mut start, &word("1110"))?;
        }
        Ok(start)
    };
    let window = Window::full(&game.lattice);
    let outcome = alpha_beta(&game, &game, &window, h, &mut Env::new(&free));
    assert_eq!(outcome.exact(), Some(&word("1100")));
}

/// A root that is a leaf: one visit, no cache entry, exact in any window.
#[test]
fn a_root_that_is_a_leaf() {
    for engine in ENGINES {
        let game = game(Chain::new(0_i64, 1).expect("in order"), leaf(1));
        let mut counts = Counts::default();
        let window = Window::full(&game.lattice);
        let mut memory = Memory::new(1);
        let free = Budget::unlimited();
        let outcome = engine.run(&game, &window, &mut memory, &free, &mut counts, ());
        assert_eq!(outcome.exact(), Some(&1), "{engine:?}");
        assert_eq!((counts.visits, counts.leaves, counts.cutoffs), (1, 1, 0));
    }
}

/// ABC's second visit of a node below which nothing was cut is a cache hit.
#[test]
fn abc_remembers_uncut_nodes_only() {
    let shared = || or([leaf(word("10")), leaf(word("01"))]);
    let game = game(sets(2), and([shared(), leaf(word("10"))]));
    let free = Budget::unlimited();
    let mut env = Env::new(&free).with_store(Table::new());
    let window = Window::full(&game.lattice);
    alpha_beta_cached(&game, &game, &window, &mut env);
    let mut again = env.with_observer(Counts::default());
    alpha_beta_cached(&game, &game, &window, &mut again);
    assert_eq!((again.observer.visits, again.observer.cache_hits), (1, 1));
}
