//! Maps keys to dense numbers, in the order in which they are first met.
//!
//! The table holds numbers only; the keys lie in one array, in order. The table is never iterated
//! over, and the seed of the hash is fixed, so runs are deterministic.

use std::hash::Hash;

use ahash::RandomState;
use hashbrown::HashTable;

/// A set of keys, each with its number.
#[derive(Clone, Debug)]
pub struct Interner<K> {
    things: Vec<K>,
    table: HashTable<u32>,
    hasher: RandomState,
}

impl<K> Default for Interner<K> {
    fn default() -> Self {
        Self {
            things: Vec::new(),
            table: HashTable::new(),
            hasher: RandomState::with_seeds(
                0x243f_6a88_85a3_08d3,
                0x1319_8a2e_0370_7344,
                0xa409_3822_299f_31d0,
                0x082e_fa98_ec4e_6c89,
            ),
        }
    }
}

impl<K: Hash + Eq> Interner<K> {
    /// The key with this number.
    pub fn get(&self, number: u32) -> Option<&K> {
        self.things.get(number as usize)
    }

    /// The number of a known key. `view` hashes like the key, and `same` recognises it.
    pub fn find(&self, view: &impl Hash, same: impl Fn(&K) -> bool) -> Option<u32> {
        let hash = self.hasher.hash_one(view);
        let same = |&number: &u32| same(&self.things[number as usize]);
        self.table.find(hash, same).copied()
    }

    /// The number of a key, which is added if it is new. `None` when numbers or memory run out.
    #[inline]
    pub fn intern(
        &mut self,
        view: &impl Hash,
        same: impl Fn(&K) -> bool,
        make: impl FnOnce() -> K,
    ) -> Option<u32> {
        let hash = self.hasher.hash_one(view);
        let things = &self.things;
        if let Some(&number) = self
            .table
            .find(hash, |&number| same(&things[number as usize]))
        {
            return Some(number);
        }
        let (known, hasher) = (&self.things, &self.hasher);
        let rehash = |&number: &u32| hasher.hash_one(&known[number as usize]);
        self.table.try_reserve(1, rehash).ok()?;
        let number = self.push(make())?;
        let (things, hasher) = (&self.things, &self.hasher);
        let rehash = |&number: &u32| hasher.hash_one(&things[number as usize]);
        self.table.insert_unique(hash, number, rehash);
        Some(number)
    }

    /// Adds a key without entering it in the table, for a caller who has a faster way to find it.
    /// `None` when numbers or memory run out.
    pub fn push(&mut self, thing: K) -> Option<u32> {
        let number = u32::try_from(self.things.len()).ok();
        let number = number.filter(|&number| number < u32::MAX)?;
        self.things.try_reserve(1).ok()?;
        self.things.push(thing);
        Some(number)
    }

    /// The keys in the order of their numbers.
    pub fn things(&self) -> &[K] {
        &self.things
    }

    /// The keys without the table.
    pub fn into_things(self) -> Vec<K> {
        self.things
    }
}
