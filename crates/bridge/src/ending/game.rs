//! The last tricks of a deal: declarer sees her hand and dummy, and knows which cards the defenders
//! have together.
//!
//! All suits, with trumps or without. Who wins a trick leads to the next. Players follow suit if
//! they can, and otherwise discard or ruff. Declarer is South and dummy is North: other deals are
//! turned.
//!
//! A *layout* is the set of cards that West has. A position is what declarer knows: her cards, what
//! West and East have played, in which suits they have shown out, and the trick that is played. The
//! defenders' moves are all that fit some layout. Each of their cards counts by itself: which of
//! two equal cards a defender plays can decide which defender leads next.
//!
//! Idea: cards in play are numbered, by suit and then by rank, so that a hand is a word of 32 bits.
//!
//! Invariant: positions are canonical. Between two unplayed cards of the defenders declarer's cards
//! lie on the lowest places, in their order. Cards of one hand next to each other are one move.

use std::fmt::{self, Write};

use meetjoin_dag::{AndOrDag, Kind};
use meetjoin_report::counted;

use crate::play::deal::{Deal, DealCard, DealHand, Seat};

/// The most tricks of an ending.
pub const MOST_TRICKS: usize = 8;

pub(super) const NORTH: usize = 0;
pub(super) const EAST: usize = 1;
pub(super) const SOUTH: usize = 2;
pub(super) const WEST: usize = 3;

/// No card.
const NONE: u8 = u8::MAX;

/// A way in which the defenders hold their cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EndingLayout {
    /// West's cards.
    pub west: u32,
    /// Its weight.
    pub weight: u64,
}

/// Says how many tricks are left.
pub(super) fn are_left(tricks: usize) -> String {
    let are = if tricks == 1 { "is" } else { "are" };
    format!("{} {are} left", counted(tricks, "trick"))
}

/// Why a deal is no ending.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EndingError {
    /// Declarer's hand or dummy is missing.
    #[error("the hand of {0} is not in the deal, and declarer sees it")]
    Unseen(&'static str),
    /// The defenders' cards are missing.
    #[error(
        "the defenders' cards are not in the deal; give both hands, or all their cards as one hand and - for the other"
    )]
    NoDefenders,
    /// Hands of different lengths.
    #[error("{0} has {cards} and {2} has {3}; in an ending all have as many", cards = counted(.1, "card"))]
    Lengths(&'static str, usize, &'static str, usize),
    /// The defenders do not have twice as many.
    #[error("the defenders have {} together, and {}", counted(.0, "card"), are_left(*.1))]
    Defenders(usize, usize),
    /// No card is left.
    #[error("the deal is finished: no card is left")]
    Finished,
    /// Too many cards.
    #[error("{}, and an ending has no more than 8", are_left(*.0))]
    TooLong(usize),
    /// Nothing fits.
    #[error("no layout of the defenders' cards agrees with what is known")]
    NoLayout,
}

/// An ending: the cards in play, what is trumps, who leads, and the layouts.
#[derive(Clone, Debug)]
pub struct Ending {
    cards: Vec<DealCard>,
    /// For each suit its cards in play.
    suits: [u32; 4],
    north: u32,
    south: u32,
    unseen: u32,
    tricks: u8,
    trumps: Option<u8>,
    leader: u8,
    layouts: Vec<EndingLayout>,
    /// Whether some way to deal the cards weighs nothing.
    restricted: bool,
    /// How far the deal was turned.
    turned: usize,
}

