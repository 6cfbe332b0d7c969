//! `meetjoin suit`: how to play a suit at bridge.

use std::fs::File;
use std::io::BufRead;
use std::num::NonZero;
use std::path::Path;

use meetjoin_bridge::suit::Goal;
use meetjoin_bridge::suit::asked::Asked;
use meetjoin_bridge::suit::book::{self, Book, BookError};
use meetjoin_bridge::{Cards, Knowledge, Suit, named_cards, two_hands};
use meetjoin_lattice::{Budget, Limits};

use crate::arguments::args::SuitArgs;
use crate::arguments::suit_options::{Lead, Length};
use crate::process::failure::Failure;
use crate::process::{limits, output};

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
    match &args.south {
        Some(south) => {
            let limits = limits::of_command(&args.limits)?;
            output::try_paths([], [&args.html, &args.picture])?;
            let suit = suit(&args.north, south, &knowledge).map_err(Failure::Input)?;
            let found = limits::searching(|| answer(&suit, goal(args), args, limits, args.json));
            let answer = found.map_err(Failure::Input)?;
            let page = args.html.iter().zip(answer.page);
            let picture = args.picture.iter().zip(answer.picture);
            let written = output::replace_all(page.chain(picture));
            let print = if args.json {
                output::print
            } else {
                output::tell
            };
            print(&answer.text)?;
            written?;
            if !args.json {
                output::tell_written(args.html.iter().chain(&args.picture))?;
            }
            Failure::unless_complete(answer.is_complete)
        }
        None if args.north == "-" && (args.html.is_some() || args.picture.is_some()) => {
            let why = "--html and --picture show one suit; give the cards of North and South";
            Err(Failure::Input(why.to_owned()))
        }
        None if args.north == "-" => batch(args, &knowledge, &limits::of_each(&args.limits)?),
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
    page: Option<String>,
    picture: Option<String>,
    is_complete: bool,
}

fn answer(
    suit: &Suit,
    goal: Option<Goal>,
    args: &SuitArgs,
    limits: Limits,
    json: bool,
) -> Result<Printed, String> {
    let asked = Asked {
        goal,
        matchpoints: args.matchpoints,
        imps: args.imps.clone(),
        leads: args.leads,
        top: args.top,
        table: args.table,
        page: args.html.is_some(),
        picture: args.picture.is_some(),
    };
    asked.check(suit).map_err(|error| error.to_string())?;
    if let Some(file) = &args.book {
        return from_book(suit, goal, file, json);
    }
    let budget = Budget::new(limits);
    let answered = asked
        .answer(suit, &budget)
        .map_err(|error| error.to_string())?;
    let found = answered.found;
    Ok(Printed {
        text: if json { found.json() } else { found.text() },
        page: answered.page,
        picture: answered.picture,
        is_complete: found.is_complete(),
    })
}

/// The answer of a book.
fn from_book(suit: &Suit, goal: Option<Goal>, file: &Path, json: bool) -> Result<Printed, String> {
    if suit.knowledge().places != (13, 13) {
        return Err(
            "--book excludes --vacant: suits in a book have 13 vacant places each".to_owned(),
        );
    }
    let place = |error: BookError| format!("{}: {error}", file.display());
    // Opening a pipe would block, and a pipe cannot seek.
    if file.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(format!(
            "{} is not a regular file, and a book must be one",
            file.display()
        ));
    }
    let opened = File::open(file).map_err(|error| place(error.into()))?;
    let (north, south) = suit.given();
    let values = Book::open(opened)
        .and_then(|mut book| book.find(north, south))
        .map_err(place)?;
    let text = if let Some(goal) = goal {
        let answer = book::answer(suit, &values, goal);
        if json { answer.json() } else { answer.text() }
    } else {
        let table = book::table(suit, &values);
        if json { table.json() } else { table.text() }
    };
    Ok(Printed {
        text,
        page: None,
        picture: None,
        is_complete: true,
    })
}

/// Suits from standard input, one a line; for each one JSON object on a line. The limits are those
/// of each suit.
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
                    .ok_or_else(|| wrong(format!("{:?} is not a number of tricks", words[2])))?;
                let options = [
                    (args.tricks.is_some(), "--tricks"),
                    (args.average, "--average"),
                    (args.matchpoints, "--matchpoints"),
                ];
                if let Some((_, option)) = options.iter().find(|(is_given, _)| *is_given) {
                    return Err(wrong(format!(
                        "the number of tricks cannot be used with {option}"
                    )));
                }
                (north, south, Some(Goal::Tricks(tricks.get())))
            }
            _ => {
                return Err(wrong(
                    "a line has the cards of North and South, and optionally a number of tricks"
                        .to_owned(),
                ));
            }
        };
        let suit = suit(north, south, knowledge).map_err(wrong)?;
        let goal = own.or(goal(args));
        let found = limits::searching(|| answer(&suit, goal, args, limits.clone(), true));
        let printed = found.map_err(wrong)?;
        output::print(&printed.text)?;
        is_complete &= printed.is_complete;
    }
    Failure::unless_complete(is_complete)
}
