//! Deals of all four suits, as files in Portable Bridge Notation have them.
//!
//! Read are the tags `Deal`, `Declarer`, `Contract` and `Play` of the first game that has a deal. A
//! blank line ends a game. Passed over are other tags, of which the standard has many and programs
//! have their own; what follows a tag that has a section; comments in braces and after semicolons;
//! and lines that begin with a percent sign. A tag whose name is nearly one of those that are read,
//! such a tag twice in a game, and text in any other place are refused. In a deal `-` is a hand
//! that is not known.
//!
//! Source: PBN standard 2.1 (Verhees and others, 1999), sections 2 and 3.

use std::collections::HashMap;
use std::fmt;

use meetjoin_report::did_you_mean;

use super::cards::Card;

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Seat {
    /// The one at the top.
    North,
    /// To North's left.
    East,
    /// North's partner.
    South,
    /// East's partner.
    West,
}

impl Seat {
    /// All, clockwise.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// By the first letter of a name.
    pub fn of_letter(letter: char) -> Option<Self> {
        let is_own = |seat: &Self| seat.letter() == letter.to_ascii_uppercase();
        Self::ALL.into_iter().find(is_own)
    }

    /// The first letter of the name.
    pub fn letter(self) -> char {
        char::from(self.name().as_bytes()[0])
    }

    /// The name.
    pub fn name(self) -> &'static str {
        ["North", "East", "South", "West"][self as usize]
    }

    /// The seat `places` places further, clockwise.
    #[must_use]
    pub fn after(self, places: usize) -> Self {
        Self::ALL[(self as usize + places) % 4]
    }
}

/// The suits, spades first.
pub const SUITS: &str = "SHDC";

/// A card of any suit: 13 times the place of the suit in [`SUITS`], and the rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DealCard(u8);

impl DealCard {
    /// The suit, 0 for spades.
    pub fn suit(self) -> u8 {
        self.0 / 13
    }

    fn rank(self) -> Card {
        Card::of_rank(self.0 % 13)
    }
}

impl fmt::Display for DealCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suit = char::from(SUITS.as_bytes()[usize::from(self.suit())]);
        write!(f, "{suit}{}", self.rank())
    }
}

/// Cards of all suits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DealHand(u64);

impl DealHand {
    /// How many cards.
    pub fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether a card is among them.
    pub fn contains(self, card: DealCard) -> bool {
        self.0 >> card.0 & 1 == 1
    }

    /// Those of both.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The cards, by suit from clubs up, the lowest first.
    pub fn cards(self) -> impl Iterator<Item = DealCard> {
        let suits = (0..4).rev();
        suits
            .flat_map(|suit| (0..13).map(move |rank| DealCard(13 * suit + rank)))
            .filter(move |card| self.contains(*card))
    }

    /// A hand as PBN writes it: spades, hearts, diamonds and clubs, parted by points.
    ///
    /// # Errors
    /// If it is none.
    pub fn of_text(text: &str) -> Result<Self, DealError> {
        let suits: Vec<&str> = text.split('.').collect();
        if suits.len() != 4 {
            return Err(DealError::Suits(text.to_owned()));
        }
        let mut hand = Self::default();
        for (suit, cards) in suits.into_iter().enumerate() {
            for letter in cards.replace("10", "T").chars() {
                let rank = Card::of_letter(letter).ok_or(DealError::Unknown(letter))?;
                let card = DealCard(13 * suit as u8 + rank.rank());
                if hand.contains(card) {
                    return Err(DealError::Twice(card, text.to_owned()));
                }
                hand.0 |= 1 << card.0;
            }
        }
        Ok(hand)
    }
}

impl FromIterator<DealCard> for DealHand {
    fn from_iter<I: IntoIterator<Item = DealCard>>(cards: I) -> Self {
        Self(cards.into_iter().fold(0, |all, card| all | 1 << card.0))
    }
}

impl fmt::Display for DealHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for suit in 0..4 {
            if suit > 0 {
                write!(f, ".")?;
            }
            for rank in (0..13).rev() {
                let card = DealCard(13 * suit + rank);
                if self.contains(card) {
                    write!(f, "{}", card.rank())?;
                }
            }
        }
        Ok(())
    }
}

/// What a file says of a deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deal {
    /// The hands of North, East, South and West, as far as they are known.
    pub hands: [Option<DealHand>; 4],
    /// Who plays the contract.
    pub declarer: Option<Seat>,
    /// The trumps of the contract: a suit, or none; nothing if there is no contract.
    pub trumps: Option<Option<u8>>,
    /// Who leads first in the play.
    pub leader: Option<Seat>,
}

