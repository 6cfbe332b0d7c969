//! Factories of caches: a search chooses the type of the values, its caller the kind of cache.

use std::hash::Hash;
use std::sync::Arc;

use meetjoin_dag::DenseNode;

use crate::{Dense, Store, Table};

/// Makes caches for any type of values.
pub trait Stores<N> {
    /// A cache of values `T`.
    type Store<T: Clone + Send + 'static>: Store<N, T> + 'static;

    /// An empty cache.
    fn store<T: Clone + Send + 'static>(&self) -> Self::Store<T>;

    /// An empty cache that no other thread sees.
    fn own<T: Clone + Send + 'static>(&self) -> Self::Store<T> {
        self.store()
    }

    /// The number of threads that run the search and share its caches.
    fn threads(&self) -> usize {
        1
    }

    /// Another value shared by all these threads. As with caches, requests in the same order get
    /// the same value.
    fn common<T: Default + Send + Sync + 'static>(&self) -> Arc<T> {
        Arc::default()
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

impl<N: Clone + Eq + Hash + 'static> Stores<N> for Tables {
    type Store<T: Clone + Send + 'static> = Table<N, T>;

    fn store<T: Clone + Send + 'static>(&self) -> Table<N, T> {
        Table::new()
    }
}

/// Arrays, for the nodes `0..nodes` of an explicit graph.
#[derive(Clone, Copy, Debug)]
pub struct DenseStores {
    /// The number of nodes of the graph.
    pub nodes: usize,
}

impl<N: DenseNode + 'static> Stores<N> for DenseStores {
    type Store<T: Clone + Send + 'static> = Dense<N, T>;

    fn store<T: Clone + Send + 'static>(&self) -> Dense<N, T> {
        Dense::new(self.nodes)
    }
}
