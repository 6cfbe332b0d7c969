//! The cards of a pack by name, and the order in which they win.
//!
//! Invariant: a card is a number: the index of its suit times the number of ranks, plus the index
//! of its rank.

use super::error::TrickError;
use super::rules::TrickRules;

/// The most players.
pub const MOST_PLAYERS: usize = 6;
/// The most suits.
pub const MOST_SUITS: usize = 16;
/// The most ranks.
pub const MOST_RANKS: usize = 64;
/// The most points in a game.
const MOST_POINTS: u64 = 60_000;

/// A card of the pack.
pub type Card = u16;

/// The pack of a game with consistent rules.
#[derive(Clone, Debug)]
pub struct Pack {
    rules: TrickRules,
    /// The suit of each card; trumps are a suit of their own, after all others.
    suit: Vec<u8>,
    /// The index of each card within its suit, by strength.
    strength: Vec<u16>,
    points: Vec<u32>,
    partners: Vec<bool>,
    to_be_broken: Option<u8>,
}

fn between(
    what: &'static str,
    count: usize,
    (least, most): (usize, usize),
) -> Result<(), TrickError> {
    if (least..=most).contains(&count) {
        return Ok(());
    }
    Err(TrickError::Count {
        what,
        count,
        least,
        most,
    })
}

fn each_once(what: &'static str, names: &[String]) -> Result<(), TrickError> {
    for (place, name) in names.iter().enumerate() {
        if names[..place].contains(name) {
            let name = name.clone();
            return Err(TrickError::Twice { what, name });
        }
    }
    Ok(())
}

impl Pack {
    /// The pack of a game.
    ///
    /// # Errors
    /// If the rules contradict themselves, with the name and place of the error.
    pub fn new(rules: TrickRules) -> Result<Self, TrickError> {
        between("players", rules.players.len(), (2, MOST_PLAYERS))?;
        between("suits", rules.suits.len(), (1, MOST_SUITS))?;
        between("ranks", rules.ranks.len(), (1, MOST_RANKS))?;
        each_once("player", &rules.players)?;
        each_once("partner", &rules.partners)?;
        each_once("suit", &rules.suits)?;
        each_once("rank", &rules.ranks)?;
        each_once("card", &rules.high_trumps)?;
        if rules.must_trump && !rules.must_follow {
            return Err(TrickError::TrumpsAlone);
        }
        let is_name = |name: &str| !name.is_empty() && !name.contains(|c: char| reserved(c));
        for suit in &rules.suits {
            if suit.chars().count() != 1 || !is_name(suit) {
                return Err(TrickError::SuitName(suit.clone()));
            }
        }
        if let Some(rank) = rules.ranks.iter().find(|rank| !is_name(rank)) {
            return Err(TrickError::RankName(rank.clone()));
        }
        let unknown = |place: &str, what, name: &str| TrickError::Unknown {
            place: place.to_owned(),
            what,
            name: name.to_owned(),
        };
        let mut partners = vec![false; rules.players.len()];
        for name in &rules.partners {
            let place = rules.players.iter().position(|player| player == name);
            let place = place.ok_or_else(|| unknown("partners", "player", name))?;
            if place == 0 {
                return Err(TrickError::OwnPartner(name.clone()));
            }
            partners[place] = true;
        }
        partners[0] = true;
        let ranks = rules.ranks.len();
        let all = rules.suits.len() * ranks;
        let mut pack = Self {
            suit: (0..all).map(|card| (card / ranks) as u8).collect(),
            strength: (0..all).map(|card| (card % ranks) as u16).collect(),
            points: Vec::new(),
            to_be_broken: None,
            partners,
            rules,
        };
        let trumps = pack.rules.suits.len() as u8;
        if let Some(name) = &pack.rules.trumps {
            let suit = pack.suit_named(name);
            let suit = suit.ok_or_else(|| unknown("trumps", "suit", name))?;
            pack.suit[usize::from(suit) * ranks..][..ranks].fill(trumps);
        }
        for (place, name) in pack.rules.high_trumps.iter().enumerate() {
            let card = pack.card(name);
            let card = card.ok_or_else(|| unknown("high_trumps", "card", name))?;
            pack.suit[usize::from(card)] = trumps;
            pack.strength[usize::from(card)] = (ranks + place) as u16;
        }
        if let Some(name) = &pack.rules.to_be_broken {
            let suit = pack.suit_named(name);
            let suit = suit.ok_or_else(|| unknown("to_be_broken", "suit", name))?;
            let counts_as = if pack.rules.trumps.as_ref() == Some(name) {
                trumps
            } else {
                suit
            };
            if !pack.suit.contains(&counts_as) {
                return Err(TrickError::NoSuit(name.clone()));
            }
            pack.to_be_broken = Some(counts_as);
        }
        pack.count_points()?;
        Ok(pack)
    }

