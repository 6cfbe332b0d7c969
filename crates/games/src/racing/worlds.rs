//! The hands that MIN may hold: their number, their list, and each by its index.
//!
//! Problem: a deck of 40 cards has up to 9.7 million of them, so a list takes time and memory
//! before a search begins.
//!
//! Idea: the list has a number for each hand, is generated in its final order, and checks a budget
//! now and then. Showing some of the hands needs no list: the index of a hand determines its cards
//! (the combinatorial number system).
//!
//! Invariant: hands are in ascending order of their ascending lists of cards. The lead, which all
//! of them hold, changes nothing in that order.
//!
//! Cost: 8 bytes per hand; finding one by its index takes a product and a quotient for each card
//! that MAX does not hold.

use meetjoin_lattice::{Budget, Stop};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::winning_hands::choose;
use super::{Racing, bit, cards, poll};

impl Racing {
    /// The number of hands that MIN may hold: `C(d - h - 1, h - 1)`.
    pub fn world_count(&self) -> u64 {
        let chosen = self.hand.len() as u64 - 1;
        // No product reaches 64 bits for 64 cards.
        choose(u64::from(self.deck) - chosen - 2, chosen)
    }

    /// All hands that MIN may hold, as sets of cards (bit c - 1 for card c), in ascending order of
    /// their ascending lists of cards.
    pub fn worlds(&self) -> Vec<u64> {
        let all = self.worlds_within(&Budget::unlimited());
        all.unwrap_or_else(|_| unreachable!("there is no limit"))
    }

    /// The worlds, listed within limits.
    ///
    /// # Errors
    /// The reason to stop.
    pub fn worlds_within(&self, budget: &Budget) -> Result<Vec<u64>, Stop> {
        let others = self.others();
        let chosen = self.hand.len() - 1;
        let count = usize::try_from(self.world_count()).map_err(|_| Stop::Memory)?;
        budget.room(8 * count as u64)?;
        let mut worlds = Vec::new();
        worlds.try_reserve_exact(count).map_err(|_| Stop::Memory)?;
        // Combinations of indices; the next one moves the last index that can move.
        let mut picks: Vec<usize> = (0..chosen).collect();
        loop {
            poll(worlds.len(), budget)?;
            let set = picks
                .iter()
                .fold(bit(self.lead), |set, &i| set | bit(others[i]));
            worlds.push(set);
            let last = others.len() - chosen;
            let Some(moving) = (0..chosen).rev().find(|&p| picks[p] < last + p) else {
                break;
            };
            picks[moving] += 1;
            for p in moving + 1..chosen {
                picks[p] = picks[p - 1] + 1;
            }
        }
        Ok(worlds)
    }

    /// The hand at an index of [`worlds`](Self::worlds), if there is one, without a list of them.
    pub fn world(&self, place: usize) -> Option<u64> {
        let mut rest = place as u64;
        if rest >= self.world_count() {
            return None;
        }
        let (mut hand, mut to_choose) = (bit(self.lead), self.hand.len() as u64 - 1);
        let others = self.others();
        let mut after = others.len() as u64;
        // C(after, to_choose): of the hands left, those in question.
        let mut hands = choose(after, to_choose);
        for card in others {
            if to_choose == 0 {
                break;
            }
            // Hands with this card come before those without.
            let with = hands * to_choose / after;
            if rest < with {
                hand |= bit(card);
                to_choose -= 1;
                hands = with;
            } else {
                rest -= with;
                hands -= with;
            }
            after -= 1;
        }
        Some(hand)
    }

    /// The hands that MIN may hold, each an ascending list of cards, in the order of
    /// [`worlds`](Self::worlds).
    pub fn hands(&self) -> Vec<Vec<u8>> {
        let worlds = self.worlds().into_iter();
        worlds.map(|set| cards(set).collect()).collect()
    }

    /// The hand at an index, as an ascending list of cards.
    pub fn hand_at(&self, place: usize) -> Option<Vec<u8>> {
        self.world(place).map(|set| cards(set).collect())
    }

    /// The index of a random hand among [`worlds`](Self::worlds): each is equally likely, drawn as
    /// `random_range(0..count)`, as `u64`, from `ChaCha8Rng::seed_from_u64(seed)`.
    pub fn random_world(&self, seed: u64) -> usize {
        ChaCha8Rng::seed_from_u64(seed).random_range(0..self.world_count()) as usize
    }

    /// The cards that MIN may hold besides the lead, ascending.
    fn others(&self) -> Vec<u8> {
        cards(self.foreign & !bit(self.lead)).collect()
    }
}

#[cfg(test)]
mod tests {
    use meetjoin_lattice::Limits;

    use super::*;

    #[test]
    fn there_are_as_many_worlds_as_there_should_be() {
        let count = |deck, hand: &[u8], lead| {
            let game = Racing::new(deck, 1, hand, lead).expect("a fine deal");
            let worlds = game.worlds();
            let fine = |w: &u64| w & bit(lead) != 0 && w.count_ones() as usize == hand.len();
            assert!(worlds.iter().all(fine));
            assert!(worlds.windows(2).all(|w| cards(w[0]).lt(cards(w[1]))));
            assert_eq!(worlds.len() as u64, game.world_count());
            for (place, world) in worlds.iter().enumerate() {
                assert_eq!(game.world(place), Some(*world));
            }
            assert_eq!(game.world(worlds.len()), None);
            worlds.len()
        };
        assert_eq!(count(2, &[1], 2), 1);
        assert_eq!(count(6, &[2, 6], 3), 3);
        assert_eq!(count(20, &[2, 4, 9, 13, 15, 16, 17], 7), 924);
    }

    #[test]
    fn worlds_can_be_counted_where_nobody_could_list_them() {
        let count = |hand| {
            let game = Racing::random(64, 3, hand, 1).expect("a fine deal");
            game.world_count()
        };
        assert_eq!(count(1), 1);
        assert_eq!(count(18), 1_103_068_603_890);
        assert_eq!(count(32), 1);
    }

    #[test]
    fn a_limit_ends_the_list() {
        let game = Racing::random(40, 7, 13, 3).expect("a fine deal");
        let budget = Budget::new(Limits {
            time: Some(std::time::Duration::ZERO),
            ..Limits::default()
        });
        assert_eq!(game.worlds_within(&budget), Err(Stop::Time));
    }
}
