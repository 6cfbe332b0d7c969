//! A set of choices of one outcome from each of some packets, used for products.
//!
//! Problem: a product can have many millions of choices before a limit stops it. If each were an
//! allocation, freeing them after the stop would take seconds. In a single table, growing would
//! take as long, and double its memory, between two checks of the limits.
//!
//! Idea: a choice is a short list of numbers. Lists are consecutive in a shard, with a hash table
//! of their indices. A large set has many shards, which grow independently.
//!
//! Invariant: all lists are different. Iteration is shard by shard, in order of insertion; the hash
//! function is fixed, so the order is the same on every machine.
//!
//! Cost: the numbers, and some 30 bytes for each list.

use hashbrown::HashTable;

/// A set of lists of numbers.
pub(crate) struct Choices {
    shards: Box<[Shard]>,
    len: usize,
}

#[derive(Default)]
struct Shard {
    /// All lists.
    numbers: Vec<u32>,
    /// Where each list ends.
    ends: Vec<usize>,
    /// The indices of the lists in `ends`.
    table: HashTable<usize>,
}

/// Sets of at most this many lists have one shard.
const SMALL: usize = 1 << 12;
/// The shards of a large set, a power of two.
const SHARDS: usize = 1 << 8;

impl Choices {
    /// An empty set for at most `most` lists.
    pub(crate) fn new(most: usize) -> Self {
        let shards = if most <= SMALL { 1 } else { SHARDS };
        Self {
            shards: (0..shards).map(|_| Shard::default()).collect(),
            len: 0,
        }
    }

    /// The number of lists.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Adds a list, unless it is there already.
    pub(crate) fn insert(&mut self, list: &[u32]) {
        let hash = hash(list);
        // The table of a shard uses the lowest and the highest bits.
        let shard = (hash >> 32) as usize & (self.shards.len() - 1);
        let Shard {
            numbers,
            ends,
            table,
        } = &mut self.shards[shard];
        if table
            .find(hash, |&place| at(numbers, ends, place) == list)
            .is_some()
        {
            return;
        }
        let place = ends.len();
        numbers.extend_from_slice(list);
        ends.push(numbers.len());
        table.insert_unique(hash, place, |&place| self::hash(at(numbers, ends, place)));
        self.len += 1;
    }

    /// All lists.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.shards.iter().flat_map(|shard| {
            (0..shard.ends.len()).map(|place| at(&shard.numbers, &shard.ends, place))
        })
    }
}

/// The list at this index.
fn at<'a>(numbers: &'a [u32], ends: &[usize], place: usize) -> &'a [u32] {
    let begin = if place == 0 { 0 } else { ends[place - 1] };
    &numbers[begin..ends[place]]
}

/// `SplitMix64`'s mixing step for each number.
fn hash(list: &[u32]) -> u64 {
    list.iter().fold(list.len() as u64, |hash, &number| {
        let mut z = (hash ^ u64::from(number)).wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_there_once() {
        for most in [10, 1_000_000] {
            let mut choices = Choices::new(most);
            for round in 0..2 {
                for number in 0..5000 {
                    choices.insert(&[number / 70, number % 70][..(number % 3) as usize]);
                    assert!(round == 0 || choices.len() == 1739);
                }
            }
            let mut lists: Vec<&[u32]> = choices.iter().collect();
            lists.sort_unstable();
            lists.dedup();
            assert_eq!(lists.len(), choices.len());
        }
    }
}
