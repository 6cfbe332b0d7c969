//! Where caches come from: a search chooses the values that it remembers, its caller the kind of cache.

use std::hash::Hash;

use meetjoin_dag::DenseNode;

use crate::{Dense, Store, Table};

/// Makes caches, whatever their values.
pub trait Stores<N> {
    /// A cache of values `T`.
    type Store<T>: Store<N, T>;

    /// An empty cache.
    fn store<T>(&self) -> Self::Store<T>;
}

/// No caches.
impl<N> Stores<N> for () {
    type Store<T> = ();

    fn store<T>(&self) {}
}

/// Hash tables, for any nodes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tables;

impl<N: Clone + Eq + Hash> Stores<N> for Tables {
    type Store<T> = Table<N, T>;

    fn store<T>(&self) -> Table<N, T> {
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
    type Store<T> = Dense<N, T>;

    fn store<T>(&self) -> Dense<N, T> {
        Dense::new(self.nodes)
    }
}
