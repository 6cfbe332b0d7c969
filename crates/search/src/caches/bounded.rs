//! The store that evicts: a hash table of bounded size, for games whose positions do not fit into
//! memory.
//!
//! Problem: a table that keeps everything runs out of memory, and the search that needs it ends
//! without an answer.
//!
//! Idea: an entry may be evicted at any time, since a search can find it again (*coherent cache*,
//! see [`store`](crate::caches::store)). The hash of a node selects one bucket of four entries. The
//! table doubles until it has its greatest size; after that a new entry replaces the oldest one of
//! its bucket, because depth-first searches are most likely to look up recent entries.
//!
//! Between problems a table is [reset](BoundedTable::reset) by incrementing a counter: a bucket
//! counts as empty if it was last written under another count.
//!
//! Invariant: nodes are compared whole; a hash never decides. Which entry is evicted depends only
//! on what was stored since the last reset, and on the size of the table then.
//!
//! Cost: while the table doubles, the old and the new buckets exist together, so its final size is
//! one third to two thirds of the memory given; a look-up reads one bucket.

use std::hash::Hash;

use ahash::RandomState;
use meetjoin_lattice::{Budget, Stop};

use crate::caches::table::hasher;
use crate::{Slot, Store, Stores, Table};

/// Entries of a bucket.
const WAYS: usize = 4;
/// Buckets that a table begins with.
const FIRST: usize = 256;

/// A hash table that never takes more than a given number of bytes. See the [module page](self).
///
/// ```
/// use meetjoin_lattice::Budget;
/// use meetjoin_search::{BoundedTable, Store};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut table = BoundedTable::new(1 << 20);
/// for node in 0..1_000_000_u64 {
///     let slot = table.get(&node).0;
///     table.put(slot, &node, 2 * node, &Budget::unlimited()).map_err(|stop| stop.to_string())?;
/// }
/// assert!(table.len() < 1_000_000);
/// assert_eq!(table.get(&999_999).1, Some(&1_999_998));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct BoundedTable<N, V> {
    /// A power of two of buckets, or none.
    buckets: Vec<Bucket<N, V>>,
    len: usize,
    bytes: usize,
    hasher: RandomState,
    /// Resets so far.
    resets: u32,
}

#[derive(Clone, Debug)]
struct Bucket<N, V> {
    /// The number of resets when it was last written.
    resets: u32,
    /// Sorted by age, the newest entry first.
    entries: [Option<(N, V)>; WAYS],
}

impl<N: Eq, V> Bucket<N, V> {
    const EMPTY: Self = Self {
        resets: 0,
        entries: [const { None }; WAYS],
    };

    /// The entry of a node.
    #[inline]
    fn find(&self, node: &N) -> Option<&V> {
        let mut entries = self.entries.iter().flatten();
        entries.find(|(known, _)| known == node).map(|(_, v)| v)
    }

    /// Puts an entry first; evicts and returns the last one if all are in use.
    #[inline]
    fn push(&mut self, node: N, value: V) -> Option<(N, V)> {
        let mut carried = Some((node, value));
        for entry in &mut self.entries {
            carried = std::mem::replace(entry, carried);
        }
        carried
    }
}

impl<N: Eq + Hash, V> BoundedTable<N, V> {
    /// An empty table of at most `bytes` bytes, not counting heap memory of nodes and values. It
    /// allocates nothing until something is stored. If the bytes are too few for one bucket, it
    /// remembers nothing.
    pub fn new(bytes: usize) -> Self {
        Self {
            buckets: Vec::new(),
            len: 0,
            bytes,
            hasher: hasher(),
            resets: 0,
        }
    }

    /// Forgets everything, for another problem, and keeps the memory, in constant time. Heap memory
    /// of old nodes and values is freed when their entries are replaced.
    pub fn reset(&mut self) {
        self.len = 0;
        if let Some(resets) = self.resets.checked_add(1) {
            self.resets = resets;
        } else {
            self.resets = 0;
            self.buckets.fill_with(|| Bucket::EMPTY);
        }
    }

    /// Looks a node up, given its hash.
    #[inline]
    pub(crate) fn find(&self, hash: u64, node: &N) -> Option<&V> {
        if self.buckets.is_empty() {
            return None;
        }
        let bucket = self.buckets.get(self.place(hash));
        let bucket = bucket.filter(|bucket| bucket.resets == self.resets)?;
        bucket.find(node)
    }

