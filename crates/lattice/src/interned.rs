//! A hash-consed lattice: each element is stored once, and is known by a number of 32 bits from then on.
//!
//! Problem: a search over families of hundreds of worlds copies, compares and stores the same few thousand families again and again, and its cache
//! holds two of them for each position.
//!
//! Idea: give each distinct element a number, its [`Id`], when it is met for the first time, and compute with numbers. To copy or to compare for
//! equality costs an instruction; an interval in a cache takes eight bytes ([`Id`] leaves zero free, so that `Interval<Id>` needs no tag); and a
//! meet, a join or a comparison that was made before is looked up in a table by two numbers.
//!
//! Invariant: two ids are equal exactly if their elements are. An element never moves and is never dropped before the lattice is: it lies
//! in a chunk, and chunks double in size. Ids count from the bottom (1) and the top (2; one element: the bottom again) in the order in which
//! elements are met, so the same operations give the same ids.
//!
//! Forgetting: there is a table of results for each of meet, join and comparison. An entry has one place, by a hash of the two ids, and
//! what comes to that place takes it. A table doubles when it has forgotten as many entries as it has places, up to
//! [`Room::results`] places. Nothing depends on what a table has forgotten but the time.
//!
//! Cost: an operation that is remembered: a multiplication and one memory access. Any other: the operation itself, a copy of its first operand, and a
//! search of the result by hash, with one copy more if it is new. It pays where few elements serve many nodes, and
//! loses where nearly every result is new: see `benches/interned.rs`.
//!
//! Memory: the elements with what they hold on the heap ([`HeapBytes`]), their index, and the tables of results are counted,
//! and stay within [`Room::bytes`]; beyond that, operations that would make a new element stop with [`Stop::Lattice`]. The budget is asked too before
//! a chunk or the index grows. A table of results grows by at most an eighth of [`Room::bytes`] and half of what the budget has left, and
//! stays as it is if it may not.
//!
//! Needs: elements that can be hashed. Cells inside make the lattice one thread's own: it is not `Sync`, and threads have one each.
//!
//! Source: hash-consing: Ershov (1958); with tables of results that forget: Brace, Rudell, Bryant (1990), in packages for binary decision diagrams.

use std::cell::{Cell, OnceCell, RefCell};
use std::cmp::Ordering;
use std::fmt::Debug;
use std::hash::Hash;
use std::num::NonZeroU32;

use ahash::RandomState;
use hashbrown::HashTable;

use crate::{
    Budget, DistributiveLattice, HeapBytes, JoinPrimes, Lattice, MeetPrimes, Shown, Stop,
    TotalOrder,
};

/// The number of an element in its [`Interned`] lattice. To be given to that lattice alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(NonZeroU32);

impl Id {
    /// The id of no element. It stands for the value of a leaf for which there was no room; every operation with it stops with [`Stop::Lattice`].
    pub const NONE: Self = Self(NonZeroU32::MAX);

    const BOTTOM: Self = Self(NonZeroU32::MIN);

    /// The id of the element at this place, unless ids have run out.
    fn of_place(place: u32) -> Option<Self> {
        let id = NonZeroU32::new(place.checked_add(1)?).map(Self)?;
        (id != Self::NONE).then_some(id)
    }

    fn place(self) -> u32 {
        self.0.get() - 1
    }
}

/// How much an [`Interned`] lattice may remember.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// The most bytes of everything together.
    pub bytes: u64,
    /// The most results of each operation; rounded down to a power of two, and at least one.
    pub results: usize,
}

impl Default for Room {
    /// 2^16 results of each operation, which are 768 KiB, and as many bytes as there are.
    fn default() -> Self {
        Self {
            bytes: u64::MAX,
            results: 1 << 16,
        }
    }
}

/// Elements in the first chunk; chunk k holds `FIRST << k`.
const FIRST: u64 = 64;
/// So many chunks have a place for every id.
const CHUNKS: usize = 27;

/// A chunk: its places are filled in order.
type Chunk<E> = Box<[OnceCell<E>]>;

/// Elements by place. One that is there stays where it is, so it can be lent while others are added.
#[derive(Debug)]
struct Elements<E> {
    chunks: [OnceCell<Chunk<E>>; CHUNKS],
}

