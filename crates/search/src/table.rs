//! The store for any graph: a hash table, which holds small entries itself and large ones by number.
//!
//! Problem: a hash table that holds its entries answers with one look-up, but moves them all when it grows, and a third of its room is
//! empty on average. That is right for a machine word and wrong for a thousand worlds.
//!
//! Idea: decide by the size of an entry, at compile time. Up to 64 bytes (a cache line) entries lie in the hash table. Larger ones lie in
//! chunks of doubling size, where nothing moves and no more than half of the room is unused, and the table holds their 32-bit numbers.
//! On the random graph of `benches/alpha_beta_duo.rs`, with entries of 32 bytes, the search takes 1.22 to 1.26 times the hand-written one in
//! the first form, 1.37 to 1.38 times in the second (medians of two runs each).
//!
//! Invariant: nodes are compared whole; a hash never decides. Hashing uses a fixed seed, and nothing depends on its order.
//!
//! Cost: a byte and the empty room for each small entry; about 6 bytes for each large one; growing rehashes.

use std::hash::Hash;

use ahash::RandomState;
use hashbrown::HashTable;
use meetjoin_lattice::{Budget, Stop};

use crate::{Slot, Store};

/// The hash function of every table here: one fixed seed.
pub(crate) fn hasher() -> RandomState {
    RandomState::with_seeds(
        0x9e37_79b9_7f4a_7c15,
        0xbf58_476d_1ce4_e5b9,
        0x94d0_49bb_1331_11eb,
        0x2545_f491_4f6c_dd1d,
    )
}

/// A growing list in chunks of doubling size; an element never moves.
#[derive(Clone, Debug)]
struct Chunks<T> {
    chunks: Vec<Vec<T>>,
    len: u32,
}

/// Elements in the first chunk; chunk k holds `FIRST << k`.
const FIRST: u32 = 64;

impl<T> Chunks<T> {
    const fn new() -> Self {
        Self {
            chunks: Vec::new(),
            len: 0,
        }
    }

    fn len(&self) -> u32 {
        self.len
    }

    /// Chunk and place of element `i`: chunk k starts at `FIRST * (2^k - 1)`.
    #[inline]
    fn place(i: u32) -> (usize, usize) {
        let shifted = u64::from(i) + u64::from(FIRST);
        let chunk = shifted.ilog2() - FIRST.ilog2();
        (
            chunk as usize,
            (shifted - (u64::from(FIRST) << chunk)) as usize,
        )
    }

    #[inline]
    fn get(&self, i: u32) -> &T {
        let (chunk, place) = Self::place(i);
        &self.chunks[chunk][place]
    }

    #[inline]
    fn get_mut(&mut self, i: u32) -> &mut T {
        let (chunk, place) = Self::place(i);
        &mut self.chunks[chunk][place]
    }

    /// Adds an element and returns its number.
    ///
    /// # Errors
    /// [`Stop::Memory`] when there are 2^32 - 1 elements, or no room for the next chunk.
    fn push(&mut self, element: T, budget: &Budget) -> Result<u32, Stop> {
        let i = self.len;
        if i == u32::MAX {
            return Err(Stop::Memory);
        }
        let (chunk, _) = Self::place(i);
        if chunk == self.chunks.len() {
            let capacity = (FIRST as usize) << chunk;
            budget.room((capacity * size_of::<T>()) as u64)?;
            let mut chunk = Vec::new();
            let room = chunk.try_reserve_exact(capacity);
            room.map_err(|_| Stop::Memory)?;
            self.chunks.push(chunk);
        }
        self.chunks[chunk].push(element);
        self.len += 1;
        Ok(i)
    }
}

/// Entries of at most so many bytes lie in the hash table itself.
const SMALL: usize = 64;

/// A hash table from nodes to values. See the [module page](self).
#[derive(Clone, Debug)]
pub struct Table<N, V> {
    /// Small entries.
    small: HashTable<(N, V)>,
    /// The numbers of large entries.
    numbers: HashTable<u32>,
    /// Large entries.
    large: Chunks<(N, V)>,
    hasher: RandomState,
}

impl<N: Eq + Hash, V> Table<N, V> {
    const IS_SMALL: bool = size_of::<(N, V)>() <= SMALL;

    /// An empty table. It takes no memory until something is stored.
    pub fn new() -> Self {
        Self {
            small: HashTable::new(),
            numbers: HashTable::new(),
            large: Chunks::new(),
            hasher: hasher(),
        }
    }

    /// Looks a node up, given its hash. The place of a large entry is its number.
    #[inline]
    pub(crate) fn find(&self, hash: u64, node: &N) -> (Slot, Option<&V>) {
        if Self::IS_SMALL {
            let found = self.small.find(hash, |(known, _)| known == node);
            (Slot::of(hash), found.map(|(_, value)| value))
        } else {
            let found = self.numbers.find(hash, |&i| self.large.get(i).0 == *node);
            let place = found.map_or(Slot::NO_PLACE, |&i| i);
            let value = found.map(|&i| &self.large.get(i).1);
            (Slot { hash, place }, value)
        }
    }
}

