//! A cache that is reused for consecutive searches of one graph with other values.
//!
//! Problem: allocating and freeing a new cache for each pass costs more than a short pass.
//!
//! Idea: each entry has the number of the pass that made it, and entries of earlier passes are
//! ignored. They are overwritten when their nodes are visited again.
//!
//! Invariant: a pass sees its own entries only.

use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

use meetjoin_lattice::{Budget, Stop};
use meetjoin_search::in_progress::InProgress;
use meetjoin_search::{Slot, Store};

/// An entry with the number of its pass.
pub(super) type Numbered<T> = (u64, T);

/// The cache of one pass, in a store that outlives it.
pub(super) struct Fresh<'a, S, T> {
    store: &'a mut S,
    pass: u64,
    len: usize,
    values: PhantomData<T>,
}

impl<'a, S, T> Fresh<'a, S, T> {
    /// An empty cache. No earlier pass in this store may have had the number `pass`.
    pub(super) fn new(store: &'a mut S, pass: u64) -> Self {
        Self {
            store,
            pass,
            len: 0,
            values: PhantomData,
        }
    }
}

/// An entry being read, without its number.
pub(super) struct Value<R>(R);

impl<T, R: Deref<Target = Numbered<T>>> Deref for Value<R> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0.1
    }
}

impl<N, T, S: Store<N, Numbered<T>>> Store<N, T> for Fresh<'_, S, T> {
    type Ref<'a>
        = Value<S::Ref<'a>>
    where
        Self: 'a,
        T: 'a;

    #[inline]
    fn get(&self, node: &N) -> (Slot, Option<Self::Ref<'_>>) {
        let (slot, entry) = self.store.get(node);
        let own = entry.filter(|entry| entry.0 == self.pass);
        (slot, own.map(Value))
    }

    #[inline]
    fn put(&mut self, slot: Slot, node: &N, value: T, budget: &Budget) -> Result<(), Stop> {
        self.store.put(slot, node, (self.pass, value), budget)?;
        self.len += 1;
        Ok(())
    }

    /// The number of entries written in this pass.
    fn len(&self) -> usize {
        self.len
    }

    #[inline]
    fn in_progress(&self) -> Option<&Arc<InProgress>> {
        self.store.in_progress()
    }
}