impl Ending {
    /// The end of a deal. Layouts are the ways to deal the defenders' cards to which `weigh` gives
    /// a weight; its argument is the hand of the player before dummy (West, if South declares).
    ///
    /// # Errors
    /// If the deal is no ending.
    pub fn new(
        deal: &Deal,
        declarer: Seat,
        leader: Seat,
        trumps: Option<u8>,
        weigh: impl Fn(DealHand) -> u64,
    ) -> Result<Self, EndingError> {
        let turned = (declarer as usize + 2) % 4;
        let seat = |place: usize| Seat::ALL[(place + turned) % 4];
        let known = |place: usize| deal.hands[seat(place) as usize];
        let seen = |place: usize| known(place).ok_or(EndingError::Unseen(seat(place).name()));
        let (north, south) = (seen(NORTH)?, seen(SOUTH)?);
        let name = |place: usize| seat(place).name();
        let tricks = south.count();
        if north.count() != tricks {
            let (n, s) = (name(NORTH), name(SOUTH));
            return Err(EndingError::Lengths(s, tricks, n, north.count()));
        }
        let hidden = match (known(WEST), known(EAST)) {
            (None, None) => return Err(EndingError::NoDefenders),
            (Some(west), Some(east)) => {
                if let Some((place, hand)) = [(WEST, west), (EAST, east)]
                    .into_iter()
                    .find(|(_, hand)| hand.count() != tricks)
                {
                    return Err(EndingError::Lengths(
                        name(SOUTH),
                        tricks,
                        name(place),
                        hand.count(),
                    ));
                }
                west.or(east)
            }
            (Some(all), None) | (None, Some(all)) => all,
        };
        if tricks == 0 {
            return Err(EndingError::Finished);
        }
        if hidden.count() != 2 * tricks {
            return Err(EndingError::Defenders(hidden.count(), tricks));
        }
        if tricks > MOST_TRICKS {
            return Err(EndingError::TooLong(tricks));
        }
        let cards: Vec<DealCard> = north.or(south).or(hidden).cards().collect();
        let bits = |hand: DealHand| {
            let places = cards
                .iter()
                .enumerate()
                .filter(|(_, card)| hand.contains(**card));
            places.fold(0_u32, |all, (place, _)| all | 1 << place)
        };
        let mut suits = [0; 4];
        for (place, card) in cards.iter().enumerate() {
            suits[usize::from(card.suit())] |= 1 << place;
        }
        let unseen = bits(hidden);
        let mut layouts = Vec::new();
        let mut all = 0;
        // All subsets of the unseen cards with as many cards as there are tricks.
        let mut part = Some(unseen);
        while let Some(west) = part {
            part = (west > 0).then(|| (west - 1) & unseen);
            if west.count_ones() as usize != tricks {
                continue;
            }
            all += 1;
            let hand = cards_of(&cards, west);
            let weight = weigh(hand);
            if weight > 0 {
                layouts.push(EndingLayout { west, weight });
            }
        }
        if layouts.is_empty() {
            return Err(EndingError::NoLayout);
        }
        layouts.reverse();
        Ok(Self {
            suits,
            north: bits(north),
            south: bits(south),
            unseen,
            tricks: tricks as u8,
            trumps,
            leader: ((leader as usize + 4 - turned) % 4) as u8,
            restricted: layouts.len() < all,
            layouts,
            turned,
            cards,
        })
    }

    /// The tricks that are left.
    pub fn tricks(&self) -> u8 {
        self.tricks
    }

    /// The layouts that weigh something.
    pub fn layouts(&self) -> &[EndingLayout] {
        &self.layouts
    }

    /// The weight of all layouts.
    pub fn total_weight(&self) -> u64 {
        self.layouts.iter().map(|layout| layout.weight).sum()
    }

    /// The cards that declarer's side holds, dummy's place first: North's and South's of the game.
    pub fn own(&self) -> (u32, u32) {
        (self.north, self.south)
    }

    /// The cards of a word.
    pub fn hand(&self, cards: u32) -> DealHand {
        cards_of(&self.cards, cards)
    }

    /// The hands of both defenders in a layout: of the one before dummy first.
    pub fn hands_of(&self, layout: &EndingLayout) -> (DealHand, DealHand) {
        (
            self.hand(layout.west),
            self.hand(self.unseen & !layout.west),
        )
    }

    /// The seat of the deal that is North, East, South or West in the game, where South declares.
    pub fn seat(&self, place: usize) -> Seat {
        Seat::ALL[(place + self.turned) % 4]
    }

    /// A card by its number.
    pub fn card(&self, place: u8) -> DealCard {
        self.cards[usize::from(place)]
    }

