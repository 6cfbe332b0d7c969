//! Evaluating racing with both hands known, against evaluation without that: the whole value in
//! sets of worlds, and the cost of one position.
//!
//! Run with `cargo bench -p meetjoin-benches --bench racing`. The deals are
//! `Racing::random(deck, goal, hand, seed)`, for three seeds. Tables are new in each run of
//! *winning hands*; in *one position* they are filled, and the time is that of the first thousand
//! inner positions in breadth-first order, or of a thousand taken at equal distances from all of
//! them.

use std::collections::HashSet;
use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use meetjoin_dag::{AndOrDag, Heuristic, HiddenFamilies, Kind, Stakes, Valuation};
use meetjoin_games::{
    OneStrategy, PerfectInformation, Quotient, Racing, RacingHands, RacingPosition,
};
use meetjoin_lattice::{Budget, Words};
use meetjoin_search::proof::Threshold;
use meetjoin_search::total_order::{Question, test};
use meetjoin_search::{Env, Table, Window, alpha_beta_duo, minimax_cached};

fn deal(deck: u8, hand: u8, goal: u8, seed: u64) -> Racing {
    Racing::random(deck, goal, hand, seed).expect("a fine deal")
}

/// The inner positions that can be reached, breadth first.
fn inner_positions(game: &Racing) -> Vec<RacingPosition> {
    let mut nodes = vec![game.root()];
    let mut seen: HashSet<_> = nodes.iter().copied().collect();
    let (mut next, mut children) = (0, Vec::new());
    while let Some(node) = nodes.get(next) {
        game.children(node, &mut children);
        let inner = |child: &RacingPosition| game.kind(child) != Kind::Leaf;
        let new = children.drain(..).filter(|c| inner(c) && seen.insert(*c));
        nodes.extend(new);
        next += 1;
    }
    nodes
}

fn winning_hands(criterion: &mut Criterion) {
    let budget = Budget::unlimited();
    let mut group = criterion.benchmark_group("winning hands");
    group.sample_size(10);
    for (deck, hand, goal) in [(20, 7, 5), (34, 11, 6), (40, 13, 7)] {
        for seed in 1..=3 {
            let game = deal(deck, hand, goal, seed);
            let name = BenchmarkId::new(format!("deck {deck}, hand {hand}, goal {goal}"), seed);
            group.bench_function(name, |bencher| bencher.iter(|| game.winning_hands(&budget)));
        }
    }
    group.finish();
}

fn whole_values(criterion: &mut Criterion) {
    let budget = Budget::unlimited();
    let mut group = criterion.benchmark_group("deck 20, hand 7, goal 5");
    group.sample_size(10);
    for seed in 1..=3 {
        let game = deal(20, 7, 5, seed);
        let merged = Quotient(game.clone());
        let hands = RacingHands::new(&game);
        let stakes = Stakes::all(&hands);
        let families = HiddenFamilies::<_, Words<16>>::new(&hands, &stakes).expect("924 worlds");
        let sets = families.as_sets();
        let env = || Env::new(&budget).with_store(Table::new());
        group.bench_function(BenchmarkId::new("sets, minimax-cached", seed), |bencher| {
            bencher.iter(|| minimax_cached(&game, sets, &mut env()).exact().copied());
        });
        let name = BenchmarkId::new("sets, minimax-cached, touching cards merged", seed);
        group.bench_function(name, |bencher| {
            bencher.iter(|| minimax_cached(&merged, sets, &mut env()).exact().copied());
        });
        let window = Window::full(families.lattice());
        let name = BenchmarkId::new("families, alpha-beta-duo with bounds", seed);
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let bounds = PerfectInformation::new(sets);
                let env = Env::new(&budget).with_store(Table::new());
                let mut env = env.with_heuristic(bounds);
                alpha_beta_duo(&merged, &families, &window, &mut env)
            });
        });
        let name = BenchmarkId::new("families, whether it is one set, TEST with bounds", seed);
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let all = PerfectInformation::new(sets).seen(&game.root(), &budget);
                let all = all.expect("no limit").expect("it is known");
                let claim = Threshold::new(&families, families.lattice().principal(all));
                let env = Env::new(&budget).with_store(Table::new());
                let mut env = env.with_heuristic(OneStrategy::new(sets, all));
                test(&merged, &claim, Question::AtLeast(true), &mut env).answer
            });
        });
    }
    group.finish();
}

fn one_position(criterion: &mut Criterion) {
    let budget = Budget::unlimited();
    let mut group = criterion.benchmark_group("a thousand positions");
    group.sample_size(10);
    for seed in 1..=3 {
        let game = deal(20, 7, 5, seed);
        let hands = RacingHands::new(&game);
        let stakes = Stakes::all(&hands);
        let families = HiddenFamilies::<_, Words<16>>::new(&hands, &stakes).expect("924 worlds");
        let all = inner_positions(&game);
        let first: Vec<_> = all.iter().take(1000).copied().collect();
        let spread: Vec<_> = all
            .iter()
            .step_by(all.len() / 1000)
            .take(1000)
            .copied()
            .collect();
        let mut bounds = PerfectInformation::new(families.as_sets());
        for (place, positions) in [("first", first), ("spread", spread)] {
            let name = BenchmarkId::new(format!("sets, {place}"), seed);
            group.bench_function(name, |bencher| {
                bencher.iter(|| {
                    for position in &positions {
                        let seen: Option<Words<16>> =
                            bounds.seen(position, &budget).expect("no limit");
                        black_box(seen);
                    }
                });
            });
            let name = BenchmarkId::new(format!("families, {place}"), seed);
            group.bench_function(name, |bencher| {
                bencher.iter(|| {
                    for position in &positions {
                        let known = bounds.bounds(families.lattice(), position, &budget);
                        black_box(known).expect("no limit");
                    }
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, winning_hands, whole_values, one_position);
criterion_main!(benches);
