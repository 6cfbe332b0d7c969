//! What the tests of this crate share: games, and every algorithm under one signature. The tests of
//! crates above share some of these files.

pub mod family_game;
pub mod game;
pub mod graphs;
pub mod large;

use std::fmt::Debug;

use meetjoin_dag::{NodeId, Rows};
use meetjoin_lattice::{
    AnyElem, AnyLattice, Budget, DistributiveLattice, ElemOf, FiniteLattice, Interval, Lattice,
    Licensed, Powerset, Stop, TotalOrder, Words,
};
use meetjoin_search::order::Lent;
use meetjoin_search::pruning::{Rule, prune, shallow};
use meetjoin_search::total_order::{
    Guess, Halving, alpha_beta_informed, duo_bi, mtd_bi, mtd_f, nega_scout, scout, sss_2,
    sss_2_dual, sss_star, sss_star_dual,
};
use meetjoin_search::{
    Dense, Duo, Env, FailHard, FailSoft, FromHeuristic, Observer, Order, Outcome, Slot, Store,
    Table, Tools, Window, alpha_beta, alpha_beta_cached, alpha_beta_duo, alpha_beta_duo_as,
    alpha_beta_duo_plain, alpha_beta_duo_published, minimax, minimax_cached,
};

pub use family_game::families;
pub use game::Game;

impl<L: Lattice> Game<L> {
    /// `beta meet (alpha join value)`.
    pub fn clip(&self, window: &Window<L::Elem>, value: &L::Elem) -> L::Elem {
        let free = Budget::unlimited();
        let mut clipped = value.clone();
        self.lattice
            .join_assign(&mut clipped, &window.alpha, &free)
            .expect("no limit");
        self.lattice
            .meet_assign(&mut clipped, &window.beta, &free)
            .expect("no limit");
        clipped
    }
}

/// A tree or graph in a line: `and([..])`, `or([..])` over leaves.
#[derive(Clone, Debug)]
pub enum Tree<E> {
    Leaf(E),
    And(Vec<Tree<E>>),
    Or(Vec<Tree<E>>),
    /// A node that several parents share, by its place in a list.
    Shared(usize),
}

pub fn leaf<E>(value: E) -> Tree<E> {
    Tree::Leaf(value)
}

pub fn and<E>(children: impl IntoIterator<Item = Tree<E>>) -> Tree<E> {
    Tree::And(children.into_iter().collect())
}

pub fn or<E>(children: impl IntoIterator<Item = Tree<E>>) -> Tree<E> {
    Tree::Or(children.into_iter().collect())
}

/// The game of a tree. Nodes are numbered in postorder, so leaf ordinals go from left to right.
pub fn game<L: Lattice>(lattice: L, tree: Tree<L::Elem>) -> Game<L> {
    shared_game(lattice, tree, Vec::new())
}

/// The game of a graph: a tree whose nodes `Tree::Shared(k)` are `shared[k]`, in which later ones
/// may be used in turn.
pub fn shared_game<L: Lattice>(
    lattice: L,
    tree: Tree<L::Elem>,
    shared: Vec<Tree<L::Elem>>,
) -> Game<L> {
    fn add<E>(
        tree: Tree<E>,
        rows: &mut Rows,
        values: &mut Vec<E>,
        made: &[Option<NodeId>],
    ) -> NodeId {
        let mut row = |children: Vec<Tree<E>>, rows: &mut Rows| -> Vec<NodeId> {
            let children = children.into_iter();
            children
                .map(|child| add(child, rows, values, made))
                .collect()
        };
        match tree {
            Tree::Shared(k) => Ok(made[k].expect("made before it is used")),
            Tree::Leaf(value) => {
                values.push(value);
                rows.leaf()
            }
            Tree::And(children) => {
                let row = row(children, rows);
                rows.and(row)
            }
            Tree::Or(children) => {
                let row = row(children, rows);
                rows.or(row)
            }
        }
        .expect("small trees fit")
    }
    let (mut rows, mut values) = (Rows::new(), Vec::new());
    let mut made = vec![None; shared.len()];
    for (k, tree) in shared.into_iter().enumerate().rev() {
        made[k] = Some(add(tree, &mut rows, &mut values, &made));
    }
    let root = add(tree, &mut rows, &mut values, &made);
    Game {
        graph: rows.finish(root).expect("there is no cycle"),
        lattice,
        values,
        bounds: None,
    }
}

/// Sets of at most 64 worlds.
pub type Sets = Powerset<Words<1>>;

pub fn sets(worlds: usize) -> Sets {
    Powerset::new(worlds).expect("small")
}

