//! Answers about a suit: numbers, lines in words and as trees, for people and as JSON.

pub(super) mod layouts;
mod told;

use std::fmt::Write as _;

use crate::play::{Card, Hand, Layout, Suit};
use meetjoin_lattice::Stop;
use serde::Serialize;

use super::goal::{Goal, figure, percent, reached};
use super::line::Tree;
use super::words;
use layouts::{LayoutJson, layout_text, layouts_json, layouts_text};
use meetjoin_report::{counted, fraction, json_line};
pub use told::Line;

/// How often a goal is reached at best.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chance {
    /// The goal.
    pub goal: Goal,
    /// The weight of the layouts in which it is reached, or the sum of weights times tricks. If the
    /// search was stopped: what is reached at least.
    pub weight: u64,
    /// An upper bound of `weight`.
    pub bound: u64,
    /// The weight of all layouts.
    pub total: u64,
    /// What stopped the search.
    pub stop: Option<Stop>,
}

impl Chance {
    /// As people write it: a percentage, or tricks.
    pub fn text(&self) -> String {
        figure(self.goal, self.weight, self.total)
    }

    fn fraction(&self) -> f64 {
        self.weight as f64 / self.total as f64
    }
}

/// The best that a first lead can come to.
#[derive(Clone, Debug)]
pub struct FirstLead {
    /// From this hand.
    pub hand: Hand,
    /// This card, or one that is equal.
    pub card: Card,
    /// The best.
    pub chance: Chance,
}

/// The range of vacant places of one defender, those of the other unchanged, for which a line stays
/// the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Range {
    /// The fewest places.
    pub from: u8,
    /// The most places.
    pub to: u8,
    /// Whether both ends are known; if not, the range may be larger.
    pub is_known: bool,
}

/// The sensitivity of a line: how much must change before another is better.
#[derive(Clone, Debug)]
pub struct Sure {
    /// Vacant places of West.
    pub west: Range,
    /// Vacant places of East.
    pub east: Range,
    /// The second-best first lead.
    pub second: Option<FirstLead>,
}

/// A line among the best.
#[derive(Clone, Debug)]
pub struct Top {
    /// The line.
    pub line: Line,
    /// What stopped the search; then others may be better.
    pub stop: Option<Stop>,
}

/// The answer for one goal.
#[derive(Clone, Debug)]
pub struct SuitAnswer {
    /// The suit.
    pub suit: Suit,
    /// The greatest chance.
    pub chance: Chance,
    /// A line that has it. If the search was stopped: one that has what is reached at least, if
    /// there is one.
    pub line: Option<Line>,
    /// What stopped the search for the best of the lines that have it; then others with the same
    /// chance may take more tricks on average.
    pub line_stop: Option<Stop>,
    /// First leads with the best of each, the best first, if asked for.
    pub leads: Option<Vec<FirstLead>>,
    /// How sure the line is, if asked for.
    pub sure: Option<Sure>,
    /// The best lines, the best first, if asked for.
    pub top: Option<Vec<Top>>,
    /// Whether the tricks in each layout are shown.
    pub table: bool,
}

