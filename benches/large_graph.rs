//! Searches of an explicit graph much larger than the processor's caches, against dependent random
//! reads over as many bytes.
//!
//! Problem: in a graph of over ten million nodes nearly every child that a search looks at is a
//! cache miss. The cost of a look is then bounded by memory latency, not by the algorithm.
//!
//! Idea: the unit is a dependent random read: the next place to read is known only when the last
//! one has been read. The reads follow one cycle through as many cache lines of 64 bytes as graph,
//! values of leaves and store take together, by the allocator's count. A *look* is a child that a
//! search visits or whose interval it reads without a visit: visits plus probes of `Counts`. A
//! child that is looked at and then visited counts twice.
//!
//! The graph: layers as in the family "random" (d = 20, b = 6, alternating, sets of 64 worlds), so
//! that children lie anywhere in the next layer.
//!
//! Run with `cargo bench -p meetjoin-benches --bench large_graph`. It takes some 4 GiB and a few
//! minutes.

use std::hint::black_box;
use std::time::{Duration, Instant};

use cap::Cap;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use meetjoin_dag::{Graph, NodeId, Valuation};
use meetjoin_games::{RandomDag, RandomParameters};
use meetjoin_lattice::{Budget, Powerset, Words};
use meetjoin_search::{
    Counts, Dense, Env, Window, alpha_beta_duo, alpha_beta_duo_plain, alpha_beta_duo_published,
};

/// Counts what is allocated.
#[global_allocator]
static ALLOCATED: Cap<std::alloc::System> = Cap::new(std::alloc::System, usize::MAX);

struct Instance {
    graph: Graph,
    lattice: Powerset<Words<1>>,
    leaves: Vec<Words<1>>,
    /// Bytes of graph and leaves.
    bytes: usize,
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

/// A search and its counters.
#[derive(Debug)]
struct Run {
    value: Words<1>,
    counts: Counts,
    /// Bytes of the store when the search ends.
    bytes: usize,
    entries: usize,
}

impl Run {
    fn looks(&self) -> u64 {
        self.counts.visits + self.counts.probes
    }
}

type Form = fn(&Instance) -> Run;

/// A form of alpha-beta duo with an empty store.
macro_rules! form {
    ($search:ident) => {
        |instance: &Instance| {
            let before = ALLOCATED.allocated();
            let budget = Budget::unlimited();
            let mut env = Env::new(&budget)
                .with_store(Dense::new(instance.graph.node_count()))
                .with_observer(Counts::default());
            let window = Window::full(&instance.lattice);
            let outcome = $search(&instance.graph, instance, &window, &mut env);
            Run {
                value: *outcome.exact().expect("no limit"),
                bytes: ALLOCATED.allocated() - before,
                entries: meetjoin_search::Store::len(&env.store),
                counts: env.observer,
            }
        }
    };
}

const FORMS: [(&str, Form); 3] = [
    ("default", form!(alpha_beta_duo)),
    ("plain", form!(alpha_beta_duo_plain)),
    ("published", form!(alpha_beta_duo_published)),
];

impl Instance {
    fn new(depth: u32, branching: u32) -> Self {
        let before = ALLOCATED.allocated();
        let dag = RandomDag::new(RandomParameters {
            depth,
            branching,
            variables: 64,
            alternating: true,
            seed: 1,
        });
        let lattice = Powerset::<Words<1>>::new(64).expect("64 worlds fit");
        let (graph, leaves) = dag
            .expect("the parameters make a graph")
            .into_parts(|set| lattice.set(set).expect("all worlds exist"));
        Self {
            graph,
            lattice,
            leaves,
            bytes: ALLOCATED.allocated() - before,
        }
    }
}

/// Words in a line of the processor's cache.
const LINE: usize = 8;

/// A cycle through all lines: the first word of each is the number of the next.
struct Cycle(Vec<u64>);

impl Cycle {
    /// Sattolo's shuffle, with a multiplicative generator.
    fn new(bytes: usize) -> Self {
        let lines = bytes / (LINE * size_of::<u64>());
        let mut words = vec![0; lines * LINE];
        for line in 0..lines {
            words[line * LINE] = line as u64;
        }
        let mut state = 1_u64;
        for last in (1..lines).rev() {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let other = (u128::from(state) * last as u128) >> 64;
            words.swap(last * LINE, other as usize * LINE);
        }
        Self(words)
    }

    /// The line after `times` reads.
    fn read(&self, times: u64, mut line: u64) -> u64 {
        for _ in 0..times {
            line = self.0[line as usize * LINE];
        }
        line
    }
}

const READS: u64 = 2_000_000;
const ROUNDS: usize = 5;

/// Nanoseconds for each of `units`.
fn time<T>(units: u64, run: impl FnOnce() -> T) -> f64 {
    let started = Instant::now();
    drop(black_box(run()));
    started.elapsed().as_secs_f64() * 1e9 / units as f64
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The ratios: read and searches in turn, so that other work on the machine slows all of them.
fn ratios(instance: &Instance) {
    let runs = FORMS.map(|(_, form)| form(instance));
    assert!(runs.iter().all(|run| run.value == runs[0].value));
    for ((name, form), run) in FORMS.iter().zip(&runs) {
        let bytes = instance.bytes + run.bytes;
        println!(
            "{name}: {} visits + {} probes = {} looks; {} MB of graph and leaves, {} entries in {} MB of store",
            run.counts.visits,
            run.counts.probes,
            run.looks(),
            instance.bytes / 1_000_000,
            run.entries,
            run.bytes / 1_000_000
        );
        let cycle = Cycle::new(bytes);
        let mut line = 0;
        let mut reads = Vec::new();
        let mut looks = Vec::new();
        for _ in 0..ROUNDS {
            reads.push(time(READS, || line = cycle.read(READS, line)));
            looks.push(time(run.looks(), || form(instance)));
        }
        let (read, look) = (median(reads), median(looks));
        println!(
            "{name}: {look:.0} ns a look, {read:.0} ns a dependent random read over {} MB: {:.2} reads a look (medians of {ROUNDS})",
            bytes / 1_000_000,
            look / read
        );
    }
}

fn benches(criterion: &mut Criterion) {
    let started = Instant::now();
    let instance = Instance::new(DEPTH, BRANCHING);
    println!(
        "{} nodes, {} edges, {} leaves, made in {:.1} s",
        instance.graph.node_count(),
        instance.graph.edge_count(),
        instance.graph.leaf_count(),
        started.elapsed().as_secs_f64()
    );
    ratios(&instance);

    let mut group = criterion.benchmark_group("large graph");
    let mut bytes = 0;
    for (name, form) in FORMS {
        let run = form(&instance);
        bytes = bytes.max(instance.bytes + run.bytes);
        group.throughput(Throughput::Elements(run.looks()));
        group.bench_function(name, |b| b.iter(|| form(&instance)));
    }
    let cycle = Cycle::new(bytes);
    let mut line = 0;
    group.throughput(Throughput::Elements(READS));
    group.bench_function("dependent random read", |b| {
        b.iter(|| line = cycle.read(READS, line));
    });
    group.finish();
    black_box(line);
}

const DEPTH: u32 = 20;
const BRANCHING: u32 = 6;

criterion_group! {
    name = large_graph;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(5));
    targets = benches
}
criterion_main!(large_graph);
