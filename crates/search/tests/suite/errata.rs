//! The counterexamples of the errata chapter that concern pruning and caching, each as small as it
//! can be.

use meetjoin_dag::{Kind, NodeId, Valuation};
use meetjoin_lattice::{AnyElem, Bool, Budget, Chain, Interval, Licensed};
use meetjoin_search::{
    Counts, Env, FailSoft, Table, Window, alpha_beta, alpha_beta_cached, alpha_beta_duo_plain,
    alpha_beta_duo_published, minimax, minimax_cached,
};

use crate::support::{Engine, Game, Runs, Tree, and, game, game_in, leaf, m3, n5, or, shared_game};

fn n<E>() -> Tree<E> {
    Tree::Shared(0)
}

fn x<E>() -> Tree<E> {
    Tree::Shared(1)
}

/// The chain 0, 1, 2.
fn chain() -> Chain<i64> {
    Chain::new(0, 2).expect("in order")
}

/// `AND(n, n, n)` with `n = OR(true, true)`: n is cut after its first leaf, so ABC does not
/// remember it and cuts it again.
#[test]
fn alpha_beta_with_a_cache_can_visit_more_than_minimax_with_one() {
    let node = or([leaf(true), leaf(true)]);
    let game = shared_game(Bool, and([n(), n(), n()]), vec![node]);
    let (free, full) = (Budget::unlimited(), Window::full(&Bool));
    let env = || Env::new(&free).with_observer(Counts::default());
    let mut abc = env().with_store(Table::new());
    alpha_beta_cached(&game, &game, &full, &mut abc);
    let mut mmc = env().with_store(Table::new());
    minimax_cached(&game, &game, &mut mmc);
    assert_eq!((abc.observer.visits, mmc.observer.visits), (7, 6));
}

/// `AND(OR(1, n), n)` with `n = AND(x, x)`, `x = 1`.
#[test]
fn the_refinement_of_the_experiments_saves_visits() {
    let root = and([or([leaf(1), n()]), n()]);
    let game = shared_game(chain(), root, vec![and([x(), x()]), leaf(1)]);
    let (free, full) = (Budget::unlimited(), Window::full(&chain()));
    let env = || Env::new(&free).with_observer(Counts::default());
    let mut plain = env().with_store(Table::new());
    alpha_beta_duo_plain(&game, &game, &full, &mut plain);
    let mut refined = env().with_store(Table::new());
    alpha_beta_duo_published(&game, &game, &full, &mut refined);
    assert_eq!((plain.observer.visits, plain.observer.probes), (8, 0));
    assert_eq!((refined.observer.visits, refined.observer.probes), (6, 6));
}

/// Algorithm 2 on a chain with, if `mistaken`, the usual mistake: on a cut at an OR node the upper
/// bound is the join of what the children done returned, and at an AND node the mirror image.
fn duo_by_hand(
    game: &Game<Chain<i64>>,
    node: NodeId,
    mut alpha: i64,
    mut beta: i64,
    cache: &mut Vec<Option<(i64, i64)>>,
    mistaken: bool,
) -> (i64, i64) {
    let kind = game.graph.kind(node);
    if kind == Kind::Leaf {
        let value = game.leaf(&node);
        return (value, value);
    }
    let (old_lower, old_upper) = cache[node.index()].unwrap_or((0, 2));
    if old_lower == old_upper {
        return (old_lower, old_upper);
    }
    (alpha, beta) = (alpha.max(old_lower), beta.min(old_upper));
    let is_or = kind == Kind::Or;
    let (mut lower, mut upper) = if is_or { (0, 0) } else { (2, 2) };
    for &child in game.graph.row(node).iter() {
        if alpha >= beta {
            if is_or && !mistaken {
                upper = old_upper;
            } else if !is_or && !mistaken {
                lower = old_lower;
            }
            break;
        }
        let (below, above) = duo_by_hand(game, child, alpha, beta, cache, mistaken);
        if is_or {
            (lower, upper) = (lower.max(below), upper.max(above));
            alpha = alpha.max(below);
        } else {
            (lower, upper) = (lower.min(below), upper.min(above));
            beta = beta.min(above);
        }
    }
    let found = (lower.max(old_lower), upper.min(old_upper));
    cache[node.index()] = Some(found);
    found
}

