//! Searches for proofs: known orders, agreement with plain evaluation over several lattices, limits
//! at every visit, tiny tables.

use std::collections::HashMap;

use meetjoin_dag::{Graph, Kind, NodeId};
use meetjoin_lattice::{
    Bool, Budget, Chain, FiniteLattice, Interval, Lattice, Limits, MemoryLimit, Stop, Words,
};
use meetjoin_search::proof::{
    BestFirstProver, ChildCounts, Decision, DepthFirstProver, DfPn, Form, INFINITY, LEAST_ENTRIES,
    LeafCosts, NoProofGraph, ProofFault, ProofGraph, ProofNumberSearch, ProofNumbers, ProofTable,
    Reason, Records, Sums, Threshold, ThresholdBounds, Verdict, by_worlds, check_proof, df_pn,
    multi_valued, proof_graph, proof_number,
};
use meetjoin_search::total_order::{Question, test};
use meetjoin_search::{Counts, Env, Observer, Outcome};
use proptest::prelude::*;
use serde_json::Value;

use crate::depth::{chain, on_a_default_stack};
use crate::support::graphs::any_graph;
use crate::support::{Game, cases, families, game, m3, n5, sets};
use crate::total_order::alternating;

/// The leaves in the order in which they are evaluated.
#[derive(Default)]
struct Leaves(Vec<NodeId>);

impl<E> Observer<NodeId, E> for Leaves {
    fn leaf(&mut self, node: &NodeId) {
        self.0.push(*node);
    }
}

/// The way to each node of a tree, as places of children.
fn paths(graph: &Graph) -> HashMap<NodeId, Vec<u64>> {
    let mut paths = HashMap::from([(graph.root(), Vec::new())]);
    let mut open = vec![graph.root()];
    while let Some(node) = open.pop() {
        for (place, &child) in (0..).zip(graph.row(node).iter()) {
            let mut path = paths[&node].clone();
            path.push(place);
            paths.insert(child, path);
            open.push(child);
        }
    }
    paths
}

#[test]
fn the_slides_evaluate_the_known_leaves_in_the_known_order() {
    let file: Value = serde_json::from_str(&cases("seed002.json")).expect("valid JSON");
    let mut seen = 0;
    for case in file["cases"].as_array().expect("a list") {
        let id = &case["id"];
        let lattice = Chain::new(-1_000_000, 1_000_000).expect("in order");
        let game = game(lattice, alternating(&case["tree"], case["root"] == "max"));
        let paths = paths(&game.graph);
        let known = case.get("pn").and_then(Value::as_array);
        for known in known.into_iter().flatten() {
            let at_least = known[0].as_i64().expect("an integer");
            let claim = Threshold::new(&game, at_least);
            let free = Budget::unlimited();
            let costs = LeafCosts::new(&game, |_| 1, &free).expect("no limit");
            let how = ProofNumberSearch {
                form: Form::Slides,
                sums: Sums::Plain,
                initial: &costs,
            };
            let mut env = Env::new(&free)
                .with_store(Records::new())
                .with_observer(Leaves::default());
            let decision = proof_number(&game, &claim, how, &mut env);
            assert_eq!(
                decision.verdict.answer(),
                known[1].as_bool(),
                "{id} {at_least}"
            );
            let order: Vec<_> = env.observer.0.iter().map(|leaf| &paths[leaf]).collect();
            assert_eq!(serde_json::json!(order), known[2], "{id} {at_least}");
            seen += 1;
        }
    }
    assert!(seen >= 20, "{seen} claims");
}

/// A claim of a game, with bounds if the game has any.
struct Claim<'a, L: Lattice> {
    game: &'a Game<L>,
    threshold: Threshold<'a, Game<L>, L::Elem>,
    holds: bool,
}

impl<'a, L: Lattice> Claim<'a, L> {
    fn new(game: &'a Game<L>, at_least: &L::Elem) -> Self {
        Self {
            game,
            threshold: Threshold::new(game, at_least.clone()),
            holds: game.leq(at_least, &game.value()),
        }
    }

