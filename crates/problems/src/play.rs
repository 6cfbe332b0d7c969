//! Board games for players: the value of a position and each of its moves, and the move to play.
//!
//! Idea: without a depth, positions are searched to the end by MTD(bi) with a table and the bounds
//! that the game knows; the table serves all moves and the best line. With a depth, iterative
//! deepening finds the value of the game cut at that depth.
//!
//! The value of a position is often known without search: the game is over, or its bounds meet.
//! Such a position is never evaluated, and if a limit stops the search, its bounds remain.
//!
//! On several threads each of these searches is [run by all of them](meetjoin_search::threads);
//! with a depth, MTD(f) is used then, and the moves are searched on one thread.

mod searching;

use std::num::NonZero;

use meetjoin_dag::Kind;
use meetjoin_games::Refusal;
use meetjoin_lattice::{Budget, Interval, Stop};
use meetjoin_report::{Measuring, Meter, aligned, json_line};
use meetjoin_search::{Store as _, Stores as _};
use meetjoin_solve::answer::{Stats, StatsJson};
use meetjoin_solve::request::Progress;
use meetjoin_solve::value::shown;
use serde::Serialize;

use crate::games::on_boards::any_board::AnyBoard;
use crate::games::on_boards::board::{BoardGame, Number};
use crate::games::on_boards::settled::best_known;
use crate::games::{BoardArgs, Positions};
use searching::{DEEPEST, Judged, Searching};

/// A board game at some position.
pub trait Board {
    /// The word for a move: `column`.
    fn move_word(&self) -> &'static str;

    /// The greatest number of a move.
    fn numbers(&self) -> u32;

    /// The player to move: `Or` for MAX, `And` for MIN, `Leaf` if the game is over.
    fn to_move(&self) -> Kind;

    /// The position in lines of text.
    fn draw(&self) -> String;

    /// The result of a game that is over.
    fn result(&self) -> String;

    /// The game after a move.
    ///
    /// # Errors
    /// Why the rules do not allow it.
    fn play(&self, number: u32) -> Result<Box<dyn Board>, Refusal>;

    /// The value of the position and of each move.
    fn analyse(&self, how: Analysing<'_>) -> Analysis;

    /// The move to play, and the value of the position.
    fn think(&self, how: Analysing<'_>) -> (u32, Judgement);
}

/// The board after the moves of these arguments.
///
/// # Errors
/// If there is no such board, or a move is not legal.
pub fn board(args: &impl BoardArgs) -> Result<Box<dyn Board>, String> {
    Ok(played(args.game()?.into()))
}

/// The searches of a board, compiled here.
fn played(game: AnyBoard) -> Box<dyn Board> {
    Box::new(game)
}

/// How positions are evaluated.
pub struct Analysing<'a> {
    /// Limits and cancellation.
    pub budget: &'a Budget,
    /// The gauge of memory.
    pub meter: Meter,
    /// The depth in moves; `None` searches to the end of the game.
    pub depth: Option<u32>,
    /// Threads that search. They do not affect values.
    pub threads: NonZero<usize>,
    /// Notified of progress.
    pub progress: Option<&'a mut dyn Progress>,
}

impl std::fmt::Debug for Analysing<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Analysing to {:?}", self.depth)
    }
}

/// The result for a position.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// Its value, or bounds.
    pub value: Interval<i64>,
    /// The meaning of the value, if it is known.
    pub meaning: Option<String>,
    /// The depth and the value of the game cut there, if the value is not known.
    pub estimate: Option<(u32, i64)>,
    /// Why the search was stopped, if it was.
    pub stop: Option<Stop>,
}

/// The results for a position and its moves.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The position.
    pub root: Judgement,
    /// Its moves by number.
    pub moves: Vec<(u32, Judgement)>,
    /// The best line of play.
    pub line: Vec<u32>,
    /// Whether the game is over after it.
    pub line_ends: bool,
    /// The cost of the searches.
    pub stats: Stats,
    game: &'static str,
    move_word: &'static str,
    position: String,
    drawing: String,
    to_move: Kind,
}