/// A set from a word of digits, as the paper writes Boolean vectors: the leftmost digit is world 0.
pub fn word(digits: &str) -> Words<1> {
    let ones = digits
        .bytes()
        .enumerate()
        .filter(|(_, digit)| *digit == b'1');
    Words([ones.map(|(i, _)| 1 << i).sum()])
}

/// Claims to be distributive, whatever it is: the way to see what a cut does where it may not be
/// made.
pub fn licensed(table: FiniteLattice) -> Licensed {
    Licensed(AnyLattice::Finite(table))
}

/// The game of a tree over a table, in the lattice chosen at run time.
pub fn game_in(table: FiniteLattice, tree: Tree<u32>) -> Game<Licensed> {
    let game = game(table, tree);
    Game {
        graph: game.graph,
        lattice: licensed(game.lattice),
        values: game.values.into_iter().map(AnyElem::Element).collect(),
        bounds: None,
    }
}

fn table(covers: &[(&str, &str)]) -> FiniteLattice {
    let elements = ["0", "1", "2", "3", "4"];
    FiniteLattice::from_covers(&elements, covers).expect("a lattice")
}

/// Three atoms 1, 2, 3 between 0 and 4.
pub fn m3() -> FiniteLattice {
    table(&[
        ("0", "1"),
        ("0", "2"),
        ("0", "3"),
        ("1", "4"),
        ("2", "4"),
        ("3", "4"),
    ])
}

/// 0 < 1 < 2 < 4 and 0 < 3 < 4.
pub fn n5() -> FiniteLattice {
    table(&[("0", "1"), ("1", "2"), ("2", "4"), ("0", "3"), ("3", "4")])
}

/// Which algorithm, and with which kind of cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Minimax,
    MinimaxCached,
    Shallow,
    Deep,
    Couwenberg,
    Strong,
    AlphaBetaSoft,
    AlphaBetaHard,
    AlphaBetaBounds,
    AlphaBetaCached,
    DuoPlain,
    DuoPublished,
    Duo,
    DuoDense,
    DuoUncached,
    DuoAs(Duo),
}

pub const ENGINES: [Engine; 18] = [
    Engine::Minimax,
    Engine::MinimaxCached,
    Engine::Shallow,
    Engine::Deep,
    Engine::Couwenberg,
    Engine::Strong,
    Engine::AlphaBetaSoft,
    Engine::AlphaBetaHard,
    Engine::AlphaBetaBounds,
    Engine::AlphaBetaCached,
    Engine::DuoPlain,
    Engine::DuoPublished,
    Engine::Duo,
    Engine::DuoDense,
    Engine::DuoUncached,
    Engine::DuoAs(LOOK),
    Engine::DuoAs(NARROW),
    Engine::DuoAs(ALL),
];

/// Looks and nothing else.
const LOOK: Duo = Duo {
    look: true,
    ..Duo::PLAIN
};
/// Keeps bounds short and nothing else.
const NARROW: Duo = Duo {
    narrow: true,
    ..Duo::PLAIN
};
/// Every part there is.
const ALL: Duo = Duo {
    refine: true,
    look: true,
    order: true,
    shared_only: true,
    narrow: true,
};

/// What is remembered from search to search.
pub struct Memory<E> {
    pub exact: Table<NodeId, E>,
    pub duo: Table<NodeId, Interval<E>>,
    pub dense: Dense<NodeId, Interval<E>>,
}

impl<E> Memory<E> {
    pub fn new(nodes: usize) -> Self {
        Self {
            exact: Table::new(),
            duo: Table::new(),
            dense: Dense::new(nodes),
        }
    }
}

/// What tests have to know of an algorithm.
pub trait Algorithm: Copy + Debug {
    /// Whether the algorithm takes a window; the others always search the full one.
    fn takes_window(self) -> bool;

    /// Whether its visits grow with the paths of the graph.
    fn is_uncached(self) -> bool;
}

type Watching<'e, L> = &'e mut dyn Observer<NodeId, ElemOf<L>>;

/// An environment with any observer and any order.
type AnyEnv<'a, 'e, L> = Env<'a, (), (), Watching<'e, L>, Lent<'e, dyn Order<NodeId> + 'e>>;

