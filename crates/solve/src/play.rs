//! Board games as people play them: what a position and each of its moves is worth, and what to play next.
//!
//! Idea: without a depth, positions are searched to the end by MTD(bi) with a table and the bounds that the game knows; the table serves all
//! moves and the best line. With a depth, iterative deepening to that depth finds the value of the smaller game that is judged there.
//!
//! What a position is worth is often known without search: the game is over, or its bounds meet. Such a position is never judged by an evaluation,
//! and where a limit stops the search, the bounds remain.

use std::ops::ControlFlow;

use meetjoin::dag::{Kind, Rooted, Valuation as _};
use meetjoin::games::{Refusal, StaticEvaluation as _};
use meetjoin::lattice::{Budget, Interval, Stop};
use meetjoin::search::total_order::{
    Deepened, Deepening, Level, iterative_deepening, mtd_bi, nega_scout, principal_variation,
};
use meetjoin::search::{Env, Estimate, Horizon, OfPositions, Store as _, Stores as _, Window};
use serde::Serialize;

use crate::answer::{Stats, StatsJson, line};
use crate::board::{BoardGame, Number};
use crate::games::Positions;
use crate::measuring::Measuring;
use crate::request::{Meter, Progress};
use crate::run::Watch;
use crate::settled::{Settled, best_known, known, within};
use crate::subject::{Subject as _, most_of_memory};
use crate::tables::{PositionTable, PositionTables};
use crate::text::aligned;
use crate::value::shown;

/// A board game at some position.
pub trait Board {
    /// What a move is called: `column`.
    fn move_word(&self) -> &'static str;

    /// The greatest number of a move.
    fn numbers(&self) -> u32;

    /// Who is to move: `Or` for MAX, `And` for MIN, `Leaf` if the game is over.
    fn to_move(&self) -> Kind;

    /// The position in lines of text.
    fn draw(&self) -> String;

    /// How a game that is over has ended.
    fn result(&self) -> String;

    /// The game after a move.
    ///
    /// # Errors
    /// Why the rules do not allow it.
    fn play(&self, number: u32) -> Result<Box<dyn Board>, Refusal>;

    /// What the position and each move is worth.
    fn analyse(&self, how: Analysing<'_>) -> Analysis;

    /// The move to be made, and what the position is worth.
    fn think(&self, how: Analysing<'_>) -> (u32, Judgement);
}

/// How positions are judged.
pub struct Analysing<'a> {
    /// Limits and cancellation.
    pub budget: &'a Budget,
    /// How memory is measured.
    pub meter: Meter,
    /// Moves ahead; without a number to the end of the game.
    pub depth: Option<u32>,
    /// Told where the search is.
    pub progress: Option<&'a mut dyn Progress>,
}

impl std::fmt::Debug for Analysing<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Analysing to {:?}", self.depth)
    }
}

/// What is known of a position, for whoever asked.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// Its value, or bounds.
    pub value: Interval<i64>,
    /// What the value means, if it is known.
    pub meaning: Option<String>,
    /// The value of the game that is judged after so many moves, if that is all there is.
    pub estimate: Option<(u32, i64)>,
    /// What ended the search.
    pub stop: Option<Stop>,
}

/// All that is known of a position and its moves.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The position.
    pub root: Judgement,
    /// Its moves by number.
    pub moves: Vec<(u32, Judgement)>,
    /// Moves that are best for both.
    pub line: Vec<u32>,
    /// What it took.
    pub stats: Stats,
    game: &'static str,
    move_word: &'static str,
    position: String,
    drawing: String,
    to_move: Kind,
}

impl<G: BoardGame + 'static> Board for G {
    fn move_word(&self) -> &'static str {
        G::MOVE
    }

    fn numbers(&self) -> u32 {
        meetjoin::games::Playable::numbers(self)
    }

    fn to_move(&self) -> Kind {
        meetjoin::games::Playable::to_move(self, &self.root())
    }

    fn draw(&self) -> String {
        let mut text = String::new();
        // A string takes everything.
        let _ = meetjoin::games::Playable::draw(self, &self.root(), &mut text);
        text
    }

    fn result(&self) -> String {
        self.meaning(self.leaf(&self.root()))
    }

    fn play(&self, number: u32) -> Result<Box<dyn Board>, Refusal> {
        let next = meetjoin::games::Playable::play(self, &self.root(), number)?;
        Ok(Box::new(self.from_position(next)))
    }

    fn analyse(&self, how: Analysing<'_>) -> Analysis {
        analyse(*self, how)
    }

    fn think(&self, how: Analysing<'_>) -> (u32, Judgement) {
        think(*self, how)
    }
}

/// What is known of a position.
#[derive(Clone, Debug)]
struct Judged<E> {
    /// Its value, or bounds.
    value: Interval<E>,
    /// The value of the game that is judged after so many moves, if that is all there is.
    estimate: Option<(u32, E)>,
    /// What ended the search.
    stop: Option<Stop>,
}

