//! The rules of a game of tricks, as values.
//!
//! One player after the other plays a card to a trick, clockwise. The highest trump wins it, or
//! else the highest card of the suit that was led; who wins a trick leads to the next. A card that
//! is a trump is of no other suit.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::named::named;

/// What MAX wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Aim {
    /// Many points; with a goal, no fewer than those.
    #[default]
    Most,
    /// Few points; with a goal, no more than those.
    Fewest,
    /// The points of the goal, no more and no fewer.
    Exactly,
}

/// What cards and tricks are worth to the side that takes them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CardPoints {
    /// A trick.
    pub trick: u32,
    /// The last trick, besides.
    pub last_trick: u32,
    /// Each card of a rank.
    #[serde(deserialize_with = "named", skip_serializing_if = "BTreeMap::is_empty")]
    pub ranks: BTreeMap<String, u32>,
    /// Each card of a suit, besides.
    #[serde(deserialize_with = "named", skip_serializing_if = "BTreeMap::is_empty")]
    pub suits: BTreeMap<String, u32>,
    /// A card, instead of what its rank and suit say.
    #[serde(deserialize_with = "named", skip_serializing_if = "BTreeMap::is_empty")]
    pub cards: BTreeMap<String, u32>,
}

/// The rules of a game. See the [module page](self).
///
/// Suits are named by one letter, and a card by suit and rank: `S10`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrickRules {
    /// The players, in the order in which they play. MAX is the first.
    pub players: Vec<String>,
    /// Those of them whose points are MAX's too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partners: Vec<String>,
    /// The suits.
    pub suits: Vec<String>,
    /// The ranks, the lowest first.
    pub ranks: Vec<String>,
    /// The suit of trumps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trumps: Option<String>,
    /// Cards that are trumps above all others, whatever their suit, the lowest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub high_trumps: Vec<String>,
    /// Whoever has a card of the suit that was led must play one.
    #[serde(default = "yes")]
    pub must_follow: bool,
    /// Whoever has none of that suit must play a trump, if she has one.
    #[serde(default)]
    pub must_trump: bool,
    /// Of the cards that may be played otherwise, those that win the trick so far must be.
    #[serde(default)]
    pub must_beat: bool,
    /// A suit that may not be led before one of its cards was played, by who has another: its
    /// letter, and for trumps that of the suit of trumps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_be_broken: Option<String>,
    /// What is won.
    #[serde(default, deserialize_with = "named")]
    pub points: CardPoints,
    /// What MAX wants.
    #[serde(default)]
    pub aim: Aim,
}

fn yes() -> bool {
    true
}