impl<N: Eq + Hash, V> Default for Table<N, V> {
    fn default() -> Self {
        Self::new()
    }
}

/// Grows the hash table if the next insertion needs it, and asks for room before. Old and new buckets exist at once, and there are twice as many new
/// ones; at a load of 7/8 at most that is under four times the elements.
#[inline]
fn room_to_grow<T>(
    table: &mut HashTable<T>,
    budget: &Budget,
    hash: impl Fn(&T) -> u64,
) -> Result<(), Stop> {
    if table.len() < table.capacity() {
        return Ok(());
    }
    budget.room(4 * (table.len() as u64 + 4) * (size_of::<T>() as u64 + 1))?;
    table.try_reserve(1, hash).map_err(|_| Stop::Memory)
}

impl<N: Clone + Eq + Hash, V> Store<N, V> for Table<N, V> {
    type Ref<'a>
        = &'a V
    where
        Self: 'a,
        V: 'a;

    #[inline]
    fn get(&self, node: &N) -> (Slot, Option<&V>) {
        self.find(self.hasher.hash_one(node), node)
    }

    #[inline]
    fn put(&mut self, slot: Slot, node: &N, value: V, budget: &Budget) -> Result<(), Stop> {
        let Self {
            small,
            numbers,
            large,
            hasher,
        } = self;
        if Self::IS_SMALL {
            // Its bucket may have moved since `get`, so it is looked for again.
            if let Some(known) = small.find_mut(slot.hash, |(known, _)| known == node) {
                known.1 = value;
            } else {
                let hash = |(known, _): &(N, V)| hasher.hash_one(known);
                room_to_grow(small, budget, hash)?;
                small.insert_unique(slot.hash, (node.clone(), value), hash);
            }
        } else if slot.place != Slot::NO_PLACE {
            large.get_mut(slot.place).1 = value;
        } else {
            room_to_grow(numbers, budget, |&i| hasher.hash_one(&large.get(i).0))?;
            let i = large.push((node.clone(), value), budget)?;
            numbers.insert_unique(slot.hash, i, |&i| hasher.hash_one(&large.get(i).0));
        }
        Ok(())
    }

    fn each(&self, see: &mut dyn FnMut(&N, &V)) {
        let large = self.large.chunks.iter().flatten();
        for (node, value) in self.small.iter().chain(large) {
            see(node, value);
        }
    }

    fn len(&self) -> usize {
        self.small.len() + self.large.len() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meetjoin_lattice::{Limits, MemoryLimit};

    #[test]
    fn chunks_keep_their_order() {
        let mut chunks = Chunks::new();
        for i in 0..100_000 {
            assert_eq!(chunks.push(i, &Budget::unlimited()), Ok(i));
        }
        assert!((0..100_000).all(|i| *chunks.get(i) == i));
    }

    /// A value made of a number: small, or too large to lie in the table.
    trait Value: From<u64> + PartialEq + std::fmt::Debug {}
    impl Value for u64 {}

    #[derive(Debug, PartialEq)]
    struct Large([u64; 20]);
    impl From<u64> for Large {
        fn from(x: u64) -> Self {
            Self([x; 20])
        }
    }
    impl Value for Large {}

    fn what_was_put_is_found_and_can_be_replaced<V: Value>() {
        let (mut table, budget) = (Table::new(), Budget::unlimited());
        for round in 0..2 {
            for node in 0..10_000_u64 {
                let (slot, old) = table.get(&node);
                assert_eq!(old, (round == 1).then_some(&V::from(node * 3)));
                let value = V::from(node * (3 + round));
                table.put(slot, &node, value, &budget).expect("no limit");
            }
        }
        assert_eq!(table.len(), 10_000);
        assert!((0..10_000).all(|n| table.get(&n).1 == Some(&V::from(n * 4))));
    }

    fn a_full_table_says_so_and_stays_as_it_was<V: Value>() {
        let budget = Budget::new(Limits {
            memory: Some(MemoryLimit {
                bytes: 30_000,
                used: || 0,
            }),
            ..Limits::default()
        });
        let mut table = Table::new();
        let mut put = |node: u64| {
            let slot = table.get(&node).0;
            table.put(slot, &node, V::from(node), &budget)
        };
        let full = (0..10_000)
            .find(|&node| put(node).is_err())
            .expect("it gets full");
        assert!(full > 10);
        assert_eq!(put(full), Err(Stop::Memory));
        assert_eq!(table.len() as u64, full);
        assert!((0..full).all(|node| table.get(&node).1 == Some(&V::from(node))));
    }

    #[test]
    fn small_entries() {
        what_was_put_is_found_and_can_be_replaced::<u64>();
        a_full_table_says_so_and_stays_as_it_was::<u64>();
    }

    #[test]
    fn large_entries() {
        what_was_put_is_found_and_can_be_replaced::<Large>();
        a_full_table_says_so_and_stays_as_it_was::<Large>();
    }
}
