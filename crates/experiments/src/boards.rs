//! Board games: Kalah by depth, Connect Four near its end, and small games from the start.

use std::time::Instant;

use meetjoin::dag::{AndOrDag, Heuristic, Rooted, Valuation};
use meetjoin::games::{
    ConnectFour, Kalah, Playable, Scoring, StaticEvaluation, TicTacToe, random_play,
};
use meetjoin::lattice::{Budget, Chain, ElemOf, Interval, TotalOrder};
use meetjoin::search::engine::{self, Stores, Tables, Task};
use meetjoin::search::proof::Integer;
use meetjoin::search::total_order::{NegaScout, nega_scout};
use meetjoin::search::{Counts, Duo, Env, Horizon, Store, Visited, Window};
use serde_json::json;

use super::instance::{Instance, Solved, TABLE_BYTES};
use super::memory;

/// Searches of one instance, one after the other, with their counts and values added up.
pub(crate) struct Series {
    started: Instant,
    counts: Counts,
    nodes: Option<usize>,
    values: Option<Vec<i64>>,
}

impl Series {
    pub(crate) fn new(count_nodes: bool) -> Self {
        memory::reset_peak();
        Self {
            started: Instant::now(),
            counts: Counts::default(),
            nodes: count_nodes.then_some(0),
            values: Some(Vec::new()),
        }
    }

    /// Lets `search` run with observers. Its value counts if no limit has fired.
    pub(crate) fn search<N: Clone + Eq + std::hash::Hash>(
        &mut self,
        budget: &Budget,
        search: impl FnOnce(&mut (Counts, Option<Visited<N>>)) -> Option<i64>,
    ) {
        let mut watch = (self.counts, self.nodes.map(|_| Visited::default()));
        let value = search(&mut watch);
        self.counts = watch.0;
        if let (Some(nodes), Some(visited)) = (&mut self.nodes, &watch.1) {
            *nodes += visited.len();
        }
        match value.filter(|_| budget.fired().is_none()) {
            Some(value) => self.values.iter_mut().for_each(|all| all.push(value)),
            None => self.values = None,
        }
    }

    pub(crate) fn solved(self, budget: &Budget) -> Solved {
        Solved {
            seconds: self.started.elapsed().as_secs_f64(),
            counts: self.counts,
            nodes: self.nodes,
            peak_bytes: memory::peak(),
            stop: budget.fired(),
            value: self.values.map(|values| json!(values).to_string()),
        }
    }
}

/// The value of a node by the algorithm with this id. Those that know a heuristic pair get the game's, if it has one.
fn by_id<D, V, H, S>(
    algorithm: &str,
    task: &Task<'_, D, V, H, S>,
    root: D::Node,
    watch: &mut (Counts, Option<Visited<D::Node>>),
) -> Result<Option<i64>, String>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder>,
    ElemOf<V::Lattice>: Copy + Into<i64>,
    H: Heuristic<D::Node, V::Lattice> + Copy,
    S: Stores<D::Node>,
{
    let mut engine = engine::total_order(algorithm, task)
        .ok_or_else(|| format!("there is no algorithm {algorithm}"))?;
    let outcome = engine.search(root, watch).outcome;
    Ok(outcome.exact().map(|value| (*value).into()))
}

/// Positions of a game, each searched to a depth and judged there.
struct ToDepth<G: AndOrDag> {
    game: G,
    positions: Vec<G::Node>,
    depth: u32,
}

