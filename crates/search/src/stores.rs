//! Where caches come from: a search chooses the values that it remembers, its caller the kind of cache.

use std::hash::Hash;

use meetjoin_dag::DenseNode;

use crate::{Dense, Store, Table};

/// Makes caches, whatever their values.
pub trait Stores<N> {
    /// A cache of values `T`.
    type Store<T: Clone + Send + 'static>: Store<N, T>;

    /// An empty cache.
    fn store<T: Clone + Send + 'static>(&self) -> Self::Store<T>;

    /// An empty cache for a search that has this number among those of its kind. Threads that share caches get the same one by the number, whatever else they ask for.
    fn numbered<T: Clone + Send + 'static>(&self, _number: u64) -> Self::Store<T> {
        self.store()
    }

    /// An empty cache that no other thread sees.
    fn own<T: Clone + Send + 'static>(&self) -> Self::Store<T> {
        self.store()
    }
}

/// No caches.
impl<N> Stores<N> for () {
    type Store<T: Clone + Send + 'static> = ();

    fn store<T: Clone + Send + 'static>(&self) {}
}

/// Hash tables, for any nodes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tables;

impl<N: Clone + Eq + Hash> Stores<N> for Tables {
    type Store<T: Clone + Send + 'static> = Table<N, T>;

    fn store<T: Clone + Send + 'static>(&self) -> Table<N, T> {
        Table::new()
    }
}

/// Arrays, for the nodes `0..nodes` of an explicit graph.
#[derive(Clone, Copy, Debug)]
pub struct DenseStores {
    /// How many nodes the graph has.
    pub nodes: usize,
}

impl<N: DenseNode> Stores<N> for DenseStores {
    type Store<T: Clone + Send + 'static> = Dense<N, T>;

    fn store<T: Clone + Send + 'static>(&self) -> Dense<N, T> {
        Dense::new(self.nodes)
    }
}
