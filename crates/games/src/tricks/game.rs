//! An ending of a game of tricks as a game with hidden cards.
//!
//! MAX sees some hands, and plays those of them whose points are hers. MIN plays all others, and
//! sees everything: opponents who do not see each other's cards are treated as one who does (the
//! best defence model), and a partner whose hand MAX does not see is treated as an opponent. Both
//! can only make MIN stronger.
//!
//! A position is what MAX knows: the cards in the hands that she sees, what the hidden hands have
//! played, which of the other unseen cards each of them cannot have, and the trick that is played.
//!
//! Idea: cards in play are numbered, by suit and then by strength, so that a hand is a word of 32
//! bits. A card played from a hidden hand reveals a set of cards that the hand does not have
//! (`legal`), and if the remaining cards of a hand are determined, other hands cannot have them.
//!
//! Invariant: positions are canonical. Seen cards between two unseen ones are moved to the lowest
//! places with the same points, in order. Neighbouring cards of one seen hand with the same points
//! are one move. The real cards are recovered by [`Tricks::played`], or kept by
//! [`Tricks::with_real_names`].

use std::fmt;

use meetjoin_dag::hidden::game::{HiddenGame, Turn};

use super::deal::{TrickDeal, TrickHand};
use super::error::TrickError;
use super::legal::Asked;
use super::order::{Card, MOST_PLAYERS, Pack};
use super::rules::Aim;
use super::worlds::{self, Held, Known};

/// The most cards in play.
pub const MOST_CARDS: usize = 32;

/// Stands for no card.
const NONE: u8 = u8::MAX;

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TrickPosition {
    /// The cards of each seen hand; of each hidden one the cards that it has played.
    hands: [u32; MOST_PLAYERS],
    /// Unseen cards that a hidden hand does not have.
    lacks: [u32; MOST_PLAYERS],
    /// The points that MAX's side has won.
    points: u16,
    /// The points of the trick on the table.
    pot: u16,
    turn: u8,
    played: u8,
    led: u8,
    best: u8,
    best_by: u8,
    broken: bool,
}

impl TrickPosition {
    /// Returns whether a trick begins.
    pub fn is_lead(&self) -> bool {
        self.played == 0
    }

    /// The player to move, counted from 0.
    pub fn player(&self) -> usize {
        usize::from(self.turn)
    }

    /// The points that MAX's side has won.
    pub fn points(&self) -> u32 {
        u32::from(self.points)
    }
}

/// An ending with its rules. See the [module page](self).
#[derive(Clone, Debug)]
pub struct Tricks {
    pack: Pack,
    cards: Vec<Card>,
    /// The cards in play of each suit, with trumps as a suit of their own.
    suits: Vec<u32>,
    suit_of: [u8; MOST_CARDS],
    points: [u32; MOST_CARDS],
    start: Held,
    hidden: Vec<Known>,
    unseen: u32,
    has_rest: bool,
    size: u32,
    leader: u8,
    goal: Option<u32>,
    before: u32,
    broken: bool,
    most: u32,
    worlds: Vec<(Held, u64)>,
    /// For each hidden hand and card, the worlds in which the hand has it.
    holds: Vec<Vec<u64>>,
    real_names: bool,
}

impl Tricks {
    /// An ending in which all ways to deal the unseen cards are equally likely.
    ///
    /// # Errors
    /// If it is invalid.
    pub fn new(pack: Pack, deal: &TrickDeal) -> Result<Self, TrickError> {
        Self::weighed(pack, deal, |_| 1)
    }

