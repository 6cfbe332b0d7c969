//! Lines compared with each other: by who takes more tricks, or by the swing in IMPs.
//!
//! Problem: at matchpoints a line is as good as it does against the others, and the greatest
//! average need not be the best. Line X beats line Y by the sum over layouts of the weight times
//! what X's tricks are worth against Y's. A line that no other beats is best. There may be none.
//!
//! Idea: what tricks are worth against given ones never falls with more tricks, so against one line
//! the best answer is a heaviest set: a world (layout, j) weighs what the (j+1)-th trick adds.
//! Begin with the line of the greatest average, and go on with the best answer to the line before.
//! Either a line comes that no line beats, or one comes again: a cycle. Then all lines are listed
//! that one line of the cycle does not beat, and a search tries to beat each.
//!
//! Invariant: `best` is a line for which a search has shown that no line beats it. Without a best
//! line and a stop, a search has listed all lines which the first of the cycle does not beat, and
//! each is beaten by a line.
//!
//! Cost: a search for heaviest sets a step; where there is a cycle, the maximal sets that one of
//! its lines does not beat.
//!
//! Source: winners by majority and their cycles: Condorcet (1785).

use std::fmt::Write as _;

use crate::play::{Suit, SuitFamilies, SuitGame};
use meetjoin_dag::{Stake, Stakes};
use meetjoin_lattice::{Stop, Words, WorldSet};
use serde::Serialize;

use super::answer::layouts::{LayoutJson, layouts_json, layouts_text};
use super::answer::{self, Line, SuitJson, TableLineJson};
use super::contract::imps;
use super::goal::{figure, percent};
use super::{Goal, Solver};
use meetjoin_report::json_line;

/// The rule by which tricks of two lines are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// One for more, minus one for fewer.
    Matchpoints,
    /// IMPs, with what is played and the scores of each number of tricks.
    Imps(String, Vec<i32>),
}

impl Rule {
    fn swing(&self, own: u8, other: u8) -> i64 {
        match self {
            Self::Matchpoints => i64::from(own > other) - i64::from(own < other),
            Self::Imps(_, scores) => {
                let score = |tricks: u8| scores.get(usize::from(tricks)).copied().unwrap_or(0);
                i64::from(imps(score(own) - score(other)))
            }
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Matchpoints => "matchpoints",
            Self::Imps(..) => "imps",
        }
    }

    /// The figure for the margin by which a line beats another.
    fn figure(&self, margin: i64, total: u64) -> String {
        let sign = if margin < 0 { "-" } else { "+" };
        match (self, margin) {
            (_, 0) => "0".to_owned(),
            (Self::Matchpoints, _) => {
                format!("{sign}{}", percent(margin.unsigned_abs(), total))
            }
            (Self::Imps(..), _) => format!(
                "{sign}{}",
                figure(Goal::Average, margin.unsigned_abs(), total)
            ),
        }
    }
}

/// Lines and what they do against each other.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The suit.
    pub suit: Suit,
    /// What counts.
    pub rule: Rule,
    /// The lines of the table of all goals, and then those that are best or in the cycle. Left out
    /// are lines of which a search that was stopped knows only what they take at least.
    pub lines: Vec<Line>,
    /// The place of a line that no line beats.
    pub best: Option<usize>,
    /// If there is none: lines of which each is beaten by the next, and the last by the first.
    pub cycle: Vec<usize>,
    /// What stopped the search.
    pub stop: Option<Stop>,
    /// Whether the tricks in each layout are shown.
    pub table: bool,
}

/// The most lines that are listed because one line does not beat them. Where there are more, the
/// answer is unknown.
const MOST_LISTED: usize = 1 << 14;

/// Lines found so far, as sets of stakes.
struct Found<B> {
    sets: Vec<B>,
    best: Option<usize>,
    cycle: Vec<usize>,
    stop: Option<Stop>,
}

