//! Plain text: one node a line.
//!
//! ```text
//! # comment
//! attribute cost sum
//! attribute p product
//! top = or guard both
//! guard = 2 of bribe trick threaten
//! both = sand climb enter
//! camera counters climb
//! enter cost=20 p=0.5
//! both damage=100
//! defence camera cost=5
//! ```
//!
//! What looks like another notation is refused, and not taken for a name.

use std::fmt::Write as _;

use meetjoin_faults::words;

use crate::tree::{AttackTree, Attribute, DAMAGE, Kind, Rule};

use super::draft::{Draft, Spot, Wrong};

/// Marks that other notations have between arguments or around them, and names have not.
const MARKS: &[char] = &[
    ',', ';', '(', ')', '[', ']', '{', '}', '&', '|', '"', '=', '<', '>',
];

/// The words that say what a gate is.
const GATES: [&str; 4] = ["or", "and", "sand", "of"];

/// A word that is to be a name.
fn check_name(name: &str, spot: Spot) -> Result<(), Wrong> {
    if GATES.contains(&name) {
        let what = format!("{name:?} is not a name: a line has one gate, before its arguments");
        return Err(Wrong::at(spot, what));
    }
    match name.find(MARKS) {
        None => Ok(()),
        Some(at) => Err(Wrong::at(
            spot + at,
            format!("the name {name:?} has a mark that names do not have"),
        )),
    }
}

const LINES: &str = "a line is NAME = or|and|sand|K of ARGUMENTS, NAME counters NAME, NAME \
    ATTRIBUTE=VALUE .., defence NAME ATTRIBUTE=VALUE .., or attribute NAME sum|max|product";

/// The first line that only fault trees have.
fn of_fault_trees(text: &str) -> Option<Spot> {
    let is_number = |word: &str| word.parse::<f64>().is_ok();
    let mut start = 0;
    text.split_inclusive('\n').find_map(|line| {
        let words = words(line);
        let spot = start + words.first().map_or(0, |word| word.0);
        start += line.len();
        let words: Vec<&str> = words.iter().map(|word| word.1).collect();
        let is_one = match words[..] {
            // The first line of Galileo.
            ["toplevel", name] => name.ends_with(';'),
            [name, "=", value] => {
                name != "=" && (matches!(value, "true" | "false") || is_number(value))
            }
            _ => false,
        };
        is_one.then_some(spot)
    })
}

/// Reads a tree.
pub(super) fn read(text: &str) -> Result<Draft, Wrong> {
    read_lines(text).map_err(|wrong| match of_fault_trees(text) {
        Some(spot) => {
            let what = "this is a line of a fault tree, and `meetjoin cuts` reads those";
            Wrong::at(spot, what)
        }
        None => wrong,
    })
}

fn read_lines(text: &str) -> Result<Draft, Wrong> {
    let mut draft = Draft::default();
    // Actions that have a line of their own, or are given values before it is said what they are.
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let words: Vec<(Spot, &str)> = words(line)
            .into_iter()
            .map(|(column, word)| (start + column, word))
            .collect();
        start += line.len();
        match words[..] {
            [] => {}
            [name, (_, "="), ref rest @ ..] => gate(&mut draft, name, rest)?,
            [(_, "attribute"), (spot, name), (at, rule)] if name != "=" && rule != "=" => {
                check_name(name, spot)?;
                let Some(rule) = Rule::named(rule) else {
                    let what = "the rules of attributes are sum, max, product";
                    return Err(Wrong::at(at, what));
                };
                let name = name.to_owned();
                draft.attributes.push((Attribute { name, rule }, spot));
            }
            [(spot, counter), (_, "counters"), (at, node)] if node != "=" => {
                check_name(counter, spot)?;
                check_name(node, at)?;
                let counter = draft.mention(counter, spot);
                let node = draft.mention(node, at);
                draft.add_counter(counter, node);
            }
            [(_, "defence"), (spot, name), ref values @ ..]
                if name != "=" && values.first().is_none_or(|&(_, word)| word != "=") =>
            {
                check_name(name, spot)?;
                let values = read_values(values)?;
                let number = draft.define(name, Kind::Defence, spot)?;
                give(&mut draft, number, &values)?;
            }
            [(spot, name), ref values @ ..] if values.len() >= 3 && values[1].1 == "=" => {
                check_name(name, spot)?;
                let values = read_values(values)?;
                // Only an action has values; a gate is told of its damage alone.
                let number = if values.iter().all(|value| value.attribute == DAMAGE) {
                    draft.mention(name, spot)
                } else {
                    draft.define(name, Kind::Action, spot)?
                };
                give(&mut draft, number, &values)?;
            }
            [(spot, _), ..] => return Err(Wrong::at(spot, LINES)),
        }
    }
    Ok(draft)
}