impl<E> Elements<E> {
    fn new() -> Self {
        Self {
            chunks: [const { OnceCell::new() }; CHUNKS],
        }
    }

    /// Chunk, and place in it: chunk k starts at `FIRST * (2^k - 1)`.
    #[inline]
    fn locate(place: u32) -> (usize, usize) {
        let shifted = u64::from(place) + FIRST;
        let chunk = shifted.ilog2() - FIRST.ilog2();
        (chunk as usize, (shifted - (FIRST << chunk)) as usize)
    }

    #[inline]
    fn get(&self, place: u32) -> Option<&E> {
        let (chunk, place) = Self::locate(place);
        self.chunks.get(chunk)?.get()?.get(place)?.get()
    }

    /// How many elements the chunk holds that has to be made for this place; 0 if it is there.
    fn growth(&self, place: u32) -> usize {
        let (chunk, _) = Self::locate(place);
        match self.chunks.get(chunk).map(OnceCell::get) {
            Some(None) => (FIRST as usize) << chunk,
            _ => 0,
        }
    }

    /// Puts an element to a place that is free.
    fn put(&self, place: u32, element: E) {
        let (chunk, place) = Self::locate(place);
        let make = || (0..FIRST << chunk).map(|_| OnceCell::new()).collect();
        let chunk = self.chunks.get(chunk).map(|c| c.get_or_init(make));
        if let Some(cell) = chunk.and_then(|chunk| chunk.get(place)) {
            cell.get_or_init(|| element);
        }
    }
}

/// Two ids and what came of them; all zero if there is nothing.
type Entry = [u32; 3];

/// The results of one operation: each has one place, and the last to come keeps it.
#[derive(Debug)]
struct Results {
    /// A power of two of them, or none yet.
    entries: RefCell<Vec<Entry>>,
    /// How many were forgotten since it was made, has grown, or was not allowed to.
    forgotten: Cell<usize>,
    most: usize,
}

/// Places of a table of results when it is first written to.
const FIRST_RESULTS: usize = 256;

impl Results {
    fn new(most: usize) -> Self {
        Self {
            entries: RefCell::default(),
            forgotten: Cell::new(0),
            most: 1 << most.max(1).ilog2(),
        }
    }

    #[inline]
    fn place(a: u32, b: u32, places: usize) -> usize {
        let key = u64::from(a) << 32 | u64::from(b);
        // The high bits of a product by an odd number without pattern depend on all bits of the key.
        let product = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        product.checked_shr(64 - places.ilog2()).unwrap_or(0) as usize
    }

    #[inline]
    fn get(&self, a: Id, b: Id) -> Option<u32> {
        let (a, b) = (a.0.get(), b.0.get());
        let entries = self.entries.borrow();
        if entries.is_empty() {
            return None;
        }
        let [x, y, result] = entries[Self::place(a, b, entries.len())];
        (x == a && y == b).then_some(result)
    }

    /// Remembers a result. `may_grow` is asked for more bytes.
    fn put(&self, a: Id, b: Id, result: u32, may_grow: impl FnOnce(u64) -> bool) {
        let entries = &mut *self.entries.borrow_mut();
        let places = entries.len();
        if self.forgotten.get() >= places && places < self.most {
            let grown = (2 * places).max(FIRST_RESULTS).min(self.most);
            if may_grow(((grown - places) * size_of::<Entry>()) as u64) {
                let old = std::mem::replace(entries, vec![Entry::default(); grown]);
                for entry in old.into_iter().filter(|entry| entry[0] != 0) {
                    entries[Self::place(entry[0], entry[1], grown)] = entry;
                }
            }
            self.forgotten.set(0);
        }
        if entries.is_empty() {
            return;
        }
        let (a, b) = (a.0.get(), b.0.get());
        let place = Self::place(a, b, entries.len());
        let entry = &mut entries[place];
        if entry[0] != 0 {
            self.forgotten.set(self.forgotten.get() + 1);
        }
        *entry = [a, b, result];
    }
}

