//! MTD(bi), and alpha-beta duo by halves, against other searches, on games.

use meetjoin::dag::{AndOrDag, Graph, Heuristic, NodeId, Valuation};
use meetjoin::games::{
    ChildOrder, ConnectFour, Hexapawn, HexapawnPosition, Kalah, LeafValues, Playable, TicTacToe,
    UniformParameters, UniformTree,
};
use meetjoin::lattice::{Budget, Chain, Dual, ElemOf, Extended, TotalOrder};
use meetjoin::search::total_order::{Halving, duo_bi, mtd_bi, nega_scout};
use meetjoin::search::{Counts, Duo, Env, Table, Window, alpha_beta_duo, minimax_cached};

const DUO: Duo = Duo::DEFAULT;

/// Halves as long as there are two values.
const ALWAYS: Halving = Halving {
    from: 0,
    rest: 0,
    most: u64::MAX,
};

/// The values by MTD(bi), without bounds and with them, by alpha-beta duo by halves, and by
/// NegaScout.
fn values<D, V, H>(dag: &D, valuation: &V, bounds: H) -> [ElemOf<V::Lattice>; 6]
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder>,
    H: Heuristic<D::Node, V::Lattice> + Copy,
{
    let (free, window) = (Budget::unlimited(), Window::full(valuation.lattice()));
    let env = || Env::new(&free).with_store(Table::new());
    let informed = || env().with_heuristic(bounds);
    [
        mtd_bi(dag, valuation, None, &mut env()),
        mtd_bi(dag, valuation, None, &mut informed()),
        duo_bi(dag, valuation, DUO, ALWAYS, &mut env()),
        duo_bi(dag, valuation, DUO, ALWAYS, &mut informed()),
        duo_bi(dag, valuation, DUO, Halving::default(), &mut informed()),
        nega_scout(dag, valuation, &window, &mut informed()),
    ]
    .map(|outcome| outcome.exact().expect("no limit").clone())
}

/// The lines of a file of positions.
fn positions(file: &str) -> Vec<(&str, i8)> {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    let lines = lines.map(|line| line.split_once(' ').expect("two columns"));
    lines
        .map(|(moves, value)| (moves, value.parse().expect("a number")))
        .collect()
}

/// The files of positions have the values that two algorithms find.
#[test]
fn connect_four_in_the_middle_and_at_the_beginning() {
    let empty = ConnectFour::new(7, 6).expect("a board");
    let middles = positions(include_str!("../../../../cases/connect_four_middles.txt"));
    let beginnings = positions(include_str!(
        "../../../../cases/connect_four_beginnings.txt"
    ));
    assert_eq!((middles.len(), beginnings.len()), (300, 50));
    let all = middles.into_iter().step_by(7);
    for (moves, value) in all.chain(beginnings.into_iter().step_by(17)) {
        let game = empty.after(moves).expect("legal");
        assert_eq!(values(&game, &game, game), [value; 6], "{moves}");
    }
}

/// Where an exact score is looked for early in the game, it visits much less than NegaScout.
#[test]
fn it_visits_less_at_the_beginning() {
    let empty = ConnectFour::new(7, 6).expect("a board");
    let file = include_str!("../../../../cases/connect_four_beginnings.txt");
    let (free, mut halves, mut scouts) = (Budget::unlimited(), 0, 0);
    for (moves, _) in positions(file) {
        let game = empty.after(moves).expect("legal");
        let env = || {
            let env = Env::new(&free).with_store(Table::new());
            env.with_heuristic(game).with_observer(Counts::default())
        };
        let (mut one, mut other) = (env(), env());
        mtd_bi(&game, &game, None, &mut one);
        nega_scout(&game, &game, &Window::full(game.lattice()), &mut other);
        halves += one.observer.visits;
        scouts += other.observer.visits;
    }
    assert!(2 * halves < scouts, "{halves} for {scouts}");
}

/// Visits by alpha-beta duo through the full window, by MTD(bi), and by alpha-beta duo by halves,
/// which is the default.
fn visits<G>(games: impl IntoIterator<Item = G>) -> [u64; 3]
where
    G: AndOrDag + Valuation<<G as AndOrDag>::Node, Lattice: TotalOrder>,
    G: Heuristic<<G as AndOrDag>::Node, G::Lattice> + Copy,
{
    let (free, mut visits) = (Budget::unlimited(), [0; 3]);
    for game in games {
        for (visits, how) in visits.iter_mut().zip(0..) {
            let mut env = Env::new(&free)
                .with_store(Table::new())
                .with_heuristic(game)
                .with_observer(Counts::default());
            let full = Window::full(game.lattice());
            let outcome = match how {
                0 => alpha_beta_duo(&game, &game, &full, &mut env),
                1 => mtd_bi(&game, &game, None, &mut env),
                _ => duo_bi(&game, &game, DUO, Halving::default(), &mut env),
            };
            assert!(outcome.exact().is_some());
            *visits += env.observer.visits;
        }
    }
    visits
}

