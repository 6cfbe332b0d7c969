//! A store shared by threads.
//!
//! Problem: several threads search one graph, and each should see at once what the others find.
//!
//! Idea: an entry is true of its node whatever search made it (*coherent cache*, see
//! [`store`](crate::caches::store)), so threads need no coordination: all of them read and write.
//! The entries lie in an array of slots (`slots.rs`), each with a lock that is held for one look-up
//! and one copy of the entry, and never during computation. A look-up that finds nothing, as most
//! do, takes no lock.
//!
//! When the array is full, one with twice as many slots replaces it. A store of limited size that
//! may not grow any more replaces entries instead; a growing store evicts half of its entries when
//! memory is short.
//!
//! Why no existing map is used: to take a lock that another thread held last costs as much as an
//! access to main memory, even if the lock is free. With 64 tables, each behind a lock, two threads
//! were 1.13 times as fast as one with a plain table on Connect Four, 5x6, and with this array they
//! are 1.6 times as fast. The concurrent maps dashmap 6, scc 3 and papaya 0.2 were slower than the
//! 64 tables: 1,034, 1,540 and 1,953 ns for eight operations on two busy cores, with entries of 24
//! bytes and one write for seven reads, where the tables took 984 ns.
//!
//! Cost: a look-up reads a line of tags, and for a known node takes a lock and a copy of the entry;
//! each slot has a tag of one byte and a lock of 8 bytes. Between 7/16 and 7/8 of the slots are in
//! use.

use std::cell::{Cell, Ref, RefCell};
use std::fmt::{self, Debug};
use std::hash::Hash;
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ahash::RandomState;
use meetjoin_lattice::{Budget, Stop};

use crate::caches::in_progress::InProgress;
use crate::caches::slots::{Count, LINE, Slots};
use crate::caches::table::{hasher, may_take};
use crate::caches::waiting::{MOST, Waiting};
use crate::{Slot, Store};

/// Lines of slots in a new store.
const FIRST: usize = 4;
/// The most new entries of a view before it adds them to the common count.
const UNCOUNTED: usize = 64;

/// A store shared by threads; a clone is a handle to the same store. See the [module page](self).
#[derive(Debug)]
pub struct SharedTable<N, V>(Arc<Inner<N, V>>);

/// A thread's handle to the store.
pub struct SharedView<N: Clone + Eq, V> {
    array: Array<N, V>,
    hasher: RandomState,
    /// Entries made by this view and not yet in the common count.
    new: usize,
    /// A copy of an entry whose memory the next look-up reuses.
    spare: Cell<Option<Box<V>>>,
    waiting: Waiting<N, V>,
}

/// The array of a store, as cached by a thread.
struct Array<N, V> {
    table: SharedTable<N, V>,
    /// The array that was current when `arrays` was read.
    slots: RefCell<Arc<Slots<N, V>>>,
    arrays: Cell<usize>,
}

#[derive(Debug)]
struct Inner<N, V> {
    last: Mutex<Arc<Slots<N, V>>>,
    /// The number of arrays so far. Read at each look-up, and rarely written.
    arrays: AtomicUsize,
    /// The number of evictions of half the entries. Locked while a thread makes a larger array or
    /// evicts.
    growing: Mutex<u32>,
    /// The most bytes of all arrays together, in a store of limited size.
    bytes: Option<usize>,
    /// Updated at each 64th new entry.
    len: Count,
    in_progress: Arc<InProgress>,
}

impl<N: Clone + Eq, V> Debug for SharedView<N, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedView")
    }
}

impl<N, V> Clone for SharedTable<N, V> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<N, V> SharedTable<N, V> {
    /// The current array, and the number of arrays so far.
    fn last(&self) -> (usize, Arc<Slots<N, V>>) {
        let last = self.0.last.lock();
        let last = last.unwrap_or_else(PoisonError::into_inner);
        (self.0.arrays.load(Ordering::Relaxed), Arc::clone(&last))
    }
}

impl<N: Clone + Eq + Hash, V: Clone> SharedTable<N, V> {
    /// An empty store: one that grows, or one of at most `bytes` bytes that evicts entries. Heap
    /// memory of nodes and values does not count.
    pub fn new(bytes: Option<usize>) -> Self {
        let none = Slots::new(0, None);
        let none = none.unwrap_or_else(|| unreachable!("nothing takes no memory"));
        Self(Arc::new(Inner {
            last: Mutex::new(Arc::new(none)),
            arrays: AtomicUsize::new(0),
            growing: Mutex::default(),
            bytes,
            len: Count::default(),
            in_progress: Arc::new(InProgress::new()),
        }))
    }