/// The lattice `L` with ids for elements. See the [module page](self).
///
/// ```
/// use meetjoin_lattice::{Budget, Families, Interned, Lattice, Words};
///
/// let families = Families::<Words<16>>::of_worlds(924)?;
/// let ids = Interned::new(&families);
/// let budget = Budget::unlimited();
/// let set = |world| families.principal(families.base().set([0, world]).expect("worlds exist"));
/// let mut value = ids.intern(&set(1), &budget)?;
/// let other = ids.intern(&set(2), &budget)?;
/// ids.meet_assign(&mut value, &other, &budget)?;
/// assert_eq!(ids.element(value), Some(&families.principal(families.base().set([0]).expect("it exists"))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Interned<L: Lattice> {
    lattice: L,
    elements: Elements<L::Elem>,
    /// How many there are.
    len: Cell<u32>,
    /// Where each element is, by its hash.
    index: RefCell<HashTable<Id>>,
    hasher: RandomState,
    top: Id,
    meets: Results,
    joins: Results,
    comparisons: Results,
    most_bytes: u64,
    /// Of the elements and of the tables of results.
    bytes: Cell<u64>,
    index_bytes: Cell<u64>,
}

impl<L: Lattice<Elem: Hash + HeapBytes>> Interned<L> {
    /// `lattice` with ids, in the default [`Room`].
    pub fn new(lattice: L) -> Self {
        Self::with_room(lattice, Room::default())
    }

    /// `lattice` with ids, in so much room. Bottom and top find theirs in any.
    pub fn with_room(lattice: L, room: Room) -> Self {
        let (bottom, top) = (lattice.bottom(), lattice.top());
        let mut interned = Self {
            lattice,
            elements: Elements::new(),
            len: Cell::new(0),
            index: RefCell::new(HashTable::new()),
            // The digits of e; those of pi are in the hash function itself, and some of them would cancel.
            hasher: RandomState::with_seeds(
                0xb7e1_5162_8aed_2a6a,
                0xbf71_5880_9cf4_f3c7,
                0x62e7_160f_38b4_da56,
                0xa784_d904_5190_cfef,
            ),
            top: Id::BOTTOM,
            meets: Results::new(room.results),
            joins: Results::new(room.results),
            comparisons: Results::new(room.results),
            most_bytes: u64::MAX,
            bytes: Cell::new(0),
            index_bytes: Cell::new(0),
        };
        let free = Budget::unlimited();
        // Nothing limits these two.
        for extreme in [bottom, top] {
            interned.top = interned.intern(&extreme, &free).unwrap_or(Id::BOTTOM);
        }
        interned.most_bytes = room.bytes;
        interned
    }

    /// The id of an element, which is stored if it is new.
    ///
    /// # Errors
    /// [`Stop::Lattice`] without room for a new element, [`Stop::Memory`] if the budget has none.
    pub fn intern(&self, element: &L::Elem, budget: &Budget) -> Result<Id, Stop> {
        let hash = self.hasher.hash_one(element);
        let index = &mut *self.index.borrow_mut();
        let known = index.find(hash, |id| self.element(*id) == Some(element));
        if let Some(&id) = known {
            return Ok(id);
        }
        let place = self.len.get();
        let id = Id::of_place(place).ok_or(Stop::Lattice)?;
        let chunk = self.elements.growth(place) * size_of::<OnceCell<L::Elem>>();
        // Old and new buckets are there at once; at a load of 7/8 at most, after doubling, that is under four times the ids.
        let buckets = if index.len() < index.capacity() {
            0
        } else {
            4 * (index.len() + 4) * (size_of::<Id>() + 1)
        };
        // A copy has no spare room.
        let element = element.clone();
        let kept = chunk as u64 + element.heap_bytes();
        if !self.has_room(kept + buckets as u64) {
            return Err(Stop::Lattice);
        }
        if chunk + buckets > 0 {
            budget.room((chunk + buckets) as u64)?;
        }
        self.elements.put(place, element);
        self.len.set(place + 1);
        let rehash = |id: &Id| self.hash_of(*id);
        index.insert_unique(hash, id, rehash);
        let index_bytes = index.allocation_size() as u64;
        self.bytes.set(self.bytes.get() + kept);
        self.index_bytes.set(index_bytes);
        Ok(id)
    }