    #[inline]
    fn place(&self, hash: u64) -> usize {
        // There are fewer buckets than values of `usize`.
        (hash as usize) & (self.buckets.len() - 1)
    }

    /// The next number of buckets, if the table may grow.
    fn larger(&self) -> Option<usize> {
        let old = self.buckets.len();
        let room = (self.bytes / size_of::<Bucket<N, V>>()).checked_sub(old)?;
        let new = match old {
            0 if room < FIRST => 1 << room.checked_ilog2()?,
            0 => FIRST,
            _ => old.checked_mul(2)?,
        };
        (new <= room).then_some(new)
    }

    /// Adds buckets, if they fit beside the old ones.
    #[cold]
    fn grow(&mut self) {
        let Some(larger) = self.larger() else { return };
        let mut buckets = Vec::new();
        if buckets.try_reserve_exact(larger).is_err() {
            // There is no more memory, so this becomes the bound.
            self.bytes = self.buckets.len() * size_of::<Bucket<N, V>>();
            return;
        }
        buckets.resize_with(larger, || Bucket::EMPTY);
        let old = std::mem::replace(&mut self.buckets, buckets);
        self.len = 0;
        let resets = std::mem::take(&mut self.resets);
        for bucket in old.into_iter().filter(|bucket| bucket.resets == resets) {
            // The oldest first, so that they keep their order.
            for (node, value) in bucket.entries.into_iter().rev().flatten() {
                let place = self.place(self.hasher.hash_one(&node));
                let forgotten = self.buckets[place].push(node, value);
                self.len += usize::from(forgotten.is_none());
            }
        }
    }
}

impl<N: Clone + Eq + Hash, V> Store<N, V> for BoundedTable<N, V> {
    type Ref<'a>
        = &'a V
    where
        Self: 'a,
        V: 'a;

    #[inline]
    fn get(&self, node: &N) -> (Slot, Option<&V>) {
        let hash = self.hasher.hash_one(node);
        (Slot::of(hash), self.find(hash, node))
    }

    /// Never fails.
    #[inline]
    fn put(&mut self, slot: Slot, node: &N, value: V, _: &Budget) -> Result<(), Stop> {
        // With half of the entries in use, one random node in twenty finds its bucket full.
        if self.len >= WAYS / 2 * self.buckets.len() {
            self.grow();
            if self.buckets.is_empty() {
                return Ok(());
            }
        }
        let place = self.place(slot.hash);
        let bucket = &mut self.buckets[place];
        if bucket.resets != self.resets {
            *bucket = Bucket::EMPTY;
            bucket.resets = self.resets;
        }
        let mut entries = bucket.entries.iter_mut().flatten();
        if let Some((_, known)) = entries.find(|(known, _)| known == node) {
            *known = value;
        } else if bucket.push(node.clone(), value).is_none() {
            self.len += 1;
        }
        Ok(())
    }

    fn each(&self, see: &mut dyn FnMut(&N, &V)) {
        let buckets = self.buckets.iter();
        for bucket in buckets.filter(|bucket| bucket.resets == self.resets) {
            for (node, value) in bucket.entries.iter().flatten() {
                see(node, value);
            }
        }
    }

    fn len(&self) -> usize {
        self.len
    }
}

/// Tables for any nodes, of limited size each or growing: which of them is known at run time only,
/// and a search is compiled once for both.
#[derive(Clone, Copy, Debug)]
pub struct PositionTables {
    /// The most bytes of each table; `None` for one that grows.
    pub bytes: Option<usize>,
}

impl<N: Clone + Eq + Hash + 'static> Stores<N> for PositionTables {
    type Store<T: Clone + Send + 'static> = PositionTable<N, T>;

    fn store<T: Clone + Send + 'static>(&self) -> PositionTable<N, T> {
        match self.bytes {
            Some(bytes) => PositionTable::Bounded(BoundedTable::new(bytes)),
            None => PositionTable::Growing(Table::new()),
        }
    }
}

/// A table of limited size, or one that grows.
#[derive(Debug)]
pub enum PositionTable<N, V> {
    /// It forgets.
    Bounded(BoundedTable<N, V>),
    /// It grows.
    Growing(Table<N, V>),
}

