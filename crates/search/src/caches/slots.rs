//! The array of a shared table: slots for entries, each with a lock of its own, and a tag byte for
//! each slot that makes most locking unnecessary.
//!
//! Problem: most look-ups find nothing, and a lock for many entries moves between the processors'
//! caches at nearly each look-up, which takes as long as the look-up itself.
//!
//! Idea: a *tag* is a byte of the hash of the node in a slot, 0 for an empty one. Tags are stored
//! apart from the slots, so that they fit into a cache, and are read without a lock: a node whose
//! tag is not found is not known. Only a slot with the right tag is locked and its node compared.
//! The lock lies in the slot, in memory that is fetched anyway.
//!
//! A hash selects a *line* of 64 slots, whose tags are eight words in one cache line, and a word in
//! it. A node goes to the first word from there on that has room, perhaps in a later line.
//!
//! An array does not grow; its entries move to a larger one, which is in use meanwhile: what is not
//! found there is looked up in the older one.
//!
//! Invariant: the entry of a slot belongs to the node stored with it, whatever the tag. One thread
//! may miss an entry that another is just storing, and two may store a node twice; that costs time
//! only.
//!
//! Source: tags as in hashbrown's tables (Kulukundis 2017, "Swiss tables").

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Tags of a word.
const TAGS: usize = 8;
/// Words of a line.
const WORDS: usize = 8;
/// Slots of a line.
pub(crate) const LINE: usize = TAGS * WORDS;

/// The most lines searched for a node. With seven of eight slots in use, hardly any node finds all
/// of them full.
const NEAR: usize = 16;

/// One in each byte.
const ONES: u64 = u64::from_ne_bytes([1; TAGS]);
const HIGH_BITS: u64 = ONES << 7;
/// A tombstone: the tag of a slot whose entry was removed, so that probes go on past it.
const GONE: u8 = u8::MAX;

/// An array of slots.
#[derive(Debug)]
pub(crate) struct Slots<N, V> {
    tags: Box<[Line]>,
    entries: Box<[Slot<N, V>]>,
    /// Whether entries of an older array are still to be moved to this one.
    is_filling: AtomicBool,
    older: Mutex<Option<Arc<Self>>>,
}

#[derive(Debug)]
#[repr(align(64))]
struct Line([AtomicU64; WORDS]);

type Slot<N, V> = Mutex<Option<(N, V)>>;

/// The approximate number of entries: each thread adds its new ones now and then. It can be
/// negative if some are removed before that.
#[derive(Debug, Default)]
pub(crate) struct Count(AtomicIsize);

impl Count {
    pub(crate) fn add(&self, new: usize) {
        self.0.fetch_add(new.cast_signed(), Ordering::Relaxed);
    }

    pub(crate) fn subtract(&self, gone: usize) {
        self.0.fetch_sub(gone.cast_signed(), Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> usize {
        self.0.load(Ordering::Relaxed).max(0).cast_unsigned()
    }
}

/// The tag of a hash, from bits that do not determine the slot.
#[inline]
fn tag_of(hash: u64) -> u8 {
    (hash as u8).clamp(1, GONE - 1)
}

/// The bytes of a word that equal `tag`, as a set of bits. There may be false positives after the
/// first match.
#[inline]
fn places_of(word: u64, tag: u8) -> u64 {
    let zero = word ^ (ONES * u64::from(tag));
    zero.wrapping_sub(ONES) & !zero & HIGH_BITS
}

/// The indices of the bytes in such a set.
#[inline]
fn bytes(mut places: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = places.checked_ilog2().map(|_| places.trailing_zeros())?;
        places &= places - 1;
        Some(first as usize / TAGS)
    })
}

/// A word with one byte replaced.
#[inline]
fn with_tag(word: u64, byte: usize, tag: u8) -> u64 {
    let shift = 8 * byte;
    word & !(0xff << shift) | u64::from(tag) << shift
}

