//! Values by ids against values as they are: when does it pay to store each element of a lattice once?
//!
//! Run with `cargo bench -p meetjoin-benches --bench interned`. The same search with the same caches, by minimax with a cache and by the default alpha-beta duo,
//! on random graphs and on deals of racing. A search over ids includes making the lattice of ids. In racing the duo has the bounds that
//! perfect information gives, as on the command line. First, a line for each search says what it leaves behind, cache, elements
//! and tables of results together, for each cached position.

use std::alloc::System;
use std::hash::Hash;
use std::time::Duration;

use cap::Cap;
use criterion::{Criterion, criterion_group, criterion_main};
use meetjoin_dag::{AndOrDag, Graph, Heuristic, NodeId, Valuation};
use meetjoin_games::{
    Correlation, CriteriaParameters, CriteriaTree, PerfectInformation, Racing, RacingFamilies,
    RacingSets, RandomDag, RandomParameters,
};
use meetjoin_lattice::{
    Budget, DistributiveLattice, ElemOf, Extended, Families, FreeLattice, HeapBytes, Interned,
    Lattice, Powerset, Words,
};
use meetjoin_search::{DenseStores, Stores, Tables};
use meetjoin_search::{
    Env, InternedBounds, Interning, Store, Window, alpha_beta_duo, minimax_cached,
};

/// Counts every byte.
#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// A graph with values at its leaves.
struct Instance<L: Lattice> {
    graph: Graph,
    lattice: L,
    leaves: Vec<L::Elem>,
}

impl<L: Lattice> Valuation<NodeId> for Instance<L> {
    type Lattice = L;

    fn lattice(&self) -> &L {
        &self.lattice
    }

    #[inline]
    fn leaf(&self, node: &NodeId) -> L::Elem {
        let ordinal = self.graph.leaf_ordinal(*node);
        ordinal.map_or_else(
            || self.lattice.bottom(),
            |ordinal| self.leaves[ordinal].clone(),
        )
    }
}

/// The same search over values as they are and over ids.
struct Comparison<'a, D, V, S, K> {
    dag: &'a D,
    valuation: &'a V,
    stores: S,
    /// Makes the heuristic of the duo.
    known: K,
}

/// What a search found and left: the value, cached positions, distinct elements, and the bytes of everything that is still there.
struct Left<E> {
    value: Option<E>,
    positions: usize,
    elements: usize,
    bytes: usize,
}

impl<D, V, S, K, H> Comparison<'_, D, V, S, K>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: DistributiveLattice<Elem: Hash + HeapBytes>>,
    S: Stores<D::Node>,
    K: Fn() -> H,
    H: Heuristic<D::Node, V::Lattice>,
{
    fn minimax(&self) -> Left<ElemOf<V::Lattice>> {
        let (budget, before) = (Budget::unlimited(), ALLOCATOR.allocated());
        let mut env = Env::new(&budget).with_store(self.stores.store());
        let outcome = minimax_cached(self.dag, self.valuation, &mut env);
        Left {
            value: outcome.exact().cloned(),
            positions: env.store.len(),
            elements: 0,
            bytes: ALLOCATOR.allocated() - before,
        }
    }

    fn minimax_by_ids(&self) -> Left<ElemOf<V::Lattice>> {
        let (budget, before) = (Budget::unlimited(), ALLOCATOR.allocated());
        let ids = Interned::new(self.valuation.lattice());
        let values = Interning::new(self.valuation, &ids, &budget);
        let mut env = Env::new(&budget).with_store(self.stores.store());
        let outcome = values.outcome(&minimax_cached(self.dag, &values, &mut env));
        Left {
            value: outcome.exact().cloned(),
            positions: env.store.len(),
            elements: ids.element_count(),
            bytes: ALLOCATOR.allocated() - before,
        }
    }

    fn duo(&self) -> Left<ElemOf<V::Lattice>> {
        let (budget, before) = (Budget::unlimited(), ALLOCATOR.allocated());
        let window = Window::full(self.valuation.lattice());
        let env = Env::new(&budget).with_store(self.stores.store());
        let mut env = env.with_heuristic((self.known)());
        let outcome = alpha_beta_duo(self.dag, self.valuation, &window, &mut env);
        Left {
            value: outcome.exact().cloned(),
            positions: env.store.len(),
            elements: 0,
            bytes: ALLOCATOR.allocated() - before,
        }
    }

    fn duo_by_ids(&self) -> Left<ElemOf<V::Lattice>> {
        let (budget, before) = (Budget::unlimited(), ALLOCATOR.allocated());
        let lattice = self.valuation.lattice();
        let ids = Interned::new(lattice);
        let values = Interning::new(self.valuation, &ids, &budget);
        let window = Window::full(&ids);
        let env = Env::new(&budget).with_store(self.stores.store());
        let mut env = env.with_heuristic(InternedBounds::new((self.known)(), lattice));
        let outcome = values.outcome(&alpha_beta_duo(self.dag, &values, &window, &mut env));
        Left {
            value: outcome.exact().cloned(),
            positions: env.store.len(),
            elements: ids.element_count(),
            bytes: ALLOCATOR.allocated() - before,
        }
    }

    fn run(&self, criterion: &mut Criterion, name: &str) {
        let values = [
            describe(name, "minimax", self.minimax()),
            describe(name, "minimax, ids", self.minimax_by_ids()),
            describe(name, "duo", self.duo()),
            describe(name, "duo, ids", self.duo_by_ids()),
        ];
        assert!(values.windows(2).all(|pair| pair[0] == pair[1]), "{name}");
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10);
        group.warm_up_time(Duration::from_millis(500));
        group.measurement_time(Duration::from_secs(2));
        group.bench_function("minimax", |b| b.iter(|| self.minimax().value));
        group.bench_function("minimax, ids", |b| b.iter(|| self.minimax_by_ids().value));
        group.bench_function("duo", |b| b.iter(|| self.duo().value));
        group.bench_function("duo, ids", |b| b.iter(|| self.duo_by_ids().value));
        group.finish();
    }
}