    fn hash_of(&self, id: Id) -> u64 {
        self.element(id)
            .map_or(0, |element| self.hasher.hash_one(element))
    }

    /// The result of `operation` with two elements, as an id.
    fn operate(
        &self,
        operation: impl FnOnce(&L, &mut L::Elem, &L::Elem) -> Result<(), Stop>,
        a: Id,
        b: Id,
        budget: &Budget,
    ) -> Result<Id, Stop> {
        let mut result = self.at(a)?.clone();
        operation(&self.lattice, &mut result, self.at(b)?)?;
        self.intern(&result, budget)
    }

    /// The ids of several elements.
    fn intern_all(&self, elements: &[L::Elem], budget: &Budget) -> Result<Vec<Id>, Stop> {
        let each = elements.iter();
        each.map(|element| self.intern(element, budget)).collect()
    }
}

impl<L: Lattice> Interned<L> {
    /// The lattice of the elements.
    pub fn lattice(&self) -> &L {
        &self.lattice
    }

    /// The element with this id; none for [`Id::NONE`].
    #[inline]
    pub fn element(&self, id: Id) -> Option<&L::Elem> {
        self.elements.get(id.place())
    }

    #[inline]
    fn at(&self, id: Id) -> Result<&L::Elem, Stop> {
        self.element(id).ok_or(Stop::Lattice)
    }

    /// How many elements there are.
    pub fn element_count(&self) -> usize {
        self.len.get() as usize
    }

    /// How many bytes all of it takes.
    pub fn bytes(&self) -> u64 {
        self.bytes.get() + self.index_bytes.get()
    }

    fn has_room(&self, bytes: u64) -> bool {
        self.bytes().saturating_add(bytes) <= self.most_bytes
    }

    /// Remembers a result. A table that may not grow stays as it is.
    fn remember(&self, results: &Results, a: Id, b: Id, result: u32, budget: &Budget) {
        results.put(a, b, result, |bytes| {
            let may_grow = bytes <= self.most_bytes / 8
                && self.has_room(bytes)
                && budget.memory_left().is_none_or(|left| bytes <= left / 2);
            if may_grow {
                self.bytes.set(self.bytes.get() + bytes);
            }
            may_grow
        });
    }
}

impl<L: Lattice<Elem: Hash + HeapBytes>> Lattice for Interned<L> {
    type Elem = Id;

    #[inline]
    fn bottom(&self) -> Id {
        Id::BOTTOM
    }

    #[inline]
    fn top(&self) -> Id {
        self.top
    }

    fn leq(&self, a: &Id, b: &Id, budget: &Budget) -> Result<bool, Stop> {
        let (a, b) = (*a, *b);
        known(a, b)?;
        if a == b || a == Id::BOTTOM || b == self.top {
            return Ok(true);
        }
        if a == self.top || b == Id::BOTTOM {
            return Ok(false);
        }
        if let Some(result) = self.comparisons.get(a, b) {
            return Ok(result != 0);
        }
        let leq = self.lattice.leq(self.at(a)?, self.at(b)?, budget)?;
        self.remember(&self.comparisons, a, b, leq.into(), budget);
        Ok(leq)
    }

    fn join_assign(&self, a: &mut Id, b: &Id, budget: &Budget) -> Result<(), Stop> {
        let (x, y) = ordered(*a, *b)?;
        if x == Id::BOTTOM || y == self.top || x == y {
            *a = y;
        } else if x == self.top {
            *a = x;
        } else if let Some(join) = self.joins.get(x, y).and_then(id_of) {
            *a = join;
        } else {
            let join = |l: &L, x: &mut L::Elem, y: &L::Elem| l.join_assign(x, y, budget);
            *a = self.operate(join, x, y, budget)?;
            self.remember(&self.joins, x, y, a.0.get(), budget);
        }
        Ok(())
    }

