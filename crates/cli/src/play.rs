//! `meetjoin play`: what a position and each of its moves is worth, or a game against the program.
//!
//! Idea: without a depth, positions are searched to the end by NegaScout with a table and the bounds that the game knows; the table serves all
//! moves and the best line. With a depth, iterative deepening to that depth finds the value of the smaller game that is judged there.
//!
//! What a position is worth is often known without search: the game is over, or its bounds meet. Such a position is never judged by an evaluation,
//! and where a limit stops the search, the bounds remain.

mod terminal;

use std::ops::ControlFlow;
use std::time::Instant;

use meetjoin::dag::{Kind, Rooted, Valuation as _};
use meetjoin::games::{IllegalMove, StaticEvaluation as _};
use meetjoin::lattice::{Budget, Interval, Stop};
use meetjoin::search::engine::Stores as _;
use meetjoin::search::total_order::{
    Deepened, Deepening, Level, NegaScout, iterative_deepening, nega_scout, principal_variation,
};
use meetjoin::search::{
    BoundedTable, BoundedTables, Counts, Env, Estimate, Horizon, OfPositions, Store, Window,
};
use serde::Serialize;

use crate::ALLOCATOR;
use crate::answer::{Stats, StatsJson};
use crate::args::PlayArgs;
use crate::failure::Failure;
use crate::games::boards::settled::{Settled, best_known, known, within};
use crate::games::boards::{BoardGame, Number, Positions};
use crate::interrupt;
use crate::observers::{ProgressLine, Watch};
use crate::output;
use crate::text::aligned;

/// Plays on from the position after some moves, or judges it.
pub(crate) fn run<G: BoardGame>(start: G, moves: &str, args: &PlayArgs) -> Result<(), Failure> {
    let game = start.after(moves);
    let game = game.map_err(|error: IllegalMove| Failure::Input(error.to_string()))?;
    if args.interactive {
        return terminal::play(game, args);
    }
    let limits = interrupt::limits(&args.limits)?;
    let budget = Budget::new(limits);
    let analysis = analyse(game, args, &budget);
    output::print(&if args.json {
        analysis.json(&game)
    } else {
        analysis.text(&game)
    })?;
    if analysis.is_complete() {
        Ok(())
    } else {
        Err(Failure::Stopped)
    }
}

/// What is known of a position.
#[derive(Clone, Debug)]
struct Judgement<E> {
    /// Its value, or bounds.
    value: Interval<E>,
    /// The value of the game that is judged after so many moves, if that is all there is.
    estimate: Option<(u32, E)>,
    /// What ended the search.
    stop: Option<Stop>,
}

impl<E> Judgement<E> {
    /// What ended the search does not matter once the value is known.
    fn new(value: Interval<E>, stop: Option<Stop>) -> Self {
        let stop = stop.filter(|_| matches!(value, Interval::Between { .. }));
        Self {
            value,
            estimate: None,
            stop,
        }
    }
}

/// All there is to print.
struct Analysis<E> {
    root: Judgement<E>,
    moves: Vec<(u32, Judgement<E>)>,
    /// Moves that are best for both.
    line: Vec<u32>,
    stats: Stats,
}

/// What a search works with.
struct Searching<'a, G: BoardGame> {
    game: G,
    budget: &'a Budget,
    tables: BoundedTables,
    watch: Watch<'a, Positions<G, G>>,
}

type Intervals<N, E> = BoundedTable<N, Interval<E>>;

