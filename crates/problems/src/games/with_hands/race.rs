//! Racing as two people play it: MIN holds a hand that MAX does not see.
//!
//! What MAX can still guarantee is the value of the deal from the position on: sets of hands, each
//! of which one strategy beats. So MAX plays well by choosing such a set as her aim and moving to
//! positions where it still is one; when MIN errs, larger sets appear, and her new aim is the
//! largest that contains the old one. MIN knows both hands. She moves to where no set contains her
//! own hand, if she can, and else to where the largest set that contains it is smallest.

use std::sync::Arc;

use meetjoin_catalogue::method::DEFAULT;
use meetjoin_dag::{AndOrDag, Kind};
use meetjoin_games::Refusal;
use meetjoin_games::racing::{Racing, RacingPosition};
use meetjoin_lattice::{Budget, Interval, Stop};
use meetjoin_report::counted;
use meetjoin_solve::answer::Found;
use meetjoin_solve::request::{Refused, Request};
use meetjoin_solve::value::{Names, Value};

use super::hands::{Hands, hand_text};
use super::racing::{RacingArgs, deal, racing};
use crate::games::words::SetLattice;

/// Longer values are listed only if limits leave time and memory for it.
const MOST_ITEMS: usize = 1 << 20;

/// A deal of racing at some position.
#[derive(Clone, Debug)]
pub struct Race {
    /// The deal from the present position on.
    deal: Racing,
    lattice: SetLattice,
    /// All hands that MIN may have been dealt, as sets of cards (bit c - 1 for card c), then the
    /// index and the cards of her real hand.
    hands: Arc<[u64]>,
    dealt: usize,
    min_hand: Vec<u8>,
    names: Arc<Hands>,
    /// The hands that MAX aims to beat.
    aim: Vec<usize>,
}

/// What MAX can still guarantee.
#[derive(Clone, Debug)]
pub struct Outlook {
    /// Sets of hands, the largest first, each of which one strategy beats. They exclude hands that
    /// MIN cannot hold any more.
    pub sets: Vec<Vec<usize>>,
    /// The number of hands that MIN may hold.
    pub possible: usize,
    /// Why the search was stopped, if it was; then there may be more and larger sets.
    pub stop: Option<Stop>,
    names: Arc<Hands>,
}

impl Outlook {
    /// In words.
    pub fn text(&self) -> String {
        let least = if self.stop.is_some() { "at least " } else { "" };
        let (possible, most) = (self.possible, self.sets.first().map_or(0, Vec::len));
        let of_all = format!(
            "{most} of the {} that MIN may hold",
            counted(possible, "hand")
        );
        match self.sets.len() {
            _ if most == 0 => format!("MAX is {least}sure of no hand that MIN may hold"),
            1 if possible == 1 && self.stop.is_none() => "MAX wins for sure".to_owned(),
            // With larger sets there may be fewer of them.
            sets if sets == 1 || self.stop.is_some() => format!(
                "MAX can beat {least}{of_all}: {}",
                self.names.readable_family(&self.sets)
            ),
            sets => format!(
                "MAX can choose among {sets} sets of hands to beat, of up to {of_all}: {}",
                self.names.readable_family(&self.sets)
            ),
        }
    }
}

/// A set of cards as a number, if they are cards of a deck.
fn set_of(cards: &[u8]) -> Option<u64> {
    cards.iter().try_fold(0, |set, card| {
        let place = u32::from(card.checked_sub(1)?);
        Some(set | 1_u64.checked_shl(place)?)
    })
}

impl Race {
    /// A deal in which MIN holds these cards, or a hand [drawn at random](Racing::random_world).
    ///
    /// # Errors
    /// If the arguments do not make a game, or MIN cannot hold these cards.
    pub fn new(args: &RacingArgs, min_hand: Option<&[u8]>, seed: u64) -> Result<Self, String> {
        let deal = deal(args)?;
        let hands = deal.worlds();
        let dealt = match min_hand {
            None => deal.random_world(seed),
            Some(cards) => {
                let mut cards = cards.to_vec();
                cards.sort_unstable();
                let held = set_of(&cards).filter(|held| held.count_ones() as usize == cards.len());
                let place = held.and_then(|held| hands.iter().position(|hand| *hand == held));
                place.ok_or_else(|| {
                    let (count, lead) = (deal.hand().len(), deal.lead());
                    format!(
                        "MIN cannot hold {}: it takes {count} cards of the deck that MAX does not hold, the lead {lead} among them",
                        hand_text(&cards)
                    )
                })?
            }
        };
        Ok(Self {
            lattice: args.lattice,
            min_hand: deal.hand_at(dealt).unwrap_or_default(),
            hands: hands.into(),
            dealt,
            names: Arc::new(Hands(deal.clone())),
            aim: Vec::new(),
            deal,
        })
    }

    fn now(&self) -> RacingPosition {
        self.deal.root()
    }

    /// The player to move: `Or` for MAX, `And` for MIN, `Leaf` if the game is over.
    pub fn to_move(&self) -> Kind {
        self.deal.kind(&self.now())
    }

    /// The hand that MIN was dealt.
    pub fn min_hand(&self) -> &[u8] {
        &self.min_hand
    }

    /// The cards that MIN still holds, ascending.
    pub fn min_left(&self) -> Vec<u8> {
        let played = self.now().min_played();
        let left = self.min_hand().iter().copied();
        left.filter(|card| played >> (card - 1) & 1 == 0).collect()
    }