/// `NAME = CONNECTIVE ARGUMENTS`.
fn gate(draft: &mut Draft, name: (Spot, &str), rest: &[(Spot, &str)]) -> Result<(), Wrong> {
    let (spot, name) = name;
    if name == "=" {
        return Err(Wrong::at(spot, LINES));
    }
    check_name(name, spot)?;
    let (kind, arguments) = match *rest {
        [(_, "or"), ref arguments @ ..] => (Kind::Or, arguments),
        [(_, "and"), ref arguments @ ..] => (Kind::And, arguments),
        [(_, "sand"), ref arguments @ ..] => (Kind::Sequence, arguments),
        [(at, least), (_, "of"), ref arguments @ ..] => {
            let wrong = || Wrong::at(at, "what stands before \"of\" must be a positive integer");
            let least = least.parse().map_err(|_| wrong())?;
            (Kind::AtLeast(least), arguments)
        }
        [(at, word @ ("not" | "xor" | "nand" | "nor")), ..] => {
            let what = format!(
                "{word:?} is a gate of fault trees, which `meetjoin cuts` reads; those of attack \
                 trees are or, and, K of, sand"
            );
            return Err(Wrong::at(at, what));
        }
        [(at, _), ..] => {
            return Err(Wrong::at(at, "the gates are or, and, K of, sand"));
        }
        [] => {
            let what = format!("{name:?} needs a gate after its =: or, and, K of, sand");
            return Err(Wrong::at(spot, what));
        }
    };
    let number = draft.define(name, kind, spot)?;
    for &(at, argument) in arguments {
        check_name(argument, at)?;
        let argument = draft.mention(argument, at);
        draft.add_argument(number, argument);
    }
    Ok(())
}

/// `ATTRIBUTE=VALUE`, and where it stands.
struct Given<'a> {
    attribute: &'a str,
    value: f64,
    spot: Spot,
}

/// `ATTRIBUTE=VALUE ..`.
fn read_values<'a>(words: &[(Spot, &'a str)]) -> Result<Vec<Given<'a>>, Wrong> {
    let given = words.chunks(3).map(|triple| {
        let [(spot, attribute), (_, "="), (at, value)] = *triple else {
            return Err(Wrong::at(
                triple[0].0,
                "what follows a name is ATTRIBUTE=VALUE",
            ));
        };
        check_name(attribute, spot)?;
        let Some(value) = value.parse().ok().filter(|value: &f64| value.is_finite()) else {
            return Err(Wrong::at(at, format!("{value:?} is not a finite number")));
        };
        Ok(Given {
            attribute,
            value,
            spot,
        })
    });
    given.collect()
}

/// Gives a node its values.
fn give(draft: &mut Draft, number: u32, values: &[Given<'_>]) -> Result<(), Wrong> {
    for given in values {
        draft.value(number, given.attribute, given.value, given.spot, false)?;
    }
    Ok(())
}

/// A name that the text cannot have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the name {0:?} has spaces or marks that names in the text do not have")]
pub struct NoText(String);

/// A tree as text with one node a line.
///
/// # Errors
/// If a name has spaces or marks that names do not have there.
pub fn written(tree: &AttackTree) -> Result<String, NoText> {
    let mut text = String::new();
    let fits = |name: &str| {
        !name.is_empty()
            && !name.contains(MARKS)
            && !name.contains(char::is_whitespace)
            && !name.contains('#')
            && !GATES.contains(&name)
    };
    let nodes = tree.nodes().iter().map(|node| &node.name);
    let attributes = tree.attributes().iter().map(|attribute| &attribute.name);
    if let Some(name) = nodes.chain(attributes).find(|name| !fits(name)) {
        return Err(NoText(name.clone()));
    }
    // Writing to a string cannot fail.
    for attribute in tree.attributes() {
        let _ = writeln!(text, "attribute {} {}", attribute.name, attribute.rule);
    }
    let name = |node: &u32| tree.nodes()[*node as usize].name.as_str();
    for node in tree.nodes() {
        let words = match node.kind {
            Kind::Or => "or".to_owned(),
            Kind::And => "and".to_owned(),
            Kind::Sequence => "sand".to_owned(),
            Kind::AtLeast(least) => format!("{least} of"),
            Kind::Constant(_) => return Err(NoText(node.name.clone())),
            // A name that is only mentioned is an action.
            Kind::Action if node.damage == 0.0 && node.values.iter().all(Option::is_none) => {
                continue;
            }
            Kind::Action | Kind::Defence => {
                let start = if node.kind == Kind::Defence {
                    "defence "
                } else {
                    ""
                };
                let _ = write!(text, "{start}{}", node.name);
                for (attribute, value) in tree.attributes().iter().zip(&node.values) {
                    if let Some(value) = value {
                        let _ = write!(text, " {}={value}", attribute.name);
                    }
                }
                if node.damage > 0.0 {
                    let _ = write!(text, " {DAMAGE}={}", node.damage);
                }
                text.push('\n');
                continue;
            }
        };
        let arguments: Vec<&str> = node.arguments.iter().map(name).collect();
        let _ = writeln!(text, "{} = {words} {}", node.name, arguments.join(" "));
        if node.damage > 0.0 {
            let _ = writeln!(text, "{} {DAMAGE}={}", node.name, node.damage);
        }
    }
    for node in tree.nodes() {
        for counter in &node.counters {
            let _ = writeln!(text, "{} counters {}", name(counter), node.name);
        }
    }
    Ok(text)
}
