//! What is known of states with all cards seen: one table of words, without pointers.
//!
//! Problem: double-dummy questions are asked of many millions of small states, so the time of a
//! look-up and the memory of an entry are most of the cost.
//!
//! Idea: only the order of the cards in play counts, so the places of cards that are gone are left
//! out. Of up to 32 cards the owners are two words of 32 bits, one more has the cards at which a
//! kind begins; with the lengths of the suits and who leads that is 114 bits. Bounds on the tricks
//! are eight more, and key and bounds are one word of 128 bits in a table of open addresses.
//!
//! Invariants: keys are compared whole. A bound is true of its state. Where memory is short, an
//! entry may replace another.
//!
//! Cost: 16 bytes for an entry, with at least one place in eight free; a look-up mostly reads one
//! cache line.
//!
//! Source: taking out the bits that a mask leaves out: Warren, Hacker's Delight (2012), chapter 7.

use meetjoin_lattice::{Budget, Stop};

use super::rules::Hands;

/// Every card is a kind.
pub(super) const EACH_ITS_OWN: u32 = u32::MAX;
/// The places of the first table.
const FIRST: usize = 1 << 10;
/// Bits of the bounds.
const BOUNDS: u32 = 8;

/// The key of a state; its lowest bits, those of the bounds, are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State(u128);

impl State {
    /// The state of the cards in play, who leads, and where kinds of the defenders' cards begin.
    pub(super) fn new(hands: Hands, suits: &[u32; 4], leader: usize, kinds: u32) -> Self {
        let (north, east, south, west) = (hands[0], hands[1], hands[2], hands[3]);
        let all = north | east | south | west;
        let out = Squeeze::new(all);
        let by_side = out.squeezed(east | west);
        let by_seat = out.squeezed(south | west);
        let begins = match kinds {
            EACH_ITS_OWN => 0,
            _ => out.squeezed(begins(north | south, east | west, kinds)),
        };
        let lengths = suits.iter().fold(leader as u32, |lengths, suit| {
            lengths << 4 | (all & suit).count_ones()
        });
        let words = [by_side, by_seat, begins];
        let words = words.iter().fold(u128::from(lengths), |key, word| {
            key << 32 | u128::from(*word)
        });
        Self(words << BOUNDS)
    }

    /// Where probing begins.
    fn home(self) -> usize {
        let (low, high) = (self.0 as u64, (self.0 >> 64) as u64);
        let product =
            u128::from(low ^ 0x9E37_79B9_7F4A_7C15) * u128::from(high ^ 0xBF58_476D_1CE4_E5B9);
        (product as u64 ^ (product >> 64) as u64) as usize
    }
}

/// The defenders' cards in play that are not of one kind with the next card below them in play.
fn begins(own: u32, defenders: u32, kinds: u32) -> u32 {
    let gone = !(own | defenders);
    // A kind that begins at a card that is gone, or just above declarer's, begins at the next card
    // in play: the carry passes through all that are gone.
    let from = kinds | own << 1;
    (from | gone.wrapping_add(from & gone)) & defenders
}

/// Compresses words: keeps the bits of a mask and moves them together.
struct Squeeze {
    mask: u32,
    /// The bits that move by 1, 2, 4, 8 and 16 places.
    moves: [u32; 5],
}

impl Squeeze {
    fn new(mask: u32) -> Self {
        let mut moves = [0; 5];
        let (mut rest, mut gone) = (mask, !mask << 1);
        for (step, moved) in moves.iter_mut().enumerate() {
            // For each place, whether the number of places gone below it is odd.
            let mut odd = gone;
            for shift in [1, 2, 4, 8, 16] {
                odd ^= odd << shift;
            }
            *moved = odd & rest;
            rest = (rest ^ *moved) | *moved >> (1 << step);
            gone &= !odd;
        }
        Self { mask, moves }
    }

    fn squeezed(&self, word: u32) -> u32 {
        let mut word = word & self.mask;
        for (step, moves) in self.moves.iter().enumerate() {
            let moved = word & moves;
            word = (word ^ moved) | moved >> (1 << step);
        }
        word
    }
}

/// Bounds on the tricks that declarer takes from states.
#[derive(Clone, Debug, Default)]
pub(super) struct States {
    /// A state and its bounds, or zero. As many as a power of two.
    entries: Vec<u128>,
    count: usize,
}

impl States {
    /// At least and at most, if something is known.
    pub(super) fn get(&self, state: State) -> Option<(u8, u8)> {
        let entry = *self.entries.get(self.place(state)?)?;
        let bounds = (entry >> 4 & 15, entry & 15);
        (entry != 0).then_some((bounds.0 as u8, bounds.1 as u8))
    }

    /// Sets the bounds of a state, each at most fifteen.
    ///
    /// # Errors
    /// When the budget has no room for a larger table, and caches do not forget.
    pub(super) fn put(
        &mut self,
        state: State,
        (least, most): (u8, u8),
        budget: &Budget,
    ) -> Result<(), Stop> {
        let mut is_full = self.count + self.entries.len() / 8 >= self.entries.len();
        if is_full {
            is_full = !self.grow(budget)?;
        }
        let Some(mut place) = self.place(state) else {
            return Ok(());
        };
        if self.entries[place] == 0 {
            if is_full {
                // The entry at the home place is replaced: entries past it are still found.
                place = state.home() & (self.entries.len() - 1);
            } else {
                self.count += 1;
            }
        }
        self.entries[place] = state.0 | u128::from(least) << 4 | u128::from(most);
        Ok(())
    }

