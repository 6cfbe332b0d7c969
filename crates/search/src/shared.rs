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

use std::cell::Cell;
use std::fmt::{self, Debug};
use std::hash::Hash;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ahash::RandomState;
use meetjoin_lattice::{Budget, Stop};

use crate::others::Others;
use crate::table::hasher;
use crate::{BoundedTable, Slot, Store, Table};

/// Tables in a store, but for a small one. With 256 of them, whose locks do not fit into the fastest cache, one thread took 1.56 times as long as with a plain table on Connect Four,
/// 5x6, and with 64 it takes 1.32 times as long.
const SHARDS: usize = 64;
/// The fewest bytes of each table, in a store that forgets.
const LEAST: usize = 1 << 16;

/// A store that threads share: clones of it are the same store. See the [module page](self).
#[derive(Debug)]
pub struct SharedTable<N, V>(Arc<Inner<N, V>>);

/// The store as one of the threads uses it.
pub struct SharedView<N, V> {
    table: SharedTable<N, V>,
    hasher: RandomState,
    /// Where a copy of an entry was, and the next one may be.
    spare: Cell<Option<Box<V>>>,
}

#[derive(Debug)]
struct Inner<N, V> {
    shards: Box<[Mutex<Shard<N, V>>]>,
    is_used: AtomicBool,
    /// Whether it takes no more than so many bytes in any case.
    is_bounded: bool,
    others: Arc<Others>,
}

#[derive(Debug)]
enum Shard<N, V> {
    Growing(Table<N, V>),
    Bounded(BoundedTable<N, V>),
}

impl<N, V> Debug for SharedView<N, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedView")
    }
}

impl<N, V> Clone for SharedTable<N, V> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
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
        Self(Arc::new(Inner {
            shards: (0..shards).map(|_| Mutex::new(shard())).collect(),
            is_used: AtomicBool::new(false),
            is_bounded: bytes.is_some(),
            others: Arc::new(Others::new()),
        }))
    }

    /// The store for one thread.
    pub fn view(&self) -> SharedView<N, V> {
        SharedView {
            table: self.clone(),
            hasher: hasher(),
            spare: Cell::default(),
        }
    }

    /// Forgets half of the entries of a store that grows.
    #[cold]
    fn forget(&self, budget: &Budget) {
        for shard in &self.0.shards {
            let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            if let Shard::Growing(table) = &mut *shard {
                table.forget(budget);
            }
        }
    }

    #[inline]
    fn shard(&self, hash: u64) -> MutexGuard<'_, Shard<N, V>> {
        // Bits that neither kind of table uses for places. The remainder is smaller than the number of shards.
        let shards = &self.0.shards;
        let shard = &shards[(hash >> 40) as usize % shards.len()];
        // A panic in another thread leaves its shard with or without one entry.
        shard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An entry that was read: a copy, in a place that the next look-up uses again, so that values keep their heap memory.
pub struct Read<'a, V> {
    /// `None` only when it is being dropped.
    copy: Option<Box<V>>,
    spare: &'a Cell<Option<Box<V>>>,
}

impl<V> Debug for Read<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Read")
    }
}

impl<V> Deref for Read<'_, V> {
    type Target = V;

    #[inline]
    fn deref(&self) -> &V {
        match &self.copy {
            Some(copy) => copy,
            None => unreachable!("it has a copy as long as it lives"),
        }
    }
}

impl<V> Drop for Read<'_, V> {
    #[inline]
    fn drop(&mut self) {
        self.spare.set(self.copy.take());
    }
}

impl<N: Clone + Eq + Hash, V: Clone> Store<N, V> for SharedView<N, V> {
    type Ref<'a>
        = Read<'a, V>
    where
        Self: 'a,
        V: 'a;

    // Not inlined, nor is `put`: the code of a search should stay small for one thread.
    #[inline(never)]
    fn get(&self, node: &N) -> (Slot, Option<Read<'_, V>>) {
        let hash = self.hasher.hash_one(node);
        let shard = self.table.shard(hash);
        let known = match &*shard {
            Shard::Growing(table) => table.find(hash, node).1,
            Shard::Bounded(table) => table.find(hash, node),
        };
        let known = known.map(|known| {
            let mut copy = self.spare.take();
            match &mut copy {
                Some(copy) => V::clone_from(copy, known),
                None => copy = Some(Box::new(known.clone())),
            }
            let spare = &self.spare;
            Read { copy, spare }
        });
        (Slot::of(hash), known)
    }

    #[inline(never)]
    fn put(&mut self, slot: Slot, node: &N, value: V, budget: &Budget) -> Result<(), Stop> {
        if !self.table.0.is_used.load(Ordering::Relaxed) {
            self.table.0.is_used.store(true, Ordering::Relaxed);
        }
        if budget.is_short() && !self.table.0.is_bounded {
            self.table.forget(budget);
        }
        // Whether a node is one to be remembered may have changed since its look-up, with the work that threads share.
        let hash = match slot.hash {
            0 => self.hasher.hash_one(node),
            hash => hash,
        };
        match &mut *self.table.shard(hash) {
            Shard::Growing(table) => {
                // Another thread may have entered the node since.
                let slot = table.find(hash, node).0;
                table.put(slot, node, value, budget)
            }
            Shard::Bounded(table) => table.put(Slot::of(hash), node, value, budget),
        }
    }

    /// Holds one lock at a time.
    fn each(&self, see: &mut dyn FnMut(&N, &V)) {
        for shard in &self.table.0.shards {
            match &*shard.lock().unwrap_or_else(PoisonError::into_inner) {
                Shard::Growing(table) => table.each(see),
                Shard::Bounded(table) => table.each(see),
            }
        }
    }

    /// Takes every lock once.
    fn len(&self) -> usize {
        let shards = self.table.0.shards.iter();
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
        !self.table.0.is_used.load(Ordering::Relaxed)
    }

    fn others(&self) -> Option<&Arc<Others>> {
        Some(&self.table.0.others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: Option<usize>) -> usize {
        let table = SharedTable::<u64, [u64; 2]>::new(bytes);
        assert!(table.view().is_empty());
        let budget = || Budget::unlimited();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let mut table = table.view();
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
        let table = table.view();
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
