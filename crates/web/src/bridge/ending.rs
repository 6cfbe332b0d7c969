//! Questions about an ending: what `meetjoin ending` answers.

use std::fmt::Display;

use meetjoin_bridge::ending::asked::Asked;
use meetjoin_bridge::ending::{EndingRequest, answered};
use meetjoin_bridge::{Deal, Seat, trump_of};
use meetjoin_lattice::{Budget, Limits};
use serde::Deserialize;
use serde_json::json;

use crate::asking::{Answered, Progress};

/// The options of the command, as far as a page has them. What is empty is what the deal says.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Question {
    /// The deal in Portable Bridge Notation.
    deal: String,
    declarer: String,
    leader: String,
    trumps: String,
    tricks: u8,
    /// The fewest and the most cards of suits with the defender before dummy: `["S", [2, 4]]`.
    lengths: Vec<(String, (u8, u8))>,
}

fn said(error: impl Display) -> String {
    error.to_string()
}

/// A player by a letter; nobody in an empty text.
fn player(text: &str) -> Result<Option<Seat>, String> {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (None, _) => Ok(None),
        (Some(letter), None) if Seat::of_letter(letter).is_some() => Ok(Seat::of_letter(letter)),
        _ => Err(format!(
            "there is no player {text:?}; players are N, E, S and W"
        )),
    }
}

/// Trumps by their letters.
fn trumps(text: &str) -> Result<Option<u8>, String> {
    trump_of(text).ok_or_else(|| format!("{text:?} are no trumps; write S, H, D, C or NT"))
}

/// Answers it.
///
/// # Errors
/// The command's sentence.
pub fn answer(question: &Question, limits: Limits) -> Result<Answered, String> {
    let deal = Deal::of_pbn(&question.deal).map_err(said)?;
    let lengths = question.lengths.iter().map(|(suit, lengths)| {
        let suit = trump_of(suit).flatten();
        let suit = suit.ok_or_else(|| "a suit is S, H, D or C".to_owned())?;
        Ok((suit, *lengths))
    });
    let asked = Asked {
        declarer: player(&question.declarer)?,
        leader: player(&question.leader)?,
        trumps: match question.trumps.as_str() {
            "" => None,
            text => Some(trumps(text)?),
        },
        tricks: question.tricks,
        lengths: lengths.collect::<Result<_, String>>()?,
        ahead: None,
    };
    let ending = asked.ending(&deal, |_| 1).map_err(said)?;
    asked.check(&ending).map_err(said)?;
    let budget = Budget::new(limits);
    let progress = Progress::begin();
    let request = EndingRequest {
        tricks: asked.tricks,
        ahead: asked.ahead,
        is_whole: true,
        budget: &budget,
        afterwards: None,
        heard: &|least, most, all| {
            progress.say(|| json!({ "least": least, "most": most, "all": all }));
        },
    };
    let answer = answered(&ending, request);
    Ok(Answered {
        text: answer.json(),
        is_complete: answer.is_complete(),
    })
}