    /// The place of a state, or the free one for it; none if there is no table. Some place is
    /// always free.
    fn place(&self, state: State) -> Option<usize> {
        let last = self.entries.len().checked_sub(1)?;
        let mut place = state.home() & last;
        while self.entries[place] != 0 && self.entries[place] >> BOUNDS != state.0 >> BOUNDS {
            place = (place + 1) & last;
        }
        Some(place)
    }

    /// A table of twice the size, if there is room.
    fn grow(&mut self, budget: &Budget) -> Result<bool, Stop> {
        let size = (self.entries.len() * 2).max(FIRST);
        if self.count > 0 && !budget.spare(16 * size as u64)? {
            return Ok(false);
        }
        let before = std::mem::replace(&mut self.entries, vec![0; size]);
        for entry in before.into_iter().filter(|entry| *entry != 0) {
            if let Some(place) = self.place(State(entry >> BOUNDS << BOUNDS)) {
                self.entries[place] = entry;
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::rules::are_equal;
    use super::*;

    const SUITS: [u32; 4] = [0x0000_01FF, 0x0000_FE00, 0x003F_0000, 0xFFC0_0000];

    fn random(state: &mut u64) -> u32 {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (*state >> 33) as u32 ^ (*state >> 29) as u32
    }

    /// Some cards in play, and where kinds begin, as at the lowest of each suit.
    fn drawn(state: &mut u64) -> (Hands, u32) {
        let mut hands = [0; 4];
        let sparse = random(state) & random(state);
        let in_play = if state.is_multiple_of(2) { sparse } else { !0 };
        for place in 0..32 {
            hands[random(state) as usize % 4] |= in_play & 1 << place;
        }
        let lowest = SUITS
            .iter()
            .fold(0, |all, suit| all | suit & suit.wrapping_neg());
        (hands, random(state) | lowest)
    }

    /// All that a state says, as a list: card by card from the lowest.
    fn listed(hands: Hands, leader: usize, kinds: u32) -> Vec<(usize, usize, bool)> {
        let mut list = vec![(leader, 0, false)];
        for (suit, cards) in SUITS.iter().enumerate() {
            let mut below: Option<u32> = None;
            for card in (0..32).map(|place| 1_u32 << place) {
                let Some(owner) = hands.iter().position(|hand| hand & cards & card != 0) else {
                    continue;
                };
                let is_defenders = |card: u32| (hands[1] | hands[3]) & card != 0;
                let is_same = below.is_some_and(|below| {
                    is_defenders(below) && is_defenders(card) && are_equal(below, card, kinds)
                });
                list.push((suit, owner, is_defenders(card) && !is_same));
                below = Some(card);
            }
        }
        list
    }

    #[test]
    fn states_are_the_same_exactly_if_their_lists_are() {
        let mut state = 1;
        let mut found: HashMap<u128, Vec<(usize, usize, bool)>> = HashMap::new();
        for _ in 0..2_000 {
            let (hands, kinds) = drawn(&mut state);
            let leader = random(&mut state) as usize % 4;
            let list = listed(hands, leader, kinds);
            let key = State::new(hands, &SUITS, leader, kinds).0;
            assert_eq!(key % (1 << BOUNDS), 0);
            assert_eq!(*found.entry(key).or_insert_with(|| list.clone()), list);
            // Without its highest card and with it one lower it is the same, if there is a gap.
            for suit in SUITS {
                let all = hands.iter().fold(0, |all, hand| all | hand) & suit;
                let Some(top) = all.checked_ilog2() else {
                    continue;
                };
                let lower = 1_u32 << top >> 1;
                if lower & suit == 0 || lower & all != 0 || kinds & lower == 0 {
                    continue;
                }
                let moved = hands.map(|hand| {
                    let held = hand >> top & 1;
                    (hand & !(1 << top)) | (held * lower)
                });
                let kinds = kinds | 1 << top;
                let (was, is) = (listed(hands, leader, kinds), listed(moved, leader, kinds));
                let key = |hands| State::new(hands, &SUITS, leader, kinds);
                assert_eq!(was == is, key(hands) == key(moved));
            }
        }
        let lists: std::collections::HashSet<_> = found.values().collect();
        assert_eq!(lists.len(), found.len());
    }

    #[test]
    fn the_table_keeps_what_was_put_and_forgets_where_there_is_no_room() {
        let mut state = 1;
        let budget = Budget::unlimited();
        let (mut table, mut known) = (States::default(), Vec::new());
        for _ in 0..5_000 {
            let (hands, kinds) = drawn(&mut state);
            let state = State::new(hands, &SUITS, 0, kinds);
            if table.get(state).is_some() {
                continue;
            }
            table.put(state, (0, 15), &budget).expect("room");
            known.push(state);
        }
        for (place, state) in known.iter().enumerate() {
            let bounds = (place as u8 % 5, 8);
            table.put(*state, bounds, &budget).expect("room");
            assert_eq!(table.get(*state), Some(bounds));
        }
        assert_eq!(table.count, known.len());

        let tight = Budget::new(meetjoin_lattice::Limits {
            memory: Some(meetjoin_lattice::MemoryLimit {
                bytes: 1,
                used: || 1,
            }),
            forget: true,
            ..meetjoin_lattice::Limits::default()
        });
        let mut small = States::default();
        for (place, state) in known.iter().enumerate() {
            small
                .put(*state, (1, place as u8 % 7), &tight)
                .expect("it forgets");
        }
        assert_eq!(small.entries.len(), FIRST);
        let kept = known.iter().enumerate();
        let kept = kept.filter_map(|(place, state)| Some((place, small.get(*state)?)));
        let kept: Vec<_> = kept.collect();
        assert!(kept.len() > FIRST / 2 && kept.len() < known.len());
        assert!(
            kept.iter()
                .all(|(place, bounds)| *bounds == (1, *place as u8 % 7))
        );
    }
}