impl<E> Judged<E> {
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

impl<E: Number> Judged<E> {
    fn shown<G: BoardGame<Number = E>>(&self, game: &G) -> Judgement {
        Judgement {
            value: shown(&self.value, |&end| end.into()),
            meaning: self.value.exact().map(|value| game.meaning(*value)),
            estimate: self.estimate.map(|(depth, value)| (depth, value.into())),
            stop: self.stop,
        }
    }
}

/// What a search works with.
struct Searching<'a, 'p, G: BoardGame> {
    game: G,
    budget: &'a Budget,
    tables: PositionTables,
    watch: Watch<'a, 'p, Positions<G>>,
}

type Intervals<N, E> = PositionTable<N, Interval<E>>;

fn analyse<G: BoardGame + 'static>(game: G, how: Analysing<'_>) -> Analysis {
    let Analysing {
        budget,
        meter,
        depth,
        progress,
    } = how;
    let measuring = Measuring::begin(meter);
    let subject = Positions::new(game, false);
    let mut searching = Searching::new(&subject, game, budget, progress);
    let root = game.root();
    let after = game.moves(&root).into_iter();
    let mut store = searching.tables.store();
    let (root, line, mut moves): (_, _, Vec<_>) = match depth {
        None => {
            let (root, line) = searching.exact_with_line(&mut store);
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
    let mut position = String::new();
    // A string takes everything.
    let _ = game.name(&game.root(), &mut position);
    Analysis {
        root: root.shown(&game),
        moves: moves
            .iter()
            .map(|(number, found)| (*number, found.shown(&game)))
            .collect(),
        line,
        stats: Stats {
            // Each depth has a cache of its own.
            cache_entries: depth.is_none().then(|| store.len()),
            ..measuring.stats(searching.watch.counts)
        },
        game: G::NAME,
        move_word: G::MOVE,
        position,
        drawing: Board::draw(&game),
        to_move: Board::to_move(&game),
    }
}

/// Moves ahead, where no depth is given; no game here takes so many.
const DEEPEST: u32 = 1000;

/// The move that the program would make, and what it thinks of the position.
fn think<G: BoardGame + 'static>(game: G, how: Analysing<'_>) -> (u32, Judgement) {
    let subject = Positions::new(game, false);
    let mut searching = Searching::new(&subject, game, how.budget, how.progress);
    let (found, line) = searching.deepened(how.depth.unwrap_or(DEEPEST));
    // Without time for a single move ahead, what is known without search must do; so it does where all moves are worth the same.
    let best = || best_known(game, &game.root(), how.budget).map(|(number, _)| number);
    let number = line.first().copied().or_else(best);
    (number.unwrap_or(1), found.shown(&game))
}

/// The move that the best line begins with is worth what the position before it is.
fn is_best<E: Number>(best: &mut Judged<E>, root: &Judged<E>) {
    if root.value.exact().is_some() {
        *best = root.clone();
    } else if best.value.exact().is_none() && best.estimate.is_none() {
        best.estimate = root.estimate.map(|(depth, value)| (depth - 1, value));
    }
}

impl<'a, 'p, G: BoardGame> Searching<'a, 'p, G> {
    fn new(
        subject: &'a Positions<G>,
        game: G,
        budget: &'a Budget,
        progress: Option<&'p mut dyn Progress>,
    ) -> Self {
        Self {
            game,
            budget,
            tables: PositionTables {
                bytes: Some(most_of_memory(budget, TABLE_BYTES)),
            },
            watch: Watch {
                one_question: false,
                progress,
                ..Watch::new(subject, None)
            },
        }
    }

    /// The value of a position.
    fn exact(
        &mut self,
        store: &mut Intervals<G::Node, G::Number>,
        position: &G::Node,
    ) -> Judged<G::Number> {
        let game = self.game;
        let mut value = known(game, position, self.budget);
        let rooted = Rooted {
            dag: self.watch.subject.dag(),
            root: position.clone(),
        };
        let mut env = Env::new(self.budget)
            .with_store(Some(&mut *store))
            .with_heuristic(Some(game))
            .with_observer(&mut self.watch);
        let outcome = mtd_bi(&rooted, &game, Some(value.clone()), &mut env);
        value = within(&value, &outcome.value);
        if let Some(stored) = store.get(position).1 {
            value = within(&value, stored);
        }
        Judged::new(value, outcome.stop)
    }

    /// The value of the first position, and best play to the end of the game.
    fn exact_with_line(
        &mut self,
        store: &mut Intervals<G::Node, G::Number>,
    ) -> (Judged<G::Number>, Vec<u32>) {
        let position = &self.game.root();
        let found = self.exact(store, position);
        let mut line = Vec::new();
        let Some(value) = found.value.exact().copied() else {
            return (found, line);
        };
        let (game, dag) = (self.game, self.watch.subject.dag());
        let mut env = Env::new(self.budget)
            .with_store(Some(store))
            .with_heuristic(Some(game))
            .with_observer(&mut self.watch);
        let best = principal_variation(dag, &game, &value, &mut env);
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
    fn estimated(&mut self, position: &G::Node, depth: u32) -> Judged<G::Number> {
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
        let outcome = nega_scout(&horizon, &horizon, &window, &mut env);
        let stop = outcome.stop;
        self.judgement(position, Some(&horizon.estimate(outcome)), stop)
    }

    /// The same for the first position, by depth 1, 2, .., with a line of best play: to the end of the game where the value is exact.
    fn deepened(&mut self, depth: u32) -> (Judged<G::Number>, Vec<u32>) {
        let game = self.game;
        let judged = Settled::judged(game, self.budget);
        let how = Deepening {
            search: Deepened::NegaScout,
            most: depth,
            step: if depth == DEEPEST { 1 } else { G::STEP },
            remembered: REMEMBERED.min(self.tables.bytes.unwrap_or(TABLE_BYTES) / 1024),
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
    ) -> Judged<G::Number> {
        let game = self.game;
        let bounds = known(game, position, self.budget);
        let found = estimate.and_then(|estimate| Some((estimate, *estimate.value()?)));
        match found {
            Some((estimate, value)) if estimate.is_exact() || game.is_decided(value) => {
                Judged::new(Interval::Exact(game.plain(value)), None)
            }
            Some((estimate, value)) if bounds.exact().is_none() => Judged {
                estimate: Some((estimate.depth, value)),
                ..Judged::new(bounds, stop)
            },
            _ => Judged::new(bounds, stop),
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
struct JudgementJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    r#move: Option<u32>,
    exact: bool,
    value: Option<i64>,
    lower: i64,
    upper: i64,
    /// Of the game that is judged at the depth.
    estimate: Option<i64>,
    depth: Option<u32>,
    stop: Option<&'static str>,
}

#[derive(Serialize)]
struct AnalysisJson<'a> {
    format: &'a str,
    game: &'a str,
    position: &'a str,
    to_move: Option<&'a str>,
    #[serde(flatten)]
    root: JudgementJson,
    moves: Vec<JudgementJson>,
    line: &'a [u32],
    stats: StatsJson,
}

impl Judgement {
    fn json(&self, number: Option<u32>) -> JudgementJson {
        let known = self.value.exact().copied();
        JudgementJson {
            r#move: number,
            exact: known.is_some(),
            value: known,
            lower: *self.value.lower(),
            upper: *self.value.upper(),
            estimate: self.estimate.map(|(_, value)| value),
            depth: self.estimate.map(|(depth, _)| depth),
            stop: self.stop.map(Stop::word),
        }
    }

    /// In words.
    pub fn text(&self) -> String {
        match (&self.value, self.estimate) {
            (Interval::Exact(value), _) => {
                let meaning = self.meaning.as_deref().unwrap_or_default();
                format!("{value}: {meaning}")
            }
            (_, Some((depth, value))) => {
                format!("about {value}, judged after {depth} {}", plural(depth))
            }
            (Interval::Between { lower, upper }, None) => format!("from {lower} to {upper}"),
        }
    }
}

fn plural(moves: u32) -> &'static str {
    if moves == 1 { "move" } else { "moves" }
}

/// Who is to move, if anybody is.
pub fn player(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Or => Some("MAX"),
        Kind::And => Some("MIN"),
        Kind::Leaf => None,
    }
}

impl Analysis {
    /// Whether no limit has kept anything back.
    pub fn is_complete(&self) -> bool {
        let moves = self.moves.iter().map(|(_, found)| found);
        let mut all = moves.chain([&self.root]);
        all.all(|found| found.stop.is_none())
    }

    /// One JSON object, `meetjoin-play/1`.
    pub fn json(&self) -> String {
        let moves = self.moves.iter();
        line(&AnalysisJson {
            format: "meetjoin-play/1",
            game: self.game,
            position: &self.position,
            to_move: player(self.to_move),
            root: self.root.json(None),
            moves: moves
                .map(|(number, found)| found.json(Some(*number)))
                .collect(),
            line: &self.line,
            stats: self.stats.json(),
        })
    }

    /// The board and a few aligned lines for people.
    pub fn text(&self) -> String {
        let mut lines: Vec<(String, String)> = Vec::new();
        let mut line = |key: &str, value: String| lines.push((key.to_owned(), value));
        line(
            "to move",
            player(self.to_move).unwrap_or("nobody").to_owned(),
        );
        line("value", self.root.text());
        if let Some(stop) = self.root.stop {
            line("stopped", stop.to_string());
        }
        for (number, found) in &self.moves {
            line(&format!("{} {number}", self.move_word), found.text());
        }
        let best: Vec<String> = self.line.iter().map(u32::to_string).collect();
        if !best.is_empty() {
            line("best line", best.join(" "));
        }
        lines.extend(self.stats.lines());
        format!("{}{}", self.drawing, aligned(&lines))
    }
}