/// The answer for all goals.
#[derive(Clone, Debug)]
pub struct SuitTable {
    /// The suit.
    pub suit: Suit,
    /// The greatest chance of each goal, the most tricks first, and the greatest average last; with
    /// the place of a line that has it.
    pub goals: Vec<(Chance, Option<usize>)>,
    /// Lines that differ in what they guarantee.
    pub lines: Vec<Line>,
    /// What stopped the search for the best of the lines that have a chance; then others with the
    /// same chance may take more tricks on average.
    pub line_stop: Option<Stop>,
    /// For each goal first leads with the best of each, if asked for.
    pub leads: Option<Vec<(Goal, Vec<FirstLead>)>>,
    /// Whether the tricks in each layout are shown.
    pub table: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
enum GoalJson {
    Tricks(u8),
    Word(&'static str),
}

impl From<Goal> for GoalJson {
    fn from(goal: Goal) -> Self {
        match goal {
            Goal::Tricks(tricks) => Self::Tricks(tricks),
            Goal::Average => Self::Word("average"),
        }
    }
}

#[derive(Serialize)]
struct ChanceJson {
    goal: GoalJson,
    numerator: u64,
    denominator: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    average: Option<f64>,
    exact: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<u64>,
}

impl From<&Chance> for ChanceJson {
    fn from(chance: &Chance) -> Self {
        let fraction = chance.fraction();
        let is_average = chance.goal == Goal::Average;
        Self {
            goal: chance.goal.into(),
            numerator: chance.weight,
            denominator: chance.total,
            probability: (!is_average).then_some(fraction),
            average: is_average.then_some(fraction),
            exact: chance.stop.is_none(),
            bound: chance.stop.map(|_| chance.bound),
        }
    }
}

#[derive(Serialize)]
pub(super) struct SuitJson {
    north: String,
    south: String,
    missing: String,
    vacant: (u8, u8),
}

impl From<&Suit> for SuitJson {
    fn from(suit: &Suit) -> Self {
        let (north, south) = suit.given();
        Self {
            north: north.to_string(),
            south: south.to_string(),
            missing: suit.missing().to_string(),
            vacant: suit.knowledge().places,
        }
    }
}

#[derive(Serialize)]
struct LeadJson {
    from: &'static str,
    lead: String,
    numerator: u64,
    denominator: u64,
    exact: bool,
}

impl From<&FirstLead> for LeadJson {
    fn from(lead: &FirstLead) -> Self {
        Self {
            from: lead.hand.name(),
            lead: lead.card.to_string(),
            numerator: lead.chance.weight,
            denominator: lead.chance.total,
            exact: lead.chance.stop.is_none(),
        }
    }
}

#[derive(Serialize)]
struct SureJson {
    vacant_west: Range,
    vacant_east: Range,
    second_lead: Option<LeadJson>,
}

#[derive(Serialize)]
struct LineJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    in_short: Option<&'a str>,
    text: Vec<String>,
    strategy: &'a Tree,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    at_least: bool,
}

impl<'a> From<&'a Line> for LineJson<'a> {
    fn from(line: &'a Line) -> Self {
        Self {
            in_short: line.short.as_deref(),
            text: line.text(),
            strategy: &line.tree,
            at_least: line.at_least,
        }
    }
}

#[derive(Serialize)]
struct TopJson<'a> {
    numerator: u64,
    denominator: u64,
    exact: bool,
    line: LineJson<'a>,
    tricks: &'a [u8],
}

#[derive(Serialize)]
struct AnswerJson<'a> {
    format: &'static str,
    #[serde(flatten)]
    suit: SuitJson,
    #[serde(flatten)]
    chance: ChanceJson,
    line: Option<LineJson<'a>>,
    layouts: Vec<LayoutJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    leads: Option<Vec<LeadJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sure: Option<SureJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top: Option<Vec<TopJson<'a>>>,
    stop: Option<&'static str>,
}

/// The name of the shapes of both answers.
pub(super) const FORMAT: &str = "meetjoin-suit/1";

impl SuitAnswer {
    /// What stopped a search: that for the chance, or else one for the extras.
    fn stopped(&self) -> Option<Stop> {
        let second = self.sure.iter().flat_map(|sure| &sure.second);
        let leads = self.leads.iter().flatten().chain(second);
        let leads = leads.filter_map(|lead| lead.chance.stop);
        let top = self.top.iter().flatten().filter_map(|top| top.stop);
        let besides = self.line_stop.into_iter().chain(leads).chain(top);
        self.chance.stop.into_iter().chain(besides).next()
    }

    /// Whether nothing stopped a search.
    pub fn is_complete(&self) -> bool {
        self.stopped().is_none() && self.line.is_some()
    }

    /// One JSON object, `meetjoin-suit/1`.
    pub fn json(&self) -> String {
        json_line(&AnswerJson {
            format: FORMAT,
            suit: (&self.suit).into(),
            chance: (&self.chance).into(),
            line: self.line.as_ref().map(LineJson::from),
            layouts: layouts_json(&self.suit, &self.line.iter()),
            leads: self
                .leads
                .as_ref()
                .map(|leads| leads.iter().map(LeadJson::from).collect()),
            sure: self.sure.as_ref().map(|sure| SureJson {
                vacant_west: sure.west,
                vacant_east: sure.east,
                second_lead: sure.second.as_ref().map(LeadJson::from),
            }),
            top: self.top.as_ref().map(|top| {
                let top = top.iter().map(|Top { line, stop }| TopJson {
                    numerator: line.weight(&self.suit, self.chance.goal),
                    denominator: self.chance.total,
                    exact: stop.is_none(),
                    line: line.into(),
                    tricks: &line.guarantees,
                });
                top.collect()
            }),
            stop: self.stopped().map(Stop::word),
        })
    }

