//! `meetjoin suit`: how to play a suit at bridge.

use std::io::BufRead;
use std::num::NonZero;

use meetjoin::games::bridge::{Cards, Knowledge, Suit, named_cards, two_hands};
use meetjoin::lattice::{Budget, Limits};
use meetjoin_solve::suit::{Goal, Solver};

use crate::args::SuitArgs;
use crate::failure::Failure;
use crate::suit_options::{Lead, Length};
use crate::{interrupt, output};

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
        west_length: args
            .west_length
            .map_or((0, 13), |Length(least, most)| (least, most)),
        entries: args.entries,
        keep: cards("keep", args.keep.as_deref())?,
        lead: args.lead.map(|Lead(hand, card)| (hand, card)),
    };
    let limits = interrupt::limits(&args.limits)?;
    match &args.south {
        Some(south) => {
            let suit = suit(&args.north, south, &knowledge).map_err(Failure::Input)?;
            let answer =
                answer(&suit, goal(args), args, limits, args.json).map_err(Failure::Input)?;
            output::print(&answer.text)?;
            if answer.is_complete {
                Ok(())
            } else {
                Err(Failure::Stopped)
            }
        }
        None if args.north == "-" => batch(args, &knowledge, &limits),
        None => Err(Failure::Input(
            "give the cards of North and South, - for none".to_owned(),
        )),
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

fn answer(
    suit: &Suit,
    goal: Option<Goal>,
    args: &SuitArgs,
    limits: Limits,
    json: bool,
) -> Result<Printed, String> {
    if let Some(Goal::Tricks(tricks)) = goal
        && (tricks == 0 || tricks > suit.tricks())
    {
        return Err(format!(
            "{tricks} tricks are no goal: a line for this suit takes from 1 to {}",
            suit.tricks()
        ));
    }
    let budget = Budget::new(limits);
    let mut solver = Solver::new(suit, &budget);
    let Some(goal) = goal else {
        let mut table = solver.all();
        table.table = args.table;
        let text = if json { table.json() } else { table.text() };
        return Ok(Printed {
            text,
            is_complete: table.is_complete(),
        });
    };
    let mut answer = solver.one(goal);
    answer.table = args.table;
    if args.leads {
        answer.leads = Some(solver.leads(goal));
    }
    if let (Goal::Tricks(tricks), Some(line), None, None) =
        (goal, &answer.line, answer.chance.stop, args.lead)
    {
        answer.sure = Some(solver.sure(line, tricks));
    }
    let text = if json { answer.json() } else { answer.text() };
    Ok(Printed {
        text,
        is_complete: answer.is_complete(),
    })
}

/// Suits from standard input, one a line; for each one JSON object on a line. The limits are those of each suit.
fn batch(args: &SuitArgs, knowledge: &Knowledge, limits: &Limits) -> Result<(), Failure> {
    let mut is_complete = true;
    for (number, line) in std::io::stdin().lock().lines().enumerate() {
        let wrong =
            |why: String| Failure::Input(format!("standard input, line {}: {why}", number + 1));
        let line = line.map_err(|error| wrong(format!("it cannot be read: {error}")))?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let (north, south, own) = match *words.as_slice() {
            [] => continue,
            [north, south] => (north, south, None),
            [north, south, tricks] => {
                let tricks: Option<NonZero<u8>> = tricks.parse().ok();
                let tricks = tricks
                    .ok_or_else(|| wrong(format!("{:?} is no number of tricks", words[2])))?;
                (north, south, Some(Goal::Tricks(tricks.get())))
            }
            _ => {
                return Err(wrong(
                    "a line has the cards of North and South, and perhaps a number of tricks"
                        .to_owned(),
                ));
            }
        };
        let suit = suit(north, south, knowledge).map_err(wrong)?;
        let printed =
            answer(&suit, own.or(goal(args)), args, limits.clone(), true).map_err(wrong)?;
        output::print(&printed.text)?;
        is_complete &= printed.is_complete;
    }
    if is_complete {
        Ok(())
    } else {
        Err(Failure::Stopped)
    }
}
