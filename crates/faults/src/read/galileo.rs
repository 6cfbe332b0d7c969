//! Static fault trees in the format of Galileo (`.dft`).
//!
//! ```text
//! toplevel "System";
//! "System" or "Valve" "Pumps";
//! "Pumps" 2of3 "P1" "P2" "P3";
//! "Valve" prob=0.001;
//! "P1" lambda=1e-5;
//! ```
//!
//! Gates are `and`, `or` and `KofN`; events have a probability (`prob`), or a rate of failure
//! (`lambda` or `rate`) and perhaps the `shape` of a Weibull distribution, which is 1 if nothing is
//! said. `dorm` says how a spare part ages, and static gates have no spares.
//!
//! Gates whose arguments must fail in an order, and spares, need a tool for sequences of failures
//! instead of sets: they are refused by name.

use meetjoin_report::{counted, meant};

use crate::model::expression::{Number, Operation};
use crate::model::names::{Defined, Symbol};
use crate::model::place::{FaultTreeFileError as Wrong, Place};
use crate::tree::Connective;

use super::draft::{Argument, Draft, Expected, Mention};

/// A word, without quotes, and where it stands.
type Word<'t> = (&'t str, Place, bool);

/// Whether a text is in this format: its first word is `toplevel`, and no gate of that name.
pub(super) fn is_galileo(text: &str) -> bool {
    let mut rest = text.trim_start();
    loop {
        let end = match rest.get(..2) {
            Some("//") => rest.find('\n').map(|end| end + 1),
            Some("/*") => rest.find("*/").map(|end| end + 2),
            _ => break,
        };
        let Some(end) = end else { return false };
        rest = rest[end..].trim_start();
    }
    let after = rest.strip_prefix("toplevel").unwrap_or_default();
    after.starts_with([' ', '\t', '"', '\n', '\r']) && !after.trim_start().starts_with('=')
}

/// The words of each statement.
fn statements(file: u32, text: &str) -> Result<Vec<Vec<Word<'_>>>, Wrong> {
    let (mut all, mut words) = (Vec::new(), Vec::new());
    let mut place = Place {
        file,
        line: 1,
        column: 1,
    };
    let mut rest = text;
    let step = |place: &mut Place, passed: &str| {
        for letter in passed.chars() {
            if letter == '\n' {
                (place.line, place.column) = (place.line + 1, 1);
            } else {
                place.column += 1;
            }
        }
    };
    while let Some(letter) = rest.chars().next() {
        let here = place;
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            let Some(end) = rest.find("*/") else {
                return Err(Wrong::at(here, "this comment has no end"));
            };
            end + 2
        } else if letter == ';' {
            if words.is_empty() {
                return Err(Wrong::at(here, "there is nothing before this semicolon"));
            }
            all.push(std::mem::take(&mut words));
            1
        } else if letter == '"' {
            let Some(end) = rest[1..].find('"') else {
                return Err(Wrong::at(here, "this name has no second quote"));
            };
            words.push((&rest[1..=end], here, true));
            end + 2
        } else if letter.is_whitespace() {
            letter.len_utf8()
        } else {
            let ends = |c: char| c.is_whitespace() || c == ';' || c == '"';
            let length = rest.find(ends).unwrap_or(rest.len());
            words.push((&rest[..length], here, false));
            length
        };
        step(&mut place, &rest[..length]);
        rest = &rest[length..];
    }
    match words.first() {
        None => Ok(all),
        Some((_, place, _)) => Err(Wrong::at(*place, "a statement ends with a semicolon")),
    }
}

/// Reads a file.
pub(super) fn read(file: u32, text: &str, draft: &mut Draft) -> Result<(), Wrong> {
    for words in statements(file, text)? {
        let (name, place, _) = words[0];
        if name == "toplevel" && !words[0].2 {
            let [_, (top, at, _)] = words[..] else {
                return Err(Wrong::at(
                    place,
                    "toplevel is followed by the name of one gate",
                ));
            };
            let top = mention(draft, top, at);
            if draft.top.replace(top).is_some() {
                return Err(Wrong::at(place, "there are two statements toplevel"));
            }
            continue;
        }
        let symbol = draft.names.number(name);
        let Some(&(kind, at, quoted)) = words.get(1) else {
            return Err(Wrong::at(
                place,
                format!("{name:?} has neither a gate nor a rate"),
            ));
        };
        if quoted {
            return Err(Wrong::at(at, format!("what kind of gate is {name:?}?")));
        }
        if kind.contains('=') || words.get(2).is_some_and(|word| word.0.starts_with('=')) {
            event(draft, symbol, place, &words[1..])?;
        } else {
            gate(draft, symbol, place, &words[1..])?;
        }
    }
    Ok(())
}

fn mention(draft: &mut Draft, name: &str, place: Place) -> Mention {
    let name = draft.names.number(name);
    Mention {
        name,
        container: 0,
        place,
    }
}

