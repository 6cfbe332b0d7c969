//! The cost of a visit under each pruning rule: the same tree for all, with sets of eight worlds
//! and with numbers 0 to 255.
//!
//! The tree is not stored: a node is a number from which those of its children follow. Reports are
//! per visit; how many visits and leaves there are is printed first.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use meetjoin_catalogue::engine::{self, Task};
use meetjoin_catalogue::method::algorithm;
use meetjoin_dag::{AndOrDag, Kind, Valuation};
use meetjoin_lattice::{Budget, Chain, DistributiveLattice, Powerset, Words};
use meetjoin_search::{Counts, Tables};

struct Tree<L, F> {
    lattice: L,
    value: F,
}

const LEVELS: u8 = 12;
const BRANCHING: u64 = 3;

impl<L, F> AndOrDag for Tree<L, F> {
    type Node = (u8, u64);

    fn root(&self) -> (u8, u64) {
        (0, 1)
    }

    fn kind(&self, &(level, _): &(u8, u64)) -> Kind {
        match level {
            LEVELS => Kind::Leaf,
            _ if level % 2 == 0 => Kind::Or,
            _ => Kind::And,
        }
    }

    fn children(&self, &(level, number): &(u8, u64), out: &mut Vec<(u8, u64)>) {
        // The finalizer of SplitMix64.
        let mix = |child: u64| {
            let mut z = number.wrapping_add(child.wrapping_mul(0x9E37_79B9_7F4A_7C15));
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^ (z >> 31)
        };
        out.extend((1..=BRANCHING).map(|child| (level + 1, mix(child))));
    }
}

impl<L: DistributiveLattice, F: Fn(u8) -> L::Elem> Valuation<(u8, u64)> for Tree<L, F> {
    type Lattice = L;

    fn lattice(&self) -> &L {
        &self.lattice
    }

    fn leaf(&self, &(_, number): &(u8, u64)) -> L::Elem {
        (self.value)((number >> 56) as u8)
    }
}

fn rules<L: DistributiveLattice>(
    criterion: &mut Criterion,
    name: &str,
    lattice: L,
    value: impl Fn(u8) -> L::Elem,
) {
    let (tree, budget) = (Tree { lattice, value }, Budget::unlimited());
    let task = Task {
        dag: &tree,
        valuation: &tree,
        heuristic: None::<()>,
        stores: Tables,
        budget: &budget,
        proof_bytes: 0,
    };
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10);
    let algorithms = [
        "minimax",
        "shallow",
        "deep",
        "couwenberg",
        "alpha-beta",
        "strong",
    ];
    for algorithm in algorithms.into_iter().filter_map(algorithm) {
        let id = algorithm.id;
        let mut counts = Counts::default();
        let mut engine = engine::distributive(algorithm, &task).expect("it is in the table");
        engine.search(tree.root(), &mut counts);
        println!("{id}: {} visits, {} leaves", counts.visits, counts.leaves);
        let mut engine = engine::distributive(algorithm, &task).expect("it is in the table");
        group.throughput(Throughput::Elements(counts.visits));
        group.bench_function(id, |b| b.iter(|| engine.search(tree.root(), &mut ())));
    }
    group.finish();
}

fn bench(criterion: &mut Criterion) {
    let sets: Powerset<Words<1>> = Powerset::new(8).expect("few worlds");
    rules(criterion, "rules, sets", sets, |byte| {
        Words([u64::from(byte)])
    });
    let chain = Chain::new(0, u8::MAX).expect("in order");
    rules(criterion, "rules, numbers", chain, |byte| byte);
}

criterion_group!(benches, bench);
criterion_main!(benches);