    /// An ending with a weight for each way to deal the unseen cards. `weight` gets the cards of
    /// each hidden hand, in the order of the players. Ways of weight 0 are left out.
    ///
    /// # Errors
    /// If it is invalid.
    pub fn weighed(
        pack: Pack,
        deal: &TrickDeal,
        weigh: impl Fn(&[Vec<Card>]) -> u64,
    ) -> Result<Self, TrickError> {
        let names = &pack.rules().players;
        if deal.hands.len() != names.len() {
            return Err(TrickError::Hands {
                hands: deal.hands.len(),
                players: names.len(),
            });
        }
        if deal.leader >= names.len() {
            return Err(TrickError::Leader {
                leader: deal.leader,
                players: names.len(),
            });
        }
        if pack.rules().aim == Aim::Exactly && deal.goal.is_none() {
            return Err(TrickError::NoGoal);
        }
        let TrickHand::Seen(own) = &deal.hands[0] else {
            return Err(TrickError::Unseen(names[0].clone()));
        };
        if own.is_empty() {
            return Err(TrickError::Finished(names[0].clone()));
        }
        let mut cards = distinct_cards(&pack, deal, own.len())?;
        cards.sort_unstable_by_key(|card| pack.place(*card));
        let bits = |of: &[Card]| {
            let places = cards.iter().enumerate();
            let inside = places.filter(|(_, card)| of.contains(card));
            inside.fold(0_u32, |all, (place, _)| all | 1 << place)
        };
        let mut suits = vec![0; usize::from(pack.trumps()) + 1];
        let (mut suit_of, mut points) = ([0; MOST_CARDS], [0; MOST_CARDS]);
        for (place, card) in cards.iter().enumerate() {
            suit_of[place] = pack.place(*card).0;
            suits[usize::from(suit_of[place])] |= 1 << place;
            points[place] = pack.points(*card);
        }
        let unseen = bits(&deal.unseen);
        let (mut start, mut hidden) = ([0; MOST_PLAYERS], Vec::new());
        for (player, hand) in deal.hands.iter().enumerate() {
            match hand {
                TrickHand::Seen(cards) => start[player] = bits(cards),
                TrickHand::Hidden { has, lacks } => {
                    if let Some(card) = has.iter().find(|card| !deal.unseen.contains(card)) {
                        return Err(TrickError::NotUnseen {
                            card: pack.name(*card),
                            name: names[player].clone(),
                        });
                    }
                    let (has, lacks) = (bits(has), bits(lacks));
                    hidden.push(Known { player, has, lacks });
                }
            }
        }
        let size = own.len() as u32;
        let wanted = hidden.len() * own.len();
        if wanted > deal.unseen.len() {
            let unseen = deal.unseen.len();
            return Err(TrickError::FewUnseen { wanted, unseen });
        }
        if hidden.iter().any(|known| known.has & known.lacks != 0) {
            return Err(TrickError::NoWorld);
        }
        let ways = worlds::all(unseen, &hidden, size)?;
        let mut game = Self {
            worlds: Vec::new(),
            holds: Vec::new(),
            has_rest: wanted < deal.unseen.len(),
            leader: deal.leader as u8,
            goal: deal.goal,
            before: deal.before,
            broken: deal.broken,
            most: 0,
            real_names: false,
            pack,
            cards,
            suits,
            suit_of,
            points,
            start,
            hidden,
            unseen,
            size,
        };
        for held in ways {
            let hands = game
                .hidden
                .iter()
                .map(|known| game.cards_of(held[known.player]));
            let weight = weigh(&hands.collect::<Vec<_>>());
            if weight > 0 {
                game.worlds.push((held, weight));
            }
        }
        if game.worlds.is_empty() {
            return Err(TrickError::NoWorld);
        }
        game.holds = game.tables();
        let all = game.most_to_win();
        if all == 0 {
            return Err(TrickError::NoPoints);
        }
        game.most = if game.goal.is_some() { 1 } else { all };
        Ok(game)
    }

    /// Checks that her side can have the points of the goal, if there is one.
    ///
    /// # Errors
    /// If it cannot.
    pub fn check_goal(&self) -> Result<(), TrickError> {
        let Some(goal) = self.goal else { return Ok(()) };
        let least = self.before;
        let most = least.saturating_add(self.most_to_win());
        let is_in_reach = match self.pack.rules().aim {
            Aim::Most => goal <= most,
            Aim::Fewest => goal >= least,
            Aim::Exactly => (least..=most).contains(&goal),
        };
        if is_in_reach {
            return Ok(());
        }
        Err(TrickError::OutOfReach { goal, least, most })
    }

