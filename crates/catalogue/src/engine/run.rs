//! A search with its cache, for any technique and any type of entries: one boxed call per search.

use std::fmt::{self, Debug};
use std::marker::PhantomData;

use meetjoin_families::families::Memory;
use meetjoin_lattice::{Antichain, Budget, Stop, WorldSet};
use meetjoin_search::driver::{Entry, Kept, enter};
use meetjoin_search::{Entries, Outcome, Store, Stores};

/// The answer of an engine for a root.
#[derive(Clone, Debug)]
pub struct Solved<E> {
    /// The value, or bounds.
    pub outcome: Outcome<E>,
    /// The number of entries in the cache afterwards; 0 without a cache.
    pub cache_entries: usize,
}

/// A search from any node of a graph, with observers `O`. It keeps its cache from call to call.
pub struct Engine<'a, N, E, O>(Box<dyn Runs<N, E, O> + 'a>);

/// The operations of an engine, for any search and any cache.
trait Runs<N, E, O> {
    fn search(&mut self, root: N, observer: &mut O) -> Solved<E>;
    fn entries(&self) -> Option<&dyn Entries<N, E>>;
    fn remember(&mut self, node: &N, bounds: (E, E), budget: &Budget) -> Result<(), Stop>;
}

/// A cache kept from search to search.
pub(super) trait Remembers<N, E>: Entries<N, E> {
    /// Returns whether there is a cache.
    fn is_some(&self) -> bool;

    /// Stores bounds of a node, if the cache can hold them and has no entry for it.
    fn remember(&mut self, node: &N, bounds: (E, E), budget: &Budget) -> Result<(), Stop>;
}

/// No cache, or one whose entries are not shown.
struct Unshown;

impl<N, E> Entries<N, E> for Unshown {
    fn each(&self, _: &mut dyn FnMut(&N, &E, &E)) {}
}

impl<N, E> Remembers<N, E> for Unshown {
    fn is_some(&self) -> bool {
        false
    }

    fn remember(&mut self, _: &N, _: (E, E), _: &Budget) -> Result<(), Stop> {
        Ok(())
    }
}

/// A cache of values `T`.
struct Cache<S, T>(Option<S>, PhantomData<T>);

impl<N, E, T: Entry<E>, S: Store<N, T>> Entries<N, E> for Cache<S, T> {
    fn each(&self, see: &mut dyn FnMut(&N, &E, &E)) {
        Kept::<_, T>::new(&self.0).each(see);
    }
}

impl<N, E, T: Entry<E>, S: Store<N, T>> Remembers<N, E> for Cache<S, T> {
    fn is_some(&self) -> bool {
        self.0.is_some()
    }

    fn remember(&mut self, node: &N, bounds: (E, E), budget: &Budget) -> Result<(), Stop> {
        enter(&mut self.0, node, bounds, budget)
    }
}

impl<N, B: WorldSet, S: Stores<N>> Remembers<N, Antichain<B>> for Memory<N, B, S> {
    fn is_some(&self) -> bool {
        true
    }

    fn remember(
        &mut self,
        node: &N,
        bounds: (Antichain<B>, Antichain<B>),
        budget: &Budget,
    ) -> Result<(), Stop> {
        self.remember(node, bounds, budget)
    }
}

/// A search with its cache.
struct With<M, F>(M, F);

impl<N, E, O, M, F> Runs<N, E, O> for With<M, F>
where
    M: Remembers<N, E>,
    F: FnMut(&mut M, N, &mut O) -> Solved<E>,
{
    fn search(&mut self, root: N, observer: &mut O) -> Solved<E> {
        (self.1)(&mut self.0, root, observer)
    }

    fn entries(&self) -> Option<&dyn Entries<N, E>> {
        let Self(memory, _) = self;
        memory.is_some().then_some(memory)
    }

    fn remember(&mut self, node: &N, bounds: (E, E), budget: &Budget) -> Result<(), Stop> {
        self.0.remember(node, bounds, budget)
    }
}

impl<N, E, O> Debug for Engine<'_, N, E, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Engine")
    }
}

impl<'a, N, E, O> Engine<'a, N, E, O> {
    /// The value of `root`.
    pub fn search(&mut self, root: N, observer: &mut O) -> Solved<E> {
        self.0.search(root, observer)
    }

    /// The bounds of nodes in the cache, if the algorithm has a cache of bounds.
    pub fn entries(&self) -> Option<&dyn Entries<N, E>> {
        self.0.entries()
    }

    /// Stores a lower and an upper bound of a node in the cache, unless it has an entry for the
    /// node. They must be true: from a search of the same problem, by any algorithm. An algorithm
    /// that remembers exact values only takes bounds that are equal.
    ///
    /// # Errors
    /// [`Stop::Memory`] when the cache may not grow.
    pub fn remember(&mut self, node: &N, bounds: (E, E), budget: &Budget) -> Result<(), Stop> {
        self.0.remember(node, bounds, budget)
    }

    /// An engine with its own kind of cache.
    pub(super) fn with<M: Remembers<N, E> + 'a>(
        memory: M,
        search: impl FnMut(&mut M, N, &mut O) -> Solved<E> + 'a,
    ) -> Self {
        Self(Box::new(With(memory, search)))
    }

    /// An engine whose cache is not shown.
    pub(super) fn new(mut search: impl FnMut(N, &mut O) -> Solved<E> + 'a) -> Self {
        Self::with(Unshown, move |_, root, observer| search(root, observer))
    }

    /// An engine without a cache.
    pub(super) fn uncached(mut search: impl FnMut(N, &mut O) -> Outcome<E> + 'a) -> Self {
        Self::new(move |root, observer| Solved {
            outcome: search(root, observer),
            cache_entries: 0,
        })
    }

    /// An engine with an optional cache.
    pub(super) fn cached<T: Entry<E> + 'a, S: Store<N, T> + 'a>(
        store: Option<S>,
        mut search: impl FnMut(N, Option<&mut S>, &mut O) -> Outcome<E> + 'a,
    ) -> Self {
        let cache = Cache(store, PhantomData);
        let search = move |Cache(store, _): &mut Cache<S, T>, root, observer: &mut O| Solved {
            outcome: search(root, store.as_mut(), observer),
            cache_entries: store.len(),
        };
        Self::with(cache, search)
    }
}
