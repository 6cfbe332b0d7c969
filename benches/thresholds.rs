//! The families value of whole games, by thresholds and by minimax with a cache: random graphs with
//! random labels (panel 6 of the experiments) and deals of racing. Numbers of passes and questions
//! are printed first.
//!
//! The values of the graphs of seeds 1 to 4 have one set, which the first question finds; those of
//! the other seeds have hundreds.

use criterion::{Criterion, criterion_group, criterion_main};
use meetjoin_dag::{AndOrDag, HiddenFamilies, NodeName, Problem, Stakes, Valuation};
use meetjoin_families::families_by_thresholds;
use meetjoin_games::{Racing, RacingHands, RandomDag, RandomParameters};
use meetjoin_lattice::{Budget, Families, Powerset, Words};
use meetjoin_search::{DenseStores, Stores, Tables};
use meetjoin_search::{Env, minimax_cached};

type Sets = Powerset<Words<1>>;

/// A random graph of panel 6.
fn random(variables: u32, seed: u64) -> Problem<Families<Words<1>>> {
    let parameters = RandomParameters {
        depth: 15,
        branching: 4,
        variables,
        alternating: false,
        seed,
    };
    let dag = RandomDag::new(parameters).expect("fine parameters");
    let sets = Sets::new(dag.variables()).expect("few variables");
    let families = Families::over(sets.clone());
    let value = |worlds: &mut dyn Iterator<Item = usize>| {
        families.principal(sets.set(worlds).expect("worlds exist"))
    };
    let (graph, values) = dag.into_parts(value);
    let names = graph
        .nodes()
        .map(|node| NodeName::Int(u32::from(node).into()));
    Problem::new(graph, names.collect(), families.clone(), values).expect("values fit")
}

fn compare<D, V, const N: usize>(
    criterion: &mut Criterion,
    name: &str,
    dag: &D,
    valuation: &V,
    stores: &impl Stores<D::Node>,
) where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice = Families<Words<N>>>,
{
    let free = Budget::unlimited();
    let solved = families_by_thresholds(dag, valuation, stores, 512, &free, &mut ());
    let sets = solved.outcome.exact().map(|value| value.maximal().len());
    println!(
        "{name}: {} passes, {} questions, {sets:?} maximal sets, decided by the first: {}",
        solved.passes, solved.questions, solved.first_decided
    );
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10);
    for at_once in [64, 256, 512] {
        group.bench_function(format!("thresholds, {at_once} at once"), |bencher| {
            bencher
                .iter(|| families_by_thresholds(dag, valuation, stores, at_once, &free, &mut ()));
        });
    }
    group.bench_function("minimax-cached", |bencher| {
        bencher.iter(|| {
            let mut env = Env::new(&free).with_store(stores.store());
            minimax_cached(dag, valuation, &mut env)
        });
    });
    group.finish();
}

fn random_graphs(criterion: &mut Criterion) {
    for seed in [1, 5, 9, 11, 14] {
        let problem = random(16, seed);
        let nodes = problem.graph().node_count();
        let name = format!("random v=16 seed={seed}");
        compare(criterion, &name, &problem, &problem, &DenseStores { nodes });
    }
}

fn racing(criterion: &mut Criterion) {
    let deals = [
        ("d=20 g=5 seed=1", Racing::random(20, 5, 7, 1)),
        ("d=20 g=3 seed=1", Racing::random(20, 3, 7, 1)),
        (
            "d=17 g=4, nine maximal sets",
            Racing::new(17, 4, &[1, 2, 5, 8, 13, 14, 16], 12),
        ),
    ];
    for (name, deal) in deals {
        let game = deal.expect("a fine deal");
        let hands = RacingHands::new(&game);
        let stakes = Stakes::all(&hands);
        let families = HiddenFamilies::<_, Words<16>>::new(&hands, &stakes).expect("they fit");
        let name = format!("racing {name}");
        compare(criterion, &name, &game, &families, &Tables);
    }
}

criterion_group!(benches, random_graphs, racing);
criterion_main!(benches);