    /// The same game with the real cards in positions, of which there are more then.
    #[must_use]
    pub fn with_real_names(mut self) -> Self {
        self.real_names = true;
        self
    }

    /// The pack, with the rules.
    pub fn pack(&self) -> &Pack {
        &self.pack
    }

    /// The number of tricks left at the start.
    pub fn tricks(&self) -> u32 {
        self.size
    }

    /// Returns whether points are those of a goal: 1 if it is reached.
    pub fn is_goal(&self) -> bool {
        self.goal.is_some()
    }

    /// Returns whether few points are wanted, without a goal. Then the points of the game are the
    /// most that a side can win minus those that MAX's side takes.
    pub fn wants_few(&self) -> bool {
        self.goal.is_none() && self.pack.rules().aim == Aim::Fewest
    }

    /// The number of players.
    pub fn players(&self) -> usize {
        self.pack.rules().players.len()
    }

    /// The players whose hands are hidden.
    pub fn hidden(&self) -> impl Iterator<Item = usize> {
        self.hidden.iter().map(|known| known.player)
    }

    /// The cards of a hidden hand in a world of the game.
    pub fn held(&self, world: usize, player: usize) -> Vec<Card> {
        self.cards_of(self.worlds[world].0[player])
    }

    /// The cards in play of the hands that are seen at the start, by player.
    pub fn seen(&self) -> [u32; MOST_PLAYERS] {
        self.start
    }

    /// The card with a number among those in play.
    pub fn card(&self, place: u8) -> Card {
        self.cards[usize::from(place)]
    }

    fn cards_of(&self, word: u32) -> Vec<Card> {
        ones(word).map(|place| self.card(place)).collect()
    }

    fn tables(&self) -> Vec<Vec<u64>> {
        let words = self.worlds.len().div_ceil(64);
        let mut holds = vec![Vec::new(); MOST_PLAYERS * MOST_CARDS];
        for known in &self.hidden {
            for card in ones(self.unseen) {
                let mut table = vec![0; words];
                for (world, (held, _)) in self.worlds.iter().enumerate() {
                    table[world / 64] |= u64::from(held[known.player] >> card & 1) << (world % 64);
                }
                holds[known.player * MOST_CARDS + usize::from(card)] = table;
            }
        }
        holds
    }

    fn holds(&self, player: usize, card: u8) -> &[u64] {
        &self.holds[player * MOST_CARDS + usize::from(card)]
    }

    fn worth(&self, cards: u32) -> u32 {
        ones(cards).map(|card| self.points[usize::from(card)]).sum()
    }

    /// The most points that one side can win.
    fn most_to_win(&self) -> u32 {
        let seen = self.start.iter().fold(0, |all, hand| all | hand);
        let mut unseen: Vec<u32> = ones(self.unseen)
            .map(|card| self.points[usize::from(card)])
            .collect();
        unseen.sort_unstable_by(|a, b| b.cmp(a));
        let in_play = self.hidden.len() * self.size as usize;
        let points = &self.pack.rules().points;
        self.worth(seen)
            + unseen[..in_play].iter().sum::<u32>()
            + self.size * points.trick
            + points.last_trick
    }

    fn is_hidden(&self, player: usize) -> bool {
        self.hidden.iter().any(|known| known.player == player)
    }

    /// The unseen cards that have not been played.
    fn unseen_of(&self, position: &TrickPosition) -> u32 {
        let played = self.hidden.iter().map(|known| position.hands[known.player]);
        self.unseen & !played.fold(0, |all, cards| all | cards)
    }

    fn seen_of(&self, position: &TrickPosition) -> u32 {
        let seen = (0..self.players()).filter(|player| !self.is_hidden(*player));
        seen.fold(0, |all, player| all | position.hands[player])
    }

    /// The number of cards that a player has left.
    fn left(&self, position: &TrickPosition, player: usize) -> u32 {
        let cards = position.hands[player].count_ones();
        if self.is_hidden(player) {
            self.size - cards
        } else {
            cards
        }
    }