    /// Some lines for people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let Chance {
            goal,
            weight,
            bound,
            total,
            stop,
        } = self.chance;
        let name = if goal == Goal::Average {
            "average"
        } else {
            "chance"
        };
        let chance = reached(self.chance.text(), stop.is_some());
        let exactly = fraction(weight, total);
        put(&mut text, name, &format!("{chance}  ({exactly})"));
        if let Some(stop) = stop {
            put(&mut text, "at most", &figure(goal, bound, total));
            put(&mut text, "stopped", &stop.to_string());
        } else if let Some(stop) = self.stopped() {
            let what = "the chance is exact, and what follows may be better";
            put(&mut text, "stopped", &format!("{stop}; {what}"));
        }
        if let Some(line) = &self.line {
            if let Some(short) = &line.short {
                put(&mut text, "in short", short);
            }
            put_lines(&mut text, "line", &line.text());
            match goal {
                Goal::Tricks(tricks) => put(&mut text, "fails", &self.fails(line, tricks)),
                Goal::Average => {
                    let most = line.guarantees.iter().max().copied().unwrap_or(0);
                    let mut chances = Vec::new();
                    for tricks in (1..=most).rev() {
                        let weight = line.weight(&self.suit, Goal::Tricks(tricks));
                        let chance = reached(percent(weight, total), line.at_least);
                        chances.push(format!("{tricks} {chance}"));
                        if weight == total {
                            break;
                        }
                    }
                    put(&mut text, "tricks", &chances.join(", "));
                }
            }
        }
        if let Some(sure) = &self.sure {
            let range = |range: Range| {
                let more = if range.is_known { "" } else { "at least " };
                if range.from == range.to {
                    format!("{more}{}", range.from)
                } else {
                    format!("{more}{}..{}", range.from, range.to)
                }
            };
            let (a, b) = self.suit.knowledge().places;
            let places = format!(
                "West {} vacant places (East {b}), East {} (West {a})",
                range(sure.west),
                range(sure.east)
            );
            put(&mut text, "best for", &places);
            if let Some(second) = &sure.second {
                put(&mut text, "second", &lead_text(second));
            }
        }
        for (place, top) in self.top.iter().flatten().enumerate() {
            let weight = top.line.weight(&self.suit, goal);
            let chance = reached(figure(goal, weight, total), top.line.at_least);
            let text_of = format!("{chance:9} {}", top.line.summary());
            put(&mut text, if place == 0 { "top" } else { "" }, &text_of);
        }
        for (place, lead) in self.leads.iter().flatten().enumerate() {
            put(
                &mut text,
                if place == 0 { "leads" } else { "" },
                &lead_text(lead),
            );
        }
        if self.table {
            text.push_str(&layouts_text(&self.suit, &self.line.iter()));
        }
        text
    }

    /// The layouts in which a line does not reach the goal.
    fn fails(&self, line: &Line, tricks: u8) -> String {
        let layouts = self.suit.layouts().iter().zip(&line.guarantees);
        let failing: Vec<&Layout> = layouts
            .filter(|(_, taken)| **taken < tricks)
            .map(|(layout, _)| layout)
            .collect();
        let total = self.suit.total_weight();
        let weight: u64 = failing.iter().map(|layout| layout.weight).sum();
        if failing.is_empty() {
            return "never".to_owned();
        }
        // The chance of a line that has the greatest one is exact, and no line has more.
        let at_most = if self.chance.stop.is_some() {
            "at most "
        } else {
            ""
        };
        if failing.len() > MOST_SHOWN {
            return format!(
                "{at_most}in {} of {} ({}); --table lists them",
                failing.len(),
                counted(self.suit.layouts().len(), "layout"),
                percent(weight, total)
            );
        }
        let shown = failing.iter().map(|layout| {
            format!(
                "{} ({})",
                layout_text(&self.suit, layout),
                percent(layout.weight, total)
            )
        });
        at_most.to_owned() + &shown.collect::<Vec<_>>().join(", ")
    }
}