    fn meet_assign(&self, a: &mut Id, b: &Id, budget: &Budget) -> Result<(), Stop> {
        let (x, y) = ordered(*a, *b)?;
        if x == Id::BOTTOM || y == self.top || x == y {
            *a = x;
        } else if x == self.top {
            *a = y;
        } else if let Some(meet) = self.meets.get(x, y).and_then(id_of) {
            *a = meet;
        } else {
            let meet = |l: &L, x: &mut L::Elem, y: &L::Elem| l.meet_assign(x, y, budget);
            *a = self.operate(meet, x, y, budget)?;
            self.remember(&self.meets, x, y, a.0.get(), budget);
        }
        Ok(())
    }

    fn shorten(&self, a: &Id, shown: Shown<'_, Id>, budget: &Budget) -> Result<Option<Id>, Stop> {
        let shown = shown.map(|id| self.element(*id));
        let (Some(element), Some(shown)) = (self.element(*a), shown) else {
            return Ok(None);
        };
        let shorter = self.lattice.shorten(element, shown, budget)?;
        shorter.map(|x| self.intern(&x, budget)).transpose()
    }

    fn rank(&self, id: &Id) -> u64 {
        let element = self.element(*id);
        element.map_or(0, |element| self.lattice.rank(element))
    }
}

/// Stops at the id of no element.
#[inline]
fn known(a: Id, b: Id) -> Result<(), Stop> {
    if a == Id::NONE || b == Id::NONE {
        return Err(Stop::Lattice);
    }
    Ok(())
}

/// Two operands in the order of their numbers, for meet and join do not care.
#[inline]
fn ordered(a: Id, b: Id) -> Result<(Id, Id), Stop> {
    known(a, b)?;
    Ok((a.min(b), a.max(b)))
}

/// The id that was remembered as a result.
#[inline]
fn id_of(result: u32) -> Option<Id> {
    NonZeroU32::new(result).map(Id)
}

impl<L: DistributiveLattice<Elem: Hash + HeapBytes>> DistributiveLattice for Interned<L> {}

impl<L: TotalOrder<Elem: Hash + HeapBytes>> TotalOrder for Interned<L> {
    fn compare(&self, a: &Id, b: &Id) -> Ordering {
        match (self.element(*a), self.element(*b)) {
            (Some(a), Some(b)) => self.lattice.compare(a, b),
            // One of them is no element.
            _ => a.cmp(b),
        }
    }

    fn split(&self, lower: &Id, upper: &Id) -> Option<Id> {
        let between = self
            .lattice
            .split(self.element(*lower)?, self.element(*upper)?)?;
        self.intern(&between, &Budget::unlimited()).ok()
    }
}

impl<L: JoinPrimes<Elem: Hash + HeapBytes>> JoinPrimes for Interned<L> {
    fn is_join_prime(&self, t: &Id, budget: &Budget) -> Result<bool, Stop> {
        self.lattice.is_join_prime(self.at(*t)?, budget)
    }

    fn join_primes_below(&self, v: &Id, budget: &Budget) -> Result<Vec<Id>, Stop> {
        let parts = self.lattice.join_primes_below(self.at(*v)?, budget)?;
        self.intern_all(&parts, budget)
    }
}

impl<L: MeetPrimes<Elem: Hash + HeapBytes>> MeetPrimes for Interned<L> {
    fn is_meet_prime(&self, t: &Id, budget: &Budget) -> Result<bool, Stop> {
        self.lattice.is_meet_prime(self.at(*t)?, budget)
    }