    /// A view for one thread.
    pub fn view(&self) -> SharedView<N, V> {
        let (arrays, slots) = self.last();
        SharedView {
            array: Array {
                table: self.clone(),
                slots: RefCell::new(slots),
                arrays: Cell::new(arrays),
            },
            hasher: hasher(),
            new: 0,
            spare: Cell::default(),
            waiting: Waiting::new(),
        }
    }

    /// Returns whether `len` entries fill these lines: seven of eight slots are in use.
    fn is_full(lines: usize, len: usize) -> bool {
        len >= LINE * lines / 8 * 7
    }

    /// Returns whether there are so many entries that a thread must wait for a larger array.
    fn is_crowded(lines: usize, len: usize) -> bool {
        len >= LINE * lines / 16 * 15
    }

    /// The next number of lines, if the array may grow.
    fn larger(&self, old: usize) -> Option<usize> {
        let new = (2 * old).max(FIRST);
        let Some(bytes) = self.0.bytes else {
            return Some(new);
        };
        let of = Slots::<N, V>::bytes;
        if old > 0 {
            return (of(old) + of(new) <= bytes).then_some(new);
        }
        let few = (bytes / of(1)).checked_ilog2().map(|log| 1 << log);
        few.map(|few: usize| few.min(FIRST))
    }

    /// Makes a larger array, or evicts half of the entries if it may not, unless another thread is
    /// doing so.
    #[cold]
    #[inline(never)]
    fn grow(&self, hasher: &RandomState, budget: &Budget) -> Result<(), Stop> {
        let growing = &self.0.growing;
        let mut forgotten = if Self::is_crowded(self.last().1.lines(), self.0.len.get()) {
            growing.lock().unwrap_or_else(PoisonError::into_inner)
        } else if let Ok(free) = growing.try_lock() {
            free
        } else {
            return Ok(());
        };
        let (arrays, old) = self.last();
        let len = self.0.len.get();
        // Another thread may have grown the array meanwhile.
        if !Self::is_full(old.lines(), len) && !budget.is_short() {
            return Ok(());
        }
        let Some(larger) = self.larger(old.lines()) else {
            return Ok(());
        };
        let bytes = Slots::<N, V>::bytes(larger);
        let is_bounded = self.0.bytes.is_some();
        if !is_bounded && (budget.is_short() || !may_take(bytes as u64, len, budget)?) {
            // A bit of the hash that does not determine the slot.
            let bit = 24 + *forgotten % 8;
            *forgotten = forgotten.wrapping_add(1);
            let hash = |node: &N| hasher.hash_one(node);
            let dropped = old.retain(hash, |node, _| hash(node) >> bit & 1 == 0);
            self.0.len.subtract(dropped);
            budget.forgot();
            return Ok(());
        }
        let Some(next) = Slots::new(larger, Some(old)) else {
            // A store of limited size can do without a larger array.
            return if is_bounded {
                Ok(())
            } else {
                Err(Stop::Memory)
            };
        };
        let next = Arc::new(next);
        {
            let last = self.0.last.lock();
            *last.unwrap_or_else(PoisonError::into_inner) = Arc::clone(&next);
            self.0.arrays.store(arrays + 1, Ordering::Release);
        }
        let fewer = next.fill(|node| hasher.hash_one(node));
        self.0.len.subtract(fewer);
        Ok(())
    }
}

impl<N, V> Array<N, V> {
    /// The current array.
    #[inline]
    fn last(&self) -> Ref<'_, Slots<N, V>> {
        if self.arrays.get() != self.table.0.arrays.load(Ordering::Acquire) {
            self.renew();
        }
        Ref::map(self.slots.borrow(), Arc::as_ref)
    }

    #[cold]
    #[inline(never)]
    fn renew(&self) {
        let (arrays, slots) = self.table.last();
        self.arrays.set(arrays);
        self.slots.replace(slots);
    }
}

impl<N: Clone + Eq, V> SharedView<N, V> {
    /// Adds the new entries to the common count.
    fn count(&mut self) {
        self.array.table.0.len.add(std::mem::take(&mut self.new));
    }