/// Finds a line that none beats, or shows that there is none.
pub fn compare(solver: &mut Solver<'_>, rule: &Rule) -> Comparison {
    let game = SuitGame::all_tricks(solver.suit);
    let stakes = solver.table.stakes(&game);
    match stakes.len() {
        0..=256 => compare_in::<Words<4>>(solver, &game, &stakes, rule),
        _ => compare_in::<Words<16>>(solver, &game, &stakes, rule),
    }
}

fn compare_in<B: WorldSet>(
    solver: &mut Solver<'_>,
    game: &SuitGame<'_>,
    stakes: &Stakes,
    rule: &Rule,
) -> Comparison {
    let table = solver.all();
    let values = Solver::families::<B>(game, stakes);
    let mut search = Search {
        solver,
        values: &values,
        rule,
    };
    let mut found = search.run();
    let known = table.lines.into_iter().filter(|line| !line.at_least);
    let known = known.collect();
    let mut comparison = Comparison {
        suit: search.solver.suit.clone(),
        rule: rule.clone(),
        lines: known,
        best: None,
        cycle: Vec::new(),
        stop: found.stop,
        table: false,
    };
    let mut place_of = |set: &B| -> Option<usize> {
        let line = solver.shortest(&values, std::slice::from_ref(set), false);
        let (_, line) = line?;
        let lines = &mut comparison.lines;
        let known = lines
            .iter()
            .position(|other| other.guarantees == line.guarantees);
        Some(known.unwrap_or_else(|| {
            lines.push(line);
            lines.len() - 1
        }))
    };
    // A cycle is whole, or it is not known.
    let cycle = std::mem::take(&mut found.cycle).into_iter();
    let cycle: Option<Vec<usize>> = cycle.map(|set| place_of(&found.sets[set])).collect();
    comparison.cycle = cycle.unwrap_or_default();
    comparison.best = found.best.and_then(|set| place_of(&found.sets[set]));
    if comparison.best.is_none() && comparison.cycle.is_empty() {
        comparison.stop = comparison.stop.or_else(|| solver.budget.fired());
    }
    comparison
}

struct Search<'s, 'a, 'v, B: WorldSet> {
    solver: &'s mut Solver<'a>,
    values: &'v SuitFamilies<'v, B>,
    rule: &'v Rule,
}