impl<G: BoardGame + 'static> Board for G {
    fn move_word(&self) -> &'static str {
        meetjoin_games::Playable::move_word(self)
    }

    fn numbers(&self) -> u32 {
        meetjoin_games::Playable::numbers(self)
    }

    fn to_move(&self) -> Kind {
        meetjoin_games::Playable::to_move(self, &self.root())
    }

    fn draw(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = meetjoin_games::Playable::draw(self, &self.root(), &mut text);
        text
    }

    fn result(&self) -> String {
        self.meaning(self.leaf(&self.root()))
    }

    fn play(&self, number: u32) -> Result<Box<dyn Board>, Refusal> {
        let next = meetjoin_games::Playable::play(self, &self.root(), number)?;
        Ok(Box::new(self.from_position(next)))
    }

    fn analyse(&self, how: Analysing<'_>) -> Analysis {
        let game = *self;
        let Analysing {
            budget,
            meter,
            depth,
            threads,
            progress,
        } = how;
        let measuring = Measuring::begin(meter);
        let subject = Positions::new(game, false);
        let mut searching = Searching::new(&subject, game, budget, threads, progress);
        let root = game.root();
        let after = game.moves(&root).into_iter();
        let mut store = searching.stores(0).store();
        let (root, line, mut moves): (_, _, Vec<_>) = match depth {
            None => {
                let (root, line) = searching.exact_with_line(&mut store);
                let moves =
                    after.map(|(number, next)| (number, searching.exact(&mut store, &next)));
                (root, line, moves.collect())
            }
            Some(depth) => {
                let (root, line) = searching.deepened(depth);
                let moves =
                    after.map(|(number, next)| (number, searching.estimated(&next, depth - 1)));
                (root, line, moves.collect())
            }
        };
        if let Some((_, best)) = moves.iter_mut().find(|(n, _)| line.first() == Some(n)) {
            is_best(best, &root);
        }
        let mut position = String::new();
        // Writing to a string cannot fail.
        let _ = game.name(&game.root(), &mut position);
        let play =
            |position, &number: &u32| meetjoin_games::Playable::play(&game, &position, number).ok();
        let end = line.iter().try_fold(game.root(), play);
        let is_over = |end| meetjoin_games::Playable::to_move(&game, &end) == Kind::Leaf;
        Analysis {
            root: shown_to_all(&root, &game),
            moves: moves
                .iter()
                .map(|(number, found)| (*number, shown_to_all(found, &game)))
                .collect(),
            line_ends: end.is_some_and(is_over),
            line,
            stats: Stats {
                // With a depth there is a cache for each depth.
                cache_entries: depth.is_none().then(|| store.len()),
                ..Stats::of(&measuring, searching.watch.counts)
            },
            game: game.title(),
            move_word: Board::move_word(&game),
            position,
            drawing: Board::draw(&game),
            to_move: Board::to_move(&game),
        }
    }

    fn think(&self, how: Analysing<'_>) -> (u32, Judgement) {
        let game = *self;
        let subject = Positions::new(game, false);
        let mut searching = Searching::new(&subject, game, how.budget, how.threads, how.progress);
        let (found, line) = searching.deepened(how.depth.unwrap_or(DEEPEST));
        // If there was no time even for depth 1, or all moves are worth the same, bounds known
        // without search decide.
        let best = || best_known(game, &game.root(), how.budget).map(|(number, _)| number);
        let number = line.first().copied().or_else(best);
        (number.unwrap_or(1), shown_to_all(&found, &game))
    }
}

/// A judgement without the types of the game.
fn shown_to_all<G: BoardGame>(found: &Judged<G::Number>, game: &G) -> Judgement {
    Judgement {
        value: shown(&found.value, |&end| end.into()),
        meaning: found.value.exact().map(|value| game.meaning(*value)),
        estimate: found.estimate.map(|(depth, value)| (depth, value.into())),
        stop: found.stop,
    }
}

/// The move that begins the best line has the value of the position before it.
fn is_best<E: Number>(best: &mut Judged<E>, root: &Judged<E>) {
    if root.value.exact().is_some() {
        *best = root.clone();
    } else if best.value.exact().is_none() && best.estimate.is_none() {
        best.estimate = root.estimate.map(|(depth, value)| (depth - 1, value));
    }
}

#[derive(Serialize)]
struct JudgementJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    r#move: Option<u32>,
    exact: bool,
    value: Option<i64>,
    lower: i64,
    upper: i64,
    /// The value of the game cut at the depth.
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

/// The player to move, if the game is not over.
pub fn player(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Or => Some("MAX"),
        Kind::And => Some("MIN"),
        Kind::Leaf => None,
    }
}

impl Analysis {
    /// Returns whether no limit has withheld anything.
    pub fn is_complete(&self) -> bool {
        let moves = self.moves.iter().map(|(_, found)| found);
        let mut all = moves.chain([&self.root]);
        all.all(|found| found.stop.is_none())
    }

    /// One JSON object, `meetjoin-play/1`.
    pub fn json(&self) -> String {
        let moves = self.moves.iter();
        json_line(&AnalysisJson {
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

    /// The board and a few aligned lines for people, and with `verbose` the cost.
    pub fn text(&self, verbose: bool) -> String {
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
            // A line from a search to a depth may end before the game does.
            let begun = self.root.value.exact().is_some() && !self.line_ends;
            let end = if begun { ", as far as it is known" } else { "" };
            line("best line", format!("{}{end}", best.join(" ")));
        }
        if verbose {
            lines.extend(self.stats.lines());
        }
        format!("{}{}", self.drawing, aligned(&lines))
    }
}
