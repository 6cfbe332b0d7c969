//! Connect Four from the empty board to a depth, by meetjoin and by the crate `minimax`, with the
//! same moves and the same evaluation.
//!
//! Both play on the positions of [`ConnectFour`], either as the rules have them or without hopeless
//! moves, in the same order of moves, and both ask the game's static evaluation. The values must be
//! equal. Nodes are visits for meetjoin, and moves made for the peer.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::marker::PhantomData;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock};
use std::time::Instant;

use meetjoin_dag::{AndOrDag, Kind, Valuation};
use meetjoin_games::{
    ConnectFour, ConnectFourByRules, ConnectFourPosition, Playable, Scoring, StaticEvaluation,
};
use meetjoin_lattice::{Budget, Stop};
use meetjoin_problems::AnyBoard;
use meetjoin_problems::games::to_depth;
use meetjoin_search::sharing::SharedCaches;
use meetjoin_search::threads::race;
use meetjoin_search::total_order::{Deepened, Deepening, iterative_deepening};
use meetjoin_search::{Counts, Env, OfPositions, SharedStores, Sharing, Stores, Tables};
use meetjoin_solve::HEAD_START;
use minimax::{IterativeOptions, IterativeSearch, ParallelOptions, ParallelSearch, Winner};
use serde_json::json;

use crate::measuring::instance::{Instance, Series, Solved};
use crate::measuring::memory;

/// The peer's settings: as it comes; in steps of two depths; MTD(f) in steps of two. The orders of
/// moves that it can learn made it slower on this game, and so did a table of 64 MB in place of its
/// 1 MiB.
pub(crate) const PEERS: [&str; 3] = [
    "minimax-crate",
    "minimax-crate-double",
    "minimax-crate-mtd-f",
];

/// The peer on all cores, in steps of two: as it comes, by MTD(f), and both with no parallel work
/// in the last four levels, with which it is fastest here.
pub(crate) const PARALLEL: [&str; 4] = [
    "minimax-crate-parallel",
    "minimax-crate-parallel-mtd-f",
    "minimax-crate-parallel-4",
    "minimax-crate-parallel-4-mtd-f",
];

/// Ours by MTD(f) with iterative deepening, on all cores.
pub(crate) const ON_THREADS: &str = "deepened-mtd-f-threads";

/// Ours with iterative deepening in steps of four, with which it is fastest: by NegaScout, and by
/// MTD(f).
pub(crate) const DEEPENED: [&str; 2] = ["deepened-nega-scout", "deepened-mtd-f"];
/// Entries of our table of best moves, as many as the peer's smaller table has.
const REMEMBERED: usize = 1 << 16;

/// From the empty board to a depth.
struct FromEmpty<M> {
    depth: u32,
    moves: PhantomData<M>,
}

/// By the rules, or without hopeless moves.
pub(crate) fn by_rules(depth: u32) -> Box<dyn Instance> {
    Box::new(FromEmpty {
        depth,
        moves: PhantomData::<ConnectFourByRules>,
    })
}

/// Positions of Connect Four to a depth, without hopeless moves.
pub(crate) fn without_hopeless(depth: u32) -> Box<dyn Instance> {
    Box::new(FromEmpty {
        depth,
        moves: PhantomData::<ConnectFour>,
    })
}

/// A way to list moves, from the empty board.
trait Moves: AndOrDag<Node = ConnectFourPosition> + Send + Sync + 'static {
    const BY_RULES: bool;

    fn moves() -> &'static Self;
}

/// The empty board.
static EMPTY: LazyLock<ConnectFour> = LazyLock::new(|| {
    let board = ConnectFour::new(7, 6).unwrap_or_else(|error| unreachable!("7 by 6: {error}"));
    board.with_scoring(Scoring::Apart)
});
static BY_RULES: LazyLock<ConnectFourByRules> = LazyLock::new(|| EMPTY.by_rules());

impl Moves for ConnectFour {
    const BY_RULES: bool = false;

    fn moves() -> &'static Self {
        &EMPTY
    }
}

impl Moves for ConnectFourByRules {
    const BY_RULES: bool = true;

    fn moves() -> &'static Self {
        &BY_RULES
    }
}

thread_local! {
    /// Moves that the peer has made, and positions that it has judged.
    static MADE: Cell<u64> = const { Cell::new(0) };
    static JUDGED: Cell<u64> = const { Cell::new(0) };
    /// Room for the children of a position.
    static CHILDREN: RefCell<Vec<ConnectFourPosition>> = const { RefCell::new(Vec::new()) };
}

/// The game through the peer's trait.
struct Game<M>(PhantomData<M>);

/// Bits of a column in a set of stones.
const COLUMN_BITS: u32 = 7;