    fn bounds(&self) -> ThresholdBounds<'a, L, L::Elem, &'a Game<L>> {
        let at_least = self.threshold.at_least().clone();
        ThresholdBounds::new(&self.game.lattice, at_least, self.game)
    }

    /// An answer is right, a stop has none, and the numbers say the same.
    fn check(&self, decision: Decision, what: &str) {
        let Decision {
            verdict,
            numbers,
            stop,
        } = decision;
        assert_eq!(numbers.verdict(), verdict, "{what}");
        assert_eq!(verdict == Verdict::Unknown, stop.is_some(), "{what}");
        if let Some(answer) = verdict.answer() {
            assert_eq!(answer, self.holds, "{what}");
            let solved = if answer { (0, INFINITY) } else { (INFINITY, 0) };
            assert_eq!((numbers.proof, numbers.disproof), solved, "{what}");
        } else {
            assert!(
                numbers.proof < INFINITY && numbers.disproof < INFINITY,
                "{what}"
            );
        }
    }
}

/// The kinds of best-first search.
fn best_first() -> impl Iterator<Item = (Form, Sums)> {
    let forms = [Form::Allis, Form::Slides].into_iter();
    forms.flat_map(|form| [Sums::Plain, Sums::Weak].map(|sums| (form, sums)))
}

/// Numbers that depend on the node, and are anything.
fn odd(node: NodeId) -> ProofNumbers {
    let i = node.index() as u32;
    let proof = i.wrapping_mul(2_654_435_761) >> (i % 32);
    let disproof = i % 3;
    ProofNumbers { proof, disproof }
}

fn check_best_first<L: Lattice>(claim: &Claim<'_, L>) {
    let (game, free) = (claim.game, Budget::unlimited());
    for (form, sums) in best_first() {
        let what = format!("{form:?} {sums:?}");
        let mut visits = Vec::new();
        for _ in 0..2 {
            let how = ProofNumberSearch {
                form,
                sums,
                initial: (),
            };
            let mut env = Env::new(&free)
                .with_store(Records::new())
                .with_observer((Counts::default(), Leaves::default()))
                .with_heuristic(claim.bounds());
            let decision = proof_number(game, &claim.threshold, how, &mut env);
            claim.check(decision, &what);
            check_records(claim, &env.store, &what);
            let graph = env.store.proof_graph(&game.graph.root(), &free);
            check_graph(claim, &graph.expect("solved"), &what);
            let nodes = game.graph.node_count();
            assert!(env.store.len() <= nodes && env.observer.0.visits <= nodes as u64);
            visits.push((env.observer.0, env.observer.1.0));
        }
        assert_eq!(visits[0], visits[1], "{what}: not deterministic");
        let how = ProofNumberSearch {
            form,
            sums,
            initial: |node: &NodeId, _: Kind| odd(*node),
        };
        let mut env = Env::new(&free).with_store(Records::new());
        let decision = proof_number(game, &claim.threshold, how, &mut env);
        claim.check(decision, &what);
        assert_eq!(decision.stop, None, "{what}");
        // Stopped at every visit, and gone on with.
        for limit in 0..visits[0].0.visits {
            let how = ProofNumberSearch {
                form,
                sums,
                initial: (),
            };
            let mut records = Records::new();
            let few = Budget::visits_at_most(limit);
            let mut env = Env::new(&few)
                .with_store(&mut records)
                .with_heuristic(claim.bounds());
            let decision = proof_number(game, &claim.threshold, how, &mut env);
            claim.check(decision, &what);
            assert_eq!(decision.stop, Some(Stop::Visits), "{what}");
            check_records(claim, &records, &what);
            let mut counts = Counts::default();
            let mut env = Env::new(&free)
                .with_store(&mut records)
                .with_observer(&mut counts)
                .with_heuristic(claim.bounds());
            let decision = proof_number(game, &claim.threshold, how, &mut env);
            claim.check(decision, &what);
            assert_eq!(decision.stop, None, "{what}");
            assert_eq!(limit + counts.visits, visits[0].0.visits, "{what}");
        }
    }
}

