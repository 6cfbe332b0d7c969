//! Caches for positions: of bounded size with eviction, or growing.
//!
//! Idea: the kind is chosen at run time, so that a search is compiled once for both.

use std::hash::Hash;

use meetjoin_lattice::{Budget, Stop};
use meetjoin_search::{BoundedTable, Slot, Store, Stores, Table};

/// The factory of caches for positions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PositionTables {
    /// The most bytes of a cache with eviction; `None` for one that grows.
    pub(crate) bytes: Option<usize>,
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

/// A cache for positions.
pub(crate) enum PositionTable<N, V> {
    Bounded(BoundedTable<N, V>),
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