/// A move: the cell of the stone. It is small because the peer keeps one in each entry of its
/// table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Move {
    cell: u8,
}

/// A position and its key, which the peer asks for often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Keyed {
    position: ConnectFourPosition,
    key: u64,
}

impl Keyed {
    fn new(position: ConnectFourPosition) -> Self {
        // The low bits choose the entry, the high ones are compared.
        let key = position.key().wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let key = key ^ key >> 32;
        Self { position, key }
    }
}

impl<M: Moves> minimax::Game for Game<M> {
    type S = Keyed;
    type M = Move;

    fn generate_moves(state: &Keyed, moves: &mut Vec<Move>) -> Option<Winner> {
        let winner = Self::get_winner(state);
        if winner.is_none() {
            let before = state.position.stones();
            CHILDREN.with_borrow_mut(|children| {
                M::moves().children(&state.position, children);
                moves.extend(children.drain(..).map(|to| Move {
                    cell: (to.stones() ^ before).trailing_zeros() as u8,
                }));
            });
        }
        winner
    }

    fn apply(state: &mut Keyed, made: Move) -> Option<Keyed> {
        MADE.set(MADE.get() + 1);
        let column = u32::from(made.cell) / COLUMN_BITS + 1;
        // Only legal moves are made here.
        let next = EMPTY.play(&state.position, column);
        Some(next.map_or(*state, Keyed::new))
    }

    fn get_winner(state: &Keyed) -> Option<Winner> {
        if M::moves().kind(&state.position) != Kind::Leaf {
            return None;
        }
        // At a leaf the player to move has lost, or it is a draw.
        Some(match EMPTY.leaf(&state.position) {
            0 => Winner::Draw,
            _ => Winner::PlayerJustMoved,
        })
    }

    fn zobrist_hash(state: &Keyed) -> u64 {
        state.key
    }
}

/// The evaluation through the peer's trait: for the player to move.
struct Judge<M>(PhantomData<M>);

impl<M> Clone for Judge<M> {
    fn clone(&self) -> Self {
        Self(PhantomData)
    }
}

impl<M: Moves> minimax::Evaluator for Judge<M> {
    type G = Game<M>;

    fn evaluate(&self, state: &Keyed) -> minimax::Evaluation {
        JUDGED.set(JUDGED.get() + 1);
        let value = i16::from(EMPTY.evaluate(&state.position));
        if state.position.count().is_multiple_of(2) {
            value
        } else {
            -value
        }
    }
}

impl<M: Moves> FromEmpty<M> {
    fn peer(&self, options: IterativeOptions) -> Result<Solved, String> {
        self.played(|judge| {
            let search = IterativeSearch::new(judge, options);
            (search, IterativeSearch::root_value)
        })
    }

    /// The peer on all cores, with the last `serial` levels sequential. Moves that other threads
    /// make are not counted.
    fn parallel(&self, options: IterativeOptions, serial: u8) -> Result<Solved, String> {
        let parallel = ParallelOptions::new()
            .with_num_threads(cores().get())
            .with_serial_cutoff_depth(serial);
        self.played(|judge| {
            let search = ParallelSearch::new(judge, options, parallel);
            (search, ParallelSearch::root_value)
        })
    }

    /// The result of a search by the peer to the depth, including the time to allocate its table.
    fn played<S: minimax::Strategy<Game<M>>>(
        &self,
        search: impl FnOnce(Judge<M>) -> (S, fn(&S) -> minimax::Evaluation),
    ) -> Result<Solved, String> {
        let depth = u8::try_from(self.depth).map_err(|error| error.to_string())?;
        memory::reset_peak();
        MADE.set(0);
        JUDGED.set(0);
        let started = Instant::now();
        let (mut search, value) = search(Judge(PhantomData));
        search.set_max_depth(depth);
        let root = Keyed::new(EMPTY.root());
        if search.choose_move(&root).is_none() {
            return Err("the peer finds no move".to_owned());
        }
        Ok(Solved {
            seconds: started.elapsed().as_secs_f64(),
            counts: Counts {
                visits: MADE.get(),
                leaves: JUDGED.get(),
                ..Counts::default()
            },
            nodes: None,
            peak_bytes: memory::peak(),
            stop: None,
            value: Some(json!([value(&search)]).to_string()),
        })
    }
}

/// The moves by the rules or without hopeless ones: one type, so that the deepened searches are
/// compiled once.
struct EitherMoves {
    by_rules: bool,
}

impl AndOrDag for EitherMoves {
    type Node = ConnectFourPosition;

    fn root(&self) -> ConnectFourPosition {
        EMPTY.root()
    }

    #[inline]
    fn kind(&self, position: &ConnectFourPosition) -> Kind {
        if self.by_rules {
            BY_RULES.kind(position)
        } else {
            EMPTY.kind(position)
        }
    }

