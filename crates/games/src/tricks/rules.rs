//! The rules of a game of tricks, as values.
//!
//! One player after the other plays a card to a trick, clockwise. The highest trump wins it, or
//! else the highest card of the suit that was led; the winner of a trick leads to the next. A trump
//! belongs to no other suit.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::named::named;

/// The aim of MAX.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Aim {
    /// Many points; with a goal, at least that many.
    #[default]
    Most,
    /// Few points; with a goal, at most that many.
    Fewest,
    /// Exactly the points of the goal.
    Exactly,
}

/// The points for the side that takes cards and tricks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CardPoints {
    /// A trick.
    pub trick: u32,
    /// The last trick, in addition.
    pub last_trick: u32,
    /// Each card of a rank.
    #[serde(deserialize_with = "named", skip_serializing_if = "BTreeMap::is_empty")]
    pub ranks: BTreeMap<String, u32>,
    /// Each card of a suit, in addition.
    #[serde(deserialize_with = "named", skip_serializing_if = "BTreeMap::is_empty")]
    pub suits: BTreeMap<String, u32>,
    /// Single cards, in place of the points of their ranks and suits.
    #[serde(deserialize_with = "named", skip_serializing_if = "BTreeMap::is_empty")]
    pub cards: BTreeMap<String, u32>,
}

/// The rules of a game. See the [module page](self).
///
/// Suits are named by one letter, and a card by suit and rank: `S10`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with the rules of a game")]
pub struct TrickRules {
    /// The players, in the order in which they play. MAX is the first.
    pub players: Vec<String>,
    /// The players whose points are MAX's, too.
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
    /// Whether a player with a card of the suit that was led must play one.
    #[serde(default = "yes")]
    pub must_follow: bool,
    /// Whether a player without a card of that suit must play a trump, if possible.
    #[serde(default)]
    pub must_trump: bool,
    /// Whether, of the cards that are otherwise legal, one that wins the trick so far must be
    /// played.
    #[serde(default)]
    pub must_beat: bool,
    /// A suit that may not be led before one of its cards was played, unless the hand has no other:
    /// its letter, or for trumps that of the suit of trumps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_be_broken: Option<String>,
    /// The points.
    #[serde(default, deserialize_with = "named")]
    pub points: CardPoints,
    /// The aim of MAX.
    #[serde(default)]
    pub aim: Aim,
}

fn yes() -> bool {
    true
}
