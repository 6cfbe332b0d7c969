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
//! What looks like another notation is refused, and not taken for a name: marks between arguments,
//! and a definition that no gate mentions, which is mostly a name that is written in two ways.

use std::collections::HashSet;

use crate::tree::Connective;

use super::draft::{Draft, Expected, Mention, Spot, Wrong};

/// Words with the bytes before each; `=` is a word of its own.
fn words(line: &str) -> Vec<(usize, &str)> {
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

/// A word that is to be a name.
fn check_name(name: &str, spot: Spot) -> Result<(), Wrong> {
    match name.find(MARKS) {
        None => Ok(()),
        Some(at) => Err(Wrong::at(
            spot + at,
            format!(
                "the name {name:?} has a mark that names do not have; arguments stand between spaces"
            ),
        )),
    }
}

/// Reads a tree. `top` is what it is asked about, if that is said: no gate need mention it.
pub(super) fn read(text: &str, top: Option<&str>) -> Result<Draft, Wrong> {
    let mut draft = Draft::with_implicit_events();
    let mut mentioned: HashSet<&str> = top.into_iter().collect();
    // Events and house events with a line of their own.
    let mut defined: Vec<(&str, Spot)> = Vec::new();
    let mut start = 0;
    for whole in text.split_inclusive('\n') {
        let line = whole.split('#').next().unwrap_or(whole);
        let words = words(line);
        let here = start;
        start += whole.len();
        let spot = |column: usize| here + column;
        let wrong = |column: usize, what: &str| Err(Wrong::at(spot(column), what));
        let (column, name, rest) = match words[..] {
            [] => continue,
            [(column, name), (_, "="), ref rest @ ..] if name != "=" && !rest.is_empty() => {
                (column, name, rest)
            }
            [(column, _), ..] => {
                return wrong(
                    column,
                    "a line is NAME = CONNECTIVE ARGUMENTS, or NAME = PROBABILITY, or NAME = true or false",
                );
            }
        };
        check_name(name, spot(column))?;
        let keys = [name.to_owned()];
        if let Some((at, _)) = rest.iter().find(|(_, word)| *word == "=") {
            return wrong(*at, "a line has one =");
        }
        let (at, word) = rest[0];
        let (connective, arguments) = match (word, &rest[1..]) {
            ("true", []) => {
                draft.house(name, &keys, true, spot(column))?;
                defined.push((name, spot(column)));
                continue;
            }
            ("false", []) => {
                draft.house(name, &keys, false, spot(column))?;
                defined.push((name, spot(column)));
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
            (probability, []) => match probability.parse::<f64>() {
                Ok(probability) => {
                    draft.event(name, &keys, Some(probability), spot(column))?;
                    defined.push((name, spot(column)));
                    continue;
                }
                Err(_) => {
                    return wrong(
                        at,
                        "this is neither a connective with arguments nor a probability nor true or false",
                    );
                }
            },
            _ => return wrong(at, "the connectives are and, or, K of, not, xor, nand, nor"),
        };
        let gate = draft.gate(name, &keys, spot(column))?;
        draft.set_connective(gate, connective);
        for &(column, word) in arguments {
            let mention = match word {
                "true" => Mention::Constant(true),
                "false" => Mention::Constant(false),
                name => {
                    check_name(name, spot(column))?;
                    mentioned.insert(name);
                    Mention::Name {
                        name: name.to_owned(),
                        container: String::new(),
                        expected: Expected::Any,
                    }
                }
            };
            draft.add_argument(gate, mention, spot(column));
        }
    }
    match defined.iter().find(|(name, _)| !mentioned.contains(name)) {
        None => Ok(draft),
        Some((name, spot)) => Err(Wrong::at(*spot, format!("no gate mentions {name:?}"))),
    }
}