/// The default makes hardly more visits than the better of the two that it is made of, and mostly
/// much fewer. The kinds are those of the table in the book's chapter on total orders.
#[test]
fn the_default_is_as_good_as_the_better_of_the_two() {
    let empty = ConnectFour::new(7, 6).expect("a board");
    let listed = |file, stones: &[usize]| {
        let positions = positions(file).into_iter();
        let positions = positions.filter(|(moves, _)| stones.contains(&moves.len()));
        let games = positions.map(|(moves, _)| empty.after(moves).expect("legal"));
        games.collect::<Vec<_>>()
    };
    let ends = include_str!("../../../../cases/connect_four_ends.txt");
    let middles = include_str!("../../../../cases/connect_four_middles.txt");
    let beginnings = include_str!("../../../../cases/connect_four_beginnings.txt");
    let any: Vec<usize> = (0..42).collect();
    let board = |columns, rows| ConnectFour::new(columns, rows).expect("a board");
    let kalah = |pits, seeds| Kalah::new(pits, seeds).expect("a game");
    // The most visits for a hundred of the better.
    for (name, most, [full, halves, both]) in [
        ("28 stones", 100, visits(listed(ends, &[28]))),
        ("the middle", 40, visits(listed(middles, &any))),
        ("the beginning", 50, visits(listed(beginnings, &any))),
        ("4 by 4", 100, visits([board(4, 4)])),
        ("5 by 4", 105, visits([board(5, 4)])),
        ("4 by 5", 105, visits([board(4, 5)])),
        ("Kalah(3,3)", 70, visits([kalah(3, 3)])),
        ("Kalah(4,2)", 110, visits([kalah(4, 2)])),
        ("Kalah(4,3)", 70, visits([kalah(4, 3)])),
        ("tic-tac-toe", 100, visits([TicTacToe::new()])),
    ] {
        let better = full.min(halves);
        let said = format!("{name}: {both} for {full} and {halves}");
        assert!(100 * both <= most * better, "{said}");
    }
}

#[test]
fn small_boards() {
    for (columns, rows) in [(4, 4), (5, 4), (4, 5)] {
        let game = ConnectFour::new(columns, rows).expect("a board");
        let found = values(&game, &game, game);
        assert_eq!(found, [found[0]; 6], "{columns} by {rows}");
    }
    for (pits, seeds) in [(2, 5), (3, 3), (3, 4), (4, 3)] {
        let game = Kalah::new(pits, seeds).expect("a game");
        let found = values(&game, &game, game);
        assert_eq!(found, [found[0]; 6], "{pits} pits, {seeds} seeds");
    }
    let game = TicTacToe::new();
    assert_eq!(values(&game, &game, game), [0; 6]);
}

/// Hexapawn with the difference of pawns for a value, in a chain without ends.
struct Pawns {
    game: Hexapawn,
    chain: Chain<Extended>,
}

impl Valuation<HexapawnPosition> for Pawns {
    type Lattice = Chain<Extended>;

    fn lattice(&self) -> &Chain<Extended> {
        &self.chain
    }

    fn leaf(&self, position: &HexapawnPosition) -> Extended {
        let [taken, lost] = self.game.outcome(position);
        Extended::Finite(100 * taken + 7 * lost)
    }
}

#[test]
fn hexapawn_in_a_chain_without_ends() {
    for (columns, rows) in [(2, 4), (3, 3), (3, 4), (4, 4), (3, 5)] {
        let game = Hexapawn::new(columns, rows).expect("a board");
        let pawns = Pawns {
            game: Hexapawn::new(columns, rows).expect("a board"),
            chain: Chain::unbounded(),
        };
        let free = Budget::unlimited();
        let mut env = Env::new(&free).with_store(Table::new());
        let plain = minimax_cached(&game, &pawns, &mut env);
        let plain = *plain.exact().expect("no limit");
        assert_eq!(values(&game, &pawns, ()), [plain; 6], "{columns} by {rows}");
    }
}

/// A uniform tree, over a chain or the dual of one.
struct Tree<L> {
    graph: Graph,
    leaves: Vec<i64>,
    lattice: L,
}

impl<L: TotalOrder<Elem = i64>> Valuation<NodeId> for Tree<L> {
    type Lattice = L;

    fn lattice(&self) -> &L {
        &self.lattice
    }

    fn leaf(&self, node: &NodeId) -> i64 {
        self.leaves[self.graph.leaf_ordinal(*node).expect("a leaf")]
    }
}

fn agree<L: TotalOrder<Elem = i64>>(tree: &Tree<L>) {
    let free = Budget::unlimited();
    let plain = minimax_cached(&tree.graph, tree, &mut Env::new(&free));
    let plain = *plain.exact().expect("no limit");
    assert_eq!(values(&tree.graph, tree, ()), [plain; 6]);
}

#[test]
fn uniform_trees_over_chains_and_their_duals() {
    for (seed, most) in (0..40).flat_map(|seed| [1, 9, 1 << 30].map(|most| (seed, most))) {
        let tree = UniformTree::new(UniformParameters {
            depth: 5,
            branching: 3,
            values: LeafValues::Independent,
            most,
            ordering: ChildOrder::Random,
            seed,
        });
        let (graph, leaves) = tree.expect("it fits").into_parts(|value| value - 4);
        let lattice = Chain::new(i64::MIN, i64::MAX).expect("in order");
        let tree = Tree {
            graph,
            leaves,
            lattice,
        };
        agree(&tree);
        agree(&Tree {
            graph: tree.graph,
            leaves: tree.leaves,
            lattice: Dual(lattice),
        });
    }
}
