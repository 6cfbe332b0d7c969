//! The hands of MIN that MAX beats with all cards seen: the value of the whole game in sets of
//! worlds, without a list of the worlds.
//!
//! Problem: a deck of 40 cards with 13 in a hand has 9.7 million hands of MIN. Searching them
//! together takes sets of as many bits, and searching them one by one as many games.
//!
//! Idea: with both hands known only the order of the cards in play matters. So all hands that have
//! the same number of cards in each gap between MAX's cards are one [`HandClass`]: one pattern, one
//! query of a table of ranks that all classes share. The number of hands in a class is a product of
//! binomial coefficients.
//!
//! Invariant: each hand belongs to exactly one class, and the classes are in descending order of
//! their counts from the lowest gap up.
//!
//! Cost: a step and two queries for each class, and a byte for each gap of a class that MAX wins.

use meetjoin_lattice::{Budget, Stop};

use super::{Racing, bit};
use crate::racing::heuristics::ranks::{RankTable, low_bits};

/// The hands of MIN against which MAX wins when both see all cards. See the [module page](self).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WinningHands {
    lead: u8,
    /// The cards that MIN may hold besides the lead, from the gap below MAX's lowest card to the
    /// one above her highest.
    gaps: Vec<u64>,
    /// For each class, the number of cards in each gap.
    counts: Vec<u8>,
    hands: u64,
}

/// Hands of MIN that differ in interchangeable cards only.
#[derive(Clone, Copy, Debug)]
pub struct HandClass<'a> {
    winning: &'a WinningHands,
    counts: &'a [u8],
}

impl WinningHands {
    /// The number of hands in all classes.
    pub fn count(&self) -> u64 {
        self.hands
    }

    /// The classes, always in the same order.
    pub fn classes(&self) -> impl Iterator<Item = HandClass<'_>> {
        let classes = self.counts.chunks_exact(self.gaps.len());
        classes.map(|counts| HandClass {
            winning: self,
            counts,
        })
    }

    /// All hands, class by class, as sets of cards (bit c - 1 for card c).
    pub fn hands(&self) -> impl Iterator<Item = u64> {
        self.classes().flat_map(|class| class.hands())
    }
}

impl<'a> HandClass<'a> {
    /// The number of cards besides the lead that its hands have in each gap, from the gap below
    /// MAX's lowest card to the one above her highest.
    pub fn counts(&self) -> &'a [u8] {
        self.counts
    }

    /// The number of its hands.
    pub fn count(&self) -> u64 {
        let gaps = self.winning.gaps.iter().zip(self.counts);
        let ways = gaps.map(|(gap, &count)| choose(gap.count_ones().into(), count.into()));
        ways.product()
    }

    /// Its hands, as sets of cards (bit c - 1 for card c).
    pub fn hands(&self) -> impl Iterator<Item = u64> + use<'a> {
        let (gaps, counts) = (&self.winning.gaps, self.counts);
        let lead = bit(self.winning.lead);
        let lowest = |gap: usize| lowest(gaps[gap], counts[gap].into());
        let mut next: Option<Vec<u64>> = Some((0..gaps.len()).map(lowest).collect());
        std::iter::from_fn(move || {
            let mut chosen = next.take()?;
            let hand = chosen.iter().fold(lead, |hand, cards| hand | cards);
            // Like an odometer: the first gap that has another choice takes it, and those before it
            // start again.
            for gap in 0..gaps.len() {
                if let Some(other) = next_choice(gaps[gap], chosen[gap]) {
                    chosen[gap] = other;
                    next = Some(chosen);
                    break;
                }
                chosen[gap] = lowest(gap);
            }
            Some(hand)
        })
    }
}

/// C(n, k). No intermediate product reaches 64 bits for 64 cards.
pub(super) fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1))
}

/// The lowest `count` cards of a set.
pub(super) fn lowest(cards: u64, count: u32) -> u64 {
    let mut rest = cards;
    for _ in 0..count {
        rest &= rest.wrapping_sub(1);
    }
    cards & !rest
}

