//! A deal of racing with a list of its worlds: a game with hidden cards.
//!
//! Idea: a world is a hand that MIN may hold, and the cards he has played determine the worlds in
//! which a position is possible. A row of bits for each card marks the worlds that hold it, so the
//! worlds of a position are the intersection of the rows of the cards that MIN has played. With
//! [`classes`](RacingHands::classes) in place of hands only the list and the moves differ.
//!
//! Cost: 8 bytes for each world, and a bit for each card and world.

use std::fmt;

use meetjoin_dag::{AndOrDag, HiddenGame, Kind, Turn};
use meetjoin_lattice::{Budget, Stop};

use super::{Racing, RacingPosition, cards, poll};

/// Cards that count as one move.
#[derive(Clone, Debug)]
pub(super) struct Alike {
    /// The cards that MAX does not hold, by gap from the lowest up, without empty gaps. Each gap is
    /// one move.
    pub(super) gaps: Vec<u64>,
    /// The number of hands in each class.
    pub(super) counts: Vec<u64>,
    /// Whether touching cards of MAX are one move, too.
    pub(super) touching: bool,
}

/// A deal with the hands that MIN may hold. See the [module page](crate::racing).
#[derive(Clone, Debug)]
pub struct RacingHands {
    pub(super) deal: Racing,
    /// In ascending order of their ascending lists of cards.
    hands: Vec<u64>,
    /// For card c the row c - 1: a bit for each world, set where it holds the card.
    holding: Vec<u64>,
    /// Cards that count as one move; `None` if each card is a move of its own.
    pub(super) alike: Option<Alike>,
}

impl RacingHands {
    /// All hands, in the order of [`Racing::worlds`].
    pub fn new(deal: &Racing) -> Self {
        let made = Self::within(deal, &Budget::unlimited());
        made.unwrap_or_else(|_| unreachable!("there is no limit"))
    }

    /// All hands, listed within limits: there may be millions.
    ///
    /// # Errors
    /// If a limit is reached.
    pub fn within(deal: &Racing, budget: &Budget) -> Result<Self, Stop> {
        Self::of(deal, deal.worlds_within(budget)?, None, budget)
    }

    /// Only these hands, in ascending order of their ascending lists of cards.
    pub(super) fn of(
        deal: &Racing,
        hands: Vec<u64>,
        alike: Option<Alike>,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let (deck, words) = (usize::from(deal.deck), hands.len().div_ceil(64));
        budget.room(8 * (deck * words) as u64)?;
        let mut holding = vec![0; deck * words];
        for (world, hand) in hands.iter().enumerate() {
            poll(world, budget)?;
            for card in cards(*hand) {
                let row = usize::from(card - 1) * words;
                holding[row + world / 64] |= 1 << (world % 64);
            }
        }
        Ok(Self {
            deal: deal.clone(),
            hands,
            holding,
            alike,
        })
    }

    /// The deal.
    pub fn deal(&self) -> &Racing {
        &self.deal
    }

    /// The hands that are the worlds, or that represent classes: bit c - 1 for card c.
    pub fn hands(&self) -> &[u64] {
        &self.hands
    }
}

impl HiddenGame for RacingHands {
    type Position = RacingPosition;

    fn worlds(&self) -> usize {
        self.hands.len()
    }

    fn weight(&self, world: usize) -> u64 {
        self.counts().get(world).copied().unwrap_or(1)
    }

    fn start(&self) -> RacingPosition {
        let root = self.deal.root();
        match &self.alike {
            None => root,
            Some(alike) => alike.representative_of(&self.deal, &root),
        }
    }

    #[inline]
    fn turn(&self, position: &RacingPosition) -> Turn {
        match self.deal.kind(position) {
            Kind::Or => Turn::Max,
            Kind::And => Turn::Min,
            Kind::Leaf => Turn::Over,
        }
    }

    fn moves(&self, position: &RacingPosition, out: &mut Vec<RacingPosition>) {
        match &self.alike {
            None => self.deal.children(position, out),
            Some(alike) => alike.moves(&self.deal, position, out),
        }
    }

    fn is_possible(&self, position: &RacingPosition, world: usize) -> bool {
        position.min_played & !self.hands[world] == 0
    }

    fn points(&self, position: &RacingPosition, _: usize) -> u32 {
        self.deal.max_has_won(position).into()
    }

    fn points_in_all(&self, position: &RacingPosition) -> Option<u32> {
        Some(self.deal.max_has_won(position).into())
    }

    fn possible(&self, position: &RacingPosition, words: &mut [u64]) {
        let row = |card: u8| {
            let count = self.hands.len().div_ceil(64);
            let first = usize::from(card - 1) * count;
            &self.holding[first..first + count]
        };
        let mut played = cards(position.min_played).map(row);
        // Called at every leaf. Copying the first row and combining two rows per pass saves up to a
        // tenth of a whole search without a cache.
        match played.next() {
            Some(first) => words.copy_from_slice(first),
            None => words.fill(u64::MAX),
        }
        while let Some(first) = played.next() {
            let second = played.next().unwrap_or(first);
            let both = first.iter().zip(second);
            let words = words.iter_mut().zip(both);
            words.for_each(|(word, (a, b))| *word &= a & b);
        }
    }

    fn name(&self, position: &RacingPosition, out: &mut dyn fmt::Write) -> fmt::Result {
        match &self.alike {
            None => self.deal.name(position, out),
            Some(alike) => alike.write_name(&self.deal, position, out),
        }
    }

    /// The move is named by the card.
    fn move_name(
        &self,
        from: &RacingPosition,
        to: &RacingPosition,
        out: &mut dyn fmt::Write,
    ) -> fmt::Result {
        self.deal.move_name(from, to, out)
    }

    /// The world is named by the cards of the hand.
    fn world_name(&self, world: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        let mut between = "";
        cards(self.hands[world]).try_for_each(|card| {
            super::write_number(between, card, out)?;
            between = " ";
            Ok(())
        })
    }
}
