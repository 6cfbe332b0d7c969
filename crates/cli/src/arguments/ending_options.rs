//! Options for endings: what is known of the hands.

use std::str::FromStr;

use meetjoin_bridge::{Seat, trump_of};

use meetjoin_bridge::suit::request::Length;

/// A player by a letter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Player(pub(crate) Seat);

impl FromStr for Player {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut letters = text.chars();
        match (letters.next().and_then(Seat::of_letter), letters.next()) {
            (Some(seat), None) => Ok(Self(seat)),
            _ => Err(format!(
                "there is no player {text:?}; players are N, E, S and W"
            )),
        }
    }
}

/// Trumps: a suit, or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trumps(pub(crate) Option<u8>);

impl FromStr for Trumps {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let trumps = trump_of(text).map(Self);
        trumps.ok_or_else(|| format!("{text:?} does not name trumps; write S, H, D, C or NT"))
    }
}

/// How many cards of a suit a hand has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SuitLength(pub(crate) u8, pub(crate) Length);

impl FromStr for SuitLength {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let both = text.split_once('=').and_then(|(suit, length)| {
            let suit = trump_of(suit).flatten()?;
            Some(Self(suit, length.parse().ok()?))
        });
        both.ok_or_else(|| format!("{text:?} is not a length of a suit; write S=2 or S=2..4"))
    }
}
