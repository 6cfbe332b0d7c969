//! Large antichains: join, comparison and meet of values of the free lattice over vectors of three
//! integers, against size.
//!
//! Run with `cargo bench -p meetjoin-benches --bench antichains`. The vectors are random on a
//! plane, so that all are incomparable, the worst case: nothing is absorbed, and a join of n and n
//! packets has 2 n.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use meetjoin_lattice::{Budget, Extended, FreeLattice, Lattice};

type Value = <FreeLattice as Lattice>::Elem;

/// The join of `packets` packets of `outcomes` vectors each.
fn value(lattice: &FreeLattice, packets: usize, outcomes: usize, seed: u64) -> Value {
    let mut state = seed;
    let mut number = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33).cast_signed() % 1_000_000
    };
    let mut vector = || {
        let (x, y) = (number(), number());
        Box::from([x, y, -x - y].map(Extended::Finite))
    };
    let budget = Budget::unlimited();
    let packets = (0..packets).map(|_| {
        let outcomes = (0..outcomes).map(|_| vector());
        lattice.packet(outcomes, &budget).expect("no limit")
    });
    let packets: Vec<_> = packets.collect();
    lattice.generated_by(packets, &budget).expect("no limit")
}

fn antichains(criterion: &mut Criterion) {
    let lattice = FreeLattice::of_vectors(3);
    let budget = Budget::unlimited();
    for outcomes in [1, 3] {
        let mut group = criterion.benchmark_group(format!("packets of {outcomes}"));
        group.sample_size(10);
        for n in [100, 1000, 10_000] {
            let (a, b) = (
                value(&lattice, n, outcomes, 1),
                value(&lattice, n, outcomes, 2),
            );
            group.bench_function(BenchmarkId::new("join", n), |bencher| {
                bencher.iter(|| {
                    let mut join = a.clone();
                    let done = lattice.join_assign(&mut join, black_box(&b), &budget);
                    done.map(|()| join)
                });
            });
            group.bench_function(BenchmarkId::new("leq", n), |bencher| {
                bencher.iter(|| lattice.leq(black_box(&a), black_box(&b), &budget));
            });
        }
        for n in [10, 32, 100] {
            let (a, b) = (
                value(&lattice, n, outcomes, 1),
                value(&lattice, n, outcomes, 2),
            );
            let name = BenchmarkId::new("meet, packets of the result", n * n);
            group.bench_function(name, |bencher| {
                bencher.iter(|| {
                    let mut meet = a.clone();
                    let done = lattice.meet_assign(&mut meet, black_box(&b), &budget);
                    done.map(|()| meet)
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, antichains);
criterion_main!(benches);
