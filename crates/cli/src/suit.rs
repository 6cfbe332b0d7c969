//! `meetjoin suit`: how to play a suit at bridge.

use std::io::BufRead;
use std::num::NonZero;
use std::str::FromStr;

use clap::Args;
use meetjoin::games::bridge::{Card, Cards, Hand, Knowledge, Suit, named_cards, two_hands};
use meetjoin::lattice::{Budget, Limits};
use meetjoin_solve::suit::{Goal, Solver};

use crate::args::LimitArgs;
use crate::failure::Failure;
use crate::{interrupt, output};

#[derive(Args, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a switch
pub(crate) struct SuitArgs {
    /// North's cards: A K Q J T 9 .. 2 in any order, 10 for T, x for a small one, - for none. Alone, - reads suits from standard input, one a line: north
    /// south [tricks].
    #[arg(allow_hyphen_values = true)]
    pub(crate) north: String,

    /// South's cards.
    #[arg(allow_hyphen_values = true)]
    pub(crate) south: Option<String>,

    /// Find the greatest chance of at least so many tricks.
    #[arg(long, value_name = "K", conflicts_with = "average", allow_negative_numbers = true)]
    pub(crate) tricks: Option<u8>,

    /// Find the greatest average of tricks.
    #[arg(long)]
    pub(crate) average: bool,

    /// Vacant places of West and East.
    #[arg(long, value_name = "A,B", default_value = "13,13")]
    pub(crate) vacant: Vacant,

    /// Cards that West has.
    #[arg(long, value_name = "CARDS")]
    pub(crate) west: Option<String>,

    /// Cards that East has.
    #[arg(long, value_name = "CARDS")]
    pub(crate) east: Option<String>,

    /// How many cards of the suit West has: a number, or L..M.
    #[arg(long, value_name = "L..M")]
    pub(crate) west_length: Option<Length>,

    /// Only lines that begin with this lead: N or S and the card, as in S2.
    #[arg(long, value_name = "LEAD")]
    pub(crate) lead: Option<Lead>,

    /// Print the best value of each first lead.
    #[arg(long, conflicts_with = "lead")]
    pub(crate) leads: bool,

    /// Leads from North that do not follow a trick won by North; leads from South are free.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) entries: Option<u8>,

    /// Cards of North or South that are not to be played.
    #[arg(long, value_name = "CARDS")]
    pub(crate) keep: Option<String>,

    /// Print the tricks of each line in each layout.
    #[arg(long)]
    pub(crate) table: bool,

    /// Print the answer as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// Vacant places of West and East.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vacant(u8, u8);

impl FromStr for Vacant {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let places = |text: &str| text.trim().parse().ok().filter(|places| *places <= 13);
        let both = text.split_once(',').and_then(|(a, b)| Some(Self(places(a)?, places(b)?)));
        both.ok_or_else(|| format!("{text:?} are no vacant places of West and East; write two numbers up to 13, as in 7,13"))
    }
}

/// The fewest and the most cards of a hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Length(u8, u8);

impl FromStr for Length {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.parse().ok().filter(|number| *number <= 13);
        let both = match text.split_once("..") {
            Some((least, most)) => number(least).zip(number(most)),
            None => number(text).map(|length| (length, length)),
        };
        let both = both.filter(|(least, most)| least <= most);
        both.map(|(least, most)| Self(least, most))
            .ok_or_else(|| format!("{text:?} is no length of a suit; write a number up to 13, or two as in 2..4"))
    }
}

/// A hand and one of its cards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lead(Hand, Card);

