//! The store for any graph: a hash table that holds small entries inline and large ones by index.
//!
//! Problem: a hash table that holds its entries answers with one look-up, but moves them all when
//! it grows, and a third of its room is empty on average. That suits a machine word, and not sets
//! of a thousand worlds.
//!
//! Idea: decide by the size of an entry, at compile time. Up to 64 bytes (a cache line) entries lie
//! in the hash table. Larger ones lie in chunks of doubling size, where nothing moves and at most
//! half of the room is unused, and the table holds their 32-bit indices. On the random graph of
//! `benches/alpha_beta_duo.rs`, with entries of 32 bytes, the search takes 1.22 to 1.26 times the
//! hand-written one in the first form, 1.37 to 1.38 times in the second (medians of two runs each).
//!
//! Invariant: nodes are compared whole; a hash never decides. Hashing uses a fixed seed, and no
//! result depends on the order of the table.
//!
//! Cost: a byte and the empty room for each small entry; about 6 bytes for each large one; growing
//! rehashes.

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

/// A store with fewer entries evicts none: there would be nothing to gain.
const FEW: usize = 256;

/// Returns whether a store of `len` entries may take `bytes` more. If not, it should evict half of
/// them.
pub(crate) fn may_take(bytes: u64, len: usize, budget: &Budget) -> Result<bool, Stop> {
    if len < FEW {
        return budget.room(bytes).map(|()| true);
    }
    budget.spare(bytes)
}

/// Reserves `missing` more places of a list, in a store of `len` entries, or fewer if memory is
/// short; returns whether there is any.
pub(crate) fn reserve<T>(
    list: &mut Vec<T>,
    missing: usize,
    len: usize,
    budget: &Budget,
) -> Result<bool, Stop> {
    for part in PARTS {
        let more = missing.div_ceil(part);
        if may_take((more * size_of::<T>()) as u64, len, budget)? {
            let room = list.try_reserve_exact(more);
            return room.map(|()| true).map_err(|_| Stop::Memory);
        }
    }
    Ok(false)
}

/// Fractions of the missing places to try: all, a quarter, a sixteenth.
const PARTS: [usize; 3] = [1, 4, 16];

/// Returns whether a store of `len` entries should evict half of them, as memory is short.
#[inline]
pub(crate) fn should_forget(len: usize, budget: &Budget) -> bool {
    budget.is_short() && len >= FEW
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

    /// The chunk of element `i` and its index there: chunk k starts at `FIRST * (2^k - 1)`.
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

    /// Makes room for one more element; returns whether there is room.
    ///
    /// # Errors
    /// [`Stop::Memory`] when there are 2^32 - 1 elements, or there may not be more.
    fn has_room(&mut self, budget: &Budget) -> Result<bool, Stop> {
        if self.len == u32::MAX {
            return Err(Stop::Memory);
        }
        let (chunk, inside) = Self::place(self.len);
        if chunk == self.chunks.len() {
            self.chunks.push(Vec::new());
        }
        let chunk = &mut self.chunks[chunk];
        if inside < chunk.capacity() {
            return Ok(true);
        }
        let missing = ((FIRST as usize) << Self::place(self.len).0) - inside;
        reserve(chunk, missing, self.len as usize, budget)
    }

    /// Adds an element, for which there is room, and returns its index.
    fn push(&mut self, element: T) -> u32 {
        let i = self.len;
        self.chunks[Self::place(i).0].push(element);
        self.len += 1;
        i
    }

    /// Drops the first half, and moves the second half to its place.
    fn drop_half(&mut self) {
        for i in 0..self.len / 2 {
            let last = self.len - 1;
            if let Some(element) = self.chunks[Self::place(last).0].pop() {
                *self.get_mut(i) = element;
            }
            self.len = last;
        }
    }
}

impl<N: Hash, V> Chunks<(N, V)> {
    /// Hashes entries given by their indices.
    #[inline]
    fn hashes(&self, hasher: &RandomState) -> impl Fn(&u32) -> u64 {
        |&i| hasher.hash_one(&self.get(i).0)
    }
}

/// The hash of a large entry by its index, as a growing table of indices needs it. It is called
/// through a pointer, so that growing is compiled once for the tables of all nodes and values.
type HashOf<'a> = &'a dyn Fn(&u32) -> u64;

/// The hash of a small entry: one function for all calls that may grow a table, so that growing is
/// compiled once.
#[inline]
fn hash_of<N: Hash, V>(hasher: &RandomState) -> impl Fn(&(N, V)) -> u64 {
    |(node, _)| hasher.hash_one(node)
}

/// The most bytes of an entry that is stored inline.
const SMALL: usize = 64;

/// A hash table from nodes to values. See the [module page](self).
#[derive(Clone, Debug)]
pub struct Table<N, V> {
    /// Small entries.
    small: HashTable<(N, V)>,
    /// The indices of large entries.
    numbers: HashTable<u32>,
    /// Large entries.
    large: Chunks<(N, V)>,
    hasher: RandomState,
    /// The number of evictions of half of the entries.
    forgotten: u32,
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
            forgotten: 0,
        }
    }

    /// Evicts half of the entries and keeps the capacity: the older half of the large ones, and the
    /// small ones whose hashes have a certain bit, which changes each time.
    #[cold]
    #[inline(never)]
    pub(crate) fn forget(&mut self, budget: &Budget) {
        let Self {
            small,
            numbers,
            large,
            hasher,
            forgotten,
        } = self;
        // A bit of the hash that no table uses to place entries.
        let bit = 48 + *forgotten % 8;
        *forgotten = forgotten.wrapping_add(1);
        small.retain(|(node, _)| hasher.hash_one(node) >> bit & 1 == 0);
        large.drop_half();
        let hash = large.hashes(hasher);
        let hash: HashOf<'_> = &hash;
        numbers.clear();
        for i in 0..large.len() {
            numbers.insert_unique(hash(&i), i, hash);
        }
        budget.forgot();
    }

    /// Looks a node up, given its hash. The `place` of a large entry is its index.
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