impl<B: WorldSet> Search<'_, '_, '_, B> {
    fn run(&mut self) -> Found<B> {
        let mut found = Found {
            sets: Vec::new(),
            best: None,
            cycle: Vec::new(),
            stop: None,
        };
        found.stop = self.follow(&mut found).err();
        found
    }

    fn follow(&mut self, found: &mut Found<B>) -> Result<(), Stop> {
        let first = self.solver.heaviest(self.values, |_, weight| weight, 1);
        first.stop.map_or(Ok(()), Err)?;
        found.sets.extend(first.sets.into_iter().take(1));
        // Even no stake at all is a line.
        if found.sets.is_empty() {
            found.sets.push(B::empty(self.stakes().len()));
        }
        let cycle = loop {
            let last = found.sets.len() - 1;
            let (margin, answer) = self.answer(&found.sets[last])?;
            let Some(answer) = answer.filter(|_| margin > 0) else {
                found.best = Some(last);
                return Ok(());
            };
            if let Some(known) = found.sets.iter().position(|set| *set == answer) {
                break known..found.sets.len();
            }
            found.sets.push(answer);
        };
        let Some(open) = self.not_beaten_by(&found.sets[cycle.start])? else {
            return Err(Stop::Lattice);
        };
        for line in open {
            let of_line = self.tricks(&line);
            if found
                .sets
                .iter()
                .any(|set| self.margin(&self.tricks(set), &of_line) > 0)
            {
                continue;
            }
            let (margin, answer) = self.answer(&line)?;
            if let Some(answer) = answer.filter(|_| margin > 0) {
                found.sets.push(answer);
            } else {
                found.best = Some(found.sets.len());
                found.sets.push(line);
                return Ok(());
            }
        }
        found.cycle = cycle.collect();
        Ok(())
    }

    fn stakes(&self) -> &Stakes {
        self.values.as_sets().stakes()
    }

    /// The tricks of a set of stakes in each layout.
    fn tricks(&self, set: &B) -> Vec<u8> {
        self.solver.guarantees(self.values, set)
    }

    fn margin(&self, own: &[u8], other: &[u8]) -> i64 {
        margin(self.solver.suit, self.rule, own, other)
    }

    /// The weights of stakes in answers to a line, and the score of no tricks at all against it.
    fn weights(&self, of_line: &[u8]) -> (Vec<Vec<u64>>, i64) {
        let most = self.solver.suit.tricks();
        let layouts = self.solver.suit.layouts().iter().zip(of_line);
        let mut nothing = 0;
        let weights = layouts.map(|(layout, other)| {
            let swing = |own: u8| self.rule.swing(own, *other);
            nothing += layout.weight.cast_signed() * swing(0);
            let added = (0..most).map(|own| (swing(own + 1) - swing(own)).unsigned_abs());
            added.map(|added| added * layout.weight).collect()
        });
        (weights.collect(), nothing)
    }

    /// The line that beats a line by most, of several the one with the greatest average, and by how
    /// much it does.
    fn answer(&mut self, line: &B) -> Result<(i64, Option<B>), Stop> {
        let of_line = self.tricks(line);
        let (weights, _) = self.weights(&of_line);
        let stakes = self.stakes().iter();
        let every: u64 = stakes.map(|stake| self.solver.weight(stake)).sum();
        let weigh = |stake: Stake, weight: u64| {
            weights[stake.world][stake.more_than as usize] * (every + 1) + weight
        };
        let found = self.solver.heaviest(self.values, weigh, 1);
        found.stop.map_or(Ok(()), Err)?;
        let best = found.sets.into_iter().next();
        let margin = best
            .as_ref()
            .map_or(0, |set| self.margin(&self.tricks(set), &of_line));
        Ok((margin, best))
    }

    /// All maximal sets of stakes that a line does not beat, or nothing if they are too many.
    fn not_beaten_by(&mut self, line: &B) -> Result<Option<Vec<B>>, Stop> {
        let of_line = self.tricks(line);
        let (weights, nothing) = self.weights(&of_line);
        let weigh = |stake: Stake, _: u64| weights[stake.world][stake.more_than as usize];
        let least = nothing.unsigned_abs();
        let mut most = 16;
        while most <= MOST_LISTED {
            let found = self.solver.heaviest(self.values, weigh, most);
            found.stop.map_or(Ok(()), Err)?;
            let count = found.sets.len();
            let weight_of = |set: &B| -> u64 {
                let won = set.ones().filter_map(|place| self.stakes().get(place));
                won.map(|stake| weigh(stake, 0)).sum()
            };
            let sets: Vec<B> = found
                .sets
                .into_iter()
                .filter(|set| weight_of(set) >= least)
                .collect();
            if sets.len() < count || count < most {
                return Ok(Some(sets));
            }
            most *= 4;
        }
        Ok(None)
    }
}

/// By how much a line beats another, in weights of layouts.
fn margin(suit: &Suit, rule: &Rule, own: &[u8], other: &[u8]) -> i64 {
    let layouts = suit.layouts().iter().zip(own.iter().zip(other));
    layouts
        .map(|(layout, (own, other))| layout.weight.cast_signed() * rule.swing(*own, *other))
        .sum()
}

/// By how much each line beats each, in weights of layouts.
pub(super) fn margins(suit: &Suit, rule: &Rule, lines: &[Line]) -> Vec<Vec<i64>> {
    let of = |own: &Line| {
        let others = lines.iter();
        others
            .map(|other| margin(suit, rule, &own.guarantees, &other.guarantees))
            .collect()
    };
    lines.iter().map(of).collect()
}

/// Rows for people: the name of a line, and what it does against each.
pub(super) fn rows(suit: &Suit, rule: &Rule, lines: &[Line]) -> Vec<(String, Vec<String>)> {
    let total = suit.total_weight();
    let margins = margins(suit, rule, lines).into_iter().enumerate();
    let rows = margins.map(|(own, row)| {
        let cells = row.into_iter().enumerate().map(|(other, margin)| {
            if other == own {
                String::new()
            } else {
                rule.figure(margin, total)
            }
        });
        (answer::letter(own), cells.collect())
    });
    rows.collect()
}