/// An algorithm that runs on games over the lattice `L`.
pub trait Runs<L: Lattice>: Algorithm {
    /// Runs the algorithm. Bounds of the game are used where the algorithm uses bounds.
    fn run<O, R>(
        self,
        game: &Game<L>,
        window: &Window<ElemOf<L>>,
        memory: &mut Memory<ElemOf<L>>,
        budget: &Budget,
        mut observer: O,
        mut order: R,
    ) -> Outcome<ElemOf<L>>
    where
        O: Observer<NodeId, ElemOf<L>>,
        R: Order<NodeId>,
    {
        let env = Env::new(budget)
            .with_observer(&mut observer as Watching<'_, L>)
            .with_order(Lent(&mut order as &mut dyn Order<NodeId>));
        self.run_in(game, window, memory, env)
    }

    /// The same, compiled once for all observers and orders.
    fn run_in(
        self,
        game: &Game<L>,
        window: &Window<ElemOf<L>>,
        memory: &mut Memory<ElemOf<L>>,
        env: AnyEnv<'_, '_, L>,
    ) -> Outcome<ElemOf<L>>;

    /// Runs the algorithm on the full window with nothing else.
    fn solve(self, game: &Game<L>) -> Outcome<ElemOf<L>> {
        let window = Window::full(&game.lattice);
        let mut memory = Memory::new(game.graph.node_count());
        self.run(game, &window, &mut memory, &Budget::unlimited(), (), ())
    }
}

impl Algorithm for Engine {
    fn takes_window(self) -> bool {
        use Engine::{Couwenberg, Deep, Minimax, MinimaxCached, Shallow, Strong};
        !matches!(
            self,
            Minimax | MinimaxCached | Shallow | Deep | Couwenberg | Strong
        )
    }

    /// ABC is among them: below a cut it remembers nothing.
    fn is_uncached(self) -> bool {
        use Engine::{
            AlphaBetaBounds, AlphaBetaCached, AlphaBetaHard, AlphaBetaSoft, Couwenberg, Deep,
            DuoUncached, Minimax, Shallow, Strong,
        };
        matches!(
            self,
            Minimax
                | Shallow
                | Deep
                | Couwenberg
                | Strong
                | AlphaBetaSoft
                | AlphaBetaHard
                | AlphaBetaBounds
                | AlphaBetaCached
                | DuoUncached
        )
    }
}

impl<L: DistributiveLattice> Runs<L> for Engine {
    fn run_in(
        self,
        game: &Game<L>,
        window: &Window<ElemOf<L>>,
        memory: &mut Memory<ElemOf<L>>,
        env: AnyEnv<'_, '_, L>,
    ) -> Outcome<ElemOf<L>> {
        let (g, w) = (game, window);
        match self {
            Self::Minimax => minimax(g, g, &mut { env }),
            Self::MinimaxCached => minimax_cached(g, g, &mut env.with_store(&mut memory.exact)),
            Self::Shallow => shallow(g, g, &mut { env }),
            Self::Deep => prune(g, g, Rule::Deep, &mut { env }),
            Self::Couwenberg => prune(g, g, Rule::Couwenberg, &mut { env }),
            Self::Strong => prune(g, g, Rule::Strong, &mut { env }),
            Self::AlphaBetaSoft => alpha_beta(g, g, w, FailSoft, &mut { env }),
            Self::AlphaBetaHard => alpha_beta(g, g, w, FailHard, &mut { env }),
            Self::AlphaBetaBounds => alpha_beta(g, g, w, FromHeuristic(g), &mut { env }),
            Self::AlphaBetaCached => {
                let env = env.with_store(&mut memory.exact).with_heuristic(g);
                alpha_beta_cached(g, g, w, &mut { env })
            }
            Self::DuoPlain => {
                let env = env.with_store(&mut memory.duo).with_heuristic(g);
                alpha_beta_duo_plain(g, g, w, &mut { env })
            }
            Self::DuoPublished => {
                let env = env.with_store(&mut memory.duo).with_heuristic(g);
                alpha_beta_duo_published(g, g, w, &mut { env })
            }
            Self::Duo => {
                let env = env.with_store(&mut memory.duo).with_heuristic(g);
                alpha_beta_duo(g, g, w, &mut { env })
            }
            Self::DuoDense => {
                let env = env.with_store(&mut memory.dense).with_heuristic(g);
                alpha_beta_duo_plain(g, g, w, &mut { env })
            }
            Self::DuoAs(how) => {
                let env = env.with_store(&mut memory.duo).with_heuristic(g);
                alpha_beta_duo_as(g, g, w, how, &mut { env })
            }
            Self::DuoUncached => alpha_beta_duo_plain(g, g, w, &mut env.with_heuristic(g)),
        }
    }
}

/// The algorithms for total orders, each without a cache and with one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainEngine {
    pub algorithm: ChainAlgorithm,
    pub cached: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainAlgorithm {
    Scout,
    AlphaBetaInformed,
    NegaScout,
    MtdFTop,
    MtdFBottom,
    /// From what the window calls alpha.
    MtdFMiddle,
    MtdBi,
    DuoBi,
    /// It halves whatever is left.
    DuoBiAlways,
    Sss2,
    Sss2Dual,
    SssStar,
    SssStarDual,
}

pub fn chain_engines() -> Vec<ChainEngine> {
    use ChainAlgorithm::{
        AlphaBetaInformed, DuoBi, DuoBiAlways, MtdBi, MtdFBottom, MtdFMiddle, MtdFTop, NegaScout,
        Scout, Sss2, Sss2Dual, SssStar, SssStarDual,
    };
    let algorithms = [
        Scout,
        AlphaBetaInformed,
        NegaScout,
        MtdFTop,
        MtdFBottom,
        MtdFMiddle,
        MtdBi,
        DuoBi,
        DuoBiAlways,
        Sss2,
        Sss2Dual,
        SssStar,
        SssStarDual,
    ];
    let each = algorithms.iter();
    each.flat_map(|&algorithm| [false, true].map(|cached| ChainEngine { algorithm, cached }))
        .collect()
}

const ALWAYS: Halving = Halving {
    from: 0,
    rest: 0,
    most: u64::MAX,
};

impl ChainAlgorithm {
    pub fn run<L, T>(
        self,
        game: &Game<L>,
        window: &Window<ElemOf<L>>,
        env: &mut T,
    ) -> Outcome<ElemOf<L>>
    where
        L: TotalOrder,
        T: Tools<NodeId, L, Store: Store<NodeId, Interval<ElemOf<L>>>>,
    {
        match self {
            Self::Scout => scout(game, game, env),
            Self::AlphaBetaInformed => alpha_beta_informed(game, game, window, env),
            Self::NegaScout => nega_scout(game, game, window, env),
            Self::MtdFTop => mtd_f(game, game, Guess::Top, env),
            Self::MtdFBottom => mtd_f(game, game, Guess::Bottom, env),
            Self::MtdFMiddle => mtd_f(game, game, Guess::Value(window.alpha.clone()), env),
            Self::MtdBi => mtd_bi(game, game, None, env),
            Self::DuoBi => duo_bi(game, game, Duo::DEFAULT, Halving::default(), env),
            Self::DuoBiAlways => duo_bi(game, game, Duo::DEFAULT, ALWAYS, env),
            Self::Sss2 => sss_2(game, game, env).outcome,
            Self::Sss2Dual => sss_2_dual(game, game, env).outcome,
            // The list forms have no cache.
            Self::SssStar => sss_star(game, game, &mut env.lend().with_store(())).outcome,
            Self::SssStarDual => sss_star_dual(game, game, &mut env.lend().with_store(())).outcome,
        }
    }
}

impl Algorithm for ChainEngine {
    fn takes_window(self) -> bool {
        use ChainAlgorithm::{AlphaBetaInformed, NegaScout};
        matches!(self.algorithm, AlphaBetaInformed | NegaScout)
    }