impl<G> Instance for ToDepth<G>
where
    G: StaticEvaluation<<G as AndOrDag>::Node> + AndOrDag,
    G::Lattice: TotalOrder,
    ElemOf<G::Lattice>: Copy + Into<i64>,
{
    fn solve(&self, algorithm: &str, budget: &Budget, count_nodes: bool) -> Result<Solved, String> {
        let game = &self.game;
        let mut series = Series::new(count_nodes);
        for position in &self.positions {
            let rooted = Rooted {
                dag: game,
                root: position.clone(),
            };
            let horizon = Horizon::new(&rooted, game, |p: &G::Node| game.evaluate(p), self.depth);
            let task = Task {
                dag: &horizon,
                valuation: &horizon,
                heuristic: (),
                stores: Tables,
                budget,
                duo: Duo::default(),
            };
            let mut known = Ok(());
            series.search(budget, |watch| {
                let found = by_id(algorithm, &task, horizon.root(), watch);
                found.unwrap_or_else(|error| {
                    known = Err(error);
                    None
                })
            });
            known?;
        }
        Ok(series.solved(budget))
    }
}

/// Positions of an instance of Kalah.
const OPENINGS: u64 = 20;
/// Random moves before them.
const OPENING: usize = 4;

/// Kalah with six pits and four seeds in each, after a few random moves, to a depth.
pub(crate) fn kalah(depth: u32, seed: u64) -> Result<Box<dyn Instance>, String> {
    let game = Kalah::new(6, 4).map_err(|error| error.to_string())?;
    let position = |i| {
        let moves = random_play(&game, OPENING, seed * OPENINGS + i);
        let moves = moves.ok_or("no game lasts so long")?;
        Ok(game
            .after(&moves)
            .map_err(|error| error.to_string())?
            .root())
    };
    let positions = (0..OPENINGS).map(position).collect::<Result<_, String>>()?;
    Ok(Box::new(ToDepth {
        game,
        positions,
        depth,
    }))
}

/// The games that are solved from the start, in few letters for an axis: C4 is Connect Four.
pub(crate) const SMALL: [&str; 6] = [
    "C4 4x4",
    "C4 5x4",
    "C4 5x5",
    "Kalah(4,3)",
    "Kalah(5,3)",
    "Kalah(6,2)",
];

/// One of the games that are solved from the start; game 1 is the first.
pub(crate) fn from_the_start(number: u32) -> Result<Box<dyn Instance>, String> {
    let connect_four = |columns, rows| {
        let game = ConnectFour::new(columns, rows).map_err(|error| error.to_string())?;
        ends(
            game.with_scoring(Scoring::Outcome),
            vec![(game.root(), None)],
        )
    };
    let kalah = |pits, seeds| {
        let game = Kalah::new(pits, seeds).map_err(|error| error.to_string())?;
        ends(game, vec![(game.root(), None)])
    };
    match number {
        1 => connect_four(4, 4),
        2 => connect_four(5, 4),
        3 => connect_four(5, 5),
        4 => kalah(4, 3),
        5 => kalah(5, 3),
        6 => kalah(6, 2),
        _ => Err(format!("there is no game {number}")),
    }
}

/// The games by which searches for proofs are compared.
pub(crate) const PROVED: [&str; 6] = [
    "tic-tac-toe",
    "C4 5x4",
    "C4 5x5",
    "C4, 28 stones",
    "Kalah(4,3)",
    "Kalah(6,2)",
];

/// One of them; game 1 is the first.
pub(crate) fn proved(number: u32) -> Result<Box<dyn Instance>, String> {
    match number {
        1 => {
            let game = TicTacToe::new();
            ends(game, vec![(game.root(), None)])
        }
        2 => from_the_start(2),
        3 => from_the_start(3),
        4 => end_positions(28),
        5 => from_the_start(4),
        6 => from_the_start(6),
        _ => Err(format!("there is no game {number}")),
    }
}

/// Positions with known values, by the moves that lead to them.
const ENDS: &str = include_str!("../../../cases/connect_four_ends.txt");