    fn suit_of(&self, place: u8) -> u8 {
        self.cards[usize::from(place)].suit()
    }

    pub(super) fn suits(&self) -> &[u32; 4] {
        &self.suits
    }

    pub(super) fn trumps(&self) -> Option<u8> {
        self.trumps
    }
}

fn cards_of(cards: &[DealCard], word: u32) -> DealHand {
    let places = cards.iter().enumerate();
    let chosen = places.filter(|(place, _)| word >> place & 1 == 1);
    chosen.map(|(_, card)| *card).collect()
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EndingPosition {
    north: u32,
    south: u32,
    west_played: u32,
    east_played: u32,
    /// A bit for each suit in which West, and then East, has shown out.
    out: [u8; 2],
    tricks: u8,
    /// Who plays next.
    turn: u8,
    /// How many have played to the trick.
    played: u8,
    led: u8,
    best: u8,
    best_by: u8,
}

impl EndingPosition {
    /// Tricks that declarer has.
    pub fn tricks(&self) -> u8 {
        self.tricks
    }

    /// Whether a trick begins.
    pub fn is_lead(&self) -> bool {
        self.played == 0
    }

    /// Who plays next: 0 North, 1 East, 2 South, 3 West.
    pub fn turn(&self) -> usize {
        usize::from(self.turn)
    }

    /// The tricks that are not complete.
    pub fn left(&self) -> u8 {
        let (north, south) = (self.north.count_ones(), self.south.count_ones());
        // Both have played to the trick only before its last card.
        let is_open = self.played == 3 && north == south;
        north.max(south) as u8 + u8::from(is_open)
    }

    /// Declarer's cards, North's and South's.
    pub fn own(&self) -> (u32, u32) {
        (self.north, self.south)
    }

    /// The suit that was led, the card that wins the trick as far as it has come, and who played
    /// it.
    pub(super) fn table(&self) -> Option<(u8, u32, u8)> {
        let best = (self.best != NONE).then(|| 1 << self.best);
        best.map(|best| (self.led, best, self.best_by))
    }

    /// How many have played to the trick.
    pub(super) fn played(&self) -> u8 {
        self.played
    }

    /// What a defender has played, West first.
    pub fn seen(&self) -> (u32, u32) {
        (self.west_played, self.east_played)
    }
}

/// The game of an ending, with a goal of tricks.
#[derive(Clone, Debug)]
pub struct EndingGame<'a> {
    ending: &'a Ending,
    goal: u8,
}

impl<'a> EndingGame<'a> {
    /// The game for a goal from 1 to [`Ending::tricks`].
    pub fn new(ending: &'a Ending, goal: u8) -> Self {
        Self { ending, goal }
    }