/// What is solved is solved rightly.
fn check_records<L: Lattice>(claim: &Claim<'_, L>, records: &Records<NodeId>, what: &str) {
    let game = claim.game;
    for (node, value) in game.graph.nodes().zip(game.all_values()) {
        let known = records.numbers_of(&node).map(ProofNumbers::verdict);
        if let Some(answer) = known.and_then(Verdict::answer) {
            let holds = game.leq(claim.threshold.at_least(), &value);
            assert_eq!(answer, holds, "{what}");
        }
    }
}

/// A proof shows what is true, and is the smaller for what is left out.
fn check_graph<L: Lattice>(claim: &Claim<'_, L>, graph: &ProofGraph<NodeId>, what: &str) {
    assert_eq!(graph.answer, claim.holds, "{what}");
    let free = Budget::unlimited();
    let check = |graph: &ProofGraph<NodeId>| {
        check_proof(
            claim.game,
            &claim.threshold,
            &mut claim.bounds(),
            graph,
            &free,
        )
    };
    assert_eq!(check(graph), Ok(()), "{what}");
    let rests_on_bounds = graph.steps.iter().any(|step| step.reason == Reason::Bounds);
    let without = check_proof(claim.game, &claim.threshold, &mut (), graph, &free);
    assert_eq!(without.is_err(), rests_on_bounds, "{what}");
    // Each step is needed, and the answer is the right one.
    for i in 0..graph.steps.len() {
        let mut less = graph.clone();
        let node = less.steps.remove(i).node;
        assert_eq!(check(&less), Err(ProofFault::NoStep(node)), "{what}");
        let mut less = graph.clone();
        if let Reason::Children(children) = &mut less.steps[i].reason {
            let gone = children.pop();
            if !children.iter().any(|child| Some(*child) == gone) {
                let node = less.steps[i].node;
                assert_eq!(check(&less), Err(ProofFault::LeftOut(node)), "{what}");
            }
        }
    }
    let mut wrong = graph.clone();
    wrong.answer = !wrong.answer;
    assert!(check(&wrong).is_err(), "{what}");
}

/// A table of so many slots.
fn table(slots: usize) -> ProofTable<NodeId> {
    let least = ProofTable::<NodeId>::least_bytes();
    ProofTable::with_bytes(slots * least / LEAST_ENTRIES).expect("enough")
}

/// The kinds of depth-first search.
fn depth_first() -> impl Iterator<Item = DfPn> {
    let epsilons = [0, 25, 1000].into_iter();
    epsilons.flat_map(|epsilon| {
        [Sums::Plain, Sums::Weak].map(|sums| DfPn {
            sums,
            epsilon,
            initial: (),
        })
    })
}