    fn is_uncached(self) -> bool {
        use ChainAlgorithm::{SssStar, SssStarDual};
        !self.cached || matches!(self.algorithm, SssStar | SssStarDual)
    }
}

impl<L: TotalOrder> Runs<L> for ChainEngine {
    fn run_in(
        self,
        game: &Game<L>,
        window: &Window<ElemOf<L>>,
        memory: &mut Memory<ElemOf<L>>,
        env: AnyEnv<'_, '_, L>,
    ) -> Outcome<ElemOf<L>> {
        let env = env.with_heuristic(game);
        let store = self.cached.then_some(&mut memory.duo);
        self.algorithm.run(game, window, &mut env.with_store(store))
    }
}

/// The path of a file of known answers: beside the project where that is present, else the copy in
/// the repository.
pub fn cases(file: &str) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let paths = [
        format!("{root}/../shared/cases/{file}"),
        format!("{root}/cases/{file}"),
    ];
    let found = paths
        .iter()
        .find_map(|path| std::fs::read_to_string(path).ok());
    found.expect("the repository keeps a copy of the known answers")
}

/// A store that is full after so many entries.
pub struct Full<S> {
    pub store: S,
    pub room: usize,
}

impl<N, V, S: Store<N, V>> Store<N, V> for Full<S> {
    type Ref<'a>
        = S::Ref<'a>
    where
        Self: 'a,
        V: 'a;

    fn get(&self, node: &N) -> (Slot, Option<S::Ref<'_>>) {
        self.store.get(node)
    }

    fn put(&mut self, slot: Slot, node: &N, value: V, budget: &Budget) -> Result<(), Stop> {
        if self.room == 0 {
            return Err(Stop::Memory);
        }
        self.room -= 1;
        self.store.put(slot, node, value, budget)
    }

    fn len(&self) -> usize {
        self.store.len()
    }
}
