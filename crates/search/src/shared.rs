//! The store that threads share: a hash table in shards, each behind a lock of its own.
//!
//! Problem: several threads search one graph, and what one has found all should know at once.
//!
//! Idea: an entry is true of its node whatever search made it (*coherent cache*, see [`store`](crate::store)), so threads need no agreement: any of them
//! writes, all of them read. A node belongs to one of 64 tables, by its hash, and each table has a lock. With far more tables than threads
//! a lock is nearly always free, and it is held for one look-up and one copy of the entry: no thread holds it while it computes.
//!
//! Within a shard lies one of the tables that one thread would use: one that grows ([`Table`]), or one that forgets ([`BoundedTable`]).
//!
//! Why it is our own: with entries of 24 bytes and one write for seven reads, on 2 million nodes and two busy cores, an operation of eight took
//! (the least of three interleaved runs, one thread and two threads together) 945 and 984 ns with these shards; 1,181 and 1,034 ns with dashmap 6; 1,464 and 1,540 ns with scc 3; 1,815
//! and 1,953 ns with papaya 0.2, which makes a heap cell of each entry (1,024 shards, in these as in dashmap). Shards with `RwLock` took 915 and 1,027 ns, those with `parking_lot`'s mutex 1,000 and 1,005 ns. The
//! plain table took 540 ns.
//!
//! Cost: a lock that is free, and a copy of the entry, for each look-up.

use std::hash::Hash;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ahash::RandomState;
use meetjoin_lattice::{Budget, Stop};

use crate::others::Others;
use crate::table::hasher;
use crate::{BoundedTable, Store, Table};

/// Tables in a store, but for a small one. With 256 of them, whose locks do not fit into the fastest cache, one thread took 1.56 times as long as with a plain table on Connect Four,
/// 5x6, and with 64 it takes 1.32 times as long.
const SHARDS: usize = 64;
/// The fewest bytes of each table, in a store that forgets.
const LEAST: usize = 1 << 16;

/// A store that threads share: clones of it are the same store. See the [module page](self).
#[derive(Debug)]
pub struct SharedTable<N, V> {
    inner: Arc<Inner<N, V>>,
    hasher: RandomState,
}

#[derive(Debug)]
struct Inner<N, V> {
    shards: Box<[Mutex<Shard<N, V>>]>,
    is_used: AtomicBool,
    others: Arc<Others>,
}

#[derive(Debug)]
enum Shard<N, V> {
    Growing(Table<N, V>),
    Bounded(BoundedTable<N, V>),
}

impl<N, V> Clone for SharedTable<N, V> {
    fn clone(&self) -> Self {
        Self {
            inner: Arc::clone(&self.inner),
            hasher: self.hasher.clone(),
        }
    }
}

impl<N: Clone + Eq + Hash, V: Clone> SharedTable<N, V> {
    /// An empty store: one that grows, or one that takes at most so many bytes, where the heap memory of nodes and values does not count, and forgets.
    pub fn new(bytes: Option<usize>) -> Self {
        let shards = bytes.map_or(SHARDS, |bytes| (bytes / LEAST).clamp(1, SHARDS));
        let shard = || match bytes {
            Some(bytes) => Shard::Bounded(BoundedTable::new(bytes / shards)),
            None => Shard::Growing(Table::new()),
        };
        Self {
            inner: Arc::new(Inner {
                shards: (0..shards).map(|_| Mutex::new(shard())).collect(),
                is_used: AtomicBool::new(false),
                others: Arc::new(Others::new()),
            }),
            hasher: hasher(),
        }
    }

    /// The hash of a node, and a copy of its entry.
    #[inline(never)]
    pub(crate) fn copy_of(&self, node: &N) -> (u64, Option<V>) {
        let hash = self.hasher.hash_one(node);
        let known = match &*self.shard(hash) {
            Shard::Growing(table) => table.find(hash, node).1.cloned(),
            Shard::Bounded(table) => table.find(hash, node).cloned(),
        };
        (hash, known)
    }

