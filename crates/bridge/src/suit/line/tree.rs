//! A line as a tree of cards: every reply of the defenders, also those that the words pass over.
//!
//! Cost: each position once for each way to it; only small suits have large trees.

use meetjoin_dag::{AndOrDag, Heuristic, Kind};
use meetjoin_lattice::{Families, WorldSet};
use serde::{Serialize, Serializer};

use super::{At, FROM_THE_TOP, Plan, PlanId, Planner};
use crate::play::{Card, Hand, SuitPosition};
use crate::suit::sentence::{Happened, Reply};

/// A strategy as a tree of cards.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Tree {
    /// Whatever is played wins what can be won.
    #[serde(serialize_with = "any")]
    Any,
    /// A trick.
    Lead {
        /// The card that is led.
        lead: String,
        /// From this hand.
        from: &'static str,
        /// For each reply of the second player.
        then: Vec<SecondTree>,
    },
}

impl Tree {
    /// The first lead, if there is one to name.
    pub fn lead(&self) -> Option<(Hand, Card)> {
        let Self::Lead { lead, from, .. } = self else {
            return None;
        };
        let hand = [Hand::North, Hand::South].into_iter();
        let hand = hand.into_iter().find(|hand| hand.name() == *from)?;
        Some((hand, Card::of_letter(lead.chars().next()?)?))
    }
}

fn any<S: Serializer>(serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str("any")
}

/// After the second player.
#[derive(Clone, Debug, Serialize)]
pub struct SecondTree {
    /// The kind of the card, by its cards; `-` for none; nothing if it was known that there is
    /// none.
    pub second: Option<String>,
    /// The card of the third hand, if it has one.
    pub third: Option<String>,
    /// For each reply of the fourth player.
    pub then: Vec<FourthTree>,
}

/// After the fourth player.
#[derive(Clone, Debug, Serialize)]
pub struct FourthTree {
    /// As [`SecondTree::second`].
    pub fourth: Option<String>,
    /// The next trick.
    pub next: Tree,
}

impl<B, H> Planner<'_, B, H>
where
    B: WorldSet,
    H: Heuristic<SuitPosition, Families<B>>,
{
    /// The whole strategy from a position on, with the cards that are played: every reply of the
    /// defenders, until whatever is played wins what can be won.
    pub(crate) fn tree(&mut self, at: At, plan: PlanId) -> Tree {
        let is_told = self.is_asked(&at) || self.matters(&at.position);
        if !is_told || self.game.kind(&at.position) == Kind::Leaf {
            return Tree::Any;
        }
        let lead = match self.get(plan) {
            Plan::Lead(lead) => Some(lead.clone()),
            _ => None,
        };
        let made = lead.as_ref().and_then(|lead| self.led(lead, &at));
        // A sentence that names a card which is gone says nothing.
        let lead = lead.filter(|_| made.is_some());
        let made = match (made, &lead) {
            (Some((card, led)), Some(lead)) => Some((lead.hand, card, led)),
            _ => self.top_lead(&at),
        };
        let Some((from, card, led)) = made else {
            return Tree::Any;
        };
        let mut then = Vec::new();
        for (reply, after) in self.seconds(&led, true) {
            let planned = lead.as_ref().and_then(|lead| {
                let followed = self.followed(lead, card, reply, &after);
                followed.map(|(third, next)| (lead, third, next))
            });
            let plan = planned.map(|(lead, ..)| lead);
            let (third, next) =
                planned.map_or_else(|| self.lowest(&after), |(_, third, next)| (third, next));
            let fourths = self.fourths(&next, true).into_iter().map(|(fourth, next)| {
                let won = next.position.tricks() > at.position.tricks();
                let happened = Happened {
                    second: reply,
                    fourth,
                    won,
                };
                let plan = plan.and_then(|lead| lead.next(happened));
                FourthTree {
                    fourth: self.cards_of(fourth),
                    next: self.tree(next, plan.unwrap_or(FROM_THE_TOP)),
                }
            });
            let fourths = fourths.collect();
            then.push(SecondTree {
                second: self.cards_of(reply),
                third: third.map(|card| card.to_string()),
                then: fourths,
            });
        }
        Tree::Lead {
            lead: card.to_string(),
            from: from.name(),
            then,
        }
    }

    /// The cards of a kind, `-` for none; nothing if that was known.
    fn cards_of(&self, reply: Reply) -> Option<String> {
        match reply {
            Reply::None => None,
            Reply::Out => Some("-".to_owned()),
            Reply::Kind(kind) => Some(self.game.suit().kinds()[usize::from(kind)].to_string()),
        }
    }
}