    fn meet_primes_above(&self, v: &Id, budget: &Budget) -> Result<Vec<Id>, Stop> {
        let parts = self.lattice.meet_primes_above(self.at(*v)?, budget)?;
        self.intern_all(&parts, budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Families, Interval, Limits, MemoryLimit, Powerset, Words};

    #[test]
    fn an_interval_of_ids_takes_eight_bytes() {
        assert_eq!(size_of::<Interval<Id>>(), 8);
    }

    #[test]
    fn elements_have_one_id_each_and_stay_where_they_are() {
        let sets = Powerset::<Words<1>>::new(64).expect("it fits");
        let ids = Interned::new(&sets);
        let budget = Budget::unlimited();
        let all: Vec<Id> = (0..50_000)
            .map(|word| ids.intern(&Words([word]), &budget).expect("no limit"))
            .collect();
        let first: Vec<*const Words<1>> = addresses(&ids, &all);
        for (word, id) in (0..50_000).zip(&all) {
            assert_eq!(ids.intern(&Words([word]), &budget), Ok(*id));
            assert_eq!(ids.element(*id), Some(&Words([word])));
        }
        assert_eq!(ids.element_count(), 50_001, "with the top");
        assert_eq!(addresses(&ids, &all), first);
    }

    fn addresses<L: Lattice>(ids: &Interned<L>, all: &[Id]) -> Vec<*const L::Elem> {
        let each = all.iter().filter_map(|id| ids.element(*id));
        each.map(std::ptr::from_ref).collect()
    }

    #[test]
    fn one_element_is_bottom_and_top() {
        let ids = Interned::new(Powerset::<Words<1>>::new(0).expect("it fits"));
        assert_eq!((ids.bottom(), ids.element_count()), (ids.top(), 1));
    }

    #[test]
    fn a_table_of_results_forgets_by_overwriting_and_keeps_to_its_size() {
        let results = Results::new(1000);
        let id = |n: u32| Id::of_place(n).expect("few");
        for n in 0..10_000 {
            results.put(id(n), id(n + 1), n, |_| true);
            assert_eq!(results.get(id(n), id(n + 1)), Some(n));
        }
        assert_eq!(results.entries.borrow().len(), 512);
        let kept = (0..10_000).filter(|&n| results.get(id(n), id(n + 1)) == Some(n));
        let kept = kept.count();
        assert!(kept > 100 && kept <= 512, "{kept}");
        let none = Results::new(1000);
        none.put(id(0), id(1), 7, |_| false);
        assert_eq!(none.get(id(0), id(1)), None);
    }

    #[test]
    fn a_full_lattice_says_so_and_changes_nothing() {
        let families = Families::<Words<1>>::of_worlds(40).expect("it fits");
        let budget = Budget::unlimited();
        for bytes in [0, 5_000, 50_000] {
            let room = Room { bytes, results: 64 };
            let ids = Interned::with_room(&families, room);
            let pair = |i: usize| families.base().set([i % 40, (i % 40 + i / 40 + 1) % 40]);
            let pair = |i| families.principal(pair(i).expect("worlds exist"));
            let mut join = ids.bottom();
            let stopped = (0..1000).find(|&i| {
                let old = join;
                let part = ids.intern(&pair(i), &budget);
                let done = part.and_then(|part| ids.join_assign(&mut join, &part, &budget));
                assert!(done.is_ok() || join == old);
                assert!(done.is_ok() || done == Err(Stop::Lattice));
                done.is_err()
            });
            assert!(stopped.is_some(), "{bytes}");
            assert!(ids.bytes() <= bytes || bytes == 0);
            assert_eq!(ids.meet_assign(&mut join, &ids.top(), &budget), Ok(()));
        }
    }

    #[test]
    fn the_budget_is_asked_for_room() {
        let sets = Powerset::<Words<1>>::new(64).expect("it fits");
        let ids = Interned::new(&sets);
        let budget = Budget::new(Limits {
            memory: Some(MemoryLimit {
                bytes: 10_000,
                used: || 0,
            }),
            ..Limits::default()
        });
        let full = (0..10_000).find_map(|word| ids.intern(&Words([word]), &budget).err());
        assert_eq!(full, Some(Stop::Memory));
    }

    #[test]
    fn no_operation_takes_the_id_of_no_element() {
        let ids = Interned::new(Powerset::<Words<1>>::new(3).expect("it fits"));
        let budget = Budget::unlimited();
        assert_eq!((ids.element(Id::NONE), ids.rank(&Id::NONE)), (None, 0));
        for id in [ids.bottom(), ids.top(), Id::NONE] {
            let mut a = id;
            assert_eq!(ids.leq(&id, &Id::NONE, &budget), Err(Stop::Lattice));
            let done = ids.join_assign(&mut a, &Id::NONE, &budget);
            assert_eq!((done, a), (Err(Stop::Lattice), id));
            let done = ids.meet_assign(&mut a, &Id::NONE, &budget);
            assert_eq!((done, a), (Err(Stop::Lattice), id));
        }
    }
}