/// Grows the hash table if the next insertion needs it, after asking the budget; returns whether
/// there is room. Old and new buckets exist at once, and there are twice as many new ones; at a
/// load of 7/8 at most that is under four times the elements.
#[inline]
fn has_room<T>(
    table: &mut HashTable<T>,
    budget: &Budget,
    hash: impl Fn(&T) -> u64,
) -> Result<bool, Stop> {
    if table.len() < table.capacity() {
        return Ok(true);
    }
    let bytes = 4 * (table.len() as u64 + 4) * (size_of::<T>() as u64 + 1);
    if !may_take(bytes, table.len(), budget)? {
        return Ok(false);
    }
    let room = table.try_reserve(1, hash);
    room.map(|()| true).map_err(|_| Stop::Memory)
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
        if should_forget(self.len(), budget) {
            self.forget(budget);
        }
        if Self::IS_SMALL {
            // Its bucket may have moved since `get`, so it is looked up again.
            if let Some(known) = self.small.find_mut(slot.hash, |(known, _)| known == node) {
                known.1 = value;
                return Ok(());
            }
            if !has_room(&mut self.small, budget, hash_of(&self.hasher))? {
                self.forget(budget);
            }
            let entry = (node.clone(), value);
            self.small
                .insert_unique(slot.hash, entry, hash_of(&self.hasher));
            return Ok(());
        }
        if slot.place < self.large.len() {
            let known = self.large.get_mut(slot.place);
            // After evictions its index may be that of another node.
            if known.0 == *node {
                known.1 = value;
                return Ok(());
            }
        }
        let place = match slot.place {
            Slot::NO_PLACE => Slot::NO_PLACE,
            _ => self.find(slot.hash, node).0.place,
        };
        if place != Slot::NO_PLACE {
            self.large.get_mut(place).1 = value;
            return Ok(());
        }
        let Self {
            numbers,
            large,
            hasher,
            ..
        } = self;
        let room = has_room(numbers, budget, &large.hashes(hasher) as HashOf<'_>)?;
        if !room || !large.has_room(budget)? {
            self.forget(budget);
        }
        let Self {
            numbers,
            large,
            hasher,
            ..
        } = self;
        let i = large.push((node.clone(), value));
        numbers.insert_unique(slot.hash, i, &large.hashes(hasher) as HashOf<'_>);
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
            assert_eq!(chunks.has_room(&Budget::unlimited()), Ok(true));
            assert_eq!(chunks.push(i), i);
        }
        assert!((0..100_000).all(|i| *chunks.get(i) == i));
    }

    /// Values made of a number: small ones, and ones too large to be stored inline.
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

    fn what_is_left_of_a_table_that_forgets_is_true<V: Value>() {
        let (mut table, budget) = (Table::new(), Budget::unlimited());
        for round in 0..40_u64 {
            // Slots from before the evictions.
            let slots: Vec<Slot> = (0..1_000)
                .map(|n| table.get(&(n + 500 * round)).0)
                .collect();
            if round % 3 == 2 {
                let before = table.len();
                table.forget(&budget);
                assert!(table.len() < before * 2 / 3 && table.len() > before / 3);
            }
            for (n, slot) in (500 * round..).zip(slots) {
                table.put(slot, &n, V::from(n), &budget).expect("no limit");
                assert!(table.get(&n).1 == Some(&V::from(n)));
            }
            let known = |n: &u64| match table.get(n).1 {
                Some(value) => {
                    assert!(*value == V::from(*n));
                    true
                }
                None => false,
            };
            assert_eq!((0..30_000).filter(known).count(), table.len());
        }
    }

    /// A limit that is never exceeded; two calls in three find little memory left.
    fn short_of_memory() -> Budget {
        use std::cell::Cell;
        thread_local!(static ASKED: Cell<u64> = const { Cell::new(0) });
        Budget::new(Limits {
            memory: Some(MemoryLimit {
                bytes: 1 << 40,
                used: || match ASKED.replace(ASKED.get() + 1) % 3 {
                    0 => 0,
                    _ => (1 << 40) - (1 << 30),
                },
            }),
            forget: true,
            ..Limits::default()
        })
    }

    fn where_memory_is_short_a_table_forgets<V: Value>() {
        let budget = short_of_memory();
        let mut table = Table::new();
        for node in 0..100_000_u64 {
            budget.check().expect("less than the limit");
            let slot = table.get(&node).0;
            table
                .put(slot, &node, V::from(node), &budget)
                .expect("it forgets");
            assert!(table.get(&node).1 == Some(&V::from(node)));
        }
        let few = 100 * FEW;
        assert!(
            table.len() >= FEW / 2 && table.len() < few,
            "{}",
            table.len()
        );
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
        what_is_left_of_a_table_that_forgets_is_true::<u64>();
        where_memory_is_short_a_table_forgets::<u64>();
    }

    #[test]
    fn large_entries() {
        what_was_put_is_found_and_can_be_replaced::<Large>();
        a_full_table_says_so_and_stays_as_it_was::<Large>();
        what_is_left_of_a_table_that_forgets_is_true::<Large>();
        where_memory_is_short_a_table_forgets::<Large>();
    }
}
