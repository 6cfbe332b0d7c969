//! Stores: what a search remembers of the nodes it has left.
//!
//! Invariant (*coherent cache*, Li et al. 2022, Definition 5): whatever window produced an entry,
//! it is true of its node. So entries may be forgotten, shared between searches of the same
//! problem, or written to disk, and every later search stays exact.
//!
//! A search looks a node up once, keeps the *slot* it got while it works on the node, and stores
//! with that slot, so that the node need not be hashed twice.
//!
//! Threads: `get` returns an entry of the store's own type, and `put` takes `&mut self`. A table of
//! one thread lends plain references; of a [`SharedTable`](crate::SharedTable) each thread has a
//! view, which reads copies.

use std::ops::Deref;
use std::sync::Arc;

use meetjoin_lattice::{Budget, Stop};

use crate::caches::in_progress::InProgress;

/// Where a node belongs in a store, which uses of it what it needs; good until the next `put` of
/// the same node. It is the same type for every store, so that a search is the same whatever it
/// remembers with.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// The hash of the node.
    pub hash: u64,
    /// The place of its entry, if it has one of its own: less than [`NO_PLACE`](Self::NO_PLACE).
    pub place: u32,
}

impl Slot {
    /// No entry has this place.
    pub const NO_PLACE: u32 = u32::MAX;
    /// A placeholder where nothing was looked up. [`Store::put`] wants one that [`Store::get`]
    /// gave.
    pub const NONE: Self = Self::of(0);

    /// That of a node of which the hash says all.
    #[inline]
    pub const fn of(hash: u64) -> Self {
        let place = Self::NO_PLACE;
        Self { hash, place }
    }
}

/// A cache from nodes `N` to values `V`.
pub trait Store<N, V> {
    /// An entry being read.
    type Ref<'a>: Deref<Target = V>
    where
        Self: 'a,
        V: 'a;

    /// Looks a node up.
    fn get(&self, node: &N) -> (Slot, Option<Self::Ref<'_>>);

    /// Stores a value for `node`, whose slot `get` returned; an older value is replaced.
    ///
    /// # Errors
    /// [`Stop::Memory`] when the store would have to grow and may not. The store is then as it was.
    fn put(&mut self, slot: Slot, node: &N, value: V, budget: &Budget) -> Result<(), Stop>;

    /// Shows every entry, in no particular order. A store that is a view of another one shows none.
    fn each(&self, _see: &mut dyn FnMut(&N, &V)) {}

    /// How many entries there are.
    fn len(&self) -> usize;

    /// Whether there is no entry.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What other threads are working at that use the store too, if it is one for several.
    #[inline]
    fn in_progress(&self) -> Option<&Arc<InProgress>> {
        None
    }
}

/// Bounds of nodes that a search remembers. Each pair is true of its node, whatever made it.
pub trait Entries<N, E> {
    /// Shows every node with its bounds, in no particular order.
    fn each(&self, see: &mut dyn FnMut(&N, &E, &E));
}

/// What is kept from search to search.
pub(crate) trait Remembers<N, E>: Entries<N, E> {
    /// Whether there is a cache.
    fn is_some(&self) -> bool;

    /// Takes bounds of a node, if it can, and knows nothing better.
    fn remember(&mut self, node: &N, bounds: (E, E), budget: &Budget) -> Result<(), Stop>;
}

/// Remembers nothing.
impl<N, V> Store<N, V> for () {
    type Ref<'a>
        = &'a V
    where
        V: 'a;

    #[inline]
    fn get(&self, _: &N) -> (Slot, Option<&V>) {
        (Slot::NONE, None)
    }

    #[inline]
    fn put(&mut self, _: Slot, _: &N, _: V, _: &Budget) -> Result<(), Stop> {
        Ok(())
    }

    #[inline]
    fn len(&self) -> usize {
        0
    }
}

impl<N, V, S: Store<N, V> + ?Sized> Store<N, V> for &mut S {
    type Ref<'a>
        = S::Ref<'a>
    where
        Self: 'a,
        V: 'a;

    #[inline]
    fn get(&self, node: &N) -> (Slot, Option<S::Ref<'_>>) {
        (**self).get(node)
    }

    #[inline]
    fn put(&mut self, slot: Slot, node: &N, value: V, budget: &Budget) -> Result<(), Stop> {
        (**self).put(slot, node, value, budget)
    }

    fn each(&self, see: &mut dyn FnMut(&N, &V)) {
        (**self).each(see);
    }

    #[inline]
    fn len(&self) -> usize {
        (**self).len()
    }

    #[inline]
    fn is_empty(&self) -> bool {
        (**self).is_empty()
    }

    #[inline]
    fn in_progress(&self) -> Option<&Arc<InProgress>> {
        (**self).in_progress()
    }
}

/// A cache that is there or not, as is known at run time only: one search for both.
impl<N, V, S: Store<N, V>> Store<N, V> for Option<S> {
    type Ref<'a>
        = S::Ref<'a>
    where
        Self: 'a,
        V: 'a;

    #[inline]
    fn get(&self, node: &N) -> (Slot, Option<S::Ref<'_>>) {
        match self {
            Some(store) => store.get(node),
            None => (Slot::NONE, None),
        }
    }

    #[inline]
    fn put(&mut self, slot: Slot, node: &N, value: V, budget: &Budget) -> Result<(), Stop> {
        match self {
            Some(store) => store.put(slot, node, value, budget),
            None => Ok(()),
        }
    }

    fn each(&self, see: &mut dyn FnMut(&N, &V)) {
        if let Some(store) = self {
            store.each(see);
        }
    }

    #[inline]
    fn len(&self) -> usize {
        self.as_ref().map_or(0, S::len)
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.as_ref().is_none_or(S::is_empty)
    }

    #[inline]
    fn in_progress(&self) -> Option<&Arc<InProgress>> {
        self.as_ref().and_then(S::in_progress)
    }
}