    /// Stores the waiting entries.
    #[inline(never)]
    fn enter_all(&mut self) {
        let slots = self.array.last();
        slots.fetch::<MOST>(self.waiting.all().iter().map(|(hash, ..)| *hash));
        for (hash, node, value) in self.waiting.leave() {
            let is_new = slots.put(hash, &node, value, |_| false);
            self.new += usize::from(is_new);
        }
    }
}

impl<N: Clone + Eq + Hash, V: Clone> SharedView<N, V> {
    fn copy_of(&self, known: &V) -> Read<'_, V> {
        let mut copy = self.spare.take();
        match &mut copy {
            Some(copy) => V::clone_from(copy, known),
            None => copy = Some(Box::new(known.clone())),
        }
        let spare = &self.spare;
        Read { copy, spare }
    }

    /// Makes room for more entries, if the array is nearly full.
    fn make_room(&mut self, budget: &Budget) -> Result<(), Stop> {
        let lines = self.array.last().lines();
        if self.new >= lines.min(UNCOUNTED) || budget.is_short() {
            self.count();
            if SharedTable::<N, V>::is_full(lines, self.array.table.0.len.get())
                || budget.is_short()
            {
                self.array.table.grow(&self.hasher, budget)?;
            }
        }
        Ok(())
    }
}

impl<N: Clone + Eq, V> Drop for SharedView<N, V> {
    fn drop(&mut self) {
        if Waiting::<N, V>::IS_FOR {
            self.enter_all();
        }
        self.count();
    }
}