/// `OR(AND(1, n), n)` with `n = OR(1, 2)`: n is cut after its first leaf, and must not be
/// remembered as exactly 1.
#[test]
fn a_wrong_upper_bound_on_a_cut_gives_a_wrong_root() {
    let root = or([and([leaf(1), n()]), n()]);
    let game = shared_game(chain(), root, vec![or([leaf(1), leaf(2)])]);
    let by_hand = |mistaken| {
        let mut cache = vec![None; game.graph.node_count()];
        duo_by_hand(&game, game.graph.root(), 0, 2, &mut cache, mistaken)
    };
    assert_eq!((by_hand(false), by_hand(true)), ((2, 2), (1, 1)));
    for engine in [Engine::DuoPlain, Engine::DuoPublished, Engine::Duo] {
        assert_eq!(engine.solve(&game).exact(), Some(&2), "{engine:?}");
    }
}

/// `OR(1, n, n)` with `n = AND(x, x)`, `x = 1`: on the second visit of n its cached upper bound
/// closes the window at once.
#[test]
fn cached_bounds_narrow_the_window_before_the_loop() {
    let root = or([leaf(1), n(), n()]);
    let game = shared_game(chain(), root, vec![and([x(), x()]), leaf(1)]);
    let free = Budget::unlimited();
    let mut env = Env::new(&free)
        .with_store(Table::new())
        .with_observer(Counts::default());
    let outcome = alpha_beta_duo_plain(&game, &game, &Window::full(&chain()), &mut env);
    assert_eq!((outcome.exact(), env.observer.visits), (Some(&1), 5));
}

/// On M3 and N5 the smallest tree, its value, and the value that cutting gives.
fn counterexamples() -> [(Game<Licensed>, AnyElem, AnyElem); 2] {
    let tree = |a, b, c| and([leaf(a), or([and([leaf(b), leaf(0)]), leaf(c)])]);
    [
        (game_in(m3(), tree(1, 2, 3)), 0, 1),
        (game_in(n5(), tree(2, 3, 1)), 1, 2),
    ]
    .map(|(game, value, wrong)| (game, AnyElem::Element(value), AnyElem::Element(wrong)))
}

#[test]
fn without_distributivity_the_cut_test_is_wrong() {
    let free = Budget::unlimited();
    for (game, value, wrong) in counterexamples() {
        assert_eq!(game.value(), value);
        let full = Window::full(&game.lattice);
        let outcome = alpha_beta(&game, &game, &full, FailSoft, &mut Env::new(&free));
        assert_eq!(outcome.exact(), Some(&wrong));
        let mut env = Env::new(&free).with_store(Table::new());
        let outcome = alpha_beta_duo_plain(&game, &game, &full, &mut env);
        assert_eq!(
            outcome.value,
            Interval::new(value, wrong),
            "true, but not exact"
        );
    }
}

#[test]
fn couwenbergs_strong_rule_needs_distributivity() {
    for (game, value, wrong) in counterexamples() {
        assert_eq!(game.value(), value);
        assert_eq!(Engine::Strong.solve(&game).exact(), Some(&wrong));
    }
}

/// `AND(5, OR(3, 2), 0)`: after the leaves 5 and 3 a search cut short would return 3, and the root
/// is 0. Bounds of an interrupted search must take into account the children that nobody has
/// visited.
#[test]
fn what_an_aborted_search_would_return_is_no_bound() {
    let digits = Chain::new(0_i64, 9).expect("in order");
    let game = game(digits, and([leaf(5), or([leaf(3), leaf(2)]), leaf(0)]));
    let full = Window::full(&digits);
    for visits in 0..6 {
        let budget = Budget::visits_at_most(visits);
        let plain = minimax(&game, &game, &mut Env::new(&budget));
        let budget = Budget::visits_at_most(visits);
        let cut = alpha_beta(&game, &game, &full, FailSoft, &mut Env::new(&budget));
        for outcome in [plain, cut] {
            assert_eq!(*outcome.value.lower(), 0, "after {visits} visits");
        }
    }
}