    /// The points of MAX in all worlds, if no card can change them.
    fn decided(&self, position: &TrickPosition) -> Option<u32> {
        // The player whose turn it is has not played to this trick yet.
        let tricks = self.left(position, position.player());
        let points = &self.pack.rules().points;
        let mut rest = u32::from(position.pot);
        if tricks > 0 {
            rest += self.worth(self.seen_of(position) | self.unseen_of(position));
            rest += tricks * points.trick + points.last_trick;
        }
        let won = u32::from(position.points);
        let sure = u64::from(self.before) + u64::from(won);
        let open = sure + u64::from(rest);
        let Some(goal) = self.goal.map(u64::from) else {
            let points = match self.pack.rules().aim {
                Aim::Fewest => self.most - won.min(self.most),
                Aim::Most | Aim::Exactly => won,
            };
            return (rest == 0).then_some(points);
        };
        let (yes, no) = match self.pack.rules().aim {
            Aim::Most => (sure >= goal, open < goal),
            Aim::Fewest => (open <= goal, sure > goal),
            Aim::Exactly => (sure == goal && open == goal, sure > goal || open < goal),
        };
        match (yes, no) {
            (true, _) => Some(1),
            (_, true) => Some(0),
            _ => None,
        }
    }

    fn beats(&self, card: u8, best: u8) -> bool {
        let (own, other) = (
            self.suit_of[usize::from(card)],
            self.suit_of[usize::from(best)],
        );
        if own == other {
            card > best
        } else {
            own == self.pack.trumps()
        }
    }

    /// The requirements of the rules for the next card.
    fn asked(&self, position: &TrickPosition) -> Asked {
        let rules = self.pack.rules();
        let trumps = self.suits[usize::from(self.pack.trumps())];
        let unbroken = match self.pack.to_be_broken() {
            Some(suit) if position.played == 0 && !position.broken => self.suits[usize::from(suit)],
            _ => 0,
        };
        let (mut led, mut winning) = (0, 0);
        if position.played > 0 {
            led = self.suits[usize::from(position.led)];
            let best = self.suit_of[usize::from(position.best)];
            let higher = u32::MAX
                .checked_shl(u32::from(position.best) + 1)
                .unwrap_or(0);
            winning = self.suits[usize::from(best)] & higher;
            if best != self.pack.trumps() {
                winning |= trumps;
            }
        }
        Asked {
            led,
            trumps,
            winning,
            unbroken,
            must_follow: rules.must_follow,
            must_trump: rules.must_trump,
            must_beat: rules.must_beat,
        }
    }

    /// Of the legal cards of a seen hand, the lowest of each run of equivalent ones.
    fn choices(&self, position: &TrickPosition, legal: u32) -> u32 {
        let table = if position.best == NONE {
            0
        } else {
            1 << position.best
        };
        let live = self.seen_of(position) | self.unseen_of(position) | table;
        let mut choices = 0;
        for card in ones(legal) {
            let suit = self.suits[usize::from(self.suit_of[usize::from(card)])];
            let below = live & suit & ((1 << card) - 1);
            let is_equal = below != 0 && {
                let next = below.ilog2();
                legal >> next & 1 == 1
                    && self.points[next as usize] == self.points[usize::from(card)]
            };
            if !is_equal {
                choices |= 1 << card;
            }
        }
        choices
    }

    /// All moves, each by the card that is played, and the positions after them.
    pub fn moves_by_card(&self, position: &TrickPosition) -> Vec<(u8, TrickPosition)> {
        let mut moves = Vec::new();
        self.each_move(position, |card, next| moves.push((card, next)));
        moves
    }