/// Layouts that are named one by one.
const MOST_SHOWN: usize = 8;

/// "1 differs", "3 differ"; `that` goes before the verb.
pub(super) fn differ(layouts: usize, that: &str) -> String {
    let differ = if layouts == 1 { "differs" } else { "differ" };
    format!("{layouts} {that}{differ}")
}

/// A first lead with its best, as far as it is known.
fn lead_text(lead: &FirstLead) -> String {
    let chance = reached(lead.chance.text(), lead.chance.stop.is_some());
    format!(
        "{chance:9} {} from {}",
        words::name(lead.card),
        lead.hand.name()
    )
}

/// A key and its value, which begins in the eleventh column.
pub(super) fn put(text: &mut String, key: &str, value: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{}", format!("{key:<9} {value}").trim_end());
}

pub(super) fn put_lines(text: &mut String, key: &str, lines: &[String]) {
    for (place, line) in lines.iter().enumerate() {
        put(text, if place == 0 { key } else { "" }, line);
    }
}

#[derive(Serialize)]
pub(super) struct TableLineJson<'a> {
    name: String,
    average: f64,
    #[serde(flatten)]
    line: LineJson<'a>,
}

pub(super) fn lines_json<'l>(suit: &Suit, lines: &'l [Line]) -> Vec<TableLineJson<'l>> {
    let total = suit.total_weight() as f64;
    let lines = lines.iter().enumerate().map(|(place, line)| TableLineJson {
        name: letter(place),
        average: line.weight(suit, Goal::Average) as f64 / total,
        line: line.into(),
    });
    lines.collect()
}

#[derive(Serialize)]
struct GoalLeadsJson {
    goal: GoalJson,
    leads: Vec<LeadJson>,
}

impl From<&(Goal, Vec<FirstLead>)> for GoalLeadsJson {
    fn from((goal, leads): &(Goal, Vec<FirstLead>)) -> Self {
        Self {
            goal: (*goal).into(),
            leads: leads.iter().map(LeadJson::from).collect(),
        }
    }
}

#[derive(Serialize)]
struct TableGoalJson {
    #[serde(flatten)]
    chance: ChanceJson,
    line: Option<String>,
}

#[derive(Serialize)]
struct TableJson<'a> {
    format: &'static str,
    #[serde(flatten)]
    suit: SuitJson,
    goals: Vec<TableGoalJson>,
    lines: Vec<TableLineJson<'a>>,
    layouts: Vec<LayoutJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    leads: Option<Vec<GoalLeadsJson>>,
    stop: Option<&'static str>,
}

impl SuitTable {
    /// What stopped a search: one for a chance, or else one for the extras.
    fn stopped(&self) -> Option<Stop> {
        let leads = self.leads.iter().flatten().flat_map(|(_, leads)| leads);
        let leads = leads.filter_map(|lead| lead.chance.stop);
        let besides = self.line_stop.into_iter().chain(leads);
        self.chance_stop().into_iter().chain(besides).next()
    }

    fn chance_stop(&self) -> Option<Stop> {
        self.goals.iter().find_map(|(chance, _)| chance.stop)
    }

    /// Whether nothing stopped a search.
    pub fn is_complete(&self) -> bool {
        self.stopped().is_none()
    }

    /// One JSON object, `meetjoin-suit/1`.
    pub fn json(&self) -> String {
        let goals = self.goals.iter().map(|(chance, line)| TableGoalJson {
            chance: chance.into(),
            line: line.map(letter),
        });
        json_line(&TableJson {
            format: FORMAT,
            suit: (&self.suit).into(),
            goals: goals.collect(),
            lines: lines_json(&self.suit, &self.lines),
            layouts: layouts_json(&self.suit, &self.lines.iter()),
            leads: self
                .leads
                .as_ref()
                .map(|leads| leads.iter().map(GoalLeadsJson::from).collect()),
            stop: self.stopped().map(Stop::word),
        })
    }