fn analyse<G: BoardGame>(game: G, args: &PlayArgs, budget: &Budget) -> Analysis<G::Number> {
    let (started, memory) = (Instant::now(), ALLOCATOR.allocated());
    let tables = BoundedTables {
        bytes: interrupt::table_bytes(&args.limits, TABLE_BYTES),
    };
    let subject = Positions {
        dag: game,
        game,
        tables,
        counts: false,
    };
    let mut searching = Searching {
        game,
        budget,
        tables,
        watch: watch(&subject),
    };
    let root = game.root();
    let after = game.moves(&root).into_iter();
    let mut store = tables.store();
    let (root, line, mut moves): (_, _, Vec<_>) = match args.depth {
        None => {
            let (root, line) = searching.exact_with_line(&mut store, &root);
            let moves = after.map(|(number, next)| (number, searching.exact(&mut store, &next)));
            (root, line, moves.collect())
        }
        Some(depth) => {
            let (root, line) = searching.deepened(depth);
            let moves = after.map(|(number, next)| (number, searching.estimated(&next, depth - 1)));
            (root, line, moves.collect())
        }
    };
    if let Some((_, best)) = moves.iter_mut().find(|(n, _)| line.first() == Some(n)) {
        is_best(best, &root);
    }
    searching.watch.line.finish();
    Analysis {
        root,
        moves,
        line,
        stats: Stats {
            nodes: None,
            counts: searching.watch.counts,
            // Each depth has a cache of its own.
            cache_entries: args.depth.is_none().then(|| store.len()),
            search_bytes: ALLOCATOR.allocated().saturating_sub(memory),
            peak_memory_bytes: ALLOCATOR.max_allocated(),
            seconds: started.elapsed().as_secs_f64(),
        },
    }
}

/// The move that the best line begins with is worth what the position before it is.
fn is_best<E: Number>(best: &mut Judgement<E>, root: &Judgement<E>) {
    if root.value.exact().is_some() {
        *best = root.clone();
    } else if best.value.exact().is_none() && best.estimate.is_none() {
        best.estimate = root.estimate.map(|(depth, value)| (depth - 1, value));
    }
}

fn watch<G: BoardGame>(subject: &Positions<G, G>) -> Watch<'_, Positions<G, G>> {
    Watch {
        counts: Counts::default(),
        distinct: None,
        line: ProgressLine::new(subject),
        events: None,
    }
}