    fn each_move(&self, position: &TrickPosition, mut found: impl FnMut(u8, TrickPosition)) {
        let player = position.player();
        let asked = self.asked(position);
        if !self.is_hidden(player) {
            let legal = asked.legal(position.hands[player]);
            for card in ones(self.choices(position, legal)) {
                found(card, self.after(position, card, 0));
            }
            return;
        }
        let unseen = self.unseen_of(position);
        let can = unseen & !position.lacks[player];
        let mut left = vec![0; self.worlds.len().div_ceil(64)];
        self.possible(position, &mut left);
        for card in ones(can) {
            let denied = asked.denied_by(1 << card) & unseen;
            let mut words = left.iter().zip(self.holds(player, card)).enumerate();
            let is_possible = words.any(|(place, (left, held))| {
                let lacked = ones(denied & can).map(|card| self.holds(player, card)[place]);
                left & held & !lacked.fold(0, |all, held| all | held) != 0
            });
            if is_possible {
                found(card, self.after(position, card, denied));
            }
        }
    }

    /// The position after a card, which reveals that the hand has none of the denied ones.
    fn after(&self, position: &TrickPosition, card: u8, denied: u32) -> TrickPosition {
        let mut next = *position;
        let (player, suit) = (position.player(), self.suit_of[usize::from(card)]);
        next.hands[player] ^= 1 << card;
        next.lacks[player] |= denied;
        if next.played == 0 {
            next.led = suit;
        }
        if next.best == NONE || self.beats(card, next.best) {
            (next.best, next.best_by) = (card, position.turn);
        }
        next.pot += self.points[usize::from(card)] as u16;
        next.broken |= self.pack.to_be_broken() == Some(suit);
        next.played += 1;
        next.turn = ((player + 1) % self.players()) as u8;
        if usize::from(next.played) == self.players() {
            let winner = usize::from(next.best_by);
            if self.pack.is_own(winner) {
                let points = &self.pack.rules().points;
                next.points += next.pot + points.trick as u16;
                if self.left(&next, winner) == 0 {
                    next.points += points.last_trick as u16;
                }
            }
            (next.turn, next.played, next.led, next.pot) = (next.best_by, 0, NONE, 0);
            (next.best, next.best_by) = (NONE, 0);
        }
        self.settle(&mut next);
        next
    }

    /// Makes a position canonical.
    fn settle(&self, next: &mut TrickPosition) {
        self.infer(next);
        if !self.real_names {
            self.move_down(next);
        }
    }

    /// Infers cards from the lengths of hidden hands.
    fn infer(&self, next: &mut TrickPosition) {
        let unseen = self.unseen_of(next);
        for known in &self.hidden {
            next.lacks[known.player] &= unseen;
        }
        loop {
            let before = next.lacks;
            for known in &self.hidden {
                let player = known.player;
                let left = self.left(next, player);
                let others = self.hidden.iter().map(|other| other.player);
                let others = others.filter(|other| *other != player);
                let can = unseen & !next.lacks[player];
                if can.count_ones() == left {
                    // All of these cards must be its own.
                    for other in others {
                        next.lacks[other] |= can;
                    }
                } else if !self.has_rest {
                    let nobody = others.fold(unseen, |all, other| all & next.lacks[other]);
                    if nobody.count_ones() == left {
                        // It has the cards that no other hand can have, and no others.
                        next.lacks[player] |= unseen & !nobody;
                    }
                }
            }
            if next.lacks == before {
                return;
            }
        }
    }

    /// Moves seen cards to the lowest places with the same points.
    fn move_down(&self, next: &mut TrickPosition) {
        let table = if next.best == NONE {
            0
        } else {
            1_u32 << next.best
        };
        let fixed = self.unseen_of(next) | (table & self.unseen);
        let own_table = table & !self.unseen;
        let seen = self.seen_of(next);
        let mut hands = next.hands;
        let mut moved = [0_u32; MOST_PLAYERS];
        let mut best = next.best;
        for cards in &self.suits {
            let mut free = 0_u32;
            for card in ones(*cards) {
                let bit = 1_u32 << card;
                if fixed & bit != 0 {
                    free = 0;
                    continue;
                }
                if self.unseen & bit == 0 {
                    free |= bit;
                }
                if (seen | own_table) & bit == 0 {
                    continue;
                }
                let points = self.points[usize::from(card)];
                let mut places = ones(free);
                let alike = places.find(|place| self.points[usize::from(*place)] == points);
                let place = alike.unwrap_or(card);
                // Only later places stay free, so that the order of cards is kept.
                free &= u32::MAX.checked_shl(u32::from(place) + 1).unwrap_or(0);
                if own_table & bit != 0 {
                    best = place;
                } else if let Some(player) = hands
                    .iter()
                    .enumerate()
                    .position(|(player, hand)| hand & bit != 0 && !self.is_hidden(player))
                {
                    moved[player] |= 1 << place;
                }
            }
        }
        for player in 0..self.players() {
            if !self.is_hidden(player) {
                hands[player] = moved[player];
            }
        }
        (next.hands, next.best) = (hands, best);
    }

