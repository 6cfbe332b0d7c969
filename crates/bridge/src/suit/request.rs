//! A request about a suit: the hands, what is known of the defenders', a goal, and how lines are
//! compared.

use std::num::NonZero;
use std::str::FromStr;

use meetjoin_report::{Answer, Application, Refusal, Run, counted};
use serde::{Deserialize, Deserializer};

use crate::play::{Card, Cards, Hand, Knowledge, Suit, named_cards, two_hands};

use super::compare::{Comparison, Rule, compare};
use super::contract::{Contract, ContractError};
use super::page::html;
use super::picture::svg;
use super::sensitivity::vacant_places::{Curves, by_vacant_places};
use super::{Goal, Solver, SuitAnswer, SuitTable};

/// A request about a suit. The default asks for all goals. In JSON as `meetjoin suit` has the
/// options, with `_` for `-`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[allow(clippy::struct_excessive_bools)] // each is a switch
pub struct SuitRequest {
    /// North's cards in any order: A K Q J T 9 .. 2, where T may be 10; x for a small card, - for
    /// none. Without SOUTH, - reads suits from standard input, one per line: the cards of North and
    /// South, then optionally a number of tricks.
    pub north: String,

    /// South's cards.
    pub south: Option<String>,

    /// Find the greatest chance of at least K tricks.
    #[cfg_attr(
        feature = "clap",
        arg(
            long,
            value_name = "K",
            conflicts_with = "average",
            allow_negative_numbers = true
        )
    )]
    pub tricks: Option<u8>,

    /// Find the greatest average number of tricks.
    #[cfg_attr(feature = "clap", arg(long))]
    pub average: bool,

    /// Vacant places of West and East.
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "A,B", default_value = "13,13")
    )]
    pub vacant: Vacant,

    /// Cards that West is known to hold.
    #[cfg_attr(feature = "clap", arg(long, value_name = "CARDS"))]
    pub west: Option<String>,

    /// Cards that East is known to hold.
    #[cfg_attr(feature = "clap", arg(long, value_name = "CARDS"))]
    pub east: Option<String>,

    /// Number of cards of the suit that West holds: a number, or L..M.
    #[cfg_attr(feature = "clap", arg(long, value_name = "L..M"))]
    pub west_length: Option<Length>,

    /// Consider only lines that begin with this lead: N or S and the card, as in S2.
    #[cfg_attr(feature = "clap", arg(long, value_name = "LEAD"))]
    pub lead: Option<Lead>,

    /// Print the best value of each first lead.
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "lead"))]
    pub leads: bool,

    /// Print the N best lines for the goal, and any that tie with the last of them.
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "N", allow_negative_numbers = true)
    )]
    pub top: Option<NonZero<usize>>,

    /// Compare lines in pairs by which takes more tricks more often: is there one that no other
    /// beats?
    #[cfg_attr(
        feature = "clap",
        arg(long, conflicts_with_all = ["tricks", "average", "leads", "top", "imps"])
    )]
    pub matchpoints: bool,

    /// Compare lines by the swing in IMPs in this contract: 4S, 3NT, 6HX (doubled), 2DXX
    /// (redoubled), with V at the end if vulnerable. --tricks is the number of tricks in the suit
    /// that make it.
    #[cfg_attr(
        feature = "clap",
        arg(
            long,
            value_name = "CONTRACT",
            requires = "tricks",
            conflicts_with_all = ["leads", "top"]
        )
    )]
    #[serde(deserialize_with = "parsed")]
    pub imps: Option<Contract>,

    /// Allow at most N leads from North other than after a trick that North won; leads from South
    /// are not limited.
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "N", allow_negative_numbers = true)
    )]
    pub entries: Option<u8>,

    /// Cards of North or South that must not be played.
    #[cfg_attr(feature = "clap", arg(long, value_name = "CARDS"))]
    pub keep: Option<String>,

    /// Print the tricks of each line in each layout.
    #[cfg_attr(feature = "clap", arg(long))]
    pub table: bool,
}

/// Vacant places of West and East, each up to 13. In JSON two numbers.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(try_from = "(u8, u8)")]
pub struct Vacant(pub u8, pub u8);

impl Default for Vacant {
    fn default() -> Self {
        Self(13, 13)
    }
}

impl TryFrom<(u8, u8)> for Vacant {
    type Error = String;

    fn try_from((west, east): (u8, u8)) -> Result<Self, String> {
        if west.max(east) > 13 {
            return Err(format!("{} is more than 13", west.max(east)));
        }
        Ok(Self(west, east))
    }
}

impl FromStr for Vacant {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let places = |text: &str| text.trim().parse().ok().filter(|places| *places <= 13);
        let both = text
            .split_once(',')
            .and_then(|(a, b)| Some(Self(places(a)?, places(b)?)));
        both.ok_or_else(|| format!("{text:?} does not give the vacant places of West and East; write two numbers up to 13, as in 7,13"))
    }
}

