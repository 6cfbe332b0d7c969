//! Racing: the card game with hidden hands of Li, Zanuttini, Cazenave, Ventos (2022), section 6.
//!
//! A deck has the cards 1..d. MAX holds h known cards, MIN h of the others. In a trick the leader
//! plays a card, the other player sees it and plays one; the higher card wins, and its owner leads
//! next. MAX wins exactly if she is the first to have g tricks. MIN leads a known first card, and
//! the root is MAX to answer it.
//!
//! A *world* is a hand MIN may hold: h cards that MAX does not hold, the first card among them.
//! Against best defence MIN knows everything and MAX knows her hand and the cards played. So a
//! position is the relevant part of what MAX knows: her remaining cards, the set of cards MIN has
//! played, tricks won, the card on the table, and the player to move. Histories that agree on these
//! are one position.
//!
//! This file has the rules. With a list of the worlds they are [`RacingHands`], a game with hidden
//! cards like any other: its values are [`HiddenSets`](meetjoin_dag::HiddenSets), the worlds that
//! MAX wins when she may use the hidden hand, and [`HiddenFamilies`](meetjoin_dag::HiddenFamilies),
//! the sets of worlds that one uniform strategy wins.
//!
//! Knowledge beyond the rules is in modules of its own: [`winning_hands`] computes the value in
//! sets without a list of the worlds, [`bounds`] and [`one_strategy`] give bounds from perfect
//! information, [`Quotient`](crate::Quotient) of a deal is the game in which touching cards of MAX
//! are one move, and [`RacingHands::classes`] the one in which MIN's interchangeable cards are one
//! too.
//!
//! Cost: a position is 16 bytes; there are `C(d - h - 1, h - 1)` worlds.

mod cards;
mod classes;
mod hands;
mod heuristics;
mod touching;
pub mod winning_hands;
mod worlds;

use std::fmt::{self, Write};

use meetjoin_dag::{AndOrDag, Kind};
use meetjoin_lattice::{Budget, Stop};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::Numbered;

use cards::{bit, cards, write_number};
pub use hands::RacingHands;
pub use heuristics::bounds::PerfectInformation;
pub use heuristics::decided::Decided;
pub use heuristics::one_strategy::OneStrategy;
pub use heuristics::{bounds, decided, one_strategy};
pub use winning_hands::{HandClass, WinningHands};

/// The most cards a deck may have: a set of cards is a machine word.
pub const MOST_CARDS: u8 = 64;
/// The most cards a hand may have.
pub const MOST_HELD: usize = 32;

/// Why a deal makes no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RacingError {
    /// The deck has more cards than a machine word has bits.
    #[error("a deck of {0} cards is larger than {MOST_CARDS}")]
    DeckTooLarge(u8),
    /// The hand is empty, or has more cards than a position has room for.
    #[error("a hand of {0} cards is outside 1..{MOST_HELD}")]
    HandSize(usize),
    /// There are not enough cards for two hands.
    #[error("a deck of {deck} cards is too small for two hands of {hand}")]
    DeckTooSmall {
        /// Cards in the deck.
        deck: u8,
        /// Cards in a hand.
        hand: usize,
    },
    /// A card that is not in the deck.
    #[error("card {card} is not in the deck 1..{deck}")]
    NoSuchCard {
        /// The card.
        card: u8,
        /// Cards in the deck.
        deck: u8,
    },
    /// A card held twice.
    #[error("the hand holds card {0} twice")]
    RepeatedCard(u8),
    /// MIN leads a card that MAX holds.
    #[error("the lead card {0} is in MAX's hand")]
    LeadInHand(u8),
    /// The race would be won before it begins.
    #[error("the goal must be at least 1 trick")]
    NoGoal,
}

/// A deal, as a graph. The order of children is from the highest card down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Racing {
    deck: u8,
    goal: u8,
    /// MAX's cards, from the highest down; positions have a bit for each that is left.
    hand: Vec<u8>,
    lead: u8,
    /// Bit c - 1 for each card c that MAX does not hold.
    foreign: u64,
    /// The root, if it is not the lead.
    start: Option<RacingPosition>,
}