impl<N: Clone + Eq, V> Slots<N, V> {
    /// Empty lines, and an older array whose entries are to be moved; `None` if memory is short.
    pub(crate) fn new(lines: usize, older: Option<Arc<Self>>) -> Option<Self> {
        let (mut tags, mut entries) = (Vec::new(), Vec::new());
        tags.try_reserve_exact(lines).ok()?;
        tags.resize_with(lines, || Line([const { AtomicU64::new(0) }; WORDS]));
        entries.try_reserve_exact(lines.checked_mul(LINE)?).ok()?;
        entries.resize_with(lines * LINE, || Mutex::new(None));
        Some(Self {
            tags: tags.into(),
            entries: entries.into(),
            is_filling: AtomicBool::new(older.is_some()),
            older: Mutex::new(older),
        })
    }

    /// The bytes of so many lines.
    pub(crate) const fn bytes(lines: usize) -> usize {
        lines.saturating_mul(size_of::<Line>() + LINE * size_of::<Slot<N, V>>())
    }

    pub(crate) fn lines(&self) -> usize {
        self.tags.len()
    }

    /// The words probed for a hash, with their indices.
    #[inline]
    fn words(&self, hash: u64) -> impl Iterator<Item = (&AtomicU64, usize)> {
        let lines = self.tags.len();
        let line = ((u128::from(hash) * lines as u128) >> 64) as usize;
        let first = (hash >> 8) as usize % WORDS;
        let near = (line..lines).chain(0..line).take(NEAR);
        near.flat_map(move |line| {
            (first..first + WORDS).map(move |word| {
                let word = word % WORDS;
                (&self.tags[line].0[word], line * WORDS + word)
            })
        })
    }

