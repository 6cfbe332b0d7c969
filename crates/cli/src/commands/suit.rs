//! `meetjoin suit`: how to play a suit at bridge.

use std::fs::File;
use std::io::BufRead;
use std::num::NonZero;
use std::path::Path;

use meetjoin_bridge::suit::book::{self, Book, BookError};
use meetjoin_bridge::suit::request::{SuitRequest, Suits};
use meetjoin_lattice::{Budget, Limits};
use meetjoin_report::{Application as _, Run};

use crate::arguments::args::SuitArgs;
use crate::process::application::{self, Forms, refused};
use crate::process::failure::Failure;
use crate::process::{limits, output};

pub(crate) fn run(args: &SuitArgs) -> Result<(), Failure> {
    let request = &args.request;
    if request.south.is_none() && request.north == "-" {
        if args.html.is_some() || args.picture.is_some() {
            let why = "--html and --picture show one suit; give the cards of North and South";
            return Err(Failure::Input(why.to_owned()));
        }
        return batch(args, &limits::of_each(&args.limits)?);
    }
    let limits = limits::of_command(&args.limits)?;
    if let Some(book) = &args.book {
        let print = if args.json {
            output::print
        } else {
            output::tell
        };
        return print(&from_book(request, book, args.json)?);
    }
    let forms = Forms {
        json: args.json,
        html: &args.html,
        picture: &args.picture,
    };
    application::run::<Suits>(request, limits, forms)
}

/// The answer of a book.
fn from_book(request: &SuitRequest, file: &Path, json: bool) -> Result<String, Failure> {
    let suit = request.suit().map_err(refused)?;
    let goal = request.goal(&suit).map_err(refused)?;
    if suit.knowledge().places != (13, 13) {
        let why = "--book excludes --vacant: suits in a book have 13 vacant places each";
        return Err(Failure::Input(why.to_owned()));
    }
    let place = |error: BookError| Failure::in_file(file, error);
    // Opening a pipe would block, and a pipe cannot seek.
    if file.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(Failure::Input(format!(
            "{} is not a regular file, and a book must be one",
            file.display()
        )));
    }
    let opened = File::open(file).map_err(|error| place(error.into()))?;
    let (north, south) = suit.given();
    let values = Book::open(opened)
        .and_then(|mut book| book.find(north, south))
        .map_err(place)?;
    Ok(if let Some(goal) = goal {
        let answer = book::answer(&suit, &values, goal);
        if json { answer.json() } else { answer.text() }
    } else {
        let table = book::table(&suit, &values);
        if json { table.json() } else { table.text() }
    })
}

/// Suits from standard input, one a line; for each one JSON object on a line. The limits are those
/// of each suit.
fn batch(args: &SuitArgs, limits: &Limits) -> Result<(), Failure> {
    let mut is_complete = true;
    for (number, line) in std::io::stdin().lock().lines().enumerate() {
        let at = |why: String| format!("standard input, line {}: {why}", number + 1);
        let wrong = |why: String| Failure::Input(at(why));
        let within = |failure| match failure {
            Failure::Input(why) => wrong(why),
            failure => failure,
        };
        let line = line.map_err(|error| wrong(format!("it cannot be read: {error}")))?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let mut request = args.request.clone();
        let (north, south) = match *words.as_slice() {
            [] => continue,
            [north, south] => (north, south),
            [north, south, tricks] => {
                let options = [
                    (request.tricks.is_some(), "--tricks"),
                    (request.average, "--average"),
                    (request.matchpoints, "--matchpoints"),
                ];
                let tricks: Option<NonZero<u8>> = tricks.parse().ok();
                let tricks = tricks
                    .ok_or_else(|| wrong(format!("{:?} is not a number of tricks", words[2])))?;
                if let Some((_, option)) = options.iter().find(|(is_given, _)| *is_given) {
                    return Err(wrong(format!(
                        "the number of tricks cannot be used with {option}"
                    )));
                }
                request.tricks = Some(tricks.get());
                (north, south)
            }
            _ => {
                return Err(wrong(
                    "a line has the cards of North and South, and optionally a number of tricks"
                        .to_owned(),
                ));
            }
        };
        north.clone_into(&mut request.north);
        request.south = Some(south.to_owned());
        if let Some(book) = &args.book {
            output::print(&from_book(&request, book, true).map_err(within)?)?;
            continue;
        }
        let budget = Budget::new(limits.clone());
        let found = limits::searching(|| Suits::answer(&request, &Run::new(&budget)));
        let answer = found.map_err(refused).map_err(within)?;
        output::print(&answer.json())?;
        is_complete &= answer.is_complete();
    }
    Failure::unless_complete(is_complete)
}
