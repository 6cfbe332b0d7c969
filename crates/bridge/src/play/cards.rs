//! The cards of one suit, as people write them.

use std::fmt;

/// The cards of a suit from the highest down.
const RANKS: &str = "AKQJT98765432";

/// One card of a suit: 0 is the two, 12 the ace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// How many cards a suit has.
    pub const COUNT: u8 = 13;

    /// The card of a letter or digit, `T` for the ten.
    pub fn of_letter(letter: char) -> Option<Self> {
        let place = RANKS.find(letter.to_ascii_uppercase())?;
        Some(Self(Self::COUNT - 1 - place as u8))
    }

    /// Its letter or digit.
    pub fn letter(self) -> char {
        char::from(RANKS.as_bytes()[usize::from(Self::COUNT - 1 - self.0)])
    }

    /// 0 for the two up to 12 for the ace.
    pub fn rank(self) -> u8 {
        self.0
    }

    /// The card of a rank.
    pub(super) fn of_rank(rank: u8) -> Self {
        Self(rank)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A set of cards of one suit. Written from the highest down, `-` if there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cards(u16);

impl Cards {
    /// No card.
    pub const NONE: Self = Self(0);
    /// All thirteen.
    pub const ALL: Self = Self((1 << Card::COUNT) - 1);

    /// How many there are.
    pub fn count(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the card is among them.
    pub fn contains(self, card: Card) -> bool {
        self.0 >> card.0 & 1 == 1
    }

    /// With this card.
    #[must_use]
    pub fn with(self, card: Card) -> Self {
        Self(self.0 | 1 << card.0)
    }

    /// Those of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Those of either.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The cards that `other` does not have.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The cards, the highest first.
    pub fn descending(self) -> impl Iterator<Item = Card> {
        (0..Card::COUNT)
            .rev()
            .map(Card)
            .filter(move |card| self.contains(*card))
    }

    /// The cards, the lowest first.
    pub fn ascending(self) -> impl Iterator<Item = Card> {
        (0..Card::COUNT)
            .map(Card)
            .filter(move |card| self.contains(*card))
    }

    /// Bit r for the card of rank r.
    pub fn bits(self) -> u16 {
        self.0
    }

    /// Those of the lowest thirteen bits, as [`bits`](Self::bits) has them.
    pub fn of_bits(bits: u16) -> Self {
        Self(bits & Self::ALL.0)
    }
}

impl FromIterator<Card> for Cards {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        cards.into_iter().fold(Self::NONE, Self::with)
    }
}

impl fmt::Display for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.pad("-");
        }
        let letters: String = self.descending().map(Card::letter).collect();
        f.pad(&letters)
    }
}

/// What is wrong with cards as they are written, or with a suit made of them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CardsError {
    /// A letter that is no card.
    #[error(
        "there is no card {0:?}; cards are A K Q J T 9 8 7 6 5 4 3 2, 10 for the ten, x for a small one and - for none"
    )]
    Unknown(char),
    /// A card twice in one hand.
    #[error("{1} has the card {0} twice")]
    Twice(Card, &'static str),
    /// A card in both hands.
    #[error("North and South both have the card {0}")]
    Both(Card),
    /// More than thirteen.
    #[error("North and South have {0} cards, and a suit has no more than 13")]
    TooMany(usize),
    /// Nothing to find out.
    #[error("no card is missing: North and South hold all thirteen")]
    NothingMissing,
    /// Nothing to play.
    #[error("neither North nor South has a card")]
    NothingHeld,
    /// A small card where cards must be named.
    #[error("x stands for no card here; name it")]
    Unnamed,
}

/// Cards and small ones without a name, as they are written.
#[derive(Clone, Copy, Default)]
struct Written {
    named: Cards,
    small: usize,
}

fn written(text: &str, of: &'static str) -> Result<Written, CardsError> {
    let mut hand = Written::default();
    if text == "-" {
        return Ok(hand);
    }
    let text = text.replace("10", "T");
    for letter in text.chars() {
        if letter.eq_ignore_ascii_case(&'x') {
            hand.small += 1;
            continue;
        }
        let card = Card::of_letter(letter).ok_or(CardsError::Unknown(letter))?;
        if hand.named.contains(card) {
            return Err(CardsError::Twice(card, of));
        }
        hand.named = hand.named.with(card);
    }
    Ok(hand)
}

/// Named cards: `x` is refused.
///
/// # Errors
/// A card that is unknown or there twice.
pub fn named_cards(text: &str) -> Result<Cards, CardsError> {
    let hand = written(text, "the list")?;
    match hand.small {
        0 => Ok(hand.named),
        _ => Err(CardsError::Unnamed),
    }
}

/// The hands of North and South. Each `x` is the lowest card that is not named; South's come first.
///
/// # Errors
/// If a card is unknown or there twice, or there are too many cards, none, or all thirteen.
pub fn two_hands(north: &str, south: &str) -> Result<(Cards, Cards), CardsError> {
    let north = written(north, "North")?;
    let south = written(south, "South")?;
    if let Some(card) = north.named.and(south.named).descending().next() {
        return Err(CardsError::Both(card));
    }
    let named = north.named.or(south.named);
    let count = usize::from(named.count()) + north.small + south.small;
    match count {
        0 => return Err(CardsError::NothingHeld),
        13 => return Err(CardsError::NothingMissing),
        14.. => return Err(CardsError::TooMany(count)),
        _ => {}
    }
    let mut free = Cards::ALL.without(named).ascending();
    let mut filled = |hand: Written| free.by_ref().take(hand.small).fold(hand.named, Cards::with);
    let south = filled(south);
    Ok((filled(north), south))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_are_read_and_written() {
        let (north, south) = two_hands("x10aQ", "9x").expect("two hands");
        assert_eq!(
            (north.to_string(), south.to_string()),
            ("AQT3".into(), "92".into())
        );
        let (north, south) = two_hands("-", "AKx").expect("two hands");
        assert_eq!(
            (north.to_string(), south.to_string()),
            ("-".into(), "AK2".into())
        );
        assert_eq!(format!("{south:>5}"), "  AK2");
    }

    #[test]
    fn wrong_cards_are_named() {
        let sentence = |north, south| two_hands(north, south).expect_err("wrong").to_string();
        assert_eq!(sentence("AA", "2"), "North has the card A twice");
        assert_eq!(sentence("A", "22"), "South has the card 2 twice");
        assert_eq!(
            sentence("A10", "T2"),
            "North and South both have the card T"
        );
        assert!(sentence("A1", "2").starts_with("there is no card '1'"));
        assert_eq!(sentence("-", "-"), "neither North nor South has a card");
        assert!(sentence("AKQJT98765432", "-").starts_with("no card is missing"));
        assert!(sentence("AKQJT98765432", "x").contains("14 cards"));
        assert!(sentence(&"x".repeat(300), "x").contains("301 cards"));
        assert_eq!(named_cards("Kx"), Err(CardsError::Unnamed));
    }
}