/// A copy of an entry. The next look-up reuses its memory, so that values keep their heap
/// allocations.
pub struct Read<'a, V> {
    /// `None` only during `drop`.
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
        let known = match self.waiting.get(hash, node) {
            Some(known) => Some(self.copy_of(known)),
            None => self
                .array
                .last()
                .read(hash, node, |known| self.copy_of(known)),
        };
        (Slot::of(hash), known)
    }

    #[inline(never)]
    fn put(&mut self, slot: Slot, node: &N, value: V, budget: &Budget) -> Result<(), Stop> {
        // Whether a node is to be remembered may have changed since its look-up, so it may have no
        // hash yet.
        let hash = match slot.hash {
            0 => self.hasher.hash_one(node),
            hash => hash,
        };
        if Waiting::<N, V>::IS_FOR {
            let mut left = Some(value);
            while let Some(value) = left {
                if self.waiting.all().is_empty() {
                    self.make_room(budget)?;
                }
                left = self.waiting.put(hash, node, value);
                if left.is_some() {
                    self.enter_all();
                }
            }
            return Ok(());
        }
        self.make_room(budget)?;
        let is_new = self.array.last().put(hash, node, value, |_| false);
        self.new += usize::from(is_new);
        Ok(())
    }

    /// Holds one lock at a time.
    fn each(&self, see: &mut dyn FnMut(&N, &V)) {
        self.array.last().each(see);
        for (_, node, value) in self.waiting.all() {
            see(node, value);
        }
    }

    /// Excludes up to 64 entries of each other thread that are not counted yet.
    fn len(&self) -> usize {
        let is_new = |(hash, node, _): &&(u64, N, V)| {
            let known = self.array.last().read(*hash, node, |_| ());
            known.is_none()
        };
        let waiting = self.waiting.all().iter().filter(is_new).count();
        self.array.table.0.len.get() + self.new + waiting
    }

    fn is_empty(&self) -> bool {
        self.array.table.0.arrays.load(Ordering::Relaxed) == 0 && self.waiting.all().is_empty()
    }

    fn in_progress(&self) -> Option<&Arc<InProgress>> {
        Some(&self.array.table.0.in_progress)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use meetjoin_lattice::{Limits, MemoryLimit};

    use super::*;

    const NODES: u64 = 20_000;

    /// Runs threads that store the same nodes from different starting points; returns how many are
    /// known in the end.
    fn known_after(bytes: Option<usize>) -> usize {
        let table = SharedTable::<u64, [u64; 2]>::new(bytes);
        assert!(table.view().is_empty());
        thread::scope(|scope| {
            for thread in 0..4 {
                let mut table = table.view();
                scope.spawn(move || {
                    for node in 0..NODES {
                        let node = (node + thread * NODES / 4) % NODES;
                        let (slot, known) = table.get(&node);
                        // Whichever thread wrote it, the value is of one write, and of this node.
                        assert!(known.is_none_or(|known| known[0] == node && known[1] < 4));
                        let put = table.put(slot, &node, [node, thread], &Budget::unlimited());
                        put.expect("there is no limit");
                    }
                });
            }
        });
        let (table, mut entries) = (table.view(), 0_usize);
        table.each(&mut |node, value| {
            assert_eq!(*node, value[0]);
            entries += 1;
        });
        let known = |node: &u64| table.get(node).1.is_some();
        let known = (0..NODES).filter(known).count();
        // Some are stored twice, and a few in an array that was just replaced.
        assert!(
            known <= entries && entries <= table.len(),
            "{known}, {entries}"
        );
        assert!(table.len() - known < NODES as usize / 10 && !table.is_empty());
        known
    }

    #[test]
    fn threads_read_what_threads_write() {
        for bytes in [None, Some(usize::MAX)] {
            let known = known_after(bytes);
            assert!(known > NODES as usize / 100 * 99, "{known}");
        }
        // A slot has a lock, an entry and a tag.
        let few = known_after(Some(1 << 18));
        assert!(0 < few && few < (1 << 18) / 33, "{few}");
    }

    #[test]
    fn with_one_thread_nothing_is_lost_or_counted_twice() {
        let mut table = SharedTable::<u64, u64>::new(None).view();
        for value in [1, 2] {
            for node in 0..NODES {
                let slot = table.get(&node).0;
                let put = table.put(slot, &node, value, &Budget::unlimited());
                assert_eq!(put, Ok(()));
                assert_eq!(table.get(&node).1.as_deref(), Some(&value));
            }
            assert_eq!(table.len(), NODES as usize);
        }
        assert!((0..NODES).all(|node| table.get(&node).1.as_deref() == Some(&2)));
    }

    #[test]
    fn what_one_thread_has_entered_is_there_when_it_has_gone() {
        for entries in [1, 5, 16, 17, 300] {
            let table = SharedTable::<u64, u64>::new(None);
            let mut view = table.view();
            for node in 0..entries {
                let slot = view.get(&node).0;
                let put = view.put(slot, &node, 3 * node, &Budget::unlimited());
                assert_eq!(put, Ok(()));
            }
            drop(view);
            let view = table.view();
            let is_there = |node: &u64| view.get(node).1.as_deref() == Some(&(3 * node));
            assert!((0..entries).all(|node| is_there(&node)), "{entries}");
            assert_eq!(view.len() as u64, entries);
        }
    }

    #[test]
    fn where_memory_is_short_half_is_forgotten_and_the_rest_is_true() {
        let limits = Limits {
            memory: Some(MemoryLimit {
                bytes: 200_000,
                used: || 0,
            }),
            forget: true,
            ..Limits::default()
        };
        let budget = Budget::new(limits);
        let mut table = SharedTable::<u64, u64>::new(None).view();
        for node in 0..10 * NODES {
            let slot = table.get(&node).0;
            assert_eq!(table.put(slot, &node, 3 * node, &budget), Ok(()));
            assert_eq!(table.get(&node).1.as_deref(), Some(&(3 * node)));
        }
        let is_true = |node: u64| table.get(&node).1.is_none_or(|known| *known == 3 * node);
        assert!((0..10 * NODES).all(is_true));
        let len = table.len();
        assert!((1_000..10_000).contains(&len), "{len}");
        // What is kept can be found.
        let found = (0..10 * NODES).filter(|node| table.get(node).1.is_some());
        assert_eq!(found.count(), len);
    }

    #[test]
    fn what_is_forgotten_before_it_was_counted_does_no_harm() {
        let short = Budget::new(Limits {
            memory: Some(MemoryLimit {
                bytes: 1,
                used: || 1,
            }),
            forget: true,
            ..Limits::default()
        });
        let table = SharedTable::<u64, u64>::new(None);
        let (mut ours, mut theirs) = (table.view(), table.view());
        let enter = |view: &mut SharedView<u64, u64>, node, budget: &Budget| {
            let slot = view.get(&node).0;
            assert_eq!(view.put(slot, &node, 3 * node, budget), Ok(()));
        };
        enter(&mut ours, 0, &Budget::unlimited());
        for node in 1..=50 {
            enter(&mut theirs, node, &Budget::unlimited());
        }
        // Half of them are evicted, including those that the other view has not counted.
        for node in 51..100 {
            enter(&mut ours, node, &short);
            assert!(ours.len() < 100);
        }
        drop(theirs);
        let mut known = 0;
        ours.each(&mut |node, value| {
            assert_eq!(*value, 3 * node);
            known += 1;
        });
        assert_eq!(ours.len(), known);
    }
}