    /// The ending.
    pub fn ending(&self) -> &'a Ending {
        self.ending
    }

    /// The tricks that are needed.
    pub fn goal(&self) -> u8 {
        self.goal
    }

    /// The defenders' cards that are not played yet.
    pub fn unseen(&self, position: &EndingPosition) -> u32 {
        self.ending.unseen & !position.west_played & !position.east_played
    }

    /// The cards that are in play: those not played, and the best of the trick.
    fn live(&self, position: &EndingPosition) -> u32 {
        let table = if position.best == NONE {
            0
        } else {
            1 << position.best
        };
        position.north | position.south | self.unseen(position) | table
    }

    /// The cards of the suits in which a defender has shown out.
    fn out_of(&self, position: &EndingPosition, west: bool) -> u32 {
        let out = position.out[usize::from(!west)];
        let suits = self.ending.suits.iter().enumerate();
        suits.fold(0, |all, (suit, cards)| {
            if out >> suit & 1 == 1 {
                all | cards
            } else {
                all
            }
        })
    }

    /// Whether a layout agrees with what was seen.
    pub fn allows(&self, position: &EndingPosition, layout: &EndingLayout) -> bool {
        let (west, east) = (layout.west, self.ending.unseen & !layout.west);
        let fits =
            |held: u32, played: u32, out: u32| played & !held == 0 && held & out & !played == 0;
        fits(west, position.west_played, self.out_of(position, true))
            && fits(east, position.east_played, self.out_of(position, false))
    }

    /// Whether some layout agrees.
    fn is_possible(&self, position: &EndingPosition) -> bool {
        if self.ending.restricted {
            let mut layouts = self.ending.layouts.iter();
            return layouts.any(|layout| self.allows(position, layout));
        }
        let unseen = self.unseen(position);
        let (west_out, east_out) = (
            unseen & self.out_of(position, true),
            unseen & self.out_of(position, false),
        );
        let all = u32::from(self.ending.tricks);
        let (west, east) = (
            all - position.west_played.count_ones(),
            all - position.east_played.count_ones(),
        );
        // The defender who has not shown out holds the rest.
        west_out & east_out == 0 && west_out.count_ones() <= east && east_out.count_ones() <= west
    }

    /// The cards of a hand that are no worse than others next to them: the lowest of each run.
    fn choices(&self, position: &EndingPosition, hand: u32) -> u32 {
        let live = self.live(position);
        let mut rest = hand;
        let mut choices = 0;
        while rest != 0 {
            let place = rest.trailing_zeros();
            rest &= rest - 1;
            let suit = self.ending.suits[usize::from(self.ending.suit_of(place as u8))];
            let below = live & suit & ((1 << place) - 1);
            let next = if below == 0 { 0 } else { 1 << below.ilog2() };
            if next & hand == 0 {
                choices |= 1 << place;
            }
        }
        choices
    }

    /// All moves, each by the card that is played, and the positions after them.
    pub fn moves(&self, position: &EndingPosition) -> Vec<(u8, EndingPosition)> {
        let mut moves = Vec::new();
        self.each_move(position, |card, next| moves.push((card, next)));
        moves
    }

    fn each_move(&self, position: &EndingPosition, mut found: impl FnMut(u8, EndingPosition)) {
        let turn = usize::from(position.turn);
        let led = if position.played == 0 {
            None
        } else {
            Some(usize::from(position.led))
        };
        let each = |cards: u32, found: &mut dyn FnMut(u8)| {
            let mut rest = cards;
            while rest != 0 {
                found(rest.trailing_zeros() as u8);
                rest &= rest - 1;
            }
        };
        if turn == NORTH || turn == SOUTH {
            let hand = if turn == NORTH {
                position.north
            } else {
                position.south
            };
            let follows = led.map_or(0, |led| hand & self.ending.suits[led]);
            let legal = if follows == 0 { hand } else { follows };
            each(self.choices(position, legal), &mut |card| {
                found(card, self.after(position, card, false));
            });
            return;
        }
        let can = self.unseen(position) & !self.out_of(position, turn == WEST);
        let Some(led) = led else {
            each(can, &mut |card| {
                let next = self.after(position, card, false);
                if self.is_possible(&next) {
                    found(card, next);
                }
            });
            return;
        };
        let suit = self.ending.suits[led];
        each(can & suit, &mut |card| {
            let next = self.after(position, card, false);
            if self.is_possible(&next) {
                found(card, next);
            }
        });
        each(can & !suit, &mut |card| {
            let next = self.after(position, card, true);
            if self.is_possible(&next) {
                found(card, next);
            }
        });
    }

    fn beats(&self, card: u8, best: u8) -> bool {
        let (own, other) = (self.ending.suit_of(card), self.ending.suit_of(best));
        if own == other {
            card > best
        } else {
            self.ending.trumps == Some(own)
        }
    }

    /// The position after a card; `shows_out` if it shows that the player has none of the suit led.
    fn after(&self, position: &EndingPosition, card: u8, shows_out: bool) -> EndingPosition {
        let mut next = *position;
        let turn = usize::from(position.turn);
        match turn {
            NORTH => next.north &= !(1 << card),
            SOUTH => next.south &= !(1 << card),
            WEST => next.west_played |= 1 << card,
            _ => next.east_played |= 1 << card,
        }
        if next.played == 0 {
            next.led = self.ending.suit_of(card);
        }
        if shows_out {
            next.out[usize::from(turn != WEST)] |= 1 << next.led;
        }
        if next.best == NONE || self.beats(card, next.best) {
            (next.best, next.best_by) = (card, position.turn);
        }
        next.played += 1;
        next.turn = (position.turn + 1) % 4;
        if next.played == 4 {
            let winner = next.best_by;
            next.tricks += u8::from(winner.is_multiple_of(2));
            (next.turn, next.played, next.led) = (winner, 0, 0);
            (next.best, next.best_by) = (NONE, 0);
        }
        self.settle(&mut next);
        next
    }

    /// Makes a position canonical.
    fn settle(&self, next: &mut EndingPosition) {
        let unseen = self.unseen(next);
        for (suit, cards) in self.ending.suits.iter().enumerate() {
            if unseen & cards == 0 {
                next.out[0] |= 1 << suit;
                next.out[1] |= 1 << suit;
            }
        }
        let places = self.ending.north | self.ending.south;
        let table = if next.best == NONE {
            0
        } else {
            1_u32 << next.best
        };
        let fixed = unseen | (table & self.ending.unseen);
        let own_table = table & places;
        let (mut north, mut south, mut best) = (0_u32, 0_u32, next.best);
        for cards in self.ending.suits {
            let (mut rest, mut free) = (cards, 0_u32);
            while rest != 0 {
                let card = rest & rest.wrapping_neg();
                rest &= rest - 1;
                if fixed & card != 0 {
                    free = 0;
                    continue;
                }
                free |= card & places;
                if (next.north | next.south | own_table) & card == 0 {
                    continue;
                }
                let place = free & free.wrapping_neg();
                free &= !place;
                if next.north & card != 0 {
                    north |= place;
                } else if next.south & card != 0 {
                    south |= place;
                } else {
                    best = place.trailing_zeros() as u8;
                }
            }
        }
        (next.north, next.south, next.best) = (north, south, best);
    }

    /// The card that is really played where a position says `card`: positions name declarer's cards
    /// by canonical places, and a suit of `held` has as many cards as that suit of the position's
    /// `hand`, in the same order.
    pub fn real(&self, held: u32, hand: u32, card: u8) -> u8 {
        let suit = self.ending.suits[usize::from(self.ending.suit_of(card))];
        let below = (hand & suit & ((1 << card) - 1)).count_ones();
        let mut rest = held & suit;
        for _ in 0..below {
            rest &= rest.wrapping_sub(1);
        }
        rest.trailing_zeros() as u8
    }
}

