//! Options for suits: what is known of the hands, and the goal.

use std::str::FromStr;

use meetjoin_bridge::{Card, Hand, named_cards};

/// Vacant places of West and East.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vacant(pub(crate) u8, pub(crate) u8);

impl FromStr for Vacant {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let places = |text: &str| text.trim().parse().ok().filter(|places| *places <= 13);
        let both = text
            .split_once(',')
            .and_then(|(a, b)| Some(Self(places(a)?, places(b)?)));
        both.ok_or_else(|| format!("{text:?} does not give the vacant places of West and East; write two numbers up to 13, as in 7,13"))
    }
}

/// The fewest and the most cards of a hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Length(pub(crate) u8, pub(crate) u8);

impl FromStr for Length {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.parse().ok().filter(|number| *number <= 13);
        let both = match text.split_once("..") {
            Some((least, most)) => number(least).zip(number(most)),
            None => number(text).map(|length| (length, length)),
        };
        let both = both.filter(|(least, most)| least <= most);
        both.map(|(least, most)| Self(least, most)).ok_or_else(|| {
            format!(
                "{text:?} is not a length of a suit; write a number up to 13, or two as in 2..4"
            )
        })
    }
}

/// A hand and one of its cards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lead(pub(crate) Hand, pub(crate) Card);

impl FromStr for Lead {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is not a lead; write N or S and the card, as in S2");
        let mut letters = text.chars();
        let hand = match letters.next() {
            Some('N' | 'n') => Hand::North,
            Some('S' | 's') => Hand::South,
            _ => return Err(wrong()),
        };
        let cards = named_cards(letters.as_str()).map_err(|_| wrong())?;
        let mut cards = cards.descending();
        match (cards.next(), cards.next()) {
            (Some(card), None) => Ok(Self(hand, card)),
            _ => Err(wrong()),
        }
    }
}
