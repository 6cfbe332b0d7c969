//! The notation of cards and hands.
//!
//! A hand is a list of cards, separated by spaces or commas: `S10 SA H7`. A hidden one is `?`,
//! followed by cards that it surely has, and then by cards or suits that it surely does not have,
//! each after a minus sign: `? SA -H -D7`. A card without a sign after one with a sign could be
//! meant either way, so it is refused.

use std::collections::HashSet;

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
/// If a word is no card, or no suit; if a word with a minus sign stands twice; or if a card comes
/// without a minus sign after one with it.
pub fn hand(pack: &Pack, place: &str, text: &str) -> Result<TrickHand, TrickError> {
    let Some(rest) = text.trim_start().strip_prefix('?') else {
        return Ok(TrickHand::Seen(cards(pack, place, text)?));
    };
    let (mut has, mut lacks) = (Vec::new(), Vec::new());
    let mut met = HashSet::new();
    let mut minus = None;
    for word in words(rest) {
        let Some(name) = word.strip_prefix('-') else {
            let card = pack.card(word);
            has.push(card.ok_or_else(|| unknown(place, "card", word))?);
            if let Some(after) = minus {
                return Err(TrickError::AfterMinus {
                    place: place.to_owned(),
                    card: word.to_owned(),
                    after,
                });
            }
            continue;
        };
        if !met.insert(word) {
            let (card, place) = (word.to_owned(), place.to_owned());
            return Err(TrickError::TwiceIn { card, place });
        }
        minus = Some(word.to_owned());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tricks::presets;

    #[test]
    fn a_card_behind_what_a_hand_lacks_is_not_guessed_at() {
        let pack = Pack::new(presets::named("skat").expect("Skat")).expect("rules");
        let read = |text| hand(&pack, "hands.left", text);
        let error = read("? -C D7").expect_err("held or lacked");
        let sentence =
            "hands.left: write -D7 if the hand lacks D7; if it has D7, write it before -C";
        assert_eq!(error.to_string(), sentence);
        for text in ["? D7 -C", "? -C -D7", "?", "? D7"] {
            read(text).expect(text);
        }
    }
}
