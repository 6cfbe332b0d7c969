//! Alpha-beta duo through the traits against the same algorithm written by hand, on one random
//! graph (d = 15, b = 8, v = 10).
//!
//! Run with `cargo bench -p meetjoin-benches`. Each group prints the visits of both, which are
//! equal, so the times compare per visit.

use std::hint::black_box;
use std::time::{Duration, Instant};

use ahash::RandomState;
use criterion::{Criterion, criterion_group, criterion_main};
use hashbrown::HashMap;
use meetjoin_benches::HandWritten;
use meetjoin_dag::{Graph, NodeId, Valuation};
use meetjoin_games::{RandomDag, RandomParameters};
use meetjoin_lattice::{Budget, Interval, Powerset, Words};
use meetjoin_search::{
    Counts, Dense, Env, Store, Table, Window, alpha_beta_duo_plain, alpha_beta_duo_published,
};

struct Instance {
    graph: Graph,
    lattice: Powerset<Words<1>>,
    leaves: Vec<Words<1>>,
}

impl Valuation<NodeId> for Instance {
    type Lattice = Powerset<Words<1>>;

    fn lattice(&self) -> &Self::Lattice {
        &self.lattice
    }

    #[inline]
    fn leaf(&self, node: &NodeId) -> Words<1> {
        self.graph
            .leaf_ordinal(*node)
            .map_or(Words([0]), |ordinal| self.leaves[ordinal])
    }
}

impl Instance {
    fn new() -> Self {
        let dag = RandomDag::new(RandomParameters {
            depth: 15,
            branching: 8,
            variables: 10,
            alternating: true,
            seed: 1,
        });
        let lattice = Powerset::<Words<1>>::new(10).expect("ten worlds fit");
        let (graph, leaves) = dag
            .expect("the paper's parameters work")
            .into_parts(|set| lattice.set(set).expect("all worlds exist"));
        Self {
            graph,
            lattice,
            leaves,
        }
    }

    fn hand_written<C: meetjoin_benches::HandCache>(&self, cache: C) -> (u64, u64) {
        let leaves: Vec<u64> = self.leaves.iter().map(|set| set.0[0]).collect();
        let mut search = HandWritten {
            graph: &self.graph,
            leaves: &leaves,
            full: (1 << 10) - 1,
            cache,
            visits: 0,
        };
        (search.solve(), search.visits)
    }

    /// Runs plain alpha-beta duo, or as published.
    fn through_traits<S>(&self, store: S, published: bool) -> (u64, u64)
    where
        S: Store<NodeId, Interval<Words<1>>>,
    {
        let budget = Budget::unlimited();
        let mut env = Env::new(&budget)
            .with_store(store)
            .with_observer(Counts::default());
        let window = Window::full(&self.lattice);
        let outcome = if published {
            alpha_beta_duo_published(&self.graph, self, &window, &mut env)
        } else {
            alpha_beta_duo_plain(&self.graph, self, &window, &mut env)
        };
        (outcome.value.lower().0[0], env.observer.visits)
    }
}

/// Runs two searches in turn and prints the median ratio of their times, which is robust to changes
/// of the machine's speed.
fn paired<A, B>(name: &str, mut ours: impl FnMut() -> A, mut by_hand: impl FnMut() -> B) {
    let time = |run: &mut dyn FnMut()| {
        let started = Instant::now();
        run();
        started.elapsed().as_secs_f64()
    };
    let mut ratios: Vec<f64> = (0..PAIRS)
        .map(|_| {
            let ours = time(&mut || drop(black_box(ours())));
            ours / time(&mut || drop(black_box(by_hand())))
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    let quartile = |q: usize| ratios[PAIRS * q / 4];
    let (low, median, high) = (quartile(1), quartile(2), quartile(3));
    println!(
        "{name}: {median:.2} times the time by hand (quartiles {low:.2} to {high:.2}, {PAIRS} pairs)"
    );
}

const PAIRS: usize = 100;

fn benches(criterion: &mut Criterion) {
    let instance = Instance::new();
    let nodes = instance.graph.node_count();
    let expected = instance.hand_written(vec![None; nodes]);
    assert_eq!(expected, instance.through_traits(Table::new(), false));
    println!("visits of each run: {}", expected.1);
    let hash_map = || HashMap::with_hasher(RandomState::with_seeds(1, 2, 3, 4));
    paired(
        "hash table, through the traits",
        || instance.through_traits(Table::new(), false),
        || instance.hand_written(hash_map()),
    );
    paired(
        "vector, through the traits",
        || instance.through_traits(Dense::new(nodes), false),
        || instance.hand_written(vec![None; nodes]),
    );

    let mut group = criterion.benchmark_group("hash table");
    group.bench_function("by hand", |b| {
        b.iter(|| black_box(instance.hand_written(hash_map())));
    });
    group.bench_function("through the traits", |b| {
        b.iter(|| black_box(instance.through_traits(Table::new(), false)));
    });
    group.bench_function("through the traits, published", |b| {
        b.iter(|| black_box(instance.through_traits(Table::new(), true)));
    });
    group.finish();

    let mut group = criterion.benchmark_group("vector");
    group.bench_function("by hand", |b| {
        b.iter(|| black_box(instance.hand_written(vec![None; nodes])));
    });
    group.bench_function("through the traits", |b| {
        b.iter(|| black_box(instance.through_traits(Dense::new(nodes), false)));
    });
    group.finish();
}

criterion_group! {
    name = duo;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(5));
    targets = benches
}
criterion_main!(duo);