impl<G: BoardGame> Searching<'_, G> {
    /// The value of a position.
    fn exact(
        &mut self,
        store: &mut Intervals<G::Node, G::Number>,
        position: &G::Node,
    ) -> Judgement<G::Number> {
        let game = self.game;
        let mut value = known(game, position, self.budget);
        let rooted = Rooted {
            dag: &game,
            root: position.clone(),
        };
        let mut env = Env::new(self.budget)
            .with_store(&mut *store)
            .with_heuristic(game)
            .with_observer(&mut self.watch);
        let window = Window::full(game.lattice());
        let outcome = nega_scout(&rooted, &game, &window, NegaScout::default(), &mut env);
        value = within(&value, &outcome.value);
        if let Some(stored) = store.get(position).1 {
            value = within(&value, stored);
        }
        Judgement::new(value, outcome.stop)
    }

    /// The value of a position, and best play to the end of the game.
    fn exact_with_line(
        &mut self,
        store: &mut Intervals<G::Node, G::Number>,
        position: &G::Node,
    ) -> (Judgement<G::Number>, Vec<u32>) {
        let found = self.exact(store, position);
        let mut line = Vec::new();
        let Some(value) = found.value.exact().copied() else {
            return (found, line);
        };
        let game = self.game;
        let rooted = Rooted {
            dag: &game,
            root: position.clone(),
        };
        let mut env = Env::new(self.budget)
            .with_store(store)
            .with_heuristic(game)
            .with_observer(&mut self.watch);
        let best = principal_variation(&rooted, &game, &value, &mut env);
        line.extend(numbers(&game, &best.nodes));
        line.extend(self.played_out(best.nodes.last().unwrap_or(position)));
        (found, line)
    }

    /// Moves on to the end of the game, from a position whose value is known without search: those that are known to keep it. None from others.
    fn played_out(&self, position: &G::Node) -> Vec<u32> {
        let (game, mut position) = (self.game, position.clone());
        let known = |position: &G::Node| known(game, position, self.budget);
        let mut line = Vec::new();
        let Interval::Exact(value) = known(&position) else {
            return line;
        };
        while let Some((number, next)) = best_known(game, &position, self.budget) {
            if known(&next) != Interval::Exact(value) {
                break;
            }
            line.push(number);
            position = next;
        }
        line
    }

    /// The value of the game that is judged so many moves below a position.
    fn estimated(&mut self, position: &G::Node, depth: u32) -> Judgement<G::Number> {
        let judged = Settled::judged(self.game, self.budget);
        let rooted = Rooted {
            dag: &judged,
            root: position.clone(),
        };
        let evaluate = |position: &G::Node| judged.evaluate(position);
        let horizon = Horizon::new(&rooted, &judged, evaluate, depth);
        let mut env = Env::new(self.budget)
            .with_store(self.tables.store())
            .with_observer(OfPositions(&mut self.watch));
        let window = Window::full(judged.lattice());
        let outcome = nega_scout(&horizon, &horizon, &window, NegaScout::default(), &mut env);
        let stop = outcome.stop;
        self.judgement(position, Some(&horizon.estimate(outcome)), stop)
    }

    /// The same for the first position, by depth 1, 2, .., with a line of best play: to the end of the game where the value is exact.
    fn deepened(&mut self, depth: u32) -> (Judgement<G::Number>, Vec<u32>) {
        let game = self.game;
        let judged = Settled::judged(game, self.budget);
        let how = Deepening {
            search: Deepened::NegaScout,
            most: depth,
            remembered: REMEMBERED.min(self.tables.bytes / 1024),
        };
        let mut env = Env::new(self.budget)
            .with_store(self.tables)
            .with_observer(OfPositions(&mut self.watch));
        let evaluate = |position: &G::Node| judged.evaluate(position);
        let seen = |level: &Level<G::Node, G::Number>| match level.estimate.value() {
            Some(value) if game.is_decided(*value) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let deepest = iterative_deepening(&judged, &judged, evaluate, how, &mut env, seen);
        let root = game.root();
        let level = deepest.level.as_ref();
        let nodes = level.map_or(&[][..], |level| &level.line);
        let mut line = numbers(&game, nodes);
        let found = self.judgement(&root, level.map(|level| &level.estimate), deepest.stop);
        if found.value.exact().is_some() {
            line.extend(self.played_out(nodes.last().unwrap_or(&root)));
        }
        (found, line)
    }

    fn judgement(
        &self,
        position: &G::Node,
        estimate: Option<&Estimate<G::Number>>,
        stop: Option<Stop>,
    ) -> Judgement<G::Number> {
        let game = self.game;
        let bounds = known(game, position, self.budget);
        let found = estimate.and_then(|estimate| Some((estimate, *estimate.value()?)));
        match found {
            Some((estimate, value)) if estimate.is_exact() || game.is_decided(value) => {
                Judgement::new(Interval::Exact(game.plain(value)), None)
            }
            Some((estimate, value)) if bounds.exact().is_none() => Judgement {
                estimate: Some((estimate.depth, value)),
                ..Judgement::new(bounds, stop)
            },
            _ => Judgement::new(bounds, stop),
        }
    }
}

/// Bytes of a cache, and of its larger successor while it grows, where no limit of memory is given: 2 GiB, or what there is.
const TABLE_BYTES: usize = if usize::BITS > 32 { 1 << 31 } else { 1 << 29 };

/// Positions for which iterative deepening remembers the best move.
const REMEMBERED: usize = 1 << 20;

/// The moves between positions that follow each other.
fn numbers<G: BoardGame>(game: &G, positions: &[G::Node]) -> Vec<u32> {
    let number = |pair: &[G::Node]| {
        let mut moves = game.moves(&pair[0]).into_iter();
        moves.find(|(_, next)| *next == pair[1]).map(|(n, _)| n)
    };
    positions.windows(2).filter_map(number).collect()
}

#[derive(Serialize)]
struct JudgementJson<E> {
    #[serde(skip_serializing_if = "Option::is_none")]
    r#move: Option<u32>,
    exact: bool,
    value: Option<E>,
    lower: E,
    upper: E,
    /// Of the game that is judged at the depth.
    estimate: Option<E>,
    depth: Option<u32>,
    stop: Option<&'static str>,
}