impl AndOrDag for EndingGame<'_> {
    type Node = EndingPosition;

    fn root(&self) -> EndingPosition {
        let mut root = EndingPosition {
            north: self.ending.north,
            south: self.ending.south,
            west_played: 0,
            east_played: 0,
            out: [0; 2],
            tricks: 0,
            turn: self.ending.leader,
            played: 0,
            led: 0,
            best: NONE,
            best_by: 0,
        };
        self.settle(&mut root);
        root
    }

    fn kind(&self, position: &EndingPosition) -> Kind {
        let decided = position.tricks >= self.goal || position.tricks + position.left() < self.goal;
        if decided {
            Kind::Leaf
        } else if position.turn.is_multiple_of(2) {
            Kind::Or
        } else {
            Kind::And
        }
    }

    fn children(&self, position: &EndingPosition, out: &mut Vec<EndingPosition>) {
        self.each_move(position, |_, next| out.push(next));
    }

    fn name(&self, position: &EndingPosition, out: &mut dyn Write) -> fmt::Result {
        let hand = |cards: u32| self.ending.hand(cards);
        write!(
            out,
            "{} tricks, {} {}, {} {}",
            position.tricks,
            self.ending.seat(NORTH).name(),
            hand(position.north),
            self.ending.seat(SOUTH).name(),
            hand(position.south)
        )?;
        for (place, played) in [(WEST, position.west_played), (EAST, position.east_played)] {
            write!(
                out,
                ", {} has played {}",
                self.ending.seat(place).name(),
                hand(played)
            )?;
        }
        write!(out, ", {} plays", self.ending.seat(position.turn()).name())
    }
}