fn check_depth_first<L: Lattice>(claim: &Claim<'_, L>) {
    let (game, free) = (claim.game, Budget::unlimited());
    for how in depth_first() {
        let mut seen = Vec::new();
        for slots in [8, 9, 16, 1000, 1000] {
            let what = format!("{how:?} {slots} slots");
            let mut env = Env::new(&free)
                .with_store(table(slots))
                .with_observer((Counts::default(), Leaves::default()))
                .with_heuristic(claim.bounds());
            let decision = df_pn(game, &claim.threshold, how, &mut env);
            claim.check(decision, &what);
            assert_eq!(decision.stop, None, "{what}");
            check_table(claim, &env.store, &what);
            let counts = env.observer.0;
            let graph = proof_graph(game, &claim.threshold, &how, &mut env);
            check_graph(claim, &graph.expect("no limit"), &what);
            seen.push((counts, env.observer.1.0));
        }
        assert_eq!(seen[3], seen[4], "{how:?}: not deterministic");
        let how_odd = DfPn {
            sums: how.sums,
            epsilon: how.epsilon,
            initial: |node: &NodeId, _: Kind| odd(*node),
        };
        let mut env = Env::new(&free).with_store(table(64));
        let decision = df_pn(game, &claim.threshold, how_odd, &mut env);
        claim.check(decision, "odd numbers");
        assert_eq!(decision.stop, None);
        let counted = DfPn {
            sums: how.sums,
            epsilon: how.epsilon,
            initial: ChildCounts::new(game),
        };
        let mut env = Env::new(&free).with_store(table(64));
        let decision = df_pn(game, &claim.threshold, counted, &mut env);
        claim.check(decision, "counted children");
        assert_eq!(decision.stop, None);
        // Stopped at every visit, and gone on with.
        for (slots, visits) in [(8, seen[0].0.visits), (1000, seen[3].0.visits)] {
            for limit in (0..visits).step_by(1 + visits as usize / 50) {
                let what = format!("{how:?} {slots} slots {limit} visits");
                let few = Budget::visits_at_most(limit);
                let mut table = table(slots);
                let mut env = Env::new(&few)
                    .with_store(&mut table)
                    .with_heuristic(claim.bounds());
                let decision = df_pn(game, &claim.threshold, how, &mut env);
                claim.check(decision, &what);
                assert_eq!(decision.stop, Some(Stop::Visits), "{what}");
                check_table(claim, &table, &what);
                let mut env = Env::new(&free)
                    .with_store(&mut table)
                    .with_heuristic(claim.bounds());
                let decision = df_pn(game, &claim.threshold, how, &mut env);
                claim.check(decision, &what);
                assert_eq!(decision.stop, None, "{what}");
            }
        }
    }
}

/// What is solved is solved rightly.
fn check_table<L: Lattice>(claim: &Claim<'_, L>, table: &ProofTable<NodeId>, what: &str) {
    let game = claim.game;
    assert!(table.len() <= table.capacity(), "{what}");
    for (node, value) in game.graph.nodes().zip(game.all_values()) {
        let known = table.numbers_of(&node).map(ProofNumbers::verdict);
        if let Some(answer) = known.and_then(Verdict::answer) {
            let holds = game.leq(claim.threshold.at_least(), &value);
            assert_eq!(answer, holds, "{what}");
        }
    }
}

/// Loosens the values of all nodes to bounds, by other elements of the lattice.
fn loosen<L: Lattice>(game: &mut Game<L>, by: &[L::Elem]) {
    let free = Budget::unlimited();
    let bounds = game.all_values().into_iter().enumerate().map(|(i, value)| {
        let (mut lower, mut upper) = (value.clone(), value);
        let (a, b) = (&by[i % by.len()], &by[(i + 1) % by.len()]);
        let lattice = &game.lattice;
        lattice.meet_assign(&mut lower, a, &free).expect("no limit");
        lattice.join_assign(&mut upper, b, &free).expect("no limit");
        Interval::new(lower, upper)
    });
    game.bounds = Some(bounds.collect());
}

/// The value by several claims, in every table, with and without limits.
fn check_multi_valued(game: &Game<Chain<i8>>, guess: i8) {
    for how in depth_first() {
        for slots in [8, 1000] {
            let table = table(slots);
            check_value(
                game,
                || DepthFirstProver {
                    how,
                    table: table.clone(),
                },
                |prover, env| multi_valued(game, game, guess, prover, env),
            );
        }
    }
    let best = || BestFirstProver::new(ProofNumberSearch::default());
    check_value(game, best, |prover, env| {
        multi_valued(game, game, guess, prover, env)
    });
}