impl<N: Clone + Eq + Hash, V> Store<N, V> for PositionTable<N, V> {
    type Ref<'a>
        = &'a V
    where
        Self: 'a,
        V: 'a;

    #[inline]
    fn get(&self, node: &N) -> (Slot, Option<&V>) {
        match self {
            Self::Bounded(table) => table.get(node),
            Self::Growing(table) => table.get(node),
        }
    }

    #[inline]
    fn put(&mut self, slot: Slot, node: &N, value: V, budget: &Budget) -> Result<(), Stop> {
        match self {
            Self::Bounded(table) => table.put(slot, node, value, budget),
            Self::Growing(table) => table.put(slot, node, value, budget),
        }
    }

    fn each(&self, see: &mut dyn FnMut(&N, &V)) {
        match self {
            Self::Bounded(table) => table.each(see),
            Self::Growing(table) => table.each(see),
        }
    }

    #[inline]
    fn len(&self) -> usize {
        match self {
            Self::Bounded(table) => table.len(),
            Self::Growing(table) => table.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(table: &mut BoundedTable<u64, u64>, node: u64, value: u64) {
        let slot = table.get(&node).0;
        let put = table.put(slot, &node, value, &Budget::unlimited());
        put.expect("it never stops");
    }

    #[test]
    fn with_room_enough_nothing_is_lost_but_by_full_buckets() {
        let mut table = BoundedTable::new(usize::MAX);
        for node in 0..10_000 {
            put(&mut table, node, node);
        }
        for node in 0..10_000 {
            put(&mut table, node, 3 * node);
        }
        let known = |node: &u64| table.get(node).1.is_some();
        let kept = (0..10_000).filter(known).count();
        assert_eq!(kept, table.len());
        assert!(kept > 9_000, "{kept}");
        let right = |node: u64| table.get(&node).1.is_none_or(|&value| value == 3 * node);
        assert!((0..10_000).all(right));
    }

    #[test]
    fn a_bounded_table_stays_within_its_bytes_and_keeps_what_is_new() {
        let bucket = size_of::<Bucket<u64, u64>>();
        for buckets in [0, 1, 2, 3, 10, 1_000, 5_000] {
            let mut table = BoundedTable::new(buckets * bucket + 1);
            for node in 0..50_000 {
                put(&mut table, node, node);
                let last = table.get(&node).1;
                assert_eq!(last.copied(), (buckets > 0).then_some(node));
                assert!(table.buckets.capacity() <= buckets);
            }
            let known = (0..50_000).filter(|node| table.get(node).1.is_some());
            assert_eq!(known.count(), table.len());
            assert!(table.len() >= buckets);
        }
    }

    #[test]
    fn a_reset_forgets_everything_and_nothing_comes_back() {
        let bucket = size_of::<Bucket<u64, u64>>();
        for bytes in [bucket, 300 * bucket, usize::MAX] {
            let (mut table, mut new) = (BoundedTable::new(bytes), BoundedTable::new(bytes));
            for round in 0..5 {
                for node in 0..2_000 {
                    put(&mut table, node * (round + 1), round);
                }
                table.reset();
                assert!(table.is_empty());
                assert!((0..10_000).all(|node| table.get(&node).1.is_none()));
            }
            // The counter is about to overflow.
            table.resets = u32::MAX;
            put(&mut table, 7, 1);
            table.reset();
            assert!(table.get(&7).1.is_none() && table.is_empty());
            for node in 0..2_000 {
                put(&mut table, node, node);
                put(&mut new, node, node);
            }
            let known = |table: &BoundedTable<u64, u64>, node| table.get(&node).1.copied();
            assert!((0..2_000).all(|node| known(&table, node).is_none_or(|v| v == node)));
            let count = (0..2_000)
                .filter(|node| known(&table, *node).is_some())
                .count();
            assert_eq!(count, table.len());
            assert!(table.len() >= new.len());
        }
    }

    #[test]
    fn of_a_full_bucket_the_oldest_goes() {
        let mut table = BoundedTable::new(size_of::<Bucket<u64, u64>>());
        for node in 0..6 {
            put(&mut table, node, 0);
        }
        // Storing a node again adds no entry.
        put(&mut table, 2, 1);
        put(&mut table, 6, 0);
        let known: Vec<u64> = (0..7).filter(|node| table.get(node).1.is_some()).collect();
        assert_eq!(known, [3, 4, 5, 6]);
    }
}