/// What is wrong with a deal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DealError {
    /// No deal at all.
    #[error("there is no tag [Deal \"..\"]")]
    NoDeal,
    /// A tag that never ends.
    #[error("line {0}: a tag is written [Name \"value\"]")]
    Tag(usize),
    /// A tag with nearly the name of one that is read.
    #[error("line {0}: there is no tag {1:?} ({mean})", mean = did_you_mean(.2))]
    Misspelt(usize, String, &'static str),
    /// A tag that is read, twice in a game.
    #[error("line {0}: the tag {1} stands twice in one game")]
    Again(usize, String),
    /// Text that belongs to nothing.
    #[error(
        "line {0}: {1:?} is neither a tag nor a comment, and stands in no section, such as that of Play"
    )]
    Stray(usize, String),
    /// A comment that takes in all that follows.
    #[error("line {0}: the comment that begins here has no end")]
    Comment(usize),
    /// Not a first hand.
    #[error("a deal begins with N:, E:, S: or W:, and not with {0:?}")]
    First(String),
    /// Not four hands.
    #[error("a deal has four hands, not {0}")]
    Hands(usize),
    /// Not four suits.
    #[error("the hand {0:?} is not of four suits with a point between them, as in AQ.K.J2.")]
    Suits(String),
    /// A letter that is no card.
    #[error("there is no card {0:?}; cards are A K Q J T 9 .. 2")]
    Unknown(char),
    /// A card twice in one hand.
    #[error("the hand {1} has the card {0} twice")]
    Twice(DealCard, String),
    /// A card in two hands.
    #[error("{1} and {2} both have the card {0}")]
    Both(DealCard, &'static str, &'static str),
    /// A player that is none.
    #[error("there is no player {0:?}; players are N, E, S and W")]
    Player(String),
    /// A contract that is none.
    #[error("{0:?} is not a contract")]
    Contract(String),
}

impl Deal {
    /// The first deal of a file.
    ///
    /// # Errors
    /// If there is none, or it makes no sense.
    pub fn of_pbn(text: &str) -> Result<Self, DealError> {
        let tags = tags(text)?;
        let player = |name: &str| -> Result<Option<Seat>, DealError> {
            let Some(value) = tags.get(name).map(String::as_str) else {
                return Ok(None);
            };
            let mut letters = value.trim_start_matches('^').chars();
            match (letters.next(), letters.next()) {
                (None | Some('?'), None) => Ok(None),
                (Some(letter), None) => {
                    let seat = Seat::of_letter(letter);
                    seat.map(Some)
                        .ok_or_else(|| DealError::Player(value.to_owned()))
                }
                _ => Err(DealError::Player(value.to_owned())),
            }
        };
        let deal = tags.get("Deal").ok_or(DealError::NoDeal)?;
        let trumps = match tags.get("Contract").map(String::as_str) {
            None | Some("" | "?") => None,
            Some(contract) => Some(trumps(contract)?),
        };
        Ok(Self {
            hands: hands(deal)?,
            declarer: player("Declarer")?,
            trumps,
            leader: player("Play")?,
        })
    }
}

/// The trumps of a contract.
fn trumps(contract: &str) -> Result<Option<u8>, DealError> {
    let wrong = || DealError::Contract(contract.to_owned());
    let mut letters = contract.trim_end_matches(['X', 'x']).chars();
    let level = letters.next().filter(|level| ('1'..='7').contains(level));
    level.ok_or_else(wrong)?;
    trump_of(letters.as_str()).ok_or_else(wrong)
}

/// Trumps as they are written: a suit, or `NT`.
pub fn trump_of(text: &str) -> Option<Option<u8>> {
    let text = text.to_ascii_uppercase();
    match text.as_str() {
        "N" | "NT" => Some(None),
        suit if suit.len() == 1 => SUITS.find(suit).map(|suit| Some(suit as u8)),
        _ => None,
    }
}

fn hands(deal: &str) -> Result<[Option<DealHand>; 4], DealError> {
    let (first, rest) = deal
        .split_once(':')
        .ok_or_else(|| DealError::First(deal.to_owned()))?;
    let mut letters = first.trim().chars();
    let (Some(seat), None) = (letters.next().and_then(Seat::of_letter), letters.next()) else {
        return Err(DealError::First(first.to_owned()));
    };
    let texts: Vec<&str> = rest.split_whitespace().collect();
    if texts.len() != 4 {
        return Err(DealError::Hands(texts.len()));
    }
    let mut hands = [None; 4];
    let mut all = DealHand::default();
    for (place, text) in texts.into_iter().enumerate() {
        if text == "-" {
            continue;
        }
        let hand = DealHand::of_text(text)?;
        if let Some(card) = hand.cards().find(|card| all.contains(*card)) {
            let mut others = Seat::ALL.into_iter();
            let other = others.find(|seat| {
                let held: Option<DealHand> = hands[*seat as usize];
                held.is_some_and(|held| held.contains(card))
            });
            let (own, other) = (
                seat.after(place).name(),
                other.map_or("another", Seat::name),
            );
            return Err(DealError::Both(card, other, own));
        }
        all = all.or(hand);
        hands[seat.after(place) as usize] = Some(hand);
    }
    Ok(hands)
}

