//! The layouts of a shape, numbered in the order in which they come up.
//!
//! Idea: most shapes have a few layouts, which are searched linearly. Where there are more, a hash
//! table has their numbers, without a second copy of the layouts.
//!
//! Cost: 8 bytes for each layout, and some 7 more in the table.

use ahash::RandomState;
use hashbrown::HashTable;

/// Up to this many are searched linearly.
const FEW: usize = 8;

/// What is known of a layout double dummy.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    Unknown,
    Won,
    Lost,
}

/// Layouts as words of West's cards, and what is known of each.
#[derive(Clone, Default)]
pub(super) struct Numbered {
    all: Vec<(u32, Seen)>,
    /// The numbers of all, if they are not few.
    table: HashTable<u32>,
}

impl Numbered {
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// West's cards.
    pub(super) fn west(&self, number: u32) -> u32 {
        self.all[number as usize].0
    }

    pub(super) fn seen(&self, number: u32) -> Seen {
        self.all[number as usize].1
    }

    pub(super) fn see(&mut self, number: u32, seen: Seen) {
        self.all[number as usize].1 = seen;
    }

    /// Forgets what is known double dummy.
    pub(super) fn forget(&mut self) {
        self.all
            .iter_mut()
            .for_each(|(_, seen)| *seen = Seen::Unknown);
    }

    /// The number of a layout, which is new if it has not come up.
    pub(super) fn number(&mut self, west: u32) -> u32 {
        let Self { all, table } = self;
        let is_west = |number: &u32| all[*number as usize].0 == west;
        let found = if table.is_empty() {
            let place = all.iter().position(|(other, _)| *other == west);
            place.map(|place| place as u32)
        } else {
            table.find(hash(west), is_west).copied()
        };
        found.unwrap_or_else(|| self.add(west))
    }

    fn add(&mut self, west: u32) -> u32 {
        let Self { all, table } = self;
        let number = all.len() as u32;
        all.push((west, Seen::Unknown));
        if all.len() > FEW {
            // The first insertion beyond `FEW` adds the earlier ones too.
            let first = if table.is_empty() { 0 } else { number };
            for number in first..=number {
                let own = |number: &u32| hash(all[*number as usize].0);
                table.insert_unique(own(&number), number, own);
            }
        }
        number
    }
}

fn hash(west: u32) -> u64 {
    random_state().hash_one(west)
}

/// Hashes of whatever the tables have, the same in each run.
pub(in crate::ending) fn random_state() -> RandomState {
    RandomState::with_seeds(1, 2, 3, 4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use meetjoin_families::random::Random;

    #[test]
    fn numbers_are_those_of_a_list() {
        let mut random = Random::new(1);
        for most in [3, 8, 9, 400] {
            let (mut layouts, mut list) = (Numbered::default(), Vec::new());
            for _ in 0..10_000 {
                let west = random.below(most) as u32 * 0x101;
                let number = list.iter().position(|other| *other == west);
                let number = number.unwrap_or_else(|| {
                    list.push(west);
                    list.len() - 1
                });
                let found = layouts.number(west);
                assert_eq!((found as usize, layouts.west(found)), (number, west));
                assert_eq!(layouts.len(), list.len());
            }
            assert_eq!(list.len(), most);
            assert_eq!(layouts.table.is_empty(), list.len() <= FEW);
            layouts.see(2, Seen::Won);
            assert!(layouts.seen(2) == Seen::Won && layouts.seen(1) == Seen::Unknown);
            layouts.forget();
            assert!(layouts.seen(2) == Seen::Unknown);
        }
    }
}