/// The fewest and the most cards of a hand, up to 13. In JSON two numbers.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(try_from = "(u8, u8)")]
pub struct Length(pub u8, pub u8);

impl TryFrom<(u8, u8)> for Length {
    type Error = String;

    fn try_from((least, most): (u8, u8)) -> Result<Self, String> {
        if least.max(most) > 13 {
            return Err(format!("{} is more than 13", least.max(most)));
        }
        Ok(Self(least, most))
    }
}

impl FromStr for Length {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.parse().ok().filter(|number| *number <= 13);
        let both = match text.split_once("..") {
            Some((least, most)) => number(least).zip(number(most)),
            None => number(text).map(|length| (length, length)),
        };
        let both = both.filter(|(least, most)| least <= most);
        both.map(|(least, most)| Self(least, most)).ok_or_else(|| {
            format!(
                "{text:?} is not a length of a suit; write a number up to 13, or two as in 2..4"
            )
        })
    }
}

/// A hand and one of its cards. In JSON as on the command line: `"S2"`.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(try_from = "String")]
pub struct Lead(pub Hand, pub Card);

impl TryFrom<String> for Lead {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl FromStr for Lead {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is not a lead; write N or S and the card, as in S2");
        let mut letters = text.chars();
        let hand = match letters.next() {
            Some('N' | 'n') => Hand::North,
            Some('S' | 's') => Hand::South,
            _ => return Err(wrong()),
        };
        let cards = named_cards(letters.as_str()).map_err(|_| wrong())?;
        let mut cards = cards.descending();
        match (cards.next(), cards.next()) {
            (Some(card), None) => Ok(Self(hand, card)),
            _ => Err(wrong()),
        }
    }
}

fn parsed<'de, D: Deserializer<'de>>(json: D) -> Result<Option<Contract>, D::Error> {
    let text: Option<String> = Option::deserialize(json)?;
    let contract = text.map(|text| text.parse());
    contract.transpose().map_err(serde::de::Error::custom)
}

/// Something that cannot be answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum RequestError {
    #[error("give the cards of North and South, - for none")]
    Hands,
    #[error("the goal must be 1 to {most} for this suit, not {}", counted(*.tricks, "trick"))]
    Goal { tricks: u8, most: u8 },
    #[error("it needs a goal: tricks or average")]
    Top,
    #[error("it cannot be used with {0}")]
    Besides(&'static str),
    #[error("it needs tricks, the number that makes the contract")]
    Contract,
}

/// The answer to a request.
#[derive(Clone, Debug)]
pub struct SuitSolution {
    found: Found,
    /// What a page or a picture shows, if the run wanted one.
    shown: Option<Shown>,
}

#[derive(Clone, Debug)]
enum Found {
    Compared(Comparison),
    One(SuitAnswer),
    All(SuitTable),
}

/// All goals, whichever was asked for.
#[derive(Clone, Debug)]
struct Shown {
    goal: Option<Goal>,
    table: SuitTable,
    /// For a page.
    by_places: Option<Vec<Curves>>,
}

impl Answer for SuitSolution {
    fn is_complete(&self) -> bool {
        match &self.found {
            Found::Compared(comparison) => comparison.is_complete(),
            Found::One(answer) => answer.is_complete(),
            Found::All(table) => table.is_complete(),
        }
    }

    fn json(&self) -> String {
        match &self.found {
            Found::Compared(comparison) => comparison.json(),
            Found::One(answer) => answer.json(),
            Found::All(table) => table.json(),
        }
    }

    fn text(&self) -> String {
        match &self.found {
            Found::Compared(comparison) => comparison.text(),
            Found::One(answer) => answer.text(),
            Found::All(table) => table.text(),
        }
    }

    fn page(&self) -> Option<String> {
        let shown = self.shown.as_ref()?;
        Some(html(&shown.table, shown.by_places.as_ref()?, shown.goal))
    }

    fn picture(&self) -> Option<String> {
        Some(svg(&self.shown.as_ref()?.table))
    }
}

/// Single suits, as an application.
#[derive(Clone, Copy, Debug)]
pub struct Suits;

impl Application for Suits {
    const NAME: &'static str = "suit";
    type Request = SuitRequest;

    fn answer(request: &SuitRequest, run: &Run<'_>) -> Result<Box<dyn Answer>, Refusal> {
        request.check(run)?;
        let suit = request.suit()?;
        Ok(Box::new(request.solve(&suit, run)?))
    }
}

impl SuitRequest {
    /// The suit, with what is known of it.
    ///
    /// # Errors
    /// If cards make no sense, or contradict each other.
    pub fn suit(&self) -> Result<Suit, Refusal> {
        let cards = |option, text: &Option<String>| {
            let text = text
                .as_deref()
                .map(str::trim)
                .filter(|text| !text.is_empty());
            let cards = text.map_or(Ok(Cards::NONE), named_cards);
            cards.map_err(|error| Refusal::of(option, error))
        };
        let knowledge = Knowledge {
            places: (self.vacant.0, self.vacant.1),
            west: cards("west", &self.west)?,
            east: cards("east", &self.east)?,
            west_length: self
                .west_length
                .map_or((0, 13), |Length(least, most)| (least, most)),
            entries: self.entries,
            keep: cards("keep", &self.keep)?,
            lead: self.lead.map(|Lead(hand, card)| (hand, card)),
        };
        let south = self.south.as_deref().ok_or(RequestError::Hands)?;
        let (north, south) = two_hands(&self.north, south)?;
        Ok(Suit::new(north, south, knowledge)?)
    }