    /// A table for people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let suit = &self.suit;
        let (north, south) = suit.given();
        put(&mut text, "north", &north.to_string());
        put(&mut text, "south", &south.to_string());
        let (all, kinds) = (suit.layouts_of_cards(), suit.layouts().len());
        put(
            &mut text,
            "missing",
            &format!(
                "{}, {}, {}",
                suit.missing(),
                counted(all, "layout"),
                differ(kinds, "that ")
            ),
        );
        let total = suit.total_weight();
        let shown = self.shown();
        let row = |cells: Vec<String>, rest: &str| {
            let cells = cells.into_iter().map(|cell| format!("{cell:<9}"));
            format!("{} {rest}", cells.collect::<Vec<_>>().join(" "))
        };
        let heads = shown.iter().map(|(chance, _)| match chance.goal {
            Goal::Tricks(tricks) => tricks.to_string(),
            Goal::Average => "average".to_owned(),
        });
        put(&mut text, "tricks", &row(heads.collect(), "line"));
        let best = shown.iter().map(|(chance, _)| chance.text());
        let is_stopped = self.chance_stop().is_some();
        let key = if is_stopped { "at least" } else { "best" };
        put(&mut text, key, &row(best.collect(), ""));
        if is_stopped {
            let most = shown
                .iter()
                .map(|(chance, _)| figure(chance.goal, chance.bound, total));
            put(&mut text, "at most", &row(most.collect(), ""));
        }
        for (place, line) in self.lines.iter().enumerate() {
            let cells = shown
                .iter()
                .map(|(chance, _)| figure(chance.goal, line.weight(suit, chance.goal), total));
            let key = if line.at_least {
                format!("{} >=", letter(place))
            } else {
                letter(place)
            };
            put(&mut text, &key, &row(cells.collect(), &line.summary()));
        }
        if let Some(stop) = self.chance_stop() {
            let what = "chances may be better, and lines and leads with >= too";
            put(&mut text, "stopped", &format!("{stop}; {what}"));
        } else if let Some(stop) = self.stopped() {
            let what = "the chances are exact, and lines and leads with >= may be better";
            put(&mut text, "stopped", &format!("{stop}; {what}"));
        }
        for (place, line) in self.lines.iter().enumerate() {
            text.push('\n');
            put_lines(&mut text, &letter(place), &line.text());
        }
        if let Some(leads) = &self.leads {
            text.push('\n');
            for (place, (name, figures)) in self.lead_rows(leads).into_iter().enumerate() {
                let key = if place == 0 { "leads" } else { "" };
                put(&mut text, key, &row(figures, &name));
            }
        }
        if self.table {
            text.push('\n');
            text.push_str(&layouts_text(suit, &self.lines.iter()));
        }
        text
    }

    /// First leads with what each comes to for each goal that is shown: the best on average first.
    fn lead_rows(&self, leads: &[(Goal, Vec<FirstLead>)]) -> Vec<(String, Vec<String>)> {
        let of = |goal: Goal| leads.iter().find(|(other, _)| *other == goal);
        let Some((_, order)) = of(Goal::Average) else {
            return Vec::new();
        };
        let rows = order.iter().map(|lead| {
            let figures = self.shown().into_iter().map(|(chance, _)| {
                let mut of_goal = of(chance.goal).into_iter().flat_map(|(_, leads)| leads);
                let found =
                    of_goal.find(|other| (other.hand, other.card) == (lead.hand, lead.card));
                found.map_or_else(String::new, |found| {
                    let at_least = found.chance.stop.map_or("", |_| ">=");
                    format!("{at_least}{}", found.chance.text())
                })
            });
            let name = format!("{} from {}", words::name(lead.card), lead.hand.name());
            (name, figures.collect())
        });
        rows.collect()
    }

    /// The goals that are neither out of reach nor sure, one that is sure, and the average.
    pub(super) fn shown(&self) -> Vec<&(Chance, Option<usize>)> {
        let is_sure =
            |chance: &Chance| chance.weight == chance.total && chance.goal != Goal::Average;
        let mut shown = Vec::new();
        let mut sure = false;
        for goal in &self.goals {
            let known = is_sure(&goal.0);
            if goal.0.bound > 0 && !(known && sure) {
                shown.push(goal);
            }
            sure |= known;
        }
        shown
    }
}

/// A, B, and so on; after Z, AA.
pub(super) fn letter(place: usize) -> String {
    let letter = char::from(b'A' + (place % 26) as u8);
    letter.to_string().repeat(place / 26 + 1)
}
