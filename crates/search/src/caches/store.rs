//! Stores: the caches of a search, with an entry for nodes it has left.
//!
//! Invariant (*coherent cache*, Li et al. 2022, Definition 5): whatever window produced an entry,
//! it is true of its node. So entries may be forgotten, shared between searches of the same
//! problem, or written to disk, and every later search stays exact.
//!
//! A search looks a node up once, keeps the *slot* it got while it works on the node, and passes it
//! when it stores the node, so that the node need not be hashed twice.
//!
//! Threads: `get` returns an entry of the store's own type, and `put` takes `&mut self`. A table of
//! one thread lends plain references; a [`SharedTable`](crate::SharedTable) has a view for each
//! thread, which reads copies.

use std::ops::Deref;
use std::sync::Arc;

use meetjoin_lattice::{Budget, Stop};

use crate::caches::in_progress::InProgress;

/// The position of a node in a store; valid until the next `put` of the same node. It is one type
/// for all stores, which use the fields they need.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// The hash of the node.
    pub hash: u64,
    /// The index of its entry, or [`NO_PLACE`](Self::NO_PLACE).
    pub place: u32,
}

impl Slot {
    /// Stands for no index.
    pub const NO_PLACE: u32 = u32::MAX;
    /// A placeholder where nothing was looked up. [`Store::put`] needs a slot from [`Store::get`].
    pub const NONE: Self = Self::of(0);

    /// The slot of a node that is given by its hash alone.
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
    /// [`Stop::Memory`] when the store would have to grow and may not. The store is unchanged then.
    fn put(&mut self, slot: Slot, node: &N, value: V, budget: &Budget) -> Result<(), Stop>;

    /// Calls `see` with every entry, in no particular order. A store that is a view of another one
    /// may show none.
    fn each(&self, _see: &mut dyn FnMut(&N, &V)) {}

    /// The number of entries.
    fn len(&self) -> usize;

    /// Returns whether there are no entries.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The in-progress table of the threads that share the store, if they do.
    #[inline]
    fn in_progress(&self) -> Option<&Arc<InProgress>> {
        None
    }
}

/// Bounds of nodes that a search remembers. Each pair is true of its node, whatever made it.
pub trait Entries<N, E> {
    /// Calls `see` with every node and its bounds, in no particular order.
    fn each(&self, see: &mut dyn FnMut(&N, &E, &E));
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

/// A cache whose presence is known at run time only, so that a search is compiled once.
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