    /// Checks which options stand together; of a command the parser of arguments has said it.
    fn check(&self, run: &Run<'_>) -> Result<(), Refusal> {
        let comparison = match (self.matchpoints, &self.imps) {
            (true, _) => Some("matchpoints"),
            (_, Some(_)) => Some("imps"),
            _ => None,
        };
        let of_comparison = |with: &str| comparison.filter(|rule| *rule == with);
        let tricks = self.tricks.map(|_| "tricks");
        for (option, is_given, other) in [
            ("average", self.average, tricks),
            ("leads", self.leads, self.lead.map(|_| "lead")),
            ("leads", self.leads, comparison),
            ("top", self.top.is_some(), comparison),
            ("page", run.page, comparison),
            ("picture", run.picture, comparison),
            ("tricks", tricks.is_some(), of_comparison("matchpoints")),
            ("average", self.average, comparison),
            ("imps", self.imps.is_some(), of_comparison("matchpoints")),
        ] {
            if let (true, Some(other)) = (is_given, other) {
                return Err(Refusal::of(option, RequestError::Besides(other)));
            }
        }
        if self.imps.is_some() && tricks.is_none() {
            return Err(Refusal::of("imps", RequestError::Contract));
        }
        Ok(())
    }

    /// The goal, if a line for this suit can have it; none for all goals.
    ///
    /// # Errors
    /// If it cannot.
    pub fn goal(&self, suit: &Suit) -> Result<Option<Goal>, Refusal> {
        match self.tricks {
            Some(tricks) if tricks == 0 || tricks > suit.tricks() => {
                let most = suit.tricks();
                Err(RequestError::Goal { tricks, most }.into())
            }
            Some(tricks) => Ok(Some(Goal::Tricks(tricks))),
            None => Ok(self.average.then_some(Goal::Average)),
        }
    }

    /// How lines are compared, if that is asked for.
    fn rule(&self, suit: &Suit) -> Result<Option<Rule>, ContractError> {
        if self.matchpoints {
            return Ok(Some(Rule::Matchpoints));
        }
        let (Some(contract), Some(tricks)) = (&self.imps, self.tricks) else {
            return Ok(None);
        };
        let scores = contract.scores(tricks, suit.tricks())?;
        let played = format!("{contract} made with {}", counted(tricks, "trick"));
        Ok(Some(Rule::Imps(played, scores)))
    }

    /// Answers it for its suit.
    fn solve(&self, suit: &Suit, run: &Run<'_>) -> Result<SuitSolution, Refusal> {
        let goal = self.goal(suit)?;
        let mut solver = Solver::new(suit, run.budget);
        if let Some(rule) = self.rule(suit)? {
            let mut comparison = compare(&mut solver, &rule);
            comparison.table = self.table;
            return Ok(SuitSolution {
                found: Found::Compared(comparison),
                shown: None,
            });
        }
        let Some(goal) = goal else {
            if self.top.is_some() {
                return Err(Refusal::of("top", RequestError::Top));
            }
            let mut table = solver.all();
            table.table = self.table;
            if self.leads {
                let goals = table.goals.iter().map(|(chance, _)| chance.goal);
                table.leads = Some(goals.map(|goal| (goal, solver.leads(goal))).collect());
            }
            return Ok(SuitSolution {
                shown: shown(&mut solver, &table, None, run),
                found: Found::All(table),
            });
        };
        let mut answer = solver.one(goal);
        answer.table = self.table;
        if let Some(most) = self.top {
            answer.top = Some(solver.top(goal, most.get()));
        }
        if self.leads {
            answer.leads = Some(solver.leads(goal));
        }
        if let (Goal::Tricks(tricks), Some(line), None, None) = (
            goal,
            &answer.line,
            answer.chance.stop,
            suit.knowledge().lead,
        ) {
            answer.sure = Some(solver.sure(line, tricks));
        }
        let shown = if run.page || run.picture {
            let table = solver.all();
            shown(&mut solver, &table, Some(goal), run)
        } else {
            None
        };
        Ok(SuitSolution {
            shown,
            found: Found::One(answer),
        })
    }
}

/// What a page or a picture shows.
fn shown(
    solver: &mut Solver<'_>,
    table: &SuitTable,
    goal: Option<Goal>,
    run: &Run<'_>,
) -> Option<Shown> {
    let by_places = run.page.then(|| by_vacant_places(solver, table, goal));
    (run.page || run.picture).then(|| Shown {
        goal,
        table: table.clone(),
        by_places,
    })
}