    #[inline]
    fn shard(&self, hash: u64) -> MutexGuard<'_, Shard<N, V>> {
        // Bits that neither kind of table uses for places. The remainder is smaller than the number of shards.
        let shards = &self.inner.shards;
        let shard = &shards[(hash >> 40) as usize % shards.len()];
        // A panic in another thread leaves its shard with or without one entry.
        shard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An entry that was read: a copy.
#[derive(Debug)]
pub struct Read<V>(V);

impl<V> Deref for Read<V> {
    type Target = V;

    #[inline]
    fn deref(&self) -> &V {
        &self.0
    }
}

impl<N: Clone + Eq + Hash, V: Clone> Store<N, V> for SharedTable<N, V> {
    /// The hash of the node, or 0 if it was not looked up.
    type Slot = u64;
    type Ref<'a>
        = Read<V>
    where
        Self: 'a,
        V: 'a;

    fn no_slot(&self) -> u64 {
        0
    }

    #[inline]
    fn get(&self, node: &N) -> (u64, Option<Read<V>>) {
        let (hash, known) = self.copy_of(node);
        (hash, known.map(Read))
    }

    // Not inlined: the code of a search should stay small for one thread.
    #[inline(never)]
    fn put(&mut self, hash: u64, node: &N, value: V, budget: &Budget) -> Result<(), Stop> {
        if !self.inner.is_used.load(Ordering::Relaxed) {
            self.inner.is_used.store(true, Ordering::Relaxed);
        }
        let hash = if hash == 0 {
            self.hasher.hash_one(node)
        } else {
            hash
        };
        match &mut *self.shard(hash) {
            Shard::Growing(table) => {
                // Another thread may have entered the node since.
                let slot = table.find(hash, node).0;
                table.put(slot, node, value, budget)
            }
            Shard::Bounded(table) => table.put(hash, node, value, budget),
        }
    }

    /// Holds one lock at a time.
    fn each(&self, see: &mut dyn FnMut(&N, &V)) {
        for shard in &self.inner.shards {
            match &*shard.lock().unwrap_or_else(PoisonError::into_inner) {
                Shard::Growing(table) => table.each(see),
                Shard::Bounded(table) => table.each(see),
            }
        }
    }

    /// Takes every lock once.
    fn len(&self) -> usize {
        let shards = self.inner.shards.iter();
        let lens =
            shards.map(
                |shard| match &*shard.lock().unwrap_or_else(PoisonError::into_inner) {
                    Shard::Growing(table) => table.len(),
                    Shard::Bounded(table) => table.len(),
                },
            );
        lens.sum()
    }

    fn is_empty(&self) -> bool {
        !self.inner.is_used.load(Ordering::Relaxed)
    }

    fn others(&self) -> Option<&Arc<Others>> {
        Some(&self.inner.others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: Option<usize>) -> usize {
        let table = SharedTable::<u64, [u64; 2]>::new(bytes);
        assert!(table.is_empty());
        let budget = || Budget::unlimited();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let mut table = table.clone();
                scope.spawn(move || {
                    for node in 0..20_000 {
                        let (slot, known) = table.get(&node);
                        // Whatever thread wrote it, all of it is of one write, and of this node.
                        assert!(known.is_none_or(|known| known[0] == node && known[1] < 4));
                        let put = table.put(slot, &node, [node, thread], &budget());
                        put.expect("there is no limit");
                    }
                });
            }
        });
        let known = |node: &u64| table.get(node).1.is_some();
        assert_eq!((0..20_000).filter(known).count(), table.len());
        assert!(!table.is_empty());
        table.len()
    }

    #[test]
    fn threads_read_what_threads_write() {
        assert_eq!(check(None), 20_000);
        let all = check(Some(usize::MAX));
        assert!(all > 19_000, "{all}");
        // 4 entries with their nodes and as many numbers of resets for each bucket.
        let few = check(Some(1 << 18));
        assert!(few < (1 << 18) / 24, "{few}");
    }
}
