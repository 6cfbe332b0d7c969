//! Plain text: one gate or event a line.
//!
//! ```text
//! # comment
//! top = or pump both
//! pump = 2 of p1 p2 p3
//! both = and valve h1
//! p1 = 0.01
//! h1 = false
//! ```
//!
//! What looks like another notation is refused rather than taken for a name: marks between
//! arguments, connectives among them, and an event that no gate mentions, which is mostly a
//! misspelt name.

use crate::model::names::Defined;
use crate::model::place::{FaultTreeFileError as Wrong, Place};
use crate::tree::Connective;
use meetjoin_report::meant;

use super::draft::{Argument, Draft, Expected, Mention};

/// The words of a line before its comment, each with the bytes before it; `=` is a word of its own.
pub fn words(line: &str) -> Vec<(usize, &str)> {
    let line = line.split('#').next().unwrap_or(line);
    let mut found = Vec::new();
    let mut rest = 0;
    while let Some(skipped) = line[rest..].find(|c: char| !c.is_whitespace()) {
        let start = rest + skipped;
        let ends = |c: char| c.is_whitespace() || c == '=';
        let length = match line[start..].find(ends) {
            Some(0) => 1,
            Some(length) => length,
            None => line.len() - start,
        };
        rest = start + length;
        found.push((start, &line[start..rest]));
    }
    found
}

/// Marks that other notations have between arguments or around them, and names have not.
const MARKS: &[char] = &[',', ';', '(', ')', '[', ']', '{', '}', '&', '|', '"'];

/// The connectives that stand before arguments.
const NAMES: [&str; 6] = ["and", "or", "not", "xor", "nand", "nor"];

/// A word that is to be a name.
fn check_name(name: &str, place: Place) -> Result<(), Wrong> {
    if name == "of" || NAMES.contains(&name) {
        let what =
            format!("{name:?} is not a name: a line has one connective, before its arguments");
        return Err(Wrong::at(place, what));
    }
    match name.find(MARKS) {
        None => Ok(()),
        Some(at) => Err(Wrong::at(
            Place {
                column: place.column + name[..at].chars().count() as u32,
                ..place
            },
            format!(
                "the name {name:?} has a mark that names do not have; arguments stand between spaces"
            ),
        )),
    }
}

/// The line and the column of the first line that only attack trees have.
fn of_attacks(text: &str) -> Option<(u32, u32)> {
    let is_of_attacks = |words: &[(usize, &str)]| {
        let words: Vec<&str> = words.iter().map(|word| word.1).collect();
        matches!(
            words[..],
            ["attribute", _, "sum" | "max" | "product"]
                | [_, "counters", _]
                | ["defence", _]
                | ["defence", _, _, "=", ..]
                | [_, "=", "sand", ..]
                | [_, "damage", "=", _]
        )
    };
    (1..).zip(text.split('\n')).find_map(|(number, line)| {
        let words = words(line);
        let (before, _) = *words.first()?;
        let column = line[..before].chars().count() as u32 + 1;
        is_of_attacks(&words).then_some((number, column))
    })
}

/// Reads a file.
pub(super) fn read(file: u32, text: &str, draft: &mut Draft) -> Result<(), Wrong> {
    read_lines(file, text, draft).map_err(|wrong| match of_attacks(text) {
        Some((line, column)) => {
            let what = "this is a line of an attack tree, and `meetjoin attacks` reads those";
            Wrong::at(Place { file, line, column }, what)
        }
        None => wrong,
    })
}

fn read_lines(file: u32, text: &str, draft: &mut Draft) -> Result<(), Wrong> {
    draft.implicit_events = true;
    if text.split('\n').all(|line| words(line).is_empty()) {
        return Err(Wrong::whole("there is no gate and no event"));
    }
    for (number, line) in (1..).zip(text.split('\n')) {
        let words = words(line);
        let place = |before: usize| Place {
            file,
            line: number,
            column: line[..before].chars().count() as u32 + 1,
        };
        let wrong = |at: usize, what: &str| Err(Wrong::at(place(at), what));
        let (at, name, rest) = match words[..] {
            [] => continue,
            [(at, name), (_, "="), ref rest @ ..] if name != "=" && !rest.is_empty() => {
                (at, name, rest)
            }
            [(at, _), ..] => {
                return wrong(
                    at,
                    "a line is NAME = CONNECTIVE ARGUMENTS, or NAME = PROBABILITY, or NAME = true or false",
                );
            }
        };
        let own = place(at);
        check_name(name, own)?;
        if let Some((at, _)) = rest.iter().find(|(_, word)| *word == "=") {
            return wrong(*at, "a line has one =");
        }
        let symbol = draft.names.number(name);
        let (at, word) = rest[0];
        let (connective, arguments) = match (word, &rest[1..]) {
            ("true" | "false", []) => {
                draft.houses.push(word == "true");
                let house = Defined::House(draft.houses.len() as u32 - 1);
                draft.define((0, false), symbol, house, own)?;
                draft.stated.push((symbol, own));
                continue;
            }
            ("and", arguments) => (Connective::And, arguments),
            ("or", arguments) => (Connective::Or, arguments),
            ("not", arguments) => (Connective::Not, arguments),
            ("xor", arguments) => (Connective::Xor, arguments),
            ("nand", arguments) => (Connective::Nand, arguments),
            ("nor", arguments) => (Connective::Nor, arguments),
            (least, [(_, "of"), arguments @ ..]) => match least.parse() {
                Ok(least) => (Connective::AtLeast(least), arguments),
                Err(_) => return wrong(at, "what stands before \"of\" must be an integer"),
            },
            (text, []) => match text.parse::<f64>() {
                Ok(probability) if probability.is_finite() => {
                    let number = draft.number(probability, own);
                    let event = draft.event(name.to_owned(), Some(number), own);
                    draft.define((0, false), symbol, Defined::Event(event), own)?;
                    draft.stated.push((symbol, own));
                    continue;
                }
                Ok(_) => return wrong(at, &format!("{text:?} is not a finite number")),
                Err(_) => {
                    return wrong(
                        at,
                        "this is neither a connective with arguments nor a probability nor true or false; rates take an Open-PSA or a Galileo file",
                    );
                }
            },
            (word, arguments) => return wrong(at, &no_connective(word, arguments)),
        };
        let mut read = Vec::with_capacity(arguments.len());
        for &(at, word) in arguments {
            read.push(match word {
                "true" => Argument::Constant(true),
                "false" => Argument::Constant(false),
                name => {
                    check_name(name, place(at))?;
                    let name = draft.names.number(name);
                    draft.mentioned.insert(name);
                    let mention = Mention {
                        name,
                        container: 0,
                        place: place(at),
                    };
                    Argument::Name(mention, Expected::Any)
                }
            });
        }
        let gate = draft.gate(Some(symbol), connective, read, own);
        draft.define((0, false), symbol, Defined::Gate(gate), own)?;
    }
    Ok(())
}

/// The error for a word that is no connective.
fn no_connective(word: &str, arguments: &[(usize, &str)]) -> String {
    const LONGEST: usize = 8;
    let is_inside = arguments.iter().any(|(_, word)| NAMES.contains(word));
    let how = if is_inside {
        ", and the connective stands before its arguments".to_owned()
    } else if word.len() <= LONGEST {
        meant(word, NAMES)
    } else {
        String::new()
    };
    format!("the connectives are and, or, K of, not, xor, nand, nor{how}")
}
