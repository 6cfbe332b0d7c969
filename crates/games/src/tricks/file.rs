//! An ending in a file: its rules, by name or in full, and the hands by player.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use super::deal::{TrickDeal, TrickHand};
use super::error::TrickError;
use super::game::Tricks;
use super::named::{Named, named};
use super::order::Pack;
use super::presets;
use super::rules::TrickRules;
use super::text;

/// Rules in a file: the name of a game, or rules in full.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum GivenRules {
    /// A known game.
    Named(String),
    /// All rules.
    All(Box<TrickRules>),
}

/// Implemented by hand, since serde's errors for untagged enums do not tell what is wrong.
impl<'de> Deserialize<'de> for GivenRules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Given;

        impl<'de> Visitor<'de> for Given {
            type Value = GivenRules;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a game, or an object with all rules")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<GivenRules, E> {
                Ok(GivenRules::Named(name.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<GivenRules, A::Error> {
                let rules = TrickRules::deserialize(MapAccessDeserializer::new(Named::new(map)))?;
                Ok(GivenRules::All(Box::new(rules)))
            }
        }

        deserializer.deserialize_any(Given)
    }
}

/// An ending. See the [module page](self).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrickEnding {
    /// The rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<GivenRules>,
    /// The suit of trumps, instead of that of the rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trumps: Option<String>,
    /// The hands by player, as text: `S10 SA H7`, or `? SA -H` for a hidden one. Missing hands are
    /// hidden.
    #[serde(deserialize_with = "named")]
    pub hands: BTreeMap<String, String>,
    /// The cards that MAX has not seen.
    pub unseen: String,
    /// The leader; MAX by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leader: Option<String>,
    /// The points that MAX needs, including those that she has already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<u32>,
    /// The points that her side has already.
    #[serde(default)]
    pub before: u32,
    /// Whether a card of the suit that is to be broken was played.
    #[serde(default = "yes")]
    pub broken: bool,
}

fn yes() -> bool {
    true
}

impl TrickEnding {
    /// The game. `named` are rules given elsewhere; then the ending must have none.
    ///
    /// # Errors
    /// If it is invalid, with the place of the error.
    pub fn game(&self, named: Option<&GivenRules>) -> Result<Tricks, TrickError> {
        let given = match (named, &self.rules) {
            (Some(_), Some(_)) => return Err(TrickError::TwoRules),
            (given, own) => given.or(own.as_ref()).ok_or(TrickError::NoRules)?,
        };
        let unknown = |place: &str, what, name: &str| TrickError::Unknown {
            place: place.to_owned(),
            what,
            name: name.to_owned(),
        };
        let mut rules = match given {
            GivenRules::Named(name) => {
                presets::named(name).ok_or_else(|| TrickError::NoGame(name.clone()))?
            }
            GivenRules::All(rules) => (**rules).clone(),
        };
        if let Some(trumps) = &self.trumps {
            rules.trumps = Some(trumps.clone());
        }
        let pack = Pack::new(rules)?;
        if self.before > 0 && self.goal.is_none() {
            return Err(TrickError::BeforeWithoutGoal(self.before));
        }
        if !self.broken && pack.rules().to_be_broken.is_none() {
            return Err(TrickError::NothingToBreak);
        }
        let players = pack.rules().players.clone();
        if let Some(name) = self.hands.keys().find(|name| !players.contains(name)) {
            return Err(unknown("hands", "player", name));
        }
        let hidden = TrickHand::Hidden {
            has: Vec::new(),
            lacks: Vec::new(),
        };
        let hands = players.iter().map(|name| match self.hands.get(name) {
            Some(text) => text::hand(&pack, &format!("hands.{name}"), text),
            None => Ok(hidden.clone()),
        });
        let leader = match &self.leader {
            None => 0,
            Some(name) => {
                let place = players.iter().position(|player| player == name);
                place.ok_or_else(|| unknown("leader", "player", name))?
            }
        };
        let deal = TrickDeal {
            hands: hands.collect::<Result<_, _>>()?,
            unseen: text::cards(&pack, "unseen", &self.unseen)?,
            leader,
            goal: self.goal,
            before: self.before,
            broken: self.broken,
        };
        let game = Tricks::new(pack, &deal)?;
        game.check_goal()?;
        Ok(game)
    }
}