impl FromStr for Lead {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is no lead; write N or S and the card, as in S2");
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

/// The cards of an option.
fn cards(option: &str, text: Option<&str>) -> Result<Cards, Failure> {
    let cards = text.map_or(Ok(Cards::NONE), named_cards);
    cards.map_err(|error| Failure::Input(format!("--{option}: {error}")))
}

/// The goal, if one is asked for.
fn goal(args: &SuitArgs) -> Option<Goal> {
    let average = args.average.then_some(Goal::Average);
    args.tricks.map(Goal::Tricks).or(average)
}

pub(crate) fn run(args: &SuitArgs) -> Result<(), Failure> {
    let knowledge = Knowledge {
        places: (args.vacant.0, args.vacant.1),
        west: cards("west", args.west.as_deref())?,
        east: cards("east", args.east.as_deref())?,
        west_length: args.west_length.map_or((0, 13), |Length(least, most)| (least, most)),
        entries: args.entries,
        keep: cards("keep", args.keep.as_deref())?,
        lead: args.lead.map(|Lead(hand, card)| (hand, card)),
    };
    let limits = interrupt::limits(&args.limits)?;
    match &args.south {
        Some(south) => {
            let suit = suit(&args.north, south, &knowledge).map_err(Failure::Input)?;
            let answer = answer(&suit, goal(args), args, limits, args.json).map_err(Failure::Input)?;
            output::print(&answer.text)?;
            if answer.is_complete { Ok(()) } else { Err(Failure::Stopped) }
        }
        None if args.north == "-" => batch(args, &knowledge, &limits),
        None => Err(Failure::Input("give the cards of North and South, - for none".to_owned())),
    }
}

fn suit(north: &str, south: &str, knowledge: &Knowledge) -> Result<Suit, String> {
    let (north, south) = two_hands(north, south).map_err(|error| error.to_string())?;
    Suit::new(north, south, knowledge.clone()).map_err(|error| error.to_string())
}

/// What is printed.
struct Printed {
    text: String,
    is_complete: bool,
}

fn answer(suit: &Suit, goal: Option<Goal>, args: &SuitArgs, limits: Limits, json: bool) -> Result<Printed, String> {
    if let Some(Goal::Tricks(tricks)) = goal
        && (tricks == 0 || tricks > suit.tricks())
    {
        return Err(format!("{tricks} tricks are no goal: a line for this suit takes from 1 to {}", suit.tricks()));
    }
    let budget = Budget::new(limits);
    let mut solver = Solver::new(suit, &budget);
    let Some(goal) = goal else {
        let mut table = solver.all();
        table.table = args.table;
        let text = if json { table.json() } else { table.text() };
        return Ok(Printed { text, is_complete: table.is_complete() });
    };
    let mut answer = solver.one(goal);
    answer.table = args.table;
    if args.leads {
        answer.leads = Some(solver.leads(goal));
    }
    if let (Goal::Tricks(tricks), Some(line), None, None) = (goal, &answer.line, answer.chance.stop, args.lead) {
        answer.sure = Some(solver.sure(line, tricks));
    }
    let text = if json { answer.json() } else { answer.text() };
    Ok(Printed { text, is_complete: answer.is_complete() })
}

/// Suits from standard input, one a line; for each one JSON object on a line. The limits are those of each suit.
fn batch(args: &SuitArgs, knowledge: &Knowledge, limits: &Limits) -> Result<(), Failure> {
    let mut is_complete = true;
    for (number, line) in std::io::stdin().lock().lines().enumerate() {
        let wrong = |why: String| Failure::Input(format!("standard input, line {}: {why}", number + 1));
        let line = line.map_err(|error| wrong(format!("it cannot be read: {error}")))?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let (north, south, own) = match *words.as_slice() {
            [] => continue,
            [north, south] => (north, south, None),
            [north, south, tricks] => {
                let tricks: Option<NonZero<u8>> = tricks.parse().ok();
                let tricks = tricks.ok_or_else(|| wrong(format!("{:?} is no number of tricks", words[2])))?;
                (north, south, Some(Goal::Tricks(tricks.get())))
            }
            _ => return Err(wrong("a line has the cards of North and South, and perhaps a number of tricks".to_owned())),
        };
        let suit = suit(north, south, knowledge).map_err(wrong)?;
        let printed = answer(&suit, own.or(goal(args)), args, limits.clone(), true).map_err(wrong)?;
        output::print(&printed.text)?;
        is_complete &= printed.is_complete;
    }
    if is_complete { Ok(()) } else { Err(Failure::Stopped) }
}