/// A search for the value, with and without limits.
fn check_value<L: Lattice, P>(
    game: &Game<L>,
    prover: impl Fn() -> P,
    search: impl Fn(&mut P, &mut Env<'_, (), &Game<L>, &mut Counts>) -> Outcome<L::Elem>,
) {
    let run = |counts: &mut Counts, budget: &Budget| {
        let env = Env::new(budget).with_observer(counts).with_heuristic(game);
        search(&mut prover(), &mut { env })
    };
    let (value, mut counts) = (game.value(), Counts::default());
    let outcome = run(&mut counts, &Budget::unlimited());
    assert_eq!((outcome.exact(), outcome.stop), (Some(&value), None));
    for limit in (0..counts.visits).step_by(1 + counts.visits as usize / 20) {
        let outcome = run(&mut Counts::default(), &Budget::visits_at_most(limit));
        assert!(game.contains(&outcome.value, &value));
        assert_eq!(outcome.stop.is_some(), outcome.exact().is_none());
    }
}

/// Checks every search for every threshold, without and with bounds.
fn play<L: Lattice>(graph: &Graph, lattice: L, elements: &[L::Elem], thresholds: &[L::Elem]) {
    let values = (0..graph.leaf_count()).map(|i| elements[i % elements.len()].clone());
    let mut game = Game {
        values: values.collect(),
        graph: graph.clone(),
        lattice,
        bounds: None,
    };
    for with_bounds in [false, true] {
        if with_bounds {
            loosen(&mut game, elements);
        }
        for at_least in thresholds {
            let claim = Claim::new(&game, at_least);
            check_test(&claim);
            check_best_first(&claim);
            check_depth_first(&claim);
        }
    }
}

/// The adapter turns any search for chains into an answer.
fn check_test<L: Lattice>(claim: &Claim<'_, L>) {
    let patience = Budget::visits_at_most(20_000);
    let mut env = Env::new(&patience).with_heuristic(claim.bounds());
    let tested = test(
        claim.game,
        &claim.threshold,
        Question::AtLeast(true),
        &mut env,
    );
    if tested.stop.is_none() {
        assert_eq!(tested.answer, Some(claim.holds));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn chains(graph in any_graph(), elements in prop::collection::vec(-5..5_i64, 1..9), t in -4..6_i64) {
        play(&graph, Chain::new(-5, 5).expect("in order"), &elements, &[t]);
    }

    #[test]
    fn values_by_claims(
        graph in any_graph(),
        elements in prop::collection::vec(-100..100_i8, 1..9),
        guess in -128..=127_i8,
        bounded: bool,
    ) {
        let lattice = Chain::new(-128, 127).expect("in order");
        let values = (0..graph.leaf_count()).map(|i| elements[i % elements.len()]);
        let mut game = Game { values: values.collect(), graph, lattice, bounds: None };
        if bounded {
            loosen(&mut game, &elements);
        }
        check_multi_valued(&game, guess);
    }

    #[test]
    fn powersets(graph in any_graph(), words in prop::collection::vec(0..16_u64, 1..9)) {
        let elements: Vec<_> = words.into_iter().map(|w| Words([w])).collect();
        let thresholds: Vec<_> = (0..4).map(|world| Words([1 << world])).collect();
        play(&graph, sets(4), &elements, &thresholds);
        let values = (0..graph.leaf_count()).map(|i| elements[i % elements.len()]);
        let game = Game { values: values.collect(), graph, lattice: sets(4), bounds: None };
        let depth = || DepthFirstProver { how: DfPn::default(), table: table(8) };
        check_value(&game, depth, |prover, env| by_worlds(&game, &game, prover, env));
        let best = || BestFirstProver::new(ProofNumberSearch::default());
        check_value(&game, best, |prover, env| by_worlds(&game, &game, prover, env));
    }

    #[test]
    fn families_of_sets(
        graph in any_graph(),
        words in prop::collection::vec(prop::collection::vec(0..16_u64, 0..4), 1..9),
        t in 0..16_u64,
    ) {
        let lattice = families(4);
        let free = Budget::unlimited();
        let family = |words: Vec<u64>| {
            let words = words.into_iter().map(|w| Words([w]));
            lattice.generated_by(words, &free).expect("no limit")
        };
        let elements: Vec<_> = words.into_iter().map(family).collect();
        let threshold = lattice.principal(Words([t]));
        play(&graph, lattice.clone(), &elements, &[threshold]);
    }

    /// Join-primes need no distributivity. N5 has two, M3 none.
    #[test]
    fn lattices_that_are_not_distributive(graph in any_graph(), elements in prop::collection::vec(0..5_u32, 1..9)) {
        let primes = |lattice: &FiniteLattice| -> Vec<u32> {
            let free = Budget::unlimited();
            let leq = |a: u32, b: u32| lattice.leq(&a, &b, &free).expect("no limit");
            let splits = |t: u32, a: u32, b: u32| {
                let mut join = a;
                lattice.join_assign(&mut join, &b, &free).expect("no limit");
                leq(t, join) && !leq(t, a) && !leq(t, b)
            };
            let pairs = || (0..25).map(|ab| (ab / 5, ab % 5));
            (1..5).filter(|&t| !pairs().any(|(a, b)| splits(t, a, b))).collect()
        };
        let (n5, m3) = (n5(), m3());
        prop_assert_eq!(primes(&n5), [1, 3]);
        prop_assert!(primes(&m3).is_empty());
        play(&graph, n5, &elements, &[1, 3]);
    }

    /// For a threshold that is not join-prime, proved is still right.
    #[test]
    fn a_proof_is_right_for_any_threshold(graph in any_graph(), elements in prop::collection::vec(0..5_u32, 1..9), t in 0..5_u32) {
        let values = (0..graph.leaf_count()).map(|i| elements[i % elements.len()]);
        let game = Game { values: values.collect(), graph, lattice: m3(), bounds: None };
        let (claim, free) = (Claim::new(&game, &t), Budget::unlimited());
        let mut env = Env::new(&free).with_store(Records::new());
        let decision = proof_number(&game, &claim.threshold, ProofNumberSearch::default(), &mut env);
        prop_assert!(decision.verdict != Verdict::Proved || claim.holds);
    }
}

/// A graph of many paths: 40 layers of two nodes, each with both nodes of the next layer as
/// children.
fn ladder() -> Game<Bool> {
    let inner: Vec<_> = (0..80_u16)
        .map(|i| (i % 4 < 2, 0, vec![i % 2, 1 - i % 2, i % 3]))
        .collect();
    let graph = crate::support::graphs::graph(&inner, 5, 1);
    Game {
        values: (0..graph.leaf_count()).map(|i| i % 2 == 0).collect(),
        graph,
        lattice: Bool,
        bounds: None,
    }
}

#[test]
fn where_paths_multiply_numbers_stay_below_infinity() {
    let game = ladder();
    let claim = Claim::new(&game, &true);
    check_best_first(&claim);
    check_depth_first(&claim);
}

#[test]
fn a_memory_limit_leaves_an_answer_unknown() {
    let game = ladder();
    let claim = Claim::new(&game, &true);
    for bytes in [0, 100, 800] {
        let budget = Budget::new(Limits {
            memory: Some(MemoryLimit { bytes, used: || 0 }),
            ..Limits::default()
        });
        let mut env = Env::new(&budget).with_store(Records::new());
        let how = ProofNumberSearch::default();
        let decision = proof_number(&game, &claim.threshold, how, &mut env);
        claim.check(decision, "memory");
        assert_eq!(decision.stop, Some(Stop::Memory));
    }
}

#[test]
fn progress_shows_the_numbers_of_the_root() {
    #[derive(Default)]
    struct Watch(Vec<ProofNumbers>);
    impl Observer<NodeId, bool> for Watch {
        fn wants_progress(&mut self) -> bool {
            true
        }

        fn proof_numbers(&mut self, root: ProofNumbers) {
            self.0.push(root);
        }
    }
    let game = ladder();
    let claim = Claim::new(&game, &true);
    let free = Budget::unlimited();
    let mut env = Env::new(&free)
        .with_store(Records::new())
        .with_observer(Watch::default());
    proof_number(
        &game,
        &claim.threshold,
        ProofNumberSearch::default(),
        &mut env,
    );
    assert_eq!(env.observer.0.first(), Some(&ProofNumbers::OPEN));
}

/// Tables that are far too small: work is lost over and over, and the answer is right.
#[test]
fn forgetting_costs_time_and_nothing_else() {
    let mut forgotten = 0;
    for seed in 0..60_u16 {
        let random = |i: u16| i.wrapping_mul(7919).wrapping_add(seed.wrapping_mul(31)) >> 3;
        let inner = (0..40_u16).map(|i| {
            let picks = (0..3).map(|k| random(7 * i + k)).collect();
            (random(i) % 5 < 2 + seed % 2, 0, picks)
        });
        let graph = crate::support::graphs::graph(&inner.collect::<Vec<_>>(), 12, 1);
        let values = (0..graph.leaf_count()).map(|i| random(i as u16 + 1) % 2 == 0);
        let game = Game {
            values: values.collect(),
            graph,
            lattice: Bool,
            bounds: None,
        };
        let claim = Claim::new(&game, &true);
        for how in depth_first() {
            for slots in [8, 16, 32, 64] {
                let free = Budget::unlimited();
                let mut env = Env::new(&free).with_store(table(slots));
                let decision = df_pn(&game, &claim.threshold, how, &mut env);
                claim.check(decision, "a tiny table");
                assert_eq!(decision.stop, None);
                check_table(&claim, &env.store, "a tiny table");
                forgotten += env.store.collections();
            }
        }
    }
    assert!(forgotten > 1000, "{forgotten} collections");
}

#[test]
fn a_search_that_was_stopped_has_no_proof() {
    let game = ladder();
    let claim = Claim::new(&game, &true);
    let none = Budget::visits_at_most(1);
    let mut env = Env::new(&none).with_store(Records::new());
    let how = ProofNumberSearch::default();
    proof_number(&game, &claim.threshold, how, &mut env);
    let graph = env.store.proof_graph(&game.graph.root(), &none);
    assert_eq!(graph, Err(NoProofGraph::Unknown));
    let none = Budget::visits_at_most(1);
    let mut env = Env::new(&none).with_store(table(100));
    let graph = proof_graph(&game, &claim.threshold, &DfPn::default(), &mut env);
    assert_eq!(graph, Err(NoProofGraph::Stop(Stop::Visits)));
}

#[test]
fn a_chain_of_ten_million_nodes() {
    on_a_default_stack(|| {
        let game = Game {
            graph: chain(10_000_000),
            lattice: Bool,
            values: vec![true],
            bounds: None,
        };
        let claim = Threshold::new(&game, true);
        let free = Budget::unlimited();
        let mut env = Env::new(&free)
            .with_store(table(1000))
            .with_observer(Counts::default());
        let decision = df_pn(&game, &claim, DfPn::default(), &mut env);
        assert_eq!(decision.verdict, Verdict::Proved);
        assert_eq!(env.observer.visits, 10_000_000);
    });
}

#[test]
fn a_proof_of_a_million_steps() {
    on_a_default_stack(|| {
        let game = Game {
            graph: chain(1_000_000),
            lattice: Bool,
            values: vec![true],
            bounds: None,
        };
        let claim = Threshold::new(&game, true);
        let free = Budget::unlimited();
        let costs = LeafCosts::new(&game, |_| 1, &free).expect("no limit");
        let how = ProofNumberSearch {
            form: Form::Slides,
            sums: Sums::Plain,
            initial: &costs,
        };
        let mut env = Env::new(&free).with_store(Records::new());
        let decision = proof_number(&game, &claim, how, &mut env);
        assert_eq!(decision.verdict, Verdict::Proved);
        let root = game.graph.root();
        let proof = env.store.proof_graph(&root, &free).expect("no limit");
        assert_eq!(proof.steps.len(), 1_000_001);
        let checked = check_proof(&game, &claim, &mut (), &proof, &free);
        assert_eq!(checked, Ok(()));
    });
}
