//! Golden counts of every algorithm on fixed games: a loss of pruning, or of determinism, shows
//! here.

use meetjoin::dag::{AndOrDag, Graph, HiddenFamilies, HiddenSets, NodeId, Stakes, Valuation};
use meetjoin::games::{Racing, RacingHands, RandomDag, RandomParameters};
use meetjoin::lattice::{Budget, DistributiveLattice, ElemOf, Families, Lattice, Powerset, Words};
use meetjoin::search::{
    Counts, Env, FailSoft, Table, Window, alpha_beta, alpha_beta_cached, alpha_beta_duo_plain,
    alpha_beta_duo_published, minimax, minimax_cached,
};

struct Leaves<'a, L: Lattice> {
    graph: &'a Graph,
    lattice: L,
    values: Vec<L::Elem>,
}

impl<L: Lattice> Valuation<NodeId> for Leaves<'_, L> {
    type Lattice = L;

    fn lattice(&self) -> &L {
        &self.lattice
    }

    fn leaf(&self, node: &NodeId) -> L::Elem {
        let ordinal = self
            .graph
            .leaf_ordinal(*node)
            .expect("asked of leaves only");
        self.values[ordinal].clone()
    }
}

/// Visits, probes, leaves, cutoffs and cache hits of each algorithm: minimax, MMC, AB, ABC, duo
/// plain, duo published.
fn counts<D, V>(graph: &D, values: &V) -> Vec<[u64; 5]>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: DistributiveLattice>,
{
    let budget = Budget::unlimited();
    let window = Window::full(values.lattice());
    let mut rows = Vec::new();
    let mut first = None;
    let mut note = |counts: Counts, value: Option<&ElemOf<V::Lattice>>| {
        let value = value.expect("no limit").clone();
        assert_eq!(*first.get_or_insert_with(|| value.clone()), value);
        let Counts {
            visits,
            leaves,
            cutoffs,
            cache_hits,
            probes,
            ..
        } = counts;
        rows.push([visits, probes, leaves, cutoffs, cache_hits]);
    };
    let env = || Env::new(&budget).with_observer(Counts::default());
    let mut e = env();
    let outcome = minimax(graph, values, &mut e);
    note(e.observer, outcome.exact());
    let mut e = env().with_store(Table::new());
    let outcome = minimax_cached(graph, values, &mut e);
    note(e.observer, outcome.exact());
    let mut e = env();
    let outcome = alpha_beta(graph, values, &window, FailSoft, &mut e);
    note(e.observer, outcome.exact());
    let mut e = env().with_store(Table::new());
    let outcome = alpha_beta_cached(graph, values, &window, &mut e);
    note(e.observer, outcome.exact());
    let mut e = env().with_store(Table::new());
    let outcome = alpha_beta_duo_plain(graph, values, &window, &mut e);
    note(e.observer, outcome.exact());
    let mut e = env().with_store(Table::new());
    let outcome = alpha_beta_duo_published(graph, values, &window, &mut e);
    note(e.observer, outcome.exact());
    rows
}

fn random(alternating: bool) -> RandomDag {
    let parameters = RandomParameters {
        depth: 9,
        branching: 4,
        variables: 8,
        alternating,
        seed: 1,
    };
    RandomDag::new(parameters).expect("small")
}

#[test]
fn powersets() {
    let lattice = Powerset::<Words<1>>::new(8).expect("small");
    let rows = [true, false].map(|alternating| {
        let set = |set: &mut dyn Iterator<Item = usize>| lattice.set(set).expect("worlds exist");
        let (graph, values) = random(alternating).into_parts(set);
        let lattice = lattice.clone();
        counts(
            &graph,
            &Leaves {
                graph: &graph,
                lattice,
                values,
            },
        )
    });
    assert_eq!(rows, POWERSETS);
}

#[test]
fn families() {
    let lattice = Families::<Words<1>>::of_worlds(8).expect("small");
    let rows = [true, false].map(|alternating| {
        let family = |set: &mut dyn Iterator<Item = usize>| {
            lattice.principal(lattice.base().set(set).expect("worlds exist"))
        };
        let (graph, values) = random(alternating).into_parts(family);
        let lattice = lattice.clone();
        counts(
            &graph,
            &Leaves {
                graph: &graph,
                lattice,
                values,
            },
        )
    });
    assert_eq!(rows, FAMILIES);
}

#[test]
fn racing() {
    let game = Racing::new(12, 3, &[2, 5, 8, 10], 6).expect("a fine deal");
    let listed = RacingHands::new(&game);
    let stakes = Stakes::all(&listed);
    let sets = HiddenSets::<_, Words<1>>::new(&listed, &stakes).expect("few worlds");
    let families = HiddenFamilies::<_, Words<1>>::new(&listed, &stakes).expect("few worlds");
    assert_eq!([counts(&game, &sets), counts(&game, &families)], RACING);
}

const RACING: [[[u64; 5]; 6]; 2] = [
    [
        [8329, 0, 4400, 0, 0],
        [3493, 0, 1508, 0, 479],
        [4252, 0, 2210, 140, 0],
        [2328, 0, 1016, 129, 273],
        [2255, 0, 1005, 119, 231],
        [2255, 2416, 1005, 118, 232],
    ],
    [
        [8329, 0, 4400, 0, 0],
        [3493, 0, 1508, 0, 479],
        [4306, 0, 2246, 134, 0],
        [2368, 0, 1040, 123, 276],
        [2294, 0, 1029, 113, 233],
        [2294, 2449, 1029, 112, 234],
    ],
];
const POWERSETS: [[[u64; 5]; 6]; 2] = [
    [
        [65536, 0, 49152, 0, 0],
        [5080, 0, 2576, 0, 1234],
        [1655, 0, 1094, 298, 0],
        [1422, 0, 881, 283, 47],
        [1172, 0, 737, 207, 38],
        [1107, 1491, 680, 193, 54],
    ],
    [
        [65536, 0, 49152, 0, 0],
        [4892, 0, 2500, 0, 1169],
        [941, 0, 585, 236, 0],
        [806, 0, 450, 233, 35],
        [596, 0, 352, 154, 13],
        [580, 903, 336, 153, 18],
    ],
];
const FAMILIES: [[[u64; 5]; 6]; 2] = [
    [
        [65536, 0, 49152, 0, 0],
        [5080, 0, 2576, 0, 1234],
        [2068, 0, 1347, 373, 0],
        [1694, 0, 999, 336, 87],
        [1337, 0, 803, 255, 48],
        [1275, 1819, 749, 234, 71],
    ],
    [
        [65536, 0, 49152, 0, 0],
        [4892, 0, 2500, 0, 1169],
        [3178, 0, 2007, 593, 0],
        [2333, 0, 1210, 498, 222],
        [1865, 0, 1058, 365, 92],
        [1662, 2507, 895, 318, 140],
    ],
];
