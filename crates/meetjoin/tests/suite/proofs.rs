//! Proofs on games: claims against values of other searches, with tables of all sizes, and the
//! proofs themselves.

use meetjoin::dag::{AndOrDag, Heuristic, HiddenFamilies, HiddenSets, Stakes, Valuation};
use meetjoin::games::{ConnectFour, Playable, Racing, RacingHands, TicTacToe};
use meetjoin::lattice::{Bool, Budget, Lattice, Words};
use meetjoin::search::proof::{
    DepthFirstProver, DfPn, ProofNumberSearch, ProofTable, Records, Sums, Threshold,
    ThresholdBounds, check_proof, df_pn, multi_valued, proof_graph, proof_number,
};
use meetjoin::search::total_order::nega_scout;
use meetjoin::search::{Counts, Env, Table, Window, minimax_cached};

/// A table of so many kibibytes.
fn table<D: AndOrDag>(_: &D, kibibytes: usize) -> ProofTable<D::Node> {
    ProofTable::with_bytes(kibibytes << 10).expect("enough")
}

/// The answers of all searches, and their proofs.
fn check<D, V, H>(dag: &D, claim: &V, mut bounds: H, holds: bool, kibibytes: usize)
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice = Bool>,
    H: Heuristic<D::Node, Bool>,
{
    let free = Budget::unlimited();
    for sums in [Sums::Plain, Sums::Weak] {
        let how = DfPn {
            sums,
            ..DfPn::default()
        };
        let mut env = Env::new(&free)
            .with_store(table(dag, kibibytes))
            .with_heuristic(&mut bounds);
        let decision = df_pn(dag, claim, how, &mut env);
        assert_eq!(decision.verdict.answer(), Some(holds));
        let proof = proof_graph(dag, claim, &how, &mut env).expect("no limit");
        assert_eq!(proof.answer, holds);
        check_proof(dag, claim, &mut bounds, &proof, &free).expect("a proof");
    }
    let mut env = Env::new(&free)
        .with_store(Records::new())
        .with_heuristic(&mut bounds);
    let decision = proof_number(dag, claim, ProofNumberSearch::default(), &mut env);
    assert_eq!(decision.verdict.answer(), Some(holds));
    let proof = env.store.proof_graph(&dag.root(), &free).expect("no limit");
    check_proof(dag, claim, &mut bounds, &proof, &free).expect("a proof");
}

#[test]
fn connect_four() {
    for (columns, rows, moves) in [(4, 4, ""), (5, 4, ""), (7, 6, "4444443333331111115555552")] {
        let game = ConnectFour::new(columns, rows)
            .expect("a board")
            .after(moves)
            .expect("a position");
        let free = Budget::unlimited();
        let window = Window::full(game.lattice());
        let mut env = Env::new(&free).with_store(Table::new());
        let value = nega_scout(&game, &game, &window, &mut env);
        let value = *value.exact().expect("no limit");
        for kibibytes in [16, 4096] {
            let mut env = Env::new(&free).with_heuristic(game);
            let mut prover = DepthFirstProver {
                how: DfPn::default(),
                table: table(&game, kibibytes),
            };
            let outcome = multi_valued(&game, &game, 0, &mut prover, &mut env);
            assert_eq!(outcome.exact(), Some(&value));
        }
        for at_least in [value - 1, value, value + 1] {
            let claim = Threshold::new(&game, at_least);
            let bounds = ThresholdBounds::new(game.lattice(), at_least, game);
            check(&game, &claim, bounds, at_least <= value, 4096);
            check(&game, &claim, (), at_least <= value, 64);
        }
    }
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let game = TicTacToe::default();
    for (at_least, holds) in [(0, true), (1, false)] {
        let claim = Threshold::new(&game, at_least);
        check(&game, &claim, (), holds, 1);
    }
}