    fn count_points(&mut self) -> Result<(), TrickError> {
        let rules = &self.rules;
        let mut points = vec![0_u64; self.suit.len()];
        let unknown = |place: &str, what, name: &str| TrickError::Unknown {
            place: format!("points.{place}"),
            what,
            name: name.to_owned(),
        };
        for (name, each) in &rules.points.ranks {
            let rank = rules.ranks.iter().position(|rank| rank == name);
            let rank = rank.ok_or_else(|| unknown("ranks", "rank", name))?;
            for suit in 0..rules.suits.len() {
                points[suit * rules.ranks.len() + rank] += u64::from(*each);
            }
        }
        for (name, each) in &rules.points.suits {
            let suit = self.suit_named(name);
            let suit = suit.ok_or_else(|| unknown("suits", "suit", name))?;
            for rank in 0..rules.ranks.len() {
                points[usize::from(suit) * rules.ranks.len() + rank] += u64::from(*each);
            }
        }
        for (name, each) in &rules.points.cards {
            let card = self.card(name);
            let card = card.ok_or_else(|| unknown("cards", "card", name))?;
            points[usize::from(card)] = u64::from(*each);
        }
        // There are at most 32 tricks.
        let tricks = 32 * u64::from(rules.points.trick) + u64::from(rules.points.last_trick);
        let all = points.iter().sum::<u64>() + tricks;
        if all > MOST_POINTS {
            return Err(TrickError::ManyPoints(all));
        }
        self.points = points.into_iter().map(|points| points as u32).collect();
        Ok(())
    }

    /// The rules.
    pub fn rules(&self) -> &TrickRules {
        &self.rules
    }

    /// The number of cards.
    pub fn cards(&self) -> Card {
        self.suit.len() as Card
    }

    /// The printed suit with a letter.
    pub fn suit_named(&self, name: &str) -> Option<u8> {
        let place = self.rules.suits.iter().position(|suit| suit == name);
        place.map(|place| place as u8)
    }

    /// The cards that count as a suit when it is to be followed: a trump of another suit is none of
    /// it, and all trumps are of the suit of trumps.
    pub fn counting_as(&self, suit: u8) -> impl Iterator<Item = Card> {
        let is_trumps = self.rules.trumps.as_ref() == Some(&self.rules.suits[usize::from(suit)]);
        let suit = if is_trumps { self.trumps() } else { suit };
        (0..self.cards()).filter(move |&card| self.place(card).0 == suit)
    }

    /// The card with a name.
    pub fn card(&self, name: &str) -> Option<Card> {
        let first = name.chars().next()?.len_utf8();
        let suit = self.suit_named(&name[..first])?;
        let rank = self.rules.ranks.iter().position(|r| *r == name[first..])?;
        Some((usize::from(suit) * self.rules.ranks.len() + rank) as Card)
    }

    /// The name of a card of the pack.
    pub fn name(&self, card: Card) -> String {
        let ranks = self.rules.ranks.len();
        let (suit, rank) = (usize::from(card) / ranks, usize::from(card) % ranks);
        format!("{}{}", self.rules.suits[suit], self.rules.ranks[rank])
    }

    /// The suit of a card, with trumps as a suit of their own, and its strength there.
    pub fn place(&self, card: Card) -> (u8, u16) {
        let card = usize::from(card);
        (self.suit[card], self.strength[card])
    }

    /// The points of a card.
    pub fn points(&self, card: Card) -> u32 {
        self.points[usize::from(card)]
    }

    /// The number of the suit of trumps.
    pub fn trumps(&self) -> u8 {
        self.rules.suits.len() as u8
    }

    /// The suit to be broken, with trumps as a suit of their own.
    pub fn to_be_broken(&self) -> Option<u8> {
        self.to_be_broken
    }

    /// Returns whether the points of a player are MAX's.
    pub fn is_own(&self, player: usize) -> bool {
        self.partners[player]
    }
}

/// Returns whether a character is part of the notation of hands.
fn reserved(sign: char) -> bool {
    sign.is_whitespace() || sign.is_control() || "?-,".contains(sign)
}