    /// The real card for `card` of a position, and the seen hands after it. `hands` are those
    /// before it, at first [`seen`](Self::seen).
    ///
    /// In each suit the real hand has as many cards as in the position, in the same order.
    pub fn played(
        &self,
        position: &TrickPosition,
        hands: &[u32; MOST_PLAYERS],
        card: u8,
    ) -> (u8, [u32; MOST_PLAYERS]) {
        let player = position.player();
        if self.is_hidden(player) {
            return (card, *hands);
        }
        let suit = self.suits[usize::from(self.suit_of[usize::from(card)])];
        let below = position.hands[player] & suit & ((1 << card) - 1);
        let mut held = ones(hands[player] & suit).skip(below.count_ones() as usize);
        let real = held.next().unwrap_or(card);
        let mut after = *hands;
        after[player] &= !(1 << real);
        (real, after)
    }

    fn write_cards(&self, cards: u32, out: &mut dyn fmt::Write) -> fmt::Result {
        if cards == 0 {
            return out.write_str(" -");
        }
        for card in ones(cards) {
            write!(out, " {}", self.pack.name(self.card(card)))?;
        }
        Ok(())
    }
}

/// Checks that no card is in two places, and returns all cards in play.
fn distinct_cards(pack: &Pack, deal: &TrickDeal, size: usize) -> Result<Vec<Card>, TrickError> {
    let names = &pack.rules().players;
    let mut found: Vec<(Card, String)> = Vec::new();
    let hands = deal.hands.iter().zip(names);
    let seen = hands.filter_map(|(hand, name)| match hand {
        TrickHand::Seen(cards) => Some((cards, name.as_str())),
        TrickHand::Hidden { .. } => None,
    });
    for (cards, name) in seen {
        if cards.len() != size {
            return Err(TrickError::Lengths {
                name: name.to_owned(),
                cards: cards.len(),
                max: names[0].clone(),
                own: size,
            });
        }
        found.extend(
            cards
                .iter()
                .map(|card| (*card, format!("the hand of {name}"))),
        );
    }
    let unseen = deal.unseen.iter();
    found.extend(unseen.map(|card| (*card, "the unseen cards".to_owned())));
    found.sort_unstable();
    each_once(pack, &found)?;
    let hands = deal.hands.iter().zip(names);
    let mut said = Vec::new();
    for (hand, name) in hands {
        if let TrickHand::Hidden { has, .. } = hand {
            said.extend(
                has.iter()
                    .map(|card| (*card, format!("the hand of {name}"))),
            );
        }
    }
    said.sort_unstable();
    each_once(pack, &said)?;
    if found.len() > MOST_CARDS {
        return Err(TrickError::ManyCards(found.len()));
    }
    Ok(found.into_iter().map(|(card, _)| card).collect())
}

/// Checks that no card occurs twice in a sorted list of cards with their places.
fn each_once(pack: &Pack, found: &[(Card, String)]) -> Result<(), TrickError> {
    let Some(pair) = found.windows(2).find(|pair| pair[0].0 == pair[1].0) else {
        return Ok(());
    };
    let card = pack.name(pair[0].0);
    let (first, second) = (pair[0].1.clone(), pair[1].1.clone());
    Err(if first == second {
        let place = first;
        TrickError::TwiceIn { card, place }
    } else {
        TrickError::Shared {
            card,
            first,
            second,
        }
    })
}