    /// The position in a line: whose turn it is, the score, MAX's cards, those that MIN has played,
    /// the one on the table.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.deal.name(&self.now(), &mut text);
        text
    }

    /// Returns whether MAX has won, when the game is over.
    pub fn max_has_won(&self) -> bool {
        self.deal.max_has_won(&self.now())
    }

    /// The cards that the player to move may play, with the positions after them.
    fn moves(&self) -> Vec<(u8, RacingPosition)> {
        let now = self.now();
        let mut next = Vec::new();
        if self.to_move() != Kind::Leaf {
            self.deal.children(&now, &mut next);
        }
        let card = |next: &RacingPosition| self.deal.played(&now, next).unwrap_or(0);
        next.into_iter().map(|next| (card(&next), next)).collect()
    }

    /// Returns whether the player to move holds this card.
    fn holds(&self, card: u8) -> bool {
        self.to_move() == Kind::Or || self.min_left().contains(&card)
    }

    /// The cards that the player to move holds, from the highest down.
    pub fn cards(&self) -> Vec<u8> {
        let cards = self.moves().into_iter().map(|(card, _)| card);
        cards.filter(|&card| self.holds(card)).collect()
    }

    /// The deal after a card.
    ///
    /// # Errors
    /// Why the player to move cannot play it.
    pub fn play(&self, card: u8) -> Result<Self, Refusal> {
        let refusal = match self.to_move() {
            Kind::Leaf => return Err(Refusal::Over),
            Kind::Or => Refusal::Blocked("MAX does not hold it"),
            Kind::And => Refusal::Blocked("MIN does not hold it"),
        };
        let moves = self.moves();
        let next = moves.iter().find(|(other, _)| *other == card);
        let (_, next) = next.filter(|_| self.holds(card)).ok_or(refusal)?;
        Ok(Self {
            deal: self.deal.from_position(*next),
            ..self.clone()
        })
    }

    /// Returns whether MIN may still hold a hand, as far as MAX knows after the cards of this
    /// position.
    fn is_possible(&self, hand: usize, position: &RacingPosition) -> bool {
        position.min_played() & !self.hands[hand] == 0
    }

    /// The outlook at a position from its value.
    fn outlook_of(&self, found: &Found, position: &RacingPosition) -> Outlook {
        let lower = match &found.value {
            Interval::Exact(value) => value,
            Interval::Between { lower, .. } => lower,
        };
        let listed: &[Vec<usize>] = match lower {
            Value::Sets { sets, .. } => sets,
            Value::Element { .. } | Value::End { .. } => &[],
        };
        let possible = |hand: &usize| self.is_possible(*hand, position);
        let possible_of = |set: &Vec<usize>| set.iter().copied().filter(possible).collect();
        let mut sets: Vec<Vec<usize>> = listed.iter().map(possible_of).collect();
        // Sets that differ only in impossible hands become equal or comparable without them.
        sets.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        let mut maximal: Vec<Vec<usize>> = Vec::new();
        for set in sets {
            if !maximal.iter().any(|larger| is_within(&set, larger)) {
                maximal.push(set);
            }
        }
        Outlook {
            sets: maximal,
            possible: (0..self.hands.len()).filter(possible).count(),
            stop: found.stop,
            names: Arc::clone(&self.names),
        }
    }

    /// What MAX can still guarantee, now and after each card that the player to move holds.
    ///
    /// # Errors
    /// If the deal cannot be searched.
    pub fn outlook(&self, budget: &Budget) -> Result<(Outlook, Vec<(u8, Outlook)>), Refused> {
        let mut request = Request::new(DEFAULT, budget);
        request.moves = true;
        request.most_items = MOST_ITEMS;
        let answer = racing(self.deal.clone(), self.lattice).solve(request)?;
        let after = self.moves().into_iter().zip(answer.moves.iter().flatten());
        let after = after.filter(|((card, _), _)| self.holds(*card));
        let after = after.map(|((card, next), (_, found))| (card, self.outlook_of(found, &next)));
        let after = after.collect();
        Ok((self.outlook_of(&answer.root, &self.now()), after))
    }

    /// The card that the player to move should play; `None` if the game is over. Updates MAX's aim.
    pub fn best(&mut self, after: &[(u8, Outlook)]) -> Option<u8> {
        let now = self.now();
        self.aim = std::mem::take(&mut self.aim)
            .into_iter()
            .filter(|&hand| self.is_possible(hand, &now))
            .collect();
        if self.to_move() == Kind::Or {
            let sets = after
                .iter()
                .flat_map(|(card, outlook)| outlook.sets.iter().map(move |set| (card, set)));
            // The first of the best cards: one that keeps the aim, and then one with the most
            // hands.
            let mut best: Option<(bool, &u8, &Vec<usize>)> = None;
            for (card, set) in sets {
                let keeps = is_within(&self.aim, set);
                if best.is_none_or(|(kept, _, most)| (keeps, set.len()) > (kept, most.len())) {
                    best = Some((keeps, card, set));
                }
            }
            if let Some((_, &card, set)) = best {
                self.aim.clone_from(set);
                return Some(card);
            }
        } else {
            // The hands of a set are ascending.
            let danger = |outlook: &Outlook| {
                let sets = outlook.sets.iter();
                let holding = sets.filter(|set| set.binary_search(&self.dealt).is_ok());
                holding.map(Vec::len).max().unwrap_or(0)
            };
            if let Some((card, _)) = after.iter().min_by_key(|(_, outlook)| danger(outlook)) {
                return Some(*card);
            }
        }
        self.cards().first().copied()
    }
}

/// Returns whether one ascending list is a subset of another.
fn is_within(part: &[usize], whole: &[usize]) -> bool {
    part.iter().all(|hand| whole.binary_search(hand).is_ok())
}