/// A position: 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RacingPosition {
    /// Bit c - 1 for each card c that MIN has played, the one on the table included.
    min_played: u64,
    /// Bit i if MAX still has the i-th card of her hand.
    max_left: u32,
    max_tricks: u8,
    min_tricks: u8,
    /// The card on the table, or 0.
    table: u8,
    max_moves: bool,
}

impl RacingPosition {
    /// The cards MIN has played, the one on the table included: bit c - 1 for card c.
    pub fn min_played(&self) -> u64 {
        self.min_played
    }

    /// The number of MAX's tricks.
    pub fn max_tricks(&self) -> u8 {
        self.max_tricks
    }

    /// Plays a card: as a lead, or to complete the trick.
    fn play(&mut self, card: u8, by_max: bool) {
        if self.table == 0 {
            self.table = card;
            self.max_moves = !by_max;
            return;
        }
        let max_wins = (card > self.table) == by_max;
        self.table = 0;
        self.max_tricks += u8::from(max_wins);
        self.min_tricks += u8::from(!max_wins);
        self.max_moves = max_wins;
    }
}

impl Racing {
    /// A deal. `hand` may be in any order.
    ///
    /// # Errors
    /// If it makes no game.
    pub fn new(deck: u8, goal: u8, hand: &[u8], lead: u8) -> Result<Self, RacingError> {
        if deck > MOST_CARDS {
            return Err(RacingError::DeckTooLarge(deck));
        }
        if hand.is_empty() || hand.len() > MOST_HELD {
            return Err(RacingError::HandSize(hand.len()));
        }
        if usize::from(deck) < 2 * hand.len() {
            let hand = hand.len();
            return Err(RacingError::DeckTooSmall { deck, hand });
        }
        if goal == 0 {
            return Err(RacingError::NoGoal);
        }
        let in_deck = |card: u8| {
            let exists = (1..=deck).contains(&card);
            exists
                .then_some(())
                .ok_or(RacingError::NoSuchCard { card, deck })
        };
        in_deck(lead)?;
        let mut foreign = u64::MAX >> (64 - deck);
        for &card in hand {
            in_deck(card)?;
            if foreign & bit(card) == 0 {
                return Err(RacingError::RepeatedCard(card));
            }
            foreign &= !bit(card);
        }
        if foreign & bit(lead) == 0 {
            return Err(RacingError::LeadInHand(lead));
        }
        let mut hand = hand.to_vec();
        hand.sort_unstable_by(|a, b| b.cmp(a));
        Ok(Self {
            deck,
            goal,
            hand,
            lead,
            foreign,
            start: None,
        })
    }

    /// A deal drawn at random: each hand of `hand` cards is equally likely, and then each other
    /// card as the lead.
    ///
    /// Draw order, from `ChaCha8Rng::seed_from_u64(seed)`: the cards 1..d lie in a row; for i in
    /// `0..hand` the card at place i changes places with the one at `random_range(i..d)`, as `u32`,
    /// and is then in the hand; the lead is the card at place `random_range(hand..d)`.
    ///
    /// # Errors
    /// If such deals make no game.
    pub fn random(deck: u8, goal: u8, hand: u8, seed: u64) -> Result<Self, RacingError> {
        // Any hand will do for the checks, so the lowest cards are taken.
        let lowest: Vec<u8> = (1..=hand).collect();
        Self::new(deck, goal, &lowest, hand.saturating_add(1))?;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut row: Vec<u8> = (1..=deck).collect();
        for place in 0..hand {
            let drawn = rng.random_range(u32::from(place)..u32::from(deck));
            row.swap(usize::from(place), drawn as usize);
        }
        let lead = rng.random_range(u32::from(hand)..u32::from(deck));
        Self::new(deck, goal, &row[..usize::from(hand)], row[lead as usize])
    }

    /// The card played between two positions; `None` if there is none.
    pub fn played(&self, from: &RacingPosition, to: &RacingPosition) -> Option<u8> {
        let of_min = cards(to.min_played & !from.min_played).next();
        of_min.or_else(|| {
            let place = (from.max_left & !to.max_left).trailing_zeros();
            self.hand.get(place as usize).copied()
        })
    }