/// The indices of the set bits of a word, the lowest first.
fn ones(mut word: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let place = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (place < 32).then_some(place as u8)
    })
}

impl HiddenGame for Tricks {
    type Position = TrickPosition;

    fn worlds(&self) -> usize {
        self.worlds.len()
    }

    fn weight(&self, world: usize) -> u64 {
        self.worlds[world].1
    }

    fn start(&self) -> TrickPosition {
        let mut start = TrickPosition {
            hands: self.start,
            lacks: [0; MOST_PLAYERS],
            points: 0,
            pot: 0,
            turn: self.leader,
            played: 0,
            led: NONE,
            best: NONE,
            best_by: 0,
            broken: self.broken || self.pack.to_be_broken().is_none(),
        };
        for known in &self.hidden {
            let others = self
                .hidden
                .iter()
                .filter(|other| other.player != known.player);
            let theirs = others.fold(0, |all, other| all | other.has);
            start.lacks[known.player] = self.unseen & (known.lacks | theirs);
        }
        self.settle(&mut start);
        start
    }

    fn turn(&self, position: &TrickPosition) -> Turn {
        let player = position.player();
        if self.decided(position).is_some() {
            Turn::Over
        } else if self.pack.is_own(player) && !self.is_hidden(player) {
            Turn::Max
        } else {
            Turn::Min
        }
    }

    fn moves(&self, position: &TrickPosition, out: &mut Vec<TrickPosition>) {
        self.each_move(position, |_, next| out.push(next));
    }

    fn is_possible(&self, position: &TrickPosition, world: usize) -> bool {
        self.hidden.iter().all(|known| {
            let held = self.worlds[world].0[known.player];
            let played = position.hands[known.player];
            played & !held == 0 && held & !played & position.lacks[known.player] == 0
        })
    }

    fn possible(&self, position: &TrickPosition, words: &mut [u64]) {
        words.fill(u64::MAX);
        let last = self.worlds.len() % 64;
        if let Some(word) = words.last_mut().filter(|_| last != 0) {
            *word = (1 << last) - 1;
        }
        for known in &self.hidden {
            for card in ones(position.hands[known.player]) {
                let held = self.holds(known.player, card).iter();
                words
                    .iter_mut()
                    .zip(held)
                    .for_each(|(word, held)| *word &= held);
            }
            for card in ones(position.lacks[known.player]) {
                let held = self.holds(known.player, card).iter();
                words
                    .iter_mut()
                    .zip(held)
                    .for_each(|(word, held)| *word &= !held);
            }
        }
    }

    fn points(&self, position: &TrickPosition, _world: usize) -> u32 {
        self.decided(position).unwrap_or(0)
    }

    fn points_in_all(&self, position: &TrickPosition) -> Option<u32> {
        self.decided(position)
    }

    fn most_points(&self) -> u32 {
        self.most
    }

    fn name(&self, position: &TrickPosition, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(out, "{} points", position.points)?;
        let names = &self.pack.rules().players;
        for (player, name) in names.iter().enumerate() {
            let verb = if self.is_hidden(player) {
                "played"
            } else {
                "has"
            };
            write!(out, ", {name} {verb}")?;
            self.write_cards(position.hands[player], out)?;
        }
        write!(out, ", {} plays", names[position.player()])
    }

    fn move_name(
        &self,
        from: &TrickPosition,
        to: &TrickPosition,
        out: &mut dyn fmt::Write,
    ) -> fmt::Result {
        let mut moves = self.moves_by_card(from).into_iter();
        match moves.find(|(_, next)| next == to) {
            Some((card, _)) => out.write_str(&self.pack.name(self.card(card))),
            None => self.name(to, out),
        }
    }

    fn world_name(&self, world: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        let names = &self.pack.rules().players;
        for (place, known) in self.hidden.iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            write!(out, "{comma}{}", names[known.player])?;
            self.write_cards(self.worlds[world].0[known.player], out)?;
        }
        if self.hidden.is_empty() {
            out.write_str("nothing is hidden")?;
        }
        Ok(())
    }
}