fn gate(draft: &mut Draft, name: Symbol, place: Place, words: &[Word<'_>]) -> Result<(), Wrong> {
    let ((kind, at, _), arguments) = (words[0], &words[1..]);
    let lower = kind.to_ascii_lowercase();
    let connective = match &*lower {
        "and" => Connective::And,
        "or" => Connective::Or,
        "wsp" | "csp" | "hsp" | "spare" | "pand" | "pand-incl" | "pand-excl" | "por"
        | "por-incl" | "por-excl" | "fdep" | "pdep" | "seq" | "mutex" | "rdep" => {
            let what = format!(
                "the gate {kind:?} is dynamic: it asks in which order parts fail, which takes a tool \
                 for Markov models or simulation, and not one for cut sets"
            );
            return Err(Wrong::at(at, what));
        }
        _ => {
            let numbers = lower
                .split_once("of")
                .map(|(k, n)| (k.parse(), n.parse::<usize>()));
            let Some((Ok(least), Ok(of))) = numbers else {
                let what =
                    format!("{kind:?} is no gate that is read here: there are and, or, KofN");
                return Err(Wrong::at(at, what));
            };
            if of != arguments.len() {
                let what = format!("{kind} has {}", counted(arguments.len(), "argument"));
                return Err(Wrong::at(at, what));
            }
            Connective::AtLeast(least)
        }
    };
    let arguments = arguments.iter().map(|&(argument, place, _)| {
        let mention = mention(draft, argument, place);
        Argument::Name(mention, Expected::Any)
    });
    let arguments: Vec<Argument> = arguments.collect();
    let gate = draft.gate(Some(name), connective, arguments, place);
    draft.define((0, false), name, Defined::Gate(gate), place)
}

fn event(draft: &mut Draft, name: Symbol, place: Place, words: &[Word<'_>]) -> Result<(), Wrong> {
    let shown = draft.names.text(name).to_owned();
    // `key=value` with or without spaces around the mark.
    let joined: Vec<&str> = words.iter().map(|word| word.0).collect();
    let joined = joined.join(" ").replace(" =", "=").replace("= ", "=");
    let (mut probability, mut rate, mut shape) = (None, None, None);
    for pair in joined.split(' ') {
        let (key, text) = pair.split_once('=').unwrap_or((pair, ""));
        let Some(value) = text.parse::<f64>().ok().filter(|value| value.is_finite()) else {
            let what = format!("{pair:?} of {shown:?} is no key=number");
            return Err(Wrong::at(place, what));
        };
        let slot = match key {
            "prob" => &mut probability,
            "lambda" | "rate" => &mut rate,
            "shape" => &mut shape,
            // Dormancy matters only for spares.
            "dorm" => continue,
            // No coverage, no restoration, one part.
            "cov" | "res" | "repl"
                if matches!((key, text), ("repl", "1") | ("cov" | "res", "0")) =>
            {
                continue;
            }
            _ => {
                let meant = meant(key, ["prob", "lambda", "rate", "shape", "dorm"]);
                let what = format!("{pair:?} of {shown:?} is not read here{meant}");
                return Err(Wrong::at(place, what));
            }
        };
        let why = match key {
            "lambda" | "rate" if value < 0.0 => Some("a rate is 0 or more"),
            "shape" if value <= 0.0 => Some("a shape is more than 0"),
            _ => None,
        };
        if let Some(why) = why {
            return Err(Wrong::at(place, format!("{pair:?} of {shown:?}: {why}")));
        }
        if slot.replace(value).is_some() {
            let what = format!("{shown:?} has {key:?} or its like twice");
            return Err(Wrong::at(place, what));
        }
    }
    let number = match (probability, rate, shape) {
        (Some(probability), None, None) => draft.number(probability, place),
        (None, Some(rate), shape) => aging(draft, rate, shape, place),
        _ => {
            let what =
                format!("{shown:?} needs either prob, or lambda or rate, optionally with shape");
            return Err(Wrong::at(place, what));
        }
    };
    let event = draft.event(shown, Some(number), place);
    draft.define((0, false), name, Defined::Event(event), place)
}

/// The probability of a part with a rate of failure.
fn aging(draft: &mut Draft, rate: f64, shape: Option<f64>, place: Place) -> Number {
    let all = &mut draft.expressions;
    let time = all.push(Operation::MissionTime, "system-mission-time", &[], place);
    match shape {
        None => {
            let rate = all.number(rate, place);
            all.push(Operation::Exponential, "exponential", &[rate, time], place)
        }
        Some(shape) => {
            let (scale, shape) = (all.number(1.0 / rate, place), all.number(shape, place));
            let from = all.number(0.0, place);
            all.push(
                Operation::Weibull,
                "Weibull",
                &[scale, shape, from, time],
                place,
            )
        }
    }
}