    /// This deal from one of its positions on. The worlds stay the same: those that do not hold the
    /// cards MIN has played are in every value.
    #[must_use]
    pub fn from_position(&self, position: RacingPosition) -> Self {
        Self {
            start: Some(position),
            ..self.clone()
        }
    }

    /// The number of cards in the deck.
    pub fn deck(&self) -> u8 {
        self.deck
    }

    /// The number of tricks that win.
    pub fn goal(&self) -> u8 {
        self.goal
    }

    /// MAX's cards, from the highest down.
    pub fn hand(&self) -> &[u8] {
        &self.hand
    }

    /// The card that MIN has led.
    pub fn lead(&self) -> u8 {
        self.lead
    }

    /// Returns whether MAX has the tricks that win.
    pub fn max_has_won(&self, position: &RacingPosition) -> bool {
        position.max_tricks >= self.goal
    }

    /// The position after MIN's lead.
    fn first(&self) -> RacingPosition {
        RacingPosition {
            min_played: bit(self.lead),
            max_left: u32::MAX >> (MOST_HELD - self.hand.len()),
            max_tricks: 0,
            min_tricks: 0,
            table: self.lead,
            max_moves: true,
        }
    }

    /// Writes the player to move, the tricks of both, and MAX's cards.
    fn write_score(&self, position: &RacingPosition, out: &mut dyn Write) -> fmt::Result {
        let mover = if position.max_moves { "MAX" } else { "MIN" };
        let (won, lost) = (position.max_tricks, position.min_tricks);
        out.write_str(mover)?;
        write_number(" to play, ", won, out)?;
        write_number(":", lost, out)?;
        out.write_str(", MAX holds")?;
        if position.max_left == 0 {
            return out.write_str(" nothing");
        }
        let held = self.hand.iter().enumerate();
        let mut left = held.filter(|(i, _)| position.max_left >> i & 1 == 1);
        left.try_for_each(|(_, card)| write_number(" ", *card, out))
    }

    /// The position after MAX plays the card at an index of her hand.
    fn after_max(&self, position: &RacingPosition, place: usize) -> RacingPosition {
        let mut next = *position;
        next.max_left &= !(1 << place);
        next.play(self.hand[place], true);
        next
    }

    /// The position after MIN plays a card.
    fn after_min(position: &RacingPosition, card: u8) -> RacingPosition {
        let mut next = *position;
        next.min_played |= bit(card);
        next.play(card, false);
        next
    }
}

/// Hands listed between two checks of the budget.
const BETWEEN_LOOKS: usize = 1 << 16;

/// Checks the budget when enough hands have been listed.
#[inline]
fn poll(hands: usize, budget: &Budget) -> Result<(), Stop> {
    if hands > 0 && hands.is_multiple_of(BETWEEN_LOOKS) {
        budget.check()?;
    }
    Ok(())
}

/// The number is a concatenation of the fields.
impl Numbered for Racing {
    fn bits(&self) -> u32 {
        128
    }

    fn number(&self, position: &RacingPosition) -> u128 {
        let small = [
            position.max_tricks,
            position.min_tricks,
            position.table,
            position.max_moves.into(),
        ];
        u128::from(position.min_played) << 64
            | u128::from(position.max_left) << 32
            | u128::from(u32::from_be_bytes(small))
    }

    fn position(&self, number: u128) -> RacingPosition {
        let [max_tricks, min_tricks, table, max_moves] = (number as u32).to_be_bytes();
        RacingPosition {
            min_played: (number >> 64) as u64,
            max_left: (number >> 32) as u32,
            max_tricks,
            min_tricks,
            table,
            max_moves: max_moves != 0,
        }
    }
}

impl AndOrDag for Racing {
    type Node = RacingPosition;

    fn root(&self) -> RacingPosition {
        self.start.unwrap_or_else(|| self.first())
    }