/// The tags that are read.
const READ: [&str; 4] = ["Deal", "Declarer", "Contract", "Play"];

/// Whether a tag is followed by a section, lines of anything up to the next tag.
fn has_section(tag: &str) -> bool {
    tag == "Auction" || tag == "Play" || tag.ends_with("Table")
}

/// The tag of those read that a name probably means: the same but for capitals, or with one letter
/// changed, left out or put in.
fn meant(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    let is_near = |tag: &&str| {
        let tag = tag.to_ascii_lowercase();
        let same = tag.bytes().zip(name.bytes());
        let begin = same.take_while(|(a, b)| a == b).count();
        let (tag, name) = (&tag.as_bytes()[begin..], &name.as_bytes()[begin..]);
        let after_one = |rest: &'_ [u8]| rest.get(1..).unwrap_or_default().to_vec();
        *name == *tag
            || after_one(name) == after_one(tag)
            || after_one(name) == tag
            || name == after_one(tag)
    };
    READ.into_iter().find(is_near)
}

/// The tags of the first game that has a deal.
fn tags(text: &str) -> Result<HashMap<String, String>, DealError> {
    let mut tags = HashMap::new();
    let mut comment = None;
    let mut in_section = false;
    for (line, number) in text.lines().zip(1..) {
        let mut rest = line.trim().trim_start_matches('\u{feff}');
        // A line within a comment ends no game, whether it is blank or becomes so at the brace.
        if comment.is_some() {
            match rest.split_once('}') {
                Some((_, after)) => rest = after,
                None => continue,
            }
            comment = None;
        } else if rest.is_empty() {
            if tags.contains_key("Deal") {
                break;
            }
            // Tags of a game without a deal do not count for the next.
            tags.clear();
            in_section = false;
        } else if rest.starts_with('%') {
            continue;
        }
        // Several tags may share a line.
        loop {
            rest = rest.trim_start();
            if rest.is_empty() || rest.starts_with(';') {
                break;
            }
            if let Some(begun) = rest.strip_prefix('{') {
                let Some((_, after)) = begun.split_once('}') else {
                    comment = Some(number);
                    break;
                };
                rest = after;
                continue;
            }
            let Some(tag) = rest.strip_prefix('[') else {
                if in_section {
                    break;
                }
                let begin = rest.chars().take(40).collect();
                return Err(DealError::Stray(number, begin));
            };
            let wrong = || DealError::Tag(number);
            let (name, value) = tag.split_once('"').ok_or_else(wrong)?;
            let (value, after) = value.split_once('"').ok_or_else(wrong)?;
            rest = after.trim_start().strip_prefix(']').ok_or_else(wrong)?;
            let name = name.trim();
            in_section = has_section(name);
            let again = tags.insert(name.to_owned(), value.to_owned()).is_some();
            match meant(name) {
                Some(tag) if tag != name => {
                    return Err(DealError::Misspelt(number, name.to_owned(), tag));
                }
                Some(tag) if again => return Err(DealError::Again(number, tag.to_owned())),
                _ => {}
            }
        }
    }
    match comment {
        Some(number) => Err(DealError::Comment(number)),
        None => Ok(tags),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As in section 3.4.11 of the standard, with comments as in 3.8, and a second game.
    const FILE: &str = "% PBN 2.1\n% EXPORT\n[Event \"A test\"]\n{a comment [Deal \"x\"]\n that goes on} [Dealer \"N\"]\n\
        [Deal \"N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85\"]\n; a line\n[Declarer \"E\"]\n[Contract \"4SX\"]\n[Play \"S\"]\nD3 D2\n*\n\n[Deal \"N:- - - -\"]\n";

    #[test]
    fn files_of_the_standard_are_read() {
        let deal = Deal::of_pbn(FILE).expect("a deal");
        let hands: Vec<String> = deal
            .hands
            .iter()
            .flatten()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            hands,
            [
                ".63.AKQ987.A9732",
                "A8654.KQ5.T.QJT6",
                "J973.J98742.3.K4",
                "KQT2.AT.J6542.85"
            ]
        );
        assert_eq!(deal.declarer, Some(Seat::East));
        assert_eq!(
            (deal.trumps, deal.leader),
            (Some(Some(0)), Some(Seat::South))
        );
        let turned = Deal::of_pbn("[Deal \"W:A... - K... Q...\"]").expect("a deal");
        let texts = turned.hands.map(|hand| hand.map(|hand| hand.to_string()));
        assert_eq!(
            texts,
            [
                None,
                Some("K...".into()),
                Some("Q...".into()),
                Some("A...".into())
            ]
        );
        assert_eq!((turned.declarer, turned.trumps), (None, None));
    }

    #[test]
    fn a_comment_of_several_lines_ends_no_game() {
        let hands = "[Deal \"N:A... Q... K... J...\"]\n";
        let rest = "[Declarer \"S\"]\n[Contract \"4C\"]\n[Play \"W\"]\n";
        let without = Deal::of_pbn(&format!("{hands}{rest}"));
        assert!(without.as_ref().is_ok_and(|deal| deal.leader.is_some()));
        for comment in [
            "{ one line }\n",
            "{ two\nlines }\n",
            "{\n}\n",
            "{ a line\n\nthat is blank\n} \n",
            "{ two\n}{ comments\n} {of\nthree}\n",
        ] {
            let with = Deal::of_pbn(&format!("{hands}{comment}{rest}"));
            assert_eq!(with, without, "{comment}");
        }
        // What stands behind the brace is read.
        let error = Deal::of_pbn(&format!("{hands}{{ two\nlines }} % no\n{rest}"));
        assert_eq!(error, Err(DealError::Stray(3, "% no".into())));
    }

    #[test]
    fn a_game_without_a_deal_leaves_nothing_to_the_next() {
        let first = "[Event \"1\"]\n[Declarer \"S\"]\n[Contract \"4C\"]\n[Play \"W\"]\nD3\n\n";
        let hands = "[Event \"2\"]\n[Deal \"N:A... Q... K... J...\"]\n";
        let all = "[Declarer \"N\"]\n[Contract \"3NT\"]\n[Play \"E\"]\n";
        for rest in ["", all] {
            let alone = Deal::of_pbn(&format!("{hands}{rest}"));
            assert!(alone.is_ok());
            assert_eq!(Deal::of_pbn(&format!("{first}{hands}{rest}")), alone);
        }
        // Nor does its section go on.
        let stray = Deal::of_pbn(&format!("{first}D3\n{hands}"));
        assert_eq!(stray, Err(DealError::Stray(7, "D3".into())));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let said = |text: &str| Deal::of_pbn(text).expect_err("wrong");
        assert_eq!(said(""), DealError::NoDeal);
        assert_eq!(said("[Deal N:]"), DealError::Tag(1));
        assert_eq!(said("[Deal \"N:A... -\"]"), DealError::Hands(2));
        assert_eq!(said("[Deal \"X:- - - -\"]"), DealError::First("X".into()));
        assert_eq!(
            said("[Deal \"N:A.. - - -\"]"),
            DealError::Suits("A..".into())
        );
        assert_eq!(said("[Deal \"N:A1... - - -\"]"), DealError::Unknown('1'));
        assert_eq!(
            said("[Deal \"N:.A.. .KA.. - -\"]").to_string(),
            "North and East both have the card HA"
        );
        assert_eq!(
            said("[Deal \"N:AA... - - -\"]").to_string(),
            "the hand AA... has the card SA twice"
        );
        assert_eq!(
            said("[Deal \"N:A... - - -\"][Declarer \"Q\"]"),
            DealError::Player("Q".into())
        );
        assert_eq!(
            said("[Deal \"N:A... - - -\"][Contract \"9S\"]"),
            DealError::Contract("9S".into())
        );
        let deal = "[Deal \"N:A... - - -\"]";
        for (rest, expected) in [
            ("[Declarar \"S\"]", "line 2: there is no tag \"Declarar\""),
            ("[declarer \"S\"]", "did you mean `Declarer`?"),
            ("[Contrct \"3NT\"]", "did you mean `Contract`?"),
            ("[Plays \"S\"]", "did you mean `Play`?"),
            (deal, "line 2: the tag Deal stands twice"),
            ("Declarer \"S\"", "line 2: \"Declarer"),
            ("[Play \"S\"]\nD3\n[Room \"\"]\nD3", "line 5: \"D3\""),
            ("{a comment\n[Declarer \"S\"]", "line 2: the comment"),
        ] {
            let error = said(&format!("{deal}\n{rest}")).to_string();
            assert!(error.contains(expected), "{error}");
        }
        for rest in [
            "[Dealer \"N\"][Player \"x\"]",
            "[Room \"\"] ; x",
            "[ScoreTable \"\"]\n3 4",
        ] {
            let fine = Deal::of_pbn(&format!("{deal}\n{rest}"));
            assert!(fine.is_ok(), "{rest}: {fine:?}");
        }
        for text in ["[", "[\"", "{", "[Deal \"", "N:", "[Deal \"é:\"]"] {
            assert!(Deal::of_pbn(text).is_err(), "{text}");
        }
    }
}
