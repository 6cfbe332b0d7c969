//! Meet and join of two functions of some 10^5 nodes each, beside the same operations of OxiDD, a
//! library for decision diagrams.
//!
//! Run with `cargo bench --manifest-path benches/oxidd/Cargo.toml`. The functions are thresholds,
//! "the events that occur weigh more than W", with weights that differ at a few events, so the
//! diagrams are wide and the results have a few times their nodes. Every measurement begins with
//! new tables.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use meetjoin_lattice::Budget;
use meetjoin_lattice::diagram::{Function, Functions};
use oxidd::bdd::{BDDFunction, BDDManagerRef};
use oxidd::{BooleanFunction, Manager, ManagerRef};

const EVENTS: usize = 150;
const MOST: usize = 1700;

/// The weights of the events, of one function or of the other.
fn weights(other: bool) -> Vec<usize> {
    let mut state = 1_u64;
    let mut weight = |event: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let weight = 1 + (state >> 33) as usize % 40;
        weight + usize::from(other && event % 30 == 7)
    };
    (0..EVENTS).map(&mut weight).collect()
}

/// The threshold by a table from the last event up: `node` makes `if event then high else low`.
fn threshold<T: Clone>(
    weights: &[usize],
    (never, always): (T, T),
    mut node: impl FnMut(usize, &T, &T) -> T,
) -> T {
    let mut rows = vec![never; MOST + 1];
    for (event, &weight) in weights.iter().enumerate().rev() {
        for rest in (0..=MOST).rev() {
            let high = rest.checked_sub(weight).map_or(&always, |rest| &rows[rest]);
            rows[rest] = node(event, high, &rows[rest]);
        }
    }
    rows[MOST].clone()
}

fn ours() -> (Functions, [Function; 2]) {
    let budget = Budget::unlimited();
    let mut functions = Functions::default();
    let both = [false, true].map(|other| {
        let ends = (Function::FALSE, Function::TRUE);
        threshold(&weights(other), ends, |event, high, low| {
            let node = functions.node(event as u32, *high, *low, &budget);
            node.expect("no limit")
        })
    });
    (functions, both)
}

fn theirs() -> (BDDManagerRef, [BDDFunction; 2]) {
    let manager = oxidd::bdd::new_manager(1 << 22, 1 << 20, 1);
    // Operations on functions lock the manager themselves, so none is done while it is locked.
    let (variables, ends) = manager.with_manager_exclusive(|manager| {
        manager.add_vars(EVENTS as u32);
        let variable = |event| BDDFunction::var(manager, event as u32).expect("room");
        let variables: Vec<BDDFunction> = (0..EVENTS).map(variable).collect();
        (
            variables,
            (BDDFunction::f(manager), BDDFunction::t(manager)),
        )
    });
    let both = [false, true].map(|other| {
        threshold(&weights(other), ends.clone(), |event, high, low| {
            variables[event].ite(high, low).expect("room")
        })
    });
    (manager, both)
}

fn diagrams(criterion: &mut Criterion) {
    let (mut functions, [f, g]) = ours();
    let budget = Budget::unlimited();
    let nodes = |functions: &Functions, f| {
        functions
            .listing(&[f], &budget)
            .expect("no limit")
            .nodes
            .len()
    };
    let meet = functions.and(f, g, &budget).expect("no limit");
    println!(
        "operands of {} and {} nodes, a meet of {}",
        nodes(&functions, f),
        nodes(&functions, g),
        nodes(&functions, meet)
    );
    let mut group = criterion.benchmark_group("two functions");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(5));
    for (name, and) in [("meet", true), ("join", false)] {
        group.bench_function(format!("{name}, meetjoin"), |bencher| {
            let operate = |(mut functions, [f, g]): (Functions, [Function; 2])| {
                let result = if and {
                    functions.and(f, g, &budget)
                } else {
                    functions.or(f, g, &budget)
                };
                black_box(result.expect("no limit"));
                functions
            };
            bencher.iter_batched(ours, operate, BatchSize::PerIteration);
        });
        group.bench_function(format!("{name}, OxiDD"), |bencher| {
            let operate = |(manager, [f, g]): (BDDManagerRef, [BDDFunction; 2])| {
                let result = if and { f.and(&g) } else { f.or(&g) };
                (black_box(result.expect("room")), f, g, manager)
            };
            bencher.iter_batched(theirs, operate, BatchSize::PerIteration);
        });
    }
    group.finish();
}

criterion_group!(benches, diagrams);
criterion_main!(benches);