    #[inline]
    fn kind(&self, position: &RacingPosition) -> Kind {
        let decided = position.max_tricks.max(position.min_tricks) >= self.goal;
        let none_left = position.max_left == 0 && position.table == 0;
        if decided || none_left {
            Kind::Leaf
        } else if position.max_moves {
            Kind::Or
        } else {
            Kind::And
        }
    }

    fn children(&self, position: &RacingPosition, out: &mut Vec<RacingPosition>) {
        if position.max_moves {
            let left = (0..self.hand.len()).filter(|i| position.max_left >> i & 1 == 1);
            out.extend(left.map(|place| self.after_max(position, place)));
        } else {
            // All unseen cards: each is in some hand that is compatible with the cards MIN has
            // played.
            let mut unseen = self.foreign & !position.min_played;
            while unseen != 0 {
                let card = 64 - unseen.leading_zeros() as u8;
                unseen &= !bit(card);
                out.push(Self::after_min(position, card));
            }
        }
    }

    fn name(&self, position: &RacingPosition, out: &mut dyn Write) -> fmt::Result {
        self.write_score(position, out)?;
        out.write_str(", MIN has played")?;
        cards(position.min_played).try_for_each(|card| write_number(" ", card, out))?;
        match position.table {
            0 => Ok(()),
            card => write!(out, ", {card} on the table"),
        }
    }

    /// The move is named by the card.
    fn move_name(
        &self,
        from: &RacingPosition,
        to: &RacingPosition,
        out: &mut dyn Write,
    ) -> fmt::Result {
        let card = self.played(from, to).ok_or(fmt::Error)?;
        write!(out, "{card}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_16_bytes() {
        assert_eq!(size_of::<RacingPosition>(), 16);
    }

    #[test]
    fn a_seed_names_a_deal() {
        let deal = |seed| {
            let game = Racing::random(20, 5, 7, seed).expect("a fine deal");
            (game.hand().to_vec(), game.lead())
        };
        assert_eq!(deal(1), (vec![20, 14, 12, 11, 9, 8, 5], 10));
        assert_ne!(deal(1), deal(2));
        let refused = |deck, goal, hand| Racing::random(deck, goal, hand, 1).err();
        assert_eq!(refused(20, 1, 0), Some(RacingError::HandSize(0)));
        assert_eq!(refused(255, 1, 255), Some(RacingError::DeckTooLarge(255)));
        assert_eq!(refused(20, 0, 7), Some(RacingError::NoGoal));
        let small = RacingError::DeckTooSmall { deck: 13, hand: 7 };
        assert_eq!(refused(13, 1, 7), Some(small));
    }

    #[test]
    fn deals_that_make_no_game_say_so() {
        let refused = |deck, goal, hand: &[u8], lead| Racing::new(deck, goal, hand, lead).err();
        assert_eq!(refused(65, 1, &[1], 2), Some(RacingError::DeckTooLarge(65)));
        assert_eq!(refused(9, 1, &[], 2), Some(RacingError::HandSize(0)));
        let small = RacingError::DeckTooSmall { deck: 3, hand: 2 };
        assert_eq!(refused(3, 1, &[1, 2], 3), Some(small));
        assert_eq!(refused(6, 0, &[1, 2], 3), Some(RacingError::NoGoal));
        let missing = |card| Some(RacingError::NoSuchCard { card, deck: 6 });
        assert_eq!(refused(6, 1, &[1, 7], 3), missing(7));
        assert_eq!(refused(6, 1, &[1, 2], 0), missing(0));
        assert_eq!(
            refused(6, 1, &[1, 1], 3),
            Some(RacingError::RepeatedCard(1))
        );
        assert_eq!(refused(6, 1, &[1, 2], 2), Some(RacingError::LeadInHand(2)));
    }

    #[test]
    fn positions_have_readable_names() {
        let game = Racing::new(6, 2, &[2, 6], 3).expect("a fine deal");
        let mut name = String::new();
        game.name(&game.root(), &mut name).expect("a string");
        assert_eq!(
            name,
            "MAX to play, 0:0, MAX holds 6 2, MIN has played 3, 3 on the table"
        );
    }
}