    /// Finds and locks the slot of a node.
    #[inline]
    fn find(&self, hash: u64, node: &N) -> Option<MutexGuard<'_, Option<(N, V)>>> {
        for (tags, number) in self.words(hash) {
            let word = tags.load(Ordering::Relaxed);
            for byte in bytes(places_of(word, tag_of(hash))) {
                let slot = locked(&self.entries[number * TAGS + byte]);
                if slot.as_ref().is_some_and(|(known, _)| known == node) {
                    return Some(slot);
                }
            }
            if places_of(word, 0) != 0 {
                break;
            }
        }
        None
    }

    /// Reads the value of a node, if it is known.
    #[inline]
    pub(crate) fn read<R>(&self, hash: u64, node: &N, read: impl Fn(&V) -> R) -> Option<R> {
        let value = |(_, value): &(N, V)| read(value);
        let found = self.find(hash, node);
        let found = found.and_then(|slot| slot.as_ref().map(value));
        if found.is_none() && self.is_filling.load(Ordering::Relaxed) {
            // A node that has been moved meanwhile is not found this time.
            let older = locked(&self.older).clone()?;
            let found = older.find(hash, node)?;
            return found.as_ref().map(value);
        }
        found
    }

    /// Stores a value for a node, unless `keep` retains the known one; returns whether the count
    /// grew.
    #[inline]
    pub(crate) fn put(&self, hash: u64, node: &N, value: V, keep: impl Fn(&V) -> bool) -> bool {
        let Some(mut slot) = self.find(hash, node) else {
            return self.insert(hash, (node.clone(), value));
        };
        if let Some((_, known)) = &mut *slot
            && !keep(known)
        {
            *known = value;
        }
        false
    }

    /// Prefetches the slots in which nodes with these hashes probably are, or will be, all at the
    /// same time; locking would wait for one after the other.
    pub(crate) fn fetch<const MOST: usize>(&self, hashes: impl Iterator<Item = u64>) {
        let mut slots = [0; MOST];
        let mut count = 0;
        for (slot, hash) in slots.iter_mut().zip(hashes) {
            let mut words = self.words(hash).map(|(tags, number)| {
                let word = tags.load(Ordering::Relaxed);
                let places = places_of(word, tag_of(hash)) | places_of(word, 0);
                bytes(places).next().map(|byte| number * TAGS + byte)
            });
            *slot = words.next().flatten().unwrap_or_default();
            count += 1;
        }
        // Reads an unused byte of the slot.
        for slot in &slots[..count] {
            black_box(self.entries.get(*slot).is_some_and(Mutex::is_poisoned));
        }
    }

    /// Inserts an entry that is not there, evicting another if the table is full; returns whether
    /// the count grew.
    fn insert(&self, hash: u64, entry: (N, V)) -> bool {
        let tag = tag_of(hash);
        for (tags, number) in self.words(hash) {
            let mut word = tags.load(Ordering::Relaxed);
            while let Some(byte) = bytes(places_of(word, 0) | places_of(word, GONE)).next() {
                let claimed = tags.compare_exchange_weak(
                    word,
                    with_tag(word, byte, tag),
                    Ordering::Relaxed,
                    Ordering::Relaxed,
                );
                match claimed {
                    Ok(_) => {
                        *locked(&self.entries[number * TAGS + byte]) = Some(entry);
                        return true;
                    }
                    Err(now) => word = now,
                }
            }
        }
        if let Some((_, number)) = self.words(hash).next() {
            let byte = (hash >> 16) as usize % TAGS;
            let slot = number * TAGS + byte;
            let mut of_another = locked(&self.entries[slot]);
            self.set_tag(slot, tag);
            *of_another = Some(entry);
        }
        false
    }

    /// Moves the entries of the older array here; returns how many were lost: those known here
    /// already, and evicted ones.
    pub(crate) fn fill(&self, hash: impl Fn(&N) -> u64) -> usize {
        let (older, mut fewer) = (locked(&self.older).clone(), 0);
        for slot in older.iter().flat_map(|older| &older.entries) {
            let Some(entry) = locked(slot).take() else {
                continue;
            };
            let hash = hash(&entry.0);
            let is_new = self.find(hash, &entry.0).is_none();
            fewer += usize::from(!is_new || !self.insert(hash, entry));
        }
        *locked(&self.older) = None;
        self.is_filling.store(false, Ordering::Relaxed);
        fewer
    }

    /// Removes all entries but those that `keep` retains; returns how many were removed.
    pub(crate) fn retain(
        &self,
        hash: impl Fn(&N) -> u64,
        mut keep: impl FnMut(&N, &V) -> bool,
    ) -> usize {
        let mut forgotten = 0;
        for (number, slot) in self.entries.iter().enumerate() {
            let mut slot = locked(slot);
            if slot
                .as_ref()
                .is_some_and(|(node, value)| !keep(node, value))
            {
                *slot = None;
                forgotten += 1;
            }
            if slot.is_none() {
                self.set_tag(number, 0);
            }
        }
        // An entry that was put past a full word is no longer found if that word has room now.
        for (number, slot) in self.entries.iter().enumerate() {
            let mut slot = locked(slot);
            let Some(hash) = slot.as_ref().map(|(node, _)| hash(node)) else {
                continue;
            };
            if self.is_reached(hash, number / TAGS) {
                continue;
            }
            if let Some(entry) = slot.take() {
                drop(slot);
                // Probes for other entries may go on past it.
                self.set_tag(number, GONE);
                forgotten += usize::from(!self.insert(hash, entry));
            }
        }
        forgotten
    }

    /// Returns whether probes for a hash reach this word.
    fn is_reached(&self, hash: u64, word: usize) -> bool {
        let has_room = |tags: &AtomicU64| places_of(tags.load(Ordering::Relaxed), 0) != 0;
        let end = self
            .words(hash)
            .find(|(tags, number)| *number == word || has_room(tags));
        end.is_some_and(|(_, number)| number == word)
    }

    fn set_tag(&self, slot: usize, tag: u8) {
        let tags = &self.tags[slot / LINE].0[slot % LINE / TAGS];
        let with = |word| Some(with_tag(word, slot % TAGS, tag));
        let _ = tags.fetch_update(Ordering::Relaxed, Ordering::Relaxed, with);
    }

    /// Shows all entries. Holds the lock of one slot at a time, and the lock of the older array
    /// throughout.
    pub(crate) fn each(&self, see: &mut dyn FnMut(&N, &V)) {
        let older = locked(&self.older).clone();
        for slot in older.iter().flat_map(|older| &older.entries) {
            if let Some((node, value)) = &*locked(slot) {
                see(node, value);
            }
        }
        for slot in &self.entries {
            if let Some((node, value)) = &*locked(slot) {
                see(node, value);
            }
        }
    }
}

/// Locks, and ignores poisoning: a panic in another thread leaves a slot unchanged, or with a
/// complete entry.
#[inline]
fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