/// The positions of the file that have so many stones.
pub(crate) fn end_positions(stones: u32) -> Result<Box<dyn Instance>, String> {
    let empty = ConnectFour::new(7, 6).map_err(|error| error.to_string())?;
    let lines = ENDS.lines().filter(|line| !line.starts_with('#'));
    let lines = lines.filter_map(|line| line.split_once(' '));
    let lines = lines.filter(|(moves, _)| moves.len() == stones as usize);
    let position = |(moves, value): (&str, &str)| {
        let value: i64 = value
            .parse()
            .map_err(|_| format!("{value:?} is no value"))?;
        let game = empty.after(moves).map_err(|error| error.to_string())?;
        Ok((game.root(), Some(value)))
    };
    ends(empty, lines.map(position).collect::<Result<_, String>>()?)
}

/// A board game whose values are integers, with the bounds that it knows.
trait Board:
    AndOrDag
    + Copy
    + Valuation<Self::Node, Lattice = Chain<Self::Number>>
    + Heuristic<Self::Node, Chain<Self::Number>>
{
    type Number: Integer + Into<i64>;
}

impl Board for ConnectFour {
    type Number = i8;
}

impl Board for Kalah {
    type Number = i16;
}

impl Board for TicTacToe {
    type Number = i8;
}

/// Positions that are searched to the end, with their values where they are known.
struct Ends<G: AndOrDag> {
    game: G,
    positions: Vec<(G::Node, Option<i64>)>,
}

#[allow(clippy::unnecessary_wraps)] // as all that make instances
fn ends<G: Board + 'static>(
    game: G,
    positions: Vec<(G::Node, Option<i64>)>,
) -> Result<Box<dyn Instance>, String> {
    Ok(Box::new(Ends { game, positions }))
}

/// NegaScout with the bounds of the game, which the catalogue's does without: with a cache, and without one.
pub(crate) const INFORMED: [&str; 2] = ["nega-scout-informed", "nega-scout-informed-cached"];

impl<G: Board> Instance for Ends<G> {
    fn solve(&self, algorithm: &str, budget: &Budget, count_nodes: bool) -> Result<Solved, String> {
        let game = &self.game;
        let mut series = Series::new(count_nodes);
        for (position, value) in &self.positions {
            let mut known = Ok(());
            series.search(budget, |watch| {
                let found = if algorithm == INFORMED[0] {
                    Ok(informed(game, position, (), budget, watch))
                } else if algorithm == INFORMED[1] {
                    let store = Stores::store(&Tables);
                    Ok(informed(game, position, store, budget, watch))
                } else {
                    let task = Task {
                        dag: game,
                        valuation: game,
                        heuristic: *game,
                        stores: Tables,
                        budget,
                        duo: Duo::default(),
                    };
                    match engine::integers(algorithm, &task, TABLE_BYTES) {
                        Some(mut engine) => {
                            let outcome = engine.search(position.clone(), watch).outcome;
                            Ok(outcome.exact().map(|value| (*value).into()))
                        }
                        None => by_id(algorithm, &task, position.clone(), watch),
                    }
                };
                found.unwrap_or_else(|error| {
                    known = Err(error);
                    None
                })
            });
            known?;
            let found = series.values.as_ref().and_then(|values| values.last());
            if let (Some(found), Some(value)) = (found, value)
                && found != value
            {
                return Err(format!(
                    "{algorithm} finds {found} for {position:?}, which is worth {value}"
                ));
            }
        }
        Ok(series.solved(budget))
    }
}

fn informed<G, S>(
    game: &G,
    position: &G::Node,
    store: S,
    budget: &Budget,
    watch: &mut (Counts, Option<Visited<G::Node>>),
) -> Option<i64>
where
    G: Board,
    S: Store<G::Node, Interval<G::Number>>,
{
    let rooted = Rooted {
        dag: game,
        root: position.clone(),
    };
    let window = Window::full(game.lattice());
    let mut env = Env::new(budget)
        .with_store(store)
        .with_heuristic(*game)
        .with_observer(watch);
    let outcome = nega_scout(&rooted, game, &window, NegaScout::default(), &mut env);
    outcome.exact().map(|value| (*value).into())
}
