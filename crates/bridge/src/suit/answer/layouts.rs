//! The layouts of a suit: the tricks that lines take in each, and in which a line fails.
//!
//! A layout stands for all that differ in equal cards alone, cards between which declarer has none.

use std::fmt::Write as _;

use serde::Serialize;

use super::told::Line;
use crate::play::{Card, Cards, Layout, Suit};
use crate::suit::goal::percent;
use crate::suit::words;

#[derive(Serialize)]
pub(in crate::suit) struct LayoutJson {
    west: String,
    east: String,
    weight: u64,
    tricks: Vec<u8>,
}

/// The tricks of lines in each layout, for programs.
pub(in crate::suit) fn layouts_json<'l>(
    suit: &Suit,
    lines: &(impl Iterator<Item = &'l Line> + Clone),
) -> Vec<LayoutJson> {
    let layouts = suit.layouts().iter().enumerate();
    let json = layouts.map(|(place, layout)| {
        let (west, east) = suit.cards_of(layout);
        let tricks = lines.clone().map(|line| line.guarantees[place]).collect();
        LayoutJson {
            west: west.to_string(),
            east: east.to_string(),
            weight: layout.weight,
            tricks,
        }
    });
    json.collect()
}

/// The tricks of lines in each layout, for people.
pub(in crate::suit) fn layouts_text<'l>(
    suit: &Suit,
    lines: &(impl Iterator<Item = &'l Line> + Clone),
) -> String {
    let total = suit.total_weight();
    let width = usize::from(suit.missing().count()).max(4);
    let tricks = if lines.clone().any(|line| line.at_least) {
        "tricks at least"
    } else {
        "tricks"
    };
    let mut text = format!(
        "{:width$}  {:width$}  {:>9}  {tricks}\n",
        "west", "east", "chance"
    );
    for (place, layout) in suit.layouts().iter().enumerate() {
        let (west, east) = suit.cards_of(layout);
        let tricks: Vec<String> = lines
            .clone()
            .map(|line| line.guarantees[place].to_string())
            .collect();
        let _ = writeln!(
            text,
            "{west:width$}  {east:width$}  {:>9}  {}",
            percent(layout.weight, total),
            tricks.join("  ")
        );
    }
    if let Some(equal) = equal_cards(suit) {
        let _ = writeln!(text, "{equal}");
    }
    text
}

/// How many of equal cards.
const COUNTS: [&str; 13] = [
    "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
];

/// The shorter hand of a layout: small cards without names, and of equal cards how many, as the
/// layout stands for any of them. "West void", "East Kx", "East K and two of JT98765".
pub(super) fn layout_text(suit: &Suit, layout: &Layout) -> String {
    let (west, east) = suit.cards_of(layout);
    let (who, cards) = if west.count() <= east.count() {
        ("West", west)
    } else {
        ("East", east)
    };
    if cards.is_empty() {
        return format!("{who} void");
    }
    let lowest = suit.kinds().len() - 1;
    let (mut named, mut some) = (String::new(), Vec::new());
    for (kind, equal) in suit.kinds().iter().enumerate() {
        let own = cards.and(*equal);
        let free = equal.and(free(suit));
        let any = own.and(free);
        if kind == lowest && words::is_low(suit, lowest as u8) {
            named.push_str(&"x".repeat(own.count().into()));
        } else if any.is_empty() || any == free {
            named.extend(own.descending().map(Card::letter));
        } else {
            named.extend(own.without(free).descending().map(Card::letter));
            let count = COUNTS[usize::from(any.count())];
            some.push(format!("{count} of {free}"));
        }
    }
    let named = (!named.is_empty()).then_some(named);
    let parts: Vec<String> = named.into_iter().chain(some).collect();
    format!("{who} {}", parts.join(" and "))
}

/// The missing cards of which it is not known who has them.
fn free(suit: &Suit) -> Cards {
    let knowledge = suit.knowledge();
    suit.missing()
        .without(knowledge.west)
        .without(knowledge.east)
}

/// What a row of layouts stands for, if not for one way to deal the cards.
pub(in crate::suit) fn equal_cards(suit: &Suit) -> Option<String> {
    let kinds = suit.kinds().iter().map(|equal| equal.and(free(suit)));
    let several = kinds.filter(|equal| equal.count() > 1);
    let several: Vec<String> = several.map(|equal| equal.to_string()).collect();
    (!several.is_empty()).then(|| {
        let several = several.join(", ");
        format!("Equal are {several}: a row stands for all layouts that differ in these alone.")
    })
}