/// The next larger subset of `cards`, as a number, with as many cards.
fn next_choice(cards: u64, chosen: u64) -> Option<u64> {
    let lowest_chosen = chosen & chosen.wrapping_neg();
    // The carry propagates through all non-members of `cards` and the chosen cards.
    let moved = (chosen | !cards).wrapping_add(lowest_chosen) & cards;
    let missing = chosen.count_ones().checked_sub(moved.count_ones())?;
    (moved > chosen).then(|| moved | lowest(cards, missing))
}

impl Racing {
    /// The hands of MIN against which MAX wins when both see all cards, by classes.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn winning_hands(&self, budget: &Budget) -> Result<WinningHands, Stop> {
        let gaps = self.gaps();
        let mut winning = WinningHands {
            lead: self.lead,
            gaps: gaps.iter().map(|gap| gap & !bit(self.lead)).collect(),
            counts: Vec::new(),
            hands: 0,
        };
        let held = self.hand.len() as u8;
        let mut table = RankTable::new(held, self.goal);
        let counting = table.counting(held);
        if self.goal > counting {
            return Ok(winning);
        }
        let lead_gap = gaps.iter().position(|gap| gap & bit(self.lead) != 0);
        let mut classes = Classes::new(&winning.gaps, u32::from(held) - 1);
        let mut more = true;
        while more {
            budget.steps(1)?;
            let (mut maxs, mut length, mut lead) = (0, 0, 0);
            for (gap, &count) in classes.counts.iter().enumerate() {
                if gap > 0 {
                    maxs |= 1 << length;
                    length += 1;
                }
                if Some(gap) == lead_gap {
                    lead = length;
                    length += 1;
                }
                length += u32::from(count);
            }
            let mins = !maxs & low_bits(2 * u32::from(held));
            let need = counting + 1 - self.goal;
            if !table.leader_takes_with(mins, held, lead, need, budget)? {
                winning.counts.extend_from_slice(&classes.counts);
            }
            more = classes.advance();
        }
        winning.hands = winning.classes().map(|class| class.count()).sum();
        Ok(winning)
    }

    /// The cards that MAX does not hold, from those below her lowest card to those above her
    /// highest.
    pub(super) fn gaps(&self) -> Vec<u64> {
        let mut lower = 0;
        let mut gaps = Vec::with_capacity(self.hand.len() + 1);
        for &card in self.hand.iter().rev() {
            let up_to_card = bit(card) | (bit(card) - 1);
            gaps.push(self.foreign & up_to_card & !lower);
            lower = up_to_card;
        }
        gaps.push(self.foreign & !lower);
        gaps
    }
}

/// All ways to take a number of cards from gaps, as a count for each gap, in descending order from
/// the lowest gap up.
#[derive(Debug)]
pub(super) struct Classes {
    sizes: Vec<u8>,
    pub(super) counts: Vec<u8>,
}

impl Classes {
    /// The first way. The gaps must have enough cards.
    pub(super) fn new(gaps: &[u64], cards: u32) -> Self {
        let sizes: Vec<u8> = gaps.iter().map(|gap| gap.count_ones() as u8).collect();
        let mut classes = Self {
            counts: vec![0; sizes.len()],
            sizes,
        };
        classes.fill(0, cards as u8);
        classes
    }

    /// Takes cards from gaps from `first` up, as low as possible.
    fn fill(&mut self, first: usize, mut cards: u8) {
        let places = self.counts[first..].iter_mut().zip(&self.sizes[first..]);
        for (count, &size) in places {
            *count = cards.min(size);
            cards -= *count;
        }
    }

    /// Moves on to the next way; returns whether there is one.
    pub(super) fn advance(&mut self) -> bool {
        let (mut above, mut room) = (0, 0);
        for gap in (0..self.counts.len()).rev() {
            if self.counts[gap] > 0 && above < room {
                self.counts[gap] -= 1;
                self.fill(gap + 1, above + 1);
                return true;
            }
            above += self.counts[gap];
            room += self.sizes[gap];
        }
        false
    }
}
