//! Questions about a suit: what `meetjoin suit` answers.

use std::fmt::Display;
use std::num::NonZero;

use meetjoin_bridge::suit::Goal;
use meetjoin_bridge::suit::asked::Asked;
use meetjoin_bridge::{Cards, Knowledge, Suit, named_cards, two_hands};
use meetjoin_lattice::Budget;
use serde::Deserialize;

use crate::asking::Answered;

/// The options of the command, as far as a page has them.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[allow(clippy::struct_excessive_bools)] // each is asked for by itself
pub struct Question {
    north: String,
    south: String,
    tricks: Option<u8>,
    average: bool,
    vacant: Option<(u8, u8)>,
    west: String,
    east: String,
    west_length: Option<(u8, u8)>,
    entries: Option<u8>,
    keep: String,
    leads: bool,
    top: Option<NonZero<usize>>,
    matchpoints: bool,
    imps: String,
    table: bool,
}

/// The cards of a field; an empty one has none.
fn cards(field: &str, text: &str) -> Result<Cards, String> {
    if text.trim().is_empty() {
        return Ok(Cards::NONE);
    }
    named_cards(text.trim()).map_err(|error| format!("{field}: {error}"))
}

/// Numbers of cards and of places are at most 13.
fn counts(field: &str, (a, b): (u8, u8)) -> Result<(u8, u8), String> {
    if a.max(b) > 13 {
        return Err(format!("{field}: {} is more than 13", a.max(b)));
    }
    Ok((a, b))
}

fn said(error: impl Display) -> String {
    error.to_string()
}

/// Answers it.
///
/// # Errors
/// The command's sentence.
pub fn answer(question: &Question, budget: &Budget) -> Result<Answered, String> {
    let knowledge = Knowledge {
        places: counts("vacant places", question.vacant.unwrap_or((13, 13)))?,
        west: cards("West", &question.west)?,
        east: cards("East", &question.east)?,
        west_length: counts("length", question.west_length.unwrap_or((0, 13)))?,
        entries: question.entries,
        keep: cards("keep", &question.keep)?,
        lead: None,
    };
    let asked = Asked {
        goal: match question.tricks {
            Some(tricks) => Some(Goal::Tricks(tricks)),
            None => question.average.then_some(Goal::Average),
        },
        matchpoints: question.matchpoints,
        imps: match question.imps.trim() {
            "" => None,
            contract => Some(contract.parse().map_err(said)?),
        },
        leads: question.leads,
        top: question.top,
        table: question.table,
        page: false,
        picture: false,
    };
    let (north, south) = two_hands(&question.north, &question.south).map_err(said)?;
    let suit = Suit::new(north, south, knowledge).map_err(said)?;
    let found = asked.answer(&suit, budget).map_err(said)?.found;
    Ok(Answered {
        text: found.json(),
        is_complete: found.is_complete(),
    })
}
