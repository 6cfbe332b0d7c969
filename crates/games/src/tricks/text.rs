//! The notation of cards and hands.
//!
//! A hand is a list of cards, separated by spaces or commas: `S10 SA H7`. A hidden one is `?`,
//! followed by cards that it surely has, and by cards or suits that it surely does not have, after
//! a minus sign: `? SA -H -D7`.

use super::deal::TrickHand;
use super::error::TrickError;
use super::order::{Card, Pack};

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|sign: char| sign.is_whitespace() || sign == ',')
        .filter(|word| !word.is_empty())
}

fn unknown(place: &str, what: &'static str, name: &str) -> TrickError {
    TrickError::Unknown {
        place: place.to_owned(),
        what,
        name: name.to_owned(),
    }
}

/// Parses cards. `place` is their place, for messages.
///
/// # Errors
/// If a word is no card.
pub fn cards(pack: &Pack, place: &str, text: &str) -> Result<Vec<Card>, TrickError> {
    let card = |name| pack.card(name).ok_or_else(|| unknown(place, "card", name));
    words(text).map(card).collect()
}

/// Parses a hand. `place` is its place, for messages.
///
/// # Errors
/// If a word is no card, or no suit.
pub fn hand(pack: &Pack, place: &str, text: &str) -> Result<TrickHand, TrickError> {
    let Some(rest) = text.trim_start().strip_prefix('?') else {
        return Ok(TrickHand::Seen(cards(pack, place, text)?));
    };
    let (mut has, mut lacks) = (Vec::new(), Vec::new());
    for word in words(rest) {
        let Some(name) = word.strip_prefix('-') else {
            let card = pack.card(word);
            has.push(card.ok_or_else(|| unknown(place, "card", word))?);
            continue;
        };
        if let Some(suit) = pack.suit_named(name) {
            lacks.extend(pack.counting_as(suit));
        } else {
            let card = pack.card(name);
            lacks.push(card.ok_or_else(|| unknown(place, "card or suit", name))?);
        }
    }
    Ok(TrickHand::Hidden { has, lacks })
}

/// Cards as text.
pub fn written(pack: &Pack, cards: impl IntoIterator<Item = Card>) -> String {
    let names: Vec<String> = cards.into_iter().map(|card| pack.name(card)).collect();
    names.join(" ")
}