#[derive(Serialize)]
struct ComparisonJson<'a> {
    format: &'static str,
    #[serde(flatten)]
    suit: SuitJson,
    compare: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    contract: Option<&'a str>,
    best: Option<String>,
    cycle: Option<Vec<String>>,
    lines: Vec<TableLineJson<'a>>,
    margins: Vec<Vec<i64>>,
    denominator: u64,
    layouts: Vec<LayoutJson>,
    stop: Option<&'static str>,
}

impl Comparison {
    /// Whether nothing stopped the search.
    pub fn is_complete(&self) -> bool {
        self.stop.is_none()
    }

    /// One JSON object, `meetjoin-suit/1`.
    pub fn json(&self) -> String {
        let names = |places: &[usize]| places.iter().map(|place| answer::letter(*place)).collect();
        let contract = match &self.rule {
            Rule::Imps(contract, _) => Some(contract.as_str()),
            Rule::Matchpoints => None,
        };
        json_line(&ComparisonJson {
            format: answer::FORMAT,
            suit: (&self.suit).into(),
            compare: self.rule.name(),
            contract,
            best: self.best.map(answer::letter),
            cycle: (!self.cycle.is_empty()).then(|| names(&self.cycle)),
            lines: answer::lines_json(&self.suit, &self.lines),
            margins: margins(&self.suit, &self.rule, &self.lines),
            denominator: self.suit.total_weight(),
            layouts: layouts_json(&self.suit, &self.lines.iter()),
            stop: self.stop.map(Stop::word),
        })
    }

    /// What is best, in a sentence.
    pub fn verdict(&self) -> String {
        let total = self.suit.total_weight();
        let margins = margins(&self.suit, &self.rule, &self.lines);
        if let Some(best) = self.best {
            return format!("{}: no line beats it", answer::letter(best));
        }
        if self.cycle.is_empty() {
            return "not known".to_owned();
        }
        let next = self.cycle.iter().cycle().skip(1);
        let beaten = self.cycle.iter().zip(next).map(|(line, by)| {
            format!(
                "{} beats {} by {}",
                answer::letter(*by),
                answer::letter(*line),
                self.rule
                    .figure(margins[*by][*line], total)
                    .trim_start_matches('+')
            )
        });
        format!("none: {}", beaten.collect::<Vec<_>>().join(", "))
    }

    /// A table for people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let (north, south) = self.suit.given();
        answer::put(&mut text, "north", &north.to_string());
        answer::put(&mut text, "south", &south.to_string());
        let rule = match &self.rule {
            Rule::Matchpoints => {
                "matchpoints: how much oftener a line takes more tricks than another than fewer"
                    .to_owned()
            }
            Rule::Imps(contract, _) => format!("IMPs on average, {contract}"),
        };
        answer::put(&mut text, "compare", &rule);
        answer::put(&mut text, "best", &self.verdict());
        if let Some(stop) = self.stop {
            answer::put(&mut text, "stopped", &stop.to_string());
        }
        let row = |cells: &mut dyn Iterator<Item = String>| {
            cells.fold(String::new(), |mut row, cell| {
                // Writing to a string cannot fail.
                let _ = write!(row, "{cell:<9} ");
                row
            })
        };
        let heads = row(&mut (0..self.lines.len()).map(answer::letter));
        if !self.lines.is_empty() {
            answer::put(&mut text, "against", &format!("{heads}line"));
        }
        for ((name, cells), line) in rows(&self.suit, &self.rule, &self.lines)
            .into_iter()
            .zip(&self.lines)
        {
            let cells = row(&mut cells.into_iter());
            answer::put(&mut text, &name, &format!("{cells}{}", line.summary()));
        }
        for (place, line) in self.lines.iter().enumerate() {
            text.push('\n');
            answer::put_lines(&mut text, &answer::letter(place), &line.text());
        }
        if self.table {
            text.push('\n');
            text.push_str(&layouts_text(&self.suit, &self.lines.iter()));
        }
        text
    }
}