#[test]
fn racing_by_worlds_and_by_sets_of_worlds() {
    let free = Budget::unlimited();
    for seed in 0..6 {
        let game = Racing::random(9, 3, 3, seed).expect("a deal");
        let listed = RacingHands::new(&game);
        let stakes = Stakes::all(&listed);
        let sets = HiddenSets::<_, Words<4>>::new(&listed, &stakes).expect("few worlds");
        let mut env = Env::new(&free).with_store(Table::new());
        let value = minimax_cached(&game, &sets, &mut env);
        let value = *value.exact().expect("no limit");
        let leq = |t: &Words<4>| sets.lattice().leq(t, &value, &free) == Ok(true);
        let worlds = game.world_count() as usize;
        for world in 0..worlds {
            let t = sets.lattice().set([world]).expect("a world");
            check(&game, &Threshold::new(&sets, t), (), leq(&t), 16);
        }
        let listed = RacingHands::new(&game);
        let stakes = Stakes::all(&listed);
        let families = HiddenFamilies::<_, Words<4>>::new(&listed, &stakes).expect("few worlds");
        let mut env = Env::new(&free).with_store(Table::new());
        let value = minimax_cached(&game, &families, &mut env);
        let value = value.exact().expect("no limit");
        for worlds in [0..worlds, 0..worlds / 2, 0..1] {
            let t = sets.lattice().set(worlds).expect("worlds");
            let t = families.lattice().principal(t);
            let holds = families.lattice().leq(&t, value, &free) == Ok(true);
            check(&game, &Threshold::new(&families, t), (), holds, 16);
        }
    }
}

/// A table that is filled many times over, and a limit: numbers are left.
#[test]
fn a_stopped_search_says_unknown_and_how_much_is_missing() {
    let game = ConnectFour::new(7, 6).expect("a board");
    let claim = Threshold::new(&game, 1);
    let few = Budget::visits_at_most(20_000);
    let mut env = Env::new(&few).with_store(table(&game, 64));
    let decision = df_pn(&game, &claim, DfPn::default(), &mut env);
    assert_eq!(decision.verdict.answer(), None);
    assert!(decision.stop.is_some() && env.store.collections() > 0);
    assert!(decision.numbers.proof > 1 && decision.numbers.disproof > 1);
}

/// Expansions that a change of the code must not change unseen.
#[test]
fn as_many_expansions_as_before() {
    let game = ConnectFour::new(5, 4).expect("a board");
    let free = Budget::unlimited();
    let mut counts = Vec::new();
    for at_least in [0, 1] {
        let claim = Threshold::new(&game, at_least);
        for sums in [Sums::Plain, Sums::Weak] {
            let how = DfPn {
                sums,
                ..DfPn::default()
            };
            let mut env = Env::new(&free)
                .with_store(table(&game, 16 << 10))
                .with_observer(Counts::default());
            df_pn(&game, &claim, how, &mut env);
            counts.push(env.observer.visits);
            let how = ProofNumberSearch {
                sums,
                ..ProofNumberSearch::default()
            };
            let mut env = Env::new(&free)
                .with_store(Records::new())
                .with_observer(Counts::default());
            proof_number(&game, &claim, how, &mut env);
            counts.push(env.observer.visits);
        }
    }
    let before = [
        164_207, 74_178, 329_471, 125_319, 203_393, 101_027, 253_925, 99_865,
    ];
    assert_eq!(counts, before);
}

/// The value is 0, so two claims are asked: at least 0, at least 1.
#[test]
fn what_one_threshold_found_helps_at_the_next() {
    let game = ConnectFour::new(5, 4).expect("a board");
    let free = Budget::unlimited();
    let how = DfPn::default();
    let alone = [0, 1].map(|at_least| {
        let claim = Threshold::new(&game, at_least);
        let bounds = ThresholdBounds::new(game.lattice(), at_least, game);
        let mut env = Env::new(&free)
            .with_store(table(&game, 16 << 10))
            .with_observer(Counts::default())
            .with_heuristic(bounds);
        df_pn(&game, &claim, how, &mut env);
        env.observer.visits
    });
    let table = table(&game, 16 << 10);
    let mut prover = DepthFirstProver { how, table };
    let mut env = Env::new(&free)
        .with_observer(Counts::default())
        .with_heuristic(game);
    let outcome = multi_valued(&game, &game, 0, &mut prover, &mut env);
    assert_eq!(outcome.exact(), Some(&0));
    assert_eq!((alone, env.observer.visits), ([103_926, 168_476], 190_027));
}
