//! Questions about an ending: what `meetjoin ending` answers.

use std::collections::BTreeMap;
use std::fmt::Display;

use meetjoin_bridge::ending::asked::Asked;
use meetjoin_bridge::ending::{EndingRequest, answered};
use meetjoin_bridge::{Deal, SUITS, Seat, trump_of};
use meetjoin_lattice::{Budget, Limits};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::asking::{Answered, Progress, with_more};

/// The options of the command, as far as a page has them. For empty fields the deal decides.
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
    /// Whether a second line with the deal as it was read is wanted.
    table: bool,
}

/// The deal as it was read: a page that reads it by itself may read something else.
#[derive(Serialize)]
struct Table {
    /// By the letters of players.
    hands: BTreeMap<char, Vec<String>>,
    declarer: char,
    /// The letter of a suit, or nothing.
    trumps: String,
}

impl Table {
    fn of(deal: &Deal, declarer: Seat, trumps: Option<u8>) -> Self {
        let hands = Seat::ALL.into_iter().map(|seat| {
            let hand = deal.hands[seat as usize].unwrap_or_default();
            let cards = hand.cards().map(|card| card.to_string());
            (seat.letter(), cards.collect())
        });
        let letter = trumps.and_then(|suit| SUITS.chars().nth(usize::from(suit)));
        Self {
            hands: hands.collect(),
            declarer: declarer.letter(),
            trumps: letter.map(String::from).unwrap_or_default(),
        }
    }
}

fn said(error: impl Display) -> String {
    error.to_string()
}

/// A player by a letter; none for an empty text.
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
    let declarer = asked.declarer_of(&deal).map_err(said)?;
    let table = question
        .table
        .then(|| Table::of(&deal, declarer, asked.trumps_of(&deal)));
    Ok(Answered {
        text: with_more(answer.json().as_bytes(), table.as_ref()),
        is_complete: answer.is_complete(),
    })
}