/// Prints what a search has left, and returns what it found.
fn describe<E>(name: &str, search: &str, left: Left<E>) -> Option<E> {
    let each = left.bytes as f64 / left.positions.max(1) as f64;
    println!(
        "{name}: {search}: {} positions, {} distinct elements, {each:.1} bytes a position",
        left.positions, left.elements
    );
    left.value
}

fn random(depth: u32, variables: u32, branching: u32, alternating: bool, seed: u64) -> RandomDag {
    let parameters = RandomParameters {
        depth,
        branching,
        variables,
        alternating,
        seed,
    };
    RandomDag::new(parameters).expect("fine parameters")
}

fn on_graph<L: DistributiveLattice<Elem: Hash + HeapBytes>>(
    criterion: &mut Criterion,
    name: &str,
    (graph, leaves): (Graph, Vec<L::Elem>),
    lattice: L,
) {
    let nodes = graph.node_count();
    let instance = Instance {
        graph,
        lattice,
        leaves,
    };
    let comparison = Comparison {
        dag: &instance.graph,
        valuation: &instance,
        stores: DenseStores { nodes },
        known: || (),
    };
    comparison.run(criterion, name);
}

fn powersets(criterion: &mut Criterion) {
    for variables in [10, 64] {
        let dag = random(15, variables, 8, true, 1);
        let lattice = Powerset::<Words<1>>::new(dag.variables()).expect("it fits");
        let parts = dag.into_parts(|set| lattice.set(set).expect("worlds exist"));
        let name = format!("powerset, random graph, v={variables}");
        on_graph(criterion, &name, parts, lattice);
    }
}

fn families(criterion: &mut Criterion) {
    // The first two are worth many sets, the third one.
    for (variables, seed) in [(8, 5), (12, 5), (16, 1)] {
        let dag = random(15, variables, 4, false, seed);
        let lattice = Families::<Words<1>>::of_worlds(dag.variables()).expect("it fits");
        let value = |set: &mut dyn Iterator<Item = usize>| {
            lattice.principal(lattice.base().set(set).expect("worlds exist"))
        };
        let parts = dag.into_parts(value);
        let name = format!("families, random graph, random labels, v={variables}");
        on_graph(criterion, &name, parts, lattice);
    }
}

fn free(criterion: &mut Criterion) {
    let vector = |lattice: &FreeLattice, criteria: &[i64]| {
        lattice.outcome(criteria.iter().map(|&n| Extended::Finite(n)).collect())
    };
    let lattice = FreeLattice::of_vectors(2);
    let tree = CriteriaTree::new(CriteriaParameters {
        depth: 6,
        branching: 3,
        criteria: 2,
        most: 8,
        correlation: Correlation::AntiCorrelated,
        alternating: true,
        seed: 1,
    });
    let tree = tree.expect("fine parameters");
    let parts = tree.into_parts(|criteria| vector(&lattice, criteria));
    on_graph(
        criterion,
        "free lattice, tree, 0..=8",
        parts,
        lattice.clone(),
    );
    // The criteria of a leaf are the counts of two halves of its worlds.
    let dag = random(11, 16, 4, true, 1);
    let value = |set: &mut dyn Iterator<Item = usize>| {
        let mut criteria = [0, 0];
        set.for_each(|world| criteria[world / 8] += 1);
        vector(&lattice, &criteria)
    };
    let parts = dag.into_parts(value);
    on_graph(
        criterion,
        "free lattice, random graph, 0..=8",
        parts,
        lattice.clone(),
    );
}

fn racing(criterion: &mut Criterion) {
    let deals = [
        ("d=20 h=7 g=5 seed=2", Racing::random(20, 5, 7, 2)),
        ("d=20 h=7 g=3 seed=2", Racing::random(20, 3, 7, 2)),
        (
            "d=17 g=4, nine maximal sets",
            Racing::new(17, 4, &[1, 2, 5, 8, 13, 14, 16], 12),
        ),
    ];
    for (name, deal) in deals {
        let deal = deal.expect("a fine deal");
        let valuation = RacingFamilies::<Words<16>>::new(&deal).expect("they fit");
        let sets: &RacingSets<'_, Words<16>> = valuation.as_sets();
        let comparison = Comparison {
            dag: &deal,
            valuation: &valuation,
            stores: Tables,
            known: || PerfectInformation::new(sets),
        };
        comparison.run(criterion, &format!("racing {name}"));
    }
}

criterion_group!(benches, powersets, families, free, racing);
criterion_main!(benches);