#[derive(Serialize)]
struct AnalysisJson<'a> {
    format: &'a str,
    game: &'a str,
    position: String,
    to_move: Option<&'a str>,
    #[serde(flatten)]
    root: JudgementJson<i64>,
    moves: Vec<JudgementJson<i64>>,
    line: &'a [u32],
    stats: StatsJson,
}

impl<E: Number> Judgement<E> {
    fn json(&self, number: Option<u32>) -> JudgementJson<i64> {
        let known = self.value.exact().copied();
        JudgementJson {
            r#move: number,
            exact: known.is_some(),
            value: known.map(Into::into),
            lower: (*self.value.lower()).into(),
            upper: (*self.value.upper()).into(),
            estimate: self.estimate.map(|(_, value)| value.into()),
            depth: self.estimate.map(|(depth, _)| depth),
            stop: self.stop.map(Stop::word),
        }
    }

    fn text<G: BoardGame<Number = E>>(&self, game: &G) -> String {
        match (&self.value, self.estimate) {
            (Interval::Exact(value), _) => {
                let (number, meaning): (i64, _) = ((*value).into(), game.meaning(*value));
                format!("{number}: {meaning}")
            }
            (_, Some((depth, value))) => {
                let (number, moves): (i64, _) = (value.into(), plural(depth));
                format!("about {number}, judged after {depth} {moves}")
            }
            (Interval::Between { lower, upper }, None) => {
                let (lower, upper): (i64, i64) = ((*lower).into(), (*upper).into());
                format!("from {lower} to {upper}")
            }
        }
    }
}

fn plural(moves: u32) -> &'static str {
    if moves == 1 { "move" } else { "moves" }
}

/// Who is to move, if anybody is.
fn player(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Or => Some("MAX"),
        Kind::And => Some("MIN"),
        Kind::Leaf => None,
    }
}

impl<E: Number> Analysis<E> {
    /// Whether no limit has kept anything back.
    fn is_complete(&self) -> bool {
        let moves = self.moves.iter().map(|(_, found)| found);
        let mut all = moves.chain([&self.root]);
        all.all(|found| found.stop.is_none())
    }

    /// One JSON object, `meetjoin-play/1`.
    fn json<G: BoardGame<Number = E>>(&self, game: &G) -> String {
        let mut position = String::new();
        // A string takes everything.
        let _ = game.name(&game.root(), &mut position);
        let moves = self.moves.iter();
        let json = AnalysisJson {
            format: "meetjoin-play/1",
            game: G::NAME,
            position,
            to_move: player(game.to_move(&game.root())),
            root: self.root.json(None),
            moves: moves
                .map(|(number, found)| found.json(Some(*number)))
                .collect(),
            line: &self.line,
            stats: self.stats.json(),
        };
        let mut text = serde_json::to_string(&json).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The board and a few aligned lines.
    fn text<G: BoardGame<Number = E>>(&self, game: &G) -> String {
        let mut text = board(game, &game.root());
        let mut lines: Vec<(String, String)> = Vec::new();
        let mut line = |key: &str, value: String| lines.push((key.to_owned(), value));
        let to_move = player(game.to_move(&game.root()));
        line("to move", to_move.unwrap_or("nobody").to_owned());
        line("value", self.root.text(game));
        if let Some(stop) = self.root.stop {
            line("stopped", stop.to_string());
        }
        for (number, found) in &self.moves {
            line(&format!("{} {number}", G::MOVE), found.text(game));
        }
        let best: Vec<String> = self.line.iter().map(u32::to_string).collect();
        if !best.is_empty() {
            line("best line", best.join(" "));
        }
        lines.extend(self.stats.lines());
        text.push_str(&aligned(&lines));
        text
    }
}

/// The drawing of a position.
fn board<G: BoardGame>(game: &G, position: &G::Node) -> String {
    let mut text = String::new();
    // A string takes everything.
    let _ = game.draw(position, &mut text);
    text
}