    #[inline]
    fn children(&self, position: &ConnectFourPosition, out: &mut Vec<ConnectFourPosition>) {
        if self.by_rules {
            BY_RULES.children(position, out);
        } else {
            EMPTY.children(position, out);
        }
    }

    fn name(&self, position: &ConnectFourPosition, out: &mut dyn fmt::Write) -> fmt::Result {
        EMPTY.name(position, out)
    }
}

/// Ours, deepened to a depth, with caches from `stores`: the value, if no limit fired.
fn deepened<S: Stores<ConnectFourPosition>>(
    (by_rules, depth, search): (bool, u32, Deepened),
    stores: S,
    budget: &Budget,
) -> (Option<i8>, Option<Stop>, Counts) {
    let evaluation = |position: &ConnectFourPosition| EMPTY.evaluate(position);
    let how = Deepening {
        search,
        most: depth,
        step: 4,
        remembered: REMEMBERED,
    };
    let mut env = Env::new(budget)
        .with_store(stores)
        .with_observer(OfPositions(Counts::default()));
    let on = |_: &_| ControlFlow::Continue(());
    let moves = EitherMoves { by_rules };
    let deepest = iterative_deepening(&moves, &*EMPTY, evaluation, how, &mut env, on);
    let last = deepest.level.filter(|_| deepest.stop.is_none());
    let value = last.and_then(|level| level.estimate.value().copied());
    (value, deepest.stop, env.observer.0)
}

/// A search of ours, timed.
fn timed(search: impl FnOnce() -> (Option<i8>, Option<Stop>, Counts)) -> Solved {
    memory::reset_peak();
    let started = Instant::now();
    let (value, stop, counts) = search();
    Solved {
        seconds: started.elapsed().as_secs_f64(),
        counts,
        nodes: None,
        peak_bytes: memory::peak(),
        stop,
        value: value.map(|value| json!([value]).to_string()),
    }
}

/// Ours on all cores. Visits are those of all threads.
fn on_threads(by_rules: bool, depth: u32, budget: &Budget) -> (Option<i8>, Option<Stop>, Counts) {
    let threads = cores().get();
    let caches = Arc::new(SharedCaches::new(threads, None));
    let search = |budget: &Budget| {
        let stores = SharedStores::new(&caches);
        stores.begin(1);
        let shared = Sharing::Shared(stores, Tables);
        let found = deepened((by_rules, depth, Deepened::MtdF), shared, budget);
        let is_found = found.0.is_some();
        (found, is_found)
    };
    let ran = race(budget, threads - 1, HEAD_START, search, search);
    let (mut value, stop, mut counts) = ran.own;
    for (of_other, _, other) in ran.helped {
        value = value.or(of_other);
        counts.visits += other.visits;
        counts.leaves += other.leaves;
    }
    (value, stop.filter(|_| value.is_none()), counts)
}

/// The cores of this machine.
fn cores() -> NonZero<usize> {
    std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

impl<M: Moves> Instance for FromEmpty<M> {
    fn solve(&self, algorithm: &str, budget: &Budget, count_nodes: bool) -> Result<Solved, String> {
        if let Some(ours) = DEEPENED.iter().position(|ours| *ours == algorithm) {
            let search = [Deepened::NegaScout, Deepened::MtdF][ours];
            let what = (M::BY_RULES, self.depth, search);
            return Ok(timed(|| deepened(what, Tables, budget)));
        }
        if algorithm == ON_THREADS {
            return Ok(timed(|| on_threads(M::BY_RULES, self.depth, budget)));
        }
        let options = IterativeOptions::new();
        let double = options.with_double_step_increment();
        if let Some(how) = PARALLEL.iter().position(|peer| *peer == algorithm) {
            let serial = if how < 2 { 1 } else { 4 };
            let options = if how % 2 == 0 {
                double
            } else {
                double.with_mtdf()
            };
            return self.parallel(options, serial);
        }
        match PEERS.iter().position(|peer| *peer == algorithm) {
            Some(0) => self.peer(options),
            Some(1) => self.peer(double),
            Some(_) => self.peer(double.with_mtdf()),
            None => {
                let ours = Series(vec![(
                    to_depth(AnyBoard::from(*EMPTY), M::BY_RULES, self.depth),
                    None,
                )]);
                ours.solve(algorithm, budget, count_nodes)
            }
        }
    }

    /// The peer shuffles the moves of the root, and threads interleave at random.
    fn is_deterministic(&self, algorithm: &str) -> bool {
        !PEERS.contains(&algorithm) && !PARALLEL.contains(&algorithm) && algorithm != ON_THREADS
    }
}
